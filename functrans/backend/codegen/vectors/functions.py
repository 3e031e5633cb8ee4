"""C of the elementary functions of vectors: the same expansions, over vectors instead of numbers.

A function that has no expansion in its dtype on a target, as all of float32 where multiply-adds are not fused, is that
of numbers, lane by lane. Sines, cosines and tangents are two, of near arguments and of all, which is not inlined.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from functrans import dtypes
from functrans.backend.codegen.elementary import ALWAYS, APART, LETTERS, LIMITED, by_target, statements
from functrans.backend.codegen.spelling import literal
from functrans.backend.codegen.vectors.spelling import shape_of, spell, splat, type_of
from functrans.backend.elementary.expansion import LIMITS, Expansion, arity, expansion, is_function
from functrans.dtypes import DType
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

_NAME = re.compile(r"ft_([a-z0-9]+?)(near|far)?_f(64|32)x(\d+)")
_DTYPE = {"64": dtypes.float64, "32": dtypes.float32}


@cache
def vector_function(name: str) -> str | None:
    """The definition of an elementary function of vectors, as ``ft_exp_f64x8``; None for any other name."""
    match = _NAME.fullmatch(name)
    if match is None or not is_function(match[1]):
        return None
    stem, kind, dtype, lanes = match[1], match[2], _DTYPE[match[3]], int(match[4])
    shape = shape_of(dtype, lanes)
    v = type_of(dtype, shape)
    if stem in LIMITED and kind == "far":
        return _far(stem, dtype, shape, lanes)
    letters = LETTERS[: arity(stem)]
    head = f"{ALWAYS}{v} {name}({', '.join(f'{v} {x}' for x in letters)}) {{"
    return by_target(head, lambda fused: _body(stem, dtype, shape, lanes, fused))


def _far(stem: str, dtype: DType, shape: str, lanes: int) -> str:
    """A function of all arguments, by that of numbers where they are far."""
    v, limit, f = type_of(dtype, shape), literal(dtype, LIMITS[dtype.itemsize]), "f" if dtype.itemsize == 4 else ""
    number = "(float)" if f else ""
    return (
        f"{APART}{v} ft_{stem}far_f{shape}({v} x) {{\n  {v} r = ft_{stem}near_f{shape}(x);\n"
        f"  for (int k = 0; k < {lanes}; k++) if (__builtin_fabs{f}(x[k]) > {limit}) r[k] = {number}{stem}(x[k]);\n"
        f"  return r;\n}}"
    )


def is_far(dtype: DType, shape: str, x: str) -> str:
    """The mask of the arguments that are too far for functions of near ones."""
    return f"ft_lt_f{shape}({splat(dtype, shape, literal(dtype, LIMITS[dtype.itemsize]))}, ft_abs_f{shape}({x}))"


def _body(stem: str, dtype: DType, shape: str, lanes: int, fused: bool) -> str:
    found = expansion(stem, dtype, fused=fused)
    if found is not None:
        return _lines(found, shape)
    given = ", ".join(f"{x}[k]" for x in LETTERS[: arity(stem)])
    name = f"ft_{stem}_{'f32' if dtype.itemsize == 4 else 'f64'}"
    return f"  {type_of(dtype, shape)} r;\n  for (int k = 0; k < {lanes}; k++) r[k] = {name}({given});\n  return r;"


def _lines(found: Expansion, shape: str) -> str:
    """The statements of an expansion, each value with a name."""

    def write(u: UOp, text: Mapping[UOp, str]) -> str:
        if u.src:
            return spell(u, text.__getitem__, shape, text)
        return splat(u.dtype, shape, literal(u.dtype, 1 if u.op is Ops.PARAM else u.arg))

    return statements(found, lambda dtype: type_of(dtype, shape), write, lambda *_: True)
