"""Special functions under SciPy's names: `functrans.scipy.special`.

SciPy's own ufuncs, such as scipy.special.gamma, come here when they are called on a Tensor. logsumexp, softmax,
log_softmax, polygamma and zeta are no ufuncs in SciPy, and have to be called here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from functrans._lazy import scipy_special
from functrans.errors import ArgumentValueError, UnsupportedError, at_user_line
from functrans.numpy._wrap import of, tensor
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor import compose, reduce
from functrans.tensor.constants import known
from functrans.tensor.core import Tensor
from functrans.tensor.elementwise import call
from functrans.tensor.handle import kept
from functrans.tensor.lift import promote
from functrans.tensor.meanings import isfinite, real_part
from functrans.tensor.statistics import arg_extreme

_TEXT = """{text}

Takes Tensors, arrays or numbers, which broadcast; the dtype is that of SciPy: float32 of float32 and float16, else
float64. DtypeError for complex numbers. One pass over the elements.

Examples
--------
>>> import functrans as ft
>>> ft.scipy.special.{name}({example}).round(6)
{result}
"""


class _Ufunc:
    """What is asked of a ufunc of SciPy's: its name, and its dtypes. It is loaded, which takes longer than a compiler,
    for what is not known before: of float64 all of them have a loop, and of float32 alone. What one of these and a
    number of Python's have differs.
    """

    nout = 1

    def __init__(self, name: str, nin: int) -> None:
        self.__name__, self.nin = name, nin

    def resolve_dtypes(self, given: tuple[Any, ...]) -> tuple[np.dtype[Any], ...]:
        """The dtypes of a loop, as the ufunc has it."""
        arrays = {d for d in given[:-1] if isinstance(d, np.dtype)}
        numbers = {d for d in given[:-1] if not isinstance(d, np.dtype)}  # of Python's
        if len(given) == self.nin + 1:
            if _DOUBLE in arrays and arrays <= {_SINGLE, _DOUBLE} and numbers <= {float}:
                return (_DOUBLE,) * len(given)
            if arrays == {_SINGLE} and not numbers:
                return (_SINGLE,) * len(given)
        return tuple(getattr(scipy_special, self.__name__).resolve_dtypes(given))


_SINGLE, _DOUBLE = np.dtype(np.float32), np.dtype(np.float64)


def _ufunc(name: str, text: str, example: str, result: float, ufunc: str | None = None) -> Callable[..., Tensor]:
    """A function by the ufunc of SciPy's of a name."""
    meant = _Ufunc(ufunc or name, len(example.split(", ")))

    def function(*x: Any) -> Tensor:
        return of(call(meant, *x))

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    shown = f"Tensor({result}, dtype=float64)"
    function.__doc__ = _TEXT.format(text=text, name=name, example=example, result=shown)
    return function


