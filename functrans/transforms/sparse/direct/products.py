"""Parts of the tangent that terms do not pass, or pass at too high a price: products with a direction for each color.

Of a factorization, of a gather at computed indices, of a dense matrix times a dense Jacobian, the structure is known
and the entries are not worth an expression each. The part lies between its *cut*, nodes whose terms are known, and a
node whose terms are wanted. The columns of that node's own pattern are colored, the terms of the cut are laid into one
direction for each color, and the part is mapped over the colors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from functrans import dtypes
from functrans._lazy import scipy_sparse
from functrans.ops import build as B
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import opdef
from functrans.ops.source import buffer
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.sparse.constants import Constants
from functrans.transforms.sparse.context import Context
from functrans.transforms.sparse.detection import passed
from functrans.transforms.sparse.direct.temporaries import Temporaries
from functrans.transforms.sparse.direct.terms import Term
from functrans.transforms.sparse.direct.values import NoTermsError
from functrans.transforms.sparse.entries import INT32_MAX
from functrans.transforms.sparse.onesided import color_columns
from functrans.transforms.sparse.pattern import SparsityPattern
from functrans.transforms.sparse.rows import Rows
from functrans.transforms.sparse.structure import Structure

_ZERO = UOp.const(dtypes.index, 0)
Cut = Mapping[UOp, Sequence[Term]]


class Products:
    """The products of one plan.

    temporaries, constants : of the plan
    columns : of the whole matrix
    limit : entries from which on it is given up

    Attributes
    ----------
    cost : elements that the products compute
    opaque : nodes that terms do not pass
    made : of each part the node that it is there for, and the number of products
    """

    def __init__(self, temporaries: Temporaries, constants: Constants, columns: int, limit: int) -> None:
        self._temporaries, self._columns, self._limit = temporaries, columns, limit
        self._context = Context(constants, Rows.identity(columns), False)
        self.cost = 0
        self.made: list[tuple[UOp, int]] = []
        self.opaque: set[UOp] = set()

    def structure(self, node: UOp, cut: Cut) -> Structure | None:
        """Which columns each element of a node depends on."""
        found: dict[UOp, Structure | None] = {c: self._of_terms(c, terms) for c, terms in cut.items()}
        for u in self._part(node, cut):
            if u not in found:
                found[u] = passed(self._context, u, [found.get(s) for s in u.src])
        return found[node]

    @staticmethod
    def _part(node: UOp, cut: Cut) -> list[UOp]:
        """The nodes from the cut to a node, sources first."""
        reached: set[UOp] = set(cut)
        order = toposort((node,), sources=lambda u: () if u in cut else u.src)
        for u in order:
            if not reached.isdisjoint(u.src):
                reached.add(u)
        return [u for u in order if u in reached]

    def _of_terms(self, node: UOp, terms: Sequence[Term]) -> Structure | None:
        if not terms:
            return None
        keys = self._temporaries.entries(terms)
        rows, cols = np.divmod(keys, self._columns)
        pointer = np.zeros(node.size + 2, np.int32)
        np.cumsum(np.bincount(rows, minlength=node.size), out=pointer[2:])
        shape = (node.size + 1, self._columns)
        matrix = scipy_sparse.csr_array((np.ones(len(cols), np.bool_), cols.astype(np.int32), pointer), shape)
        return Structure(Rows(matrix), np.arange(1, node.size + 1, dtype=np.int32).reshape(node.sized))

    def terms(self, node: UOp, cut: Cut) -> list[Term]:
        """The terms of a node: one, whose coefficient is read from the products."""
        structure = self.structure(node, cut)
        if structure is None:
            return []
        entries = structure.rows.entries(structure.at)
        if entries > self._limit:
            raise NoTermsError(
                f"the derivative of {node.op.name} of shape {node.shape} has {entries} nonzeros of its own, more than "
                f"the {self._limit} that are worth storing"
            )
        if not entries:
            return []
        matrix = structure.matrix()
        rows = np.repeat(np.arange(node.size, dtype=np.int32), np.diff(matrix.indptr))
        cols = matrix.indices.astype(np.int32)
        coloring = color_columns(SparsityPattern(rows, cols, (node.size, self._columns)))
        count = coloring.num_colors
        if count * max(u.size for u in (node, *cut)) > INT32_MAX:
            raise NoTermsError(
                f"the derivative of {node.op.name} of shape {node.shape} takes products with {count} directions, which "
                "are more numbers than int32 indices count"
            )
        found = self._products(node, cut, coloring.colors, count)
        tables = self._temporaries.tables
        places = tables.of(rows.astype(np.int64) * count + coloring.colors[cols])
        return [Term(tables.of(rows), tables.of(cols), self._temporaries.values.leaf(found, places))]

    def _products(self, node: UOp, cut: Cut, colors: NDArray[np.int32], count: int) -> UOp:
        """The derivatives of a node along the directions of all colors, the color being the last axis."""
        k = UOp.range(count)
        number = B.iota(count, dtypes.int32).vmapin((k,))
        given = {c: self._direction(c, terms, colors, count, k, number) for c, terms in cut.items()}
        (along,) = substitute((node,), given)
        made = along.vmapout((*(_ZERO for _ in node.sized), k))
        part = [u for u in self._part(node, cut) if u not in cut]
        self.made.append((next((u for u in part if u in self.opaque), node), count))
        self.cost += count * sum(u.size for u in part)
        return B.reshape(made, (made.size,))

    def _direction(
        self, node: UOp, terms: Sequence[Term], colors: NDArray[np.int32], count: int, k: UOp, number: UOp
    ) -> UOp:
        if not terms:
            return B.like(node, 0)
        if len(terms) == 1 and terms[0].rows.is_identity and terms[0].coefficient.op is Ops.CONST:
            own = buffer(colors[terms[0].cols.at].reshape(node.sized))
            here = B.eq(own, B.broadcast(number, node.sized))
            return B.where(here, B.like(node, terms[0].coefficient.arg), B.like(node, 0))
        to = []
        for t in terms:
            places = t.rows.at.astype(np.int64) * count + colors[t.cols.at]
            to.append(np.where(t.rows.at >= 0, places, -1).astype(np.int32))
        laid = self._temporaries.laid(terms, to, node.size * count, node.dtype)
        whole = B.reshape(laid, (*node.sized, count))
        return whole.vmapin((*(_ZERO for _ in node.sized), k))


def contraction(node: UOp, readers: Mapping[UOp, Sequence[UOp]]) -> UOp | None:
    """The sum that what a repeating node reads ends in, by products with factors alone; None where there is none."""
    while len(readers.get(node, ())) == 1:
        (after,) = readers[node]
        if opdef(after).reduces is not None:
            return after
        if after.op is not Ops.MUL and after.op not in GroupOp.Movement:
            return None
        node = after
    return None
