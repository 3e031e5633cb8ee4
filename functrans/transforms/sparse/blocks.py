"""Blocks of outputs: what a function joins into its result, each part of which may be differentiated in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.ops.uop import UOp
from functrans.transforms.sparse.constants import Constants
from functrans.transforms.sparse.decompress import Compression
from functrans.transforms.sparse.direct.gathers import Gathers
from functrans.transforms.sparse.direct.tables import Tables
from functrans.transforms.sparse.pattern import SparsityPattern

__all__ = ["MAX_BLOCKS", "Block", "Multiplied", "apart", "whole"]

MAX_BLOCKS = 16  # whose methods are chosen one by one


class Block(NamedTuple):
    """A node, and the row of the matrix that each of its elements is, in C order; -1 for none."""

    node: UOp
    rows: NDArray[np.int32]

    @property
    def first(self) -> int:
        """The first of its rows."""
        used = self.rows[self.rows >= 0]
        return int(used.min()) if len(used) else 0

    def __str__(self) -> str:
        used = self.rows[self.rows >= 0]
        if not len(used):
            return "no rows"
        first, last = int(used.min()), int(used.max())
        if first == last:
            return f"row {first}"
        return f"rows {first} to {last}" if len(used) == last - first + 1 else f"{len(used)} of rows {first} to {last}"

    def part(self, pattern: SparsityPattern) -> SparsityPattern:
        """The entries of a matrix that are in this block, by the elements of its node."""
        element = np.full(pattern.shape[0], -1, np.int32)
        element[self.rows[self.rows >= 0]] = np.flatnonzero(self.rows >= 0)
        rows = element[pattern.rows]
        here = rows >= 0
        return SparsityPattern(rows[here], pattern.cols[here], (self.node.size, pattern.shape[1]))


class Multiplied(NamedTuple):
    """A block whose entries are read off products with directions: its pattern, how, and at what cost."""

    block: Block
    pattern: SparsityPattern
    compression: Compression
    cost: int


def whole(outputs: Sequence[UOp]) -> list[Block]:
    """Each output as one block.

    >>> from functrans.ops import build as B, dtypes
    >>> from functrans.ops.source import param
    >>> [block.rows.tolist() for block in whole([param((2,), dtypes.float64), param((), dtypes.float64)])]
    [[0, 1], [2]]
    """
    ends = np.cumsum([0, *(o.size for o in outputs)])
    return [Block(o, np.arange(a, a + o.size, dtype=np.int32)) for o, a in zip(outputs, ends, strict=False)]


def apart(outputs: Sequence[UOp]) -> list[Block]:
    """The arrays that outputs are joined of, where that is done last, but for moving elements.

    >>> from functrans.ops import build as B, dtypes
    >>> from functrans.ops.source import param
    >>> x = param((3,), dtypes.float64)
    >>> [str(block) for block in apart([B.cat((B.mul(x, x), B.reshape(B.neg(x), (3,))))])]
    ['rows 0 to 2', 'rows 3 to 5']
    """
    gathers = Gathers(Tables(), Constants((), ()))
    todo, found = whole(outputs)[::-1], []
    while todo:
        block = todo.pop()
        gather = gathers.of(block.node)
        if gather is None or not gather.table.distinct:
            found.append(block)
            continue
        below = []
        for source, start in zip(gather.sources, gather.starts, strict=True):
            rows = np.full(source.size, -1, np.int32)
            inside = (gather.table.at >= start) & (gather.table.at < start + source.size)
            rows[gather.table.at[inside] - start] = block.rows[inside]
            if (rows >= 0).any():
                below.append(Block(source, rows))
        todo.extend(below[::-1])
    return found
