"""Vectors of the C that sorts: their types, the smaller and the larger of two, and parts of them in memory.

Each text stands under the condition of its instructions. A line is 64 bytes: one vector of AVX-512, two of AVX2.
"""

from __future__ import annotations

from functrans.backend.policy import REGISTERS

_CONDITIONS = {64: "defined(__AVX512F__) && defined(__AVX512DQ__)", 32: "defined(__AVX2__)"}  # by bytes of a vector
LINE = max(_CONDITIONS)
# C type, integers of as many bits, unsigned ones, and what instructions of it are called: all, the smaller, the larger
WIDE = {
    "f64": ("double", "long long", "unsigned long long", "pd", "minpd", "maxpd", "cmpltpd", "cmplepd", "compresspd"),
    "f32": ("float", "int", "unsigned", "ps", "minps", "maxps", "cmpltps", "cmpleps", "compressps"),
    "i64": (
        "long long", "long long", "unsigned long long",
        "q", "pminsq", "pmaxsq", "pcmpltq", "pcmpleq", "pcompressq",
    ),
    "u64": (
        "unsigned long long", "long long", "unsigned long long",
        "q", "pminuq", "pmaxuq", "pcmpltuq", "pcmpleuq", "pcompressq",
    ),
    "i32": ("int", "int", "unsigned", "d", "pminsd", "pmaxsd", "pcmpltd", "pcmpled", "pcompressd"),
    "u32": ("unsigned", "int", "unsigned", "d", "pminud", "pmaxud", "pcmpltud", "pcmpleud", "pcompressd"),
}  # fmt: skip
_TOP = {
    "f64": "__builtin_inf()", "f32": "__builtin_inff()", "i64": "0x7fffffffffffffffll", "u64": "~0ull",
    "i32": "0x7fffffff", "u32": "~0u",
}  # fmt: skip
_TYPES = """\
#ifndef FT_VECTORS_{S}
#define FT_VECTORS_{S}
typedef {T} FT_V_{S} __attribute__((vector_size({width}), aligned(sizeof({T})), may_alias));
typedef {I} FT_I_{S} __attribute__((vector_size({width})));
#define FT_FUNCTION static inline __attribute__((always_inline))
"""
_COMPARED = {
    "by an instruction": """\
FT_FUNCTION FT_V_{S} FT_LOW_{S}(FT_V_{S} x, FT_V_{S} y) {{
  __asm__("v{min} %1, %0, %0" : "+{reg}"(x) : "{reg}"(y)); return x; }}
FT_FUNCTION FT_V_{S} FT_HIGH_{S}(FT_V_{S} x, FT_V_{S} y) {{
  __asm__("v{max} %1, %0, %0" : "+{reg}"(x) : "{reg}"(y)); return x; }}
""",
    "by a mask": """\
FT_FUNCTION FT_V_{S} FT_LOW_{S}(FT_V_{S} x, FT_V_{S} y) {{
  __asm__("vblendvpd %1, %2, %0, %0" : "+x"(y) : "x"((FT_I_{S})(x < y)), "x"(x)); return y; }}
FT_FUNCTION FT_V_{S} FT_HIGH_{S}(FT_V_{S} x, FT_V_{S} y) {{
  __asm__("vblendvpd %1, %2, %0, %0" : "+x"(x) : "x"((FT_I_{S})(x < y)), "x"(y)); return x; }}
""",
}
_AVX512 = """\
typedef unsigned {M} FT_M_{S};
FT_FUNCTION FT_V_{S} FT_MIX_{S}(FT_V_{S} x, FT_V_{S} y, FT_I_{S} at) {{
  __asm__("vpermt2{p} %1, %2, %0" : "+v"(x) : "v"(y), "v"(at)); return x; }}
FT_FUNCTION FT_V_{S} FT_MEET_{S}(FT_V_{S} x, FT_V_{S} other, FT_I_{S} at, FT_M_{S} high) {{
  FT_V_{S} y, z;
  __asm__("vperm{p} %1, %2, %0" : "=v"(y) : "v"(other), "v"(at));
  __asm__("v{min} %1, %2, %0" : "=v"(z) : "v"(x), "v"(y));
  __asm__("v{max} %2, %3, %0%{{%1%}}" : "+v"(z) : "Yk"(high), "v"(x), "v"(y));
  return z; }}
FT_FUNCTION FT_V_{S} FT_FETCH_{S}(const {T} *k, long long n) {{
  FT_V_{S} x = (FT_V_{S}){{0}} + {top};
  if (n >= {L}) return *(const FT_V_{S} *)k;
  if (n > 0)
    __asm__("vmovdqu{bits} %2, %0%{{%1%}}" : "+v"(x) : "Yk"((FT_M_{S})((1u << n) - 1)), "m"(*(const FT_V_{S} *)k));
  return x; }}
FT_FUNCTION void FT_PART_{S}({T} *k, FT_V_{S} x, long long n) {{
  __asm__("vmovdqu{bits} %2, %0%{{%1%}}" : "+m"(*(FT_V_{S} *)k) : "Yk"((FT_M_{S})((1u << n) - 1)), "v"(x)); }}
FT_FUNCTION void FT_PUT_{S}({T} *k, FT_V_{S} x, long long n) {{
  if (n >= {L}) *(FT_V_{S} *)k = x;
  else if (n > 0) FT_PART_{S}(k, x, n); }}
#endif
"""
_AVX2 = """\
FT_FUNCTION FT_I_{S} FT_FIRST_{S}(long long n) {{ return (FT_I_{S}){{{iota}}} < ({I})n; }}
FT_FUNCTION FT_V_{S} FT_FETCH_{S}(const {T} *k, long long n) {{
  if (n >= {L}) return *(const FT_V_{S} *)k;
  FT_V_{S} x = (FT_V_{S}){{0}} + {top}, y;
  if (n <= 0) return x;
  const FT_I_{S} first = FT_FIRST_{S}(n);
  __asm__("vmaskmov{move} %2, %1, %0" : "=x"(y) : "x"(first), "m"(*(const FT_V_{S} *)k));
  __asm__("vblendv{move} %1, %2, %0, %0" : "+x"(x) : "x"(first), "x"(y));
  return x; }}
FT_FUNCTION void FT_PUT_{S}({T} *k, FT_V_{S} x, long long n) {{
  if (n >= {L}) *(FT_V_{S} *)k = x;
  else if (n > 0) __asm__("vmaskmov{move} %2, %1, %0" : "+m"(*(FT_V_{S} *)k) : "x"(FT_FIRST_{S}(n)), "x"(x)); }}
#endif
"""


