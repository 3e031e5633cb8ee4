"""Whether functrans has a function of NumPy or SciPy, and what is to be written instead."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
import scipy.linalg
import scipy.special

from functrans.tensor.hints import HINTS, native

MODULES = {"np": np, "np.linalg": np.linalg, "np.fft": np.fft, "scipy.special": scipy.special,
           "scipy.linalg": scipy.linalg}  # fmt: skip


def names_of(module: Any) -> list[str]:
    """The functions of a module, by their public names; classes, modules and constants are none."""
    listed = getattr(module, "__all__", dir(module))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that are deprecated
        found = {name: getattr(module, name, None) for name in listed if not name.startswith("_")}
    return sorted(n for n, f in found.items() if callable(f) and not inspect.isclass(f))


def takes_arrays(module: Any, name: str) -> bool:
    """Whether a function of NumPy asks its arguments, as ufuncs and those of __array_function__ do."""
    f = getattr(module, name)
    return module is not np or isinstance(f, np.ufunc) or hasattr(f, "_implementation")


def answer(space: str, name: str) -> tuple[str, str]:
    """Which of the three, and the full name here or the text of the hint."""
    full = f"{space}.{name}"
    found = native(full)
    if found is not None:
        return "here", found
    if full in HINTS:
        return "instead", HINTS[full]
    if space == "scipy.special" and isinstance(getattr(np, name, None), np.ufunc) and native(f"np.{name}"):
        return "here", f"np.{name}"  # SciPy's own ufunc of the same name and meaning
    return ("not here", "") if takes_arrays(MODULES[space], name) else ("constants", "")
