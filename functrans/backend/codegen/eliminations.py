"""C texts of Gaussian elimination, in the words of `codegen/matrices.py`.

The rows below a pivot take a multiple of its row, four columns at a time: these four of the pivot's row are in
registers while the rows go by. Where lanes exchange rows, that is done on the way, so that no number is stored twice.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), sections 3.1 and 3.4.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from functrans.backend.codegen.held import columns_of, held, held_rows, rows_of

_BELOW = """
/* `count` rows less f times the top one: the columns of some of them in registers, row by row */
static void matrix_below_X(V *restrict top, V *restrict rows, long long step, const V *restrict f,
    long long apart, long long count, long long n) {
  long long c = 0;
COLUMNS}"""
_PIVOT = """
/* the same, after the top row and another are exchanged where that was found: `others` of the rows, `which` */
static void matrix_pivot_X(V *restrict top, V *restrict rows, long long step, const V *restrict f,
    const M *restrict found, const int *restrict which, long long others, long long count, long long n) {
  long long c = 0;
COLUMNS}"""
_WIDTHS = {4: "for (; c + 4 <= n; c += 4)", 2: "if (n & 2)", 1: "if (n & 1)"}
"""Columns at a time, and for which of them."""


def _below(columns: int) -> str:
    ks = range(columns)
    return f"""    const V {", ".join(f"t{k} = top[c + {k}]" for k in ks)};
    for (long long i = 0; i < count; i++) {{
      V *const z = rows + i * step + c;
      const V g = f[i * apart];
      {" ".join(f"z[{k}] -= g * t{k};" for k in ks)}
    }}
"""


def _pivot(columns: int) -> str:
    ks = range(columns)
    return f"""    const V {", ".join(f"o{k} = top[c + {k}]" for k in ks)};
    V {", ".join(f"t{k} = o{k}" for k in ks)};
    for (long long e = 0; e < others; e++) {{
      const V *const z = rows + which[e] * step + c;
      const M m = found[which[e]];
      {" ".join(f"t{k} = SEL(m, z[{k}], t{k});" for k in ks)}
    }}
    {" ".join(f"top[c + {k}] = t{k};" for k in ks)}
    for (long long i = 0; i < count; i++) {{
      V *const z = rows + i * step + c;
      const V g = f[i];
      const M m = found[i];
      {" ".join(f"z[{k}] = SEL(m, o{k}, z[{k}]) - g * t{k};" for k in ks)}
    }}
