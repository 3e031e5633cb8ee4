"""What an index says: its entries matched with the axes, its constants checked, before any node is made."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from functrans._records import record
from functrans.errors import (
    ArgumentError,
    AxisError,
    IndexOutOfRange,
    ShapeError,
    TracedValueError,
    at_user_line,
)  # fmt: skip
from functrans.ops.uop import Shape, UOp
from functrans.tensor.affine import is_run_time
from functrans.tensor.constants import IntArray, evaluate, is_traced, known
from functrans.tensor.hints import STATIC
from functrans.tensor.lift import holds_tensor, node_of
from functrans.tensor.window import Span, progression, whole

Index = IntArray | UOp  # constants are in range and not negative; a node may hold any integer
MASK_WAYS = "use fnp.where(mask, x, other), or x * mask; for an update, fnp.where(mask, new, x)"


@record
class Entry:
    """One entry of an index: a span of an axis, or an integer array along it, or neither (NEW and GAP).

    An integer is a span of one position, whose axis is dropped; beside arrays it is an array without axes.
    """

    span: Span | None = None
    index: Index | None = None
    drop: bool = False

    def beside_arrays(self) -> Entry:
        """The entry as NumPy sees it in an index that also holds arrays."""
        return Entry(index=np.array(self.span.start)) if self.drop and self.span is not None else self

    @property
    def takes_axis(self) -> bool:
        """Whether an axis of the source belongs to the entry."""
        return self.span is not None or self.index is not None


NEW = Entry()  # an axis of size 1
GAP = Entry()  # an ellipsis that stands for no axis: it still parts the arrays beside it


def parse(key: Any, shape: Shape) -> tuple[Shape, list[Entry]]:
    """The entries of ``x[key]``, one for every axis of x besides the new ones, and the shape they index.

    That shape is the one of x, with an axis of size 1 more for every scalar boolean in the key.
    """
    items = [read_item(item) for item in (key if isinstance(key, tuple) else (key,))]
    dots = sum(item is Ellipsis for item in items)
    if dots > 1:
        raise AxisError(f"index {key!r} holds {dots} ellipses; expected one at most{at_user_line()}")
    used = sum(axes_of(item) for item in items)
    if used > len(shape):
        raise AxisError(f"too many indices: {used} for an array of {len(shape)} axes{at_user_line()}")
    if not dots:
        items.append(Ellipsis)
    seen: list[int] = []
    entries: list[Entry] = []
    rest = list(shape)
    for item in items:
        if item is None:
            entries.append(NEW)
        elif item is Ellipsis:
            span = rest[: len(shape) - used]
            entries.extend([Entry(span=whole(n)) for n in span] or [GAP])
            seen.extend(span)
            rest = rest[len(span) :]
        else:
            sizes = rest[: axes_of(item)]
            entries.extend(_match(item, sizes, len(seen)))
            seen.extend(sizes or [1])
            rest = rest[len(sizes) :]
    return tuple(seen), entries


def axes_of(item: Any) -> int:
    """How many axes an entry takes, as `read_item` gives it."""
    if item is None or item is Ellipsis:
        return 0
    return item.ndim if isinstance(item, np.ndarray) and item.dtype == bool else 1


def read_item(item: Any) -> Any:
    """An entry as None, Ellipsis, a slice, an integer, an array of integers or booleans, or an integer node."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return item
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        return int(item)
    node = node_of(item)
    if node is not None:
        return _read_node(node)
    array = as_integers(item)
    if array.dtype.kind not in "biu":
        raise IndexOutOfRange(
            f"{item!r} is no index; expected integers, slices, ..., None, or arrays of integers or booleans"
            f"{at_user_line()}"
        )
    return array


def as_integers(item: Any) -> np.ndarray[Any, Any]:
    """A constant as an array; an empty list counts as integers."""
    if not isinstance(item, np.ndarray):
        if holds_tensor(item):
            raise ArgumentError(f"a list of Tensors is no index; join them first: x[fnp.stack([i, j])]{at_user_line()}")
        try:
            item = np.asarray(item)
        except ValueError as error:
            raise ShapeError(f"{item!r} is no index: rows of different lengths{at_user_line()}") from error
        if item.size == 0 and item.dtype == np.float64:
            item = item.astype(np.int64)
    return item  # type: ignore[no-any-return]


