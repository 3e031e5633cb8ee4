"""custom_linear_solve: a solver of linear equations that is differentiated as the equations, and not as its program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from functrans import dtypes
from functrans._records import record
from functrans.errors import ArgumentError, UnsupportedError, at_user_line
from functrans.implicit.closures import Converted, converted
from functrans.implicit.vectors import Layout, layout_of, like
from functrans.ops import build as B
from functrans.ops.custom import Mark, marked
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.trace import call, name_of
from functrans.transforms.custom import calls
from functrans.transforms.custom.lanes import Lanes
from functrans.transforms.forward import Push
from functrans.transforms.vjp import linear_transpose

Matvec = Callable[[Any], Any]
Solver = Callable[[Matvec, Any], Any]
T = TypeVar("T")


def custom_linear_solve(
    matvec: Matvec,
    b: Any,
    solve: Solver,
    transpose_solve: Solver | None = None,
    symmetric: bool = False,
    has_aux: bool = False,
) -> Any:
    """The x of ``matvec(x) = b`` that ``solve(matvec, b)`` finds, differentiated as the solution of that equation.

    ``b`` is a pytree; matvec is linear, and takes and gives what is like it. Derivatives are by b and by what matvec
    closes over: forward mode solves ``matvec(dx) = db - dmatvec(x)`` with the same solver, reverse mode the transposed
    equation with ``transpose_solve(vecmat, b)``, or with solve itself where matvec is ``symmetric``. What the solvers
    close over counts as constant, and their program, a `while_loop` say, is never differentiated. With ``has_aux`` the
    solvers return ``(x, aux)``, and so does this function; aux has no derivative.

    Raises ArgumentError (what is no function, results of another structure than b), ShapeError, and UnsupportedError in
    reverse mode without a ``transpose_solve``.

    >>> import numpy as np, functrans as ft, functrans.numpy as fnp
    >>> a = np.array([[2.0, 0.0], [1.0, 4.0]])
    >>> solve = lambda matvec, b: fnp.linalg.solve(a, b)
    >>> ft.implicit.custom_linear_solve(lambda x: a @ x, np.array([2.0, 9.0]), solve)
    array([1., 2.])

    Source: semantics of ``jax.lax.custom_linear_solve``; Christianson, Reverse accumulation and implicit functions,
    Optimization Methods and Software 9 (1998).
    """
    what = f"custom_linear_solve of {name_of(matvec)}"
    for f, name in ((matvec, "matvec"), (solve, "solve"), (transpose_solve, "transpose_solve")):
        if not callable(f) and not (f is None and name == "transpose_solve"):
            raise ArgumentError(f"{name} of {what} is {f!r}; expected a function{at_user_line()}")

    def body(b: Any) -> Any:
        layout = layout_of(b, f"b of {what}")
        vector = layout.vector(b)

        def flat(v: Any) -> Any:
            return like(matvec(layout.tree(v)), layout, f"the result of matvec in {what}")

        made, constants = converted(flat, (vector,), what)
        one, fixed = _solver(made, solve, layout, vector, constants, has_aux, what)
        there, back, others = Half(made, one, len(fixed)), None, list[Tensor]()
        if symmetric:
            back = there
        elif transpose_solve is not None:
            turned = _transposed(made, vector, constants, what)
            other, others = _solver(turned, transpose_solve, layout, vector, constants, has_aux, what)
            back = Half(turned, other, len(others))
        rule = LinearSolve(what, there, back)
        inputs = [x.uop for x in (*constants, *fixed, *others, vector)]
        x, aux = one.out_tree.unflatten(map(Tensor.from_uop, rule.solution(inputs)))
        return (layout.tree(x), aux) if has_aux else layout.tree(x)

    return call(body, (b,), {}, what, lambda: ["b"])


def _transposed(matvec: Converted, vector: Tensor, constants: Sequence[Tensor], what: str) -> Converted:
    """The transposed map, of the same values closed over."""

    def vecmat(v: Any, constants: Sequence[Any]) -> Any:
        return linear_transpose(lambda x: matvec((x,), constants), v)(v)[0]

    return converted(vecmat, (vector, constants), f"the transpose of {what}")[0]


def _solver(
    matvec: Converted,
    solve: Solver,
    layout: Layout,
    vector: Tensor,
    constants: Sequence[Tensor],
    has_aux: bool,
    what: str,
) -> tuple[Converted, list[Tensor]]:
    """A user's solver as a function of right-hand sides and of what the map closes over; and what it closes over."""

    def solver(b: Any, constants: Sequence[Any]) -> Any:
        def flat(x: Any) -> Any:
            return layout.tree(matvec((like(x, layout, f"the argument of matvec in {what}"),), constants))

        found = solve(flat, layout.tree(b))
        x, aux = calls.pair(found, f"solve of {what}", "a solution and what goes with it") if has_aux else (found, ())
        return like(x, layout, f"the result of solve in {what}"), aux

    return converted(solver, (vector, constants), what)


