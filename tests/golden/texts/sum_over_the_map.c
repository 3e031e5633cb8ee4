double exp(double) __attribute__((const));
static inline double ft_max_f64(double a, double b) { return a > b || a != a ? a : b; }

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0) {
  for (long long i0 = 0; i0 < n0; i0++) {
    double s0[64];
    for (long long i2 = 0; i2 < 64; i2++) {
      s0[i2] = a0[(i0 * 64) + i2];
    }
    double s2[16];
    for (long long i6 = 0; i6 < 16; i6++) {
      s2[i6] = -__builtin_inf();
    }
    for (long long i7 = 0; i7 < 4; i7++) {
      for (long long i8 = 0; i8 < 16; i8++) {
        s2[i8] = ft_max_f64(s2[i8], s0[(i7 * 16) + i8]);
      }
    }
    const double v0 = ft_max_f64(ft_max_f64(ft_max_f64(s2[0], s2[8]), ft_max_f64(s2[4], s2[12])), ft_max_f64(ft_max_f64(s2[2], s2[10]), ft_max_f64(s2[6], s2[14])));
    const double v1 = ft_max_f64(ft_max_f64(ft_max_f64(s2[1], s2[9]), ft_max_f64(s2[5], s2[13])), ft_max_f64(ft_max_f64(s2[3], s2[11]), ft_max_f64(s2[7], s2[15])));
    const double v2 = ft_max_f64(v0, v1);
    double s1[64];
    for (long long i4 = 0; i4 < 64; i4++) {
      s1[i4] = exp((s0[i4] - v2));
    }
    double s3[16];
    for (long long i9 = 0; i9 < 16; i9++) {
      s3[i9] = 0.0;
    }
    for (long long i10 = 0; i10 < 4; i10++) {
      for (long long i11 = 0; i11 < 16; i11++) {
        s3[i11] = s3[i11] + s1[(i10 * 16) + i11];
      }
    }
    const double v3 = (((s3[0] + s3[8]) + (s3[4] + s3[12])) + ((s3[2] + s3[10]) + (s3[6] + s3[14]))) + (((s3[1] + s3[9]) + (s3[5] + s3[13])) + ((s3[3] + s3[11]) + (s3[7] + s3[15])));
    for (long long i1 = 0; i1 < 64; i1++) {
      o0[(i0 * 64) + i1] = s1[i1] / v3;
    }
  }
}

static void k1(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0) {
  for (long long i0 = 0; i0 < n0; i0++) {
    double acc0 = 0.0;
    for (long long i1 = 0; i1 < 3; i1++) {
      acc0 = acc0 + a0[(i1 * n0) + i0];
    }
    o0[i0] = acc0;
  }
}

int ft_entry(void **buffers, const long long *sizes) {
  k0(buffers[0], buffers[2], (char *)buffers[3], sizes[0]);
  k1(buffers[2], buffers[1], (char *)buffers[3], sizes[1]);
  return 0;
}
