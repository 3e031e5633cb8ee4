"""The law of bounded work: a schedule does at most twice what the simplified graph asks for, each element counted once.

Counted, never timed. A reader that computes again what another one has computed pays with operations; so the law says
how far fusion may go, whatever the body. The bytes through memory are the other half of that bargain: where one kernel
can do it, they are bounded here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.demanded import demanded
from functrans.ops.passes import Recorded
from functrans.testing import random_programs
from tests.plans import schedule_cost

Arrays = tuple[Any, ...]
Body = tuple[Callable[..., Any], Arrays]
RNG = np.random.default_rng(0)
SEVERAL = 3  # elements of a batch
FEW = 32  # operations from which on a program counts: below that one operation more or less is a factor


def work(f: Callable[..., Any], *args: Any) -> tuple[int, int]:
    """Operations that are demanded, and those of the schedule."""
    passes = Recorded()
    done = schedule_cost(ft.jit(f).lower(*args).program, passes).flops
    return sum(demanded(s.nodes) for s in passes.stages if s.name == "multiply_adds"), done


def path(p: Any, z: Any, steps: int) -> Any:
    s, v = z[0], z[1]
    for _ in range(steps):
        s, v = s + p[0] * v + np.exp(-s), v * np.cos(p[1] * s) + p[2] * v
    return s + v


def mean_of_paths(p: Any, z: Any, steps: int) -> Any:
    return ft.vmap(lambda z: path(p, z, steps))(z).mean()


def paths_by_arrays(p: Any, z: Any, steps: int) -> Any:
    return path(p, z.T, steps).mean()


def loss(w: Any, b: Any, x: Any, y: Any) -> Any:
    return np.log1p(np.exp(-(x @ w + b) * y))


def mean_loss(w: Any, b: Any, x: Any, y: Any) -> Any:
    return ft.vmap(loss, in_axes=(None, None, 0, 0))(w, b, x, y).mean()


def nested(x: Any, y: Any, z: Any) -> Any:
    return ft.vmap(lambda a: ft.vmap(lambda b: ft.vmap(lambda c: np.sin(a * b) + np.exp(b * c))(z))(y))(x).sum()


def repulsion(x: Any) -> Any:
    d = x[:, None, :] - x[None, :, :]
    s = 1 / ((d * d).sum(-1) + 0.01) ** 3
    return (s * s - s).sum()


def attraction(x: Any) -> Any:
    return ft.vmap(lambda a: ft.vmap(lambda b: np.exp(-((a - b) ** 2).sum()))(x).sum())(x).sum()


def rolled(u: Any) -> Any:
    for _ in range(6):
        u = u + 0.1 * (np.roll(u, 1) - 2 * u + np.roll(u, -1)) + 0.01 * np.sin(u)
    return u


def shifted(u: Any) -> Any:
    for _ in range(12):
        u = np.roll(u, 1) + 2 * u
    return u


def updated(u: Any) -> Any:
    for _ in range(4):
        u = u.at[1:-1].add(0.1 * (u[:-2] - 2 * u[1:-1] + u[2:])).at[0].set(np.sin(u[1]))
    return u


def windows(u: Any) -> Any:
    for _ in range(12):
        u = u[:-2] + 2 * u[1:-1] + u[2:]
    return u


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(q: Any, k: Any, v: Any) -> Any:
    return softmax(q @ k.T / 8) @ v


def normed(x: Any) -> Any:
    c = x - x.mean(-1, keepdims=True)
    return c / np.sqrt((c * c).mean(-1, keepdims=True) + 1e-5)


def perceptron(v: Any, w: Any, x: Any) -> Any:
    return (np.tanh(normed(x @ v)) @ w) ** 2


def both_ways(x: Any) -> Any:
    return sum((np.log(np.exp(x - x.max(k, keepdims=True)).sum(k)) + x.max(k)).mean() for k in (0, 1))


def lorenz(s: Any) -> Any:
    return np.stack([10 * (s[1] - s[0]), s[0] * (28 - s[2]) - s[1], s[0] * s[1] - 2.6 * s[2]])


def runge_kutta(s: Any) -> Any:
    for _ in range(3):
        a = lorenz(s)
        b = lorenz(s + 0.005 * a)
        c = lorenz(s + 0.005 * b)
        s = s + 0.01 / 6 * (a + 2 * b + 2 * c + lorenz(s + 0.01 * c))
    return s


def clipped(*gradients: Any) -> Any:
    return tuple(g / np.sqrt(sum((g * g).sum() for g in gradients)) for g in gradients)


def three_of_one(x: Any) -> Any:
    def inner(a: Any) -> Any:
        e = np.exp(a) * np.sin(a) + a
        return e * a, e + a, e - a

    y, z, w = ft.vmap(inner)(x)
    return np.roll(y, 1) + z[::-1] * w, y.sum()


def six_of_one(x: Any) -> Any:
    def inner(a: Any) -> Any:
        e = np.exp(np.sin(a * np.cos(a)) + a) * np.tanh(a)
        return tuple(e * k for k in range(2, 8))

    return tuple(np.roll(y, k) for k, y in enumerate(ft.vmap(inner)(x)))


def head(x: Any) -> Any:
    y = x[:3]
    return np.tanh(np.sin(y) * y).sum()


def total(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: (f(*args) ** 2).sum()


def summed(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: sum((y * np.cos(y)).sum() for y in f(*args))


def words(f: Callable[..., Any], args: Arrays, scalar: bool = False) -> Iterator[tuple[str, Body]]:
    """A function and what the transforms make of it."""
    g, all_of = f if scalar else total(f), tuple(range(len(args)))
    batch = tuple(np.stack([a * k for k in range(1, SEVERAL + 1)]) for a in args)
    yield "", (f, args)
    yield "jvp of ", (lambda *a: ft.jvp(f, a, a), args)
    yield "value and gradient of ", (ft.value_and_grad(g, argnums=all_of), args)
    yield "vmap of ", (ft.vmap(f), batch)
    yield "vmap of gradient of ", (ft.vmap(ft.grad(g, argnums=all_of)), batch)
    yield "hessian product of ", (lambda *a: ft.jvp(ft.grad(g, argnums=all_of), a, a), args)


U, P, Z = RNG.uniform(size=64), np.array([0.1, 0.2, 0.3]), RNG.uniform(size=(100, 2))
W, X, Y = RNG.normal(size=10), RNG.normal(size=(200, 10)), np.sign(RNG.normal(size=200))
POINTS = RNG.uniform(size=(20, 3))
GRADIENTS = tuple(RNG.normal(size=(10 + k, 5)) for k in range(6))

NAMED: list[tuple[str, Callable[..., Any], Arrays, bool]] = [
    ("nested maps", nested, (RNG.uniform(size=7), RNG.uniform(size=8), RNG.uniform(size=9)), True),
    ("pair forces", repulsion, (POINTS,), True),
    ("pair forces by maps", attraction, (POINTS,), True),
    ("stencil by roll", rolled, (U,), False),
    ("cheap chain by roll", shifted, (U,), False),
    ("stencil by at", updated, (U,), False),
    ("cheap chain of slices", windows, (U,), False),
    ("attention", attention, tuple(RNG.normal(size=(3, 12, 8))), False),
    ("perceptron with layernorm", perceptron,
     (RNG.normal(size=(8, 16)), RNG.normal(size=(16, 4)), RNG.normal(size=(32, 8))), False),
    ("Runge and Kutta", runge_kutta, (RNG.uniform(size=3),), False),
    ("Runge and Kutta mapped", ft.vmap(runge_kutta), (RNG.uniform(size=(10, 3)),), False),
    ("softmax of softmax", lambda x: softmax(softmax(x)), (RNG.uniform(size=(12, 40)),), False),
    ("cumsum of exp", lambda x: np.cumsum(np.exp(x)), (U,), False),
]  # fmt: skip
BODIES: dict[str, Body] = {}
for name, f, args, scalar in NAMED:
    BODIES |= {word + name: body for word, body in words(f, args, scalar)}
BODIES |= {word + "logistic regression": body for word, body in words(lambda w: mean_loss(w, 0.1, X, Y), (W,), True)}
BODIES |= {
    "gradients of logistic regression": (ft.value_and_grad(mean_loss, argnums=(0, 1)), (W, 0.1, X, Y)),
    "hessian of logistic regression": (ft.hessian(lambda w: mean_loss(w, 0.1, X, Y)), (W,)),
    "gradient of logsumexp of rows and of columns": (ft.grad(both_ways), (RNG.uniform(size=(200, 200)),)),
    "clipping by the norm of all": (clipped, GRADIENTS),
    "three values of one map": (three_of_one, (U,)),
    "six values of one map": (six_of_one, (U,)),
    "gradient by few elements": (ft.grad(head), (U,)),
}


@pytest.mark.parametrize("name", BODIES)
def test_bodies(name: str) -> None:
    f, args = BODIES[name]
    asked, done = work(f, *args)
    assert done <= 2 * asked


@cache
def flops_of_each(steps: int) -> int:
    """The operations of the gradients of all paths."""
    return ft.jit(ft.vmap(ft.grad(lambda p, z: path(p, z, steps)), in_axes=(None, 0))).lower(P, Z).cost().flops


@pytest.mark.parametrize("value", [False, True], ids=["gradient", "value and gradient"])
@pytest.mark.parametrize("f", [mean_of_paths, paths_by_arrays], ids=["mapped", "by arrays"])
@pytest.mark.parametrize("steps", [3, 6, 12, 24])
def test_a_recurrence_is_gone_through_once_for_all_gradients(f: Any, steps: int, value: bool) -> None:
    word = ft.value_and_grad if value else ft.grad
    cost = ft.jit(word(lambda p, z: f(p, z, steps))).lower(P, Z).cost()
    assert cost.flops <= 1.25 * flops_of_each(steps)
    assert cost.kernels == 1
    assert cost.temporaries == 0
    assert cost.bytes_read + cost.bytes_written <= Z.nbytes + P.nbytes * 2 + 8


def test_regression_keeps_no_gradients_of_rows() -> None:
    lowered = ft.jit(ft.value_and_grad(mean_loss, argnums=(0, 1))).lower(W, 0.1, X, Y)
    stored = [d.buffer for d in lowered.program.recorded().decisions if d.stays]
    assert max(int(np.prod(b.arg.shape)) for b in stored) <= len(X)


@pytest.mark.parametrize("seed", range(2))
def test_random_programs(seed: int) -> None:
    found = {}
    for k, (f, args) in enumerate(random_programs(12, seed, steps=9, smooth=True, matrices=False)):
        for word, (h, arguments) in words(summed(f), args, scalar=True):
            asked, done = work(h, *arguments)
            if done > max(2 * asked, FEW):
                found[k, word] = (asked, done, f)
    assert found == {}