# fmt: off
beta = _ufunc("beta", "gamma(a) gamma(b) / gamma(a + b).", "2.0, 3.0", 0.083333)
betaln = _ufunc("betaln", "The logarithm of the absolute value of beta, for large ones too.", "2.0, 3.0", -2.484907)
digamma = _ufunc("digamma", "The derivative of `gammaln`.", "2.0", 0.422784, "psi")
entr = _ufunc("entr", "-x log(x), 0 at 0 and -inf below.", "0.5", 0.346574)
erf = _ufunc("erf", "The error function.", "0.5", 0.5205)
erfc = _ufunc("erfc", "1 - erf(x), accurate where erf(x) is near 1.", "0.5", 0.4795)
erfcinv = _ufunc("erfcinv", "The inverse of `erfc`; infinite at 0 and 2, NaN outside.", "0.5", 0.476936)
erfinv = _ufunc("erfinv", "The inverse of `erf`; infinite at -1 and 1, NaN outside.", "0.5", 0.476936)
exp1 = _ufunc("exp1", "The integral of exp(-t) / t from x on; infinite at 0, NaN below.", "1.0", 0.219384)
exp10 = _ufunc("exp10", "10 to the power x.", "2.0", "100.")  # type: ignore[arg-type]
expi = _ufunc("expi", "The integral of exp(t) / t up to x, at 0 by its principal value.", "1.0", 1.895118)
expit = _ufunc("expit", "The logistic function 1 / (1 + exp(-x)).", "1.0", 0.731059)
gamma = _ufunc(
    "gamma", "The gamma function: NaN at negative integers, an infinity of the sign of x at 0; within 4 units in\n"
    "the last place. Its derivative is gamma(x) psi(x).", "4.5", 11.631728,
)
gammainc = _ufunc(
    "gammainc", "The integral of exp(-t) t^(a - 1) over t up to x, over gamma(a). UnsupportedError for a derivative in "
    "a.", "2.0, 1.0", 0.264241,
)
gammaincc = _ufunc(
    "gammaincc", "1 - gammainc(a, x), accurate where that is small. UnsupportedError for a derivative in a.",
    "2.0, 1.0", 0.735759,
)
gammaln = _ufunc("gammaln", "The logarithm of the absolute value of gamma(x).", "4.5", 2.453737)
gammasgn = _ufunc("gammasgn", "The sign of `gamma`: -1.0 or 1.0, NaN at a pole.", "-0.5", "-1.")  # type: ignore[arg-type]
i0 = _ufunc("i0", "The modified Bessel function of order 0, within 5 units in the last place.", "1.0", 1.266066)
i0e = _ufunc("i0e", "exp(-abs(x)) times `i0`, for large x too.", "1.0", 0.46576)
i1 = _ufunc("i1", "The modified Bessel function of order 1, within 5 units in the last place.", "1.0", 0.565159)
i1e = _ufunc("i1e", "exp(-abs(x)) times `i1`, for large x too.", "1.0", 0.20791)
j0 = _ufunc("j0", "The Bessel function of the first kind of order 0, within 1e-15.", "1.0", 0.765198)
j1 = _ufunc("j1", "The Bessel function of the first kind of order 1, within 1e-15.", "1.0", 0.440051)
kl_div = _ufunc(
    "kl_div", "x log(x / y) - x + y; y where x is 0, infinite for others that are not positive.", "1.0, 2.0", 0.306853,
)
log_expit = _ufunc("log_expit", "The logarithm of `expit`, for large negative x, too.", "1.0", -0.313262)
log_ndtr = _ufunc("log_ndtr", "The logarithm of `ndtr`, accurate in both tails.", "-40.0", -804.608442)
loggamma = _ufunc(
    "loggamma", "The logarithm of gamma(x) of a positive x; NaN below 0, where it is not real.", "4.5", 2.453737,
)
logit = _ufunc("logit", "log(x / (1 - x)), the inverse of `expit`.", "0.75", 1.098612)
ndtr = _ufunc("ndtr", "The distribution function of the normal distribution.", "1.0", 0.841345)
ndtri = _ufunc("ndtri", "The inverse of `ndtr`; infinite at 0 and 1, NaN outside.", "0.975", 1.959964)
psi = _ufunc("psi", "The derivative of `gammaln`, as `digamma`.", "2.0", 0.422784)
rel_entr = _ufunc(
    "rel_entr", "x log(x / y); 0 where x is 0, infinite for others that are not positive.", "1.0, 2.0", -0.693147,
)
xlog1py = _ufunc("xlog1py", "x log(1 + y), and 0 where x is 0.", "2.0, 1.0", 1.386294)
xlogy = _ufunc("xlogy", "x log(y), and 0 where x is 0.", "2.0, 3.0", 2.197225)
# fmt: on
__all__ = [
    "beta",
    "betaln",
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcinv",
    "erfinv",
    "exp1",
    "exp10",
    "expi",
    "expit",
    "gamma",
    "gammainc",
    "gammaincc",
    "gammaln",
    "gammasgn",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "j0",
    "j1",
    "kl_div",
    "log_expit",
    "log_ndtr",
    "log_softmax",
    "loggamma",
    "logit",
    "logsumexp",
    "ndtr",
    "ndtri",
    "polygamma",
    "psi",
    "rel_entr",
    "softmax",
    "xlog1py",
    "xlogy",
    "zeta",
]  # fmt: skip


