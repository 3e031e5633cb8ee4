"""The operators of Tensor, and its elementwise methods: each one ufunc."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Number
from typing import Any, Self, TypeVar

import numpy as np

from functrans.errors import ArgumentError, at_user_line
from functrans.ops.uop import UOp
from functrans.tensor import compose, elementwise
from functrans.tensor.constants import is_traced
from functrans.tensor.contract import conjugated, matmul
from functrans.tensor.handle import Handle
from functrans.tensor.lift import is_weak

H = TypeVar("H", bound=Handle)


PRIORITY = 1000.0  # above that of SciPy's sparse matrices, which yield to the higher number
_ARRAYS = ("__array__", "__array_interface__", "__array_struct__", "__dlpack__", "__buffer__", "__getitem__", "tocsr")
_BUFFERS = (bytes, bytearray, memoryview)


def _yields(other: Any) -> bool:
    """Whether the other operand answers, by its own method: one that says so as NumPy has it, or is no array."""
    if isinstance(other, (Handle, UOp, np.ndarray, Number, list, tuple)):
        return False
    if other is None or isinstance(other, str):
        return True
    kind = type(other)
    if hasattr(kind, "__array_ufunc__"):
        return kind.__array_ufunc__ is None
    if getattr(other, "__array_priority__", 0.0) > PRIORITY:
        return True
    return not isinstance(other, _BUFFERS) and not any(hasattr(kind, name) for name in _ARRAYS)


def _asked_first(other: Any) -> bool:
    """Whether the other operand is of a class that handles ufuncs itself, and is neither ours nor NumPy's."""
    return not isinstance(other, (Handle, np.ndarray, np.generic)) and hasattr(type(other), "__array_ufunc__")


def _repeats(x: UOp, other: Any) -> bool:
    """Whether a product is a list repeated as often as an integer says that has no value yet: Python then asks for it,
    which is refused. With a number in place of the Tensor the list would be repeated, not multiplied.
    """
    return isinstance(other, (list, tuple)) and not x.shape and x.dtype.kind in "biu" and is_traced(x)


_OURS = {float, int, bool, complex, np.ndarray, np.float64, UOp}
"""Types that leave the answer to us: with those of the same type, most operands."""


def _binary(ufunc: Any, swap: bool = False) -> Callable[[H, Any], H]:
    def method(self: H, other: Any) -> H:
        if type(other) is not type(self) and type(other) not in _OURS:
            if _yields(other) or (ufunc is np.multiply and _repeats(self._uop, other)):
                return NotImplemented  # type: ignore[no-any-return]
            if _asked_first(other):
                return ufunc(other, self) if swap else ufunc(self, other)  # type: ignore[no-any-return]
        pair = (other, self._uop) if swap else (self._uop, other)
        return self.from_uop(elementwise.call(ufunc, *pair))

    method.__doc__ = f"Elementwise `{ufunc.__name__}`, as NumPy's operator."
    return method


def _both(ufunc: Any) -> tuple[Callable[[H, Any], H], Callable[[H, Any], H]]:
    return _binary(ufunc), _binary(ufunc, swap=True)


def _unary(ufunc: Any, name: str | None = None) -> Callable[[H], H]:
    def method(self: H) -> H:
        return self.from_uop(elementwise.call(ufunc, self._uop))

    method.__name__ = name or ufunc.__name__
    method.__doc__ = f"Elementwise, as ``functrans.numpy.{method.__name__}``."
    return method


def _composed(function: Callable[[UOp], UOp], name: str, doc: str | None = None) -> Callable[[H], H]:
    def method(self: H) -> H:
        return self.from_uop(function(self._uop))

    method.__name__ = name
    method.__doc__ = f"Elementwise: {doc or function.__doc__}"
    return method


_POWER = _binary(np.power)
_ROOTS: dict[Any, Any] = {0.5: np.sqrt, -1: np.reciprocal}  # their ends are not those of power


