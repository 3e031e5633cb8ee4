/* A routine in the body of a loop or branch: the solution for each column in the place of b, where there is no SuperLU.
   NaN where a row of the residual stays larger than rounding makes it; refused where the numbers that are given are
   finite besides. */
static void matrix_sparse_Y(const W *restrict a, V *restrict b, V *restrict lu, M *restrict refused,
    const sparse_pattern *s, int turned, int steps, long long m) {
  const long long n = s->n;
  V *const column = lu + s->fill, *const x = column + n, *const y = x + n, *const r = y + n, *const dx = r + n;
  *refused = LT(SAME(1), SAME(0));
  for (long long c = 0; c < m; c++) {
    const V *const right = m == 1 ? b : column;
    if (m > 1) for (long long i = 0; i < n; i++) column[i] = b[i * m + c];
    const int solved = c == 0 && !turned;
    if (c == 0) sparse_factor_Y(s, a, right, lu, y, r);
    if (solved) sparse_finish_Y(s, lu, y, x);
    const M wrong = sparse_refined_Y(s, a, lu, right, x, y, r, dx, turned, solved, steps);
    if (ANY(wrong)) {
      V given = SAME(0);
      for (int p = 0; p < s->nnz; p++) given += ABS(WIDE(a[p]));
      for (long long i = 0; i < n; i++) given += ABS(right[i]);
      for (long long i = 0; i < n; i++) x[i] = SEL(wrong, SAME(__builtin_nan("")), x[i]);
      *refused |= wrong & LT(given, SAME(__builtin_inf()));
    }
    for (long long i = 0; i < n; i++) b[i * m + c] = x[i];
  }
}
