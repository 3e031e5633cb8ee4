"""Graphs that go to another process: their nodes as rows, the arrays they read with them, their numbers given anew.

Placeholders, stored arrays and loop variables are told apart by numbers that each process counts for itself. A pickled
node keeps its number and is refused elsewhere (`UOp.__reduce__`). What is packed together here means the same nodes
wherever it is opened: each number becomes a fresh one, the same for all nodes of the parcel that had it.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from typing import Any

import numpy as np

from functrans._lazy import hashlib
from functrans.dtypes import DType
from functrans.errors import SpecError, UnsupportedError, at_user_line
from functrans.ops.custom import Again
from functrans.ops.enums import Ops
from functrans.ops.source import adopt, fresh_slot, in_file, stored
from functrans.ops.uop import UOp, fresh_id, toposort

_FORMAT = 1  # of the rows and of what is made of them
_Row = tuple[Ops, DType, tuple[int, ...], Any, np.ndarray[Any, Any] | None]
_numbers: ContextVar[dict[tuple[str, int], int] | None] = ContextVar("numbers", default=None)


class Parcel:
    """What is pickled with the graphs in it; unpickled it is the content itself.

    Raises UnsupportedError where a graph reads a memory-mapped file; opened by another functrans, SpecError.
    """

    def __init__(self, content: Any) -> None:
        self.content = content

    def __reduce__(self) -> tuple[Any, ...]:
        data = io.BytesIO()
        _Packer(data, pickle.HIGHEST_PROTOCOL).dump(self.content)
        return opened, (_version(), data.getvalue())


@cache
def _version() -> str:
    """Of the rows, and of the ops whose numbers are in them."""
    return f"{_FORMAT}-{hashlib.sha256(' '.join(op.name for op in Ops).encode()).hexdigest()[:16]}"


class _Packer(pickle.Pickler):
    def reducer_override(self, thing: Any) -> Any:
        """Rows for a node, what it says itself for all else."""
        return (_rebuilt, (_rows(thing),)) if isinstance(thing, UOp) else NotImplemented


def opened(version: str, data: bytes) -> Any:
    """The content of a parcel, its graphs on numbers of this process."""
    if version != _version():
        raise SpecError(
            f"a graph was pickled by another version of functrans (format {version}, here {_version()}); install the "
            "same version on both sides, or send the function itself"
        )
    token = _numbers.set({})
    try:
        return pickle.loads(data)
    finally:
        _numbers.reset(token)


def _rows(root: UOp) -> list[_Row]:
    order = toposort((root,))
    place = {u: k for k, u in enumerate(order)}
    return [(u.op, u.dtype, tuple(place[s] for s in u.src), u.arg, _array(u)) for u in order]


def _array(node: UOp) -> np.ndarray[Any, Any] | None:
    if node.op is not Ops.BUFFER:
        return None
    if in_file(node):
        raise UnsupportedError(
            f"a function that reads a memory-mapped file is not pickled{at_user_line()}; give the window as an argument"
        )
    return stored(node)


def _rebuilt(rows: list[_Row]) -> UOp:
    made: list[UOp] = []
    for op, dtype, places, arg, array in rows:
        node = UOp(op, dtype, tuple(made[k] for k in places), _renumbered(op, arg))
        if array is not None:
            adopt(node, array)
        made.append(node)
    return made[-1]


def _renumbered(op: Ops, arg: Any) -> Any:
    """The argument of a node with the number of this process for that of the other."""
    if isinstance(arg, Again):
        return Again(_number("again", arg.number, fresh_id))
    if op is Ops.UNIQUE:
        return _number("unique", arg, fresh_id)
    if op in (Ops.PARAM, Ops.RANGE) and isinstance(arg[0], int):
        fresh = fresh_slot if op is Ops.PARAM else fresh_id
        return (_number(op.name, arg[0], fresh), *arg[1:])
    if op is Ops.DEFINE_VAR and len(arg) > 3:
        return (*arg[:3], _number(op.name, arg[3], fresh_slot), *arg[4:])
    return arg


def _number(kind: str, old: int, fresh: Callable[[], int]) -> int:
    known = _numbers.get()
    if known is None:
        raise SpecError("the rows of a graph are unpickled outside of their parcel")
    return known.setdefault((kind, old), fresh())
