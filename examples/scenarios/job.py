"""The power flow of one grid under random loads: what a worker is given, and what it computes of a chunk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

import functrans as ft
from examples.power_flow.equations import power_balance
from examples.power_flow.grid import Floats, Grid, read_grid

from .store import Columns

BLOCK = 20_000
"""Scenarios in one call: some 7 kB each of memory, whatever the chunk. The results do not depend on it."""


@dataclass(frozen=True)
class PowerFlows:
    """``count`` scenarios, each load scaled by 1 - spread to 1 + spread; chunk k is drawn from (seed, k) alone."""

    columns: ClassVar[dict[str, str]] = {
        "lowest_voltage": "f8", "lowest_bus": "i2", "widest_angle": "f8", "iterations": "i1",
    }  # fmt: skip
    buses: int = 118
    count: int = 10_000_000
    chunk: int = 20_000
    seed: int = 0
    spread: float = 0.2

    @property
    def settings(self) -> dict[str, Any]:
        """What the results depend on."""
        return {"job": "power flows", **asdict(self)}

    def solve(self, number: int) -> Columns:
        """The columns of one chunk, on one thread: there is a worker for each processor."""
        size = min(self.chunk, self.count - number * self.chunk)
        rows = min(self.chunk, BLOCK)  # each call has as many, for one signature: the last block is cut
        random = np.random.default_rng((self.seed, number))
        with ft.config.override(threads=1):
            blocks = [
                solver(self.buses)(random.uniform(1 - self.spread, 1 + self.spread, (rows, self.buses)))
                for _ in range(0, size, rows)
            ]
        columns = [np.concatenate(values)[:size] for values in zip(*blocks, strict=True)]
        return {n: v.astype(t) for (n, t), v in zip(self.columns.items(), columns, strict=True)}


@lru_cache
def solver(buses: int) -> Callable[[Floats], Any]:
    """The scenarios of a grid by Newton's method, traced once a process. A task is a few numbers, not a function."""
    return ft.jit(ft.vmap(solution(read_grid(buses))))


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
