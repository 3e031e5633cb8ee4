"""`cfunc`: a function as a C function pointer, for programs that call back: SciPy's LowLevelCallable, numba, ctypes."""

from __future__ import annotations

import ctypes
import inspect
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import functrans.numpy as fnp
from functrans import tree
from functrans._lazy import scipy
from functrans.backend.runtime.cache import end_workspace
from functrans.backend.runtime.scratch import make_directory
from functrans.errors import ArgumentError, ArgumentValueError, ShapeError, at_user_line
from functrans.export.exported import export_c
from functrans.trace import ShapeDtype, name_of
from functrans.transforms.jit import jit

__all__ = ["CFunction", "cfunc"]

_SCALARS = re.compile(r"double \(double(, double)*(, void \*)?\)")
_POINTERS = {
    "double (int, double *)": ["int n", "const double *x"],
    "double (int, double *, void *)": ["int n", "const double *x", "void *data"],
    "int (double *, npy_intp, double *, void *)": ["const double *x", "intptr_t n", "double *y", "void *data"],
    "int (double *, npy_intp, double *, npy_intp, void *)": [
        "const double *x", "intptr_t n", "double *y", "intptr_t m", "void *data"
    ],
    "int (npy_intp *, double *, int, int, void *)": ["const intptr_t *x", "double *y", "int m", "int n", "void *data"],
}  # fmt: skip
"""Of the callbacks of scipy.integrate and scipy.ndimage: n is the size of x, m that of y."""
_ARRAYS = re.compile(r"int \(double \*(, double \*)+\)")
_WORK = re.compile(r"size_t function_work\(void\) { return (\d+); }")


def cfunc(f: Callable[..., Any], signature: str, *specs: Any) -> CFunction:
    """A function as a pointer to compiled C of the given signature, which other compiled programs call.

    Parameters
    ----------
    f : function of float64 arrays and numbers; what it closes over is frozen
    signature : str
        As SciPy writes them:

        - ``"double (double, double)"``, any number of them, and ``void *`` last or not: f of numbers to a number;
        - ``"double (int, double *)"``, and ``void *`` last or not: the same, with as many numbers as f has parameters,
          for ``scipy.integrate``;
        - ``"int (double *, npy_intp, double *, void *)"``, for ``scipy.ndimage.generic_filter``: f of a vector to a
          number; with a second ``npy_intp``, for ``generic_filter1d``, to a vector;
        - ``"int (npy_intp *, double *, int, int, void *)"``, for ``geometric_transform``: f of int64 places to places;
        - ``"int (double *, double *)"``, any number of pointers, for numba and others: first the arguments of f, then
          its results.
    *specs : arrays or `ShapeDtype`
        What the arguments are like, where the signature has pointers to them.

    Returns
    -------
    CFunction
        ``low_level()`` for SciPy, ``ctypes`` for numba and ctypes, ``address`` for anything.

    Raises
    ------
    ArgumentValueError
        Another signature.
    ArgumentError, ShapeError
        f, its arguments or its results do not fit the signature.
    CompilerNotFound, CompileError, UnsupportedError
        As of `export_c`.

    Notes
    -----
    A function of numbers is NaN where a matrix was refused or sizes do not fit; those of ``int`` return 0 then for
    ``scipy.ndimage``, which raises, and for pointers a number that is not 0. Threads may call it at once.

    Examples
    --------
    >>> import numpy as np, scipy, functrans as ft
    >>> bell = ft.cfunc(lambda x: np.exp(-x * x), "double (double)")
    >>> bell.ctypes(0.0)
    1.0
    >>> scipy.integrate.quad(bell.low_level(), -np.inf, np.inf)[0] ** 2
    3.14159265358979...
    """
    made = CFunction(f, signature, specs)
    made.compile()
    return made


