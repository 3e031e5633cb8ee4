"""All rows by table and name, each a function of the seconds that a side may be timed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial

from benchmarks import growth, setup, small, solves, traffic
from benchmarks.case import Case
from benchmarks.cases import CASES
from benchmarks.record import Row, compared
from benchmarks.report import duration
from benchmarks.sides import Remote, Side
from benchmarks.timing import Measured, measure


def against_limit(case: Case, budget: float) -> Row:
    """Ours, the limit and the peers, on one thread."""
    return compared(measure(case, case.size, partial(Remote, threads=1), budget), case.table)


def two_threads(case: Case, budget: float) -> Row:
    """Ours on one thread and on two, and the limit on one and on two, all four in turn."""
    sides = dict.fromkeys(("ours", "ours-two", "limit", "limit-two"), case.sides["ours"])

    def make(case: Case, side: str, size: int) -> Side:
        name = "ours" if side == "ours-two" else side
        return Remote(case, name, size, threads=2 if side.endswith("-two") else 1)

    found = measure(dataclasses.replace(case, sides=sides), case.size, make, budget)
    row: Row = {"table": "threads", "name": f"threads-{case.name}", "title": case.title, "bar": "1.7 x", "peers": {}}
    if not {"ours", "ours-two"} <= set(found.seconds):
        return {**row, "ours": "; ".join(found.absent.values()), "met": None}
    row["peers"] = {"limit": _gain(found, "limit")} if {"limit", "limit-two"} <= set(found.seconds) else {}
    return {**row, "ours": _gain(found, "ours"), "met": found.ratio("ours", "ours-two") >= 1.7}


def _gain(found: Measured, side: str) -> str:
    """How many times faster two threads are: the median over the rounds, then of the least times."""
    two = f"{side}-two"
    median, least = found.ratio(side, two), found.least(side) / found.least(two)
    return f"{median:.2f} x, {least:.2f} x ({duration(found.median(side))} to {duration(found.median(two))})"


def _named(table: str) -> dict[str, Callable[[float], Row]]:
    return {c.name: partial(against_limit, c) for c in CASES if c.table == table}


TABLES: dict[str, dict[str, Callable[[float], Row]]] = {
    "dense": _named("dense"),
    "sparse": _named("sparse"),
    "families": _named("families"),
    "loops": _named("loops"),
    "threads": {f"threads-{c.name}": partial(two_threads, c) for c in CASES if c.two},
    "small": small.ROWS,
    "setup": setup.ROWS,
    "growth": {**growth.ROWS, **setup.GROWTH},
    "traffic": traffic.TABLE,
    "solvers": solves.ROWS,
}
