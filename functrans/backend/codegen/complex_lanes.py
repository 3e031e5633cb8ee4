"""C texts of elimination of complex matrices, side by side in lanes, in the words of `codegen/matrices.py`.

Real and imaginary parts are planes of their own, one behind the other. Pivots are the largest by |re| + |im|, as in
LAPACK's zgetf2; factors of Cholesky are those of zpotf2, with a real diagonal.

Source: Golub and Van Loan, Matrix Computations (fourth edition, 2013), sections 3.4 and 4.2; the reciprocal of a number
by Smith, Algorithm 116, Communications of the ACM 5 (1962).
"""

from __future__ import annotations

_TIMES = """
/* x less f times y, n complex numbers */
static void matrix_complex_less_X(V *restrict x, V *restrict xi, V f, V fi, const V *restrict y, const V *restrict yi,
    long long n) {
  for (long long c = 0; c < n; c++) {
    const V p = y[c], q = yi[c];
    x[c] -= f * p - fi * q, xi[c] -= f * q + fi * p;
  }
}
/* what a number is multiplied by to be divided by p + i q: a power of two, then the parts of a complex number */
static __inline__ __attribute__((always_inline)) void matrix_complex_reciprocal_X(V p, V q, V *restrict v) {
  const V size = ABS(p) + ABS(q), zero = SAME(0);
  const V scale = SEL(LT(size, SAME(0x1p-900)), SAME(0x1p200), SEL(LT(SAME(0x1p900), size), SAME(0x1p-200), SAME(1)));
  const V a = p * scale, b = q * scale;
  const M turned = LT(ABS(a), ABS(b));
  const V large = SEL(turned, b, a), small = SEL(turned, a, b), t = small / large, u = SAME(1) / (large + small * t);
  const M none = EQ(size, zero);
  v[0] = scale;
  v[1] = SEL(none, zero, SEL(turned, t * u, u)), v[2] = SEL(none, zero, SEL(turned, zero - u, zero - t * u));
}
static __inline__ __attribute__((always_inline)) void matrix_complex_times_X(V *restrict x, V *restrict y,
    const V *restrict v) {
  const V a = *x * v[0], b = *y * v[0];
  *x = a * v[1] - b * v[2], *y = a * v[2] + b * v[1];
}"""
_ELIMINATE = """
/* the matrix and b after elimination, three numbers a pivot to divide by it, and the sign of the exchanges */
static M matrix_complex_eliminate_X(V *restrict a, V *restrict b, V *restrict v, V *restrict sign, long long n,
    long long m) {
  V *const ai = a + n * n, *const bi = b + n * m;
  M refused = LT(SAME(1), SAME(0));
  for (long long k = 0; k < n; k++) {
    V *const top = a + k * n + k, *const topi = ai + k * n + k;
    V largest = ABS(*top) + ABS(*topi), at = SAME(0);
    for (long long i = 1; i < n - k; i++) {
      const V size = ABS(top[i * n]) + ABS(topi[i * n]);
      const M more = LT(largest, size);
      largest = SEL(more, size, largest), at = SEL(more, SAME(i), at);
    }
    const M other = LT(SAME(0), at);
    if (ANY(other)) {
      *sign = SEL(other, SAME(0) - *sign, *sign);
      for (long long i = 1; i < n - k; i++) {
        const M found = EQ(at, SAME(i));
        if (!ANY(found)) continue;
        matrix_exchange_X(found, top, top + i * n, n - k);
        matrix_exchange_X(found, topi, topi + i * n, n - k);
        matrix_exchange_X(found, b + k * m, b + (k + i) * m, m);
        matrix_exchange_X(found, bi + k * m, bi + (k + i) * m, m);
      }
    }
    refused |= EQ(*top, SAME(0)) & EQ(*topi, SAME(0));
    matrix_complex_reciprocal_X(*top, *topi, v + 3 * k);
    for (long long i = 1; i < n - k; i++) {
      V *const f = top + i * n, *const fi = topi + i * n;
      matrix_complex_times_X(f, fi, v + 3 * k);
      matrix_complex_less_X(f + 1, fi + 1, *f, *fi, top + 1, topi + 1, n - k - 1);
      matrix_complex_less_X(b + (k + i) * m, bi + (k + i) * m, *f, *fi, b + k * m, bi + k * m, m);
    }
  }
  return refused;
}"""
_SOLVE = """
static void matrix_complex_solve_X(V *restrict a, V *restrict b, V *restrict v, M *restrict refused, long long n,
    long long m) {
  V *const ai = a + n * n, *const bi = b + n * m;
  V sign = SAME(1);
  *refused = matrix_complex_eliminate_X(a, b, v, &sign, n, m);
  for (long long j = n - 1; j >= 0; j--) {
    for (long long c = 0; c < m; c++) matrix_complex_times_X(b + j * m + c, bi + j * m + c, v + 3 * j);
    for (long long i = 0; i < j; i++)
      matrix_complex_less_X(b + i * m, bi + i * m, a[i * n + j], ai[i * n + j], b + j * m, bi + j * m, m);
  }
  matrix_refuse_X(*refused, b, 2 * n * m);
}"""
_DETERMINANT = """
/* the determinant, and what it is the product of: numbers that neither over- nor underflow, and so often 2^500 */
static void matrix_complex_det_X(V *restrict a, V *restrict v, V *restrict det, V *restrict scaled, V *restrict times,
    M *restrict refused, long long n) {
  V none[1], p = SAME(1), q = SAME(0), count = SAME(0);
  const V large = SAME(0x1p400), small = SAME(0x1p-400), down = SAME(0x1p-500), up = SAME(0x1p500), one = SAME(1);
  *refused = matrix_complex_eliminate_X(a, none, v, &p, n, 0);
  for (long long k = 0; k < n; k++) {
    V f = a[k * n + k], g = a[n * n + k * n + k];
    for (int twice = 0; twice < 2; twice++) {
      const V size = ABS(f) + ABS(g);
      const M over = LT(large, size), under = LT(size, small);
      if (ANY(over | under)) {
        const V scale = SEL(over, down, SEL(under, up, one));
        count += SEL(over, one, SEL(under, SAME(-1), SAME(0)));
        f *= scale, g *= scale;
      }
      if (twice) {
        p = f, q = g;
      } else {
        const V re = p * f - q * g;
        g = p * g + q * f, f = re;
      }
    }
  }
  scaled[0] = p, scaled[1] = q, *times = count;
  for (long long k = 0; k < n && ANY(NOT(EQ(count, SAME(0)))); k++) {
    const M over = LT(SAME(0), count), under = LT(count, SAME(0));
    const V scale = SEL(over, up, SEL(under, down, one));
    p *= scale, q *= scale, count -= SEL(over, one, SEL(under, SAME(-1), SAME(0)));
  }
  det[0] = p, det[1] = q;
}"""
_CHOLESKY = """
static void matrix_complex_cholesky_X(V *restrict a, V *restrict inverses, M *restrict refused, long long n) {
  V *const ai = a + n * n;
  *refused = LT(SAME(1), SAME(0));
  for (long long i = 0; i < n; i++) {
    V *const x = a + i * n, *const xi = ai + i * n;
    V d = x[i];
    for (long long j = 0; j < i; j++) {
      const V *const y = a + j * n, *const yi = ai + j * n;
      V p = x[j], q = xi[j];
      for (long long k = 0; k < j; k++) {
        p -= x[k] * y[k] + xi[k] * yi[k], q -= xi[k] * y[k] - x[k] * yi[k];
      }
      x[j] = p = matrix_factor_X(p, inverses[j]), xi[j] = q = matrix_factor_X(q, inverses[j]);
      d -= p * p + q * q;
    }
    *refused |= LE(d, SAME(0));
    x[i] = SQRT(d), xi[i] = SAME(0);
    inverses[i] = SAME(1) / x[i];
    for (long long j = i + 1; j < n; j++) x[j] = xi[j] = SAME(0);
  }
  matrix_refuse_X(*refused, a, 2 * n * n);
}"""
SOLVE, DETERMINANT, CHOLESKY = (_TIMES, _ELIMINATE, _SOLVE), (_TIMES, _ELIMINATE, _DETERMINANT), (_CHOLESKY,)
