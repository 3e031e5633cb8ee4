"""Axes maps: axes put in front are a loop, axes taken away a slice, of every op that has one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functrans import dtypes
from functrans.backend.sparse.plan import symbolic
from functrans.ops import GroupOp, Ops, UOp, source
from functrans.ops.axes import Axes
from functrans.ops.fourier import fft
from functrans.ops.interpret import interpret
from functrans.ops.opdef import TABLE
from functrans.ops.sparse_systems import Solving, spfactor, spinverse, spslogdet, spsolve
from tests.ops.movements import movement, shapes

F = dtypes.float64
laws = settings(max_examples=40, deadline=None)
MATRICES: dict[Ops, Any] = {
    Ops.TRIANGULAR: (True, False), Ops.SLOGDET: 1, Ops.EIGH: 0, Ops.SVD: 1, Ops.QR: 1, Ops.PINV: 1e-15,
}  # fmt: skip


# a matrix of three rows with holes
SPARSE = symbolic(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 2, 0, 1, 1, 2]), 3)


def sparse(op: Ops, lead: tuple[int, ...]) -> UOp:
    """A node of sparse systems."""
    values = like((*lead, SPARSE.nnz))
    if op is Ops.SPFACTOR:
        return spfactor(values, SPARSE)
    factors = like(spfactor(values, SPARSE).sized)
    if op is Ops.SPSLOGDET:
        return spslogdet(values, factors, SPARSE, 1)
    if op is Ops.SPINVERSE:
        return spinverse(values, factors, SPARSE)
    return spsolve(values, factors, like((*lead, 3, 2)), Solving(SPARSE, False))


def array(shape: tuple[int, ...], seed: int = 0) -> Any:
    """Numbers that are all different."""
    return np.random.default_rng(seed).permutation(int(np.prod(shape, dtype=int))).reshape(shape).astype(float)


def like(shape: tuple[int, ...]) -> UOp:
    """A placeholder."""
    return source.param(shape, F)


@st.composite
def nodes(draw: st.DrawFn, op: Ops) -> UOp:
    """A node of an op with an axes map."""
    if op in GroupOp.Movement:
        return draw(movement(op))
    if op in GroupOp.Host:
        lead = draw(st.sampled_from([(), (2,), (2, 3)]))
        if op is Ops.FFT:
            return fft(source.param((*lead, 4), dtypes.complex128), "whole", 6)
        if op in (Ops.BANDED, Ops.POSITIVE):
            bands = (1, 1) if op is Ops.BANDED else (1, 0)
            return UOp(op, F, (like((*lead, sum(bands) + 1, 4)), like((*lead, 4, 2))), bands)
        if op in GroupOp.SparseSystem:
            return sparse(op, lead)
        given_ = [like((*lead, 3, 3)) for _ in range(2 if op is Ops.ADJUGATE_ALONG else 1)]
        right = (like((*lead, 3, 2)),) if op in (Ops.SOLVE, Ops.TRIANGULAR) else ()
        return UOp(op, F, (*given_, *right), MATRICES.get(op))
    shape = draw(shapes.filter(bool))
    axis = draw(st.integers(0, len(shape) - 1))
    if op in GroupOp.Join:
        return UOp(op, F, (like(shape), like(shape)), axis)
    if op is Ops.REDUCE_AXIS:
        axes = draw(st.lists(st.integers(0, len(shape) - 1), min_size=1, unique=True))
        return UOp(op, F, (like(shape),), (Ops.ADD, tuple(sorted(axes))))
    if op is Ops.CUMULATE:
        return UOp(op, F, (like(shape),), (Ops.MAX, axis))
    return UOp(op, dtypes.int64 if op is Ops.ARGSORT else F, (like(shape),))


MAPPED = [op for op, record in TABLE.items() if record.axes is not None]
every_op = pytest.mark.parametrize("op", MAPPED, ids=lambda op: op.name)


def axes_of(node: UOp) -> Axes:
    """The axes map of a node's op."""
    axes = TABLE[node.op].axes
    assert axes is not None
    return axes


