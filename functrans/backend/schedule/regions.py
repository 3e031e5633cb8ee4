"""Loops and branches in a schedule: each is one kernel over lanes, between kernels that fill what it takes.

A loop inside brackets becomes a REGION outside of them: its sources are whole arrays with an axis for each RANGE that
is open around it, and so are its results; a lane of it is what the loop was. All other nodes are scheduled as ever, in
one graph, in which the results of a REGION are given arrays; then the two are put together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from functrans import dtypes
from functrans._records import record
from functrans.backend.schedule.along import opened
from functrans.backend.schedule.around import Epilogue, follow, prologue
from functrans.backend.schedule.bufferize import BufferArg
from functrans.backend.schedule.by_rounds import by_rounds
from functrans.backend.schedule.counts import counted
from functrans.backend.schedule.multiply_adds import multiply_adds
from functrans.backend.schedule.outer import is_outer
from functrans.backend.schedule.powers import products
from functrans.backend.schedule.realize import apart, root_of
from functrans.backend.schedule.within import within
from functrans.ops import build as B
from functrans.ops.collapse import collapse
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.function import Function, Spec
from functrans.ops.loops import Program, regions
from functrans.ops.movement import flat
from functrans.ops.opdef import OpDef, no_shape, register
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import Shape, UOp, fresh_id, substitute, toposort
from functrans.ops.vmap import by_nesting, extent

_ZERO = const(0)
_ARRAYS = frozenset({Ops.PARAM, Ops.BUFFER, Ops.BUFFER_VIEW})


@record
class Lanes:
    """The argument of a REGION: a loop or branch for each lane, the RANGEs that lanes were, which of them each source
    has axes for, in front, and what one lane of it is.

    ``before`` makes sources of the loop from those of the REGION, ``after`` results of the REGION from those of the
    loop and the sources of the REGION. ``taken`` says for each source of the loop which of the REGION's it is, or ~k
    for output k of ``before``; ``made`` for each result of the REGION which of the loop's it is, or ~k of ``after``.
    """

    op: Ops
    region: Program
    ranges: tuple[UOp, ...]
    axes: tuple[tuple[int, ...], ...]
    shapes: tuple[Shape, ...]
    before: Function
    taken: tuple[int, ...]
    after: Function
    made: tuple[int, ...]

    @property
    def extents(self) -> tuple[int, ...]:
        """How many lanes there are along each axis."""
        return tuple(map(extent, self.ranges))

    @property
    def results(self) -> tuple[Spec, ...]:
        """Shapes and dtypes of the results for all lanes."""
        own, after = self.region.results, self.after.results
        found = [own[k] if k >= 0 else after[~k] for k in self.made]
        return tuple(((*self.extents, *s), d) for s, d in found)


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
    fused = multiply_adds(products(collapse(list(roots))))  # before kernels part: a sum is fused whatever is stored
    graph, closed = _outside(counted(by_rounds(collapse(within(fused)))))
    places = {p for c in closed for p in c.places}
    outputs = _distinct(graph, places)
    wanted = [o for o in outputs if o not in places]
    wanted += [root_of(s) for c in closed for s in c.sources if not _is_given(s)]
    wanted = list(dict.fromkeys(wanted))
    made = dict(zip(wanted, ranged(wanted), strict=True))
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
    return flat(source).op in _ARRAYS or B.const_value(source) is not None


def _source(source: UOp, made: dict[UOp, UOp], known: dict[UOp, UOp]) -> UOp:
    """What a REGION reads: a buffer, a given array, or a number that fills an array."""
    value = B.const_value(source)
    if value is not None:
        return UOp.const(source.dtype, value)
    array = flat(source)
    if array.op in _ARRAYS:
        return known.get(_given(array), _given(array))
    return substitute([made[root_of(source)]], known)[0]


def _distinct(graph: Sequence[UOp], places: set[UOp]) -> list[UOp]:
    """The roots, each another one: the result of a loop itself, where it is one."""
    return apart(array if (array := flat(r)) in places else root_of(r) for r in graph)


def _outside(roots: list[UOp]) -> tuple[list[UOp], list[_Closed]]:
    """The graph with a place where it had the result of a loop or branch, and those, each after what it reads."""
    closed: dict[UOp, _Closed] = {}
    new: dict[UOp, UOp] = {}
    order = toposort(roots)
    ends = follow(order, roots)
    known = {v for end in ends.values() for v in end.inside}
    for u in order:
        if u in new or u in known or any(s not in new for s in u.src):  # what is known is made with a loop
            continue
        if u.op in GroupOp.Region:
            closed[u] = _close(u, new, ends[u], known)
            new[u] = u
            places = [_opened(p, closed[u].lanes.ranges) for p in closed[u].places]
            new.update(zip(ends[u].outputs, places, strict=True))
        elif u.op is Ops.VMAPOUT:
            new[u] = vmapout(new[u.src[0]], u.src[1:])
        else:
            new[u] = u.replace(tuple(new[s] for s in u.src))
    return [new[r] for r in roots], list(closed.values())


def _close(node: UOp, new: dict[UOp, UOp], end: Epilogue, known: set[UOp]) -> _Closed:
    ranges = by_nesting(node.free_ranges)
    start = prologue(node, known)
    given = list(dict.fromkeys([*start.inputs, *end.inputs]))
    for s in toposort(end.inputs):
        if s not in new:
            new[s] = s.replace(tuple(new[x] for x in s.src))
    sources, axes = [], []
    for s in given:
        own = tuple(r for r in ranges if r in s.free_ranges)
        axes.append(tuple(map(ranges.index, own)))
        sources.append(vmapout(new[s], (*own, *(_ZERO for _ in s.sized))))
    place = {s: k for k, s in enumerate(given)}
    outputs = list(dict.fromkeys(s for s in node.src if s in start.made))
    before = _function(outputs, {s: param(s.sized, s.dtype) for s in given})
    taken = tuple(~outputs.index(s) if s in start.made else place[s] for s in node.src)
    results = {UOp(Ops.RESULT, d, (node,), k): k for k, (_, d) in enumerate(node.arg.results)}
    last = [u for u in end.outputs if u not in results]
    after = _function(last, {u: param(u.sized, u.dtype) for u in (*results, *given)})
    made = tuple(results[u] if u in results else ~last.index(u) for u in end.outputs)
    lanes = Lanes(
        node.op, _called(node.arg), ranges, tuple(axes), tuple(s.sized for s in given), _never_launched(before), taken,
        _never_launched(after), made,
    )  # fmt: skip
    return _Closed(lanes, sources, [param(s, d) for s, d in lanes.results])


def _function(outputs: Sequence[UOp], holes: dict[UOp, UOp]) -> Function:
    return Function(tuple(holes.values()), tuple(substitute(outputs, holes)))


def _called(region: Program) -> Program:
    """A loop or branch whose functions are parts of a kernel."""
    inner = [_never_launched(f) for f in region.functions]
    return region if inner == list(region.functions) else region.over(dict(zip(region.functions, inner)).__getitem__)


def _never_launched(f: Function) -> Function:
    """The function with loops inside of a kernel for those around launches: a kernel launches nothing."""
    outer = {r: UOp.range(r.src[0]) for r in toposort(f.outputs) if is_outer(r)}
    return f.mapped(lambda outputs: substitute(outputs, outer)) if outer else f


def _opened(array: UOp, ranges: tuple[UOp, ...]) -> UOp:
    return opened(array, (*ranges, *(_ZERO for _ in array.sized[len(ranges) :])))


def vmapout(x: UOp, varg: tuple[UOp, ...]) -> UOp:
    """The VMAPOUT; of a VMAPIN at the same RANGEs the array that it opened, its axes where they are asked for."""
    closing = [a for a in varg if a is not _ZERO]
    if not closing:
        return x
    if x.op is not Ops.VMAPIN or any(r not in x.src[1:] for r in closing):
        return x.vmapout(varg)
    array, axes = x.src[0], x.src[1:]
    value = opened(array, tuple(_ZERO if a in closing else a for a in axes))
    kept = [a for a in axes if a is _ZERO or a in closing]  # what each axis of the value was
    inner = iter([k for k, a in enumerate(kept) if a is _ZERO])
    order = tuple(kept.index(a) if a is not _ZERO else next(inner) for a in varg)
    return B.permute(value, order)
