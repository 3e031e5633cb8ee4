"""A function of pytrees as one of flat leaves, in the layout of the file: row-major, or vectors by columns."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans import tree
from functrans.errors import ArgumentError, DtypeError, UnsupportedError, at_user_line
from functrans.export.names import identifiers
from functrans.export.values import Value
from functrans.tensor.variable import Variable
from functrans.trace import ShapeDtype, argument_names, check_leaves, leaf_names, name_of, spec_of, trace_function

PLAIN = frozenset("float32 float64 bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())


class Problem:
    """The function to be exported, at one signature.

    Attributes
    ----------
    inputs, outputs : its leaves
    by_columns : whether every leaf is a vector, a matrix column by column
    """

    def __init__(self, f: Callable[..., Any], specs: Sequence[Any], by_columns: bool) -> None:
        if not callable(f):
            raise ArgumentError(f"export_c takes a function, but got {f!r} of type {type(f).__name__}{at_user_line()}")
        self.f, self.by_columns, self.what = f, by_columns, f"export_c of {name_of(f)}"
        _check_count(f, specs, self.what)
        leaves, self.in_tree = tree.flatten(tuple(specs))
        roots = argument_names(f, specs)
        check_leaves(leaves, specs, {}, self.what, lambda: roots, spec=True)
        paths = leaf_names(roots, specs, {})
        for leaf, path in zip(leaves, paths, strict=True):
            if isinstance(leaf, Variable):
                raise UnsupportedError(
                    f"argument {path} of {self.what} is a run-time integer{at_user_line()}: exported C has the sizes "
                    "it was traced with; give an integer array of no axes for a number that is data"
                )
        kinds = [spec_of(leaf) for leaf in leaves]
        given = zip(identifiers(paths), kinds, strict=True)
        self.inputs = tuple(Value(name, shape, dtype.numpy) for name, (shape, dtype) in given)
        self._check(self.inputs, paths, "argument")
        natural = [ShapeDtype(v.shape, v.dtype) for v in self.inputs]
        traced = trace_function(self._natural, natural, tree.flatten((tuple(natural), {}))[1], self.what)
        made = self._out_tree.unflatten(range(len(traced.outputs)))
        names = tree.paths(made, "y")
        taken = {v.name for v in self.inputs}
        results = zip(identifiers(names, taken), traced.outputs, strict=True)
        self.outputs = tuple(Value(name, o.sized, o.dtype.numpy) for name, o in results)
        self._check(self.outputs, names, "result")

    def _natural(self, *leaves: Any) -> list[Any]:
        outputs, self._out_tree = tree.flatten(self.f(*self.in_tree.unflatten(leaves)))
        return outputs

    def __call__(self, *leaves: Any) -> tuple[Any, ...]:
        """The results of leaves as they lie in the file."""
        if not self.by_columns:
            return tuple(self._natural(*leaves))
        natural = [_turned(x, v.shape) for x, v in zip(leaves, self.inputs, strict=True)]
        return tuple(_flat(y, v.shape) for y, v in zip(self._natural(*natural), self.outputs, strict=True))

    def _check(self, values: Sequence[Value], paths: Sequence[str], what: str) -> None:
        for v, path in zip(values, paths, strict=True):
            allowed = {"float64"} if self.by_columns else PLAIN
            if v.dtype.name not in allowed:
                kinds = "float64 alone" if self.by_columns else "real floats of 4 or 8 bytes, integers and bools"
                raise DtypeError(
                    f"{what} {path} of {self.what} is {v.dtype.name}{at_user_line()}; this interface has {kinds}"
                )
            if self.by_columns and len(v.shape) > 2:
                raise UnsupportedError(
                    f"{what} {path} of {self.what} has shape {v.shape}{at_user_line()}; this interface has numbers, "
                    "vectors and matrices"
                )

    def spec(self, v: Value) -> ShapeDtype:
        """What stands for an array of this kind in the file."""
        return ShapeDtype((v.size,) if self.by_columns else v.shape, v.dtype)

    def packed(self, size: int, dtype: np.dtype[Any]) -> ShapeDtype:
        """What stands for several arrays as one vector."""
        return ShapeDtype((size,), dtype)


def _check_count(f: Callable[..., Any], specs: Sequence[Any], what: str) -> None:
    try:
        signature = inspect.signature(f)
    except (TypeError, ValueError):
        return  # of a builtin nobody knows
    try:
        signature.bind(*specs)
    except TypeError as error:
        given = f"{what}: {len(specs)} specs for a function of {signature}"
        raise ArgumentError(f"{given}{at_user_line()}: {error}") from None


def _turned(x: Any, shape: tuple[int, ...]) -> Any:
    """A vector of columns as the matrix."""
    return np.transpose(np.reshape(x, shape[::-1])) if len(shape) == 2 else np.reshape(x, shape)


def _flat(y: Any, shape: tuple[int, ...]) -> Any:
    """An array as the vector of its columns."""
    return np.reshape(np.transpose(y) if len(shape) == 2 else y, (-1,))
