"""Arguments of transformed functions: what they may be, how they are named, and the arrays they stand for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from functrans import dtypes, tree
from functrans.errors import ArgumentError, DtypeError, at_user_line
from functrans.ops.enums import Ops
from functrans.ops.placement import Layout
from functrans.ops.source import param, variable
from functrans.ops.uop import Shape, UOp
from functrans.tensor.core import Tensor
from functrans.tensor.lift import is_weak, weak_dtype
from functrans.tensor.placing import layout_of
from functrans.tensor.reading import values
from functrans.tensor.variable import Variable, no_value

Array = np.ndarray[Any, Any]
Roots = Callable[[], Sequence[str]]


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


def name_of(f: Any) -> str:
    """What the user calls a function."""
    return str(getattr(f, "__name__", type(f).__name__))


def argument_names(f: Callable[..., Any], args: Sequence[Any]) -> list[str]:
    """The function's own names for its positional arguments, ``args[k]`` where it has none."""
    try:
        known = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        known = ()  # type: ignore[assignment]
    names = [p.name for p in known if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return [names[k] if k < len(names) else f"args[{k}]" for k in range(len(args))]


def leaf_names(roots: Sequence[str], args: Sequence[Any], kwargs: dict[str, Any]) -> list[str]:
    """A name for every leaf of the arguments, given those of the positional ones."""
    names = [p for a, root in zip(args, roots, strict=True) for p in tree.paths(a, root)]
    return names + [p for k in sorted(kwargs) for p in tree.paths(kwargs[k], k)]


def check_leaves(
    leaves: Sequence[Any], args: Sequence[Any], kwargs: dict[str, Any], what: str, roots: Roots, spec: bool = False
) -> None:
    """Raise where an argument is nothing an array can be made of; ``spec`` allows ShapeDtype."""
    for k, leaf in enumerate(leaves):
        kind = type(leaf)
        if (kind is np.ndarray and leaf.dtype.isnative and leaf.dtype in _PLAIN) or kind is Tensor or kind is float:
            continue
        found = _wrong(leaf, spec)
        if found is not None:
            wrong, error = found
            name = leaf_names(roots(), args, kwargs)[k]
            raise error(f"argument {name} of {what} is {wrong}{at_user_line()}")


_PLAIN = frozenset(d.numpy for d in dtypes.ALL)


def _wrong(leaf: Any, spec: bool) -> tuple[str, type[ArgumentError] | type[DtypeError]] | None:
    if isinstance(leaf, (Tensor, bool, float, complex)) or (spec and isinstance(leaf, ShapeDtype)):
        return None
    if isinstance(leaf, int):
        low, high = -(1 << 63), (1 << 63) - 1
        return None if low <= leaf <= high else (f"{leaf}, which does not fit into int64", DtypeError)
    if isinstance(leaf, np.ma.MaskedArray):
        return "a masked array; masks are not tracked: pass x.filled(value), or data and mask", ArgumentError
    if isinstance(leaf, (np.ndarray, np.generic)):
        try:
            dtypes.from_numpy(leaf.dtype)
        except DtypeError as error:
            return f"an array of a dtype that is not supported: {error.message}", DtypeError
        return None
    kind = type(leaf).__name__
    as_tree = f"A class of arrays becomes a pytree by ft.register_pytree({kind}, flatten, unflatten). "
    return (
        f"{leaf!r} of type {kind}; expected an array, a number, a Tensor, or a tuple, list or dict of them. "
        f"{as_tree if holds(leaf) else ''}What is no array goes in by closure or functools.partial, or through "
        "static_argnums of jit; grad, jacfwd, jacrev, hessian and hvp take it where they do not differentiate by it, "
        "and vmap where it is not mapped",
        ArgumentError,
    )


def is_array(leaf: Any) -> bool:
    """Whether it is an array or number of NumPy's or Python's, or a Tensor, of any dtype."""
    return isinstance(leaf, (Tensor, np.ndarray, np.generic, bool, int, float, complex))


def holds(leaf: Any) -> bool:
    """Whether a value is an instance of a class of the user's that has attributes: it may be a tree of arrays."""
    return hasattr(leaf, "__dict__") and not callable(leaf) and not isinstance(leaf, (type, ModuleType))


def spec_of(leaf: Any) -> tuple[Shape, dtypes.DType]:
    """Shape and dtype of an argument."""
    if isinstance(leaf, Tensor):
        return leaf.shape, leaf.uop.dtype
    if isinstance(leaf, ShapeDtype):
        return leaf.shape, dtypes.from_numpy(leaf.dtype)
    if is_weak(leaf):
        return (), weak_dtype(leaf)
    array = np.asarray(leaf)
    return array.shape, dtypes.from_numpy(array.dtype)


def lies(leaf: Any) -> Layout | None:
    """How a Tensor lies over thread domains; None for what was not placed."""
    return layout_of(leaf.uop) if isinstance(leaf, Tensor) else None


def placeholder(leaf: Any, weak: bool = False) -> UOp:
    """A fresh PARAM for an argument; for a Variable a fresh DEFINE_VAR with its bounds."""
    if isinstance(leaf, Variable):
        return variable(*leaf.definition.arg[:3])
    return param(*spec_of(leaf), weak=weak and is_weak(leaf))


def traced(p: UOp) -> Tensor:
    """What the function being traced is given for a placeholder."""
    return Variable.of(p) if p.op is Ops.DEFINE_VAR else Tensor.from_uop(p)


def fits(leaf: Any, p: UOp) -> bool:
    """Whether code made for a placeholder runs on the argument."""
    if p.op is Ops.DEFINE_VAR:
        return isinstance(leaf, Variable) and leaf.definition.arg[:3] == p.arg[:3]
    return spec_of(leaf) == (p.shape, p.dtype)


def wants_tensors(leaves: Sequence[Any]) -> bool:
    """Whether results come back as Tensors: an argument is one. A Variable is a number."""
    return any(isinstance(leaf, Tensor) and not isinstance(leaf, Variable) for leaf in leaves)


def check_bound(leaves: Sequence[Any], what: str) -> None:
    """Raise ArgumentError where an argument of a call that runs is a variable without a value."""
    for leaf in leaves:
        if isinstance(leaf, Variable) and leaf.value is None and len(leaf.definition.arg) == 3:
            raise no_value(leaf.definition, what)


def as_array(leaf: Any) -> Array:
    """The argument as the compiled code reads it: C-contiguous, aligned, in this machine's byte order."""
    if type(leaf) is np.ndarray:
        return leaf if _is_plain(leaf) else _plain(leaf)
    if isinstance(leaf, Tensor):
        return _plain(values(leaf, "a call"))
    if is_weak(leaf):
        try:
            return np.asarray(leaf, weak_dtype(leaf).numpy)
        except OverflowError as error:
            raise DtypeError(f"the argument {leaf} does not fit into int64{at_user_line()}") from error
    return _plain(np.asarray(leaf))


def _is_plain(array: Array) -> bool:
    return array.flags.num & _IN_ORDER == _IN_ORDER and array.dtype.isnative


_IN_ORDER = 0x0001 | 0x0100  # NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED


def _plain(array: Array) -> Array:
    wanted = dtypes.from_numpy(array.dtype).numpy
    return np.require(array, wanted, ["C_CONTIGUOUS", "ALIGNED"]).reshape(array.shape)
