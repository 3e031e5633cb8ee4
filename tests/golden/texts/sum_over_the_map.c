static inline double ft_max_f64(double a, double b) { const double m = a > b ? a : b; return a == a ? m : a; }
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif
static inline __attribute__((always_inline)) double ft_expends_f64(double x, double y, double low, double high) {
  y = x > high ? __builtin_inf() : y;
  return x < low ? 0.0 : y;
}
static inline __attribute__((always_inline)) double ft_float_f64(long long b) { double x; __builtin_memcpy(&x, &b, 8); return x; }
static inline __attribute__((always_inline)) double ft_power_f64(long long biased) { return ft_float_f64(biased << 52); }
static inline __attribute__((always_inline)) double ft_scale_f64(double x, long long m) {
  const long long half = (long long)((unsigned long long)m >> 1);
  return (x * ft_power_f64(half)) * ft_power_f64(m - half);
}
static inline __attribute__((always_inline)) long long ft_bits_f64(double x) { long long b; __builtin_memcpy(&b, &x, 8); return b; }
static inline __attribute__((always_inline)) double ft_exp_f64(double x) {
  const double t = x * 1.4426950408889634 + 6755399441057790.0, n = t - 6755399441057790.0;
  const double r = ft_fma_f64(-n, 7.440617110012397e-11, ft_fma_f64(-n, 0.6931471804855391, x));
  const double y = ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(2.511797453389394e-08, r, 2.7631414313456104e-07), r, 2.7557215944213365e-06), r, 2.480148958888789e-05), r, 0.0001984126991778212), r, 0.0013888888947333087), r, 0.008333333333307021), r, 0.041666666666514314), r, 0.166666666666667), r, 0.5000000000000013), r, 1.0), r, 1.0);
  return ft_expends_f64(x, ft_scale_f64(y, ft_bits_f64(t)), -746.0, 709.8);
}

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
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
      s1[i4] = ft_exp_f64((s0[i4] - v2));
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

static void k1(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    double acc0 = 0.0;
    acc0 = acc0 + a0[i0];
    acc0 = acc0 + a0[n0 + i0];
    acc0 = acc0 + a0[(n0 * 2) + i0];
    o0[i0] = acc0;
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef void ft_pool(ft_part *, void **, const long long *, long long, long long, long long);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[2], (char *)buffers[3], sizes[0], from, to);
}

static void k1_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k1(buffers[2], buffers[1], (char *)buffers[3], sizes[1], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  if (sizes[2] > 1 && sizes[0] > 871) ((ft_pool *)buffers[4])(k0_part, buffers, sizes, sizes[0], 192, sizes[2]);
  else k0(buffers[0], buffers[2], (char *)buffers[3], sizes[0], 0, sizes[0]);
  if (sizes[2] > 1 && sizes[1] > 285714) ((ft_pool *)buffers[4])(k1_part, buffers, sizes, sizes[1], 57152, sizes[2]);
  else k1(buffers[2], buffers[1], (char *)buffers[3], sizes[1], 0, sizes[1]);
  return 0;
}