"""


def _blocks(function: str, block: Callable[[int], str]) -> str:
    """A function that does a block of columns at a time, then what is left."""
    parts = (f"  {when} {{\n{block(k)}{'    c += 2;' + chr(10) if k == 2 else ''}  }}\n" for k, when in _WIDTHS.items())
    return function.replace("COLUMNS", "".join(parts))


TOGETHER = """
static void matrix_exchange_X(M m, V *restrict x, V *restrict y, long long n) {
  for (long long c = 0; c < n; c++) { const V a = x[c], b = y[c]; x[c] = SEL(m, b, a); y[c] = SEL(m, a, b); }
}
static void matrix_subtract_X(V *restrict x, V f, const V *restrict y, long long n) {
  long long c = 0;
  for (; c + 4 <= n; c += 4) {
    x[c] -= f * y[c]; x[c + 1] -= f * y[c + 1]; x[c + 2] -= f * y[c + 2]; x[c + 3] -= f * y[c + 3];
  }
  for (; c < n; c++) x[c] -= f * y[c];
}"""
TOGETHER += _blocks(_BELOW, _below) + _blocks(_PIVOT, _pivot)
TOGETHER += """
static __inline__ __attribute__((always_inline)) void matrix_reciprocal_X(V p, V *restrict scale, V *restrict inverse) {
  *scale = SEL(LT(ABS(p), SAME(0x1p-1022)), SAME(0x1p100), SAME(1));
  *inverse = SEL(EQ(p, SAME(0)), SAME(0), SAME(1) / (p * *scale));
}
/* what of a pivot's row is to be subtracted: nothing of one over infinity, as in LAPACK */
static __inline__ __attribute__((always_inline)) V matrix_factor_X(V x, V inverse) {
  return SEL(EQ(inverse, SAME(0)), SAME(0), x * inverse);
}
static void matrix_refuse_X(M refused, V *restrict x, long long n) {
  if (!ANY(refused)) return;
  for (long long c = 0; c < n; c++) x[c] = SEL(refused, SAME(__builtin_nan("")), x[c]);
}"""

PIVOT = """
/* the pivot of row k, and the rows below less their multiples of its row */
static M matrix_eliminated_X(V *restrict a, V *restrict b, V *restrict rows, V *restrict sign, V *restrict scales,
    V *restrict inverses, long long k, long long n, long long m) {
  const long long below = n - 1 - k;
  M found[n];
  V f[n], *const top = a + k * n;
  int which[n];
  const V old = top[k];
  V largest = ABS(old), pivot = old, turned = sign ? *sign : old;
  for (long long i = 0; i < below; i++) {
    const V size = ABS(top[(i + 1) * n + k]);
    const M more = found[i] = LT(largest, size);
    largest = SEL(more, size, largest);
  }
  M later = LT(SAME(1), SAME(0));
  for (long long i = below - 1; i >= 0; i--) {
    const M more = found[i];
    found[i] = more & NOT(later);
    later |= more;
  }
  long long others = 0;
  if (ANY(later)) {
    for (long long i = 0; i < below; i++) {
      V *const z = top + (i + 1) * n + k, x = *z;
      const M m = found[i];
      which[others] = (int)i;
      others += ANY(m) != 0;
      pivot = SEL(m, x, pivot), turned = SEL(m, -turned, turned);
      *z = SEL(m, old, x);
    }
    top[k] = pivot;
    if (sign) *sign = turned;
  }
  matrix_reciprocal_X(pivot, scales + k, inverses + k);
  const V scale = scales[k], inverse = inverses[k];
  for (long long i = 0; i < below; i++) {
    V *const z = top + (i + 1) * n + k;
    *z = f[i] = matrix_factor_X(*z * scale, inverse);
  }
  if (others) {
    matrix_pivot_X(top + k + 1, top + n + k + 1, n, f, found, which, others, below, n - k - 1);
    matrix_pivot_X(b + k * m, b + (k + 1) * m, m, f, found, which, others, below, m);
    if (rows)
      for (long long e = 0; e < others; e++) {
        matrix_exchange_X(found[which[e]], top, top + (which[e] + 1) * n, k);
        matrix_exchange_X(found[which[e]], rows + k, rows + k + 1 + which[e], 1);
      }
  } else {
    matrix_below_X(top + k + 1, top + n + k + 1, n, f, 1, below, n - k - 1);
    matrix_below_X(b + k * m, b + (k + 1) * m, m, f, 1, below, m);
  }
  return EQ(pivot, SAME(0));
}"""

ALONE = """
static M matrix_eliminate_X(V *restrict a, V *restrict b, V *restrict rows, V *restrict sign, V *restrict scales,
    V *restrict inverses, long long n, long long m) {
  M refused = LT(SAME(1), SAME(0));
  for (long long k = 0; k < n; k++) refused |= matrix_eliminated_X(a, b, rows, sign, scales, inverses, k, n, m);
  return refused;
}
static void matrix_backwards_X(V *restrict a, V *restrict b, V *restrict scales, V *restrict inverses, long long n,
    long long m) {
  for (long long j = n - 1; j >= 0; j--) {
    for (long long c = 0; c < m; c++) b[j * m + c] = b[j * m + c] * scales[j] * inverses[j];
    matrix_below_X(b + j * m, b, m, a + j, n, j, m);
  }
}"""

_ELIMINATE = """
static M matrix_eliminate_X(V *restrict a, V *restrict b, V *restrict rows, V *restrict sign, V *restrict scales,
    V *restrict inverses, long long n, long long m) {
  M refused = LT(SAME(1), SAME(0)), found[ROWS * ROWS];
  V factors[ROWS * ROWS];
  int moved[ROWS];
  const long long first = n > ROWS ? n - ROWS : 0, left = n - first;
  for (long long k = 0; k < first; k++) refused |= matrix_eliminated_X(a, b, rows, sign, scales, inverses, k, n, m);
  V *const last = a + first * (n + 1), *const right = b + first * m;
  for (long long j = 0; j < left;) COLUMN(j, left, last + j, n, scales + first + j, inverses + first + j, &refused, j)
  for (long long c = 0; c < m;) COLUMN(c, m, right + c, m, 0, 0, 0, left)
  for (long long j = 0; j < left && sign; j++) {
    V *const top = a + (first + j) * n, *const f = factors + j * ROWS;
    if (moved[j])
      for (long long i = 1; i < left - j; i++) {
        const M m = found[j * ROWS + i];
        *sign = SEL(m, -*sign, *sign);
        if (!rows || !ANY(m)) continue;
        matrix_exchange_X(m, top, top + i * n, first + j);
        matrix_exchange_X(m, rows + first + j, rows + first + j + i, 1);
      }
    for (long long i = 1; i < left - j && rows; i++) top[i * n + first + j] = f[i];
  }
  return refused;
}
static void matrix_backwards_X(V *restrict a, V *restrict b, V *restrict scales, V *restrict inverses, long long n,
    long long m) {
  for (long long end = n; end > 0; end -= ROWS) {
    const long long first = end > ROWS ? end - ROWS : 0;
    const V *const s = scales + first, *const v = inverses + first, *const block = a + first * (n + 1);
    for (long long c = 0; c < m;) BACK(c, m, block, n, b + first * m + c, m, s, v, end - first)
    for (long long j = end - 1; j >= first && first; j--) matrix_below_X(b + j * m, b, m, a + j, n, first, m);
  }
}"""
_CHOLESKY = """
static void matrix_cholesky_X(V *restrict a, P_ARRAY M *restrict refused, long long n) {
  V column[n], factors[ROWS * (ROWS + 1)];
  const long long first = n > ROWS ? n - ROWS : 0, left = n - first;
  *refused = LT(SAME(1), SAME(0));
  for (long long k = 0; k < first; k++) matrix_root_X(a, column, refused, k, n);
  for (long long j = 0; j < left;) FACTOR(j, left, a + (first + j) * (n + 1), n, refused, j, left - j)
  for (long long i = 0; i < n; i++)
    for (long long c = i + 1; c < n; c++) a[i * n + c] = SAME(0);
  matrix_refuse_X(*refused, a, n * n);
}"""
_PAIRS = {
    "FACTOR": "matrix_rows#_X({}, {}, factors, {}, {}, {});",
    "COLUMN": "matrix_column#_X({}, {}, factors, found, moved, {}, {}, {}, {});",
    "BACK": "matrix_back#_X({}, {}, {}, {}, {}, {}, {});",
}


def elimination(n: int) -> tuple[str, ...]:
    """Texts of elimination of matrices of n rows, for vectors of lanes."""
    return *held(n), _of_columns(_ELIMINATE, n)


def cholesky(n: int) -> tuple[str, ...]:
    """Texts of Cholesky's factorization of such matrices."""
    return *held_rows(n), _of_columns(_CHOLESKY, n)


