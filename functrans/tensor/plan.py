"""From the entries of an index to the steps that read or write it."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans._records import record
from functrans.errors import IndexOutOfRange, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import Shape, UOp
from functrans.tensor.static_index import GAP, NEW, Entry, Index, parse
from functrans.tensor.window import Span, progression, whole


@record
class Plan:
    """How ``x[key]`` is read, step by step.

    x is reshaped to ``source``; the window at ``spans`` is taken; the axes ``lead`` are moved to the front and
    indexed together by ``indices``, arrays that broadcast to ``joint`` (or, where their flat positions make a
    progression, are that span ``flat`` of the merged axes); every other axis is reshaped to its ``splits``;
    the axes are permuted by ``order``; and the result is reshaped to ``shape``, which only adds axes of size 1.
    """

    source: Shape
    spans: tuple[Span, ...]
    lead: tuple[int, ...]
    indices: tuple[Index, ...]
    joint: Shape
    flat: Span | None
    splits: tuple[Shape, ...]
    order: tuple[int, ...]
    shape: Shape

    @property
    def rest(self) -> tuple[int, ...]:
        """The axes that are not indexed together."""
        return tuple(a for a in range(len(self.source)) if a not in self.lead)

    @property
    def laid(self) -> Shape:
        """The shape before the axes are permuted."""
        return (*self.joint, *(d for split in self.splits for d in split))


def plan(key: Any, shape: Shape) -> Plan:
    """The plan of ``x[key]`` for an x of this shape; raises what NumPy would, see `parse`."""
    source, entries = parse(key, shape)
    return arrange(source, entries)


def arrange(source: Shape, entries: list[Entry]) -> Plan:
    """The plan of entries over the axes of a source."""
    if all(e.index is None for e in entries):
        return _basic(source, entries)
    entries = [e.beside_arrays() for e in entries]
    taken = [e for e in entries if e.takes_axis]
    arrays = {a: e.index for a, e in enumerate(taken) if e.index is not None}
    together = _broadcast([_shape(i) for i in arrays.values()])
    sizes = {a: (1,) * (len(together) - len(_shape(i))) + _shape(i) for a, i in arrays.items()}
    runs = {a: run for a, i in arrays.items() if (run := _run(a, i, sizes)) is not None}
    lead = tuple(a for a in arrays if a not in runs)
    # number the axes as they lie before they are permuted: those of the joint gather, then the others in turn
    shared = [d for d in range(len(together)) if any(sizes[a][d] != 1 for a in lead)]
    home = {("joint", d): k for k, d in enumerate(shared)}
    splits: list[Shape] = []
    for a, entry in enumerate(taken):
        if entry.span is not None:
            home["axis", a] = len(home)
            splits.append((entry.span.length,))
        elif a in runs:
            own = [d for d in range(len(together)) if sizes[a][d] != 1]
            home |= {("joint", d): len(home) + k for k, d in enumerate(own)}
            splits.append(tuple(together[d] for d in own))
    spans = tuple(e.span or runs.get(a) or whole(n) for a, (e, n) in enumerate(zip(taken, source, strict=True)))
    names, shape = _result(entries, together)
    joint = tuple(together[d] for d in shared)
    indices = tuple(_reshape(arrays[a], [sizes[a][d] for d in shared]) for a in lead)
    return Plan(
        source, spans, lead, indices, joint, _flat([source[a] for a in lead], indices, joint),
        tuple(splits), tuple(home[name] for name in names if name in home), shape,
    )  # fmt: skip


def _basic(source: Shape, entries: list[Entry]) -> Plan:
    """The plan of an index without arrays."""
    taken = [(e.span, e.drop) for e in entries if e.span is not None]
    splits = tuple(() if drop else (span.length,) for span, drop in taken)
    kept = [e for e in entries if not e.drop and e is not GAP]
    shape = tuple(1 if e.span is None else e.span.length for e in kept)
    order = tuple(range(sum(not drop for _, drop in taken)))
    return Plan(source, tuple(span for span, _ in taken), (), (), (), None, splits, order, shape)


def _result(entries: list[Entry], together: Shape) -> tuple[list[tuple[str, int]], Shape]:
    """The axes of the result: where each comes from, and how long it is."""
    names: list[tuple[str, int]] = []
    shape: list[int] = []
    advanced = [k for k, e in enumerate(entries) if e.index is not None]
    block = [("joint", d) for d in range(len(together))]
    # NumPy: arrays side by side leave their axes where they stood, arrays apart move them to the front
    apart = advanced[-1] - advanced[0] >= len(advanced)
    if apart:
        names, shape = list(block), list(together)
    axis = 0
    for k, entry in enumerate(entries):
        if k == advanced[0] and not apart:
            names.extend(block)
            shape.extend(together)
        if entry is NEW:
            names.append(("new", k))
            shape.append(1)
        elif entry.span is not None:
            names.append(("axis", axis))
            shape.append(entry.span.length)
        axis += entry.takes_axis
    return names, tuple(shape)


def _shape(index: Index) -> Shape:
    return index.sized if isinstance(index, UOp) else index.shape


def _reshape(index: Index, shape: list[int]) -> Index:
    return B.reshape(index, tuple(shape)) if isinstance(index, UOp) else index.reshape(shape)


def _broadcast(shapes: list[Shape]) -> Shape:
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError as error:
        raise IndexOutOfRange(
            f"index arrays of shapes {', '.join(map(str, shapes))} do not broadcast together{at_user_line()}"
        ) from error


def _run(axis: int, index: Index, sizes: dict[int, Shape]) -> Span | None:
    """The span that a constant array is, if it is one and has its axes of the result for itself."""
    if isinstance(index, UOp):
        return None
    mine = [d for d, n in enumerate(sizes[axis]) if n != 1]
    if any(other[d] != 1 for a, other in sizes.items() if a != axis for d in mine):
        return None
    return _progression(index.reshape(-1))


def _progression(values: np.ndarray[Any, Any]) -> Span | None:
    if values.size < 2:
        return progression(int(values[0]) if values.size else 0, 1, values.size)
    steps = np.diff(values)
    step = int(steps[0])
    return progression(int(values[0]), step, values.size) if step and (steps == step).all() else None


def _flat(sizes: list[int], indices: tuple[Index, ...], joint: Shape) -> Span | None:
    if not indices:
        return None
    flat = np.zeros(joint, np.int64)
    for n, i in zip(sizes, indices, strict=True):
        if isinstance(i, UOp):
            return None
        flat = flat * n + i
    return _progression(flat.reshape(-1))
