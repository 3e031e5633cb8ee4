"""How long each kernel and each host step of a call takes: noted while someone measures, or at debug level 2."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from functrans.config import config
from functrans.debug import log

if TYPE_CHECKING:
    from functrans.backend.plan import Plan
    from functrans.backend.schedule.host import HostStep

Array = np.ndarray[Any, Any]


class Stopwatch:
    """Nanoseconds: for each program a row a call, an entry a kernel; for each host step an entry a call."""

    def __init__(self) -> None:
        self.kernels: dict[object, list[list[int]]] = {}
        self.steps: dict[HostStep, list[int]] = {}


_running: list[Stopwatch] = []  # for all threads: those of domains work for the one that measures


@contextmanager
def measured() -> Iterator[Stopwatch]:
    """Within this every call is timed, kernel by kernel; that takes a compilation of its own."""
    watch = Stopwatch()
    _running.append(watch)
    try:
        yield watch
    finally:
        _running.remove(watch)


def wanted() -> bool:
    """Whether calls are to be timed."""
    return bool(_running) or config.debug >= 2


def enter(program: object, plan: Plan, arrays: Sequence[Array], sizes: Sequence[int], pool: int, threads: int) -> None:
    """Run the code of a plan, timed."""
    marks = np.zeros(len(plan.kernels) + 1, np.int64)
    entry = plan.timed
    entry.through(list(map(entry.pointer, arrays)), sizes, entry.begin(pool, threads, marks))
    spent = np.diff(marks).tolist()
    for watch in _running:
        watch.kernels.setdefault(program, []).append(spent)
    log(2, lambda: "ran " + ", ".join(f"{k.name} {duration(ns)}" for k, ns in zip(plan.kernels, spent, strict=True)))


def step(host: HostStep, run: Callable[[], list[Array]]) -> list[Array]:
    """The results of a host step, timed where that is wanted."""
    if not wanted():
        return run()
    start = time.perf_counter_ns()
    result = run()
    spent = time.perf_counter_ns() - start
    for watch in _running:
        watch.steps.setdefault(host, []).append(spent)
    log(2, lambda: f"ran {host.name} {duration(spent)}")
    return result


def duration(nanoseconds: float) -> str:
    """A time to be read: three digits and a unit.

    >>> duration(1234.0), duration(56), duration(7.8e9)
    ('1.23 µs', '56 ns', '7.8 s')
    """
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}" if nanoseconds < 1e12 else f"{nanoseconds / size:.0f} {unit}"
    return f"{nanoseconds:.3g} ns"
