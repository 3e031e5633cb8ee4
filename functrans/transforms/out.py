"""Arrays that the caller gives for results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.trace import Array

__all__ = ["OverlapError", "ReadOnlyError", "check_apart", "check_out", "overlap"]

_SEARCH = 100_000  # steps of NumPy's search for an element that two strided arrays share


def overlap(targets: Sequence[Array], arrays: Sequence[Array]) -> bool:
    """Whether writing a result may change an argument."""
    return any(np.may_share_memory(t, a) for t in targets for a in arrays)


def check_apart(targets: Sequence[Array], paths: Sequence[str]) -> None:
    """Raise OverlapError where writing one element of a result would change another; as good as linear."""
    for t, path in zip(targets, paths, strict=True):
        if _meets_itself(t):
            raise OverlapError(f"elements of {path} share memory{at_user_line()}; give an array where each has its own")
    spans = sorted((*byte_bounds(t), k) for k, t in enumerate(targets) if t.size) if len(targets) > 1 else []
    near: list[tuple[int, int]] = []  # the end and the number of those that reach as far as the next begins
    for low, high, k in spans:
        near = [(end, j) for end, j in near if end > low]
        for _, j in near:
            if _shares(targets[j], targets[k]):
                a, b = sorted((j, k))
                raise OverlapError(
                    f"{paths[a]} and {paths[b]} share memory{at_user_line()}; one result would overwrite the "
                    "other: give arrays that lie apart"
                )
        near.append((high, k))


def _shares(a: Array, b: Array) -> bool:
    try:
        return np.shares_memory(a, b, max_work=_SEARCH)  # type: ignore[arg-type]  # any number, says its page
    except np.exceptions.TooHardError:
        return True


def _meets_itself(a: Array) -> bool:
    """Whether two elements may lie at one place: a stride does not step over what the smaller strides reach."""
    if a.flags.c_contiguous or not a.size:
        return False
    reach = a.itemsize
    for stride, n in sorted((abs(s), n) for s, n in zip(a.strides, a.shape, strict=True) if n > 1):
        if stride < reach:
            return True
        reach += stride * (n - 1)
    return False


def check_out(target: Any, shape: tuple[int, ...], dtype: np.dtype[Any], path: str) -> None:
    """Raise where a result cannot be written into an array that the caller gave."""
    if not isinstance(target, np.ndarray):
        kind = type(target).__name__
        raise ArgumentError(f"{path} is a {kind}; expected a NumPy array to write into{at_user_line()}")
    if target.shape != shape:
        raise ShapeError(f"{path} has shape {target.shape}, the result {shape}{at_user_line()}")
    if target.dtype != dtype:
        raise DtypeError(f"{path} has dtype {target.dtype}, the result {dtype}{at_user_line()}")
    if not target.flags.writeable:
        raise ReadOnlyError(f"{path} is read-only; give an array that may be written{at_user_line()}")


class ReadOnlyError(ArgumentError, ValueError):
    """An array given as ``out`` may not be written; a copy of it may."""


class OverlapError(ArgumentError, ValueError):
    """Arrays given as ``out`` share memory; arrays that lie apart do not."""
