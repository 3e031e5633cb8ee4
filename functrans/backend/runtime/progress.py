"""A line on the terminal while the compiler takes its time."""

from __future__ import annotations

import sys
import time
from types import TracebackType

__all__ = ["Progress"]

_SILENT = 0.5  # seconds in which nobody begins to wonder


class Progress:
    """Within ``with``, each `tick` says on stderr what is going on and for how long; afterwards nothing of it is left.

    Nothing is written in the first half second, nor where stderr is no terminal.

    >>> with Progress("compiling") as progress:
    ...     progress.tick()
    """

    def __init__(self, what: str) -> None:
        self._what, self._start, self._shown = what, time.monotonic(), False

    def __enter__(self) -> Progress:
        """Begin to count."""
        return self

    def tick(self) -> None:
        """Bring the line up to date."""
        seconds = time.monotonic() - self._start
        if seconds >= _SILENT and sys.stderr is not None and sys.stderr.isatty():
            self._shown = True
            sys.stderr.write(f"\r\x1b[Kfunctrans: {self._what}, {seconds:.1f} s")
            sys.stderr.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
