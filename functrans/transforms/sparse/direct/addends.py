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
from functrans.transforms.sparse.direct.values import MIN_ADDITIONS, Values, costs
from functrans.transforms.sparse.entries import INT32_MAX
from functrans.transforms.sparse.numbering import in_groups, in_order, named

Places = NDArray[np.int32]
Numbers = NDArray[Any]
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
        to = _end_to_end([part for *_, goes in kinds.values() for part in goes])
        sizes = [sum(map(len, goes)) for *_, goes in kinds.values()]
        del kinds
        self._starts = np.cumsum([0, *sizes])
        # entry after entry the addends, by their numbers among all
        self._order, begin = in_groups(to, int(to.max(initial=-1)) + 1)
        count = np.diff(begin)
        self._to = np.flatnonzero(count).astype(np.int32)
        self._begin, self._count = begin[self._to], count[self._to]
        narrow = np.min_scalar_type(len(sizes))
        self._kind = np.repeat(np.arange(len(sizes), dtype=narrow), sizes)[self._order]

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
        parts: list[tuple[Places, int]] = []  # entries, and which of their addends is the first one
        for k in range(0, int(self._count.max()), SHORT):
            parts.append((np.flatnonzero(self._count > k).astype(np.int32), k))
        groups: list[tuple[Places, Places, int, bool]] = []
        groups += self._alike(parts[0][0], self._begin, self._count, line, False)
        if len(parts) > 1:  # what is added to a sum is added in any number of rounds of one loop
            entry = np.concatenate([e for e, _ in parts[1:]])
            at = np.concatenate([self._begin[e] + np.int32(k) for e, k in parts[1:]])
            size = np.concatenate([self._count[e] - np.int32(k) for e, k in parts[1:]])
            groups += self._alike(entry, at, size, line, True)
        del parts
        groups.sort(key=lambda g: -len(g[0]))
        few = [e for e, *_ in groups[MAX_LOOPS:]]
        few += [e for e, *_ in groups[:MAX_LOOPS] if len(e) < MIN_LOOP_ENTRIES]
        whole = np.ones(len(self._to), np.bool_)
        for entry in few:
            whole[entry] = False
        made = []
        for entry, at, few_addends, adds in sorted(groups, key=lambda g: g[3]):
            kept = whole[entry]
            if kept.any():
                to, at = self._to[entry[kept]], at[kept]
                order = in_order(self._order[at])  # of one kind, so that numbers among all are in order, too
                order = order[in_order(line[to[order]] + np.int32(1))]
                made.append(Sums(to[order], self._sum(at[order], few_addends), adds))
        return made, self._to[~whole]

    def _alike(
        self, entry: Places, at: Places, size: Places, line: Places, adds: bool
    ) -> list[tuple[Places, Places, int, bool]]:
        """Sums from some addends on in groups of as many of the same kinds, in a line or not: fewer addends first."""
        size = np.minimum(size, SHORT)
        code, codes = self._code(at, size)
        code *= 2
        code += line[self._to[entry]] >= 0
        order, begin = in_groups(code, 2 * codes)
        parts = (order[begin[c] : begin[c + 1]] for c in np.flatnonzero(np.diff(begin)).tolist())
        return [(entry[part], at[part], int(size[part[0]]), adds) for part in parts]

    def _sum(self, at: Places, size: int) -> UOp:
        """The sums of so many addends from some places on."""

        def addends(p: int) -> UOp:
            kind = int(self._kind[at[0] + p])
            return self._of(self._kinds[kind], self._order[at + np.int32(p)] - np.int32(self._starts[kind]))

        return reduce(add, map(addends, range(size)))

    def _code(self, at: Places, size: Places) -> tuple[Places, int]:
        """A number for the first addends of entries, the same for as many of the same kinds; and how many there are."""
        code, codes = np.zeros(len(at), np.int32), 1
        kinds = len(self._kinds)
        for p in range(int(size.max(initial=0))):
            here = np.flatnonzero(size > p)
            longer = code[here].astype(np.int64) if codes * kinds > INT32_MAX - codes else code[here]
            longer = longer * kinds + self._kind[at[here] + p] + codes
            both: Numbers = code.astype(longer.dtype, copy=False)
            both[here] = longer
            code, codes = named(both)
        return code, codes


def _end_to_end(parts: Sequence[Numbers]) -> Numbers:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def lines(rows: Numbers, cols: Numbers, shapes: Sequence[tuple[int, ...]]) -> Places:
    """Entries of a matrix by lines along one axis of arrays: those of one diagonal, as long as the axis is.

    A coupling of the same two of several arrays in each cell of a line of cells is one. -1 for entries of no such line.
    """
    best = np.full(len(rows), -1, np.int32)
    covered = 0
    if not len(rows):
        return best
    diagonal = cols - rows
    diagonal -= diagonal.min()
    diagonal, diagonals = named(diagonal)
    for n, key in _by_axis(rows, shapes):
        number = key if (int(key.max()) + 1) * diagonals <= INT32_MAX else key.astype(np.int64)
        number *= diagonals
        number += diagonal
        del key
        number -= number.min()
        line, many = named(number)
        del number
        length = counted([line], many)
        found = int(np.count_nonzero(length == n)) * n
        if found > covered:
            covered = found
            best = np.where(length == n, np.arange(many, dtype=np.int32), np.int32(-1))[line]
    return best


def _by_axis(rows: Numbers, shapes: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, Numbers]]:
    """Lengths of long axes, the last or the first one of an array, and for each row where it is on other axes."""
    for n in dict.fromkeys(s[-1] for s in shapes if len(s) > 1 and s[-1] >= 2 * SHORT):
        yield n, rows // n
    for n, m in dict.fromkeys((s[0], prod(s[1:])) for s in shapes if len(s) > 1 and s[0] >= 2 * SHORT):
        yield n, rows % m
