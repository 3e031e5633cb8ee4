"""How a value lies over domains, and how it comes to lie another way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from functrans.errors import UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops import placement
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.placement import Layout, Window
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp, toposort

_ZERO = const(0)


class Spread(NamedTuple):
    """A value by its shards, one a domain.

    ``axis`` is the axis they are parts of, None where each is the whole value, or a RANGE where each holds the values
    of a part of its loop. Without ``devices`` it is one value that any domain may compute.
    """

    values: tuple[UOp, ...]
    devices: tuple[str, ...] = ()
    axis: int | UOp | None = None

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the shards along their axis."""
        assert isinstance(self.axis, int)
        return tuple(v.sized[self.axis] for v in self.values)

    @property
    def layout(self) -> Layout | None:
        """How an array made of this lies; None where nobody said."""
        if not self.devices:
            return None
        return Layout(self.devices) if self.axis is None else Layout(self.devices, cast(int, self.axis), self.sizes)

    def along(self, axis: int) -> bool:
        """Whether the shards are parts of that axis."""
        return isinstance(self.axis, int) and self.axis == axis

    def on(self, k: int) -> UOp:
        """What shard k sees of a value that is not sharded."""
        return self.values[k if self.devices else 0]


class Homes(dict[UOp, str]):
    """The domains that compute the sources of COPYs."""

    def move(self, x: UOp, source: str, target: str) -> UOp:
        """X of one domain, seen by another. What is stored already is read where it lies: memory is shared."""
        if source == target or _is_stored(x):
            return x
        free = tuple(sorted(x.free_ranges, key=lambda r: str(r.arg)))
        if free:  # a copy is of all lanes at once
            varg = (*free, *(_ZERO,) * x.ndim)
            return self.move(x.vmapout(varg), source, target).vmapin(varg)
        self.setdefault(x, source)
        return placement.copy(x, target)

    def take(self, x: Spread, window: Window, k: int, devices: Sequence[str]) -> UOp:
        """The window of a sharded value along its axis, on a domain: the parts of the shards in it, joined."""
        assert isinstance(x.axis, int)
        parts = []
        for value, home, (start, stop) in zip(x.values, x.devices, placement.windows(x.sizes), strict=True):
            low, high = max(start, window[0]), min(stop, window[1])
            if low < high:
                parts.append(self.move(cut(value, x.axis, (low - start, high - start)), home, devices[k]))
        return joined(parts, x.axis) if parts else nothing(x.values[0], x.axis)

    def resharded(self, x: Spread, axis: int, sizes: Sequence[int], devices: tuple[str, ...]) -> Spread:
        """The same value in shards of other sizes, along the same axis or another, on other domains or the same."""
        if x.along(axis) and x.devices == devices and tuple(sizes) == x.sizes:
            return x
        parts = placement.windows(sizes)
        if x.axis is None:
            return Spread(
                tuple(cut(self.whole(x, d), axis, w) for d, w in zip(devices, parts, strict=True)), devices, axis
            )
        if x.along(axis):
            return Spread(tuple(self.take(x, w, k, devices) for k, w in enumerate(parts)), devices, axis)
        values = []
        for target, w in zip(devices, parts, strict=True):
            sliced = Spread(tuple(cut(v, axis, w) for v in x.values), x.devices, x.axis)
            values.append(self.whole(sliced, target))
        return Spread(tuple(values), devices, axis)

    def whole(self, x: Spread, target: str) -> UOp:
        """All of a value on one domain."""
        if x.axis is None:
            if not x.devices:
                return x.values[0]
            k = x.devices.index(target) if target in x.devices else 0
            return self.move(x.values[k], x.devices[k], target)
        return self.take(x, (0, sum(x.sizes)), 0, (target,))

    def gathered(self, x: Spread) -> Spread:
        """All of a value on each of its domains."""
        if x.axis is None:
            return x
        return Spread(tuple(self.whole(x, d) for d in x.devices), x.devices)


def cut(x: UOp, axis: int, window: Window) -> UOp:
    """The window along one axis."""
    return within(x, tuple(window if k == axis else (0, n) for k, n in enumerate(x.sized)))


def within(x: UOp, bounds: tuple[Window, ...]) -> UOp:
    """The window along each axis; a window of a window is one window."""
    if x.op is Ops.SHRINK and len(x.src) == 1:
        bounds = tuple((s + a, s + b) for (s, _), (a, b) in zip(x.arg, bounds, strict=True))
        x = x.src[0]
    return B.shrink(x, bounds)


def joined(parts: Sequence[UOp], axis: int) -> UOp:
    """The parts along an axis; windows of one array that lie side by side are one window."""
    made = [parts[0]]
    for part in parts[1:]:
        last = made.pop()
        whole = _side_by_side(last, part, axis)
        made.extend((last, part) if whole is None else (whole,))
    return B.cat(tuple(made), axis)


def _side_by_side(a: UOp, b: UOp, axis: int) -> UOp | None:
    if a.op is not Ops.SHRINK or b.op is not Ops.SHRINK or len(a.src) > 1 or a.src != b.src:
        return None
    bounds = list(a.arg)
    bounds[axis] = (a.arg[axis][0], b.arg[axis][1])
    meet = a.arg[axis][1] == b.arg[axis][0]
    alike = all(k == axis or p == q for k, (p, q) in enumerate(zip(a.arg, b.arg, strict=True)))
    return B.shrink(a.src[0], tuple(bounds)) if meet and alike else None


def nothing(x: UOp, axis: int) -> UOp:
    """An array like x, without an element along the axis."""
    return B.full((*x.sized[:axis], 0, *x.sized[axis + 1 :]), x.dtype, 0)


def _is_stored(x: UOp) -> bool:
    """Whether a value only rearranges arrays that lie in memory before anything runs."""
    below = toposort((x,), enter=lambda u: u.op in GroupOp.Movement)
    return not x.free_ranges and all(u.op in GroupOp.Movement or u.op in _STORED for u in below)


_STORED = GroupOp.Source - {Ops.RANGE}


def in_words(x: Spread) -> str:
    """In words, for messages."""
    where = "on " + x.devices[0] if len(x.devices) == 1 else f"over {x.devices}"
    if isinstance(x.axis, UOp):
        return f"sharded along a mapped axis {where}"
    return f"sharded along axis {x.axis} {where}" if x.axis is not None else f"whole {where}"


def disagree(what: str, a: Spread, b: Spread) -> UnsupportedError:
    """The error for two values that lie on different domains, or along different axes."""
    return UnsupportedError(
        f"{what} of values that lie differently{at_user_line()}: one is {in_words(a)}, another {in_words(b)}; "
        "bring one to the other's domains and axis with .shard(devices, axis), or both to one domain with .to(device)"
    )
