"""The Gaussian process of the gallery against SciPy's normal distribution and the gradient of the book."""

from __future__ import annotations

import numpy as np
from scipy.stats import multivariate_normal

import functrans as ft
from examples import gaussian_process as gp

LOG = gp.START + 0.1


def covariance(log: np.ndarray, t: np.ndarray) -> np.ndarray:
    return np.asarray(gp.kernel(log, t, t)) + np.exp(2 * log[-1]) * np.eye(len(t))


def test_likelihood_and_gradient() -> None:
    t, y = gp.make_data(30)
    value, slope = ft.value_and_grad(gp.loss)(LOG, t, y)
    K, h = covariance(LOG, t), 1e-6
    np.testing.assert_allclose(value, -multivariate_normal(np.zeros(30), K).logpdf(y), rtol=1e-10)
    weights, inverse = np.linalg.solve(K, y), np.linalg.inv(K)
    for k, e in enumerate(np.eye(len(LOG))):  # equation 5.9 of Rasmussen and Williams
        dK = (covariance(LOG + h * e, t) - covariance(LOG - h * e, t)) / (2 * h)
        np.testing.assert_allclose(slope[k], -0.5 * np.trace((np.outer(weights, weights) - inverse) @ dK), rtol=1e-6)


def test_prediction_is_the_conditional_distribution() -> None:
    t, y = gp.make_data(20)
    at = np.linspace(0, 12, 7)
    mean, spread = ft.jit(gp.predict)(LOG, t, y, at)
    inverse, across = np.linalg.inv(covariance(LOG, t)), np.asarray(gp.kernel(LOG, t, at))
    np.testing.assert_allclose(mean, across.T @ inverse @ y, rtol=1e-8)
    variance = np.diagonal(np.asarray(gp.kernel(LOG, at, at)) - across.T @ inverse @ across)
    np.testing.assert_allclose(spread, np.sqrt(variance), rtol=1e-8)


def test_fit_finds_period_and_noise() -> None:
    t, y = gp.make_data(60)
    found = gp.fit(t, y)
    assert found.success and found.fun < float(gp.loss(gp.START, t, y)) - 10
    assert (np.abs(np.exp(found.x[[3, 5]]) - [1.0, 0.15]) < [0.01, 0.05]).all()
