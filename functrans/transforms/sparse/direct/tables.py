"""Tables of positions: int32 arrays, -1 for nowhere, each content kept once so that equal tables are one object."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int32]
LOOKED_AT = 64  # numbers of a table, and a sum over all, that tell it from most others


class Table:
    """A position for each element of an index space; made by `Tables`, so that equality is identity."""

    def __init__(self, at: Places) -> None:
        self.at = at

    def __len__(self) -> int:
        return len(self.at)

    @cached_property
    def is_identity(self) -> bool:
        """Whether element k is at place k."""
        n = len(self.at)
        return n == 0 or bool(self.at[0] == 0 and self.at[-1] == n - 1 and (self.at == _iota(n)).all())

    @cached_property
    def highest(self) -> int:
        """The last place of all, 0 where there is none."""
        return int(self.at.max(initial=0))

    @cached_property
    def is_nowhere(self) -> bool:
        """Whether no element is at any place."""
        return bool((self.at < 0).all())

    @cached_property
    def alive(self) -> NDArray[np.bool_] | None:
        """Which elements are somewhere; None where all are."""
        found = self.at >= 0
        return None if found.all() else found

    @cached_property
    def increasing(self) -> bool:
        """Whether all elements are somewhere, each behind the one before."""
        return self.alive is None and bool((self.at[1:] > self.at[:-1]).all())

    @cached_property
    def distinct(self) -> bool:
        """Whether no two elements are at one place."""
        if self.increasing:
            return True
        live = self.at if self.alive is None else self.at[self.alive]
        if not len(live):
            return True
        seen = np.zeros(int(live.max()) + 1, np.bool_)
        seen[live] = True
        return int(np.count_nonzero(seen)) == len(live)


class Tables:
    """The tables of one plan. Linear in what is asked for.

    Attributes
    ----------
    most : the numbers of all tables that were alive at once
    """

    def __init__(self) -> None:
        self._alive = self.most = 0
        self._known: dict[tuple[int, int, bytes], list[ref[Table]]] = {}
        self._iotas: dict[int, Table] = {}
        self._made: dict[Any, tuple[Table, Any]] = {}

    def of(self, at: NDArray[Any]) -> Table:
        """The table of this content; the array is kept."""
        at = np.ascontiguousarray(at, np.int32)
        some = at[:: len(at) // LOOKED_AT + 1].tobytes()
        total = int(at[: len(at) & -2].view(np.int64).sum())  # pairs as one number each: nothing is converted
        same = self._known.setdefault((len(at), total, some), [])
        for known in same:
            t = known()
            if t is not None and np.array_equal(t.at, at):
                return t
        made = Table(at)
        same.append(ref(made, partial(self._dropped, len(at))))
        self._alive += len(at)
        self.most = max(self.most, self._alive)
        return made

    def _dropped(self, numbers: int, table: ref[Table]) -> None:
        self._alive -= numbers

    def forget(self, size: int) -> None:
        """Let go of tables of more numbers that nobody else holds: they are made anew when they are asked for."""
        self._made = {key: made for key, made in self._made.items() if len(made[0]) <= size}

    def iota(self, n: int) -> Table:
        """Each element at its own place."""
        if n not in self._iotas:
            self._iotas[n] = self.of(_iota(n))
        return self._iotas[n]

    def once(self, key: Any, keep: Any, make: Callable[[], Table]) -> Table:
        """What ``make`` gave for the key, which holds as long as ``keep`` lives: it is kept."""
        if key not in self._made:
            self._made[key] = make(), keep
        return self._made[key][0]

    def composed(self, outer: Table, inner: Table) -> Table:
        """``outer[inner]``, nowhere where either is."""
        if inner.is_identity and len(inner) == len(outer):
            return outer
        if outer.is_identity:
            return inner
        return self.once((outer, inner), None, lambda: self.of(_take(outer.at, inner)))

    def inverse(self, t: Table, size: int) -> Table:
        """Which element is at each of ``size`` places, for a table whose elements are apart."""
        if t.is_identity and len(t) == size:
            return t

        def make() -> Table:
            found = np.full(size, -1, np.int32)
            live = t.alive
            if live is None:
                found[t.at] = _iota(len(t))
            else:
                where = np.flatnonzero(live)
                found[t.at[where]] = where
            return self.of(found)

        return self.once(("inverse", t, size), None, make)

    def somewhere(self, t: Table, size: int) -> Table:
        """A place of ``size`` for what is nowhere, too: the read is one that nobody uses. Where the rest is in order it
        is in order: tables that differ in what is nowhere become one.
        """
        if t.alive is None:
            return t

        def make() -> Table:
            n = len(t)
            if n == size and (t.alive is None or bool((t.at == _iota(n))[t.alive].all())):
                return self.iota(n)
            return self.of(np.maximum(t.at, 0))

        return self.once(("somewhere", t, size), None, make)


def _iota(n: int) -> Places:
    return np.arange(n, dtype=np.int32)


def _take(outer: Places, inner: Table) -> Places:
    if not len(outer):
        return np.full(len(inner), -1, np.int32)
    found = outer[inner.at]
    if inner.alive is not None:
        found[inner.at < 0] = -1
    return found
