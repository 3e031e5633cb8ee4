/* Routines in the body of a loop or branch, where there is no SuperLU: NaN where a row of the residual stays larger than
   rounding makes it; refused where the numbers that are given are finite besides. */

/* the factors by themselves; definite: refused where a pivot is not positive */
static void matrix_sparse_factor_Y(const W *restrict a, V *restrict lu, V *restrict work, M *restrict refused,
    const sparse_pattern *s, int definite) {
  V *const b = work, *const y = b + s->n, *const w = y + s->n;
  for (int i = 0; i < s->n; i++) b[i] = SAME(0);
  sparse_factor_Y(s, a, b, lu, y, w);
  *refused = LT(SAME(1), SAME(0));
  if (!definite) return;
  M wrong = *refused;
  for (int i = 0; i < s->n; i++) wrong |= NOT(LT(SAME(0), lu[s->diagonal[i]]));
  *refused = wrong & sparse_finite_Y(s, a, b, 0);
  if (ANY(wrong))
    for (int p = 0; p < s->fill; p++) lu[p] = SEL(wrong, SAME(__builtin_nan("")), lu[p]);
}

/* the solution for each column in the place of b, with factors that nothing else reads */
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
    *refused |= sparse_refused_Y(s, a, right, wrong, x);
    for (long long i = 0; i < n; i++) b[i * m + c] = x[i];
  }
}
