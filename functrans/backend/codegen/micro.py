"""C of a tile of sums of products: rows of one factor times columns of the other, the sums held in registers.

Each sum is taken term by term, in order, with fused multiply-adds where the target has them, so that its bits do not
depend on where in which tile it stands. Vectors are those of GNU C; where registers are few, a part of the tile is
computed at a time.
"""

from __future__ import annotations

import re

from functrans.backend.policy import LINE_BYTES, SHORT_ROUNDS
from functrans.ops.kernel import TileArg

WIDE = 3  # vectors that a tile is wide at most

_NAME = re.compile(r"ft_wmma(add)?(\d+)x(\d+)_(f32|f64)")

_TEXT = """\
#if defined(__AVX512F__)
#define FT_PART(few, all) all
#else
#define FT_PART(few, all) few
#endif
#if defined(__clang__)
#define FT_FUSED
#define FT_FUSE _Pragma("clang fp contract(fast)")
#else
#define FT_FUSED __attribute__((optimize("fp-contract=fast", "expensive-optimizations", "no-schedule-insns")))
#define FT_FUSE
#endif
static __attribute__((noinline)) FT_FUSED void NAME({T} *restrict c, const {T} *a, const {T} *b,
    long long row, long long step, long long stride, long long rows, long long terms) {{ FT_FUSE
  typedef {T} V __attribute__((vector_size({bytes}), aligned({size}), may_alias));
  enum {{ R = FT_PART({few}, {rows}), C = FT_PART(1, {wide}) }};
  for (long long i0 = 0; i0 < {rows}; i0 += R) for (long long j0 = 0; j0 < {columns}; j0 += C * {lanes}) {{
    const {T} *p[R];
    V s[R][C];
#pragma GCC unroll 8
    for (int i = 0; i < R; i++) {{
      p[i] = a + (i0 + i < rows ? i0 + i : rows - 1) * row;
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) s[i][j] = (V){{0}};
    }}
    long long k = 0;
    do {{
      V y[C];
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) {{
        y[j] = *(const V *)(b + k * stride + j0 + j * {lanes});{ahead}
      }}
#pragma GCC unroll 8
      for (int i = 0; i < R; i++) {{
        const V x = p[i][k * step] - (V){{0}};
#pragma GCC unroll 8
        for (int j = 0; j < C; j++) s[i][j] = x * y[j] + s[i][j];
      }}
    }} while (++k < terms);
#pragma GCC unroll 8
    for (int i = 0; i < R; i++)
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) *(V *)(c + (i0 + i) * {columns} + j0 + j * {lanes}) {store} s[i][j];
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


def tile_function(name: str, vectors: bool = True) -> str | None:
    """The definition of the C function of a tile, by ``vectors`` or row by row; None for any other name."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    rows, columns, size = int(found[2]), int(found[3]), int(found[4][1:]) // 8
    lanes = min(LINE_BYTES // size, columns)
    parts = {
        "S": found[4], "T": "float" if size == 4 else "double", "bytes": lanes * size, "size": size,
        "rows": rows, "columns": columns, "lanes": lanes,
        "wide": columns // lanes, "few": rows if rows < SHORT_ROUNDS else SHORT_ROUNDS // 2,
        "store": "+=" if found[1] else "=", "ahead": _AHEAD.format(lanes=lanes) if found[1] else "",
    }  # fmt: skip
    return (_TEXT if vectors else _PLAIN).format(**parts).replace("NAME", name)
