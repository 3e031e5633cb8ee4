"""Axes maps: which axes of a result are axes of the sources, and what an argument becomes where axes come or go.

An op treats an axis as a batch if each of its places is computed from the same place of the sources alone. A map puts
such axes in front of an op; a schedule that computes one place of them takes them away. Both follow from one fact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from functrans._records import record
from functrans.ops.uop import UOp

Source = Callable[[UOp, int], int | None]
Arg = Callable[[UOp, Sequence[int], Sequence[int]], Any]


@record(eq=False)
class Axes:
    """The axes map of an op.

    source: ``(node, axis of the result) -> axis`` of every array that it is made of, or None where it is no batch. An
        axis of size 1 may be repeated.
    arg: ``(node, kept, lead) -> arg`` of the same op, where of the axes of the result those ``kept`` are left, among
        them all that are no batch, behind new ones of sizes ``lead``.
    """

    source: Source
    arg: Arg


def same_axis(node: UOp, axis: int) -> int | None:
    """Every axis is one of the source."""
    return axis


def all_but(along: Callable[[UOp], int]) -> Source:
    """Every axis but the one that the op works along."""
    return lambda node, axis: None if axis == along(node) else axis


def for_each_axis(fill: Callable[[int], Any]) -> Arg:
    """An argument of one item an axis of the result; ``fill`` gives that of a new axis of a size."""
    return lambda node, kept, lead: (*map(fill, lead), *(node.arg[k] for k in kept))


def axis_number(node: UOp, kept: Sequence[int], lead: Sequence[int]) -> int:
    """An argument that is the number of an axis of the result."""
    return len(lead) + kept.index(node.arg)


def same_arg(node: UOp, kept: Sequence[int], lead: Sequence[int]) -> Any:
    """An argument that names no axis."""
    return node.arg