def zeta(x: Any, q: Any = None) -> Tensor:
    """The sum of (q + k)^-x over k = 0, 1, ..., Hurwitz's zeta function, for x of at least 1; NaN below.

    UnsupportedError without q, which is Riemann's function, and for a derivative in x.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.special.zeta(2.0, 1.0).round(6)
    Tensor(1.644934, dtype=float64)
    """
    if q is None:
        raise UnsupportedError(f"zeta without q{at_user_line()}: write zeta(x, 1.0) for Riemann's, x of at least 1")
    return of(call(scipy_special._ufuncs._zeta, x, q))


def polygamma(n: Any, x: Any) -> Tensor:
    """The n-th derivative of the digamma function, float64. n and x broadcast; n is a constant of integers from 0 on.

    ArgumentValueError for another n. Derivatives in x to any order.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.special.polygamma(1, [1.0, 2.0]).round(6)
    Tensor([1.644934, 0.644934], dtype=float64)
    """
    order = tensor(n)
    value = known(order.uop)
    if value is None or value.dtype.kind == "c" or (value < 0).any() or (value != np.floor(value)).any():
        raise ArgumentValueError(f"polygamma: n is {n!r}{at_user_line()}; expected constant integers from 0 on")
    at = tensor(x).astype(np.float64)
    factor = tensor(np.where(value % 2 == 0, -1.0, 1.0) * scipy_special.gamma(value + 1.0))
    found = factor * zeta((order + 1.0).astype(np.float64), at)
    return of(compose.where(order == 0, psi(at), found)) if (value == 0).any() else found


def _parts(a: Any, b: Any) -> tuple[UOp, UOp | None]:
    """The operands as floats of one dtype and shape, with at least one axis."""
    given = promote(a) if b is None else promote(a, b)
    wide = [tensor(u) if u.dtype.kind in "fc" else tensor(u).astype(np.float64) for u in given]
    nodes = [(u.reshape(1) if u.ndim == 0 else u).uop for u in wide]
    return nodes[0], nodes[1] if b is not None else None


def _joined(x: UOp, axes: tuple[int, ...]) -> UOp:
    """X with some axes as its last one."""
    rest = [k for k in range(x.ndim) if k not in axes]
    moved = B.permute(x, (*rest, *axes))
    size = 1
    for k in axes:
        size *= x.sized[k]
    return B.reshape(moved, (*(x.sized[k] for k in rest), size))


def _center(x: UOp) -> UOp:
    """The largest real part along the last axis, kept; 0 where that is not finite. No derivative passes."""
    top = reduce.max_(real_part(x), -1, True)
    top = B.where(isfinite(top), top, B.like(top, 0))
    return B.cast(B.broadcast(compose.passed(top, Ops.DETACH), x.sized), x.dtype)


