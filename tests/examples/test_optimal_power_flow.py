"""The optimal power flow of the gallery against PYPOWER's, and its method on a problem solved by hand."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

pytest.importorskip("pypower")

from pypower.api import case30, ppoption, runopf

from examples import optimal_power_flow as opf
from functrans.testing import check_spjacobian


def test_cost_prices_and_voltages_are_those_of_pypower() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of PYPOWER's own code
        expected = runopf(case30(), ppoption(VERBOSE=0, OUT_ALL=0))
    problem = opf.Dispatch(case30())
    found = opf.interior_point(problem.cost, problem.balance, problem.start(), problem.low, problem.high)
    assert max(found.history[-1]) < 1e-8 and len(found.history) < 30
    np.testing.assert_allclose(problem.cost(found.x), expected["f"], rtol=1e-6)
    np.testing.assert_allclose(problem.prices(found.multipliers), expected["bus"][:, 13], rtol=1e-3)
    angle, magnitude, active, _, squares = problem.split(found.x)
    np.testing.assert_allclose(magnitude, expected["bus"][:, 7], rtol=1e-4)
    np.testing.assert_allclose(np.rad2deg(angle), expected["bus"][:, 8], atol=1e-2)
    by_bus = expected["gen"][np.argsort(expected["gen"][:, 0])]
    np.testing.assert_allclose(active * problem.base, by_bus[:, 1], atol=0.02)
    assert (squares > 0.999 * problem.high[-len(squares) :]).any()  # a line is full: prices differ


def test_derivatives() -> None:
    problem = opf.Dispatch(case30())
    x = problem.start() + 0.01 * np.random.default_rng(0).standard_normal(len(problem.start()))
    check_spjacobian(problem.balance, (x,))


def test_method_on_a_problem_solved_by_hand() -> None:
    # of the points of a line those left of 1, the one nearest to (2, 0): the slope along y is 1 there
    found = opf.interior_point(
        lambda x: ((x - np.array([2.0, 0.0])) ** 2).sum(), lambda x: x[:1] + x[1:] - 1.5,
        np.array([0.5, 0.5]), np.zeros(2), np.array([1.0, np.inf]),
    )  # fmt: skip
    np.testing.assert_allclose(found.x, [1.0, 0.5], atol=1e-7)
    np.testing.assert_allclose(found.multipliers, [-1.0], atol=1e-6)
