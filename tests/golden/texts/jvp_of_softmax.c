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

static void k0(const double *restrict a0, const double *restrict a1, double *restrict o0, double *restrict o1, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    double s0[64];
    for (long long i2 = 0; i2 < 64; i2++) {
      s0[i2] = a0[(i0 * 64) + i2];
    }
    double s6[16];
    for (long long i14 = 0; i14 < 16; i14++) {
      s6[i14] = -__builtin_inf();
    }
    for (long long i15 = 0; i15 < 4; i15++) {
      for (long long i16 = 0; i16 < 16; i16++) {
        s6[i16] = ft_max_f64(s6[i16], s0[(i15 * 16) + i16]);
      }
    }
    const double v0 = ft_max_f64(ft_max_f64(ft_max_f64(s6[0], s6[8]), ft_max_f64(s6[4], s6[12])), ft_max_f64(ft_max_f64(s6[2], s6[10]), ft_max_f64(s6[6], s6[14])));
    const double v1 = ft_max_f64(ft_max_f64(ft_max_f64(s6[1], s6[9]), ft_max_f64(s6[5], s6[13])), ft_max_f64(ft_max_f64(s6[3], s6[11]), ft_max_f64(s6[7], s6[15])));
    const double v2 = ft_max_f64(v0, v1);
    double s1[64];
    for (long long i4 = 0; i4 < 64; i4++) {
      s1[i4] = ft_exp_f64((s0[i4] - v2));
    }
    double s7[16];
    for (long long i17 = 0; i17 < 16; i17++) {
      s7[i17] = 0.0;
    }
    for (long long i18 = 0; i18 < 4; i18++) {
      for (long long i19 = 0; i19 < 16; i19++) {
        s7[i19] = s7[i19] + s1[(i18 * 16) + i19];
      }
    }
    const double v3 = (((s7[0] + s7[8]) + (s7[4] + s7[12])) + ((s7[2] + s7[10]) + (s7[6] + s7[14]))) + (((s7[1] + s7[9]) + (s7[5] + s7[13])) + ((s7[3] + s7[11]) + (s7[7] + s7[15])));
    double s2[64];
    for (long long i6 = 0; i6 < 64; i6++) {
      s2[i6] = s1[i6] / v3;
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
      const double v4 = s0[i9];
      s4[i9] = (v4 == v2) | (v4 != v4);
    }
    double s8[16];
    for (long long i20 = 0; i20 < 16; i20++) {
      s8[i20] = 0.0;
    }
    for (long long i21 = 0; i21 < 4; i21++) {
      for (long long i22 = 0; i22 < 16; i22++) {
        const _Bool v5 = s4[(i21 * 16) + i22];
        const double v6 = s3[(i21 * 16) + i22];
        s8[i22] = s8[i22] + (v5 ? v6 : 0.0);
      }
    }
    const double v7 = (((s8[0] + s8[8]) + (s8[4] + s8[12])) + ((s8[2] + s8[10]) + (s8[6] + s8[14]))) + (((s8[1] + s8[9]) + (s8[5] + s8[13])) + ((s8[3] + s8[11]) + (s8[7] + s8[15])));
    double s9[16];
    for (long long i23 = 0; i23 < 16; i23++) {
      s9[i23] = 0.0;
    }
    for (long long i24 = 0; i24 < 4; i24++) {
      for (long long i25 = 0; i25 < 16; i25++) {
        s9[i25] = s9[i25] + ((double)s4[(i24 * 16) + i25]);
      }
    }
    const double v8 = (((s9[0] + s9[8]) + (s9[4] + s9[12])) + ((s9[2] + s9[10]) + (s9[6] + s9[14]))) + (((s9[1] + s9[9]) + (s9[5] + s9[13])) + ((s9[3] + s9[11]) + (s9[7] + s9[15])));
    const double v9 = v7 / v8;
    double s5[64];
    for (long long i12 = 0; i12 < 64; i12++) {
      s5[i12] = s1[i12] * (s3[i12] - v9);
    }
    double s10[16];
    for (long long i26 = 0; i26 < 16; i26++) {
      s10[i26] = 0.0;
    }
    for (long long i27 = 0; i27 < 4; i27++) {
      for (long long i28 = 0; i28 < 16; i28++) {
        s10[i28] = s10[i28] + s5[(i27 * 16) + i28];
      }
    }
    const double v10 = (((s10[0] + s10[8]) + (s10[4] + s10[12])) + ((s10[2] + s10[10]) + (s10[6] + s10[14]))) + (((s10[1] + s10[9]) + (s10[5] + s10[13])) + ((s10[3] + s10[11]) + (s10[7] + s10[15])));
    for (long long i7 = 0; i7 < 64; i7++) {
      o1[(i0 * 64) + i7] = (s5[i7] - (s2[i7] * v10)) / v3;
    }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef void ft_pool(ft_part *, void **, const long long *, long long, long long, long long);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], buffers[2], buffers[3], (char *)buffers[4], sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  if (sizes[1] > 1 && sizes[0] > 450) ((ft_pool *)buffers[5])(k0_part, buffers, sizes, sizes[0], 128, sizes[1]);
  else k0(buffers[0], buffers[1], buffers[2], buffers[3], (char *)buffers[4], sizes[0], 0, sizes[0]);
  return 0;
}
