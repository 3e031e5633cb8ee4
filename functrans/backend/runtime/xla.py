"""Compiled code as XLA calls it: the address of the handler, and of what it is told of each function."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from functrans.backend.memory import Array
from functrans.backend.runtime.library import Entry, load
from functrans.backend.runtime.protocol import PROTOCOL
from functrans.config import config

if TYPE_CHECKING:
    from functrans.backend.launch import Record

__all__ = ["XlaCall", "handler"]

_SOURCE = os.path.join(os.path.dirname(__file__), "xla.c")


class XlaCall:
    """What the handler is told of a function: ``address`` is valid as long as this object lives.

    A matrix that is refused ends the computation with an error that says ``refused``.
    """

    def __init__(self, record: Record, refused: str) -> None:
        threads = config.threads if record.pool else 1
        captured = [a.ctypes.data for a in record.captured]
        nin, nout, slices = len(record.inputs), len(record.outputs), len(record.offsets)
        first = nin + len(captured)
        buffers = np.array([*[0] * nin, *captured, *[0] * (nout + slices)], np.uint64)
        sizes = np.array(record.sizes or [0], np.int64)
        offsets = np.array(record.offsets or [0], np.int64)
        arena = record.arena + (threads - 1) * record.scratch
        text = np.frombuffer(refused.encode() + b"\0", np.uint8)
        numbers = [record.entry.address, nin, first, nout, slices, len(buffers), arena, record.flags]
        numbers += [threads, record.pool]
        pointers = [a.ctypes.data for a in (buffers, sizes, offsets, text)]
        self._fields = np.array([*numbers, *pointers], np.uint64)
        self._keeps = record, buffers, sizes, offsets, text
        self.address = int(self._fields.ctypes.data)


@cache
def _loaded() -> tuple[Entry, Array]:
    with open(_SOURCE, encoding="utf-8") as file:
        entry = load(f"{PROTOCOL}\n{file.read()}")
    found = np.zeros(1, np.uint64)
    entry([found], [0])
    return entry, found


def handler() -> ctypes.c_void_p:
    """The address of the handler.

    Raises CompileError, and CompilerNotFound where there is no compiler.
    """
    return ctypes.c_void_p(int(_loaded()[1][0]))
