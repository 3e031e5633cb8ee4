"""Between samples along a line: interpolation, derivatives by differences, angles made continuous."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import ArgumentError, ArgumentValueError, DtypeError, ShapeError, UnsupportedError, at_user_line
from functrans.numpy._wrap import of, tensor
from functrans.numpy.joining import concatenate
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.tensor import compose, meanings, order, running
from functrans.tensor.constants import is_traced, known
from functrans.tensor.core import Tensor
from functrans.tensor.lift import is_weak, result_dtype
from functrans.tensor.reduce import normal_axes, normal_axis
from functrans.tensor.window import crop

__all__ = ["gradient", "interp", "unwrap"]


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Tensor:
    """The piecewise linear function through the points (xp, fp) at x, as float64, or complex128 of a complex fp.

    x has any shape, xp and fp have one axis of equal length, xp ascends. Below xp[0] the result is left (by default
    fp[0]), above xp[-1] it is right (by default fp[-1]); with a period, x and xp count modulo it and xp is sorted.
    The derivative in x is the slope, at a point of xp that of the interval to its right; beyond the ends it is 0. The
    pattern of the derivative in fp is exact where x and xp are constant: two points for each x. Raises ShapeError
    where xp and fp do not fit or are empty, ArgumentValueError for a period of 0, DtypeError for a complex x or xp.
    A search by halves for each x.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.interp([-1.0, 0.5, 1.5], [0.0, 1.0, 2.0], [10.0, 20.0, 40.0])
    Tensor([10., 15., 30.], dtype=float64)
    """
    at, knots, values = _real("x", x), _real("xp", xp), tensor(fp)
    values = values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)
    if knots.ndim != 1 or values.ndim != 1 or knots.size != values.size or not knots.size:
        raise ShapeError(
            f"interp: xp has shape {knots.shape} and fp {values.shape}{at_user_line()}; expected one axis of the same "
            "length, at least one point"
        )
    if period is not None:
        at, knots, values = _wrapped(at, knots, values, _real("period", period))
        left = right = None
    ends = _end("left", left, values, 0), _end("right", right, values, -1)
    if values.dtype.kind != "c":
        return _between(at, knots, values, *ends)
    re, im = (
        _between(at, knots, *(of(part(u.uop)) for u in (values, *ends)))
        for part in (meanings.real_part, meanings.imag_part)
    )
    im = _where(at.isnan(), im * 0, im)
    return of(meanings.complex_of(re.uop, im.uop))


def _end(name: str, given: Any, values: Tensor, place: int) -> Tensor:
    """The value beyond an end."""
    if given is None:
        return values[place]
    end = tensor(given)
    if end.ndim or (end.dtype.kind == "c" and values.dtype.kind != "c"):
        raise ArgumentError(
            f"interp: {name} has shape {end.shape} and dtype {end.dtype} for values of {values.dtype}{at_user_line()}; "
            "expected one number of their kind"
        )
    return end.astype(values.dtype)


def _real(name: str, x: Any) -> Tensor:
    y = tensor(x)
    if name == "xp" and y.ndim != 1:
        raise ShapeError(f"interp: xp has shape {y.shape}{at_user_line()}; expected one axis")
    if y.dtype.kind == "c":
        raise DtypeError(f"interp: {name} has dtype {y.dtype}{at_user_line()}; expected real numbers")
    return y.astype(np.float64)


def _wrapped(at: Tensor, knots: Tensor, values: Tensor, period: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The points of one period in order, with one more on each side."""
    value = known(period.uop)
    if value is not None and (value == 0).any():
        raise ArgumentValueError(f"interp: period is 0{at_user_line()}; expected any other number")
    period = abs(period)
    at, knots = at % period, knots % period
    found = of(order.argsort(knots.uop))
    knots, values = knots[found], values[found]
    knots = concatenate((knots[-1:] - period, knots, knots[:1] + period))
    return at, knots, concatenate((values[-1:], values, values[:1]))


