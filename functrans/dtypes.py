"""Element types: one interned record each, beside the NumPy dtype that stores it."""

from __future__ import annotations

from typing import Any

import numpy as np

from functrans._records import record
from functrans.errors import DtypeError


@record(eq=False)  # one instance a dtype: identity is equality, and cheap
class DType:
    """An element type: its name, NumPy kind letter (``x`` for index arithmetic) and size in bytes."""

    name: str
    kind: str
    itemsize: int

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy dtype of the same meaning (``index`` is stored as int64)."""
        return _NUMPY[self.name]

    @property
    def low(self) -> int:
        """The least number of an integer dtype.

        >>> int8.low, uint64.low
        (-128, 0)
        """
        return 0 if self.kind == "u" else -(1 << (8 * self.itemsize - 1))

    @property
    def high(self) -> int:
        """The greatest number of an integer dtype.

        >>> int8.high, uint16.high
        (127, 65535)
        """
        return (1 << (8 * self.itemsize - (self.kind != "u"))) - 1

    def __repr__(self) -> str:
        return f"dtypes.{self.__reduce__()}"

    def __reduce__(self) -> str:
        return "bool_" if self.kind == "b" else self.name

    def __copy__(self) -> DType:
        return self

    def __deepcopy__(self, memo: Any) -> DType:
        return self


bool_ = DType("bool", "b", 1)
int8, int16, int32, int64 = (DType(f"int{8 * n}", "i", n) for n in (1, 2, 4, 8))
uint8, uint16, uint32, uint64 = (DType(f"uint{8 * n}", "u", n) for n in (1, 2, 4, 8))
float16, float32, float64 = (DType(f"float{8 * n}", "f", n) for n in (2, 4, 8))
complex64, complex128 = (DType(f"complex{8 * n}", "c", n) for n in (8, 16))
index = DType("index", "x", 8)
void = DType("void", "v", 0)

ALL: tuple[DType, ...] = (
    bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, complex64, complex128,
)  # fmt: skip
_NUMPY: dict[str, np.dtype[Any]] = {d.name: np.dtype(d.name) for d in ALL} | {"index": np.dtype("int64")}
_BY_NUMPY: dict[np.dtype[Any], DType] = {d.numpy: d for d in ALL}


def from_numpy(dtype: Any) -> DType:
    """The DType of anything NumPy accepts as a dtype, a DType included; raises DtypeError for the rest."""
    if isinstance(dtype, DType):
        return dtype
    try:
        given = np.dtype(dtype)
    except TypeError as error:
        raise DtypeError(f"{dtype!r} is not a dtype; expected one of {_names()}") from error
    found = _BY_NUMPY.get(given.newbyteorder("=") if given.byteorder in "<>" else given)
    if found is None:
        raise DtypeError(f"dtype {given} is not supported; expected one of {_names()}")
    return found


def _names() -> str:
    return ", ".join(d.name for d in ALL)


def is_inexact(dtype: DType) -> bool:
    """Whether the dtype is real or complex floating point: what a derivative is defined for."""
    return dtype.kind in "fc"


def real_of(dtype: DType) -> DType:
    """The dtype of the parts of a complex dtype; any other itself."""
    return dtype if dtype.kind != "c" else float32 if dtype == complex64 else float64
