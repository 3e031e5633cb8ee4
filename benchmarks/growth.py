"""How cost grows: with the batch, with the size of the graph, with the depth of nesting."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from benchmarks import processes
from benchmarks.case import Case
from benchmarks.cases import by_name
from benchmarks.record import Row
from benchmarks.sides import Absent, Remote
from benchmarks.timing import measure

Points = list[tuple[int, float | str]]  # sizes, and seconds or why there are none


def row(name: str, title: str, points: Points, fit: Sequence[int]) -> Row:
    """A row, with the slope of log cost by log size over the sizes of ``fit``."""
    taken = [(n, s) for n, s in points if n in fit and not isinstance(s, str)]
    slope = None
    if len(taken) > 1:
        sizes, seconds = zip(*taken)
        slope = round(float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0]), 2)
    shown = [[n, s if isinstance(s, str) else float(f"{s:.3g}")] for n, s in points]
    return {"table": "growth", "name": name, "title": title, "points": shown, "exponent": slope}


def batch(name: str, budget: float) -> Row:
    """One call of a row by its batch; the exponent is that of the larger batches."""
    case = by_name(name)
    points: Points = []
    for size in (10**k for k in range(2, 7)):
        own = measure(_only_ours(name), size, partial(Remote, threads=1), budget / 3)
        points.append((size, own.median("ours")))
    return row(f"batch-{name}", f"a call of {case.name} by batch", points, [10**k for k in range(4, 7)])


def _only_ours(name: str) -> Case:
    return dataclasses.replace(by_name(name), sides={"ours": by_name(name).sides["ours"]})


def graph(kind: str, title: str, budget: float) -> Row:
    """A first result by the number of operations."""
    return row(f"graph-{kind}", title, [_first(kind, n) for n in (10, 100, 1000, 10_000)], [1000, 10_000])


def _first(kind: str, size: int) -> tuple[int, float | str]:
    try:
        return size, processes.first(kind, "functrans", size, times=1)
    except Absent as why:
        return size, str(why)


def traced(budget: float) -> Row:
    sizes = (10, 100, 1000, 10_000)
    arguments = [["-m", "benchmarks.fresh", "trace", "functrans", str(n)] for n in sizes]
    points: Points = [(n, processes.run("functrans", a)) for n, a in zip(sizes, arguments)]
    return row("graph-trace", "the trace alone by operations", points, [1000, 10_000])


def nesting(budget: float) -> Row:
    title = "first result by the depth of nested vmaps, 4096 results"
    return row("nesting", title, [_first("nesting", n) for n in range(1, 7)], [])


ROWS: dict[str, Callable[[float], Row]] = {
    "batch-softmax": partial(batch, "softmax"),
    "batch-lorenz-10": partial(batch, "lorenz-10"),
    "graph-trace": traced,
    "graph-chain": partial(graph, "chain", "first result by operations, empty cache"),
    "nesting": nesting,
}
