"""Index arithmetic means what Python's integers mean, for every value of every RANGE."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans import dtypes
from functrans.ops import Ops, UOp
from functrans.ops import symbolic as sym
from functrans.ops.uop import toposort

SIZES = (1, 2, 3, 4, 6)
Env = dict[UOp, int]


def value(x: UOp, env: Env) -> int | bool:
    """What an index is at values of its RANGEs; division and remainder truncate, as in C."""
    known: dict[UOp, int | bool] = dict(env)
    for u in toposort((x,), enter=lambda u: u not in known):
        if u in known:
            continue
        if u.op is Ops.CONST:
            known[u] = u.arg
            continue
        a = [known[s] for s in u.src]
        known[u] = {
            Ops.ADD: lambda a=a: a[0] + a[1],
            Ops.MUL: lambda a=a: a[0] * a[1],
            Ops.IDIV: lambda a=a: math.trunc(a[0] / a[1]),
            Ops.MOD: lambda a=a: int(math.fmod(a[0], a[1])),
            Ops.MAX: lambda a=a: max(a),
            Ops.MIN: lambda a=a: min(a),
            Ops.CMPLT: lambda a=a: a[0] < a[1],
            Ops.AND: lambda a=a: a[0] and a[1],
            Ops.WHERE: lambda a=a: a[1] if a[0] else a[2],
        }[u.op]()
    return known[x]


def worlds(ranges: list[UOp]) -> list[Env]:
    """All values of the RANGEs."""
    spans = [range(int(r.src[0].arg)) for r in ranges]
    return [dict(zip(ranges, at, strict=True)) for at in itertools.product(*spans)]


class Pair:
    """An index beside its plain Python value in every world."""

    def __init__(self, node: UOp, values: list[int]) -> None:
        self.node, self.values = node, values


@st.composite
def grown(draw: st.DrawFn) -> tuple[list[UOp], list[Env], list[Pair]]:
    """RANGEs, their worlds, and indices grown over them by every constructor, each beside its values."""
    ranges = [UOp.range(draw(st.sampled_from(SIZES))) for _ in range(draw(st.integers(1, 3)))]
    envs = worlds(ranges)
    pool = [Pair(r, [e[r] for e in envs]) for r in ranges]
    number = st.integers(-7, 7) | st.sampled_from([12, 24, 30])
    for _ in range(draw(st.integers(1, 8))):
        a, b = draw(st.sampled_from(pool)), draw(st.sampled_from(pool))
        n, d = draw(number), draw(st.integers(1, 12))
        kind = draw(st.sampled_from(["const", "add", "sub", "scale", "mul", "div", "mod", "clamp"]))
        if kind == "const":
            made = Pair(sym.const(n), [n] * len(envs))
        elif kind == "add":
            made = Pair(sym.add(a.node, b.node), [p + q for p, q in zip(a.values, b.values, strict=True)])
        elif kind == "sub":
            made = Pair(sym.sub(a.node, b.node), [p - q for p, q in zip(a.values, b.values, strict=True)])
        elif kind == "scale":
            made = Pair(sym.mul(a.node, n), [p * n for p in a.values])
        elif kind == "mul":
            made = Pair(sym.mul(a.node, b.node), [p * q for p, q in zip(a.values, b.values, strict=True)])
        elif kind == "clamp":
            made = Pair(sym.clamp(a.node, d), [min(max(p, 0), d - 1) for p in a.values])
        elif min(a.values) < 0:  # division is for indices, which are not negative
            continue
        elif kind == "div":
            made = Pair(sym.div(a.node, d), [p // d for p in a.values])
        else:
            made = Pair(sym.mod(a.node, d), [p % d for p in a.values])
        pool.append(made)
    return ranges, envs, pool


@settings(max_examples=400, deadline=None)
@given(grown())
def test_constructors_are_integer_arithmetic(world: tuple[list[UOp], list[Env], list[Pair]]) -> None:
    _, envs, pool = world
    for pair in pool:
        assert [value(pair.node, e) for e in envs] == pair.values


@settings(max_examples=200, deadline=None)
@given(grown())
def test_bounds_hold_every_value(world: tuple[list[UOp], list[Env], list[Pair]]) -> None:
    _, envs, pool = world
    for pair in pool:
        lo, hi = sym.bounds(pair.node)
        assert lo <= min(pair.values)
        assert max(pair.values) <= hi
        for u in toposort((pair.node,)):
            low, high = sym.bounds(u)
            assert all(low <= value(u, e) <= high for e in envs)


@settings(max_examples=200, deadline=None)
@given(grown(), st.integers(-5, 30))
def test_conditions(world: tuple[list[UOp], list[Env], list[Pair]], n: int) -> None:
    _, envs, pool = world
    a, b = pool[-1], pool[0]
    less = sym.less(a.node, b.node)
    least = sym.at_least(a.node, n)
    assert [value(less, e) for e in envs] == [p < q for p, q in zip(a.values, b.values, strict=True)]
    assert [value(least, e) for e in envs] == [p >= n for p in a.values]
    conjunction = sym.both(less, least)
    want = [p < q and p >= n for p, q in zip(a.values, b.values, strict=True)]
    assert [conjunction is None or value(conjunction, e) for e in envs] == want


@settings(max_examples=200, deadline=None)
@given(grown())
def test_a_linear_form_is_its_node(world: tuple[list[UOp], list[Env], list[Pair]]) -> None:
    _, envs, pool = world
    for pair in pool:
        c, terms = sym.linear(pair.node)
        assert 0 not in terms.values()
        assert [c + sum(v * value(t, e) for t, v in terms.items()) for e in envs] == pair.values
        again = sym.from_linear((c, terms))
        assert [value(again, e) for e in envs] == pair.values
        assert sym.add(pair.node, sym.const(0)) is again
        assert sym.sub(pair.node, pair.node) is sym.const(0)


def factorings(n: int) -> list[tuple[int, ...]]:
    """Shapes of n elements."""
    out: list[tuple[int, ...]] = [(n,)]
    for d in range(2, n // 2 + 1):
        if n % d == 0:
            out.extend((d, *rest) for rest in factorings(n // d))
    return out


SHAPES = [(a, b) for n in (12, 30) for a in factorings(n) for b in factorings(n)]


@pytest.mark.parametrize(("inner", "outer"), SHAPES)
def test_a_reshape_of_a_reshape_is_undone(inner: tuple[int, ...], outer: tuple[int, ...]) -> None:
    ranges = tuple(UOp.range(n) for n in outer)
    through = sym.unflatten(sym.flatten(ranges, outer), inner)
    assert sym.unflatten(sym.flatten(through, inner), outer) == ranges


@pytest.mark.parametrize("shape", [(2, 3, 4), (5, 1, 3), (1, 1), (7,), (), (2, 1, 1, 3)])
def test_flatten_counts_in_c_order(shape: tuple[int, ...]) -> None:
    ranges = [UOp.range(n) for n in shape]
    flat = sym.flatten(tuple(ranges), shape)
    assert [value(flat, e) for e in worlds(ranges)] == list(range(math.prod(shape)))


def test_flatten_takes_run_time_sizes() -> None:
    n = UOp(Ops.DEFINE_VAR, dtypes.index, (), ("n", 1, 9))
    i, j, k = UOp.range(4), UOp.range(9), UOp.range(2)
    flat = sym.flatten((i, j, k), (4, n, 2))
    for e in worlds([i, j, k]):
        assert value(flat, {**e, n: 5}) == e[i] * 10 + e[j] * 2 + e[k]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0,)])
def test_an_empty_shape_has_indices_too(shape: tuple[int, ...]) -> None:
    assert len(sym.unflatten(sym.const(0), shape)) == len(shape)


def test_what_the_bounds_decide() -> None:
    r = UOp.range(5)
    assert sym.less(r, sym.const(5)) is sym.TRUE
    assert sym.less(r, sym.const(0)) is sym.FALSE
    assert sym.at_least(r, 0) is sym.TRUE
    assert sym.mod(r, 5) is r
    assert sym.div(r, 5) is sym.const(0)
    assert sym.clamp(r, 5) is r
    assert sym.both(sym.TRUE, None) is None
    assert sym.both(sym.FALSE, sym.less(r, sym.const(2))) is sym.FALSE


def loaded() -> UOp:
    """An index of which nothing is known: any 64 bits."""
    return UOp(Ops.CAST, dtypes.index, (UOp(Ops.PARAM, dtypes.int64, (), (-1, ())),))


@pytest.mark.parametrize("shift", [1, 1 << 62, -(1 << 62), (1 << 63) - 1, -(1 << 63)])
@pytest.mark.parametrize("scale", [1, -1, 2, 1 << 40])
def test_no_decision_rests_on_an_index_that_may_wrap(shift: int, scale: int) -> None:
    x = sym.add(sym.mul(loaded(), scale), sym.const(shift))
    lo, hi = sym.bounds(x)
    assert (lo, hi) == sym.UNKNOWN or (lo < 0 and hi > 1 << 62)
    clamped = sym.clamp(x, 10)
    assert {u.op for u in toposort((clamped,))} >= {Ops.MAX, Ops.MIN}
    assert sym.bounds(clamped) == (0, 9)


def test_long_sums_need_no_recursion() -> None:
    x: UOp = sym.const(0)
    for k in range(20_000):
        x = UOp(Ops.ADD, dtypes.index, (x, UOp.range(2, axis_id=k % 7)))
    assert sym.bounds(x) == (0, 20_000)
    assert len(sym.linear(x)[1]) == 7
