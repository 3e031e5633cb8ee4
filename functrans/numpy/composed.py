"""Elementwise functions that are no ufuncs: choosing, clipping, rounding, cleaning, comparing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from functrans.errors import (
    ArgumentValueError,
    ShapeError,
    TracedValueError,
    at_user_line,
)
from functrans.numpy._wrap import of, tensor
from functrans.ops import build as B
from functrans.tensor import compose
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.tensor.elementwise import apply
from functrans.tensor.handle import refuse_out
from functrans.tensor.join import stack
from functrans.tensor.lift import lift
from functrans.tensor.reduce import all_

__all__ = [
    "allclose", "angle", "argwhere", "around", "array_equal", "clip", "divmod", "fix", "flatnonzero",
    "frexp", "imag", "isclose", "iscomplex", "isneginf", "isposinf", "isreal", "modf", "nan_to_num", "nonzero",
    "polyval", "real", "round", "select", "sinc", "where",
]  # fmt: skip


def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    """X where the condition holds, else y; all three broadcast.

    Nothing of the branch that is not chosen gets through: its NaN do not, nor do those of its derivative.
    With the condition alone this is `nonzero`. ShapeError where the shapes do not broadcast.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.where([True, False], 1.0, [2.0, 3.0])
    Tensor([1., 3.], dtype=float64)
    """
    if x is None and y is None:
        return nonzero(condition)
    return of(compose.where(condition, x, y))


def nonzero(a: Any) -> tuple[Tensor, ...]:
    """The indices of the elements that are not zero, one array for each axis.

    How many there are must be known: a traced array raises TracedValueError.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nonzero([0, 5, 7])
    (Tensor([1, 2], dtype=int64),)
    """
    node = lift(a)
    if node.ndim == 0:
        raise ShapeError(f"nonzero of an array without axes{at_user_line()}; write atleast_1d(x) != 0")
    if is_traced(node) and node.size:
        raise TracedValueError(
            f"nonzero (where with one argument) of a traced array of shape {node.shape}{at_user_line()}: how many "
            "elements it finds is not known while tracing; use where(condition, x, y)"
        )
    return tuple(map(Tensor, np.nonzero(of(node).numpy() if node.size else np.zeros(node.sized))))


def flatnonzero(a: Any) -> Tensor:
    """The indices of the elements of the flattened array that are not zero; see `nonzero`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.flatnonzero([[0, 5], [7, 0]])
    Tensor([1, 2], dtype=int64)
    """
    return nonzero(tensor(a).ravel())[0]


def argwhere(a: Any) -> Tensor:
    """The indices of the elements that are not zero, one row for each; see `nonzero`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.argwhere([[0, 5], [0, 0]])
    Tensor([[0, 1]], dtype=int64)
    """
    return of(stack(nonzero(a), 1)) if lift(a).ndim else nonzero(tensor(a).ravel())[0].reshape(-1, 1)[:, :0]


def clip(a: Any, a_min: Any = None, a_max: Any = None, out: None = None, *, min: Any = None, max: Any = None) -> Tensor:
    """The elements, at least a_min (or min) and at most a_max (or max); None sets no bound.

    The bounds may be arrays, which broadcast. Where the bounds cross, the upper one is the result.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.clip([1.0, 5.0, 9.0], 2.0, 8.0)
    Tensor([2., 5., 8.], dtype=float64)
    """
    refuse_out("clip", out)
    if (a_min is not None or a_max is not None) and (min is not None or max is not None):
        raise ArgumentValueError(f"clip: a_min, a_max beside min, max{at_user_line()}; give one pair of bounds")
    return of(compose.clip(a, a_min if min is None else min, a_max if max is None else max))


def round(a: Any, decimals: int = 0, out: None = None) -> Tensor:
    """To the nearest at a decimal place, ties to even, as NumPy: scaled, rounded, scaled back.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.round([0.5, 1.5, 2.675], 2)
    Tensor([0.5 , 1.5 , 2.68], dtype=float64)
    """
    refuse_out("round", out)
    return of(compose.round_(lift(a), decimals))


around = round


def polyval(p: Any, x: Any) -> Tensor:
    """The polynomial with coefficients p, the highest first, at x, by Horner's rule.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.polyval([1.0, 0.0, 2.0], [1.0, 3.0])
    Tensor([ 3., 11.], dtype=float64)
    """
    at = tensor(x)
    y = of(B.full(at.uop.sized, at.uop.dtype, 0))  # of its own type: bools and Python's numbers promote as arrays
    for coefficient in tensor(p):
        y = y * at + coefficient
    return y


def fix(x: Any, out: None = None) -> Tensor:
    """The integer part, towards zero.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.fix([-1.5, 1.5])
    Tensor([-1.,  1.], dtype=float64)
    """
    refuse_out("fix", out)
    return of(compose.fix(lift(x)))


def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Tensor:
    """NaN and the infinities replaced by numbers: by default 0, and the largest and smallest floats.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.nan_to_num([float("nan"), float("-inf"), 1.0], neginf=-9.0)
    Tensor([ 0., -9.,  1.], dtype=float64)
    """
    return of(compose.nan_to_num(lift(x), nan, posinf, neginf))


def sinc(x: Any) -> Tensor:
    """sin(pi x) / (pi x), and 1 at 0, by its series near 0: derivatives are right there, too.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.sinc([0.0, 0.5])
    Tensor([1.        , 0.63661977], dtype=float64)
    """
    return of(compose.sinc(lift(x)))


def angle(z: Any, deg: bool = False) -> Tensor:
    """The argument of complex numbers, from -pi to pi, or in degrees.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.angle(1j, deg=True)
    Tensor(90., dtype=float64)
    """
    return of(compose.angle(lift(z), deg))


def real(val: Any) -> Tensor:
    """The real parts; a real array itself.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.real(1 + 2j)
    Tensor(1., dtype=float64)
    """
    return of(compose.real(lift(val)))


def imag(val: Any) -> Tensor:
    """The imaginary parts; zeros of a real array.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.imag(1 + 2j)
    Tensor(2., dtype=float64)
    """
    return of(compose.imag(lift(val)))


def divmod(x: Any, y: Any, /) -> tuple[Tensor, Tensor]:
    """``(floor_divide(x, y), remainder(x, y))``.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.divmod(-7, 2)
    (Tensor(-4, dtype=int64), Tensor(1, dtype=int64))
    """
    quotient, rest = apply(np.divmod, x, y)  # type: ignore[misc]
    return of(quotient), of(rest)


def modf(x: Any, /) -> tuple[Tensor, Tensor]:
    """The fractional and the integer part, both with the sign of x.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.modf(-1.5)
    (Tensor(-0.5, dtype=float64), Tensor(-1., dtype=float64))
    """
    rest, whole = apply(np.modf, x)  # type: ignore[misc]
    return of(rest), of(whole)


def frexp(x: Any, /) -> tuple[Tensor, Tensor]:
    """Mantissas, at least 1/2 and less than 1, and integers: ``mantissa * 2**exponent`` is x; x and 0 of 0 and of what
    is not finite. The derivative of a mantissa is the power of two.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.frexp(24.0)
    (Tensor(0.75, dtype=float64), Tensor(5, dtype=int32))
    """
    mantissa, exponent = apply(np.frexp, x)  # type: ignore[misc]
    return of(mantissa), of(exponent)


def isclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Tensor:
    """Whether ``|a - b| <= atol + rtol |b|``, elementwise; infinities must be equal.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.isclose([1.0, 2.0], [1.0 + 1e-9, 2.1])
    Tensor([ True, False], dtype=bool)
    """
    return of(compose.isclose(a, b, rtol, atol, equal_nan))


def allclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Tensor:
    """Whether all elements are close, see `isclose`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> bool(fnp.allclose([1.0, 2.0], [1.0, 2.0 + 1e-9]))
    True
    """
    return of(all_(compose.isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Tensor:
    """Whether two arrays have one shape and equal elements.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> bool(fnp.array_equal([1, 2], [1, 2, 3]))
    False
    """
    a, b = lift(a1), lift(a2)
    if a.shape != b.shape:
        return Tensor(False)
    same = of(a) == of(b)
    if equal_nan and a.dtype.kind in "fc" and b.dtype.kind in "fc":
        same = same | (of(a).isnan() & of(b).isnan())
    return same.all()


def isposinf(x: Any) -> Tensor:
    """Whether x is plus infinity.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.isposinf([float("inf"), float("-inf")])
    Tensor([ True, False], dtype=bool)
    """
    return of(compose.infinite(lift(x), 1.0))


def isneginf(x: Any) -> Tensor:
    """Whether x is minus infinity.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.isneginf([float("inf"), float("-inf")])
    Tensor([False,  True], dtype=bool)
    """
    return of(compose.infinite(lift(x), -1.0))


def isreal(x: Any) -> Tensor:
    """Whether the imaginary part is zero.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.isreal([1 + 1j, 2 + 0j])
    Tensor([False,  True], dtype=bool)
    """
    return of(compose.isreal(lift(x)))


def iscomplex(x: Any) -> Tensor:
    """Whether the imaginary part is not zero.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.iscomplex([1 + 1j, 2 + 0j])
    Tensor([ True, False], dtype=bool)
    """
    return of(compose.iscomplex(lift(x)))


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Tensor:
    """For each element the choice of the first condition that holds, else the default.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.select([[True, False], [True, False]], [1.0, 2.0], 9.0)
    Tensor([1., 9.], dtype=float64)
    """
    return of(compose.select(condlist, choicelist, default))
