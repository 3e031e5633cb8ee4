"""Bodies that a trace meets again and again: a Python loop that is unrolled, where one node would be a loop."""

from __future__ import annotations

import os
import sys
from types import FrameType

import numpy as np

from functrans.debug import warn_at

MOST = 2000  # repeats of one body that a trace makes without a word
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_HIDDEN = (_OURS, os.path.dirname(os.path.abspath(np.__file__)) + os.sep)
_DRIVERS = tuple(_OURS + name + os.sep for name in ("trace", "transforms", "ode", "testing"))
_HIDES, _USER, _DRIVES = 0, 1, 2


class _Kinds(dict[str, int]):
    """Whose the frames of a file are: a user's, those between a user and a graph, those that run a user's function."""

    def __missing__(self, filename: str) -> int:
        found = _DRIVES if filename.startswith(_DRIVERS) else _HIDES if filename.startswith(_HIDDEN) else _USER
        self[filename] = found
        return found


_kinds = _Kinds()


class Repeats:
    """How often each place in a traced function has computed something, by the calls that led there.

    A place is an instruction, not a line: two operations in one line are two. An operation that makes many nodes, or a
    function with many lines, is no repeat.
    """

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}
        self.last: list[FrameType] = []
        self.told = False

    def note(self) -> None:
        """An operation of the user's, two calls up the stack. A place past the limit gives a warning, once."""
        frame: FrameType | None = sys._getframe(2)
        kinds, place = _kinds, 0
        if self.told or frame is None or kinds[frame.f_code.co_filename]:
            return
        while frame is not None:
            code = frame.f_code
            kind = kinds[code.co_filename]
            if kind > 0:
                if kind == _DRIVES:
                    break
                place = hash((place, id(code), frame.f_lasti))
            frame = frame.f_back
        count = self.counts[place] = self.counts.get(place, 0) + 1
        if count >= MOST:
            self._met(count)

    def _met(self, count: int) -> None:
        frames = _frames()
        if count == MOST:
            self.last = frames
            return
        shared = [f for f in frames if any(f is g for g in self.last)]  # the loop runs on; what it calls is new
        self.last, self.told = [], True
        if not shared:
            return
        place = shared[0].f_code.co_filename, shared[0].f_lineno
        warn_at(
            place, f"unrolled at {place[0]}:{place[1]}",
            f"this Python loop has been traced more than {MOST} times, and each round is scheduled and compiled on its "
            "own; ft.scan or ft.fori_loop would be one loop",
        )  # fmt: skip


def _frames() -> list[FrameType]:
    """The frames of the user's functions, innermost first, up to what runs them."""
    frame: FrameType | None = sys._getframe(3)
    found = []
    while frame is not None and _kinds[frame.f_code.co_filename] != _DRIVES:
        if _kinds[frame.f_code.co_filename] == _USER:
            found.append(frame)
        frame = frame.f_back
    return found
