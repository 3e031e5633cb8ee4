"""A small neural network, trained by its gradient: a few lines of NumPy, no framework.

Run it as ``python -m examples.network``. It learns which of two spirals a point of the plane belongs to (Lang and
Witbrock, 1988), by Adam: Kingma and Ba (2015), algorithm 1.
"""

from __future__ import annotations

import itertools
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

import functrans as ft

Floats = NDArray[np.float64]
Layers = list[dict[str, Any]]
SIZES = (2, 32, 32, 1)


def network(layers: Layers, x: Any) -> Any:
    """The score of points x, shape (n, 2): positive for one spiral, negative for the other."""
    for layer in layers[:-1]:
        x = np.tanh(x @ layer["weights"] + layer["bias"])
    return (x @ layers[-1]["weights"] + layers[-1]["bias"])[:, 0]


def loss(layers: Layers, x: Any, label: Any) -> Any:
    """The mean cross entropy, for labels 1 and -1, and a little of the weights' squares."""
    weights = sum((layer["weights"] ** 2).sum() for layer in layers)
    return np.logaddexp(0.0, -label * network(layers, x)).mean() + 1e-4 * weights


def start(seed: int = 0) -> Layers:
    """Random weights and no bias."""
    rng = np.random.default_rng(seed)
    shapes = itertools.pairwise(SIZES)
    return [{"weights": rng.standard_normal((n, m)) * (1.5 / n**0.5), "bias": np.zeros(m)} for n, m in shapes]


def train(
    layers: Layers, x: Floats, label: Floats, steps: int = 1500, rate: float = 0.01
) -> tuple[Layers, Any]:
    """Adam on all points: the layers, and the loss of each step. One loop, compiled once."""
    slope = ft.value_and_grad(loss)

    def step(state: Any, k: Any) -> Any:
        layers, first, second = state
        value, grad = slope(layers, x, label)
        first = ft.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grad)
        second = ft.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, second, grad)
        small, large = 1 - 0.9 ** (k + 1), 1 - 0.999 ** (k + 1)
        layers = ft.tree.map(
            lambda p, m, v: p - rate * (m / small) / (np.sqrt(v / large) + 1e-8), layers, first, second
        )
        return (layers, first, second), value

    none = ft.tree.map(np.zeros_like, layers)
    (layers, _, _), losses = ft.scan(step, (layers, none, none), np.arange(float(steps)))
    return layers, losses


def spirals(count: int = 200, seed: int = 1) -> tuple[Floats, Floats]:
    """Points of two spirals, with noise, and their labels 1 and -1."""
    rng = np.random.default_rng(seed)
    turn = 3 * np.pi * np.sqrt(rng.uniform(0.02, 1, count))
    arm = np.stack([turn * np.cos(turn), turn * np.sin(turn)], 1) / 10
    x = np.concatenate([arm, -arm]) + 0.025 * rng.standard_normal((2 * count, 2))
    return x, np.repeat([1.0, -1.0], count)


def main() -> int:
    """Train; 0 if points that were not shown are told apart."""
    x, label = spirals()
    layers, losses = ft.jit(train)(start(), x, label)
    print("loss", *(f"{losses[k]:.3f}" for k in (0, 100, 300, 600, 1000, len(losses) - 1)))
    fresh, truth = spirals(seed=2)
    right = float(np.mean(np.sign(network(layers, fresh)) == truth))
    print(f"{right:.1%} of {len(truth)} new points are on the right side")
    return 0 if right > 0.97 else 1


if __name__ == "__main__":
    sys.exit(main())
