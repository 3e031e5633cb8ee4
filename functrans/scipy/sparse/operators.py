"""What a Krylov method may be given for a matrix: an array, a sparse matrix, a function, an object with matvec."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from functrans._lazy import scipy_sparse, scipy_sparse_linalg
from functrans.errors import ArgumentError, ShapeError, UnsupportedError, at_user_line
from functrans.tensor.core import Tensor
from functrans.tensor.sparse import sparse
from functrans.transforms.vjp import linear_transpose

Apply = Callable[[Any], Any]


class _Own:
    """A LinearOperator of SciPy's whose product is a function of the user's."""

    def __init__(self, of: Any) -> None:
        self.shape, self.matvec = of.shape, of._matvec


def is_array(a: Any) -> bool:
    """Whether a matrix is an array, which is given to a call as an argument and not closed over."""
    return isinstance(a, (np.ndarray, Tensor, list, tuple))


def operator(a: Any, name: str, what: str) -> Any:
    """An argument that is no array as something to multiply by: as it is, but for SciPy's sparse matrices."""
    if isinstance(a, scipy_sparse_linalg.LinearOperator):
        # its matvec makes an array of what it is given: the matrix that it stands for, or the user's own function
        return operator(a.A, name, what) if hasattr(a, "A") else _Own(a)
    if scipy_sparse.issparse(a):
        return sparse(a)
    if a is None or is_array(a) or callable(a) or hasattr(a, "matvec") or hasattr(a, "__matmul__"):
        return a
    raise ArgumentError(
        f"{name} of {what} is a {type(a).__name__}; expected a matrix, a function of a vector, or an object with matvec"
        f"{at_user_line()}"
    )


def applied(a: Any, b: Any, name: str, what: str) -> Apply:
    """The product with a matrix, for vectors like b."""
    shape = getattr(a, "shape", None)
    if shape is not None and (len(shape) != 2 or shape[0] != shape[1] or b.ndim == 0 or shape[0] != b.shape[0]):
        raise ShapeError(
            f"{name} of {what} has shape {tuple(shape)}, and b {tuple(b.shape)}; expected (n, n) and (n,) or (n, 1)"
            f"{at_user_line()}"
        )
    if hasattr(a, "matvec"):
        return a.matvec  # type: ignore[no-any-return]
    if callable(a):
        return a  # type: ignore[no-any-return]
    return lambda x: a @ x


def turned(f: Apply, b: Any) -> Apply | None:
    """The transposed function; None where something in it has no transpose, such as a loop without bounds."""
    try:
        back = linear_transpose(f, b)
        back(b)
    except UnsupportedError:
        return None
    return lambda x: back(x)[0]
