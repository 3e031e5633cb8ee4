"""How variables vary together: covariances and correlations."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans.errors import (
    ArgumentError,
    ArgumentValueError,
    IndexOutOfRange,
    ShapeError,
    WeightsError,
    at_user_line,
)
from functrans.numpy._wrap import of, tensor
from functrans.numpy.contraction import matmul
from functrans.numpy.diagonals import diagonal
from functrans.numpy.joining import concatenate
from functrans.tensor import compose
from functrans.tensor.constants import known
from functrans.tensor.core import Tensor
from functrans.tensor.meanings import complex_of
from functrans.tensor.statistics import average

__all__ = ["corrcoef", "cov"]


def cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None, fweights: Any = None,
    aweights: Any = None, *, dtype: Any = None,
) -> Tensor:  # fmt: skip
    """The covariance matrix of variables, each a row of m and y (with rowvar=False a column), observed together.

    Sums of products are divided by the number of observations less ddof: 1, or 0 with bias=True. fweights says how
    often each observation counts, aweights how much. One variable has a scalar result. The dtype is float64, complex128
    of complex numbers, or the given one. Without degrees of freedom the result is infinite or NaN. A product of
    matrices.

    ShapeError for more than two axes; WeightsError for weights of another length or of two axes, IndexOutOfRange for
    one number; ArgumentValueError for a ddof that is not whole, or constant weights below 0; ArgumentError for a ddof
    that is no number, or constant fweights that are not whole.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.cov([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]])
    Tensor([[ 1., -1.],
            [-1.,  1.]], dtype=float64)
    """
    free = (0 if bias else 1) if ddof is None else _whole(ddof)
    x, lies_turned = _variables(m, y, rowvar, dtype)
    if not x.shape[0]:
        return tensor(np.empty((0, 0)))
    n = x.shape[1]
    counts, sizes = _weights("fweights", fweights, n), _weights("aweights", aweights, n)
    w = counts if sizes is None else sizes if counts is None else counts * sizes
    if w is None:
        away = (x.T - x.mean(1)).T if lies_turned else x - x.mean(1, keepdims=True)  # kept as m lies
        return (matmul(away, away.conj().T) * (1 / (n - free) if n > free else float("inf"))).squeeze()
    center, total = map(of, average(x.uop, 1, w.uop))
    total = total[0].real  # that of weights, which are real
    lost = tensor(1.0) if sizes is None else (w * sizes).sum() / total
    left = total - lost * free if free else total
    left = of(compose.where(left <= 0, 0.0, left))
    away = x - center[:, None].astype(x.dtype)
    return (matmul(away, (away * w).conj().T) * (1 / left)).squeeze()


def _variables(m: Any, y: Any, rowvar: bool, dtype: Any) -> tuple[Tensor, bool]:
    """A row for each variable, and whether they lie in columns."""
    parts = [tensor(u) for u in (m, y) if u is not None]
    if any(p.ndim > 2 for p in parts):
        raise ShapeError(f"cov of shapes {[p.shape for p in parts]}{at_user_line()}; expected at most two axes")
    wide = dtype or np.result_type(*(p.dtype for p in parts), np.float64)
    first, *rest = ((p if p.ndim == 2 else p.reshape(1, -1)).astype(wide) for p in parts)
    turned = not rowvar and parts[0].ndim != 1
    if turned:
        first = first.T
    if not first.shape[0] or not rest:
        return first, turned
    second = rest[0].T if not rowvar and rest[0].shape[0] != 1 else rest[0]
    return concatenate((first, second)), False


def _whole(ddof: Any) -> int:
    number = np.asarray(ddof)
    if number.ndim or number.dtype.kind not in "biuf":
        raise ArgumentError(f"cov: ddof is {ddof!r}{at_user_line()}; expected an integer")
    if not float(number).is_integer():
        raise ArgumentValueError(f"cov: ddof is {ddof!r}{at_user_line()}; expected an integer")
    return int(number)


def _weights(name: str, given: Any, n: int) -> Tensor | None:
    if given is None:
        return None
    w = tensor(given).astype(np.float64)
    value = known(w.uop)
    if value is not None and name == "fweights" and (value != np.around(value)).any():
        raise ArgumentError(f"cov: fweights are no integers{at_user_line()}; aweights may be any numbers")
    if w.shape != (n,):
        kind = WeightsError if w.ndim else IndexOutOfRange
        raise kind(f"cov: {name} has shape {w.shape}{at_user_line()}; expected {n} weights, one an observation")
    if value is not None and (value < 0).any():
        raise ArgumentValueError(f"cov: {name} has numbers below 0{at_user_line()}")
    return w


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Tensor:
    """The correlation matrix of variables: their covariances over the deviations of both, from -1 to 1.

    Arguments, dtypes and errors as of `cov`. A variable that does not vary has NaN.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.corrcoef([[0.0, 1.0, 2.0], [4.0, 1.0, 1.0]]).round(4)
    Tensor([[ 1.   , -0.866],
            [-0.866,  1.   ]], dtype=float64)
    """
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviation = np.sqrt(diagonal(c).real)
    c = c / deviation[:, None] / deviation[None, :]
    if c.dtype.kind == "c":
        return of(complex_of(_bounded(c.real).uop, _bounded(c.imag).uop))
    return _bounded(c)


def _bounded(c: Tensor) -> Tensor:
    """C within -1 and 1, and itself there: the edge is not shared with the bound, as by clip."""
    return of(compose.where(c > 1, 1.0, compose.where(c < -1, -1.0, c)))
