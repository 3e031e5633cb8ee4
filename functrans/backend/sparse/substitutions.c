/* Solutions with given factors by loops over the pattern. */

/* y is what is right of U x, and then x: the unknown that was found last, which others wait for, is subtracted last */
static void sparse_backward_Y(const sparse_pattern *s, const V *restrict lu, V *restrict y) {
  for (int i = s->n - 1; i >= 0; i--) {
    V t = y[i];
    for (int p = s->indptr[i + 1] - 1; p > s->diagonal[i]; p--) t = LESS(lu[p], y[s->indices[p]], t);
    y[i] = t * lu[s->diagonal[i]];
  }
}

/* y is what is right of L x, and then x */
static void sparse_forward_Y(const sparse_pattern *s, const V *restrict lu, V *restrict y) {
  for (int i = 0; i < s->n; i++) {
    V t = y[i];
    for (int p = s->indptr[i]; p < s->diagonal[i]; p++) t = LESS(lu[p], y[s->indices[p]], t);
    y[i] = t;
  }
}

/* x of L U x = b; y is to work in */
static void sparse_onward_Y(const sparse_pattern *s, const V *restrict lu, const V *restrict b, V *restrict x,
    V *restrict y) {
  for (int i = 0; i < s->n; i++) y[i] = b[s->row_order[i]];
  sparse_forward_Y(s, lu, y);
  sparse_backward_Y(s, lu, y);
  for (int i = 0; i < s->n; i++) x[s->col_order[i]] = y[i];
}
