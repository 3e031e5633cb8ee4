/* Sparse systems of one pattern, in the words of codegen/matrices.py: V is a number or a vector of lanes, M what
   comparing two of them gives, W an entry of the matrix, which all lanes may share.

   A lane never looks at another one: a system has the bits that it has alone. Multiply-adds are rounded once where the
   target can, whatever the compiler makes of products and sums. */

/* both, of the transposes */
static void sparse_turned_Y(const sparse_pattern *s, const V *restrict lu, V *restrict y) {
  for (int i = 0; i < s->n; i++) {
    const V t = y[i] * lu[s->diagonal[i]];
    y[i] = t;
    for (int p = s->diagonal[i] + 1; p < s->indptr[i + 1]; p++) y[s->indices[p]] = LESS(lu[p], t, y[s->indices[p]]);
  }
  for (int i = s->n - 1; i >= 0; i--) {
    const V t = y[i];
    for (int p = s->indptr[i]; p < s->diagonal[i]; p++) y[s->indices[p]] = LESS(lu[p], t, y[s->indices[p]]);
  }
}

/* r = b - a x; which lanes have a row of it that is larger than rounding makes it */
static M sparse_residual_Y(const sparse_pattern *s, const W *restrict a, const V *restrict x, const V *restrict b,
    V *restrict r) {
  const int n = s->n, *const at = s->at, *const across = s->across, *const starts = s->starts, *const lines = s->lines;
  const double *const tolerance = s->tolerance;
  M wrong = LT(SAME(1), SAME(0));
  for (int k = 0; k < n; k++) {
    const int i = lines[k], end = starts[k + 1];
    V left = b[i], bound = ABS(left);
    for (int p = starts[k]; p < end; p++) {
      const V f = WIDE(a[at[p]]), t = x[across[p]];
      left = LESS(f, t, left);
      bound += ABS(f * t);
    }
    r[i] = left;
    wrong |= NOT(LE(ABS(left), SAME(tolerance[k]) * bound));
  }
  return wrong;
}

static void sparse_solve_Y(const sparse_pattern *s, const V *restrict lu, const V *restrict b, V *restrict x,
    V *restrict y, int turned) {
  if (!turned) {
    sparse_onward_Y(s, lu, b, x, y);
    return;
  }
  for (int i = 0; i < s->n; i++) y[i] = b[s->col_order[i]];
  sparse_turned_Y(s, lu, y);
  for (int i = 0; i < s->n; i++) x[s->row_order[i]] = y[i];
}

/* x of a x = b, refined where a row of the residual is larger than rounding makes it: which lanes have such a row in the
   end. y, r and dx are to work in. solved: x is what it is before it is refined */
static M sparse_refined_Y(const sparse_pattern *s, const W *a, const V *lu, const V *b, V *x, V *y, V *r, V *dx,
    int turned, int solved, int steps) {
  if (!solved) sparse_solve_Y(s, lu, b, x, y, turned);
  M wrong = sparse_residual_Y(s, a, x, b, r);
  for (int k = 0; k < steps && ANY(wrong); k++) {
    sparse_solve_Y(s, lu, r, dx, y, turned);
    for (int i = 0; i < s->n; i++) x[i] = SEL(wrong, x[i] + dx[i], x[i]);
    wrong = sparse_residual_Y(s, a, x, b, r);
  }
  return wrong;
}