def _between(at: Tensor, knots: Tensor, values: Tensor, left: Tensor, right: Tensor) -> Tensor:
    """Real values between points: NumPy's formula, from the point to the left of each x."""
    n = knots.size
    below, above = at < knots[0], at > knots[-1]
    if n == 1:
        return _where(below, left, _where(above, right, values[0]))
    passed = of(order.searchsorted(knots.uop, at.uop, "right")) - 1
    here, cell = passed.clip(0, n - 1), passed.clip(0, n - 2)  # at the last point the slope before it, from there
    x0, x1, y0, y1 = (_taken(u, k) for u in (knots, values) for k in (cell, cell + 1))
    slope = (y1 - y0) / (x1 - x0)
    xs, ys = _taken(knots, here), _taken(values, here)
    y = slope * (at - xs) + ys
    # where the slope is not finite: at a point its value, else from the other end, else from both if they are equal
    lost = y.isnan()
    other = slope * (at - x1) + y1
    other = _where(other.isnan() & (y0 == y1), y0, other)
    y = _where(at == xs, _where(lost, ys, y), _where(lost, other, y))
    y = _where(at.isnan(), at, y)
    return _where(below, left, _where(above, right, y))


def _where(mask: Tensor, a: Tensor, b: Tensor) -> Tensor:
    return of(compose.where(mask.uop, a.uop, b.uop))


def _taken(x: Tensor, index: Tensor) -> Tensor:
    """X at indices that are in range."""
    return of(B.gather(x.uop, B.inside(index.uop, x.size)))


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """The derivatives of samples along axes, by differences: central inside, one-sided of edge_order 1 or 2 at ends.

    varargs are the distances: none (1), one number for all axes, or for each axis a number or the coordinates along
    it. The result has the shape of f and its dtype, float64 of integers; of several axes it is a tuple. Linear in f;
    the pattern is that of the differences, and of constant evenly spaced coordinates that of a number. Raises
    ShapeError for an axis of at most edge_order samples or coordinates of another length, ArgumentValueError for
    another edge_order, ArgumentError for a wrong number of varargs, DtypeError for bools. One pass for each axis.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.gradient([1.0, 2.0, 4.0, 7.0])
    Tensor([1. , 1.5, 2.5, 3. ], dtype=float64)
    >>> fnp.gradient([1.0, 2.0, 4.0], [0.0, 1.0, 3.0], edge_order=2)
    Tensor([1., 1., 1.], dtype=float64)
    """
    x = tensor(f)
    axes = tuple(range(x.ndim)) if axis is None else _each_axis(axis, x.ndim)
    if edge_order not in (1, 2):
        raise ArgumentValueError(f"gradient: edge_order is {edge_order!r}{at_user_line()}; expected 1 or 2")
    if x.dtype.kind == "b":
        raise DtypeError(f"gradient of bools{at_user_line()}: they cannot be subtracted; convert them to a float dtype")
    x = x if x.dtype.kind in "fc" else x.astype(np.float64)
    if len(varargs) == 1 and np.ndim(varargs[0]) == 0:
        varargs = varargs * len(axes)
    if varargs and len(varargs) != len(axes):
        raise ArgumentError(
            f"gradient: {len(varargs)} distances for {len(axes)} axes{at_user_line()}; expected none, one number, or "
            "one for each axis"
        )
    found = []
    for k, given in zip(axes, varargs or (1.0,) * len(axes), strict=True):
        if x.shape[k] < edge_order + 1:
            raise ShapeError(
                f"gradient: axis {k} of shape {x.shape} has {x.shape[k]} samples{at_user_line()}; edge_order "
                f"{edge_order} needs at least {edge_order + 1}"
            )
        found.append(_differences(x, k, _steps(given, x.shape[k], k), edge_order).astype(x.dtype))
    return found[0] if len(found) == 1 else tuple(found)


def _each_axis(axis: Any, ndim: int) -> tuple[int, ...]:
    normal_axes(axis, ndim)  # raises for one that is missing or there twice
    return tuple(normal_axis(k, ndim) for k in (axis if isinstance(axis, (tuple, list)) else (axis,)))


def _steps(given: Any, n: int, axis: int) -> Any:
    """A number, or the distances between neighbors as an array of n - 1."""
    if is_weak(given):
        return given
    at = tensor(given)
    if at.ndim == 0:
        return at
    if at.shape != (n,):
        raise ShapeError(
            f"gradient: distances of shape {at.shape} for axis {axis} of {n} samples{at_user_line()}; expected a "
            f"number, or coordinates of shape ({n},)"
        )
    steps = of(running.diff((at if at.dtype.kind in "fc" else at.astype(np.float64)).uop))
    value = known(steps.uop)
    even = value is not None and bool((value == value[0]).all())
    return steps[0] if even else steps


