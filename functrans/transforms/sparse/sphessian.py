"""sphessian and lagrangian_hessian: second derivatives as sparse matrices, from the graph of the gradient."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from functrans import tree
from functrans.errors import ArgumentError, ShapeError, at_user_line
from functrans.tensor.core import Tensor
from functrans.tensor.join import concatenate
from functrans.trace import name_of, results
from functrans.transforms.grad import Argnums, grad
from functrans.transforms.loops.rolled import rolled
from functrans.transforms.sparse.direct.cells import apart
from functrans.transforms.sparse.function import SparseFunction
from functrans.transforms.sparse.settings import ROLLED, Settings
from functrans.transforms.static import positions
from functrans.transforms.vjp import check_function

__all__ = ["Lagrangian", "lagrangian_hessian", "sphessian"]


def sphessian(
    f: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    *,
    method: str = "auto",
    format: str = "csr",
    triangle: str = "full",
    pattern: Any = None,
    check: bool = False,
) -> SparseFunction:
    """The sparse Hessian of a scalar function as a function of the same arguments.

    The pattern is that of the graph of the gradient, which is differentiated forward along a few directions: those of
    a symmetric coloring, which needs only one of the entries (i, j) and (j, i) to come out of a product.

    Parameters
    ----------
    f : function of arrays and pytrees of them, with a scalar result
    argnums : int or tuple of int
        The arguments to differentiate by. Leaves are flattened in C order and concatenated, those of several arguments
        one after the other: they number the rows and columns of one matrix.
    method : "auto" or "compressed"
    format : "csr", "csc" or "coo"
    triangle : "full", "lower" or "upper"
        Which entries are kept; the diagonal always.
    pattern : SparsityPattern, SciPy sparse matrix or (rows, cols, shape), optional
        Used instead of detection; one triangle is enough.
    check : bool
        Probe the pattern with random directions at the first call of each signature.

    Returns
    -------
    SparseFunction
        ``value_and_jacobian`` is the gradient and the Hessian.

    Raises
    ------
    ArgumentError
        An option that does not exist; at a call: f is not scalar.
    SparsityError
        At a call: the given pattern has the wrong shape, or ``check`` finds it too small.
    DtypeError
        At a call: an argument to differentiate by is no real floating-point array.

    Notes
    -----
    Cost of a call: four to eight times f for each color. Coleman and More, Estimation of sparse Hessian matrices and
    graph coloring problems, Mathematical Programming 28 (1984); forward over reverse: Griewank and Walther,
    Evaluating Derivatives, 2nd edition, section 5.2.

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> H = ft.sphessian(lambda x: (x[1:] * x[:-1] ** 2).sum(), triangle="lower")
    >>> x = np.array([1.0, 2.0, 3.0])
    >>> print(H(x).toarray())
    [[4. 0. 0.]
     [2. 6. 0.]
     [0. 4. 0.]]
    >>> H.pattern(x).nnz, H.coloring(x).num_colors
    (4, 2)
    """
    check_function(f, "sphessian")
    at = positions(argnums, "sphessian argnums", 1)
    given = None if pattern is None else (pattern,)
    settings = Settings("sphessian", method, format=format, triangle=triangle, symmetric=True, given=given, check=check)
    return SparseFunction(Gradient(f, at), at, False, settings)


def lagrangian_hessian(
    f: Callable[..., Any], g: Callable[..., Any], *, triangle: str = "lower", format: str = "csr"
) -> SparseFunction:
    """The sparse Hessian of a Lagrangian: ``H(x, lam, obj_factor=1.0)`` of ``obj_factor * f(x) + lam . g(x)``.

    ``f(x)`` is scalar; ``lam`` has an element for each element of ``g(x)``, in C order, leaves concatenated. Only x is
    differentiated by. Parameters of f and g come last: ``H(x, lam, obj_factor, *p)`` of ``f(x, *p)`` and ``g(x, *p)``.
    The rest is that of `sphessian`: a `SparseFunction` of these arguments, in the shape that IPOPT and its like want.

    Raises ArgumentError (options, f is not scalar), ShapeError (``lam`` does not fit g).

    >>> import numpy as np, functrans as ft
    >>> H = ft.lagrangian_hessian(lambda x: (x ** 2).sum(), lambda x: x[1:] * x[:-1])
    >>> print(H(np.ones(3), np.array([5.0, 7.0]), 0.5).toarray())
    [[1. 0. 0.]
     [5. 1. 0.]
     [0. 7. 1.]]

    Source: Waechter and Biegler, On the implementation of an interior-point filter line-search algorithm,
    Mathematical Programming 106 (2006), equation 9.
    """
    check_function(f, "lagrangian_hessian")
    check_function(g, "lagrangian_hessian")
    settings = Settings("lagrangian_hessian", format=format, triangle=triangle, symmetric=True)
    return SparseFunction(Gradient(Lagrangian(f, g), 0), 0, False, settings)


class Gradient:
    """The gradient of a function, under the function's own name and parameters; pickled with it."""

    def __init__(self, f: Callable[..., Any], argnums: Argnums) -> None:
        self.f, self.argnums = f, argnums
        self.__name__ = name_of(f)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.f)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The gradient at the arguments."""

        def value(*args: Any, **kwargs: Any) -> Any:
            """The value, Python loops of which are loops: the gradient of a round is one body, too."""
            out = self.f(*args, **kwargs)
            nodes, out_tree = results(out, self.__name__)
            made = rolled(nodes, [t.uop for t in tree.flatten((args, kwargs))[0] if isinstance(t, Tensor)], ROLLED)
            made = apart(made)
            return out if made == nodes else out_tree.unflatten(list(map(Tensor.from_uop, made)))

        value.__name__ = self.__name__  # errors name it
        return grad(value, self.argnums)(*args, **kwargs)


class Lagrangian:
    """``obj_factor * f(x, *p) + lam . g(x, *p)``."""

    def __init__(self, f: Callable[..., Any], g: Callable[..., Any]) -> None:
        self.f, self.g = f, g
        self.__name__ = f"{name_of(f)} and {name_of(g)}"

    def __call__(self, x: Any, lam: Any, obj_factor: Any = 1.0, *p: Any) -> Any:
        """The value."""
        value = objective(self.f, x, *p)
        constraints, multipliers = joined(self.g(x, *p), name_of(self.g)), joined(lam, "lam")
        if constraints.shape != multipliers.shape:
            raise ShapeError(
                f"lam has {multipliers.size} elements and {name_of(self.g)} has {constraints.size} results"
                f"{at_user_line()}; give one multiplier for each constraint"
            )
        return obj_factor * value + (multipliers * constraints).sum()


def objective(f: Callable[..., Any], x: Any, *p: Any) -> Any:
    """f(x, *p), which must be one number."""
    value = f(x, *p)
    nodes, out_tree = results(value, name_of(f))
    if out_tree != tree.LEAF or nodes[0].shape != ():
        shapes = [u.shape for u in nodes]
        raise ArgumentError(
            f"the objective {name_of(f)} has results of shapes {shapes}{at_user_line()}; it must return one number, "
            "sum the result"
        )
    return value


def joined(value: Any, what: str) -> Tensor:
    """The leaves of a pytree as one vector."""
    parts = [Tensor.from_uop(u).reshape(-1) for u in results(value, what)[0]]
    return Tensor.from_uop(concatenate(parts)) if parts else Tensor([])
