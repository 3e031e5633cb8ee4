"""Sines, cosines and tangents of one argument, which one test tells to be near or far.

Each of them is a straight stretch of some twenty multiply-adds. With a branch behind each the compiler orders and keeps
in registers what one of them needs; with one branch behind all of them, what they have in common.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans.backend.codegen.spelling import WAVES
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

__all__ = ["together"]

_SCOPES = frozenset({Ops.RANGE, Ops.ENDRANGE, Ops.IF, Ops.ENDIF})
_CHANGING = frozenset({Ops.DEFINE_ACC, Ops.ASSIGN})  # the name of which stands for one value after the other


def together(uops: Sequence[UOp]) -> list[list[int]]:
    """For each statement which ones are written in its place: itself, or all functions of one argument in one scope in
    the place of the first of them, and nothing in those of the others. Linear in their number.

    >>> from functrans.ops import build as B, source
    >>> import functrans as ft
    >>> x = source.param((4,), ft.ops.dtypes.float64)
    >>> sine, cosine = B.alu(Ops.SIN, x), B.alu(Ops.COS, x)
    >>> together([sine, B.neg(sine), cosine])
    [[0, 2], [1], []]
    """
    found: list[list[int]] = [[k] for k in range(len(uops))]
    first: dict[UOp, int] = {}
    for k, u in enumerate(uops):
        if u.op in _SCOPES:
            first.clear()
        first.pop(u, None)  # read again, it may be another number
        if u.op not in WAVES or u.src[0].op in _CHANGING:
            continue
        place = first.setdefault(u.src[0], k)
        if place != k:
            found[place].append(k)
            found[k].remove(k)
    return found
