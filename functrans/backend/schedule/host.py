"""A graph with steps that run on the host, cut into graphs without: what each segment computes, and in between
which nodes NumPy evaluates.

A value that a step takes is stored with an axis for each RANGE that is open around it, outermost first, as LAPACK's
batch; the result is read back in the same RANGEs by a VMAPIN. What one segment has computed, later ones read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from functrans.backend.schedule.along import closed, opened
from functrans.backend.schedule.parts import refuse_open
from functrans.backend.schedule.realize import LEAVES, TRANSPARENT
from functrans.ops.enums import Ops
from functrans.ops.multiply_add import is_looked_into
from functrans.ops.opdef import is_host, opdef
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import by_nesting, extent, ranges_of

Ranges = tuple[UOp, ...]
_GIVEN = frozenset({Ops.PARAM, Ops.BUFFER})  # arrays that are there before anything runs


# what NumPy reads through without a copy
_VIEWS = frozenset({Ops.RESHAPE, Ops.PERMUTE, Ops.EXPAND, Ops.VMAPIN})


@dataclass(eq=False)
class Source:
    """A source of a step: the node, the place of the array it is a view of, and the movements from there to it."""

    node: UOp
    base: UOp
    place: UOp
    moves: list[UOp]


@dataclass(eq=False)
class HostStep:
    """What a library evaluates at once: nodes of the same sources, parts of one decomposition where there are several;
    the sources, and the places where the results go.
    """

    nodes: list[UOp]
    sources: list[Source]
    results: list[UOp]

    @property
    def name(self) -> str:
        """The op, and what computes it: NumPy, LAPACK, or C of our own beside the kernels."""
        return f"{self.nodes[0].op.name} by {opdef(self.nodes[0]).by}"

    def reads(self, place: UOp) -> bool:
        """Whether one of its sources is the array in a place."""
        return any(s.place is place for s in self.sources)


@dataclass(eq=False)
class Segment:
    """A graph whose outputs go to the given places (one may go to several), and the steps that run after it."""

    outputs: list[UOp] = field(default_factory=list)
    places: list[UOp] = field(default_factory=list)
    steps: list[HostStep] = field(default_factory=list)


def cut(outputs: Sequence[UOp]) -> tuple[list[Segment], list[UOp]]:
    """The segments of a graph, in order, and the place of each output. Places are PARAMs. Linear in the graph times
    the number of segments.
    """
    return _Cut(outputs).run()


class _Cut:
    def __init__(self, outputs: Sequence[UOp]) -> None:
        self.outputs = list(outputs)
        refuse_open(self.outputs)
        order = toposort(self.outputs)
        self.level: dict[UOp, int] = {}
        self.fixed: set[UOp] = set()  # nodes of constants alone: computed again rather than kept
        for u in order:
            self.level[u] = max((self.level[s] + is_host(s) for s in u.src), default=0)
            if u.op not in (Ops.PARAM, Ops.BUFFER, Ops.VMAPOUT) and not is_host(u) and self.fixed.issuperset(u.src):
                self.fixed.add(u)
        self.hosts = [u for u in order if is_host(u)]
        self.segments = [Segment() for _ in range(1 + max((self.level[u] for u in self.outputs), default=0))]
        self.first: dict[UOp, int] = {}  # the first segment that computes a node
        self.place: dict[UOp, UOp] = {}

    def run(self) -> tuple[list[Segment], list[UOp]]:
        wanted: list[dict[UOp, None]] = []
        # results of steps, and the output that each of them is, shape aside
        taken = {o: o for o in self.outputs if is_host(o)}
        for o in self.outputs:
            taken.setdefault(_result(o), o)
        self.outputs = [s if taken[s := _result(o)] is o else o for o in self.outputs]
        for k in range(len(self.segments)):
            roots = [_view(s)[0] for h in self.hosts if self.level[h] == k for s in h.src]
            roots += [o for o in self.outputs if self.level[o] == k]
            roots = [r for r in roots if not is_host(r) and r.op not in _GIVEN]
            wanted.append(dict.fromkeys(r for r in roots if not any(r in w for w in wanted)))
            self._walk(k, wanted)
        for k, segment in enumerate(self.segments):
            graph = self._rewritten(k, wanted[k])
            made = [graph[r] for r in wanted[k]]
            segment.outputs = [closed(u, (*around(u), *(const(0) for _ in u.sized))) for u in made]
            segment.places = [self._stored(r) for r in wanted[k]]
            segment.steps = [self._step(nodes) for nodes in _together([h for h in self.hosts if self.level[h] == k])]
        return self.segments, [self._stored(o) for o in self.outputs]

    def _walk(self, k: int, wanted: list[dict[UOp, None]]) -> None:
        """Claim for segment k what it is the first to compute; what an earlier one computed is wanted there."""

        def enter(u: UOp) -> bool:
            return not is_host(u) and (self.first.get(u, k) == k or self._again(u))

        for u in toposort(list(wanted[k]), enter):
            at = self.first.setdefault(u, k)
            if at < k and not is_host(u) and not self._again(u):
                wanted[at][u] = None
                wanted[k].pop(u, None)

    def _again(self, u: UOp) -> bool:
        """Whether a value is better computed once more than kept: it only moves, or is an index or a constant, or a
        product.
        """
        if is_looked_into(u) or u.dtype.kind == "x" or u.shape is None:
            return True
        return u.op in TRANSPARENT or u.op in LEAVES or u in self.fixed

    def _stored(self, node: UOp) -> UOp:
        """Where the array of a node is found, all its RANGEs closed."""
        if node.op in _GIVEN:
            return node
        if node not in self.place:
            shape = (*map(extent, around(node)), *node.sized)
            self.place[node] = param(shape, node.dtype)
        return self.place[node]

    def _rewritten(self, k: int, roots: Iterable[UOp]) -> dict[UOp, UOp]:
        """The graph of segment k: what others have computed is read from its place."""
        new: dict[UOp, UOp] = {}

        def given(u: UOp) -> bool:
            return is_host(u) or (self.first[u] < k and not self._again(u))

        for u in toposort(roots, enter=lambda u: not given(u)):
            new[u] = self._opened(u) if given(u) else u.replace(tuple(new[s] for s in u.src))
        return new

    def _opened(self, node: UOp) -> UOp:
        return opened(self._stored(node), (*around(node), *(const(0) for _ in node.sized)))

    def _step(self, nodes: list[UOp]) -> HostStep:
        views = [(s, *_view(s)) for s in nodes[0].src]
        sources = [Source(s, b, self._stored(b), moves) for s, b, moves in views]
        return HostStep(nodes, sources, [self._stored(n) for n in nodes])


def _together(nodes: Sequence[UOp]) -> Iterable[list[UOp]]:
    """The parts of one decomposition in one list, whatever else by itself."""
    steps: dict[object, list[UOp]] = {}
    for u in nodes:
        steps.setdefault(u if opdef(u).together is None else (u.op, u.src), []).append(u)
    return steps.values()


def _view(node: UOp) -> tuple[UOp, list[UOp]]:
    """What a value is a view of, and the movements that lead from there to it."""
    moves: list[UOp] = []
    while node.op in _VIEWS:
        moves.append(node)
        node = node.src[0]
    return node, moves[::-1]


def _result(node: UOp) -> UOp:
    """The result of a step whose elements a value has in their order; the value itself where there is none."""
    at = node
    while at.op in (Ops.RESHAPE, Ops.VMAPOUT):
        if at.op is Ops.VMAPOUT:
            own = ranges_of(at.src[1:])
            if at.src[1 : 1 + len(own)] != around(at.src[0])[-len(own) :]:
                return node
        at = at.src[0]
    return at if is_host(at) else node


def around(node: UOp) -> Ranges:
    """The RANGEs open around a node, in the order they were made: outer ones first."""
    found: Ranges = node.remember("around", lambda u: by_nesting(u.free_ranges))
    return found
