double exp(double) __attribute__((const));

static void k0(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch, long long n0, long long i0) {
  for (long long i1 = 0; i1 < 6; i1++) {
    double acc0 = 0.0;
    for (long long i2 = 0; i2 < 4; i2++) {
      const double v0 = a0[(i0 * 4) + i2] - a1[(i1 * 4) + i2];
      acc0 = acc0 + (v0 * v0);
    }
    o0[(i0 * 6) + i1] = exp((-acc0));
  }
}

int ft_entry(void **buffers, const long long *sizes) {
  for (long long i0 = 0; i0 < sizes[0]; i0++) k0(buffers[0], buffers[1], buffers[2], (char *)buffers[3], sizes[0], i0);
  return 0;
}
