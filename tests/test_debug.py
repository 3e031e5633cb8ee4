"""What each debug level writes to stderr."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import functrans as ft
from functrans.backend.runtime import library
from functrans.config import config
from tests.plans import plan_anew

# a word that each level adds
WORDS = {
    1: "functrans: cache ",
    2: "functrans: ran k0 ",
    3: "functrans: KERNEL k0",
    4: "int ft_entry(void **buffers",
    5: "DEFINE_GLOBAL float64 ()",
    6: "functrans: after rangeify, bufferize\n",
}


def said(level: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path) -> str:
    plan_anew(monkeypatch)
    library.forget()
    with config.override(debug=level, cache_dir=cache):
        f = ft.jit(lambda x: np.sin(x).sum() + np.cos(x).sum())
        f(np.ones((3, 4)))
        f(np.ones((3, 4)))
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("debug")
    path.chmod(0o700)
    return path


@pytest.mark.parametrize("level", range(7))
def test_a_level_shows_itself_and_those_below(
    level: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    text = said(level, capsys, monkeypatch, cache)
    assert {n for n, word in WORDS.items() if word in text} == set(range(1, level + 1))


def test_times_of_every_call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    text = said(2, capsys, monkeypatch, cache)
    assert text.count("functrans: ran k0") == 2
    assert text.count("functrans: traced jit of <lambda> in") == 1 and "functrans: scheduled 1 kernels in" in text


def test_host_steps_are_timed(capsys: pytest.CaptureFixture[str], cache: Path) -> None:
    with config.override(debug=2, cache_dir=cache):
        ft.jit(lambda a: np.linalg.inv(a) * 2)(np.eye(400))
    assert "functrans: ran SOLVE by LAPACK" in capsys.readouterr().err


def test_the_reasons_of_buffers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    plan_anew(monkeypatch)
    with config.override(debug=3, cache_dir=cache):
        ft.jit(lambda x: np.cumsum(x, 0) * 2)(np.ones((3, 40)))
    assert "stored, as it is filled in several steps or in an order of its own (1 read" in capsys.readouterr().err
