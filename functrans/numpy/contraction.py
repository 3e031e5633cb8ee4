"""Products of matrices and tensors: each is expand, multiply, and a sum over the last axes."""

from __future__ import annotations

from typing import Any

from functrans.numpy._wrap import of
from functrans.tensor import contract
from functrans.tensor.core import Tensor
from functrans.tensor.einsum import einsum as _einsum
from functrans.tensor.handle import refuse_out

__all__ = [
    "cross", "dot", "einsum", "inner", "kron", "matmul", "matvec", "outer", "tensordot", "vdot", "vecdot", "vecmat",
]  # fmt: skip


def matmul(x1: Any, x2: Any, /) -> Tensor:
    """``x1 @ x2``: matrices in the last two axes, the axes before broadcast; vectors on either side.

    Integers and bools as NumPy; float16 adds up in float32. ShapeError where the shapes do not fit. m n k
    multiplications for (m, k) and (k, n).

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.matmul([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0])
    Tensor([3., 7.], dtype=float64)
    """
    return of(contract.matmul(x1, x2))


def dot(a: Any, b: Any, out: None = None) -> Tensor:
    """The last axis of a with the one before last (the only one) of b; scalars multiply.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.dot([1.0, 2.0], [3.0, 4.0])
    Tensor(11., dtype=float64)
    """
    refuse_out("dot", out)
    return of(contract.dot(a, b))


def vdot(a: Any, b: Any, /) -> Tensor:
    """The sum of conj(a) b over all elements, both flattened.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.vdot([1j, 2.0], [1j, 1.0])
    Tensor(3.+0.j, dtype=complex128)
    """
    return of(contract.vdot(a, b))


def vecdot(x1: Any, x2: Any, /, *, axis: Any = -1) -> Tensor:
    """The sum of conj(x1) x2 along one axis, the other axes broadcast.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.vecdot([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0])
    Tensor([3., 7.], dtype=float64)
    """
    return of(contract.vecdot(x1, x2, axis))


def matvec(x1: Any, x2: Any, /) -> Tensor:
    """Matrices in the last two axes of x1 times vectors in the last axis of x2; the axes before broadcast.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.matvec([[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0], [1.0, 1.0]])
    Tensor([[1., 3.],
            [3., 7.]], dtype=float64)
    """
    return of(contract.matvec(x1, x2))


def vecmat(x1: Any, x2: Any, /) -> Tensor:
    """Vectors in the last axis of x1, conjugated, times matrices in the last two axes of x2; the axes before broadcast.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.vecmat([1.0, 1.0], [[1.0, 2.0], [3.0, 4.0]])
    Tensor([4., 6.], dtype=float64)
    """
    return of(contract.vecmat(x1, x2))


def inner(a: Any, b: Any, /) -> Tensor:
    """The last axes of two arrays with each other.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.inner([[1, 2], [3, 4]], [1, 1])
    Tensor([3, 7], dtype=int64)
    """
    return of(contract.inner(a, b))


def outer(a: Any, b: Any, out: None = None) -> Tensor:
    """Every element of a times every element of b, both flattened.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.outer([1, 2], [3, 4])
    Tensor([[3, 4],
            [6, 8]], dtype=int64)
    """
    refuse_out("outer", out)
    return of(contract.outer(a, b))


def tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    """The sum over pairs of axes: the last `axes` of a with the first of b, or those of two lists.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.tensordot(fnp.ones((2, 3, 4)), fnp.ones((4, 3)), ([1, 2], [1, 0]))
    Tensor([12., 12.], dtype=float64)
    """
    return of(contract.tensordot(a, b, axes))


def einsum(*operands: Any, dtype: Any = None, out: None = None, optimize: Any = False) -> Tensor:
    """Einstein summation: ``einsum("ij,jk->ik", a, b)``, implicit results, ellipses, repeated labels.

    Operands are contracted two at a time, those with the fewest products first (optimize changes nothing),
    labels that nothing else needs summed at once. ArgumentError for subscripts that make no sense, ShapeError for
    shapes that do not fit.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.einsum("ii->i", [[1, 2], [3, 4]])
    Tensor([1, 4], dtype=int64)
    """
    refuse_out("einsum", out)
    return of(_einsum(*operands, dtype=dtype))


def kron(a: Any, b: Any) -> Tensor:
    """The Kronecker product: each element of a times the whole of b.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.kron([1, 10], [1, 2])
    Tensor([ 1,  2, 10, 20], dtype=int64)
    """
    return of(contract.kron(a, b))


def cross(a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> Tensor:
    """The vector product of vectors of three elements along an axis; ShapeError for others.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    Tensor([0., 0., 1.], dtype=float64)
    """
    return of(contract.cross(a, b, axisa, axisb, axisc, axis))
