"""Gather and scatter by integer arrays, along the leading axes; and the update of a whole array."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans.ops.enums import Ops
from functrans.ops.opdef import OpDef, first, like_all, register, same_shape
from functrans.ops.uop import Shape, UOp

# place: set, where nothing else that is computed in the same loops is written; of several elements of its own at one
# place the last one stays if the loops are ORDERED, and there are none if they are not
MODES = ("set", "place", "add", "multiply", "min", "max")
MODE_OPS = {"add": Ops.ADD, "multiply": Ops.MUL, "min": Ops.MIN, "max": Ops.MAX}


def _are_indices(nodes: list[UOp]) -> bool:
    fit = all(i.dtype.kind in "iux" and i.dtype != dtypes.uint64 for i in nodes)
    return fit and len({i.shape for i in nodes}) == 1


def _gather_check(node: UOp) -> str | None:
    x, *indices = node.src
    if x.shape is None:  # ranged stage: a read of a buffer at index expressions
        return None
    if not 1 <= len(indices) <= x.ndim:
        return f"{len(indices)} indices for shape {x.shape}"
    if not _are_indices(indices):
        return f"indices {indices}; expected integer arrays of one shape, whose values fit into int64"
    if 0 in x.sized[: len(indices)] and indices[0].size:
        return f"there is nothing to take from an axis of size 0 of shape {x.shape}"
    return None


def _gather_shape(node: UOp) -> Shape | None:
    x, *indices = node.src
    return () if x.shape is None else (*indices[0].sized, *x.sized[len(indices) :])


def _gather_numpy(node: UOp, x: Any, *indices: Any) -> Any:
    # clip itself would look up the limits of the dtype of each index, which takes longer than to gather one element
    wide = [np.asarray(i, np.int64) for i in indices]
    return x[tuple(np.minimum(np.maximum(i, 0), max(n - 1, 0)) for i, n in zip(wide, x.shape, strict=False))]


register(OpDef(Ops.INDEX, "index", "x[i0, i1, ...] with clamped integer arrays", _gather_shape, _gather_numpy,
               linear=first, places=lambda n: n.src[1:], check=_gather_check))  # fmt: skip


def _assign_check(node: UOp) -> str | None:
    shapes = [s.shape for s in node.src]
    if len(shapes) != 2 or shapes[0] != shapes[1]:
        return f"sources of shapes {shapes}; expected an array and a value of one shape"
    return None


register(OpDef(Ops.ASSIGN, "assign", "an array or accumulator, given another value: that value", same_shape,
               lambda n, target, value: value, check=_assign_check, typed=like_all,
               writes=lambda n: n.src[:1]))  # fmt: skip


def _scatter_check(node: UOp) -> str | None:
    base, value, *indices = node.src
    if node.arg not in MODES:
        return f"mode {node.arg!r}; expected one of {MODES}"
    if not 1 <= len(indices) <= base.ndim:
        return f"{len(indices)} indices for base {base.shape}"
    if not _are_indices(indices):
        return f"indices {indices}; expected integer arrays of one shape, whose values fit into int64"
    want = (*indices[0].sized, *base.sized[len(indices) :])
    return None if value.shape == want else f"value of shape {value.shape}; expected {want}"


UPDATE: dict[str, Any] = {"add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}


def _scatter_numpy(node: UOp, base: Any, value: Any, *indices: Any) -> Any:
    out = base.copy()
    keep = np.ones(indices[0].shape, bool)
    for i, n in zip(indices, base.shape, strict=False):
        keep &= (i >= 0) & (i < n)
    at = tuple(i[keep] for i in indices)
    with np.errstate(all="ignore"):
        if node.arg in ("set", "place"):
            for k, position in enumerate(zip(*at, strict=True)):  # the last write wins
                out[position] = value[keep][k]
        else:
            UPDATE[node.arg].at(out, at, value[keep])
    return out


register(OpDef(Ops.SCATTER, "index", "ordered updates of a base at integer arrays; out of range is dropped",
               lambda n: n.src[0].shape, _scatter_numpy, places=lambda n: n.src[2:], updates=True, check=_scatter_check,
               typed=lambda n: n.src[0].dtype == n.dtype == n.src[1].dtype))  # fmt: skip
