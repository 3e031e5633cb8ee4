"""`load_c`: an exported function of a shared library, called from Python."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans._lazy import cffi, shutil
from functrans.backend.runtime.cache import end_workspace
from functrans.backend.runtime.scratch import make_directory
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
        self.__name__ = name
        self._ffi = cffi.FFI()
        try:
            with _copied(path) as own:
                self._open(own)
        except OSError as error:
            raise ArgumentValueError(f"load_c: {path} is no library that loads: {error}{at_user_line()}") from error
        except AttributeError as error:
            raise ArgumentValueError(f"load_c: {path} has no function {name} of export_c{at_user_line()}") from error

    def _open(self, path: str) -> None:
        self._ffi.cdef(f"const char *{self.__name__}_signature(void);")
        text = getattr(self._ffi.dlopen(path), f"{self.__name__}_signature")()
        self.abi, self.integer, rest = self._ffi.string(text).decode().split(" ", 2)
        self.integer = self.integer.replace("_", " ")
        given, _, made = rest.partition("-> ")
        self._given, self._made = _leaves(given), _leaves(made)
        self.inputs = tuple(v for v in self._given if v is not None)
        self.outputs = tuple(v for v in self._made if v is not None)
        self._library = self._declared(path)

    def _declared(self, path: str) -> Any:
        """The library with the functions of its interface."""
        name, integer = self.__name__, self.integer
        sparsity = f"const {integer} *{name}_sparsity_out({integer});"
        if self.abi == "plain":
            pointers = [f"const {_CTYPES[v.dtype.name]} *" for v in self.inputs]
            pointers += [f"{_CTYPES[v.dtype.name]} *" for v in self.outputs]
            text = f"int {name}({', '.join([*pointers, 'double *', 'size_t'])}); size_t {name}_work(void);"
        else:
            memory = "void *" if self.abi == "acados" else "int"
            text = f"int {name}(const double **, double **, {integer} *, double *, {memory});"
            text += f"int {name}_work({', '.join([f'{integer} *'] * 4)});"
        self._ffi.cdef(text + sparsity)
        return self._ffi.dlopen(path)

    def __call__(self, *args: Any) -> Any:
        """Call it. Raises ArgumentError, ShapeError or DtypeError for arguments of another kind, FunctransError where
        it returns another status than 0.
        """
        if len(args) != len(self.inputs):
            raise ArgumentError(f"{self.__name__} takes {len(self.inputs)} arguments, not {len(args)}{at_user_line()}")
        order: Literal["C", "F"] = "C" if self.abi == "plain" else "F"
        arrays = [_checked(a, v, self.__name__).ravel(order) for a, v in zip(args, self.inputs, strict=True)]
        results = [np.empty(int(np.prod(v.shape)), v.dtype) for v in self.outputs]
        work = np.empty(self.work, np.float64)
        status = (self._plain if self.abi == "plain" else self._casadi)(arrays, results, work)
        if status:
            raise FunctransError(f"{self.__name__} returned {status}: {_STATUS.get(status, 'unknown')}{at_user_line()}")
        shaped = [np.reshape(r, v.shape, order=order) for r, v in zip(results, self.outputs, strict=True)]
        found = [r if r.ndim else r[()] for r in shaped]
        return found[0] if len(found) == 1 else tuple(found)

    def _plain(self, arrays: list[Array], results: list[Array], work: Array) -> int:
        pointers = [self._pointer(a) for a in (*arrays, *results, work)]
        return int(getattr(self._library, self.__name__)(*pointers, work.size))

    def _casadi(self, arrays: list[Array], results: list[Array], work: Array) -> int:
        null, ins, outs = self._ffi.NULL, iter(arrays), iter(results)
        arg = [null if v is None else self._pointer(next(ins)) for v in self._given]
        res = [null if v is None else self._pointer(next(outs)) for v in self._made]
        given, made = self._ffi.new("const double *[]", arg or 1), self._ffi.new("double *[]", res or 1)
        memory = null if self.abi == "acados" else 0
        return int(getattr(self._library, self.__name__)(given, made, null, self._pointer(work), memory))

    @property
    def work(self) -> int:
        """Doubles of memory that it works in."""
        ask = getattr(self._library, f"{self.__name__}_work")
        if self.abi == "plain":
            return int(ask())
        sizes = [self._ffi.new(f"{self.integer} *") for _ in range(4)]
        ask(*sizes)
        return int(sizes[3][0])

    def _pointer(self, array: Array) -> Any:
        return self._ffi.cast(f"{_CTYPES[array.dtype.name]} *", array.ctypes.data)

    def pattern(self, k: int = 0) -> tuple[Array, Array] | None:
        """Of result k, the nonzeros of a matrix: where each row begins and the columns, of CasADi's interface where
        each column begins and the rows. None where every element is stored.
        """
        place = [p for p, v in enumerate(self._made) if v is not None][k]
        start = getattr(self._library, f"{self.__name__}_sparsity_out")(place)
        if not start or (self.abi != "plain" and start[2] == 1):
            return None
        count = start[0 if self.abi == "plain" else 1]
        ends = np.array([start[2 + i] for i in range(count + 1)], np.int64)
        return ends, np.array([start[3 + count + i] for i in range(int(ends[-1]))], np.int64)

    def __repr__(self) -> str:
        def shown(leaves: Sequence[Leaf]) -> str:
            return ", ".join(f"{v.name}: {v.dtype.name}{list(v.shape)}" for v in leaves)

        return f"<{self.__name__}({shown(self.inputs)}) -> ({shown(self.outputs)})>"


@contextmanager
def _copied(path: str) -> Iterator[str]:
    """A copy of a library under a name of its own: loaders know what they have loaded by its name."""
    directory = make_directory("functrans-c-")
    try:
        own = os.path.join(directory, "library.so")
        shutil.copyfile(path, own)
        yield own
    finally:
        end_workspace(directory, os.getpid())


def _leaves(text: str) -> tuple[Leaf | None, ...]:
    """The leaves of a signature; None for one that nobody reads or writes."""
    return tuple(map(_leaf, text.split()))


def _leaf(text: str) -> Leaf | None:
    found = _VALUE.fullmatch(text)
    if found is None:
        return None
    name, dtype, shape = found.groups()
    return Leaf(name, tuple(int(k) for k in shape.split(",") if k), np.dtype(dtype))


def _checked(value: Any, leaf: Leaf, name: str) -> Array:
    array = np.asarray(value)
    if array.shape != leaf.shape:
        found = f"argument {leaf.name} of {name} has shape {array.shape}"
        raise ShapeError(f"{found}{at_user_line()}; expected {leaf.shape}")
    if array.dtype != leaf.dtype and not np.can_cast(array.dtype, leaf.dtype, "same_kind"):
        raise DtypeError(f"argument {leaf.name} of {name} is {array.dtype}{at_user_line()}; expected {leaf.dtype}")
    return np.ascontiguousarray(array, leaf.dtype).reshape(leaf.shape)


def load_c(path: str | os.PathLike[str], name: str) -> Loaded:
    """A function of a library that `Exported.compile`, or any C compiler, made of an exported file.

    Parameters
    ----------
    path : the library
    name : of the function, or of one of its derivatives: ``"jac_NAME"``

    Raises
    ------
    ArgumentValueError
        There is no such library, or no such function in it.

    Notes
    -----
    It takes and returns the leaves of arguments and results, flat: of a pytree one array for each. See `export_c`.

    Examples
    --------
    >>> import numpy as np, functrans as ft, tempfile
    >>> with tempfile.TemporaryDirectory() as here:
    ...     made = ft.export_c(lambda x: 2 * x, ft.ShapeDtype((3,)), name="twice", path=here + "/twice.c")
    ...     load_c(made.compile(), "twice")(np.ones(3))
    array([2., 2., 2.])
    """
    return Loaded(os.fspath(path), name)
