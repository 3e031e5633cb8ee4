"""Which loop of a kernel several threads may share, and what one step of it is worth.

It is the outermost one, where each of its steps writes places of its own and nothing is carried from step to step: then
it does not matter who runs which steps, and the bits are the same for any number of threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from functrans import dtypes
from functrans._records import record, replace
from functrans.backend.codegen.lowered import LoweredKernel
from functrans.backend.codegen.nest import Loop, loops_of, nest
from functrans.backend.codegen.regions.pieces import handed_on
from functrans.backend.policy import PORTION_TIMES, THREAD_PICOSECONDS, TURN_PICOSECONDS
from functrans.backend.schedule.independence import iterations_independent
from functrans.backend.schedule.kernels import Kernel
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.kernel import acts
from functrans.ops.opdef import written_by
from functrans.ops.price import picoseconds
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import extent

# picoseconds for one value in vector code that finds its data near: never more than it takes
_SORTED, _MEMORY, _NEAR, _FUSED = 3000, 50, 20, 15


@record
class Split:
    """The loop, the RANGE it walks, the argument that stands for its extent, and the picoseconds that one step takes at
    the least, ``work`` of them for arithmetic. A step of the loop may be a tile of the RANGE. ``before`` is what each
    portion takes before its steps.
    """

    loop: UOp
    range: UOp
    argument: UOp
    weight: int
    work: int = 0
    before: int = 0

    @property
    def pays(self) -> bool:
        """Whether the loop as long as it is now is worth another thread."""
        n = sym.const(extent(self.range))
        return sym.bounds(substitute(self.loop.src, {self.argument: n})[0])[1] > self.least

    @property
    def least(self) -> int:
        """More steps than this are worth another thread."""
        return THREAD_PICOSECONDS // self.weight

    @property
    def grain(self) -> int:
        """Steps that are handed out at a time, or a multiple of it."""
        return self._worth(max(1, THREAD_PICOSECONDS // PORTION_TIMES, PORTION_TIMES * self.before))

    @property
    def shortest(self) -> int:
        """Steps that a portion has at the least, where there are as many: lanes go in whole vectors of any kind."""
        return 32 if self.loop.arg[1] is AxisType.LANES else 0

    @property
    def turn(self) -> int:
        """Steps that one thread does before Python looks whether somebody pressed Ctrl-C."""
        return self._worth(TURN_PICOSECONDS)

    def _worth(self, picoseconds: int) -> int:
        """So many steps take so long at the least; whole cache lines where they are short, and
        blocks of lanes.
        """
        steps = -(-picoseconds // self.weight)
        unit = 64 if steps >= 64 or self.loop.arg[1] is AxisType.LANES else 8 if steps >= 8 else 1
        return -(-steps // unit) * unit


def split(kernel: Kernel, lowered: LoweredKernel) -> Split | None:
    """The loop of a kernel that threads may share; None where there is none. Linear in the statements."""
    top = nest(lowered.uops)
    loops = loops_of(top)
    if not loops or lowered.outer or not all(map(_prepares, loops[:-1])):
        return None
    loop = loops[-1]
    leaves = {u for u in toposort(loop.range.src) if not u.src and u.op is not Ops.CONST}
    arguments = [r for k, r in enumerate(lowered.extents) if f"n{k}" in {u.arg[0] for u in leaves}]
    if len(leaves) != 1 or len(arguments) != 1 or loop.range.arg[1] not in _FREE:
        return None
    (walked,), (argument,) = arguments, leaves
    if walked.op is not Ops.RANGE or not iterations_independent(kernel, walked):
        return None
    inside = set(loop.walk())
    if any(_carries(u, inside) for u in inside):
        return None
    if any(isinstance(u, UOp) and acts(u) for u in top) or any(u.op not in _LAST for u in lowered.uops[-2:]):
        return None
    weight, work = _weight(loop, _picoseconds), _weight(loop, _arithmetic)
    if loop.range.arg[1] is AxisType.LANES:
        weight += _NEAR * handed_on(list(loop.walk()))
    first = sum(_weight(before, _picoseconds) for before in loops[:-1])
    return Split(loop.range, walked, argument, max(weight, 1), work, first)


def split_like(found: Split | None, lowered: LoweredKernel) -> Split | None:
    """The loop of a kernel that threads may share, by that of its twin."""
    if found is None or lowered.twin is None:
        return None
    return replace(found, range=lowered.extents[lowered.twin.extents.index(found.range)])


_FREE = frozenset({AxisType.LOOP, AxisType.VECTOR, AxisType.LANES})
_LAST = frozenset({Ops.NAME, Ops.SINK})


def _prepares(loop: Loop) -> bool:
    """Whether a loop does nothing but fill local arrays: every thread does it for itself."""
    found = [u for u in loop.walk() if acts(u)]
    return all(u.op is Ops.STORE and u.src[0].src[0].op is Ops.DEFINE_LOCAL for u in found)


def _carries(node: UOp, inside: set[UOp]) -> bool:
    """Whether a statement of the loop changes what another step of it sees."""
    return any(s.op is not Ops.DEFINE_GLOBAL and s not in inside for s in written_by(node))


def _weight(loop: Loop, of: Callable[[UOp], int]) -> int:
    total = 0
    todo: list[tuple[Loop, int]] = [(loop, 1)]
    while todo:
        inner, times = todo.pop()
        skipped = 0  # what stands under a condition may never run
        for item in inner.items:
            if isinstance(item, Loop):
                most = sym.bounds(item.range.src[0])[1]
                if not skipped:
                    todo.append((item, times * (most if 0 < most < sym.HUGE else 1)))
            elif item.op in (Ops.IF, Ops.ENDIF):
                skipped += 1 if item.op is Ops.IF else -1
            elif not skipped:
                total += times * of(item)
    return total


def _picoseconds(node: UOp) -> int:
    if node.op in (Ops.LOAD, Ops.STORE):
        return _NEAR if node.src[0].src[0].op is Ops.DEFINE_LOCAL else _MEMORY
    return _arithmetic(node)


def _arithmetic(node: UOp) -> int:
    if node.op is Ops.WMMA:
        low, high = sym.bounds(node.src[7])
        return _FUSED * int(node.arg.rows * node.arg.columns) * ((low + high) // 2)
    if node.op is Ops.CALLS:
        return _lanes_picoseconds(node)
    if node.op in GroupOp.Order:
        return _SORTED * int(node.src[0].arg.elements)
    if node.op not in GroupOp.OfElements or node.dtype == dtypes.index:
        return 0
    return int(picoseconds(node))


def _lanes_picoseconds(node: UOp) -> int:
    """Of functions of rows, for all lanes."""
    bodies = Counter(c.results for c in node.arg.calls)
    one = sum(times * sum(map(picoseconds, toposort(b))) for b, times in bodies.items())
    return int(one * node.arg.width)
