"""Whole numbers in order, and by name: linear, where a sort of a million places takes ten times as long as all else."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import scipy_sparse

__all__ = ["distinct", "firsts", "in_groups", "in_order", "named"]

Numbers = NDArray[np.int32]
_MIXED = np.uint64(0x9E3779B97F4A7C15)  # whose multiples, modulo 2**64, are far apart


def in_groups(group: NDArray[Any], count: int) -> tuple[Numbers, Numbers]:
    """The numbers of what is in each of so many groups, group after group, as they stand; and where each group begins,
    with the end of all.

    >>> [a.tolist() for a in in_groups(np.array([1, 0, 1]), 2)]
    [[1, 0, 2], [0, 1, 3]]
    """
    n = len(group)
    made: Any = scipy_sparse.csc_array((np.ones(n, np.bool_), group, np.arange(n + 1, dtype=np.int32)), (count, n))
    found = made.tocsr()
    return found.indices.astype(np.int32, copy=False), found.indptr.astype(np.int32, copy=False)


def in_order(keys: NDArray[Any]) -> Numbers:
    """Where numbers that are not negative are, the smallest first, equal ones as they stand: counted if that is linear.

    >>> in_order(np.array([2, 0, 2, 1])).tolist()
    [1, 3, 0, 2]
    """
    most = int(keys.max(initial=0))
    return in_groups(keys, most + 1)[0] if _is_close(most, keys) else np.argsort(keys, kind="stable").astype(np.int32)


def named(keys: NDArray[Any]) -> tuple[Numbers, int]:
    """Numbers that are not negative by names from 0 on, in their order; and how many names there are.

    >>> named(np.array([7, 2, 7]))[0].tolist()
    [1, 0, 1]
    """
    most = int(keys.max(initial=0))
    if not _is_close(most, keys):
        found, name = np.unique(keys, return_inverse=True)
        return name.astype(np.int32), len(found)
    seen = np.zeros(most + 1, np.bool_)
    seen[keys] = True
    names = np.cumsum(seen, dtype=np.int32)
    names -= 1
    return names[keys], int(names[-1]) + 1


def distinct(keys: NDArray[Any], first: Numbers | None = None) -> tuple[Numbers, Numbers]:
    """Where each number is first, the smallest first, and for each place which of them is there; ``first``: as `firsts`
    has it. The distinct ones alone are sorted.

    >>> [a.tolist() for a in distinct(np.array([7, -2, 7]))]
    [[1, 0], [1, 0, 1]]
    """
    first = firsts(keys) if first is None else first
    heads = np.flatnonzero(first == np.arange(len(keys), dtype=np.int32)).astype(np.int32)
    heads = heads[np.argsort(keys[heads])]
    name = np.empty(len(keys), np.int32)
    name[heads] = np.arange(len(heads), dtype=np.int32)
    return heads, name[first]


def firsts(keys: NDArray[Any]) -> Numbers:
    """For each place the first one with the same number. Linear: they are found by a hash.

    >>> firsts(np.array([7, 2, 7])).tolist()
    [0, 1, 0]
    """
    n = len(keys)
    found, left = np.empty(n, np.int32), np.arange(n, dtype=np.int32)
    bits = max(2 * n, 2).bit_length()
    held, mixed, mine = np.empty(2**bits, np.int32), keys.astype(np.uint64), keys
    while len(left):
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIXED
        at = (mixed >> np.uint64(64 - bits)).view(np.int64)
        held[at[::-1]] = left[::-1]
        one = held[at]
        same = keys[one] == mine
        found[left[same]] = one[same]
        left, mixed, mine = left[~same], mixed[~same], mine[~same]
    return found


def _is_close(most: int, keys: NDArray[Any]) -> bool:
    return most < 2 * len(keys)