@record(eq=False)
class Half:
    """A map and its solver, which closes over so many values that the map does not."""

    matvec: Converted
    solver: Converted
    fixed: int


@record(eq=False, repr=False)
class LinearSolve:
    """How calls of one solver are differentiated.

    The inputs of a call are what the map closes over, what the solver does, what that of the transposed equation does,
    and the right-hand side.
    """

    name: str
    there: Half
    back: Half | None

    opaque = True

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def batched(self, sizes: tuple[int, ...], axes: Sequence[tuple[int, ...]]) -> Lanes:
        """The rule of one lane, for many."""
        return Lanes(self, sizes, tuple(axes))

    def solution(self, inputs: Sequence[UOp]) -> list[UOp]:
        """The solution and what goes with it, as a call with this rule."""
        inner = [marked(x, Mark(self)) if is_traced(x) else x for x in inputs]
        constants, fixed, _ = self._parts(inner)
        stopped = [UOp(Ops.DETACH, x.dtype, (x,)) if dtypes.is_inexact(x.dtype) else x for x in fixed]
        values = self.there.solver.function.at([inner[-1], *constants, *stopped])
        return [calls.custom(value, inner, self, k) for k, value in enumerate(values)]

    def _parts(self, inputs: Sequence[T]) -> tuple[list[T], list[T], list[T]]:
        """What the map closes over, its solver, and the other solver."""
        is_apart = self.back is not None and self.back is not self.there
        more = len(inputs) - 1 - (self.back.fixed if self.back is not None and is_apart else 0)
        own = more - self.there.fixed
        return [*inputs[:own]], [*inputs[own:more]], [*inputs[more:-1]]

    def begin(
        self, inputs: Sequence[UOp], tangents: Sequence[UOp | None], to_transpose: bool
    ) -> Callable[[UOp], tuple[UOp, UOp | None]]:
        """The tangent solves the same equation: A dx = db - dA x."""
        *given, _ = calls.primals(inputs)
        constants, along = self._parts(calls.primals(inputs))[0], self._parts(tangents)[0]

        def apply(node: UOp) -> tuple[UOp, UOp | None]:
            right = tangents[-1]
            if node.arg[1] != 0:
                return node, None
            if any(t is not None for t in along):
                applied = self.there.matvec.function.at([node, *constants])
                seeds = dict(zip(constants, along, strict=True)) | {node: None}
                change = Push(seeds, to_transpose)(applied)[1][0]
                right = right if change is None else B.neg(change) if right is None else B.sub(right, change)
            return node, None if right is None else self.solution([*given, right])[0]

        return apply

    def pull(self, inputs: Sequence[UOp], cotangent: UOp) -> UOp:
        """The solution of the transposed equation."""
        if self.back is None:
            raise UnsupportedError(
                f"{self.name} has no transpose_solve, which reverse mode takes{at_user_line()}; give one, or say that "
                "the map is symmetric"
            )
        if self.back is self.there:
            return self.solution([*calls.primals(inputs)[:-1], cotangent])[0]
        constants, own, other = self._parts(calls.primals(inputs))
        turned = LinearSolve(f"the transpose of {self.name}", self.back, self.there)
        return turned.solution([*constants, *other, *own, cotangent])[0]
