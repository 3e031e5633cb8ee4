"""What an array is in one round of a loop, of what loops stack."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from functrans.backend.policy import L1_BYTES, share
from functrans.backend.schedule.along import Along, Axis, without
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.loops import Scan
from functrans.ops.source import param
from functrans.ops.symbolic import const
from functrans.ops.uop import Shape, UOp, toposort

_ZERO = const(0)


class RoundValue(NamedTuple):
    """What an array is in a round: of elements of sequences, and of constants, all of them placeholders."""

    value: UOp
    sequences: dict[UOp, UOp]
    constants: dict[UOp, UOp]


def is_stack(u: UOp) -> bool:
    """Whether a value is what a loop stacks."""
    return u.op is Ops.RESULT and isinstance(u.src[0].arg, Scan) and u.arg >= u.src[0].arg.carries


def after_loops(order: Iterable[UOp]) -> set[UOp]:
    """The nodes that depend on what a loop stacks."""
    found: set[UOp] = set()
    for u in order:
        if is_stack(u) or not found.isdisjoint(u.src):
            found.add(u)
    return found


def round_value(array: UOp, axis: int, looped: set[UOp], numbers: set[UOp]) -> RoundValue | None:
    """What an array is in a round, if that is computed of what loops stack; ``looped``: what depends on that,
    ``numbers``: what is made of numbers of the program alone. None if there is more to it.
    """
    made = _Round(array, axis, looped, numbers)
    value = made.element()
    if value is None:
        return None
    inside = set(toposort((value,)))
    sequences = {s: p for s, p in made.sequences.items() if p in inside}
    constants = {s: p for s, p in made.constants.items() if p in inside}
    stacks = [p.size * p.dtype.itemsize for s, p in sequences.items() if is_stack(s)]
    largest = max(u.size * u.dtype.itemsize for u in inside if u.shape is not None)
    is_open = any(not s.free_ranges <= array.free_ranges for s in (*sequences, *constants))
    if is_open or not stacks or largest > max(share(L1_BYTES), *stacks):
        return None
    return RoundValue(value, sequences, constants)


class _Round(Along):
    """What an array is in a round, of placeholders."""

    def __init__(self, array: UOp, axis: int, looped: set[UOp], numbers: set[UOp]) -> None:
        super().__init__(array, axis, looped | numbers)
        self.numbers = numbers
        self.sequences: dict[UOp, UOp] = {}
        self.constants: dict[UOp, UOp] = {}

    def _sources(self, u: UOp, axis: Axis) -> list[tuple[UOp, Axis]]:
        around = u.op is Ops.VMAPIN and not self.array.free_ranges.isdisjoint(u.src[1:])
        return [] if around else super()._sources(u, axis)

    def leaf(self, u: UOp, axis: Axis) -> UOp | None:
        """An element of a sequence: of a stack, or of what depends on none."""
        if isinstance(axis, UOp):
            if u in self.inner:
                return None
            sequence = u.vmapout((axis, *(_ZERO,) * u.ndim))
        else:
            assert axis is not None
            if u in self.inner and not (is_stack(u) and axis == 0):
                return None
            sequence = B.permute(u, (axis, *without(tuple(range(u.ndim)), axis)))
        return self.sequences.setdefault(sequence, param(sequence.sized[1:], u.dtype))

    def same(self, u: UOp, shape: Shape) -> UOp:
        """A number of the program, or a constant of the loop."""
        x = B.reshape(u, shape)
        return x if u in self.numbers else self.constants.setdefault(x, param(shape, u.dtype))
