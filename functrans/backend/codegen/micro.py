"""C of a tile of sums of products: rows of one factor times columns of the other, the sums held in registers.

Each sum is taken term by term, in order, with fused multiply-adds where the target has them (integers wrap), so that
its bits do not depend on where in which tile it stands, nor on what the compiler makes of it. Where registers are few,
a part of the tile is computed at a time. A vector that is read is held (``FT_HELD``): gcc would read it again for each
of its multiply-adds, and a processor that does two of those at a time does not load as fast.
"""

from __future__ import annotations

import re

from functrans.backend.codegen.vectors.helpers import OF_C
from functrans.backend.policy import INTERLEAVED, LINE_BYTES, NARROWEST_BYTES, REGISTERS
from functrans.ops.kernel import TileArg

WIDE = 3  # vectors that a tile is wide at most

_NAME = re.compile(r"ft_wmma(add)?(\d+)x(\d+)_([fiu](?:32|64))")

_TEXT = """\
#if defined(__clang__)
#define FT_TILE
#else
#define FT_TILE __attribute__((optimize("expensive-optimizations", "no-schedule-insns")))
#endif
#if defined(__x86_64__)
#define FT_HELD(x) __asm__("" : "+v"(x))
#else
#define FT_HELD(x)
#endif
static __attribute__((noinline)) FT_TILE void NAME({T} *restrict c, const {T} *a, const {T} *b,
    long long row, long long step, long long stride, long long rows, long long terms) {{
  enum {{ R = {held}, C = {across} }};
  for (long long i0 = 0; i0 < rows; i0 += R) for (long long j0 = 0; j0 < {columns}; j0 += C * {lanes}) {{
    const {T} *p[R];
    {V} s[R][C];
#pragma GCC unroll 8
    for (int i = 0; i < R; i++) {{
      p[i] = a + (i0 + i < rows ? i0 + i : rows - 1) * row;
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) s[i][j] = ({V}){{0}};
    }}
    long long k = 0;
    do {{
      {V} y[C];
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) {{
        {V} read = {load}(b + k * stride + j0 + j * {lanes});{ahead}
        FT_HELD(read);
        y[j] = read;
      }}
#pragma GCC unroll 8
      for (int i = 0; i < R; i++) {{
        const {V} x = {splat}(p[i][k * step]);
#pragma GCC unroll 8
        for (int j = 0; j < C; j++) s[i][j] = {fma}(x, y[j], s[i][j]);
      }}
    }} while (++k < terms);
#pragma GCC unroll 8
    for (int i = 0; i < R; i++)
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) {{
        {T} *const to = c + (i0 + i) * {columns} + j0 + j * {lanes};
        {write}{sum}{end};
      }}
  }}
}}"""

_PLAIN = """\
static void NAME({T} *restrict c, const {T} *a, const {T} *b,
    long long row, long long step, long long stride, long long rows, long long terms) {{
  for (long long i = 0; i < {rows}; i++) {{
    const {T} *const p = a + (i < rows ? i : rows - 1) * row;
    {T} s[{columns}] = {{0}};
    long long k = 0;
    do {{
      const {T} x = p[k * step], *const y = b + k * stride;
      for (int j = 0; j < {columns}; j++) s[j] = ft_fma_{S}(x, y[j], s[j]);
    }} while (++k < terms);
    for (int j = 0; j < {columns}; j++) c[i * {columns} + j] {store} s[j];
  }}
}}"""

# Of many terms, those that come lie in the second cache.
_AHEAD = """
        __builtin_prefetch(b + (k + 32) * stride + j0 + j * {lanes});"""


def tile_name(tile: TileArg, suffix: str) -> str:
    """The C function of a tile.

    >>> tile_name(TileArg(8, 24, adds=False), "f64")
    'ft_wmma8x24_f64'
    """
    return f"ft_wmma{'add' if tile.adds else ''}{tile.rows}x{tile.columns}_{suffix}"


def tile_function(name: str, width: int) -> str | None:
    """The definition of the C function of a tile, by vectors of ``width`` bytes or, if that is 0, row by row; None for
    any other name.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    rows, columns, size = int(found[2]), int(found[3]), int(found[4][1:]) // 8
    parts: dict[str, str | int] = {
        "S": found[4], "T": OF_C[found[4]], "rows": rows, "columns": columns,
    }  # fmt: skip
    if not width:
        return _PLAIN.format(**parts, store="+=" if found[1] else "=").replace("NAME", name)
    lanes = min(width // size, columns)
    lanes = lanes if lanes * size >= NARROWEST_BYTES else 1
    held, across = _held(rows, columns // lanes, _registers(width))
    words = _words(found[4], lanes)
    parts |= words | {
        "lanes": lanes, "sum": f"{words['load']}(to) + s[i][j]" if found[1] else "s[i][j]",
        "held": held, "across": across,
        "ahead": _AHEAD.format(lanes=lanes) if found[1] else "",
    }  # fmt: skip
    return _TEXT.format(**parts).replace("NAME", name)


def is_held(rows: int, vectors: int, width: int) -> bool:
    """Whether registers of ``width`` bytes hold all sums of a tile, and so many that none waits for itself.

    >>> is_held(8, 2, 64), is_held(8, 2, 32), is_held(8, 1, 64)
    (True, False, False)
    """
    return rows * vectors > 2 * INTERLEAVED and _held(rows, vectors, _registers(width)) == (rows, vectors)


def _registers(width: int) -> int:
    return REGISTERS * (1 + (width == LINE_BYTES))


def _held(rows: int, vectors: int, registers: int) -> tuple[int, int]:
    """How many rows and vectors of a tile are computed at a time: of the parts that the registers hold, beside the
    vectors of one factor and a number of the other, those that take the least time for a term: two multiply-adds or
    two loads a step, and four steps where a sum waits for itself.

    >>> _held(8, 6, 16), _held(8, 3, 32), _held(7, 2, 16)
    ((4, 3), (8, 3), (7, 1))
    """
    parts = [(r, c) for r in range(1, rows + 1) for c in range(1, vectors + 1) if not rows % r and not vectors % c]
    fit = [(r, c) for r, c in parts if r * c + c < registers] or [(1, 1)]

    def price(part: tuple[int, int]) -> tuple[int, int, int]:
        r, c = part
        return rows // r * (vectors // c) * max(r * c, r + c, 2 * INTERLEAVED), -r * c, -r

    return min(fit, key=price)


def _words(suffix: str, lanes: int) -> dict[str, str]:
    """How vectors, or numbers where there is one lane, are spelled."""
    if lanes == 1:
        return {"V": OF_C[suffix], "load": "*", "splat": "", "fma": f"ft_fma_{suffix}", "write": "*to = ", "end": ""}
    of = f"{suffix}x{lanes}"
    words = {word: f"ft_{word}_{of}" for word in ("load", "splat", "fma")}
    return words | {"V": f"ft_{of}", "write": f"ft_store_{of}(to, ", "end": ")"}
