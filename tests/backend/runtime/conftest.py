"""A runtime that knows nothing yet: an empty cache, no settings, an own temporary directory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from functrans.backend.runtime import cache, library, toolchain
from tests.backend.runtime.house import House, forget_everything


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A fresh runtime below `tmp_path`, put away again after the test."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    for name in ("CC", "FUNCTRANS_CC", "FUNCTRANS_DEBUG", "FUNCTRANS_DUMP", "FUNCTRANS_COMPILE_TIMEOUT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FUNCTRANS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(temporary))
    forget_everything()
    yield House(tmp_path / "cache", temporary, forget_everything)
    monkeypatch.undo()
    forget_everything()


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str, str], str]:
    """Write an executable shell script and return its path."""

    def write(name: str, body: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return str(path)

    return write


@pytest.fixture
def compiled(house: House, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are compiled from now on."""
    texts: list[str] = []
    real = library.late.compiling.compile_c

    def record(compiler: toolchain.Compiler, c_text: str, store: cache.Cache, **more: Any) -> bytes:
        texts.append(c_text)
        return real(compiler, c_text, store, **more)

    monkeypatch.setattr(library.late.compiling, "compile_c", record)
    return texts
