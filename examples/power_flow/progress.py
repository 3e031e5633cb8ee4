"""Signs of life for steps that take a while, on a terminal only."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

PATIENCE = 0.5
CLEAR_LINE = "\r\x1b[K"

_writing = threading.Lock()


@contextmanager
def step(label: str) -> Iterator[None]:
    """Show ``label`` and the seconds so far, once the body has run for half a second.

    The line is written to standard error by a thread of its own and wiped at the end. Where standard error
    is not a terminal nothing is written.
    """
    if not sys.stderr.isatty():
        yield
        return
    finished = threading.Event()
    clock = threading.Thread(target=_count, args=(label, finished), daemon=True)
    clock.start()
    try:
        yield
    finally:
        finished.set()
        clock.join()


def print_line(text: str) -> None:
    """Print a line of results, above whatever step is being shown."""
    with _writing:
        if sys.stderr.isatty():
            print(CLEAR_LINE, end="", file=sys.stderr, flush=True)
        print(text, flush=True)


def _count(label: str, finished: threading.Event) -> None:
    """Write the line again and again until the step is finished."""
    begin = perf_counter()
    if finished.wait(PATIENCE):
        return
    while not finished.wait(0.1):
        with _writing:
            print(
                f"{CLEAR_LINE}  {label} ... {perf_counter() - begin:.1f} s",
                end="", file=sys.stderr, flush=True,
            )
    print(CLEAR_LINE, end="", file=sys.stderr, flush=True)
