"""unbracket: the same values bit for bit, no bracket left, at any depth, with axes of size 0 and 1."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans.errors import SpecError
from functrans.ops import GroupOp, Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.uop import toposort
from functrans.ops.window import pad, reduce, shrink
from functrans.transforms.vmap.rewriting import unbracket
from tests.transforms.graphs import WholeNumbers

ZERO = UOp.const(dtypes.index, 0)


def check(roots: list[UOp], values: dict[UOp, np.ndarray] | None = None) -> list[np.ndarray]:
    flat = unbracket(roots)
    assert not [u for u in toposort(flat) if u.op in GroupOp.VMap or u.op is Ops.RANGE or u.free_ranges]
    assert [u.shape for u in flat] == [u.shape for u in roots]
    want, have = interpret(roots, values), interpret(flat, values)
    for a, b in zip(want, have, strict=True):
        np.testing.assert_array_equal(a, b, strict=True)
    return have


def array(*shape: int, seed: int = 0) -> UOp:
    return source.buffer(np.random.default_rng(seed).integers(-9, 9, shape).astype(float))


def over(x: UOp, r: UOp, axis: int = 0) -> UOp:
    return x.vmapin(tuple(r if k == axis else ZERO for k in range(x.ndim)))


def closed(x: UOp, r: UOp, axis: int = 0) -> UOp:
    return x.vmapout(tuple(r if k == axis else ZERO for k in range(x.ndim + 1)))


@given(st.integers(0, 10**9), st.sampled_from([(1, 2, 3, 4), (0, 1, 2), (1,), (2, 3, 5)]), st.integers(1, 3))
@settings(max_examples=150, deadline=None)
def test_random_graphs(seed: int, sizes: tuple[int, ...], depth: int) -> None:
    graph = WholeNumbers(seed, depth=depth, sizes=sizes)
    graph.grow(8)
    roots = [u for u in graph.pool if not u.free_ranges]
    check(roots, dict(zip(graph.params, graph.values(), strict=True)))


@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("batched", ["x", "index", "both"])
def test_gather_keeps_lanes_apart(n: int, batched: str) -> None:
    r = UOp.range(n)
    x = over(array(3, n, 4), r, 1) if batched != "index" else array(3, 4)
    numbers = np.random.default_rng(1).integers(-2, 5, (2, n))
    at = over(source.buffer(numbers), r, 1) if batched != "x" else source.buffer(np.array([-2, 3]))
    check([closed(B.gather(x, at), r, 1)])


@pytest.mark.parametrize("mode", ["set", "add", "multiply", "min", "max"])
@pytest.mark.parametrize("batched", [{"base"}, {"value"}, {"index"}, {"base", "value", "index"}])
def test_scatter_keeps_order_and_lanes(mode: str, batched: set[str]) -> None:
    r = UOp.range(3)
    base = over(array(3, 4, 2), r) if "base" in batched else array(4, 2)
    value = over(array(5, 3, 2, seed=2), r, 1) if "value" in batched else array(5, 2, seed=2)
    numbers = np.array([[0, 1, 1, 0, 9], [3, 3, 3, -1, 2], [2, 0, 2, 0, 2]])
    at = over(source.buffer(numbers), r) if "index" in batched else source.buffer(numbers[0])
    check([closed(B.scatter(base, value, (at,), mode), r)])


def test_gather_and_scatter_in_lanes_of_lanes() -> None:
    """Two batch axes, of the array, of the index, of both in another order: each lane of each its own."""
    r, s = UOp.range(2), UOp.range(3)
    x = over(over(array(2, 3, 4), r), s)
    numbers = source.buffer(np.random.default_rng(1).integers(-1, 5, (3, 2, 5)))
    at = over(over(numbers, r, 1), s)
    base = over(over(array(3, 2, 4, seed=3), s), r)
    value = over(array(5, 3, seed=4), s, 1)
    results = (B.gather(x, at), B.gather(x, source.buffer(np.array([3, 0]))), B.scatter(base, value, (at,), "add"))
    check([closed(closed(y, s), r, 1) for y in results])


def test_sums_over_ranges_become_sums_over_axes() -> None:
    """Where the RANGEs to be taken away are named, and a reduction closes some of them, in any order of the axes."""
    r, s, t = UOp.range(2), UOp.range(3), UOp.range(5)
    x = over(over(over(array(2, 3, 5, 4), r), s), t)
    for op in (Ops.ADD, Ops.MAX):
        for ranges in ((s,), (r, t), (t, s)):
            total = reduce(B.mul(x, x), op, *ranges)
            for q in (r, s, t):
                total = total if q in ranges else closed(total, q)
            for taken in ([r, s, t], [s], [t, s]):
                (flat,) = unbracket([total], taken)
                np.testing.assert_array_equal(*interpret([total, flat]))


def test_range_as_a_value() -> None:
    r, s = UOp.range(3), UOp.range(2)
    product = B.mul(B.cast(r, dtypes.float64), B.add(B.cast(s, dtypes.float64), B.like(B.cast(s, dtypes.float64), 1)))
    check([product.vmapout((s,)).vmapout((r, ZERO))])
    check([product.vmapout((s, r))])


def test_nested_ranges_in_every_order_of_the_axes() -> None:
    """The ranges meet in an order other than that of nesting, and captured values lack some of them."""
    x, y, z = array(2, 3, 4), array(4, 2, seed=1), array(3, seed=2)
    outer, middle, inner = UOp.range(2), UOp.range(3), UOp.range(4)
    y_inner = over(over(y, inner), outer)  # opened inner first
    x_all = over(over(over(x, outer), middle), inner)
    body = B.add(B.mul(x_all, y_inner), over(z, middle))
    result = closed(closed(closed(body, inner), middle, 1), outer, 2)
    (have,) = check([result])
    a, b, c = (interpret([u])[0] for u in (x, y, z))
    np.testing.assert_array_equal(have, np.einsum("omi,io->imo", a, b) + c[None, :, None])


@pytest.mark.parametrize("first", ["outer", "inner"])
def test_batch_axes_stand_in_the_order_of_nesting(first: str) -> None:
    """Outer first, whichever RANGE was made first and whatever it is called, and whichever was opened first."""
    if first == "outer":
        outer, inner = UOp.range(2, 7), UOp.range(3, 8)
    else:
        inner, outer = UOp.range(3, 5), UOp.range(2, 6)
    for row in (over(over(array(2, 3, 4), outer), inner), over(over(array(3, 2, 4), inner), outer)):
        (flat,) = unbracket([closed(closed(B.alu(Ops.SIN, row), inner), outer, 2)])
        assert [u.shape for u in toposort([flat]) if u.op is Ops.SIN] == [(2, 3, 4)]


def test_output_that_ignores_the_batch_is_broadcast() -> None:
    r = UOp.range(4)
    (have,) = check([closed(array(2, 3), r, 1)])
    assert have.shape == (2, 4, 3)


@pytest.mark.parametrize("depth", [4, 6])
def test_deep_nesting(depth: int) -> None:
    x = array(*(2 + k % 2 for k in range(depth)), 3)
    ranges = [UOp.range(2 + k % 2) for k in range(depth)]
    y = x
    for r in ranges:
        y = over(y, r)
    y = B.sub(y, B.expand(B.reshape(B.reduce_axis(y, Ops.MAX, (0,)), (1,)), (3,)))
    for r in reversed(ranges):
        y = closed(y, r)
    check([y])


def test_brackets_over_other_ranges_stay() -> None:
    outer, inner = UOp.range(2), UOp.range(3)
    x, y = array(3, 2, 4), array(3, seed=1)
    row = over(over(x, outer, 1), inner)
    body = B.mul(row, B.broadcast(over(y, inner), (4,)))
    summed = B.reduce_axis(B.add(closed(body, inner), over(array(2, 3, 4, seed=3), outer)), Ops.ADD, (1,))
    mapped = closed(summed, outer)
    (flat,) = unbracket([mapped], [inner])
    left = {u for u in toposort([flat]) if u.op is Ops.RANGE}
    assert left == {outer}
    np.testing.assert_array_equal(*interpret([mapped, flat]))
    (other,) = unbracket([mapped], [outer])
    np.testing.assert_array_equal(*interpret([mapped, other]))
    assert {u for u in toposort([other]) if u.op is Ops.RANGE} == {inner}


def test_several_ranges_in_one_bracket() -> None:
    r, s = UOp.range(2), UOp.range(3)
    x = array(3, 4, 2)
    body = B.reduce_axis(x.vmapin((s, ZERO, r)), Ops.ADD, (0,))
    both = B.stack((body, body)).vmapout((r, ZERO, s))
    check([both])
    np.testing.assert_array_equal(*interpret([both, *unbracket([both], [s])]))


def test_windows_with_a_place_for_each_lane() -> None:
    """What no bracket says: windows that overlap or jump, on the way in a gather, on the way out a scatter."""
    x, r, s = array(5, 4), UOp.range(3), UOp.range(2)
    moving = shrink(x, ((r, r + 2), (0, 4)))  # (2, 4) at rows r and r + 1
    crossed = shrink(moving, ((0, 2), (2 * s, 2 * s + 2)))  # columns of another RANGE
    both = shrink(x, ((r + s, r + s + 2), (r, r + 1)))
    padded = pad(crossed, ((r, 3 - r), (1, 0)))
    own = pad(over(array(3, 2), r), ((s + r, 3 - s - r),))
    (have, *_) = check([
        closed(moving, r), crossed.vmapout((ZERO, s, r, ZERO)), both.vmapout((s, r, ZERO, ZERO)),
        reduce(padded, Ops.ADD, r, s), reduce(padded, Ops.MAX, s).vmapout((ZERO, r, ZERO)), reduce(own, Ops.ADD, s, r),
    ])  # fmt: skip
    (a,) = interpret([x])
    np.testing.assert_array_equal(have, np.stack([a[k : k + 2] for k in range(3)]))


def test_open_root_is_refused() -> None:
    r = UOp.range(2)
    x = over(array(2, 3), r)
    with pytest.raises(SpecError, match="close it by VMAPOUT"):
        unbracket([x, closed(x, r)])


def test_long_chain_does_not_recurse() -> None:
    r = UOp.range(2)
    x = over(array(2, 3), r)
    for _ in range(20_000):
        x = B.neg(B.add(x, x))
    assert unbracket([closed(x, r)])[0].shape == (2, 3)
