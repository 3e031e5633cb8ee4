"""A Gaussian process: its parameters by the gradient of the marginal likelihood, through a Cholesky factor.

Run it as ``python -m examples.gaussian_process``. Rasmussen and Williams, Gaussian Processes for Machine Learning
(2006), algorithm 2.1 and section 5.4; the data is made up, so that the answer is known.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult, minimize

import functrans as ft
import functrans.scipy.linalg as fsl

Floats = NDArray[np.float64]
NAMES = ("trend", "its length", "season", "its period", "its roughness", "noise")
START = np.log([1.0, 3.0, 1.0, 1.1, 1.0, 0.3])
PERIODS = np.geomspace(0.5, 1.6, 100)  # to begin from


def kernel(log: Any, a: Any, b: Any) -> Any:
    """The covariance of values at times a (n,) and b (m,), shape (n, m): a slow trend and a season."""
    trend, length, season, period, rough, _ = np.exp(log)
    gap = a[:, None] - b[None, :]
    wave = np.sin(np.pi * gap / period) / rough
    return trend**2 * np.exp(-0.5 * (gap / length) ** 2) + season**2 * np.exp(-2 * wave**2)


def loss(log: Any, t: Any, y: Any) -> Any:
    """The negative log marginal likelihood of values y at times t."""
    K = kernel(log, t, t) + np.exp(2 * log[-1]) * np.eye(len(t))
    L = np.linalg.cholesky(K)
    white = fsl.solve_triangular(L, y, lower=True)
    return 0.5 * (white @ white) + np.log(np.diagonal(L)).sum() + 0.5 * len(t) * np.log(2 * np.pi)


def predict(log: Any, t: Any, y: Any, at: Any) -> tuple[Any, Any]:
    """Mean and standard deviation of the values at other times."""
    K = kernel(log, t, t) + np.exp(2 * log[-1]) * np.eye(len(t))
    L, across = np.linalg.cholesky(K), kernel(log, t, at)
    white = fsl.solve_triangular(L, across, lower=True)
    mean = white.T @ fsl.solve_triangular(L, y, lower=True)
    return mean, np.sqrt(np.diagonal(kernel(log, at, at)) - (white**2).sum(0))


def make_data(count: int = 120, seed: int = 3) -> tuple[Floats, Floats]:
    """Times in twelve years but two in which nothing was measured, and values: a trend, a sharp season, noise."""
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(0, 12, 2 * count))
    t = np.sort(rng.permutation(t[(t < 5) | (t > 7)])[:count])
    season = np.exp(np.sin(2 * np.pi * t)) - 1.3
    return t, np.sin(t / 2.5) + t / 8 - 0.7 + 0.8 * season + 0.15 * rng.standard_normal(len(t))


def best_start(t: Floats, y: Floats) -> Floats:
    """The start with the best of many periods: the likelihood has a peak at most of them."""
    starts = np.tile(START, (len(PERIODS), 1))
    starts[:, 3] = np.log(PERIODS)
    return starts[np.argmin(ft.vmap(loss, in_axes=(0, None, None))(starts, t, y))]


def fit(t: Floats, y: Floats) -> OptimizeResult:
    """The parameters of the greatest likelihood."""
    slope = ft.jit(ft.value_and_grad(loss))
    bounds = [(-4, 4)] * len(START)
    return minimize(slope, best_start(t, y), args=(t, y), jac=True, method="L-BFGS-B", bounds=bounds)


def main() -> int:
    """Fit, and predict what was not measured; 0 if period and noise are found again."""
    t, y = make_data()
    found = fit(t, y)
    print(f"{found.nit} iterations, {found.nfev} likelihoods and gradients; loss {found.fun:.2f}")
    for name, value in zip(NAMES, np.exp(found.x), strict=True):
        print(f"{name:14} {value:.4f}")
    return 0 if abs(np.exp(found.x[3]) - 1) < 0.01 and abs(np.exp(found.x[5]) - 0.15) < 0.03 else 1


if __name__ == "__main__":
    sys.exit(main())
