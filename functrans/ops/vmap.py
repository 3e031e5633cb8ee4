"""VMAPIN opens a mapped axis, VMAPOUT closes it. Both are linear and each is the other's transpose."""

from __future__ import annotations

from collections.abc import Iterable

from functrans import dtypes
from functrans.ops.enums import Ops
from functrans.ops.opdef import OpDef, first, like_first, register
from functrans.ops.symbolic import bounds
from functrans.ops.uop import Shape, UOp

_ZERO = UOp.const(dtypes.index, 0)


def ranges_of(varg: Iterable[UOp]) -> tuple[UOp, ...]:
    """The RANGEs of a varg, in the order of their axes."""
    return tuple(a for a in varg if a.op is Ops.RANGE)


def placed_in(varg: Iterable[UOp], at: Iterable[UOp]) -> tuple[UOp, ...]:
    """Where in an array an element of it lies that is at some place at the RANGEs of a varg."""
    rest = iter(at)
    return tuple(a if a.op is Ops.RANGE else next(rest) for a in varg)


def by_nesting(ranges: Iterable[UOp]) -> tuple[UOp, ...]:
    """RANGEs in the order they were made: outer ones first, the same in every process."""
    return tuple(sorted(ranges, key=lambda r: (isinstance(r.arg[0], tuple), r.arg[0])))


def extent(r: UOp) -> int:
    """The number of values of a RANGE."""
    return bounds(r.src[0])[1]


def _wrong_varg(varg: tuple[UOp, ...]) -> str | None:
    for k, a in enumerate(varg):
        if a.dtype != dtypes.index:
            return f"varg[{k}] has dtype {a.dtype.name}; expected index"
        if a.op is not Ops.RANGE and a is not _ZERO:
            return f"varg[{k}] is {a!r}; expected a RANGE or CONST(0)"
    ranges = ranges_of(varg)
    if not ranges:
        return "varg has no RANGE"
    return None if len(set(ranges)) == len(ranges) else "varg names one RANGE twice"


def _in_check(node: UOp) -> str | None:
    x, varg = node.src[0], node.src[1:]
    if x.ndim != len(varg):
        return f"{len(varg)} entries in varg for {x.ndim} axes of shape {x.shape}; expected one an axis"
    wrong = _wrong_varg(varg)
    if wrong is not None:
        return wrong
    for k, (a, n) in enumerate(zip(varg, x.sized, strict=True)):
        if a.op is Ops.RANGE and a in x.free_ranges:
            return f"varg[{k}] is a RANGE that is still open in the source; use a fresh one"
        if a.op is Ops.RANGE and extent(a) != n:
            return f"varg[{k}] is a RANGE of {extent(a)}, axis {k} has size {n}"
    return None


def _out_check(node: UOp) -> str | None:
    x, varg = node.src[0], node.src[1:]
    wrong = _wrong_varg(varg)
    if wrong is not None:
        return wrong
    kept = sum(a is _ZERO for a in varg)
    return None if x.ndim == kept else f"{kept} CONST(0) in varg for {x.ndim} axes of shape {x.shape}"


def _out_shape(node: UOp) -> Shape:
    inner = iter(node.src[0].sized)
    return tuple(extent(a) if a.op is Ops.RANGE else next(inner) for a in node.src[1:])


def _in_shape(node: UOp) -> Shape:
    return tuple(n for n, a in zip(node.src[0].sized, node.src[1:], strict=True) if a.op is not Ops.RANGE)


register(OpDef(Ops.VMAPIN, "bracket", "the slice at RANGEs, whose axes disappear", _in_shape,
               linear=first, check=_in_check, typed=like_first))  # fmt: skip
register(OpDef(Ops.VMAPOUT, "bracket", "the value for every RANGE, whose axes reappear", _out_shape,
               closes=lambda n: ranges_of(n.src[1:]), check=_out_check, typed=like_first))  # fmt: skip
