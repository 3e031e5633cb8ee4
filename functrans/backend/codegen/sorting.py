"""C that puts the elements of an array in order, values alone.

With AVX-512 a few vectors are sorted in registers: their columns by Batcher's merge exchange, then neighboring columns
are merged by bitonic merges, twice as many each time (Knuth, The Art of Computer Programming, vol. 3, 5.2.2 and 5.3.4).
More elements are divided by a quicksort, both sides of a vector compressed and stored at once; where its pivots are no
good, and without AVX-512, elements are counted or go by one byte after the other. Whichever it is, the bits are the
same: NaN, and zeros where some are negative, are taken out before, in the order they stand, and put in place behind.
"""

from __future__ import annotations

import re
from functools import cache

ROWS = 16  # vectors that are sorted in registers at the most
_NAME = re.compile(r"ft_(sort|line|few|quick|ranked|mixed|apart|joined)(\d*)_(b|[iuf]\d+)")
# C type, integers of as many bits, unsigned ones, and what instructions of it are called: all, the smaller, the larger
_WIDE = {
    "f64": ("double", "long long", "unsigned long long", "pd", "minpd", "maxpd", "cmpltpd", "cmplepd", "compresspd"),
    "f32": ("float", "int", "unsigned", "ps", "minps", "maxps", "cmpltps", "cmpleps", "compressps"),
    "i64": ("long long", "long long", "unsigned long long", "q", "pminsq", "pmaxsq", "pcmpltq", "pcmpleq", "pcompressq"),
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
_NARROW = {
    "b": ("_Bool", "i32"), "i8": ("signed char", "i32"), "u8": ("unsigned char", "i32"), "i16": ("short", "i32"),
    "u16": ("unsigned short", "i32"), "f16": ("_Float16", "f32"),
}  # fmt: skip
_BITS = {"f16": "unsigned short", "f32": "unsigned", "f64": "unsigned long long"}

# the vectors of a type; each function of them stands under the same condition
_VECTORS = """\
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

_QUICK = """\
static long long FT_DIVIDE_{S}({T} *k, long long n, {T} *t, {T} pivot, int equal) {{
  const FT_V_{S} p = (FT_V_{S}){{0}} + pivot;
  long long low = 0, high = n;
  for (long long i = 0; i < n; i += {L}) {{
    const long long left = n - i < {L} ? n - i : {L};
    const FT_V_{S} x = FT_FETCH_{S}(k + i, left);
    FT_V_{S} y;
    FT_M_{S} here = (FT_M_{S})((1u << left) - 1), below;
    if (equal) __asm__("v{le} %2, %1, %0" : "=Yk"(below) : "v"(x), "v"(p));
    else __asm__("v{lt} %2, %1, %0" : "=Yk"(below) : "v"(x), "v"(p));
    below &= here;
    const int m = __builtin_popcount(below);
    __asm__("v{compress} %1, %0%{{%2%}}%{{z%}}" : "=v"(y) : "v"(x), "Yk"(below));
    FT_PUT_{S}(k + low, y, left < {L} ? m : {L});
    low += m;
    high -= left - m;
    __asm__("v{compress} %1, %0%{{%2%}}" : "+m"(*(FT_V_{S} *)(t + high)) : "v"(x), "Yk"((FT_M_{S})(here & ~below))); }}
  return low; }}
static void FT_QUICK_{S}({T} *k, long long n, {T} *t, {T} *to, int depth) {{
  while (n > {most}) {{
    if (!depth--) {{
      ft_ranked_{S}(k, n, t);
      for (long long i = 0; i < n && k != to; i++) to[i] = k[i];
      return; }}
    {T} some[{some}];
    for (int i = 0; i < {some}; i++) some[i] = k[n / {some} * i + n / {some} / 2];
    ft_few{middle}_{S}(some, {some}, some);
    long long m = FT_DIVIDE_{S}(k, n, t, some[{some} / 2], 0);
    if (m) FT_QUICK_{S}(k, m, t, to, depth);
    else {{
      m = FT_DIVIDE_{S}(t, n, k, some[{some} / 2], 1);
      for (long long i = 0; i < m; i++) to[i] = some[{some} / 2];
      {T} *other = k; k = t; t = other; }}
    {T} *other = k + m; k = t + m; t = other; to += m; n -= m; }}
  {few} }}
static void ft_quick_{S}({T} *k, long long n, {T} *t) {{
  FT_QUICK_{S}(k, n, t, k, 2 * (64 - __builtin_clzll(n))); }}
"""


def sort_name(suffix: str, n: int) -> str:
    """The C function that puts n elements in order: by how many vectors hold them.

    >>> sort_name("f64", 9), sort_name("f64", 10**6)
    ('ft_sort2_f64', 'ft_sort_f64')
    """
    rows, lanes = 1, _lanes(_wide(suffix))
    while rows * lanes < n:
        rows *= 2
    return f"ft_sort{rows if rows <= ROWS else ''}_{suffix}"


def sort_function(name: str) -> str | None:
    """The definition of one of the functions that sort; None for any other name."""
    found = _NAME.fullmatch(name)
    return None if found is None else _TEXTS[found[1]](found[2], found[3])


def _wide(suffix: str) -> str:
    return _NARROW[suffix][1] if suffix in _NARROW else suffix


def _type(suffix: str) -> str:
    return _NARROW[suffix][0] if suffix in _NARROW else _WIDE[suffix][0]


def _lanes(suffix: str) -> int:
    return 512 // int(suffix[1:])


def _parts(suffix: str) -> dict[str, object]:
    lanes = _lanes(suffix)
    names = ("T", "I", "U", "p", "min", "max", "lt", "le", "compress")
    return dict(zip(names, _WIDE[suffix], strict=True)) | {
        "S": suffix, "L": lanes, "bits": suffix[1:], "M": "char" if lanes == 8 else "short", "top": _TOP[suffix],
        "most": ROWS * lanes, "some": 2 * lanes, "middle": 2,
    }  # fmt: skip


def _sort(rows: str, s: str) -> str:
    """Of any dtype: k[0:n], by what it is sorted in, and what is no number of an order apart."""
    wide, t = _wide(s), _type(s)
    line = f"ft_line{rows}_{wide}"
    body = f"{line}(k, m, t);"
    if wide != s:
        body = (
            f"for (long long i = 0; i < m; i++) t[i] = k[i];\n  {line}(t, m, t + n);\n"
            f"  for (long long i = 0; i < m; i++) k[i] = ({t})t[i];"
        )
    before, behind = "const long long m = n;", ""
    if s[0] == "f":
        before = f"long long m = n;\n  if (ft_mixed_{s}(k, n)) m = ft_apart_{s}(k, n, ({t} *)t);"
        behind = f"\n  if (m < n) ft_joined_{s}(k, m, n, ({t} *)t);"
    return f"static void ft_sort{rows}_{s}({t} *k, long long n, {_type(wide)} *t) {{\n  {before}\n  {body}{behind} }}"


def _line(rows: str, s: str) -> str:
    known = f"ft_few{rows}_{s}(k, n, k);" if rows else f"ft_quick_{s}(k, n, t);"
    return (
        f"static void ft_line{rows}_{s}({_type(s)} *k, long long n, {_type(s)} *t) {{\n"
        f"#if defined(__AVX512F__)\n  {known}\n#else\n  ft_ranked_{s}(k, n, t);\n#endif\n}}"
    )


def _quick(_: str, s: str) -> str:
    few = "\n  ".join(f"if (n <= {r * _lanes(s)}) {{ ft_few{r}_{s}(k, n, to); return; }}" for r in (2, 4, 8))
    few += f"\n  ft_few{ROWS}_{s}(k, n, to);"
    parts = _parts(s)
    return _VECTORS.format(**parts) + _QUICK.format(**parts, few=few) + "#endif"


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


@cache
def _few(given: str, s: str) -> str:
    """Of as many rows: columns in order, then merged, then read across."""
    rows, lanes = int(given), _lanes(s)
    steps = lanes.bit_length() - 1
    lines = [f"FT_V_{s} x, " + ", ".join(f"v{i} = FT_FETCH_{s}(k + {i * lanes}, n - {i * lanes})" for i in range(rows)) + ";"]
    for a in range(steps):
        for name, flip in ((f"flip{a}", (2 << a) - 1), (f"near{a}", 1 << a)):
            lines.append(f"const FT_I_{s} {name} = {{{', '.join(str(i ^ flip) for i in range(lanes))}}};")

    def exchange(i: int, j: int) -> None:
        lines.append(f"x = FT_LOW_{s}(v{i}, v{j}); v{j} = FT_HIGH_{s}(v{i}, v{j}); v{i} = x;")

    def meet(i: int, j: int, name: str, bit: int) -> str:
        return f"FT_MEET_{s}(v{i}, v{j}, {name}, {sum(1 << k for k in range(lanes) if k >> bit & 1)})"

    for i, j in _merge_exchange(rows):
        exchange(i, j)
    for a in range(steps):
        for i in range((rows + 1) // 2):
            j = rows - 1 - i
            lines.append(f"x = {meet(i, j, f'flip{a}', a)}; v{j} = {meet(j, i, f'flip{a}', a)}; v{i} = x;")
        for b in reversed(range(a)):
            lines += [f"v{i} = {meet(i, i, f'near{b}', b)};" for i in range(rows)]
        half = rows // 2
        while half:
            for i in range(rows):
                if not i & half:
                    exchange(i, i + half)
            half //= 2
    halves = [[(i >> 1) + (i & 1) * lanes + part * lanes // 2 for i in range(lanes)] for part in (0, 1)]
    for name, half_ in zip(("left", "right"), halves, strict=True):
        lines.append(f"const FT_I_{s} {name} = {{{', '.join(map(str, half_))}}};")
    names = [f"v{i}" for i in range(rows)]
    for step in range(rows.bit_length() - 1):
        mixed = []
        for i in range(rows):
            mixed.append(f"w{step}_{i}")
            a_, b_ = names[i // 2], names[i // 2 + rows // 2]
            lines.append(f"const FT_V_{s} {mixed[-1]} = FT_MIX_{s}({a_}, {b_}, {('left', 'right')[i % 2]});")
        names = mixed
    lines += [f"FT_PUT_{s}(to + {i * lanes}, {v}, n - {i * lanes});" for i, v in enumerate(names)]
    t = _type(s)
    head = f"static void ft_few{rows}_{s}(const {t} *k, long long n, {t} *to) {{\n  "
    return _VECTORS.format(**_parts(s)) + head + "\n  ".join(lines) + " }\n#endif"


# by whole numbers in the order of the elements, of which t has room for as many
_RANKED = """\
static void ft_ranked_{S}({T} *k, long long n, {T} *t) {{
  typedef {U} W __attribute__((may_alias));
  W *u = (W *)k, *v = (W *)t;
  for (long long i = 0; i < n; i++) u[i] = {rank};
  if (n <= 192) {{
    for (long long i = 0; i < n; i++) {{ const {U} x = u[i]; {U} c = 0;
      for (long long j = 0; j < i; j++) c += u[j] <= x ? 1 : 0;
      for (long long j = i + 1; j < n; j++) c += u[j] < x ? 1 : 0;
      v[c] = x; }}
    u = v; v = (W *)k; }}
  else {{
    long long at[sizeof(W)][256] = {{{{0}}}};
    for (long long i = 0; i < n; i++) for (int b = 0; b < (int)sizeof(W); b++) at[b][u[i] >> 8 * b & 255]++;
    for (int b = 0; b < (int)sizeof(W); b++) {{ long long *c = at[b], below = 0;
      if (c[u[0] >> 8 * b & 255] == n) continue;
      for (int d = 0; d < 256; d++) {{ const long long here = c[d]; c[d] = below; below += here; }}
      for (long long i = 0; i < n; i++) v[c[u[i] >> 8 * b & 255]++] = u[i];
      W *w = u; u = v; v = w; }} }}
  for (long long i = 0; i < n; i++) ((W *)k)[i] = {back}; }}"""


def _ranked(_: str, s: str) -> str:
    bits = int(s[1:]) - 1
    unsigned = _WIDE[s][2]
    sign = f"({unsigned})1 << {bits}"
    rank, back = {
        "u": ("u[i]", "u[i]"),
        "i": (f"u[i] ^ {sign}", f"u[i] ^ {sign}"),
        "f": (f"u[i] ^ (u[i] >> {bits} ? ~({unsigned})0 : {sign})", f"u[i] ^ (u[i] >> {bits} ? {sign} : ~({unsigned})0)"),
    }[s[0]]
    return _RANKED.format(S=s, T=_type(s), U=unsigned, rank=rank, back=back)


_MIXED = """\
static int ft_mixed_{S}(const {T} *k, long long n) {{
  typedef {U} W __attribute__((may_alias));
  const W *u = (const W *)k;
  {U} found = 0;
  for (long long i = 0; i < n; i++) found |= (u[i] & {size}) > {inf} || u[i] == {sign} ? 1 : 0;
  return found; }}"""
_APART = """\
static long long ft_apart_{S}({T} *k, long long n, {T} *t) {{
  long long m = 0, z = 0, c = n;
  for (long long i = 0; i < n; i++) {{
    const {T} x = k[i];
    if (x != x) t[--c] = x;
    else if (x == 0) t[z++] = x;
    else k[m++] = x; }}
  for (long long i = 0; i < z; i++) k[m + i] = t[i];
  for (long long i = n; i > c; i--) k[n + c - i] = t[i - 1];
  return m; }}"""
_JOINED = """\
static void ft_joined_{S}({T} *k, long long m, long long n, {T} *t) {{
  long long z = 0, p = 0;
  for (; m + z < n && k[m + z] == 0; z++) t[z] = k[m + z];
  for (long long i = 0; i < m; i++) p += k[i] < 0 ? 1 : 0;
  for (long long i = m; i > p; i--) k[i - 1 + z] = k[i - 1];
  for (long long i = 0; i < z; i++) k[p + i] = t[i]; }}"""


def _mended(text: str, s: str) -> str:
    unsigned = _BITS[s]
    digits = {"f16": ("8000", "7fff", "7c00"), "f32": ("80000000", "7fffffff", "7f800000"),
              "f64": ("8000000000000000", "7fffffffffffffff", "7ff0000000000000")}[s]  # fmt: skip
    sign, size, inf = (f"({unsigned})0x{d}ull" for d in digits)
    return text.format(S=s, T=_type(s), U=unsigned, sign=sign, size=size, inf=inf)


_TEXTS = {
    "sort": _sort, "line": _line, "few": _few, "quick": _quick, "ranked": _ranked,
    "mixed": lambda _, s: _mended(_MIXED, s), "apart": lambda _, s: _mended(_APART, s),
    "joined": lambda _, s: _mended(_JOINED, s),
}  # fmt: skip
