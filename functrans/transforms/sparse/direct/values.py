"""The value of a node at the places of a table, as one scalar expression over the table's index space.

What is elementwise is written out, what moves is looked through, and what remains is a leaf: an array, an argument or
one that is computed before, read at a table. The same array read at the same table is the same leaf, so that equal
expressions are one node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.price import additions
from functrans.ops.source import param
from functrans.ops.uop import UOp, toposort
from functrans.transforms.sparse.direct.gathers import Gathers
from functrans.transforms.sparse.direct.tables import Table, Tables

_PASSED = frozenset({Ops.NOOP, Ops.DETACH, Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD})
MIN_READS = 4  # of each element of a value that is worth an array
MIN_ADDITIONS = 8  # of a value that is worth an array: a division


class NoTermsError(Exception):
    """A derivative that terms do not carry: of which op, and why."""


class Leaf(NamedTuple):
    """An array, and where each element of the index space reads it."""

    source: UOp
    table: Table


class Values:
    """The expressions of one plan, over its tables; nodes in ``stored`` are computed before, as arrays.

    There are at most ``budget`` nodes of expressions until the terms are `decided`: each becomes a statement that has
    to be compiled. With ``cut`` elementary functions are computed before, too.

    Attributes
    ----------
    leaves : what each placeholder in an expression reads
    read : the tables at which each node that is worth a read is read by others
    """

    def __init__(
        self, tables: Tables, gathers: Gathers, budget: int, stored: frozenset[UOp] = frozenset(), cut: bool = False
    ) -> None:
        self.tables, self.gathers, self.budget, self.stored, self._cut = tables, gathers, budget, stored, cut
        self._spent, self._decided = 0, False
        self.read: dict[UOp, set[Table]] = {}
        self.leaves: dict[UOp, Leaf] = {}
        self._placeholder: dict[Leaf, UOp] = {}
        self._made: dict[tuple[UOp, Table], UOp] = {}
        self._moved: dict[Table, dict[UOp, UOp]] = {}
        self._constant: dict[UOp, bool] = {}
        self._written: set[UOp] = set()
        self._bits: dict[UOp, int] = {}  # of each node the leaves below it, a bit for each in the order of `leaves`
        self._order: list[UOp] = []

    def leaf(self, source: UOp, table: Table) -> UOp:
        """The placeholder for an array read at a table."""
        made = self._placeholder.get(Leaf(source, table))
        if made is None:
            made = self._placeholder[Leaf(source, table)] = param((), source.dtype)
            self.leaves[made] = Leaf(source, table)
            self._bits[made] = 1 << len(self._order)
            self._order.append(made)
        return made

    def of(self, node: UOp, table: Table) -> UOp:
        """The value of the node's elements (in C order) at the places of the table."""
        todo = [(node, table)]
        while todo:
            goal = todo[-1]
            if goal in self._made:
                todo.pop()
                continue
            below = self._below(*goal)
            missing = [g for g in below if g not in self._made]
            if missing:
                todo.extend(missing)
                continue
            todo.pop()
            self._spend(1)
            self._made[goal] = self._value(*goal, [self._made[g] for g in below])
        return self._made[node, table]

    def _below(self, node: UOp, table: Table) -> list[tuple[UOp, Table]]:
        if B.const_value(node) is not None or node in self.stored or self._is_stored(node, table):
            return []
        if node.op in _PASSED:
            return [(node.src[0], table)]
        if node.op in GroupOp.Elementwise:
            return [(s, table) for s in node.src]
        found = self._through(node, table)
        return [] if found is None else [found]

    def _is_stored(self, node: UOp, table: Table) -> bool:
        """Whether an elementwise node is worth an array: read far more often than it has elements, or written down
        in many places.
        """
        if node.op not in GroupOp.Elementwise:
            return False
        often = len(table) >= MIN_READS * node.size
        return (self._cut and node.op in ELEMENTARY) or (often and costs((node,), MIN_ADDITIONS))

    def _through(self, node: UOp, table: Table) -> tuple[UOp, Table] | None:
        """The one source that a moving node has all its elements from, and where there."""
        gather = self.gathers.of(node)
        if gather is None:
            return None
        at = self.tables.composed(gather.table, table)
        if at.alive is not None or not len(at):
            return None
        low, high = int(at.at.min()), int(at.at.max())
        k = int(np.searchsorted(gather.starts, low, "right")) - 1
        source, start = gather.sources[k], gather.starts[k]
        if high >= start + source.size:
            return None
        at = at if not start else self.tables.of(at.at - np.int32(start))
        if self.is_heavy(source):
            self.read.setdefault(source, set()).add(at)
            if len(at) > source.size:
                return None
        return source, at

    def is_heavy(self, node: UOp) -> bool:
        """Whether the elements of a node are worth more than a read."""
        return costs((node,), MIN_ADDITIONS + 1)

    def read_again(self) -> frozenset[UOp]:
        """The nodes that are worth a read and are read at several places of others, as by a stencil."""
        return frozenset(u for u, tables in self.read.items() if len(tables) > 1)

    def _value(self, node: UOp, table: Table, below: list[UOp]) -> UOp:
        single = B.const_value(node)
        if single is not None:
            return UOp.const(node.dtype, single)
        if node.op in _PASSED and below:
            return below[0]
        if node.op in GroupOp.Elementwise and below:
            return UOp(node.op, node.dtype, tuple(below), node.arg)
        return below[0] if below else self.leaf(node, table)

    def decided(self) -> None:
        """The terms are made and it is too late to give them up: what is left is to read them in another order, which
        makes no more statements of them.
        """
        self._decided = True

    def _spend(self, nodes: int) -> None:
        self._spent += nodes
        if self._spent > self.budget and not self._decided:
            raise NoTermsError(
                f"written out, the nonzeros take more than {self.budget} operations, which compile for too long; write "
                "what is the same for many elements as array operations or under ft.vmap"
            )

    def moved(self, expression: UOp, to: Table) -> UOp:
        """The expression at the places of a table: element k of the result is its element ``to[k]``."""
        if expression.op is Ops.CONST:
            return expression
        new = self._moved.setdefault(to, {})
        if expression not in new:
            for u in self.read_in(expression):
                if u not in new:
                    source, table = self.leaves[u]
                    new[u] = self.leaf(source, self.tables.composed(table, to))
            for u in toposort((expression,), enter=lambda u: u not in new):
                if u not in new:
                    new[u] = u.replace(tuple(new[s] for s in u.src))
            written = toposort((new[expression],), enter=lambda u: u not in self._written)
            self._written.update(written)
            self._spend(len(written))
        return new[expression]

    def read_in(self, expression: UOp) -> list[UOp]:
        """The placeholders that an expression reads, in the order in which they were made."""
        bits = self._bits
        for u in toposort((expression,), enter=lambda u: u not in bits):
            if u not in bits:
                below = 0
                for s in u.src:
                    below |= bits[s]
                bits[u] = below
        left, found = bits[expression], []
        while left:
            lowest = left & -left
            found.append(self._order[lowest.bit_length() - 1])
            left ^= lowest
        return found

    def is_constant(self, expression: UOp) -> bool:
        """Whether an expression reads no argument: what it reads is stored. Linear for all expressions."""
        known = self._constant
        for u in toposort((expression,), enter=lambda u: u not in known):
            if u not in known:
                leaf = self.leaves.get(u)
                known[u] = all(known[s] for s in u.src) if leaf is None else not _reads(leaf.source)
        return known[expression]


