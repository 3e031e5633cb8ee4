"""Python loops that were unrolled, rolled up again: rounds that are alike become one body, mapped or scanned.

A graph of n rounds takes n times as long to plan and to compile as one of a loop. Where rounds read nothing of each
other they become one round under brackets, as `vmap` makes it; where they do, a SCAN that carries what goes from round
to round. The first rounds, in which a zero or a constant may have been left out, stay as they are where they differ.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.loops import Scan, region, results
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, toposort
from functrans.transforms.dependents import dependents
from functrans.transforms.loops.body import closed
from functrans.transforms.loops.columns import Columns, Fixed, Given, Made, Read
from functrans.transforms.loops.periods import longest
from functrans.transforms.loops.rounds_read import Results, Values, outside

__all__ = ["rolled"]


def rolled(outputs: Sequence[UOp], inputs: Sequence[UOp], least: int) -> list[UOp]:
    """The same values, bit for bit, by loops where what depends on the inputs repeats ``least`` nodes or more.

    Linear in the nodes between the inputs and the outputs; nothing else is looked at.
    """
    found, order = list(outputs), _between(inputs, outputs)
    while (made := _once(order, found, least)) is not None:
        shorter = _between(inputs, made)
        if len(shorter) >= len(order):  # as many elements are read of what the loop has made
            break
        found, order = made, shorter
    return found


def _once(order: Sequence[UOp], outputs: Sequence[UOp], least: int) -> list[UOp] | None:
    run = longest(order, least)
    if run is None:
        return None
    columns = Columns(order, run)
    body = _body(columns)
    if body is None:  # nodes before the second round may be alike by chance
        columns = Columns(order, run._replace(start=run.start + run.period))
        body = _body(columns)
    if not body:
        return None
    late = order[columns.start + columns.rounds * columns.period :]
    read = {at for u in late for s in u.src if (at := columns.where(s)) is not None}
    read.update(at for u in outputs if (at := columns.where(u)) is not None)
    wanted = {(k, j) for k, j in read if j in body}
    levels = _levels(body)
    if levels is None:
        return outside(Results(columns, *_scanned(columns, body, wanted)), late, outputs)
    return outside(Results(columns, _mapped(columns, body, levels, {j for _, j in wanted}), {}), late, outputs)


def _between(inputs: Sequence[UOp], outputs: Sequence[UOp]) -> list[UOp]:
    """What depends on the inputs and is computed, sources first: windows of the inputs are no part of a round."""
    given = set(inputs)
    order = toposort(outputs, enter=lambda u: u not in given)
    reached = dependents(order, given)
    for u in order:
        if u.op in GroupOp.Movement and given.issuperset(u.src):
            given.add(u)
    return [u for u in order if u in reached and u not in given]


def _body(columns: Columns) -> dict[int, list[Read]] | None:
    """What each node of a round reads, by place, but for what is given from outside; None where rounds differ."""
    found: dict[int, list[Read]] = {}
    for place in range(columns.period):
        column = columns.of(place)
        if columns.array(column) is not None:
            continue
        if any(u.arg != column[0].arg for u in column):
            return None
        reads = [columns.read(tuple(u.src[k] for u in column)) for k in range(len(column[0].src))]
        kept = [r for r in reads if r is not None]
        if len(kept) < len(reads):
            return None
        found[place] = kept
    return found


def _levels(body: dict[int, list[Read]]) -> dict[int, int] | None:
    """In which of several loops, one after the other, each node is computed; None where one loop has to carry."""
    found: dict[int, int] = {}
    waiting: set[int] = set()
    todo = list(body)[::-1]
    while todo:
        place = todo[-1]
        made = [r for r in body[place] if isinstance(r, Made)]
        missing = [r.place for r in made if r.place not in found]
        if place in found or not missing:
            todo.pop()
            waiting.discard(place)
            found[place] = max((found[r.place] + bool(r.begin) for r in made), default=0)
        elif place in waiting:
            return None
        else:
            waiting.add(place)
            todo.extend(missing)
    return found


def _mapped(columns: Columns, body: dict[int, list[Read]], levels: dict[int, int], wanted: set[int]) -> Values:
    """Rounds side by side; what is read of rounds before has been computed for all rounds then."""
    ranges = [UOp.range(columns.rounds) for _ in range(1 + max(levels.values()))]
    inner: dict[int, UOp] = {}
    values: Values = {}

    def whole(place: int) -> UOp:
        if place not in values:
            node = inner[place]
            values[place] = node.vmapout((ranges[levels[place]], *(const(0) for _ in node.sized)))
        return values[place]

    def read(r: Read, level: int) -> UOp:
        if isinstance(r, Fixed):
            return r.value
        if isinstance(r, Made) and not r.begin and levels[r.place] == level:
            return inner[r.place]
        x = r.array if isinstance(r, Given) else _shifted(whole(r.place), r.begin)
        return x.vmapin((ranges[level], *(const(0) for _ in x.sized[1:])))

    for place in sorted(body, key=lambda j: (levels[j], j)):
        (like,) = columns.of(place)[:1]
        inner[place] = like.replace(tuple(read(r, levels[place]) for r in body[place]))
    for place in wanted:
        whole(place)
    return values


def _shifted(values: UOp, begin: tuple[UOp, ...]) -> UOp:
    """The values of so many rounds before."""
    if not begin:
        return values
    shape = values.sized
    rest = B.shrink(values, ((0, shape[0] - len(begin)), *((0, n) for n in shape[1:])))
    return B.cat((*(B.reshape(u, (1, *shape[1:])) for u in begin[::-1]), rest))


def _scanned(columns: Columns, body: dict[int, list[Read]], wanted: set[tuple[int, int]]) -> tuple[Values, Values]:
    """One round after the other: values in all rounds, and those in the last one."""
    reads = dict.fromkeys(r for found in body.values() for r in found)
    elements = {r: param(r.array.sized[1:], r.array.dtype) for r in reads if isinstance(r, Given)}
    carries = {r: [param(u.sized, u.dtype) for u in r.begin] for r in reads if isinstance(r, Made) and r.begin}
    inner: dict[int, UOp] = {}

    def read(r: Read) -> UOp:
        if isinstance(r, Made):
            return carries[r][-1] if r.begin else inner[r.place]
        return r.value if isinstance(r, Fixed) else elements[r]

    for place, found in body.items():
        inner[place] = columns.of(place)[0].replace(tuple(map(read, found)))
    ends: dict[int, int] = {}
    count = 0
    for r, holes in carries.items():
        ends[r.place] = count
        count += len(holes)
    stacked = list(dict.fromkeys(j for k, j in sorted(wanted) if k < columns.rounds - 1 or j not in ends))
    after = [u for r, holes in carries.items() for u in (inner[r.place], *holes[:-1])]
    holes = [h for group in carries.values() for h in group]
    function, constants = closed([*after, *(inner[j] for j in stacked)], [*holes, *elements.values()])
    arg = Scan(function, len(holes), len(elements), columns.rounds)
    begin = [u for r in carries for u in r.begin]
    sources = [*begin, *(r.array for r in elements), *constants]
    made = results(region(Ops.SCAN, sources, arg))
    return dict(zip(stacked, made[len(holes) :], strict=True)), {j: made[k] for j, k in ends.items()}
