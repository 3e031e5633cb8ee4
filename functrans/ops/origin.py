"""Where in the user's code nodes were made. Recorded while someone asks for it; it costs a walk up the stack a node.

A node that is interned keeps the line that made it first. One that a transform makes out of another (a substitution,
a tangent) has the line of that other: the transform's own call is no place where anything is computed.

A lineage is the same for passes: of which nodes each node was made, for as long as someone records it.
"""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from functrans.errors import at_line, at_user_line, user_frame
from functrans.ops import uop as _uop
from functrans.ops.uop import UOp

Place = tuple[str, int]
Lineage = dict[UOp, dict[UOp, None]]
_places: weakref.WeakKeyDictionary[UOp, Place] = weakref.WeakKeyDictionary()


class _Local(threading.local):
    place: Place | None = None
    lineage: Lineage | None = None


_local = _Local()
_asking: dict[object, None] = {}
_listeners: Counter[Callable[[UOp], None]] = Counter()
_changing = threading.RLock()


class _State:
    """Whether lines are remembered; for all threads."""

    recording = False


_state = _State()


def record(on: bool) -> None:
    """Begin or cease to remember the lines of new nodes, on all threads; while someone has `recorded`, it goes on."""
    _state.recording = bool(on or _asking)
    _uop.inherited = _inherited if _state.recording else None
    _listen()


def _listen(listener: Callable[[UOp], None] | None = None, more: int = 0) -> None:
    with _changing:
        if listener is not None:
            _listeners[listener] += more
            if not _listeners[listener]:
                del _listeners[listener]
        _uop.born = _born if _state.recording or _listeners else None


@contextmanager
def told(listener: Callable[[UOp], None]) -> Iterator[None]:
    """Within this, a function is told of each new node, of other threads too."""
    _listen(listener, 1)
    try:
        yield
    finally:
        _listen(listener, -1)


@contextmanager
def recorded() -> Iterator[None]:
    """Within this, lines are remembered."""
    before, me = _state.recording, object()
    _asking[me] = None
    record(True)
    try:
        yield
    finally:
        del _asking[me]
        record(before)


@contextmanager
def lineage(found: Lineage) -> Iterator[None]:
    """Within this, ``found`` is told for each node that a pass makes of which nodes it is made."""
    before, _local.lineage = _local.lineage, found
    try:
        with recorded():
            yield
    finally:
        _local.lineage = before


def ancestors(node: UOp, *lineages: Lineage, most: int | None = None) -> dict[UOp, None]:
    """What a node was made of, pass by pass, itself included, nearest first; as many nodes as are asked for."""
    found: dict[UOp, None] = {}
    todo = [node]
    while todo and (most is None or len(found) < most):
        u = todo.pop()
        if u not in found:
            found[u] = None
            for one in lineages:
                todo.extend(one.get(u, ()))
    return found


def became(made: UOp, source: UOp) -> UOp:
    """The first node, which a pass has made in place of the second, of another kind maybe."""
    if _uop.inherited is not None and made is not source:
        _uop.inherited(made, source)
    return made


def place_of(node: UOp) -> Place | None:
    """File and line that made the node, where it was recorded."""
    return _places.get(node)


def line_of(node: UOp) -> str:
    """Where the node was made, ready to end a sentence; where that is not known, the user's line that is running."""
    return at_line(place_of(node)) or at_user_line()


def made_for(node: UOp) -> Any:
    """Within this, new nodes have the place of the given one."""
    return _under(node) if _state.recording else nullcontext()


@contextmanager
def _under(node: UOp) -> Iterator[None]:
    before, _local.place = _local.place, _places.get(node)
    try:
        yield
    finally:
        _local.place = before


def _born(node: UOp) -> None:
    for listener in tuple(_listeners):
        listener(node)
    if not _state.recording:
        return
    place = _local.place or (user_frame() if _local.lineage is None else None)  # no pass stands on a user's line
    if place is not None:
        _places[node] = place


def _inherited(node: UOp, source: UOp) -> None:
    """A node made in place of another."""
    if _local.lineage is not None:
        _local.lineage.setdefault(node, {})[source] = None
    place = _places.get(source)
    if place is not None:
        _places[node] = place


def mark(node: UOp) -> None:
    """Remember the user's line for a node now, recorded or not: it may be refused when it runs."""
    if node not in _places:
        place = user_frame()
        if place is not None:
            _places[node] = place