_READS = "reads an argument"
_CHEAP = {Ops.ADD, Ops.SUB, Ops.MUL, Ops.NEG, Ops.MULACC, Ops.WHERE, Ops.CAST, Ops.ABS, *_PASSED} | GroupOp.Compare
ELEMENTARY = GroupOp.Elementwise - _CHEAP - {Ops.FDIV, Ops.RECIP, Ops.SQRT, Ops.MAX, Ops.MIN}


def _reads(node: UOp) -> bool:
    """Whether a value depends on an argument: asked of arrays, each of which reads those before, so kept by node."""
    for u in toposort((node,), enter=lambda u: _READS not in (u.memo or ())):
        u.remember(_READS, _reads_below)
    return bool(node.remember(_READS, _reads_below))


def _reads_below(node: UOp) -> bool:
    return node.op in (Ops.PARAM, Ops.DEFINE_VAR) or any(s.remember(_READS, _reads_below) for s in node.src)


def weight(node: UOp) -> int:
    """About what an element of a node costs, or an expression, from the arrays that are in memory."""
    found: int = node.remember("direct weight", _weight)
    return found


def _weight(node: UOp) -> int:
    return sum(additions(u) for u in _computed(node) if u.op in GroupOp.Elementwise)


def costs(expressions: Iterable[UOp], most: int) -> bool:
    """Whether elements of expressions cost so much or more together, each by itself; no more of them is looked at."""
    total = 0
    for expression in expressions:
        for u in _computed(expression):
            if total >= most:
                return True
            total += additions(u) if u.op in GroupOp.Elementwise else 0
    return total >= most


def _computed(expression: UOp) -> Iterator[UOp]:
    """What an expression is computed of and that is not in memory, in any order."""
    seen, stack = set[UOp](), [expression]
    while stack:
        u = stack.pop()
        if u not in seen:
            seen.add(u)
            if u.op in GroupOp.Elementwise | GroupOp.Movement:
                yield u
                stack += u.src
