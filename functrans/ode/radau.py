"""One step of the Radau IIA method of order 5 for stiff problems, its error, and the derivative of its stages.

Three stages at once, the last one at the end of the step: the solution of an equation in 3 n numbers. Its matrix
``I - h A (x) J`` falls into one of n and one of 2 n rows by the eigenvectors of A; both are inverted once a step.
L-stable, and of order 3 in the stages, where problems with algebraic parts slow down methods of order 2 in them.

Source: Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import functrans.numpy as fnp
from functrans.implicit.closures import Converted, converted
from functrans.implicit.dense import inverse, solved
from functrans.implicit.vectors import Layout, layout_of
from functrans.ode.control import Tolerance
from functrans.ode.dormand_prince import Step
from functrans.ode.newton import Found, iterated
from functrans.ode.problem import Slope, total
from functrans.transforms.custom import custom_jvp, stop_gradient
from functrans.transforms.jacobians import jacfwd
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

Jacobian = Callable[[Any, Any], Any]


def stepper(slope: Slope, jac: Jacobian | None, tolerance: Tolerance) -> Callable[..., Step]:
    """A function from time, state, slope there and length to a step."""

    def step(t: Any, y: Any, first: Any, h: Any) -> Step:
        layout = layout_of(y, "y")
        start, begin = layout.vector(y), layout.vector(first)
        f, constants = converted(lambda t, v: layout.vector(slope(t, layout.tree(v))), (t, start), "f")
        matrix = jacfwd(lambda v: f((t, v), constants))(start) if jac is None else jac(t, y)
        one = fnp.eye(layout.size, dtype=layout.dtype)
        single = inverse(one - (h * _REAL) * matrix)
        real, turned = one - (h * _A) * matrix, (h * _B) * matrix
        double = inverse(fnp.concatenate([
            fnp.concatenate([real, -turned], 1), fnp.concatenate([turned, real], 1)
        ]))  # fmt: skip
        scale = stop_gradient(tolerance.absolute + tolerance.relative * abs(start))
        guess = fnp.stack([begin] * 3)
        known = stop_gradient((guess, single, double, scale, fnp.full((), 0.5, layout.dtype)))
        slopes, _, count = _stages(f, layout)(start, h, t, constants, *known)
        k = [slopes[0], slopes[1], slopes[2]]
        end = start + h * _combined(_STAGES[2], k)
        error = stop_gradient(single) @ (h * _combined((_REAL, *_ERROR), [begin, *k]))
        curve = h * _combined(_CURVE, [begin, *k])
        return Step(layout.tree(end), layout.tree(k[2]), layout.tree(error), layout.tree(curve), 3 * count)

    return step


def _combined(weights: Sequence[float], slopes: Sequence[Any]) -> Any:
    return total([w * k for w, k in zip(weights, slopes, strict=True) if w])


def _stages(f: Converted, layout: Layout) -> Callable[..., Found]:
    """The rows k of ``k[i] = f(t + c[i] h, start + h sum(a[i, j] k[j]))``, with their derivative as its solution."""

    def right(k: Any, start: Any, h: Any, t: Any, constants: Any) -> list[Any]:
        rows = [k[0], k[1], k[2]]
        places = [start + h * _combined(weights, rows) for weights in _STAGES]
        return [f((t + node * h, place), constants) for node, place in zip(_NODES, places, strict=True)]

    def plain(
        start: Any, h: Any, t: Any, constants: Any, guess: Any, single: Any, double: Any, scale: Any, rate: Any
    ) -> Found:
        def correct(missing: Any) -> Any:
            a, b, c = (_combined(row, [missing[0], missing[1], missing[2]]) for row in _T_INVERSE)
            both = double @ fnp.concatenate([b, c])
            parts = [single @ a, both[: layout.size], both[layout.size :]]
            return fnp.stack([_combined(row, parts) for row in _T])

        def weighed(change: Any) -> Any:
            return fnp.stack([h * _combined(row, [change[0], change[1], change[2]]) / scale for row in _STAGES])

        return iterated(lambda k: fnp.stack(right(k, start, h, t, constants)), guess, correct, weighed, rate)

    found = custom_jvp(plain)

    def rule(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        x = found(*primals)
        start, h, t, constants, *_ = primals
        rows = [x.slope[0], x.slope[1], x.slope[2]]
        change = jvp(lambda *given: fnp.concatenate(right(x.slope, *given)), (start, h, t, constants), tangents[:4])[1]
        blocks = []
        for node, weights in zip(_NODES, _STAGES, strict=True):
            place, time = start + h * _combined(weights, rows), t + node * h
            matrix = jacfwd(lambda v, time=time: f((time, v), constants))(place)
            blocks.append(fnp.concatenate([(h * a) * matrix for a in weights], 1))
        whole = fnp.eye(3 * layout.size, dtype=layout.dtype) - fnp.concatenate(blocks)
        dk = solved(whole, change).reshape(3, layout.size)
        return x, Found(dk, fnp.zeros_like(x.rate), fnp.zeros((), np.float64))

    found.defjvp(rule)
    return found
