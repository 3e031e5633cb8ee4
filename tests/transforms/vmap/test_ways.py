"""Six ways to write one map: the same bits for every value there is, what other designs broke, and launches counted."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from math import prod
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans import dtypes
from functrans.backend import pipeline
from functrans.ops import AxisType, Ops, UOp
from functrans.ops.vmap import extent
from functrans.testing.updates import at
from tests.laws.references import assert_close, complex_step, loop

METHODS, KINDS = ("vmapin", "rewrite", "pad_reduce"), ("loop", "outer")
WAYS = list(itertools.product(METHODS, KINDS))
RNG = np.random.default_rng(12)
each_way = pytest.mark.parametrize("method, kind", WAYS)


def one_nan(results: Any) -> list[Any]:
    """With every NaN the same: which of two NaN operands gives a product its payload is the compiler's choice."""
    return [np.where(np.isnan(r), r.dtype.type(np.nan), r) if r.dtype.kind in "fc" else r for r in results]


def same_bits(got: Any, wanted: Any, names: Iterable[Any]) -> None:
    for name, g, w in zip(names, got, wanted, strict=True):
        assert (g.shape, g.dtype) == (w.shape, w.dtype), name
        assert g.tobytes() == w.tobytes(), f"{name}: {g} is not {w}"


# values that only bits tell apart

NANS = np.array([0x7FF8000000000123, 0xFFF8000000000001], np.uint64).view(np.float64)  # with a payload, with a sign
STRANGE = np.array(
    [[0.0, -0.0, np.inf, -np.inf], [*NANS, 1e-310, -0.0], [-0.0] * 4, [1.5, -2.0, -0.0, 5e-324]]
)  # fmt: skip
AS_THEY_ARE: dict[str, Callable[[Any], Any]] = {
    "the argument": lambda x: x, "flipped": lambda x: x[::-1], "gathered": lambda x: x[[0, 3, 1]],
    "joined": lambda x: np.concatenate([x, x[:1]]), "stacked": lambda x: np.stack([x, x]),
    "padded": lambda x: np.pad(x, 1, constant_values=-0.0), "expanded": lambda x: np.broadcast_to(x[0], (3,)),
    "chosen": lambda x: np.where(np.array([True, False, True, False]), x, -0.0),
    "captured": lambda x: np.array(STRANGE[1]), "first of two": lambda x: x.reshape(2, 2)[0],
}  # fmt: skip
COMPUTED: dict[str, Callable[[Any], Any]] = {
    "negated": lambda x: -x, "sum": lambda x: x.sum(), "running": lambda x: np.cumsum(x), "largest": lambda x: x.max(),
    "product": lambda x: x.prod(), "in order": lambda x: np.sort(x), "order": lambda x: np.argsort(x, kind="stable"),
    "positive": lambda x: x > 0, "all": lambda x: np.all(x > -1), "any": lambda x: np.any(x != x),
    "place": lambda x: np.argmax(x), "complex": lambda x: x * (1 - 2j), "real part": lambda x: (x + 0j).real,
    "single": lambda x: x.astype(np.float32), "half": lambda x: x.astype(np.float16),
    "bytes": lambda x: (x == x).astype(np.uint8), "wide": lambda x: (x > 0).astype(np.uint64) * np.uint64(2**63 + 1),
    "narrow": lambda x: (x < 0).astype(np.int8) * np.int8(-128), "constant": lambda x: np.full(2, -0.0),
    "less its largest": lambda x: x - x.max(), "at its largest": lambda x: x[x.argmax()], "mean": lambda x: x.mean(),
}  # fmt: skip


def every(x: Any) -> tuple[Any, ...]:
    return tuple(f(x) for f in (*AS_THEY_ARE.values(), *COMPUTED.values()))


@pytest.fixture(scope="module")
def strange() -> dict[tuple[int, str, str], Any]:
    return {
        (axis, m, k): ft.jit(ft.vmap(every, axis, method=m, axis_type=k))(np.moveaxis(STRANGE, 0, axis))
        for axis in (0, 1) for m, k in WAYS
    }  # fmt: skip


