"""What a mapped function takes from memory and gives to it by its schedule: each input once, each output once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from tests.golden.programs import accelerations

B = 50


def softmax(x: Any) -> Any:
    e = np.exp(x - np.max(x))
    return e / np.sum(e)


def logsumexp(x: Any) -> Any:
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


def gaussian(x: Any, y: Any) -> Any:
    return np.exp(-np.sum((x - y) ** 2))


def lorenz(s: Any) -> Any:
    return fnp.stack([10.0 * (s[1] - s[0]), s[0] * (28.0 - s[2]) - s[1], s[0] * s[1] - 8.0 / 3.0 * s[2]])


def steps(s: Any) -> Any:
    h = 0.01
    for _ in range(3):
        k1 = lorenz(s)
        k2 = lorenz(s + h / 2 * k1)
        k3 = lorenz(s + h / 2 * k2)
        s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + lorenz(s + h * k3))
    return s


def network(weights: Any, x: Any) -> Any:
    w, b, v, c, u, d = weights
    return (u @ np.tanh(v @ np.tanh(w @ x + b) + c) + d)[0]


def loss(weights: Any, x: Any, y: Any) -> Any:
    return 0.5 * (network(weights, x) - y) ** 2


def hessian(weights: Any, x: Any) -> Any:
    return ft.hessian(lambda z: network(weights, z))(x)


def nested(f: Callable[..., Any], depth: int) -> Callable[..., Any]:
    for _ in range(depth):
        f = ft.vmap(f)
    return f


def draw(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).normal(size=shape)


WEIGHTS = tuple(draw(*shape) for shape in ((32, 2), (32,), (32, 32), (32,), (1, 32), (1,)))
UNREAD = {"hessians of a network": WEIGHTS[-1]}  # the last bias is in no derivative in the input
ROWS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "elementwise": (lambda x: np.sin(x) * np.exp(-x) / np.sqrt(1.0 + x * x), (draw(1000),)),
    "softmax": (ft.vmap(softmax), (draw(B, 64),)),
    "softmax, strided": (ft.vmap(softmax, in_axes=1), (draw(64, B),)),
    "logsumexp": (ft.vmap(logsumexp), (draw(B, 64),)),
    "6x6": (ft.vmap(lambda a, b: a @ b), (draw(B, 6, 6), draw(B, 6, 6))),
    "pairwise": (ft.vmap(ft.vmap(gaussian, in_axes=(None, 0)), in_axes=(0, None)), (draw(B, 3), draw(60, 3))),
    "nested": (nested(lambda x: np.tanh(x).sum(), 3), (draw(3, 4, 5, 6),)),
    "lorenz": (ft.vmap(steps), (draw(B, 3),)),
    "accelerations": (accelerations, (draw(B, 3),)),
    "jvp of accelerations": (lambda x, v: ft.jvp(accelerations, (x,), (v,)), (draw(B, 3), draw(B, 3))),
    "gradients of a network": (ft.vmap(ft.grad(loss), (None, 0, 0)), (WEIGHTS, draw(B, 2), draw(B))),
    "hessians of a network": (ft.vmap(hessian, (None, 0)), (WEIGHTS, draw(B, 2))),
    "gradients": (ft.vmap(ft.grad(lambda x: logsumexp(x * x))), (draw(B, 40),)),
}


def leaves(tree: Any) -> list[Any]:
    return [x for part in tree for x in leaves(part)] if isinstance(tree, tuple) else [tree]


@pytest.mark.parametrize("name", ROWS)
def test_every_byte_once(name: str) -> None:
    f, args = ROWS[name]
    lowered = ft.jit(f).lower(*args)
    results = leaves(f(*args))
    spent = lowered.cost()
    assert spent.kernels == 1
    unread = UNREAD.get(name)
    assert spent.bytes_read == sum(np.asarray(a).nbytes for a in leaves(args) if a is not unread)
    assert spent.bytes_written == sum(np.asarray(r).nbytes for r in results)
