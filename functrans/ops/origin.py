"""Where in the user's code nodes were made. Recorded while someone asks for it; it costs a walk up the stack a node.

A node that is interned keeps the line that made it first. One that a transform makes out of another (a substitution,
a tangent) has the line of that other: the transform's own call is no place where anything is computed.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from functrans.errors import user_frame
from functrans.ops import uop as _uop
from functrans.ops.uop import UOp

Place = tuple[str, int]
_places: weakref.WeakKeyDictionary[UOp, Place] = weakref.WeakKeyDictionary()


class _Local(threading.local):
    place: Place | None = None


_local = _Local()


def record(on: bool) -> None:
    """Begin or cease to remember the lines of new nodes, on all threads."""
    _uop.born, _uop.inherited = (_born, _inherited) if on else (None, None)


def place_of(node: UOp) -> Place | None:
    """File and line that made the node, where it was recorded."""
    return _places.get(node)


def made_for(node: UOp) -> Any:
    """Within this, new nodes have the place of the given one."""
    return _under(node) if _uop.born is not None else nullcontext()


@contextmanager
def _under(node: UOp) -> Iterator[None]:
    before, _local.place = _local.place, _places.get(node)
    try:
        yield
    finally:
        _local.place = before


def _born(node: UOp) -> None:
    place = _local.place or user_frame()
    if place is not None:
        _places[node] = place


def _inherited(node: UOp, source: UOp) -> None:
    """A new node of the same kind as another, over other sources."""
    place = _places.get(source)
    if place is not None:
        _places[node] = place


def mark(node: UOp) -> None:
    """Remember the user's line for a node now, recorded or not: it may be refused when it runs."""
    if node not in _places:
        place = user_frame()
        if place is not None:
            _places[node] = place
