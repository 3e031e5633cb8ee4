/* Routines in the body of a loop or branch that are given factors. */

/* which lanes have finite entries, and finite ones of n in b */
static M sparse_finite_Y(const sparse_pattern *s, const W *restrict a, const V *restrict b, int n) {
  V given = SAME(0);
  for (int p = 0; p < s->nnz; p++) given += ABS(WIDE(a[p]));
  for (int i = 0; i < n; i++) given += ABS(b[i]);
  return LT(given, SAME(__builtin_inf()));
}

/* NaN for solutions that are wrong; which lanes are to be refused for that */
static M sparse_refused_Y(const sparse_pattern *s, const W *restrict a, const V *restrict b, M wrong, V *restrict x) {
  if (!ANY(wrong)) return wrong;
  for (int i = 0; i < s->n; i++) x[i] = SEL(wrong, SAME(__builtin_nan("")), x[i]);
  return wrong & sparse_finite_Y(s, a, b, s->n);
}

/* factors as vectors: themselves, or where all lanes share them a copy in work */
static const V *sparse_wide_Y(const sparse_pattern *s, const W *lu, V *work) {
  if (sizeof(W) == sizeof(V)) return (const V *)lu;
  for (int p = 0; p < s->fill; p++) work[p] = WIDE(lu[p]);
  return work;
}

static void matrix_sparse_solve_Y(const W *restrict a, const W *given, V *restrict b, V *work, M *restrict refused,
    const sparse_pattern *s, int turned, int steps, long long m) {
  const long long n = s->n;
  const V *const lu = sparse_wide_Y(s, given, work);
  V *const column = work + s->fill, *const x = column + n, *const y = x + n, *const r = y + n, *const dx = r + n;
  *refused = LT(SAME(1), SAME(0));
  for (long long c = 0; c < m; c++) {
    for (long long i = 0; i < n; i++) column[i] = b[i * m + c];
    const M wrong = sparse_refined_Y(s, a, lu, column, x, y, r, dx, turned, 0, steps);
    *refused |= sparse_refused_Y(s, a, column, wrong, x);
    for (long long i = 0; i < n; i++) b[i * m + c] = x[i];
  }
}

/* in the place of ones the inverse pivots, NaN where ones have no good solution; the sign of the determinant; and, of a
   symmetric matrix, how many eigenvalues are negative: of two rows with one pivot one where its determinant is */
static void matrix_sparse_pivots_Y(const W *restrict a, const W *given, V *restrict b, V *work, V *restrict sign,
    V *restrict negative, M *restrict refused, const sparse_pattern *s, int parity) {
  const long long n = s->n;
  const V *const lu = sparse_wide_Y(s, given, work), zero = SAME(0), one = SAME(1);
  V *const x = work + s->fill, *const y = x + n, *const r = y + n, *const dx = r + n;
  const M wrong = sparse_refined_Y(s, a, lu, b, x, y, r, dx, 0, 0, 1);
  *refused = sparse_refused_Y(s, a, b, wrong, x);
  V turn = SAME(parity), count = zero;
  for (long long i = 0; i < n; i++) {
    const V p = lu[s->diagonal[i]];
    const M below = LT(p, zero);
    b[i] = SEL(wrong, SAME(__builtin_nan("")), p);
    turn = SEL(below, zero - turn, turn);
    if (!s->twins || s->twins[i] == i) {
      count += SEL(below, one, zero);
    } else if (s->twins[i] > i) {
      const V q = lu[s->diagonal[s->twins[i]]];
      const M alike = (below & LT(q, zero)) | (LT(zero, p) & LT(zero, q));
      const V both = s->beside[i] < 0 ? one : SEL(LT(lu[s->beside[i]], zero), SAME(2), zero);
      count += SEL(alike, one, both);
    }
  }
  *sign = SEL(wrong, SAME(__builtin_nan("")), turn);
  *negative = SEL(wrong, SAME(__builtin_nan("")), count);
}

static void matrix_sparse_inverse_Y(const W *restrict a, const W *given, V *restrict found, V *work,
    M *restrict refused, const sparse_pattern *s) {
  const M wrong = sparse_inverse_Y(s, a, sparse_wide_Y(s, given, work), work + s->fill, found);
  if (ANY(wrong)) for (int p = 0; p < s->nnz; p++) found[p] = SEL(wrong, SAME(__builtin_nan("")), found[p]);
  *refused = wrong & sparse_finite_Y(s, a, found, 0);
}
