"""One side of one row in a process of its own: ``python -m benchmarks.worker CASE SIDE SIZE``.

It answers pickled requests on standard input: ``("run", k)`` runs k times and gives the seconds of one, ``("result",)``
the arrays, ``("quit",)`` ends. Whatever a library prints goes to standard error.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import time
from typing import Any

from benchmarks.case import Case, Run, results, waits
from benchmarks.cases import by_name


def seconds(run: Run, times: int) -> float:
    """The seconds of one of so many runs in a row; one run before them brings the caches back."""
    repeat = getattr(run, "repeat", None)
    if repeat is not None:
        repeat(1)
        start = time.perf_counter()
        repeat(times)
        return (time.perf_counter() - start) / times
    run()
    rounds = range(times)
    start = time.perf_counter()
    for _ in rounds:
        run()
    return (time.perf_counter() - start) / times


def build(case: Case, side: str, size: int) -> tuple[Run, float]:
    """The side of a row, ready to be timed, and the seconds until its first result."""
    arguments = case.arguments(size)
    start = time.perf_counter()
    run = case.builder(side)(*arguments)
    run()
    return run, time.perf_counter() - start


def serve(case: Case, side: str, size: int) -> None:
    """Answer requests until told to quit or the parent is gone."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def say(kind: str, value: Any) -> None:
        pickle.dump((kind, value), answers)
        answers.flush()

    if waits(case, side):
        say("absent", f"waits for ft.{case.needs}")
        return
    try:
        run, first = build(case, side, size)
    except Exception as error:  # a library that is missing or cannot do this is reported as absent
        say("absent", f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
        return
    gc.disable()
    say("ready", first)
    while True:
        try:
            request = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        if request[0] == "quit":
            return
        say("value", seconds(run, request[1]) if request[0] == "run" else results(run()))


if __name__ == "__main__":
    serve(by_name(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
