"""Terms as a graph: for each index space one loop that reads leaves, computes coefficients and stores them in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from functrans import dtypes
from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.enums import AxisType, Ops
from functrans.ops.placement import flat
from functrans.ops.source import in_file, stored
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.sparse.direct.expressions import alike
from functrans.transforms.sparse.direct.spaces import Lists, Shape, best_shape, form, position
from functrans.transforms.sparse.direct.stores import Group, Places, Store, apart, grouped
from functrans.transforms.sparse.direct.terms import Term, Terms
from functrans.transforms.sparse.direct.values import ELEMENTARY, Leaf

Write = tuple[UOp, Places]
SEVERAL = 8  # one in so many elements may be worth a loop of its own


class Emission:
    """The graph of some terms.

    carriers : of the plan whose terms they are
    shapes : shapes that index spaces may have
    """

    def __init__(self, carriers: Terms, shapes: Iterable[Shape]) -> None:
        self.carriers, self.values, self.tables = carriers, carriers.values, carriers.tables
        self._lists = Lists()
        self._shapes: dict[int, list[Shape]] = {}
        for s in dict.fromkeys(shapes):
            self._shapes.setdefault(int(np.prod(s)), []).append(s)

    def filled(self, base: UOp, writes: Sequence[tuple[Term, Places]], dtype: DType) -> UOp:
        """The base, a vector, with the sums of coefficients at their places; none is at a place of the base's own."""
        spaces = self._spaces(writes)
        made, zero = grouped(
            [[to for _, to in part] for part in spaces], base.size, [self._is_rough(part) for part in spaces]
        )
        if len(zero):
            base = self._loop(base, [UOp.const(dtype, 0)], Group((Store(zero, False, None),), None, False), dtype)
        for part, group in zip(spaces, made, strict=True):
            base = self._loop(base, [c for c, _ in part], group, dtype)
        return base

    def _spaces(self, writes: Sequence[tuple[Term, Places]]) -> list[list[Write]]:
        """The coefficients by index space, without elements that go nowhere at all, those that write apart first."""
        found: dict[tuple[int, bool], list[Write]] = {}
        for term, to in writes:
            live = np.flatnonzero(to >= 0)
            if not len(live):
                continue
            if term.coefficient.op is Ops.CONST:
                found.setdefault((len(live), True), []).append((term.coefficient, to[live]))
            else:
                found.setdefault((len(to), False), []).extend(self._once_each(term.coefficient, to))
        spaces: dict[int, list[Write]] = {}
        for part in found.values():
            for left in self._divided(part):
                spaces.setdefault(len(left[0][1]), []).extend(left)
        return sorted(spaces.values(), key=lambda part: not all(apart(to) for _, to in part))

    def _once_each(self, c: UOp, to: Places) -> list[Write]:
        """A write in two where a few of its elements go to a place that another has: the rest is stored, not added."""
        order = np.argsort(to, kind="stable")
        again = order[1:][(to[order[1:]] == to[order[:-1]]) & (to[order[1:]] >= 0)]
        if not 0 < len(again) * SEVERAL <= len(to):
            return [(c, to)]
        first = to.copy()
        first[again] = -1
        rest = np.full(len(to), -1, np.int32)
        rest[again] = to[again]
        return [(c, first), (c, rest)]

    def _divided(self, part: list[Write]) -> list[list[Write]]:
        """What is computed together, and alone what has few elements and shares too little of its work."""
        together: list[Write] = []
        found: list[list[Write]] = []
        done: set[UOp] = set()
        for c, to in sorted(part, key=lambda w: -int(np.count_nonzero(w[1] >= 0))):
            nodes = toposort((c,))
            more, whole = (1 + sum(map(_work, us)) for us in ([u for u in nodes if u not in done], nodes))
            if more * len(to) > 2 * whole * int(np.count_nonzero(to >= 0)):
                found.append(self._compact([(c, to)]))
            else:
                together.append((c, to))
                done.update(nodes)
        return [self._compact(together), *found] if together else found

    def _compact(self, part: list[Write]) -> list[Write]:
        live = np.zeros(len(part[0][1]), np.bool_)
        for _, to in part:
            live |= to >= 0
        if live.all():
            return part
        at = self.tables.of(np.flatnonzero(live))
        return [(self.values.moved(c, at), to[at.at]) for c, to in part]

    def _is_rough(self, part: list[Write]) -> bool:
        """Whether some array is read by a list that is no arithmetic: then all may be, at little cost."""
        leaves = [u for u in toposort([c for c, _ in part]) if u in self.values.leaves]
        return any(form(t, (len(t),)) is None for t in (self.values.leaves[u].table.at for u in leaves) if len(t))

    def _loop(self, base: UOp, coefficients: Sequence[UOp], group: Group, dtype: DType) -> UOp:
        if group.order is not None:
            at = self.tables.of(group.order)
            coefficients = [self.values.moved(c, at) for c in coefficients]
        m = len(group.stores[0].to)
        zero = UOp.const(dtype, 0)
        expressions = []
        for c, store in zip(coefficients, group.stores, strict=True):
            c = B.cast(c, dtype)
            if store.adds and store.mask is not None:
                # a number and not a bool: of the size of what it chooses, as vectors want it
                mask = self.values.leaf(self._lists.of(store.mask.astype(dtype.numpy)), self.tables.iota(m))
                c = B.where(B.lt(zero, mask), c, zero)
            expressions.append(c)
        expressions = alike(expressions)
        leaves = [u for u in toposort(expressions) if u in self.values.leaves]
        tables = [self.values.leaves[u].table.at for u in leaves]
        shape = best_shape([*tables, *(s.to for s in group.stores)], self._shapes.get(m, ()))
        kind = AxisType.ORDERED if group.ordered else AxisType.LOOP
        ranges = [UOp.range(n, axis_type=kind) for n in shape]
        inner = [B.cast(r, dtypes.int64) for r in ranges]
        read = {u: self._read(self.values.leaves[u], shape, inner) for u in leaves}
        outer = [_along(k, shape) for k in range(len(shape))]
        for store, value in zip(group.stores, substitute(expressions, read), strict=True):
            to = B.inside(position(store.to, shape, outer, self._lists), base.size)
            base = B.scatter(base, value.vmapout(tuple(ranges)), (to,), "add" if store.adds else "place")
        return base


    def _read(self, leaf: Leaf, shape: Shape, variables: Sequence[UOp]) -> UOp:
        """The element of a leaf; what is stored is put into the order in which it is read, if that takes a list."""
        source, at = flat(leaf.source), leaf.table.at
        if source.op is Ops.BUFFER and not in_file(source) and form(at, shape) is None:
            source, at = self._lists.of(stored(source)[at]), np.arange(len(at), dtype=np.int32)
        index = position(at, shape, variables, self._lists)
        return B.gather(B.reshape(source, (source.size,)), B.inside(index, source.size))


def _work(u: UOp) -> int:
    return 0 if u.op is Ops.CONST else 12 if u.op in ELEMENTARY else 1


def _along(axis: int, shape: Shape) -> UOp:
    """The index along an axis, for every element of a shape."""
    flat = tuple(n if k == axis else 1 for k, n in enumerate(shape))
    return B.broadcast(B.reshape(B.iota(shape[axis]), flat), shape)


def empty(size: int, dtype: DType) -> UOp:
    """A vector whose elements are all to be written."""
    return UOp(Ops.EMPTY, dtype, (), (size,))
