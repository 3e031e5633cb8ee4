static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0) {
  for (long long i0 = 0; i0 < n0; i0++) {
    double acc0 = 0.0;
    for (long long i1 = 0; i1 < 4; i1++) {
      const double v0 = a0[(i0 * 4) + i1];
      double acc1 = 0.0;
      for (long long i2 = 0; i2 < 4; i2++) {
        acc1 = acc1 + (a0[(i0 * 4) + i2] * v0);
      }
      acc0 = acc0 + (acc1 * v0);
    }
    o0[i0] = acc0;
  }
}

int ft_entry(void **buffers, const long long *sizes) {
  k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0]);
  return 0;
}
