"""A round of a loop that carries sensitivities: the body of one lane, and where in its results each nonzero is.

The body's own Jacobian has terms, computed once a round; sums of products with it take the sensitivities of all carries
a round further. So each nonzero of the loop costs a short sum, whatever the body is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.loops import Scan, While
from functrans.ops.source import param
from functrans.ops.uop import UOp
from functrans.transforms.loops.independent import settled
from functrans.transforms.sparse.detection import flattened
from functrans.transforms.sparse.direct.recurrence import Entries, chain, chosen, common, kept, lagging, taken
from functrans.transforms.sparse.direct.values import NoTermsError

if TYPE_CHECKING:
    from functrans.transforms.sparse.direct.extraction import Extraction

Ids = NDArray[np.int64]
Inside = Callable[[Sequence[UOp], Sequence[UOp]], "Extraction"]
_CARRIES, _ELEMENTS, _CONSTANTS = range(3)
ENDLESS = 2**62
"""The rounds of a WHILE, for its pattern: that of any number of them."""


class Local(NamedTuple):
    """The Jacobian of a body: rows and columns of its late results and placeholders, and the values of its nonzeros."""

    entries: Entries
    values: UOp
    cost: int


def local(roots: Sequence[UOp], holes: Sequence[UOp], dtype: DType, inside: Inside) -> Local:
    """The Jacobian of vectors by placeholders, all laid end to end."""
    made = inside(roots, holes)
    shape = sum(r.size for r in roots), sum(h.size for h in holes)
    terms, start = [], 0
    for root in roots:
        rows = made.tables.of(np.arange(start, start + root.size))
        terms += [made.carriers.renamed(t, rows) for t in made.found[root]]
        start += root.size
    if not terms:
        none = np.zeros(0, np.int64)
        return Local(Entries(none, none, shape), B.full((0,), dtype, 0), 0)
    keys = made.temporaries.entries(terms)
    to = []
    for t in terms:
        places = np.full(len(t), -1, np.int32)
        places[t.rows.at >= 0] = np.searchsorted(keys, made.temporaries.keys(t))
        to.append(places)
    values = made.temporaries.laid(terms, to, len(keys), dtype)
    return Local(Entries(*np.divmod(keys, shape[1]), shape), values, made.cost)


def check_real(kinds: Sequence[DType]) -> None:
    """NoTermsError where a body is given or makes complex numbers: of these it need not be a linear function."""
    if any(d.kind != "f" for d in kinds):
        raise NoTermsError(
            "a loop or branch carries complex numbers; write their real and imaginary parts as two arrays"
        )


class Lines(NamedTuple):
    """Some rows after a round: by what stays, and by elements of sequences for each lag; pattern and values."""

    fixed: Entries
    by_fixed: UOp
    lagged: Entries
    by_lag: UOp

    def of(self, start: int, stop: int) -> Lines:
        """A few of these rows."""
        return Lines(*_rows(self.fixed, self.by_fixed, start, stop), *_rows(self.lagged, self.by_lag, start, stop))


class Span(NamedTuple):
    """Sources laid end to end, and where each of them begins."""

    places: list[int]
    starts: list[int]

    def of(self, cols: Ids) -> list[tuple[int, Ids, Ids]]:
        """Each source that columns are of, which of them, and the elements of it that they are."""
        which = np.searchsorted(self.starts, cols, "right") - 1
        found = [(k, np.flatnonzero(which == n), self.starts[n]) for n, k in enumerate(self.places)]
        return [(k, at, cols[at] - start) for k, at, start in found if len(at)]


class Round:
    """A round of a loop, some of whose sources are ``late``: tangents; and ``active`` those that are not zero.

    Attributes
    ----------
    given : the placeholders that are the same whatever the tangents are
    spans : those that are not: carries, elements and constants
    outputs : without brackets; ``later`` are those that are not the same whatever the tangents are
    kept, lagging : what all carries depend on, all rounds together; ``lags`` are so many
    fixed, lagged : placeholders for the sensitivities of the round before
    cost : operations of what was made
    """

    def __init__(self, arg: Scan | While, late: Sequence[bool], active: Sequence[bool], inside: Inside) -> None:
        self._arg, self._active = arg, active
        self._rounds = arg.length if isinstance(arg, Scan) else ENDLESS
        n = arg.carries
        ends = n + (arg.sequences if isinstance(arg, Scan) else 0)
        outputs, late, self.later = settled(arg, late)
        whole = [B.reshape(u, o.sized) for u, o in zip(flattened(outputs), outputs, strict=True)]
        self.outputs = whole
        self.given = [k for k, is_late in enumerate(late) if not is_late]
        params = arg.body.params
        self.spans = []
        for places in (range(n), range(n, ends), range(ends, len(params))):
            here = [k for k in places if late[k]]
            self.spans.append(Span(here, np.cumsum([0, *(params[k].size for k in here)]).tolist()))
        self.ends = np.cumsum([0, *(s.starts[-1] for s in self.spans)]).tolist()
        carries = self.spans[_CARRIES].places
        again = {whole[c]: c for c in carries}
        self._same = {k: again[whole[k]] for k in range(n, len(whole)) if whole[k] in again}  # as a carry
        rows = [*carries, *(k for k in range(n, len(whole)) if self.later[k] and k not in self._same)]
        self._rows = Span(rows, np.cumsum([0, *(whole[k].size for k in rows)]).tolist())
        holes = [params[k] for span in self.spans for k in span.places]
        roots = [B.reshape(whole[k], (whole[k].size,)) for k in self._rows.places]
        check_real([u.dtype for u in (*holes, *roots)])
        self.dtype = common([u.dtype for u in (*holes, *roots)])
        self._local = local(roots, holes, self.dtype, inside)
        moving = [k < n or active[k] for span in self.spans for k in span.places]
        self._moving = np.repeat(moving, [h.size for h in holes])
        self._sensitivities()

    def _sensitivities(self) -> None:
        """Patterns of what is carried, and placeholders for it."""
        size = self.ends[_CARRIES + 1]
        step, _ = self._part((0, size), _CARRIES)
        by_constants, _ = self._part((0, size), _CONSTANTS)
        elements, _ = self._part((0, size), _ELEMENTS)
        self._width = size + self.spans[_CONSTANTS].starts[-1]
        own = [np.arange(s, s + self._arg.body.params[k].size) for k, s in zip(*self.spans[_CARRIES], strict=False)
               if self._active[k]]  # fmt: skip
        begin = np.concatenate([np.zeros(0, np.int64), *own])
        rows, cols = np.append(begin, by_constants.rows), np.append(begin, by_constants.cols + size)
        self.kept = kept(step, _in_order(rows, cols, (size, self._width)), self._rounds)
        self.lagging, self.lags = lagging(step, elements, self._rounds)
        self.fixed = param((len(self.kept),), self.dtype)
        self.lagged = param((len(self.lagging), self.lags), self.dtype)
        self.cost = self._local.cost

    def _part(self, rows: tuple[int, int], group: int) -> tuple[Entries, Ids]:
        return self._local.entries.part(rows, (self.ends[group], self.ends[group + 1]), self._moving)

    @cached_property
    def carried(self) -> Lines:
        """All carries after a round."""
        return self._after((0, self.ends[1]), self.kept, self.lagging, self.lags)

    @cached_property
    def _others(self) -> Lines:
        return self._after((self.ends[1], self._rows.starts[-1]), None, None, min(self.lags + 1, self._rounds))

    def is_late(self, k: int) -> bool:
        """Whether an output may have nonzeros."""
        return self._same.get(k, k) in self._rows.places

    def row(self, k: int) -> int:
        """The first row of a late output, among those of all carries or of all others."""
        start = self._rows.starts[self._rows.places.index(self._same.get(k, k))]
        return start if start < self.ends[1] else start - self.ends[1]

    def lines(self, k: int) -> Lines:
        """A late output, by its rows."""
        n = self._rows.places.index(self._same.get(k, k))
        start, stop = self._rows.starts[n], self._rows.starts[n + 1]
        size = self.ends[1]
        return self.carried.of(start, stop) if start < size else self._others.of(start - size, stop - size)

    def _after(self, span: tuple[int, int], fixed: Entries | None, lagged: Entries | None, lags: int) -> Lines:
        """Some rows after a round, of patterns that are given, or of their own."""
        step, at = self._part(span, _CARRIES)
        constants, of_constants = self._part(span, _CONSTANTS)
        size, height = step.shape[1], step.shape[0]
        constants = Entries(constants.rows, constants.cols + size, (height, self._width))
        elements, of_elements = self._part(span, _ELEMENTS)
        if fixed is None or lagged is None:
            fixed = Entries.of(step.matrix @ self.kept.matrix + constants.matrix)
            lagged = Entries.of(step.matrix @ self.lagging.matrix + elements.matrix)
        through = chain(step, at, self.kept, fixed)
        along = chain(step, at, self.lagging, lagged)
        self.cost += 2 * (len(through.to) + len(along.to) * lags)
        by_fixed = self._plus(through.of(self._local.values, self.fixed), fixed, constants, of_constants)
        first = self._plus(None, lagged, elements, of_elements)
        parts = [B.reshape(first, (len(lagged), 1))][:lags]
        older = along.of(self._local.values, self.lagged)
        if lags > 1:
            if older is None:
                older = B.full((len(lagged), lags - 1), self.dtype, 0)
            parts.append(B.shrink(older, ((0, len(lagged)), (0, lags - 1))))
        by_lag = B.cat(tuple(parts), 1) if parts else B.full((len(lagged), 0), self.dtype, 0)
        return Lines(fixed, by_fixed, lagged, by_lag)

    def _plus(self, total: UOp | None, pattern: Entries, more: Entries, at: Ids) -> UOp:
        """A vector over a pattern, with nonzeros of the body added."""
        if not len(more):
            return B.full((len(pattern),), self.dtype, 0) if total is None else total
        places = np.full(len(pattern), -1)
        places[pattern.places(more)] = at
        direct = chosen(taken(self._local.values, places), places >= 0)
        return direct if total is None else B.add(total, direct)


def _rows(pattern: Entries, values: UOp, start: int, stop: int) -> tuple[Entries, UOp]:
    low, high = np.searchsorted(pattern.rows, (start, stop)).tolist()
    part = Entries(pattern.rows[low:high] - start, pattern.cols[low:high], (stop - start, pattern.shape[1]))
    return part, B.shrink(values, ((low, high), *((0, m) for m in values.sized[1:])))


def _in_order(rows: Ids, cols: Ids, shape: tuple[int, int]) -> Entries:
    order = np.lexsort((cols, rows))
    return Entries(rows[order], cols[order], shape)
