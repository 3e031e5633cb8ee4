"""Messages for the person at the terminal, by level: ``FUNCTRANS_DEBUG=1`` and up."""

from __future__ import annotations

import sys

from functrans.config import config

__all__ = ["log"]


def log(level: int, text: str) -> None:
    """Write a line to stderr when ``config.debug`` is at least `level`.

    >>> log(6, "not shown")
    """
    if config.debug >= level:
        sys.stderr.write(f"functrans: {text}\n")