@each_way
def test_nan_bool_integers_signed_zeros_and_infinities(method: str, kind: str, strange: dict[Any, Any]) -> None:
    got = strange[0, method, kind]
    first = len(AS_THEY_ARE)
    for one, other in ((got, strange[0, "vmapin", "loop"]), (strange[1, method, kind], got)):
        same_bits(one[:first], other[:first], AS_THEY_ARE)
        same_bits(one_nan(one[first:]), one_nan(other[first:]), COMPUTED)
    with np.errstate(all="ignore"):
        wanted = loop(every, [0])(STRANGE)
    same_bits(got[: len(AS_THEY_ARE)], wanted[: len(AS_THEY_ARE)], AS_THEY_ARE)
    for name, g, w in zip(COMPUTED, got[len(AS_THEY_ARE) :], wanted[len(AS_THEY_ARE) :], strict=True):
        np.testing.assert_array_equal(g, w, err_msg=name, strict=True)
        if w.dtype.kind == "f":
            numbers = ~np.isnan(w)
            np.testing.assert_array_equal(np.signbit(g)[numbers], np.signbit(w)[numbers], err_msg=name)


def of_every_dtype() -> tuple[Any, ...]:
    """Arrays of all dtypes with bits of every pattern, whose axis 1 is the batch."""
    found = []
    for dtype in dtypes.ALL:
        raw = RNG.integers(0, 256, (3, 2, 4 * dtype.itemsize), np.uint8)
        found.append(raw[..., :4] > 127 if dtype.kind == "b" else raw.view(dtype.numpy))
    return tuple(found)


@each_way
def test_moving_changes_no_bit_of_any_dtype(method: str, kind: str) -> None:
    def moved(*arrays: Any) -> tuple[Any, ...]:
        return tuple(y for v in arrays for y in (v[::-1], v.T, np.stack([v, v]), v[[1, 1, 0]]))

    arrays = of_every_dtype()
    got = ft.jit(ft.vmap(moved, 1, -1, method=method, axis_type=kind))(*arrays)
    same_bits(got, loop(moved, [1] * len(arrays), -1)(*arrays), range(4 * len(arrays)))


# sizes of nothing and one


def centred(x: Any) -> Any:
    return x - x.mean(), np.cumsum(x, axis=0), x.reshape(-1)[:, None] * x.sum(), np.sort(x, axis=1), (x > 0).any()


@each_way
@pytest.mark.parametrize("shape", [(0, 2, 3), (1, 2, 3), (1, 1, 1), (0, 1, 1), (3, 1, 4)], ids=str)
@pytest.mark.parametrize("axis", [0, 2])
def test_batches_of_none_and_of_one(shape: tuple[int, ...], axis: int, method: str, kind: str) -> None:
    x = np.moveaxis(RNG.normal(size=shape), 0, axis)
    f = ft.jit(ft.vmap(centred, axis, method=method, axis_type=kind))
    for g, w in zip(f(x), loop(centred, [axis])(x), strict=True):
        assert_close(g, w)
    launches = {k.launches for k in f.lower(x).kernels}
    assert launches - ({1} if shape[0] == 0 else set()) <= {shape[0] if kind == "outer" else 1}


@each_way
@pytest.mark.parametrize("sizes", list(itertools.product((0, 1, 2), repeat=2)), ids=str)
def test_nests_of_none_one_and_two(sizes: tuple[int, int], method: str, kind: str) -> None:
    x = RNG.normal(size=(*sizes, 2, 3))
    inner, plain = ft.vmap(centred, 1, -1, method=method, axis_type=kind), loop(centred, [1], -1)
    f = ft.vmap(lambda m: inner(m.transpose(1, 0, 2)), method=method, axis_type=kind)
    for g, w in zip(f(x), loop(lambda m: plain(m.transpose(1, 0, 2)), [0])(x), strict=True):
        assert_close(g, w)


def test_sizes_are_compared() -> None:
    """A loop of six must not read five rows, nor be taken for the inner or the captured axis of that size."""
    for method, kind in WAYS:
        with pytest.raises(ft.ShapeError, match=r"had size 6: .*argument a .*\n.*had size 5: .*argument b"):
            ft.vmap(lambda a, b: a * b, method=method, axis_type=kind)(np.ones((6, 2)), np.ones((5, 2)))
        with pytest.raises(ft.ShapeError, match="had size 3: the argument axis_size"):
            ft.vmap(lambda a: a, axis_size=3, method=method, axis_type=kind)(np.ones(2))


