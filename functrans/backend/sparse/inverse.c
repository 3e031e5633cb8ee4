/* Of the transposed inverse the entries at the places of the matrix: those at the places of its factors, from the last row
   and column to the first, each of those behind it. What an entry needs is there, as the factors have the fill of the
   elimination. z: these entries, in the order of the factors.

   Source: Erisman and Tinney, On computing certain elements of the inverse of a sparse matrix (1975). */
static __attribute__((noinline)) void sparse_entries_Y(const sparse_pattern *s, const V *restrict lu, V *restrict z) {
  const int *const c = s->indices;
  for (int i = s->n - 1; i >= 0; i--) {
    const int own = s->diagonal[i], end = s->indptr[i + 1];
    V t = SAME(1);
    for (int q = own + 1; q < end; q++) z[q] = SAME(0);
    for (int e = s->columns[i]; e < s->columns[i + 1]; e++) {
      const int l = s->below[e];
      const V f = lu[l];
      V u = SAME(0);
      for (int q = own + 1, p = l; q < end; q++) {
        do p++; while (c[p] != c[q]);
        z[q] = LESS(f, z[p], z[q]);
        u = LESS(lu[q], z[p], u);
      }
      z[l] = u * lu[own];
    }
    for (int q = own + 1; q < end; q++) t = LESS(lu[q], z[q], t);
    z[own] = t * lu[own];
  }
}

/* which lanes have a row whose product with its column of the inverse is not 1; that is so where pivots were too small */
static __attribute__((noinline)) M sparse_inverse_Y(const sparse_pattern *s, const W *restrict a, const V *restrict lu, V *restrict z,
    V *restrict found) {
  M wrong = LT(SAME(1), SAME(0));
  sparse_entries_Y(s, lu, z);
  for (int p = 0; p < s->nnz; p++) found[p] = z[s->entries[p]];
  for (int k = 0; k < s->n; k++) {
    V left = SAME(1), bound = SAME(0);
    for (int p = s->starts[k]; p < s->starts[k + 1]; p++) {
      const V f = WIDE(a[s->at[p]]), t = found[s->at[p]];
      left = LESS(f, t, left);
      bound += ABS(f * t);
    }
    wrong |= NOT(LE(ABS(left), SAME(1000 * s->tolerance[k]) * bound));
  }
  return wrong;
}
