"""Equations f(x) = 0 with their derivative by x, as an array or as a sparse matrix, and systems with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import functrans.numpy as fnp
from functrans import tree
from functrans._records import record
from functrans.errors import ShapeError, at_user_line
from functrans.implicit.closures import Converted, converted
from functrans.implicit.dense import solved
from functrans.implicit.options import values_of
from functrans.implicit.vectors import Layout, joined
from functrans.ops import build as B
from functrans.ops.function import Function
from functrans.ops.source import param
from functrans.ops.uop import substitute, toposort
from functrans.tensor.core import Tensor
from functrans.tensor.factor import quiet_solution
from functrans.tensor.sparse import SparseMatrix, sparse
from functrans.trace import ShapeDtype
from functrans.transforms.jacobians import jacfwd
from functrans.transforms.mirrored import mirrored
from functrans.transforms.sparse.direct.values import ELEMENTARY
from functrans.transforms.sparse.function import beside
from functrans.transforms.sparse.pattern import SparsityPattern
from functrans.transforms.sparse.spjacobian import spjacobian

Jacobian = Callable[..., Any]


Shared = tuple[Any, ...]
"""Elementary functions at one point: those that f and its Jacobian have in common."""


@record
class Equations:
    """f and its Jacobian as functions of a vector and of ``inputs``: args, and what f and its Jacobian close over.

    ``function`` gives f and what its Jacobian takes of it, which an iteration hands on from one to the other.
    ``jacobian`` is the user's, or makes the entries of a sparse one, of which the ``pattern`` is known.
    """

    function: Converted
    jacobian: Converted | None
    pattern: SparsityPattern | None
    inputs: tuple[Any, ...]

    def at(self, x: Any, inputs: tuple[Any, ...]) -> tuple[Tensor, Shared]:
        """F, a vector, and what `slope` takes of it."""
        args, constants, _ = inputs
        value, *shared = self.function((x, args), constants)
        return value, tuple(shared)

    def value(self, x: Any, inputs: tuple[Any, ...]) -> Tensor:
        """F, a vector."""
        return self.at(x, inputs)[0]

    def exact_slope(self, x: Any, inputs: tuple[Any, ...]) -> Any:
        """The matrix of derivatives."""
        if self.pattern is not None:
            return self.slope(x, inputs, self.at(x, inputs)[1])
        return jacfwd(lambda x: self.value(x, inputs))(x)

    def slope(self, x: Any, inputs: tuple[Any, ...], shared: Shared) -> Any:
        """The matrix that steps are taken with: the user's, or the same."""
        if self.jacobian is None:
            return self.exact_slope(x, inputs)
        args, _, constants = inputs
        (found,) = self.jacobian((x, args, *shared), constants)
        return found if self.pattern is None else sparse(found, self.pattern)

    def solved(self, slope: Any, b: Tensor) -> Tensor:
        """The x of ``slope @ x = b``, with derivatives of any order; NaN or infinities where the matrix is singular.

        Zeros that show give zeros that show.
        """
        if not isinstance(slope, SparseMatrix):
            return solved(slope, b)
        return b if B.const_value(b.uop) == 0 else quiet_solution(slope.factor(), b)


def equations_of(
    f: Callable[..., Any], layout: Layout, x0: Any, args: tuple[Any, ...], what: str, jac: str | Jacobian
) -> Equations:
    """A user's equations, checked."""
    n, example = layout.size, (layout.vector(x0), args)
    values = values_of(f, what, n)

    def vector(x: Any, args: Any) -> Tensor:
        return joined(values(layout.tree(x), *args), layout.dtype)

    if jac == "sparse":
        return _sparse(vector, example, what)
    function, closed = converted(lambda x, args: (vector(x, args),), example, what)
    if not callable(jac):
        return Equations(function, None, None, (args, closed, []))

    def matrix(x: Any, args: Any) -> Any:
        found = jac(layout.tree(x), *args)
        if tuple(getattr(found, "shape", ())) != (n, n):
            raise ShapeError(
                f"jac of {what} gives shape {getattr(found, 'shape', ())}; expected ({n}, {n}){at_user_line()}"
            )
        return (fnp.asarray(found).astype(layout.dtype),)

    jacobian, also_closed = converted(matrix, example, what)
    return Equations(function, jacobian, None, (args, closed, also_closed))


def _sparse(vector: Callable[..., Tensor], example: tuple[Any, ...], what: str) -> Equations:
    """Equations with a sparse Jacobian, which takes the elementary functions that it has in common with f."""
    J, args = spjacobian(vector), example[1]
    # traced with what f closes over in sight: places that are read are part of the pattern
    pattern = J.pattern(*tree.map(lambda t: ShapeDtype(t.shape, t.dtype), example))

    def both(x: Any, args: Any) -> Any:
        found = beside(J, x, args)
        value, entries = (vector(x, args), J.values(x, args)) if found is None else (found[1][0], found[0])
        return tuple(map(Tensor.from_uop, mirrored([value.uop, entries.uop])))

    whole, closed = converted(both, example, what)
    (value, entries), params = whole.function.outputs, whole.function.params
    below = set(toposort([entries]))
    met = [u for u in toposort([value]) if u in below and u.op in ELEMENTARY and u.dtype.kind == "f" and u.size > 1]
    holes = {u: param(u.sized, u.dtype) for u in met if not u.free_ranges}
    (entries,) = substitute([entries], holes)
    read = set(toposort([entries]))
    shared = {u: p for u, p in holes.items() if p in read}
    own = len(tree.leaves(example))
    function = Converted(Function(params, (value, *shared)), tree.structure((0,) * (1 + len(shared))))
    taken = Function((*params[:own], *shared.values(), *params[own:]), (entries,))
    return Equations(function, Converted(taken, tree.structure((0,))), pattern, (args, closed, closed))
