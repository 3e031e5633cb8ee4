"""The threads that share the loops of kernels: C of its own, compiled, cached and loaded like a kernel."""

from __future__ import annotations

import os
import pkgutil

import numpy as np

from functrans._locks import ForkLock
from functrans.backend.runtime.library import Entry, load
from functrans.debug import log, warn_once
from functrans.errors import CompileError

__all__ = ["NEAR_BYTES", "pool"]

NEAR_BYTES = 4096
"""Of the results of a few steps that a thread has memory for, as ``threads.c`` says it."""

_lock = ForkLock()
_loaded: list[Entry] = []  # held for ever: its threads run in it
_address: list[int] = []


def pool() -> int:
    """Where the function lies that runs parts of a kernel on several threads; 0 where there are no threads to be had.

    Its threads are started when a kernel first has work for them. A child after a fork starts its own.
    """
    if not _address:
        with _lock:
            if not _address:
                found = _load()
                if found is None:
                    return 0
                _address.append(found)
    return _address[0]


def _load() -> int | None:
    """The address; 0 where there is none, None where there is none now."""
    try:
        text = pkgutil.get_data(__package__, "threads.c")
        if text is None:
            return 0
        entry = load(text.decode())
    except OSError as error:
        log(1, f"one thread for this call: {error}")
        return None
    except CompileError as error:
        log(1, f"one thread a call: {error.message}")
        warn_once("threads", "threads cannot be used here, as their code does not compile; calls run in one thread")
        return 0
    _loaded.append(entry)
    return _begin(entry)


def _begin(entry: Entry, anew: bool = False) -> int:
    """Put the pool into its first state, no threads and no work, if it was not begun before or is to begin ``anew``."""
    address = np.zeros(1, np.uintp)
    entry([address], [int(anew)])
    return int(address[0])


def _again() -> None:
    if _loaded:
        _begin(_loaded[0], anew=True)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_again)