def _of_columns(text: str, n: int) -> str:
    """A text with the calls for its columns, which go in pairs where two have their registers."""
    for word, call in _PAIRS.items():

        def calls(found: re.Match[str], call: str = call) -> str:
            at, end, *given = found[1].split(", ")
            one, two = (f"{call.format(*given).replace('#', str(c))} {at} += {c};" for c in (1, 2))
            return f"if ({at} + 2 <= {end}) {{ {two} }} else {{ {one} }}" if 2 in columns_of(n) else f"{{ {one} }}"

        text = re.sub(rf"{word}\((.*)\)", calls, text)
    return text.replace("ROWS", str(rows_of(n)))


ROOT = """
static void matrix_root_X(V *restrict a, V *restrict column, M *restrict refused, long long k, long long n) {
  const V d = a[k * n + k], root = SQRT(d), inverse = SAME(1) / root;
  *refused |= LE(d, SAME(0));
  a[k * n + k] = root;
  for (long long i = k + 1; i < n; i++) column[i] = a[i * n + k] = matrix_factor_X(a[i * n + k], inverse);
  for (long long i = k + 1; i < n; i++) {
    matrix_subtract_X(a + i * n + k + 1, column[i], column + k + 1, i - k);
    a[k * n + i] = SAME(0);
  }
}"""

CHOLESKY = """
static void matrix_cholesky_X(V *restrict a, P_ARRAY M *restrict refused, long long n) {
  V column[n];
  *refused = LT(SAME(1), SAME(0));
  for (long long k = 0; k < n; k++) matrix_root_X(a, column, refused, k, n);
  matrix_refuse_X(*refused, a, n * n);
}"""

SOLVE = """
static void matrix_solve_X(V *restrict a, V *restrict b, P_ARRAY M *restrict refused, long long n, long long m) {
  V scales[n], inverses[n];
  *refused = matrix_eliminate_X(a, b, 0, 0, scales, inverses, P_GIVEN n, m);
  matrix_backwards_X(a, b, scales, inverses, n, m);
  matrix_refuse_X(*refused, b, n * m);
}"""

