"""One step of the Radau IIA method of order 5 for stiff problems, its error, and the derivative of its stages.

Three stages at once, the last one at the end of the step: the solution of an equation in 3 n numbers. Its matrix
``M - h A (x) J`` falls into one of n and one of 2 n rows by the eigenvectors of A; both are factored
once a step, or for several where they are large (`reuse`).
L-stable, and of order 3 in the stages, where problems with algebraic parts slow down methods of order 2 in them.

Source: Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8.
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
from functrans.ode.model import Jacobian, Model, at_ends, model_of
from functrans.ode.newton import Found, iterated
from functrans.ode.problem import Slope, total
from functrans.ode.reuse import Shared, Used, is_fast, shared
from functrans.transforms.custom import custom_jvp, stop_gradient
from functrans.transforms.jvp import jvp

_NODES = (0.15505102572168219018, 0.64494897427831780982, 1.0)
_STAGES = (
    (0.19681547722366042587, -0.065535425850198388109, 0.02377097434822015242),
    (0.394424314739087277, 0.29207341166522846302, -0.041548752125997930198),
    (0.37640306270046727505, 0.51248582618842161384, 0.11111111111111111111),
)
# A = T L T^-1 with L of a number and of a block ((a, b), (-b, a)): its eigenvalues are that and a +- b i
_REAL, _A, _B = 0.27488882959567736775, 0.16255558520216131613, 0.18494932440714078428
_T = (
    (0.094438762488975241487, -0.14125529502095420843, -0.030029194105147424492),
    (0.25021312296533331138, 0.204129352293799932, 0.3829421127572619378),
    (1.0, 1.0, 0.0),
)
_T_INVERSE = (
    (4.1787185915519047273, 0.32768282076106238708, 0.52337644549944954804),
    (-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196),
    (-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497),
)
# beside the eigenvalue for the slope where the step begins: the difference to a method of order 3
_ERROR = (-0.42829829411536810456, 0.24503907438491652606, -0.091629609865225789249)
# the third difference of the slopes at 0 and the nodes, over 4: the fourth power of h times y'''' over 24
_CURVE = (-2.5, 3.8951955118123059561, -2.2285288451456392894, 0.83333333333333333333)
# what of it the derivative at the end has to give where M is singular: slopes are the inverse of A times differences of
# values there, of which the sum that is wanted is the former with 2.5 times the change of the last slope
_SETTLED = 2.5


def stepper(
    slope: Slope, jac: Jacobian, tolerance: Tolerance, mass: Mass | None = None
) -> Callable[..., Step]:
    """A function from time, state, slope there and length to a step."""

    def step(t: Any, y: Any, first: Any, h: Any, given: Shared | None = None) -> Step:
        model, inputs = model_of(slope, t, y, jac, mass)
        layout, begin, matrices = model.layout, model.layout.vector(first), model.matrices
        start = layout.vector(y)
        used, is_new = shared(
            lambda: jac(t, y) if callable(jac) else model.slope(t, start, inputs),
            lambda matrix: factors(matrices, inputs[2], h, matrix), h, given,
        )  # fmt: skip
        single, double = used.factors
        scale = stop_gradient(tolerance.absolute + tolerance.relative * abs(start))
        guess = fnp.stack([begin] * 3)
        known = stop_gradient((guess, single, double, scale, fnp.full((), 0.5, layout.dtype)))
        slopes, rate, rounds = _stages(model)(start, h, t, inputs, *known)
        k = [slopes[0], slopes[1], slopes[2]]
        end = start + h * _combined(_STAGES[2], k)
        curve, last = h * _combined(_CURVE, [begin, *k]), k[2]
        settled = at_ends(model, mass)
        if settled is not None:
            last = settled(t + h, end, last, inputs)
            curve = curve + _SETTLED * (h * (last - k[2]))

        def error(value: Any) -> Any:
            """By what f is where the step begins, or near it."""
            return matrices.applied(single, h * (_REAL * value + model.times_mass(_combined(_ERROR, k), inputs)))

        def again(found: Any) -> Any:
            return layout.tree(error(model.value(t, start + layout.vector(found), inputs)))

        first_error = layout.tree(error(model.times_mass(begin, inputs)))
        uses = Used(used, is_new, is_fast(rate, rounds))
        return Step(layout.tree(end), layout.tree(last), first_error, layout.tree(curve), 3 * rounds, again, uses)

    return step


def factors(matrices: Matrices, mass: Any, h: Any, matrix: Any) -> Any:
    """What a step has for the inverses of its two matrices."""
    real, turned = matrices.minus(mass, h * _A, matrix), matrices.scaled(h * _B, matrix)
    return matrices.inverse(matrices.minus(mass, h * _REAL, matrix)), matrices.pair_inverse(real, turned)


def _combined(weights: Sequence[float], slopes: Sequence[Any]) -> Any:
    return total([w * k for w, k in zip(weights, slopes, strict=True) if w])


def _stages(model: Model) -> Callable[..., Found]:
    """The rows k of ``M k[i] = f(t + c[i] h, start + h sum(a[i, j] k[j]))``, with their derivative as its solution."""
    size = model.layout.size

    def missing(k: Any, start: Any, h: Any, t: Any, inputs: Any) -> list[Any]:
        rows = [k[0], k[1], k[2]]
        places = [start + h * _combined(weights, rows) for weights in _STAGES]
        each = zip(_NODES, places, rows, strict=True)
        return [model.missing(t + node * h, place, row, inputs) for node, place, row in each]

    def plain(
        start: Any, h: Any, t: Any, inputs: Any, guess: Any, single: Any, double: Any, scale: Any, rate: Any
    ) -> Found:
        def correct(missing: Any) -> Any:
            a, b, c = (_combined(row, [missing[0], missing[1], missing[2]]) for row in _T_INVERSE)
            both = model.matrices.pair_applied(double, fnp.concatenate([b, c]))
            parts = [model.matrices.applied(single, a), both[:size], both[size:]]
            return fnp.stack([_combined(row, parts) for row in _T])

        def weighed(change: Any) -> Any:
            return fnp.stack([h * _combined(row, [change[0], change[1], change[2]]) / scale for row in _STAGES])

        return iterated(lambda k: fnp.stack(missing(k, start, h, t, inputs)), guess, correct, weighed, rate)

    found = custom_jvp(plain)

    def rule(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        x = found(*primals)
        start, h, t, inputs, *_ = primals
        rows = [x.slope[0], x.slope[1], x.slope[2]]
        given = (start, h, t, inputs)
        change = jvp(lambda *given: fnp.concatenate(missing(x.slope, *given)), given, tangents[:4])[1]
        blocks = []
        for i, (node, weights) in enumerate(zip(_NODES, _STAGES, strict=True)):
            slope = model.slope(t + node * h, start + h * _combined(weights, rows), inputs)
            # of a block beside the diagonal nothing but that of f
            row = [model.matrices.scaled(-h * a, slope) for a in weights]
            row[i] = model.minus(h * weights[i], slope, inputs)
            blocks.append(row)
        dk = model.matrices.solved(model.matrices.blocks(blocks), change).reshape(3, size)
        return x, Found(dk, fnp.zeros_like(x.rate), fnp.zeros((), np.float64))

    found.defjvp(rule)
    return found
