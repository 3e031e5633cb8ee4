"""The mass matrix of ``M dy/dt = f``: what a user may give, and which of the equations are algebraic."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans import tree
from functrans._lazy import scipy_sparse
from functrans.errors import ArgumentError, ArgumentValueError, DtypeError, ShapeError, UnsupportedError, at_user_line
from functrans.implicit.vectors import layout_of
from functrans.tensor.core import Tensor
from functrans.tensor.sparse import SparseMatrix, sparse
from functrans.transforms.custom import stop_gradient


class Mass(NamedTuple):
    """The matrix, an array or a `SparseMatrix`; and which equations are algebraic, None where none is: for an array the
    projection on what it does not reach, for a sparse one a number a row, 1 where it is empty.
    """

    matrix: Any
    null: Any


def given_mass(mass: Any, jac: Any, what: str) -> Any:
    """What `solve` is given for a mass, as a pytree of arrays; raises for what is none."""
    if mass is None:
        return None
    if scipy_sparse.issparse(mass):
        mass = sparse(mass)
    if not isinstance(mass, (SparseMatrix, Tensor)):
        mass = _array(mass, what)
    if len(mass.shape) != 2 or mass.shape[0] != mass.shape[1]:
        raise ShapeError(f"mass of {what} has shape {mass.shape}; expected (n, n) for n numbers of y{at_user_line()}")
    if np.dtype(mass.dtype).kind not in "biuf":
        raise DtypeError(f"mass of {what} is {mass.dtype}; expected real numbers{at_user_line()}")
    if jac == "sparse" and isinstance(mass, Tensor):
        raise UnsupportedError(
            f"mass of {what} is a traced array, of which no pattern is known, beside jac='sparse'{at_user_line()}; "
            "give ft.sparse(values, pattern)"
        )
    if jac == "sparse":
        return _of_sparse(mass if isinstance(mass, SparseMatrix) else sparse(scipy_sparse.csr_array(mass)))
    if isinstance(mass, SparseMatrix):
        mass = mass.toarray() if isinstance(mass.values, Tensor) else _dense(mass)
    if isinstance(mass, Tensor):
        return Mass(mass, ())
    left, sizes, _ = np.linalg.svd(mass.astype(np.float64))
    away = left[:, ~_counts(sizes)]
    return Mass(mass, away @ away.T if away.size else None)


def _array(mass: Any, what: str) -> Any:
    try:
        found = np.asarray(mass)
    except ValueError:
        raise ArgumentError(f"mass of {what} is {mass!r}; expected an array (n, n){at_user_line()}") from None
    if found.dtype.kind in "biuf" and not np.isfinite(found).all():
        raise ArgumentValueError(f"mass of {what} holds numbers that are not finite{at_user_line()}")
    return found


def _of_sparse(mass: SparseMatrix) -> Mass:
    """Empty rows, and those of zeros alone where they are known, are algebraic equations."""
    entries = np.ones(mass.nnz) if isinstance(mass.values, Tensor) else (mass.values != 0)
    is_empty = np.bincount(mass._places.rows, entries, mass.shape[0]) == 0
    return Mass(mass, is_empty.astype(np.float64) if is_empty.any() else None)


def _dense(mass: SparseMatrix) -> Any:
    found = np.zeros(mass.shape, np.result_type(mass.dtype, np.float32))
    found[mass._places.rows, mass._places.cols] = mass.values
    return found


def _counts(sizes: Any) -> Any:
    """Which singular values are not zero but for rounding."""
    return sizes > sizes.max(initial=0.0) * len(sizes) * np.finfo(np.float64).eps


def traced_mass(mass: Any, y: Any, what: str) -> Mass | None:
    """The mass of states like y, in their precision."""
    if mass is None:
        return None
    layout, (matrix, null) = layout_of(y, "y"), mass
    if matrix.shape[0] != layout.size:
        raise ShapeError(
            f"mass of {what} has shape {matrix.shape} where y holds {layout.size} numbers; expected "
            f"({layout.size}, {layout.size}){at_user_line()}"
        )
    if isinstance(null, tuple):
        null = _null(stop_gradient(matrix))
    matrix, null = tree.map(lambda x: fnp.asarray(x).astype(layout.dtype), (matrix, null))
    return Mass(matrix, None if null is None else stop_gradient(null))


def _null(matrix: Any) -> Any:
    left, sizes, _ = fnp.linalg.svd(matrix)
    small = sizes <= sizes.max() * sizes.shape[0] * np.finfo(sizes.dtype).eps
    return (left * small) @ left.T
