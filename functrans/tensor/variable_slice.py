"""Slices that start at a run-time integer and have a constant length: a gather along one axis each."""

from __future__ import annotations

from typing import Any

from functrans.errors import ArgumentError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import UOp
from functrans.tensor.affine import affine, combined, interval, is_run_time
from functrans.tensor.lift import is_weak, lift, node_of
from functrans.tensor.static_index import axes_of, read_item


def windows(x: UOp, key: Any) -> tuple[UOp, Any]:
    """X read at the slices of the key that have a variable as a bound, and the key with whole slices in their place.

    Raises ArgumentError where the length of a slice depends on a variable, or its bounds let it leave the axis.
    """
    items = key if isinstance(key, tuple) else (key,)
    places = [k for k, item in enumerate(items) if isinstance(item, slice) and _is_run_time(item)]
    if not places:
        return x, key
    counts = [axes_of(read_item(i)) if k not in places else 1 for k, i in enumerate(items)]
    dots = next((k for k, i in enumerate(items) if i is Ellipsis), len(items))
    for k in places:
        axis = sum(counts[:k]) if k < dots else x.ndim - sum(counts[k:])
        if 0 <= axis < x.ndim:  # too many indices are for the reader of the rest to refuse
            x = _window(x, axis, items[k])
    return x, tuple(slice(None) if k in places else item for k, item in enumerate(items))


def _is_run_time(item: slice) -> bool:
    return any(u is not None and is_run_time(u) for u in map(node_of, (item.start, item.stop, item.step)))


def _window(x: UOp, axis: int, item: slice) -> UOp:
    n = x.sized[axis]
    start, length = _extent(item)
    low, high = interval(start)
    if low < 0 or high + length > n:
        raise ArgumentError(
            f"a slice of length {length} starts at {low} to {high}, by the bounds of its variable, and may leave axis "
            f"{axis} of size {n}{at_user_line()}; give the variable bounds that keep the start from 0 to "
            f"{max(n - length, 0)}"
        )
    order = (axis, *(a for a in range(x.ndim) if a != axis))
    index = B.add(B.broadcast(start, (length,)), B.iota(length))
    read = B.gather(B.permute(x, order), index)
    return B.permute(read, tuple(order.index(a) for a in range(x.ndim)))


def _extent(item: slice) -> tuple[UOp, int]:
    """The start and the length of a slice, which no variable may decide."""
    if item.step is not None and not (is_weak(item.step) and item.step == 1):
        raise ArgumentError(
            f"a slice that starts at a variable has the step {item.step!r}; expected none{at_user_line()}; "
            "use x[v + step * fnp.arange(length)]"
        )
    ends = [0 if item.start is None else item.start, item.stop]
    nodes = [None if e is None else lift(e) for e in ends]
    forms = [None if u is None else affine(u) for u in nodes]
    start, stop = forms
    difference = None if start is None or stop is None else combined(stop, start, -1)
    if nodes[0] is None or difference is None or difference[1]:
        raise ArgumentError(
            f"the length of a slice depends on a variable, and the shape of a result may not{at_user_line()}; write "
            "x[v : v + length] with a constant length, or int(v) outside of the traced function for a shape of its own"
        )
    return nodes[0], max(difference[0], 0)
