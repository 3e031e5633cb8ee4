"""With all its flags and with no optimization at all, the compiler makes code that gives the same bits.

gcc 12 has made wrong code of right C more than once (decisions 0017 and 0077). What it does without optimization is the
C word by word, so a program whose bits differ shows the next one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import tree
from functrans.backend.runtime import library
from functrans.config import config
from functrans.testing import random_programs
from tests.plans import plan_anew

pytestmark = pytest.mark.usefixtures("compiler")

SHAPES = [(2, 3, 4), (5, 2), (7, 3), (3, 4, 2), (9, 8), (2, 5, 3), (19, 4), (33, 2), (17, 5), (6, 3, 3)]
KINDS = ["where", "where", "where", "sum", "zero", "clip", "max", "row"]
Program = Callable[..., Any]


class Choices:
    """Several results, rows of a few numbers, chosen by the same few conditions among several arrays."""

    def __init__(self, seed: int) -> None:
        draw = self.draw = random.Random(seed)
        shape, count = draw.choice(SHAPES), draw.randint(2, 5)
        rng = np.random.default_rng(seed)
        self.args = [rng.integers(-160, 160, shape) / 64.0 + 1 / 128 for _ in range(count)]
        self.levels = [(self._one(), draw.choice([-0.75, 0.0, 0.5])) for _ in range(draw.randint(1, 2))]
        self.lines = [
            (draw.choice(KINDS), draw.choice(self.levels), [self._one() for _ in range(3)])
            for _ in range(draw.randint(1, 4))
        ]

    def _one(self) -> int:
        return self.draw.randrange(len(self.args))

    def __call__(self, *v: Any) -> tuple[Any, ...]:
        return tuple(_chosen(kind, v[k] > level, *(v[i] for i in at)) for kind, (k, level), at in self.lines)


def _chosen(kind: str, mask: Any, x: Any, y: Any, z: Any) -> Any:
    match kind:
        case "where":
            return np.where(mask, x, y)
        case "sum":
            return np.sum(np.where(mask, x, y * z), axis=-1)
        case "zero":
            return np.where(mask, x, 0.0 * x) * z + np.where(mask, 0.0 * y, y)
        case "clip":
            return np.clip(x, -0.7131, 0.9171) * y + np.where(mask, z, y)
        case "max":
            return np.maximum(x, y) - np.where(mask, z, x)
    return np.where(mask[..., :1], x, np.roll(y, 1, axis=-1))


def choices(seed: int) -> tuple[Program, list[Any]]:
    """The results of a few such programs, and the tangents of some."""
    programs = [Choices(8 * seed + k) for k in range(6)]
    tangents = [[np.cos(3 * x) for x in p.args] for p in programs]

    def run(args: Any, along: Any) -> Any:
        return [
            ft.jvp(p, tuple(x), tuple(t)) if k % 3 else p(*x)
            for k, (p, x, t) in enumerate(zip(programs, args, along, strict=True))
        ]

    return run, [[p.args for p in programs], tangents]


def anything(seed: int) -> tuple[Program, list[Any]]:
    """Random programs, and maps of some."""
    drawn = list(random_programs(4, seed, steps=8, matrices=False))
    args = [[np.stack([x, x / 2, -x]) if k % 2 else x for x in xs] for k, (_, xs) in enumerate(drawn)]
    fs = [ft.vmap(f) if k % 2 else f for k, (f, _) in enumerate(drawn)]
    return lambda given: [f(*xs) for f, xs in zip(fs, given, strict=True)], [args]


def pulled_back(seed: int) -> tuple[Program, list[Any]]:
    """The gradients of random programs."""
    drawn = list(random_programs(3, seed, steps=6, smooth=True, matrices=False))

    def total(f: Program) -> Program:
        return lambda xs: sum(np.sum(np.sin(y)) for y in f(*xs))

    fs = [ft.grad(total(f)) for f, _ in drawn]
    return lambda given: [f(xs) for f, xs in zip(fs, given, strict=True)], [[xs for _, xs in drawn]]


def in_order(seed: int) -> tuple[Program, list[Any]]:
    """Lines of several lengths sorted, of numbers with ties, zeros of both signs and NaN, and of integers."""
    rng = np.random.default_rng(seed)
    found = []
    for n in (5, 16, 40, 700):
        x = rng.choice([0.0, -0.0, 1.0, np.nan, np.inf], (3, n))
        x[1:] = rng.normal(size=(2, n))
        found += [x, x.astype(np.float32), rng.integers(-9, 9, (2, n)), rng.integers(0, 99, (2, n), np.uint32)]
    return lambda given: [np.sort(x) for x in given], [found]


def of_matrices(seed: int) -> tuple[Program, list[Any]]:
    """Small matrices solved, factored and measured, single and in batches, with gradients."""
    rng = np.random.default_rng(seed)
    args = [rng.normal(size=shape).astype(t) + 3 * np.eye(shape[-1], dtype=t)
            for shape in ((2, 2), (3, 3), (4, 3, 3), (2, 3, 2, 2)) for t in (np.float64, np.float32)]  # fmt: skip

    def one(a: Any) -> Any:
        sym = a @ np.swapaxes(a, -1, -2)
        return np.linalg.solve(a, sym), np.linalg.det(a), np.linalg.inv(a), np.linalg.cholesky(sym)

    def total(a: Any) -> Any:
        return sum(np.sum(np.sin(part)) for part in one(a))

    return lambda given: [(one(a), ft.grad(total)(a)) for a in given], [args]


def of_long_rows(seed: int) -> tuple[Program, list[Any]]:
    """Rows whose loops are vectors, of both precisions, with elements behind the last whole vector."""
    rng = np.random.default_rng(seed)
    args = [rng.normal(size=(3, n)).astype(t) for n in (9, 33, 100) for t in (np.float64, np.float32)]

    def one(x: Any) -> Any:
        e, kept = np.exp(x - x.max()), (x > 0.25) & ~np.isnan(x)
        chosen = np.where(kept, np.sqrt(abs(x)), -x)
        waves = np.tanh(x) + np.log1p(x * x) * np.copysign(1.0, x) + np.sin(x) * np.cos(x)
        return e / e.sum(), chosen.sum(), kept.sum(), x.argmax(), waves, np.cumsum(x), x[::-2] * 2.0, abs(x) ** 1.5

    return lambda given: [ft.vmap(one)(x) for x in given], [args]


def of_columns_and_loops(seed: int) -> tuple[Program, list[Any]]:
    """Columns, stencils, and loops whose lanes are vectors."""
    rng = np.random.default_rng(seed)
    args = [rng.normal(size=s).astype(t) for t in (np.float64, np.float32) for s in ((40, 37), (11, 3))]

    def looped(y: Any) -> Any:
        def go(s: Any, _: Any) -> Any:
            return s + 0.1 * np.sin(s) * s[::-1], s.sum()

        first = ft.scan(go, y, None, length=7)
        return first, ft.while_loop(lambda s: (s * s).sum() < 50.0, lambda s: 1.25 * s + 0.01, y)

    def one(a: Any, y: Any) -> Any:
        u = np.roll(a, 1, axis=0) - 2.0 * a + np.roll(a, -1, axis=0)
        return np.tanh(a).sum(axis=0), u * u, a.max(axis=0), np.cumsum(a, axis=0), ft.vmap(looped)(y)

    return lambda given: [one(*given[:2]), one(*given[2:])], [args]


def of_products(seed: int) -> tuple[Program, list[Any]]:
    """Products in tiles: high and low ones, of many terms, inside of a mapped function, and their gradients."""
    rng = np.random.default_rng(seed)
    shapes = ((37, 29), (29, 30), (3, 700), (700, 11), (21, 29))
    args = [rng.normal(size=s).astype(t) for t in (np.float64, np.float32) for s in shapes]

    def one(a: Any, b: Any, c: Any, d: Any, rows: Any) -> Any:
        layers = ft.vmap(lambda x: np.tanh(b.T @ np.tanh(a @ x)[:29]))(rows)
        return a @ b, c @ d, a.T @ a, layers, ft.grad(lambda a: np.sum(np.sin(a @ b)))(a)

    return lambda given: [one(*given[:5]), one(*given[5:])], [args]


def bits(value: Any) -> list[tuple[str, tuple[int, ...], bytes]]:
    """What an array holds to the bit, but for the sign and the payload of NaNs."""
    found = []
    for leaf in map(np.asarray, tree.flatten(value)[0]):
        numbers = np.ascontiguousarray(leaf).reshape(-1).view(leaf.real.dtype)
        whole = np.where(np.isnan(numbers), np.nan, numbers) if numbers.dtype.kind == "f" else numbers
        found.append((leaf.dtype.str, leaf.shape, whole.tobytes()))
    return found


COUNTS = {choices: 10, anything: 3, pulled_back: 3, in_order: 1, of_matrices: 1}
COUNTS |= {of_long_rows: 1, of_columns_and_loops: 1, of_products: 1}
CASES = [(made, seed) for made, count in COUNTS.items() for seed in range(count)]


@pytest.mark.parametrize("made, seed", CASES)
def test_optimization_changes_no_bit(
    made: Callable[[int], tuple[Program, list[Any]]], seed: int, unoptimized: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, args = made(seed)
    others = tree.map(lambda x: x[::-1].copy() if np.ndim(x) else x, args)  # other numbers for the same code
    jitted = ft.jit(run)
    got = bits([jitted(*args), jitted(*others)])
    plan_anew(monkeypatch)
    library.forget()
    jitted = ft.jit(run)
    with config.override(cc=unoptimized):
        wanted = bits([jitted(*args), jitted(*others)])
    library.forget()
    assert [k for k, (g, w) in enumerate(zip(got, wanted, strict=True)) if g != w] == []


def test_a_read_that_one_side_of_a_choice_needs_stays_where_it_stands() -> None:
    # gcc 12 puts it below the branch (-ftree-sink), makes masked reads at a stride of it, and mixes up their masks
    def f(x: Any, y: Any) -> Any:
        z = np.where(y > 0.123, y, x)
        return z, np.maximum(z, z.sum() + 0.1)

    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, 11, 4, 2, 3))
    for k, got in enumerate(ft.jit(ft.vmap(f))(x, y)):
        np.testing.assert_allclose(got, [f(a, b)[k] for a, b in zip(x, y, strict=True)], rtol=1e-13)
