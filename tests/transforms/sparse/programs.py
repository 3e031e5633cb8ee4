"""Random NumPy functions with structure: slices, joins, gathers, updates, constant matrices, sums over parts."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

import functrans as ft
from functrans import Tensor

Value = Any
SHAPES = [(2, 3, 4), (3, 1, 2), (4, 3), (5,), (3,), (1, 1), (), (2, 0), (0,)]


class Program:
    """A function of arrays (or Tensors) to a tuple of arrays; with ``smooth`` it also takes complex arrays."""

    def __init__(self, seed: int, smooth: bool, steps: int = 6) -> None:
        self.draw, self.smooth = random.Random(seed), smooth
        self.numbers = np.random.default_rng(seed)
        self.args = [self.numbers.uniform(-1.5, 1.5, self.draw.choice(SHAPES)) for _ in range(self.draw.randint(1, 2))]
        self.steps: list[tuple[str, Callable[[list[Value]], Value]]] = []
        self.pool: list[Value] = [np.asarray(a) for a in self.args]
        for _ in range(steps):
            name, run = self.step()
            made = np.asarray(run(self.pool))
            if made.size <= 60 and made.ndim <= 4:
                self.pool.append(made)
                self.steps.append((name, run))
        last = len(self.pool) - 1
        self.outputs = [last, self.draw.randint(0, last)]

    def __call__(self, *args: Value) -> tuple[Value, ...]:
        pool: list[Value] = list(args)
        for _, run in self.steps:
            pool.append(run(pool))
        return tuple(pool[k] for k in self.outputs)

    def __repr__(self) -> str:
        shapes = [np.shape(v) for v in self.pool]
        lines = [f"v{len(self.args) + k} = {name}" for k, (name, _) in enumerate(self.steps)]
        return "\n  ".join(["program", *lines, f"shapes {shapes}, returns {self.outputs}"])

    def kinds(self) -> list[Callable[[int, Any], Any]]:
        """The kinds of step, those twice that are drawn twice as often."""
        return [self.unary, self.binary, self.binary, self.move, self.move, self.reduce, self.index, self.join,
                self.update, self.matrix, self.mask]  # fmt: skip

    def step(self) -> tuple[str, Callable[[list[Value]], Value]]:
        """One more value, as a name and a function of the values so far."""
        k = len(self.pool) - 1 - min(int(self.draw.expovariate(0.5)), len(self.pool) - 1)
        name, run = self.draw.choice(self.kinds())(k, self.pool[k].shape)
        return f"{name} of v{k}", run

    def unary(self, k: int, shape: Any) -> Any:
        names = ["sin", "square", "tanh"] if self.smooth else ["sin", "square", "abs", "floor", "sign"]
        name = self.draw.choice(names)
        return name, lambda p: getattr(np, name)(p[k])

    def binary(self, k: int, shape: Any) -> Any:
        same = [j for j, v in enumerate(self.pool) if v.shape in (shape, ())]
        j = self.draw.choice(same)
        smooth = [lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a / (b * b + 1), lambda a, b: a - 2 * b]
        kinked = [np.maximum, np.minimum, lambda a, b: np.where(a > b, a, b * b)]
        f = self.draw.choice(smooth if self.smooth else smooth + kinked)
        return f"binary with v{j}", lambda p: f(p[k], p[j])

    def move(self, k: int, shape: Any) -> Any:
        axis = self.draw.randrange(max(len(shape), 1))
        moves = [lambda x: x.reshape(-1), lambda x: x[None]]
        if shape:
            moves += [lambda x: np.flip(x, axis), lambda x: np.roll(x, 1, axis), lambda x: x.T,
                      lambda x: np.pad(x, [(1, 0)] * len(shape)), lambda x: np.cumsum(x, axis)]  # fmt: skip
        f = self.draw.choice(moves)
        return "moved", lambda p: f(p[k])

    def reduce(self, k: int, shape: Any) -> Any:
        if not shape:
            return self.unary(k, shape)
        axis, keep = self.draw.randrange(len(shape)), self.draw.random() < 0.3
        name = self.draw.choice(["sum", "prod"] if self.smooth or 0 in shape else ["sum", "prod", "max", "min"])
        if self.draw.random() < 0.4:
            return "centered", lambda p: p[k] - np.sum(p[k], axis=axis, keepdims=True) * 0.25
        return f"{name} {axis}", lambda p: getattr(np, name)(p[k], axis=axis, keepdims=keep)

    def index(self, k: int, shape: Any) -> Any:
        if not shape or not shape[0]:
            return self.unary(k, shape)
        n = shape[0]
        picks = np.array([self.draw.randrange(n) for _ in range(3)])
        key = self.draw.choice([slice(1, None), slice(None, None, -2), picks, 0, (..., slice(0, 1))])
        if not self.smooth and self.draw.random() < 0.3:
            return "computed index", lambda p: p[k][np.floor(np.abs(p[k])).astype(np.int64).reshape(-1)[:2] % n]
        return f"[{key}]", lambda p: p[k][key]

    def join(self, k: int, shape: Any) -> Any:
        same = [j for j, v in enumerate(self.pool) if v.shape == shape]
        j, axis = self.draw.choice(same), self.draw.randrange(max(len(shape), 1))
        if shape and self.draw.random() < 0.5:
            return f"concatenate v{j}", lambda p: np.concatenate([p[k], p[j]], axis)
        return f"stack v{j}", lambda p: np.stack([p[k], p[j]], axis)

    def update(self, k: int, shape: Any) -> Any:
        if not shape or not shape[0]:
            return self.unary(k, shape)
        at = np.array([self.draw.randrange(shape[0]) for _ in range(3)])
        source = self.draw.choice([j for j, v in enumerate(self.pool) if v.shape == shape])
        mode = self.draw.choice(["add", "set"])
        return f"at[{at}].{mode} v{source}", lambda p: updated(p[k], at, p[source][at[::-1]], mode)

    def matrix(self, k: int, shape: Any) -> Any:
        if 0 in shape:
            return self.unary(k, shape)
        n = shape[0] if shape else 1
        a = self.numbers.normal(size=(3, n)) * (self.numbers.random((3, n)) < 0.5)
        return "constant matrix", lambda p: np.tensordot(a, p[k].reshape((n, -1)), axes=(1, 0))

    def mask(self, k: int, shape: Any) -> Any:
        keep = self.numbers.random(shape) < 0.5
        same = self.draw.choice([j for j, v in enumerate(self.pool) if v.shape == shape])
        return f"where mask, else v{same}", lambda p: np.where(keep, p[k], p[same] * 3)


class Deep(Program):
    """Programs in which entries multiply and terms do not reach: layers, norms, maps in maps, orders, solves."""

    def kinds(self) -> list[Callable[[int, Any], Any]]:
        mine = [self.layer, self.normalised, self.mapped, self.segments, self.stencils, self.opaque]
        return [*super().kinds()[2:], *mine, *mine]

    def layer(self, k: int, shape: Any) -> Any:
        if 0 in shape:
            return self.unary(k, shape)
        n = shape[-1] if shape else 1
        a = self.numbers.normal(size=(n, 4)) / 2
        return "layer", lambda p: np.tanh(p[k].reshape((-1, n)) @ a)

    def normalised(self, k: int, shape: Any) -> Any:
        axis = self.draw.choice([None, *range(len(shape))])

        def run(p: list[Value]) -> Value:
            x = p[k]
            for _ in range(2):
                x = np.sin(x) / np.sqrt((x * x).sum(axis=axis, keepdims=True) + 1.0)
            return x

        return f"normalised twice along {axis}", run

    def mapped(self, k: int, shape: Any) -> Any:
        if len(shape) < 2 or 0 in shape:
            return self.unary(k, shape)
        return "map in a map", lambda p: mapped(lambda a: mapped(lambda b: b * np.sin(b).sum(), a) + a.sum(), p[k])

    def segments(self, k: int, shape: Any) -> Any:
        if not shape or not shape[0]:
            return self.unary(k, shape)
        to = np.array([self.draw.randrange(3) for _ in range(shape[0])])
        return f"segment sums {to}", lambda p: updated(np.zeros((3, *shape[1:])), to, p[k] * p[k], "add")

    def stencils(self, k: int, shape: Any) -> Any:
        def run(p: list[Value]) -> Value:
            x = p[k].reshape(-1)
            for _ in range(3):
                x = x + 0.25 * (np.roll(x, 1) - x) * np.sin(np.roll(x, -1))
            return x

        return "three stencils", run

    def opaque(self, k: int, shape: Any) -> Any:
        if len(shape) < 1 or 0 in shape or shape[-1] > 4:
            return self.unary(k, shape)
        n = shape[-1]
        a = self.numbers.normal(size=(n, n)) / 4 + 2 * np.eye(n)
        ways = [lambda p: np.linalg.solve(a + 0.1 * np.sin(p[k])[..., None] * np.eye(n), p[k][..., None])[..., 0],
                lambda p: np.linalg.inv(a + np.cos(p[k])[..., None] * np.eye(n)).sum(-1),
                lambda p: np.cumprod(p[k] + 2.0, axis=-1)]  # fmt: skip
        if not self.smooth:
            ways += [lambda p: np.sort(p[k], axis=-1), lambda p: np.maximum.accumulate(p[k], axis=-1)]
        j = self.draw.randrange(len(ways))
        return f"opaque {j}", ways[j]


def mapped(f: Callable[[Value], Value], x: Value) -> Value:
    """``ft.vmap(f)(x)``, for ndarrays by a loop."""
    return ft.vmap(f)(x) if isinstance(x, Tensor) else np.stack([f(row) for row in x])


def updated(x: Value, at: np.ndarray, value: Value, mode: str) -> Value:
    """``x.at[at].mode(value)``, for ndarrays too."""
    if isinstance(x, Tensor) or isinstance(value, Tensor):
        return getattr(ft.Tensor(x).at[at], mode)(value)
    out = x.astype(np.result_type(x, value))
    if mode == "add":
        np.add.at(out, at, value)
    else:
        for i, v in zip(at, value):
            out[i] = v
    return out
