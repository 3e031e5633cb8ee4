"""Arrays that the caller gives for results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.trace import Array

__all__ = ["ReadOnlyError", "check_out", "overlap"]


def overlap(targets: Sequence[Array], arrays: Sequence[Array]) -> bool:
    """Whether writing one result may change an argument or another result."""
    return any(np.may_share_memory(t, other) for k, t in enumerate(targets) for other in (*arrays, *targets[k + 1 :]))


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
