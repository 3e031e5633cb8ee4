"""How an op on vectors is spelled in C: each operand a vector, or a mask where the op takes a boolean."""

from __future__ import annotations

import math
from collections.abc import Callable, Container

from functrans import dtypes
from functrans.backend.codegen.spelling import ELEMENTARY_NAMES, WAVES, literal
from functrans.backend.elementary.expansion import arity, expansion, is_function
from functrans.backend.elementary.powers import power_name, split_exponent
from functrans.dtypes import DType
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

_INFIX = {Ops.ADD: "+", Ops.SUB: "-", Ops.MUL: "*", Ops.FDIV: "/", Ops.AND: "&", Ops.OR: "|", Ops.XOR: "^"}
_COMPARISONS = {Ops.CMPLT: "lt", Ops.CMPLE: "le", Ops.CMPEQ: "eq", Ops.CMPNE: "ne"}
_CALLS = {
    Ops.MAX: "max", Ops.MIN: "min", Ops.SQRT: "sqrt", Ops.ABS: "abs", Ops.COPYSIGN: "copysign", Ops.MULACC: "fma",
    Ops.FLOOR: "floor", Ops.CEIL: "ceil", Ops.TRUNC: "trunc", Ops.RINT: "rint",
    Ops.SIGN: "sign", Ops.MOD: "mod", Ops.FLOORMOD: "floormod", Ops.FLOORDIV: "floordiv",
}  # fmt: skip
_BOOL = {Ops.AND: "&", Ops.OR: "|", Ops.XOR: "^", Ops.CMPNE: "^", Ops.ADD: "|", Ops.MUL: "&"}
KINDS = {"f": "f", "i": "i", "u": "u", "b": "m", "x": "i"}


def shape_of(dtype: DType, lanes: int) -> str:
    """The end of the name of what works on so many numbers, after the letter of its kind."""
    return f"{8 * dtype.itemsize}x{lanes}"


def type_of(dtype: DType, shape: str) -> str:
    """The C type of a vector, or of a mask."""
    return f"ft_{KINDS[dtype.kind]}{shape}"


def splat(dtype: DType, shape: str, text: str) -> str:
    """A number in all lanes."""
    return f"ft_splat_{KINDS[dtype.kind]}{shape}({text})"


def mask_bytes(node: UOp, known: Callable[[UOp], int], widest: int) -> int:
    """Of numbers of how many bytes a mask says yes or no; ``known`` says it of the masks that it is made of."""
    if node.op in _COMPARISONS or node.op in _TOLD:
        if node.src[0].dtype.kind == "x":
            return widest
        if node.src[0].dtype.kind != "b":
            return node.src[0].dtype.itemsize
    elif node.op is Ops.LOAD:
        return widest
    return max(known(s) for s in node.src)


def held_as(dtype: DType) -> DType:
    """The dtype of what is read: of integers that no vector has elements of int32, else the same."""
    return dtypes.int32 if dtype.kind in "iu" and dtype.itemsize < dtypes.int32.itemsize else dtype


def has_spelling(node: UOp) -> bool:
    """Whether an op of real numbers and integers of 32 or 64 bits, and of truths about them, can be written."""
    op, src, kind = node.op, node.src[0].dtype, node.dtype.kind
    if op is Ops.CAST:  # of what is no integer there are instructions for signed ones
        return kind in "fi" or (kind in "ux" and src.kind in "iubx")
    if src.kind == "b" and all(s.dtype.kind == "b" for s in node.src):
        return op in _BOOL or op in (Ops.NOT, Ops.WHERE)
    if op is Ops.WHERE:
        return kind in "fiux"
    if op in _COMPARISONS:
        return src.kind in "fiux"
    if src.kind in "iux":
        return kind in "iux" and op in _OF_INTEGERS
    if src.kind != "f":
        return False
    if op in ELEMENTARY_NAMES:
        name = function_name(node)
        return name is not None and (src.itemsize == 8 or expansion(name, src, fused=True) is not None)
    return (op in _INFIX or op in _CALLS or op in _OTHERS) and kind in "fb"


def function_name(node: UOp) -> str | None:
    """The elementary function that a node calls; None where that is none of ours."""
    if node.op is not Ops.POW or node.src[1].op is not Ops.CONST:
        name = ELEMENTARY_NAMES[node.op]
        return name if is_function(name) else None
    exponent = float(node.src[1].arg)
    product = power_name(exponent)
    if product is not None:
        return f"pow{product}"
    return "powby" if split_exponent(exponent) is not None else "pow"


