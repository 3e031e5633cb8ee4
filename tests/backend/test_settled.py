"""Carries that loops in lanes change where they are: each lane has what it has alone, whatever others wait for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.codegen.regions import choice
from functrans.backend.codegen.vectors.target import Target, written_for
from tests.plans import kept_apart

pytestmark = pytest.mark.usefixtures("compiler")
MACHINES = [Target(64, True), Target(32, True), Target(16, False)]
N = 70  # more than variables hold


class Plain:
    """What a loop means."""

    @staticmethod
    def while_loop(test: Any, body: Any, carry: Any) -> Any:
        while test(carry):
            carry = body(carry)
        return carry


def shrink(x: Any, by: Any) -> Any:
    return x * by


def tried(library: Any, x: Any, by: Any) -> Any:
    """A loop in a loop whose carries begin with those around, and end as these."""

    def around(s: Any) -> Any:
        x, v, count = s
        first = v
        part, y, w = library.while_loop(
            lambda t: (abs(t[2]).max() > 0.9 * abs(first).max()) & (t[0] > 0.1),
            lambda t: (t[0] / 2, x - t[0] * first, shrink(x, by)),
            (x[0] * 0 + 1.0, x, v),
        )
        return y, w * part + 0.3 * v[0], count + 1

    return library.while_loop(lambda s: (abs(s[1]).max() > 1e-3) & (s[2] < 9), around, (x, shrink(x, by), x[0] * 0))


def remembered(library: Any, x: Any, by: Any) -> Any:
    """The carry of before is read behind the inner loop, and handed on by another one."""

    def around(s: Any) -> Any:
        x, before, count = s
        y, _ = library.while_loop(
            lambda t: (abs(t[0]).max() > 1) & (t[1] < 3), lambda t: (t[0] * by, t[1] + 1), (x, x[0] * 0)
        )
        return y * 0.75 + 0.01 * x, x - before, count + 1

    return library.while_loop(lambda s: (abs(s[0]).max() > 0.1) & (s[2] < 12), around, (x, x * 0, x[0] * 0))


def turned(library: Any, x: Any, by: Any) -> Any:
    """Elements read others of the carry, which must be those of before."""
    return library.while_loop(
        lambda s: (abs(s[0]).max() > 1e-2) & (s[2] < 40),
        lambda s: (s[0][::-1] * by, s[1] + s[0], s[2] + 1),
        (x, x * 0, x[0] * 0),
    )


def weighed(library: Any, x: Any, by: Any) -> Any:
    """The carry is read once more when the largest of its next value is known."""

    def body(s: Any) -> Any:
        x, other, count = s
        new = x * by
        return new, other + x / (1 + abs(new).max()), count + 1

    return library.while_loop(lambda s: (abs(s[0]).max() > 1e-2) & (s[2] < 40), body, (x, x * 0, x[0] * 0))


def counted(library: Any, x: Any, by: Any) -> Any:
    """An inner loop of as many rounds in each lane, with a long carry that is the same in all."""

    def around(s: Any) -> Any:
        x, count = s
        same, _ = library.while_loop(lambda t: t[1] < 3, lambda t: (t[0] * 0.5, t[1] + 1), (np.arange(float(N)), 0))
        return x * by + 1e-3 * same, count + 1

    return library.while_loop(lambda s: (abs(s[0]).max() > 1) & (s[1] < 20), around, (x, x[0] * 0))


def instances(lanes: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(lanes)
    return rng.normal(size=(lanes, N)) * 10.0 ** rng.uniform(-1, 2, (lanes, 1)), rng.uniform(0.2, 0.85, lanes)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: f"{8 * m.bytes} bits")
@pytest.mark.parametrize("f", [tried, remembered, turned, weighed, counted], ids=lambda f: f.__name__)
def test_lanes_are_loops_of_their_own(f: Any, machine: Target, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(choice, "LANE_ROUNDS", 1000)
    mapped, alone = ft.jit(ft.vmap(lambda x, by: f(ft, x, by))), ft.jit(lambda x, by: f(ft, x, by))
    with written_for(machine), kept_apart(tmp_path):
        for lanes in (1, 9, 37):
            x, by = instances(lanes)
            got = mapped(x, by)
            for k in range(lanes):
                for a, b, wanted in zip(got, alone(x[k], by[k]), f(Plain, x[k], by[k]), strict=True):
                    np.testing.assert_array_equal(a[k], b)
                    np.testing.assert_allclose(b, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("count", [1, 7, 8, 9, 16, 23])
def test_rows_of_lanes_that_end_at_different_times(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "UNROLLED_STATEMENTS", 0)  # so that lanes are refilled
    rng = np.random.default_rng(count)
    x = 10.0 ** rng.uniform(0, 12, (101, 1)) * rng.uniform(0.5, 1, (101, count))

    def f(library: Any, x: Any) -> Any:
        return library.while_loop(lambda s: s[0].max() > 1, lambda s: (s[0] / 4.0, s[1] + 1), (x, x * 0))

    for got, wanted in zip(ft.vmap(lambda x: f(ft, x))(x), zip(*(f(Plain, r) for r in x), strict=True), strict=True):
        np.testing.assert_array_equal(got, np.stack(wanted))
