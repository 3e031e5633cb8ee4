"""Loops and branches in a schedule: each is one kernel over lanes, between kernels that fill what it takes.

A loop inside brackets becomes a REGION outside of them: its sources are whole arrays with an axis for each RANGE that
is open around it, and so are its results; a lane of it is what the loop was. All other nodes are scheduled as ever, in
one graph, in which the results of a REGION are given arrays; then the two are put together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from functrans import dtypes
from functrans.backend.schedule.bufferize import BufferArg
from functrans.backend.schedule.realize import root_of
from functrans.ops import build as B
from functrans.ops.collapse import collapse
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.function import Spec
from functrans.ops.loops import Region, regions
from functrans.ops.opdef import OpDef, no_shape, register
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, fresh_id, substitute, toposort
from functrans.ops.vmap import extent

_ZERO = const(0)
_ARRAYS = frozenset({Ops.PARAM, Ops.BUFFER, Ops.BUFFER_VIEW})


@dataclass(frozen=True)
class Lanes:
    """The argument of a REGION: a loop or branch for each lane, the RANGEs that lanes were, and which of them each
    source has axes for, in front.
    """

    op: Ops
    region: Region
    ranges: tuple[UOp, ...]
    axes: tuple[tuple[int, ...], ...]

    @property
    def extents(self) -> tuple[int, ...]:
        """How many lanes there are along each axis."""
        return tuple(map(extent, self.ranges))

    @property
    def results(self) -> tuple[Spec, ...]:
        """Shapes and dtypes of the results for all lanes."""
        return tuple(((*self.extents, *s), d) for s, d in self.region.results)


register(OpDef(Ops.REGION, "ranged", "a loop or branch for each of some lanes", no_shape))


@dataclass
class _Closed:
    """A REGION on its way: its sources in the graph of arrays, and a place for each of its results."""

    lanes: Lanes
    sources: list[UOp]
    places: list[UOp]


def linked(roots: Sequence[UOp], ranged: Callable[[list[UOp]], list[UOp]]) -> list[UOp]:
    """The buffer of each root, as ``ranged`` makes them of graphs without loops and branches. Linear in the graph."""
    if not regions(toposort(roots)):
        return ranged(list(roots))
    graph, closed = _outside(collapse(list(roots)))
    places = {p for c in closed for p in c.places}
    outputs = _distinct(graph, places)
    wanted = [o for o in outputs if o not in places]
    wanted += [root_of(s) for c in closed for s in c.sources if not _is_given(s)]
    wanted = list(dict.fromkeys(wanted))
    made = dict(zip(wanted, ranged(wanted), strict=True)) if wanted else {}
    used = {*outputs, *toposort([*wanted, *(s for c in closed for s in c.sources)])}
    known: dict[UOp, UOp] = {}
    for c in closed:
        sources = [_source(s, made, known) for s in c.sources]
        region = UOp(Ops.REGION, dtypes.void, tuple(sources), c.lanes)
        for k, p in enumerate(c.places):
            if p in used:
                value = UOp(Ops.RESULT, p.dtype, (region,), k)
                known[_given(p)] = UOp(Ops.BUFFERIZE, p.dtype, (value,), BufferArg(fresh_id(), p.sized))
    return [known[_given(o)] if o in places else substitute([made[o]], known)[0] for o in outputs]


def _given(array: UOp) -> UOp:
    return UOp(Ops.DEFINE_GLOBAL, array.dtype, (array,))


def _is_given(source: UOp) -> bool:
    """Whether a source is an array that is there, or one number."""
    return _stripped(source).op in _ARRAYS or B.const_value(source) is not None


def _stripped(x: UOp) -> UOp:
    while x.op is Ops.RESHAPE:
        x = x.src[0]
    return x


def _source(source: UOp, made: dict[UOp, UOp], known: dict[UOp, UOp]) -> UOp:
    """What a REGION reads: a buffer, a given array, or a number that fills an array."""
    value = B.const_value(source)
    if value is not None:
        return UOp.const(source.dtype, value)
    array = _stripped(source)
    if array.op in _ARRAYS:
        return known.get(_given(array), _given(array))
    return substitute([made[root_of(source)]], known)[0]


def _distinct(graph: Sequence[UOp], places: set[UOp]) -> list[UOp]:
    """The roots, each another one: the result of a loop itself, where it is one."""
    found: dict[UOp, None] = {}
    for root in graph:
        array = _stripped(root)
        own = array if array in places and array not in found else root_of(root)
        while own in found:
            own = UOp(Ops.CONTIGUOUS, own.dtype, (own,))
        found[own] = None
    return list(found)


def _outside(roots: list[UOp]) -> tuple[list[UOp], list[_Closed]]:
    """The graph with a place where it had the result of a loop or branch, and those, each after what it reads."""
    closed: dict[UOp, _Closed] = {}
    new: dict[UOp, UOp] = {}
    for u in toposort(roots):
        if u.op in GroupOp.Region:
            closed[u] = _close(u, new)
            new[u] = u
        elif u.op is Ops.RESULT:
            new[u] = _opened(closed[u.src[0]].places[u.arg], closed[u.src[0]].lanes.ranges)
        elif u.op is Ops.VMAPOUT:
            new[u] = vmapout(new[u.src[0]], u.src[1:])
        else:
            new[u] = u.replace(tuple(new[s] for s in u.src))
    return [new[r] for r in roots], list(closed.values())


def _close(node: UOp, new: dict[UOp, UOp]) -> _Closed:
    ranges = _by_nesting(node.free_ranges)
    sources, axes = [], []
    for s in node.src:
        own = tuple(r for r in ranges if r in s.free_ranges)
        axes.append(tuple(map(ranges.index, own)))
        sources.append(vmapout(new[s], (*own, *(_ZERO for _ in s.sized))))
    lanes = Lanes(node.op, node.arg, ranges, tuple(axes))
    return _Closed(lanes, sources, [param(s, d) for s, d in lanes.results])


def _by_nesting(ranges: frozenset[UOp]) -> tuple[UOp, ...]:
    return tuple(sorted(ranges, key=lambda r: (isinstance(r.arg[0], tuple), r.arg[0])))


def _opened(array: UOp, ranges: tuple[UOp, ...]) -> UOp:
    return array.vmapin((*ranges, *(_ZERO for _ in array.sized[len(ranges) :]))) if ranges else array


def vmapout(x: UOp, varg: tuple[UOp, ...]) -> UOp:
    """The VMAPOUT; of a VMAPIN at the same RANGEs the array that it opened, its axes where they are asked for."""
    closing = [a for a in varg if a is not _ZERO]
    if not closing:
        return x
    if x.op is not Ops.VMAPIN or any(r not in x.src[1:] for r in closing):
        return x.vmapout(varg)
    array, opened = x.src[0], x.src[1:]
    left = tuple(_ZERO if a in closing else a for a in opened)
    value = array.vmapin(left) if any(a is not _ZERO for a in left) else array
    kept = [a for a in opened if a is _ZERO or a in closing]  # what each axis of the value was
    inner = iter([k for k, a in enumerate(kept) if a is _ZERO])
    order = tuple(kept.index(a) if a is not _ZERO else next(inner) for a in varg)
    return B.permute(value, order)


def lanes_of(lanes: Lanes) -> int:
    """How many there are."""
    return prod(lanes.extents)
