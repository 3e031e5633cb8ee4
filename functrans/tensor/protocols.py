"""How NumPy's functions reach Tensors: the tables behind ``__array_ufunc__`` and ``__array_function__``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.errors import UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor import late, reduce, running
from functrans.tensor.contract import matmul, matvec, vecdot, vecmat
from functrans.tensor.elementwise import apply, call, name_of
from functrans.tensor.hints import called, full_name, hint
from functrans.tensor.lift import lift, node_of
from functrans.tensor.meanings import MEANINGS

FUNCTIONS: dict[Any, Callable[..., Any]] = {}

_REDUCE: dict[Any, Callable[..., UOp]] = {
    np.add: reduce.sum_, np.multiply: reduce.prod_, np.maximum: reduce.max_, np.minimum: reduce.min_,
    np.logical_and: reduce.all_, np.logical_or: reduce.any_,
}  # fmt: skip
_BITWISE = {np.bitwise_and: Ops.AND, np.bitwise_or: Ops.OR}
_ACCUMULATE: dict[Any, Ops] = {
    np.add: Ops.ADD, np.multiply: Ops.MUL, np.maximum: Ops.MAX, np.minimum: Ops.MIN, np.bitwise_and: Ops.AND,
    np.bitwise_or: Ops.OR,
}  # fmt: skip
_CORE: dict[str, Callable[..., UOp]] = {"matmul": matmul, "vecdot": vecdot, "matvec": matvec, "vecmat": vecmat}


def implement(numpy_function: Any, ours: Callable[..., Any]) -> None:
    """Let a function of NumPy answer for Tensors by one of ours."""
    FUNCTIONS[numpy_function] = ours


def array_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a ufunc called with a Tensor gives: a node, a tuple of nodes, or NotImplemented."""
    for x in inputs:
        if type(x) not in _KNOWN and _foreign(x):
            return NotImplemented
    if method == "__call__" and not kwargs and ufunc in MEANINGS:
        return apply(ufunc, *inputs)
    name = name_of(ufunc)
    out = kwargs.pop("out", None)
    if out is not None and any(o is not None for o in (out if isinstance(out, tuple) else (out,))):
        raise UnsupportedError(
            f"{name} with out= (or an operator such as += on an array){at_user_line()}: Tensors are values, not "
            f"memory; write y = {name}(...), and a = a + t for a += t"
        )
    if method == "at":
        raise UnsupportedError(
            f"{name}.at{at_user_line()}: Tensors cannot be changed in place; write x = x.at[i].{_at(ufunc)}(v)"
        )
    for option in ("casting", "order", "subok"):
        kwargs.pop(option, None)
    if method == "reduce" and (ufunc in _REDUCE or ufunc in _BITWISE):
        return _reduce(ufunc, *inputs, **kwargs)
    if method == "reduce" and ufunc is np.logaddexp:
        return _logarithm_of_sum(*inputs, **kwargs)
    if method == "accumulate" and ufunc in _ACCUMULATE:
        return running.cumulate(lift(inputs[0]), _ACCUMULATE[ufunc], kwargs.get("axis", 0), kwargs.get("dtype"))
    if kwargs.pop("where", True) is not True:
        raise UnsupportedError(f"{name} with where={at_user_line()}; write fnp.where(condition, {name}(...), other)")
    if method == "outer" and len(inputs) == 2:
        a, b = map(lift, inputs)
        return apply(ufunc, B.reshape(a, a.sized + (1,) * b.ndim), b, **kwargs)
    if method != "__call__":
        raise UnsupportedError(
            f"{name}.{method} is not supported on Tensors{at_user_line()}; there are reduce, accumulate and outer "
            "of add, multiply, maximum, minimum and the logical and bitwise ones, and logaddexp.reduce"
        )
    return _call(ufunc, name, inputs, kwargs)


