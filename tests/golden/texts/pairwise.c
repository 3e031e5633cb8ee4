typedef double ft_f64x8 __attribute__((vector_size(64)));
typedef long long ft_i64x8 __attribute__((vector_size(64)));
typedef unsigned long long ft_u64x8 __attribute__((vector_size(64)));
typedef double ft_f64x8p __attribute__((vector_size(64), aligned(8), may_alias));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x8;
#else
typedef ft_i64x8 ft_m64x8;
#endif
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_lt_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)__builtin_ia32_cmppd512_mask(a, b, 1, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a < b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_sel_f64x8(ft_m64x8 m, ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_blendmpd_512_mask(b, a, m);
#else
  return (ft_f64x8)((m & (ft_i64x8)a) | (~m & (ft_i64x8)b));
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_smaller_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_minpd512_mask(a, b, (ft_f64x8){0}, (ft_m64x8)-1, 4);
#else
  return ft_sel_f64x8(ft_lt_f64x8(a, b), a, b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_larger_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_maxpd512_mask(a, b, (ft_f64x8){0}, (ft_m64x8)-1, 4);
#else
  return ft_sel_f64x8(ft_lt_f64x8(b, a), a, b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_fma_f64x8(ft_f64x8 a, ft_f64x8 b, ft_f64x8 c) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_vfmaddpd512_mask(a, b, c, (ft_m64x8)-1, 4);
#elif defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  ft_f64x8 r; for (int k = 0; k < 8; k++) r[k] = __builtin_fma(a[k], b[k], c[k]); return r;
#else
  return a * b + c;
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_fnma_f64x8(ft_f64x8 a, ft_f64x8 b, ft_f64x8 c) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_vfnmaddpd512_mask(a, b, c, (ft_m64x8)-1, 4);
#else
  return ft_fma_f64x8(-a, b, c);
#endif
}
static __inline__ __attribute__((always_inline)) ft_i64x8 ft_splat_i64x8(long long x) { return (ft_i64x8){x, x, x, x, x, x, x, x}; }
static inline __attribute__((always_inline)) ft_f64x8 ft_exp_f64x8(ft_f64x8 x) {
  const ft_f64x8 v0 = (ft_splat_f64x8(709.8) * ft_splat_f64x8(1.0));
  const ft_m64x8 v1 = ft_lt_f64x8(v0, x);
  const ft_f64x8 v2 = ft_smaller_f64x8(v0, x);
  const ft_f64x8 v3 = (ft_splat_f64x8(-746.0) * ft_splat_f64x8(1.0));
  const ft_m64x8 v4 = ft_lt_f64x8(v2, v3);
  const ft_f64x8 v5 = ft_larger_f64x8(v3, v2);
  const ft_f64x8 v6 = ft_fma_f64x8(v5, ft_splat_f64x8(1.4426950408889634), ft_splat_f64x8(6755399441057790.0));
  const ft_f64x8 v7 = (v6 - ft_splat_f64x8(6755399441057790.0));
  const ft_f64x8 v8 = (-v7);
  const ft_f64x8 v9 = ft_fnma_f64x8(v7, ft_splat_f64x8(0.6931471804855391), v5);
  const ft_f64x8 v10 = ft_fnma_f64x8(v7, ft_splat_f64x8(7.440617110012397e-11), v9);
  const ft_f64x8 v11 = (v10 * v10);
  const ft_f64x8 v12 = ft_fma_f64x8(ft_splat_f64x8(2.7631414313456104e-07), v10, ft_splat_f64x8(2.7557215944213365e-06));
  const ft_f64x8 v13 = ft_fma_f64x8(ft_splat_f64x8(2.511797453389394e-08), v11, v12);
  const ft_f64x8 v14 = ft_fma_f64x8(ft_splat_f64x8(2.480148958888789e-05), v10, ft_splat_f64x8(0.0001984126991778212));
  const ft_f64x8 v15 = ft_fma_f64x8(v13, v11, v14);
  const ft_f64x8 v16 = ft_fma_f64x8(ft_splat_f64x8(0.0013888888947333087), v10, ft_splat_f64x8(0.008333333333307021));
  const ft_f64x8 v17 = ft_fma_f64x8(v15, v11, v16);
  const ft_f64x8 v18 = ft_fma_f64x8(ft_splat_f64x8(0.041666666666514314), v10, ft_splat_f64x8(0.166666666666667));
  const ft_f64x8 v19 = ft_fma_f64x8(v17, v11, v18);
  const ft_f64x8 v20 = ft_fma_f64x8(v19, v10, ft_splat_f64x8(0.5000000000000013));
  const ft_f64x8 v21 = ft_fma_f64x8(v20, v11, v10);
  const ft_i64x8 v22 = ((ft_i64x8)v6);
  const ft_u64x8 v23 = ((ft_u64x8)v22);
  const ft_u64x8 v24 = (v23 << 51);
  const ft_i64x8 v25 = ((ft_i64x8)v24);
  const ft_i64x8 v26 = (v25 & ft_splat_i64x8(9218868437227405312LL));
  const ft_f64x8 v27 = ((ft_f64x8)v26);
  const ft_f64x8 v28 = ft_fma_f64x8(v21, v27, v27);
  const ft_u64x8 v29 = (v23 << 52);
  const ft_i64x8 v30 = ((ft_i64x8)v29);
  const ft_i64x8 v31 = (v30 - v26);
  const ft_f64x8 v32 = ((ft_f64x8)v31);
  const ft_f64x8 v33 = (v28 * v32);
  return v33;
}
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_first_m64x8(int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)((1u << n) - 1);
#else
  return (ft_i64x8){0, 1, 2, 3, 4, 5, 6, 7} < ft_splat_i64x8(n);
#endif
}
static __inline__ __attribute__((always_inline)) void ft_storefirst_f64x8(double *p, ft_f64x8 x, int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  __builtin_ia32_storeupd512_mask(p, x, ft_first_m64x8(n));
#else
  if (0 < n) { p[0] = x[0]; } if (1 < n) { p[1] = x[1]; } if (2 < n) { p[2] = x[2]; } if (3 < n) { p[3] = x[3]; } if (4 < n) { p[4] = x[4]; } if (5 < n) { p[5] = x[5]; } if (6 < n) { p[6] = x[6]; } if (7 < n) { p[7] = x[7]; }
#endif
}
static __inline__ __attribute__((always_inline)) void ft_turnoutfirst_f64x8(double *p, long long row, const ft_f64x8 *from) {
  ft_f64x8 x0 = 0 < row ? from[0] : (ft_f64x8){0}; ft_f64x8 x1 = 1 < row ? from[1] : (ft_f64x8){0}; ft_f64x8 x2 = 2 < row ? from[2] : (ft_f64x8){0}; ft_f64x8 x3 = 3 < row ? from[3] : (ft_f64x8){0}; ft_f64x8 x4 = 4 < row ? from[4] : (ft_f64x8){0}; ft_f64x8 x5 = 5 < row ? from[5] : (ft_f64x8){0}; ft_f64x8 x6 = 6 < row ? from[6] : (ft_f64x8){0}; ft_f64x8 x7 = 7 < row ? from[7] : (ft_f64x8){0};
  { const ft_f64x8 a = x0, b = x1; x0 = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14); x1 = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15); }
  { const ft_f64x8 a = x2, b = x3; x2 = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14); x3 = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15); }
  { const ft_f64x8 a = x4, b = x5; x4 = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14); x5 = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15); }
  { const ft_f64x8 a = x6, b = x7; x6 = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14); x7 = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15); }
  { const ft_f64x8 a = x0, b = x2; x0 = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13); x2 = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15); }
  { const ft_f64x8 a = x1, b = x3; x1 = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13); x3 = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15); }
  { const ft_f64x8 a = x4, b = x6; x4 = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13); x6 = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15); }
  { const ft_f64x8 a = x5, b = x7; x5 = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13); x7 = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15); }
  { const ft_f64x8 a = x0, b = x4; x0 = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11); x4 = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15); }
  { const ft_f64x8 a = x1, b = x5; x1 = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11); x5 = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15); }
  { const ft_f64x8 a = x2, b = x6; x2 = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11); x6 = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15); }
  { const ft_f64x8 a = x3, b = x7; x3 = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11); x7 = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15); }
  ft_storefirst_f64x8(p + 0 * row, x0, (int)row); ft_storefirst_f64x8(p + 1 * row, x1, (int)row); ft_storefirst_f64x8(p + 2 * row, x2, (int)row); ft_storefirst_f64x8(p + 3 * row, x3, (int)row); ft_storefirst_f64x8(p + 4 * row, x4, (int)row); ft_storefirst_f64x8(p + 5 * row, x5, (int)row); ft_storefirst_f64x8(p + 6 * row, x6, (int)row); ft_storefirst_f64x8(p + 7 * row, x7, (int)row);
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_getrows_f64x8(const double *p, const long long *row, long long size, long long at) { return (ft_f64x8){p[row[0] * size + at], p[row[1] * size + at], p[row[2] * size + at], p[row[3] * size + at], p[row[4] * size + at], p[row[5] * size + at], p[row[6] * size + at], p[row[7] * size + at]}; }
static __inline__ __attribute__((always_inline)) void ft_setrows_f64x8(double *p, const long long *row, long long size, long long at, ft_f64x8 x) { p[row[0] * size + at] = x[0]; p[row[1] * size + at] = x[1]; p[row[2] * size + at] = x[2]; p[row[3] * size + at] = x[3]; p[row[4] * size + at] = x[4]; p[row[5] * size + at] = x[5]; p[row[6] * size + at] = x[6]; p[row[7] * size + at] = x[7]; }

