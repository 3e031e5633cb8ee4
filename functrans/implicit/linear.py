"""How an iteration gets the derivative of its equations, and solves with it: as an array, or as a sparse matrix.

A singular matrix gives NaN or infinities and raises nothing: whoever iterates sees that nothing converges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from functrans import tree
from functrans.implicit.dense import solved
from functrans.ops import build as B
from functrans.ops.sparse_systems import Solving
from functrans.tensor.core import Tensor
from functrans.tensor.sparse import SparseMatrix, sparse
from functrans.trace import ShapeDtype
from functrans.transforms.jacobians import jacfwd
from functrans.transforms.sparse.spjacobian import spjacobian

Equations = Callable[[Any, Any], Tensor]


class Linear(Protocol):
    """Derivatives of ``f(x, inputs)`` by x, and systems with them."""

    def slope(self, f: Equations, x: Any, inputs: Any) -> Any:
        """The derivative at x."""

    def solved(self, slope: Any, b: Tensor) -> Tensor:
        """The x of ``slope @ x = b``, with derivatives of any order. Zeros that show give zeros that show."""


class Dense:
    """The derivative as an array."""

    def slope(self, f: Equations, x: Any, inputs: Any) -> Any:
        """By one tangent for each unknown."""
        return jacfwd(lambda x: f(x, inputs))(x)

    def solved(self, slope: Any, b: Tensor) -> Tensor:
        """By elimination with pivots chosen by size."""
        return solved(slope, b)


class Sparse:
    """The derivative as the entries that may be other than zero."""

    def slope(self, f: Equations, x: Any, inputs: Any) -> SparseMatrix:
        """What `spjacobian` finds."""
        J = spjacobian(f)
        shapes = tree.map(lambda t: ShapeDtype(t.shape, t.dtype), (x, inputs))
        return sparse(J.values(x, inputs), J.pattern(*shapes))

    def solved(self, slope: Any, b: Tensor) -> Tensor:
        """By factors whose pivots the pattern says."""
        if B.const_value(b.uop) == 0:
            return b
        factor = slope.factor()
        return factor.solution(b, Solving(factor.symbolic, False, quiet=True))