# bodies that the seeds' own implementation failed on or got wrong


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


BROKEN: dict[str, Callable[[Any], Any]] = {
    "softmax": softmax,
    "layernorm": lambda x: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5),
    "var": lambda x: x.var(axis=0), "argmax": lambda x: x.argmax(axis=1), "sort": lambda x: np.sort(x, axis=0),
    "x * x.sum()": lambda x: x * x.sum(),
    "contiguous": lambda x: (2 * x).contiguous().sum(axis=0) + x[0] if hasattr(x, "uop") else (2 * x).sum(0) + x[0],
}  # fmt: skip
X = RNG.normal(size=(2, 4, 3, 5))


@each_way
def test_bodies_that_raised(method: str, kind: str) -> None:
    """In one map, and at depth 3: reductions there raised too."""
    f = lambda x: tuple(body(x) for body in BROKEN.values())  # noqa: E731
    one = ft.jit(ft.vmap(f, 2, method=method, axis_type=kind))(X[0])
    x, deep, plain = RNG.normal(size=(2, 3, 2, 4, 3)), f, f
    for axis in (1, 0, 2):
        deep, plain = ft.vmap(deep, axis, -1, method=method, axis_type=kind), loop(plain, [axis], -1)
    for got, wanted in ((one, loop(f, [2])(X[0])), (ft.jit(deep)(x), plain(x))):
        for name, g, w in zip(BROKEN, got, wanted, strict=True):
            assert_close(g, w, 1e-12, name)


@each_way
def test_derivatives_along_vectors_through_a_nest(method: str, kind: str) -> None:
    """The original gave the wrong columns, silently."""
    way = {"method": method, "axis_type": kind}
    nest = ft.vmap(ft.vmap(lambda r: r * (r * r).sum() + np.sin(r)[::-1], 1, 1, **way), 1, **way)
    plain = loop(loop(lambda r: r * (r * r).sum() + np.sin(r)[::-1], [1], 1), [1])
    x, t = RNG.normal(size=(3, 2, 4)), RNG.normal(size=(3, 2, 4))
    assert_close(ft.jit(lambda x, t: ft.jvp(nest, (x,), (t,))[1])(x, t), complex_step(plain, (x,), (t,)))
    units = np.eye(24).reshape(24, 3, 2, 4)
    columns = ft.vmap(lambda u: ft.jvp(nest, (x,), (u,))[1], **way)(units)
    for k in range(24):
        assert_close(columns[k], complex_step(plain, (x,), (units[k],)))


@each_way
def test_gradients_of_every_lane(method: str, kind: str) -> None:
    """``vmap(grad f)`` summed over the batch; and the gradient of a sum over lanes, what they share included."""
    way = {"method": method, "axis_type": kind}
    x, w = RNG.normal(size=(4, 3)), RNG.normal(size=3)

    def f(x: Any, w: Any) -> Any:
        return np.sin(x * w).sum() * x[0]

    def gradients(x: Any, w: Any) -> tuple[Any, Any]:
        c, s = np.cos(x * w), np.sin(x * w).sum()
        return c * w * x[0] + s * np.eye(3)[0], c * x * x[0]

    rows = [gradients(row, w) for row in x]
    got = ft.vmap(ft.grad(f, (0, 1)), (0, None), **way)(x, w)
    for k in (0, 1):
        assert_close(got[k], np.stack([r[k] for r in rows]))
    total = ft.grad(lambda x, w: ft.vmap(f, (0, None), **way)(x, w).sum(), (0, 1))(x, w)
    assert_close(total[0], np.stack([r[0] for r in rows]))
    assert_close(total[1], sum(r[1] for r in rows))


@each_way
def test_the_shape_inside_does_not_change(method: str, kind: str) -> None:
    """What is made to be stored in the middle of a lane has still the shape of a lane."""
    seen = []

    def f(x: Any) -> Any:
        y = (x * x.sum()).contiguous()
        z = ft.vmap(lambda r: r - r.mean(), 1, 1, method=method, axis_type=kind)(y)
        seen.append([v.shape for v in (x, y, z, z + 1, y[0])])
        return z.T

    assert ft.vmap(f, 1, -1, method=method, axis_type=kind)(X[0]).shape == (5, 4, 3)
    assert seen == [[(4, 5), (4, 5), (4, 5), (4, 5), (5,)]]
    inner = ft.Tensor(X[0])
    ft.vmap(lambda x: x * 2, method=method, axis_type=kind)(inner).realize()
    assert inner.shape == (4, 3, 5)


