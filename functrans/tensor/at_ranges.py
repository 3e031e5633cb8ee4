"""Reading and closing at RANGEs: ``x[r]``, and ``y.expand(r, n)``."""

from __future__ import annotations

from typing import Any

from functrans import dtypes
from functrans.errors import SpecError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp
from functrans.ops.window import element
from functrans.tensor.static_index import axes_of, read_item


def at_ranges(x: UOp, key: Any) -> tuple[UOp, Any]:
    """X at the expressions of RANGEs in the key, and the rest of the key.

    Beside arrays they count as arrays of one element, as integers do, and become such.
    """
    items = key if isinstance(key, tuple) else (key,)
    places = [k for k, item in enumerate(items) if is_index(item)]
    if not places:
        return x, key
    rest = [item for k, item in enumerate(items) if k not in places]
    counts = [1 if k in places else axes_of(read_item(item)) for k, item in enumerate(items)]
    dots = next((k for k, item in enumerate(items) if item is Ellipsis), len(items))
    axes = [sum(counts[:k]) if k < dots else x.ndim - sum(counts[k:]) for k in places]
    if sum(counts) > x.ndim:
        return x, tuple(0 if k in places else item for k, item in enumerate(items))  # for the reader to refuse
    if all(item is None or item is Ellipsis or isinstance(item, (slice, int)) for item in rest):
        for k, axis in sorted(zip(places, axes, strict=True), key=lambda pair: -pair[1]):
            x = element(x, axis, items[k])
        return x, tuple(rest)
    for k, axis in zip(places, axes, strict=True):
        element(x, axis, items[k])  # refused where it leaves the axis
    return x, tuple(B.cast(item, dtypes.int64) if k in places else item for k, item in enumerate(items))


def is_index(item: Any) -> bool:
    """Whether something is an expression of RANGEs."""
    return isinstance(item, UOp) and item.dtype == dtypes.index


def close(x: UOp, shape: tuple[Any, ...]) -> tuple[UOp, tuple[int, ...]]:
    """X closed along the axes of size 1 that ``shape`` gives RANGEs for, and the shape in numbers. SpecError for
    something else than a RANGE, or an axis that x has not, or of another size.
    """
    front = len(shape) - x.ndim
    wide = B.reshape(x, (1,) * front + x.sized) if front > 0 else x
    closed = [k for k, n in enumerate(shape) if isinstance(n, UOp)]
    for k in closed:
        if shape[k].op is not Ops.RANGE or front < 0 or wide.sized[k] != 1:
            raise SpecError(
                f"expand of shape {x.shape} to {shape}{at_user_line()}: entry {k} closes an axis; expected a RANGE for "
                "an axis of size 1"
            )
    if not closed:
        return x, shape
    inner = B.reshape(wide, tuple(n for k, n in enumerate(wide.sized) if k not in closed))
    made = inner.vmapout(tuple(shape[k] if k in closed else const(0) for k in range(len(shape))))
    return made, tuple(made.sized[k] if k in closed else n for k, n in enumerate(shape))