def value(node: UOp, arg: Any, arrays: list[Any]) -> Any:
    """The node's op with an argument, of arrays."""
    params = tuple(source.param(a.shape, s.dtype) for a, s in zip(arrays, node.src, strict=True))
    return interpret([UOp(node.op, node.dtype, params, arg)], dict(zip(params, arrays, strict=True)))[0]


def given_to(node: UOp, lead: tuple[int, ...] = ()) -> list[Any]:
    """An array for each source, positive definite matrices for what takes these."""
    arrays = [array((*lead, *s.sized), k).astype(s.dtype.numpy) for k, s in enumerate(node.src)]
    if node.op in GroupOp.SparseSystem | {Ops.BANDED, Ops.POSITIVE}:
        # small beside the diagonal
        diagonal = SPARSE.rows == SPARSE.cols if node.op in GroupOp.SparseSystem else np.zeros(0)
        first = node.arg[1] if node.op in (Ops.BANDED, Ops.POSITIVE) else 0
        if node.op in GroupOp.SparseSystem:
            arrays[0] = 0.01 * arrays[0] + 100.0 * diagonal
        else:
            arrays[0] *= 0.01
            arrays[0][..., first, :] += 100.0
    elif node.op in GroupOp.Host - {Ops.FFT}:
        arrays[0] = arrays[0] @ np.swapaxes(arrays[0], -1, -2) + np.eye(3)
    return arrays


@every_op
@laws
@given(data=st.data())
def test_axes_in_front_are_a_loop(op: Ops, data: st.DataObject) -> None:
    node = data.draw(nodes(op))
    lead = data.draw(st.sampled_from([(2,), (1, 3), (0, 2), (3, 1, 2)]))
    arrays = given_to(node, lead)
    got = value(node, axes_of(node).arg(node, range(node.ndim), lead), arrays)
    assert got.shape == (*lead, *node.sized)
    for at in np.ndindex(*lead):
        np.testing.assert_allclose(got[at], value(node, node.arg, [a[at] for a in arrays]), rtol=1e-8, atol=1e-6)


@every_op
@laws
@given(data=st.data())
def test_axes_taken_away_are_a_slice(op: Ops, data: st.DataObject) -> None:
    node = data.draw(nodes(op))
    axes, arrays = axes_of(node), given_to(node)
    whole = value(node, node.arg, arrays)
    batch = [k for k in range(node.ndim) if axes.source(node, k) is not None and node.sized[k]]
    gone = {k: data.draw(st.integers(0, node.sized[k] - 1)) for k in batch if data.draw(st.booleans())}
    parts = []
    for a in arrays:
        at: list[Any] = [slice(None)] * a.ndim
        for k, i in gone.items():
            j = axes.source(node, k)
            assert j is not None
            at[j] = i if a.shape[j] == node.sized[k] else 0
        parts.append(a[tuple(at)])
    kept = [k for k in range(node.ndim) if k not in gone]
    got = value(node, axes.arg(node, kept, ()), parts)
    want = whole[tuple(gone.get(k, slice(None)) for k in range(node.ndim))]
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-6)


def test_the_axes_that_an_op_works_along_are_no_batch() -> None:
    x = like((2, 3, 4))
    works_along = {
        UOp(Ops.CUMULATE, F, (x,), (Ops.ADD, 1)): 1, UOp(Ops.CAT, F, (x, x), 0): 0, UOp(Ops.STACK, F, (x, x), 3): 3,
        UOp(Ops.SORT, F, (x,)): 2, UOp(Ops.FLIP, F, (x,), (False, True, False)): 1,
        UOp(Ops.PAD, F, (x,), ((0, 0), (0, 0), (1, 0))): 2, UOp(Ops.SHRINK, F, (x,), ((0, 1), (0, 3), (0, 4))): 0,
    }  # fmt: skip
    for node, axis in works_along.items():
        assert [k for k in range(node.ndim) if axes_of(node).source(node, k) is None] == [axis], node.op
