/* x of U x = y */
static void sparse_finish_Y(const sparse_pattern *s, const V *restrict lu, V *restrict y, V *restrict x) {
  sparse_backward_Y(s, lu, y);
  for (int i = 0; i < s->n; i++) x[s->col_order[i]] = y[i];
}
