"""The terms of a tangent from those of its sources. A tangent is linear, so few kinds of op carry one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans import dtypes
from functrans._records import replace
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.transforms.sparse.constants import Constants
from functrans.transforms.sparse.direct.expressions import add, quotient, times
from functrans.transforms.sparse.direct.gathers import Gather
from functrans.transforms.sparse.direct.spaces import SHORT, Shape, components
from functrans.transforms.sparse.direct.tables import Table
from functrans.transforms.sparse.direct.terms import Term, Terms
from functrans.transforms.sparse.direct.values import NoTermsError

Parts = Sequence[Sequence[Term]]


class Rules:
    """The rules for the terms of one plan; ``constants`` are those of its graph."""

    def __init__(self, terms: Terms, constants: Constants) -> None:
        self.terms, self.constants = terms, constants
        self.values, self.tables = terms.values, terms.tables

    @staticmethod
    def has_terms(node: UOp) -> bool:
        """Whether there may be any of a node."""
        return dtypes.is_inexact(node.dtype) and node.size > 0

    @staticmethod
    def is_scattered(node: UOp) -> bool:
        """Whether elements of a node are put, or added, at places."""
        return node.op is Ops.SCATTER

    def carries(self, node: UOp) -> bool:
        """Whether there is a rule for a node."""
        if self.is_scattered(node):
            fixed = all(self.constants.value(i) is not None for i in node.src[2:])
            return fixed and node.arg in ("add", "set", "place")
        return node.op in _RULES or self.values.gathers.of(node) is not None

    def of(self, node: UOp, parts: Parts, unread: NDArray[np.bool_] | None = None) -> list[Term]:
        """The terms of a node; those of elements that nothing reads may be left out of a gather."""
        if not any(parts) or not self.has_terms(node):
            return []
        rule = _RULES.get(node.op)
        if rule is not None:
            return rule(self, node, parts)
        gather = self.values.gathers.of(node)
        assert gather is not None  # what has no rule is left to products
        return self._moved(node.sized, gather, parts, unread)

    def _moved(self, shape: Shape, gather: Gather, parts: Parts, unread: NDArray[np.bool_] | None) -> list[Term]:
        if components(shape):
            unread = None  # zeros are left out where they are multiplied: the elements of a cell stay in one space
        found: list[Term | None] = []
        ends = (*gather.starts, sum(s.size for s in gather.sources))
        for terms, (start, stop) in zip(parts, pairwise(ends), strict=False):
            if not terms or start == stop:
                continue
            table = gather.table if len(gather.sources) == 1 else self._window(gather.table, start, stop)
            table = table if unread is None else self.tables.of(np.where(unread, np.int32(-1), table.at))
            if table.distinct:
                back = self.tables.inverse(table, stop - start)
                found.extend(self.terms.moved(t, back, len(table)) for t in terms)
            else:
                found.extend(joined for t in terms for joined in self._repeated(shape, table, t))
        return [t for t in found if t is not None]

    def _repeated(self, shape: Shape, table: Table, term: Term) -> list[Term]:
        """The rows of a term read several times, by the elements of a cell each in a term of its own."""
        cells = self._cells(shape)
        if not cells:
            joined = self.terms.joined(term, table)
            return [] if joined is None else [joined]
        found = []
        for at in cells:
            joined = self.terms.joined(term, self.tables.composed(table, at))
            if joined is not None:
                found.append(self.terms.renamed(joined, at))
        return found

    def is_local(self, shape: Shape, table: Table) -> bool:
        """Whether what a node reads several times is read once by each element of its cells."""
        cells = self._cells(shape)
        return bool(cells) and all(self.tables.composed(table, at).distinct for at in cells)

    def _cells(self, shape: Shape) -> list[Table]:
        """The elements of an array by their place in its cells; nothing where it has none."""
        parts, t = components(shape), self.tables
        return [t.once(("cells", shape, k), None, partial(t.of, at)) for k, at in enumerate(parts)]

    def _window(self, table: Table, start: int, stop: int) -> Table:
        inside = (table.at >= start) & (table.at < stop)
        return self.tables.of(np.where(inside, table.at - np.int32(start), np.int32(-1)))

    def at(self, factor: UOp, term: Term) -> UOp:
        """The value of a factor at the rows of a term."""
        return self.values.of(factor, self.tables.somewhere(term.every, factor.size))

    def scaled(self, term: Term, factor: UOp) -> Term | None:
        """The term times a factor; rows in which that is known to be zero are left out where they are many.

        Few of them stay: a zero is added to nothing, and terms of one node keep one list of rows.
        """
        zeros = self.many_zeros(factor)
        left = term if zeros is None else self.terms.without(term, zeros)
        if left is None:
            return None
        product = times(left.coefficient, self.at(factor, left))
        return None if product is None else Term(left.rows, left.cols, product, left.among)

    def many_zeros(self, factor: UOp) -> NDArray[np.bool_] | None:
        """Where a factor is known to be zero; None where that is less than half of it."""
        zeros = self.constants.zeros(factor)
        return zeros if zeros is not None and 2 * np.count_nonzero(zeros) >= zeros.size else None

    def is_factored(self, node: UOp) -> bool:
        """Whether a linear elementwise node multiplies whole terms: by what may be zero anywhere, or by nothing."""
        if node.dtype.kind != "f" or not self.has_terms(node) or any(s.dtype.kind == "c" for s in node.src):
            return False
        if node.op is Ops.WHERE:
            return self.constants.value(node.src[0]) is None
        return node.op not in (Ops.MUL, Ops.MULACC) or all(self.many_zeros(s) is None for s in node.src[:2])

    def only(self, term: Term, mask: NDArray[np.bool_]) -> Term | None:
        """The term in the rows that a mask chooses."""
        chosen = mask.reshape(-1)
        rows, every = (np.where(chosen[t.at], t.at, np.int32(-1)) for t in (term.rows, term.every))
        among = None if term.among is None else self.tables.of(every)
        return self.terms.compact(Term(self.tables.of(rows), term.cols, term.coefficient, among), mask.size)

    def merged(self, terms: Sequence[Term | None]) -> list[Term]:
        """Those that there are, added up."""
        return self.terms.merged(t for t in terms if t is not None)


def _mapped(terms: Sequence[Term], of: Callable[[UOp], UOp]) -> list[Term]:
    return [replace(t, coefficient=of(t.coefficient)) for t in terms]


def _negated(c: UOp) -> UOp:
    return UOp.const(c.dtype, -c.arg) if c.op is Ops.CONST else B.neg(c)


def _first(rules: Rules, node: UOp, parts: Parts) -> list[Term]:
    return list(parts[0])


def _second(rules: Rules, node: UOp, parts: Parts) -> list[Term]:
    return list(parts[1])


def _sum(rules: Rules, node: UOp, parts: Parts) -> list[Term]:
    return rules.terms.merged([*parts[0], *parts[1]])


def _difference(rules: Rules, node: UOp, parts: Parts) -> list[Term]:
    return rules.terms.merged([*parts[0], *_mapped(parts[1], _negated)])


def _negative(rules: Rules, node: UOp, parts: Parts) -> list[Term]:
    return _mapped(parts[0], _negated)


def _applied(rules: Rules, node: UOp, parts: Parts) -> list[Term]:
    """The op is linear over real numbers: it is applied to the coefficients."""

    def of(c: UOp) -> UOp:
        if c.op is Ops.CONST and node.op is Ops.CAST:
            return UOp.const(node.dtype, c.arg)
        return UOp(node.op, node.dtype, (c,), node.arg)

    return _mapped(parts[0], of)


def _not_linear(how: str) -> NoTermsError:
    return NoTermsError(f"a custom derivative rule {how}, so that it is not linear; write it linear in its tangents")


def _product(rules: Rules, node: UOp, parts: Parts) -> list[Term]:
    if parts[0] and parts[1]:
        raise _not_linear(f"takes {node.op.name} of two tangents")
    factor = node.src[0] if parts[1] else node.src[1]
    found = [rules.scaled(t, factor) for t in (parts[1] or parts[0])]
    return rules.merged([*found, *(parts[2] if node.op is Ops.MULACC else ())])


def _quotient(rules: Rules, node: UOp, parts: Parts) -> list[Term]:
    if parts[1]:
        raise _not_linear("divides by a tangent")
    return [replace(t, coefficient=quotient(t.coefficient, rules.at(node.src[1], t))) for t in parts[0]]


def _where(rules: Rules, node: UOp, parts: Parts) -> list[Term]:
    mask = rules.constants.value(node.src[0])
    if mask is not None:
        return rules.merged([*(rules.only(t, mask) for t in parts[1]), *(rules.only(t, ~mask) for t in parts[2])])
    zero = UOp.const(node.dtype, 0)
    found: dict[tuple[Table, Table], list[UOp]] = {}
    reached: dict[tuple[Table, Table], Table] = {}
    for side in (1, 2):
        for t in parts[side]:
            key = (t.every, t.cols)
            pair = found.setdefault(key, [zero, zero])
            pair[side - 1] = t.coefficient if pair[side - 1] is zero else add(pair[side - 1], t.coefficient)
            reached[key] = rules.terms.union(reached.get(key, t.rows), t.rows, t.every)
    made = []
    for (every, cols), pair in found.items():
        condition = rules.values.of(node.src[0], rules.tables.somewhere(every, node.size))
        rows = reached[every, cols]
        made.append(Term(rows, cols, B.where(condition, *pair), None if rows is every else every))
    return made


def _reduce(rules: Rules, node: UOp, parts: Parts) -> list[Term]:
    op, axes = node.arg
    if op is not Ops.ADD:
        raise _not_linear(f"reduces a tangent by {op.name}")
    shape = node.src[0].sized
    kept = tuple(1 if k in axes else n for k, n in enumerate(shape))

    def make() -> Table:
        to = np.broadcast_to(np.arange(node.size, dtype=np.int32).reshape(kept), shape)
        return rules.tables.of(to.reshape(-1))

    table = rules.tables.once(("reduce", shape, axes), None, make)
    moved = [rules.terms.moved(t, table, node.size) for t in parts[0]]
    if node.arg[0] is Ops.ADD and node.src[0].size <= SHORT * node.size:
        return rules.merged([p for t in moved if t is not None for p in rules.terms.apart(t)])
    return rules.merged(moved)


def _scatter(rules: Rules, node: UOp, parts: Parts) -> list[Term]:
    indices = node.src[2:]
    values = [rules.constants.value(i) for i in indices]
    to = _landing([v for v in values if v is not None], node.sized)
    base: list[Term | None] = list(parts[0])
    if node.arg != "add":
        last = np.full(node.size + 1, -1)
        last[to] = np.arange(len(to))  # of several writes the last one stays
        last[-1] = -1
        open_ = rules.tables.of(np.where(last[:-1] < 0, np.arange(node.size), -1))
        base = [rules.terms.moved(t, open_, node.size) for t in parts[0]]
        to = np.where(last[to] == np.arange(len(to)), to, -1)
    table = rules.tables.of(to)
    return rules.merged([*base, *(rules.terms.moved(t, table, node.size) for t in parts[1])])


def _landing(indices: list[NDArray[Any]], shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Where each element of an update goes; -1 for what is dropped."""
    flat, inside = np.zeros(indices[0].shape, np.int64), np.ones(indices[0].shape, np.bool_)
    for v, n in zip(indices, shape, strict=False):
        inside &= (v >= 0) & (v < n)
        flat = flat * n + v
    rest = int(np.prod(shape[len(indices) :], dtype=np.int64))
    places = flat.reshape(-1, 1) * rest + np.arange(rest)
    return np.where(inside.reshape(-1, 1), places, -1).reshape(-1)


_Rule = Callable[[Rules, UOp, Parts], list[Term]]
_PASSED: dict[Ops, _Rule] = dict.fromkeys((Ops.NOOP, Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD), _first)
_APPLIED: dict[Ops, _Rule] = dict.fromkeys((Ops.CAST, Ops.REAL, Ops.IMAG, Ops.CONJ), _applied)
_RULES: dict[Ops, _Rule] = _PASSED | _APPLIED | {
    Ops.ADD: _sum, Ops.SUB: _difference, Ops.NEG: _negative, Ops.MUL: _product, Ops.MULACC: _product,
    Ops.FDIV: _quotient, Ops.WHERE: _where, Ops.REDUCE_AXIS: _reduce, Ops.SCATTER: _scatter, Ops.ASSIGN: _second,
}  # fmt: skip
