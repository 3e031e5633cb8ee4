"""Loops that carry the sensitivities of others: the argument of a new one, and where nonzeros are in its results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans._records import replace
from functrans.ops import build as B
from functrans.ops.loops import Extends, Region, Scan, While
from functrans.ops.source import buffer
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.loops.body import closed_together, endless
from functrans.transforms.loops.independent import extending
from functrans.transforms.sparse.direct.rounds import Inside, Lines, Round, Span
from functrans.transforms.sparse.direct.values import NoTermsError

Ids = NDArray[np.int64]


class Part(NamedTuple):
    """Nonzeros of a result by a source: the result of the new region that holds them, where in it (flat, of one lane),
    and the elements of the result and of the source.
    """

    number: int
    at: Ids
    rows: Ids
    source: int
    cols: Ids


class Computing(NamedTuple):
    """A region that computes the Jacobian of another, in every lane.

    arg : of the region
    sources : what it is given: a source of the other one, or a value that is the same in all lanes
    parts : of each result of the other that was wanted
    cost : operations of a lane
    """

    arg: Region
    sources: list[int | UOp]
    parts: dict[int, list[Part]]
    cost: int


def carrying(
    arg: Scan | While, late: Sequence[bool], active: Sequence[bool], wanted: Sequence[int], inside: Inside, limit: int
) -> Computing:
    """The loop that computes the nonzeros of some results of another by its active sources; more of them may be late.

    Raises NoTermsError where there are more than ``limit`` of them.
    """
    made, n = Round(arg, late, active, inside), arg.carries
    places = _Places(arg, made.spans, limit)
    own = [k for k in made.given if k < n]
    more = [(h, u) for h, u in ((made.fixed, made.carried.by_fixed), (made.lagged, made.carried.by_lag)) if h.size]
    number = {h: len(own) + k for k, (h, _) in enumerate(more)}
    stacks = [k for k in range(n, len(made.outputs)) if not made.later[k]]
    outputs = [*(made.outputs[k] for k in own), *(u for _, u in more), *(made.outputs[k] for k in stacks)]
    parts: dict[int, list[Part]] = {}
    for k in wanted:
        parts[k] = []
        if not made.is_late(k):
            continue
        lines = made.lines(k)
        if k < n:
            whole = made.carried
            parts[k] = places.ended(lines, made.row(k), whole, [number.get(made.fixed), number.get(made.lagged)])
        else:
            parts[k] = places.stacked(lines, len(outputs))
            outputs += [u for u in (lines.by_fixed, lines.by_lag) if u.size]
    params = arg.body.params
    rest = [k for k in made.given if k >= n]
    holes = [*(params[k] for k in own), *(h for h, _ in more), *(params[k] for k in rest)]
    extends = _extending(arg, made.given, [*own, *stacks], len(own), len(more))
    new, constants = _like(arg, outputs, holes, len(own) + len(more), rest, extends)
    begin = [_begin(made) if h is made.fixed else B.full(h.sized, h.dtype, 0) for h, _ in more]
    rounds = arg.length if isinstance(arg, Scan) else 1  # as where products are counted
    return Computing(new, [*own, *begin, *rest, *constants], parts, made.cost * rounds)


def _like(
    arg: Scan | While, outputs: Sequence[UOp], holes: Sequence[UOp], carries: int, rest: Sequence[int],
    extends: Extends | None,
) -> tuple[Region, list[UOp]]:  # fmt: skip
    """A loop of as many rounds with other outputs of other placeholders, and what else it reads."""
    if isinstance(arg, Scan):
        (body,), constants = closed_together([(outputs, holes)])
        sequences = sum(k < arg.carries + arg.sequences for k in rest)
        return replace(arg, body=body, carries=carries, sequences=sequences, plain=None, extends=extends), constants
    test = substitute(arg.condition.outputs, dict(zip(arg.condition.params, arg.body.params, strict=True)))
    if not set(arg.body.params).intersection(toposort(test)) <= set(holes):
        raise NoTermsError("how often a while_loop goes around depends on what it is taken to be linear in")
    graphs = [(test, holes), (outputs, holes)]
    (condition, body), constants = closed_together(graphs, endless(graphs))
    return replace(arg, condition=condition, body=body, carries=carries, extends=extends), constants


def _begin(made: Round) -> UOp:
    """What carries depend on before the first round: each on its own begin."""
    return buffer((made.kept.rows == made.kept.cols).astype(made.dtype.numpy))


def _extending(arg: Scan | While, given: Sequence[int], kept: Sequence[int], own: int, more: int) -> Extends | None:
    """What the new loop computes besides, where so many carries more stand behind its own."""
    found = extending(arg, given, kept)
    if found is None:
        return None
    sources, results = (tuple(k + more * (k >= own) for k in at) for at in (found.sources, found.results))
    return Extends(found.loop, sources, results)


class _Places:
    """Where nonzeros are in the results of a loop, and what they belong to."""

    def __init__(self, arg: Scan | While, spans: Sequence[Span], limit: int) -> None:
        self._params, self._limit = arg.body.params, limit
        self._length, self._reverse = (arg.length, arg.reverse) if isinstance(arg, Scan) else (0, False)
        self._carries, self._elements, self._constants = spans

    def ended(self, lines: Lines, row: int, whole: Lines, numbers: Sequence[int | None]) -> list[Part]:
        """The nonzeros of a carry after the last round; ``row``: its first one among those of all carries."""
        found: list[Part] = []
        by_fixed, by_lag = numbers
        if by_fixed is not None:
            first = int(np.searchsorted(whole.fixed.rows, row))
            at = np.arange(len(lines.fixed))
            found += self._fixed(by_fixed, first + at, lines.fixed.rows, lines.fixed.cols)
        if by_lag is not None:
            first, lags = int(np.searchsorted(whole.lagged.rows, row)), whole.by_lag.sized[1]
            entry, lag = np.divmod(np.arange(len(lines.lagged) * lags), lags)
            time = np.full(len(entry), self._length - 1) - lag
            at = first * lags + np.arange(len(entry))
            found += self._lagged(by_lag, at, lines.lagged.rows[entry], lines.lagged.cols[entry], time)
        return found

    def stacked(self, lines: Lines, number: int) -> list[Part]:
        """The nonzeros of an output of every round, in the results from a number on."""
        n, found = self._length, list[Part]()
        size = lines.fixed.shape[0]
        if n * max(lines.by_fixed.size, lines.by_lag.size) > self._limit:
            raise NoTermsError(
                f"a loop of {n} rounds makes {n * max(lines.by_fixed.size, lines.by_lag.size)} nonzeros, more than the "
                f"{self._limit} that are worth storing"
            )
        if len(lines.fixed):
            time, entry = np.divmod(np.arange(n * len(lines.fixed)), len(lines.fixed))
            rows = time * size + lines.fixed.rows[entry]
            found += self._fixed(number, np.arange(len(rows)), rows, lines.fixed.cols[entry])
            number += 1
        if lines.by_lag.size:
            entries, lags = lines.by_lag.sized
            counts = np.minimum(np.arange(1, n + 1), lags)  # before the first round nothing was read
            visited = np.repeat(np.arange(n), counts)
            lag = np.arange(len(visited)) - np.repeat(np.cumsum(counts) - counts, counts)
            time = n - 1 - visited if self._reverse else visited
            at = (time * entries * lags + lag)[:, None] + np.arange(entries) * lags
            rows = (time * size)[:, None] + lines.lagged.rows
            cols, read = np.broadcast_to(lines.lagged.cols, at.shape), np.repeat(visited - lag, entries)
            found += self._lagged(number, at.reshape(-1), rows.reshape(-1), cols.reshape(-1), read)
        return found

    def _fixed(self, number: int, at: Ids, rows: Ids, cols: Ids) -> list[Part]:
        size = self._carries.starts[-1]
        found = []
        for span, here, start in (
            (self._carries, np.flatnonzero(cols < size), 0), (self._constants, np.flatnonzero(cols >= size), size)
        ):  # fmt: skip
            for k, which, elements in span.of(cols[here] - start):
                found.append(Part(number, at[here[which]], rows[here[which]], k, elements))
        return found

    def _lagged(self, number: int, at: Ids, rows: Ids, cols: Ids, visited: Ids) -> list[Part]:
        """``visited``: in which round the element was read, counted as they go."""
        time = self._length - 1 - visited if self._reverse else visited
        return [
            Part(number, at[here], rows[here], k, time[here] * self._params[k].size + elements)
            for k, here, elements in self._elements.of(cols)
        ]
