"""The order of elements: what sorting and everything by ranks is made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans.ops.enums import Ops
from functrans.ops.opdef import OpDef, register, same_shape
from functrans.ops.uop import UOp


def _check(node: UOp) -> str | None:
    x = node.src[0]
    if x.shape is None:  # kernel stage: keys, the order to be found, and memory to merge in or to hold ranks
        wanted = 3 if x.dtype.kind == "c" else 5
        return None if len(node.src) == wanted else f"{len(node.src)} arrays; expected keys, order and spare memory"
    if x.ndim == 0:
        return "a scalar has no axis to sort along"
    return None if node.dtype == dtypes.int64 else f"dtype {node.dtype.name}; expected int64"


def _numpy(node: UOp, x: Any) -> Any:
    return np.argsort(x, axis=-1, kind="stable")


register(
    OpDef(
        Ops.ARGSORT, "order",
        "the positions along the last axis in ascending order of their elements: equal ones as they stand, NaN last",
        same_shape, _numpy, batch=lambda n, size: n.arg, check=_check,
    )
)  # fmt: skip