def _read_node(node: UOp) -> Any:
    if node.dtype.kind in "iu":
        return node
    if node.dtype.kind != "b":
        raise IndexOutOfRange(f"an index has dtype {node.dtype.name}; expected integers or booleans{at_user_line()}")
    if is_traced(node):
        if node.size == 0:  # it selects nothing, whatever it holds
            return np.zeros(node.sized, bool)
        raise TracedValueError(
            f"a traced boolean mask of shape {node.shape} is an index: how many elements it selects is not known "
            f"while tracing{at_user_line()}; {MASK_WAYS}"
        )
    return evaluate(node)


def _match(item: Any, sizes: list[int], axis: int) -> list[Entry]:
    """The entries of one item over the axes it takes, which begin at ``axis``."""
    if isinstance(item, slice):
        return [Entry(span=read_slice(item, sizes[0]))]
    if isinstance(item, int):
        n = sizes[0]
        if not -n <= item < n:
            raise out_of_range(item, n, axis)
        return [Entry(span=Span(item % n, 1, 1, False), drop=True)]
    if isinstance(item, UOp):
        return [Entry(index=settle(item, sizes[0]))]
    if item.dtype != bool:
        return [Entry(index=check_bounds(item, sizes[0], axis))]
    if item.ndim == 0:
        return [Entry(index=np.zeros(int(item), np.int64))]
    if list(item.shape) != sizes:
        raise IndexOutOfRange(
            f"a boolean mask of shape {item.shape} indexes axes of sizes {tuple(sizes)}, from axis {axis}; "
            f"expected equal shapes{at_user_line()}"
        )
    return [Entry(index=i.astype(np.int64)) for i in item.nonzero()]


def read_slice(item: slice, n: int) -> Span:
    """A slice over an axis of size n."""
    parts = [_bound(v, name) for v, name in zip((item.start, item.stop, item.step), ("start", "stop", "step"))]
    if parts[2] == 0:
        raise ShapeError(f"the step of a slice is 0; expected another integer{at_user_line()}")
    r = range(*slice(*parts).indices(n))
    return progression(r.start, r.step, len(r))


def _bound(value: Any, name: str) -> int | None:
    if value is None:
        return None
    node = node_of(value)
    if node is not None:
        if is_run_time(node):
            raise ArgumentError(
                f"the {name} of a slice holds a variable{at_user_line()}; in an update write "
                "x.at[v + fnp.arange(length)] with a constant length"
            )
        if is_traced(node):
            raise TracedValueError(
                f"the {name} of a slice is traced, so the length of the result is not known{at_user_line()}; "
                f"use x[start + fnp.arange(length)] with a constant length; {STATIC}"
            )
        value = evaluate(node)
    try:
        return operator.index(value)
    except TypeError as error:
        raise ArgumentError(
            f"the {name} of a slice is {value!r}; expected an integer or None{at_user_line()}"
        ) from error


def check_bounds(index: np.ndarray[Any, Any], n: int, axis: int) -> IntArray:
    """Constant integers as int64 from 0 to n - 1, negative ones counted from the end."""
    low, high = (int(index.min()), int(index.max())) if index.size else (0, -1)
    if low < -n or high >= n:
        raise out_of_range(int(index[(index < -n) | (index >= n)].flat[0]), n, axis)
    index = index.astype(np.int64)
    return index if low >= 0 else np.where(index < 0, index + n, index)


def out_of_range(index: int, n: int, axis: int) -> IndexOutOfRange:
    """The error of a constant index outside its axis."""
    expected = f"expected {-n} to {n - 1}" if n else "it has no elements"
    return IndexOutOfRange(f"index {index} is out of bounds for axis {axis} with size {n}; {expected}{at_user_line()}")


def settle(node: UOp, n: int) -> Index:
    """An integer node, or its constant value where that is known and in range."""
    value = known(node)
    if value is None or (value.size and (value.min() < -n or value.max() >= n)):
        return node
    value = value.astype(np.int64)
    return np.where(value < 0, value + n, value)
