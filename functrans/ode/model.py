"""The equations of implicit steps, ``M dy/dt = f(t, y)``, on vectors: f, its derivative by y, and the mass matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import functrans.numpy as fnp
from functrans import tree
from functrans._records import record
from functrans.implicit.closures import Converted, converted
from functrans.implicit.vectors import Layout, layout_of
from functrans.ode.mass import Mass
from functrans.ode.matrices import Dense, Matrices, sparse_matrices
from functrans.ode.problem import Slope
from functrans.tensor.sparse import sparse
from functrans.trace import ShapeDtype
from functrans.transforms.jacobians import jacfwd
from functrans.transforms.jvp import jvp
from functrans.transforms.sparse.pattern import SparsityPattern
from functrans.transforms.sparse.spjacobian import spjacobian

Jacobian = Callable[[Any, Any], Any] | str | None
"""That of steps: a function of time and state, ``"sparse"``, or None for `jacfwd`."""


@record
class Model:
    """Functions of time, a vector and ``inputs``: what f closes over, what its sparse derivative closes over, and the
    mass matrix, None for the identity. ``entries`` and ``pattern`` are those of the sparse derivative.
    """

    layout: Layout
    matrices: Matrices
    function: Converted
    entries: Converted | None
    pattern: SparsityPattern | None

    def value(self, t: Any, v: Any, inputs: Any) -> Any:
        """f, a vector."""
        return self.function((t, v), inputs[0])

    def missing(self, t: Any, v: Any, k: Any, inputs: Any) -> Any:
        """``f(t, v) - M k``, zero where k is the derivative of v."""
        return self.value(t, v, inputs) - self.matrices.times(inputs[2], k)

    def slope(self, t: Any, v: Any, inputs: Any) -> Any:
        """The matrix of derivatives of f by y."""
        if self.entries is None:
            return jacfwd(lambda v: self.value(t, v, inputs))(v)
        return self.matrices.spread(sparse(self.entries((t, v, inputs[0]), inputs[1]), self.pattern))

    def times_mass(self, v: Any, inputs: Any) -> Any:
        """``M @ v``."""
        return self.matrices.times(inputs[2], v)

    def minus(self, scale: Any, slope: Any, inputs: Any) -> Any:
        """``M - scale * slope``."""
        return self.matrices.minus(inputs[2], scale, slope)

    def derivative(
        self, t: Any, v: Any, value: Any, inputs: Any, null: Any, solved: Callable[[Any, Any], Any]
    ) -> Any:
        """The k of ``M k = value``, that of f, and where M is singular of ``d f / dt = 0``; ``null`` as in `Mass`."""
        matrix = inputs[2]
        if null is not None:
            drift = jvp(lambda t: self.value(t, v, inputs), (t,), (fnp.ones_like(t),))[1]
            matrix = self.matrices.with_part(matrix, null, self.slope(t, v, inputs))
            value = value - self.matrices.part(null, value + drift)
        return solved(matrix, value)


def model_of(slope: Slope, t: Any, y: Any, jac: Jacobian, mass: Mass | None) -> tuple[Model, Any]:
    """The model of a user's function at times and states like these, and its inputs."""
    layout = layout_of(y, "y")
    start = layout.vector(y)

    def vector(t: Any, v: Any) -> Any:
        return layout.vector(slope(t, layout.tree(v)))

    f, constants = converted(vector, (t, start), "f")
    if jac != "sparse":
        given = None if mass is None else mass.matrix
        return Model(layout, Dense(layout.size, layout.dtype), f, None, None), (constants, None, given)
    # with what f closes over in sight: places that are read are part of the pattern
    pattern = spjacobian(vector, 1).pattern(*tree.map(lambda x: ShapeDtype(x.shape, x.dtype), (t, start)))
    J = spjacobian(lambda t, v, constants: f((t, v), constants), 1, pattern=pattern)
    entries, also = converted(lambda t, v, constants: J.values(t, v, constants), (t, start, constants), "f")
    ones = sparse(fnp.ones(pattern.nnz), pattern)
    matrices = sparse_matrices(layout.size, ones, *([] if mass is None else [mass.matrix]))
    given = None if mass is None else matrices.spread(mass.matrix)
    return Model(layout, matrices, f, entries, pattern), (constants, also, given)


def consistent(slope: Slope, jac: Jacobian, mass: Mass | None) -> Slope:
    """The derivative of a state: f where there is no mass; else what solves ``M k = f``, and where M is singular the
    derivative of the equations that hold none, ``d f / dt = 0``. What such equations lack at the state itself does not
    count.
    """
    if mass is None:
        return slope

    def solution(t: Any, y: Any) -> Any:
        model, inputs = model_of(slope, t, y, "sparse" if jac == "sparse" else None, mass)
        v = model.layout.vector(y)
        value = model.value(t, v, inputs)
        return model.layout.tree(model.derivative(t, v, value, inputs, mass.null, model.matrices.solved_before))

    return solution


def at_ends(model: Model, mass: Mass | None) -> Callable[[Any, Any, Any, Any], Any] | None:
    """The same on vectors where a step ends, from the k of its last stage, for a singular M; None for another, where it
    is that k.

    The k of a stage is a quotient of differences for what no equation gives the derivative of: of an order less than
    the state by one or more, where values in between are made from it. For the rest it stays: f at the end is it and
    what the iteration left, many times that where the problem is stiff.
    """
    if mass is None or mass.null is None:
        return None

    def settled(t: Any, v: Any, k: Any, inputs: Any) -> Any:
        found = model.derivative(t, v, model.times_mass(k, inputs), inputs, mass.null, model.matrices.solved)
        return fnp.where(is_singular(mass), found, k)

    return settled


def is_singular(mass: Mass) -> Any:
    """Whether some equations are algebraic: of a traced mass that is known when it is there."""
    return (mass.null != 0).any()
