typedef double ft_f64x8 __attribute__((vector_size(64)));
typedef long long ft_i64x8 __attribute__((vector_size(64)));
typedef unsigned long long ft_u64x8 __attribute__((vector_size(64)));
typedef double ft_f64x8p __attribute__((vector_size(64), aligned(8), may_alias));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x8;
#else
typedef ft_i64x8 ft_m64x8;
#endif
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) ft_i64x8 ft_splat_i64x8(long long x) { return (ft_i64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_first_m64x8(int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)((1u << n) - 1);
#else
  return (ft_i64x8){0, 1, 2, 3, 4, 5, 6, 7} < ft_splat_i64x8(n);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_loadsome_f64x8(const double *p, int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_loadupd512_mask(p, ft_splat_f64x8(p[n - 1]), ft_first_m64x8(n));
#else
  return (ft_f64x8){p[0 < n ? 0 : n - 1], p[1 < n ? 1 : n - 1], p[2 < n ? 2 : n - 1], p[3 < n ? 3 : n - 1], p[4 < n ? 4 : n - 1], p[5 < n ? 5 : n - 1], p[6 < n ? 6 : n - 1], p[7 < n ? 7 : n - 1]};
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_eq_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)__builtin_ia32_cmppd512_mask(a, b, 0, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a == b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_sel_f64x8(ft_m64x8 m, ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_blendmpd_512_mask(b, a, m);
#else
  return (ft_f64x8)((m & (ft_i64x8)a) | (~m & (ft_i64x8)b));
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_lt_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)__builtin_ia32_cmppd512_mask(a, b, 1, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a < b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_larger_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_maxpd512_mask(a, b, (ft_f64x8){0}, (ft_m64x8)-1, 4);
#else
  return ft_sel_f64x8(ft_lt_f64x8(b, a), a, b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_max_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_maxpd512_mask(a, b, a, ft_eq_f64x8(a, a), 4);
#else
  return ft_sel_f64x8(ft_eq_f64x8(a, a), ft_larger_f64x8(a, b), a);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_smaller_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_minpd512_mask(a, b, (ft_f64x8){0}, (ft_m64x8)-1, 4);
#else
  return ft_sel_f64x8(ft_lt_f64x8(a, b), a, b);
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
static ft_f64x8 ft_halves16_f64x8(const ft_f64x8 *p) { return ((((p[0] + p[8]) + (p[4] + p[12])) + ((p[2] + p[10]) + (p[6] + p[14]))) + (((p[1] + p[9]) + (p[5] + p[13])) + ((p[3] + p[11]) + (p[7] + p[15])))); }
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
static __attribute__((noinline)) void ft_turnout_f64x8(double *p, long long row, const ft_f64x8 *from) {
  ft_f64x8 x0 = from[0]; ft_f64x8 x1 = from[1]; ft_f64x8 x2 = from[2]; ft_f64x8 x3 = from[3]; ft_f64x8 x4 = from[4]; ft_f64x8 x5 = from[5]; ft_f64x8 x6 = from[6]; ft_f64x8 x7 = from[7];
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
  ft_store_f64x8(p + 0 * row, x0); ft_store_f64x8(p + 1 * row, x1); ft_store_f64x8(p + 2 * row, x2); ft_store_f64x8(p + 3 * row, x3); ft_store_f64x8(p + 4 * row, x4); ft_store_f64x8(p + 5 * row, x5); ft_store_f64x8(p + 6 * row, x6); ft_store_f64x8(p + 7 * row, x7);
}
static __inline__ __attribute__((always_inline)) void ft_setrows_f64x8(double *p, const long long *row, long long size, long long at, ft_f64x8 x) { p[row[0] * size + at] = x[0]; p[row[1] * size + at] = x[1]; p[row[2] * size + at] = x[2]; p[row[3] * size + at] = x[3]; p[row[4] * size + at] = x[4]; p[row[5] * size + at] = x[5]; p[row[6] * size + at] = x[6]; p[row[7] * size + at] = x[7]; }

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  {
    long long v0 = from;
    const int full = to - from >= 16;
    for (; v0 < to; v0 += 16) {
      const long long first = full && v0 > to - 16 ? to - 16 : v0;
      const int left_0 = to - first < 8 ? (int)(to - first) : 8;
      const long long first_1 = first + (to - first > 8 ? 8 : (to - first - 1) / 8 * 8);
      const int left_1 = to - first_1 < 8 ? (int)(to - first_1) : 8;
      long long p0_0[8], p0_1[8];
      for (int k = 0; k < 8; k++) {
        p0_0[k] = first + (k < left_0 ? k : left_0 - 1);
        p0_1[k] = first_1 + (k < left_1 ? k : left_1 - 1);
      }
      ft_f64x8 s0_0[64];
      ft_f64x8 s0_1[64];
      ft_f64x8 s2_0[16];
      ft_f64x8 s2_1[16];
      ft_f64x8 s1_0[64];
      ft_f64x8 s1_1[64];
      ft_f64x8 s3_0[16];
      ft_f64x8 s3_1[16];
      ft_f64x8 o0_own64_0[64];
      ft_f64x8 o0_own64_1[64];
      for (long long v1 = 0; v1 < 16; v1++) {
        s2_0[v1] = ft_splat_f64x8(-__builtin_inf());
        s2_1[v1] = ft_splat_f64x8(-__builtin_inf());
      }
      for (long long v2 = 0; v2 < 4; v2++) {
        for (long long v3 = 0; v3 < 16; v3++) {
          const long long v4 = (v2 * 16);
          const long long v5 = (v4 + v3);
          const long long v6 = (v5 * n0);
          const ft_f64x8 v7_0 = full ? ft_load_f64x8(a0 + first + 0 + v6) : ft_loadsome_f64x8(a0 + first + v6, left_0);
          s0_0[v5] = v7_0;
          const ft_f64x8 v8_0 = s2_0[v3];
          const ft_f64x8 v9_0 = ft_max_f64x8(v8_0, v7_0);
          s2_0[v3] = v9_0;
          const ft_f64x8 v7_1 = full ? ft_load_f64x8(a0 + first + 8 + v6) : ft_loadsome_f64x8(a0 + first_1 + v6, left_1);
          s0_1[v5] = v7_1;
          const ft_f64x8 v8_1 = s2_1[v3];
          const ft_f64x8 v9_1 = ft_max_f64x8(v8_1, v7_1);
          s2_1[v3] = v9_1;
        }
      }
      const ft_f64x8 v10_0 = s2_0[0];
      const ft_f64x8 v11_0 = s2_0[1];
      const ft_f64x8 v12_0 = s2_0[2];
      const ft_f64x8 v13_0 = s2_0[3];
      const ft_f64x8 v14_0 = s2_0[4];
      const ft_f64x8 v15_0 = s2_0[5];
      const ft_f64x8 v16_0 = s2_0[6];
      const ft_f64x8 v17_0 = s2_0[7];
      const ft_f64x8 v18_0 = s2_0[8];
      const ft_f64x8 v19_0 = s2_0[9];
      const ft_f64x8 v20_0 = s2_0[10];
      const ft_f64x8 v21_0 = s2_0[11];
      const ft_f64x8 v22_0 = s2_0[12];
      const ft_f64x8 v23_0 = s2_0[13];
      const ft_f64x8 v24_0 = s2_0[14];
      const ft_f64x8 v25_0 = s2_0[15];
      const ft_f64x8 v26_0 = ft_max_f64x8(v10_0, v18_0);
      const ft_f64x8 v27_0 = ft_max_f64x8(v11_0, v19_0);
      const ft_f64x8 v28_0 = ft_max_f64x8(v12_0, v20_0);
      const ft_f64x8 v29_0 = ft_max_f64x8(v13_0, v21_0);
      const ft_f64x8 v30_0 = ft_max_f64x8(v14_0, v22_0);
      const ft_f64x8 v31_0 = ft_max_f64x8(v15_0, v23_0);
      const ft_f64x8 v32_0 = ft_max_f64x8(v16_0, v24_0);
      const ft_f64x8 v33_0 = ft_max_f64x8(v17_0, v25_0);
      const ft_f64x8 v34_0 = ft_max_f64x8(v26_0, v30_0);
      const ft_f64x8 v35_0 = ft_max_f64x8(v27_0, v31_0);
      const ft_f64x8 v36_0 = ft_max_f64x8(v28_0, v32_0);
      const ft_f64x8 v37_0 = ft_max_f64x8(v29_0, v33_0);
      const ft_f64x8 v38_0 = ft_max_f64x8(v34_0, v36_0);
      const ft_f64x8 v39_0 = ft_max_f64x8(v35_0, v37_0);
      const ft_f64x8 v40_0 = ft_max_f64x8(v38_0, v39_0);
      __asm__ volatile ("");
      const ft_f64x8 v10_1 = s2_1[0];
      const ft_f64x8 v11_1 = s2_1[1];
      const ft_f64x8 v12_1 = s2_1[2];
      const ft_f64x8 v13_1 = s2_1[3];
      const ft_f64x8 v14_1 = s2_1[4];
      const ft_f64x8 v15_1 = s2_1[5];
      const ft_f64x8 v16_1 = s2_1[6];
      const ft_f64x8 v17_1 = s2_1[7];
      const ft_f64x8 v18_1 = s2_1[8];
      const ft_f64x8 v19_1 = s2_1[9];
      const ft_f64x8 v20_1 = s2_1[10];
      const ft_f64x8 v21_1 = s2_1[11];
      const ft_f64x8 v22_1 = s2_1[12];
      const ft_f64x8 v23_1 = s2_1[13];
      const ft_f64x8 v24_1 = s2_1[14];
      const ft_f64x8 v25_1 = s2_1[15];
      const ft_f64x8 v26_1 = ft_max_f64x8(v10_1, v18_1);
      const ft_f64x8 v27_1 = ft_max_f64x8(v11_1, v19_1);
      const ft_f64x8 v28_1 = ft_max_f64x8(v12_1, v20_1);
      const ft_f64x8 v29_1 = ft_max_f64x8(v13_1, v21_1);
      const ft_f64x8 v30_1 = ft_max_f64x8(v14_1, v22_1);
      const ft_f64x8 v31_1 = ft_max_f64x8(v15_1, v23_1);
      const ft_f64x8 v32_1 = ft_max_f64x8(v16_1, v24_1);
      const ft_f64x8 v33_1 = ft_max_f64x8(v17_1, v25_1);
      const ft_f64x8 v34_1 = ft_max_f64x8(v26_1, v30_1);
      const ft_f64x8 v35_1 = ft_max_f64x8(v27_1, v31_1);
      const ft_f64x8 v36_1 = ft_max_f64x8(v28_1, v32_1);
      const ft_f64x8 v37_1 = ft_max_f64x8(v29_1, v33_1);
      const ft_f64x8 v38_1 = ft_max_f64x8(v34_1, v36_1);
      const ft_f64x8 v39_1 = ft_max_f64x8(v35_1, v37_1);
      const ft_f64x8 v40_1 = ft_max_f64x8(v38_1, v39_1);
      for (long long v41 = 0; v41 < 16; v41++) {
        s3_0[v41] = ft_splat_f64x8(0.0);
        s3_1[v41] = ft_splat_f64x8(0.0);
      }
      for (long long v42 = 0; v42 < 4; v42++) {
        for (long long v43 = 0; v43 < 16; v43++) {
          const long long v44 = (v42 * 16);
          const long long v45 = (v44 + v43);
          const ft_f64x8 v46_0 = s0_0[v45];
          const ft_f64x8 v47_0 = (v46_0 - v40_0);
          const ft_f64x8 v48_0 = ft_exp_f64x8(v47_0);
          s1_0[v45] = v48_0;
          const ft_f64x8 v49_0 = s3_0[v43];
          const ft_f64x8 v50_0 = (v49_0 + v48_0);
          s3_0[v43] = v50_0;
          const ft_f64x8 v46_1 = s0_1[v45];
          const ft_f64x8 v47_1 = (v46_1 - v40_1);
          const ft_f64x8 v48_1 = ft_exp_f64x8(v47_1);
          s1_1[v45] = v48_1;
          const ft_f64x8 v49_1 = s3_1[v43];
          const ft_f64x8 v50_1 = (v49_1 + v48_1);
          s3_1[v43] = v50_1;
        }
      }
      const ft_f64x8 v51_0 = ft_halves16_f64x8(s3_0);
      const ft_f64x8 v51_1 = ft_halves16_f64x8(s3_1);
      for (long long v52 = 0; v52 < 64; v52++) {
        const ft_f64x8 v53_0 = s1_0[v52];
        const ft_f64x8 v54_0 = (v53_0 / v51_0);
        o0_own64_0[v52] = v54_0;
        const ft_f64x8 v53_1 = s1_1[v52];
        const ft_f64x8 v54_1 = (v53_1 / v51_1);
        o0_own64_1[v52] = v54_1;
      }
      if (full) {
        ft_turnout_f64x8(o0 + (first + 0) * 64 + 0, 64, o0_own64_0 + 0);
        ft_turnout_f64x8(o0 + (first + 0) * 64 + 8, 64, o0_own64_0 + 8);
        ft_turnout_f64x8(o0 + (first + 0) * 64 + 16, 64, o0_own64_0 + 16);
        ft_turnout_f64x8(o0 + (first + 0) * 64 + 24, 64, o0_own64_0 + 24);
        ft_turnout_f64x8(o0 + (first + 0) * 64 + 32, 64, o0_own64_0 + 32);
        ft_turnout_f64x8(o0 + (first + 0) * 64 + 40, 64, o0_own64_0 + 40);
        ft_turnout_f64x8(o0 + (first + 0) * 64 + 48, 64, o0_own64_0 + 48);
        ft_turnout_f64x8(o0 + (first + 0) * 64 + 56, 64, o0_own64_0 + 56);
        ft_turnout_f64x8(o0 + (first + 8) * 64 + 0, 64, o0_own64_1 + 0);
        ft_turnout_f64x8(o0 + (first + 8) * 64 + 8, 64, o0_own64_1 + 8);
        ft_turnout_f64x8(o0 + (first + 8) * 64 + 16, 64, o0_own64_1 + 16);
        ft_turnout_f64x8(o0 + (first + 8) * 64 + 24, 64, o0_own64_1 + 24);
        ft_turnout_f64x8(o0 + (first + 8) * 64 + 32, 64, o0_own64_1 + 32);
        ft_turnout_f64x8(o0 + (first + 8) * 64 + 40, 64, o0_own64_1 + 40);
        ft_turnout_f64x8(o0 + (first + 8) * 64 + 48, 64, o0_own64_1 + 48);
        ft_turnout_f64x8(o0 + (first + 8) * 64 + 56, 64, o0_own64_1 + 56);
      }
      else {
        for (long long v55 = 0; v55 < 64; v55++) {
          const ft_f64x8 v56_0 = o0_own64_0[v55];
          ft_setrows_f64x8(o0, p0_0, 64, v55, v56_0);
          const ft_f64x8 v56_1 = o0_own64_1[v55];
          ft_setrows_f64x8(o0, p0_1, 64, v55, v56_1);
        }
      }
    }
  }
}

static int k0_part(void **buffers, const long long *sizes, long long from, long long to, long long place) {
  k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], from, to);
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
  {k0_part, 0, 128, 1550, 206720, 32, 0},
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
