"""Rows side by side: in a loop without lanes, the rows of a product are what the elements of vectors are.

A loop over rows that have nothing to do with one another is marked (`AxisType.VECTOR`), and written for as many rows at
a time as vectors hold; the last of these end where the rows end, and some may be computed twice. Each row has its sums
in the order that it has by itself. A matrix that is the same in all rounds, and whose rows these are, is put down by
columns once before the rounds, so that the elements of vectors lie side by side.

Source: Allen and Kennedy, Optimizing Compilers for Modern Architectures, section 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from functrans import dtypes
from functrans.backend.codegen.lanes.records import relative
from functrans.backend.codegen.nest import Loop, loops_of, nest
from functrans.backend.codegen.regions.jam import MOST_SIDES
from functrans.backend.codegen.regions.tree import Array, Part
from functrans.backend.codegen.varying import step_of
from functrans.backend.codegen.vectors.target import target
from functrans.backend.policy import L1_BYTES
from functrans.backend.schedule.around import has_vectors
from functrans.backend.schedule.regions import Lanes
from functrans.dtypes import DType
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.kernel import LocalArg, is_bound
from functrans.ops.loops import nodes_in
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import extent

_ACTS = frozenset({Ops.ASSIGN, Ops.DEFINE_ACC, Ops.INDEX, Ops.CONST, Ops.DEFINE_GLOBAL})
Parts = Mapping[UOp, Part]


class Turned(NamedTuple):
    """An array by columns: what it is made of, what stands for it, how many rows it has and how long they are."""

    source: UOp
    columns: UOp
    rows: int
    length: int


def side_by_side(uops: list[UOp], parts: Parts, rows: int) -> tuple[list[UOp], list[Turned]]:
    """The statements with such loops of so many rows a vector marked, and the arrays that they read by columns. Linear
    in their number.
    """
    loops = list(_eligible(nest(uops), parts, rows))
    if not loops:
        return uops, []
    marked = {r: UOp(r.op, r.dtype, r.src, (r.arg[0], AxisType.VECTOR)) for r in loops}
    uops = substitute(uops, marked)
    return _turned(uops, set(marked.values()))


def in_rows(u: UOp) -> bool:
    """Whether a place is another one in each row."""
    return any(r.arg[1] is AxisType.VECTOR for r in u.free_ranges)


def sides_of(uops: list[UOp], rows: int) -> int | None:
    """How many vectors of so many rows go side by side at most, None where there is no such loop."""
    found = [extent(u) for u in uops if u.op is Ops.RANGE and u.arg[1] is AxisType.VECTOR]
    return (MOST_SIDES if max(found) > rows else 1) if found else None


def rows_of(programs: Iterable[Lanes]) -> int:
    """How many rows a vector has: of the widest numbers that loops or branches have, or real ones before and after."""
    kinds: set[DType] = set()
    for lanes in programs:
        kinds |= {u.dtype for f in (lanes.before, lanes.after) for u in toposort(f.outputs) if u.dtype.kind == "f"}
        kinds |= {u.dtype for u in nodes_in(lanes.region)}
    return target().bytes // widest(kinds)


def widest(kinds: Iterable[DType]) -> int:
    """The bytes of the widest number that vectors can have."""
    return max((d.itemsize for d in kinds if d.kind in "fiu"), default=8)


def _eligible(items: list[UOp | Loop], parts: Parts, rows: int) -> Iterator[UOp]:
    for loop in loops_of(items):
        if _is_rows(loop, parts, rows):
            yield loop.range
        else:
            yield from _eligible(loop.items, parts, rows)


def _is_rows(loop: Loop, parts: Parts, rows: int) -> bool:
    r, inner = loop.range, loop.inner
    if r.src[0].op is not Ops.CONST or extent(r) < rows or r.arg[1] is AxisType.VECTOR:
        return False
    if any(isinstance(x, Loop) or x.op is Ops.STORE for i in inner for x in i.items):
        return False
    every = list(loop.walk())
    own = {u for u in every if u.op is Ops.DEFINE_ACC}
    stored = {_array(u.src[0].src[0], parts) for u in every if u.op is Ops.STORE}
    return not _mixes_places(every, r) and all(_is_of_row(u, r, own, stored, parts) for u in every)


def _mixes_places(every: list[UOp], r: UOp) -> bool:
    """Whether a place is made of numbers that rows compute, or a number of the row's place: a vector of rows has one
    place alone, that of its first.
    """
    numbers = {u for u in every if u.dtype != dtypes.index}
    return any(
        not numbers.isdisjoint(u.src) if u.dtype == dtypes.index
        else any(s.dtype == dtypes.index and r in s.free_ranges for s in u.src)
        for u in every if u.op in GroupOp.Elementwise
    )  # fmt: skip


def _is_of_row(u: UOp, r: UOp, own: set[UOp], stored: set[Array | UOp], parts: Parts) -> bool:
    """Whether a statement is one of a row that vectors can do."""
    if is_bound(u) or (u.op is Ops.ASSIGN and u.src[0] not in own) or (u.op is Ops.LOAD and len(u.src) > 1):
        return False
    if u.op is Ops.RANGE:
        return u.src[0].op is Ops.CONST
    if u.op in (Ops.LOAD, Ops.STORE):
        (array, place), step = u.src[0].src, step_of(r, u.src[0].src[1])
        if not has_vectors(array.dtype) or step is None or len(u.src) > 2:
            return False
        if u.op is Ops.STORE:
            return step == 1
        constant = array in parts and parts[array].array.constant and not parts[array].offset
        near = step in (0, 1) or (constant and _is_matrix(array, place, r, step))
        return _array(array, parts) not in stored and near
    if u.dtype == dtypes.index or u.op in _ACTS:
        return True
    kinds = {s.dtype for s in (u, *u.src)} - {dtypes.bool_, dtypes.index}
    return u.op in GroupOp.Elementwise and all(map(has_vectors, kinds))


def _array(u: UOp, parts: Parts) -> Array | UOp:
    """What two names of one array have in common."""
    return parts[u].array if u in parts else u


def _is_matrix(array: UOp, place: UOp, r: UOp, step: int) -> bool:
    """Whether a place is one in a row, which are one behind the other."""
    low, high = sym.bounds(relative(r, place))
    return step > 1 and low >= 0 and high < step and array.dtype.itemsize * step * extent(r) <= L1_BYTES


def _turned(uops: list[UOp], rows: set[UOp]) -> tuple[list[UOp], list[Turned]]:
    """The statements with reads by columns where those by rows are apart."""
    numbers = 1 + max((u.arg.number for u in uops if u.op is Ops.DEFINE_LOCAL), default=-1)
    found: dict[tuple[UOp, int, int], Turned] = {}
    new: dict[UOp, UOp] = {}
    out: list[UOp] = []
    for u in uops:
        r = next((r for r in rows if u.op is Ops.INDEX and r in u.src[1].free_ranges), None)
        step = 1 if r is None else step_of(r, u.src[1])
        if r is None or step == 1 or step is None:
            out.append(u)
            continue
        key = (u.src[0], extent(r), step)
        if key not in found:
            local = UOp(Ops.DEFINE_LOCAL, u.dtype, (), LocalArg(numbers + len(found), extent(r) * step))
            found[key] = Turned(u.src[0], local, extent(r), step)
        place = sym.add(sym.mul(relative(r, u.src[1]), extent(r)), r)
        new[u] = UOp(Ops.INDEX, u.dtype, (found[key].columns, place))
        known = set(out)
        out += [v for v in toposort((place,)) if v not in known and v.op is not Ops.RANGE]
        out.append(u)
    if not found:
        return uops, []
    return [*(t.columns for t in found.values()), *substitute(out, new)], list(found.values())
