"""C texts of elimination by panels of columns, of one matrix of many rows, in the words of `codegen/matrices.py`.

A panel is kept column by column: one goes through those before it, its rows in vectors, and has its pivot. Then all
that is right of the panel takes its multiples at once, in tiles whose numbers are in registers. Of every number the
products are subtracted one by one, each rounded, in the order that elimination row by row has: so are its bits.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), sections 3.2.11 and 3.4.4; LAPACK's xGETRF.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from functrans.backend.codegen import complex_panels
from functrans.backend.codegen.vectors.target import target
from functrans.backend.policy import INTERLEAVED, LINE_BYTES, SHORT_ROUNDS, SUM_ROUNDS

PANEL = SUM_ROUNDS
"""Columns of a panel at most."""

_TILE = """
/* c less a b, R rows and C vectors of it: the numbers of a lie down and along apart, rows of b and of c one by one */
static __attribute__((noinline)) void NAME(double *restrict c, long long wide, const double *a,
    long long down, long long along, const double *b, long long step, long long terms) {
  VEC s[R][C];
#pragma GCC unroll 8
  for (int i = 0; i < R; i++)
#pragma GCC unroll 8
    for (int j = 0; j < C; j++) s[i][j] = LOAD(c + i * wide + j * LANES);
  for (long long k = 0; k < terms; k++, a += along, b += step) {
    VEC y[C];
#pragma GCC unroll 8
    for (int j = 0; j < C; j++) y[j] = LOAD(b + j * LANES);
#pragma GCC unroll 8
    for (int i = 0; i < R; i++) {
      const VEC x = SPLAT(a[i * down]);
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) s[i][j] -= x * y[j];
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < R; i++)
#pragma GCC unroll 8
    for (int j = 0; j < C; j++) PUT c + i * wide + j * LANES FROM s[i][j] END;
}"""

_LESS = """
static void matrix_less_X(double *restrict c, long long wide, const double *a, long long down, long long along,
    const double *b, long long step, long long rows, long long columns, long long terms) {
  if (columns == 1 && rows > 1 && down == 1 && wide == 1) {
    matrix_less_X(c, rows, b, 1, step, a, along, 1, rows, terms);
    return;
  }
  long long i, j = 0;
TILES
}"""

_LEFT = """
/* the column `j` of a panel of columns that are `length` long, from its row `j` on: less those before it */
static void matrix_left_X(double *restrict p, long long length, long long j) {
  double *const own = p + j * length;
  for (long long k = 0; k < j; k++) {
    const double f = own[k], *const q = p + k * length;
    for (long long i = k + 1; i < j; i++) own[i] -= q[i] * f;
  }
  matrix_less_X(own + j, length, own, 1, 1, p + j, length, 1, length - j, j);
}"""

_WIDTH = """
/* the columns of a panel of a matrix of n rows: four panels at least */
static long long matrix_panel_X(long long n) {
  return n < 4 * FEWEST ? FEWEST : n < 4 * MOST ? n / 4 : MOST;
}"""

_PIVOT = """
/* the first of the largest numbers, and the first one of all where that is NaN */
static long long matrix_largest_X(const double *x, long long n) {
  const double own = __builtin_fabs(x[0]);
  double most[SIDES];
  long long i = 0;
  for (int l = 0; l < SIDES; l++) most[l] = own;
  for (; i + SIDES <= n; i += SIDES)
    for (int l = 0; l < SIDES; l++) {
      const double size = __builtin_fabs(x[i + l]);
      most[l] = most[l] < size ? size : most[l];
    }
  for (; i < n; i++) most[0] = most[0] < __builtin_fabs(x[i]) ? __builtin_fabs(x[i]) : most[0];
  for (int l = 1; l < SIDES; l++) most[0] = most[0] < most[l] ? most[l] : most[0];
  if (!(own < most[0])) return 0;
  for (i = 1; __builtin_fabs(x[i]) != most[0];) i++;
  return i;
}
static void matrix_swap_X(double *restrict x, double *restrict y, long long n) {
  for (long long c = 0; c < n; c++) { const double t = x[c]; x[c] = y[c], y[c] = t; }
}"""

_ELIMINATE = """
/* a panel of a matrix of n rows, of so many rows and columns, and which row each of its rows is exchanged with */
static M matrix_pivots_X(double *restrict top, double *restrict p, long long *restrict which, V *restrict scales,
    V *restrict inverses, long long n, long long length, long long width) {
  M refused = 0;
  for (long long i = 0; i < length; i++)
    for (long long j = 0; j < width; j++) p[j * length + i] = top[i * n + j];
  for (long long j = 0; j < width; j++) {
    double *const own = p + j * length;
    for (long long e = 0; e < j; e++)
      if (which[e] != e) matrix_swap_X(own + e, own + which[e], 1);
    matrix_left_X(p, length, j);
    const long long r = which[j] = j + matrix_largest_X(own + j, length - j);
    for (long long c = 0; c <= j && r != j; c++) matrix_swap_X(p + c * length + j, p + c * length + r, 1);
    refused |= own[j] == 0;
    matrix_reciprocal_X(own[j], scales + j, inverses + j);
    const double scale = scales[j], inverse = inverses[j];
    for (long long i = j + 1; i < length; i++) own[i] = matrix_factor_X(own[i] * scale, inverse);
  }
  for (long long i = 0; i < length; i++)
    for (long long j = 0; j < width; j++) top[i * n + j] = p[j * length + i];
  return refused;
}
static M matrix_eliminate_X(V *restrict a, V *restrict b, V *restrict rows, V *restrict sign, V *restrict scales,
    V *restrict inverses, V *restrict p, long long n, long long m) {
  const long long panel = matrix_panel_X(n);
  long long which[MOST];
  M refused = 0;
  for (long long k = 0; k < n; k += panel) {
    const long long length = n - k, width = length < panel ? length : panel, rest = length - width;
    double *const top = a + k * n + k, *const right = top + width;
    refused |= matrix_pivots_X(top, p, which, scales + k, inverses + k, n, length, width);
    for (long long j = 0; j < width; j++) {
      const long long r = which[j];
      if (r != j) {
        if (sign) *sign = -*sign;
        if (rows) matrix_swap_X(top - k + j * n, top - k + r * n, k), matrix_swap_X(rows + k + j, rows + k + r, 1);
        matrix_swap_X(right + j * n, right + r * n, rest);
        matrix_swap_X(b + (k + j) * m, b + (k + r) * m, m);
      }
      matrix_less_X(right + j * n, n, p + j, 1, length, right, n, 1, rest, j);
      matrix_less_X(b + (k + j) * m, m, p + j, 1, length, b + k * m, m, 1, m, j);
    }
    matrix_less_X(right + width * n, n, p + width, 1, length, right, n, rest, rest, width);
    matrix_less_X(b + (k + width) * m, m, p + width, 1, length, b + k * m, m, rest, m, width);
  }
  return refused;
}
static void matrix_backwards_X(V *restrict a, V *restrict b, V *restrict scales, V *restrict inverses, long long n,
    long long m) {
  matrix_substitute_Y(a, b, 0, 0, 0, n, m);
}"""

_CHOLESKY = """
static void matrix_cholesky_X(V *restrict a, P_ARRAY M *restrict refused, long long n) {
  const long long panel = matrix_panel_X(n);
  *refused = 0;
  for (long long k = 0; k < n; k += panel) {
    const long long length = n - k, width = length < panel ? length : panel;
    double *const top = a + k * n + k;
    for (long long i = 0; i < length; i++)
      for (long long j = 0; j < width && j <= i; j++) p[j * length + i] = top[i * n + j];
    for (long long j = 0; j < width; j++) {
      double *const own = p + j * length;
      matrix_less_X(own + j, length, p + j, 1, length, p + j, length, 1, length - j, j);
      const double d = own[j], root = SQRT(d), inverse = 1 / root;
      *refused |= d <= 0;
      own[j] = root;
      for (long long i = j + 1; i < length; i++) own[i] = matrix_factor_X(own[i], inverse);
    }
    for (long long i = 0; i < length; i++)
      for (long long j = 0; j < width && j <= i; j++) top[i * n + j] = p[j * length + i];
    for (long long i = width; i < length; i += ROWS) {
      const long long some = length - i < ROWS ? length - i : ROWS;
      matrix_less_X(top + i * n + width, n, p + i, 1, length, p + width, length, some, i + some - width, width);
    }
  }
  for (long long i = 0; i < n; i++)
    for (long long c = i + 1; c < n; c++) a[i * n + c] = 0;
  matrix_refuse_X(*refused, a, n * n);
}"""

_TAKE = """
/* the rows from `top` to `end` of right-hand sides of m columns, the first `some` of them, less what those from `first`
   to `last`, which are found, are taken with: downwards those above, else those below */
