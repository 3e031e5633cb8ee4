"""C texts of elimination of complex matrices by panels of columns, in the words of `codegen/matrices.py`.

Real and imaginary parts are planes of their own, one behind the other, so that a product of complex numbers is four of
real ones, and tiles are those of real matrices. A third plane has the imaginary parts negated, as products are
subtracted and nothing else. The transposed system is solved, whose factors lie as a column of right-hand sides goes
through them. Pivots are the largest by |re| + |im|.

Source: as in `codegen/blocked.py`; LAPACK's zgetrf; the reciprocal of a number by Smith, Algorithm 116, Communications
of the ACM 5 (1962).
"""

from __future__ import annotations

_PLANES = """
static void matrix_planes_X(double *restrict c, long long cs, long long wide, const double *a, long long as,
    long long down, long long along, const double *b, long long bs, long long step, long long rows, long long columns,
    long long terms) {
  matrix_less_X(c, wide, a, down, along, b, step, rows, columns, terms);
  matrix_less_X(c, wide, a + 2 * as, down, along, b + bs, step, rows, columns, terms);
  matrix_less_X(c + cs, wide, a, down, along, b + bs, step, rows, columns, terms);
  matrix_less_X(c + cs, wide, a + as, down, along, b, step, rows, columns, terms);
}
/* what a number is multiplied by to be divided by p + i q: a power of two, then the parts of a complex number */
static void matrix_quotient_X(double p, double q, double *restrict v) {
  const double size = __builtin_fabs(p) + __builtin_fabs(q);
  v[0] = size < 0x1p-900 ? 0x1p200 : size > 0x1p900 ? 0x1p-200 : 1, p *= v[0], q *= v[0];
  if (__builtin_fabs(p) < __builtin_fabs(q)) {
    const double t = p / q, u = 1 / (q + p * t);
    v[1] = t * u, v[2] = -u;
  } else {
    const double t = q / p, u = 1 / (p + q * t);
    v[1] = u, v[2] = -t * u;
  }
  if (size == 0) v[1] = v[2] = 0;
}
static void matrix_divided_X(double *restrict re, double *restrict im, const double *v, long long n) {
  for (long long i = 0; i < n; i++) {
    const double x = re[i] * v[0], y = im[i] * v[0];
    re[i] = x * v[1] - y * v[2], im[i] = x * v[2] + y * v[1];
  }
}"""

_LU = """
static void matrix_complex_lu_X(V *restrict a, V *restrict p, V *restrict rows, M *restrict refused, long long n) {
  const long long panel = matrix_panel_X(n), s = n * n, z = n * MOST;
  double *const sizes = p + 3 * z, v[3];
  long long which[MOST];
  *refused = 0;
  for (long long k = 0; k < n; k++) rows[k] = k;
  for (long long k = 0; k < n; k += panel) {
    const long long length = n - k, width = length < panel ? length : panel, rest = length - width;
    double *const top = a + k * n + k, *const right = top + width;
    for (long long i = 0; i < length; i++)
      for (long long j = 0; j < width; j++) {
        p[j * length + i] = top[i * n + j];
        p[z + j * length + i] = top[s + i * n + j];
      }
    for (long long j = 0; j < width; j++) {
      double *const own = p + j * length;
      for (long long e = 0; e < j; e++)
        if (which[e] != e) {
          matrix_swap_X(own + e, own + which[e], 1);
          matrix_swap_X(own + z + e, own + z + which[e], 1);
        }
      for (long long c = 0; c < j; c++) {
        const double f = own[c], g = own[z + c], *const q = p + c * length;
        own[2 * z + c] = -g;
        for (long long i = c + 1; i < j; i++) own[i] -= q[i] * f, own[i] += q[z + i] * g;
        for (long long i = c + 1; i < j; i++) own[z + i] -= q[i] * g, own[z + i] -= q[z + i] * f;
      }
      matrix_planes_X(own + j, z, length, own, z, 1, 1, p + j, z, length, 1, length - j, j);
      for (long long i = j; i < length; i++) sizes[i] = __builtin_fabs(own[i]) + __builtin_fabs(own[z + i]);
      const long long r = which[j] = j + matrix_largest_X(sizes + j, length - j);
      for (long long c = 0; c <= j && r != j; c++)
        for (int l = 0; l < 3; l++) matrix_swap_X(p + l * z + c * length + j, p + l * z + c * length + r, 1);
      *refused |= own[j] == 0 && own[z + j] == 0;
      matrix_quotient_X(own[j], own[z + j], v);
      matrix_divided_X(own + j + 1, own + z + j + 1, v, length - j - 1);
      for (long long i = j; i < length; i++) own[2 * z + i] = -own[z + i];
    }
    for (long long i = 0; i < length; i++)
      for (long long j = 0; j < width; j++) {
        top[i * n + j] = p[j * length + i];
        top[s + i * n + j] = p[z + j * length + i];
      }
    for (long long j = 0; j < width; j++) {
      const long long r = which[j];
      if (r != j) {
        matrix_swap_X(rows + k + j, rows + k + r, 1);
        for (int l = 0; l < 2; l++) {
          matrix_swap_X(top + l * s - k + j * n, top + l * s - k + r * n, k);
          matrix_swap_X(right + l * s + j * n, right + l * s + r * n, rest);
        }
      }
      matrix_planes_X(right + j * n, s, n, p + j, z, 1, length, right, s, n, 1, rest, j);
    }
    matrix_planes_X(right + width * n, s, n, p + width, z, 1, length, right, s, n, rest, rest, width);
  }
  for (long long e = 0; e < s; e++) a[2 * s + e] = -a[s + e];
}"""

_AFTER = """
static void matrix_complex_substitute_X(const double *restrict t, double *restrict b, int lower, int unit, long long n,
    long long m) {
  const long long s = n * n, z = n * m;
  for (long long k = 0; k < n; k += MOST) {
    const long long some = n - k < MOST ? n - k : MOST, first = lower ? k : n - k - some, last = first + some;
    for (long long e = 0; e < some; e++) {
      const long long j = lower ? first + e : last - 1 - e, top = lower ? j + 1 : first, end = lower ? last : j;
      double v[3];
      if (!unit) {
        matrix_quotient_X(t[j * n + j], t[s + j * n + j], v);
        matrix_divided_X(b + j * m, b + z + j * m, v, m);
      }
      matrix_planes_X(b + top * m, z, m, t + top + j * n, s, 1, n, b + j * m, z, m, end - top, m, 1);
    }
    if (lower)
      matrix_planes_X(b + last * m, z, m, t + last + first * n, s, 1, n, b + first * m, z, m, n - last, m, some);
    else
      matrix_planes_X(b, z, m, t + (last - 1) * n, s, 1, -n, b + (last - 1) * m, z, -m, first, m, some);
  }
}
static void matrix_after_complex_lu_X(const V *restrict lu, const V *restrict rows, V *restrict b, V *restrict work,
    long long n, long long m) {
  matrix_complex_substitute_X(lu, b, 1, 0, n, m);
  matrix_complex_substitute_X(lu, b, 0, 1, n, m);
  for (long long e = 0; e < 2 * n * m; e++) work[e] = b[e];
  for (long long l = 0; l < 2; l++)
    for (long long i = 0; i < n; i++)
      for (long long c = 0; c < m; c++) b[(l * n + (long long)rows[i]) * m + c] = work[(l * n + i) * m + c];
}"""
LU, AFTER_LU = (_PLANES, _LU), (_PLANES, _AFTER)