LU = """
static void matrix_lu_X(V *restrict a, P_ARRAY V *restrict rows, V *restrict pivots, V *restrict sign, V *restrict det,
    M *restrict refused, long long n, long long m) {
  V scales[n], inverses[n];
  for (long long k = 0; k < n; k++) rows[k] = SAME(k);
  *sign = SAME(1);
  *refused = matrix_eliminate_X(a, 0, m ? rows : 0, sign, scales, inverses, P_GIVEN n, 0);
  V product = *sign, far = SAME(0);
  for (long long k = 0; k < n; k++) {
    const V p = pivots[k] = a[k * n + k];
    *sign = SEL(LT(p, SAME(0)), -*sign, *sign);
    const M up = LT(SAME(0x1p500), ABS(p)), low = LT(ABS(p), SAME(0x1p-500));
    product *= p * SEL(up, SAME(0x1p-500), SEL(low, SAME(0x1p500), SAME(1)));
    far += SEL(up, SAME(1), SEL(low, SAME(-1), SAME(0)));
    const M large = LT(SAME(0x1p500), ABS(product)), small = LT(ABS(product), SAME(0x1p-500));
    product *= SEL(large, SAME(0x1p-500), SEL(small, SAME(0x1p500), SAME(1)));
    far += SEL(large, SAME(1), SEL(small, SAME(-1), SAME(0)));
  }
  while (ANY(LT(SAME(0), ABS(far)))) {
    const M up = LT(SAME(0), far), low = LT(far, SAME(0));
    product *= SEL(up, SAME(0x1p500), SEL(low, SAME(0x1p-500), SAME(1)));
    far += SEL(up, SAME(-1), SEL(low, SAME(1), SAME(0)));
  }
  *det = SEL(*refused, SAME(0), product);
  *sign = SEL(*refused, SAME(0), *sign);
}"""

ADJUGATE = """
static void matrix_adjugate_X(V *restrict a, V *restrict b, long long n) {
  V columns[n], inverses[n], scales[n], sign = SAME(1), product = SAME(1);
  M none = LT(SAME(1), SAME(0));
  for (long long e = 0; e < n * n; e++) b[e] = SAME(0);
  for (long long k = 0; k < n; k++) columns[k] = SAME(k), b[k * n + k] = SAME(1);
  for (long long k = 0; k < n; k++) {
    V largest = SAME(-1), row = SAME(k), column = SAME(k);
    for (long long i = k; i < n; i++)
      for (long long j = k; j < n; j++) {
        const V size = ABS(a[i * n + j]);
        const M more = LT(largest, size);
        largest = SEL(more, size, largest), row = SEL(more, SAME(i), row), column = SEL(more, SAME(j), column);
      }
    for (long long i = k + 1; i < n; i++) {
      const M lower = EQ(row, SAME(i)), right = EQ(column, SAME(i));
      if (ANY(lower)) {
        matrix_exchange_X(lower, a + k * n, a + i * n, n);
        matrix_exchange_X(lower, b + k * n, b + i * n, n);
        sign = SEL(lower, -sign, sign);
      }
      if (ANY(right)) {
        for (long long r = 0; r < n; r++) matrix_exchange_X(right, a + r * n + k, a + r * n + i, 1);
        matrix_exchange_X(right, columns + k, columns + i, 1);
        sign = SEL(right, -sign, sign);
      }
    }
    if (k + 1 == n) break;
    const V *const top = a + k * n;
    none |= EQ(top[k], SAME(0));
    product *= top[k];
    matrix_reciprocal_X(top[k], scales + k, inverses + k);
    for (long long i = k + 1; i < n; i++) {
      const V f = a[i * n + k] * scales[k] * inverses[k];
      matrix_subtract_X(a + i * n + k + 1, f, top + k + 1, n - k - 1);
      matrix_subtract_X(b + i * n, f, b + k * n, n);
    }
  }
  V *const end = b + (n - 1) * n;
  const V last = a[n * n - 1];
  for (long long j = n - 2; j >= 0; j--) {
    V *const row = b + j * n;
    for (long long c = 0; c < n; c++) row[c] *= last;
    matrix_subtract_X(row, a[j * n + n - 1], end, n);
  }
  for (long long j = n - 2; j >= 0; j--) {
    for (long long c = 0; c < n; c++) b[j * n + c] = b[j * n + c] * scales[j] * inverses[j];
    for (long long i = 0; i < j; i++) matrix_subtract_X(b + i * n, a[i * n + j], b + j * n, n);
  }
  product = SEL(none, SAME(0), product * sign);
  for (long long i = 0; i < n; i++)
    for (long long c = 0; c < n; c++) {
      const V x = product * b[i * n + c];
      EACH a[(long long)columns[i]LANE * n + c]LANE = xLANE;
    }
}"""
