"""The ignition of the gallery against cantera: rates of all reactions, and when hydrogen ignites."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("cantera")

import cantera
from scipy.integrate import solve_ivp

import functrans as ft
from examples import ignition


@pytest.mark.parametrize("t", [700.0, 1500.0, 2800.0])  # on both sides of the polynomials' middle
def test_rates_are_those_of_cantera(t: float) -> None:
    mechanism, gas = ignition.Mechanism(), cantera.Solution("gri30.yaml")
    amounts = np.random.default_rng(0).uniform(0.1, 1, len(mechanism.species))
    gas.TPX = t, 3e5, amounts
    y = np.concatenate([[gas.T, gas.density], gas.Y])
    found = np.asarray(mechanism.rate(0.0, y, gas.P))
    made = gas.net_production_rates
    want = made * gas.molecular_weights / gas.density
    np.testing.assert_allclose(found[2:], want, rtol=1e-9, atol=1e-12 * np.abs(want).max())
    heat = -(gas.partial_molar_enthalpies @ made) / (gas.density * gas.cp_mass)
    np.testing.assert_allclose(found[0], heat, rtol=1e-9)
    # the density of an ideal gas at this pressure, whatever becomes of it
    weight = gas.mean_molecular_weight
    growth = found[1] / gas.density + heat / t + weight * np.sum(found[2:] / gas.molecular_weights)
    np.testing.assert_allclose(growth, 0, atol=1e-9 * abs(heat / t))


def test_hydrogen_ignites_when_cantera_says() -> None:
    moles, pressure, end = {"H2": 2.0, "O2": 1.0, "N2": 3.76}, 1e5, 1e-3
    mechanism = ignition.Mechanism("h2o2.yaml")
    y, rate = mechanism.start(1100.0, pressure, moles), ft.jit(mechanism.rate)
    found = solve_ivp(rate, (0, end), y, method="BDF", rtol=1e-7, atol=1e-13, args=(pressure,))
    theirs = ignition.by_cantera(1100.0, pressure, end, moles, "h2o2.yaml")
    delay = np.interp(1100.0 + ignition.RISE, found.y[0], found.t)
    np.testing.assert_allclose(delay, theirs.delay, rtol=1e-2)
    np.testing.assert_allclose(found.y[0, -1], theirs.temperature, rtol=1e-5)
