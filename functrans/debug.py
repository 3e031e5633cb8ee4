"""Messages for the person at the terminal: by level (``FUNCTRANS_DEBUG=1`` and up), and one-time warnings.

A level shows what those below it show, and besides:

1. the cache: code found there or compiled, and how long the compiler took;
2. times: of tracing and scheduling, and of each kernel and host step of each call;
3. the schedule: which buffers are stored and why, the kernels with their loops;
4. the C;
5. the statements of each kernel, the list that the C is written from;
6. the graph, and the statements, after every pass.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable

from functrans.config import config
from functrans.errors import FunctransWarning, user_frame

__all__ = ["log", "warn_at", "warn_once"]

_warned: set[str] = set()


def log(level: int, text: str | Callable[[], str]) -> None:
    """Write a message to stderr when ``config.debug`` is at least `level`; a callable makes the text only then.

    >>> log(6, "not shown")
    """
    if config.debug >= level:
        sys.stderr.write(f"functrans: {text if isinstance(text, str) else text()}\n")


def warn_once(cause: str, text: str) -> None:
    """Give a `FunctransWarning` at the user's line, unless this process has had one for the same `cause`."""
    warn_at(user_frame() or ("functrans", 1), cause, text)


def warn_at(place: tuple[str, int], cause: str, text: str) -> None:
    """The same at another file and line."""
    if cause not in _warned:
        _warned.add(cause)
        warnings.warn_explicit(text, FunctransWarning, *place)
