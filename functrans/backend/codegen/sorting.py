"""C that puts the elements of an array in order, values alone.

With AVX-512 and AVX2 a few vectors are sorted in registers. More elements are divided by a quicksort, whose steps
compress both sides of a vector (as x86-simd-sort does, https://github.com/numpy/x86-simd-sort), into two arrays. Where
its pivots are no good, and on other machines, elements are counted or go by one byte after the other (LSD radix sort:
Knuth, The Art of Computer Programming, vol. 3, 5.2.5). Whichever it is, the bits are the same: NaN, and zeros where
some are negative, are taken out before, in the order they stand, and put in place behind.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from functrans.backend.codegen.networks import network
from functrans.backend.codegen.sorted_vectors import (
    LINE,
    WIDE,
    halves,
    in_vectors,
    lanes_of,
    lines_of,
    most_lines,
    parts,
)
from functrans.backend.policy import REGISTERS

_NAME = re.compile(r"ft_(sort|line|few|quick|ranked|mixed|apart|joined)(\d*)_(b|[iuf]\d+)")
_NARROW = {
    "b": ("unsigned char", "i32"), "i8": ("signed char", "i32"), "u8": ("unsigned char", "i32"),
    "i16": ("short", "i32"), "u16": ("unsigned short", "i32"), "f16": ("_Float16", "f32"),
}  # fmt: skip
_BITS = {"f16": "unsigned short", "f32": "unsigned", "f64": "unsigned long long"}

_DIVIDE = """\
static long long FT_DIVIDE_{S}({T} *k, long long n, {T} *t, {T} pivot, int equal) {{
  const FT_V_{S} p = (FT_V_{S}){{0}} + pivot;
  long long low = 0, high = n, i = 0;
  FT_V_{S} x, y;
  for (; i + {L} <= n; i += {L}) {{
    x = *(const FT_V_{S} *)(k + i);
"""
_DIVIDED = {
    # each side by itself; compressed in a register, since some processors compress into memory element by element
    64: """\
    FT_M_{S} below;
    if (equal) __asm__("v{le} %2, %1, %0" : "=Yk"(below) : "v"(x), "v"(p));
    else __asm__("v{lt} %2, %1, %0" : "=Yk"(below) : "v"(x), "v"(p));
    __asm__("v{compress} %1, %0%{{%2%}}%{{z%}}" : "=v"(y) : "v"(x), "Yk"(below));
    const long long m = __builtin_popcount(below);
    *(FT_V_{S} *)(k + low) = y;
    low += m;
    high -= {L} - m;
    __asm__("v{compress} %1, %0%{{%2%}}%{{z%}}" : "=v"(y) : "v"(x), "Yk"((FT_M_{S})~below));
    FT_PART_{S}(t + high, y, {L} - m); }}
""",
    # one behind the other, by a table of orders: both are stored whole, and what is too much is stored over later
    32: """\
    int below;
    FT_I_{S} at;
    __asm__("vmovmsk{move} %1, %0" : "=r"(below) : "x"(equal ? x <= p : x < p));
    __asm__("vpmovzxbd %1, %0" : "=x"(at) : "m"(FT_ORDER_{S}[below]));
    __asm__("vpermd %1, %2, %0" : "=x"(y) : "x"(x), "x"(at));
    *(FT_V_{S} *)(k + low) = y;
    *(FT_V_{S} *)(t + high - {L}) = y;
    const long long m = __builtin_popcount(below);
    low += m;
    high -= {L} - m; }}
""",
}
_QUICK = """\
  for (; i < n; i++) if (k[i] < pivot || (equal && k[i] == pivot)) k[low++] = k[i]; else t[--high] = k[i];
  return low; }}
