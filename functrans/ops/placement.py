"""Where an array lives: on a CPU thread domain, in shards over several, or in a window of a stored array or file.

A domain is a thread that runs kernels; all domains share one memory. So a COPY says who computes and stores a value,
and a MULTI that the shards of an array are computed by several threads at once. Neither changes a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, cast

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, UnsupportedError, at_user_line
from functrans.ops.build import reshape, shrink
from functrans.ops.enums import Ops
from functrans.ops.movement import flat
from functrans.ops.opdef import OpDef, like_all, register
from functrans.ops.source import stored
from functrans.ops.uop import Shape, UOp, toposort
from functrans.ops.upat import PatternMatcher, UPat

HOST = "CPU"  # the domain of the thread that calls
Window = tuple[int, int]
_NAME = re.compile(r"CPU(:(0|[1-9]\d{0,3}))?", re.ASCII)


class Layout(NamedTuple):
    """How an array lies: on one domain, or in shards of given sizes along an axis (None: whole on each domain)."""

    devices: tuple[str, ...]
    axis: int | None = None
    sizes: tuple[int, ...] = ()


def domain(name: Any) -> str:
    """The name of a domain in its one spelling: ``CPU``, ``CPU:1``, ...

    Raises UnsupportedError for another name, ArgumentError for what is no string.
    """
    expected = f"{at_user_line()}; expected a CPU thread domain: 'CPU', 'CPU:1', 'CPU:2', ..."
    if not isinstance(name, str):
        raise ArgumentError(f"device {name!r} is a {type(name).__name__}{expected}")
    found = _NAME.fullmatch(name.upper())
    if found is None:
        raise UnsupportedError(f"device {name!r} is unknown{expected}")
    return HOST if found[2] in (None, "0") else f"CPU:{found[2]}"


def device(name: str) -> UOp:
    """The node of a domain."""
    return UOp(Ops.DEVICE, dtypes.void, (), name)


def copy(x: UOp, name: str, clone: bool = False) -> UOp:
    """X on a domain; a clone has memory of its own wherever x is."""
    return UOp(Ops.COPY, x.dtype, (device(name), x), clone)


def on(x: UOp, name: str) -> UOp:
    """X on a domain, x itself where it is there already."""
    return pm_copy.rewrite(copy(x, name)) or copy(x, name)


def multi(shards: Sequence[UOp], axis: int | None, real: tuple[bool, ...] | None = None) -> UOp:
    """One array of its shards along an axis, or of equal copies where axis is None."""
    return UOp(Ops.MULTI, shards[0].dtype, tuple(shards), (axis, real or (True,) * len(shards)))


def lay(x: UOp, layout: Layout) -> UOp:
    """X as a layout says: windows of it, each a COPY to its domain."""
    devices, axis, sizes = layout
    if axis is None:
        copies = [copy(x, d) for d in devices]
        return multi(copies, None) if len(copies) > 1 else copies[0]
    whole = tuple((0, n) for n in x.sized)
    shards = [shrink(x, (*whole[:axis], w, *whole[axis + 1 :])) for w in windows(sizes)]
    return multi([copy(s, d) for s, d in zip(shards, devices, strict=True)], axis)


def whole(x: UOp) -> UOp:
    """The array that x deals out to domains as :func:`lay` does, else x itself.

    >>> from functrans.ops.build import iota
    >>> whole(lay(iota(3), Layout(("CPU", "CPU:1"), 0, (2, 1)))) is iota(3)
    True
    """
    if x.op is Ops.COPY:
        return x.src[1]
    if x.op is not Ops.MULTI or not all(s.op is Ops.COPY for s in x.src):
        return x
    first = x.src[0].src[1]
    base = first.src[0] if first.op is Ops.SHRINK and len(first.src) == 1 and x.arg[0] is not None else first
    devices = tuple(s.src[0].arg for s in x.src)
    axis = x.arg[0]
    sizes = () if axis is None else tuple(s.sized[axis] for s in x.src)
    return base if base.shape == x.shape and lay(base, Layout(devices, axis, sizes)) is x else x


def buffer_view(base: UOp, size: int, offset: int) -> UOp:
    """The window of ``size`` elements from ``offset`` on of a BUFFER."""
    return UOp(Ops.BUFFER_VIEW, base.dtype, (base,), (size, offset))


def even(n: int, count: int) -> tuple[Window, ...]:
    """Windows of n elements for a number of shards, the sizes of which differ by one at most."""
    return windows(even_sizes(n, count))


def even_sizes(n: int, count: int) -> tuple[int, ...]:
    """n as a sum of sizes that differ by one at most, the larger ones first."""
    return tuple(n // count + (k < n % count) for k in range(count))


def windows(sizes: Sequence[int]) -> tuple[Window, ...]:
    """The windows, one behind the other, of the given sizes."""
    stops = list(accumulate(sizes))
    return tuple((stop - n, stop) for n, stop in zip(sizes, stops, strict=True))


def domains_of(x: UOp) -> tuple[str, ...]:
    """The domains that hold the shards of a value; empty where it may be computed anywhere.

    >>> from functrans.ops.build import add
    >>> x = copy(UOp.const(dtypes.float64, 1.0), "CPU:1")
    >>> domains_of(add(x, x))
    ('CPU:1',)
    """
    for node in toposort((x,), enter=lambda u: u.memo is None or "domains" not in u.memo):
        node.remember("domains", _domains)
    found: tuple[str, ...] = x.remember("domains", _domains)
    return found


def _domains(node: UOp) -> tuple[str, ...]:
    if node.op is Ops.COPY:
        return (node.src[0].arg,)
    below = [s.remember("domains", _domains) for s in node.src]
    if node.op is Ops.MULTI:
        return tuple((d or (HOST,))[0] for d in below)
    return max(below, key=len, default=())


def _copy_check(node: UOp) -> str | None:
    if len(node.src) != 2 or node.src[0].op is not Ops.DEVICE:
        return f"sources {node.src}; expected a DEVICE and an array"
    return None if isinstance(node.arg, bool) else f"arg {node.arg!r}; expected whether to clone"


def _multi_check(node: UOp) -> str | None:
    axis, real = node.arg
    shapes = [s.shape for s in node.src]
    if not shapes or len(real) != len(shapes):
        return f"{len(shapes)} shards and {len(real)} flags; expected one flag a shard"
    if axis is None:
        return None if len(set(shapes)) == 1 and all(real) else f"copies of shapes {shapes}, of which {real} are real"
    if not 0 <= axis < node.src[0].ndim:
        return f"axis {axis} of shards of shapes {shapes}"
    rest = {(*s.sized[:axis], *s.sized[axis + 1 :]) for s in node.src}
    return None if len(rest) == 1 else f"shards of shapes {shapes} along axis {axis}; the other axes must agree"


def _multi_shape(node: UOp) -> Shape:
    axis, first = node.arg[0], node.src[0].sized
    return first if axis is None else (*first[:axis], sum(s.sized[axis] for s in node.src), *first[axis + 1 :])


def _multi_numpy(node: UOp, *shards: Any) -> Any:
    axis, real = node.arg
    if axis is None:
        return shards[0]
    return np.concatenate([s if r else np.zeros_like(s) for s, r in zip(shards, real, strict=True)], axis)


def _view_check(node: UOp) -> str | None:
    if len(node.src) != 1 or node.src[0].op is not Ops.BUFFER:
        return f"source {node.src}; expected a BUFFER"
    size, offset = node.arg
    inside = 0 <= offset and 0 <= size and offset + size <= node.src[0].arg
    return None if inside else f"window of {size} from {offset} on in a buffer of {node.src[0].arg}"


register(OpDef(Ops.COPY, "placement", "the source, held by a domain; a clone in memory of its own",
               lambda n: n.src[1].shape, lambda n, x: np.array(x) if n.arg else x, check=_copy_check,
               typed=lambda n: n.src[1].dtype == n.dtype))  # fmt: skip
register(OpDef(Ops.MULTI, "placement", "shards over domains, or equal copies (axis, which are not zeros)",
               _multi_shape, _multi_numpy, check=_multi_check, typed=like_all))  # fmt: skip
register(OpDef(Ops.BUFFER_VIEW, "source", "a window of a stored array or of a file (size, offset)",
               lambda n: (n.arg[0],), lambda n, x: stored(n), check=_view_check))  # fmt: skip


def block(shape: Shape, bounds: Sequence[Window]) -> Window | None:
    """Where a window of an array in C order lies in memory, as (size, offset), if it is one block; else None.

    >>> block((4, 3), ((1, 3), (0, 3))), block((4, 3), ((1, 3), (0, 2)))
    ((6, 3), None)
    """
    if any(start == stop for start, stop in bounds):
        return 0, 0
    size, offset, stride = 1, 0, 1
    for n, (start, stop) in zip(reversed(shape), reversed(bounds), strict=True):
        if size != stride and stop - start > 1:  # an axis behind is not taken in full
            return None
        size, offset, stride = size * (stop - start), offset + start * stride, stride * n
    return size, offset


def _window(node: UOp, x: UOp) -> UOp | None:
    """A window of a stored array that is one block of its memory is a view."""
    base = flat(x)
    if base.op is not Ops.BUFFER_VIEW:
        return None
    found = block(x.sized, node.arg)
    if found is None:
        return None
    return reshape(buffer_view(base.src[0], found[0], base.arg[1] + found[1]), node.sized)


def view(x: UOp) -> UOp:
    """X, or where it is one block of a window of a stored array the smaller window."""
    folded = pm_view.rewrite(x)
    return x if folded is None else cast(UOp, folded)


def _stays(node: UOp, x: UOp) -> UOp | None:
    """A copy to the domain where the source is already, and that is no clone, is its source."""
    return x if not node.arg and domains_of(x) == (node.src[0].arg,) else None


pm_view = PatternMatcher([(UPat(Ops.SHRINK, src=(UPat.var("x"),), name="node"), _window)])
pm_copy = PatternMatcher([(UPat(Ops.COPY, src=(UPat(Ops.DEVICE), UPat.var("x")), name="node"), _stays)])


def is_placed(order: Iterable[UOp]) -> bool:
    """Whether a graph speaks of domains."""
    return any(u.op in (Ops.COPY, Ops.MULTI) for u in order)
