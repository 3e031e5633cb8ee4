/* Factors by loops over the pattern: what straight.py writes out for one pattern. */

/* SEGMENTS */

/* rows of L and U, the inverse of each pivot in its place; y is what is left of b where L is divided out. One row, or two
   of one structure, are worked out in w, where rows i and i + 1 take turns. Of a symmetric matrix L is known from U. */
static void sparse_factor_Y(const sparse_pattern *s, const W *restrict a, const V *restrict b, V *restrict lu,
    V *restrict y, V *restrict w) {
  const int *segment = s->segments, *x = s->places;
  for (int block = 0; block < s->blocks; block++) {
    const int i = s->rows[block], two = s->rows[block + 1] - i == 2;
    const int first = s->indptr[i], own = s->diagonal[i] - first, size = s->indptr[i + 1] - first;
    const int *const c = s->indices + first, *const from = s->given + i;
    V *const top = lu + first;
    V t = b[s->row_order[i]];
    if (!two) {
      for (int p = 0; p < size; p++) w[p] = SAME(0);
      for (int p = from[0]; p < from[1]; p++) w[s->place[p]] = WIDE(a[s->entry[p]]);
      for (int at = 0; at < own; segment++) {
        const int count = *segment >> 2;
        ONE ROW
      }
      for (int p = 0; p < own; p++) {
        top[p] = w[p];
        t = LESS(w[p], y[c[p]], t);
      }
      y[i] = t;
      top[own] = SAME(1) / w[own];
      for (int p = own + 1; p < size; p++) top[p] = w[p];
      continue;
    }
    V *const next = lu + s->indptr[i + 1];
    V u = b[s->row_order[i + 1]];
    for (int p = 0; p < 2 * size; p++) w[p] = SAME(0);
    for (int p = from[0]; p < from[1]; p++) w[2 * s->place[p]] = WIDE(a[s->entry[p]]);
    for (int p = from[1]; p < from[2]; p++) w[2 * s->place[p] + 1] = WIDE(a[s->entry[p]]);
    for (int at = 0; at < own; segment++) {
      const int count = *segment >> 2;
      TWO ROWS
    }
    for (int p = 0; p < own; p++) {
      const V known = y[c[p]];
      top[p] = w[2 * p], next[p] = w[2 * p + 1];
      t = LESS(w[2 * p], known, t), u = LESS(w[2 * p + 1], known, u);
    }
    const V inverse = SAME(1) / w[2 * own], right = w[2 * own + 2];
    const V l = (s->symmetric ? right : w[2 * own + 1]) * inverse;
    y[i] = t, y[i + 1] = LESS(l, t, u);
    top[own] = inverse, top[own + 1] = right;
    next[own] = l, next[own + 1] = SAME(1) / LESS(l, right, w[2 * own + 3]);
    for (int p = own + 2; p < size; p++) {
      const V z = w[2 * p];
      top[p] = z, next[p] = LESS(l, z, w[2 * p + 1]);
    }
  }
}
