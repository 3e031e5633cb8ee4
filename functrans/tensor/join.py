"""Arrays joined, split, and repeated."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import UOp
from functrans.tensor.indexing import take
from functrans.tensor.lift import constant_of, is_weak, lift, node_of, result_dtype
from functrans.tensor.reduce import normal_axis
from functrans.tensor.shape import atleast, expand_dims, integer, sizes
from functrans.tensor.window import crop


def nodes(arrays: Any, name: str, dtype: Any = None, weak: bool = False) -> list[UOp]:
    """The operands of a join in one dtype; ``weak``: Python's numbers give way, where NumPy has them do so."""
    items = sequence(arrays, name, weak)
    if not items:
        raise ShapeError(f"{name}: need at least one array{at_user_line()}")
    common = dtypes.from_numpy(dtype) if dtype is not None else result_dtype(items)
    return [constant_of(x, common) if is_weak(x) else lift(x, common) for x in items]


def sequence(arrays: Any, name: str, weak: bool = False) -> list[Any]:
    """The operands of a function that takes a sequence of arrays; ArgumentError for what is none.

    They are nodes, and Python's numbers where they are ``weak``.
    """
    node = node_of(arrays)
    if node is not None or isinstance(arrays, np.ndarray):  # an array is the sequence of its rows
        given = node if node is not None else lift(arrays)
        if given.ndim == 0:
            raise ArgumentError(f"{name}: expected a sequence of arrays, got one without axes{at_user_line()}")
        return [take(given, np.array(i), 0) for i in range(given.sized[0])]
    if not isinstance(arrays, Iterable):
        raise ArgumentError(f"{name}: expected a sequence of arrays, got {arrays!r}{at_user_line()}")
    return [x if weak and is_weak(x) else lift(x) for x in arrays]


def concatenate(arrays: Any, axis: Any = 0, dtype: Any = None, name: str = "concatenate") -> UOp:
    """The arrays one after another along an axis they have; flattened where axis is None."""
    items = nodes(arrays, name, dtype, weak=axis is None)
    if axis is None:
        items, axis = [B.reshape(x, (x.size,)) for x in items], 0
    shapes = " and ".join(str(x.shape) for x in items)
    if any(x.ndim == 0 for x in items):
        raise ShapeError(f"{name}: zero-dimensional arrays cannot be concatenated{at_user_line()}; use stack")
    if len({x.ndim for x in items}) > 1:
        raise ShapeError(f"{name}: arrays of shapes {shapes}{at_user_line()}; expected as many axes in each")
    k = normal_axis(axis, items[0].ndim)
    if len({(*x.sized[:k], *x.sized[k + 1 :]) for x in items}) > 1:
        raise ShapeError(f"{name}: arrays of shapes {shapes} along axis {k}{at_user_line()}; other axes must agree")
    full = [x for x in items if x.sized[k]]
    return B.cat(tuple(full), k) if full else items[0]


def stack(arrays: Any, axis: Any = 0, dtype: Any = None) -> UOp:
    """Arrays of one shape along a new axis."""
    items = nodes(arrays, "stack", dtype)
    if len({x.shape for x in items}) > 1:
        shapes = " and ".join(str(x.shape) for x in items)
        raise ShapeError(f"stack: arrays of shapes {shapes}{at_user_line()}; all must have the same shape")
    return B.stack(tuple(items), normal_axis(axis, items[0].ndim + 1))


def vstack(arrays: Any, dtype: Any = None) -> UOp:
    """The arrays below each other, rows made of those of one axis."""
    return concatenate([atleast(x, 2) for x in nodes(arrays, "vstack", dtype)], 0, name="vstack")


def hstack(arrays: Any, dtype: Any = None) -> UOp:
    """The arrays side by side: along axis 1, or 0 where they have one axis."""
    items = [atleast(x, 1) for x in nodes(arrays, "hstack", dtype)]
    return concatenate(items, 0 if items[0].ndim == 1 else 1, name="hstack")


def dstack(arrays: Any) -> UOp:
    """The arrays behind each other, along axis 2."""
    return concatenate([atleast(x, 3) for x in nodes(arrays, "dstack")], 2, name="dstack")


def column_stack(arrays: Any) -> UOp:
    """Arrays of one axis as columns, beside those that have two."""
    items = nodes(arrays, "column_stack")
    return concatenate([x if x.ndim > 1 else B.reshape(x, (x.size, 1)) for x in items], 1, name="column_stack")


def block(arrays: Any) -> UOp:
    """An array from nested lists of blocks: the innermost along the last axis, and so outwards."""
    depth = _depth(arrays)
    if depth == 0:
        return lift(arrays)
    leaves = nodes(_leaves(arrays), "block")
    ndim = max(depth, *(x.ndim for x in leaves))
    return _block(arrays, depth, ndim)


