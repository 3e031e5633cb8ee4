"""An exported file compiled into a shared library, by the compiler that functrans uses, with its flags."""

from __future__ import annotations

import os
from pathlib import Path

from functrans.backend.runtime import cache
from functrans.backend.runtime.compiling import compile_c
from functrans.backend.runtime.toolchain import find_compiler

__all__ = ["build"]


def build(file: Path) -> Path:
    """The library of a file, beside it."""
    made = compile_c(find_compiler(), file.read_text(encoding="utf-8"), cache.current())
    library, new = file.with_suffix(".so"), file.with_suffix(f".so.{os.getpid()}")
    new.write_bytes(made)
    os.replace(new, library)  # whoever has loaded the old one keeps it
    return library
