double sqrt(double) __attribute__((const));

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0) {
  for (long long i0 = 0; i0 < n0; i0++) {
    double s0[64];
    for (long long i2 = 0; i2 < 64; i2++) {
      s0[i2] = a0[(i0 * 64) + i2];
    }
    double acc0 = 0.0;
    for (long long i3 = 0; i3 < 64; i3++) {
      acc0 = acc0 + s0[i3];
    }
    const double v0 = acc0 / 64.0;
    double s1[1];
    for (long long i4 = 0; i4 < 1; i4++) {
      s1[i4] = v0;
    }
    const double v1 = s1[0];
    double acc1 = 0.0;
    for (long long i5 = 0; i5 < 64; i5++) {
      const double v2 = s0[i5] - v1;
      acc1 = acc1 + (v2 * v2);
    }
    const double v3 = sqrt(((acc1 / 64.0) + 1e-05));
    for (long long i1 = 0; i1 < 64; i1++) {
      o0[(i0 * 64) + i1] = (s0[i1] - v1) / v3;
    }
  }
}

int ft_entry(void **buffers, const long long *sizes) {
  k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0]);
  return 0;
}
