"""Lanes over the batch: the same bits as without them, whatever the batch, and the statements that mean so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.backend.codegen import lanes as package
from functrans.backend.codegen.lanes.batch import why_not
from functrans.backend.codegen.lanes.choice import chosen, possible, sole, suits_inside
from functrans.backend.codegen.lanes.uniformity import Uniformity
from functrans.backend.codegen.nest import Loop, nest
from functrans.backend.codegen.split import split
from functrans.backend.codegen.statements import lower
from functrans.config import config
from functrans.ops import Ops, UOp, dtypes
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType
from functrans.ops.kernel import GlobalArg, closing
from tests.backend.executed import executed, lowered
from tests.plans import plan_anew

WEIGHTS = np.random.default_rng(1).normal(size=(9, 40))
TABLE = np.arange(12.0) ** 2


def layers(x: Any) -> Any:
    """Two products with shared weights, of 40 and of 9 terms, with a function between."""
    return np.tanh(WEIGHTS @ np.tanh(x @ WEIGHTS)) @ WEIGHTS


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum()


def waves(x: Any) -> Any:
    """Sines whose arguments inner loops compute, and a running sum of them."""
    return np.sin(x) * np.cumsum(np.cos(1e3 * x)) + np.tan(x).sum()


def gathered(x: Any) -> Any:
    """Reads at places that are computed, also from an array that all lanes share, and an update."""
    k = np.floor(abs(x) * 3.0).astype(np.int64) % 9
    table = fnp.asarray(TABLE) if isinstance(x, ft.Tensor) else TABLE
    return table[k] * x[k] + np.bincount(k, weights=x, minlength=9)


def padded(x: Any) -> Any:
    return np.concatenate([x[2:], np.zeros(3), x[::-1]]).cumsum() * np.pad(x * x, (4, 6)).sum()


def narrow(x: Any) -> Any:
    y = x.astype(np.float32)
    return (y * y.sum() > 0).sum() + np.cumsum(y)


def steps(x: Any) -> Any:
    """Straight-line code, of more statements than one region has."""
    stack = fnp.stack if isinstance(x, ft.Tensor) else np.stack
    a, b, c = x[0], x[1], x[2]
    for _ in range(12):
        p, q, r = 10.0 * (b - a), a * (28.0 - c) - b, a * b - 8.0 / 3.0 * c
        u, v, w = a + 0.01 * p, b + 0.01 * q, c + 0.01 * r
        a = a + 0.005 * (p + 10.0 * (v - u))
        b = b + 0.005 * (q + u * (28.0 - w) - v)
        c = c + 0.005 * (r + u * v - 8.0 / 3.0 * w)
    return stack([a, b, c])


def long(x: Any) -> Any:
    """Blocks of a long record, and a sum that is one of blocks itself."""
    return x / x.sum() + x.max()


def pendulum(x: Any) -> Any:
    """Straight-line code with more sines than are inlined, some of them of far arguments, and other functions."""
    stack = fnp.stack if isinstance(x, ft.Tensor) else np.stack
    a, w = x[0], x[1]
    for k in range(28):
        a, w = a + 0.05 * w, w - 0.05 * np.sin(a) - 0.01 * np.cos(3e7 * w if k == 9 else w)
    return stack([a, w, np.exp(-np.abs(a)) + np.abs(np.tanh(w)) ** 2.5])


TURNS = np.exp(1j * np.arange(81.0)).reshape(9, 9)


def turned(x: Any) -> Any:
    """Two products of complex numbers with a shared matrix, divided and chosen under conditions."""
    z = TURNS @ (TURNS @ (x + 1j * x[::-1]) * x)
    w = np.where(z.real > 0, z / (z[::-1] + 0.5), z.conj() - 2j)
    return np.where(np.abs(w) < 3, w * z, 1 / z) + np.where(w == z, 1.0, z.imag > 0)


def summed(x: Any) -> Any:
    """Complex numbers in long and short sums, running ones, gated reads and local arrays."""
    z = x * (1 - 2j) + x[::-1] * 1j
    r = np.concatenate([z[3:], np.zeros(3), z]).cumsum()
    return r * np.pad(z, (4, 2)).sum() - (z * z.conj()).sum() * r[::-1]


def single(x: Any) -> Any:
    """complex64, in a kernel with wider and narrower numbers."""
    z = (x * (1 - 2j)).astype(np.complex64)
    return (z * z.sum()).astype(np.complex128) + x - (z.imag.astype(np.float32) > 0.5).sum()


def orbit(x: Any) -> Any:
    """Straight-line complex code of more statements than one region has."""
    stack = fnp.stack if isinstance(x, ft.Tensor) else np.stack
    a, b = x[0] + 1j * x[1], x[2] - 1j
    for _ in range(12):
        p, q = -1j * (b + a * a.conj() * a), -1j * (a + b * b.conj() * b)
        u, v = a + 0.01 * p, b + 0.01 * q
        a, b = a + 0.005 * (p - 1j * (v + u / (2 + v))), b + 0.005 * (q - 1j * u)
    return stack([a, b])


def picked(x: Any) -> Any:
    """A read at a place that a sum of constants decides: shared by all lanes, and known only where it stands."""
    table = fnp.asarray(TABLE) if isinstance(x, ft.Tensor) else TABLE
    k = (table.reshape(4, 3) * 2.0 > 9.0).sum(0)
    return x[k] * x[::-1][:3].sum()


BODIES: dict[str, tuple[Callable[[Any], Any], int]] = {
    "layers": (layers, 9), "softmax": (softmax, 40), "softmax-7": (softmax, 7), "waves": (waves, 9),
    "gathered": (gathered, 9), "padded": (padded, 9), "narrow": (narrow, 40), "steps": (steps, 3),
    "turned": (turned, 9), "summed": (summed, 9), "summed-40": (summed, 40), "single": (single, 9), "orbit": (orbit, 3),
    "picked": (picked, 9), "pendulum": (pendulum, 3), "long": (long, 300), "longer": (long, 4160),
}  # fmt: skip


ROUGH = {"narrow": 1e-5, "single": 1e-4}


def drawn(batch: int, n: int) -> np.ndarray:
    return np.random.default_rng(n).normal(size=(batch, n))


def always(uops: list[UOp]) -> tuple[UOp, ...]:
    """Lanes wherever they are possible, whatever they cost."""
    loop = sole(uops)
    return () if loop is None or not possible(Uniformity(loop)) or why_not(loop) else (loop.range,)


def never(uops: list[UOp]) -> tuple[UOp, ...]:
    return ()


def inner(uops: list[UOp]) -> tuple[UOp, ...]:
    """Lanes inside of another loop wherever they are possible."""
    found: list[UOp] = []
    todo = [item for item in nest(uops) if isinstance(item, Loop)][:1]
    while todo:
        for item in todo.pop().items:
            once = isinstance(item, Loop) and uops.count(item.range) == 1
            suits = isinstance(item, Loop) and once and suits_inside(item) and not why_not(item)
            if suits and possible(Uniformity(item)):
                found.append(item.range)
            elif isinstance(item, Loop):
                todo.append(item)
    return tuple(found)


Choose = Callable[[Callable[[list[UOp]], tuple[UOp, ...]]], None]


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Choose:
    """Set how lanes are chosen, of what is not compiled yet."""

    def set_(choice: Callable[[list[UOp]], tuple[UOp, ...]]) -> None:
        monkeypatch.setattr(package, "chosen", choice)
        monkeypatch.setattr(package, "side_by_side", lambda uops: False)
        plan_anew(monkeypatch)

    return set_


def one_by_one(f: Callable[[Any], Any], x: np.ndarray) -> np.ndarray:
    return np.stack([np.asarray(f(row)) for row in x])


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", BODIES)
def test_the_bits_of_a_row_are_those_without_lanes_in_every_batch(name: str, choose: Choose) -> None:
    f, n = BODIES[name]
    x = drawn(150, n)
    choose(never)
    without = ft.jit(ft.vmap(lambda r: f(r)))(x)
    np.testing.assert_allclose(without, one_by_one(f, x), rtol=ROUGH.get(name, 1e-9), atol=ROUGH.get(name, 1e-9))
    choose(always)
    for axis in (0, 1):
        g = ft.jit(ft.vmap(lambda r: f(r), in_axes=axis, out_axis=axis))
        for batch in (0, 1, 7, 8, 31, 33, 128, 150):
            got = g(np.ascontiguousarray(x[:batch].T) if axis else x[:batch])
            np.testing.assert_array_equal(got.T if axis else got, without[:batch])


@pytest.mark.covering(1, empty={"batch": [1]})
@pytest.mark.parametrize("batch", [1, 5, 19])
@pytest.mark.parametrize("name", [name for name in BODIES if name != "longer"])
def test_statements_in_lanes_mean_what_the_arrays_mean(name: str, batch: int, choose: Choose) -> None:
    choose(always)
    f, n = BODIES[name]
    x = drawn(batch, n)
    found = ft.jit(ft.vmap(f)).lower(x)
    outputs, params = found.program.outputs, found.program.params
    (got,) = executed(outputs, dict(zip(params, [x], strict=True)))
    np.testing.assert_allclose(got, one_by_one(f, x), rtol=ROUGH.get(name, 1e-9), atol=ROUGH.get(name, 1e-9))
    for kernel in lowered(outputs)[1]:
        closing(kernel.uops)


COLUMNS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda t: t.sum(0), "max": lambda t: t.max(0), "last": lambda t: t.argmax(0),
    "softmax": lambda t: np.exp(t - t.max(0)) / np.exp(t - t.max(0)).sum(0), "spread": lambda t: t.var(0),
    "scaled": lambda t: t / np.sqrt((t * t).sum(0)), "running": lambda t: np.cumsum(t, 0),
    "first": lambda t: (t * t.sum(0))[0], "sines": lambda t: np.sin(t).sum(0) * t[0],
    "narrow": lambda t: t.astype(np.float32).max(0),
}  # fmt: skip


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", COLUMNS)
def test_lanes_inside_of_another_loop(name: str, choose: Choose) -> None:
    """Of a batch of matrices each column is a lane: the same bits as without, whatever the batch and the matrix."""
    f, used = COLUMNS[name], 0
    for shape in [(3, 40, 9), (1, 3, 64), (4, 70, 130), (2, 300, 17), (0, 5, 8)]:
        x = np.random.default_rng(sum(shape)).normal(size=shape)
        choose(never)
        without = ft.jit(ft.vmap(lambda t: f(t)))(x)
        seen: list[UOp] = []

        def choice(uops: list[UOp], seen: list[UOp] = seen) -> tuple[UOp, ...]:
            seen += inner(uops)
            return inner(uops)

        choose(choice)
        got = ft.jit(ft.vmap(lambda t: f(t)))(x)
        np.testing.assert_array_equal(got, without)
        if shape[0]:
            np.testing.assert_allclose(got, one_by_one(f, x), rtol=1e-9, atol=1e-9)
        used += len(seen)
    assert used


def test_loops_of_one_range_are_no_lanes_inside(choose: Choose) -> None:
    """A RANGE that two loops have would be found in the wrong one."""
    t = np.random.default_rng(3).normal(size=(7, 257, 17))

    def three(t: Any) -> Any:
        first = t.argmax(1)[:, None] * 0.1
        return first, t.var(1, keepdims=True), first

    choose(inner)
    for got, want in zip(ft.jit(three)(t), three(t), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("coefficients, wanted", [((64, 128), True), ((64,), True), ((1,), False), ((64, 65), False)])
def test_lanes_inside_write_places_of_their_own(coefficients: tuple[int, ...], wanted: bool) -> None:
    """Places of two steps of the loop may not meet, whatever the loops in it: another would be the last to write."""
    number = UOp.const(dtypes.index, 64)
    lane, *inner = (UOp(Ops.RANGE, dtypes.index, (number,), (k, AxisType.LOOP)) for k in range(1 + len(coefficients)))
    place = lane
    for k, r in zip(coefficients, inner, strict=True):
        place = sym.add(place, sym.mul(r, k))
    array = UOp(Ops.DEFINE_GLOBAL, dtypes.float64, (), GlobalArg("o0", written=True))
    target = UOp(Ops.INDEX, dtypes.float64, (array, place))
    store = UOp(Ops.STORE, dtypes.void, (target, UOp.const(dtypes.float64, 1.0)))
    loop = Loop(inner[-1], [store])
    for r in reversed(inner[:-1]):
        loop = Loop(r, [loop])
    assert suits_inside(Loop(lane, [loop])) == wanted


def test_the_middle_axis_is_taken_by_columns() -> None:
    """Contiguous columns inside of a batch are the lanes; long contiguous rows are none."""
    uops, loop = loop_of(lambda t: t.sum(0), np.ones((5, 64, 64)))
    below = next(item for item in loop.items if isinstance(item, Loop))
    assert chosen(uops) == (below.range,)
    uops, _ = loop_of(lambda t: t.sum(1), np.ones((5, 64, 64)))
    assert chosen(uops) == ()


@pytest.mark.usefixtures("compiler")
def test_far_arguments_change_no_other_lane(choose: Choose) -> None:
    choose(always)
    x = drawn(40, 9)
    f = ft.jit(ft.vmap(lambda r: waves(r)))
    alone = f(x)
    for far in (1e9, 2.0**300, np.inf, np.nan):
        y = x.copy()
        y[17, 3] = far
        np.testing.assert_array_equal(np.delete(f(y), 17, 0), np.delete(alone, 17, 0))


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", ["layers", "steps", "softmax"])
def test_threads_share_tiles(name: str, choose: Choose, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(always)
    f, n = BODIES[name]
    x = drawn(20_001, n)
    g = ft.jit(ft.vmap(lambda r: f(r)))
    with monkeypatch.context() as one:
        one.setattr(config, "threads", 1)
        want = g(x)
    monkeypatch.setattr(config, "threads", 4)
    np.testing.assert_array_equal(g(x), want)


def loop_of(f: Callable[[Any], Any], *args: np.ndarray, in_axes: Any = 0) -> tuple[list[UOp], Loop]:
    """The statements that the lanes are chosen for, and their loop."""
    seen: list[list[UOp]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(package, "chosen", lambda uops: seen.append(uops) or ())
        patch.setattr(package, "side_by_side", lambda uops: False)
        lowered(ft.jit(ft.vmap(f, in_axes=in_axes)).lower(*args).program.outputs)
    (loop,) = (item for item in nest(seen[0]) if isinstance(item, Loop))
    return seen[0], loop


@pytest.mark.parametrize(
    "f, shape, axis, wanted",
    [
        (layers, (4, 9), 0, True),  # short loops
        (steps, (4, 3), 0, True),  # long straight-line code
        (softmax, (64, 4), 1, True),  # columns
        (np.sum, (64, 4), 1, True),
        (softmax, (4, 64), 0, False),  # rows that are long and contiguous
        (lambda r: np.sin(r) * 2.0, (4, 900), 0, False),
        (lambda r: r * 2.0, (4,), 0, False),  # the compiler does it
        (lambda r: np.sort(r), (4, 5), 0, False),  # not possible
    ],
)
def test_the_choice(f: Callable[[Any], Any], shape: tuple[int, ...], axis: int, wanted: bool) -> None:
    uops, loop = loop_of(f, np.ones(shape), in_axes=axis)
    assert chosen(uops) == ((loop.range,) if wanted else ())


def complex_body(f: Callable[[Any], Any], *args: np.ndarray, in_axes: Any = 0) -> bool:
    """Whether a body on complex numbers is in lanes."""
    source = ft.jit(ft.vmap(f, in_axes=in_axes)).lower(*args).c_source
    return "_Complex" not in source.partition(" void k0(")[2]


def test_complex_numbers_are_pairs_where_that_pays() -> None:
    z = np.ones((4, 9), complex)
    assert complex_body(lambda r: TURNS @ ((TURNS @ r) * (r.real + 1)), z)
    assert complex_body(lambda r: (r * r.conj()).sum() * r, np.ones((30, 4), complex), in_axes=1)
    assert not complex_body(lambda a, b: a @ b, np.ones((5, 4, 4), complex), np.ones((5, 4, 4), complex))
    assert not complex_body(lambda r: np.exp(TURNS @ ((TURNS @ r) * (r.real + 1))), z)  # of the C library


@pytest.mark.usefixtures("compiler")
def test_complex_quotients_at_their_ends(choose: Choose) -> None:
    """Zeros, infinities and NaN go through both ways of a quotient, of which one is taken."""
    parts = np.array([0.0, -0.0, 1.0, -2.5, 1e300, 1e-310, np.inf, -np.inf, np.nan])
    z = np.array([complex(a, b) for a in parts for b in parts])
    pair = np.stack([np.repeat(z, z.size), np.tile(z, z.size)], axis=1)

    def f(p: Any) -> Any:
        return p[0] / (p[1] + 0 * p.sum().imag.astype(np.int64)) * np.where(p[0] == p[1], 2.0, 1.0)

    choose(never)
    without = ft.jit(ft.vmap(lambda p: f(p)))(pair)
    choose(always)
    found = ft.jit(ft.vmap(lambda p: f(p)))
    assert "_Complex" not in found.lower(pair).c_source.partition(" void k0(")[2]
    np.testing.assert_array_equal(found(pair).view(float), without.view(float))


def test_values_vary_or_are_shared() -> None:
    _, loop = loop_of(layers, np.ones((4, 9)))
    facts = Uniformity(loop)
    loads = [u for u in facts.body if u.op is Ops.LOAD]
    given = {u: u.src[0].src[0].arg.name for u in loads if u.src[0].src[0].op is Ops.DEFINE_GLOBAL}
    own = {name for u, name in given.items() if u in facts.varying}
    assert own == {name for u, name in given.items() if facts.is_read(u)}
    assert len(own) == 1 and own.isdisjoint(name for u, name in given.items() if u not in facts.varying)


@pytest.mark.usefixtures("compiler")
def test_what_is_stored_first_is_not_stored_last() -> None:
    """An update writes over its base, also where the base waits for the end of the loop over lanes."""
    at = np.array([2, 2, 0])

    def f(x: Any) -> Any:
        whole = ft.numpy.asarray(x)
        return np.concatenate([whole.reshape(-1), whole.at[at].set(x[at[::-1]]).reshape(-1)])

    x = np.random.default_rng(0).normal(size=(4, 3))
    want = np.zeros((4, 3, 4, 3))
    for place, source in zip([0, 1, 2, 3], [2, 1, 2, 3], strict=True):  # of both updates of line 2 the last stays
        want[place, :, source, :] = np.eye(3)
    have = np.asarray(ft.jacfwd(f)(x))[12:].reshape(4, 3, 4, 3)
    np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize(("by", "wanted"), [(0, True), (1, False), (6, False)])
def test_rows_that_several_steps_fill_are_no_lanes(by: int, wanted: bool) -> None:
    """Six numbers a step, the last of them in its own row or in the one behind: threads share the steps."""
    f = ft.jit(lambda x: np.stack([x[k] * x[k + 1] - x[k + 2] for k in range(6)], -1))
    (kernel,) = f.lower(np.ones((8, 400))).kernels
    *others, last = kernel.stores
    column = sym.add(last.src[2], sym.const(by))
    shifted = last.replace((*last.src[:2], column, *last.src[3:]))
    made = replace(kernel, parts={kernel.roots[0]: (*others, shifted)})
    low = lower(made)
    assert any(u.op is Ops.RANGE and u.arg[1] is AxisType.LANES for u in low.uops) == wanted
    assert split(made, low) is not None
