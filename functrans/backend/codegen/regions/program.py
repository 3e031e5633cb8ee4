"""A loop or branch with all that is inside of it as one program: statements over arrays, loops and branches as a tree.

What a kernel of a body reads and writes are arrays of the program: carries, slices of sequences, values in between.
Nothing is called and nothing is copied but carries at the end of a round, so small arrays can live in registers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from math import prod

from functrans import dtypes
from functrans.backend.codegen.regions.in_place import handed_on, in_place, updates
from functrans.backend.codegen.regions.jam import jammed
from functrans.backend.codegen.regions.known import Known
from functrans.backend.codegen.regions.side_by_side import Turned, side_by_side
from functrans.backend.codegen.regions.tree import (
    Array,
    Block,
    Branch,
    Call,
    Carry,
    Each,
    Item,
    Move,
    Part,
    Rounds,
    Statements,
)
from functrans.backend.policy import KERNEL_STATEMENTS, SMALL_ARRAY
from functrans.backend.schedule.kernels import Kernel, RegionKernel
from functrans.backend.schedule.passes import BODY
from functrans.backend.schedule.regions import Lanes
from functrans.dtypes import DType
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import Program, Scan, Switch, While
from functrans.ops.movement import flat
from functrans.ops.routines import Kind, Routine
from functrans.ops.uop import UOp, toposort

_READ = {
    Kind.AFTER_LU: 2, Kind.AFTER_COMPLEX_LU: 2, Kind.TRIANGULAR: 1, Kind.SPARSE: 1, Kind.SPARSE_FACTOR: 1,
    Kind.SPARSE_SOLVE: 2, Kind.SPARSE_PIVOTS: 2, Kind.SPARSE_INVERSE: 2,
}  # fmt: skip
"""The first sources of routines, which they only read."""


class TooLong(Exception):
    """A program has more statements than vectors of lanes are written for; the text says so."""


class Builder:
    """Makes the program of a kernel; raises `TooLong` as soon as it has too many statements.

    ``rows``: how many rows are side by side in a vector, of a kernel that has no lanes; 0 of others.

    ``statements``: how many a lane has. ``turned``: arrays that it reads by columns, those that are to have the
    columns, rows and elements of a row.
    """

    def __init__(self, known: Known, rows: int = 0) -> None:
        self.known = known
        self.arrays: list[Array] = []
        self.names = 0
        self.rows = rows
        self.statements = 0
        self.depth = 0  # of loops and branches around
        self.turned: list[tuple[Array, Array, int, int]] = []
        self.beside: list[Array] = []

    def fresh(self, prefix: str) -> str:
        """A name that nothing has."""
        self.names += 1
        return f"{prefix}{self.names}"

    def array(self, dtype: DType, elements: int) -> Array:
        """An array of the program's own."""
        made = Array(self.fresh("m"), dtype, elements)
        self.arrays.append(made)
        return made

    def whole(
        self, lanes: Lanes, given: Sequence[Part], results: dict[int, Part], rounds: str | None = None
    ) -> tuple[list[Item], Rounds | Branch | Call, list[Item]]:
        """A loop or branch of parts with what stands before and after it; ``rounds`` is the C of the number of rounds,
        where that is an argument.
        """
        loaded: list[Item] = []
        if isinstance(lanes.region, Routine):
            given = [self._by_row(p, prod(x.sized), loaded) for p, x in zip(given, lanes.before.params, strict=True)]
        named = dict(zip(lanes.before.params, given, strict=True))
        first = [named.get(flat(o)) or Part(self.array(o.dtype, o.size)) for o in lanes.before.outputs]
        wanted = [k for k, o in enumerate(lanes.before.outputs) if flat(o) not in named]
        starts = [first[k] for k in wanted]
        before = self.block(lanes.before, given, wanted, starts, self.depth == 0).items if wanted else []
        sources = [given[j] if j >= 0 else first[~j] for j in lanes.taken]
        free = set[Array]()
        if isinstance(lanes.region, Routine):
            free = {a for a in (first[k].array for k in wanted) if sum(p.array is a for p in sources) == 1}
        passed = lanes.after.params[: len(lanes.region.results)]
        place = {p: k for k, p in enumerate(passed)}
        direct = {k: results[m] for m, k in enumerate(lanes.made) if k >= 0 and m in results}
        last = []
        for m in (m for m, k in enumerate(lanes.made) if k < 0 and m in results):
            k = place.get(flat(lanes.after.outputs[~lanes.made[m]]))
            if k is None or k in direct:
                last.append(m)
            else:
                direct[k] = results[m]
        read = set(toposort([lanes.after.outputs[~lanes.made[m]] for m in last]))
        own: dict[int, Part] = {}
        for k, p in enumerate(passed):
            if p in read:  # what a routine leaves in its last source is its first result
                stays = k == 0 and sources[-1].array in free and _holds(sources[-1], p.dtype, p.size)
                own[k] = sources[-1] if stays else Part(self.array(p.dtype, p.size))
        item: Rounds | Branch | Call
        after: list[Item] = []
        if isinstance(lanes.region, Routine):
            staged, item, moves = self.call(lanes.region, sources, direct | own, free)
            before, after = [*loaded, *before, *staged], [*moves]
        else:
            item = self.region(lanes.region, sources, direct | own, rounds)
        after += [Move(own[k], part, passed[k].size) for k, part in direct.items() if k in own]
        if last:
            nothing = Part(Array("", lanes.after.outputs[0].dtype, 0))
            parts = [*(own.get(k, nothing) for k in range(len(passed))), *given]
            stored: list[Item] = []
            made = [~lanes.made[m] for m in last]
            outs = [results[m] for m in last]
            if isinstance(lanes.region, Routine):
                sizes = (lanes.after.outputs[k].size for k in made)
                outs = [self._by_row(p, n, stored, back=True) for p, n in zip(outs, sizes, strict=True)]
            after += [*self.block(lanes.after, parts, made, outs, self.depth == 0).items, *stored]
        return before, item, after

    def region(
        self, region: Program, sources: list[Part], results: dict[int, Part], rounds: str | None = None
    ) -> Rounds | Branch:
        """A loop or branch itself."""
        if isinstance(region, Scan):
            return self._scan(region, sources, results, rounds)
        if isinstance(region, While):
            return self._while(region, sources, results)
        assert isinstance(region, Switch)
        return self._switch(region, sources, results)

    def _carries(self, f: Function, count: int, sources: list[Part], results: dict[int, Part]) -> list[Carry]:
        found = []
        placed = in_place(f, count, BODY)
        for k in range(count):
            p = f.params[k]
            n = prod(p.sized)
            start, end = sources[k], results.get(k)
            if k in placed and end is not None and start.array is end.array:  # that of a loop around
                found.append(Carry(start.array, start.array, start, None, n))
                continue
            ends_here = self.depth > 0 and _holds(end, p.dtype, n)
            now = end.array if end is not None and ends_here else self.array(p.dtype, n)
            now.in_place = k in placed
            following = now if now.in_place else self.array(p.dtype, n)
            found.append(Carry(now, following, start, None if ends_here else end, n, end is not None))
        return found

    def _round(
        self, f: Function, carries: list[Carry], given: list[Part], stacks: list[int], outs: list[Part]
    ) -> Block:
        """What a round does: it makes carries and elements of stacks, then stores into carries that stay in place."""
        changed = {u.carry: u for u in updates(f, len(carries), BODY)}
        made = [k for k in range(len(carries)) if k not in changed]
        operands = [x for u in changed.values() for x in u.operands]
        own = [Part(self.array(x.dtype, x.size)) for x in operands]
        every = Function(f.params, (*f.outputs, *operands))
        wanted = [*made, *stacks, *range(len(f.outputs), len(every.outputs))]
        body = self.block(every, given, wanted, [*(Part(carries[k].next) for k in made), *outs, *own])
        part = dict(zip(operands, own, strict=True))
        for k, u in changed.items():
            now = Part(carries[k].now)
            parts = dict(zip(u.params, [now, *(part[x] for x in u.operands)], strict=True)) | {u.buffer: now}
            body.items += self._filled([u.buffer], parts)
        return body

    def _scan(self, region: Scan, sources: list[Part], results: dict[int, Part], rounds: str | None) -> Rounds:
        n, ends, t = region.carries, region.carries + region.sequences, self.fresh("t")
        f = self.known.first(region.body)
        carries = self._carries(f, n, sources, results)
        given = [Part(c.now) for c in carries]
        staged: list[Item] = []
        for k in range(n, ends):
            size = prod(f.params[k].sized)
            given.append(self._staged(sources[k].at(f"{t} * {size}"), size, staged))
        given += sources[ends:]
        stacks = [k for k in range(n, len(region.results)) if k in results]
        outs = [results[k].at(f"{t} * {prod(region.results[k][0][1:])}") for k in stacks]
        body = self._round(f, carries, given, stacks, outs)
        body.items[:0] = staged
        return Rounds(t, carries, body, rounds or str(region.length), region.reverse, region.unroll)

    def _staged(self, part: Part, size: int, items: list[Item]) -> Part:
        """An element of a sequence; one that lies apart from those of other lanes is read once a round."""
        if not part.array.axes or not 0 < size <= SMALL_ARRAY:
            return part
        own = Part(self.array(part.array.dtype, size))
        items.append(Move(part, own, size))
        return own

    def _while(self, region: While, sources: list[Part], results: dict[int, Part]) -> Rounds:
        n, f = region.carries, self.known.first(region.body)
        carries = self._carries(f, n, sources, results)
        given = [*(Part(c.now) for c in carries), *sources[n:]]
        goes_on = self.array(region.condition.outputs[0].dtype, 1)
        test = self.block(region.condition, given, [0], [Part(goes_on)])
        body = self._round(f, carries, given, [], [])
        return Rounds(self.fresh("t"), carries, body, test=test, goes_on=goes_on)

    def _switch(self, region: Switch, sources: list[Part], results: dict[int, Part]) -> Branch:
        wanted = sorted(results)
        blocks, made = [], []
        for f in region.branches:
            handed = {k: a for k in wanted if (a := _handed(f, k, sources[1:])) is not None}
            outs = {k: self.array(f.outputs[k].dtype, prod(f.outputs[k].sized)) for k in wanted if k not in handed}
            blocks.append(self.block(f, sources[1:], list(outs), [Part(a) for a in outs.values()]))
            made.append([(handed | outs)[k] for k in wanted])
        return Branch(self.fresh("k"), sources[0], blocks, made, [results[k] for k in wanted])

    def call(
        self, routine: Routine, sources: list[Part], results: dict[int, Part], free: Set[Array] = frozenset()
    ) -> tuple[list[Move], Call, list[Move]]:
        """A routine works on arrays of the program's own, but for a matrix that it only reads. In ``free`` ones nothing
        else is read after it.
        """
        count = _READ.get(routine.kind, 0)
        shares, staged, arrays = sources[:count], list[Move](), list[Array]()
        if not (all(p.array.is_own for p in shares) or all(p.array.axes == () for p in shares)):
            shares = [self._own(p, prod(s), staged) for p, (s, _) in zip(shares, routine.sources, strict=False)]
        for p in shares:
            p.array.moving = True
        last = len(sources) - 1
        for k, (p, (shape, _)) in enumerate(zip(sources, routine.sources, strict=True)):
            if k >= count:
                to = results.get(0) if k == last else None  # what it leaves there is its first result
                own = self._own(p, prod(shape), staged, to, p.array in free)
                arrays.append(own.array)
        made = [arrays[-1]]
        if routine.work:
            arrays.append(self._whole(self.array(dtypes.float64, routine.work)).array)
        for k, (shape, dtype) in enumerate(routine.results[1:], 1):
            made.append(self._whole(self._made(results.get(k), dtype, prod(shape))).array)
        arrays += made[1:]
        moves = [
            Move(Part(made[k]), part, prod(routine.results[k][0]))
            for k, part in results.items() if part.array is not made[k]
        ]  # fmt: skip
        return staged, Call(routine, arrays, shares), moves

    def _by_row(self, part: Part, elements: int, items: list[Item], *, back: bool = False) -> Part:
        """A lane's row of numbers that a routine has as float64, which goes to its place or ``back`` as a whole."""
        array = part.array
        if not array.axes or array.dtype.kind != "f" or array.dtype == dtypes.float64:
            return part
        own = self._whole(self.array(array.dtype, elements))
        self.beside.append(own.array)
        items.append(Move(own, part, elements) if back else Move(part, own, elements))
        return own

    def _made(self, to: Part | None, dtype: DType, elements: int) -> Array:
        """An array that is to be moved to a part in the end; that of the part itself, if it is the program's own."""
        return to.array if to is not None and _holds(to, dtype, elements) else self.array(dtype, elements)

    def _whole(self, array: Array) -> Part:
        array.moving = True
        return Part(array)

    def _own(
        self, part: Part, elements: int, items: list[Move], to: Part | None = None, free: bool = False
    ) -> Part:
        """A copy of a part in an array of the program's own, if it can be in that where it goes in the end; a ``free``
        part itself, if that is none of another array.
        """
        if free and _holds(part, dtypes.float64, elements) and (to is None or to == part or not to.array.is_own):
            return self._whole(part.array)
        own = self._whole(self._made(to, dtypes.float64, elements))
        items.append(Move(part, own, elements))
        return own

    def block(
        self, f: Function, given: Sequence[Part], wanted: Sequence[int], outs: Sequence[Part], around: bool = False
    ) -> Block:
        """Some outputs of a FUNCTION, from the parts that its parameters are to those that outputs are. A sum
        ``around`` all rounds has the bits that it has in a kernel of its own: it may be in one, by what is mapped.
        """
        f = self.known.first(f)
        buffers = self.known.buffers(f, wanted)
        parts = dict(zip(f.params, given, strict=True)) | dict(zip(buffers, outs, strict=True))
        items = self._filled(buffers, parts, around)
        for part, b in zip(outs, buffers, strict=True):
            if part.array.axes and any(_reads(item, part) for item in Block(items).walk()):
                items.append(self._apart(items, part, prod(b.arg.shape)))
        return Block(items)

    def _filled(self, buffers: Sequence[UOp], parts: dict[UOp, Part], around: bool = False) -> list[Item]:
        """What fills buffers, where parameters and buffers are ``parts``."""
        inner = self.known.kernels(buffers)
        for kernel in inner:
            for b in kernel.roots:
                if b not in parts:
                    parts[b] = Part(self.array(b.dtype, prod(b.arg.shape)))
        return [item for k in inner for item in self._items(k, parts, around)]

    def _apart(self, items: list[Item], part: Part, elements: int) -> Move:
        """Make a part of a given array in one of the program's own, and move it from there in the end: lanes past the
        last one write what that one writes, and what is read again must not have been written by another.
        """
        own = Part(self.array(part.array.dtype, elements))
        own.array.moving = True
        for item in Block(items).walk():
            if isinstance(item, Statements):
                item.parts = {u: own if p is part else p for u, p in item.parts.items()}
        return Move(own, part, elements)

    def _items(self, kernel: Kernel, parts: dict[UOp, Part], around: bool) -> list[Item]:
        def part(b: UOp) -> Part:
            if b.op is Ops.CONST:
                return Part(Array("", b.dtype, 0, number=b))
            return parts[b.src[0]] if b.op is Ops.DEFINE_GLOBAL else parts[b]

        if isinstance(kernel, RegionKernel):
            return self._inner(kernel, part)
        plain, uops = self.known.statements(kernel, around)
        of_name = {f"a{k}": part(b) for k, b in enumerate(kernel.reads)}
        of_name |= {f"o{k}": part(b) for k, b in enumerate(kernel.roots)}
        found = {u: of_name[u.arg.name] for u in uops if u.op is Ops.DEFINE_GLOBAL}
        turned: list[Turned] = []
        self.statements += len(uops)
        if self.statements > 2 * KERNEL_STATEMENTS:
            raise TooLong(f"it has more than {2 * KERNEL_STATEMENTS} statements")
        if self.rows:
            marked, turned = side_by_side(plain, found, self.rows)
            uops = uops if marked is plain else jammed(marked, rows=self.rows)
        for u in uops:
            if u.op is Ops.DEFINE_LOCAL and u not in found:
                found[u] = Part(self.array(u.dtype, u.arg.elements))
            if u.op is Ops.INDEX and u.src[1].op is not Ops.CONST:
                found[u.src[0]].array.moving = True
        for t in turned:
            self.turned.append((found[t.source].array, found[t.columns].array, t.rows, t.length))
        return [Statements(uops, found)]

    def _inner(self, kernel: RegionKernel, part: Callable[[UOp], Part]) -> list[Item]:
        lanes = kernel.lanes
        names = [self.fresh("l") for _ in lanes.ranges]
        given = []
        for s, axes, shape in zip(kernel.region.src, lanes.axes, lanes.shapes, strict=True):
            found = part(s)
            if axes and s.op is not Ops.CONST:
                found = found.at(place_in(names, lanes.extents, axes, prod(shape)))
            given.append(found)
        results = {}
        every = tuple(range(len(names)))
        for b in kernel.roots:
            m = b.src[0].arg
            size = prod(lanes.results[m][0][len(names) :])
            results[m] = part(b).at(place_in(names, lanes.extents, every, size)) if names else part(b)
        self.depth += 1
        before, item, after = self.whole(lanes, given, results)
        self.depth -= 1
        items = [*before, item, *after]
        return [Each(names, lanes.extents, Block(items))] if names else items


def _holds(end: Part | None, dtype: DType, elements: int) -> bool:
    """Whether an array that nothing else fills has the elements that end there, and no others."""
    if end is None or not end.array.is_own:
        return False
    return (end.offset, end.array.dtype, end.array.elements) == ("", dtype, elements)


def _handed(branch: Function, k: int, sources: Sequence[Part]) -> Array | None:
    """The array that a branch hands on as an output, if it is one of the program's own, whole."""
    i, x = handed_on(branch, k), branch.outputs[k]
    return sources[i].array if i is not None and _holds(sources[i], x.dtype, prod(x.sized)) else None


def _reads(item: Item, part: Part) -> bool:
    """Whether statements read a part."""
    arrays = {u for u, p in item.parts.items() if p is part} if isinstance(item, Statements) else set()
    return isinstance(item, Statements) and any(u.op is Ops.LOAD and u.src[0].src[0] in arrays for u in item.uops)


def place_in(names: Sequence[str], extents: Sequence[object], axes: Sequence[int], size: object) -> str:
    """The C of where a lane's elements begin in an array that has some of all the lanes' axes."""
    place = names[axes[0]]
    for k in axes[1:]:
        place = f"({place} * {extents[k]} + {names[k]})"
    return f"{place} * {size}"
