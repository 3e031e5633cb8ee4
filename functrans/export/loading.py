"""`load_c`: an exported function of a shared library, called from Python."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import cffi
from functrans.errors import ArgumentError, ArgumentValueError, DtypeError, FunctransError, ShapeError, at_user_line

__all__ = ["Loaded", "load_c"]

Array = NDArray[Any]
_VALUE = re.compile(r"(\w+):(\w+)\[([\d,]*)\]")
_CTYPES = {
    "bool": "unsigned char", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned", "uint64": "unsigned long long",
    "float32": "float", "float64": "double",
}  # fmt: skip
_STATUS = {
    1: "an argument is NULL", 2: "the memory to work in is too small",
    3: "a matrix was refused, or an iteration did not converge",
}  # fmt: skip


class Leaf(NamedTuple):
    """An argument or a result."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


class Loaded:
    """A compiled function; made by `load_c`. Arrays in, an array out, or a tuple of them.

    Attributes
    ----------
    inputs, outputs : names, shapes and dtypes
    """

    def __init__(self, path: str, name: str) -> None:
        self._path, self.__name__ = path, name
        self._ffi = cffi.FFI()
        self._ffi.cdef(f"const char *{name}_signature(void);")
        try:
            text = getattr(self._ffi.dlopen(path), f"{name}_signature")()
        except OSError as error:
            raise ArgumentValueError(f"load_c: {path} is no library that loads: {error}{at_user_line()}") from error
        except AttributeError as error:
            raise ArgumentValueError(f"load_c: {path} has no function {name} of export_c{at_user_line()}") from error
        self.abi, self.integer, rest = self._ffi.string(text).decode().split(" ", 2)
        self.integer = self.integer.replace("_", " ")
        given, _, made = f" {rest} ".partition(" -> ")
        self.inputs, self.outputs = _leaves(given), _leaves(made)
        self._library = self._declared()

    def _declared(self) -> Any:
        name = self.__name__
        pointers = [f"const {_CTYPES[v.dtype.name]} *" for v in self.inputs]
        pointers += [f"{_CTYPES[v.dtype.name]} *" for v in self.outputs]
        self._ffi.cdef(f"int {name}({', '.join([*pointers, 'double *', 'size_t'])}); size_t {name}_work(void);")
        self._ffi.cdef(f"const {self.integer} *{name}_sparsity_out({self.integer});")
        return self._ffi.dlopen(self._path)

    def __call__(self, *args: Any) -> Any:
        """Call it. Raises ArgumentError, ShapeError or DtypeError for arguments of another kind, FunctransError where
        it returns another status than 0.
        """
        if len(args) != len(self.inputs):
            raise ArgumentError(f"{self.__name__} takes {len(self.inputs)} arguments, not {len(args)}{at_user_line()}")
        arrays = [_checked(a, v, self.__name__) for a, v in zip(args, self.inputs, strict=True)]
        results = [np.empty(v.shape, v.dtype) for v in self.outputs]
        work = np.empty(self.work, np.float64)
        pointers = [self._pointer(a) for a in (*arrays, *results)]
        status = getattr(self._library, self.__name__)(*pointers, self._pointer(work), work.size)
        if status:
            raise FunctransError(f"{self.__name__} returned {status}: {_STATUS.get(status, 'unknown')}{at_user_line()}")
        found = [r if r.ndim else r[()] for r in results]
        return found[0] if len(found) == 1 else tuple(found)

    @property
    def work(self) -> int:
        """Doubles of memory that it works in."""
        return int(getattr(self._library, f"{self.__name__}_work")())

    def _pointer(self, array: Array) -> Any:
        return self._ffi.cast(f"{_CTYPES[array.dtype.name]} *", array.ctypes.data)

    def pattern(self, k: int = 0) -> tuple[Array, Array] | None:
        """Of result k, the nonzeros of a matrix, where each row begins and the columns; None where it is dense."""
        start = getattr(self._library, f"{self.__name__}_sparsity_out")(k)
        if not start:
            return None
        rows = start[0]
        ends = np.array([start[2 + i] for i in range(rows + 1)], np.int64)
        return ends, np.array([start[3 + rows + i] for i in range(int(ends[-1]))], np.int64)

    def __repr__(self) -> str:
        def shown(leaves: Sequence[Leaf]) -> str:
            return ", ".join(f"{v.name}: {v.dtype.name}{list(v.shape)}" for v in leaves)

        return f"<{self.__name__}({shown(self.inputs)}) -> ({shown(self.outputs)})>"


def _leaves(text: str) -> tuple[Leaf, ...]:
    found = _VALUE.findall(text)
    return tuple(Leaf(n, tuple(int(k) for k in s.split(",") if k), np.dtype(d)) for n, d, s in found)


def _checked(value: Any, leaf: Leaf, name: str) -> Array:
    array = np.asarray(value)
    if array.shape != leaf.shape:
        raise ShapeError(f"argument {leaf.name} of {name} has shape {array.shape}{at_user_line()}; expected {leaf.shape}")
    if array.dtype != leaf.dtype and not np.can_cast(array.dtype, leaf.dtype, "same_kind"):
        raise DtypeError(f"argument {leaf.name} of {name} is {array.dtype}{at_user_line()}; expected {leaf.dtype}")
    return np.ascontiguousarray(array, leaf.dtype).reshape(leaf.shape)


def load_c(path: str | os.PathLike[str], name: str) -> Loaded:
    """Load it."""
    return Loaded(os.fspath(path), name)
