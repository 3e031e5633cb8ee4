"""A traced graph, to be looked at."""

from __future__ import annotations

from collections import Counter
from os import PathLike

from functrans.ops.printer import to_text
from functrans.ops.uop import toposort
from functrans.trace import Traced
from functrans.viz.page import page, write


class Graph:
    """The traced graph of a function: ``params``, ``outputs``, and as text one node a line, which rebuilds them."""

    def __init__(self, traced: Traced, what: str = "graph") -> None:
        self._traced, self._what = traced, what
        self.params, self.outputs = traced.params, traced.outputs

    def __repr__(self) -> str:
        """One node a line."""
        return to_text(*self.outputs)

    def ops(self) -> dict[str, int]:
        """How many nodes there are of each op that stands for an array."""
        return dict(Counter(u.op.name for u in toposort(self.outputs) if u.shape is not None))

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """A page with the graph after every pass beside the C; written to ``path`` if that is given.

        The page needs nothing but itself. Nothing is compiled or run. Linear in nodes times passes. Raises OSError
        where the page cannot be written.

        >>> import numpy as np, functrans as ft
        >>> ft.make_graph(np.sin)(np.zeros(3)).to_html().startswith("<!doctype html>")
        True
        """
        units = []
        for title, leaf in self._traced.program().leaves:
            units.append(leaf.recorded())
            units[-1].title = title
        return write(page(self._what.removeprefix("jit of "), units), path)
