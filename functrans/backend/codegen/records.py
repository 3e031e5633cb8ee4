"""Loops that take records apart or put them together: a compiler that makes vectors of many fields shuffles for
longer than numbers take one by one, and compiles for seconds.
"""

from __future__ import annotations

from collections import Counter

from functrans import dtypes
from functrans.backend.policy import REGISTERS
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

_MOVES = frozenset({Ops.LOAD, Ops.STORE, Ops.INDEX, Ops.CONST})


def of_records(uops: list[UOp]) -> set[int]:
    """The positions of the RANGEs of innermost loops that only move elements, many of one array. Linear in the list."""
    found, start = set(), None
    for k, node in enumerate(uops):
        if node.op is Ops.RANGE:
            start = k
        elif node.op is Ops.ENDRANGE and start is not None:
            if _moves_records(uops[start + 1 : k]):
                found.add(start)
            start = None
    return found


def _moves_records(body: list[UOp]) -> bool:
    if not all(u.op in _MOVES or u.dtype == dtypes.index for u in body):
        return False
    places = {u.src[0] for u in body if u.op in (Ops.LOAD, Ops.STORE)}
    fields = Counter(place.src[0] for place in places if place.src[0].op is Ops.DEFINE_GLOBAL)
    return max(fields.values(), default=0) > REGISTERS
