"""Whole solves by solvers of CasADi, with the program's functions from functrans and from CasADi itself.

``python -m benchmarks.solvers PROBLEM SOLVER`` measures one pair where CasADi is installed and prints it; the last line
is what the row keeps. CasADi has its best forms: scalar expressions (SX) and maps of a stage (MX), in its virtual
machine and as compiled C.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.case import Absent, Array, load
from benchmarks.control import PROBLEMS, Control, ours, theirs
from benchmarks.plugins import PLUGINS, Plugin, compiled

ROUNDS, MOVED = 15, 0.1


def fastest(f: Any, arguments: list[Array], seconds: float) -> float:
    """Seconds of an evaluation into memory that is there."""
    buffer, evaluate = f.buffer()
    given = [np.array(a, float) for a in arguments]
    made = [np.zeros(max(f.nnz_out(k), 1)) for k in range(f.n_out())]
    for k, a in enumerate(given):
        buffer.set_arg(k, a.data)
    # as solvers call them: of values and derivatives the derivatives alone
    buffer.set_res(f.n_out() - 1, made[-1].data)
    best, end = float("inf"), perf_counter() + seconds
    while perf_counter() < end:
        begin = perf_counter()
        for _ in range(5):
            evaluate()
        best = min(best, (perf_counter() - begin) / 5)
    return best


@dataclass
class Side:
    """A solver, and what was measured of it in seconds: set-up, whole solves, of these the evaluations."""

    solver: Any
    setup: float
    solve: float = float("inf")
    evaluation: float = float("inf")
    functions: dict[str, float] = field(default_factory=dict)

    def solved(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Solve once; the least times are kept."""
        begin = perf_counter()
        found: dict[str, Any] = self.solver(**arguments)
        self.solve = min(self.solve, perf_counter() - begin)
        stats = self.solver.stats()
        taken = sum(seconds for name, seconds in stats.items() if name.startswith("t_wall_nlp_"))
        self.evaluation = min(self.evaluation, taken)
        return found

    def evaluate(self, names: tuple[str, ...], x: Array, p: Array, multipliers: Array) -> None:
        """Time each function by itself."""
        for name in names:
            f = self.solver.get_function(name)
            given = [x, p, *([np.ones(1), multipliers] if f.n_in() == 4 else [])]
            self.functions[name] = min(self.functions.get(name, float("inf")), fastest(f, given, 0.02))


def made(build: Callable[[], Any]) -> Side:
    begin = perf_counter()
    solver = build()
    return Side(solver, perf_counter() - begin)


def own(c: Control, plugin: Plugin, **more: Any) -> Any:
    """The solver with functions from functrans."""
    options = plugin.options(c) | more
    return load("functrans").nlp(*ours(c)).casadi(c.start(), np.array(c.goal), solver=plugin.name, **options)


def casadi(c: Control, plugin: Plugin, kind: str) -> Any:
    """The solver with CasADi's expressions, in its virtual machine."""
    return load("casadi").nlpsol("s", plugin.name, theirs(c, kind), plugin.options(c))


def sides_of(c: Control, plugin: Plugin) -> tuple[dict[str, Side], dict[str, str], float]:
    """Ours and CasADi's forms; which are not there, and why; the seconds of ours where its code is in the cache."""
    absent = {}
    sides, again = {"ours": made(partial(own, c, plugin))}, made(partial(own, c, plugin)).setup
    for kind in ("SX", "MX"):
        vm = made(partial(casadi, c, plugin, kind))
        sides[f"{kind} vm"] = vm
        try:
            solver, seconds = compiled(vm.solver, plugin, plugin.options(c))
            sides[f"{kind} C"] = Side(solver, vm.setup + seconds)
        except Absent as why:
            absent[f"{kind} C"] = str(why)
    return sides, absent, again


def start_of(c: Control, plugin: Plugin) -> dict[str, Any]:
    """The arguments of a solve: from a straight line, or from the solution for a goal that has moved since."""
    low, high = c.bounds()
    cold: dict[str, Any] = {"x0": c.start(), "p": np.array(c.goal), "lbg": 0.0, "ubg": 0.0, "lbx": low, "ubx": high}
    if not plugin.warm:
        return cold
    found = casadi(c, PLUGINS["ipopt"], "MX")(**cold)
    return cold | {"p": cold["p"] + MOVED, "x0": found["x"], "lam_x0": found["lam_x"], "lam_g0": found["lam_g"]}


def measured(c: Control, plugin: Plugin) -> dict[str, Any]:
    """All sides of one problem and one solver, each in turn."""
    sides, absent, again = sides_of(c, plugin)
    arguments = start_of(c, plugin)
    draw = np.random.default_rng(0)
    near = np.array(c.start()) + 0.1 * draw.normal(size=len(c.start()))  # libraries of functions are faster at zero
    multipliers = draw.normal(size=sides["ours"].solver.size_in("lbg")[0])
    points, begin = {}, perf_counter()
    for _ in range(ROUNDS):
        for name, side in sides.items():
            side.evaluate(plugin.functions, near, np.array(c.goal), multipliers)
            points[name] = side.solved(arguments)
        if perf_counter() - begin > 60.0:
            break
    stats = {name: side.solver.stats() for name, side in sides.items()}
    algebra, in_all = plugin.algebra(partial(own, c, plugin), arguments)
    wanted = points["MX vm"]["x"]
    return {
        "iterations": {name: s["iter_count"] for name, s in stats.items()},
        "status": {name: str(s["return_status"]) for name, s in stats.items()},
        "evaluation": {name: side.evaluation for name, side in sides.items()},
        "solve": {name: side.solve for name, side in sides.items()},
        "setup": {name: side.setup for name, side in sides.items()} | {"ours, compiled before": again},
        "functions": {name: side.functions for name, side in sides.items()},
        "differs": {name: float(np.abs(np.array(p["x"] - wanted)).max()) for name, p in points.items()},
        "algebra": algebra / in_all * sides["ours"].solve,
        "absent": absent,
    }


def main(problem: str, solver: str) -> None:
    """Print each side of one pair, in microseconds and milliseconds; then all of it for the row."""
    c = next(c for c in PROBLEMS if c.name == problem)
    plugin = PLUGINS[solver]
    found = measured(c, plugin)
    print(f"\n{c.name}, {c.stages} stages, {len(c.start())} unknowns, {solver}; microseconds of an evaluation")
    names = *plugin.functions, "eval. ms", "solve ms", "set-up s", "iterations"
    print(f"{'':10}" + "".join(f"{n:>12}" for n in names))
    for name, functions in found["functions"].items():
        row = "".join(f"{1e6 * t:12.2f}" for t in functions.values())
        rest = f"{1e3 * found['evaluation'][name]:12.2f}{1e3 * found['solve'][name]:12.1f}{found['setup'][name]:12.2f}"
        end = f"{found['iterations'][name]:12}  {found['status'][name]}, differs by {found['differs'][name]:.0e}"
        print(f"{name:10}{row}{rest}{end}")
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
