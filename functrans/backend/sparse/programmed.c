/* What factor.c does, for one system by a program. */

static void sparse_factor_f64(const sparse_pattern *s, const double *restrict a, const double *restrict b,
    double *restrict lu, double *restrict y, double *restrict w) {
  const int fill = s->fill, nnz = s->nnz, *const entries = s->entries;
  const wide *const from = (const wide *)a; /* as integers, of which a processor stores two at a time */
  wide *const to = (wide *)lu;
  (void)w;
  for (int p = 0; p < fill; p++) lu[p] = 0;
#pragma GCC unroll 4
  for (int p = 0; p < nnz; p++) to[entries[p]] = from[p];
  sparse_eliminate(s->factor, lu);
  sparse_substitute(s->forward, lu, b, y);
}
