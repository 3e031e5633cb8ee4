"""Discrete Fourier transforms under NumPy's names: `functrans.numpy.fft`, where `numpy.fft` called on Tensors comes.

They are NumPy's own, run between the compiled kernels, in complex64 and complex128.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as _np

from functrans.errors import ArgumentValueError, DtypeError, ShapeError, at_user_line
from functrans.numpy import shaping as _shaping
from functrans.numpy._wrap import of, tensor
from functrans.ops import build as B
from functrans.ops.fourier import fft as _transform
from functrans.tensor.core import Tensor
from functrans.tensor.handle import refuse_out
from functrans.tensor.protocols import implement
from functrans.tensor.reduce import normal_axis
from functrans.tensor.shape import moveaxis, sizes
from functrans.tensor.window import crop

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

_SWAPPED = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


def _norm(norm: Any) -> Any:
    if norm not in _SWAPPED:
        raise ArgumentValueError(f"fft: norm is {norm!r}{at_user_line()}; expected 'backward', 'ortho' or 'forward'")
    return norm


def _line(name: str, a: Any, kind: str, n: Any, axis: Any, norm: Any, out: Any) -> Tensor:
    """One transform of one axis; n is the size of the result, or of what the result is half of."""
    refuse_out(f"fft.{name}", out)
    x = tensor(a)
    if x.ndim == 0:
        raise ShapeError(f"fft.{name} of a number{at_user_line()}; expected an array of at least one axis")
    k = normal_axis(axis, x.ndim)
    whole = 2 * (x.shape[k] - 1) if kind == "whole" else x.shape[k]
    (n,) = (whole,) if n is None else sizes(n, "n")
    if n < 1:
        raise ArgumentValueError(f"fft.{name}: {n} points for axis {k} of shape {x.shape}{at_user_line()}; at least 1")
    half = x.dtype == _np.float16  # computed in single precision
    if kind == "half" and x.dtype.kind == "c":
        raise DtypeError(f"fft.{name} of {x.dtype}{at_user_line()}: it takes real numbers; write fft.{name[1:]}")
    single = half or x.dtype in (_np.float32, _np.complex64)
    real, wide = (_np.float32, _np.complex64) if single else (_np.float64, _np.complex128)
    y = _resized(moveaxis(x.astype(real if kind == "half" else wide).uop, k, -1), n // 2 + 1 if kind == "whole" else n)
    direct = kind in ("forward", "half")
    scale = _norm(norm) if direct else _SWAPPED[_norm(norm)]
    z = _transform(y, kind, n)
    if scale == "forward":
        z = B.mul(z, B.like(z, 1 / n))
    elif scale == "ortho":
        z = B.mul(z, B.like(z, 1 / n**0.5))
    found = of(moveaxis(z, -1, k))
    return found.astype(_np.float16) if half and kind == "whole" else found


def _resized(x: Any, n: int) -> Any:
    """The last axis cut, or filled with zeros, to a size."""
    m = x.sized[-1]
    if m >= n:
        return crop(x, (*((0, d) for d in x.sized[:-1]), (0, n)))
    return B.pad(x, (*((0, 0) for _ in x.sized[:-1]), (0, n - m)))


def _several(a: Any, s: Any, axes: Any, inverse_of_real: bool = False) -> tuple[Tensor, list[int], list[int]]:
    """The array, the sizes and the axes of a transform of several axes."""
    x = tensor(a)
    if axes is None:
        found = list(range(x.ndim)) if s is None else list(range(x.ndim - len(sizes(s, "s")), x.ndim))
    else:
        found = [normal_axis(k, x.ndim) for k in sizes(axes, "axes")]
    given = [x.shape[k] for k in found] if s is None else list(sizes(s, "s"))
    if len(given) != len(found):
        raise ShapeError(f"fft: {len(given)} sizes for {len(found)} axes{at_user_line()}; expected as many")
    if inverse_of_real and s is None:
        given[-1] = 2 * (x.shape[found[-1]] - 1)
    return x, [x.shape[k] if n == -1 else n for n, k in zip(given, found, strict=True)], found


_LINE = """{text}

n is the number of points: the axis is cut to it, or filled up with zeros. norm says which direction divides:
"backward" (the inverse, by n), "ortho" (both, by the root of n), "forward". {dtypes}
Linear, with the transform itself transposed; a dense block a line in the pattern of a Jacobian. ArgumentValueError
for no points or another norm, AxisError, UnsupportedError for out=. n log n operations a line, by NumPy.

Examples
--------
>>> import functrans.numpy as fnp
>>> fnp.fft.{name}({example})
{result}
"""
_SPACE = """{text}

