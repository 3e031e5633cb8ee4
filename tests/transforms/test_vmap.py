"""vmap: axes, pytrees, captured values, nesting, and what comes back."""

from __future__ import annotations

import functools
import math
import operator
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.backend.runtime import library
from tests.laws.references import assert_close, loop

RNG = np.random.default_rng(2)
X = RNG.normal(size=(2, 3, 4))
Pair = namedtuple("Pair", "left right")


class Body:
    """A class of the user's: two arrays and a name."""

    def __init__(self, mass: Any, place: Any, name: str) -> None:
        self.mass, self.place, self.name = mass, place, name


ft.register_pytree(Body, lambda b: ((b.mass, b.place), b.name), lambda name, c: Body(*c, name))


# axes


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_in_axes(axis: int) -> None:
    got = ft.vmap(lambda x: (x * 2 - x.sum(axis=0), x.T @ x), in_axes=axis)(X)
    for g, w in zip(got, loop(lambda x: (x * 2 - x.sum(axis=0), x.T @ x), [axis])(X), strict=True):
        assert_close(g, w)


@pytest.mark.parametrize("out", [0, 1, 2, -1, -2, -3])
def test_out_axis(out: int) -> None:
    assert_close(ft.vmap(np.sin, out_axis=out)(X), np.moveaxis(np.sin(X), 0, out))


def test_mixed_axes() -> None:
    a, b = RNG.normal(size=(5, 2)), RNG.normal(size=(2, 5, 3))

    def f(a: Any, b: Any, c: Any) -> Any:
        return a[:, None] * b + c, a.sum() * c

    got = ft.vmap(f, in_axes=(0, 1, None), out_axis=(-1, 0))(a, b, 2.5)
    whole = a[:, :, None] * b.transpose(1, 0, 2) + 2.5
    assert_close(got[0], np.moveaxis(whole, 0, -1))
    assert_close(got[1], a.sum(1) * 2.5)


def test_axes_and_results_are_prefixes() -> None:
    """One axis stands for all below it; results have their own."""

    def f(state: Any, scale: Any) -> Any:
        x, y = state["pair"]
        return {"sum": x + y, "both": (x * scale, [y, scale])}

    x, y = RNG.normal(size=(3, 2)), RNG.normal(size=(2, 3))
    axes = ({"pair": (0, 1)}, None)
    got = ft.vmap(f, in_axes=axes, out_axis={"sum": 0, "both": (1, 0)})({"pair": (x, y)}, 2.0)
    assert_close(got["sum"], x + y.T)
    assert_close(got["both"][0], (2 * x).T)
    assert_close(got["both"][1][0], y.T)
    assert_close(got["both"][1][1], np.full(3, 2.0))
    same = ft.vmap(f, in_axes=(1, None), out_axis=-1)({"pair": [y, y]}, 2.0)
    assert_close(same["sum"], 2 * y)


def test_containers_of_every_kind() -> None:
    bodies = Body(RNG.normal(size=4), RNG.normal(size=(4, 2)), "moon")

    def step(pair: Any, body: Any, nothing: None) -> Any:
        assert nothing is None and body.name == "moon"
        moved = Body(body.mass, body.place + pair.left, body.name)
        return Pair(pair.right * body.mass, None), [moved], ()

    left, right = RNG.normal(size=(4, 2)), RNG.normal(size=4)
    pair, moved, empty = ft.vmap(step)(Pair(left, right), bodies, None)
    assert type(pair) is Pair and pair.right is None and empty == () and type(moved) is list
    assert_close(pair.left, right * bodies.mass)
    assert_close(moved[0].place, bodies.place + left)
    assert moved[0].name == "moon" and type(moved[0].mass) is np.ndarray


