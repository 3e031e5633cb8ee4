"""Sources of data, and the framework nodes that hold a graph together."""

from __future__ import annotations

import itertools
import mmap
import weakref
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.dtypes import DType
from functrans.errors import ShapeError, at_user_line
from functrans.ops.build import reshape
from functrans.ops.enums import Ops
from functrans.ops.opdef import OpDef, no_shape, register, same_shape, scalar_shape
from functrans.ops.uop import Shape, UOp, fresh_id

_stored: weakref.WeakKeyDictionary[UOp, np.ndarray[Any, Any]] = weakref.WeakKeyDictionary()
_files: weakref.WeakKeyDictionary[UOp, tuple[mmap.mmap, int, str]] = weakref.WeakKeyDictionary()
_CPU = "CPU"
_slots = itertools.count()


def _range_check(node: UOp) -> str | None:
    if len(node.src) != 1 or node.src[0].dtype != dtypes.index:
        return f"end {node.src}; expected one node of dtype index"
    end = node.src[0]
    return f"end {end.arg}; expected at least 0" if end.op is Ops.CONST and end.arg < 0 else None


def _bind_check(node: UOp) -> str | None:
    if [s.op for s in node.src] != [Ops.DEFINE_VAR, Ops.CONST]:
        return f"sources {node.src}; expected a DEFINE_VAR and a CONST"
    (name, low, high), value = node.src[0].arg[:3], node.src[1].arg
    return None if low <= value <= high else f"{name!r} is bound to {value}; expected {low} to {high}"


register(OpDef(Ops.CONST, "source", "a scalar constant", scalar_shape,
               lambda n: np.asarray(n.arg, n.dtype.numpy)))  # fmt: skip
register(OpDef(Ops.IOTA, "source", "0, 1, ..., n - 1", lambda n: (n.arg,),
               lambda n: np.arange(n.arg).astype(n.dtype.numpy)))  # fmt: skip
register(OpDef(Ops.PARAM, "source", "an argument of the traced function", lambda n: n.arg[1]))
register(OpDef(Ops.BUFFER, "source", "a stored array, flat", lambda n: (n.arg,), lambda n: _stored[n]))
register(OpDef(Ops.EMPTY, "source", "an array whose values do not matter", lambda n: n.arg,
               lambda n: np.zeros(n.arg, n.dtype.numpy)))  # fmt: skip
register(OpDef(Ops.DEFINE_VAR, "source", "a run-time integer (name, min, max)", scalar_shape))
register(OpDef(Ops.BIND, "source", "a run-time integer and the value it has", scalar_shape,
               lambda n, *_: np.asarray(n.src[1].arg), check=_bind_check))  # fmt: skip
register(OpDef(Ops.RANGE, "ranged", "a loop variable", scalar_shape, check=_range_check))
register(OpDef(Ops.UNIQUE, "framework", "makes a buffer unlike every other", no_shape))
register(OpDef(Ops.DEVICE, "framework", "a CPU thread domain", no_shape))
register(OpDef(Ops.SINK, "framework", "the roots of a graph", no_shape))
register(OpDef(Ops.DEFINE_GLOBAL, "ranged", "a buffer the kernel is given", no_shape))
register(OpDef(Ops.BUFFERIZE, "ranged", "a buffer and the ordered stores that fill it", no_shape))
register(OpDef(Ops.STORE, "ranged", "value to index expressions, closing ranges", no_shape,
               closes=lambda n: () if n.arg is None else n.src[n.arg.first_range :],
               writes=lambda n: n.src[0].src[:1]))  # fmt: skip
register(OpDef(Ops.PREFIX, "ranged", "a running reduction, or the order, inside an ORDERED RANGE", same_shape))


def param(shape: Shape, dtype: DType, weak: bool = False) -> UOp:
    """A fresh placeholder; a weak one stands for a Python number, whose dtype gives way to that of arrays."""
    return UOp(Ops.PARAM, dtype, (), (next(_slots), shape, "weak") if weak else (next(_slots), shape))


def variable(name: str, low: int, high: int) -> UOp:
    """A run-time integer given with each call: unlike every other, whatever its name."""
    return UOp(Ops.DEFINE_VAR, dtypes.index, (), (name, low, high, next(_slots)))


def buffer(array: np.ndarray[Any, Any]) -> UOp:
    """The stored array as a node of its shape. The array is kept, not copied: the caller gives it away."""
    dtype = dtypes.from_numpy(array.dtype)
    src = (UOp(Ops.DEVICE, dtypes.void, (), _CPU), UOp(Ops.UNIQUE, dtypes.void, (), fresh_id()))
    node = UOp(Ops.BUFFER, dtype, src, array.size)
    flat = np.ascontiguousarray(array).reshape(-1)
    flat.flags.writeable = False
    _stored[node] = flat
    return reshape(node, array.shape)


def fresh_slot() -> int:
    """The number of a placeholder unlike every other of this process."""
    return next(_slots)


def adopt(node: UOp, flat: np.ndarray[Any, Any]) -> None:
    """Give a BUFFER node that was made from its parts the flat array it stands for."""
    flat.flags.writeable = False
    _stored[node] = flat


def file_buffer(flat: np.ndarray[Any, Any], mapping: mmap.mmap, start: int, name: str) -> UOp:
    """The BUFFER of a flat array that a memory-mapped file holds from byte ``start`` on. Nothing is read."""
    src = (UOp(Ops.DEVICE, dtypes.void, (), _CPU), UOp(Ops.UNIQUE, dtypes.void, (), fresh_id()))
    node = UOp(Ops.BUFFER, dtypes.from_numpy(flat.dtype), src, flat.size)
    _stored[node] = view = flat.view()
    view.flags.writeable = False
    _files[node] = (mapping, start, name)
    return node


def stored(node: UOp) -> np.ndarray[Any, Any]:
    """The flat array of a BUFFER or BUFFER_VIEW node, read-only.

    Raises ShapeError where it lies in a file that has become too short: to read it would end the process.
    """
    base, (size, offset) = (node.src[0], node.arg) if node.op is Ops.BUFFER_VIEW else (node, (node.arg, 0))
    flat = _stored[base]
    if base in _files:
        mapping, start, name = _files[base]
        held, needed = mapping.size(), start + (offset + size) * base.dtype.itemsize
        if held < needed:
            raise ShapeError(
                f"file {name!r} has {held} bytes; an array that is read from it{at_user_line()} ends at byte {needed}: "
                "the file has become shorter since it was opened"
            )
    return flat[offset : offset + size]


def in_file(node: UOp) -> bool:
    """Whether a BUFFER or BUFFER_VIEW lies in a file, which may become too short."""
    return (node.src[0] if node.op is Ops.BUFFER_VIEW else node) in _files


def memory(node: UOp) -> list[np.ndarray[Any, Any]]:
    """The array that a BUFFER node keeps, and those it is a view of; nothing for one that lies in a file."""
    if node in _files:
        return []
    chain = [_stored[node]]
    while isinstance(chain[-1].base, np.ndarray):
        chain.append(chain[-1].base)
    return chain if chain[-1].base is None else []


def overwrite(node: UOp, value: np.ndarray[Any, Any]) -> None:
    """Write a value of the same size and dtype into the array of a BUFFER node. Whoever sees the array sees it change:
    only for a node that nothing else refers to.
    """
    flat = _stored[node]
    flat.flags.writeable = True
    flat[:] = value.reshape(-1)
    flat.flags.writeable = False
