double sin(double) __attribute__((const));
double exp(double) __attribute__((const));
double sqrt(double) __attribute__((const));

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long i0) {
  for (long long i1 = 0; i1 < 4; i1++) {
    const double v0 = a0[(i0 * 4) + i1];
    o0[(i0 * 4) + i1] = (sin(v0) * exp(((-v0) * v0))) + sqrt(((v0 * v0) + 1.0));
  }
}

int ft_entry(void **buffers, const long long *sizes) {
  for (long long i0 = 0; i0 < sizes[0]; i0++) k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], i0);
  return 0;
}
