"""Sums of all elements of an array, halves added until one is left: one C function for all of them in a text.

Such a sum is a stretch of 31 instructions for 16 accumulators. Lanes have one for each vector that goes side by side,
and again for what is left behind whole blocks; the compiler takes as long for each as it takes for the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence

from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

__all__ = ["halved"]

_SCOPES = frozenset({Ops.RANGE, Ops.ENDRANGE, Ops.IF, Ops.ENDIF})
_Part = tuple[UOp, int, int, tuple[int, ...]]  # the elements of an array from one on at a distance; the statements


def halved(uops: Sequence[UOp], arrays: Container[UOp]) -> tuple[dict[int, UOp], set[int]]:
    """The statements that end the sum of all of one of some arrays, and which array; and the statements that are of no
    other use. Linear in their number.
    """
    readers = Counter(s for u in uops for s in u.src)
    parts: dict[UOp, _Part] = {}
    found: dict[int, UOp] = {}
    inside: set[int] = set()
    for k, u in enumerate(uops):
        if u.op in _SCOPES:
            parts.clear()
        elif u.op is Ops.STORE:
            parts = {v: part for v, part in parts.items() if part[0] is not u.src[0].src[0]}
        part = _part(k, u, parts, readers, arrays)
        if part is None:
            parts.pop(u, None)
            continue
        parts[u] = part
        array, _, distance, places = part
        if distance == 1 and len(places) > 1:
            found[k] = array
            inside.update(places[:-1])
    return found, inside


def _part(
    k: int, u: UOp, parts: dict[UOp, _Part], readers: Counter[UOp], arrays: Container[UOp]
) -> _Part | None:  # fmt: skip
    """Which elements of an array a statement is the sum of, by halves."""
    if u.op is Ops.LOAD and len(u.src) == 1 and u.src[0].src[0] in arrays:
        array, place = u.src[0].src
        known = place.op is Ops.CONST and u.dtype == array.dtype
        return (array, int(place.arg), int(array.arg.elements), (k,)) if known else None
    if u.op is not Ops.ADD or not all(s in parts and readers[s] == 1 for s in u.src):
        return None
    (array, first, distance, left), (other, second, same, right) = (parts[s] for s in u.src)
    if array is not other or distance != same or distance % 2 or second != first + distance // 2:
        return None
    return array, first, distance // 2, (*left, *right, k)
