"""Elementwise parts of a tangent by vertex elimination: each entry once, however many columns go through the part.

Terms that are carried through such a part op by op take an operation for each column: a flux of two states that are
made of four cells each is derived twelve times. Between what goes into a part and what comes out of it there is one
coefficient for each pair, whatever the columns are. Nodes are taken out of the part one by one, each when it takes the
fewest products (Markowitz), so that no side is preferred: few results are derived backwards, few arguments forwards,
and a narrow place in the middle is met from both. Griewank and Walther, Evaluating Derivatives (2008), chapter 9.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.transforms.sparse.direct.expressions import add, quotient, times

_FACTORS = (Ops.MUL, Ops.FDIV, Ops.WHERE)
LINEAR = frozenset({Ops.ADD, Ops.SUB, Ops.NEG, Ops.MULACC, Ops.NOOP, Ops.CONTIGUOUS, *_FACTORS})


class Edge(NamedTuple):
    """A derivative, where a condition holds; it is zero elsewhere, whatever the value is there."""

    value: UOp
    where: UOp | None

    @property
    def free(self) -> bool:
        """Whether a product with it is none."""
        return self.where is None and self.value.op is Ops.CONST and abs(self.value.arg) == 1

    def after(self, first: Edge) -> Edge | None:
        """The derivative of two steps; None where it is zero."""
        value = times(first.value, self.value)
        if value is None:
            return None
        if first.where is None or self.where is None or first.where is self.where:
            return Edge(value, self.where if first.where is None else first.where)
        return Edge(value, B.alu(Ops.AND, first.where, self.where))

    def plus(self, other: Edge) -> Edge:
        """The sum, where one of both is not zero."""
        if self.where is other.where:
            return Edge(add(self.value, other.value), self.where)
        either = None if self.where is None or other.where is None else B.alu(Ops.OR, self.where, other.where)
        return Edge(add(self.only, other.only), either)

    @property
    def only(self) -> UOp:
        """The derivative as one expression."""
        return self.value if self.where is None else B.where(self.where, self.value, B.like(self.value, 0))


class Region(NamedTuple):
    """A connected part: its nodes, sources first, what goes in, and which nodes are read by others."""

    nodes: tuple[UOp, ...]
    inputs: tuple[UOp, ...]
    outputs: tuple[UOp, ...]

    def reaching(self, late: Collection[UOp]) -> dict[UOp, dict[UOp, None]]:
        """For each node the inputs that it depends on."""
        found: dict[UOp, dict[UOp, None]] = {k: {k: None} for k in self.inputs}
        for u in self.nodes:
            found[u] = {k: None for s in linear_sources(u, late) for k in found[s]}
        return found


def linear_sources(node: UOp, late: Collection[UOp]) -> list[UOp]:
    """The sources that depend on a direction."""
    return [s for s in node.src if s in late]


def _is_linear(node: UOp, late: Collection[UOp]) -> bool:
    """Whether its factors do not depend on a direction: in custom rules they may, which is refused op by op."""
    if node.op in (Ops.MUL, Ops.MULACC):
        return not (node.src[0] in late and node.src[1] in late)
    if node.op in (Ops.FDIV, Ops.WHERE):
        return node.src[1 if node.op is Ops.FDIV else 0] not in late
    return True


def regions(
    order: Sequence[UOp], late: Collection[UOp], sources: Callable[[UOp], Sequence[UOp]], ends: Collection[UOp],
    fits: Callable[[UOp], bool],
) -> list[Region]:  # fmt: skip
    """The elementwise parts of a linear graph that have more than one node, sources first.

    No path leaves a part and comes back to it: all its nodes are as many other ops away from the directions.
    """
    inside = {u for u in order if u in late and u.op in LINEAR and _is_linear(u, late) and fits(u)}
    level: dict[UOp, int] = {}
    part: dict[UOp, UOp] = {}

    def root(u: UOp) -> UOp:
        while part[u] is not u:
            part[u] = part[part[u]]
            u = part[u]
        return u

    readers: dict[UOp, list[UOp]] = {}
    for u in order:
        if u not in late:
            continue
        read = dict.fromkeys(s for s in sources(u) if s in late)
        joins = [s for s in read if u in inside and s in inside and s.sized == u.sized]
        level[u] = max((level[s] + (s not in joins) for s in read), default=0)
        for s in read:
            readers.setdefault(s, []).append(u)
        part[u] = u
        for s in joins:
            if level[s] == level[u]:
                part[root(s)] = u
    home = {u: root(u) for u in part}
    for u in reversed(order):  # what only scales goes, alone, to what reads it: it brings no more in
        behind = readers.get(u, [])
        if u in inside and u not in ends and len(linear_sources(u, late)) == 1 and all(
            v in inside and v.sized == u.sized and home[v] is home[behind[0]] for v in behind
        ):
            home[u] = home[behind[0]]
    found: dict[UOp, list[UOp]] = {}
    for u in order:
        if u in inside:
            found.setdefault(home[u], []).append(u)
    made = []
    for nodes in found.values():
        own = set(nodes)
        outputs = tuple(u for u in nodes if u in ends or not own.issuperset(readers.get(u, ())))
        inputs = dict.fromkeys(s for u in nodes for s in linear_sources(u, late) if s not in own)
        if len(nodes) > len(outputs):
            made.append(Region(tuple(nodes), tuple(inputs), outputs))
    return made


class Elimination:
    """The derivatives of the outputs of a part by its inputs.

    Parameters
    ----------
    region : the part
    late : all nodes that depend on a direction
    value : the value of a factor, as an expression over the elements
    most : products of the other way

    Attributes
    ----------
    found : for each output its inputs with their derivatives; None where it takes more products than the other way
    products : that were taken
    """

    def __init__(
        self, region: Region, late: Collection[UOp], value: Callable[[UOp], UOp], most: int
    ) -> None:
        self._late, self._value = late, value
        self._sources: dict[UOp, dict[UOp, Edge]] = {k: {} for k in region.inputs}
        self._targets: dict[UOp, dict[UOp, Edge]] = {k: {} for k in (*region.inputs, *region.nodes)}
        for u in region.nodes:
            self._sources[u] = {}
            for s, e in self._edges(u):
                self._join(s, u, e)
        ends: dict[UOp, UOp] = {}
        for u in region.outputs:
            ends[u] = end = UOp(Ops.NOOP, u.dtype, (u,))
            self._sources[end] = {}
            self._join(u, end, Edge(UOp.const(u.dtype, 1), None))
        self.products = 0
        self.found: dict[UOp, dict[UOp, Edge]] | None = None
        if self._eliminated(region.nodes, most):
            self.found = {u: self._sources[end] for u, end in ends.items()}

    def _edges(self, u: UOp) -> list[tuple[UOp, Edge]]:
        """What a node depends on, with the derivatives."""
        one = UOp.const(u.dtype, 1)
        minus = UOp.const(u.dtype, -1)
        late = [s in self._late for s in u.src]
        if u.op is Ops.WHERE:
            condition = self._value(u.src[0])
            sides = [condition, B.alu(Ops.NOT, condition)]
            return [(s, Edge(one, c)) for s, there, c in zip(u.src[1:], late[1:], sides, strict=True) if there]
        if u.op is Ops.FDIV:
            return [(u.src[0], Edge(quotient(one, self._value(u.src[1])), None))]
        found = []
        if u.op in (Ops.MUL, Ops.MULACC) and (late[0] or late[1]):
            k = 0 if late[0] else 1
            found.append((u.src[k], Edge(self._value(u.src[1 - k]), None)))
        if u.op is Ops.MULACC and late[2]:
            found.append((u.src[2], Edge(one, None)))
        if u.op not in (Ops.MUL, Ops.MULACC):
            factors = [minus] if u.op is Ops.NEG else [one, minus if u.op is Ops.SUB else one]
            found = [(s, Edge(c, None)) for s, there, c in zip(u.src, late, factors, strict=False) if there]
        return found

    def _join(self, source: UOp, target: UOp, edge: Edge) -> None:
        old = self._sources[target].get(source)
        self._sources[target][source] = self._targets[source][target] = edge if old is None else old.plus(edge)

    def _price(self, u: UOp) -> int:
        """The products that it takes to do without a node."""
        sources, targets = self._sources[u], self._targets[u]
        dear = sum(not e.free for e in sources.values())
        return dear * sum(not e.free for e in targets.values())

    def _size(self, u: UOp) -> tuple[int, int]:
        return self._price(u), len(self._sources[u]) * len(self._targets[u])

    def _eliminated(self, nodes: Sequence[UOp], most: int) -> bool:
        number = {u: k for k, u in enumerate(nodes)}
        heap = [(*self._size(u), k) for u, k in number.items()]
        heapq.heapify(heap)
        left = set(nodes)
        while heap:
            *size, k = heapq.heappop(heap)
            u = nodes[k]
            if u not in left:
                continue
            if tuple(size) != self._size(u):
                heapq.heappush(heap, (*self._size(u), k))
                continue
            self.products += size[0]
            if self.products > most:
                return False
            left.discard(u)
            sources, targets = self._sources.pop(u), self._targets.pop(u)
            for s in sources:
                del self._targets[s][u]
            for t in targets:
                del self._sources[t][u]
            for s, first in sources.items():
                for t, second in targets.items():
                    edge = second.after(first)
                    if edge is not None:
                        self._join(s, t, edge)
            for v in (*sources, *targets):
                if v in left:
                    heapq.heappush(heap, (*self._size(v), number[v]))
        return True