# what happened to an array before it is mapped, along the mapped axis and others

BEFORE: dict[str, Callable[[Any], Any]] = {  # of an array (4, 3, 2)
    "padded": lambda x: np.pad(x, ((1, 2), (0, 0), (0, 0))),
    "padded inside": lambda x: np.pad(x, ((0, 0), (2, 1), (0, 0))),
    "cut": lambda x: x[1:3], "cut inside": lambda x: x[:, 1:], "flipped": lambda x: x[::-1],
    "flipped inside": lambda x: x[:, ::-1],
    "every other": lambda x: x[::2],
    "joined": lambda x: np.concatenate([x, 2 * x]),
    "joined inside": lambda x: np.concatenate([x, 2 * x], axis=1), "stacked": lambda x: np.stack([x, -x]),
    "stacked inside": lambda x: np.stack([x, -x, x + 1], axis=1), "running": lambda x: np.cumsum(x, axis=0),
    "running inside": lambda x: np.cumsum(x, axis=1), "in order": lambda x: np.sort(x, axis=0),
    "in order inside": lambda x: np.sort(x, axis=1), "split": lambda x: x.reshape(2, 2, 3, 2),
    "merged": lambda x: x.reshape(12, 2),
    "regrouped": lambda x: x.reshape(3, 4, 2),
    "with ones": lambda x: x.reshape(1, 4, 1, 3, 2),
    "repeated": lambda x: np.broadcast_to(x[:1], (5, 3, 2)),
    "repeated inside": lambda x: np.broadcast_to(x[:, :1], (4, 5, 2)),
    "transposed": lambda x: np.transpose(x, (1, 2, 0)),
    "summed": lambda x: x.sum(axis=0),
    "summed inside": lambda x: x.sum(axis=1),
    "largest": lambda x: x.max(axis=1, keepdims=True) * x,
    "gathered": lambda x: x[[2, 0, 1]],
    "gathered inside": lambda x: x[:, [1, 0]],
    "picked": lambda x: x[[0, 1, 2], [2, 0, 1]], "diagonal": lambda x: x[np.arange(3), np.arange(3)],
    "updated": lambda x: at(x, [1, 1, 3], "add", x[:3]),
    "updated inside": lambda x: at(x, (slice(None), [2, 0, 2]), "add", x),
    "mapped": lambda x: x * x.sum(axis=(0, 2), keepdims=True), "read in two ways": lambda x: x[::-1] + x,
    "read in three ways": lambda x: np.sin(x)[::-1] * np.sin(x) - np.sin(x)[:1],
}  # fmt: skip


@each_way
@pytest.mark.parametrize("axis", [0, 1])
def test_before_the_map(axis: int, method: str, kind: str) -> None:
    """A slice is taken where the axis is still the batch axis, and no earlier."""
    x = RNG.normal(size=(4, 3, 2))
    body = lambda r: r * r.sum() + r.max()  # noqa: E731
    mapped = ft.vmap(body, axis, method=method, axis_type=kind)
    got = ft.jit(lambda x: tuple(mapped(f(x)) for f in BEFORE.values()))(x)
    for (name, f), g in zip(BEFORE.items(), got, strict=True):
        assert_close(g, loop(body, [axis])(f(x)), 1e-12, name)


# nests


TABLE = np.arange(12.0).reshape(3, 4) / 7


def nested(x: Any, mapped: Callable[..., Any]) -> Any:
    """Of a lane (3, 4): a map of its rows, which captures a number and a row of the lane, and what no map reaches."""
    total, second = x.sum(), x[1]
    done = mapped(lambda r, c: (r - total) * second + c * TABLE[0], (0, 0), 1)(x, TABLE)
    return done + done.max(axis=0), done[::-1].sum(axis=1), x[0] * total


