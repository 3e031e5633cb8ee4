"""An exported file compiled into a shared library, by the compiler that functrans uses, with its flags."""

from __future__ import annotations

from pathlib import Path

from functrans.backend.runtime import cache
from functrans.backend.runtime.compiling import compile_c
from functrans.backend.runtime.toolchain import find_compiler

__all__ = ["build"]


def build(file: Path) -> Path:
    """The library of a file, beside it."""
    library = file.with_suffix(".so")
    library.write_bytes(compile_c(find_compiler(), file.read_text(encoding="utf-8"), cache.current()))
    return library