def _depth(x: Any) -> int:
    if not isinstance(x, list):
        return 0
    found = {_depth(y) for y in x}
    if len(found) != 1:
        raise ShapeError(f"block: lists nested to different depths, or empty{at_user_line()}")
    return 1 + found.pop()


def _leaves(x: Any) -> list[Any]:
    return [leaf for y in x for leaf in _leaves(y)] if isinstance(x, list) else [x]


def _block(x: Any, depth: int, ndim: int) -> UOp:
    if depth == 0:
        node = lift(x)
        return B.reshape(node, (1,) * (ndim - node.ndim) + node.sized)
    return concatenate([_block(y, depth - 1, ndim) for y in x], ndim - depth, name="block")


def split(x: UOp, sections: Any, axis: Any = 0, equal: bool = True) -> list[UOp]:
    """Windows along an axis: so many of equal size, or cut at the given positions."""
    k = normal_axis(axis, x.ndim)
    n = x.sized[k]
    if isinstance(sections, (list, tuple)) or (isinstance(sections, np.ndarray) and sections.ndim):
        cuts = [c if c >= 0 else max(c + n, 0) for c in sizes(list(sections), "indices")]
        edges = [0, *(min(c, n) for c in cuts), n]
    else:
        count = integer(sections, "sections")
        if count <= 0:
            raise ShapeError(f"split: {count} sections{at_user_line()}; expected at least 1")
        if equal and n % count:
            raise ShapeError(
                f"array split does not result in an equal division{at_user_line()}: axis {k} has size {n}, "
                f"{count} sections asked for; use array_split"
            )
        edges = [i * (n // count) + min(i, n % count) for i in range(count + 1)]
    return [
        crop(x, tuple((a, max(a, b)) if i == k else (0, d) for i, d in enumerate(x.sized))) for a, b in pairwise(edges)
    ]


def tile(x: UOp, reps: Any) -> UOp:
    """The array repeated as a whole, reps times along each axis."""
    times = sizes(reps, "reps")
    if any(t < 0 for t in times):
        raise ShapeError(f"tile: negative repetitions {times}{at_user_line()}")
    ndim = max(x.ndim, len(times))
    times = (1,) * (ndim - len(times)) + times
    shape = (1,) * (ndim - x.ndim) + x.sized
    apart = B.reshape(x, tuple(d for n in shape for d in (1, n)))
    grown = B.expand(apart, tuple(d for t, n in zip(times, shape, strict=True) for d in (t, n)))
    return B.reshape(grown, tuple(t * n for t, n in zip(times, shape, strict=True)))


def repeat(x: UOp, repeats: Any, axis: Any = None) -> UOp:
    """Each element (along an axis) repeated: as often for all, or as a constant array says."""
    if axis is None:
        x, axis = B.reshape(x, (x.size,)), 0
    k = normal_axis(axis, x.ndim)
    counts = np.atleast_1d(np.asarray(repeats))
    if counts.dtype.kind not in "biu" and counts.size:
        raise ArgumentError(f"repeat: repeats is {repeats!r}{at_user_line()}; expected integers")
    if counts.ndim > 1:
        raise ShapeError(f"repeat: repeats has shape {counts.shape}{at_user_line()}; expected one axis")
    if (counts < 0).any():
        raise ShapeError(f"repeat: repeats may not be negative{at_user_line()}")
    counts = counts.astype(np.int64)  # bools, and the floats of NumPy that no numbers are
    if counts.size == 1:
        times = int(counts[0])
        grown = B.expand(expand_dims(x, k + 1), (*x.sized[: k + 1], times, *x.sized[k + 1 :]))
        return B.reshape(grown, (*x.sized[:k], x.sized[k] * times, *x.sized[k + 1 :]))
    if counts.size != x.sized[k]:
        raise ShapeError(
            f"repeat: {counts.size} repeats for axis {k} of shape {x.shape}{at_user_line()}; expected {x.sized[k]} or 1"
        )
    return take(x, np.repeat(np.arange(x.sized[k]), counts), k)


def append(x: UOp, values: Any, axis: Any = None) -> UOp:
    """Values after the array along an axis; both flattened where axis is None."""
    return concatenate([x, lift(values)], axis, name="append")


def unstack(x: UOp, axis: Any = 0) -> tuple[UOp, ...]:
    """The arrays that lie along an axis."""
    if x.ndim == 0:
        raise ShapeError(f"unstack needs an array of at least one axis{at_user_line()}")
    k = normal_axis(axis, x.ndim)
    rest = (*x.sized[:k], *x.sized[k + 1 :])
    return tuple(B.reshape(y, rest) for y in split(x, list(range(1, x.sized[k])), k)) if x.sized[k] else ()
