"""Element types, constants, and questions about them: NumPy's own, restricted to what Tensors hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans import dtypes as _dtypes
from functrans.errors import ArgumentError, at_user_line
from functrans.numpy._wrap import tensor
from functrans.tensor.core import Tensor
from functrans.tensor.lift import is_weak, lift, result_dtype

__all__ = [
    "astype",
    "bool",
    "bool_",
    "can_cast",
    "complex64",
    "complex128",
    "dtype",
    "e",
    "euler_gamma",
    "finfo",
    "float16",
    "float32",
    "float64",
    "iinfo",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "iscomplexobj",
    "isdtype",
    "isrealobj",
    "isscalar",
    "issubdtype",
    "nan",
    "newaxis",
    "pi",
    "promote_types",
    "result_type",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]  # fmt: skip

bool_ = np.bool_
bool = np.bool_
int8, int16, int32, int64 = np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
float16, float32, float64 = np.float16, np.float32, np.float64
complex64, complex128 = np.complex64, np.complex128
pi, e, inf, nan, euler_gamma = np.pi, np.e, np.inf, np.nan, np.euler_gamma
newaxis = None
dtype, finfo, iinfo = np.dtype, np.finfo, np.iinfo
issubdtype, promote_types, isdtype = np.issubdtype, np.promote_types, np.isdtype


def result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    """The dtype that NumPy's promotion gives; Python numbers give way to arrays.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.result_type(fnp.float32, 2.0)
    dtype('float32')
    """
    if not arrays_and_dtypes:
        raise ArgumentError(f"result_type of nothing{at_user_line()}; expected arrays or dtypes")
    return result_dtype([_kind(x) for x in arrays_and_dtypes]).numpy


def _kind(x: Any) -> Any:
    if is_weak(x):
        return x
    if isinstance(x, (Tensor, np.ndarray, np.generic, list, tuple)):
        return lift(x)
    return lift(np.empty(0, _dtypes.from_numpy(x).numpy))


def can_cast(from_: Any, to: Any, casting: Any = "safe") -> Any:
    """Whether a dtype, or the dtype of an array, is cast to another without loss.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.can_cast(fnp.int32, fnp.float64)
    True
    """
    return np.can_cast(from_.dtype if isinstance(from_, Tensor) else from_, to, casting)


def astype(x: Any, dtype: Any, /, *, copy: Any = True) -> Tensor:
    """The values in another dtype; float to integer saturates and NaN gives 0.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.astype([1.7, -1.7], fnp.int32)
    Tensor([ 1, -1], dtype=int32)
    """
    return tensor(x).astype(dtype)


def isscalar(element: Any) -> Any:
    """Whether this is a number, and no array or Tensor.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.isscalar(2.0)
    True
    """
    return is_weak(element) or isinstance(element, np.generic)


def iscomplexobj(x: Any) -> Any:
    """Whether the dtype is complex.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.iscomplexobj([1.0])
    False
    """
    return lift(x).dtype.kind == "c"


def isrealobj(x: Any) -> Any:
    """Whether the dtype is not complex.

    Examples
    --------
    >>> import functrans.numpy as fnp
    >>> fnp.isrealobj([1.0])
    True
    """
    return not iscomplexobj(x)
