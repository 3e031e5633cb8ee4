"""What the iterations of this package are given, checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from functrans import dtypes, tree
from functrans.errors import (
    ArgumentError,
    ArgumentValueError,
    ShapeError,
    UnsupportedError,
    at_user_line,
)
from functrans.tensor.core import Tensor
from functrans.trace import name_of
from functrans.transforms.loops.sequences import natural


def named(f: Any, solver: str) -> str:
    """What a call of a solver is called in messages; ArgumentError where f is no function."""
    if not callable(f):
        raise ArgumentError(f"f of {solver} is {f!r} of type {type(f).__name__}; expected a function{at_user_line()}")
    return f"{solver} of {name_of(f)}"


def check_limits(what: str, maxiter: Any, on_failure: Any, **tolerances: Any) -> None:
    """ArgumentValueError for a number of iterations, tolerances or an ``on_failure`` that are none."""
    natural(maxiter, "maxiter", what, 0)
    if on_failure not in ("raise", "nan"):
        raise ArgumentValueError(f"on_failure={on_failure!r} of {what}; expected 'raise' or 'nan'{at_user_line()}")
    for name, x in tolerances.items():
        if isinstance(x, (int, float, np.generic, np.ndarray)) and not np.all(np.asarray(x) >= 0):
            raise ArgumentValueError(f"{name}={x!r} of {what}; expected a number >= 0{at_user_line()}")
        if getattr(x, "shape", ()) != ():
            raise ShapeError(f"{name} of {what} has shape {x.shape}; expected one number{at_user_line()}")


def check_jac(what: str, jac: Any) -> None:
    """ArgumentValueError for a ``jac`` that is none."""
    if not callable(jac) and jac not in ("auto", "dense", "sparse"):
        raise ArgumentValueError(
            f"jac={jac!r} of {what}; expected 'auto', 'dense', 'sparse' or a function{at_user_line()}"
        )


def check_real(x0: Any, what: str) -> None:
    """UnsupportedError for complex unknowns."""
    for x, name in zip(tree.leaves(x0), tree.paths(x0, "x0"), strict=True):
        if isinstance(x, Tensor) and x.uop.dtype.kind == "c":
            raise UnsupportedError(
                f"{name} of {what} is {x.uop.dtype.name}: complex unknowns are not built{at_user_line()}; solve for "
                "real and imaginary parts"
            )


def values_of(f: Callable[..., Any], what: str, size: int) -> Callable[..., list[Any]]:
    """f, of which the leaves are as many numbers as there are unknowns; ShapeError otherwise."""

    def checked(*args: Any) -> list[Any]:
        leaves = tree.leaves(f(*args))
        shapes = [tuple(x.shape) if hasattr(x, "shape") else () for x in leaves]
        count = sum(int(np.prod(s)) for s in shapes)
        if count != size:
            raise ShapeError(
                f"f of {what} gives {count} numbers, of shapes {shapes}, for {size} unknowns{at_user_line()}; it gives "
                "one for each"
            )
        for x in leaves:
            if isinstance(x, Tensor) and not dtypes.is_inexact(x.uop.dtype):
                raise UnsupportedError(f"f of {what} gives {x.uop.dtype.name}; expected floats{at_user_line()}")
        return leaves

    return checked
