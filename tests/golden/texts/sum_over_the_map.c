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

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    double s1[8];
    long long s2[8];
    for (long long i4 = 0; i4 < 8; i4++) {
      const double v0 = a0[(i0 * 64) + i4];
      const double v1 = a0[(i0 * 64) + (i4 + 16)];
      const _Bool v2 = v1 < v0;
      const double v3 = v2 ? v0 : v1;
      const double v4 = a0[(i0 * 64) + (i4 + 32)];
      const _Bool v5 = v4 < v3;
      const double v6 = v5 ? v3 : v4;
      const double v7 = a0[(i0 * 64) + (i4 + 48)];
      const long long v8 = (((0LL | ((long long)(v0 != v0))) | ((long long)(v1 != v1))) | ((long long)(v4 != v4))) | ((long long)(v7 != v7));
      const _Bool v9 = v7 < v6;
      const double v10 = v9 ? v6 : v7;
      const double v11 = a0[(i0 * 64) + (i4 + 8)];
      const double v12 = a0[(i0 * 64) + (i4 + 24)];
      const _Bool v13 = v12 < v11;
      const double v14 = v13 ? v11 : v12;
      const double v15 = a0[(i0 * 64) + (i4 + 40)];
      const _Bool v16 = v15 < v14;
      const double v17 = v16 ? v14 : v15;
      const double v18 = a0[(i0 * 64) + (i4 + 56)];
      const long long v19 = (((0LL | ((long long)(v11 != v11))) | ((long long)(v12 != v12))) | ((long long)(v15 != v15))) | ((long long)(v18 != v18));
      const _Bool v20 = v18 < v17;
      const double v21 = v20 ? v17 : v18;
      const _Bool v22 = v21 < v10;
      s1[i4] = v22 ? v10 : v21;
      s2[i4] = v8 | v19;
    }
    double s3[4];
    long long s4[4];
    for (long long i5 = 0; i5 < 4; i5++) {
      const double v23 = s1[i5];
      const double v24 = s1[i5 + 4];
      const _Bool v25 = v24 < v23;
      s3[i5] = v25 ? v23 : v24;
      s4[i5] = s2[i5] | s2[i5 + 4];
    }
    double s5[2];
    long long s6[2];
    for (long long i6 = 0; i6 < 2; i6++) {
      const double v26 = s3[i6];
      const double v27 = s3[i6 + 2];
      const _Bool v28 = v27 < v26;
      s5[i6] = v28 ? v26 : v27;
      s6[i6] = s4[i6] | s4[i6 + 2];
    }
    const double v29 = s5[0];
    const double v30 = s5[1];
    const _Bool v31 = v30 < v29;
    const double v32 = v31 ? v29 : v30;
    const _Bool v33 = (s6[0] | s6[1]) != 0LL;
    const double v34 = v33 ? __builtin_nan("") : v32;
    double s0[64] __attribute__((aligned(64)));
    double s7[16];
    for (long long i7 = 0; i7 < 16; i7++) {
      const double v35 = ft_exp_f64((a0[(i0 * 64) + i7] - v34));
      s0[i7] = v35;
      const double v36 = ft_exp_f64((a0[(i0 * 64) + (i7 + 16)] - v34));
      s0[i7 + 16] = v36;
      const double v37 = ft_exp_f64((a0[(i0 * 64) + (i7 + 32)] - v34));
      s0[i7 + 32] = v37;
      const double v38 = ft_exp_f64((a0[(i0 * 64) + (i7 + 48)] - v34));
      s0[i7 + 48] = v38;
      s7[i7] = (((0.0 + v35) + v36) + v37) + v38;
    }
    double s8[8];
    for (long long i8 = 0; i8 < 8; i8++) {
      s8[i8] = s7[i8] + s7[i8 + 8];
    }
    double s9[4];
    for (long long i9 = 0; i9 < 4; i9++) {
      s9[i9] = s8[i9] + s8[i9 + 4];
    }
    double s10[2];
    for (long long i10 = 0; i10 < 2; i10++) {
      s10[i10] = s9[i10] + s9[i10 + 2];
    }
    const double v39 = s10[0] + s10[1];
    for (long long i1 = 0; i1 < 64; i1++) {
      o0[(i0 * 64) + i1] = s0[i1] / v39;
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
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long,
  long long *, const long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[2], (char *)buffers[3], sizes[0], from, to);
}

static void k1_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k1(buffers[2], buffers[1], (char *)buffers[3], sizes[1], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[5];
  switch (at[0]) { default:;
  case 0: if (sizes[2] > 1 && sizes[0] > 1560) {
    if (((ft_pool *)buffers[4])(k0_part, buffers, sizes, sizes[0], 128, 1560, sizes[2], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = sizes[0], to = n - at[1] > 208128 ? at[1] + 208128 : n;
    k0(buffers[0], buffers[2], (char *)buffers[3], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  case 1: if (sizes[2] > 1 && sizes[1] > 309917) {
    if (((ft_pool *)buffers[4])(k1_part, buffers, sizes, sizes[1], 20672, 309917, sizes[2], at + 1, 0)) { at[0] = 1; return 1000; }
  } else {
    const long long n = sizes[1], to = n - at[1] > 41322368 ? at[1] + 41322368 : n;
    k1(buffers[2], buffers[1], (char *)buffers[3], sizes[1], at[1], to);
    if (to < n) { at[0] = 1; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
