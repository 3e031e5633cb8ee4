"""A rule of the user's own under a batch: it is applied to one lane, whatever became of the graph around."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from functrans._records import record
from functrans.ops import build as B
from functrans.ops.custom import Pull, Rule
from functrans.ops.enums import Ops
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp
from functrans.trace import claim

Tangent = UOp | None


@record
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

    @property
    def pull(self) -> Pull | None:
        """That of one lane, for many."""
        return None if self.rule.pull is None else functools.partial(self._pulled, self.rule.pull)

    def _pulled(self, pull: Pull, inputs: Sequence[UOp], cotangent: UOp) -> UOp:
        """By the rule at the slices of one lane; summed over axes that the last argument has not."""
        ranges = [claim(UOp.range(n)) for n in self.sizes]
        every = tuple(range(len(ranges)))
        lanes = [_enter(x, ranges, own) for x, own in zip(inputs, self.axes, strict=True)]
        found = _leave(pull(lanes, _enter(cotangent, ranges, every)), ranges)
        return B.reduce_axis(found, Ops.ADD, tuple(k for k in every if k not in self.axes[-1]))

    def begin(
        self, inputs: Sequence[UOp], tangents: Sequence[Tangent], to_transpose: bool
    ) -> Callable[[UOp], tuple[UOp, Tangent]]:
        """The rule at the slices of one lane."""
        ranges = [claim(UOp.range(n)) for n in self.sizes]

        lanes = [_enter(x, ranges, own) for x, own in zip(inputs, self.axes, strict=True)]
        slices = [None if t is None else _enter(t, ranges, own) for t, own in zip(tangents, self.axes, strict=True)]
        apply = self.rule.begin(lanes, slices, to_transpose)

        def at(node: UOp) -> tuple[UOp, Tangent]:
            value = _enter(node.src[0], ranges, tuple(range(len(ranges))))
            here, tangent = apply(UOp(node.op, node.dtype, (value, *lanes), (self.rule, node.arg[1])))
            return _leave(here, ranges), None if tangent is None else _leave(tangent, ranges)

        return at


def _enter(x: UOp, ranges: Sequence[UOp], own: tuple[int, ...]) -> UOp:
    """The slice of one lane."""
    return x.vmapin((*(ranges[k] for k in own), *(const(0) for _ in range(x.ndim - len(own))))) if own else x


def _leave(x: UOp, ranges: Sequence[UOp]) -> UOp:
    """All lanes, their axes in front."""
    return x.vmapout((*ranges, *(const(0) for _ in x.sized)))
