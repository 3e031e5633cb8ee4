"""Entries that are sums of cheap addends: each is made where it is stored, its addends read from where they are.

An addend that is a number of an array times a constant costs less than to be stored and read again, or to be added to
memory. Coefficients that differ only in where they read are one kind, whose elements are laid end to end; of each entry
a few addends of as many kinds are one expression, which sets it or is added to what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.dtypes import DType
from functrans.ops.enums import Ops
from functrans.ops.movement import flat
from functrans.ops.source import in_file, param, stored
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.sparse.direct.expressions import add
from functrans.transforms.sparse.direct.spaces import SHORT
from functrans.transforms.sparse.direct.stores import alive, counted
from functrans.transforms.sparse.direct.sums import MAX_LOOPS, MIN_LOOP_ENTRIES
from functrans.transforms.sparse.direct.terms import Term
from functrans.transforms.sparse.direct.values import MIN_ADDITIONS, Values, costs
from functrans.transforms.sparse.entries import INT32_MAX

Places = NDArray[np.int32]
Numbers = NDArray[Any]
Both = tuple[Places, Places]
Write = tuple[UOp, Places]
CHEAP = frozenset({Ops.ADD, Ops.SUB, Ops.MUL, Ops.NEG, Ops.CAST})


class Sums(NamedTuple):
    """Entries, each once, and the sum that goes to each of them: set, or added to what is there."""

    to: Places
    coefficient: UOp
    adds: bool


def is_cheap(coefficient: UOp, values: Values) -> bool:
    """Whether a coefficient takes a few operations that each cost no more than to read a number."""
    nodes = [u for u in toposort((coefficient,)) if u not in values.leaves and u.op is not Ops.CONST]
    return 0 < len(nodes) and not costs((coefficient,), MIN_ADDITIONS) and all(u.op in CHEAP for u in nodes)


class Kind(NamedTuple):
    """Coefficients that differ only in where they read.

    expression : over placeholders
    holes : the placeholders, each with the array that it reads; None for lists of numbers
    read : for each placeholder places in its array, or the numbers, of all elements laid end to end
    """

    expression: UOp
    holes: tuple[tuple[UOp, UOp | None], ...]
    read: list[Numbers]


class Addends:
    """The elements of some coefficients by the entries that they go to.

    writes : coefficients, each with the places of its elements, -1 for nowhere
    values : the expressions that they are of
    listed : makes a node of a list of numbers
    """

    def __init__(self, writes: Sequence[Write], values: Values, listed: Callable[[Numbers], UOp]) -> None:
        self._values, self._listed = values, listed
        self._holes: dict[tuple[int, DType, UOp | None], UOp] = {}
        kinds: dict[UOp, tuple[tuple[tuple[UOp, UOp | None], ...], list[list[Numbers]], list[Places]]] = {}
        for c, places in writes:
            live = alive(places)
            skeleton, holes, read = self._parted(c)
            _, parts, goes = kinds.setdefault(skeleton, (holes, [], []))
            parts.append(read if live is places else [a[places >= 0] for a in read])
            goes.append(live)
        self._kinds = [
            Kind(e, holes, list(map(_end_to_end, zip(*parts, strict=True)))) for e, (holes, parts, _) in kinds.items()
        ]
        ends = [_end_to_end(goes) for *_, goes in kinds.values()]
        to, sizes = _end_to_end(ends), list(map(len, ends))
        order = np.argsort(to, kind="stable").astype(np.int32)
        self._to = to[order]
        self._kind = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)[order]
        self._number = np.concatenate([np.arange(n, dtype=np.int32) for n in sizes])[order]

    def _parted(self, c: UOp) -> tuple[UOp, tuple[tuple[UOp, UOp | None], ...], list[Numbers]]:
        """A coefficient over placeholders, what they stand for, and what each of them reads."""
        given: dict[UOp, UOp] = {}
        holes: list[tuple[UOp, UOp | None]] = []
        read: list[Numbers] = []
        for u in toposort((c,)):
            if u in self._values.leaves:
                leaf, table = self._values.leaves[u]
                base = flat(leaf)
                known = base.op is Ops.BUFFER and not in_file(base)
                source = None if known else leaf
                read.append(stored(base)[table.at] if known else table.at)
                given[u] = self._holes.setdefault((len(holes), u.dtype, source), param((), u.dtype))
                holes.append((given[u], source))
        (skeleton,) = substitute((c,), given)
        return skeleton, tuple(holes), read

    def _of(self, kind: Kind, numbers: Places) -> UOp:
        """Some elements of a kind, as an expression over a space of their own."""
        tables, given = self._values.tables, {}
        for (hole, source), read in zip(kind.holes, kind.read, strict=True):
            part = read[numbers]
            node, at = (self._listed(part), tables.iota(len(part))) if source is None else (source, tables.of(part))
            given[hole] = self._values.leaf(node, at)
        (found,) = substitute((kind.expression,), given)
        return found

    def sums(self, line: Places) -> tuple[list[Sums], Places]:
        """The entries that are made by loops of many, those that are set first; and the other entries.

        line : a number for each place of the result: places of one line may be made in a loop of steps; -1 for none
        """
        begin = np.flatnonzero(np.concatenate([[True], self._to[1:] != self._to[:-1]])).astype(np.int32)
        count = np.diff(begin, append=np.int32(len(self._to)))
        parts = []
        for k in range(0, int(count.max()), SHORT):
            here = count > k
            parts.append((begin[here] + k, np.minimum(count[here] - k, SHORT)))
        if len(parts) > 2:  # what is added to a sum is added in any number of rounds of one loop
            parts[1:] = [(np.concatenate([at for at, _ in parts[1:]]), np.concatenate([n for _, n in parts[1:]]))]
        groups = []
        for adds, (at, size) in enumerate(parts):
            code = 2 * self._code(at, size) + (line[self._to[at]] >= 0)
            groups += [(at[code == c], int(size[code == c][0]), bool(adds)) for c in np.unique(code)]
        groups.sort(key=lambda g: -len(g[0]))
        few = [at for at, _, _ in groups[MAX_LOOPS:]]
        few += [at for at, _, _ in groups[:MAX_LOOPS] if len(at) < MIN_LOOP_ENTRIES]
        whole = np.ones(len(begin), np.bool_)
        for at in few:
            whole[np.searchsorted(begin, at, "right") - 1] = False
        made = []
        for at, size, adds in sorted(groups, key=lambda g: g[2]):
            at = at[whole[np.searchsorted(begin, at, "right") - 1]]
            if len(at):
                at = at[np.lexsort((self._number[at], line[self._to[at]]))]
                made.append(Sums(self._to[at], self._sum(at, size), adds))
        return made, self._to[begin[~whole]]

    def _sum(self, at: Places, size: int) -> UOp:
        """The sums of so many addends from some places on."""
        parts = (self._of(self._kinds[int(self._kind[at[0] + p])], self._number[at + p]) for p in range(size))
        return reduce(add, parts)

    def _code(self, at: Places, size: Places) -> Numbers:
        """A number for the first addends of entries: the same for as many of the same kinds."""
        code: Numbers = np.zeros(len(at), np.int32)
        base = len(self._kinds) + 1
        for p in range(SHORT):
            if 2 * (int(code.max(initial=0)) + 1) * base > INT32_MAX:
                code = np.unique(code, return_inverse=True)[1]
            here = np.flatnonzero(size > p).astype(np.int32)
            code[here] = code[here] * base + 1 + self._kind[at[here] + p]
        return code


def _end_to_end(parts: Sequence[Numbers]) -> Numbers:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def rows_and_cols(writes: Sequence[tuple[Term, Places]], size: int) -> Both:
    """The row and the column of each place that something goes to."""
    rows, cols = (np.full(size, -1, np.int32) for _ in range(2))
    for term, to in writes:
        live = to >= 0
        rows[to[live]], cols[to[live]] = term.rows.at[live], term.cols.at[live]
    return rows, cols


def lines(rows: Numbers, cols: Numbers, shapes: Sequence[tuple[int, ...]]) -> Places:
    """Entries of a matrix by lines along one axis of arrays: those of one diagonal, as long as the axis is.

    A coupling of the same two of several arrays in each cell of a line of cells is one. -1 for entries of no such line.
    """
    best: Places | None = None
    covered = 0
    if not len(rows):
        return np.zeros(0, np.int32)
    diagonal, length = _counted(cols - rows)
    name = np.cumsum(length > 0, dtype=np.int32) - np.int32(1)
    diagonal, diagonals = name[diagonal], int(name[-1]) + 1
    for n, key in _by_axis(rows, shapes):
        number = key if (int(key.max()) + 1) * diagonals <= INT32_MAX else key.astype(np.int64)
        number *= diagonals
        number += diagonal
        line, length = _counted(number)
        del key, number
        found = int(np.count_nonzero(length == n)) * n
        if found > covered:
            covered = found
            name = np.cumsum(length > 0, dtype=np.int32) - np.int32(1)
            name[length != n] = -1
            best = name[line]
    return np.full(len(rows), -1, np.int32) if best is None else best


def _counted(values: Numbers) -> tuple[Numbers, NDArray[np.int32]]:
    """Numbers in the order of the values, which are written over; equal ones are alike. And how often each number is.

    Linear where the values are close together, as those of stencils are.
    """
    first = int(values.min())
    if int(values.max()) - first < 2 * len(values):
        values -= first
        return values, counted([values], int(values.max()) + 1)
    order = np.argsort(values).astype(np.int32)
    ordered = values[order]
    number: Numbers = np.empty(len(values), np.int32)
    number[order] = np.cumsum(np.concatenate([[False], ordered[1:] != ordered[:-1]]), dtype=np.int32)
    return number, counted([number], int(number[order[-1]]) + 1)


def _by_axis(rows: Numbers, shapes: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, Numbers]]:
    """Lengths of long axes, the last or the first one of an array, and for each row where it is on other axes."""
    for n in dict.fromkeys(s[-1] for s in shapes if len(s) > 1 and s[-1] >= 2 * SHORT):
        yield n, rows // n
    for n, m in dict.fromkeys((s[0], prod(s[1:])) for s in shapes if len(s) > 1 and s[0] >= 2 * SHORT):
        yield n, rows % m