static void FT_QUICK_{S}({T} *k, long long n, {T} *t, {T} *to, int depth) {{
  while (n > {most}) {{{halves}
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
  FT_QUICK_{S}(k, n, t, k, 2 * (64 - __builtin_clzll((unsigned long long)n))); }}
"""


def sort_name(suffix: str, n: int) -> str:
    """The C function that puts n elements in order: by how many vectors hold them.

    >>> sort_name("f64", 9), sort_name("f64", 10**6)
    ('ft_sort2_f64', 'ft_sort_f64')
    """
    rows, lanes = 1, lanes_of(_wide(suffix))
    while rows * lanes < n:
        rows *= 2
    return f"ft_sort{rows if rows <= REGISTERS or n in halves(_wide(suffix)) else ''}_{suffix}"


def sort_function(name: str, width: int) -> str | None:
    """The definition of one of the functions that sort, by vectors of ``width`` bytes; None for any other name."""
    found = _NAME.fullmatch(name)
    return _TEXTS[found[1]](found[2], found[3], width) if found is not None else None


def _wide(suffix: str) -> str:
    return _NARROW[suffix][1] if suffix in _NARROW else suffix


def _type(suffix: str) -> str:
    return _NARROW[suffix][0] if suffix in _NARROW else WIDE[suffix][0]


def _sort(rows: str, s: str, _: int) -> str:
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
        before = f"long long m = n;\n  if (ft_mixed_{s}(k, n)) m = ft_apart_{s}(k, n, t);"
        behind = f"\n  if (m < n) ft_joined_{s}(k, m, n, t);"
    return f"static void ft_sort{rows}_{s}({t} *k, long long n, {_type(wide)} *t) {{\n  {before}\n  {body}{behind} }}"


def _line(rows: str, s: str, width: int) -> str:
    head = f"static void ft_line{rows}_{s}({_type(s)} *k, long long n, {_type(s)} *t) {{\n  "
    few = rows and int(rows) <= most_lines(width) * (1 + (width == LINE))
    known = f"ft_few{rows}_{s}(k, n, k);" if few else f"ft_quick_{s}(k, n, t);"
    return in_vectors(s, width, f"{head}{known} }}", f"{head}ft_ranked_{s}(k, n, t); }}")


def _quick(_: str, s: str, width: int) -> str:
    lines = lines_of(width)
    fewer = [r for r in (2, 4, 8) if r < lines]
    few = "\n  ".join(f"if (n <= {r * lanes_of(s)}) {{ ft_few{r}_{s}(k, n, to); return; }}" for r in fewer)
    few += f"\n  ft_few{lines}_{s}(k, n, to);"
    both = ""
    if width == LINE:
        some = halves(s)
        both = f"\n    if (n >= {some.start} && n < {some.stop}) {{ ft_few{2 * lines}_{s}(k, n, to); return; }}"
    text = (_DIVIDE + _DIVIDED[width] + _QUICK).format(**parts(s, width), few=few, halves=both)
    return in_vectors(s, width, text if width == LINE else _orders(s, width) + text)


def _orders(s: str, width: int) -> str:
    """For each set of lanes those in it, then the others: for each part of four bytes of a vector which one it is."""
    lanes = lanes_of(s, width)
    size = width // 4 // lanes
    table = []
    for below in range(1 << lanes):
        order = sorted(range(lanes), key=lambda k: not below >> k & 1)
        table.append(sum((order[j // size] * size + j % size) << 8 * j for j in range(width // 4)))
    numbers = ", ".join(f"0x{number:x}ull" for number in table)
    return f"static const unsigned long long FT_ORDER_{s}[{len(table)}] = {{{numbers}}};\n"


# by whole numbers in the order of the elements, of which t has room for as many
_RANKED = """\
static __attribute__((unused)) void ft_ranked_{S}({T} *k, long long n, {T} *t) {{
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
    long long at[sizeof(W)][256] = {{0}};
    for (long long i = 0; i < n; i++) for (int b = 0; b < (int)sizeof(W); b++) at[b][u[i] >> 8 * b & 255]++;
    for (int b = 0; b < (int)sizeof(W); b++) {{ long long *c = at[b], below = 0;
      if (c[u[0] >> 8 * b & 255] == n) continue;
      for (int d = 0; d < 256; d++) {{ const long long here = c[d]; c[d] = below; below += here; }}
      for (long long i = 0; i < n; i++) v[c[u[i] >> 8 * b & 255]++] = u[i];
      W *w = u; u = v; v = w; }} }}
  for (long long i = 0; i < n; i++) ((W *)k)[i] = {back}; }}"""


def _ranked(_: str, s: str, _width: int) -> str:
    bits = int(s[1:]) - 1
    unsigned = WIDE[s][2]
    sign = f"({unsigned})1 << {bits}"
    every = f"~({unsigned})0"
    negative = f"u[i] >> {bits} ?"
    turned = {
        "u": ("0", "0"), "i": (sign, sign),
        "f": (f"{negative} {every} : {sign}", f"{negative} {sign} : {every}"),
    }  # fmt: skip
    rank, back = (f"u[i] ^ ({which})" for which in turned[s[0]])
    return _RANKED.format(S=s, T=_type(s), U=unsigned, rank=rank, back=back)


_MIXED = """\
static int ft_mixed_{S}(const {T} *k, long long n) {{
  typedef {U} W __attribute__((may_alias));
  const W *u = (const W *)k;
  {U} found = 0;
  for (long long i = 0; i < n; i++) found |= (u[i] & {size}) > {inf} || u[i] == {sign} ? 1 : 0;
  return found != 0; }}"""
_MIXED_VECTORS = {
    # by an instruction: bits for two kinds of NaN, and for the negative zero
    64: """\
