"""Traced Python numbers: their dtype gives way to that of arrays, and what is cast to a narrow integer has to fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from functrans import dtypes
from functrans.errors import IntegerOutOfRange, at_user_line
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.interpret import Array, interpret
from functrans.ops.uop import UOp, toposort

_GIVEN = frozenset({Ops.PARAM, Ops.DEFINE_VAR})
_PASSING = GroupOp.Elementwise | {Ops.NOOP, Ops.CUSTOM_RULE}
_DEFAULT = frozenset({dtypes.bool_, dtypes.int64, dtypes.float64, dtypes.complex128})


def is_weak_node(x: UOp) -> bool:
    """Whether a node is a traced Python number, or computed from such and constants alone."""
    if x.shape != ():
        return False
    for node in toposort((x,), enter=lambda u: u.shape == () and (u.memo is None or "weak" not in u.memo)):
        node.remember("weak", _is_weak_node)
    return bool(x.remember("weak", _is_weak_node))


def _is_weak_node(x: UOp) -> bool:
    if x.op is Ops.PARAM:
        return len(x.arg) == 3
    if x.op is Ops.CAST and x.src[0].op in (Ops.DEFINE_VAR, Ops.BIND):
        return x.dtype == dtypes.int64
    if x.op not in _PASSING or x.shape != () or x.dtype not in _DEFAULT:
        return False
    weak = [s.remember("weak", _is_weak_node) for s in x.src]
    return any(weak) and all(w or s.op is Ops.CONST for w, s in zip(weak, x.src, strict=True))


def narrowed(order: Iterable[UOp]) -> list[UOp]:
    """The casts, among nodes, of traced Python integers to other integer dtypes: whether they fit shows at the call."""
    casts = (u for u in order if u.op is Ops.CAST and u.dtype.kind in "iu" and u.shape == ())
    return [u for u in casts if u.src[0].dtype == dtypes.int64 and is_weak_node(u.src[0])]


def check_fit(casts: Sequence[UOp], values: Mapping[UOp, Array]) -> None:
    """Raise IntegerOutOfRange for a Python integer beyond the dtype it gave way to, as far as values are known."""
    order = [toposort((c,), enter=lambda u: u.op is not Ops.BIND) for c in casts]
    casts = [c for c, below in zip(casts, order, strict=True) if all(u in values for u in below if u.op in _GIVEN)]
    for cast, value in zip(casts, interpret([c.src[0] for c in casts], values), strict=True):
        low, high = cast.dtype.low, cast.dtype.high
        if not low <= int(value) <= high:
            raise IntegerOutOfRange(
                f"Python integer {value} is out of bounds for {cast.dtype.name} ({low} to {high})"
                f"{at_user_line()}; convert the array to a wider dtype first"
            )


def limits_of(casts: Sequence[UOp], params: Sequence[UOp]) -> tuple[tuple[int, int] | None, ...] | None:
    """What each param must lie between for `check_fit` to pass, None where it may be anything; None in all where that
    is no matter of single params.
    """
    limits: dict[UOp, tuple[int, int]] = {}
    for cast in casts:
        given = cast.src[0]
        if given not in params:
            return None
        low, high = limits.get(given, (-(1 << 63), (1 << 63) - 1))
        limits[given] = max(low, cast.dtype.low), min(high, cast.dtype.high)
    return tuple(limits.get(p) for p in params)
