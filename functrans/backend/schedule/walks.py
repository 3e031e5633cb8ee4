"""Whether loops walk along memory in all that they read, judged as if nothing on the way were stored.

What is stored and what is computed where it is read is decided by cost: a result that is read again lies in memory,
where a lane computes it anew; what no lane changes has a table, which it has not where there is no batch. The order of
a sum must not follow. So a read of what another loop stores walks where the loop that stores it does.
"""

from __future__ import annotations

from functrans.backend.schedule.flat import along, is_apart, varies
from functrans.backend.schedule.hoist import Loops
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import closed_by
from functrans.ops.uop import UOp, toposort

_Question = tuple[UOp, Loops, bool]
"""A value of a round of loops, and whether it is what they store."""


class Walks:
    """Answers about values and the loops around them, each found once. Linear in the graph for one pair of loops."""

    def __init__(self) -> None:
        self._answers: dict[_Question, bool] = {}

    def __call__(self, value: UOp, loops: Loops) -> bool:
        """Whether a value of a round reads, of what the loops change, the element at their place alone."""
        first = (value, loops, False)
        came: dict[_Question, _Question | None] = {first: None}
        todo = [first]
        while todo:
            question = todo.pop()
            known = self._answers.get(question)
            further = [] if known else None if known is False else _read(*question)
            if further is None:
                at: _Question | None = question
                while at is not None:
                    self._answers[at] = False
                    at = came[at]
                return False
            for q in further:
                if q not in came:
                    came[q] = question
                    todo.append(q)
        self._answers.update(dict.fromkeys(came, True))
        return True


def _read(value: UOp, loops: Loops, is_stored: bool) -> list[_Question] | None:
    """The stored values that a value reads at its place; None where it needs what lies elsewhere."""

    def is_whole(u: UOp) -> bool:  # an array of one number for each round, as a sum of something else: it stays stored
        return is_stored and u.op not in GroupOp.Elementwise and u.free_ranges.issuperset(loops)

    found = []
    for u in toposort((value,), enter=lambda u: varies(u, loops) and u.op is not Ops.INDEX and not is_whole(u)):
        if not varies(u, loops) or (u.op is not Ops.INDEX and is_whole(u)):
            continue
        if is_apart(u, loops):
            return None
        if u.op is Ops.INDEX and (stored := _stored(u, loops)):
            found.append(stored)
    return found


def _stored(read: UOp, loops: Loops) -> _Question | None:
    """What a loop of its own stores where these read; None where it is an argument, or put together of parts."""
    buffer = read.src[0]
    if buffer.op is not Ops.BUFFERIZE or len(buffer.src) != 1:
        return None
    store = buffer.src[0]
    dest = store.src[1 : 1 + store.arg.ndim]
    if store.arg.gated or store.arg.mode != "set":
        return None
    at = [k for k, place in enumerate(read.src[1:]) if varies(place, loops)]
    inner, shape = tuple(dest[k] for k in at), tuple(buffer.arg.shape[k] for k in at)
    own = tuple(r for r in closed_by(store) if any(r in d.free_ranges for d in inner))
    if any(r.src[0].op is not Ops.CONST for r in own) or not own or not along(inner, shape, own):
        return None
    return store.src[0], own, True