def test_keywords_and_defaults() -> None:
    def f(a: Any, /, b: Any = 3.0, *rest: Any, c: Any = 1.0) -> Any:
        return a * b + c + sum(rest)

    a, c = np.arange(3.0), np.arange(3.0) * 10
    assert_close(ft.vmap(f)(a), a * 3 + 1)
    assert_close(ft.vmap(f)(a, c=c), a * 3 + c)
    assert_close(ft.vmap(f, in_axes=(0, None, 0, 0))(a, 2.0, a, a, c=c), a * 2 + c + 2 * a)


@pytest.mark.parametrize(
    "f, wanted",
    [
        (np.sin, np.sin(X)), (np.sum, X.sum((1, 2))), (operator.neg, -X), (fnp.cos, np.cos(X)),
        (functools.partial(np.sum, axis=1), X.sum(2)), (ft.Tensor.sum, X.sum((1, 2))), (len, np.array([3, 3])),
        (lambda x: x.shape, (np.array([3, 3]), np.array([4, 4]))), (ft.jit(np.sin), np.sin(X)),
    ],
)  # fmt: skip
def test_functions_of_every_kind(f: Any, wanted: Any) -> None:
    got = ft.vmap(f)(X)
    for g, w in zip(got, wanted, strict=True) if isinstance(wanted, tuple) else [(got, wanted)]:
        assert_close(g, w)


def test_keeps_the_name_and_the_text() -> None:
    def f(x: Any) -> Any:
        """What it does."""

    assert (ft.vmap(f).__name__, ft.vmap(f).__doc__) == ("f", "What it does.")


# results


def test_what_ignores_the_batch_is_repeated() -> None:
    table = np.arange(6.0).reshape(2, 3)

    def f(x: Any, shared: Any) -> Any:
        return 1.0, True, table, shared * 2, np.float32(3), {"inner": ft.vmap(np.sin)(table)}

    got = ft.vmap(f, in_axes=(0, None), out_axis=(0, 0, 1, -1, 0, 0))(np.zeros(4), np.arange(5))
    assert_close(got[0], np.ones(4))
    assert_close(got[1], np.ones(4, bool))
    assert_close(got[2], np.repeat(table[:, None], 4, 1))
    assert_close(got[3], np.repeat(2 * np.arange(5)[:, None], 4, 1))
    assert_close(got[4], np.full(4, 3, np.float32))
    assert_close(got[5]["inner"], np.stack([np.sin(table)] * 4))


def test_axis_size_alone() -> None:
    assert_close(ft.vmap(lambda: np.arange(3), axis_size=2)(), np.stack([np.arange(3)] * 2))
    assert_close(ft.vmap(lambda x: x * 2, in_axes=None, axis_size=2)(X), np.stack([2 * X] * 2))
    assert ft.vmap(lambda: 1.0, axis_size=0)().shape == (0,)


@pytest.mark.parametrize("n", [0, 1])
def test_batches_of_none_and_of_one(n: int) -> None:
    """The axis keeps its role, whatever its size: also beside other axes of size one, in nests and reductions."""

    def f(x: Any, c: Any) -> Any:
        rows = ft.vmap(lambda r: r.sum() * c.max() + x.mean(), in_axes=1)(x)
        return x / (1 + (x * x).sum()), rows, x[:, 0], np.concatenate([x, c]), x @ x.T, np.cumsum(x, 0), np.argmax(x, 1)

    x, c = RNG.normal(size=(1, 4, n)), RNG.normal(size=(1, 4))
    got = ft.vmap(f, in_axes=(2, None))(x, c)

    def plain(x: Any, c: Any) -> Any:
        rows = x.sum(0) * c.max() + x.mean()
        return x / (1 + (x * x).sum()), rows, x[:, 0], np.concatenate([x, c]), x @ x.T, np.cumsum(x, 0), np.argmax(x, 1)

    for g, w in zip(got, loop(plain, [2, None])(x, c), strict=True):
        assert_close(g, w)


