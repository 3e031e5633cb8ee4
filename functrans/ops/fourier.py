"""Discrete Fourier transforms along the last axis: steps that run in NumPy between the kernels.

One op, which is linear; arg is its kind and the size n of its result, or of what that is half of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes
from functrans.dtypes import DType
from functrans.ops import build as B
from functrans.ops.axes import Axes, all_but, same_arg
from functrans.ops.enums import Ops
from functrans.ops.opdef import OpDef, first, register
from functrans.ops.uop import Shape, UOp

Array = np.ndarray[Any, Any]

KINDS = ("forward", "inverse", "half", "whole")
"""Sums with e^(-2 pi i j k / n), with e^(+2 pi i j k / n), neither divided by anything; the first half (to n // 2) of
the forward one of real numbers; and the inverse, which is real, of such a half."""
_REAL = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}
_COMPLEX = {real: whole for whole, real in _REAL.items()}


def result_dtype(kind: str, given: DType) -> DType | None:
    """The dtype of a transform; None where there is none of the given one."""
    if kind == "half":
        return _COMPLEX.get(given)
    real = _REAL.get(given)
    return real if kind == "whole" or real is None else given


def _check(node: UOp) -> str | None:
    kind, n = node.arg
    x = node.src[0]
    if kind not in KINDS or result_dtype(kind, x.dtype) != node.dtype:
        return f"the {kind} transform of {x.dtype.name} as {node.dtype.name}; expected one of {', '.join(KINDS)}"
    size = n // 2 + 1 if kind == "whole" else n
    ok = x.ndim > 0 and n > 0 and x.sized[-1] == size
    return None if ok else f"the {kind} transform of {n} of shape {x.shape}; expected {size} in the last axis"


def _shape(node: UOp) -> Shape:
    kind, n = node.arg
    return (*node.src[0].sized[:-1], n // 2 + 1 if kind == "half" else n)


def _meaning(node: UOp, x: Array) -> Array:
    kind, n = node.arg
    if kind == "half":
        return np.fft.rfft(x)
    if kind == "whole":
        return np.fft.irfft(x, n, norm="forward")
    return np.fft.fft(x) if kind == "forward" else np.fft.ifft(x, norm="forward")


def fft(x: UOp, kind: str, n: int) -> UOp:
    """A transform of the last axis; n is the size of the result, of the half the one of what it is half of."""
    dtype = result_dtype(kind, x.dtype)
    return UOp(Ops.FFT, x.dtype if dtype is None else dtype, (x,), (kind, n))


def _transpose(node: UOp, c: UOp, source: int) -> UOp:
    """The sums are symmetric in both indices; a half counts its inner terms for their conjugates too."""
    kind, n = node.arg
    if kind in ("forward", "inverse"):
        return fft(c, kind, n)
    k = B.iota(n // 2 + 1)
    ends = B.alu(Ops.OR, B.eq(k, B.like(k, 0)), B.eq(B.add(k, k), B.like(k, n)))
    once, twice = B.full(k.sized, c.dtype, 1), B.full(k.sized, c.dtype, 0.5 if kind == "half" else 2)
    if kind == "half":
        c = B.mul(B.alu(Ops.CONJ, c), B.broadcast(B.where(ends, once, twice), c.sized))
        return fft(c, "whole", n)
    half = B.alu(Ops.CONJ, fft(c, "half", n))
    return B.mul(half, B.cast(B.broadcast(B.where(ends, once, twice), half.sized), half.dtype))


register(
    OpDef(Ops.FFT, "host", "the discrete Fourier transform of the last axis, arg its kind and size", _shape, _meaning,
          axes=Axes(all_but(lambda n: n.ndim - 1), same_arg), linear=first, transpose=_transpose, check=_check,
          typed=lambda n: result_dtype(n.arg[0], n.src[0].dtype) == n.dtype)
)  # fmt: skip
