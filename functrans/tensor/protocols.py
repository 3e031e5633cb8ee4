"""How NumPy's functions reach Tensors: the tables behind ``__array_ufunc__`` and ``__array_function__``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from functrans.errors import UnsupportedError, at_user_line
from functrans.ops.uop import UOp
from functrans.tensor.elementwise import apply, name_of

FUNCTIONS: dict[Any, Callable[..., Any]] = {}


def implement(numpy_function: Any, ours: Callable[..., Any]) -> None:
    """Let a function of NumPy answer for Tensors by one of ours."""
    FUNCTIONS[numpy_function] = ours


def array_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a ufunc called with a Tensor gives: a node, a tuple of nodes, or NotImplemented."""
    name = name_of(ufunc)
    if any(o is not None for o in kwargs.pop("out", ())):
        raise UnsupportedError(
            f"{name} with out= (or an operator such as += on an array){at_user_line()}: Tensors are values, not "
            f"memory; write y = {name}(...), or a = a + t"
        )
    if kwargs.pop("where", True) is not True:
        raise UnsupportedError(
            f"{name} with where={at_user_line()}: use fnp.where(condition, {name}(...), other)"
        )
    dtype = kwargs.pop("dtype", None)
    if method != "__call__" or kwargs:
        raise UnsupportedError(f"{name}.{method} with {sorted(kwargs)} is not supported on Tensors{at_user_line()}")
    return apply(ufunc, *inputs, dtype=dtype)


def array_function(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a function of NumPy called with a Tensor gives."""
    ours = FUNCTIONS.get(function)
    if ours is None:
        name = f"{function.__module__}.{function.__name__}".replace("numpy", "np", 1)
        raise UnsupportedError(f"{name} is not supported on Tensors{at_user_line()}")
    return ours(*args, **kwargs)


def nodes_to(wrap: Callable[[UOp], Any], result: Any) -> Any:
    """A result of `array_ufunc` with every node wrapped."""
    if isinstance(result, tuple):
        return tuple(map(wrap, result))
    return wrap(result) if isinstance(result, UOp) else result


__all__ = ["FUNCTIONS", "array_function", "array_ufunc", "implement", "nodes_to", "np"]
