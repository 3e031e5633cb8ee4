"""What steps of implicit methods share: the derivative of f while the iteration converges fast by it, and the factors
of the matrices while steps have one length too. Small matrices are factored in every step, as are sparse ones whose
factors are soon found again.

Source: Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import functrans.numpy as fnp
from functrans import tree
from functrans.implicit.vectors import layout_of
from functrans.ode.mass import Mass
from functrans.ode.matrices import Dense
from functrans.ode.model import model_of
from functrans.ode.problem import Slope
from functrans.transforms.custom import stop_gradient
from functrans.transforms.loops.branch import cond

ROUNDS = 32
"""Of a block of steps that are taken again: a lane's states in them lie in the nearest cache. From a block to the next
nothing is shared, so that its steps are the same from the state that it begins with.
"""
_FAST = 1e-2  # a rate by which two or three iterations are enough
_SAME = 0.8, 1.2  # how much shorter or longer a step would be that is as long as the last one

Factors = Callable[[Any, Any, Any, Any], Any]
"""Forms of matrices, the mass, a length and the derivative of f to what a step takes for inverses."""


class Shared(NamedTuple):
    """The derivative of f, what steps of a length ``h`` have for inverses, and whether the next step may use it."""

    matrix: Any
    factors: Any
    h: Any
    is_near: Any


class Used(NamedTuple):
    """What a step has used: whether the derivative is that where it begins, and whether the iteration was fast."""

    shared: Shared
    is_new: Any
    is_fast: Any


def nothing(factors: Factors, jac: Any, slope: Slope, mass: Mass | None, t: Any, y: Any) -> Shared | None:
    """Nothing to share yet; None where there never is, as with complex numbers, which steps do not take."""
    layout = layout_of(y, "y")
    if layout.dtype.kind == "c":
        return None
    matrices = model_of(slope, t, y, jac, mass)[0].matrices if jac == "sparse" else Dense(layout.size, layout.dtype)
    zero = matrices.zero(layout.dtype)
    found = factors(matrices, None, fnp.zeros_like(t), zero)
    if not matrices.are_kept(found):
        return None
    return Shared(zero, tree.map(fnp.zeros_like, found), fnp.zeros_like(t), fnp.zeros((), bool))


def shared(slope: Callable[[], Any], factors: Callable[[Any], Any], h: Any, given: Shared | None) -> tuple[Shared, Any]:
    """What a step of a length uses, constant in derivatives, and whether ``slope`` was evaluated for it."""
    yes = fnp.ones((), bool)
    if given is None:
        matrix = slope()
        return Shared(matrix, stop_gradient(factors(matrix)), h, yes), yes
    is_new, h = ~given.is_near, stop_gradient(h)
    matrix = cond(is_new, lambda _: stop_gradient(slope()), lambda m: m, given.matrix)
    is_other = is_new | (given.h != h)
    found = cond(is_other, lambda m, _: stop_gradient(factors(m)), lambda _, f: f, matrix, given.factors)
    return Shared(matrix, found, h, yes), is_new


def is_fast(rate: Any, count: Any) -> Any:
    """Whether an iteration of so many rounds is fast."""
    return (count <= 2) | (rate <= _FAST)


def fresh(given: Shared | None, rounds: Any) -> Shared | None:
    """What is given, of which a step does not use anything after some rounds."""
    return None if given is None else given._replace(is_near=given.is_near & (rounds % ROUNDS != 0))


def following(used: Used, h: Any, error: Any, longer: Any) -> tuple[Any, Shared]:
    """The length of the next step, where ``longer`` is what the error lets it have, and what is shared with it.

    A little longer or shorter is not worth factors: a step that is refused for that is tried again as short as it is to
    be. Where nothing converges by an old derivative, the step is tried once more.
    """
    ok = error <= 1
    ratio = longer / h
    is_same = ok & used.is_fast & (ratio >= _SAME[0]) & (ratio <= _SAME[1]) | fnp.isnan(error) & ~used.is_new
    return fnp.where(is_same, h, longer), used.shared._replace(is_near=fnp.where(ok, used.is_fast, used.is_new))
