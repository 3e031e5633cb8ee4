"""C that folds an array of accumulators: halves combined until one number is left."""

from __future__ import annotations

from collections.abc import Callable

from functrans.backend.codegen.spelling import ctype
from functrans.backend.codegen.vectors.spelling import KINDS, shape_of
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

EXTREMES = {Ops.MAX: "larger", Ops.MIN: "smaller"}
_INFIX = {Ops.ADD: "({} + {})", Ops.MUL: "({} * {})"}


def fold_lines(
    node: UOp, lanes: int, array: str, fresh: Callable[[], str], watched: str = ""
) -> tuple[list[str], str]:  # fmt: skip
    """The lines that fold an array, and the name of the result; ``watched`` is the mask of where there was a NaN."""
    shape, op = shape_of(node.dtype, lanes), node.arg
    stem, of = EXTREMES[op] if watched else op.name.lower(), f"{KINDS[node.dtype.kind]}{shape}"
    pair = _INFIX.get(op, f"ft_{stem}_{of}({{}}, {{}})")
    left = [f"ft_load_{of}({array} + {k})" for k in range(0, node.src[0].arg.elements, lanes)]
    while len(left) > 1:
        half = len(left) // 2
        left = [pair.format(a, b) for a, b in zip(left[:half], left[half:], strict=True)]
    name, kind = fresh(), ctype(node.dtype)
    lines = [f"const {kind} {name} = ft_fold{stem}_{of}({left[0]});"]
    if op in EXTREMES and node.dtype.kind == "f":  # of several NaN it is none of them
        raw, name = name, fresh()
        told = f"ft_any_m{shape}({watched})" if watched else f"{raw} != {raw}"
        lines.append(f"const {kind} {name} = ft_nanif_f{shape}({raw}, {told});")
    return lines, name
