"""``x.at[i].set(v)`` and its kin: arrays with a part replaced, nothing changed in place."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Generic, TypeVar

from functrans.errors import DtypeError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import UOp
from functrans.tensor.assigned import assigned
from functrans.tensor.indexing import index_nodes, read
from functrans.tensor.meanings import maximum, minimum
from functrans.tensor.plan import Plan, plan
from functrans.tensor.window import Span, splice, whole, window

T = TypeVar("T")
OPS: dict[str, Callable[[UOp, UOp], UOp]] = {
    "add": B.add, "multiply": B.mul, "divide": B.div, "min": minimum, "max": maximum,
}  # fmt: skip


class AtIndexer(Generic[T]):
    """What ``x.at`` is: index it to say which part of x the update concerns.

    ``wrap`` makes the result that the user sees out of a node.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.Tensor([1.0, 2.0, 3.0]).at[1:].multiply(10.0).numpy()
    array([ 1., 20., 30.])
    """

    def __init__(self, x: UOp, wrap: Callable[[UOp], T]) -> None:
        self._x = x
        self._wrap = wrap

    def __getitem__(self, key: Any) -> AtSelection[T]:
        """The part of x at an index: anything that indexes."""
        return AtSelection(self._x, plan(key, self._x.sized), self._wrap)

    def __repr__(self) -> str:
        return f"<at of an array of shape {self._x.shape}; index it, as in x.at[i].set(v)>"


class Updates(Generic[T]):
    """The updates of a part of x that an index selects."""

    def set(self, value: Any) -> T:
        """X with ``x[i] = value``."""
        return self._update(value, "set")

    def add(self, value: Any) -> T:
        """X with ``x[i] += value``, for every occurrence of an index."""
        return self._update(value, "add")

    def multiply(self, value: Any) -> T:
        """X with ``x[i] *= value``, for every occurrence of an index."""
        return self._update(value, "multiply")

    def min(self, value: Any) -> T:
        """X with ``x[i] = minimum(x[i], value)``, for every occurrence of an index."""
        return self._update(value, "min")

    def max(self, value: Any) -> T:
        """X with ``x[i] = maximum(x[i], value)``, for every occurrence of an index."""
        return self._update(value, "max")

    def _update(self, value: Any, mode: str) -> T:
        raise NotImplementedError


class AtSelection(Updates[T]):
    """A part of x: `set`, `add`, `subtract`, `multiply`, `divide`, `min`, `max` give x with it updated, `get` it.

    The value broadcasts to the shape of ``x[i]`` and is cast to the dtype of x (DtypeError where that loses
    more than digits). Where an index occurs twice, the updates happen in order. A constant index out of
    range raises IndexOutOfRange; of an integer Tensor, negatives wrap and what is then out of range is dropped.

    Examples
    --------
    >>> import numpy as np
    >>> from functrans.ops import source
    >>> from functrans.ops.interpret import interpret
    >>> x = AtIndexer(source.buffer(np.zeros(4)), lambda node: interpret([node])[0])
    >>> x[[3, 1, 3]].add([1.0, 2.0, 4.0])
    array([0., 2., 0., 5.])
    >>> x[1::2].set(7.0)
    array([0., 7., 0., 7.])
    """

    def __init__(self, x: UOp, selected: Plan, wrap: Callable[[UOp], T]) -> None:
        self._x = x
        self._plan = selected
        self._wrap = wrap

    def get(self) -> T:
        """``x[i]``."""
        return self._wrap(read(self._x, self._plan))

    def subtract(self, value: Any) -> T:
        """X with ``x[i] -= value``, for every occurrence of an index."""
        if self._x.dtype.kind == "b":
            raise DtypeError(f"x.at[i].subtract is not for bools, of which x is{at_user_line()}; use ^, or logical_xor")
        negated = B.neg(assigned(value, self._x.dtype, self._plan.shape))
        return self._update(negated, "add")

    def divide(self, value: Any) -> T:
        """X with ``x[i] /= value``: divided once, by the product of the values where an index occurs often."""
        if self._x.dtype.kind not in "fc":
            raise DtypeError(
                f"x.at[i].divide gives fractions, and x has dtype {self._x.dtype.name}; "
                f"convert it first with .astype{at_user_line()}"
            )
        return self._update(value, "divide")

    def _update(self, value: Any, mode: str) -> T:
        return self._wrap(update(self._x, self._plan, value, mode))


def update(x: UOp, p: Plan, value: Any, mode: str) -> UOp:
    """X with its selection under a plan updated; ``mode`` is one of set, add, multiply, divide, min, max.

    Slices, and arrays that are progressions, become joins of the pieces of x around the new piece; other
    arrays become one scatter of the piece that the slices beside them select.
    """
    new = assigned(value, x.dtype, p.shape)
    squeezed = tuple(p.laid[a] for a in p.order)
    new = B.permute(B.reshape(new, squeezed), tuple(p.order.index(a) for a in range(len(p.order))))
    whole_x = B.reshape(x, p.source)
    old = window(whole_x, p.spans)
    if not p.lead:
        piece = _combine(old, B.reshape(new, old.sized), mode)
    else:
        axes = (*p.lead, *p.rest)
        moved = B.permute(old, axes)
        rest = moved.sized[len(p.lead) :]
        moved = _joint(moved, B.reshape(new, (*p.joint, *rest)), p, mode)
        piece = B.permute(moved, tuple(axes.index(a) for a in range(len(axes))))
    return B.reshape(splice(whole_x, p.spans, piece), x.sized)


def _combine(old: UOp, new: UOp, mode: str) -> UOp:
    return new if mode == "set" else OPS[mode](old, new)


def _joint(base: UOp, new: UOp, p: Plan, mode: str) -> UOp:
    """Base with the positions of the joint index arrays, over its leading axes, updated."""
    if p.flat is None and mode == "divide":  # a scatter has no quotients: divide by the product
        return B.div(base, B.scatter(B.like(base, 1), new, index_nodes(p), "multiply"))
    if p.flat is None:
        return B.scatter(base, new, index_nodes(p), mode)
    count = len(p.lead)
    rest = base.sized[count:]
    merged = B.reshape(base, (prod(base.sized[:count]), *rest))
    spans: tuple[Span, ...] = (p.flat, *map(whole, rest))
    old = window(merged, spans)
    return B.reshape(splice(merged, spans, _combine(old, B.reshape(new, old.sized), mode)), base.sized)
