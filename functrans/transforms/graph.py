"""A traced graph, to be looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

from functrans._records import as_dict
from functrans.backend.facts import Cost
from functrans.ops.printer import to_text
from functrans.ops.uop import toposort
from functrans.trace import Traced
from functrans.viz import notebook
from functrans.viz.page import page, write

if TYPE_CHECKING:
    from functrans.backend.schedule.kernels import Kernel


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

    def _repr_html_(self) -> str:
        """What a notebook shows: one node a line."""
        return notebook.block(self._what, notebook.code(repr(self)))

    def fragment(self, cost: Cost, kernels: Sequence[Kernel], c_source: str) -> str:
        """What a notebook shows of the graph lowered: the cost of a call; kernels, graph and C, folded away."""
        costs = [[name.replace("_", " "), f"{value:,}"] for name, value in as_dict(cost).items()]
        return notebook.block(
            self._what,
            notebook.table(["one call", ""], costs),
            notebook.folded("kernels", "\n".join(map(repr, kernels))),
            notebook.folded("graph", repr(self)),
            notebook.folded("C", c_source),
        )
