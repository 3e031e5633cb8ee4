"""The terms of results of loops: the Jacobian of one lane by what the loop is given, times the terms of that."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from functrans import dtypes
from functrans.ops.enums import Ops
from functrans.ops.loops import Region, Scan, Switch, region, results
from functrans.ops.uop import UOp, substitute
from functrans.ops.vmap import extent
from functrans.transforms.dependents import dependents
from functrans.transforms.sparse.constants import Constants
from functrans.transforms.sparse.direct.branches import branching
from functrans.transforms.sparse.direct.carrying import Computing, Part, carrying
from functrans.transforms.sparse.direct.expressions import times
from functrans.transforms.sparse.direct.rounds import Inside
from functrans.transforms.sparse.direct.terms import Term, Terms
from functrans.transforms.sparse.direct.values import NoTermsError
from functrans.transforms.sparse.loops import loop_of

_ZERO = UOp.const(dtypes.index, 0)
Ids = NDArray[np.int64]


class Loops:
    """The loops of one plan.

    Parameters
    ----------
    terms, constants : of the plan
    order, directions : the nodes of its graph, and those in which it is linear
    inside : the terms of the nodes of a body

    Attributes
    ----------
    cost : operations on elements of the loops that compute Jacobians
    made : the loops and branches whose Jacobians these compute
    """

    def __init__(
        self, terms: Terms, constants: Constants, order: Sequence[UOp], directions: Sequence[UOp], inside: Inside
    ) -> None:
        self._terms, self._tables, self._constants, self._inside = terms, terms.tables, constants, inside
        self._late = dependents(order, directions)
        self._wanted: dict[UOp, list[int]] = {}
        for u in order:
            loop = loop_of(u)
            if loop is not None and dtypes.is_inexact(u.dtype):
                self._wanted.setdefault(loop, []).append((u.src[0] if u.op is Ops.VMAPOUT else u).arg)
        self._made: dict[UOp, tuple[Computing, list[UOp]]] = {}
        self.cost = 0
        self.made: list[UOp] = []

    def of(self, node: UOp, parts: Sequence[Sequence[Term]]) -> list[Term]:
        """The terms of a result, given those of all `sources_of` it."""
        loop = loop_of(node)
        assert loop is not None
        if not any(parts):
            return []
        ranges = node.src[1 : len(node.src) - node.src[0].ndim] if node.op is Ops.VMAPOUT else ()
        if loop not in self._made:
            self._made[loop] = self._compute(loop, [bool(p) for p in parts], ranges)
        computing, arrays = self._made[loop]
        number = (node.src[0] if node.op is Ops.VMAPOUT else node).arg
        found = []
        for part in computing.parts.get(number, []):
            lanes = _Lanes(loop.src[part.source], ranges)
            size = node.size // max(lanes.count, 1)
            found += self._through(part, lanes, size, arrays[part.number], parts[part.source])
        return found

    def _known(self, loop: UOp) -> Region:
        """The argument of a region with its constants in its bodies: a matrix has its zeros there."""
        arg: Region = loop.arg
        first = arg.carries + (arg.sequences if isinstance(arg, Scan) else 0) if not isinstance(arg, Switch) else 1
        skipped = len(loop.src) - len(arg.functions[-1].params)
        known = {k - skipped: s for k, s in enumerate(loop.src) if k >= first and self._is_known(s)}
        return arg.over(lambda f: f.mapped(lambda u: substitute(u, {f.params[k]: s for k, s in known.items()})))

    def _is_known(self, source: UOp) -> bool:
        return not source.free_ranges and self._constants.constant(source)

    def _compute(self, loop: UOp, active: Sequence[bool], ranges: tuple[UOp, ...]) -> tuple[Computing, list[UOp]]:
        arg, wanted, late = self._known(loop), self._wanted[loop], [s in self._late for s in loop.src]
        if isinstance(arg, Switch):
            made = branching(arg, late, wanted, self._inside)
        else:
            made = carrying(arg, late, active, wanted, self._inside, self._terms.limit)
        sources = [loop.src[s] if isinstance(s, int) else s for s in made.sources]
        lanes = int(np.prod([extent(r) for r in ranges], dtype=np.int64))
        self.cost += made.cost * lanes
        self.made.append(loop)
        arrays = results(region(loop.op, sources, made.arg))
        if ranges:
            arrays = [a.vmapout((*ranges, *(_ZERO for _ in a.sized))) for a in arrays]
        return made, arrays

    def _through(self, part: Part, lanes: _Lanes, size: int, values: UOp, terms: Sequence[Term]) -> list[Term]:
        """The nonzeros times the terms of the source."""
        if len(part.at) * lanes.count > self._terms.limit:
            raise NoTermsError(
                f"the Jacobian of a loop has {len(part.at) * lanes.count} nonzeros, more than the {self._terms.limit} "
                "that are worth storing"
            )
        t = self._tables
        at = t.of(lanes.spread(lanes.every, values.size // max(lanes.count, 1), part.at))
        rows = t.of(lanes.spread(lanes.every, size, part.rows))
        source = t.of(lanes.spread(lanes.own, lanes.size, part.cols))
        found = []
        for term in terms:
            joined = self._terms.joined(term, source)
            if joined is None:
                continue
            read = t.somewhere(t.composed(at, joined.rows), values.size)
            product = times(joined.coefficient, self._terms.values.leaf(values, read))
            if product is not None:
                found.append(Term(t.composed(rows, joined.rows), joined.cols, product))
        return found


class _Lanes:
    """The lanes of a region, and for each the lane of one of its sources, which may be the same for several."""

    def __init__(self, source: UOp, ranges: tuple[UOp, ...]) -> None:
        shape = tuple(map(extent, ranges))
        self.count = int(np.prod(shape, dtype=np.int64))
        self.size = source.size  # of one lane
        own = source.src[1 : len(source.src) - source.ndim] if source.op is Ops.VMAPIN else ()
        self.every = np.arange(self.count)
        at = np.unravel_index(self.every, shape) if shape else ()
        self.own = np.zeros(self.count, np.int64)
        for r in own:
            self.own = self.own * extent(r) + at[ranges.index(r)]

    @staticmethod
    def spread(lanes: Ids, size: int, places: Ids) -> Ids:
        """Places in one lane of so many elements, in every lane."""
        return (lanes[:, None] * size + places).reshape(-1)
