static inline long long ft_min_i64(long long a, long long b) { const long long m = a < b ? a : b; return a == a ? m : a; }
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif
static inline __attribute__((always_inline)) long long ft_bits_f64(double x) { long long y; __builtin_memcpy(&y, &x, 8); return y; }
static inline __attribute__((always_inline)) double ft_float_f64(long long x) { double y; __builtin_memcpy(&y, &x, 8); return y; }
static inline __attribute__((always_inline)) double ft_exp_f64(double x) {
  const double v0 = ft_fma_f64(x, 1.4426950408889634, 6755399441057790.0);
  const double v1 = (-(v0 - 6755399441057790.0));
  const double v2 = ft_fma_f64(v1, 7.440617110012397e-11, ft_fma_f64(v1, 0.6931471804855391, x));
  const double v3 = (v2 * v2);
  const double v4 = ft_fma_f64(ft_fma_f64(2.511797453389394e-08, v3, ft_fma_f64(2.7631414313456104e-07, v2, 2.7557215944213365e-06)), v3, ft_fma_f64(2.480148958888789e-05, v2, 0.0001984126991778212));
  const double v5 = ft_fma_f64(ft_fma_f64(v4, v3, ft_fma_f64(0.0013888888947333087, v2, 0.008333333333307021)), v3, ft_fma_f64(0.041666666666514314, v2, 0.166666666666667));
  const long long v6 = ft_bits_f64(v0);
  const long long v7 = ((long long)(((unsigned long long)v6) >> 1ULL));
  const double v8 = (ft_fma_f64(ft_fma_f64(v5, v2, 0.5000000000000013), v3, (1.0 + v2)) * ft_float_f64(((long long)(((unsigned long long)v7) << 52ULL))));
  const double v9 = (v8 * ft_float_f64(((long long)(((unsigned long long)(v6 - v7)) << 52ULL))));
  const double v10 = ((709.8 < x) ? __builtin_inf() : v9);
  return ((x < -746.0) ? 0.0 : v10);
}
static inline __attribute__((always_inline)) double ft_log_f64(double x) {
  const _Bool v0 = (x < 2.2250738585072014e-308);
  const double v1 = (x * 1.8014398509481984e+16);
  const long long v2 = (ft_bits_f64((v0 ? v1 : x)) + 2638147582215219LL);
  const double v3 = ((ft_float_f64((((long long)(((unsigned long long)v2) >> 52ULL)) | 4841369599423283200LL)) - 4503599627371519.0) - (v0 ? 54.0 : 0.0));
  const double v4 = (ft_float_f64(((v2 & 4503599627370495LL) + 4604544271217802189LL)) - 1.0);
  const double v5 = ((0.5 * v4) * v4);
  const double v6 = (v4 / (2.0 + v4));
  const double v7 = (v6 * v6);
  const double v8 = ft_fma_f64(ft_fma_f64(ft_fma_f64(0.14796105297499598, v7, 0.1531403584335551), v7, 0.18183564866231983), v7, 0.2222219856350627);
  const double v9 = ft_fma_f64(v7, ft_fma_f64(ft_fma_f64(ft_fma_f64(v8, v7, 0.2857142874247445), v7, 0.39999999999414326), v7, 0.6666666666666734), v5);
  const double v10 = ft_fma_f64(v3, 0.6931471804855391, (v4 - (v5 - ft_fma_f64(v3, 7.440617110012397e-11, (v6 * v9)))));
  const double v11 = ((x < __builtin_inf()) ? v10 : x);
  const double v12 = ((x < 0.0) ? __builtin_nan("") : v11);
  return ((x == 0.0) ? -__builtin_inf() : v12);
}

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i10 = from; i10 < to; i10++) {
    const long long v0 = ft_min_i64(32, (n0 + (i10 * -32)));
    double s10[32] __attribute__((aligned(64)));
    double s11[32] __attribute__((aligned(64)));
    for (long long i11 = 0; i11 < v0; i11++) {
      double s0[8];
      long long s1[8];
      for (long long i3 = 0; i3 < 8; i3++) {
        const double v1 = a0[(((i10 * 32) + i11) * 64) + i3];
        const double v2 = a0[(((i10 * 32) + i11) * 64) + (i3 + 16)];
        const _Bool v3 = v2 < v1;
        const double v4 = v3 ? v1 : v2;
        const double v5 = a0[(((i10 * 32) + i11) * 64) + (i3 + 32)];
        const _Bool v6 = v5 < v4;
        const double v7 = v6 ? v4 : v5;
        const double v8 = a0[(((i10 * 32) + i11) * 64) + (i3 + 48)];
        const long long v9 = (((0LL | ((long long)(v1 != v1))) | ((long long)(v2 != v2))) | ((long long)(v5 != v5))) | ((long long)(v8 != v8));
        const _Bool v10 = v8 < v7;
        const double v11 = v10 ? v7 : v8;
        const double v12 = a0[(((i10 * 32) + i11) * 64) + (i3 + 8)];
        const double v13 = a0[(((i10 * 32) + i11) * 64) + (i3 + 24)];
        const _Bool v14 = v13 < v12;
        const double v15 = v14 ? v12 : v13;
        const double v16 = a0[(((i10 * 32) + i11) * 64) + (i3 + 40)];
        const _Bool v17 = v16 < v15;
        const double v18 = v17 ? v15 : v16;
        const double v19 = a0[(((i10 * 32) + i11) * 64) + (i3 + 56)];
        const long long v20 = (((0LL | ((long long)(v12 != v12))) | ((long long)(v13 != v13))) | ((long long)(v16 != v16))) | ((long long)(v19 != v19));
        const _Bool v21 = v19 < v18;
        const double v22 = v21 ? v18 : v19;
        const _Bool v23 = v22 < v11;
        s0[i3] = v23 ? v11 : v22;
        s1[i3] = v9 | v20;
      }
      double s2[4];
      long long s3[4];
      for (long long i4 = 0; i4 < 4; i4++) {
        const double v24 = s0[i4];
        const double v25 = s0[i4 + 4];
        const _Bool v26 = v25 < v24;
        s2[i4] = v26 ? v24 : v25;
        s3[i4] = s1[i4] | s1[i4 + 4];
      }
      double s4[2];
      long long s5[2];
      for (long long i5 = 0; i5 < 2; i5++) {
        const double v27 = s2[i5];
        const double v28 = s2[i5 + 2];
        const _Bool v29 = v28 < v27;
        s4[i5] = v29 ? v27 : v28;
        s5[i5] = s3[i5] | s3[i5 + 2];
      }
      const double v30 = s4[0];
      const double v31 = s4[1];
      const _Bool v32 = v31 < v30;
      const double v33 = v32 ? v30 : v31;
      const _Bool v34 = (s5[0] | s5[1]) != 0LL;
      const double v35 = v34 ? __builtin_nan("") : v33;
      double s6[16];
      for (long long i6 = 0; i6 < 16; i6++) {
        const double v36 = (0.0 + ft_exp_f64((a0[(((i10 * 32) + i11) * 64) + i6] - v35))) + ft_exp_f64((a0[(((i10 * 32) + i11) * 64) + (i6 + 16)] - v35));
        const double v37 = (v36 + ft_exp_f64((a0[(((i10 * 32) + i11) * 64) + (i6 + 32)] - v35))) + ft_exp_f64((a0[(((i10 * 32) + i11) * 64) + (i6 + 48)] - v35));
        s6[i6] = v37;
      }
      double s7[8];
      for (long long i7 = 0; i7 < 8; i7++) {
        s7[i7] = s6[i7] + s6[i7 + 8];
      }
      double s8[4];
      for (long long i8 = 0; i8 < 4; i8++) {
        s8[i8] = s7[i8] + s7[i8 + 4];
      }
      double s9[2];
      for (long long i9 = 0; i9 < 2; i9++) {
        s9[i9] = s8[i9] + s8[i9 + 2];
      }
      s10[i11] = s9[0] + s9[1];
      s11[i11] = v35;
    }
    for (long long i12 = 0; i12 < v0; i12++) {
      o0[(i10 * 32) + i12] = s11[i12] + ft_log_f64(s10[i12]);
    }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long,
  long long *, const long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[4];
  switch (at[0]) { default:;
  case 0: if (sizes[1] > 1 && ((sizes[0] + 31) / 32) > 65) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, ((sizes[0] + 31) / 32), 5, 65, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = ((sizes[0] + 31) / 32), to = n - at[1] > 8704 ? at[1] + 8704 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
