static inline long long ft_min_i64(long long a, long long b) { const long long m = a < b ? a : b; return a == a ? m : a; }
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
  for (long long i13 = from; i13 < to; i13++) {
    const long long v0 = ft_min_i64(32, (n0 + (i13 * -32)));
    const long long v1 = ((v0 + 7) / 8) * 8;
    double s10[2048] __attribute__((aligned(64)));
    double s11[512] __attribute__((aligned(64)));
    for (long long i5 = 0; i5 < 16; i5++) {
      double s12[32] __attribute__((aligned(64)));
      double s13[32] __attribute__((aligned(64)));
      double s14[32] __attribute__((aligned(64)));
      double s15[32] __attribute__((aligned(64)));
      for (long long i14 = 0; i14 < v0; i14++) {
        s12[i14] = a0[((i5 * n0) + (i13 * 32)) + i14];
        s13[i14] = a0[(((i5 + 16) * n0) + (i13 * 32)) + i14];
        s14[i14] = a0[(((i5 + 32) * n0) + (i13 * 32)) + i14];
        s15[i14] = a0[(((i5 + 48) * n0) + (i13 * 32)) + i14];
      }
      for (long long i15 = 0; i15 < v1; i15++) {
        const double v2 = s12[i15];
        s10[(i5 * 32) + i15] = v2;
        const double v3 = s13[i15];
        s10[((i5 * 32) + i15) + 512] = v3;
        const double v4 = s14[i15];
        s10[((i5 * 32) + i15) + 1024] = v4;
        const double v5 = s15[i15];
        s10[((i5 * 32) + i15) + 1536] = v5;
        s11[(i5 * 32) + i15] = ft_max_f64(ft_max_f64(ft_max_f64(ft_max_f64(-__builtin_inf(), v2), v3), v4), v5);
      }
    }
    double s16[256] __attribute__((aligned(64)));
    for (long long i6 = 0; i6 < 8; i6++) {
      for (long long i16 = 0; i16 < v1; i16++) {
        s16[(i6 * 32) + i16] = ft_max_f64(s11[(i6 * 32) + i16], s11[((i6 * 32) + i16) + 256]);
      }
    }
    double s17[128] __attribute__((aligned(64)));
    for (long long i7 = 0; i7 < 4; i7++) {
      for (long long i17 = 0; i17 < v1; i17++) {
        s17[(i7 * 32) + i17] = ft_max_f64(s16[(i7 * 32) + i17], s16[((i7 * 32) + i17) + 128]);
      }
    }
    double s18[64] __attribute__((aligned(64)));
    for (long long i8 = 0; i8 < 2; i8++) {
      for (long long i18 = 0; i18 < v1; i18++) {
        s18[(i8 * 32) + i18] = ft_max_f64(s17[(i8 * 32) + i18], s17[((i8 * 32) + i18) + 64]);
      }
    }
    double *restrict s19 = (double *)(scratch + 0);
    double s20[512] __attribute__((aligned(64)));
    double s21[32] __attribute__((aligned(64)));
    for (long long i19 = 0; i19 < v1; i19++) {
      s21[i19] = ft_max_f64(s18[i19], s18[i19 + 32]);
    }
    for (long long i9 = 0; i9 < 16; i9++) {
      for (long long i20 = 0; i20 < v1; i20++) {
        const double v6 = s21[i20];
        const double v7 = ft_exp_f64((s10[(i9 * 32) + i20] - v6));
        s19[(i9 * 32) + i20] = v7;
        const double v8 = ft_exp_f64((s10[((i9 * 32) + i20) + 512] - v6));
        s19[((i9 * 32) + i20) + 512] = v8;
        const double v9 = ft_exp_f64((s10[((i9 * 32) + i20) + 1024] - v6));
        s19[((i9 * 32) + i20) + 1024] = v9;
        const double v10 = ft_exp_f64((s10[((i9 * 32) + i20) + 1536] - v6));
        s19[((i9 * 32) + i20) + 1536] = v10;
        s20[(i9 * 32) + i20] = (((0.0 + v7) + v8) + v9) + v10;
      }
    }
    double s22[256] __attribute__((aligned(64)));
    for (long long i10 = 0; i10 < 8; i10++) {
      for (long long i21 = 0; i21 < v1; i21++) {
        s22[(i10 * 32) + i21] = s20[(i10 * 32) + i21] + s20[((i10 * 32) + i21) + 256];
      }
    }
    double s23[128] __attribute__((aligned(64)));
    for (long long i11 = 0; i11 < 4; i11++) {
      for (long long i22 = 0; i22 < v1; i22++) {
        s23[(i11 * 32) + i22] = s22[(i11 * 32) + i22] + s22[((i11 * 32) + i22) + 128];
      }
    }
    double *restrict s24 = (double *)(scratch + 16384);
    for (long long i12 = 0; i12 < 2; i12++) {
      for (long long i23 = 0; i23 < v1; i23++) {
        s24[(i12 * 32) + i23] = s23[(i12 * 32) + i23] + s23[((i12 * 32) + i23) + 64];
      }
    }
    for (long long i24 = 0; i24 < v1; i24++) {
      s21[i24] = s24[i24] + s24[i24 + 32];
    }
    double *restrict s25 = (double *)(scratch + 16896);
    for (long long i25 = 0; i25 < v0; i25++) {
      for (long long i26 = 0; i26 < 64; i26++) {
        s25[(i25 * 64) + i26] = s19[(i26 * 32) + i25];
      }
    }
    for (long long i27 = 0; i27 < v0; i27++) {
      const double v11 = s21[i27];
      for (long long i1 = 0; i1 < 64; i1++) {
        o0[((i13 * 2048) + (i27 * 64)) + i1] = s25[(i27 * 64) + i1] / v11;
      }
    }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], (char *)buffers[2] + who * 33280, sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[4];
  switch (at[0]) { default:;
  case 0: if (sizes[1] > 1 && ((sizes[0] + 31) / 32) > 31) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, ((sizes[0] + 31) / 32), 16, sizes[1], at + 1)) { at[0] = 0; return 1000; }
  } else {
    const long long n = ((sizes[0] + 31) / 32), to = n - at[1] > 6272 ? at[1] + 6272 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
