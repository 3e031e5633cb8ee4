"""Constant entries of a Jacobian: those whose coefficient depends on no argument.

The derivative along a symbolic direction t is linear in t. Each of its elements carries, beside the entries of t it
holds (columns 0 to n - 1), those among them that met a coefficient computed from an argument (columns n to
2n - 1). Entry (i, j) of the Jacobian is constant when the derivative of output i does not carry column n + j.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import scipy_sparse
from functrans.ops.enums import Ops
from functrans.ops.source import param
from functrans.ops.uop import UOp, toposort
from functrans.transforms.sparse import structure
from functrans.transforms.sparse.compressed import pushed
from functrans.transforms.sparse.context import Sources
from functrans.transforms.sparse.detection import Walk, flattened
from functrans.transforms.sparse.loops import loop_of
from functrans.transforms.sparse.rows import Rows
from functrans.transforms.sparse.structure import Structure


def constant_entries(
    outputs: Sequence[UOp], inputs: Sequence[UOp], rows: NDArray[np.int32], cols: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Which of the entries (rows, cols) of the Jacobian depend on no argument.

    An entry that is not called constant may be so all the same. The cost is that of detection, about twice.

    >>> from functrans.ops import build as B, dtypes
    >>> x = param((2,), dtypes.float64)
    >>> y = B.add(B.mul(x, x), B.flip(x, (True,)))
    >>> constant_entries([y], [x], np.array([0, 0]), np.array([0, 1])).tolist()
    [False, True]
    """
    directions = [param(p.sized, p.dtype) for p in inputs]
    (derivative,) = flattened([pushed(outputs, dict(zip(inputs, directions, strict=True)))])
    columns = sum(p.size for p in inputs)
    table, start, given = Rows.identity(2 * columns), 1, {}
    for t in directions:
        given[t] = Structure(table, np.arange(start, start + t.size, dtype=np.int32).reshape(t.sized))
        start += t.size
    s = _Linear([derivative], given, table).found[derivative]
    if s is None:
        return np.ones(len(rows), np.bool_)
    s = structure.reduce(s, (0,)) if s.at.ndim == 2 else s  # lanes of an outer vmap
    # looked up in the table of distinct rows: the derivative may have far more entries than are asked for
    width = 2 * columns
    keys = np.repeat(np.arange(len(s.rows.lengths)), s.rows.lengths) * width + s.rows.matrix.indices
    wanted = np.asarray(s.at).reshape(-1)[rows].astype(np.int64) * width + columns + cols
    if not len(keys):
        return np.ones(len(wanted), np.bool_)
    return np.asarray(keys[np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)] != wanted)


class _Linear(Walk):
    """A walk through a graph that is linear in the inputs."""

    def __init__(self, roots: Sequence[UOp], inputs: dict[UOp, Structure], rows: Rows) -> None:
        one = Rows.identity(1)
        order = toposort(roots, enter=lambda u: u.op is not Ops.BIND)
        arguments = [u for u in order if u.op in (Ops.PARAM, Ops.DEFINE_VAR) and u not in inputs]
        reached = {p: Structure(one, np.broadcast_to(np.int32(1), p.sized)) for p in arguments}
        self._varying = Walk(roots, reached, one, values=True, keep=True).found
        super().__init__(roots, inputs, rows)

    def visited(self, node: UOp, sources: Sources) -> Structure | None:
        """As for any graph; what a varying coefficient meets varies."""
        s = super().visited(node, sources)
        if s is None:
            return None
        if loop_of(node) is not None:  # its coefficients go around: whatever comes out of it may vary
            return _made_varying(s, np.asarray(True))
        mask: NDArray[np.bool_] | None = None
        for u, own in zip(node.src, sources, strict=True):
            varying = self._varying[u] if own is None else None
            if varying is not None:
                here = varying.at != 0 if u.shape == node.shape else np.asarray(True)
                mask = here if mask is None else mask | here
        return s if mask is None else _made_varying(s, mask)


def _made_varying(s: Structure, mask: NDArray[np.bool_]) -> Structure:
    """All columns of the masked elements also as columns of the second half."""
    half = s.rows.columns // 2
    low = s.rows.matrix[:, :half]
    done = s.rows.lengths == 2 * np.diff(low.indptr)
    change = np.broadcast_to(mask, s.at.shape) & ~done[s.at]
    if not change.any():
        return s
    seen = np.zeros(len(done), np.bool_)
    seen[s.at[change]] = True
    numbers = np.flatnonzero(seen)
    new = np.zeros(len(done), np.int32)
    new[numbers] = len(done) + np.arange(len(numbers))
    both = scipy_sparse.hstack([low[numbers], low[numbers]], format="csr")
    rows = Rows(scipy_sparse.vstack([s.rows.matrix, both], format="csr"), s.rows.full)
    return Structure(rows, np.where(change, new[s.at], s.at))
