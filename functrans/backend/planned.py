"""What is to be planned, and the name that graphs of the same structure share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from functrans.backend.structure import structure
from functrans.ops.uop import UOp


class Planned:
    """What is to be planned: results, arguments, stored arrays and run-time integers of a graph."""

    def __init__(
        self, roots: Sequence[UOp], params: Sequence[UOp], captured: Sequence[UOp], variables: Sequence[UOp]
    ) -> None:
        self.roots, self.params, self.captured, self.variables = roots, params, captured, variables

    @cached_property
    def key(self) -> str:
        """Equal for graphs that share a plan."""
        return structure(self.roots, self.params, self.variables)