s are the numbers of points along axes, as n of `{one}`, -1 for as many as there are; by default all axes{last}.
Otherwise as `{one}`, along one axis after the other. ShapeError where s and axes differ in length.

Examples
--------
>>> import functrans.numpy as fnp
>>> fnp.fft.{name}({example})
{result}
"""
_WIDE = "The dtype is complex64 of float32 and complex64, else complex128."
_TO_REAL = "The result is real: float32 of complex64, else float64."
_COMPLEX = "[1.0, 2.0, 0.0, 0.0]"
_SQUARE = "[[1.0, 2.0], [3.0, 4.0]]"


def _public(function: Callable[..., Tensor], name: str, text: str) -> Callable[..., Tensor]:
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = text
    return function


def _one(name: str, kind: str, text: str, example: str, result: str) -> Callable[..., Tensor]:
    def function(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: None = None) -> Tensor:
        return _line(name, a, kind, n, axis, norm, out)

    dtypes = _TO_REAL if kind == "whole" else _WIDE
    return _public(function, name, _LINE.format(text=text, name=name, example=example, result=result, dtypes=dtypes))


def _hermitian(name: str, kind: str, text: str, example: str, result: str) -> Callable[..., Tensor]:
    def function(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: None = None) -> Tensor:
        swapped = _SWAPPED[_norm(norm)]
        if kind == "whole":
            return _line(name, tensor(a).conj(), kind, n, axis, swapped, out)
        return _line(name, a, kind, n, axis, swapped, out).conj()

    dtypes = _TO_REAL if kind == "whole" else _WIDE
    return _public(function, name, _LINE.format(text=text, name=name, example=example, result=result, dtypes=dtypes))


def _many(name: str, kind: str, one: str, axes: Any, text: str, example: str, result: str) -> Callable[..., Tensor]:
    def function(a: Any, s: Any = None, axes: Any = axes, norm: Any = None, out: None = None) -> Tensor:
        x, points, along = _several(a, s, axes, kind == "whole")
        if not along:
            raise ShapeError(f"fft.{name} of shape {x.shape} along no axis{at_user_line()}")
        order = list(zip(points, along, strict=True))
        if kind == "half":
            x, order = _line(name, x, kind, *order[-1], norm, out), order[:-1]
        for n, k in reversed(order[:-1] if kind == "whole" else order):
            x = _line(name, x, {"half": "forward", "whole": "inverse"}.get(kind, kind), n, k, norm, out)
        return _line(name, x, kind, *order[-1], norm, out) if kind == "whole" else x

    last = "" if axes is None else ", here the last two"
    made = _SPACE.format(text=text, name=name, one=one, last=last, example=example, result=result)
    return _public(function, name, made)


fft = _one(
    "fft", "forward", "The discrete Fourier transform of lines: sums with e^(-2 pi i j k / n).", _COMPLEX,
    "Tensor([ 3.+0.j,  1.-2.j, -1.+0.j,  1.+2.j], dtype=complex128)",
)  # fmt: skip
ifft = _one(
    "ifft", "inverse", "The inverse of `fft`: sums with e^(+2 pi i j k / n), over n.", "[4.0, 0.0, 0.0, 0.0]",
    "Tensor([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex128)",
)  # fmt: skip
rfft = _one(
    "rfft", "half", "The first n // 2 + 1 values of the transform of real numbers; the others are their conjugates.",
    _COMPLEX, "Tensor([ 3.+0.j,  1.-2.j, -1.+0.j], dtype=complex128)",
)  # fmt: skip
irfft = _one(
    "irfft", "whole", "The inverse of `rfft`: n real numbers, by default 2 (m - 1) of m values.", "[3.0, 1.0, -1.0]",
    "Tensor([1., 1., 0., 1.], dtype=float64)",
)  # fmt: skip
hfft = _hermitian(
    "hfft", "whole", "The transform of numbers of which the first half is given, the rest its conjugates: it is real.",
    "[3.0, 1.0, -1.0]", "Tensor([4., 4., 0., 4.], dtype=float64)",
)  # fmt: skip
ihfft = _hermitian(
    "ihfft", "half", "The inverse of `hfft`: the first n // 2 + 1 values.", "[4.0, 4.0, 0.0, 4.0]",
    "Tensor([ 3.-0.j,  1.-0.j, -1.-0.j], dtype=complex128)",
)  # fmt: skip
fftn = _many(
    "fftn", "forward", "fft", None, "The discrete Fourier transform along several axes.", _SQUARE,
    "Tensor([[10.+0.j, -2.+0.j],\n        [-4.+0.j,  0.+0.j]], dtype=complex128)",
)  # fmt: skip
ifftn = _many(
    "ifftn", "inverse", "ifft", None, "The inverse of `fftn`.", "[[4.0, 0.0], [0.0, 0.0]]",
    "Tensor([[1.+0.j, 1.+0.j],\n        [1.+0.j, 1.+0.j]], dtype=complex128)",
)  # fmt: skip
rfftn = _many(
    "rfftn", "half", "rfft", None, "The transform of real numbers along several axes; of the last one half is kept.",
    _SQUARE, "Tensor([[10.+0.j, -2.+0.j],\n        [-4.+0.j,  0.+0.j]], dtype=complex128)",
)  # fmt: skip
irfftn = _many(
    "irfftn", "whole", "irfft", None, "The inverse of `rfftn`.", "[[10.0, -2.0], [-4.0, 0.0]]",
    "Tensor([[1., 2.],\n        [3., 4.]], dtype=float64)",
)  # fmt: skip
fft2 = _many(
    "fft2", "forward", "fft", (-2, -1), "The discrete Fourier transform along two axes.", _SQUARE,
    "Tensor([[10.+0.j, -2.+0.j],\n        [-4.+0.j,  0.+0.j]], dtype=complex128)",
)  # fmt: skip
ifft2 = _many(
    "ifft2", "inverse", "ifft", (-2, -1), "The inverse of `fft2`.", "[[4.0, 0.0], [0.0, 0.0]]",
    "Tensor([[1.+0.j, 1.+0.j],\n        [1.+0.j, 1.+0.j]], dtype=complex128)",
)  # fmt: skip
rfft2 = _many(
    "rfft2", "half", "rfft", (-2, -1), "The transform of real numbers along two axes; of the last one half is kept.",
    _SQUARE, "Tensor([[10.+0.j, -2.+0.j],\n        [-4.+0.j,  0.+0.j]], dtype=complex128)",
)  # fmt: skip
irfft2 = _many(
    "irfft2", "whole", "irfft", (-2, -1), "The inverse of `rfft2`.", "[[10.0, -2.0], [-4.0, 0.0]]",
    "Tensor([[1., 2.],\n        [3., 4.]], dtype=float64)",
)  # fmt: skip


def _shifted(x: Any, axes: Any, sign: int) -> Tensor:
    y = tensor(x)
    along = range(y.ndim) if axes is None else [normal_axis(k, y.ndim) for k in sizes(axes, "axes")]
    return _shaping.roll(y, tuple(sign * (y.shape[k] // 2) for k in along), tuple(along))


def fftshift(x: Any, axes: Any = None) -> Tensor:
    """The frequency zero moved to the middle of axes, by default of all.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.fft.fftshift([0, 1, 2, -2, -1])
    Tensor([-2, -1,  0,  1,  2], dtype=int64)
    """
    return _shifted(x, axes, 1)


def ifftshift(x: Any, axes: Any = None) -> Tensor:
    """The inverse of `fftshift`; of axes of odd sizes it is another shift.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.fft.ifftshift([-2, -1, 0, 1, 2])
    Tensor([ 0,  1,  2, -2, -1], dtype=int64)
    """
    return _shifted(x, axes, -1)


def _frequencies(name: str, n: Any, counts: Callable[[int], Any], d: Any) -> Tensor:
    if not isinstance(n, (int, _np.integer)) or n < 1:
        raise ArgumentValueError(f"fft.{name}: n is {n!r}{at_user_line()}; expected an integer of at least 1")
    return tensor(counts(int(n))) * (1.0 / (tensor(d) * int(n)))


def fftfreq(n: Any, d: Any = 1.0, device: None = None) -> Tensor:
    """The frequencies of the n values of `fft`, of samples that are d apart; d may be traced.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.fft.fftfreq(5, 0.5)
    Tensor([ 0. ,  0.4,  0.8, -0.8, -0.4], dtype=float64)
    """
    return _frequencies("fftfreq", n, lambda n: _np.fft.fftfreq(n, 1 / n).round().astype(int), d)


def rfftfreq(n: Any, d: Any = 1.0, device: None = None) -> Tensor:
    """The frequencies of the n // 2 + 1 values of `rfft`, of samples that are d apart; d may be traced.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.fft.rfftfreq(5, 0.5)
    Tensor([0. , 0.4, 0.8], dtype=float64)
    """
    return _frequencies("rfftfreq", n, lambda n: _np.arange(n // 2 + 1), d)


for _name in __all__:
    if _name not in ("fftfreq", "rfftfreq"):
        implement(getattr(_np.fft, _name), globals()[_name])
