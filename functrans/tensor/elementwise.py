"""Elementwise functions: NumPy's dtype rules, broadcasting, and the table of what each ufunc means."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from functrans import dtypes
from functrans.dtypes import DType
from functrans.errors import DtypeError, UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import UOp
from functrans.tensor.lift import Weak, broadcast, constant_of, counted_as, is_weak, lift, weak_dtype
from functrans.tensor.meanings import COMPARISONS, MEANINGS, refuse_complex
from functrans.tensor.special import BY_NAME

Kind = np.dtype[Any] | type


def apply(ufunc: Any, *args: Any, dtype: Any = None) -> UOp | tuple[UOp, ...]:
    """A NumPy ufunc of operands: NumPy's dtypes, broadcasting, and the graph's meaning.

    Raises
    ------
    UnsupportedError
        The ufunc has no counterpart.
    DtypeError
        NumPy has no loop for these dtypes either, or a Python integer does not fit.
    ShapeError
        The operands do not broadcast.
    """
    operands: list[Any] = [x if is_weak(x) else lift(x) for x in args]
    if dtype is not None:
        operands = [lift(x, dtypes.from_numpy(dtype)) for x in operands]
    if ufunc in COMPARISONS:
        known = _beyond(ufunc, operands)
        if known is not None:
            return known
    meaning = MEANINGS.get(ufunc)
    named = meaning is None
    if meaning is None:
        meaning = BY_NAME.get(getattr(ufunc, "__name__", ""))
    if meaning is None:
        raise UnsupportedError(f"{name_of(ufunc)} has no counterpart on Tensors{at_user_line()}")
    ins, outs = resolve(ufunc, counted_as(operands, ufunc in COMPARISONS))
    sources = [constant_of(x, d) if is_weak(x) else B.cast(x, d) for x, d in zip(operands, ins, strict=True)]
    if named:
        for x in sources:
            refuse_complex(x, ufunc.__name__)
    result = meaning(*broadcast(sources, name_of(ufunc)))
    if isinstance(result, tuple):
        return tuple(B.cast(r, d) for r, d in zip(result, outs, strict=True))
    return B.cast(result, outs[0])


def call(ufunc: Any, *args: Any) -> UOp:
    """A ufunc that has one result."""
    result = apply(ufunc, *args)
    assert isinstance(result, UOp)  # by the choice of ufunc
    return result


def name_of(ufunc: Any) -> str:
    """What a user calls the ufunc."""
    name = getattr(ufunc, "__name__", repr(ufunc))
    return name if getattr(np, name, None) is ufunc else f"the ufunc {name}"


def resolve(ufunc: Any, operands: tuple[DType | Weak, ...]) -> tuple[tuple[DType, ...], tuple[DType, ...]]:
    """The dtypes NumPy computes in, and those of the results."""
    if all(isinstance(x, DType) is False for x in operands):  # numbers alone have their own dtypes
        operands = tuple(weak_dtype(x) for x in operands if not isinstance(x, DType))
    kinds = tuple(x.numpy if isinstance(x, DType) else _weak_kind(x) for x in operands)
    return _resolve(ufunc, kinds)


def _weak_kind(x: Weak) -> Kind:
    return np.dtype(bool) if isinstance(x, bool) else int if isinstance(x, int) else type(x)


@functools.lru_cache(maxsize=4096)
def _resolve(ufunc: Any, kinds: tuple[Kind, ...]) -> tuple[tuple[DType, ...], tuple[DType, ...]]:
    try:
        found = ufunc.resolve_dtypes((*kinds, *(None,) * ufunc.nout))
    except TypeError as error:
        given = ", ".join(k.name if isinstance(k, np.dtype) else f"Python {k.__name__}" for k in kinds)
        raise DtypeError(f"{name_of(ufunc)} of {given}: {error}{at_user_line()}") from error
    made = tuple(dtypes.from_numpy(d) for d in found)
    return made[: ufunc.nin], made[ufunc.nin :]


def _beyond(ufunc: Any, operands: list[Any]) -> UOp | None:
    """A comparison with a Python integer that no element can hold: the same for every element, as in NumPy."""
    for k, x in enumerate(operands):
        other = operands[1 - k]
        if isinstance(x, int) and isinstance(other, UOp) and other.dtype.kind in "iu":
            info = np.iinfo(other.dtype.numpy)
            if not info.min <= x <= info.max:
                pair = (x, 0) if k == 0 else (0, x)
                return B.full(other.sized, dtypes.bool_, COMPARISONS[ufunc](*pair))
    return None
