"""The option prices of the gallery against the formula of Black and Scholes, and paths against a plain loop."""

from __future__ import annotations

import numpy as np
import pytest

import functrans as ft
from examples import greeks


@pytest.mark.parametrize("payoff", [greeks.call, greeks.asian])
def test_prices_are_those_of_a_loop(payoff: greeks.Payoff) -> None:
    z = greeks.normals(6)
    total = 0.0
    for row in z:
        price, prices = 100.0, []
        for x in row:
            v = 0.2 * (price / greeks.STRIKE) ** -0.5
            price *= np.exp((0.03 - v**2 / 2) / 50 + v * np.sqrt(1 / 50) * x)
            prices.append(price)
        total += np.exp(-0.03) * max((prices[-1] if payoff is greeks.call else np.mean(prices)) - greeks.STRIKE, 0) / 6
    np.testing.assert_allclose(greeks.price(greeks.MARKET, z, payoff, 0.5), total, rtol=1e-12)


def test_sensitivities_are_those_of_the_formula() -> None:
    z = greeks.normals(4000)
    value, slopes = ft.value_and_grad(greeks.price)(greeks.MARKET, z)
    exact, formula = ft.value_and_grad(greeks.black_scholes)(greeks.MARKET)
    np.testing.assert_allclose(value, exact, rtol=0.03)
    for name, slope in slopes.items():
        np.testing.assert_allclose(slope, formula[name], rtol=0.04, err_msg=name)


def test_formula_has_the_delta_of_the_books() -> None:
    spread = 0.2
    d = (np.log(100 / greeks.STRIKE) + 0.03) / spread + spread / 2
    slope = ft.grad(greeks.black_scholes)(greeks.MARKET)["spot"]
    np.testing.assert_allclose(slope, greeks.ndtr(d), rtol=1e-12)


def test_a_ladder_is_a_loop_over_spots() -> None:
    z, spots = greeks.normals(20), np.array([90.0, 100.0, 120.0])
    values, slopes = greeks.ladder(spots, z, greeks.asian, 0.5)
    for k, spot in enumerate(spots):
        alone = ft.value_and_grad(lambda m: greeks.price(m, z, greeks.asian, 0.5))(greeks.MARKET | {"spot": spot})
        np.testing.assert_allclose(values[k], alone[0], rtol=1e-12)
        np.testing.assert_allclose(slopes["volatility"][k], alone[1]["volatility"], rtol=1e-12)
