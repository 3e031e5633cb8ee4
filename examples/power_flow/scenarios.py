"""A thousand load scenarios of one grid in one batch, against one call after another."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

import functrans as ft

from .grid import Floats, Grid
from .progress import print_line, step
from .report import Check, duration, print_checks
from .study import Study

Result = TypeVar("Result")

EQUAL = 1e-12
TOLERANCE = 1e-10
SPREAD = 0.2
REPEATS = 3


def load_scenarios(grid: Grid, count: int, seed: int = 0) -> Floats:
    """Return injections of shape (count, unknowns): each bus's load scaled by 1 - SPREAD to 1 + SPREAD."""
    factor = np.random.default_rng(seed).uniform(1 - SPREAD, 1 + SPREAD, (count, grid.num_buses))
    return grid.injections(factor * grid.load)


def run_scenarios(study: Study, count: int) -> list[Check]:
    """Time ``vmap`` over the residual and over ``J.values`` against loops, then solve every scenario."""
    grid, jacobian = study.grid, study.jacobian
    injections = load_scenarios(grid, count)
    # Every scenario gets a point of its own, so that a mixed-up row cannot pass for the right one.
    points = study.x + 0.01 * np.random.default_rng(1).standard_normal(injections.shape)
    print(f"\n{count} load scenarios of the {grid.num_buses}-bus grid")

    batched_f, batched_j = ft.jit(ft.vmap(study.residual)), ft.jit(ft.vmap(jacobian.values))
    begin = perf_counter()
    with step("trace and compile both batches"):
        batched_f(points, injections)
        batched_j(points, injections)
    print(f"  traced and compiled in {duration(perf_counter() - begin)}\n")

    print("                      loop         vmap      speed-up")
    checks = [
        _compare("f", study.compiled, batched_f, points, injections),
        _compare("J values", jacobian.values, batched_j, points, injections),
    ]
    print()
    checks.append(_solve_all(study, batched_f, injections))
    print()
    print_checks(checks)
    return checks


def _compare(
    name: str,
    single: Callable[[Floats, Floats], Floats],
    batched: Callable[[Floats, Floats], Floats],
    points: Floats,
    injections: Floats,
) -> Check:
    """Print the time of a loop and of a batch; return the largest difference of their results."""
    single(points[0], injections[0])
    with step(f"{name}: {len(points)} calls in a loop"):
        rows, loop_seconds = _best(lambda: [single(x, p) for x, p in zip(points, injections)])
    with step(f"{name}: one call over the batch"):
        batch, batch_seconds = _best(lambda: batched(points, injections))
    ratio = loop_seconds / batch_seconds
    print_line(f"  {name:<10}{duration(loop_seconds):>14}{duration(batch_seconds):>13}{ratio:>12.1f} x")
    expected = np.stack(rows)
    error = np.max(np.abs(expected - batch)) / np.max(np.abs(expected))
    return Check(f"{name}: vmap against the loop, relative", float(error), EQUAL)


def _best(call: Callable[[], Result]) -> tuple[Result, float]:
    """Return the result of a call, and the least time that it took in a few attempts."""
    seconds = np.inf
    for _ in range(REPEATS):
        begin = perf_counter()
        result = call()
        seconds = min(seconds, perf_counter() - begin)
    return result, seconds


def _solve_all(study: Study, batched_f: Callable[[Floats, Floats], Floats], injections: Floats) -> Check:
    """Solve all scenarios from the start of the case file, Newton's method in one call; return the worst mismatch."""
    count, start = len(injections), study.grid.start()

    def solution(p: Floats) -> Any:
        return ft.implicit.root(study.residual, start, p, tol=TOLERANCE, jac="sparse", full_output=True)

    solve = ft.jit(ft.vmap(solution))
    begin = perf_counter()
    with step("trace and compile Newton's method"):
        solve(injections)
    print(f"  Newton's method, in one loop: traced and compiled in {duration(perf_counter() - begin)}")
    with step(f"solve {count} power flows"):
        (x, info), seconds = _best(lambda: solve(injections))
    magnitude = study.grid.voltage(x)[1]
    print(
        f"  {count} power flows in {duration(seconds)}, {count / seconds:.0f} a second, {info.iterations.max()} "
        f"steps at most; lowest voltage of any {magnitude.min():.3f} p.u."
    )
    mismatch = np.max(np.abs(batched_f(x, injections)))
    return Check("scenarios: worst mismatch after Newton's method, p.u.", float(mismatch), TOLERANCE)
