"""C texts of eigenvalues and orthogonal factors, in the words of `codegen/matrices.py`.

Eigenvalues by reflections to a tridiagonal matrix and implicit QL steps: in each one every lane has a block and a shift
of its own, and what it does not turn is left alone.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), sections 5.1, 8.3; LAPACK's xSTEQR.
"""

from __future__ import annotations

LEVEL = """
static V matrix_level_X(V *restrict a, M *restrict finite, M *restrict strange, int lower, long long n, long long m) {
  V most = SAME(0), none = SAME(0);
  *strange = LT(SAME(1), SAME(0));
  for (long long i = 0; i < n; i++)
    for (long long j = 0; j < (lower ? i + 1 : m); j++) {
      const V size = ABS(a[i * m + j]);
      most = SEL(LT(most, size), size, most), none += size * SAME(0);
      const V met = lower && i > j + 1 ? size * SAME(0) : size;
      *strange |= NOT(EQ(met, met));
    }
  *finite = EQ(none, SAME(0));
  const M far = (LT(most, SAME(0x1p-50)) | LT(SAME(0x1p50), most)) & LT(SAME(0), most) & *finite;
  const V level = SEL(far, most, SAME(1)), lift = SEL(LT(level, SAME(0x1p-900)), SAME(0x1p200), SAME(1));
  if (ANY(far))
    for (long long e = 0; e < n * m; e++) a[e] = a[e] * lift / (level * lift);
  if (ANY(LT(SAME(0), SEL(*finite, SAME(0), SAME(1)))))
    for (long long e = 0; e < n * m; e++) a[e] = SEL(*finite, a[e], SAME(0));
  return level;
}"""
"""What is ``strange`` LAPACK does not converge for: NaN, of a symmetric matrix infinity that reflections meet, too."""

TRIDIAGONAL = """
static void matrix_tridiagonal_X(V *restrict a, V *restrict d, V *restrict e, V *restrict scales, long long n) {
  V v[n], w[n];
  for (long long k = 0; k + 2 < n; k++) {
    const V first = a[(k + 1) * n + k];
    V rest = SAME(0), inner = SAME(0);
    for (long long i = k + 2; i < n; i++) v[i] = a[i * n + k], rest += v[i] * v[i];
    const M none = EQ(rest, SAME(0));
    const V size = SQRT(first * first + rest), end = SEL(LT(first, SAME(0)), size, -size);
    const V scale = SEL(none, SAME(0), (end - first) / end), inverse = SEL(none, SAME(0), SAME(1) / (first - end));
    d[k] = a[k * n + k], e[k] = SEL(none, first, end), scales[k] = scale, v[k + 1] = SAME(1);
    for (long long i = k + 2; i < n; i++) a[i * n + k] = v[i] = v[i] * inverse;
    for (long long i = k + 1; i < n; i++) {
      const V *const row = a + i * n;
      V sum = row[i] * v[i], other = SAME(0);
      long long j = k + 1;
      for (; j + 2 <= i; j += 2) {
        sum += row[j] * v[j], w[j] += row[j] * v[i];
        other += row[j + 1] * v[j + 1], w[j + 1] += row[j + 1] * v[i];
      }
      if (j < i) sum += row[j] * v[j], w[j] += row[j] * v[i];
      w[i] = sum + other;
    }
    for (long long i = k + 1; i < n; i++) w[i] *= scale, inner += w[i] * v[i];
    for (long long i = k + 1; i < n; i++) w[i] -= SAME(0.5) * scale * inner * v[i];
    for (long long i = k + 1; i < n; i++) {
      V *const row = a + i * n;
      for (long long j = k + 1; j <= i; j++) row[j] -= v[i] * w[j] + w[i] * v[j];
    }
  }
  if (n > 1) d[n - 2] = a[(n - 2) * (n + 1)], e[n - 2] = a[n * n - 2];
  d[n - 1] = a[n * n - 1], e[n - 1] = SAME(0);
}"""

