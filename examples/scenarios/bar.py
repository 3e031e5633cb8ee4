"""A progress bar: redrawn on a terminal, a line at every tenth elsewhere."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TextIO

from examples.power_flow.report import duration

WIDTH = 40


class Bar:
    """How many of all chunks are done; the time left is told by those of this run."""

    def __init__(self, total: int, done: int, stream: TextIO = sys.stderr) -> None:
        self.total, self.done, self._first, self._stream = total, done, done, stream
        self._begin, self._told = perf_counter(), -1
        self._terminal = stream.isatty()

    def step(self) -> None:
        """One more is done."""
        self.done += 1
        tenth = 10 * self.done // self.total
        if self._terminal:
            print(f"\r\x1b[K{self.line()}", end="\n" if self.done == self.total else "", file=self._stream, flush=True)
        elif tenth > self._told:
            self._told = tenth
            print(self.line(), file=self._stream, flush=True)

    def line(self) -> str:
        """The bar, the count, and the seconds left."""
        part = self.done / self.total
        full = int(WIDTH * part)
        made = self.done - self._first
        left = (perf_counter() - self._begin) / made * (self.total - self.done) if made else 0.0
        rest = f", {duration(left)} left" if made and self.done < self.total else ""
        return f"[{'#' * full}{'.' * (WIDTH - full)}] {self.done} of {self.total} chunks{rest}"
