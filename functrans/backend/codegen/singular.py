"""C texts of singular values, in the words of `codegen/matrices.py`.

With vectors by turning pairs of rows until all are orthogonal. By themselves by reflections to two diagonals: these,
one number of each in turn, are beside a diagonal of zeros a tridiagonal matrix whose eigenvalues are they with both
signs. A matrix that is twice as wide as high is made a triangle by reflections first.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), sections 5.4.8, 8.6; of the turning of rows
Hestenes, Inversion of matrices by biorthogonalization and related results (1958).
"""

from __future__ import annotations

INNER = """
static V matrix_inner_X(const V *restrict x, const V *restrict y, long long n) {
  V a = SAME(0), b = SAME(0), c = SAME(0), d = SAME(0);
  long long e = 0;
  for (; e + 4 <= n; e += 4) {
    a += x[e] * y[e], b += x[e + 1] * y[e + 1], c += x[e + 2] * y[e + 2], d += x[e + 3] * y[e + 3];
  }
  for (; e < n; e++) a += x[e] * y[e];
  return (a + b) + (c + d);
}
static void matrix_rotate_X(V *restrict x, V *restrict y, V s, V half, long long n) {
  for (long long e = 0; e < n; e++) {
    const V a = x[e], b = y[e];
    x[e] = a - s * (b + half * a), y[e] = b + s * (a - half * b);
  }
}"""

ORTHOGONAL = """
static M matrix_orthogonal_X(V *restrict g, V *restrict turns, long long n, long long m) {
  V sizes[n];
  for (long long e = 0; e < n * n; e++) turns[e] = SAME(0);
  for (long long p = 0; p < n; p++) turns[p * n + p] = SAME(1);
  for (long long round = 0;; round++) {
    M turned = LT(SAME(1), SAME(0));
    for (long long p = 0; p < n; p++) sizes[p] = matrix_inner_X(g + p * m, g + p * m, m);
    for (long long p = 0; p < n; p++)
      for (long long q = p + 1; q < n; q++) {
        const V inner = matrix_inner_X(g + p * m, g + q * m, m), bound = SAME(m) * SAME(0x1p-102);
        const M on = LT(bound * sizes[p] * sizes[q] + SAME(0x1p-900), inner * inner);
        if (!ANY(on)) continue;
        turned |= on;
        const V half = (sizes[q] - sizes[p]) / (SAME(2) * inner), root = ABS(half) + SQRT(half * half + SAME(1));
        const V t = SEL(on, SEL(LT(half, SAME(0)), SAME(-1), SAME(1)) / root, SAME(0));
        const V c = SAME(1) / SQRT(t * t + SAME(1)), s = c * t, tangent = s / (SAME(1) + c);
        sizes[p] -= t * inner, sizes[q] += t * inner;
        matrix_rotate_X(g + p * m, g + q * m, s, tangent, m);
        matrix_rotate_X(turns + p * n, turns + q * n, s, tangent, n);
      }
    if (!ANY(turned) || round == 40) return turned;
  }
}
static void matrix_complete_X(V *restrict g, const V *restrict sizes, long long n, long long m) {
  V x[m];
  for (long long p = 0; p < n; p++) {
    const M lost = LE(sizes[p], SAME(0x1p-150));
    if (!ANY(lost)) continue;
    V least = SAME(2), at = SAME(0);
    for (long long c = 0; c < m; c++) {
      V covered = SAME(0);
      for (long long i = 0; i < p; i++) covered += g[i * m + c] * g[i * m + c];
      const M less = LT(covered, least);
      least = SEL(less, covered, least), at = SEL(less, SAME(c), at);
    }
    for (long long c = 0; c < m; c++) x[c] = SEL(EQ(at, SAME(c)), SAME(1), SAME(0));
    for (int twice = 0; twice < 2; twice++)
      for (long long i = 0; i < p; i++) matrix_subtract_X(x, matrix_inner_X(x, g + i * m, m), g + i * m, m);
    const V size = SQRT(matrix_inner_X(x, x, m));
    for (long long c = 0; c < m; c++) g[p * m + c] = SEL(lost, x[c] / size, g[p * m + c]);
  }
}"""

REFLECTION = """
static V matrix_reflection_X(V *restrict first, V rest, V *restrict inverse) {
  const M none = EQ(rest, SAME(0));
  const V x = *first, size = SQRT(x * x + rest), end = SEL(LT(x, SAME(0)), size, -size);
  *first = SEL(none, x, end), *inverse = SEL(none, SAME(0), SAME(1) / (x - end));
  return SEL(none, SAME(0), (end - x) / end);
}"""

TRIANGLE = """
static void matrix_triangle_X(V *restrict g, V *restrict l, V *restrict scales, long long n, long long m) {
  for (long long k = 0; k < n; k++) {
    V *const row = g + k * m + k, inverse, end = row[0];
    scales[k] = matrix_reflection_X(&end, matrix_inner_X(row + 1, row + 1, m - k - 1), &inverse);
    row[0] = SAME(1);
    for (long long c = 1; c < m - k; c++) row[c] *= inverse;
    for (long long i = 1; i < n - k; i++)
      matrix_subtract_X(row + i * m, scales[k] * matrix_inner_X(row + i * m, row, m - k), row, m - k);
    for (long long i = 0; i < n; i++) l[i * n + k] = i < k ? SAME(0) : i > k ? row[(i - k) * m] : end;
  }
}
static void matrix_turned_back_X(const V *restrict g, V *restrict x, const V *restrict scales, long long n,
    long long m) {
  for (long long i = n - 1; i >= 0; i--)
    for (long long c = m - 1; c >= 0; c--) x[i * m + c] = c < n ? x[i * n + c] : SAME(0);
  for (long long k = n - 1; k >= 0; k--)
    for (long long i = 0; i < n; i++) {
      V *const row = x + i * m + k;
      matrix_subtract_X(row, scales[k] * matrix_inner_X(row, g + k * m + k, m - k), g + k * m + k, m - k);
    }
}"""

