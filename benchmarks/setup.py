"""Set-up of sparse Jacobians, stage by stage: ``python -m benchmarks.setup CASE SIZE`` prints the seconds and bytes.

Trace is that of f; detection is what the pattern takes beyond it; planning, coloring included, what the plan takes
beyond that; compiling all that is left until the first values. Memory is the peak beyond that of the imports.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.case import Case, load
from benchmarks.cases import by_name
from benchmarks.cases.sparse_common import Ours
from benchmarks.record import Row
from benchmarks.report import duration
from benchmarks.sides import ROOT, Absent, environment

ROWS_OF = ("brusselator-64", "brusselator-256", "bicycle-200", "bicycle-2000", "powerflow-118", "powerflow-300",
           "powerflow-2869", "arrow", "mesh", "airfoil")  # fmt: skip
STAGES = ("trace", "detect", "plan", "compile")
COLD, WARM = 0.6, 0.05  # seconds of all stages but detection; of compiling where the cache is filled


def stages(case: Case, size: int) -> dict[str, float]:
    """The seconds of each stage in this process, nonzeros and the peak of memory in bytes."""
    library = load("functrans")
    (x,) = case.arguments(size)
    ours = case.sides["ours"]
    assert isinstance(ours, Ours), f"{case.name} is no row of a sparse Jacobian"
    f = ours.function
    before = _peak()
    jacobian = library.spjacobian(f)
    marks = [time.perf_counter()]
    for step in (library.make_graph(f), jacobian.pattern, jacobian.plan, jacobian.values):
        step(x)
        marks.append(time.perf_counter())
    found = {name: b - a for name, a, b in zip(STAGES, marks, marks[1:])}
    found["detect"] = max(found["detect"] - found["trace"], 0.0)
    return {**found, "nonzeros": jacobian.pattern(x).nnz, "memory": 1024.0 * (_peak() - before)}


def _peak() -> int:
    """The most memory this program ever had, in kB; that of getrusage is also that of the process it came from."""
    try:
        text = Path("/proc/self/status").read_text(encoding="utf-8")
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measured(name: str, size: int, cache: str) -> dict[str, float]:
    """The same in a new process."""
    variables = environment(1, own=True) | {"FUNCTRANS_CACHE_DIR": cache}
    command = [sys.executable, "-m", "benchmarks.setup", name, str(size)]
    try:
        found = subprocess.run(
            command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=120, check=False
        )
    except subprocess.TimeoutExpired:
        raise Absent("over 120 s") from None
    if found.returncode != 0:
        raise Absent((found.stderr.strip().splitlines() or ["failed"])[-1])
    result: dict[str, float] = json.loads(found.stdout.strip().splitlines()[-1])
    return result


def both(name: str, size: int) -> tuple[dict[str, float], dict[str, float]]:
    """With an empty cache, then with a filled one."""
    with tempfile.TemporaryDirectory(prefix="benchmark") as cache:
        return measured(name, size, cache), measured(name, size, cache)


def setup(name: str, budget: float) -> Row:
    """The set-up of one row, held against the bars."""
    case = by_name(name)
    cold, warm = both(name, case.size)
    text = ", ".join(f"{stage} {duration(cold[stage])}" for stage in STAGES)
    total = cold["trace"] + cold["plan"] + cold["compile"]
    bound = 0.05 * max(cold["nonzeros"] / 50e3, 1.0)
    met = total <= COLD and warm["compile"] <= WARM and cold["detect"] <= bound
    space = f"{cold['memory'] / 2**20:.3g} MiB, {cold['nonzeros']:.0f} nonzeros"
    ours = f"{text}; warm {duration(warm['compile'])}; {space}"
    bar = f"{COLD * 1e3:g} ms beside detection, {duration(bound)} for detection, {WARM * 1e3:g} ms warm"
    return {"table": "setup", "name": f"setup-{name}", "title": case.title, "ours": ours, "peers": {}, "bar": bar,
            "met": met}  # fmt: skip


def growth(stage: str, title: str, budget: float) -> Row:
    """One stage, or the memory, of the Brusselator from 10^2 to 10^6 unknowns."""
    points: list[tuple[int, float | str]] = []
    for side in (7, 22, 71, 224, 707):
        with tempfile.TemporaryDirectory(prefix="benchmark") as cache:
            try:
                points.append((2 * side * side, float(f"{measured('brusselator-64', side, cache)[stage]:.3g}")))
            except Absent as why:
                points.append((2 * side * side, str(why)))
    taken = [(n, s) for n, s in points[2:] if not isinstance(s, str) and s > 0]
    slope = None
    if len(taken) > 1:
        sizes, values = zip(*taken)
        slope = round(float(np.polyfit(np.log(sizes), np.log(values), 1)[0]), 2)
    return {"table": "growth", "name": f"setup-{stage}", "title": title, "points": points, "exponent": slope,
            "unit": "bytes" if stage == "memory" else "s"}  # fmt: skip


ROWS: dict[str, Callable[[float], Row]] = {f"setup-{name}": partial(setup, name) for name in ROWS_OF}
GROWTH: dict[str, Callable[[float], Row]] = {
    f"setup-{stage}": partial(growth, stage, f"{what} by unknowns, Brusselator")
    for stage, what in (("detect", "detection"), ("plan", "planning"), ("compile", "compiling"), ("memory", "memory"))
}

if __name__ == "__main__":
    print(json.dumps(stages(by_name(sys.argv[1]), int(sys.argv[2]))))