def lanes_of(suffix: str, width: int = LINE) -> int:
    """Elements of a vector, or of a line."""
    return 8 * width // int(suffix[1:])


def most_lines(width: int) -> int:
    """The most lines that are sorted in registers, one vector in each."""
    return REGISTERS * width // LINE


def lines_of(width: int) -> int:
    """The lines that a quicksort leaves to registers: with AVX2, which has half as many, half of them."""
    return most_lines(width) if width == LINE else most_lines(width) // 2


def halves(suffix: str) -> range:
    """How many elements go in order by halves, each in registers: as fill the second one, or merging is dearer."""
    return range(3 * REGISTERS // 2 * lanes_of(suffix) + 1, 2 * REGISTERS * lanes_of(suffix) + 1)


def parts(suffix: str, width: int) -> dict[str, object]:
    """What stands for itself in the C of a type."""
    lanes = lanes_of(suffix, width)
    names = ("T", "I", "U", "p", "min", "max", "lt", "le", "compress")
    return dict(zip(names, WIDE[suffix], strict=True)) | {
        "S": suffix, "L": lanes, "bits": suffix[1:], "M": "char" if lanes == 8 else "short", "top": _TOP[suffix],
        "most": lines_of(width) * lanes_of(suffix), "some": 2 * lanes_of(suffix), "middle": 2, "width": width,
        "reg": "v" if width == LINE else "x", "move": "pd" if suffix[1:] == "64" else "ps",
        "iota": ", ".join(map(str, range(lanes))), "sign": int(suffix[1:]) - 1,
    }  # fmt: skip


def in_vectors(suffix: str, width: int, text: str, otherwise: str = "") -> str:
    """C by vectors of so many bytes, with their types before it, and what stands in its place where there are none."""
    if width not in _CONDITIONS:
        return otherwise
    by_mask = width < LINE and suffix in ("i64", "u64")
    types = _TYPES + _COMPARED["by a mask" if by_mask else "by an instruction"] + (_AVX512 if width == LINE else _AVX2)
    text = f"#if {_CONDITIONS[width]}\n{types.format(**parts(suffix, width))}{text}"
    return f"{text}\n#else\n{otherwise}\n#endif" if otherwise else f"{text}\n#endif"
