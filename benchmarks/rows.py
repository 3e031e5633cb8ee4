"""All rows by table and name, each a function of the seconds that a side may be timed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial

from benchmarks import growth, setup, small, traffic
from benchmarks.case import Case
from benchmarks.cases import CASES
from benchmarks.record import Row, compared
from benchmarks.report import duration
from benchmarks.sides import Remote, Side
from benchmarks.timing import measure


def against_limit(case: Case, budget: float) -> Row:
    """Ours, the limit and the peers, on one thread."""
    return compared(measure(case, case.size, partial(Remote, threads=1), budget), case.table)


def two_threads(case: Case, budget: float) -> Row:
    """Ours on one thread and on two, in turn."""
    build = case.sides["ours"]
    both = dataclasses.replace(case, sides={"ours": build, "two": build})

    def make(case: Case, side: str, size: int) -> Side:
        return Remote(case, "ours", size, threads=2 if side == "two" else 1)

    found = measure(both, case.size, make, budget)
    row: Row = {"table": "threads", "name": f"threads-{case.name}", "title": case.title, "bar": "1.7 x", "peers": {}}
    if len(found.seconds) < 2:
        return {**row, "ours": "; ".join(found.absent.values()), "met": None}
    times = found.ratio("ours", "two")
    shown = f"{times:.2f} x ({duration(found.median('ours'))} to {duration(found.median('two'))})"
    return {**row, "ours": shown, "met": times >= 1.7}


def _named(table: str) -> dict[str, Callable[[float], Row]]:
    return {c.name: partial(against_limit, c) for c in CASES if c.table == table}


TABLES: dict[str, dict[str, Callable[[float], Row]]] = {
    "dense": _named("dense"),
    "sparse": _named("sparse"),
    "threads": {f"threads-{c.name}": partial(two_threads, c) for c in CASES if c.threads},
    "small": small.ROWS,
    "setup": setup.ROWS,
    "growth": {**growth.ROWS, **setup.GROWTH},
    "traffic": traffic.TABLE,
}
