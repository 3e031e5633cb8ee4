"""C that sorts a few vectors in registers, with AVX-512.

Their columns go in order by Batcher's merge exchange, all at once; then neighboring columns are merged by bitonic
merges, twice as many each time (Knuth, The Art of Computer Programming, vol. 3, 5.2.2 and 5.3.4). What is missing to
the last vector is larger than every element.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from functrans.backend.policy import REGISTERS

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
# the vectors of a type; each function of them stands under the same condition
VECTORS = """\
#if defined(__AVX512F__)
#ifndef FT_VECTORS_{S}
#define FT_VECTORS_{S}
typedef {T} FT_V_{S} __attribute__((vector_size(64), aligned(sizeof({T})), may_alias));
typedef {I} FT_I_{S} __attribute__((vector_size(64)));
typedef unsigned {M} FT_M_{S};
#define FT_FUNCTION static inline __attribute__((always_inline))
FT_FUNCTION FT_V_{S} FT_LOW_{S}(FT_V_{S} x, FT_V_{S} y) {{
  __asm__("v{min} %1, %0, %0" : "+v"(x) : "v"(y)); return x; }}
FT_FUNCTION FT_V_{S} FT_HIGH_{S}(FT_V_{S} x, FT_V_{S} y) {{
  __asm__("v{max} %1, %0, %0" : "+v"(x) : "v"(y)); return x; }}
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
FT_FUNCTION void FT_PUT_{S}({T} *k, FT_V_{S} x, long long n) {{
  if (n >= {L}) *(FT_V_{S} *)k = x;
  else if (n > 0)
    __asm__("vmovdqu{bits} %2, %0%{{%1%}}" : "+m"(*(FT_V_{S} *)k) : "Yk"((FT_M_{S})((1u << n) - 1)), "v"(x)); }}
#endif
"""


def lanes_of(suffix: str) -> int:
    """Elements of a vector."""
    return 512 // int(suffix[1:])


def parts(suffix: str) -> dict[str, object]:
    """What stands for itself in the C of a type."""
    lanes = lanes_of(suffix)
    names = ("T", "I", "U", "p", "min", "max", "lt", "le", "compress")
    return dict(zip(names, WIDE[suffix], strict=True)) | {
        "S": suffix, "L": lanes, "bits": suffix[1:], "M": "char" if lanes == 8 else "short", "top": _TOP[suffix],
        "most": REGISTERS * lanes, "some": 2 * lanes, "middle": 2,
    }  # fmt: skip


def _merge_exchange(rows: int) -> list[tuple[int, int]]:
    """The pairs that Batcher's sort exchanges, in order.

    >>> _merge_exchange(4)
    [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)]
    """
    pairs, p = [], 1
    while p < rows:
        q = p
        while q:
            for j in range(q % p, rows - q, 2 * q):
                pairs += [(i, i + q) for i in range(j, min(j + q, rows - q)) if i // (2 * p) == (i + q) // (2 * p)]
            q //= 2
        p *= 2
    return pairs


class _Network:
    """The statements that sort some vectors of a type: columns, then columns merged, then read across."""

    def __init__(self, rows: int, s: str) -> None:
        self.rows, self.s, self.lanes = rows, s, lanes_of(s)
        fetched = (f"v{i} = FT_FETCH_{s}(k + {i * self.lanes}, n - {i * self.lanes})" for i in range(rows))
        self.lines = [f"FT_V_{s} {', '.join(['x', *fetched])};"]
        for i, j in _merge_exchange(rows):
            self.exchange(i, j)
        for a in range(self.lanes.bit_length() - 1):
            self.merge(a)
        self.across()

    def indices(self, name: str, lane: Callable[[int], int]) -> None:
        """A constant vector of lanes."""
        self.lines.append(f"const FT_I_{self.s} {name} = {{{', '.join(str(lane(i)) for i in range(self.lanes))}}};")

    def exchange(self, i: int, j: int) -> None:
        """The smaller elements to row i, the larger to row j."""
        low, high = (f"FT_{which}_{self.s}(v{i}, v{j})" for which in ("LOW", "HIGH"))
        self.lines.append(f"x = {low}; v{j} = {high}; v{i} = x;")

    def meet(self, i: int, j: int, name: str, bit: int) -> str:
        """Row i after an exchange with other lanes of row j: lanes with the bit have the larger."""
        high = sum(1 << k for k in range(self.lanes) if k >> bit & 1)
        return f"FT_MEET_{self.s}(v{i}, v{j}, {name}, {high})"

    def merge(self, a: int) -> None:
        """Sorted runs of 2**a columns to runs of twice as many: the second backwards, then halves of halves."""
        self.indices(f"flip{a}", lambda i: i ^ ((2 << a) - 1))
        self.indices(f"near{a}", lambda i: i ^ (1 << a))
        for i in range((self.rows + 1) // 2):
            j = self.rows - 1 - i
            here, there = self.meet(i, j, f"flip{a}", a), self.meet(j, i, f"flip{a}", a)
            self.lines.append(f"x = {here}; v{j} = {there}; v{i} = x;")
        for b in reversed(range(a)):
            self.lines += [f"v{i} = {self.meet(i, i, f'near{b}', b)};" for i in range(self.rows)]
        half = self.rows // 2
        while half:
            for i in range(self.rows):
                if not i & half:
                    self.exchange(i, i + half)
            half //= 2

    def across(self) -> None:
        """Columns one after the other become rows: as often as rows halve, both halves of them go in turn."""
        n, names = self.lanes, [f"v{i}" for i in range(self.rows)]
        self.indices("left", lambda i: (i >> 1) + (i & 1) * n)
        self.indices("right", lambda i: (i >> 1) + (i & 1) * n + n // 2)
        for step in range(self.rows.bit_length() - 1):
            mixed = []
            for i in range(self.rows):
                one, other = names[i // 2], names[i // 2 + self.rows // 2]
                mixed.append(f"w{step}_{i}")
                mix = f"FT_MIX_{self.s}({one}, {other}, {('left', 'right')[i % 2]})"
                self.lines.append(f"const FT_V_{self.s} {mixed[-1]} = {mix};")
            names = mixed
        self.lines += [f"FT_PUT_{self.s}(to + {i * n}, {v}, n - {i * n});" for i, v in enumerate(names)]


@cache
def network(given: str, s: str) -> str:
    """The C function that sorts as many elements as so many vectors hold, or fewer."""
    rows, t = int(given), WIDE[s][0]
    head = f"static void ft_few{rows}_{s}(const {t} *k, long long n, {t} *to) {{\n  "
    return VECTORS.format(**parts(s)) + head + "\n  ".join(_Network(rows, s).lines) + " }\n#endif"
