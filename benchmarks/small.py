"""Rows of small things that people feel: the cost of a call, of a first result, of an import, of an installation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from benchmarks import processes
from benchmarks.case import load
from benchmarks.cases.calls import CASES
from benchmarks.record import Row
from benchmarks.report import duration
from benchmarks.sides import Absent, Remote
from benchmarks.timing import measure


def row(name: str, title: str, ours: str, peers: Mapping[str, str], bar: str, met: bool | None) -> Row:
    return {"table": "small", "name": name, "title": title, "ours": ours, "peers": dict(peers), "bar": bar, "met": met}


def calls(name: str, budget: float) -> Row:
    """A call of a compiled function, timed in turn with those of others."""
    case = next(c for c in CASES if c.name == name)
    found = measure(case, case.size, partial(Remote, threads=1), budget)
    shown = {s: duration(found.median(s)) for s in found.seconds}
    ours = shown.pop("ours", found.absent.get("ours", "-"))
    if case.against == "time":
        met = "ours" in found.seconds and found.median("ours") <= case.bar
        return row(name, case.title, ours, shown, duration(case.bar), met)
    ratio = found.ratio("ours", case.against) if {"ours", case.against} <= set(found.seconds) else None
    times = "" if ratio is None else f", {ratio:.2f} x {case.against}"
    met_ratio = None if ratio is None else ratio <= case.bar
    return row(name, case.title, ours + times, shown, f"{case.bar:g} x {case.against}", met_ratio)


def against_jax(kind: str, title: str, size: int, share: float, budget: float) -> Row:
    """A first result with an empty cache, held against that of JAX."""
    seconds, shown = {}, {}
    for library in ("functrans", "jax"):
        try:
            seconds[library] = processes.first(kind, library, size)
            shown[library] = duration(seconds[library])
        except Absent as why:
            shown[library] = str(why)
    met = None
    if "jax" in seconds:
        met = "functrans" in seconds and seconds["functrans"] <= share * seconds["jax"]
    name, bar = f"first-{kind}-{size}", f"{share:g} x JAX"
    return row(name, title, shown["functrans"], {"jax": shown["jax"]}, bar, met)


def lorenz(budget: float) -> Row:
    seconds = processes.first("lorenz", "functrans", 10)
    title = "first result of RK4 of Lorenz, 10 steps written out, B = 10^4, empty cache"
    return row("first-lorenz", title, duration(seconds), {}, "400 ms", seconds <= 0.4)


def warm(operations: int, budget: float) -> Row:
    """A first result where the cache is filled, over the trace alone."""
    trace = processes.median(lambda: processes.run("functrans", ["-m", "benchmarks.fresh", "trace", "functrans",
                                                                 str(operations)]), 3)  # fmt: skip
    seconds = processes.warm("chain", operations)
    title = f"first result in a new process, {operations} operations, cache filled, over the trace"
    ours = f"{duration(max(seconds - trace, 1e-9))} (trace {duration(trace)})"
    return row(f"warm-{operations}", title, ours, {}, "20 ms", seconds - trace <= 0.02)


def controller(budget: float) -> Row:
    """A step of the example's controller as one call of exported C; others of the machine stand in the median."""
    example = load("examples.mpc.__main__")
    reports, times = example.long_steps()
    title = f"a step of SQP of a bicycle over {example.LONG} stages, one call of exported C, least (median)"
    least, median = min(times), float(np.median(times))
    met = example.converged(reports) and least <= 1e-3
    return row("sqp-2000", title, f"{duration(least)} ({duration(median)})", {}, "1 ms", met)


def batches(budget: float) -> Row:
    once, often = processes.libraries(1), processes.libraries(5)
    title = "libraries compiled for 1 / 5 batch extents of one function"
    return row("batches", title, f"{once} / {often}", {}, "no more", once == often)


def importing(budget: float) -> Row:
    seconds, peers = processes.importing("functrans"), {}
    for library in ("jax", "casadi", "numba"):
        try:
            peers[library] = duration(processes.importing(library, 3))
        except Absent as why:
            peers[library] = str(why)
    return row("import", "import, over NumPy", duration(seconds), peers, "30 ms", seconds <= 0.03)


def installed(budget: float) -> Row:
    packages = {"jax": ["jax", "jaxlib"], "casadi": ["casadi"], "numba": ["numba", "llvmlite"]}
    ours, peers = processes.size("functrans", ["functrans", "cffi", "pycparser", "_cffi_backend"]), {}
    for library, names in packages.items():
        try:
            peers[library] = f"{processes.size(library, names) / 1e6:.0f} MB"
        except Absent as why:
            peers[library] = str(why)
    title = "installed beyond NumPy and SciPy (functrans, cffi, pycparser)"
    return row("installed", title, f"{ours / 1e6:.2f} MB", peers, "3 MB", ours <= 3e6)


ROWS: dict[str, Callable[[float], Row]] = {
    **{c.name: partial(calls, c.name) for c in CASES},
    **{
        f"first-chain-{n}": partial(against_jax, "chain", f"first result of {n} operations, empty cache", n, 1.0)
        for n in (3, 50, 1000, 10_000)
    },
    **{
        f"first-gradient-{n}": partial(against_jax, "gradient", f"gradient of {n} operations, empty cache", n, 0.5)
        for n in (1000, 3000)
    },
    "first-lorenz": lorenz,
    **{f"warm-{n}": partial(warm, n) for n in (50, 1000)},
    "batches": batches,
    "sqp-2000": controller,
    "import": importing,
    "installed": installed,
}
