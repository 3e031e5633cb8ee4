"""The cotangent of a node, added up from those of its readers.

A reader of a small window gives a cotangent that is zero elsewhere. Written out as an array for each window, a program
that takes an array apart element by element would have a derivative that costs the square of what it does. So the
windows are kept as they are until all are there, and then laid side by side, or added up in one array where they
overlap. A few, or large ones, are padded and added in one expression, which is one loop without memory of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.opdef import opdef
from functrans.ops.uop import Shape, UOp
from functrans.tensor.constants import constant
from functrans.transforms.cotangent import Cotangent, added

FEW = 4  # windows that are worth one expression, however small they are
WASTE = 4  # times the elements of the windows: more zeros than that are not written out
Bounds = tuple[tuple[int, int], ...]


class Window(NamedTuple):
    """The cotangent of the elements within bounds, [start, stop) along each axis."""

    part: Cotangent
    bounds: Bounds

    def padded(self, x: UOp) -> Cotangent:
        """As an array like x."""
        widths = tuple((start, n - stop) for (start, stop), n in zip(self.bounds, x.sized, strict=True))
        return self.part.moved(lambda c: B.pad(c, widths))


class Reads(NamedTuple):
    """The cotangents of elements read at indices of the leading axes, all in range."""

    value: UOp
    indices: tuple[UOp, ...]

    def onto(self, base: UOp) -> UOp:
        """Added to an array, in its memory."""
        return B.scatter(base, self.value, self.indices, "add")


Part = Cotangent | Window | Reads


def total(x: UOp, parts: Sequence[Part]) -> Cotangent:
    """The sum of the parts of the cotangent of x, of which there is one at least.

    In the order of the parts, but for windows that are not padded and for reads, which come last. Costs a constant
    times the elements of the parts and of x, whatever the number of the parts.
    """
    windows = [p for p in parts if isinstance(p, Window)]
    reads = [p for p in parts if isinstance(p, Reads)]
    whole = _sum(p for p in parts if isinstance(p, Cotangent))
    sums = _by_bounds(windows)
    is_waste = len(windows) * x.size > WASTE * sum(w.part.value.size for w in windows)
    is_split = len(sums) > 1 and sum(c.value.size for c in sums.values()) == x.size and _are_apart(list(sums))
    if is_waste and whole is not None and _is_stored(whole):
        reads.insert(0, _as_reads([(w.bounds, w.part.dense()) for w in windows]))
    elif is_split or (is_waste and len(windows) > FEW):
        joined = _joined(x, sums)
        whole = joined if whole is None else added(whole, joined)
    else:
        whole = _sum(p.padded(x) if isinstance(p, Window) else p for p in parts if not isinstance(p, Reads))
    if whole is None or (reads and _is_stored(whole)):
        return Cotangent(_onto(B.like(x, 0) if whole is None else whole.value, reads))
    return added(whole, Cotangent(_onto(B.like(x, 0), reads))) if reads else whole


def _sum(parts: Iterable[Cotangent]) -> Cotangent | None:
    found = None
    for p in parts:
        found = added(found, p)
    return found


def _onto(base: UOp, reads: Sequence[Reads]) -> UOp:
    for r in reads:
        base = r.onto(base)
    return base


def _is_stored(c: Cotangent | None) -> bool:
    """Whether a cotangent is an array in memory already, or better were one: the sum of several padded windows."""
    if c is None or c.places is not None:
        return False
    node, pads = c.value, 0
    while node.op is Ops.ADD and pads < FEW:
        a, b = node.src
        pads += _is_padded(a) or _is_padded(b)
        node = b if _is_padded(a) else a
    return pads == FEW or opdef(node).updates


def _is_padded(x: UOp) -> bool:
    return opdef(x).fill is not None


def _by_bounds(windows: Sequence[Window]) -> dict[Bounds, Cotangent]:
    found: dict[Bounds, Cotangent] = {}
    for w in windows:
        found[w.bounds] = added(found.get(w.bounds), w.part)
    return found


def _joined(x: UOp, sums: dict[Bounds, Cotangent]) -> Cotangent:
    """Windows as one array."""
    value = _array(x.sized, [(b, c.dense()) for b, c in sums.items()])
    known = [(b, c.places) for b, c in sums.items() if c.places is not None]
    return Cotangent(value, _array(x.sized, known) if len(known) == len(sums) else None, True)


Placed = Sequence[tuple[Bounds, UOp]]


def _array(shape: Shape, values: Placed) -> UOp:
    """The values within their bounds, zero elsewhere; where they overlap the sum, of conditions whether any holds."""
    if _are_apart([b for b, _ in values]):
        return _side_by_side(shape, values)
    if values[0][1].dtype.kind == "b":
        counts = _array(shape, [(b, B.cast(v, dtypes.int32)) for b, v in values])
        return B.lt(B.like(counts, 0), counts)
    return _as_reads(values).onto(B.full(shape, values[0][1].dtype, 0))


def _are_apart(boxes: Sequence[Bounds], axis: int = 0) -> bool:
    """Whether no two overlap, told from one axis after the other: those that agree so far are equal or apart here."""
    if axis == len(boxes[0]):
        return len(boxes) == 1
    groups: dict[tuple[int, int], list[Bounds]] = {}
    for box in boxes:
        groups.setdefault(box[axis], []).append(box)
    meet = any(start < stop for (_, stop), (start, _) in pairwise(sorted(groups)))
    return not meet and all(_are_apart(g, axis + 1) for g in groups.values())


def _side_by_side(shape: Shape, values: Placed, axis: int = 0) -> UOp:
    """Values that are apart put together, from this axis on: they agree on those before."""
    if axis == len(shape):
        return values[0][1]
    groups: dict[tuple[int, int], list[tuple[Bounds, UOp]]] = {}
    for bounds, value in values:
        groups.setdefault(bounds[axis], []).append((bounds, value))
    parts: list[UOp] = []
    end = 0
    for start, stop in sorted(groups):
        part = _side_by_side(shape, groups[start, stop], axis + 1)
        _fill(parts, part, axis, start - end)
        parts.append(part)
        end = stop
    _fill(parts, parts[-1], axis, shape[axis] - end)
    return B.cat(tuple(parts), axis)


def _fill(parts: list[UOp], like: UOp, axis: int, length: int) -> None:
    """Zeros of a length along an axis, where there are any."""
    if length:
        shape = tuple(length if k == axis else n for k, n in enumerate(like.sized))
        parts.append(B.full(shape, like.dtype, 0))


def _as_reads(values: Placed) -> Reads:
    """Values within bounds as ones at indices: of overlapping windows, too."""
    grids = [np.meshgrid(*(np.arange(*b) for b in bounds), indexing="ij") for bounds, _ in values]
    at = [np.concatenate([g[k].reshape(-1) for g in grids]) for k in range(len(grids[0]))]
    flat = B.cat(tuple(B.reshape(v, (v.size,)) for _, v in values))
    return Reads(flat, tuple(constant(k) for k in at))
