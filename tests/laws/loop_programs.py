"""Random programs of loops and branches in each other, for functrans and for Python's own loops on NumPy alike."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

import functrans as ft
from functrans.transforms.loops.while_loop import bounded, counted
from tests.laws.duals import Reference, number

Function = Callable[[Any, Any, Any], Any]  # of the loops to use, a value and a scalar, to a value of the same shape


class Ours:
    """The loops and transforms of functrans, and what a program needs to choose by."""

    scan, fori_loop, while_loop, cond, switch = ft.scan, ft.fori_loop, ft.while_loop, ft.cond, ft.switch
    counted, bounded = counted, bounded
    vmap, jvp, grad, hessian, checkpoint, jit = ft.vmap, ft.jvp, ft.grad, ft.hessian, ft.checkpoint, ft.jit

    @staticmethod
    def below(x: Any, limit: Any) -> Any:
        return x < limit

    @staticmethod
    def count(x: Any) -> Any:
        return np.floor(np.abs(x * 3.0 + 0.0123) % 4.0).astype(np.int64)


def _same(f: Callable[..., Any]) -> Callable[..., Any]:
    return f


class Plain(Reference):
    """Python loops, each lane on its own, and derivatives by dual numbers."""

    checkpoint = jit = staticmethod(_same)

    @staticmethod
    def below(x: Any, limit: Any) -> bool:
        return bool(number(x) < number(limit))

    @staticmethod
    def count(x: Any) -> int:
        return int(np.floor(np.abs(number(x) * 3.0 + 0.0123) % 4.0))

    @staticmethod
    def scan(f: Any, init: Any, xs: Any, reverse: bool = False, checkpoint_every: Any = None) -> Any:
        n, carry, ys = len(xs[0]), init, {}
        for t in reversed(range(n)) if reverse else range(n):
            carry, ys[t] = f(carry, tuple(x[t] for x in xs))
        return carry, np.stack([ys[t] for t in range(n)]) if n else np.zeros((0, *np.shape(init)))

    @staticmethod
    def fori_loop(lower: int, upper: int, body: Any, value: Any) -> Any:
        for i in range(lower, upper):
            value = body(i, value)
        return value

    @staticmethod
    def while_loop(test: Any, body: Any, value: Any, max_steps: Any = None) -> Any:
        steps = 0
        while test(value) and (max_steps is None or steps < max_steps):
            value, steps = body(value), steps + 1
        return value

    @staticmethod
    def counted(rounds: int, most: int, body: Any, value: Any) -> Any:
        return Plain.fori_loop(0, rounds, body, value)

    @staticmethod
    def bounded(test: Any, body: Any, value: Any, most: int) -> Any:
        return Plain.while_loop(test, body, value)

    @staticmethod
    def cond(holds: bool, yes: Any, no: Any, *operands: Any) -> Any:
        return (yes if holds else no)(*operands)

    @staticmethod
    def switch(k: int, branches: Any, *operands: Any) -> Any:
        return branches[min(max(k, 0), len(branches) - 1)](*operands)

    @staticmethod
    def grad(f: Any, argnums: int = 0) -> Any:
        def gradient(x: Any) -> Any:
            found = np.empty(np.shape(x), object)
            for place in np.ndindex(found.shape):
                along = np.zeros(found.shape)
                along[place] = 1.0
                found[place] = Reference.jvp(f, (x,), (along,))[1].item()
            return found

        return gradient

    @staticmethod
    def hessian(f: Any) -> Any:
        def matrix(x: Any) -> Any:
            shape = np.shape(x)
            inner = Plain.grad(f)
            found = np.empty((*shape, *shape), object)
            for place in np.ndindex(shape):
                along = np.zeros(shape)
                along[place] = 1.0
                found[(..., *place)] = Reference.jvp(inner, (x,), (along,))[1]
            return found

        return matrix


def program(seed: int, reverse: bool = False, depth: int = 2) -> Function:
    """A random one; with ``reverse`` reverse mode passes through it. The seed decides all of it."""
    draw = random.Random(seed)
    pieces = [_piece(draw, depth, reverse) for _ in range(draw.choice((1, 2)))]

    def run(loops: Any, x: Any, s: Any) -> Any:
        for f in pieces:
            x = f(loops, x, s)
        return x

    return run


def _piece(draw: random.Random, depth: int, reverse: bool) -> Function:
    if depth == 0:
        return _leaf(draw)
    kind = draw.choice((_scan, _fori, _while, _cond, _switch, _to))
    return kind(draw, depth - 1, reverse)


def _leaf(draw: random.Random) -> Function:
    a = draw.uniform(0.3, 1.2)
    leaves: list[Function] = [
        lambda L, c, s: np.sin(c * a + s),
        lambda L, c, s: np.cos(c) * s + a,
        lambda L, c, s: c * c / (c * c + 2.0) - s * a,
        lambda L, c, s: c * 0.5 + np.sum(c) * (a / (1 + np.size(c))),
        lambda L, c, s: np.flip(c) * a + np.sin(c) if np.ndim(c) else c * a,
        lambda L, c, s: np.exp(-1.0 * c * c) * a + c * 0.25,
    ]
    return draw.choice(leaves)


def _scan(draw: random.Random, depth: int, reverse: bool) -> Function:
    inner, n = _piece(draw, depth, reverse), draw.choice((0, 1, 2, 3, 5, 5))
    options = {"reverse": draw.random() < 0.5, "checkpoint_every": draw.choice((None, None, 1, 2, 7))}
    weights = np.array([draw.uniform(-1, 1) for _ in range(n)])
    direct = draw.random() < 0.5

    def run(L: Any, c: Any, s: Any) -> Any:
        rows = np.stack([c * w + s for w in weights]) if n else np.zeros((0, *np.shape(c)))

        def body(carry: Any, e: Any) -> Any:
            new = inner(L, carry * 0.5 + e[0] * s + (e[1] if direct else c) * 0.25, s)
            return new, carry * e[0] + e[1]

        last, ys = L.scan(body, c, (weights, rows), **options)
        order = np.arange(1.0, n + 1).reshape((n,) + (1,) * np.ndim(c))  # which round a row is of shows
        return last + np.sum(ys * order, axis=0) * 0.1

    return run


def _fori(draw: random.Random, depth: int, reverse: bool) -> Function:
    inner, lower, rounds, a = (
        _piece(draw, depth, reverse),
        draw.randint(-2, 2),
        draw.randint(-1, 4),
        draw.uniform(-1, 1),
    )
    return lambda L, c, s: L.fori_loop(lower, lower + rounds, lambda i, v: inner(L, v * 0.5 + i * a + c * 0.1, s), c)


def _to(draw: random.Random, depth: int, reverse: bool) -> Function:
    """A fori_loop whose bound each lane has of its own."""
    inner, a = _piece(draw, depth, reverse), draw.uniform(-1, 1)

    def run(L: Any, c: Any, s: Any) -> Any:
        def body(i: Any, v: Any) -> Any:
            return inner(L, v + i * 0.5, s)

        rounds = L.count(np.sum(c) * a)
        return L.counted(rounds, 3, body, c) if reverse else L.fori_loop(0, rounds, body, c)

    return run


def _while(draw: random.Random, depth: int, reverse: bool) -> Function:
    inner, limit, a = _piece(draw, depth, reverse), draw.uniform(-1, 3), draw.uniform(0.2, 1)
    options = {"max_steps": draw.randint(0, 4)} if reverse else {}
    counted = draw.random() < 0.5
    stores = reverse and draw.random() < 0.5

    def run(L: Any, c: Any, s: Any) -> Any:
        most = L.count(np.sum(c) * a) if counted else 4

        def test(state: Any) -> Any:
            return L.below(state[1], most) & (True if counted else L.below(np.sum(state[0]), limit))

        def body(state: Any) -> Any:
            return inner(L, state[0], s) + a, state[1] + 1

        return L.bounded(test, body, (c, 0), 4)[0] if stores else L.while_loop(test, body, (c, 0), **options)[0]

    return run


def _cond(draw: random.Random, depth: int, reverse: bool) -> Function:
    yes, no, limit = _piece(draw, depth, reverse), _piece(draw, draw.randint(0, depth), reverse), draw.uniform(-1, 1)
    if draw.random() < 0.5:
        return lambda L, c, s: L.cond(L.below(np.sum(c), limit), lambda: yes(L, c, s), lambda: no(L, c * s, s))
    return lambda L, c, s: L.cond(
        L.below(s * 2 + limit, np.sum(c)), lambda v, t: yes(L, v, t), lambda v, t: no(L, v, t), c, s
    )


def _switch(draw: random.Random, depth: int, reverse: bool) -> Function:
    arms = [_piece(draw, draw.randint(0, depth), reverse) for _ in range(draw.randint(1, 3))]
    return lambda L, c, s: L.switch(
        L.count(np.sum(c) + s) - 1, [lambda v, f=f: f(L, v * 0.75 + c * 0.25, s) for f in arms], c
    )
