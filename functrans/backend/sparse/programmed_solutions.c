/* What finish.c and substitutions.c do, for one system by programs. */

static void sparse_finish_f64(const sparse_pattern *s, const double *restrict lu, double *restrict y,
    double *restrict x) {
  sparse_substitute(s->backward, lu, y, x);
}

static void sparse_onward_f64(const sparse_pattern *s, const double *restrict lu, const double *restrict b,
    double *restrict x, double *restrict y) {
  sparse_substitute(s->forward, lu, b, y);
  sparse_substitute(s->backward, lu, y, x);
}
