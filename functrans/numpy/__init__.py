"""NumPy's functions on Tensors, under NumPy's names and with NumPy's arguments.

Each takes Tensors, arrays and numbers and returns Tensors; called on a Tensor, NumPy's own functions come
here. What NumPy computes at once is recorded here, and computed when it is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

import numpy as _np

from functrans._lazy import attributes as _attributes
from functrans.numpy import (
    composed,
    contraction,
    covariance,
    creation,
    diagonals,
    dtypes,
    elementwise,
    filters,
    histograms,
    interpolation,
    joining,
    membership,
    nanreductions,
    picking,
    pieces,
    polynomials,
    reductions,
    sets,
    shaping,
    sorting,
    uniques,
)
from functrans.numpy.composed import *  # noqa: F403
from functrans.numpy.contraction import *  # noqa: F403
from functrans.numpy.covariance import *  # noqa: F403
from functrans.numpy.creation import *  # noqa: F403
from functrans.numpy.diagonals import *  # noqa: F403
from functrans.numpy.dtypes import *  # noqa: F403
from functrans.numpy.elementwise import *  # noqa: F403
from functrans.numpy.filters import *  # noqa: F403
from functrans.numpy.histograms import *  # noqa: F403
from functrans.numpy.interpolation import *  # noqa: F403
from functrans.numpy.joining import *  # noqa: F403
from functrans.numpy.membership import *  # noqa: F403
from functrans.numpy.nanreductions import *  # noqa: F403
from functrans.numpy.picking import *  # noqa: F403
from functrans.numpy.pieces import *  # noqa: F403
from functrans.numpy.polynomials import *  # noqa: F403
from functrans.numpy.reductions import *  # noqa: F403
from functrans.numpy.sets import *  # noqa: F403
from functrans.numpy.shaping import *  # noqa: F403
from functrans.numpy.sorting import *  # noqa: F403
from functrans.numpy.uniques import *  # noqa: F403
from functrans.tensor.protocols import implement as _implement

__all__ = [
    *composed.__all__, *contraction.__all__, *covariance.__all__, *creation.__all__, *diagonals.__all__,
    *dtypes.__all__, *elementwise.__all__, *filters.__all__, *histograms.__all__, *interpolation.__all__,
    *joining.__all__, *membership.__all__, *nanreductions.__all__, *picking.__all__, *pieces.__all__,
    *polynomials.__all__, *reductions.__all__, *sets.__all__, *shaping.__all__, *sorting.__all__, *uniques.__all__,
]  # fmt: skip

if _TYPE_CHECKING:
    from functrans.numpy import fft, linalg  # noqa: F401
else:
    __getattr__ = _attributes(__name__, "composed", ("fft", "linalg"))

_OWN = frozenset({
    "arange", "array", "asanyarray", "asarray", "ascontiguousarray", "broadcast_shapes", "dtype", "finfo",
    "from_dlpack", "iinfo", "isscalar",
})  # fmt: skip

for _name in __all__:
    _theirs = getattr(_np, _name, None)
    if callable(_theirs) and not isinstance(_theirs, (_np.ufunc, type)) and _name not in _OWN:
        _implement(_theirs, globals()[_name])

_implement(_np.lib.stride_tricks.sliding_window_view, filters.sliding_window_view)
_implement(_np.array_repr, lambda arr, **options: repr(arr))
_implement(_np.array_str, lambda a, **options: str(a))
_implement(_np.array2string, lambda a, **options: _np.array2string(a.numpy(), **options))


def __dir__() -> list[str]:
    return sorted({*globals(), "fft", "linalg"})
