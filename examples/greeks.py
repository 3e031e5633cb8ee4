"""Prices of options by Monte Carlo, and their sensitivities as derivatives along the paths.

Run it as ``python -m examples.greeks``. Glasserman, Monte Carlo Methods in Financial Engineering (2003), chapter 7,
calls it the pathwise method: the mean of the derivative of a path's payoff is the derivative of the mean.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

import functrans as ft

Floats = NDArray[np.float64]
Payoff = Callable[[Any], Any]
STRIKE, STEPS = 100.0, 50
MARKET = {"spot": np.float64(100.0), "volatility": np.float64(0.2), "rate": np.float64(0.03),
          "maturity": np.float64(1.0)}  # fmt: skip


def path(market: Any, normals: Any, skew: float = 0.0) -> Any:
    """One path of the price, (steps,); with ``skew`` the volatility is lower where the price is higher."""
    step = market["maturity"] / len(normals)

    def forward(price: Any, normal: Any) -> Any:
        volatility = market["volatility"] * (price / STRIKE) ** -skew
        drift = (market["rate"] - volatility**2 / 2) * step
        price = price * np.exp(drift + volatility * np.sqrt(step) * normal)
        return price, price

    return ft.scan(forward, market["spot"], normals)[1]


def call(prices: Any) -> Any:
    """A European call: what the last price is above the strike."""
    return np.maximum(prices[-1] - STRIKE, 0.0)


def asian(prices: Any) -> Any:
    """An Asian call: what the mean price is above the strike. It has no formula."""
    return np.maximum(prices.mean() - STRIKE, 0.0)


def price(market: Any, normals: Any, payoff: Payoff = call, skew: float = 0.0) -> Any:
    """The discounted mean over paths, for normals of shape (paths, steps)."""
    payoffs = ft.vmap(lambda z: payoff(path(market, z, skew)))(normals)
    return np.exp(-market["rate"] * market["maturity"]) * payoffs.mean()


def black_scholes(market: Any) -> Any:
    """The price of the call without skew."""
    spread = market["volatility"] * np.sqrt(market["maturity"])
    forward = market["spot"] * np.exp(market["rate"] * market["maturity"])
    d = np.log(forward / STRIKE) / spread + spread / 2
    return np.exp(-market["rate"] * market["maturity"]) * (forward * ndtr(d) - STRIKE * ndtr(d - spread))


def normals(paths: int = 20_000, seed: int = 0) -> Floats:
    """Independent normal numbers, and their negatives: antithetic paths."""
    half = np.random.default_rng(seed).standard_normal((paths // 2, STEPS))
    return np.concatenate([half, -half])


def ladder(
    spots: Floats, z: Floats, payoff: Payoff = call, skew: float = 0.0
) -> tuple[Floats, dict[str, Floats]]:
    """Prices and sensitivities at many spots, from the same paths: one call."""
    at = MARKET | {"spot": spots}
    axes = {name: 0 if name == "spot" else None for name in MARKET}
    of_one = ft.value_and_grad(lambda market: price(market, z, payoff, skew))
    values, slopes = ft.vmap(of_one, in_axes=(axes,))(at)
    return values, slopes


def main() -> int:
    """Compare with the formula; 0 if price and sensitivities agree within one percent."""
    z = normals()
    value, greeks = ft.jit(ft.value_and_grad(price))(MARKET, z)
    exact, slopes = ft.value_and_grad(black_scholes)(MARKET)
    print(f"{'':12} paths      formula\n{'price':10} {value:9.4f} {exact:11.4f}")
    for name in MARKET:
        print(f"d/d{name:10} {greeks[name]:6.4f} {slopes[name]:11.4f}")
    far = max([abs(value / exact - 1), *(abs(greeks[n] / slopes[n] - 1) for n in MARKET)])
    average, _ = ft.jit(ft.value_and_grad(lambda m: price(m, z, asian, 0.5)))(MARKET)
    print(f"Asian call with skew: {average:.4f}")
    return 0 if far < 0.02 else 1


if __name__ == "__main__":
    sys.exit(main())
