"""Terms as a graph: for each index space one loop that reads leaves, computes coefficients and stores them in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, compress

import numpy as np
from numpy.typing import NDArray

from functrans import dtypes
from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.enums import AxisType, Ops
from functrans.ops.movement import flat
from functrans.ops.source import in_file, stored
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.sparse.direct.addends import Addends, Both, is_cheap, lines, rows_and_cols
from functrans.transforms.sparse.direct.expressions import alike, alone
from functrans.transforms.sparse.direct.interior import interior
from functrans.transforms.sparse.direct.spaces import SHORT, Lists, Shape, best_shape, form, position, positions
from functrans.transforms.sparse.direct.stores import Group, Places, Store, alive, apart, counted, grouped, halves
from functrans.transforms.sparse.direct.sums import Sum, equal, in_turn, is_often, sums
from functrans.transforms.sparse.direct.tables import Table
from functrans.transforms.sparse.direct.terms import Term, Terms
from functrans.transforms.sparse.direct.values import ELEMENTARY, Leaf

Write = tuple[UOp, Places]
AGAIN = 256  # nodes of expressions that may be written down once more
# Numbers of a list of elements that are added up: from there on it is memory and no cache. With a list, times of that
# without: tetrahedra .72 and .83 at 175 and 340 thousand numbers, 1.16 and 1.12 at 1.0 and 3.2 million.
LISTED = 2**19


class Emission:
    """The graph of some terms.

    carriers : of the plan whose terms they are
    shapes : shapes that index spaces may have
    """

    def __init__(self, carriers: Terms, shapes: Iterable[Shape]) -> None:
        self.carriers, self.values, self.tables = carriers, carriers.values, carriers.tables
        self._lists = Lists()
        self._equals: dict[tuple[Table, ...], tuple[Places, Places] | None] = {}
        self._shapes: dict[int, list[Shape]] = {}
        for s in dict.fromkeys(tuple(n for n in s if n != 1) for s in shapes):  # an axis of one is no loop
            self._shapes.setdefault(int(np.prod(s)), []).append(s)

    def _in_lines(self, size: int) -> list[Shape]:
        """The shapes that an index space of so many elements has as lines, as long as those of arrays are."""
        lines = dict.fromkeys(s[-1] for shapes in self._shapes.values() for s in shapes if s and s[-1] >= 2 * SHORT)
        return [(size // n, n) for n in lines if size % n == 0 and size > n]

    def filled(
        self, base: UOp, writes: Sequence[tuple[Term, Places]], dtype: DType, entries: Both | None = None
    ) -> UOp:
        """The base, a vector, with the sums of coefficients at their places; none is at a place of the base's own.
        ``entries`` are the row and the column of each place, where they are known.
        """
        base, seen, spaces = self._read_sums(base, self._spaces(writes), writes, dtype, entries)
        laid, plain = self._parted(spaces, seen)
        base = self._summed(base, laid, writes, seen, dtype)
        plain = [piece for part in plain for half in self._once_each(part) for piece in self._pieces(half)]
        plain.sort(key=lambda part: not all(apart(to) for _, to in part))
        plain = [sorted(part, key=lambda w: bool(w[1][-1] >= 0)) for part in plain]
        made, zero = grouped([[to for _, to in part] for part in plain], seen)
        if len(zero):
            base = self._loop(base, [UOp.const(dtype, 0)], Group((Store(zero, False, None),), False), dtype)
        for part, group in zip(plain, made, strict=True):
            base = self._loop(base, [c for c, _ in part], group, dtype)
        return base

    def _parted(
        self, spaces: list[list[Write]], seen: NDArray[np.bool_]
    ) -> tuple[list[list[Write]], list[list[Write]]]:
        """Index spaces whose elements are laid out before they are added up, the largest first, and the others.

        Where arrays are read by lists, and places are met often or half of the elements are equal; and where most is
        added to such places. Not where places have been seen, or where the list were memory and no cache: then elements
        are added in their order, which is that of the user.
        """
        any_seen = bool(seen.any())
        rough = [
            self._is_rough(part) and not (any_seen and (seen & _reached(part, len(seen))).any()) for part in spaces
        ]
        if not any(rough):
            return [], spaces
        places = [[alive(to) for _, to in part] for part in spaces]
        times = counted(chain.from_iterable(places), len(seen))
        reached = [_reached(part, len(seen)) if len(spaces) > 1 else times > 0 for part in spaces]
        met_by = zip(spaces, reached, strict=True)
        often = [is_often(len(part), int(times[met].sum()), int(np.count_nonzero(met))) for part, met in met_by]
        chosen = [
            r and (o or any(self._equal(c) for c, _ in part))
            for r, o, part in zip(rough, often, spaces, strict=True)
        ]
        if not any(chosen):
            return [], spaces
        met = np.zeros(len(seen), np.bool_)
        for part in compress(reached, chosen):
            met |= part
        chosen = [c or (_is_most(met, at) and not any(seen[to].any() for to in at))
                  for c, at in zip(chosen, places, strict=True)]  # fmt: skip
        once = [c and not any(self._equal(e) for e, _ in part) for c, part in zip(chosen, spaces, strict=True)]
        listed = sum(len(part[0][1]) * len({c for c, _ in part}) for part in compress(spaces, once))
        if listed > LISTED:
            chosen = [c and not o for c, o in zip(chosen, once, strict=True)]
        laid = sorted(compress(spaces, chosen), key=lambda part: -len(part[0][1]))
        return laid, [part for part, c in zip(spaces, chosen, strict=True) if not c]

    def _summed(
        self, base: UOp, laid: list[list[Write]], writes: Sequence[tuple[Term, Places]], seen: NDArray[np.bool_],
        dtype: DType,
    ) -> UOp:  # fmt: skip
        """The base with what is laid out; the places that are set with it are seen from then on."""
        if not laid:
            return base
        values: list[tuple[dict[UOp, int], int]] = []
        found: list[tuple[int, Places, Places]] = []
        length = 0
        for part, order, number in chain.from_iterable(map(self._computed, laid)):
            at = self.tables.of(order)
            expressions = alike([B.cast(self.values.moved(c, at), dtype) for c, _ in part])
            starts = {c: length + len(order) * k for k, c in enumerate(dict.fromkeys(expressions))}
            length += len(order) * len(starts)
            found.extend((starts[c], starts[c] + number, to) for c, (_, to) in zip(expressions, part, strict=True))
            values.append((starts, len(order)))
        whole = empty(length, dtype)
        for starts, n in values:
            places = [np.arange(start, start + n, dtype=np.int32) for start in starts.values()]
            group = Group(tuple(Store(to, False, None) for to in places), False)
            whole = self._loop(whole, list(starts), group, dtype)
        for *_, to in found:
            seen[to[to >= 0]] = True
        every = base.op is Ops.EMPTY and 2 * int(np.count_nonzero(seen)) > base.size
        every = every and bool(_reached(writes, base.size).all())
        plan = sums(found, every, base.size)
        # sums in a row are vector code, and need no list of places
        made = empty(plan.made, dtype)
        for s in plan.alike:
            made = self._added(made, whole, s, "place")
        made = self._added(made, whole, plan.rest, "add")
        return self._set(self._set(base, whole, plan.single), made, plan.several)

    def _lines(self, writes: Sequence[tuple[Term, Places]], size: int, entries: Both | None) -> Places:
        """For each place of the result the line of entries that it is of, -1 for none."""
        rows, cols = rows_and_cols(writes, size) if entries is None else entries
        shapes, known = [s for part in self._shapes.values() for s in part], _reached(writes, size)
        if known.all():
            return lines(rows, cols, shapes)
        line = np.full(size, -1, np.int32)
        line[known] = lines(rows[known], cols[known], shapes)
        return line

    def _read_sums(
        self, base: UOp, spaces: list[list[Write]], writes: Sequence[tuple[Term, Places]], dtype: DType,
        entries: Both | None,
    ) -> tuple[UOp, NDArray[np.bool_], list[list[Write]]]:  # fmt: skip
        """The base with sums of cheap addends, which of its places are set with them, and what is left of the spaces.

        Nothing that is laid out goes to such places.
        """
        seen, left = np.zeros(base.size, np.bool_), []
        cheap = [all(is_cheap(c, self.values) for c, _ in part) and self._is_rough(part) for part in spaces]
        if not any(cheap):
            return base, seen, spaces
        line = self._lines(writes, base.size, entries)
        laid, _ = self._parted([part for part, c in zip(spaces, cheap, strict=True) if not c], seen)
        taken = _reached(list(chain.from_iterable(laid)), base.size)
        for part, is_read in zip(spaces, cheap, strict=True):
            met = _reached(part, base.size)
            if not is_read or ((seen | taken) & met).any() or not _is_sum(part, line, met):
                left.append(part)
                continue
            made, others = Addends(part, self.values, self._lists.of).sums(line)
            for found in made:
                for piece in self._pieces([(found.coefficient, found.to)]):
                    stores = tuple(Store(to, found.adds, None) for _, to in piece)
                    base = self._loop(base, [c for c, _ in piece], Group(stores, False), dtype, in_lines=True)
                seen[found.to] = True
            if len(others):
                met[:] = False
                met[others] = True
                rest = [(c, np.where(met[to] & (to >= 0), to, np.int32(-1))) for c, to in part]
                left.append(self._compact([w for w in rest if (w[1] >= 0).any()]))
        return base, seen, left

    def _computed(self, part: list[Write]) -> list[tuple[list[Write], Places, Places]]:
        """The writes of a space by what their coefficients read: which elements are computed, in their order, and the
        number of the one that each is equal to.
        """
        once: dict[tuple[UOp, ...], list[Write]] = {}
        every: list[Write] = []
        for c, to in part:
            leaves = tuple(self.values.read_in(c))
            (every if self._equal(c) is None else once.setdefault(leaves, [])).append((c, to))
        made: list[tuple[list[Write], Places, Places]] = []
        if every:
            order = in_turn([to for _, to in every])
            number = np.empty(len(order), np.int32)
            number[order] = np.arange(len(order), dtype=np.int32)
            made.append((every, order, number))
        for writes in once.values():
            found = self._equal(writes[0][0])
            assert found is not None
            made.append((writes, *found))
        return made

    def _equal(self, coefficient: UOp) -> tuple[Places, Places] | None:
        """Which elements of a coefficient are equal since they read the same: see `equal`."""
        read = tuple(dict.fromkeys(self.values.leaves[u].table for u in self.values.read_in(coefficient)))
        if read not in self._equals:
            self._equals[read] = equal([table.at for table in read])
        return self._equals[read]

    def _set(self, base: UOp, source: UOp, part: Sum) -> UOp:
        """The base with elements of a list at their places, the first one being all of them where that is so."""
        if base.op is Ops.EMPTY and len(part.places) == base.size:
            index = B.cast(self._lists.of(part.at[0]), dtypes.int64)
            return B.gather(source, B.inside(index, source.size))
        return self._added(base, source, part, "place")

    def _added(self, base: UOp, whole: UOp, part: Sum, mode: str) -> UOp:
        """The base with the sums of some elements of a list."""
        n = len(part.places)
        if not n:
            return base
        r = UOp.range(n, axis_type=AxisType.ORDERED if mode == "add" else AxisType.LOOP)
        total: UOp | None = None
        for row in part.at:
            index = position(row, (n,), [B.cast(r, dtypes.int64)], self._lists)
            read = B.gather(whole, B.inside(index, whole.size))
            total = read if total is None else B.add(total, read)
        assert total is not None
        to = B.inside(position(part.places, (n,), [B.iota(n)], self._lists), base.size)
        return B.scatter(base, total.vmapout((r,)), (to,), mode)

    def _spaces(self, writes: Sequence[tuple[Term, Places]]) -> list[list[Write]]:
        """The coefficients by index space, without elements that go nowhere at all."""
        found: dict[tuple[int, bool], list[Write]] = {}
        for term, to in writes:
            live = np.flatnonzero(to >= 0)
            if not len(live):
                continue
            if term.coefficient.op is Ops.CONST:
                found.setdefault((len(live), True), []).append((term.coefficient, to[live]))
            else:
                found.setdefault((len(to), False), []).append((term.coefficient, to))
        spaces: dict[int, list[Write]] = {}
        for part in found.values():
            for left in self._divided(part):
                spaces.setdefault(len(left[0][1]), []).extend(left)
        return list(spaces.values())

    def _once_each(self, part: list[Write]) -> list[list[Write]]:
        """Writes in two where a few of their elements go to a place that another has: the rest is stored, not added."""
        found = halves([to for _, to in part])
        if found is None:
            return [part]
        return self._divided([(c, half) for (c, _), both in zip(part, found, strict=True) for half in both])

    def _pieces(self, part: list[Write]) -> list[list[Write]]:
        """Writes by steps apart from those at the borders of an index space; long ones are not compiled twice."""
        nodes = toposort([c for c, _ in part])
        leaves = [self.values.leaves[u] for u in nodes if u in self.values.leaves]
        if len(nodes) > AGAIN or all(u.op is Ops.CONST for u, _ in part):
            return [part]
        read = [at.at for source, at in leaves if flat(source).op is not Ops.BUFFER]  # those are put in order
        size = len(part[0][1])
        found = interior(read, [to for _, to in part], self._shapes.get(size, ()))
        if found is None:
            return [part]
        self._shapes.setdefault(len(found.inside), []).append(found.shape)
        pieces = ([(self.values.moved(c, self.tables.of(at)), to[at]) for c, to in part] for at in found[1:])
        return [self._compact([w for w in piece if (w[1] >= 0).any()]) for piece in pieces]

    def _divided(self, part: list[Write]) -> list[list[Write]]:
        """What is computed together, that of most elements last, and alone what has few and shares too little of its
        work.
        """
        together: list[Write] = []
        found: list[list[Write]] = []
        done: set[UOp] = set()
        for c, to in sorted(part, key=lambda w: -int(np.count_nonzero(w[1] >= 0))):
            more = [u for u in toposort((c,), enter=lambda u: u not in done) if u not in done]
            ratio = len(to) / (2 * int(np.count_nonzero(to >= 0)))
            if ratio > 1 and (1 + sum(map(_work, more))) * ratio > 1 + sum(map(_work, toposort((c,)))):
                found.append(self._compact([(c, to)]))
            else:
                together.append((c, to))
                done.update(more)
        return [self._compact(together[::-1]), *found] if together else found

    def _compact(self, part: list[Write]) -> list[Write]:
        live = np.zeros(len(part[0][1]), np.bool_)
        for _, to in part:
            live |= to >= 0
        if live.all():
            return part
        at = self.tables.of(np.flatnonzero(live))
        return [(self.values.moved(c, at), to[at.at]) for c, to in part]

    def _is_rough(self, part: list[Write]) -> bool:
        """Whether some array is read by a list that is no arithmetic: then all may be, at little cost. Or whether much
        is computed, which vectors do and sums one by one do not.
        """
        nodes = toposort([c for c, _ in part])
        leaves = [self.values.leaves[u].table.at for u in nodes if u in self.values.leaves]
        much = sum(map(_work, nodes)) > 2 * len(part)
        return any(form(at, (len(at),)) is None for at in leaves if len(at)) or (
            much and any(form(to, (len(to),)) is None for _, to in part)
        )

    def _loop(
        self, base: UOp, coefficients: Sequence[UOp], group: Group, dtype: DType, in_lines: bool = False
    ) -> UOp:
        """The base with the stores of a group, in loops over axes of arrays, and over lines where they are in lines."""
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
        shapes = [*self._shapes.get(m, ()), *(self._in_lines(m) if in_lines else ())]
        shape = best_shape([*tables, *(s.to for s in group.stores)], shapes)
        if shape[0] < SHORT and len(toposort(expressions)) > AGAIN:
            shape = (m,)  # the lanes of a long body are those of the first axis
        kind = AxisType.ORDERED if group.ordered else AxisType.LOOP
        ranges = [UOp.range(n, axis_type=kind) for n in shape]
        inner = [B.cast(r, dtypes.int64) for r in ranges]
        read = {u: self._read(self.values.leaves[u], shape, inner) for u in leaves}
        outer = [_along(k, shape) for k in range(len(shape))]
        places = positions([store.to for store in group.stores], shape, outer, self._lists)
        for store, at, value in zip(group.stores, places, substitute(expressions, read), strict=True):
            to = B.inside(at, base.size)
            base = B.scatter(base, value.vmapout(tuple(ranges)), (to,), "add" if store.adds else "place")
        return base

    def _read(self, leaf: Leaf, shape: Shape, variables: Sequence[UOp]) -> UOp:
        """The element of a leaf; what is stored is put into the order in which it is read, if that takes a list."""
        source, at = flat(alone(leaf.source)), leaf.table.at
        if source.op is Ops.BUFFER and not in_file(source) and form(at, shape) is None:
            source, at = self._lists.of(stored(source)[at]), np.arange(len(at), dtype=np.int32)
        if source.op is Ops.BUFFER and not in_file(source) and len(shape) > 1:
            lines = stored(source)[at].reshape(shape)
            if (lines == lines[..., :1]).all():  # the same along the last axis: a number for each line
                source, at = self._lists.of(lines[..., 0].reshape(-1)), np.arange(lines[..., 0].size, dtype=np.int32)
                shape, variables = shape[:-1], variables[:-1]
        index = position(at, shape, variables, self._lists)
        return B.gather(B.reshape(source, (source.size,)), B.inside(index, source.size))


def _is_sum(part: list[Write], line: Places, met: NDArray[np.bool_]) -> bool:
    """Whether more addends than entries go to some places, most of which are of lines: others are added up from a list,
    which is read as vectors.
    """
    count, entries = sum(int(np.count_nonzero(to >= 0)) for _, to in part), int(np.count_nonzero(met))
    return SHORT * (count - entries) >= entries and 2 * int(np.count_nonzero(line[met] >= 0)) > entries


def _is_most(met: NDArray[np.bool_], places: Sequence[Places]) -> bool:
    """Whether more than half of the places are among those that are met."""
    return 2 * sum(int(np.count_nonzero(met[at])) for at in places) > sum(map(len, places))


def _reached(writes: Sequence[tuple[object, Places]], size: int) -> NDArray[np.bool_]:
    """The places that something goes to."""
    found = np.zeros(size, np.bool_)
    for _, to in writes:
        found[alive(to)] = True
    return found


def _work(u: UOp) -> int:
    return 0 if u.op is Ops.CONST else 12 if u.op in ELEMENTARY else 1


def _along(axis: int, shape: Shape) -> UOp:
    """The index along an axis, for every element of a shape."""
    flat = tuple(n if k == axis else 1 for k, n in enumerate(shape))
    return B.broadcast(B.reshape(B.iota(shape[axis]), flat), shape)


def empty(size: int, dtype: DType) -> UOp:
    """A vector whose elements are all to be written."""
    return UOp(Ops.EMPTY, dtype, (), (size,))