def _differences(x: Tensor, axis: int, steps: Any, edge_order: int) -> Tensor:
    n = x.shape[axis]

    def at(start: int, stop: int) -> Tensor:
        return of(crop(x.uop, tuple((start, stop) if i == axis else (0, d) for i, d in enumerate(x.shape))))

    if not isinstance(steps, Tensor) or steps.ndim == 0:
        middle = (at(2, n) - at(0, n - 2)) / (2.0 * steps)
        before = after = steps
        weights = (-1.5 / steps, 2.0 / steps, -0.5 / steps), (0.5 / steps, -2.0 / steps, 1.5 / steps)
    else:
        shape = tuple(-1 if i == axis else 1 for i in range(x.ndim))
        d, e = steps[:-1].reshape(shape), steps[1:].reshape(shape)
        middle = -e / (d * (d + e)) * at(0, n - 2) + (e - d) / (d * e) * at(1, n - 1) + d / (e * (d + e)) * at(2, n)
        before, after = steps[0], steps[-1]
        weights = _edges(steps) if edge_order == 2 else ((), ())  # type: ignore[assignment]
    if edge_order == 1:
        first, last = (at(1, 2) - at(0, 1)) / before, (at(n - 1, n) - at(n - 2, n - 1)) / after
    else:
        (a, b, c), (p, q, r) = weights
        first = a * at(0, 1) + b * at(1, 2) + c * at(2, 3)
        last = p * at(n - 3, n - 2) + q * at(n - 2, n - 1) + r * at(n - 1, n)
    return concatenate((first, middle, last), axis)


def _edges(steps: Tensor) -> Any:
    """The weights of the first three samples and of the last three, of second order."""
    d, e = steps[0], steps[1]
    first = -(2.0 * d + e) / (d * (d + e)), (d + e) / (d * e), -d / (e * (d + e))
    d, e = steps[-2], steps[-1]
    return first, (e / (d * (d + e)), -(e + d) / (d * e), (2.0 * e + d) / (e * (d + e)))


def unwrap(p: Any, discont: Any = None, axis: Any = -1, *, period: Any = 2 * np.pi) -> Tensor:
    """P along an axis with multiples of the period added where neighbors differ by more than discont.

    discont is by default, and at least, half of the period. The result has the shape of p, and the dtype that p and
    the period have together. What is added is constant almost everywhere: the derivative in p is p's own. A running
    sum along the axis. AxisError for an axis that is not there, DtypeError for complex numbers.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.unwrap([0, 1, 2, -1, 0], period=4)
    Tensor([0, 1, 2, 3, 4], dtype=int64)
    """
    x = tensor(p)
    if x.dtype.kind == "c":
        raise DtypeError(f"unwrap of {x.dtype}{at_user_line()}: complex numbers have no period; unwrap np.angle(p)")
    if x.dtype.kind == "u" and result_dtype([x.uop, period]).kind == "u":
        raise DtypeError(f"unwrap of {x.dtype}{at_user_line()}: unsigned differences have no sign; use a signed dtype")
    if not is_weak(period) and is_traced(tensor(period).uop):
        raise UnsupportedError(f"unwrap by a traced period{at_user_line()}; divide p by it and use period=1.0")
    k = normal_axis(axis, x.ndim)
    jump = of(running.diff(x.uop, axis=k))
    dtype = result_dtype([jump.uop, period])
    if dtype.kind in "iu":
        high, rest = divmod(period, 2)
        at_the_edge = bool(rest == 0)
    else:
        high, at_the_edge = period / 2, True
    turned = (jump + high) % period - high
    if at_the_edge:
        turned = _where((turned == -high) & (jump > 0), tensor(high).astype(turned.dtype), turned)
    more = turned - jump
    more = _where(abs(jump) < (period / 2 if discont is None else discont), more * 0, more)
    more = of(compose.passed(more.uop, Ops.DETACH)) if dtypes.is_inexact(more.uop.dtype) else more
    added = of(running.cumulate(more.uop, Ops.ADD, k))
    if x.shape[k]:  # nothing is added to the first
        none = B.full(tuple(1 if i == k else n for i, n in enumerate(x.shape)), added.uop.dtype, 0)
        added = concatenate((of(none), added), k)
    return (x + added).astype(dtype.numpy)
