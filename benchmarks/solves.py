"""Rows of whole solves: the table "solvers", each row measured by ``benchmarks.solvers`` in a process of its own."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.control import PROBLEMS, Control
from benchmarks.plugins import PLUGINS
from benchmarks.record import Row
from benchmarks.report import duration
from benchmarks.sides import PEERS, ROOT, Absent, environment

LIMIT = 1800.0  # seconds: compilers take minutes for the C of scalar expressions
VM, IN_C, WHOLE, NEAR = 0.2, 1.0, 1.05, 1e-5
"""Bars: evaluation in times of CasADi's virtual machine and compiled C, whole solves of the latter; of the point."""


def python() -> str:
    """An interpreter that has CasADi."""
    if importlib.util.find_spec("casadi") is not None:
        return sys.executable
    if not Path(PEERS).exists():
        raise Absent("no environment of peers: make bench-peers")
    return str(PEERS)


def measured(problem: str, solver: str) -> dict[str, Any]:
    """What ``benchmarks.solvers`` finds, with an empty cache and one thread."""
    with tempfile.TemporaryDirectory(prefix="benchmark") as cache:
        variables = environment(1) | {"FUNCTRANS_CACHE_DIR": cache}
        command = [python(), "-m", "benchmarks.solvers", problem, solver]
        try:
            found = subprocess.run(
                command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=LIMIT, check=False
            )
        except subprocess.TimeoutExpired:
            raise Absent(f"over {LIMIT:.0f} s") from None
    if found.returncode != 0:
        raise Absent((found.stderr.strip().splitlines() or ["failed"])[-1])
    result: dict[str, Any] = json.loads(found.stdout.strip().splitlines()[-1])
    return result


def best(seconds: Mapping[str, float], kind: str) -> str:
    """The fastest of CasADi's sides of a kind."""
    return min((name for name in seconds if name.endswith(kind)), key=lambda name: seconds[name])


def solve(c: Control, solver: str, budget: float) -> Row:
    """One problem by one solver, held against the bars."""
    found = measured(c.name, solver)
    evaluation, whole, setup = found["evaluation"], found["solve"], found["setup"]
    vm, in_c, fast = best(evaluation, "vm"), best(evaluation, " C"), best(whole, " C")
    ratios = [evaluation["ours"] / evaluation[vm], evaluation["ours"] / evaluation[in_c], whole["ours"] / whole[fast]]
    iterations = found["iterations"]
    bars = [r <= bar for r, bar in zip(ratios, (VM, IN_C, WHOLE))]
    met = all(bars) and iterations["ours"] <= iterations["MX vm"] and found["differs"]["ours"] <= NEAR
    shares = [evaluation["ours"] / whole["ours"], found["algebra"] / whole["ours"]]
    compiled = [f"{duration(setup[name])} {name}" for name in sorted(setup) if name.endswith(" C")]
    return {
        "table": "solvers",
        "name": f"{c.name}-{solver}",
        "title": f"{c.name}, {c.stages} stages, {solver}",
        "iterations": f"{iterations['ours']}, {iterations['MX vm']}",
        "evaluation": f"{duration(evaluation['ours'])}; {duration(evaluation[vm])} {vm}, "
        f"{duration(evaluation[in_c])} {in_c}",
        "ratios": [float(f"{r:.3g}") for r in ratios],
        "solve": f"{duration(whole['ours'])}; {duration(whole[best(whole, 'vm')])} vm, {duration(whole[fast])} {fast}",
        "setup": f"{duration(setup['ours'])}, {duration(setup['ours, compiled before'])} if compiled before; "
        f"{duration(setup[vm])} {vm}, {', '.join(compiled)}",
        "shares": [round(100 * share) for share in shares],
        "differs": found["differs"]["ours"],
        "absent": found["absent"],
        "met": met,
        "measured": found,
    }


ROWS: dict[str, Callable[[float], Row]] = {
    f"{c.name}-{solver}": partial(solve, c, solver) for c in PROBLEMS for solver in PLUGINS
}
