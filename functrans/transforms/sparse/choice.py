"""Which coloring compresses a matrix at least cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from functrans import dtypes
from functrans.errors import SparsityError, UnsupportedError, at_user_line
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.loops import regions
from functrans.ops.opdef import opdef
from functrans.ops.uop import UOp, toposort
from functrans.ops.vmap import extent
from functrans.transforms.sparse.coloring import Coloring
from functrans.transforms.sparse.compressed import column_products, row_products
from functrans.transforms.sparse.decompress import Compression, gather_indices
from functrans.transforms.sparse.direct.spaces import SHORT
from functrans.transforms.sparse.loops import every_loop
from functrans.transforms.sparse.onesided import color_columns, color_rows
from functrans.transforms.sparse.paths import color_both, color_symmetric
from functrans.transforms.sparse.pattern import SparsityPattern
from functrans.transforms.sparse.settings import Settings

__all__ = ["Costs", "compression", "computed", "costs", "of_products", "operations", "streamed"]

# operations in registers in the time of an element that goes through memory, as those of products do: as measured
# (decision 0126)
_STREAMED = 4
_FEW_COLORS = 3  # of columns: no other partition is tried against so few
_UNEVEN = 2  # as many colors as a usual row has entries: from there on a few rows or columns make them so many
# that only move numbers, or are given
_FREE = GroupOp.Movement | GroupOp.Join | GroupOp.VMap | GroupOp.Source | {
    Ops.CAST, Ops.BITCAST, Ops.NOOP, Ops.DETACH, Ops.CONTIGUOUS, Ops.CONTIGUOUS_BACKWARD
}  # fmt: skip
_SHALLOW = 300_000  # nonzeros up to which substitution is tried


class Costs(NamedTuple):
    """Elements, or operations, of one evaluation of f, one product ``J @ d``, and one ``d @ J`` (0: there is none)."""

    function: int
    column: int
    row: int

    def of(self, coloring: Coloring) -> int:
        """Those of all products of a coloring, f included."""
        rows = coloring.num_colors if coloring.partition == "row" else coloring.num_rows
        return self.function + rows * self.row + (coloring.num_colors - rows) * self.column


def costs(outputs: Sequence[UOp], inputs: Sequence[UOp]) -> Costs:
    """Counted in the graphs of f and of its products."""
    return _costs(outputs, inputs, computed)


def of_products(outputs: Sequence[UOp], inputs: Sequence[UOp], coloring: Coloring) -> int:
    """Operations of all products of a coloring, f included."""
    return _costs(outputs, inputs, operations).of(coloring)


def _costs(outputs: Sequence[UOp], inputs: Sequence[UOp], count: Callable[[Sequence[UOp]], int]) -> Costs:
    f = count(outputs)
    across = np.zeros(sum(p.size for p in inputs), np.int32)
    column = count([column_products(outputs, inputs, across, 1), *outputs]) - f
    if not _reversible(outputs):
        return Costs(f, max(column, 0), 0)
    along = np.zeros(sum(o.size for o in outputs), np.int32)
    row = count([row_products(outputs, inputs, along, 1), *outputs]) - f
    return Costs(f, max(column, 0), max(row, 0))


def computed(roots: Sequence[UOp]) -> int:
    """Elements computed by a graph, those of a loop in each of its rounds; one round where nobody knows how many."""
    return _total(roots, _elements)


def streamed(outputs: Sequence[UOp]) -> float:
    """Operations in the time of an element that products of a function compute.

    Those of numbers and short vectors in the rounds of a loop never see memory.
    """
    order = toposort(outputs)
    near = sum(_in_loop(u, _near) * _lanes(u) for u in regions(order) if u.op is not Ops.SWITCH)
    return _STREAMED - (_STREAMED - 1) * near / max(computed(outputs), 1)


def operations(outputs: Sequence[UOp]) -> int:
    """Operations of one evaluation and its stores: what moves is none, a sum is one for each number that it adds."""
    return _total(outputs, _operations) + sum(u.size * _lanes(u) for u in outputs)


def _total(roots: Sequence[UOp], of: Callable[[UOp], int]) -> int:
    order = toposort(roots)
    own = sum(of(u) * _lanes(u) for u in order if u.src and u.shape is not None)
    return own + sum(_in_loop(u, of) * _lanes(u) for u in regions(order))


def _elements(node: UOp) -> int:
    return node.size if dtypes.is_inexact(node.dtype) else 0


def _near(node: UOp) -> int:
    return _elements(node) if node.size <= SHORT else 0


def _operations(node: UOp) -> int:
    if node.op in _FREE or not any(dtypes.is_inexact(s.dtype) for s in node.src):
        return 0
    record = opdef(node)
    if record.reduces is not None:
        return node.src[0].size
    if record.updates:
        return node.src[1].size
    if record.places is not None:
        return 0
    if node.op in GroupOp.Host - GroupOp.SparseSystem - {Ops.FFT}:
        return _of_matrices(node)
    return node.size * (2 if node.op is Ops.MULACC else 1)


def _of_matrices(node: UOp) -> int:
    """Operations of an elimination, two choices of an exchange of rows for each product and difference among them.

    Other methods take as many for the order of a matrix, but for a factor.
    """
    *front, n = node.src[0].sized[:-1]
    columns = node.sized[-1] if len(node.src) > 1 else 0
    each = sum(4 * k * (k + columns) for k in range(n)) + n * n * columns
    if node.op is Ops.DET and n > 2:  # its product is scaled on the way
        each += 22 * n + 14
    return int(np.prod(front, dtype=np.int64)) * each


def _lanes(node: UOp) -> int:
    """The lanes of an ft.vmap that a node is computed in."""
    return int(np.prod([extent(r) for r in node.free_ranges], dtype=np.int64))


def _in_loop(node: UOp, of: Callable[[UOp], int]) -> int:
    parts = [_total(f.outputs, of) for f in node.arg.functions]
    if node.op is Ops.SWITCH:
        return max(parts)
    return sum(parts) * (node.arg.length if node.op is Ops.SCAN else 1)


def _real(outputs: Sequence[UOp]) -> bool:
    """Whether a real cotangent says all: of complex results it would leave out the imaginary part."""
    return all(o.dtype.kind != "c" for o in outputs)


def _reversible(outputs: Sequence[UOp]) -> bool:
    """Whether there are products from the left: of real results, and through no loop without a last round."""
    return _real(outputs) and all(u.op is not Ops.WHILE or u.arg.most is not None for u in every_loop(outputs))


def compression(
    pattern: SparsityPattern, outputs: Sequence[UOp], settings: Settings, known: Callable[[], Costs]
) -> Compression:
    """The coloring asked for; with partition "auto" the cheapest, counting elements computed."""
    if settings.symmetric:
        return _symmetric(pattern)
    if settings.partition != "auto":
        if settings.partition != "column" and not _real(outputs):
            raise UnsupportedError(
                f"{settings.what} partition={settings.partition!r} of a function with complex results: products from "
                f"the left are taken of real ones only{at_user_line()}; use partition='column'"
            )
        return _PARTITIONS[settings.partition](pattern)
    best = _columns(pattern)
    fullest = int(np.bincount(pattern.rows, minlength=1).max(initial=0))
    if best.coloring.num_colors <= _FEW_COLORS or not _reversible(outputs):
        return best
    price = known()
    found = [best]
    tallest = int(np.bincount(pattern.cols, minlength=1).max(initial=0))
    if tallest * price.row < best.coloring.num_colors * price.column:  # rows need at least so many colors
        found.append(_rows(pattern))
    usual = pattern.nnz / max(len(np.unique(pattern.rows)), 1)
    if min(fullest, tallest) > _FEW_COLORS and best.coloring.num_colors > _UNEVEN * usual:
        found.append(color_both(pattern))
    return min(found, key=lambda c: price.of(c.coloring))


def _columns(pattern: SparsityPattern) -> Compression:
    coloring = color_columns(pattern)
    return Compression(coloring, gather_indices(pattern, coloring))


def _rows(pattern: SparsityPattern) -> Compression:
    coloring = color_rows(pattern)
    return Compression(coloring, gather_indices(pattern, coloring))


_PARTITIONS: dict[str, Callable[[SparsityPattern], Compression]] = {
    "column": _columns, "row": _rows, "bidirectional": color_both,
}  # fmt: skip


def _symmetric(pattern: SparsityPattern) -> Compression:
    """A star coloring, one of columns, or an acyclic one whose trees are not deep: the first of those with fewest."""
    best = min(color_symmetric(pattern), _columns(pattern), key=lambda c: c.coloring.num_colors)
    if best.coloring.num_colors <= 2 or pattern.nnz > _SHALLOW:
        return best
    try:
        other = color_symmetric(pattern, substitution=True)
    except SparsityError:  # too deep
        return best
    return other if other.coloring.num_colors < best.coloring.num_colors else best
