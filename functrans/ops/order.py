"""The order of elements: what sorting and everything by ranks is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from functrans import dtypes
from functrans.dtypes import DType
from functrans.ops.axes import Axes, all_but, same_arg
from functrans.ops.enums import Ops
from functrans.ops.opdef import OpDef, register, same_shape
from functrans.ops.uop import UOp

Found = TypeVar("Found")
_WIDE = {1: dtypes.int32, 2: dtypes.int32}  # small integers are sorted as larger ones


def order_dtype(op: Ops, dtype: DType) -> DType:
    """The dtype of elements in order, or of their positions."""
    return dtypes.int64 if op is Ops.ARGSORT else dtype


def spare_of(dtype: DType, n: int) -> tuple[DType, int]:
    """The spare memory to put n elements in order with: of the dtype they are sorted in, where it is another twice."""
    wide = dtypes.float32 if dtype == dtypes.float16 else _WIDE.get(dtype.itemsize, dtype)
    return wide, n if wide == dtype else 2 * n


def memory_of(op: Ops, dtype: DType, n: int) -> list[tuple[DType, int]]:
    """Dtype and size of the arrays that follow the keys: spare memory, and before it the order, if that is wanted."""
    if op is Ops.SORT:
        return [spare_of(dtype, n)]
    ranks = 0 if dtype.kind == "c" else 2  # sorted as whole numbers
    return [(dtypes.int64, n)] * 2 + [(dtypes.uint64, n)] * ranks


def found_in(op: Ops, arrays: Sequence[Found]) -> Found:
    """Which of the keys and the memory behind them holds what was found: elements are put in order where they are."""
    return arrays[0] if op is Ops.SORT else arrays[1]


def _check(node: UOp) -> str | None:
    x = node.src[0]
    if x.shape is None:  # kernel stage: keys, the order to be found, and memory to merge in or to hold ranks
        wanted = 1 + len(memory_of(node.op, x.dtype, 0))
        return None if len(node.src) == wanted else f"{len(node.src)} arrays; expected keys, order and spare memory"
    if x.ndim == 0:
        return "a scalar has no axis to sort along"
    if node.op is Ops.SORT and x.dtype.kind == "c":
        return "pairs of numbers are found in order by their positions alone"
    wanted_dtype = order_dtype(node.op, x.dtype)
    return None if node.dtype == wanted_dtype else f"dtype {node.dtype.name}; expected {wanted_dtype.name}"


_AXES = Axes(all_but(lambda n: n.ndim - 1), same_arg)


def _typed(node: UOp) -> bool:
    return len(node.src) == 1 and node.dtype == order_dtype(node.op, node.src[0].dtype)


def _memory(node: UOp) -> tuple[UOp, ...]:
    return node.src


def _numpy(node: UOp, x: Any) -> Any:
    return np.argsort(x, axis=-1, kind="stable")


def _sorted(node: UOp, x: Any) -> Any:
    return np.take_along_axis(x, np.argsort(x, axis=-1, kind="stable"), -1)


register(
    OpDef(
        Ops.ARGSORT, "order",
        "the positions along the last axis in ascending order of their elements: equal ones as they stand, NaN last",
        same_shape, _numpy, axes=_AXES, runs=lambda n: (n.op, n.ndim - 1),
        check=_check, typed=_typed, reads=_memory, writes=_memory,
    )
)  # fmt: skip
register(
    OpDef(
        Ops.SORT, "order",
        "the elements along the last axis in ascending order: equal ones as they stand, NaN last",
        same_shape, _sorted, axes=_AXES, runs=lambda n: (n.op, n.ndim - 1),
        check=_check, typed=_typed, reads=_memory, writes=_memory,
    )
)  # fmt: skip
