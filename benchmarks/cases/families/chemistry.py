"""Chemistry: reactions whose matrices are stored dense and are mostly zero, in one vessel and on a line of cells."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from benchmarks.case import Array, Case, Run, empty
from benchmarks.cases.families.common import Places, family
from benchmarks.handwritten import limit

SPECIES, REACTIONS = 50, 300


@cache
def mechanism() -> tuple[Array, Array, Array]:
    """Orders (reactions, species), what a reaction makes of each species, constants of rates."""
    rng = np.random.default_rng(0)
    orders, change = np.zeros((REACTIONS, SPECIES)), np.zeros((REACTIONS, SPECIES))
    for k in range(REACTIONS):
        there = rng.choice(SPECIES, int(rng.integers(3, 5)), replace=False)
        orders[k, there[:2]], change[k, there[:2]] = rng.choice([1.0, 1.0, 2.0], 2), -1.0
        change[k, there[2:]] = 1.0
    return orders, change, np.exp(rng.normal(size=REACTIONS))


def inputs(size: int) -> tuple[Array]:
    """Concentrations, species after species, in so many cells."""
    return (0.5 + np.random.default_rng(1).random(SPECIES * size),)


def kinetics(np: Any, segments: Any) -> Any:
    """What reactions make, and diffusion between the cells of a line."""
    orders, change, rates = mechanism()

    def f(c: Any) -> Any:
        c = c.reshape(SPECIES, -1)
        speed = rates[:, None] * np.exp(orders @ np.log(c))
        made = change.T @ speed
        if c.shape[1] > 1:
            flow = 0.1 * (c[:, 1:] - c[:, :-1])
            none = 0.0 * c[:, :1]
            made = made + np.concatenate([flow, none], 1) - np.concatenate([none, flow], 1)
        return made.reshape(-1)

    return f


def by_hand(c: Array) -> Run:
    """A reaction after the other, in all cells at once; each has two species that it depends on."""
    orders, change, rates = mechanism()
    cells = c.size // SPECIES
    first = np.argsort(-orders, 1, kind="stable")[:, :2]
    touched = [np.flatnonzero(line) for line in change]
    pairs = [(k, s, i) for k, there in enumerate(touched) for s in first[k] for i in there]
    at = np.arange(cells)
    rows = np.concatenate([i * cells + at for _, _, i in pairs])
    cols = np.concatenate([s * cells + at for _, s, _ in pairs])
    every = np.arange(c.size)
    left, right = every[every % cells > 0], every[every % cells < cells - 1]
    own = every if cells > 1 else every[:0]
    shape = (c.size, c.size)
    places = Places(np.concatenate([rows, left, right, own]), np.concatenate([cols, left - 1, right + 1, own]), shape)
    # a row of a species has as many entries in each cell but the first and the last
    start = places.of(rows.reshape(-1, cells), cols.reshape(-1, cells)).astype(np.int32)
    values, fixed = empty((places.count,)), np.zeros(places.count)
    np.add.at(fixed, places.of(left, left - 1), 0.1)
    np.add.at(fixed, places.of(right, right + 1), 0.1)
    if cells > 1:
        count = 2.0 - (every % cells == 0) - (every % cells == cells - 1)
        np.add.at(fixed, places.of(every, every), -0.1 * count)
    species = np.array([[k, s] for k, s, _ in pairs], np.int32)
    ends = np.cumsum([0, *(2 * len(t) for t in touched)]).astype(np.int32)
    weights = np.array([change[k, i] * orders[k, s] for k, s, i in pairs])
    power = np.take_along_axis(orders, first, 1)
    integers = [first.astype(np.int32), ends, species]
    arrays = [c, rates, power.copy(), *integers, weights, np.ascontiguousarray(start), fixed]
    arrays += [empty((2 * cells,)), values]
    return limit("chemistry", arrays, [cells, REACTIONS, places.count], values)


CASES: tuple[Case, ...] = family(
    "kinetics", "50 species, 300 reactions, matrices stored dense, cells", kinetics, inputs,
    {"1": 1, "40": 40, "400": 400}, 2, by_hand, symbolic="40",
)  # fmt: skip
