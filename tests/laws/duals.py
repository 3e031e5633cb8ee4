"""Reference transforms on object arrays: vmap is a Python loop, jvp runs NumPy on numbers that carry a tangent.

Nothing is shared with functrans: NumPy calls the methods of the elements of an object array one by one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

_levels = itertools.count(1)


class Dual:
    """A number and its tangent; the level says which jvp it belongs to, so that nested ones are not confused."""

    def __init__(self, level: int, primal: Any, tangent: Any) -> None:
        self.level, self.primal, self.tangent = level, primal, tangent

    def __add__(self, other: Any) -> Any:
        return _binary(self, other, lambda a, b: a + b, lambda a, b: 1.0, lambda a, b: 1.0)

    def __sub__(self, other: Any) -> Any:
        return _binary(self, other, lambda a, b: a - b, lambda a, b: 1.0, lambda a, b: -1.0)

    def __rsub__(self, other: Any) -> Any:
        return _binary(other, self, lambda a, b: a - b, lambda a, b: 1.0, lambda a, b: -1.0)

    def __mul__(self, other: Any) -> Any:
        return _binary(self, other, lambda a, b: a * b, lambda a, b: b, lambda a, b: a)

    def __truediv__(self, other: Any) -> Any:
        return _binary(self, other, lambda a, b: a / b, lambda a, b: 1.0 / b, lambda a, b: -1.0 * a / (b * b))

    def __rtruediv__(self, other: Any) -> Any:
        return _binary(other, self, lambda a, b: a / b, lambda a, b: 1.0 / b, lambda a, b: -1.0 * a / (b * b))

    __radd__, __rmul__ = __add__, __mul__

    def sin(self) -> Any:
        return Dual(self.level, sin(self.primal), cos(self.primal) * self.tangent)

    def cos(self) -> Any:
        return Dual(self.level, cos(self.primal), -1.0 * sin(self.primal) * self.tangent)

    def exp(self) -> Any:
        value = exp(self.primal)
        return Dual(self.level, value, value * self.tangent)


def _lift(math_fn: Callable[[float], float], name: str) -> Callable[[Any], Any]:
    return lambda x: getattr(x, name)() if isinstance(x, Dual) else math_fn(x)


sin, cos, exp = _lift(math.sin, "sin"), _lift(math.cos, "cos"), _lift(math.exp, "exp")


def _level(x: Any) -> int:
    return x.level if isinstance(x, Dual) else -1


def _parts(x: Any, level: int) -> tuple[Any, Any]:
    return (x.primal, x.tangent) if _level(x) == level else (x, 0.0)


def number(x: Any) -> Any:
    """The plain number of a Dual."""
    return number(x.primal) if isinstance(x, Dual) else x


def _binary(a: Any, b: Any, f: Any, da: Any, db: Any) -> Any:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return NotImplemented  # NumPy goes through the elements and comes back here
    level = max(_level(a), _level(b))
    (p, s), (q, t) = _parts(a, level), _parts(b, level)
    return Dual(level, f(p, q), da(p, q) * s + db(p, q) * t)


def _array(x: Any) -> np.ndarray[Any, Any]:
    out = np.empty(np.shape(x), object)
    out[...] = x
    return out


class Reference:
    """The transforms by definition, on arrays of numbers that all are Duals (NumPy calls their methods)."""

    @staticmethod
    def wrap(x: Any) -> np.ndarray[Any, Any]:
        return _array(np.frompyfunc(lambda v: Dual(0, v, 0.0), 1, 1)(x))

    @staticmethod
    def numbers(x: Any) -> np.ndarray[Any, Any]:
        return np.asarray(np.frompyfunc(number, 1, 1)(x), float)

    @staticmethod
    def vmap(f: Callable[..., Any], in_axes: Any = 0, out_axis: int = 0) -> Callable[..., Any]:
        def mapped(*args: Any) -> Any:
            axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
            size = next(np.shape(x)[a] for x, a in zip(args, axes, strict=True) if a is not None)
            lanes = [
                f(*(x if a is None else np.moveaxis(x, a, 0)[k] for x, a in zip(args, axes, strict=True)))
                for k in range(size)
            ]
            return np.stack([_array(lane) for lane in lanes], out_axis)

        return mapped

    @staticmethod
    def jvp(f: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
        level = next(_levels)
        make = np.frompyfunc(lambda p, t: Dual(level, p, t), 2, 1)
        out = f(*(make(p, t) for p, t in zip(primals, tangents, strict=True)))
        return tuple(_array(np.frompyfunc(lambda x, k=k: _parts(x, level)[k], 1, 1)(out)) for k in (0, 1))  # type: ignore[return-value]
