"""Identities, triangles and diagonals."""

from __future__ import annotations

from typing import Any

from functrans.numpy._wrap import of, placed
from functrans.tensor import create
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift

__all__ = ["diag", "diagflat", "diagonal", "eye", "identity", "trace", "tri", "tril", "triu", "vander"]


def eye(
    N: int, M: int | None = None, k: int = 0, dtype: Any = None, order: str = "C", *, device: str | None = None
) -> Tensor:
    """Ones on the k-th diagonal, zeros elsewhere.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.eye(2, 3, k=1)
    Tensor([[0., 1., 0.],
            [0., 0., 1.]], dtype=float64)
    """
    return placed(create.eye(N, M, k, dtype), order, device)


def identity(n: int, dtype: Any = None) -> Tensor:
    """The identity matrix.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.identity(2)
    Tensor([[1., 0.],
            [0., 1.]], dtype=float64)
    """
    return of(create.eye(n, None, 0, dtype))


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Tensor:
    """Ones on and below the k-th diagonal, zeros above.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.tri(2, 3, dtype=int)
    Tensor([[1, 0, 0],
            [1, 1, 0]], dtype=int64)
    """
    return of(create.tri(N, M, k, dtype))


def tril(m: Any, k: int = 0) -> Tensor:
    """An array with zeros above the k-th diagonal of its last two axes.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.tril([[1, 2], [3, 4]])
    Tensor([[1, 0],
            [3, 4]], dtype=int64)
    """
    return of(create.triangle(lift(m), k, lower=True))


def triu(m: Any, k: int = 0) -> Tensor:
    """An array with zeros below the k-th diagonal of its last two axes.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.triu([[1, 2], [3, 4]])
    Tensor([[1, 2],
            [0, 4]], dtype=int64)
    """
    return of(create.triangle(lift(m), k, lower=False))


def diag(v: Any, k: int = 0) -> Tensor:
    """The k-th diagonal of a matrix, or the matrix that has a vector as its k-th diagonal.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.diag([1, 2])
    Tensor([[1, 0],
            [0, 2]], dtype=int64)
    """
    return of(create.diag(lift(v), k))


def diagflat(v: Any, k: int = 0) -> Tensor:
    """The matrix that has the flattened array as its k-th diagonal.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.diagflat([[1], [2]])
    Tensor([[1, 0],
            [0, 2]], dtype=int64)
    """
    return of(create.diag(of(lift(v)).ravel().uop, k))


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """A diagonal of two axes, as the last axis.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.diagonal([[1, 2], [3, 4]])
    Tensor([1, 4], dtype=int64)
    """
    return of(create.diagonal(lift(a), offset, axis1, axis2))


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: None = None) -> Tensor:
    """The sum of a diagonal of two axes.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.trace([[1, 2], [3, 4]])
    Tensor(5, dtype=int64)
    """
    return of(lift(a)).trace(offset, axis1, axis2, dtype, out)


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Tensor:
    """The powers of a vector as the columns of a matrix, the highest first unless increasing.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.vander([2, 3], 3)
    Tensor([[4, 2, 1],
            [9, 3, 1]], dtype=int64)
    """
    return of(create.vander(lift(x), N, increasing))
