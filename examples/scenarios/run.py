"""Chunks over a pool of workers until none is missing; what is marked is not done again, whatever was killed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait as wait_for
from typing import Any, Protocol

from .bar import Bar
from .store import Columns, Results, opened

AHEAD = 4  # tasks handed out for each worker: the rest wait here, where they cost nothing
TRIES = 3  # pools that may break one after the other without a chunk in between


class Job(Protocol):
    """What is computed: chunk by chunk, each by its number alone."""

    @property
    def columns(self) -> Mapping[str, str]: ...

    @property
    def settings(self) -> Mapping[str, Any]: ...

    def solve(self, number: int) -> Columns: ...


class Stopped(RuntimeError):
    """A run that cannot go on; what it has done is kept."""


Work = Callable[[str, Job, int], int]


def solve_chunk(path: str, job: Job, number: int) -> int:
    """What a worker does: compute, write, mark."""
    opened(path).write(number, job.solve(number))
    return number


def run(
    path: str, job: Job, pool: Callable[[], Executor], workers: int, work: Work = solve_chunk,
    part: tuple[int, int] = (0, 1),
) -> list[int]:  # fmt: skip
    """Do the chunks that the store at ``path`` lacks; which they were. ``part`` (k, n): those with number % n == k.

    A pool that breaks, as one of processes does when one of them is killed, is made anew. Raises Stopped where
    the store cannot be written or pools break without end, ValueError where the store holds another run.
    """
    results = Results.open(path, job.settings, job.columns)
    total = results.marks.shape[0]
    own = range(part[0], total, part[1])
    did: list[int] = []
    broken = 0
    while missing := [k for k in results.missing() if k in own]:
        bar = Bar(len(own), len(own) - len(missing))
        before = len(did)
        try:
            with pool() as executor:
                for number in _done(executor, partial(work, path, job), missing, AHEAD * workers):
                    did.append(number)
                    bar.step()
        except BrokenExecutor as error:
            broken = broken + 1 if len(did) == before else 1
            if broken == TRIES:
                raise Stopped(f"{TRIES} pools broke without a chunk done: {error}; is memory short?") from error
        except OSError as error:
            kept = total - len(results.missing())
            raise Stopped(
                f"{path} cannot be written ({error.strerror or error}); {kept} of {total} chunks are there and stay. "
                "Free some space, and start the run again"
            ) from error
    return did


def _done(executor: Executor, task: Callable[[int], int], numbers: Sequence[int], most: int) -> Iterator[int]:
    """The numbers of tasks as they are done; at most so many are with the workers."""
    rest, given = iter(numbers), set[Future[int]]()
    try:
        while True:
            while len(given) < most and (number := next(rest, None)) is not None:
                given.add(executor.submit(task, number))
            if not given:
                return
            ready, given = wait(given, return_when=FIRST_COMPLETED)
            for future in ready:
                yield future.result()
    finally:
        for future in given:
            future.cancel()


def processes(workers: int) -> Executor:
    """Processes of this machine, started anew: none inherits locks or threads. They end when this process does."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=end_with_parent)


def end_with_parent() -> None:
    """End this worker when its parent is killed: it would wait for tasks for ever, or write beside the next run."""
    parent = parent_process()
    assert parent is not None

    def watch(sentinel: int) -> None:
        wait_for([sentinel])
        os._exit(1)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()
