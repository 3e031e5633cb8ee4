"""One grid: solve it, and hold solution and Jacobian against PYPOWER's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from scipy.sparse.linalg import spsolve

import functrans as ft

from .equations import Residual, power_balance
from .grid import Floats, Grid, read_grid
from .newton import Newton
from .progress import step
from .reference import difference, pattern_difference, reference_jacobian, relative_error, solve_reference
from .report import Check, duration, print_checks, print_iteration, print_iteration_header

VOLTAGE_LIMIT = 1e-8
JACOBIAN_LIMIT = 1e-12
PERTURBATION = 0.02


@dataclass(frozen=True, eq=False)
class Study:
    """A solved grid, with its compiled residual and Jacobian, and what was checked."""

    grid: Grid
    residual: Residual
    compiled: Any
    jacobian: Any
    x: Floats
    checks: list[Check]


def solve_grid(buses: int, out: Path) -> Study:
    """Solve the grid with this many buses, print what happens, and draw its Jacobian into ``out``."""
    grid = read_grid(buses)
    x, injections = grid.start(), grid.injections(grid.load)
    residual = power_balance(grid)
    f, jacobian = ft.jit(residual), ft.spjacobian(residual, argnums=0)

    print(f"\nIEEE {buses}-bus grid: {buses} buses, {grid.source.size // 2} lines, {x.size} unknowns")
    begin = perf_counter()
    with step("trace, find the pattern, color, compile"):
        f(x, injections)
        jacobian(x, injections)
        pattern, coloring = jacobian.pattern(x, injections), jacobian.coloring(x, injections)
    print(
        f"  traced, colored and compiled in {duration(perf_counter() - begin)}: "
        f"{pattern.nnz} nonzeros, {coloring.num_colors} colors ({coloring.partition})\n"
    )

    print_iteration_header()
    newton = Newton(lambda x: f(x, injections), lambda x: jacobian(x, injections), spsolve)
    solution = newton.run(x, print_iteration)

    print(f"\n{pattern.spy()}\n")
    drawing = out / f"power_flow_{buses}.svg"
    out.mkdir(parents=True, exist_ok=True)
    drawing.write_text(pattern.to_svg(colors=coloring), encoding="utf-8")
    print(f"  the same, colored: {drawing}\n")

    checks = _checks(buses, grid, solution.x, lambda x: jacobian(x, injections))
    checks.insert(0, Check(f"{buses} buses: mismatch, p.u.", solution.mismatch, newton.tolerance))
    print_checks(checks)
    return Study(grid, residual, f, jacobian, solution.x, checks)


def _checks(buses: int, grid: Grid, x: Floats, jacobian: Any) -> list[Check]:
    """Compare the solution with PYPOWER's, and the Jacobian at a point off the solution with its own."""
    voltage = difference(grid, x, *solve_reference(buses))
    off = x + PERTURBATION * np.random.default_rng(buses).standard_normal(x.size)
    ours, theirs = jacobian(off), reference_jacobian(buses, grid, off)
    name = f"{buses} buses:"
    return [
        Check(f"{name} |V| against runpf, p.u.", voltage.magnitude, VOLTAGE_LIMIT),
        Check(f"{name} angle against runpf, degrees", voltage.angle, VOLTAGE_LIMIT),
        Check(f"{name} Jacobian against dSbus_dV, relative", relative_error(ours, theirs), JACOBIAN_LIMIT),
        Check(f"{name} places where the two patterns differ", pattern_difference(ours, theirs), 1),
    ]
