"""Neighboring innermost loops of the same extent made one: what one of them stores the next one need not load.

Three sums over the same bodies, one for each coordinate, read the distances once; the exponentials of a row are added
up where they are computed. A loop is moved up to an earlier one where it needs nothing that stands in between, and
where an array that both use is used at one place in each round. The order of every reduction is what it was: a long
one, which is split into several accumulators, only meets loops that are split in the same way, and rounds that are in
order, as sums at named elements are, only others such.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from functrans.backend.codegen.nest import Loop, Writer, nest
from functrans.backend.codegen.partial import is_alone, is_blocked, lanes_of, readers_of, steps_of
from functrans.backend.codegen.varying import step_of
from functrans.backend.policy import LOOP_STATEMENTS, SUM_ROUNDS
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.kernel import is_helper
from functrans.ops.opdef import read_by
from functrans.ops.uop import UOp, substitute

_MOVES = GroupOp.Elementwise | GroupOp.Custom | {Ops.CONST, Ops.INDEX, Ops.LOAD, Ops.DEFINE_ACC, Ops.DEFINE_LOCAL}


def merged(uops: list[UOp]) -> list[UOp]:
    """The statements with such loops merged, and arrays that are no longer read left out."""
    top = nest(uops)
    writer = _Merge(uops)
    top = writer.plan(top)
    if not writer.found:
        return uops
    writer.items(top)
    return _without_unread(writer.out)


@dataclass(eq=False)
class _Effects:
    """What an item loads and stores, by array; which accumulators it changes; and every node it uses."""

    loads: dict[UOp, set[UOp]] = field(default_factory=dict)
    stores: dict[UOp, set[UOp]] = field(default_factory=dict)
    changes: set[UOp] = field(default_factory=set)
    uses: set[UOp] = field(default_factory=set)
    acts: bool = False

    def add(self, u: UOp) -> None:
        """Take in one statement."""
        self.uses.update(u.src)
        if u.op is Ops.LOAD:
            self.loads.setdefault(u.src[0].src[0], set()).add(u.src[0].src[1])
        elif u.op is Ops.STORE:
            self.stores.setdefault(u.src[0].src[0], set()).add(u.src[0].src[1])
        elif u.op is Ops.ASSIGN:
            self.changes.add(u.src[0])
        self.acts = self.acts or u.op in (Ops.IF, Ops.ENDIF) or is_helper(u)

    def disturbs(self, later: _Effects) -> bool:
        """Whether what stands later must stay behind this."""
        ours, theirs = self.stores.keys(), later.stores.keys()
        if not ours.isdisjoint(theirs | later.loads.keys()) or not theirs.isdisjoint(self.loads.keys()):
            return True
        return not self.changes.isdisjoint(later.uses) or not later.changes.isdisjoint(self.uses) or self.acts


@dataclass(eq=False)
class _Merged(Loop):
    """A loop, and the RANGEs of those that it took in."""

    also: list[UOp] = field(default_factory=list)


class _Way:
    """The way up of a loop, an item after the other: what moves with it, what it crosses, and where it has to stop.

    What stops it stops it for every loop above, so that a chain of loops is planned in linear time.
    """

    def __init__(self, loop: Loop, effects: _Effects) -> None:
        self.loop, self.effects = loop, effects
        self.moved: set[UOp | Loop] = set()
        self.uses = effects.uses - set(loop.walk())  # what it needs of above, with what moves
        self.loads: set[UOp] = set()  # the arrays of which elements move
        self.changed: set[UOp] = set()
        self.stored: set[UOp] = set()

    def passes(self, item: UOp | Loop, effects: _Effects) -> bool:
        """Take the loop past one more item. False where it has to stay."""
        if item in self.uses and isinstance(item, UOp):
            self.moved.add(item)
            self.uses.update(item.src)
            if item.op is Ops.LOAD:
                self.loads.add(item.src[0].src[0])
            return item.op in _MOVES and self._is_free()
        self.changed |= effects.changes
        self.stored.update(effects.stores)
        return self._is_free() and not effects.disturbs(self.effects)

    def _is_free(self) -> bool:
        return self.changed.isdisjoint(self.uses) and self.stored.isdisjoint(self.loads)

    def ends_at(self, first: _Merged, effects: _Effects) -> bool:
        """Whether the loop may become part of this one, which is the next item."""
        if effects.acts or self.effects.acts:
            return False
        if not effects.changes.isdisjoint(self.uses) or not self.loads.isdisjoint(effects.stores):
            return False
        one = dict.fromkeys([*first.also, self.loop.range], first.range)
        return _one_place(effects, self.effects, first.range, one)


class _Merge(Writer):
    def __init__(self, uops: list[UOp]) -> None:
        super().__init__(uops)
        self.found = False
        self.readers = readers_of(uops)
        self.depth: dict[UOp, int] = {}  # of the accumulators
        self.effects: dict[UOp | Loop, _Effects] = {}
        self.known: dict[UOp, UOp] | None = None  # in a merged loop, what stands at each place in this round
        self.had: set[UOp] = set()  # and what was computed of that

    # which loops

    def plan(self, items: list[UOp | Loop], depth: int = 0) -> list[UOp | Loop]:
        """The items with loops merged, also in inner loops."""
        out: list[UOp | Loop] = []
        for item in items:
            if isinstance(item, Loop):
                if item.inner:
                    out.append(Loop(item.range, self.plan(item.items, depth + 1)))
                elif not self._taken_in(out, item):
                    out.append(_Merged(item.range, list(item.items)))
                continue
            if item.op is Ops.DEFINE_ACC:
                self.depth[item] = depth
            out.append(item)
        return out

    def _taken_in(self, out: list[UOp | Loop], item: Loop) -> bool:
        """Whether an earlier loop took this one in: the first of those that it can be moved up to."""
        way, best = _Way(item, self._effects_of(item)), None
        for place in range(len(out) - 1, -1, -1):
            first = out[place]
            if isinstance(first, _Merged) and self._alike(first, item) and way.ends_at(first, self._effects_of(first)):
                best = place
            if not way.passes(first, self._effects_of(first)):
                break
        if best is None:
            return False
        first = out[best]
        assert isinstance(first, _Merged)
        behind = out[best:]
        out[best:] = [*(x for x in behind if x in way.moved), *(x for x in behind if x not in way.moved)]
        first.items += item.items
        first.also.append(item.range)
        del self.effects[first]
        self.found = True
        return True

    def _effects_of(self, item: UOp | Loop) -> _Effects:
        if item not in self.effects:
            self.effects[item] = _effects([item] if isinstance(item, UOp) else item.walk())
        return self.effects[item]

    def _alike(self, first: _Merged, second: Loop) -> bool:
        """Whether two loops run the same rounds, and are compiled alike: vectors need reductions that are split."""
        end = first.range.src[0]
        if end is not second.range.src[0] or end.op is not Ops.CONST or end.arg < 2:
            return False
        n, both = int(end.arg), [*first.items, *second.items]
        kinds = [{self._kind(u, loop) for u in steps_of(loop.items)} for loop in (first, second)]
        ordered = [loop.range.arg[1] is AxisType.ORDERED for loop in (first, second)]
        if any(ordered):
            return all(ordered) and not any(kinds) and len(both) <= LOOP_STATEMENTS
        if n < SUM_ROUNDS:
            return bool(kinds[0]) == bool(kinds[1]) and len(both) <= LOOP_STATEMENTS
        together = kinds[0] | kinds[1]
        return len(together) < 2 and None not in together and len(both) <= LOOP_STATEMENTS

    def _kind(self, step: UOp, loop: Loop) -> tuple[int, int, bool] | None:
        """What decides how a reduction is split; None if it is not."""
        if not is_alone(step, self.readers, set(loop.walk())):
            return None
        depth, n = self.depth.get(step.src[0], -1), int(loop.range.src[0].arg)
        return depth, lanes_of(step.dtype), is_blocked(step, n)

    # the new list

    def loop(self, loop: Loop, kind: AxisType | None = None) -> None:
        """Write a loop; of a merged one it is known what stands at each place."""
        outside, also = self.known, loop.also if isinstance(loop, _Merged) else []
        self.known, self.had = {} if also else None, set()
        opened = self.open(loop.range.replace((self.now(loop.range.src[0]),)))
        for r in (loop.range, *also):
            self.become(r, opened)
        self.items(loop.items)
        self.close(opened)
        self.known = outside

    def one(self, item: UOp) -> None:
        """Write a statement, what a merged loop has already left out."""
        if self.known is None:
            self.copy(item)
            return
        new = item.replace(tuple(self.now(s) for s in item.src))
        if item.op is Ops.STORE:
            array = new.src[0].src[0]
            self.known = {place: value for place, value in self.known.items() if place.src[0] is not array}
            if any(u.op is Ops.LOAD and u.src[0].src[0] is array for u in self.had):
                self.had = set()
        if item.op in (Ops.LOAD, Ops.STORE) and len(new.src) == (1 if item.op is Ops.LOAD else 2):
            if item.op is Ops.LOAD and new.src[0] in self.known:
                self.become(item, self.known[new.src[0]])
                return
            self.known[new.src[0]] = new if item.op is Ops.LOAD else new.src[1]
        if new in self.had or self.again(new):
            self.become(item, new)  # both loops have it
            return
        self.become(item, self.statement(new))
        lasts = item.op in GroupOp.Elementwise and all(s in self.had or self.again(s) for s in new.src)
        if item.op is Ops.LOAD or lasts:
            self.had.add(new)


def _effects(items: Iterable[UOp]) -> _Effects:
    found = _Effects()
    for u in items:
        found.add(u)
    return found


def _one_place(first: _Effects, second: _Effects, r: UOp, one: dict[UOp, UOp]) -> bool:
    """Whether each array that one loop stores and the other uses is used at one place a round, in no two the same."""
    common = first.stores.keys() & (second.stores.keys() | second.loads.keys())
    for array in common | (first.loads.keys() & second.stores.keys()):
        uses = (kind.get(array, set()) for kind in (first.loads, first.stores, second.loads, second.stores))
        places = set(substitute(set().union(*uses), one))
        if len(places) > 1:
            return False
        if not step_of(r, places.pop()):
            return False
    return True


def _without_unread(uops: list[UOp]) -> list[UOp]:
    """The statements without local arrays that are only written."""
    read = {array for u in uops for array in read_by(u)}
    local = {u for u in uops if u.op is Ops.DEFINE_LOCAL}
    unread = local - read
    if not unread:
        return uops
    return [
        u for u in uops
        if u not in unread
        and not (u.op is Ops.STORE and u.src[0].src[0] in unread)
        and not (u.op is Ops.INDEX and u.src[0] in unread)
    ]  # fmt: skip
