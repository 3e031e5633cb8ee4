"""The engines of symbolic.c on NumPy arrays, for patterns that are worth its loading."""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import Any

from numpy.typing import NDArray

from functrans.backend.runtime.native import native

__all__ = ["LARGE", "Engine", "run", "text_of"]

LARGE = 500
"""Entries from which on C is worth its loading."""


class Engine(IntEnum):
    """The engines, as symbolic.c numbers them."""

    DEGREE = 0
    TREE = 1
    FILL = 2


@cache
def text_of(name: str) -> str:
    """The C text of a file of this package."""
    text = pkgutil.get_data(__package__, name)
    return "" if text is None else text.decode()


def run(engine: Engine, buffers: Sequence[NDArray[Any]], sizes: Sequence[int], entries: int) -> bool:
    """Whether the engine has run on these buffers: not where the pattern is small or there is no C.

    Buffers are C-contiguous, int64 where symbolic.c says wide and int32 where it says int; engines write into them.
    """
    entry = native(text_of("symbolic.c"), "the ordering of sparse matrices") if entries >= LARGE else None
    if entry is not None:
        entry(list(buffers), [int(engine), *sizes])
    return entry is not None
