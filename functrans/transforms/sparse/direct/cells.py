"""Small matrices taken apart: each element of a cell is a vector over all cells, as if it had a name of its own.

An energy of elements is written by scalars, by stacks of matrices, or for one element and mapped, and is one energy.
Before anything is derived, determinants and products of small matrices are therefore sums of products of elements, and
with them what they are made of and what is made of them, as far as each cell keeps to itself. So their derivatives are
those of scalars, in which it shows what is zero, linear or symmetric in a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import closed_by, opdef
from functrans.ops.source import param
from functrans.ops.uop import Shape, UOp, toposort
from functrans.ops.vmap import extent
from functrans.transforms.sparse.direct.minors import written_out
from functrans.transforms.sparse.direct.spaces import SHORT
from functrans.transforms.sparse.direct.sums import MAX_ADDENDS

Long = tuple[bool, ...]  # for each axis whether it counts cells; the others are those of a cell


class Cells(NamedTuple):
    """An array by the elements of its cells.

    shape : of the array
    long : which of its axes count cells
    parts : nodes over the long axes, in an array with the axes of a cell, 1 in place of a long one
    """

    shape: Shape
    long: Long
    parts: NDArray[Any]

    @property
    def front(self) -> Shape:
        """The shape of each part."""
        return self.outer(self.shape)

    def outer(self, of_axes: Sequence[Any]) -> tuple[Any, ...]:
        """What is said of the long axes."""
        return tuple(a for a, long in zip(of_axes, self.long, strict=True) if long)

    def map(self, f: Callable[..., UOp], *others: Cells) -> Cells:
        """Part by part."""
        rows = zip(self.parts.flat, *(o.parts.flat for o in others), strict=True)
        return self._replace(parts=_array([f(*row) for row in rows], self.parts.shape))

    def joined(self) -> UOp:
        """The array."""
        order = sorted(range(len(self.shape)), key=lambda k: not self.long[k])
        parts = tuple(self.parts.flat)
        whole = B.stack(parts, len(self.front)) if len(parts) > 1 else parts[0]
        whole = B.reshape(whole, tuple(self.shape[k] for k in order))
        return B.permute(whole, tuple(map(order.index, range(len(order)))))


def apart(roots: Sequence[UOp]) -> list[UOp]:
    """The same values, with small matrices taken apart; as they are where some cell has too many elements.

    Linear in the nodes and in the elements of their cells, of which a cell has no more than a sum has addends that are
    written out. Tetrahedra have 27; with hexahedra, 72, expressions got so long that a plan took a minute.
    """
    written = written_out(roots)
    order = toposort(written)
    kinds = _kinds(order)
    if any(prod(_inner(u.sized, long)) > MAX_ADDENDS for u, long in kinds.items()):
        return list(roots)
    return list(map(_Taken(order, kinds).plain, written)) if kinds else written


def _kinds(order: Sequence[UOp]) -> dict[UOp, Long]:
    """The axes that count cells, of products of small matrices and of all that they are made of: an axis that counts
    cells anywhere does so everywhere.
    """
    found: dict[UOp, Long] = {}
    for u in reversed(order):
        if _is_product(u, found.get(u)):
            found.setdefault(u, _long_axes(u.sized))
        if u not in found or not u.size:
            continue
        for s in u.src:
            if _passes(s):
                found[s] = _either(found.get(s), _before(u, found[u]))
    return found


def _is_product(u: UOp, long: Long | None) -> bool:
    """Whether a node is a product of matrices within each of many cells."""
    if not _is_sum(u) or u.src[0].op is not Ops.MUL or u.dtype.kind != "f" or not u.size:
        return False
    shape = u.src[0].sized
    before = _before(u, _long_axes(u.sized) if long is None else long)
    cells = prod(n for n, is_long in zip(shape, before, strict=True) if is_long) * prod(map(extent, u.free_ranges))
    if cells < prod(_inner(shape, before)) or any(before[k] for k in _summed(u)):
        return False
    return any(_is_repeated(s, before) for s in u.src[0].src)


def _is_repeated(u: UOp, long: Long) -> bool:
    """Whether elements of a cell are factors of several products: those of vectors are short as they are."""
    repeats = opdef(u).repeats
    return repeats is not None and not all(long[k] for k in repeats(u))


def _long_axes(shape: Shape) -> Long:
    """Which axes of an array count cells: long ones, and of the others the first ones if a cell had too many elements
    with them.
    """
    count, long = 1, []
    for n in reversed(shape):
        is_long = n > SHORT or count * n > MAX_ADDENDS
        count *= 1 if is_long else n
        long.append(is_long)
    return tuple(reversed(long))


def _either(one: Long | None, other: Long) -> Long:
    return other if one is None else tuple(a or b for a, b in zip(one, other, strict=True))


def _passes(u: UOp) -> bool:
    """Whether a node may be taken apart with its source: a movement by numbers, a sum, a bracket, or elementwise."""
    by_numbers = u.op in GroupOp.Movement and len(u.src) == 1
    return by_numbers or _is_sum(u) or u.op in GroupOp.Elementwise or u.op in GroupOp.VMap


def _is_sum(u: UOp) -> bool:
    reduces = opdef(u).reduces
    return reduces is not None and reduces(u)[0] is Ops.ADD and opdef(u).runs is None


def _before(u: UOp, long: Long) -> Long:
    """The axes that count cells, of what a node is made of."""
    if u.op in GroupOp.Elementwise:
        return long
    shape = u.src[0].sized
    if u.op in GroupOp.VMap:
        kinds = iter(long)
        if closed_by(u):
            return tuple(is_long for is_long, a in zip(long, u.src[1:], strict=True) if a.op is not Ops.RANGE)
        return tuple(True if a.op is Ops.RANGE else next(kinds) for a in u.src[1:])
    axes = opdef(u).axes
    assert axes is not None  # of movement and reductions
    of_result = {axes.source(u, k): is_long for k, is_long in enumerate(long)}
    return tuple(n != 1 and of_result.get(k, n > SHORT) for k, n in enumerate(shape))


class _Taken:
    """The nodes of a graph: apart where that is wanted, and where they are made of what is."""

    def __init__(self, order: Sequence[UOp], kinds: dict[UOp, Long]) -> None:
        self._cells: dict[UOp, Cells] = {}
        self._plain: dict[UOp, UOp] = {}
        self._kinds = kinds
        for u in order:
            found = self._found(u) if u in kinds or any(s in self._cells for s in u.src) else None
            if found is None:
                self._plain[u] = u.replace(tuple(map(self.plain, u.src)))
            elif found.parts.size > 1:
                self._cells[u] = found
            else:
                self._plain[u] = found.joined()

    def plain(self, u: UOp) -> UOp:
        """A node as an array."""
        if u not in self._plain:
            self._plain[u] = self._cells[u].joined()
        return self._plain[u]

    def _found(self, u: UOp) -> Cells | None:
        if not _passes(u) or not all(s.size for s in (u, *u.src) if s.shape is not None):
            return None
        long = self._kinds.get(u)
        if u.op in GroupOp.Elementwise:
            for s in u.src:
                long = _either(long, self._cells[s].long) if s in self._cells else long
            assert long is not None
            first, *others = (self._of(s, long) for s in u.src)
            return first.map(lambda *src: u.replace(src), *others)
        wanted = _long_axes(u.sized) if long is None else long
        source = u.src[0]
        x = self._cells[source] if source in self._cells else self._of(source, _before(u, wanted))
        if u.op in GroupOp.VMap:
            return _closed(u, x) if closed_by(u) else _opened(u, x)
        return _summed_up(u, x) if _is_sum(u) else _moved(u, x, wanted)

    def _of(self, u: UOp, long: Long) -> Cells:
        """A node apart; the elements of an array are slices of it."""
        if u in self._cells and self._cells[u].long == long:
            return self._cells[u]
        whole, shape = self.plain(u), u.sized
        made = Cells(shape, long, np.empty(_inner(shape, long), object))
        for at in np.ndindex(made.parts.shape):
            bounds = ((0, n) if is_long else (k, k + 1) for n, k, is_long in zip(shape, at, long, strict=True))
            made.parts[at] = B.reshape(B.shrink(whole, tuple(bounds)), made.front)
        return made


def _array(parts: Sequence[UOp], shape: Shape) -> NDArray[Any]:
    made = np.empty(len(parts), object)
    made[:] = parts
    return made.reshape(shape)


def _inner(shape: Shape, long: Sequence[bool]) -> Shape:
    return tuple(1 if is_long else n for n, is_long in zip(shape, long, strict=True))


def _moved(u: UOp, x: Cells, wanted: Long) -> Cells | None:
    """Of a movement that leaves the long axes alone each cell is moved, which is done here and now."""
    axes, meaning = opdef(u).axes, opdef(u).numpy
    assert axes is not None and meaning is not None
    at: dict[int, int] = {}  # of the axes that count cells: where in the source each is
    for k, n in enumerate(u.sized):
        j = axes.source(u, k)
        if j is not None and (x.long[j] or (wanted[k] and x.shape[j] == 1 != n)):
            at[k] = j
    kept = [k for k in range(u.ndim) if k not in at]
    lost = any(is_long and j not in at.values() for j, is_long in enumerate(x.long))
    if (
        lost
        or any(u.sized[k] != x.shape[j] != 1 for k, j in at.items())
        or prod(u.sized[k] for k in kept) > MAX_ADDENDS
    ):
        return None  # cells are divided or left out
    long, order = tuple(k in at for k in range(u.ndim)), list(at.values())
    inner = [j for j in range(len(x.shape)) if j not in order]
    cell = param(tuple(x.shape[j] for j in inner), u.dtype)
    moved = meaning(UOp(u.op, u.dtype, (cell,), axes.arg(u, kept, ())), x.parts.reshape(cell.sized))
    made = Cells(u.sized, long, np.asarray(moved, object).reshape(_inner(u.sized, long)))
    ranks = [sum(x.long[:j]) for j in order if x.long[j]]
    ones = tuple(x.shape[j] for j in order)

    def part(p: Any) -> UOp:
        if not isinstance(p, UOp):
            return B.full(made.front, u.dtype, p)  # what a cell is padded with
        turned = B.permute(p, tuple(ranks)) if ranks else p
        return B.expand(B.reshape(turned, ones), made.front)

    return made.map(part)


def _summed(u: UOp) -> tuple[int, ...]:
    reduces = opdef(u).reduces
    assert reduces is not None
    return reduces(u)[1]


def _summed_up(u: UOp, x: Cells) -> Cells:
    """Sums over the axes of a cell are written down, in their order."""
    axes = _summed(u)
    within = [k for k in axes if not x.long[k]]
    outer = tuple(sum(x.long[:k]) for k in axes if x.long[k])
    kept = [k for k in range(len(x.shape)) if k not in axes]
    rows = np.moveaxis(x.parts, within, range(len(within))).reshape(prod(x.parts.shape[k] for k in within), -1)
    totals = [B.reduce_axis(p, Ops.ADD, outer) if outer else p for p in (reduce(B.add, column) for column in rows.T)]
    long = tuple(x.long[k] for k in kept)
    return Cells(u.sized, long, _array(totals, _inner(u.sized, long)))


def _opened(u: UOp, x: Cells) -> Cells | None:
    """An axis that is mapped over counts cells."""
    varg = u.src[1:]
    if any(a.op is Ops.RANGE and not is_long for a, is_long in zip(varg, x.long, strict=True)):
        return None
    kept = [k for k, a in enumerate(varg) if a.op is not Ops.RANGE]
    long = tuple(x.long[k] for k in kept)
    made = Cells(u.sized, long, x.parts.reshape(_inner(u.sized, long)))
    return made.map(lambda p: p.vmapin(x.outer(varg)))


def _closed(u: UOp, x: Cells) -> Cells:
    kinds = iter(x.long)
    long = tuple(True if a.op is Ops.RANGE else next(kinds) for a in u.src[1:])
    made = Cells(u.sized, long, x.parts.reshape(_inner(u.sized, long)))
    return made.map(lambda p: p.vmapout(made.outer(u.src[1:])))
