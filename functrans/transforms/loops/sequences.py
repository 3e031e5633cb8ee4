"""What loops are given to loop over: lengths and steps, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from functrans.errors import ArgumentError, ArgumentValueError, ShapeError, at_user_line
from functrans.ops.uop import UOp


def natural(n: Any, name: str, what: str, least: int) -> int:
    """An argument that is an integer >= ``least``; ArgumentValueError where it is not."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < least:
        raise ArgumentValueError(f"{name}={n!r} of {what}; expected an int >= {least}{at_user_line()}")
    return int(n)


def unrolled(unroll: Any, what: str) -> int:
    """How many rounds to write out in one."""
    return natural(unroll if not isinstance(unroll, bool) else (8 if unroll else 1), "unroll", what, 1)


def length_of(nodes: Sequence[UOp], names: Sequence[str], length: Any, what: str) -> int:
    """The number of elements of the leading axes of all sequences; ShapeError where they differ.

    Without sequences it is ``length``, and ArgumentError without that too.
    """
    flat = [n for n, x in zip(names, nodes, strict=True) if not x.ndim]
    if flat:
        raise ShapeError(f"{flat[0]} of {what} is a number: a sequence has an axis to loop over{at_user_line()}")
    if length is not None:
        length = natural(length, "length", what, 0)
    found = {n: x.sized[0] for n, x in zip(names, nodes, strict=True)}
    sizes = set(found.values()) | (set() if length is None else {length})
    if not sizes:
        raise ArgumentError(f"{what} got no sequence to loop over, and no length{at_user_line()}; give one of them")
    if len(sizes) > 1:
        given = ", ".join(f"{n} has {k} elements" for n, k in found.items())
        also = "" if length is None else f", length is {length}"
        raise ShapeError(f"{what}: {given}{also}{at_user_line()}; all sequences have one length")
    return int(sizes.pop())
