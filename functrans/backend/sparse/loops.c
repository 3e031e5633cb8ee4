/* Factors and substitutions by loops over the pattern: what straight.py writes out for one pattern. LESS(a, b, c) is
   c - a * b, rounded once: bits are not left to what a compiler fuses. */

/* rows of L and U, the inverse of each pivot in its place; w is to work in. Of a symmetric matrix L is known from U, and
   rows are made from their diagonals on */
static void sparse_factor_Y(const sparse_pattern *s, const W *a, V *lu, V *w) {
  for (int p = 0; p < s->fill; p++) lu[p] = SAME(0);
  for (int p = 0; p < s->nnz; p++) lu[s->entries[p]] = WIDE(a[p]);
  for (int i = 0; i < s->n; i++) {
    const int own = s->diagonal[i], end = s->indptr[i + 1];
    for (int p = s->symmetric ? own : s->indptr[i]; p < end; p++) w[s->indices[p]] = lu[p];
    for (int p = s->indptr[i]; p < own; p++) {
      const int k = s->indices[p], last = s->indptr[k + 1];
      const V l = (s->symmetric ? lu[s->above[p]] : w[k]) * lu[s->diagonal[k]];
      lu[p] = l;
      for (int q = s->symmetric ? s->above[p] : s->diagonal[k] + 1; q < last; q++) w[s->indices[q]] = LESS(l, lu[q], w[s->indices[q]]);
    }
    lu[own] = SAME(1) / w[i];
    for (int p = own + 1; p < end; p++) lu[p] = w[s->indices[p]];
  }
}

/* y is what is right of L U x, and then x */
static void sparse_substitute_plain_Y(const sparse_pattern *s, const V *lu, V *y) {
  for (int i = 0; i < s->n; i++) {
    V t = y[i];
    for (int p = s->indptr[i]; p < s->diagonal[i]; p++) t = LESS(lu[p], y[s->indices[p]], t);
    y[i] = t;
  }
  for (int i = s->n - 1; i >= 0; i--) {
    V t = y[i];
    for (int p = s->diagonal[i] + 1; p < s->indptr[i + 1]; p++) t = LESS(lu[p], y[s->indices[p]], t);
    y[i] = t * lu[s->diagonal[i]];
  }
}

/* the same of the transposes */
static void sparse_substitute_turned_Y(const sparse_pattern *s, const V *lu, V *y) {
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

static void sparse_substitute_Y(const sparse_pattern *s, const V *lu, V *y, int turned) {
  if (turned) sparse_substitute_turned_Y(s, lu, y);
  else sparse_substitute_plain_Y(s, lu, y);
}

/* r = b - a x; which lanes have a row of it that is larger than rounding makes it */
static M sparse_residual_Y(const sparse_pattern *s, const W *a, const V *x, const V *b, V *r) {
  M wrong = LT(SAME(1), SAME(0));
  for (int i = 0; i < s->n; i++) {
    V left = b[i], bound = ABS(b[i]);
    for (int p = s->starts[i]; p < s->starts[i + 1]; p++) {
      const V e = WIDE(a[s->at[p]]), t = x[s->across[p]];
      left = LESS(e, t, left);
      bound += ABS(e * t);
    }
    r[i] = left;
    wrong |= NOT(LE(ABS(left), SAME(s->tolerance[i]) * bound));
  }
  return wrong;
}
