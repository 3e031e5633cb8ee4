"""How each op is spelled in C. The only place that knows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from functrans import dtypes
from functrans._lazy import hashlib
from functrans.backend.codegen.sorting import sort_name
from functrans.backend.elementary.powers import power_name, split_exponent
from functrans.dtypes import DType
from functrans.errors import UnsupportedError
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp

CTYPES = {
    "bool": "_Bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned", "uint64": "unsigned long long",
    "float16": "_Float16", "float32": "float", "float64": "double", "index": "long long",
    "complex64": "float _Complex", "complex128": "double _Complex",
}  # fmt: skip
_ENDING = {"int32": "", "uint32": "U", "int64": "LL", "uint64": "ULL"}  # of numbers in C
_SUFFIX = {
    "bool": "b", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
    "uint32": "u32", "uint64": "u64", "float16": "f16", "float32": "f32", "float64": "f64", "index": "i64",
    "complex64": "c64", "complex128": "c128",
}  # fmt: skip
NEAR = "near"
"""Argument of an elementary function: for sources near zero only, as those see to that ask for it."""
_INFIX = {
    Ops.ADD: "+", Ops.SUB: "-", Ops.MUL: "*", Ops.FDIV: "/", Ops.CMPLT: "<", Ops.CMPLE: "<=", Ops.CMPEQ: "==",
    Ops.CMPNE: "!=", Ops.AND: "&", Ops.OR: "|", Ops.XOR: "^",
}  # fmt: skip
_LIBM = {
    Ops.SQRT: "sqrt", Ops.FLOOR: "floor", Ops.CEIL: "ceil", Ops.TRUNC: "trunc", Ops.RINT: "rint",
    Ops.COPYSIGN: "copysign",
}  # fmt: skip
ELEMENTARY_NAMES = {  # functions of our own: backend/elementary
    Ops.CBRT: "cbrt", Ops.EXP: "exp", Ops.EXP2: "exp2", Ops.EXPM1: "expm1", Ops.LOG: "log", Ops.LOG2: "log2",
    Ops.LOG10: "log10", Ops.LOG1P: "log1p", Ops.SIN: "sin", Ops.COS: "cos", Ops.TAN: "tan", Ops.ASIN: "asin",
    Ops.ACOS: "acos", Ops.ATAN: "atan", Ops.SINH: "sinh", Ops.COSH: "cosh", Ops.TANH: "tanh", Ops.ASINH: "asinh",
    Ops.ACOSH: "acosh", Ops.ATANH: "atanh", Ops.ERF: "erf", Ops.ERFC: "erfc", Ops.LGAMMA: "lgamma", Ops.POW: "pow",
    Ops.ATAN2: "atan2", Ops.HYPOT: "hypot",
}  # fmt: skip
ELEMENTARY = frozenset(ELEMENTARY_NAMES)
WAVES = frozenset({Ops.SIN, Ops.COS, Ops.TAN})  # functions that take long where an argument is far
_COMPLEX = {
    Ops.SQRT: "csqrt", Ops.EXP: "cexp", Ops.LOG: "clog", Ops.SIN: "csin", Ops.COS: "ccos", Ops.TAN: "ctan",
    Ops.ASIN: "casin", Ops.ACOS: "cacos", Ops.ATAN: "catan", Ops.SINH: "csinh", Ops.COSH: "ccosh",
    Ops.TANH: "ctanh", Ops.ASINH: "casinh", Ops.ACOSH: "cacosh", Ops.ATANH: "catanh", Ops.CONJ: "conj",
}  # fmt: skip
_INTEGER = {
    Ops.FLOORDIV: "ft_floordiv_i", Ops.FLOORMOD: "ft_floormod_i", Ops.IDIV: "ft_truncdiv", Ops.MOD: "ft_truncmod",
    Ops.SHL: "ft_shl", Ops.SHR: "ft_shr", Ops.POW: "ft_pow_i",
}  # fmt: skip
_SHIFTS = {Ops.SHL: "<<", Ops.SHR: ">>"}  # by constants that are in range
_FLOATING = {
    Ops.MOD: "ft_mod_f", Ops.FLOORDIV: "ft_floordiv_f", Ops.FLOORMOD: "ft_floormod_f", Ops.DIGAMMA: "ft_digamma",
    Ops.ZETA: "ft_zeta", Ops.GAMMA: "ft_gamma", Ops.EXPI: "ft_expi", Ops.GAMMAINC: "ft_gammainc",
    Ops.GAMMAINCC: "ft_gammaincc", Ops.NEXTAFTER: "ft_nextafter",
}  # fmt: skip
_COMPLEX_HELPER = {
    Ops.MUL: "ft_mul", Ops.FDIV: "ft_div", Ops.POW: "ft_pow_c", Ops.SIGN: "ft_sign_c", Ops.EXPM1: "ft_expm1_c",
    Ops.LOG1P: "ft_log1p_c", Ops.RECIP: "ft_recip", Ops.RINT: "ft_rint_c",
}  # fmt: skip
_BOOL = {Ops.ADD: "|", Ops.MUL: "&", Ops.MAX: "|", Ops.MIN: "&"}


def element(dtype: DType) -> str:
    """The C type of what is in arrays: of a condition a byte, as gcc 12 makes no vector code of loops over _Bool."""
    return "unsigned char" if dtype.kind == "b" else ctype(dtype)


def ctype(dtype: DType) -> str:
    """The C type that stores a dtype."""
    return CTYPES[dtype.name]


def suffix(dtype: DType) -> str:
    """What the names of helpers for a dtype end on."""
    return _SUFFIX[dtype.name]


def literal(dtype: DType, value: bool | int | float | complex) -> str:
    """A constant as C text, of the type that its dtype has in arithmetic: what is narrower than an int is an int there.
    An index stands without a suffix: what it is added to or multiplied with is a ``long long``, as `spell` sees to.

    >>> from functrans import dtypes
    >>> [literal(d, 7) for d in (dtypes.uint8, dtypes.int32, dtypes.uint32, dtypes.int64, dtypes.uint64, dtypes.index)]
    ['7', '7', '7U', '7LL', '7ULL', '7']
    >>> [literal(d, d.low) for d in (dtypes.int16, dtypes.int32, dtypes.int64)]
    ['-32768', '(-2147483647 - 1)', '(-9223372036854775807LL - 1)']
    """
    if dtype.kind == "c" or isinstance(value, complex):
        value = complex(value)
        f = "f" if dtype.itemsize == 8 else ""
        return f"__builtin_complex({_real(value.real, f)}, {_real(value.imag, f)})"
    if dtype.kind == "f":
        text = _real(float(value), "f" if dtype.itemsize == 4 else "")
        return f"(_Float16){text}" if dtype.itemsize == 2 else text
    value = int(value)
    ending = _ENDING.get(dtype.name, "LL" if abs(value) >= 2**31 else "")
    if value in (-(2**31), -(2**63)):  # C has no negative numbers, and the positive one is of a wider type
        return f"({value + 1}{ending} - 1)"
    return f"{value}{ending}"


def _real(value: float, suffix: str) -> str:
    if math.isnan(value):
        return f'__builtin_nan{suffix}("")'
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}__builtin_inf{suffix}()"
    text = repr(value)
    return (text if "." in text or "e" in text else text + ".0") + suffix


def spell(node: UOp, a: list[str]) -> str:
    """The C expression of an elementwise node over the texts of its sources, of the node's own type."""
    dtype, kind = node.dtype, node.src[0].dtype.kind
    if kind == "x" or dtype.kind == "x":
        a = _wide(node, a)
    if node.op is Ops.CUSTOMI:
        return f"(({ctype(dtype)})({node.arg.filled(a)}))"
    if node.op is Ops.CUSTOM:
        return f"{custom_name(node)}({', '.join(a)})"
    if node.op is Ops.CAST:
        return _cast(node.src[0].dtype, dtype, a[0])
    if node.op is Ops.BITCAST:
        return _bitcast(node.src[0].dtype, dtype, a[0])
    if node.op is Ops.WHERE:
        return f"({a[0]} ? {a[1]} : {a[2]})"
    if node.op is Ops.IMAG and kind != "c":
        return literal(dtype, 0)
    if dtype.name == "float16" or (kind == "f" and node.src[0].dtype.name == "float16"):
        return _half(node, a)
    text = _spell(node, a)
    return f"({ctype(dtype)})({text})" if dtype.kind in "iu" and dtype.itemsize < 4 else text


