"""One step of Kvaerno's method of order 5 for stiff problems, its error, and the derivative of its stages.

Seven stages, the first explicit and the last one the end of the step; the others are each the solution of an equation
with the same matrix ``M - h gamma J``, which is factored once a step, or for several where it is large
(`reuse`). L-stable, as is the embedded method of order 4.

Source: Kvaerno, Singly diagonally implicit Runge-Kutta methods with an explicit first stage, BIT 44 (2004), table of
the 5(4) pair; predictors of stages as in OrdinaryDiffEq.jl.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import functrans.numpy as fnp
from functrans.ode.control import Tolerance
from functrans.ode.dormand_prince import Step
from functrans.ode.mass import Mass
from functrans.ode.matrices import Matrices
from functrans.ode.model import Jacobian, Model, at_ends, is_singular, model_of
from functrans.ode.newton import Found, iterated
from functrans.ode.problem import Slope, total
from functrans.ode.reuse import Shared, Used, is_fast, shared
from functrans.transforms.custom import custom_jvp, stop_gradient
from functrans.transforms.jvp import jvp

_DIAGONAL = 0.26
_NODES = (0.52, 1.230333209967908, 0.8957659843500759, 0.43639360985864756, 1.0, 1.0)
_STAGES = (
    (0.26,),
    (0.13, 0.84033320996790809),
    (0.22371961478320505, 0.47675532319799699, -0.06470895363112615),
    (0.16648564323248321, 0.10450018841591720, 0.03631482272098715, -0.13090704451073998),
    (0.13855640231268224, 0.0, -0.04245337201752043, 0.02446657898003141, 0.61943039072480676),
    (
        0.13659751177640291, 0.0, -0.05496908796538376, -0.04118626728321046, 0.62993304899016403,
        0.06962479448202728,
    ),
)  # fmt: skip
_PREDICTED = (
    (1.0,),
    (-1.366025403784441, 2.3660254037844357),
    (-0.19650552613122207, 0.8113579546496623, 0.38514757148155954),
    (0.10375304369958693, 0.937994698066431, -0.04174774176601781),
    (-0.17281112873898072, 0.6235784481025847, 0.5492326806363959),
    (
        0.13855640231268224, 0.0, -0.04245337201752043, 0.02446657898003141, 0.61943039072480676,
        0.26,
    ),
)  # fmt: skip
_WEIGHTS = (*_STAGES[5], _DIAGONAL)
_EMBEDDED = (*_STAGES[4], _DIAGONAL, 0.0)
_ERROR = tuple(b - e for b, e in zip(_WEIGHTS, _EMBEDDED, strict=True))
# the fourth power of h times the fourth derivative over 24, from slopes of order two: of the weights w with
# sum(w c^k) = 0, 0, 0, 1/4 for k = 0 to 3 and sum(w (A c^2 - c^3 / 3)) = 0 those of the least squares
_CURVE = (
    -0.48424934964585775, 0.0, 0.9921747011803452, -0.6241080331021578, 1.3801004273784232, -0.6319588729053763,
    -0.6319588729053763,
)  # fmt: skip
# the same where M is singular, from the derivative at the end too: as sums of w over values of stages and of s over
# both ends' derivatives, those with sum(w c^k) + s0 k 0^(k-1) + s1 k = 0, 0, 0, 0, 1 for k = 0 to 4 and
# sum(w (A c^2 - c^3 / 3)) = sum(w c (A c^2 - c^3 / 3)) = sum(w A (A c^2 - c^3 / 3)) = sum(w (A c^3 - c^4 / 4)) = 0
_CURVE_SINGULAR = (
    -0.5477515228879759, 0.0, 0.5864475062959328, -2.7524037903345477, 1.7205694900021047, -0.8423983815554312,
    -0.6644633015200904, 2.5,
)  # fmt: skip


def stepper(
    slope: Slope, jac: Jacobian, tolerance: Tolerance, mass: Mass | None = None
) -> Callable[..., Step]:
    """A function from time, state, slope there and length to a step."""

    def step(t: Any, y: Any, first: Any, h: Any, given: Shared | None = None) -> Step:
        model, inputs = model_of(slope, t, y, jac, mass)
        layout, start = model.layout, model.layout.vector(y)
        used, is_new = shared(
            lambda: jac(t, y) if callable(jac) else model.slope(t, start, inputs),
            lambda matrix: factors(model.matrices, inputs[2], h, matrix), h, given,
        )  # fmt: skip
        w, fast = used.factors, fnp.ones((), bool)
        scale = stop_gradient(tolerance.absolute + tolerance.relative * abs(start))
        stage = _stage(model)
        slopes, rate, count = [layout.vector(first)], fnp.full((), 0.5, layout.dtype), fnp.zeros((), np.int64)
        for node, weights, predicted in zip(_NODES, _STAGES, _PREDICTED, strict=True):
            base = start + h * _combined(weights, slopes)
            guess = _combined(predicted, slopes)
            slope_there, rate, more = stage(base, h, t + node * h, inputs, *stop_gradient((guess, w, scale, rate)))
            slopes.append(slope_there)
            count, fast = count + more, fast & is_fast(rate, more)
        end = base + (h * _DIAGONAL) * slopes[-1]
        error, bent, last = h * _combined(_ERROR, slopes), h * _combined(_CURVE, slopes), slopes[-1]
        settled = at_ends(model, mass)
        if mass is not None and settled is not None:
            last = settled(t + h, end, last, inputs)
            bent = fnp.where(is_singular(mass), h * _combined(_CURVE_SINGULAR, [*slopes, last]), bent)
        uses = Used(used, is_new, fast)
        return Step(layout.tree(end), layout.tree(last), layout.tree(error), layout.tree(bent), count, used=uses)

    return step


def factors(matrices: Matrices, mass: Any, h: Any, matrix: Any) -> Any:
    """What a step has for the inverse of its matrix."""
    return matrices.inverse(matrices.minus(mass, h * _DIAGONAL, matrix))


def _combined(weights: Sequence[float], slopes: Sequence[Any]) -> Any:
    return total([w * k for w, k in zip(weights, slopes, strict=False) if w])


def _stage(model: Model) -> Callable[..., Found]:
    """The k of ``M k = f(t, base + h gamma k)``, with its derivative as the solution of that."""

    def plain(base: Any, h: Any, t: Any, inputs: Any, guess: Any, w: Any, scale: Any, rate: Any) -> Found:
        def missing(k: Any) -> Any:
            return model.missing(t, base + (h * _DIAGONAL) * k, k, inputs)

        def weighed(change: Any) -> Any:
            return (h * _DIAGONAL) * change / scale

        return iterated(missing, guess, lambda r: model.matrices.applied(w, r), weighed, rate)

    found = custom_jvp(plain)

    def rule(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        x = found(*primals)
        k, (base, h, t, inputs, *_) = x.slope, primals

        def missing(base: Any, h: Any, t: Any, inputs: Any) -> Any:
            return model.missing(t, base + (h * _DIAGONAL) * k, k, inputs)

        change = jvp(missing, (base, h, t, inputs), tangents[:4])[1]
        matrix = model.slope(t, base + (h * _DIAGONAL) * k, inputs)
        dk = model.matrices.solved(model.minus(h * _DIAGONAL, matrix, inputs), change)
        return x, Found(dk, fnp.zeros_like(x.rate), fnp.zeros((), np.float64))

    found.defjvp(rule)
    return found
