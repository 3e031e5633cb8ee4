double exp(double) __attribute__((const));
static inline double ft_max_f64(double a, double b) { return a > b || a != a ? a : b; }

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long i0) {
  double s0[64];
  for (long long i2 = 0; i2 < 64; i2++) {
    s0[i2] = a0[(i0 * 64) + i2];
  }
  double acc0 = -__builtin_inf();
  for (long long i3 = 0; i3 < 64; i3++) {
    acc0 = ft_max_f64(acc0, s0[i3]);
  }
  double s1[64];
  for (long long i4 = 0; i4 < 64; i4++) {
    s1[i4] = exp((s0[i4] - acc0));
  }
  double acc1 = 0.0;
  for (long long i5 = 0; i5 < 64; i5++) {
    acc1 = acc1 + s1[i5];
  }
  for (long long i1 = 0; i1 < 64; i1++) {
    o0[(i0 * 64) + i1] = s1[i1] / acc1;
  }
}

int ft_entry(void **buffers, const long long *sizes) {
  for (long long i0 = 0; i0 < sizes[0]; i0++) k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], i0);
  return 0;
}
