"""The positions of a sparse matrix's entries, checked and in canonical order."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from functrans._lazy import scipy_sparse
from functrans.errors import ArgumentError, DtypeError, ShapeError, SparsityError

__all__ = ["INT32_MAX", "canonical", "check_indices", "check_shape", "frozen", "turned"]

Indices: TypeAlias = NDArray[np.int32]
INT32_MAX = 2**31 - 1


def check_shape(shape: Sequence[int]) -> tuple[int, int]:
    """The shape as a pair of Python ints that int32 indices can address."""
    try:
        sizes = tuple(operator.index(size) for size in shape)
    except TypeError as error:
        raise ArgumentError(f"SparsityPattern: shape is {shape!r}; expected a pair of sizes") from error
    if len(sizes) != 2:
        raise ArgumentError(f"SparsityPattern: shape is {shape!r}; expected a pair of sizes")
    if min(sizes) < 0 or max(sizes) > INT32_MAX:
        raise SparsityError(f"SparsityPattern: shape is {sizes}; sizes must lie between 0 and {INT32_MAX}")
    return sizes[0], sizes[1]


def check_indices(name: str, values: ArrayLike, size: int) -> NDArray[np.integer[Any]]:
    """One-dimensional integers below `size`, of any integer dtype still."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ShapeError(f"SparsityPattern: {name} has shape {array.shape}; expected one dimension")
    if array.size == 0:
        return np.zeros(0, np.int32)
    if array.dtype.kind not in "iu":
        raise DtypeError(f"SparsityPattern: {name} has dtype {array.dtype}; expected integers")
    outside = (array < 0) | (array >= size)
    if outside.any():
        where = int(np.argmax(outside))
        raise SparsityError(
            f"SparsityPattern: {name}[{where}] is {array[where]}, outside of 0 to {size - 1} (shape has {size} {name})"
        )
    return array


def canonical(major: NDArray[np.integer[Any]], minor: NDArray[np.integer[Any]], size: int) -> tuple[Indices, Indices]:
    """Sort by (major, minor) and drop duplicates; `size` is one more than `minor` can be."""
    if not _is_ordered(major, minor):
        # Both are below 2^31, so the key cannot overflow; it is sorted instead of an argsort, which is slower.
        key = major.astype(np.int64) * size + minor
        key.sort()
        key = key[np.concatenate([[True], key[1:] != key[:-1]])]
        quotient, remainder = np.divmod(key, size)
        return quotient.astype(np.int32), remainder.astype(np.int32)
    return major.astype(np.int32), minor.astype(np.int32)


def _is_ordered(major: NDArray[np.integer[Any]], minor: NDArray[np.integer[Any]]) -> bool:
    """Whether each entry stands behind the one before it."""
    more = minor[1:] > minor[:-1]
    more &= major[1:] == major[:-1]
    more |= major[1:] > major[:-1]
    return bool(more.all())


def turned(pointer: Indices, minor: Indices, size: int) -> tuple[Indices, Indices]:
    """Entries in the order of the other index, below ``size``, and then of this one. Linear.

    pointer : where those of each index of the present order begin, and the end

    >>> [t.tolist() for t in turned(np.int32([0, 2, 3]), np.int32([0, 1, 0]), 2)]
    [[0, 0, 1], [0, 1, 0]]
    """
    make: Any = scipy_sparse.csr_array
    found = make((np.ones(len(minor), np.bool_), minor, pointer), shape=(len(pointer) - 1, size)).tocsc()
    return np.repeat(np.arange(size, dtype=np.int32), np.diff(found.indptr)), found.indices.astype(np.int32, copy=False)


def frozen(array: Indices) -> Indices:
    """The array, closed for writing."""
    array.flags.writeable = False
    return array