def spell(node: UOp, operand: Callable[[UOp], str], shape: str, made: Container[UOp] = ()) -> str:
    """The C expression of a node, numbers of this width and length. ``operand`` gives a source as a vector, and what
    such a source is made of too, where that is ``made`` here. A sine, cosine or tangent is that of near arguments.
    """
    op, kind, a = node.op, node.src[0].dtype.kind, [operand(s) for s in node.src]
    if op is Ops.WHERE:
        return _selected(node, a, operand, shape, made)
    if op is Ops.CAST and kind == "b":
        one, zero = (splat(node.dtype, shape, text) for text in "10")
        return f"ft_sel_{KINDS[node.dtype.kind]}{shape}({a[0]}, {one}, {zero})"
    if kind == "b":
        return f"(ft_m{shape})(~{a[0]})" if op is Ops.NOT else f"(ft_m{shape})({a[0]} {_BOOL[op]} {a[1]})"
    if op in _COMPARISONS:
        return compared(op, f"{KINDS[kind]}{shape}", a[0], a[1])
    if op in _INFIX:
        return f"({a[0]} {_INFIX[op]} {a[1]})"
    if op in (Ops.SHL, Ops.SHR):
        return f"({a[0]} {'<<' if op is Ops.SHL else '>>'} {node.src[1].arg})"
    if op in ELEMENTARY_NAMES:
        return _function(node, a, shape)
    if op is Ops.MULACC and node.src[0].op is Ops.NEG and node.src[0].src[0] in made:
        return f"ft_fnma_f{shape}({operand(node.src[0].src[0])}, {a[1]}, {a[2]})"
    if op in _CALLS:
        return f"ft_{_CALLS[op]}_{KINDS[kind]}{shape}({', '.join(a)})"
    return _other(node, a[0], shape)


def compared(op: Ops, of: str, a: str, b: str) -> str:
    """A comparison of vectors."""
    return f"ft_{_COMPARISONS[op]}_{of}({a}, {b})"


def _other(node: UOp, x: str, shape: str) -> str:
    """Ops on one number, each in its own way."""
    source = held_as(node.src[0].dtype)
    if node.op is Ops.CAST and ("f" in (node.dtype.kind, source.kind) or node.dtype.itemsize != source.itemsize):
        return f"ft_of{KINDS[source.kind]}{8 * source.itemsize}_{KINDS[node.dtype.kind]}{shape}({x})"
    if node.op in (Ops.CAST, Ops.BITCAST):
        return f"(({type_of(node.dtype, shape)}){x})"
    if node.op is Ops.NEG:
        return f"(-{x})"
    if node.op is Ops.RECIP:
        return f"({splat(node.dtype, shape, '1')} / {x})"
    of = f"f{shape}"
    if node.op is Ops.ISINF:
        return compared(Ops.CMPEQ, of, f"ft_abs_{of}({x})", splat(source, shape, literal(source, math.inf)))
    if node.op is Ops.SIGNBIT:
        return f"ft_lt_i{shape}((ft_i{shape}){x}, (ft_i{shape}){{0}})"
    assert node.op is Ops.ISNAN, node.op
    return compared(Ops.CMPNE, of, x, x)


def _selected(node: UOp, a: list[str], operand: Callable[[UOp], str], shape: str, made: Container[UOp]) -> str:
    """A choice. Of two numbers that are compared it is one instruction, and what is computed for it is computed under
    the mask where the number beside that is a constant: the mask is that of the contrary.
    """
    condition, x, y = node.src
    if x.dtype.kind == "b":
        return f"(ft_m{shape})(({a[0]} & {a[1]}) | (~{a[0]} & {a[2]}))"
    plain = f"ft_sel_{KINDS[x.dtype.kind]}{shape}({', '.join(a)})"
    if condition not in made or condition.op is not Ops.CMPLT or condition.src[0].dtype != x.dtype:
        return plain
    if x.dtype.kind != "f":
        return plain
    if condition.src == (x, y):
        return f"ft_smaller_f{shape}({a[1]}, {a[2]})"
    if condition.src == (y, x):
        return f"ft_larger_f{shape}({a[1]}, {a[2]})"
    if x.op is Ops.CONST and y in made:
        contrary = f"ft_nlt_f{shape}({operand(condition.src[0])}, {operand(condition.src[1])})"
        return f"ft_sel_f{shape}({contrary}, {a[2]}, {a[1]})"
    return plain


def _function(node: UOp, a: list[str], shape: str) -> str:
    name = function_name(node)
    assert name is not None
    given = a[: arity(name)]
    if name == "powby":
        parts = split_exponent(float(node.src[1].arg))
        assert parts is not None
        given = [a[0], *(splat(dtypes.float64, shape, repr(p)) for p in parts)]
    return f"ft_{name}{'near' * (node.op in WAVES)}_f{shape}({', '.join(given)})"


_TOLD = frozenset({Ops.ISNAN, Ops.ISINF, Ops.SIGNBIT})
_OTHERS = _TOLD | {Ops.NEG, Ops.RECIP}
_OF_INTEGERS = frozenset({Ops.ADD, Ops.SUB, Ops.MUL, Ops.AND, Ops.OR, Ops.XOR, Ops.NEG, Ops.MAX, Ops.MIN})