def _call(ufunc: Any, name: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if ufunc.signature is not None and name in _CORE and kwargs.keys() <= {"axis"}:
        return _CORE[name](*inputs, **kwargs)
    if ufunc not in MEANINGS and ufunc.__name__ not in late.special.BY_NAME:
        full = full_name(ufunc)
        raise UnsupportedError(f"{full} is not supported on Tensors{at_user_line()}; {hint(full)}")
    if kwargs.keys() - {"dtype"}:
        raise UnsupportedError(f"{name} with {', '.join(kwargs)} is not supported on Tensors{at_user_line()}")
    return apply(ufunc, *inputs, **kwargs)


_KNOWN = frozenset({float, int, np.ndarray, np.float64})


def _foreign(x: Any) -> bool:
    """Whether another class than ndarray and Tensor wants to handle ufuncs: it is asked first."""
    if isinstance(x, (np.ndarray, np.generic)) or node_of(x) is not None:
        return False
    return hasattr(type(x), "__array_ufunc__")


def _at(ufunc: Any) -> str:
    names = {"add": "add", "multiply": "multiply", "maximum": "max", "minimum": "min", "subtract": "subtract"}
    return names.get(ufunc.__name__, "set")


def _reduce(
    ufunc: Any, x: Any, axis: Any = 0, dtype: Any = None, keepdims: bool = False, initial: Any = None,
    where: Any = None,
) -> UOp:  # fmt: skip
    node = lift(x)
    where = None if where is True else where
    if ufunc in _BITWISE:
        axes = reduce.normal_axes(axis, node.ndim)
        unit = -1 if ufunc is np.bitwise_and and node.dtype.kind == "i" else 0
        if ufunc is np.bitwise_and and node.dtype.kind in "bu":
            unit = 2 ** (8 * node.dtype.itemsize) - 1 if node.dtype.kind == "u" else 1
        y = reduce.fold(reduce.masked(node, where, unit), _BITWISE[ufunc], axes, unit)
        if initial is not None:
            y = call(ufunc, y, lift(initial, node.dtype))
        return reduce.finish(node, y, axes, keepdims)
    if ufunc in (np.logical_and, np.logical_or):
        return _REDUCE[ufunc](node, axis, keepdims, where)
    if ufunc in (np.maximum, np.minimum):
        return _REDUCE[ufunc](node, axis, keepdims, initial, where)
    return _REDUCE[ufunc](node, axis, dtype, keepdims, initial, where)


def _logarithm_of_sum(
    x: Any, axis: Any = 0, dtype: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> UOp:
    """What ``logaddexp.reduce`` gives, in one pass over the exponentials instead of a logarithm an element."""
    node = lift(x) if dtype is None else lift(x, dtypes.from_numpy(dtype))
    node = node if node.dtype.kind in "fc" else B.cast(node, dtypes.float64)
    node = reduce.masked(node, None if where is True else where, -np.inf)
    y: UOp = late.scipy_special.logsumexp(node, axis=axis, keepdims=keepdims).uop
    return y if initial is None else call(np.logaddexp, y, lift(initial, node.dtype))


def array_function(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a function of NumPy called with a Tensor gives."""
    ours = FUNCTIONS.get(function) or _imported(function)
    if ours is None:
        frame = sys._getframe(2)  # that of the caller, in or outside of NumPy
        inside = str(frame.f_globals.get("__name__", "")).partition(".")[0] in ("numpy", "scipy")
        name = (called(frame) if inside else None) or full_name(function)
        raise UnsupportedError(f"{name} is not supported on Tensors{at_user_line()}; {hint(name)}")
    if kwargs.get("out") is not None:
        name = full_name(function)
        raise UnsupportedError(
            f"{name} with out={at_user_line()}: Tensors are values, not memory; write y = {name}(...)"
        )
    given = {k: v for k, v in kwargs.items() if k not in _IGNORED}
    try:
        return ours(*args, **given)
    except TypeError as error:
        if "unexpected keyword argument" in str(error) and not hasattr(error, "__notes__"):
            option = str(error).split("'")[1]
            name = full_name(function)
            raise UnsupportedError(f"{name} with {option}= is not supported on Tensors{at_user_line()}") from error
        raise


def _imported(function: Any) -> Callable[..., Any] | None:
    """Ours, where it is in none of the modules that were imported before; those enter their functions."""
    homes = {"numpy.fft": late.fft, "numpy.linalg": late.linalg}
    home = homes.get(getattr(function, "__module__", ""), late.functions)
    getattr(home, function.__name__, None)  # which imports it
    return FUNCTIONS.get(function)


_IGNORED = frozenset({"out", "casting", "subok", "like"})  # without effect on the values


def wrapped(wrap: Callable[[UOp], Any], result: Any) -> Any:
    """A result of `array_ufunc` with every node wrapped."""
    if isinstance(result, tuple):
        return tuple(map(wrap, result))
    return wrap(result) if isinstance(result, UOp) else result
