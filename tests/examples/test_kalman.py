"""The Kalman filter of the gallery against the joint normal distribution of all that is seen."""

from __future__ import annotations

import numpy as np
from scipy.stats import multivariate_normal

import functrans as ft
from examples import kalman


def joint(noise: np.ndarray, seen: np.ndarray, valid: np.ndarray) -> tuple[np.ndarray, float]:
    """Mean of the last state, and log-likelihood, from one large covariance: no recursion over what is seen."""
    n = len(seen)
    mean, cov = kalman.FIRST
    covs, means = np.zeros((n, n, 4, 4)), np.empty((n, 4))
    for k in range(n):
        mean, cov = kalman.MOVE @ mean, kalman.MOVE @ cov @ kalman.MOVE.T + np.exp(noise[0]) * kalman.PUSH
        means[k], covs[k, k] = mean, cov
        for later in range(k + 1, n):
            covs[later, k] = np.linalg.matrix_power(kalman.MOVE, later - k) @ cov
            covs[k, later] = covs[later, k].T
    known = np.flatnonzero(valid)
    states = covs[:, :, :, :2][:, known].transpose(0, 2, 1, 3).reshape(n, 4, -1)  # of states with what is seen
    S = states[known][:, :2].reshape(2 * len(known), -1) + np.exp(noise[1]) * np.eye(2 * len(known))
    miss = (seen - means[:, :2])[known].ravel()
    log = multivariate_normal(np.zeros(len(miss)), S).logpdf(miss)
    return means[-1] + states[-1] @ np.linalg.solve(S, miss), float(log)


def test_filter_is_the_joint_distribution_conditioned() -> None:
    _, seen, valid = kalman.make_tracks(3, 18)
    noise = np.array([-1.0, 0.3])
    assert 0 < valid.sum() < valid.size
    means, covs, logs = ft.vmap(kalman.kalman, in_axes=(None, 0, 0))(noise, seen, valid)
    for lane in range(3):
        last, log = joint(noise, seen[lane], valid[lane])
        np.testing.assert_allclose(means[lane, -1], last, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(logs[lane], log, rtol=1e-10)
    np.testing.assert_allclose(covs, covs.swapaxes(-1, -2), atol=1e-12)


def test_gradient_of_the_likelihood() -> None:
    _, seen, valid = kalman.make_tracks(2, 18)
    noise, h = np.array([-1.0, 0.3]), 1e-5

    def reference(p: np.ndarray) -> float:
        return -sum(joint(p, *pair)[1] for pair in zip(seen, valid, strict=True)) / valid.sum()

    differences = [(reference(noise + h * e) - reference(noise - h * e)) / (2 * h) for e in np.eye(2)]
    np.testing.assert_allclose(ft.grad(kalman.loss)(noise, seen, valid), differences, rtol=1e-6)


def test_noise_is_found_again() -> None:
    _, seen, valid = kalman.make_tracks(300, 18)
    found, way = kalman.fit(seen, valid, kalman.TRUTH + 0.5)
    assert found.success and len(way) > 3
    np.testing.assert_allclose(found.x, kalman.TRUTH, atol=0.15)
