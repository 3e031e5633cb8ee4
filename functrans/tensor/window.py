"""Strided windows: reading one, and putting one back, by movement and joins alone."""

from __future__ import annotations

from typing import NamedTuple

from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.placement import view
from functrans.ops.uop import UOp


class Span(NamedTuple):
    """The positions ``start, start + step, ...`` of an axis, ``length`` of them, walked backwards if ``flip``."""

    start: int
    step: int
    length: int
    flip: bool

    def covers(self, n: int) -> bool:
        """Whether these are all n positions of an axis, in either order."""
        return self.start == 0 and self.step == 1 and self.length == n

    def stop(self, n: int) -> int:
        """The end of the part of an axis of size n that is cut into groups of ``step``."""
        return min(self.start + self.length * self.step, n)


def whole(n: int) -> Span:
    """Every position of an axis of size n."""
    return Span(0, 1, n, False)


def progression(start: int, step: int, length: int) -> Span:
    """The span of ``start, start + step, ...``; a step is negative or positive, and of no matter to one position."""
    if length <= 1:
        return Span(start if length else 0, 1, length, False)
    return Span(start, step, length, False) if step > 0 else Span(start + (length - 1) * step, -step, length, True)


def window(x: UOp, spans: tuple[Span, ...]) -> UOp:
    """X at the spans, one an axis.

    Spans of one step that start within one group, as ``x[0::4]`` and ``x[1::4]``, read columns of the same array: so
    their cotangents lie side by side, and are not spread over all of x one by one.
    """
    firsts = [s.start % s.step for s in spans]
    spans = tuple(s._replace(start=s.start - first) for s, first in zip(spans, firsts, strict=True))
    x = crop(x, tuple((s.start, s.stop(n)) for s, n in zip(spans, x.sized, strict=True)))
    if any(s.step > 1 for s in spans):
        bounds: list[tuple[int, int]] = []
        for s, first in zip(spans, firsts, strict=True):
            bounds += ((0, s.length), (first, first + 1)) if s.step > 1 else ((0, s.length),)
        x = B.reshape(B.shrink(_grouped(x, spans), tuple(bounds)), tuple(s.length for s in spans))
    return B.flip(x, tuple(s.flip for s in spans))


def _grouped(x: UOp, spans: tuple[Span, ...]) -> UOp:
    # every axis with a step becomes two, (length, step), zeros filling the last group
    fill = tuple((0, s.length * s.step - n) for s, n in zip(spans, x.sized, strict=True))
    shape = tuple(d for s in spans for d in ((s.length, s.step) if s.step > 1 else (s.length,)))
    return B.reshape(B.pad(x, fill), shape)


def crop(x: UOp, bounds: tuple[tuple[int, int], ...]) -> UOp:
    """The window [start, stop) along each axis; of a join, only the parts that it meets."""
    if all(b == (0, n) for b, n in zip(bounds, x.sized, strict=True)):
        return x
    if x.op in (Ops.STACK, Ops.CAT) and bounds[x.arg] != (0, x.sized[x.arg]) and bounds[x.arg][0] < bounds[x.arg][1]:
        return _crop_stack(x, bounds) if x.op is Ops.STACK else _crop_cat(x, bounds)
    return view(B.shrink(x, bounds))


def _crop_stack(x: UOp, bounds: tuple[tuple[int, int], ...]) -> UOp:
    axis, (start, stop) = x.arg, bounds[x.arg]
    others = (*bounds[:axis], *bounds[axis + 1 :])
    parts = tuple(B.shrink(part, others) for part in x.src[start:stop])
    if len(parts) > 1:
        return B.stack(parts, axis)
    return B.reshape(parts[0], (*parts[0].sized[:axis], 1, *parts[0].sized[axis:]))


def _crop_cat(x: UOp, bounds: tuple[tuple[int, int], ...]) -> UOp:
    axis = x.arg
    start, stop = bounds[axis]
    parts, at = [], 0
    for part in x.src:
        n = part.sized[axis]
        first, last = max(start - at, 0), min(stop - at, n)
        if first < last:
            parts.append(B.shrink(part, (*bounds[:axis], (first, last), *bounds[axis + 1 :])))
        at += n
    return B.cat(tuple(parts), axis)


def join(parts: list[UOp], axis: int) -> UOp:
    """The parts joined, parts of a part that is a join of the same axis directly, empty ones left out."""
    flat: list[UOp] = []
    for part in parts:
        if part.op is Ops.CAT and part.arg == axis:
            flat.extend(part.src)
        elif part.sized[axis]:
            flat.append(part)
    return B.cat(tuple(flat), axis)


def splice(x: UOp, spans: tuple[Span, ...], new: UOp) -> UOp:
    """X with its window at the spans replaced: a join of pieces of x and of new, without arithmetic."""
    if 0 in new.sized:
        return x
    return _splice(x, spans, B.flip(new, tuple(s.flip for s in spans)))


def _splice(x: UOp, spans: tuple[Span, ...], new: UOp) -> UOp:
    axis = next((i for i, (s, n) in enumerate(zip(spans, x.sized, strict=True)) if not s.covers(n)), None)
    if axis is None:
        return new
    span, n = spans[axis], x.sized[axis]
    stop = span.stop(n)
    middle = part(x, axis, span.start, stop)
    inner = tuple(whole(span.length) if i == axis else s for i, s in enumerate(spans))
    if span.step == 1:
        middle = _splice(middle, inner, new)
    else:
        grouped = _grouped(middle, tuple(span if i == axis else whole(d) for i, d in enumerate(middle.sized)))
        first, rest = part(grouped, axis + 1, 0, 1), part(grouped, axis + 1, 1, span.step)
        shape = (*middle.sized[:axis], span.length, *middle.sized[axis + 1 :])
        first = B.reshape(_splice(B.reshape(first, shape), inner, new), first.sized)
        joined = B.reshape(B.cat((first, rest), axis + 1), (*shape[:axis], span.length * span.step, *shape[axis + 1 :]))
        middle = part(joined, axis, 0, stop - span.start)
    return join([part(x, axis, 0, span.start), middle, part(x, axis, stop, n)], axis)


def part(x: UOp, axis: int, start: int, stop: int) -> UOp:
    """The window [start, stop) of one axis."""
    return crop(x, tuple((start, stop) if i == axis else (0, n) for i, n in enumerate(x.sized)))
