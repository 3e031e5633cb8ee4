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
static inline __attribute__((always_inline)) double ft_split_f64(double x, double *k) {
  const _Bool small = x < 0x1p-1022;
  const long long b = ft_bits_f64(small ? x * 0x1p54 : x) + (0x3ff0000000000000LL - 0x3fe6a09e667f3bcdLL);
  const long long e = (long long)((unsigned long long)b >> 52);
  *k = (ft_float_f64(e | 0x4330000000000000LL) - 4503599627371519.0) - (small ? 54.0 : 0.0);
  return ft_float_f64((b & 0xfffffffffffffLL) + 0x3fe6a09e667f3bcdLL) - 1.0;
}
static inline __attribute__((always_inline)) double ft_logrest_f64(double f, double half, double *s) {
  *s = f / (2.0 + f);
  const double z = *s * *s;
  return *s * ft_fma_f64(z, ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(0.14796105297499598, z, 0.1531403584335551), z, 0.18183564866231983), z, 0.2222219856350627), z, 0.2857142874247445), z, 0.39999999999414326), z, 0.6666666666666734), half);
}
static inline __attribute__((always_inline)) double ft_logends_f64(double x, double y) {
  y = x < __builtin_inf() ? y : x;
  y = x < 0.0 ? __builtin_nan("") : y;
  return x == 0.0 ? -__builtin_inf() : y;
}
static inline __attribute__((always_inline)) double ft_log_f64(double x) {
  double k, s;
  const double f = ft_split_f64(x, &k), half = 0.5 * f * f, r = ft_logrest_f64(f, half, &s);
  return ft_logends_f64(x, ft_fma_f64(k, 0.6931471804855391, f - (half - ft_fma_f64(k, 7.440617110012397e-11, r))));
}

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i15 = from; i15 < to; i15++) {
    const long long v0 = ft_min_i64(32, (n0 + (i15 * -32)));
    double s8[32] __attribute__((aligned(64)));
    double s9[32] __attribute__((aligned(64)));
    for (long long i16 = 0; i16 < v0; i16++) {
      double s0[16];
      for (long long i3 = 0; i3 < 16; i3++) {
        s0[i3] = -__builtin_inf();
      }
      for (long long i4 = 0; i4 < 4; i4++) {
        for (long long i5 = 0; i5 < 16; i5++) {
          s0[i5] = ft_max_f64(s0[i5], a0[(((i15 * 32) + i16) * 64) + ((i4 * 16) + i5)]);
        }
      }
      double s1[8];
      for (long long i6 = 0; i6 < 8; i6++) {
        s1[i6] = ft_max_f64(s0[i6], s0[i6 + 8]);
      }
      double s2[4];
      for (long long i7 = 0; i7 < 4; i7++) {
        s2[i7] = ft_max_f64(s1[i7], s1[i7 + 4]);
      }
      double s3[2];
      for (long long i8 = 0; i8 < 2; i8++) {
        s3[i8] = ft_max_f64(s2[i8], s2[i8 + 2]);
      }
      const double v1 = ft_max_f64(s3[0], s3[1]);
      double s4[16];
      for (long long i9 = 0; i9 < 16; i9++) {
        s4[i9] = 0.0;
      }
      for (long long i10 = 0; i10 < 4; i10++) {
        for (long long i11 = 0; i11 < 16; i11++) {
          s4[i11] = s4[i11] + ft_exp_f64((a0[(((i15 * 32) + i16) * 64) + ((i10 * 16) + i11)] - v1));
        }
      }
      double s5[8];
      for (long long i12 = 0; i12 < 8; i12++) {
        s5[i12] = s4[i12] + s4[i12 + 8];
      }
      double s6[4];
      for (long long i13 = 0; i13 < 4; i13++) {
        s6[i13] = s5[i13] + s5[i13 + 4];
      }
      double s7[2];
      for (long long i14 = 0; i14 < 2; i14++) {
        s7[i14] = s6[i14] + s6[i14 + 2];
      }
      s8[i16] = s7[0] + s7[1];
      s9[i16] = v1;
    }
    for (long long i17 = 0; i17 < v0; i17++) {
      o0[(i15 * 32) + i17] = s9[i17] + ft_log_f64(s8[i17]);
    }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[4];
  switch (at[0]) { default:;
  case 0: if (sizes[1] > 1 && ((sizes[0] + 31) / 32) > 41) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, ((sizes[0] + 31) / 32), 24, sizes[1], at + 1)) { at[0] = 0; return 1000; }
  } else {
    const long long n = ((sizes[0] + 31) / 32), to = n - at[1] > 8256 ? at[1] + 8256 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
