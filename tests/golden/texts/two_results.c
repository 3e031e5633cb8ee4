double sin(double) __attribute__((const));
double cos(double) __attribute__((const));

static void k0(const double *restrict a0, double *restrict o0, double *restrict o1, char *restrict scratch, long long n0) {
  for (long long i0 = 0; i0 < n0; i0++) {
    double acc0 = 0.0;
    for (long long i1 = 0; i1 < 4; i1++) {
      acc0 = acc0 + sin(a0[(i0 * 4) + i1]);
    }
    o0[i0] = acc0;
    for (long long i2 = 0; i2 < 4; i2++) {
      o1[(i0 * 4) + i2] = cos(a0[(i0 * 4) + i2]);
    }
  }
}

int ft_entry(void **buffers, const long long *sizes) {
  k0(buffers[0], buffers[1], buffers[2], (char *)buffers[3], sizes[0]);
  return 0;
}