def test_arrays_in_arrays_out_tensors_in_tensors_out() -> None:
    f = ft.vmap(lambda x, y: x + y.sum(), in_axes=(0, None))
    assert type(f(X, X)) is np.ndarray
    for args in [(ft.Tensor(X), X), (X, ft.Tensor(X)), (ft.Tensor(X), ft.Tensor(X))]:
        got = f(*args)
        assert type(got) is ft.Tensor
        assert_close(got.numpy(), X + X.sum())
    assert type(f([X[0], X[1]][0], 2.0)) is np.ndarray


def test_inside_a_trace_results_are_tensors() -> None:
    seen: list[Any] = []

    def f(x: Any) -> Any:
        seen.append(ft.vmap(np.sin)(np.ones(3)))  # of plain arrays, and yet in a trace
        return x + seen[-1].sum()

    assert_close(ft.vmap(f)(np.zeros(2)), np.full(2, 3 * math.sin(1)))
    assert type(seen[0]) is ft.Tensor


def test_results_share_no_memory() -> None:
    captured = np.arange(4.0)
    x = np.arange(8.0).reshape(2, 4)
    f = ft.vmap(lambda r: (r, r, captured, r[::-1], r.reshape(2, 2)))
    first = f(x)
    arrays = [x, captured, *first, *f(x)]
    for k, a in enumerate(arrays):
        for b in arrays[:k]:
            assert not np.shares_memory(a, b)
    for a in first:
        a[...] = -1.0  # every one is writable, and nothing else changes
    assert_close(x, np.arange(8.0).reshape(2, 4))
    assert_close(f(x)[2], np.stack([np.arange(4.0)] * 2))


# captured values


def test_captured_arrays_are_copied_when_traced() -> None:
    table = np.arange(3.0)
    f = ft.vmap(lambda x: x * table)
    assert_close(f(np.ones(2)[:, None]), np.stack([np.arange(3.0)] * 2))
    table += 1  # the next call traces again and sees it
    assert_close(f(np.ones(2)[:, None]), np.stack([np.arange(3.0) + 1] * 2))


def test_captured_arrays_are_the_same_for_every_lane() -> None:
    """One whose leading size happens to be the batch is not mapped all the same."""
    table = RNG.normal(size=(2, 3, 4))
    assert_close(ft.vmap(lambda x: (table * x).sum(axis=1))(X), np.stack([(table * x).sum(axis=1) for x in X]))


def test_captured_outer_lanes() -> None:
    """Inner functions close over values of the outer map, before and after reductions of them."""

    def outer(row: Any) -> Any:
        centre = row.mean()
        return ft.vmap(lambda e: (e - centre) * row + table, out_axis=1)(row * 2)

    table = np.arange(4.0)
    rows = RNG.normal(size=(3, 4))
    wanted = np.stack([((2 * r - r.mean())[:, None] * r + table).T for r in rows])
    assert_close(ft.vmap(outer)(rows), wanted)


def test_inner_maps_of_captured_lanes_alone() -> None:
    """The inner map's own argument is constant; all that varies is captured."""
    rows = RNG.normal(size=(3, 4))
    got = ft.vmap(lambda row: ft.vmap(lambda k: row[::-1] * k)(np.arange(2.0)))(rows)
    assert_close(got, rows[:, None, ::-1] * np.arange(2.0)[:, None])


# nesting


@pytest.mark.parametrize("depth", range(1, 7))
def test_nests_with_an_axis_of_their_own(depth: int) -> None:
    """Each level maps another axis and puts it elsewhere; sizes all differ, so that no two can be mistaken."""
    shape: tuple[int, ...] = (3,)

    def f(v: Any) -> Any:
        return v * v.sum() - np.stack([v[2], v[0], v[1]])

    mapped, plain = f, f
    for level, size in enumerate((2, 5, 1, 4, 2, 3)[:depth]):
        axis, out = (2 * level) % (len(shape) + 1), -1 if level % 2 else 0
        shape = (*shape[:axis], size, *shape[axis:])
        given = axis - len(shape) if level % 3 == 1 else axis
        mapped, plain = ft.vmap(mapped, given, out), loop(plain, [given], out)
    x = RNG.normal(size=shape)
    assert_close(mapped(x), plain(x))


