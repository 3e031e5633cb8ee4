"""Terms as a graph: for each index space one loop that reads leaves, computes coefficients and stores them in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans import dtypes
from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.sparse.direct.spaces import Shape, best_shape, position
from functrans.transforms.sparse.direct.terms import Term, Terms

Places = NDArray[np.int32]


class Store(NamedTuple):
    """A coefficient, where its elements go (-1: nowhere), and whether it is added to what is there."""

    coefficient: UOp
    to: Places
    adds: bool


def ordered(writes: Sequence[tuple[UOp, Places]], size: int) -> tuple[list[Store], Places]:
    """Stores that come to the sums of all writes in this order, and the places to be zero before.

    What alone writes a place, or is the first to write it and meets it once, sets it; the others add.
    """
    order = sorted(range(len(writes)), key=lambda k: not _apart(writes[k][1], size))
    seen = np.zeros(size, np.bool_)
    unset = np.zeros(size, np.bool_)
    stores = []
    for k in order:
        coefficient, to = writes[k]
        live = to[to >= 0]
        adds = not _apart(to, size) or bool(seen[live].any())
        if adds:
            unset[live[~seen[live]]] = True
        seen[live] = True
        stores.append(Store(coefficient, to, adds))
    return stores, np.flatnonzero(unset).astype(np.int32)


def _apart(to: Places, size: int) -> bool:
    live = to[to >= 0]
    found = np.zeros(size, np.bool_)
    found[live] = True
    return int(np.count_nonzero(found)) == len(live)


class Emission:
    """The graph of some terms.

    carriers : of the plan whose terms they are
    shapes : shapes that index spaces may have
    """

    def __init__(self, carriers: Terms, shapes: Iterable[Shape]) -> None:
        self.carriers, self.values, self.tables = carriers, carriers.values, carriers.tables
        self._shapes: dict[int, list[Shape]] = {}
        for s in dict.fromkeys(shapes):
            self._shapes.setdefault(int(np.prod(s)), []).append(s)

    def filled(self, base: UOp, writes: Sequence[tuple[Term, Places]], dtype: DType) -> UOp:
        """The base, a vector, with the sums of coefficients at their places; none is at a place of the base's own."""
        compact = [self._compact(t, to) for t, to in writes]
        stores, unset = ordered([w for w in compact if len(w[1])], base.size)
        if len(unset):
            base = self._group(base, [Store(UOp.const(dtype, 0), unset, False)], dtype)
        groups: dict[tuple[int, bool], list[Store]] = {}
        for s in stores:
            groups.setdefault((len(s.to), s.adds), []).append(s)
        for group in groups.values():
            base = self._group(base, group, dtype)
        return base

    def _compact(self, term: Term, to: Places) -> tuple[UOp, Places]:
        live = np.flatnonzero(to >= 0)
        if len(live) == len(to):
            return term.coefficient, to
        return self.values.moved(term.coefficient, self.tables.of(live)), to[live]

    def _group(self, base: UOp, stores: Sequence[Store], dtype: DType) -> UOp:
        """One loop."""
        expressions = [s.coefficient for s in stores]
        leaves = [u for u in toposort(expressions) if u in self.values.leaves]
        tables = [self.values.leaves[u].table.at for u in leaves]
        m = len(stores[0].to)
        shape = best_shape([*tables, *(s.to for s in stores)], self._shapes.get(m, ()))
        ranges = [UOp.range(n) for n in shape]
        inner = [B.cast(r, dtypes.int64) for r in ranges]
        read = {}
        for u in leaves:
            source, table = self.values.leaves[u]
            at = B.inside(position(table.at, shape, inner), source.size)
            read[u] = B.gather(B.reshape(source, (source.size,)), at)
        outer = [_along(k, shape) for k in range(len(shape))]
        for store, value in zip(stores, substitute(expressions, read), strict=True):
            at = B.inside(position(store.to, shape, outer), base.size)
            every = B.cast(value, dtype).vmapout(tuple(ranges))
            base = B.scatter(base, every, (at,), "add" if store.adds else "place")
        return base


def _along(axis: int, shape: Shape) -> UOp:
    """The index along an axis, for every element of a shape."""
    flat = tuple(n if k == axis else 1 for k, n in enumerate(shape))
    return B.broadcast(B.reshape(B.iota(shape[axis]), flat), shape)


def empty(size: int, dtype: DType) -> UOp:
    """A vector whose elements are all to be written."""
    return UOp(Ops.EMPTY, dtype, (), (size,))