class Operators(Handle):
    """Arithmetic, comparisons, and unary functions."""

    __slots__ = ()
    __array_priority__ = PRIORITY

    __hash__ = object.__hash__
    __add__, __radd__ = _both(np.add)
    __sub__, __rsub__ = _both(np.subtract)
    __mul__, __rmul__ = _both(np.multiply)
    __truediv__, __rtruediv__ = _both(np.divide)
    __floordiv__, __rfloordiv__ = _both(np.floor_divide)
    __mod__, __rmod__ = _both(np.remainder)
    __rpow__ = _binary(np.power, swap=True)
    __and__, __rand__ = _both(np.bitwise_and)
    __or__, __ror__ = _both(np.bitwise_or)
    __xor__, __rxor__ = _both(np.bitwise_xor)
    __lshift__, __rlshift__ = _both(np.left_shift)
    __rshift__, __rrshift__ = _both(np.right_shift)
    __lt__, __le__ = _binary(np.less), _binary(np.less_equal)
    __gt__, __ge__ = _binary(np.greater), _binary(np.greater_equal)
    __eq__ = _binary(np.equal)  # type: ignore[assignment]
    __ne__ = _binary(np.not_equal)  # type: ignore[assignment]
    __neg__, __pos__ = _unary(np.negative), _unary(np.positive)
    __abs__, __invert__ = _unary(np.absolute), _unary(np.invert)

    def __pow__(self, other: Any) -> Self:
        """Elementwise `power`; NumPy's operator takes two exponents of complex numbers by other functions."""
        if self._uop.dtype.kind == "c" and is_weak(other) and other in _ROOTS:
            return self.from_uop(elementwise.call(_ROOTS[other], self._uop))
        return _POWER(self, other)

    def __matmul__(self, other: Any) -> Self:
        if _yields(other):
            return NotImplemented
        if _asked_first(other):
            return np.matmul(self, other)  # type: ignore[call-overload, no-any-return]
        return self.from_uop(matmul(self._uop, other))

    def __rmatmul__(self, other: Any) -> Self:
        if _yields(other):
            return NotImplemented
        if _asked_first(other):
            return np.matmul(other, self)  # type: ignore[call-overload, no-any-return]
        return self.from_uop(matmul(other, self._uop))

    def __divmod__(self, other: Any) -> tuple[Self, Self]:
        return NotImplemented if _yields(other) else (self // other, self % other)

    def __rdivmod__(self, other: Any) -> tuple[Self, Self]:
        return NotImplemented if _yields(other) else (other // self, other % self)

    def __round__(self, ndigits: int | None = None) -> Self:
        return self.from_uop(compose.round_(self._uop, 0 if ndigits is None else ndigits))

    def __setitem__(self, key: Any, value: Any) -> None:
        way = "x[i] = v write x = x.at[i].set(v), instead of x[i] += v write x = x.at[i].add(v)"
        if np.dtype(bool) == getattr(key, "dtype", None):
            way = "x[mask] = v write x = fnp.where(mask, v, x)"
        raise ArgumentError(f"Tensors cannot be changed in place{at_user_line()}; instead of {way}")

    abs, absolute, fabs = _unary(np.absolute, "abs"), _unary(np.absolute), _unary(np.fabs)
    negative, positive, sign = _unary(np.negative), _unary(np.positive), _unary(np.sign)
    sqrt, cbrt, square, reciprocal = _unary(np.sqrt), _unary(np.cbrt), _unary(np.square), _unary(np.reciprocal)
    exp, exp2, expm1 = _unary(np.exp), _unary(np.exp2), _unary(np.expm1)
    log, log2, log10, log1p = _unary(np.log), _unary(np.log2), _unary(np.log10), _unary(np.log1p)
    sin, cos, tan = _unary(np.sin), _unary(np.cos), _unary(np.tan)
    arcsin, arccos, arctan = _unary(np.arcsin), _unary(np.arccos), _unary(np.arctan)
    asin, acos, atan = _unary(np.arcsin, "asin"), _unary(np.arccos, "acos"), _unary(np.arctan, "atan")
    sinh, cosh, tanh = _unary(np.sinh), _unary(np.cosh), _unary(np.tanh)
    arcsinh, arccosh, arctanh = _unary(np.arcsinh), _unary(np.arccosh), _unary(np.arctanh)
    asinh, acosh, atanh = _unary(np.arcsinh, "asinh"), _unary(np.arccosh, "acosh"), _unary(np.arctanh, "atanh")
    deg2rad, rad2deg = _unary(np.deg2rad), _unary(np.rad2deg)
    radians, degrees = _unary(np.radians), _unary(np.degrees)
    floor, ceil, trunc, rint = _unary(np.floor), _unary(np.ceil), _unary(np.trunc), _unary(np.rint)
    isnan, isinf, isfinite, signbit = _unary(np.isnan), _unary(np.isinf), _unary(np.isfinite), _unary(np.signbit)
    logical_not, invert = _unary(np.logical_not), _unary(np.invert)
    bitwise_not, bitwise_invert = _unary(np.invert, "bitwise_not"), _unary(np.invert, "bitwise_invert")
    conjugate, conj = _composed(conjugated, "conjugate"), _composed(conjugated, "conj")
    fix, sinc = _composed(compose.fix, "fix"), _composed(compose.sinc, "sinc")
    isreal = _composed(compose.isreal, "isreal")
    iscomplex = _composed(compose.iscomplex, "iscomplex")
    isposinf = _composed(lambda x: compose.infinite(x, 1.0), "isposinf", "Whether it is plus infinity.")
    isneginf = _composed(lambda x: compose.infinite(x, -1.0), "isneginf", "Whether it is minus infinity.")

    @property
    def real(self) -> Self:
        """The real parts."""
        return self.from_uop(compose.real(self._uop))

    @property
    def imag(self) -> Self:
        """The imaginary parts; zeros of a real array."""
        return self.from_uop(compose.imag(self._uop))

    def round(self, decimals: int = 0) -> Self:
        """To the nearest, ties to even, at a decimal place."""
        return self.from_uop(compose.round_(self._uop, decimals))

    def nan_to_num(self, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Self:
        """NaN and the infinities replaced by numbers."""
        return self.from_uop(compose.nan_to_num(self._uop, nan, posinf, neginf))

    def angle(self, deg: bool = False) -> Self:
        """The argument of complex numbers."""
        return self.from_uop(compose.angle(self._uop, deg))

    def where(self, x: Any, y: Any) -> Self:
        """X where this holds, else y."""
        return self.from_uop(compose.where(self._uop, x, y))