def test_one_map_used_twice_and_a_map_of_itself() -> None:
    total = ft.vmap(np.sum)
    x = RNG.normal(size=(2, 3, 4))
    assert_close(ft.vmap(lambda m: total(m) + total(m.T).sum())(x), x.sum(2) + x.sum((1, 2))[:, None])
    assert_close(ft.vmap(total)(x), x.sum(2))


def test_matrix_of_all_pairs() -> None:
    a, b = RNG.normal(size=(3, 2)), RNG.normal(size=(5, 2))
    distance = ft.vmap(ft.vmap(lambda p, q: np.sqrt(((p - q) ** 2).sum()), (None, 0)), (0, None))
    assert_close(distance(a, b), np.sqrt(((a[:, None] - b[None]) ** 2).sum(-1)))
    other = ft.vmap(ft.vmap(lambda p, q: np.sqrt(((p - q) ** 2).sum()), (0, None)), (None, 0))
    assert_close(other(a, b), distance(a, b).T, 0.0)


def test_brackets_by_one_range_each() -> None:
    """Sizes alike at every level: an order of axes that is sorted or swapped would show."""
    x = RNG.normal(size=(3, 3, 3))
    got = ft.vmap(lambda m: ft.vmap(lambda r, k: r * k, (1, 0))(m, m[0]), out_axis=1)(x)
    assert_close(got, np.stack([np.stack([m[:, j] * m[0, j] for j in range(3)]) for m in x], axis=1))


# the machine


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum()


def test_a_row_does_not_depend_on_the_batch() -> None:
    """Bit for bit: whatever the size of the batch, and wherever the row stands in it."""
    rows = RNG.normal(size=(9, 37)) * 3
    f = ft.vmap(lambda r: (softmax(r), r.sum(), np.cumsum(r), r @ rows[0]))
    all_rows = f(rows)
    for part in (slice(0, 1), slice(3, 8), slice(8, None, -1), slice(4, 5)):
        for a, b in zip(f(rows[part]), all_rows, strict=True):
            assert np.array_equal(a, b[part])


def test_another_batch_is_the_same_code() -> None:
    f = ft.jit(ft.vmap(softmax))
    texts = {f.lower(np.zeros((n, 4))).c_source for n in (1, 2, 7, 1000)}
    assert len(texts) == 1
    for n in (2, 7):
        f(np.zeros((n, 4)))
    known = len(library._entries)
    for n in (1, 3, 50):
        assert_close(f(np.zeros((n, 4))), np.full((n, 4), 0.25))
    assert len(library._entries) == known, "nothing was compiled or loaded for another batch"


def test_inputs_laid_out_in_every_way() -> None:
    base = RNG.normal(size=(4, 6))
    f = ft.vmap(lambda x: x * 2 + x.sum())
    plain = loop(lambda x: x * 2 + x.sum(), [0])
    frozen = base.copy()
    frozen.flags.writeable = False
    raw = np.zeros(base.nbytes + 1, np.uint8)[1:].view(np.float64).reshape(base.shape)
    raw[...] = base
    assert not raw.flags.aligned
    layouts = {
        "columns": np.asfortranarray(base), "part": base[1:, ::2], "backwards": base[::-1, ::-1],
        "transposed": base.T, "frozen": frozen, "unaligned": raw, "big endian": base.astype(">f8"),
        "repeated": np.broadcast_to(base[0], (3, 6)), "small": base.astype(np.float32), "empty": base[:, :0],
        "integers": np.arange(6).reshape(2, 3), "bools": base > 0,
        "subclass": base.view(type("Mine", (np.ndarray,), {})),
    }  # fmt: skip
    for name, x in layouts.items():
        before = x.copy()
        wanted = plain(np.asarray(x).astype(x.dtype.newbyteorder("=")))
        assert_close(f(x), wanted, 1e-6 if x.dtype == np.float32 else 1e-12, name)
        assert np.array_equal(x, before), name
