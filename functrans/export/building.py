"""An exported file compiled into a shared library, by the compiler that functrans uses, with its flags."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from functrans.backend.runtime import cache
from functrans.backend.runtime.compiling import compile_c
from functrans.backend.runtime.flags import cpu_identity
from functrans.backend.runtime.scratch import NoPlace
from functrans.backend.runtime.toolchain import find_compiler

__all__ = ["build"]


def build(file: Path) -> Path:
    """The library of a file, beside it; of a text that was compiled before the one in the cache."""
    compiler, store, text = find_compiler(), cache.current(), file.read_text(encoding="utf-8")
    name = cache.digest("exported", compiler.identity, cpu_identity(), text) + ".so"
    made = store.read(name)
    if made is None:
        made = compile_c(compiler, text, store)
        with suppress(NoPlace):  # then it is beside the file alone
            store.put(name, made)
    library, new = file.with_suffix(".so"), file.with_suffix(f".so.{os.getpid()}")
    new.write_bytes(made)
    os.replace(new, library)  # whoever has loaded the old one keeps it
    return library
