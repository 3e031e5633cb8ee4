"""A traced graph, to be looked at."""

from __future__ import annotations

from collections import Counter

from functrans.ops.printer import to_text
from functrans.ops.uop import toposort
from functrans.trace import Traced


class Graph:
    """The traced graph of a function: ``params``, ``outputs``, and as text one node a line, which rebuilds them."""

    def __init__(self, traced: Traced) -> None:
        self.params, self.outputs = traced.params, traced.outputs

    def __repr__(self) -> str:
        """One node a line."""
        return to_text(*self.outputs)

    def ops(self) -> dict[str, int]:
        """How many nodes there are of each op that stands for an array."""
        return dict(Counter(u.op.name for u in toposort(self.outputs) if u.shape is not None))
