"""The line on the terminal while the compiler runs: late, on terminals alone, and gone afterwards."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable

import pytest

from functrans.backend.runtime.library import load
from functrans.backend.runtime.toolchain import find_compiler
from functrans.config import config
from tests.backend.runtime.house import DOUBLE, House, check


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def slow(house: House, script: Callable[[str, str], str], compiler: None) -> str:
    """A compiler that takes its time over what it links."""
    real = find_compiler().command[0]
    house.restart()
    return script("slow", f'case "$*" in *entry.c*) sleep 1;; esac\nexec {real} "$@"')


def test_a_slow_compiler_is_announced_and_the_line_is_gone(slow: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with config.override(cc=slow):
        check(load(DOUBLE))
    said = terminal.getvalue()
    assert re.search(r"\r\x1b\[Kfunctrans: compiling \d+ lines of C, \d\.\d s", said)
    assert said.endswith("\r\x1b[K")
    assert min(map(float, re.findall(r"(\d\.\d) s", said))) >= 0.5


def test_nothing_is_written_where_there_is_no_terminal(slow: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    with config.override(cc=slow):
        check(load(DOUBLE))
    assert written.getvalue() == ""


def test_a_quick_compiler_says_nothing(house: House, compiler: None, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("functrans.backend.runtime.progress._SILENT", 60.0)
    check(load(DOUBLE))
    assert terminal.getvalue() == ""