BIDIAGONAL = """
static void matrix_bidiagonal_X(V *restrict g, V *restrict e, long long n, long long m) {
  V sums[m];
  for (long long k = 0; k < n; k++) {
    V *const row = g + k * m + k, *const top = row + m, inverse, rest = SAME(0);
    const long long some = m - k;
    e[2 * k] = row[0];
    const V along = matrix_reflection_X(e + 2 * k, matrix_inner_X(row + 1, row + 1, some - 1), &inverse);
    row[0] = SAME(1);
    for (long long c = 1; c < some; c++) row[c] *= inverse;
    for (long long i = 1; i < n - k; i++)
      matrix_subtract_X(row + i * m, along * matrix_inner_X(row + i * m, row, some), row, some);
    if (k + 1 == n) break;
    for (long long i = 2; i < n - k; i++) rest += row[i * m] * row[i * m];
    e[2 * k + 1] = top[0];
    const V down = matrix_reflection_X(e + 2 * k + 1, rest, &inverse);
    for (long long c = 1; c < some; c++) sums[c] = top[c];
    for (long long i = 2; i < n - k; i++) {
      row[i * m] *= inverse;
      matrix_subtract_X(sums + 1, -row[i * m], row + i * m + 1, some - 1);
    }
    matrix_subtract_X(top + 1, down, sums + 1, some - 1);
    for (long long i = 2; i < n - k; i++) matrix_subtract_X(row + i * m + 1, down * row[i * m], sums + 1, some - 1);
  }
}"""

VALUES = """
static void matrix_singular_values_X(V *restrict g, M *restrict refused, long long n, long long m) {
  const int wide = m >= 2 * n;
  V d[2 * n], e[2 * n], ranks[2 * n], l[wide ? n * n : 1];
  M finite, strange;
  const V level = matrix_level_X(g, &finite, &strange, 0, n, m);
  if (wide) matrix_triangle_X(g, l, d, n, m);
  matrix_bidiagonal_X(wide ? l : g, e, n, wide ? n : m);
  for (long long k = 0; k < 2 * n; k++) d[k] = SAME(0);
  e[2 * n - 1] = SAME(0);
  *refused = strange | matrix_iterate_X(d, e, 0, 2 * n);
  for (long long k = 0; k < 2 * n; k++) d[k] = ABS(d[k]);
  matrix_ranks_X(d, ranks, 1, 2 * n);
  for (long long k = 0; k < 2 * n; k++) EACH g[(long long)ranks[k]LANE]LANE = d[k]LANE;
  for (long long k = 0; k < n; k++) g[k] = g[2 * k] * level;
  matrix_refuse_X(*refused | LT(SAME(0), SEL(finite, SAME(0), SAME(1))), g, n);
}"""

SVD = """
static void matrix_svd_X(V *restrict g, V *restrict work, V *restrict s, V *restrict left, M *restrict refused,
    long long n, long long m) {
  const int wide = m >= 2 * n;
  const long long w = wide ? n : m;
  V sizes[n], ranks[n], scales[n], l[wide ? n * n : 1], *const rows = work + n * n, *const x = wide ? l : g;
  M finite, strange;
  const V level = matrix_level_X(g, &finite, &strange, 0, n, m);
  if (wide) matrix_triangle_X(g, l, scales, n, m);
  *refused = strange | matrix_orthogonal_X(x, work, n, w);
  for (long long p = 0; p < n; p++) sizes[p] = SQRT(matrix_inner_X(x + p * w, x + p * w, w));
  matrix_ranks_X(sizes, ranks, 1, n);
  for (long long p = 0; p < n; p++) {
    const V inverse = SEL(EQ(sizes[p], SAME(0)), SAME(0), SAME(1) / sizes[p]);
    EACH s[(long long)ranks[p]LANE]LANE = sizes[p]LANE;
    for (long long c = 0; c < w; c++) {
      const V y = x[p * w + c] * inverse;
      EACH rows[(long long)ranks[p]LANE * w + c]LANE = yLANE;
    }
    for (long long c = 0; c < n; c++) EACH left[(long long)ranks[p]LANE * n + c]LANE = work[p * n + c]LANE;
  }
  matrix_complete_X(rows, s, n, w);
  if (wide) matrix_turned_back_X(g, rows, scales, n, m);
  const M wrong = *refused | LT(SAME(0), SEL(finite, SAME(0), SAME(1)));
  for (long long e = 0; e < n * m; e++) g[e] = rows[e];
  for (long long p = 0; p < n; p++) s[p] *= level;
  matrix_refuse_X(wrong, g, n * m);
  matrix_refuse_X(wrong, s, n);
  matrix_refuse_X(wrong, left, n * n);
}"""