static __attribute__((noinline)) void k0(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  {
    long long v0 = from;
    for (; to - v0 >= 16; v0 += 16) {
      const long long first = v0;
      long long p0_0[8], p0_1[8];
      for (int k = 0; k < 8; k++) {
        p0_0[k] = first + 0 + k;
        p0_1[k] = first + 8 + k;
      }
      ft_f64x8 a0_own4_0[4];
      ft_f64x8 a0_own4_1[4];
      ft_f64x8 o0_own6_0[6];
      ft_f64x8 o0_own6_1[6];
      {
        const ft_f64x8 v1_0 = ft_load_f64x8(a0 + (first + 0) * 4 + 0);
        const ft_f64x8 v1_1 = ft_load_f64x8(a0 + (first + 0) * 4 + 8);
        const ft_f64x8 v1_2 = ft_load_f64x8(a0 + (first + 0) * 4 + 16);
        const ft_f64x8 v1_3 = ft_load_f64x8(a0 + (first + 0) * 4 + 24);
        a0_own4_0[0] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v1_0, v1_1, 0, 4, 8, 12, 0, 0, 0, 0), v1_2, 0, 1, 2, 3, 8, 12, 6, 7), v1_3, 0, 1, 2, 3, 4, 5, 8, 12);
        a0_own4_0[1] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v1_0, v1_1, 1, 5, 9, 13, 0, 0, 0, 0), v1_2, 0, 1, 2, 3, 9, 13, 6, 7), v1_3, 0, 1, 2, 3, 4, 5, 9, 13);
        a0_own4_0[2] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v1_0, v1_1, 2, 6, 10, 14, 0, 0, 0, 0), v1_2, 0, 1, 2, 3, 10, 14, 6, 7), v1_3, 0, 1, 2, 3, 4, 5, 10, 14);
        a0_own4_0[3] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v1_0, v1_1, 3, 7, 11, 15, 0, 0, 0, 0), v1_2, 0, 1, 2, 3, 11, 15, 6, 7), v1_3, 0, 1, 2, 3, 4, 5, 11, 15);
        const ft_f64x8 v2_0 = ft_load_f64x8(a0 + (first + 8) * 4 + 0);
        const ft_f64x8 v2_1 = ft_load_f64x8(a0 + (first + 8) * 4 + 8);
        const ft_f64x8 v2_2 = ft_load_f64x8(a0 + (first + 8) * 4 + 16);
        const ft_f64x8 v2_3 = ft_load_f64x8(a0 + (first + 8) * 4 + 24);
        a0_own4_1[0] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v2_0, v2_1, 0, 4, 8, 12, 0, 0, 0, 0), v2_2, 0, 1, 2, 3, 8, 12, 6, 7), v2_3, 0, 1, 2, 3, 4, 5, 8, 12);
        a0_own4_1[1] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v2_0, v2_1, 1, 5, 9, 13, 0, 0, 0, 0), v2_2, 0, 1, 2, 3, 9, 13, 6, 7), v2_3, 0, 1, 2, 3, 4, 5, 9, 13);
        a0_own4_1[2] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v2_0, v2_1, 2, 6, 10, 14, 0, 0, 0, 0), v2_2, 0, 1, 2, 3, 10, 14, 6, 7), v2_3, 0, 1, 2, 3, 4, 5, 10, 14);
        a0_own4_1[3] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v2_0, v2_1, 3, 7, 11, 15, 0, 0, 0, 0), v2_2, 0, 1, 2, 3, 11, 15, 6, 7), v2_3, 0, 1, 2, 3, 4, 5, 11, 15);
      }
      for (long long v3 = 0; v3 < 6; v3++) {
        const long long v6 = (v3 * 4);
        const double v7 = a1[v6];
        const long long v12 = (v6 + 1);
        const double v13 = a1[v12];
        const long long v18 = (v6 + 2);
        const double v19 = a1[v18];
        const long long v24 = (v6 + 3);
        const double v25 = a1[v24];
        ft_f64x8 v4_0 = ft_splat_f64x8(0.0);
        const ft_f64x8 v5_0 = a0_own4_0[0];
        const ft_f64x8 v8_0 = (v5_0 - ft_splat_f64x8(v7));
        const ft_f64x8 v9_0 = (v8_0 * v8_0);
        const ft_f64x8 v10_0 = (v4_0 + v9_0);
        v4_0 = v10_0;
        const ft_f64x8 v11_0 = a0_own4_0[1];
        const ft_f64x8 v14_0 = (v11_0 - ft_splat_f64x8(v13));
        const ft_f64x8 v15_0 = (v14_0 * v14_0);
        const ft_f64x8 v16_0 = (v4_0 + v15_0);
        v4_0 = v16_0;
        const ft_f64x8 v17_0 = a0_own4_0[2];
        const ft_f64x8 v20_0 = (v17_0 - ft_splat_f64x8(v19));
        const ft_f64x8 v21_0 = (v20_0 * v20_0);
        const ft_f64x8 v22_0 = (v4_0 + v21_0);
        v4_0 = v22_0;
        const ft_f64x8 v23_0 = a0_own4_0[3];
        const ft_f64x8 v26_0 = (v23_0 - ft_splat_f64x8(v25));
        const ft_f64x8 v27_0 = (v26_0 * v26_0);
        const ft_f64x8 v28_0 = (v4_0 + v27_0);
        v4_0 = v28_0;
        const ft_f64x8 v29_0 = (-v4_0);
        const ft_f64x8 v30_0 = ft_exp_f64x8(v29_0);
        o0_own6_0[v3] = v30_0;
        __asm__ volatile ("");
        ft_f64x8 v4_1 = ft_splat_f64x8(0.0);
        const ft_f64x8 v5_1 = a0_own4_1[0];
        const ft_f64x8 v8_1 = (v5_1 - ft_splat_f64x8(v7));
        const ft_f64x8 v9_1 = (v8_1 * v8_1);
        const ft_f64x8 v10_1 = (v4_1 + v9_1);
        v4_1 = v10_1;
        const ft_f64x8 v11_1 = a0_own4_1[1];
        const ft_f64x8 v14_1 = (v11_1 - ft_splat_f64x8(v13));
        const ft_f64x8 v15_1 = (v14_1 * v14_1);
        const ft_f64x8 v16_1 = (v4_1 + v15_1);
        v4_1 = v16_1;
        const ft_f64x8 v17_1 = a0_own4_1[2];
        const ft_f64x8 v20_1 = (v17_1 - ft_splat_f64x8(v19));
        const ft_f64x8 v21_1 = (v20_1 * v20_1);
        const ft_f64x8 v22_1 = (v4_1 + v21_1);
        v4_1 = v22_1;
        const ft_f64x8 v23_1 = a0_own4_1[3];
        const ft_f64x8 v26_1 = (v23_1 - ft_splat_f64x8(v25));
        const ft_f64x8 v27_1 = (v26_1 * v26_1);
        const ft_f64x8 v28_1 = (v4_1 + v27_1);
        v4_1 = v28_1;
        const ft_f64x8 v29_1 = (-v4_1);
        const ft_f64x8 v30_1 = ft_exp_f64x8(v29_1);
        o0_own6_1[v3] = v30_1;
      }
      {
        ft_turnoutfirst_f64x8(o0 + (first + 0) * 6 + 0, 6, o0_own6_0 + 0);
        ft_turnoutfirst_f64x8(o0 + (first + 8) * 6 + 0, 6, o0_own6_1 + 0);
      }
    }
    const int full = to - from >= 8;
    for (; v0 < to; v0 += 8) {
      const long long first = full && v0 > to - 8 ? to - 8 : v0;
      const int left_0 = to - first < 8 ? (int)(to - first) : 8;
      long long p0_0[8];
      for (int k = 0; k < 8; k++) {
        p0_0[k] = first + (k < left_0 ? k : left_0 - 1);
      }
      ft_f64x8 a0_own4_0[4];
      ft_f64x8 o0_own6_0[6];
      if (full) {
        const ft_f64x8 v31_0 = ft_load_f64x8(a0 + (first + 0) * 4 + 0);
        const ft_f64x8 v31_1 = ft_load_f64x8(a0 + (first + 0) * 4 + 8);
        const ft_f64x8 v31_2 = ft_load_f64x8(a0 + (first + 0) * 4 + 16);
        const ft_f64x8 v31_3 = ft_load_f64x8(a0 + (first + 0) * 4 + 24);
        a0_own4_0[0] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v31_0, v31_1, 0, 4, 8, 12, 0, 0, 0, 0), v31_2, 0, 1, 2, 3, 8, 12, 6, 7), v31_3, 0, 1, 2, 3, 4, 5, 8, 12);
        a0_own4_0[1] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v31_0, v31_1, 1, 5, 9, 13, 0, 0, 0, 0), v31_2, 0, 1, 2, 3, 9, 13, 6, 7), v31_3, 0, 1, 2, 3, 4, 5, 9, 13);
        a0_own4_0[2] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v31_0, v31_1, 2, 6, 10, 14, 0, 0, 0, 0), v31_2, 0, 1, 2, 3, 10, 14, 6, 7), v31_3, 0, 1, 2, 3, 4, 5, 10, 14);
        a0_own4_0[3] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v31_0, v31_1, 3, 7, 11, 15, 0, 0, 0, 0), v31_2, 0, 1, 2, 3, 11, 15, 6, 7), v31_3, 0, 1, 2, 3, 4, 5, 11, 15);
      }
      else {
        for (long long v32 = 0; v32 < 4; v32++) {
          const ft_f64x8 v33_0 = ft_getrows_f64x8(a0, p0_0, 4, v32);
          a0_own4_0[v32] = v33_0;
        }
      }
      for (long long v34 = 0; v34 < 6; v34++) {
        const long long v37 = (v34 * 4);
        const double v38 = a1[v37];
        const long long v43 = (v37 + 1);
        const double v44 = a1[v43];
        const long long v49 = (v37 + 2);
        const double v50 = a1[v49];
        const long long v55 = (v37 + 3);
        const double v56 = a1[v55];
        ft_f64x8 v35_0 = ft_splat_f64x8(0.0);
        const ft_f64x8 v36_0 = a0_own4_0[0];
        const ft_f64x8 v39_0 = (v36_0 - ft_splat_f64x8(v38));
        const ft_f64x8 v40_0 = (v39_0 * v39_0);
        const ft_f64x8 v41_0 = (v35_0 + v40_0);
        v35_0 = v41_0;
        const ft_f64x8 v42_0 = a0_own4_0[1];
        const ft_f64x8 v45_0 = (v42_0 - ft_splat_f64x8(v44));
        const ft_f64x8 v46_0 = (v45_0 * v45_0);
        const ft_f64x8 v47_0 = (v35_0 + v46_0);
        v35_0 = v47_0;
        const ft_f64x8 v48_0 = a0_own4_0[2];
        const ft_f64x8 v51_0 = (v48_0 - ft_splat_f64x8(v50));
        const ft_f64x8 v52_0 = (v51_0 * v51_0);
        const ft_f64x8 v53_0 = (v35_0 + v52_0);
        v35_0 = v53_0;
        const ft_f64x8 v54_0 = a0_own4_0[3];
        const ft_f64x8 v57_0 = (v54_0 - ft_splat_f64x8(v56));
        const ft_f64x8 v58_0 = (v57_0 * v57_0);
        const ft_f64x8 v59_0 = (v35_0 + v58_0);
        v35_0 = v59_0;
        const ft_f64x8 v60_0 = (-v35_0);
        const ft_f64x8 v61_0 = ft_exp_f64x8(v60_0);
        o0_own6_0[v34] = v61_0;
      }
      if (full) {
        ft_turnoutfirst_f64x8(o0 + (first + 0) * 6 + 0, 6, o0_own6_0 + 0);
      }
      else {
        for (long long v62 = 0; v62 < 6; v62++) {
          const ft_f64x8 v63_0 = o0_own6_0[v62];
          ft_setrows_f64x8(o0, p0_0, 6, v62, v63_0);
        }
      }
    }
  }
}