static void matrix_take_Y(const W *restrict t, V *restrict b, int lower, long long down, long long along, long long m,
    long long some, long long first, long long last, long long top, long long end) {
  const long long from = lower ? first : last - 1, step = lower ? 1 : -1;
  matrix_less_X(b + top * m, m, t + top * down + from * along, down, step * along, b + from * m, step * m, end - top,
    some, last - first);
}"""

_SUBSTITUTE = """
/* as `matrix_substitute`; an identity has zeros in what is right of the rows that are gone through */
static M matrix_through_Y(const W *restrict t, V *restrict b, int lower, int transposed, int unit, int identity,
    long long n, long long m) {
  const long long down = transposed ? 1 : n, along = transposed ? n : 1;
  M refused = 0;
  for (long long s = 0; s < n; s += MOST) {
    const long long some = n - s < MOST ? n - s : MOST, first = lower ? s : n - s - some, last = first + some;
    const long long columns = identity ? last : m;
    for (long long u = 0; u < last - first; u += FEWEST) {
      const long long left = last - first - u < FEWEST ? last - first - u : FEWEST;
      const long long top = lower ? first + u : last - u - left, end = top + left;
      for (long long e = 0; e < left; e++) {
        const long long j = lower ? top + e : end - 1 - e;
        if (!unit) {
          V scale, inverse;
          matrix_reciprocal_X(t[j * n + j], &scale, &inverse);
          refused |= t[j * n + j] == 0;
          for (long long c = 0; c < columns; c++) b[j * m + c] = b[j * m + c] * scale * inverse;
        }
        if (m > 1)
          matrix_take_Y(t, b, lower, down, along, m, columns, j, j + 1, lower ? j + 1 : top, lower ? end : j);
        else
          for (long long i = lower ? j + 1 : first; i < (lower ? last : j); i++)
            b[i] -= t[i * down + j * along] * b[j];
      }
      if (m > 1)
        matrix_take_Y(t, b, lower, down, along, m, columns, top, end, lower ? end : first, lower ? last : top);
    }
    matrix_take_Y(t, b, lower, down, along, m, columns, first, last, lower ? last : 0, lower ? n : first);
  }
  return refused;
}
static M matrix_substitute_Y(const W *restrict t, V *restrict b, int lower, int transposed, int unit, long long n,
    long long m) {
  return matrix_through_Y(t, b, lower, transposed, unit, 0, n, m);
}"""

AFTER_LU = """
static int matrix_identity_X(const V *restrict b, long long n, long long m) {
  for (long long i = 0; i < n; i++)
    for (long long c = 0; c < m; c++)
      if (b[i * m + c] != (i == c)) return 0;
  return n == m;
}
static void matrix_after_lu_Y(const W *restrict lu, const W *restrict rows, V *restrict b, V *restrict work,
    int transposed, long long n, long long m) {
  const int identity = !transposed && matrix_identity_X(b, n, m);
  if (transposed) {
    matrix_substitute_Y(lu, b, 1, 1, 0, n, m);
    matrix_substitute_Y(lu, b, 0, 1, 1, n, m);
  }
  if (!identity)
    for (long long e = 0; e < n * m; e++) work[e] = b[e];
  for (long long i = 0; i < n && !identity; i++)
    for (long long c = 0; c < m; c++)
      if (transposed) b[AT * m + c] = work[i * m + c];
      else b[i * m + c] = work[AT * m + c];
  if (!transposed) {
    matrix_through_Y(lu, b, 1, 0, 1, identity, n, m);
    matrix_substitute_Y(lu, b, 0, 0, 0, n, m);
  }
  if (!identity) return;
  /* columns are exchanged after, not rows before */
  for (long long c = 0; c < n; c++) {
    for (long long i = 0; i < n; i++) work[i] = b[c * n + i];
    for (long long i = 0; i < n; i++) b[c * n + AT] = work[i];
  }
}"""


ELIMINATION = (_WIDTH, _LEFT, _PIVOT, _TAKE, _SUBSTITUTE, _ELIMINATE)
CHOLESKY = (_WIDTH, _CHOLESKY)
SUBSTITUTION = (_TAKE, _SUBSTITUTE)
COMPLEX_ELIMINATION = (_WIDTH, _PIVOT, *complex_panels.LU)


def by_panels(texts: Sequence[str]) -> list[str]:
    """Texts with the sizes of panels and tiles, and before them what all of them call."""
    return list(map(_filled, (_less(), *texts))) if texts else []


def _filled(text: str) -> str:
    """A text with the sizes of panels and tiles."""
    lanes, rows = _form()
    for word, number in (("MOST", PANEL), ("FEWEST", SHORT_ROUNDS), ("ROWS", rows), ("SIDES", INTERLEAVED * lanes)):
        text = re.sub(rf"\b{word}\b", str(number), text)
    return text


def _less() -> str:
    """The texts of a product that is subtracted, tile by tile: the widest ones first, and rows by themselves last."""
    lanes, rows = _form()
    narrower = [lanes >> k for k in range(lanes.bit_length())]
    stretches = [(f"rows < {rows} && ", (1,), INTERLEAVED, lanes), ("", (rows, 1), 2, lanes)]
    stretches += [("", (rows, 1), 1, of) for of in narrower]
    texts, lines = list[str](), list[str]()
    for when, counts, vectors, of in stretches:
        wide = vectors * of
        lines.append(f"  for (; {when}j + {wide} <= columns; j += {wide}) {{\n    i = 0;")
        for r in counts:
            name = f"matrix_tile{r}x{vectors}x{of}"
            given = "c + i * wide + j, wide, a + i * down, down, along, b + j, step, terms"
            lines.append(f"    for (; i + {r} <= rows; i += {r}) {name}({given});")
            texts.append(_tile(name, r, vectors, of))
        lines.append("  }")
    return "\n".join([*texts, _LESS.replace("TILES", "\n".join(lines))])


def _form() -> tuple[int, int]:
    """The numbers of a vector, and the rows of a tile: two vectors of each are in registers."""
    lanes = target().lanes(8) if target().has_vectors else 1
    return lanes, SHORT_ROUNDS if target().bytes >= LINE_BYTES else INTERLEAVED


@lru_cache
def _tile(name: str, rows: int, vectors: int, lanes: int) -> str:
    of, text = f"f64x{lanes}", _TILE.replace("NAME", name)
    one = {"VEC": "double", "LOAD(": "*(", "SPLAT(": "(", "PUT ": "*(", " FROM ": ") = ", " END": ""}
    several = {
        "VEC": f"ft_{of}", "LOAD(": f"ft_load_{of}(", "SPLAT(": f"ft_splat_{of}(", "PUT ": f"ft_store_{of}(",
        " FROM ": ", ", " END": ")",
    }  # fmt: skip
    for word, spelled in (several if lanes > 1 else one).items():
        text = text.replace(word, spelled)
    for word, number in (("R", rows), ("C", vectors), ("LANES", lanes)):
        text = re.sub(rf"\b{word}\b", str(number), text)
    return text
