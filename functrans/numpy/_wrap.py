"""How the functions of this namespace are made of nodes: Tensors in, Tensors out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from functrans.ops.uop import UOp
from functrans.tensor.core import Tensor
from functrans.tensor.elementwise import call
from functrans.tensor.lift import lift
from functrans.tensor.protocols import array_ufunc
from functrans.tensor.shape import option

_UNARY = """{text}

Takes a Tensor, an array or a number; the result has its shape, and the dtype that NumPy gives. Raises
DtypeError where NumPy has no loop for the dtype. One pass over the elements.

Examples
--------
>>> import functrans.numpy as fnp
>>> fnp.{name}({example})
{result}
"""
_BINARY = """{text}

Takes Tensors, arrays or numbers, which broadcast; the result has the dtype that NumPy gives. Raises
ShapeError where the operands do not broadcast, DtypeError where NumPy has no loop for their dtypes. One
pass over the elements.

Examples
--------
>>> import functrans.numpy as fnp
>>> fnp.{name}({example})
{result}
"""


def tensor(x: Any) -> Tensor:
    """A Tensor of anything array-like; a Tensor itself."""
    return x if isinstance(x, Tensor) else Tensor.from_uop(lift(x))


def of(node: UOp) -> Tensor:
    """The Tensor of a node."""
    return Tensor.from_uop(node)


def placed(node: UOp, order: Any = None, device: Any = None) -> Tensor:
    """The Tensor of a node on a thread domain. Its elements lie in C order, whatever order NumPy would store."""
    option("order", order, ("K", "A", "C", "F", None))
    return of(node) if device is None else of(node).to_device(device)


def unary(ufunc: Any, name: str, text: str, example: str, result: str) -> Callable[..., Tensor]:
    """A function of one array by a ufunc, with its documentation."""

    def function(x: Any, /, **options: Any) -> Tensor:
        return of(array_ufunc(ufunc, "__call__", (x,), options) if options else call(ufunc, x))

    return _named(function, name, _UNARY.format(text=text, name=name, example=example, result=result))


def binary(ufunc: Any, name: str, text: str, example: str, result: str) -> Callable[..., Tensor]:
    """A function of two arrays by a ufunc, with its documentation."""

    def function(x: Any, y: Any, /, **options: Any) -> Tensor:
        return of(array_ufunc(ufunc, "__call__", (x, y), options) if options else call(ufunc, x, y))

    return _named(function, name, _BINARY.format(text=text, name=name, example=example, result=result))


def _named(function: Callable[..., Tensor], name: str, text: str) -> Callable[..., Tensor]:
    function.__name__ = function.__qualname__ = name
    function.__module__ = "functrans.numpy"
    function.__doc__ = text
    return function
