"""Elementwise functions: NumPy's dtype rules, broadcasting, and the table of what each ufunc means."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from functrans import dtypes
from functrans.dtypes import DType
from functrans.errors import DtypeError, UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops.uop import Shape, UOp
from functrans.tensor import late
from functrans.tensor.lift import Weak, broadcast_shape, counted_as, lift, lifted, number
from functrans.tensor.meanings import COMPARISONS, MEANINGS, Meaning, refuse_complex


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
    operands = lifted(args)
    if dtype is not None:
        operands = [lift(x, dtypes.from_numpy(dtype)) for x in operands]
    if ufunc in COMPARISONS:
        known = _beyond(ufunc, operands)
        if known is not None:
            return known
    meaning, ins, outs = _loop(ufunc, tuple(map(_kind, counted_as(operands, ufunc in COMPARISONS))))
    nodes = [x for x in operands if type(x) is UOp]
    shape = nodes[0].shape if len(nodes) == 1 else _common(ufunc, nodes)
    assert shape is not None  # operands are arrays
    sources = [
        B.broadcast(B.cast(x, d), shape) if type(x) is UOp else number(x, d, shape)
        for x, d in zip(operands, ins, strict=True)
    ]
    result = meaning(*sources)
    if isinstance(result, tuple):
        return tuple(B.cast(r, d) for r, d in zip(result, outs, strict=True))
    return B.cast(result, outs[0])


def _common(ufunc: Any, nodes: list[UOp]) -> Shape:
    """The shape that operands broadcast to; Python numbers alone have no axes."""
    shapes = [x.sized for x in nodes]
    if all(s == shapes[0] for s in shapes[1:]):
        return shapes[0] if shapes else ()
    return broadcast_shape(shapes, name_of(ufunc))


def call(ufunc: Any, *args: Any) -> UOp:
    """A ufunc that has one result."""
    result = apply(ufunc, *args)
    assert isinstance(result, UOp)  # by the choice of ufunc
    return result


def name_of(ufunc: Any) -> str:
    """What a user calls the ufunc."""
    name = getattr(ufunc, "__name__", repr(ufunc))
    return name if getattr(np, name, None) is ufunc else f"the ufunc {name}"


def _kind(x: DType | Weak) -> DType | type:
    """What of an operand decides on the loop: a dtype, or which kind of Python number."""
    if type(x) is DType:
        return x
    return next(k for k in _WEAK if isinstance(x, k))


_WEAK: dict[type, DType] = {  # a bool is an int
    bool: dtypes.bool_, int: dtypes.int64, float: dtypes.float64, complex: dtypes.complex128,
}  # fmt: skip


class _Loop(NamedTuple):
    """What a ufunc means, the dtypes NumPy computes in, and those of the results."""

    meaning: Meaning
    ins: tuple[DType, ...]
    outs: tuple[DType, ...]


@functools.lru_cache(maxsize=4096)
def _loop(ufunc: Any, kinds: tuple[DType | type, ...]) -> _Loop:
    meaning = MEANINGS.get(ufunc)
    named = meaning is None
    if meaning is None:
        meaning = late.special.BY_NAME.get(getattr(ufunc, "__name__", ""))
    if meaning is None:
        raise UnsupportedError(f"{name_of(ufunc)} has no counterpart on Tensors{at_user_line()}")
    ins, outs = _resolve(ufunc, kinds)
    if named:
        for d in ins:
            refuse_complex(d, ufunc.__name__)
    return _Loop(meaning, ins, outs)


def _resolve(ufunc: Any, kinds: tuple[DType | type, ...]) -> tuple[tuple[DType, ...], tuple[DType, ...]]:
    if not any(isinstance(k, DType) for k in kinds):  # numbers alone have their own dtypes
        kinds = tuple(_WEAK[k] for k in kinds if not isinstance(k, DType))
    given = [k.numpy if isinstance(k, DType) else np.dtype(bool) if k is bool else k for k in kinds]
    try:
        found = ufunc.resolve_dtypes((*given, *(None,) * ufunc.nout))
    except TypeError as error:
        names = ", ".join(k.name if isinstance(k, np.dtype) else f"Python {k.__name__}" for k in given)
        raise DtypeError(f"{name_of(ufunc)} of {names}: {error}{at_user_line()}") from error
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
