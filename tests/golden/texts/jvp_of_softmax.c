double exp(double) __attribute__((const));
static inline double ft_max_f64(double a, double b) { return a > b || a != a ? a : b; }

static void k0(const double *restrict a0, const double *restrict a1, double *restrict o0, double *restrict o1, char *restrict scratch, long long n0) {
  for (long long i0 = 0; i0 < n0; i0++) {
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
    double s2[64];
    for (long long i6 = 0; i6 < 64; i6++) {
      s2[i6] = s1[i6] / acc1;
    }
    for (long long i1 = 0; i1 < 64; i1++) {
      o0[(i0 * 64) + i1] = s2[i1];
    }
    double s3[64];
    for (long long i8 = 0; i8 < 64; i8++) {
      s3[i8] = a1[(i0 * 64) + i8];
    }
    _Bool s4[64];
    for (long long i9 = 0; i9 < 64; i9++) {
      const double v0 = s0[i9];
      s4[i9] = (v0 == acc0) | (v0 != v0);
    }
    double acc2 = 0.0;
    for (long long i10 = 0; i10 < 64; i10++) {
      const _Bool v1 = s4[i10];
      const double v2 = s3[i10];
      acc2 = acc2 + (v1 ? v2 : 0.0);
    }
    double acc3 = 0.0;
    for (long long i11 = 0; i11 < 64; i11++) {
      acc3 = acc3 + ((double)s4[i11]);
    }
    const double v3 = acc2 / acc3;
    double s5[64];
    for (long long i12 = 0; i12 < 64; i12++) {
      s5[i12] = s1[i12] * (s3[i12] - v3);
    }
    double acc4 = 0.0;
    for (long long i13 = 0; i13 < 64; i13++) {
      acc4 = acc4 + s5[i13];
    }
    for (long long i7 = 0; i7 < 64; i7++) {
      o1[(i0 * 64) + i7] = (s5[i7] - (s2[i7] * acc4)) / acc1;
    }
  }
}

int ft_entry(void **buffers, const long long *sizes) {
  k0(buffers[0], buffers[1], buffers[2], buffers[3], (char *)buffers[4], sizes[0]);
  return 0;
}