static int k0_part(void **buffers, const long long *sizes, long long from, long long to, long long place) {
  k0(buffers[0], buffers[1], buffers[2], (char *)buffers[3], sizes[0], from, to);
  return 0;
}

typedef int ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long,
  long long *, const long long *);
typedef struct ft_call {
  ft_pool *pool;
  long long threads;
  long long at[6];
  long long *marks;
} ft_call;
enum { FT_AGAIN = 1000 };

typedef struct ft_shared { ft_part *run; long long number, grain, least, turn, shortest, strip; } ft_shared;
static const ft_shared ft_shares[] = {
  {k0_part, 0, 896, 13269, 1769344, 32, 0},
};

static int ft_turn(void **buffers, const long long *sizes, ft_call *call,
    const ft_shared *s, long long n, const long long *rows) {
  if (rows || (call->threads > 1 && n > s->least)) {
    const long long strips = s->strip ? n / (4 * call->threads * s->strip) * s->strip : 0;
    const long long grain = strips > s->grain ? strips : s->grain;
    if (!call->pool(s->run, buffers, sizes, n, grain, s->least, call->threads, call->at + 1, rows)) return 0;
  } else {
    const long long at = call->at[1], to = n - at > s->turn + s->shortest ? at + s->turn : n;
    s->run(buffers, sizes, at, to, 0);
    call->at[1] = to < n ? to : 0;
    if (to >= n) return 0;
  }
  call->at[0] = s->number;
  return FT_AGAIN;
}

int ft_entry(void **buffers, const long long *sizes, ft_call *call) {
  switch (call->at[0]) { default:;
  case 0: if (ft_turn(buffers, sizes, call, ft_shares + 0, sizes[0], 0)) return FT_AGAIN;
  }
#ifdef __AVX__
  __builtin_ia32_vzeroupper();
#endif
  return 0;
}