def _wide(node: UOp, a: list[str]) -> list[str]:
    """The texts, with a suffix where all indices are constants: C would compute with those as with an int."""
    indices = [s for s in node.src if s.dtype.kind == "x"]
    if not all(s.op is Ops.CONST for s in indices[:2]):
        return a
    return [literal(dtypes.int64, s.arg) if s.dtype.kind == "x" else x for x, s in zip(a, node.src, strict=True)]


def custom_name(node: UOp) -> str:
    """The C function of a CUSTOM: one for each text and dtypes, called after what of its name C takes."""
    types = [s.dtype.name for s in (node, *node.src)]
    mark = hashlib.blake2s(repr((node.arg.key, types)).encode(), digest_size=4).hexdigest()
    stem = "".join(c if c.isascii() and c.isalnum() else "_" for c in node.arg.name)[:40]
    return f"custom_{stem}_{mark}"


def custom_function(node: UOp) -> str:
    """The definition of the C function of a CUSTOM, the user's lines as they are."""
    names = [f"ft_x{k}" for k in range(len(node.src))]
    given = ", ".join(f"const {ctype(s.dtype)} {x}" for s, x in zip(node.src, names, strict=True))
    result = ctype(node.dtype)
    body = node.arg.filled(names, "ft_out")
    return f"static inline {result} {custom_name(node)}({given}) {{\n{result} ft_out = 0;\n{body}\nreturn ft_out;\n}}"


