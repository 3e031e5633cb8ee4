double sin(double) __attribute__((const));
double cos(double) __attribute__((const));

static void k0(const double *restrict a0, const double *restrict a1, const double *restrict a2, const double *restrict a3, double *restrict o0, char *restrict scratch, long long n0) {
  const double v0 = a1[0];
  const double v1 = a2[1];
  const double v2 = a3[2];
  const double v3 = a1[1];
  const double v4 = a2[0];
  for (long long i0 = 0; i0 < n0; i0++) {
    const double v5 = a0[i0 * 3];
    const double v6 = v5 * v0;
    o0[i0 * 5] = v6 + v6;
    const double v7 = a0[(i0 * 3) + 1];
    const double v8 = v7 * v1;
    o0[(i0 * 5) + 1] = v8 + v8;
    const double v9 = a0[(i0 * 3) + 2] * v2;
    o0[(i0 * 5) + 2] = v9 + v9;
    const double v10 = cos(v5);
    const double v11 = sin(v5);
    o0[(i0 * 5) + 3] = (v7 * (v10 * v0)) + (v11 * v3);
    o0[(i0 * 5) + 4] = (v7 * (v10 * v4)) + (v11 * v1);
  }
}

int ft_entry(void **buffers, const long long *sizes) {
  k0(buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], (char *)buffers[5], sizes[0]);
  return 0;
}