BASIS = """
static void matrix_basis_X(const V *restrict a, const V *restrict scales, V *restrict z, long long n) {
  V sums[n];
  for (long long e = 0; e < n * n; e++) z[e] = SAME(0);
  for (long long i = 0; i < n; i++) z[i * n + i] = SAME(1);
  for (long long k = n - 3; k >= 0; k--) {
    V *const top = z + (k + 1) * n;
    for (long long c = k + 1; c < n; c++) sums[c] = top[c];
    for (long long i = k + 2; i < n; i++) matrix_subtract_X(sums + k + 1, -a[i * n + k], z + i * n + k + 1, n - k - 1);
    matrix_subtract_X(top + k + 1, scales[k], sums + k + 1, n - k - 1);
    for (long long i = k + 2; i < n; i++)
      matrix_subtract_X(z + i * n + k + 1, scales[k] * a[i * n + k], sums + k + 1, n - k - 1);
  }
}"""

TURN = """
static void matrix_turn_X(V *restrict z, const V *restrict c, const V *restrict s, long long low, long long high,
    long long n) {
  long long j = 0;
  for (; j + 4 <= n; j += 4) {
    V *const p = z + j * n, *const q = p + n, *const r = q + n, *const t = r + n;
    V a = p[high], b = q[high], d = r[high], f = t[high];
    for (long long i = high - 1; i >= low; i--) {
      const V x = p[i], y = q[i], u = r[i], v = t[i];
      p[i + 1] = s[i] * x + c[i] * a, a = c[i] * x - s[i] * a;
      q[i + 1] = s[i] * y + c[i] * b, b = c[i] * y - s[i] * b;
      r[i + 1] = s[i] * u + c[i] * d, d = c[i] * u - s[i] * d;
      t[i + 1] = s[i] * v + c[i] * f, f = c[i] * v - s[i] * f;
    }
    p[low] = a, q[low] = b, r[low] = d, t[low] = f;
  }
  for (; j < n; j++) {
    V *const p = z + j * n, a = p[high];
    for (long long i = high - 1; i >= low; i--) {
      const V x = p[i];
      p[i + 1] = s[i] * x + c[i] * a, a = c[i] * x - s[i] * a;
    }
    p[low] = a;
  }
}"""

ITERATE = """
static M matrix_iterate_X(V *restrict d, V *restrict e, V *restrict z, long long n) {
  V cosines[n], sines[n];
  for (long long round = 0;; round++) {
    V first = SAME(n), last = SAME(n - 1), left = SAME(0), next = SAME(0), beside = SAME(1), end = d[n - 1];
    for (long long i = 0; i + 1 < n; i++) {
      const V bound = ABS(d[i]) * SAME(0x1p-53) * (ABS(d[i + 1]) * SAME(0x1p-53)) + SAME(0x1p-1022), size = e[i] * e[i];
      const M large = LT(bound, size), begins = large & LT(SAME(i), first);
      const M ends = LT(first, SAME(i)) & EQ(last, SAME(n - 1)) & LE(size, bound);
      e[i] = SEL(large, e[i], SAME(0));
      first = SEL(begins, SAME(i), first), beside = SEL(begins, e[i], beside);
      left = SEL(begins, d[i], left), next = SEL(begins, d[i + 1], next);
      last = SEL(ends, SAME(i), last), end = SEL(ends, d[i], end);
    }
    const M active = LT(first, SAME(n));
    if (!ANY(active) || round == 30 * n) return active;
    const V half = (next - left) / (SAME(2) * beside), root = SQRT(half * half + SAME(1));
    V g = end - left + beside / (half + SEL(LT(half, SAME(0)), -root, root)), s = SAME(1), c = SAME(1), p = SAME(0);
    long long low = n, high = 0;
    for (long long i = n - 2; i >= 0; i--) {
      const M on = LE(first, SAME(i)) & LT(SAME(i), last);
      cosines[i] = SAME(1), sines[i] = SAME(0);
      if (!ANY(on)) continue;
      high = high ? high : i + 1, low = i;
      const V f = s * e[i], b = c * e[i], r = SQRT(f * f + g * g);
      const M none = EQ(r, SAME(0)), stops = on & EQ(first, SAME(i));
      e[i + 1] = SEL(on, SEL(EQ(last, SAME(i + 1)), SAME(0), r), e[i + 1]);
      s = SEL(on, SEL(none, SAME(0), f / r), s), c = SEL(on, SEL(none, SAME(1), g / r), c);
      const V above = d[i + 1] - p, t = (d[i] - above) * s + SAME(2) * c * b;
      p = SEL(on, s * t, p), d[i + 1] = SEL(on, above + p, d[i + 1]), g = SEL(on, c * t - b, g);
      d[i] = SEL(stops, d[i] - p, d[i]), e[i] = SEL(stops, g, e[i]);
      cosines[i] = SEL(on, c, SAME(1)), sines[i] = SEL(on, s, SAME(0));
    }
    if (z) matrix_turn_X(z, cosines, sines, low, high, n);
  }
}"""