def _half(node: UOp, a: list[str]) -> str:
    # float16 computes in float32 and rounds after each op, as NumPy does
    if node.op is Ops.MULACC:
        return f"((_Float16)((float)(_Float16)((float){a[0]} * (float){a[1]}) + (float){a[2]}))"
    if node.op is Ops.NEXTAFTER:  # the neighbor is one of its own dtype
        return f"{_FLOATING[node.op]}_f16({', '.join(a)})"
    text = _spell(
        node, [f"(float){x}" if s.dtype.name == "float16" else x for x, s in zip(a, node.src, strict=True)], "f"
    )
    return f"((_Float16)({text}))" if node.dtype.name == "float16" else text


def _spell(node: UOp, a: list[str], half: str = "") -> str:
    op, src = node.op, node.src[0].dtype
    kind = src.kind
    wide = "f32" if half else _SUFFIX.get(src.name, "")
    f = "f" if half or src.name in ("float32", "complex64") else ""
    if kind == "b" and op in _BOOL:
        return f"({a[0]} {_BOOL[op]} {a[1]})"
    if src.name == "index" and op in (Ops.IDIV, Ops.MOD):
        return f"({a[0]} {'/' if op is Ops.IDIV else '%'} {a[1]})"
    if kind == "c":
        return _complex(node, a, wide, f)
    if op in _INFIX:
        return f"({a[0]} {_INFIX[op]} {a[1]})"
    if op in (Ops.MAX, Ops.MIN):
        return f"ft_{op.name.lower()}_{wide}({a[0]}, {a[1]})"
    if op in _SHIFTS and node.src[1].op is Ops.CONST and 0 <= node.src[1].arg < 8 * src.itemsize:
        return f"({a[0]} {_SHIFTS[op]} {a[1]})"
    if kind in "iux" and op in _INTEGER:
        return f"{_INTEGER[op]}_{wide}({a[0]}, {a[1]})"
    if kind == "f" and op in _FLOATING:
        return f"{_FLOATING[op]}_{wide}({', '.join(a)})"
    if kind == "f" and op in ELEMENTARY_NAMES:
        if op is Ops.POW and node.src[1].op is Ops.CONST:
            return _power(float(node.src[1].arg), a, wide)
        return f"ft_{ELEMENTARY_NAMES[op]}{node.arg or ''}_{wide}({', '.join(a)})"
    if kind == "f" and op in _LIBM:
        return f"{_LIBM[op]}{f}({', '.join(a)})"
    rule = _RULES.get(op)
    if rule is None:
        raise UnsupportedError(f"{op.name} of {src.name} has no spelling in C")
    return rule(a, wide, kind, f)


def _power(exponent: float, a: list[str], wide: str) -> str:
    """A power whose exponent is known: products, a function of exponents that are split, or pow."""
    name, parts = power_name(exponent), split_exponent(exponent)
    if name is not None:
        return f"ft_pow{name}_{wide}({a[0]})"
    if parts is None:
        return f"ft_pow_{wide}({', '.join(a)})"
    text = f"ft_powby_f64({a[0]}, {', '.join(_real(p, '') for p in parts)})"
    return text if wide == "f64" else f"((float){text})"


def _complex(node: UOp, a: list[str], wide: str, f: str) -> str:
    op = node.op
    if op in _COMPLEX_HELPER:
        return f"{_COMPLEX_HELPER[op]}_{wide}({', '.join(a)})"
    if op in (Ops.ADD, Ops.SUB, Ops.CMPEQ, Ops.CMPNE):
        return f"({a[0]} {_INFIX[op]} {a[1]})"
    if op in _COMPLEX:
        return f"{_COMPLEX[op]}{f}({', '.join(a)})"
    simple = {
        Ops.NEG: f"(-{a[0]})", Ops.ABS: f"cabs{f}({a[0]})",
        Ops.REAL: f"__real__({a[0]})", Ops.IMAG: f"__imag__({a[0]})", Ops.ISNAN: f"({a[0]} != {a[0]})",
        Ops.ISINF: f"(__builtin_isinf(__real__({a[0]})) || __builtin_isinf(__imag__({a[0]})))",
        Ops.EXP2: f"cexp{f}(ft_scale_c_{wide}({a[0]}, {math.log(2)!r}))",
        Ops.LOG2: f"ft_scale_c_{wide}(clog{f}({a[0]}), {math.log2(math.e)!r})",
        Ops.LOG10: f"ft_scale_c_{wide}(clog{f}({a[0]}), {math.log10(math.e)!r})",
    }  # fmt: skip
    if op is Ops.MULACC:
        return f"(ft_mul_{wide}({a[0]}, {a[1]}) + {a[2]})"
    if op not in simple:
        raise UnsupportedError(f"{op.name} is defined for real numbers only, not for {node.src[0].dtype.name}")
    return simple[op]


