"""The programs of the benchmark of solvers are what they say, at a small size."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import functrans as ft
from benchmarks.control import PROBLEMS, Control, ours


@pytest.mark.parametrize("problem", PROBLEMS, ids=[c.name for c in PROBLEMS])
def test_programs(problem: Control) -> None:
    c = dataclasses.replace(problem, stages=3)
    z = c.start() + 0.1 * np.random.default_rng(0).normal(size=len(c.start()))
    p = np.array(c.goal)
    rows, last = z[: -c.states].reshape(3, -1), z[-c.states :]
    parts = [(list(r[: c.states]), list(r[c.states :])) for r in rows]
    states = [*(r[: c.states] for r in rows), last]
    gaps = [states[k + 1] - np.array(c.advance(np, *parts[k])) for k in range(3)]
    ends = last[list(c.ends)] - np.concatenate([p, np.zeros(len(c.ends) - len(p))])
    program = ft.nlp(*ours(c))
    g = np.concatenate([gaps[0], states[0] - np.array(c.first), *gaps[1:], ends])
    at = program.values(z, np.zeros(len(g)), 1.0, p)
    np.testing.assert_allclose(at.f, sum(c.cost(np, *part) for part in parts), rtol=1e-13)
    np.testing.assert_allclose(at.g, g, rtol=1e-12, atol=1e-14)
    low, high = c.bounds()
    assert low.shape == high.shape == z.shape and (low <= c.start()).all() and (c.start() <= high).all()
