static inline long long ft_min_i64(long long a, long long b) { return a < b || a != a ? a : b; }
static inline long long ft_max_i64(long long a, long long b) { return a > b || a != a ? a : b; }

static void k0(const double *restrict a0, const long long *restrict a1, double *restrict o0, char *restrict scratch, long long n0) {
  for (long long i0 = 0; i0 < n0; i0++) {
    for (long long i1 = 0; i1 < 4; i1++) {
      o0[(i0 * 4) + i1] = a0[(i0 * 4) + ft_min_i64(ft_max_i64(((long long)a1[i1]), 0), 3)] * 2.0;
    }
  }
}

int ft_entry(void **buffers, const long long *sizes) {
  k0(buffers[0], buffers[1], buffers[2], (char *)buffers[3], sizes[0]);
  return 0;
}
