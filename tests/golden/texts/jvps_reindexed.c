double sin(double) __attribute__((const));
double cos(double) __attribute__((const));

static void k0(const double *restrict a0, const double *restrict a1, const double *restrict a2, const double *restrict a3, double *restrict o0, char *restrict scratch, long long n0) {
  const double v1 = a1[0];
  const double v4 = a2[1];
  const double v6 = a3[2];
  const double v10 = a1[1];
  const double v11 = a2[0];
  for (long long i0 = 0; i0 < n0; i0++) {
    const double v0 = a0[i0 * 3];
    const double v2 = v0 * v1;
    o0[i0 * 5] = v2 + v2;
    const double v3 = a0[(i0 * 3) + 1];
    const double v5 = v3 * v4;
    o0[(i0 * 5) + 1] = v5 + v5;
    const double v7 = a0[(i0 * 3) + 2] * v6;
    o0[(i0 * 5) + 2] = v7 + v7;
    const double v8 = cos(v0);
    const double v9 = sin(v0);
    o0[(i0 * 5) + 3] = (v3 * (v8 * v1)) + (v9 * v10);
    o0[(i0 * 5) + 4] = (v3 * (v8 * v11)) + (v9 * v4);
  }
}

int ft_entry(void **buffers, const long long *sizes) {
  k0(buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], (char *)buffers[5], sizes[0]);
  return 0;
}