RANKS = """
static void matrix_ranks_X(const V *restrict x, V *restrict ranks, int down, long long n) {
  for (long long k = 0; k < n; k++) {
    V rank = SAME(0);
    for (long long j = 0; j < n; j++)
      if (j != k) {
        const M before = down ? LT(x[k], x[j]) : LT(x[j], x[k]);
        rank += SEL(before, SAME(1), SEL(EQ(x[j], x[k]), SAME(j < k), SAME(0)));
      }
    ranks[k] = rank;
  }
}"""

EIGENVALUES = """
static void matrix_eigenvalues_X(V *restrict a, M *restrict refused, long long n) {
  V d[n], e[n], scales[n];
  M finite, strange;
  const V level = matrix_level_X(a, &finite, &strange, 1, n, n);
  matrix_tridiagonal_X(a, d, e, scales, n);
  *refused = strange | matrix_iterate_X(d, e, 0, n);
  matrix_ranks_X(d, scales, 0, n);
  for (long long k = 0; k < n; k++) EACH a[(long long)scales[k]LANE]LANE = d[k]LANE;
  for (long long k = 0; k < n; k++) a[k] = SEL(finite, a[k] * level, SAME(__builtin_nan("")));
  matrix_refuse_X(*refused, a, n);
}"""

EIGEN = """
static void matrix_eigen_X(V *restrict a, V *restrict z, V *restrict values, M *restrict refused, long long n) {
  V d[n], e[n], scales[n];
  M finite, strange;
  const V level = matrix_level_X(a, &finite, &strange, 1, n, n);
  matrix_tridiagonal_X(a, d, e, scales, n);
  matrix_basis_X(a, scales, z, n);
  *refused = strange | matrix_iterate_X(d, e, z, n);
  matrix_ranks_X(d, scales, 0, n);
  for (long long k = 0; k < n; k++) {
    EACH values[(long long)scales[k]LANE]LANE = d[k]LANE;
    for (long long i = 0; i < n; i++) EACH a[i * n + (long long)scales[k]LANE]LANE = z[i * n + k]LANE;
  }
  const M wrong = *refused | LT(SAME(0), SEL(finite, SAME(0), SAME(1)));
  for (long long k = 0; k < n; k++) values[k] *= level;
  matrix_refuse_X(wrong, values, n);
  matrix_refuse_X(wrong, a, n * n);
}"""

