"""The engines of coloring.c on NumPy arrays: what `greedy`, `orders` and `graphs` do in Python, for large patterns."""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from functrans.backend.runtime.native import native

__all__ = ["LARGE", "Engine", "run"]

LARGE = 4000
"""Nonzeros from which on C is worth its loading."""


class Engine(IntEnum):
    """The engines, as coloring.c numbers them."""

    ORDER = 0
    FIRST_FIT = 1
    SATURATION = 2
    STAR = 3
    ACYCLIC = 4


@cache
def _text() -> str:
    text = pkgutil.get_data(__package__, "coloring.c")
    return "" if text is None else text.decode()


def run(engine: Engine, buffers: Sequence[NDArray[Any]], sizes: Sequence[int], nonzeros: int) -> int | None:
    """The status of an engine on these buffers; None where the pattern is small or there is no C.

    Buffers are C-contiguous, int32 where coloring.c says int and uint64 where it says word; engines write into them.
    """
    if nonzeros < LARGE or not _text():
        return None
    entry = native(_text(), "coloring")
    if entry is None:
        return None
    return entry([np.require(b, requirements="C") for b in buffers], [int(engine), *sizes])