@functools.cache
def two_levels(compiled: bool) -> tuple[Any, Any, Any]:
    """The argument, what the map of maps gives by compiled code or by the oracle, and the plain loop."""
    x = RNG.normal(size=(3, 5, 4))
    f = ft.vmap(lambda lane: nested(lane, ft.vmap), 1, 1)
    return x, ft.jit(f)(x), loop(lambda lane: nested(lane, loop), [1], 1)(x)


@pytest.mark.parametrize("ways", list(itertools.product(WAYS, repeat=2)), ids=str)
def test_two_levels_in_every_mix(ways: tuple[tuple[str, str], ...]) -> None:
    """The inner map is finished before the outer sees it; what it captures of the outer lane is one value."""
    (x, reference, plain), names = two_levels(pipeline.available()), ("matrix", "columns", "row")
    inner, outer = ({"method": m, "axis_type": k} for m, k in ways)
    f = ft.jit(ft.vmap(lambda lane: nested(lane, functools.partial(ft.vmap, **inner)), 1, 1, **outer))
    got = f(x)
    for g, w in zip(got, plain, strict=True):
        assert_close(g, w)
    same_bits(got, reference, names)


@pytest.mark.parametrize("seed", range(12))
def test_launches_of_random_mixes(seed: int) -> None:
    """The product of the OUTER extents, in the order of nesting; LOOPs are inside, whatever stands around them."""
    rng = np.random.default_rng(seed)
    depth = int(rng.integers(2, 7))
    sizes = [int(n) for n in rng.integers(1, 4, depth)]
    ways = [WAYS[int(k)] for k in rng.integers(0, len(WAYS), depth)]
    f, shape = softmax, (3,)
    for n, (method, kind) in zip(sizes, ways, strict=True):
        f, shape = ft.vmap(f, method=method, axis_type=kind), (n, *shape)
    made = ft.jit(f).lower(ft.ShapeDtype(shape)).kernels
    outer = [n for n, (_, kind) in zip(sizes, ways, strict=True) if kind == "outer"]
    assert [k.launches for k in made] == [prod(outer)]
    assert [extent(r) for r in made[0].outer] == outer[::-1]


LAUNCHED: dict[str, Callable[[Any], Any]] = BROKEN | {
    "elementwise": lambda x: np.sin(x) * 2, "matmul": lambda x: x @ x.T, "cumsum": lambda x: np.cumsum(x, axis=1),
    "gather": lambda x: x[[2, 0, 2]], "computed gather": lambda x: x[x[:, 0].argmax()],
    "scatter": lambda x: x.at[[1, 1]].add(x[:2]), "join": lambda x: np.concatenate([x, x.sum(axis=0)[None]]),
    "nothing of the batch": lambda x: TABLE * 2, "the argument": lambda x: x,
    "twice in order": lambda x: np.cumsum(np.cumsum(x, axis=0), axis=1),
    "sorted twice": lambda x: np.sort(np.sort(x, axis=0), axis=1), "median": lambda x: np.median(x),
}  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", LAUNCHED)
def test_launches(name: str, method: str) -> None:
    """OUTER: every kernel runs once an element; LOOP: once."""
    x = ft.ShapeDtype((4, 5, 3))
    for kind, launches in (("loop", 1), ("outer", 5)):
        made = ft.jit(ft.vmap(LAUNCHED[name], 1, method=method, axis_type=kind)).lower(x).kernels
        assert {k.launches for k in made} == {launches}, kind


@pytest.mark.parametrize("method", METHODS)
def test_every_range_is_closed_and_what_runs_in_order_is_marked(method: str) -> None:
    """At each store to memory; the loops of a running sum, of a scatter and of a sort must not be turned around."""
    for name, kind in itertools.product(("cumsum", "scatter", "sort", "softmax"), KINDS):
        mapped = ft.vmap(LAUNCHED[name], method=method, axis_type=kind)
        (k,) = ft.jit(mapped).lower(ft.ShapeDtype((5, 4, 3))).kernels
        assert not any(u.free_ranges for u in (*k.roots, *k.stores))
        ranges = {r for u in UOp.sink(*k.roots).toposort() for r in u.src if r.op is Ops.RANGE}
        assert (AxisType.ORDERED in {r.arg[1] for r in ranges}) == (name != "softmax"), (name, kind)
        (batch,) = (r for r in ranges if extent(r) == 5)
        assert batch.arg[1] is (AxisType.OUTER if kind == "outer" else AxisType.LOOP)