REFLECT = """
static void matrix_reflect_X(const V *restrict a, V scale, V *restrict x, V *restrict sums, M odd, long long j,
    long long n, long long m, long long width, long long from) {
  const long long some = width - from;
  if (!some) return;
  if (!ANY(odd)) {
    for (long long c = from; c < width; c++) sums[c] = x[j * width + c];
    for (long long i = j + 1; i < n; i++) matrix_subtract_X(sums + from, -a[i * m + j], x + i * width + from, some);
    matrix_subtract_X(x + j * width + from, scale, sums + from, some);
    for (long long i = j + 1; i < n; i++)
      matrix_subtract_X(x + i * width + from, scale * a[i * m + j], sums + from, some);
    return;
  }
  V row[width], last = SAME(j), right = SAME(-1);
  const M even = NOT(odd), turns = NOT(EQ(scale, SAME(0))) | even;
  for (long long i = j + 1; i < n; i++) last = SEL(EQ(a[i * m + j], SAME(0)), last, SAME(i));
  for (long long i = j; i < n; i++)
    for (long long c = from; c < width; c++)
      right = SEL(NOT(EQ(x[i * width + c], SAME(0))) & LE(SAME(i), last) & LT(right, SAME(c)), SAME(c), right);
  for (long long c = from; c < width; c++) sums[c] = x[j * width + c];
  for (long long i = j + 1; i < n; i++) {
    for (long long c = from; c < width; c++) row[c] = sums[c];
    matrix_subtract_X(row + from, -a[i * m + j], x + i * width + from, some);
    for (long long c = from; c < width; c++) sums[c] = SEL(LE(SAME(i), last) | even, row[c], sums[c]);
  }
  for (long long i = j; i < n; i++) {
    for (long long c = from; c < width; c++) row[c] = x[i * width + c];
    matrix_subtract_X(row + from, i == j ? scale : scale * a[i * m + j], sums + from, some);
    for (long long c = from; c < width; c++) {
      const M reached = LE(SAME(i), last) & LE(SAME(c), right);
      x[i * width + c] = SEL((reached | even) & turns, row[c], x[i * width + c]);
    }
  }
}"""
"""Of lanes with numbers that are not finite, ``odd`` ones, what LAPACK's xLARF goes over: up to the last element of the
reflection that is not zero, and the last column that is not; of all others everything, in the same order.
"""

QR = """
static void matrix_qr_X(V *restrict a, V *restrict q, long long n, long long m) {
  const long long k = n < m ? n : m;
  V sums[m], scales[k], strange = SAME(0);
  for (long long e = 0; e < n * m; e++) strange += a[e] * SAME(0);
  const M odd = NOT(EQ(strange, SAME(0)));
  for (long long j = 0; j < k; j++) {
    V most = SAME(0x1p-1000), rest = SAME(0);
    for (long long i = j; i < n; i++) {
      const V size = ABS(a[i * m + j]);
      most = SEL(LT(most, size), size, most);
    }
    most = SEL(LE(most, SAME(0x1.fffffffffffffp1023)), most, SAME(1));
    const V first = a[j * m + j] / most;
    for (long long i = j + 1; i < n; i++) {
      const V x = a[i * m + j] = a[i * m + j] / most;
      rest += x * x;
    }
    const M none = EQ(rest, SAME(0));
    const V size = SQRT(first * first + rest), end = SEL(LT(first, SAME(0)), size, -size);
    const V scale = scales[j] = SEL(none, SAME(0), (end - first) / end);
    const V inverse = SEL(none, SAME(0), SAME(1) / (first - end));
    for (long long i = j + 1; i < n; i++) a[i * m + j] *= inverse;
    a[j * m + j] = SEL(none, a[j * m + j], end * most);
    matrix_reflect_X(a, scale, a, sums, odd, j, n, m, m, j + 1);
  }
  for (long long i = 0; i < n; i++)
    for (long long c = 0; c < k; c++) q[i * k + c] = SAME(i == c);
  for (long long j = k - 1; j >= 0; j--) {
    matrix_reflect_X(a, scales[j], q, sums, odd, j, n, m, k, j + 1);
    for (long long i = j + 1; i < n; i++) q[i * k + j] = -scales[j] * a[i * m + j];
    q[j * k + j] = SAME(1) - scales[j];
  }
  for (long long i = 1; i < k; i++)
    for (long long c = 0; c < i; c++) a[i * m + c] = SAME(0);
}"""
