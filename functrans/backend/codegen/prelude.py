"""C helpers that a translation unit brings along, each only where it is used. No #include anywhere."""

from __future__ import annotations

import re

# name -> text; {S} is the suffix that stands for a type, {T} the type itself
_GENERIC: dict[str, str] = {
    "ft_max": "{T} ft_max_{S}({T} a, {T} b) {{ return a > b || a != a ? a : b; }}",
    "ft_min": "{T} ft_min_{S}({T} a, {T} b) {{ return a < b || a != a ? a : b; }}",
    "ft_sign": "{T} ft_sign_{S}({T} x) {{ return x != x ? x : ({T})((x > 0) - (x < 0)); }}",
    "ft_floordiv_i": (
        "{T} ft_floordiv_i_{S}({T} a, {T} b) {{ if (b == 0) return 0; "
        "if (b == ({T})-1 && ({T})-1 < 0) return ({T})(0 - a); "
        "{T} q = a / b; return q - (a % b != 0 && (a < 0) != (b < 0)); }}"
    ),
    "ft_floormod_i": (
        "{T} ft_floormod_i_{S}({T} a, {T} b) {{ if (b == 0 || (b == ({T})-1 && ({T})-1 < 0)) return 0; "
        "{T} m = a % b; return m != 0 && (m < 0) != (b < 0) ? m + b : m; }}"
    ),
    "ft_truncdiv": (
        "{T} ft_truncdiv_{S}({T} a, {T} b) {{ if (b == 0) return 0; "
        "if (b == ({T})-1 && ({T})-1 < 0) return ({T})(0 - a); return a / b; }}"
    ),
    "ft_truncmod": (
        "{T} ft_truncmod_{S}({T} a, {T} b) {{ return b == 0 || (b == ({T})-1 && ({T})-1 < 0) ? 0 : a % b; }}"
    ),
    "ft_shl": "{T} ft_shl_{S}({T} a, {T} b) {{ return b < 0 || b >= ({T})(8 * sizeof a) ? 0 : ({T})(a << b); }}",
    "ft_shr": (
        "{T} ft_shr_{S}({T} a, {T} b) {{ "
        "return b < 0 || b >= ({T})(8 * sizeof a) ? ({T})(a < 0 ? -1 : 0) : ({T})(a >> b); }}"
    ),
    "ft_pow_i": (
        "{T} ft_pow_i_{S}({T} a, {T} b) {{ {T} r = 1; "
        "if (b < 0) return a == 1 ? 1 : a == ({T})-1 ? (b & 1 ? ({T})-1 : 1) : 0; "
        "for (; b; b >>= 1, a *= a) if (b & 1) r *= a; return r; }}"
    ),
    "ft_floormod_f": (
        "{T} ft_floormod_f_{S}({T} a, {T} b) {{ {T} m = fmod{F}(a, b); if (b == 0) return m; "
        "if (m != 0) return (b < 0) != (m < 0) ? m + b : m; return copysign{F}(0, b); }}"
    ),
    "ft_floordiv_f": (
        "{T} ft_floordiv_f_{S}({T} a, {T} b) {{ if (b == 0) return a / b; {T} m = fmod{F}(a, b), d = (a - m) / b; "
        "if (m != 0 && (b < 0) != (m < 0)) d -= 1; if (d == 0) return copysign{F}(0, a / b); "
        "{T} f = floor{F}(d); return d - f > ({T})0.5 ? f + 1 : f; }}"
    ),
    "ft_digamma": (
        "{T} ft_digamma_{S}({T} z) {{ double x = z, r = 0; const double pi = 3.141592653589793;\n"
        "  if (x <= 0) {{ double f = x - floor(x);\n"
        "    if (f == 0) return x == 0 ? copysign(__builtin_inf(), -x) : __builtin_nan(\"\");\n"
        "    r = -pi / tan(pi * f); x = 1 - x; }}\n"
        "  for (; x < 10; x += 1) r -= 1 / x;\n"
        "  double y = 1 / (x * x);\n"
        "  return r + log(x) - 0.5 / x - y * (1. / 12 - y * (1. / 120 - y * (1. / 252 - y * (1. / 240\n"
        "    - y * (1. / 132 - y * (691. / 32760 - y / 12)))))); }}"
    ),
}  # fmt: skip

_PROTOTYPES_1 = (
    "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p sqrt cbrt "
    "erf erfc lgamma floor ceil trunc rint fabs"
).split()
_PROTOTYPES_2 = "pow atan2 hypot fmod copysign".split()
_COMPLEX_1 = "csin ccos ctan casin cacos catan csinh ccosh ctanh casinh cacosh catanh cexp clog csqrt conj".split()
_TYPES = {
    "b": "_Bool", "i8": "signed char", "i16": "short", "i32": "int", "i64": "long long",
    "u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned", "u64": "unsigned long long",
    "f16": "_Float16", "f32": "float", "f64": "double",
}  # fmt: skip


def f2i_helper(to: str) -> str:
    """C that converts a double to an integer type, saturating, NaN to 0."""
    bits = int(to[1:])
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if to[0] == "i" else (0, 2**bits)
    ends = (f"-{-low}.0" if low else "0.0"), f"{high}.0"
    top = f"({_TYPES[to]})0x{high - 1:x}ULL"
    bottom = f"(({_TYPES[to]})1 << {bits - 1})" if low else "0"
    return (
        f"static inline {_TYPES[to]} ft_f2i_{to}(double x) {{ return x != x ? 0 : x >= {ends[1]} ? {top} : "
        f"x <= {ends[0]} ? ({_TYPES[to]}){bottom} : ({_TYPES[to]})x; }}"
    )


def helper_text(name: str) -> str:
    """The definition of a helper named with its type suffix, as ``ft_max_f64``."""
    stem, suffix = name.rsplit("_", 1)
    if stem == "ft_f2i":
        return f2i_helper(suffix)
    text = _GENERIC[stem].format(S=suffix, T=_TYPES[suffix], F="f" if suffix == "f32" else "")
    return f"static inline {text}"


def prelude(body: str) -> str:
    """Prototypes and helpers for the names that ``body`` calls."""
    helpers: dict[str, str] = {}
    for name in re.findall(r"\bft_[a-z0-9]+(?:_[a-z])?_[a-z]\d*\b(?=\()", body):
        helpers.setdefault(name, helper_text(name))
    text = "\n".join(helpers.values())
    called = set(re.findall(r"\b([a-z][a-z0-9]*)\(", body + text))
    lines = []
    for names, arity in ((_PROTOTYPES_1, 1), (_PROTOTYPES_2, 2)):
        for name in names:
            for suffix, ctype in (("", "double"), ("f", "float")):
                if name + suffix in called:
                    lines.append(f"{ctype} {name}{suffix}({', '.join([ctype] * arity)});")
    for name in _COMPLEX_1:
        for suffix, ctype in (("", "double"), ("f", "float")):
            if name + suffix in called:
                lines.append(f"{ctype} _Complex {name}{suffix}({ctype} _Complex);")
    for name, args in (("cabs", "double"), ("cabsf", "float")):
        if name in called:
            lines.append(f"{args} {name}({args} _Complex);")
    for name, args in (("cpow", "double"), ("cpowf", "float")):
        if name in called:
            lines.append(f"{args} _Complex {name}({args} _Complex, {args} _Complex);")
    return "\n".join([*lines, *helpers.values()])
