"""A rule of the user's own under a batch: it is applied to one lane, whatever became of the graph around."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from functrans.ops.custom import Rule
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp
from functrans.trace import claim

Tangent = UOp | None


@dataclass(frozen=True)
class Lanes:
    """The rule of a call where real batch axes stand in front of its arguments: ``axes`` says which of ``sizes``."""

    rule: Rule
    sizes: tuple[int, ...]
    axes: tuple[tuple[int, ...], ...]

    opaque = True

    @property
    def name(self) -> str:
        """That of the function."""
        return self.rule.name

    def batched(self, sizes: tuple[int, ...], axes: Sequence[tuple[int, ...]]) -> Lanes:
        """Under more axes, in front."""
        return Lanes(self, sizes, tuple(axes))

    def begin(
        self, inputs: Sequence[UOp], tangents: Sequence[Tangent], to_transpose: bool
    ) -> Callable[[UOp], tuple[UOp, Tangent]]:
        """The rule at the slices of one lane."""
        ranges = [claim(UOp.range(n)) for n in self.sizes]

        def enter(x: UOp, own: tuple[int, ...]) -> UOp:
            varg = (*(ranges[k] for k in own), *(const(0) for _ in range(x.ndim - len(own))))
            return x.vmapin(varg) if own else x

        def leave(x: UOp) -> UOp:
            return x.vmapout((*ranges, *(const(0) for _ in x.sized)))

        lanes = [enter(x, own) for x, own in zip(inputs, self.axes, strict=True)]
        slices = [None if t is None else enter(t, own) for t, own in zip(tangents, self.axes, strict=True)]
        apply = self.rule.begin(lanes, slices, to_transpose)

        def at(node: UOp) -> tuple[UOp, Tangent]:
            value = enter(node.src[0], tuple(range(len(ranges))))
            here, tangent = apply(UOp(node.op, node.dtype, (value, *lanes), (self.rule, node.arg[1])))
            return leave(here), None if tangent is None else leave(tangent)

        return at
