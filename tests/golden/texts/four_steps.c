typedef double ft_f64x8 __attribute__((vector_size(64)));
typedef long long ft_i64x8 __attribute__((vector_size(64)));
typedef unsigned long long ft_u64x8 __attribute__((vector_size(64)));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x8;
#else
typedef ft_i64x8 ft_m64x8;
#endif
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_loadif_f64x8(const double *p, ft_m64x8 m) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_loadupd512_mask(p, (ft_f64x8){0}, m);
#else
  return (ft_f64x8){m[0] ? p[0] : 0, m[1] ? p[1] : 0, m[2] ? p[2] : 0, m[3] ? p[3] : 0, m[4] ? p[4] : 0, m[5] ? p[5] : 0, m[6] ? p[6] : 0, m[7] ? p[7] : 0};
#endif
}
static __inline__ __attribute__((always_inline)) ft_i64x8 ft_splat_i64x8(long long x) { return (ft_i64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_first_m64x8(int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)((1u << n) - 1);
#else
  return (ft_i64x8){0, 1, 2, 3, 4, 5, 6, 7} < ft_splat_i64x8(n);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_loadfirst_f64x8(const double *p, int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return ft_loadif_f64x8(p, ft_first_m64x8(n));
#else
  return (ft_f64x8){0 < n ? p[0] : 0, 1 < n ? p[1] : 0, 2 < n ? p[2] : 0, 3 < n ? p[3] : 0, 4 < n ? p[4] : 0, 5 < n ? p[5] : 0, 6 < n ? p[6] : 0, 7 < n ? p[7] : 0};
#endif
}
static __inline__ __attribute__((always_inline)) void ft_turninfirst_f64x8(const double *p, long long row, ft_f64x8 *to) {
  ft_f64x8 x0 = ft_loadfirst_f64x8(p + 0 * row, (int)row); ft_f64x8 x1 = ft_loadfirst_f64x8(p + 1 * row, (int)row); ft_f64x8 x2 = ft_loadfirst_f64x8(p + 2 * row, (int)row); ft_f64x8 x3 = ft_loadfirst_f64x8(p + 3 * row, (int)row); ft_f64x8 x4 = ft_loadfirst_f64x8(p + 4 * row, (int)row); ft_f64x8 x5 = ft_loadfirst_f64x8(p + 5 * row, (int)row); ft_f64x8 x6 = ft_loadfirst_f64x8(p + 6 * row, (int)row); ft_f64x8 x7 = ft_loadfirst_f64x8(p + 7 * row, (int)row);
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
  if (0 < row) to[0] = x0; if (1 < row) to[1] = x1; if (2 < row) to[2] = x2; if (3 < row) to[3] = x3; if (4 < row) to[4] = x4; if (5 < row) to[5] = x5; if (6 < row) to[6] = x6; if (7 < row) to[7] = x7;
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_fma_f64x8(ft_f64x8 a, ft_f64x8 b, ft_f64x8 c) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_vfmaddpd512_mask(a, b, c, (ft_m64x8)-1, 4);
#elif defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  ft_f64x8 r; for (int k = 0; k < 8; k++) r[k] = __builtin_fma(a[k], b[k], c[k]); return r;
#else
  return a * b + c;
#endif
}
static __inline__ __attribute__((always_inline)) void ft_storefirst_f64x8(double *p, ft_f64x8 x, int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  __builtin_ia32_storeupd512_mask(p, x, ft_first_m64x8(n));
#else
  if (0 < n) p[0] = x[0]; if (1 < n) p[1] = x[1]; if (2 < n) p[2] = x[2]; if (3 < n) p[3] = x[3]; if (4 < n) p[4] = x[4]; if (5 < n) p[5] = x[5]; if (6 < n) p[6] = x[6]; if (7 < n) p[7] = x[7];
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

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  {
    const int full = to - from >= 8;
    for (long long v0 = from; v0 < to; v0 += 64) {
      const long long v2 = (to - v0 + 7) / 8 < 8 ? (to - v0 + 7) / 8 : 8;
      long long v4[8][8];
      ft_f64x8 v5[8][3];
      ft_f64x8 v6[8][3];
      ft_f64x8 v3_0[8];
      ft_f64x8 v3_1[8];
      ft_f64x8 v3_2[8];
      ft_f64x8 v3_3[8];
      ft_f64x8 v3_4[8];
      ft_f64x8 v3_5[8];
      ft_f64x8 v3_6[8];
      ft_f64x8 v3_7[8];
      ft_f64x8 v3_8[8];
      for (long long v1 = 0; v1 < v2; v1++) {
        const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
        long long *const p0_0 = v4[v1];
        ft_f64x8 *const a0_own3_0 = v5[v1];
        ft_f64x8 *const o0_own3_0 = v6[v1];
        for (int k = 0; k < 8; k++) {
          p0_0[k] = first + 0 + k < to ? first + 0 + k : to - 1;
        }
        if (full) {
          ft_turninfirst_f64x8(a0 + (first + 0) * 3 + 0, 3, a0_own3_0 + 0);
        }
        else {
          for (long long v7 = 0; v7 < 3; v7++) {
            ft_f64x8 v8_0;
            for (int k = 0; k < 8; k++) v8_0[k] = a0[p0_0[k] * (3) + v7];
            a0_own3_0[v7] = v8_0;
          }
        }
        const ft_f64x8 v9_0 = a0_own3_0[2];
        const ft_f64x8 v10_0 = a0_own3_0[1];
        const ft_f64x8 v11_0 = a0_own3_0[0];
        const ft_f64x8 v12_0 = (ft_splat_f64x8(28.0) - v9_0);
        const ft_f64x8 v13_0 = (-v10_0);
        const ft_f64x8 v14_0 = ft_fma_f64x8(v11_0, v12_0, v13_0);
        const ft_f64x8 v15_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v14_0, v10_0);
        const ft_f64x8 v16_0 = (v10_0 - v11_0);
        const ft_f64x8 v17_0 = (ft_splat_f64x8(10.0) * v16_0);
        const ft_f64x8 v18_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v17_0, v11_0);
        const ft_f64x8 v19_0 = (v15_0 - v18_0);
        const ft_f64x8 v20_0 = (ft_splat_f64x8(10.0) * v19_0);
        const ft_f64x8 v21_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v20_0, v11_0);
        const ft_f64x8 v22_0 = (v11_0 * v10_0);
        const ft_f64x8 v23_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v9_0, v22_0);
        const ft_f64x8 v24_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v23_0, v9_0);
        const ft_f64x8 v25_0 = (v18_0 * v15_0);
        const ft_f64x8 v26_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v24_0, v25_0);
        const ft_f64x8 v27_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v26_0, v9_0);
        const ft_f64x8 v28_0 = (ft_splat_f64x8(28.0) - v27_0);
        const ft_f64x8 v29_0 = (ft_splat_f64x8(28.0) - v24_0);
        const ft_f64x8 v30_0 = (-v15_0);
        const ft_f64x8 v31_0 = ft_fma_f64x8(v18_0, v29_0, v30_0);
        const ft_f64x8 v32_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v31_0, v10_0);
        const ft_f64x8 v33_0 = (-v32_0);
        const ft_f64x8 v34_0 = ft_fma_f64x8(v21_0, v28_0, v33_0);
        const ft_f64x8 v35_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v31_0, v14_0);
        const ft_f64x8 v36_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v34_0, v35_0);
        const ft_f64x8 v37_0 = (v32_0 - v21_0);
        const ft_f64x8 v38_0 = (ft_splat_f64x8(10.0) * v37_0);
        const ft_f64x8 v39_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v38_0, v11_0);
        const ft_f64x8 v40_0 = (v21_0 * v32_0);
        const ft_f64x8 v41_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v27_0, v40_0);
        const ft_f64x8 v42_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v41_0, v9_0);
        const ft_f64x8 v43_0 = (ft_splat_f64x8(28.0) - v42_0);
        const ft_f64x8 v44_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v34_0, v10_0);
        const ft_f64x8 v45_0 = (-v44_0);
        const ft_f64x8 v46_0 = ft_fma_f64x8(v39_0, v43_0, v45_0);
        const ft_f64x8 v47_0 = (v36_0 + v46_0);
        const ft_f64x8 v48_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v47_0, v10_0);
        v3_0[v1] = v48_0;
        const ft_f64x8 v49_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v20_0, v17_0);
        const ft_f64x8 v50_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v38_0, v49_0);
        const ft_f64x8 v51_0 = (v44_0 - v39_0);
        const ft_f64x8 v52_0 = (ft_splat_f64x8(10.0) * v51_0);
        const ft_f64x8 v53_0 = (v50_0 + v52_0);
        const ft_f64x8 v54_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v53_0, v11_0);
        v3_1[v1] = v54_0;
        const ft_f64x8 v55_0 = (v48_0 - v54_0);
        const ft_f64x8 v56_0 = (ft_splat_f64x8(10.0) * v55_0);
        v3_2[v1] = v56_0;
        const ft_f64x8 v57_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v56_0, v54_0);
        v3_3[v1] = v57_0;
        const ft_f64x8 v58_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v26_0, v23_0);
        const ft_f64x8 v59_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v41_0, v58_0);
        const ft_f64x8 v60_0 = (v39_0 * v44_0);
        const ft_f64x8 v61_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v42_0, v60_0);
        const ft_f64x8 v62_0 = (v59_0 + v61_0);
        const ft_f64x8 v63_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v62_0, v9_0);
        v3_4[v1] = v63_0;
      }
      for (long long v1 = 0; v1 < v2; v1++) {
        const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
        long long *const p0_0 = v4[v1];
        ft_f64x8 *const a0_own3_0 = v5[v1];
        ft_f64x8 *const o0_own3_0 = v6[v1];
        const ft_f64x8 v64_0 = v3_1[v1];
        const ft_f64x8 v65_0 = v3_0[v1];
        const ft_f64x8 v66_0 = v3_4[v1];
        const ft_f64x8 v67_0 = v3_3[v1];
        const ft_f64x8 v68_0 = v3_2[v1];
        const ft_f64x8 v69_0 = (v64_0 * v65_0);
        const ft_f64x8 v70_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v66_0, v69_0);
        const ft_f64x8 v71_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v70_0, v66_0);
        const ft_f64x8 v72_0 = (ft_splat_f64x8(28.0) - v71_0);
        const ft_f64x8 v73_0 = (ft_splat_f64x8(28.0) - v66_0);
        const ft_f64x8 v74_0 = (-v65_0);
        const ft_f64x8 v75_0 = ft_fma_f64x8(v64_0, v73_0, v74_0);
        const ft_f64x8 v76_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v75_0, v65_0);
        const ft_f64x8 v77_0 = (-v76_0);
        const ft_f64x8 v78_0 = ft_fma_f64x8(v67_0, v72_0, v77_0);
        const ft_f64x8 v79_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v78_0, v65_0);
        const ft_f64x8 v80_0 = (v76_0 - v67_0);
        const ft_f64x8 v81_0 = (ft_splat_f64x8(10.0) * v80_0);
        const ft_f64x8 v82_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v81_0, v64_0);
        const ft_f64x8 v83_0 = (v79_0 - v82_0);
        const ft_f64x8 v84_0 = (ft_splat_f64x8(10.0) * v83_0);
        const ft_f64x8 v85_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v81_0, v68_0);
        const ft_f64x8 v86_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v84_0, v85_0);
        const ft_f64x8 v87_0 = (v67_0 * v76_0);
        const ft_f64x8 v88_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v71_0, v87_0);
        const ft_f64x8 v89_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v88_0, v66_0);
        const ft_f64x8 v90_0 = (ft_splat_f64x8(28.0) - v89_0);
        const ft_f64x8 v91_0 = (-v79_0);
        const ft_f64x8 v92_0 = ft_fma_f64x8(v82_0, v90_0, v91_0);
        const ft_f64x8 v93_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v92_0, v65_0);
        const ft_f64x8 v94_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v84_0, v64_0);
        const ft_f64x8 v95_0 = (v93_0 - v94_0);
        const ft_f64x8 v96_0 = (ft_splat_f64x8(10.0) * v95_0);
        const ft_f64x8 v97_0 = (v86_0 + v96_0);
        const ft_f64x8 v98_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v97_0, v64_0);
        v3_5[v1] = v98_0;
        const ft_f64x8 v99_0 = (v82_0 * v79_0);
        const ft_f64x8 v100_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v89_0, v99_0);
        const ft_f64x8 v101_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v88_0, v70_0);
        const ft_f64x8 v102_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v100_0, v101_0);
        const ft_f64x8 v103_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v100_0, v66_0);
        const ft_f64x8 v104_0 = (v94_0 * v93_0);
        const ft_f64x8 v105_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v103_0, v104_0);
        const ft_f64x8 v106_0 = (v102_0 + v105_0);
        const ft_f64x8 v107_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v106_0, v66_0);
        v3_6[v1] = v107_0;
        const ft_f64x8 v108_0 = (ft_splat_f64x8(28.0) - v107_0);
        const ft_f64x8 v109_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v78_0, v75_0);
        const ft_f64x8 v110_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v92_0, v109_0);
        const ft_f64x8 v111_0 = (ft_splat_f64x8(28.0) - v103_0);
        const ft_f64x8 v112_0 = (-v93_0);
        const ft_f64x8 v113_0 = ft_fma_f64x8(v94_0, v111_0, v112_0);
        const ft_f64x8 v114_0 = (v110_0 + v113_0);
        const ft_f64x8 v115_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v114_0, v65_0);
        v3_7[v1] = v115_0;
        const ft_f64x8 v116_0 = (-v115_0);
        const ft_f64x8 v117_0 = ft_fma_f64x8(v98_0, v108_0, v116_0);
        v3_8[v1] = v117_0;
      }
      for (long long v1 = 0; v1 < v2; v1++) {
        const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
        long long *const p0_0 = v4[v1];
        ft_f64x8 *const a0_own3_0 = v5[v1];
        ft_f64x8 *const o0_own3_0 = v6[v1];
        const ft_f64x8 v118_0 = v3_8[v1];
        const ft_f64x8 v119_0 = v3_7[v1];
        const ft_f64x8 v120_0 = v3_5[v1];
        const ft_f64x8 v121_0 = v3_6[v1];
        const ft_f64x8 v122_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v118_0, v119_0);
        const ft_f64x8 v123_0 = (v119_0 - v120_0);
        const ft_f64x8 v124_0 = (ft_splat_f64x8(10.0) * v123_0);
        const ft_f64x8 v125_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v124_0, v120_0);
        const ft_f64x8 v126_0 = (v122_0 - v125_0);
        const ft_f64x8 v127_0 = (ft_splat_f64x8(10.0) * v126_0);
        const ft_f64x8 v128_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v127_0, v120_0);
        const ft_f64x8 v129_0 = (v120_0 * v119_0);
        const ft_f64x8 v130_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v121_0, v129_0);
        const ft_f64x8 v131_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v130_0, v121_0);
        const ft_f64x8 v132_0 = (v125_0 * v122_0);
        const ft_f64x8 v133_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v131_0, v132_0);
        const ft_f64x8 v134_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v133_0, v121_0);
        const ft_f64x8 v135_0 = (ft_splat_f64x8(28.0) - v134_0);
        const ft_f64x8 v136_0 = (ft_splat_f64x8(28.0) - v131_0);
        const ft_f64x8 v137_0 = (-v122_0);
        const ft_f64x8 v138_0 = ft_fma_f64x8(v125_0, v136_0, v137_0);
        const ft_f64x8 v139_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v138_0, v119_0);
        const ft_f64x8 v140_0 = (-v139_0);
        const ft_f64x8 v141_0 = ft_fma_f64x8(v128_0, v135_0, v140_0);
        const ft_f64x8 v142_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v138_0, v118_0);
        const ft_f64x8 v143_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v141_0, v142_0);
        const ft_f64x8 v144_0 = (v139_0 - v128_0);
        const ft_f64x8 v145_0 = (ft_splat_f64x8(10.0) * v144_0);
        const ft_f64x8 v146_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v145_0, v120_0);
        const ft_f64x8 v147_0 = (v128_0 * v139_0);
        const ft_f64x8 v148_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v134_0, v147_0);
        const ft_f64x8 v149_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v148_0, v121_0);
        const ft_f64x8 v150_0 = (ft_splat_f64x8(28.0) - v149_0);
        const ft_f64x8 v151_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v141_0, v119_0);
        const ft_f64x8 v152_0 = (-v151_0);
        const ft_f64x8 v153_0 = ft_fma_f64x8(v146_0, v150_0, v152_0);
        const ft_f64x8 v154_0 = (v143_0 + v153_0);
        const ft_f64x8 v155_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v154_0, v119_0);
        v3_2[v1] = v155_0;
        const ft_f64x8 v156_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v127_0, v124_0);
        const ft_f64x8 v157_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v145_0, v156_0);
        const ft_f64x8 v158_0 = (v151_0 - v146_0);
        const ft_f64x8 v159_0 = (ft_splat_f64x8(10.0) * v158_0);
        const ft_f64x8 v160_0 = (v157_0 + v159_0);
        const ft_f64x8 v161_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v160_0, v120_0);
        v3_3[v1] = v161_0;
        const ft_f64x8 v162_0 = (v155_0 - v161_0);
        const ft_f64x8 v163_0 = (ft_splat_f64x8(10.0) * v162_0);
        v3_4[v1] = v163_0;
        const ft_f64x8 v164_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v163_0, v161_0);
        v3_0[v1] = v164_0;
        const ft_f64x8 v165_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v133_0, v130_0);
        const ft_f64x8 v166_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v148_0, v165_0);
        const ft_f64x8 v167_0 = (v146_0 * v151_0);
        const ft_f64x8 v168_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v149_0, v167_0);
        const ft_f64x8 v169_0 = (v166_0 + v168_0);
        const ft_f64x8 v170_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v169_0, v121_0);
        v3_1[v1] = v170_0;
      }
      for (long long v1 = 0; v1 < v2; v1++) {
        const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
        long long *const p0_0 = v4[v1];
        ft_f64x8 *const a0_own3_0 = v5[v1];
        ft_f64x8 *const o0_own3_0 = v6[v1];
        const ft_f64x8 v171_0 = v3_3[v1];
        const ft_f64x8 v172_0 = v3_2[v1];
        const ft_f64x8 v173_0 = v3_1[v1];
        const ft_f64x8 v174_0 = v3_0[v1];
        const ft_f64x8 v175_0 = v3_4[v1];
        const ft_f64x8 v176_0 = (v171_0 * v172_0);
        const ft_f64x8 v177_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v173_0, v176_0);
        const ft_f64x8 v178_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v177_0, v173_0);
        const ft_f64x8 v179_0 = (ft_splat_f64x8(28.0) - v178_0);
        const ft_f64x8 v180_0 = (ft_splat_f64x8(28.0) - v173_0);
        const ft_f64x8 v181_0 = (-v172_0);
        const ft_f64x8 v182_0 = ft_fma_f64x8(v171_0, v180_0, v181_0);
        const ft_f64x8 v183_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v182_0, v172_0);
        const ft_f64x8 v184_0 = (-v183_0);
        const ft_f64x8 v185_0 = ft_fma_f64x8(v174_0, v179_0, v184_0);
        const ft_f64x8 v186_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v185_0, v172_0);
        const ft_f64x8 v187_0 = (v183_0 - v174_0);
        const ft_f64x8 v188_0 = (ft_splat_f64x8(10.0) * v187_0);
        const ft_f64x8 v189_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v188_0, v171_0);
        const ft_f64x8 v190_0 = (v186_0 - v189_0);
        const ft_f64x8 v191_0 = (ft_splat_f64x8(10.0) * v190_0);
        const ft_f64x8 v192_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v188_0, v175_0);
        const ft_f64x8 v193_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v191_0, v192_0);
        const ft_f64x8 v194_0 = (v174_0 * v183_0);
        const ft_f64x8 v195_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v178_0, v194_0);
        const ft_f64x8 v196_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v195_0, v173_0);
        const ft_f64x8 v197_0 = (ft_splat_f64x8(28.0) - v196_0);
        const ft_f64x8 v198_0 = (-v186_0);
        const ft_f64x8 v199_0 = ft_fma_f64x8(v189_0, v197_0, v198_0);
        const ft_f64x8 v200_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v199_0, v172_0);
        const ft_f64x8 v201_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v191_0, v171_0);
        const ft_f64x8 v202_0 = (v200_0 - v201_0);
        const ft_f64x8 v203_0 = (ft_splat_f64x8(10.0) * v202_0);
        const ft_f64x8 v204_0 = (v193_0 + v203_0);
        const ft_f64x8 v205_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v204_0, v171_0);
        o0_own3_0[0] = v205_0;
        const ft_f64x8 v206_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v185_0, v182_0);
        const ft_f64x8 v207_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v199_0, v206_0);
        const ft_f64x8 v208_0 = (v189_0 * v186_0);
        const ft_f64x8 v209_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v196_0, v208_0);
        const ft_f64x8 v210_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v209_0, v173_0);
        const ft_f64x8 v211_0 = (ft_splat_f64x8(28.0) - v210_0);
        const ft_f64x8 v212_0 = (-v200_0);
        const ft_f64x8 v213_0 = ft_fma_f64x8(v201_0, v211_0, v212_0);
        const ft_f64x8 v214_0 = (v207_0 + v213_0);
        const ft_f64x8 v215_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v214_0, v172_0);
        o0_own3_0[1] = v215_0;
        const ft_f64x8 v216_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v195_0, v177_0);
        const ft_f64x8 v217_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v209_0, v216_0);
        const ft_f64x8 v218_0 = (v201_0 * v200_0);
        const ft_f64x8 v219_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v210_0, v218_0);
        const ft_f64x8 v220_0 = (v217_0 + v219_0);
        const ft_f64x8 v221_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v220_0, v173_0);
        o0_own3_0[2] = v221_0;
        if (full) {
          ft_turnoutfirst_f64x8(o0 + (first + 0) * 3 + 0, 3, o0_own3_0 + 0);
        }
        else {
          for (long long v222 = 0; v222 < 3; v222++) {
            const ft_f64x8 v223_0 = o0_own3_0[v222];
            for (int k = 0; k < 8; k++) o0[p0_0[k] * (3) + v222] = v223_0[k];
          }
        }
      }
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
  case 0: if (sizes[1] > 1 && sizes[0] > 24638) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, sizes[0], 1664, 24638, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = sizes[0], to = n - at[1] > 3285184 ? at[1] + 3285184 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
