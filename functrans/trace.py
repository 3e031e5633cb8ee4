"""Running a function on placeholders, and what an outermost call does with the graph that comes of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from functrans import dtypes, tree
from functrans.backend.pipeline import program
from functrans.errors import ArgumentError, DtypeError, at_user_line
from functrans.ops.source import param
from functrans.ops.uop import Shape, UOp
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift

Array = np.ndarray[Any, Any]


class _Depth(threading.local):
    value = 0


_depth = _Depth()


class ShapeDtype:
    """A shape and a dtype, standing for an array where only these matter.

    >>> ShapeDtype((2, 3), np.float32)
    ShapeDtype((2, 3), float32)
    """

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: Sequence[int], dtype: Any = np.float64) -> None:
        self.shape: Shape = tuple(int(n) for n in shape)
        self.dtype: np.dtype[Any] = dtypes.from_numpy(dtype).numpy

    def __repr__(self) -> str:
        return f"ShapeDtype({self.shape}, {self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtype) and (self.shape, self.dtype) == (other.shape, other.dtype)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))


def tracing() -> bool:
    """Whether a function is being traced on this thread."""
    return _depth.value > 0


@contextmanager
def trace() -> Iterator[None]:
    """Within this, transformed functions build graphs instead of running them."""
    _depth.value += 1
    try:
        yield
    finally:
        _depth.value -= 1


@dataclass
class Traced:
    """What a function did on placeholders: its graph and the structure of its result."""

    params: tuple[UOp, ...]
    outputs: tuple[UOp, ...]
    out_tree: tree.TreeDef


def name_of(f: Any) -> str:
    """What the user calls a function."""
    return str(getattr(f, "__name__", type(f).__name__))


def check_leaf(leaf: Any, path: str, what: str) -> None:
    """Raise where a leaf is nothing an array can be made of."""
    if isinstance(leaf, (Tensor, ShapeDtype, bool, int, float, complex)):
        return
    if isinstance(leaf, (np.ndarray, np.generic)):
        try:
            dtypes.from_numpy(leaf.dtype)
        except DtypeError as error:
            raise DtypeError(f"argument {path} of {what}: {error}{at_user_line()}") from None
        return
    raise ArgumentError(
        f"argument {path} of {what} is {leaf!r} of type {type(leaf).__name__}; expected an array, a number, a Tensor, "
        f"or a tuple, list or dict of them{at_user_line()}. What is no array goes in by closure or functools.partial, "
        "or through static_argnums of jit"
    )


def spec_of(leaf: Any) -> tuple[Shape, dtypes.DType]:
    """Shape and dtype of an argument."""
    if isinstance(leaf, Tensor):
        return leaf.shape, leaf.uop.dtype
    if isinstance(leaf, ShapeDtype):
        return leaf.shape, dtypes.from_numpy(leaf.dtype)
    array = np.asarray(leaf)
    return array.shape, dtypes.from_numpy(array.dtype)


def as_array(leaf: Any) -> Array:
    """The argument as the compiled code reads it: C-contiguous, aligned, in this machine's byte order."""
    if isinstance(leaf, Tensor):
        return leaf.numpy()
    array = np.asarray(leaf)
    wanted = dtypes.from_numpy(array.dtype).numpy
    return np.require(array, wanted, ["C_CONTIGUOUS", "ALIGNED"]).reshape(array.shape)


def results(value: Any, what: str) -> tuple[list[UOp], tree.TreeDef]:
    """The nodes of what a function returned, and its structure."""
    leaves, out_tree = tree.flatten(value)
    for leaf, path in zip(leaves, tree.paths(value, "result"), strict=True):
        if not isinstance(leaf, (Tensor, np.ndarray, np.generic, bool, int, float, complex)):
            raise ArgumentError(
                f"{path} of {what} is {leaf!r} of type {type(leaf).__name__}; a transformed function returns arrays, "
                f"numbers, Tensors, or tuples, lists and dicts of them{at_user_line()}"
            )
    return [lift(leaf) for leaf in leaves], out_tree


def trace_function(f: Callable[..., Any], leaves: Sequence[Any], treedef: tree.TreeDef, what: str) -> Traced:
    """Run f once on placeholders for the leaves."""
    params = tuple(param(*spec_of(leaf)) for leaf in leaves)
    with trace():
        args, kwargs = treedef.unflatten([Tensor.from_uop(p) for p in params])
        outputs, out_tree = results(f(*args, **kwargs), what)
    return Traced(params, tuple(outputs), out_tree)


def call(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], what: str) -> Any:
    """Call f on Tensors. Inside a trace its Tensors are the result; outermost the graph runs and arrays come back,
    or Tensors where an argument was one.
    """
    leaves, treedef = tree.flatten((tuple(args), kwargs))
    for leaf, path in zip(leaves, _argument_paths(args, kwargs), strict=True):
        check_leaf(leaf, path, what)
    if tracing() or any(isinstance(leaf, Tensor) and is_traced(leaf.uop) for leaf in leaves):
        with trace():
            targs, tkwargs = treedef.unflatten([x if isinstance(x, Tensor) else Tensor(x) for x in leaves])
            outputs, out_tree = results(f(*targs, **tkwargs), what)
        return out_tree.unflatten([Tensor.from_uop(u) for u in outputs])
    traced = trace_function(f, leaves, treedef, what)
    arrays = program(traced.outputs, traced.params)([as_array(leaf) for leaf in leaves])
    return hand_back(arrays, traced.out_tree, any(isinstance(leaf, Tensor) for leaf in leaves))


def hand_back(arrays: Sequence[Array], out_tree: tree.TreeDef, as_tensors: bool) -> Any:
    """Results in the structure the function returned: Tensors, or arrays and NumPy scalars."""
    if as_tensors:
        return out_tree.unflatten([Tensor(a) for a in arrays])
    return out_tree.unflatten([a if a.ndim else a[()] for a in arrays])


def _argument_paths(args: Sequence[Any], kwargs: dict[str, Any]) -> list[str]:
    names = [p for k, a in enumerate(args) for p in tree.paths(a, f"args[{k}]")]
    return names + [p for k in sorted(kwargs, key=str) for p in tree.paths(kwargs[k], k)]
