"""The power flow of one grid under random loads: what a worker is given, and what it computes of a chunk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

import functrans as ft
from examples.power_flow.equations import power_balance
from examples.power_flow.grid import Floats, Grid, read_grid

from .store import Columns


@dataclass(frozen=True)
class PowerFlows:
    """``count`` scenarios, each load scaled by 1 - spread to 1 + spread; chunk k is drawn from (seed, k) alone.

    ``solver`` is the compiled Newton's method: made by `prepared`, it goes to the workers as its graph.
    """

    columns: ClassVar[dict[str, str]] = {
        "lowest_voltage": "f8", "lowest_bus": "i2", "widest_angle": "f8", "iterations": "i1",
    }  # fmt: skip
    buses: int = 118
    count: int = 10_000_000
    chunk: int = 20_000
    seed: int = 0
    spread: float = 0.2
    solver: Callable[[Floats], Any] | None = field(default=None, compare=False, repr=False)

    @property
    def settings(self) -> dict[str, Any]:
        """What the results depend on."""
        names = ("buses", "count", "chunk", "seed", "spread")
        return {"job": "power flows", **{name: getattr(self, name) for name in names}}

    def prepared(self) -> PowerFlows:
        """The job with its function traced, and compiled into the cache: workers that share it compile nothing."""
        solver = ft.jit(ft.vmap(solution(read_grid(self.buses))))
        job = PowerFlows(self.buses, self.count, self.chunk, self.seed, self.spread, solver)
        job.solve(0)
        return job

    def solve(self, number: int) -> Columns:
        """The columns of one chunk, on one thread: there is a worker for each processor."""
        size = min(self.chunk, self.count - number * self.chunk)  # the last chunk is computed whole, and cut
        random = np.random.default_rng((self.seed, number))
        factors = random.uniform(1 - self.spread, 1 + self.spread, (self.chunk, self.buses))
        assert self.solver is not None, "prepared() makes the solver"
        with ft.config.override(threads=1):
            found = self.solver(factors)
        return {n: np.asarray(v)[:size].astype(t) for (n, t), v in zip(self.columns.items(), found, strict=True)}


def solution(grid: Grid) -> Callable[[Any], Any]:
    """The columns of one scenario by the factors of its loads; NaN where Newton's method finds no solution."""
    residual, start = power_balance(grid), grid.start()
    angles = grid.free_angle.size
    angle_at = np.argsort(np.concatenate([grid.free_angle, grid.reference]))
    known, buses = grid.angle[grid.reference], ft.Tensor(grid.pq)

    def scenario(factors: Any) -> Any:
        injections = grid.injections(factors * grid.load)
        x, info = ft.implicit.root(
            residual, start, injections, jac="sparse", full_output=True, on_failure="nan"
        )
        angle = np.concatenate([x[:angles], known])[angle_at]
        widest = np.abs(angle[grid.source] - angle[grid.target]).max()
        lowest = np.argmin(x[angles:])
        return x[angles:].min(), buses[lowest], widest, info.iterations

    return scenario
