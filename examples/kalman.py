"""A Kalman filter on a thousand tracks, and its noise fitted by the gradient of the likelihood.

Run it as ``python -m examples.kalman``. Each track is a thing that moves in the plane, seen with noise, now and then
not at all. The filter is the usual one: Särkkä, Bayesian Filtering and Smoothing (2013), chapter 4.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult, minimize

import functrans as ft

Floats = NDArray[np.float64]
STEP = 1.0
MOVE = np.array([[1, 0, STEP, 0], [0, 1, 0, STEP], [0, 0, 1, 0], [0, 0, 0, 1.0]])  # of x, y and their speeds
SEE = np.eye(2, 4)
FIRST = np.zeros(4), np.diag([4.0, 4.0, 1.0, 1.0])  # mean and covariance of the state before the first step
PUSH = np.kron(np.array([[STEP**3 / 3, STEP**2 / 2], [STEP**2 / 2, STEP]]), np.eye(2))  # white acceleration
TRUTH = np.log([0.02, 0.5])  # of the acceleration's density and the measurement's variance


def kalman(noise: Any, seen: Any, valid: Any) -> tuple[Any, Any, Any]:
    """Filter ``seen`` (steps, 2) of one track where ``valid``: means, covariances, log-likelihood."""
    Q, R = np.exp(noise[0]) * PUSH, np.exp(noise[1]) * np.eye(2)

    def step(state: Any, now: Any) -> Any:
        mean, cov = state
        z, known = now
        mean, cov = MOVE @ mean, MOVE @ cov @ MOVE.T + Q
        miss, S = z - SEE @ mean, SEE @ cov @ SEE.T + R
        inverse = np.linalg.inv(S)
        gain = known * (cov @ SEE.T @ inverse)
        surprise = -0.5 * (miss @ inverse @ miss + np.log(np.linalg.det(2 * np.pi * S)))
        mean, cov = mean + gain @ miss, cov - gain @ S @ gain.T
        return (mean, cov), (mean, cov, known * surprise)

    _, (means, covs, surprises) = ft.scan(step, FIRST, (seen, valid))
    return means, covs, surprises.sum()


def loss(noise: Any, seen: Any, valid: Any) -> Any:
    """The negative log-likelihood of all tracks, each alone, a measurement."""
    _, _, total = ft.vmap(kalman, in_axes=(None, 0, 0))(noise, seen, valid)
    return -total.sum() / valid.sum()


def make_tracks(tracks: int = 1000, steps: int = 60, seed: int = 0) -> tuple[Floats, Floats, Floats]:
    """True states (tracks, steps, 4), what was seen of them, and 1.0 where something was."""
    rng = np.random.default_rng(seed)
    push = np.linalg.cholesky(np.exp(TRUTH[0]) * PUSH)
    state = rng.standard_normal((tracks, 4)) * np.sqrt(np.diag(FIRST[1]))
    states = np.empty((tracks, steps, 4))
    for k in range(steps):
        states[:, k] = state = state @ MOVE.T + rng.standard_normal((tracks, 4)) @ push.T
    seen = states[..., :2] + np.exp(TRUTH[1] / 2) * rng.standard_normal((tracks, steps, 2))
    gap = rng.integers(5, steps - 12, tracks)[:, None]  # nothing is seen for ten steps
    valid = 1.0 - ((np.arange(steps) >= gap) & (np.arange(steps) < gap + 10))
    return states, seen, valid


def fit(seen: Floats, valid: Floats, first: Floats) -> tuple[OptimizeResult, list[Floats]]:
    """The noise of the greatest likelihood, and the way of the optimizer there."""
    slope = ft.jit(ft.value_and_grad(loss))
    way = [first]
    found = minimize(slope, first, args=(seen, valid), jac=True, method="BFGS", callback=way.append)
    return found, way


def main() -> int:
    """Fit and filter; 0 if the noise is found again."""
    states, seen, valid = make_tracks()
    found, _ = fit(seen, valid, np.zeros(2))
    print(f"{found.nit} iterations, {found.nfev} likelihoods and gradients of {len(seen)} tracks")
    print("variances found:", np.exp(found.x).round(4), " true:", np.exp(TRUTH))
    means, _, _ = ft.jit(ft.vmap(kalman, in_axes=(None, 0, 0)))(found.x, seen, valid)
    error = [float(np.sqrt(np.mean((p - states[..., :2])[valid > 0] ** 2))) for p in (seen, means[..., :2])]
    print(f"error of position: {error[0]:.2f} as seen, {error[1]:.2f} filtered")
    return 0 if np.abs(found.x - TRUTH).max() < 0.05 and error[1] < error[0] else 1


if __name__ == "__main__":
    sys.exit(main())