def logsumexp(a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False) -> Any:
    """log(sum(b * exp(a))) over axes, without overflow: -inf where there is nothing to add.

    An element with a weight b of 0 does not count, whatever it is. A negative sum of real numbers has a logarithm of
    NaN; with return_sign the result is the pair of log(abs(sum)) and the sign, of complex numbers the phase. Integers
    become float64. AxisError for an axis that is not there, ShapeError where a and b do not broadcast. Derivatives of
    every order are those of the function, ties and infinities included: the weights of `softmax`. Three passes.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.special.logsumexp([1000.0, 1000.0]).round(6)
    Tensor(1000.693147, dtype=float64)
    >>> ft.scipy.special.logsumexp([0.0, 1.0], b=[1.0, -1.0], return_sign=True)[1]
    Tensor(-1., dtype=float64)
    """
    x, w = _parts(a, b)
    axes, keep = reduce.normal_axes(axis, x.ndim), kept(keepdims, None)
    shape = reduce.keep(x.sized, axes) if keep else tuple(d for k, d in enumerate(x.sized) if k not in axes)
    x, w = _joined(x, axes), None if w is None else _joined(w, axes)
    if not x.sized[-1]:
        size = B.full(shape, real_part(x).dtype if return_sign else x.dtype, -np.inf)
        return (of(size), of(B.full(shape, x.dtype, 0))) if return_sign else of(size)
    if w is not None:
        x = B.where(B.eq(w, B.like(w, 0)), B.like(x, -np.inf), x)
    center = _center(x)
    total = _total(x, w, center)
    top = reduce.max_(center if x.dtype.kind != "c" else real_part(center), -1)
    if w is None and x.dtype.kind != "c":
        size = B.add(B.alu(Ops.LOG1P, total), top)
        sign = call(np.sign, B.add(total, B.like(total, 1)))
    elif not return_sign:
        size, sign = B.add(B.alu(Ops.LOG, total), B.cast(top, x.dtype)), total
    else:
        length = call(np.absolute, total)
        size = B.add(B.alu(Ops.LOG, length), top)
        whole = B.where(B.eq(length, B.like(length, 0)), B.like(length, 1), length)
        sign = B.div(total, B.cast(whole, total.dtype)) if total.dtype.kind == "c" else call(np.sign, total)
    found = of(B.reshape(size, shape))
    return (found, of(B.reshape(sign, shape))) if return_sign else found


def _total(x: UOp, w: UOp | None, center: UOp) -> UOp:
    """The sum of w exp(x - center); of real numbers without weights less 1, that of the first largest one."""
    away = B.sub(x, center)
    e = B.alu(Ops.EXP, away)
    if w is not None:
        # a weight of 0 takes nothing: also not of an infinite exponential
        return reduce.sum_(B.where(B.eq(w, B.like(w, 0)), B.like(w, 0), B.mul(w, e)), -1)
    if x.dtype.kind == "c":
        return reduce.sum_(e, -1)
    first = B.broadcast(arg_extreme(x, "argmax", -1, True), x.sized)
    own = B.eq(B.broadcast(B.iota(x.sized[-1]), x.sized), first)
    return reduce.sum_(B.where(own, B.alu(Ops.EXPM1, away), e), -1)


def softmax(x: Any, axis: Any = None) -> Tensor:
    """exp(x) over its sum along axes, by default all of them, without overflow.

    The dtype is that of np.exp. NaN where x is infinite, as in SciPy. AxisError for an axis that is not there,
    ShapeError where there is nothing along the axes. Three passes.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.special.softmax([1000.0, 1000.0])
    Tensor([0.5, 0.5], dtype=float64)
    """
    y = tensor(x)
    top = reduce.max_(y.uop, axis, True)
    e = call(np.exp, call(np.subtract, y.uop, compose.passed(top, Ops.DETACH)))
    return of(call(np.divide, e, reduce.sum_(e, axis, keepdims=True)))


def log_softmax(x: Any, axis: Any = None) -> Tensor:
    """The logarithm of `softmax`, accurate where that is small; dtypes and errors as there.

    Examples
    --------
    >>> import functrans as ft
    >>> ft.scipy.special.log_softmax([1000.0, 0.0])
    Tensor([    0., -1000.], dtype=float64)
    """
    y = tensor(x)
    top = compose.passed(reduce.max_(y.uop, axis, True), Ops.DETACH)
    away = call(np.subtract, y.uop, B.where(isfinite(top), top, B.like(top, 0)))
    total = reduce.sum_(call(np.exp, away), axis, keepdims=True)
    return of(call(np.subtract, away, call(np.log, total)))
