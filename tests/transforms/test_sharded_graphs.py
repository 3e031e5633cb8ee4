"""MULTI and COPY under the transforms, node by node: tangents of some shards only, cotangents, brackets, patterns."""

from __future__ import annotations

import numpy as np

from functrans import dtypes
from functrans.ops import Ops, UOp, placement, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret
from functrans.ops.placement import Layout
from functrans.transforms.forward import push_forward
from functrans.transforms.sparse.detection import Dependence
from functrans.transforms.transpose import transpose
from functrans.transforms.vmap.rewriting import unbracket

F = dtypes.float64
ZERO = UOp.const(dtypes.index, 0)
RNG = np.random.default_rng(2)


def test_the_tangent_of_shards_some_of_which_are_constant() -> None:
    a, b, ta = (source.param((2, 3), F) for _ in range(3))
    x = placement.multi([placement.copy(a, "CPU"), placement.copy(b, "CPU:1")], 1)
    (pushed,) = push_forward([B.mul(x, x)], {a: ta})
    assert pushed is not None
    assert placement.domains_of(pushed) == ("CPU", "CPU:1")
    multi = next(u for u in pushed.toposort() if u.op is Ops.MULTI and u.arg[1] != (True, True))
    assert multi.arg == (1, (True, False))  # the shard of b is zeros
    va, vb, vt = (RNG.normal(size=(2, 3)) for _ in range(3))
    (got,) = interpret([pushed], {a: va, b: vb, ta: vt})
    np.testing.assert_allclose(got, 2 * np.concatenate([va * vt, 0 * vb], 1), rtol=1e-15)
    assert push_forward([x], {}) == [None]


def test_cotangents_of_shards_are_windows() -> None:
    a, b, ct = source.param((2, 3), F), source.param((2, 1), F), source.param((2, 4), F)
    x = placement.multi([placement.copy(a, "CPU"), placement.copy(b, "CPU:1")], 1)
    found = transpose([B.neg(x)], [a, b], [ct])
    value = RNG.normal(size=(2, 4))
    got = interpret([u for u in found if u is not None], {ct: value})
    np.testing.assert_array_equal(got[0], -value[:, :3])
    np.testing.assert_array_equal(got[1], -value[:, 3:])
    unreal = placement.multi([a, b], 1, (True, False))
    assert transpose([unreal], [b], [ct]) == [None]
    twice = placement.multi([placement.copy(ct, "CPU"), placement.copy(ct, "CPU:1")], None)
    (whole,) = transpose([twice], [ct], [value_of(value)])
    assert whole is not None
    np.testing.assert_array_equal(interpret([whole])[0], value)
    other = UOp(Ops.NOOP, F, (ct,))  # the same value by another node: still one array, not a sum of two
    apart = placement.multi([placement.copy(ct, "CPU"), placement.copy(other, "CPU:1")], None)
    (once,) = transpose([apart], [ct], [value_of(value)])
    assert once is not None
    np.testing.assert_array_equal(interpret([once])[0], value)


def value_of(x: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> UOp:
    return source.buffer(x.copy())


def test_the_transpose_of_sharding_is_no_sum_over_shards() -> None:
    x, ct = source.param((5, 2), F), source.param((5, 2), F)
    laid = placement.lay(x, Layout(("CPU", "CPU:1", "CPU:2"), 0, (2, 2, 1)))
    assert transpose([laid], [x], [ct]) == [ct]


def test_brackets_around_shards() -> None:
    x = source.param((4, 3, 5), F)
    r = UOp.range(4)
    row = x.vmapin((r, ZERO, ZERO))
    laid = placement.lay(row, Layout(("CPU", "CPU:1"), 0, (2, 1)))
    one = placement.copy(B.reduce_axis(laid, Ops.ADD, (0,)), "CPU:1")
    root = one.vmapout((ZERO, r))
    (flat,) = unbracket([root])
    multi = next(u for u in flat.toposort() if u.op is Ops.MULTI)
    assert multi.arg[0] == 1 and multi.shape == (4, 3, 5)
    value = RNG.normal(size=(4, 3, 5))
    for got in interpret([root, flat], {x: value}):
        np.testing.assert_array_equal(got, value.sum(1).T)


def test_patterns_see_through_shards() -> None:
    x = source.param((3, 2), F)
    laid = placement.lay(x, Layout(("CPU", "CPU:1"), 0, (2, 1)))
    y = placement.copy(B.flip(B.mul(laid, laid), (True, False)), "CPU:1")
    wanted = np.kron(np.eye(3)[::-1], np.eye(2))
    np.testing.assert_array_equal(Dependence([y], [x]).matrix.toarray(), wanted)
    copies = placement.lay(x, Layout(("CPU", "CPU:1")))
    np.testing.assert_array_equal(Dependence([copies], [x]).matrix.toarray(), np.eye(6))
    unreal = placement.multi([x, x], 0, (False, True))
    np.testing.assert_array_equal(Dependence([unreal], [x]).matrix.toarray(), np.eye(12)[:, 6:])
    assert "MULTI" in Dependence([y], [x]).explain(0, 4)
