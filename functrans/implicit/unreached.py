"""Values that there are not, of what is no solution: NaN, and so are their derivatives, forward and backward.

A selection of a constant NaN would have the derivative zero. A cotangent that is zero says that nobody asks for the
value: it stays zero, and what is asked for has the gradient that it has alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import functrans.numpy as fnp
from functrans import tree
from functrans._records import record
from functrans.ops import build as B
from functrans.ops.custom import Mark, marked
from functrans.ops.uop import UOp
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.transforms.custom import calls
from functrans.transforms.custom.lanes import Lanes


def where_reached(is_there: Any, x: Any, instead: Any = ()) -> Any:
    """Leaves of x where it is there, else NaN, which then is every derivative by numbers in ``instead``, too."""

    def leaf(x: Any) -> Any:
        there = fnp.broadcast_to(is_there, x.shape)
        beside = () if others is None else (others.astype(x.dtype).uop,)
        return Tensor.from_uop(_selected(there.uop, x.uop, beside))

    others = _of_all(instead)
    return tree.map(leaf, x)


def as_it_is(x: Any) -> Any:
    """The same numbers; where they are NaN, so are their tangents."""
    return tree.map(lambda x: where_reached(~fnp.isnan(x), x), x)


def _of_all(given: Any) -> Any:
    """A number whose derivatives by all the others, of any order, are not zero; None where there are none."""
    leaves = [x for x in tree.leaves(given) if x.dtype.kind in "fc" and x.size]
    sums = [fnp.sum(fnp.real(x) + fnp.imag(x) if x.dtype.kind == "c" else x) for x in leaves]
    return fnp.exp(sum(sums[1:], sums[0])) if sums else None


def _selected(there: UOp, x: UOp, others: Sequence[UOp] = ()) -> UOp:
    """X where it is there, else NaN, as a call with the rule, with the derivatives of what is in the others too."""
    a, *rest, b = (marked(u, Mark(_RULE)) if is_traced(u) else u for u in (there, *others, x))
    return calls.custom(B.where(a, b, B.like(b, np.nan)), (a, *rest, b), _RULE, 0)


@record
class Unreached:
    """The rule of such a selection: a tangent is selected as its value is."""

    name: str = "what a solution does not reach"

    opaque = True

    def batched(self, sizes: tuple[int, ...], axes: Sequence[tuple[int, ...]]) -> Lanes:
        """The rule of one lane, for many."""
        return Lanes(self, sizes, tuple(axes))

    def begin(
        self, inputs: Sequence[UOp], tangents: Sequence[UOp | None], to_transpose: bool
    ) -> Callable[[UOp], tuple[UOp, UOp | None]]:
        """The tangent, NaN where the value is."""
        there, (_, *others, along) = calls.primals(inputs)[0], tangents
        for other in others:
            if other is not None:
                beside = B.broadcast(other, there.sized)
                own = B.like(beside, 0) if along is None else along
                along = B.where(there, own, beside if along is None else B.add(along, beside))
        tangent = None if along is None else _selected(there, along)
        return lambda node: (node, tangent)

    def pull(self, inputs: Sequence[UOp], cotangent: UOp) -> UOp:
        """The cotangent, NaN where it asks for what is not there."""
        none = B.eq(cotangent, B.like(cotangent, 0))
        return B.where(none, cotangent, _selected(calls.primals(inputs)[0], cotangent))


_RULE = Unreached()