def _bitcast(src: DType, dst: DType, x: str) -> str:
    """The bits of x in another dtype; between floats and integers by functions that vectors are made of."""
    if (src.kind, dst.kind) == ("f", "i") and src.itemsize > 2:
        return f"ft_bits_{_SUFFIX[src.name]}({x})"
    if (src.kind, dst.kind) == ("i", "f") and dst.itemsize > 2:
        return f"ft_float_{_SUFFIX[dst.name]}({x})"
    return f"((union {{ {ctype(src)} a; {ctype(dst)} b; }}){{ .a = {x} }}).b"


def _abs(a: list[str], s: str, k: str, f: str) -> str:
    if k == "f":
        return f"fabs{f}({a[0]})"
    return a[0] if k in "ub" else f"({a[0]} < 0 ? {_minus(a[0])} : {a[0]})"


def _minus(x: str) -> str:
    return f"-({x})" if x.startswith("-") else f"-{x}"  # two signs would be a decrement


_RULES: dict[Ops, Callable[[list[str], str, str, str], str]] = {
    Ops.NEG: lambda a, s, k, f: f"({_minus(a[0])})" if k != "b" else f"(!{a[0]})",
    Ops.RECIP: lambda a, s, k, f: f"(1{'.0' + f if k == 'f' else ''} / {a[0]})",
    Ops.ABS: _abs,
    Ops.SIGN: lambda a, s, k, f: f"ft_sign_{s}({a[0]})",
    Ops.ISNAN: lambda a, s, k, f: f"({a[0]} != {a[0]})",
    Ops.ISINF: lambda a, s, k, f: f"(__builtin_isinf{'f' if f else ''}({a[0]}) != 0)" if k == "f" else "0",
    Ops.SIGNBIT: lambda a, s, k, f: f"(__builtin_signbit{f}({a[0]}) != 0)" if k == "f" else f"({a[0]} < 0)",
    Ops.NOT: lambda a, s, k, f: f"(!{a[0]})" if k == "b" else f"(~{a[0]})",
    Ops.MULACC: lambda a, s, k, f: f"ft_fma_{s}({', '.join(a)})" if k == "f" else f"({a[0]} * {a[1]} + {a[2]})",
    # an integer is its own floor
    **dict.fromkeys((Ops.FLOOR, Ops.CEIL, Ops.TRUNC, Ops.RINT, Ops.REAL, Ops.CONJ), lambda a, s, k, f: a[0]),
}  # fmt: skip


def _cast(src: DType, dst: DType, x: str) -> str:
    if src.kind == "c" and dst.kind != "c":
        x = f"__real__({x})" if dst.kind != "b" else f"({x} != 0)"
    if dst.kind == "b":
        return f"({x} != 0)"
    if dst.kind in "iux" and src.kind in "fc":
        return f"ft_f2i_{_SUFFIX[dst.name]}({x})"
    return f"(({ctype(dst)}){x})"


def sorter(op: Ops, dtype: DType, n: int) -> str:
    """The helper that puts the n elements of an array in order, or finds their order."""
    if op is Ops.SORT:
        return sort_name(_SUFFIX[dtype.name], n)
    return f"ft_argsort_{dtype.kind if dtype.kind in 'cf' else 'i'}_{_SUFFIX[dtype.name]}"


def stored(place: UOp, value: UOp, text: Mapping[UOp, str]) -> str:
    """A statement that stores a value. Complex numbers that only move do so as a whole: compilers take them in two."""
    if value.op is Ops.LOAD and value.dtype.kind == "c" and text[value] == text[value.src[0]]:
        return f"__builtin_memcpy(&{text[place]}, &{text[value]}, {value.dtype.itemsize})"
    return f"{text[place]} = {bare(text[value])}"


def bare(text: str) -> str:
    """The expression without parentheses that enclose all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for k, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0 and k < len(text) - 1:
            return text
    return text[1:-1]