class CFunction:
    """A C function; made by `cfunc`. Pickled as what it was made of, and compiled or found in the cache again.

    Attributes
    ----------
    signature : str
    ctypes : the function of ctypes, which Python and numba call
    address : int

    Examples
    --------
    >>> import numpy as np, functrans as ft
    >>> made = ft.cfunc(np.hypot, "double (double, double)")
    >>> made, made.ctypes(3.0, 4.0)
    (<hypot as double (double, double)>, 5.0)
    """

    ctypes: Any
    address: int

    def __init__(self, f: Callable[..., Any], signature: str, specs: tuple[Any, ...]) -> None:
        self.f, self.signature, self.specs = f, signature, specs
        self.__name__ = name_of(f)

    def __reduce__(self) -> tuple[Any, ...]:
        return cfunc, (self.f, self.signature, *self.specs)

    def __repr__(self) -> str:
        return f"<{self.__name__} as {self.signature}>"

    def low_level(self) -> Any:
        """It as ``scipy.LowLevelCallable``."""
        return scipy.LowLevelCallable(self.ctypes, None, self.signature)

    def compile(self) -> None:
        """Write, compile and load it."""
        specs, form = self._form()
        directory = make_directory("functrans-callback-")
        try:
            path = Path(directory) / "f.c"
            made = export_c(_Floats(self.f), *specs, name="function", path=path, derivatives=(), arch="native")
            text = made.path.read_text(encoding="utf-8")
            found = _WORK.search(text)
            work = 0 if found is None else int(found[1])
            made.path.write_text(f"#include <math.h>\n#include <stdint.h>\n{text}\n{form.text(work)}", encoding="utf-8")
            library = ctypes.CDLL(os.fspath(made.compile()))
        finally:
            end_workspace(directory, os.getpid())
        self.ctypes = library.callback
        self.ctypes.restype, *self.ctypes.argtypes = map(_ctype, re.split(r", | \(", self.signature.rstrip(")")))
        self.address = int(ctypes.cast(self.ctypes, ctypes.c_void_p).value or 0)

    def _form(self) -> tuple[list[ShapeDtype], _Form]:
        """What f is given, and the C function; ArgumentValueError, ArgumentError and ShapeError of the signature."""
        signature = self.signature
        if _SCALARS.fullmatch(signature):
            names = [f"x{k}" for k in range(signature.count("double") - 1)]
            specs = self._numbers(len(names))
            given = [f"double {name}" for name in names] + ["void *data"] * ("void *" in signature)
            self._results(specs, "a number")
            return specs, _Form("double", given, [f"&{name}" for name in names], [])
        if signature in _POINTERS and signature.startswith("double"):
            specs = self._numbers(len(inspect.signature(self.f).parameters))
            self._results(specs, "a number")
            passed = [f"x + {k}" for k in range(len(specs))]
            return specs, _Form("double", _POINTERS[signature], passed, [f"n != {len(specs)}"])
        if signature in _POINTERS:
            places = "npy_intp *" in signature
            specs = self._arrays(1, np.int64 if places else np.float64)
            kind = "a number" if signature.count("npy_intp") == 1 and not places else "a vector"
            result = self._results(specs, kind)[0]
            check = [f"n != {specs[0].shape[0]}"] + ([f"m != {result[0]}"] if result else [])
            passed = ["(const long long *)x" if places else "x", "y"]
            return specs, _Form("scipy", _POINTERS[signature], passed, check)
        if _ARRAYS.fullmatch(signature):
            specs, count = self._arrays(len(self.specs), np.float64), signature.count("double")
            results = self._results(specs, "anything")
            if len(specs) + len(results) != count:
                raise ArgumentError(
                    f"cfunc of {self.__name__}: {signature!r} has {count} pointers{at_user_line()}; f has {len(specs)} "
                    f"arguments and {len(results)} results"
                )
            names = [f"x{k}" for k in range(count)]
            given = [f"{'const ' * (k < len(specs))}double *{name}" for k, name in enumerate(names)]
            return specs, _Form("status", given, names, [])
        known = ["double (double, ...)", *_POINTERS, "int (double *, double *, ...)"]
        raise ArgumentValueError(
            f"cfunc of {self.__name__}: signature={signature!r}{at_user_line()}; expected one of {'; '.join(known)}"
        )

    def _numbers(self, count: int) -> list[ShapeDtype]:
        """Specs of numbers. Raises ArgumentError where others were given."""
        if self.specs:
            raise ArgumentError(
                f"cfunc of {self.__name__} as {self.signature} got specs {list(self.specs)}{at_user_line()}; it takes "
                "none, as f is given numbers"
            )
        return [ShapeDtype((), np.float64)] * count

    def _arrays(self, count: int, kind: Any) -> list[ShapeDtype]:
        """Specs of what f is given by pointers. Raises ArgumentError where they do not fit."""
        specs = [ShapeDtype(tuple(s.shape), s.dtype) for s in self.specs]
        vectors = "npy_intp" not in self.signature or all(len(s.shape) == 1 for s in specs)
        if len(specs) != count or not specs or not vectors or any(np.dtype(s.dtype) != kind for s in specs):
            raise ArgumentError(
                f"cfunc of {self.__name__} as {self.signature} got specs {list(self.specs)}{at_user_line()}; expected "
                + (f"a vector of {np.dtype(kind)}" if "npy_intp" in self.signature else "arrays of float64")
            )
        return specs

    def _results(self, specs: list[ShapeDtype], kind: str) -> list[tuple[int, ...]]:
        """Shapes of the results. Raises ShapeError where they are not of the kind."""
        found = [tuple(o.sized) for o in jit(self.f).lower(*specs).traced.outputs]
        axes = {"a number": [0], "a vector": [1]}.get(kind)
        if axes is not None and [len(shape) for shape in found] != axes:
            raise ShapeError(
                f"cfunc of {self.__name__} as {self.signature}: its results have the shapes {found}{at_user_line()}; "
                f"expected {kind}"
            )
        return found


class _Form(NamedTuple):
    """A C function around the exported one.

    ``kind`` is what it returns: the number ("double"), 1 for good ("scipy") or 0 for good ("status").
    """

    kind: str
    given: list[str]
    passed: list[str]
    checks: list[str]

    def text(self, work: int) -> str:
        """The C, with memory to work in for each thread."""
        returned = "double" if self.kind == "double" else "int"
        memory = f"  static _Thread_local _Alignas(64) double work[{work}];" if work else "  double *work = 0;"
        passed = ", ".join([*self.passed, *["&y"] * (self.kind == "double"), "work", str(work)])
        calls = " || ".join([*self.checks, f"function({passed})"])
        unused = "  (void)data;" if "void *data" in self.given else ""
        body = {
            "double": f"  double y;\n  return {calls} ? (double)NAN : y;",
            "scipy": f"  return !({calls});",
            "status": f"  return {calls};",
        }[self.kind]
        head = f"{returned} callback({', '.join(self.given)});\n{returned} callback({', '.join(self.given)}) {{"
        return "\n".join([head, memory, unused, body, "}", ""])


class _Floats:
    """A function with float64 results, as a list of leaves."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f
        self.__name__ = name_of(f)

    def __call__(self, *args: Any) -> list[Any]:
        """The leaves of its results."""
        return [fnp.asarray(v, dtype=np.float64) for v in tree.leaves(self.f(*args))]


def _ctype(name: str) -> Any:
    """The type of ctypes for one of C."""
    if name == "void *":
        return ctypes.c_void_p
    known = {"double": ctypes.c_double, "int": ctypes.c_int, "npy_intp": ctypes.c_ssize_t}
    found = known[name.removesuffix(" *")]
    return ctypes.POINTER(found) if name.endswith("*") else found
