"""Which domain computes what, and when: a graph over domains cut at its COPYs into one program a domain and phase.

A value belongs to the phase after the last COPY below it. What a later phase of the same domain reads again is stored
at the boundary. Within a phase no program reads what another one writes, so all of them run at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from functrans import dtypes
from functrans._records import record
from functrans.backend.domains.layout import Spread
from functrans.backend.domains.multi import spread
from functrans.ops import placement
from functrans.ops.build import reshape
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.movement import flat
from functrans.ops.multiply_add import is_looked_into
from functrans.ops.placement import HOST, Layout, Window
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, substitute, toposort

Place = tuple[str, int]  # a domain and a phase
_ZERO = const(0)


@record
class Piece:
    """A part of what a step reads: a block of an argument, or a result of an earlier phase."""

    source: UOp  # a leaf, or a root of the step at `place`
    block: Window | None = None  # size and offset
    place: Place | None = None


@dataclass
class Step:
    """What one domain does in one phase: a graph over ``reads``, placeholders for what lies elsewhere."""

    domain: str
    roots: dict[UOp, UOp] = field(default_factory=dict)  # what is asked for: the graph that computes it
    reads: dict[UOp, Piece] = field(default_factory=dict)


@record
class Part:
    """A root of a step and the window of the result that it is."""

    place: Place
    root: UOp
    bounds: tuple[Window, ...]


@dataclass
class Phases:
    """The steps, phase by phase, the parts and the layout of each result."""

    steps: list[dict[str, Step]]
    parts: list[list[Part]]
    layouts: list[Layout | None]


def phases(outputs: Sequence[UOp]) -> Phases:
    """A graph cut into steps. Raises UnsupportedError as :func:`spread` does."""
    found, homes = spread(outputs)
    level = _levels([v for s in found for v in s.values])
    cutter = _Cutter(homes, level)
    parts = [_parts(cutter, o, s) for o, s in zip(outputs, found, strict=True)]
    cutter.run()
    last = max((phase for _, phase in cutter.steps), default=-1)
    steps: list[dict[str, Step]] = [{} for _ in range(last + 1)]
    for (domain, phase), step in sorted(cutter.steps.items()):
        steps[phase][domain] = step
    return Phases(steps, parts, [s.layout for s in found])


def _levels(values: list[UOp]) -> dict[UOp, int]:
    """The phase of each value: one more than that of what it copies."""
    level: dict[UOp, int] = {}
    for u in toposort(values):
        level[u] = max((level[s] for s in u.src), default=0) + (u.op is Ops.COPY)
    return level


def _parts(cutter: _Cutter, output: UOp, s: Spread) -> list[Part]:
    shape = output.sized
    whole = tuple((0, n) for n in shape)
    if not isinstance(s.axis, int):
        return [cutter.part((s.devices or (HOST,))[0], s.values[0], whole)]
    windows = placement.windows(s.sizes)
    return [
        cutter.part(d, v, (*whole[: s.axis], w, *whole[s.axis + 1 :]))
        for d, v, w in zip(s.devices, s.values, windows, strict=True)
    ]


class _Cutter:
    """Steps as they are asked for, from the results backwards."""

    def __init__(self, homes: dict[UOp, str], level: dict[UOp, int]) -> None:
        self.homes, self.level = homes, level
        self.steps: dict[Place, Step] = {}
        self.todo: list[tuple[Place, UOp]] = []

    def ask(self, place: Place, root: UOp) -> Piece:
        """The piece that a root of a place is."""
        step = self.steps.setdefault(place, Step(place[0]))
        if root not in step.roots:
            step.roots[root] = root
            self.todo.append((place, root))
        return Piece(root, None, place)

    def part(self, domain: str, root: UOp, bounds: tuple[Window, ...]) -> Part:
        """A part of a result."""
        place = (domain, self.level[root])
        self.ask(place, root)
        return Part(place, root, bounds)

    def run(self) -> None:
        """Cut until nothing is asked for any more."""
        placeholder: dict[Place, dict[UOp, UOp]] = {}
        while self.todo:
            place, root = self.todo.pop()
            known = placeholder.setdefault(place, {})
            self.steps[place].roots[root] = self._cut(place, root, known)

    def _cut(self, place: Place, root: UOp, known: dict[UOp, UOp]) -> UOp:
        """The root with a placeholder for each value that lies elsewhere."""
        step, (domain, phase) = self.steps[place], place

        def enter(u: UOp) -> bool:
            return u not in known and self._piece(u, domain, phase) is None

        for u in toposort((root,), enter):
            found = None if u in known else self._piece(u, domain, phase)
            if found is None:
                continue
            piece, varg = found
            hole = param(piece.source.sized if piece.block is None else (piece.block[0],), u.dtype)
            step.reads[hole] = piece
            known[u] = hole.vmapin(varg) if varg else reshape(hole, u.sized)
        return substitute([root], known)[0]

    def _piece(self, u: UOp, domain: str, phase: int) -> tuple[Piece, tuple[UOp, ...]] | None:
        """What a node is read from if it is not computed here, and the RANGEs under which it is read."""
        if u.op is Ops.COPY:
            source = u.src[1]
            return self.ask((self.homes[source], self.level[source]), source), ()
        if u.op is Ops.SHRINK and len(u.src) == 1:
            base = flat(u.src[0])
            if base.op in (Ops.PARAM, Ops.BUFFER, Ops.BUFFER_VIEW):
                block = placement.block(u.src[0].sized, u.arg)
                return None if block is None else (Piece(base, block), ())
        if self.level[u] >= phase or u.shape is None or u.op in _READ_AGAIN or u.dtype == dtypes.index or not u.size:
            return None
        if is_looked_into(u):
            return None
        free = tuple(sorted(u.free_ranges, key=lambda r: str(r.arg)))
        if not free:
            return self.ask((domain, self.level[u]), u), ()
        varg = (*free, *(_ZERO,) * u.ndim)
        closed = u.vmapout(varg)
        self.level[closed] = self.level[u]
        return self.ask((domain, self.level[u]), closed), varg


# what costs nothing to read again, in a later phase
_READ_AGAIN = GroupOp.Movement | GroupOp.Source | {Ops.VMAPIN}
