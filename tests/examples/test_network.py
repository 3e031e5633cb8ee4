"""The network of the gallery against backpropagation and Adam written by hand."""

from __future__ import annotations

import numpy as np

import functrans as ft
from examples import network


def by_hand(layers: network.Layers, x: np.ndarray, label: np.ndarray) -> list[dict[str, np.ndarray]]:
    """The gradient of the loss, layer by layer from the end."""
    kept = [x]
    for layer in layers[:-1]:
        kept.append(np.tanh(kept[-1] @ layer["weights"] + layer["bias"]))
    score = (kept[-1] @ layers[-1]["weights"] + layers[-1]["bias"])[:, 0]
    back = (-label / (1 + np.exp(label * score)) / len(x))[:, None]
    grads = []
    for k in reversed(range(len(layers))):
        grads.append({"weights": kept[k].T @ back + 2e-4 * layers[k]["weights"], "bias": back.sum(0)})
        back = (back @ layers[k]["weights"].T) * (1 - kept[k] ** 2)
    return grads[::-1]


def test_gradient_is_that_by_hand() -> None:
    x, label = network.spirals(7)
    layers = network.start()
    for got, expected in zip(ft.grad(network.loss)(layers, x, label), by_hand(layers, x, label), strict=True):
        for name in expected:
            np.testing.assert_allclose(got[name], expected[name], rtol=1e-9, atol=1e-12, err_msg=name)


def test_training_takes_the_steps_of_adam() -> None:
    x, label = network.spirals(7)
    layers, losses = network.train(network.start(), x, label, steps=5)
    own = network.start()
    first, second = ft.tree.map(np.zeros_like, own), ft.tree.map(np.zeros_like, own)
    for k in range(1, 6):
        np.testing.assert_allclose(losses[k - 1], network.loss(own, x, label), rtol=1e-9)
        for p, m, v, g in zip(own, first, second, by_hand(own, x, label), strict=True):
            for name in p:
                m[name] = 0.9 * m[name] + 0.1 * g[name]
                v[name] = 0.999 * v[name] + 0.001 * g[name] ** 2
                p[name] = p[name] - 0.01 * m[name] / (1 - 0.9**k) / (np.sqrt(v[name] / (1 - 0.999**k)) + 1e-8)
    for got, expected in zip(layers, own, strict=True):
        for name in expected:
            np.testing.assert_allclose(got[name], expected[name], rtol=1e-7, atol=1e-9, err_msg=name)