static int ft_mixed_{S}(const {T} *k, long long n) {{
  unsigned found = 0;
  for (long long i = 0; i < n; i += {L}) {{
    FT_M_{S} here;
    __asm__("vfpclass{p} $0x85, %1, %0" : "=Yk"(here) : "v"(FT_FETCH_{S}(k + i, n - i)));
    found |= here; }}
  return found != 0; }}
""",
    32: """\
static int ft_mixed_{S}(const {T} *k, long long n) {{
  FT_I_{S} found = {{0}};
  for (long long i = 0; i < n; i += {L}) {{
    const FT_V_{S} x = FT_FETCH_{S}(k + i, n - i);
    found |= (x != x) | ((FT_I_{S})x == ({I})(({U})1 << {sign})); }}
  int any;
  __asm__("vmovmsk{move} %1, %0" : "=r"(any) : "x"(found));
  return any != 0; }}
""",
}
_APART = """\
static long long ft_apart_{S}({T} *k, long long n, void *t) {{
  typedef {T} W __attribute__((may_alias));
  W *u = (W *)t;
  long long m = 0, z = 0, c = n;
  for (long long i = 0; i < n; i++) {{
    const {T} x = k[i];
    if (x != x) u[--c] = x;
    else if (x == 0) u[z++] = x;
    else k[m++] = x; }}
  for (long long i = 0; i < z; i++) k[m + i] = u[i];
  for (long long i = n; i > c; i--) k[n + c - i] = u[i - 1];
  return m; }}"""
_JOINED = """\
static void ft_joined_{S}({T} *k, long long m, long long n, void *t) {{
  typedef {T} W __attribute__((may_alias));
  W *u = (W *)t;
  long long z = 0, p = 0;
  for (; m + z < n && k[m + z] == 0; z++) u[z] = k[m + z];
  for (long long i = 0; i < m; i++) p += k[i] < 0 ? 1 : 0;
  for (long long i = m; i > p; i--) k[i - 1 + z] = k[i - 1];
  for (long long i = 0; i < z; i++) k[p + i] = u[i]; }}"""


def _mixed(_: str, s: str, width: int) -> str:
    plain = _mended(_MIXED, s)
    if s not in WIDE or width not in _MIXED_VECTORS:
        return plain
    return in_vectors(s, width, _MIXED_VECTORS[width].format(**parts(s, width)), plain)


def _mended(text: str, s: str) -> str:
    unsigned = _BITS[s]
    digits = {"f16": ("8000", "7fff", "7c00"), "f32": ("80000000", "7fffffff", "7f800000"),
              "f64": ("8000000000000000", "7fffffffffffffff", "7ff0000000000000")}[s]  # fmt: skip
    sign, size, inf = (f"({unsigned})0x{d}ull" for d in digits)
    return text.format(S=s, T=_type(s), U=unsigned, sign=sign, size=size, inf=inf)


_TEXTS: dict[str, Callable[[str, str, int], str]] = {
    "sort": _sort, "line": _line, "few": network, "quick": _quick, "ranked": _ranked,
    "mixed": _mixed, "apart": lambda _, s, _width: _mended(_APART, s),
    "joined": lambda _, s, _width: _mended(_JOINED, s),
}  # fmt: skip
