"""C of other floors, compiled, cached and loaded like a kernel: a service for algorithms on large tables."""

from __future__ import annotations

from functrans.backend.runtime.library import Entry, available, load
from functrans.debug import log, warn_once
from functrans.errors import CompileError

__all__ = ["native"]


def native(c_text: str, what: str) -> Entry | None:
    """The entry point ``int ft_entry(void **buffers, const long long *sizes)`` of a C text; None where there is none.

    ``what`` names it in the one warning that says that it does not compile here. The text includes nothing and
    calls no library.
    """
    if not available():
        return None
    try:
        return load(c_text)
    except CompileError as error:
        log(1, f"{what} without C: {error.message}")
        warn_once(what, f"{what} runs in Python here, as its C does not compile: the same, but slower")
        return None
