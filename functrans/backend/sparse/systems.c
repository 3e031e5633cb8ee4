/* Sparse systems of one pattern, in the words of codegen/matrices.py: V is a number or a vector of lanes, M what
   comparing two of them gives, W an entry of the matrix, which all lanes may share.

   A lane never looks at another one: a system has the bits that it has alone. In the place of KERNELS stands loops.c,
   or the same steps in the same order written out for one pattern. */

/* KERNELS */

static void sparse_solve_Y(const sparse_pattern *s, const V *lu, const V *b, V *x, V *y, int turned) {
  const int *from = turned ? s->col_order : s->row_order, *to = turned ? s->row_order : s->col_order;
  for (int i = 0; i < s->n; i++) y[i] = b[from[i]];
  sparse_substitute_Y(s, lu, y, turned);
  for (int i = 0; i < s->n; i++) x[to[i]] = y[i];
}

/* x of a x = b, refined where a row of the residual is larger than rounding makes it: which lanes have such a row in the
   end. y, r and dx are to work in. */
static M sparse_refined_Y(const sparse_pattern *s, const W *a, const V *lu, const V *b, V *x, V *y, V *r, V *dx,
    int turned, int steps) {
  sparse_solve_Y(s, lu, b, x, y, turned);
  M wrong = sparse_residual_Y(s, a, x, b, r);
  for (int k = 0; k < steps && ANY(wrong); k++) {
    sparse_solve_Y(s, lu, r, dx, y, turned);
    for (int i = 0; i < s->n; i++) x[i] = SEL(wrong, x[i] + dx[i], x[i]);
    wrong = sparse_residual_Y(s, a, x, b, r);
  }
  return wrong;
}
