"""What is known of a graph that is linear in some of its nodes, and the error for one that is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from functrans._records import record
from functrans.errors import UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.ops.vmap import by_nesting, ranges_of
from functrans.transforms.accumulate import Part
from functrans.transforms.cotangent import Cotangent


@record
class LinearMap:
    """What is known of the graph: the nodes that depend on its inputs, and the RANGEs it closes."""

    nodes: set[UOp]
    closed: frozenset[UOp]

    def repeated(self, node: UOp, source: UOp) -> tuple[UOp, ...]:
        """The RANGEs of a node that its source has not, for each value of which the source is read: outer ones first,
        the same in every process. A bracket brings in its own.
        """
        opened = ranges_of(node.src[1:]) if node.op is Ops.VMAPIN else ()
        return by_nesting((node.free_ranges - source.free_ranges - set(opened)) & self.closed)

    def one_of(self, node: UOp) -> int:
        """The place of the only linear source; UnsupportedError where there are several."""
        places = [k for k, s in enumerate(node.src) if s in self.nodes]
        if len(places) > 1:
            raise not_linear(f"{node.op.name} of two values that vary is not linear")
        return places[0]

    def only_first(self, node: UOp) -> None:
        """UnsupportedError where another source than the first varies."""
        if any(s in self.nodes for s in node.src[1:]):
            raise not_linear(f"{node.op.name} by or at values that vary is not linear")

    def check_terms(self, node: UOp) -> None:
        """UnsupportedError where a term is constant, and not zero; one without elements is both."""
        for s in node.src:
            if s not in self.nodes and s.size and B.const_value(s) != 0:
                raise not_linear(f"{node.op.name} of a value that varies and one that does not is not linear")


def not_linear(text: str) -> UnsupportedError:
    """The error for a graph that has no transpose."""
    return UnsupportedError(f"{text}{at_user_line()}")


Parts = Sequence[Part | None]
"""What a transpose gives: a cotangent, or a part of one, for each source; None for a source that is no number here."""
Rule = Callable[[UOp, Cotangent, LinearMap], Parts]
