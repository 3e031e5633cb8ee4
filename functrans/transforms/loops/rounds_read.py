"""What reads the rounds of a loop that was rolled up: elements of its results, and joins of them in one piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.uop import UOp
from functrans.transforms.loops.blocks import rounds_of
from functrans.transforms.loops.columns import Columns

Values = dict[int, UOp]
"""By place: the values of a node in all rounds, along a leading axis."""


class Results(NamedTuple):
    """The values of places that are read, and for some of them what they are after the last round."""

    columns: Columns
    values: Values
    ends: Values

    def where(self, node: UOp) -> tuple[int, int] | None:
        """The round and the place of a node that the loop has computed."""
        at = self.columns.where(node)
        return at if at is not None and (at[1] in self.values or at[1] in self.ends) else None

    def where_at(self, nodes: Sequence[UOp], k: int) -> tuple[int, int] | None:
        """The same of one of some nodes, of which there may be fewer."""
        return self.where(nodes[k]) if k < len(nodes) else None

    def element(self, number: int, place: int) -> UOp:
        """The value of a node in one round."""
        if number == self.columns.rounds - 1 and place in self.ends:
            return self.ends[place]
        x = self.values[place]
        return B.reshape(rounds_of(x, number, number + 1), x.sized[1:])


def outside(results: Results, late: Sequence[UOp], outputs: Sequence[UOp]) -> list[UOp]:
    """The outputs, by way of the nodes that come after all rounds, over what the loop has made. Linear."""
    new: dict[UOp, UOp] = {}

    def element(u: UOp) -> UOp:
        place = results.where(u)
        return new.get(u, u) if place is None else results.element(*place)

    for u in late:
        if u.op in GroupOp.Join and any(results.where(s) is not None for s in u.src):
            parts: list[UOp] = []
            at = {place: k for k, s in reversed(list(enumerate(u.src))) if (place := results.where(s)) is not None}
            k = 0
            while k < len(u.src):
                size, piece = _piece(results, u, k, at)
                if piece is None:
                    x = element(u.src[k])
                    piece = x if u.op is Ops.CAT else B.reshape(x, (*x.sized[: u.arg], 1, *x.sized[u.arg :]))
                parts.append(piece)
                k += size
            new[u] = B.cat(tuple(parts), u.arg)
        else:
            new[u] = u.replace(tuple(map(element, u.src)))
    return [element(u) for u in outputs]


def _piece(results: Results, join: UOp, k: int, at: dict[tuple[int, int], int]) -> tuple[int, UOp | None]:
    """Sources of a join from one on that are the same places of one round after the other, in one piece.

    ``at``: where the join has each node of a round first.
    """
    sources = join.src
    first = results.where(sources[k])
    if first is None or first[1] not in results.values:
        return 1, None
    number = first[0]
    apart = at.get((number + 1, first[1]), 0) - k
    group = [results.where_at(sources, k + i) for i in range(apart)]
    places = [found[1] for found in group if found is not None and found[0] == number and found[1] in results.values]
    if not places or len(places) < apart:
        return 1, None
    count = 1
    while all(results.where_at(sources, k + count * apart + i) == (number + count, places[i]) for i in range(apart)):
        count += 1
    axis = join.arg
    parts = [rounds_of(results.values[j], number, number + count) for j in places]
    if join.op is Ops.STACK:
        parts = [B.reshape(x, (*x.sized[: axis + 1], 1, *x.sized[axis + 1 :])) for x in parts]
    x = B.cat(tuple(parts), axis + 1)
    x = B.permute(x, (*range(1, axis + 1), 0, *range(axis + 1, x.ndim)))
    return count * apart, B.reshape(x, (*x.sized[:axis], count * x.sized[axis + 1], *x.sized[axis + 2 :]))
