"""Windows that slide along an axis, and sums of products over them: convolution and correlation."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans.errors import ArgumentValueError, ShapeError, UnsupportedError, at_user_line
from functrans.numpy._wrap import of
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor import contract
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift
from functrans.tensor.reduce import normal_axis
from functrans.tensor.shape import moveaxis, sizes

__all__ = ["convolve", "correlate", "sliding_window_view"]

MODES = ("valid", "same", "full")


def convolve(a: Any, v: Any, mode: Any = "full") -> Tensor:
    """The discrete convolution of two arrays of one axis: of out[k] the products of a[i] and v[k - i], summed.

    "full" has the size n + m - 1, "same" the larger of both sizes, the middle of the full one, and "valid" only sums
    in which all of the shorter array counts. The dtype is that of a product; products of float16 are summed in float32.
    Linear in each; the pattern of the derivative by one is exact where the other is constant, zeros in it included.
    ShapeError for an empty array or more axes, ArgumentValueError for another mode. n m products.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.convolve([1.0, 2.0, 3.0], [0.0, 1.0, 0.5])
    Tensor([0. , 1. , 2.5, 4. , 1.5], dtype=float64)
    """
    x, y = _two("convolve", a, v)
    if y.size > x.size:
        x, y = y, x
    return of(_slid(x, B.flip(y, (True,)), _mode("convolve", mode)))


def correlate(a: Any, v: Any, mode: Any = "valid") -> Tensor:
    """The cross-correlation of two arrays of one axis: of out[k] the products of a[k + i] and conj(v[i]), summed.

    Modes, dtypes, derivatives, errors and cost as of `convolve`.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.correlate([1.0, 2.0, 3.0], [0.0, 1.0, 0.5], "same")
    Tensor([2. , 3.5, 3. ], dtype=float64)
    """
    x, y = _two("correlate", a, v)
    y = contract.conjugated(y)
    if y.size <= x.size:
        return of(_slid(x, y, _mode("correlate", mode)))
    return of(B.flip(_slid(y, x, _mode("correlate", mode)), (True,)))


def _two(name: str, a: Any, v: Any) -> tuple[UOp, UOp]:
    given = contract.operands(a, v)
    x, y = (B.reshape(u, (1,)) if u.ndim == 0 else u for u in given)
    if x.ndim != 1 or y.ndim != 1 or not x.size or not y.size:
        raise ShapeError(
            f"{name} of shapes {given[0].shape} and {given[1].shape}{at_user_line()}; expected one axis each, not empty"
        )
    return x, y


def _mode(name: str, mode: Any) -> str:
    if mode in MODES:
        return str(mode)
    if isinstance(mode, (int, np.integer)) and mode in range(3):
        return MODES[mode]
    raise ArgumentValueError(f"{name}: mode is {mode!r}{at_user_line()}; expected one of {', '.join(map(repr, MODES))}")


def _slid(x: UOp, y: UOp, mode: str) -> UOp:
    """The sums of y times the part of the longer x that it covers, y moving along x."""
    n, m = x.size, y.size
    before = {"valid": 0, "same": m // 2, "full": m - 1}[mode]
    count = {"valid": n - m + 1, "same": n, "full": n + m - 1}[mode]
    kernel = B.broadcast(B.reshape(y, (1, m)), (count, m))
    if mode != "valid":
        # both factors are 0 beyond the ends: an infinite one would make NaN of the other's 0
        at = _added(count, m, -before)
        inside = B.alu(Ops.AND, B.lt(B.like(at, -1), at), B.lt(at, B.like(at, n)))
        kernel = B.where(inside, kernel, B.like(kernel, 0))
        padded = B.pad(x, ((before, count - 1 + m - before - n),))
        x = UOp(Ops.CONTIGUOUS, padded.dtype, (padded,))  # so that windows are read side by side
    return contract.summed_product(B.gather(x, B.inside(_added(count, m), x.size)), kernel, 1)


def _added(rows: int, columns: int, start: int = 0) -> UOp:
    """The number start + i + j at row i and column j."""
    i = B.broadcast(B.reshape(B.iota(rows), (rows, 1)), (rows, columns))
    at = B.add(i, B.broadcast(B.reshape(B.iota(columns), (1, columns)), (rows, columns)))
    return B.add(at, B.like(at, start)) if start else at


def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Tensor:  # fmt: skip
    """All windows of a shape in x: axes that count where each begins, then those of the window.

    NumPy has it in np.lib.stride_tricks. One size and one axis, or as many sizes as axes; without axis a size for every
    axis of x. Windows are values: writeable=True raises UnsupportedError. ShapeError for a window larger than its axis
    or another number of sizes, ArgumentValueError for a negative size. Linear in x, with an exact
    pattern; what reads the windows reads x.

    Examples
    --------
    >>> import numpy as np
    >>> import functrans.numpy as fnp
    >>> fnp.sliding_window_view(np.arange(4.0), 2)
    Tensor([[0., 1.],
            [1., 2.],
            [2., 3.]], dtype=float64)
    """
    if writeable:
        raise UnsupportedError(
            f"sliding_window_view with writeable=True{at_user_line()}: Tensors are values, not memory; for an update "
            "write x.at[i].set(v)"
        )
    y = lift(x)
    window = sizes(tuple(window_shape) if np.iterable(window_shape) else window_shape, "window_shape")
    given = range(y.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [normal_axis(k, y.ndim) for k in given]
    if len(window) != len(axes):
        raise ShapeError(
            f"sliding_window_view: window_shape {window_shape!r} has {len(window)} sizes for {len(axes)} axes of shape "
            f"{y.shape}{at_user_line()}"
        )
    if any(w < 0 for w in window):
        raise ArgumentValueError(f"sliding_window_view: window_shape is {window_shape!r}{at_user_line()}: negative")
    for k, w in zip(axes, window, strict=True):
        if w > y.sized[k]:
            raise ShapeError(
                f"sliding_window_view: a window of {w} is larger than axis {k} of shape {y.shape}{at_user_line()}"
            )
        y = _windows(y, k, w)
    return of(y)


def _windows(x: UOp, axis: int, width: int) -> UOp:
    """X with an axis for where a window begins, and the window as the last axis."""
    n = x.sized[axis]
    count = n - width + 1
    front = moveaxis(x, axis, 0)
    if not n or not width:
        y = B.full((count, width, *front.sized[1:]), x.dtype, 0)
    else:
        y = B.gather(front, B.inside(_added(count, width), n))
    last = moveaxis(y, 1, y.ndim - 1)
    return moveaxis(last, 0, axis)
