"""Every op that only moves elements, as a table: where each element of the result is in its sources laid end to end."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.ops.enums import GroupOp, Ops
from functrans.ops.opdef import opdef
from functrans.ops.uop import UOp
from functrans.transforms.sparse.constants import Constants
from functrans.transforms.sparse.direct.tables import Table, Tables


class Gather(NamedTuple):
    """The sources of a moving op, where each of them starts, and the table; -1 stands for the zero of a padding."""

    sources: tuple[UOp, ...]
    starts: tuple[int, ...]
    table: Table


class Gathers:
    """The gathers of one graph, each made once by running the op's own meaning on element numbers."""

    def __init__(self, tables: Tables, constants: Constants) -> None:
        self._tables, self._constants = tables, constants
        self._made: dict[UOp, Gather | None] = {}

    def of(self, node: UOp) -> Gather | None:
        """The gather that a node is; None for one that computes, or whose indices are computed.

        A join of pieces of one array, as ``np.roll`` is, is a gather from that array.
        """
        if node not in self._made:
            made = self._make(node)
            self._made[node] = made if made is None or len(made.sources) < 2 else self._through(made)
        return self._made[node]

    def forget(self, size: int) -> None:
        """Let go of gathers of more elements, as `Tables.forget` does of tables: they are made anew when asked for."""
        self._made = {node: made for node, made in self._made.items() if made is None or len(made.table) <= size}

    def _through(self, gather: Gather) -> Gather:
        """From what the sources of a join are pieces of, where that is the same array for all of them."""
        pieces = [self.of(s) for s in gather.sources]
        bases = {p.sources[0] for p in pieces if p is not None and len(p.sources) == 1}
        whole = [p for p in pieces if p is not None and len(p.sources) == 1]
        if len(bases) > 1 or len(whole) < len(pieces):
            return gather
        joined = self._tables.of(np.concatenate([p.table.at for p in whole]))
        return Gather((bases.pop(),), (0,), self._tables.composed(joined, gather.table))

    def _make(self, node: UOp) -> Gather | None:
        if node.op in GroupOp.Movement:
            if len(node.src) > 1 and any(s.op is not Ops.CONST for s in node.src[1:]):
                return None
            sources = node.src[:1]
        elif node.op in GroupOp.Join:
            sources = node.src
        elif node.op is Ops.INDEX:
            return self._index(node)
        else:
            return None
        if node.op is Ops.RESHAPE:
            return Gather(sources, (0,), self._tables.iota(node.size))
        starts = (0, *accumulate(s.size for s in sources[:-1]))
        numbers = [1 + k + _numbers(s) for s, k in zip(sources, starts, strict=True)]
        meaning = opdef(node).numpy
        assert meaning is not None
        at = np.asarray(meaning(node, *numbers)).reshape(-1)
        at = np.subtract(at, 1, out=at if at.flags.writeable else None)
        return Gather(sources, starts, self._tables.of(at))

    def _index(self, node: UOp) -> Gather | None:
        x, *indices = node.src
        values = [self._constants.value(i) for i in indices]
        if any(v is None for v in values) or not x.size:
            return None
        inside = tuple(np.clip(v, 0, n - 1) for v, n in zip(_present(values), x.sized, strict=False))
        if len(inside) == x.ndim == 1:
            return Gather((x,), (0,), self._tables.of(inside[0].reshape(-1)))
        return Gather((x,), (0,), self._tables.of(_numbers(x)[inside].reshape(-1)))


def _numbers(x: UOp) -> NDArray[np.int32]:
    return np.arange(x.size, dtype=np.int32).reshape(x.sized)


def _present(values: list[NDArray[Any] | None]) -> list[NDArray[Any]]:
    return [v for v in values if v is not None]
