"""The benchmark runs: every row at a tiny size, ours and the hand-written C against NumPy. Nothing is timed."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import functrans as ft
from benchmarks import fresh, handwritten, report, sweep
from benchmarks.__main__ import main
from benchmarks.case import deviation
from benchmarks.cases import CASES, SMALL, by_name
from benchmarks.data import there
from benchmarks.record import compared
from benchmarks.sides import Absent
from benchmarks.smoke import deviations, unlike
from benchmarks.timing import measure

HERE = [c for c in unlike((*CASES, *SMALL)) if not c.data or there(c.data)]  # others need what the peers bring


@pytest.mark.parametrize("case", HERE, ids=lambda case: case.name)
def test_ours_and_the_limit_agree_with_numpy(case, monkeypatch):
    monkeypatch.setattr(handwritten, "FLAGS", ("-O0", *handwritten.FLAGS[1:]))  # what is meant, not how fast it is
    found = deviations(case)
    assert found
    assert max(found.values()) <= case.tolerance


@pytest.mark.parametrize("kind", ["chain", "trace", "gradient", "lorenz", "nesting"])
def test_first_results_run(kind):
    assert fresh.first(kind, "functrans", 2) > 0


def test_a_row_that_is_not_there_is_named(capsys):
    assert main(["no-such-row"]) == 2
    assert "no-such-row" in capsys.readouterr().out


def test_deviation_sees_a_wrong_entry_a_wrong_shape_and_nan():
    x = np.arange(6.0).reshape(2, 3)
    assert deviation(x, x) == 0
    assert deviation(x + [[0, 0, 0], [0, 0, 1e-3]], x) == pytest.approx(2e-4)
    assert deviation(x.T, x) == deviation((x, x), x) == deviation(np.where(x == 3, np.nan, x), x) == np.inf


class Scripted:
    """A side that takes what it is told to."""

    def __init__(self, seconds, value):
        self.first, self._seconds, self._value, self.closed = 0.5, seconds, value, False

    def run(self, times):
        return self._seconds

    def result(self):
        return [self._value]

    def close(self):
        self.closed = True


def test_a_row_is_ours_over_the_faster_of_limit_and_peers_and_leaves_out_who_is_wrong():
    case = by_name("softmax")
    right = case.reference(*case.arguments(case.small))
    sides = {
        "ours": Scripted(6.0, right),
        "limit": Scripted(4.0, right),
        "jax": Scripted(3.0, right),
        "numba": Scripted(1.0, right + 1),
    }

    def make(case, side, size):
        if side not in sides:
            raise Absent("is not there")
        return sides[side]

    found = measure(case, case.small, make, budget=0.0, rounds=3, rest=0.0)
    row = compared(found, case.table)
    assert (row["bound"], row["peer"], row["ratio"], row["met"]) == ("jax", "jax", 2.0, False)
    assert row["absent"]["torch"] == "is not there" and row["absent"]["numba"].startswith("wrong by")
    assert all(side.closed for side in sides.values())
    relative = dataclasses.replace(case, against="limit", bar=2.5)
    assert compared(dataclasses.replace(found, case=relative), case.table)["met"] is True
    assert report.cells(row)[3:7] == ["2.00", "1.3 x jax", "no", "jax 3 s"]


@pytest.mark.parametrize("name", sweep.BODIES)
def test_bodies_of_the_sweep_are_numpys(name):
    f, x = sweep.BODIES[name], np.random.default_rng(0).standard_normal((3, 9))
    want = [f(row) for row in x]
    np.testing.assert_allclose(ft.jit(ft.vmap(f))(x), want, rtol=1e-11)


def test_a_cliff_is_seen():
    assert sweep.cliffs({24: 1.9, 31: 1.0, 32: 1.0, 33: 2.0, 40: 1.0, 48: 1.1}) == {33: 2.0}
    assert sweep.cliffs({40: 4.0, 44: 4.4}, square=True) == {}
