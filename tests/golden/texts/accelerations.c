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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_sqrt_f64x8(ft_f64x8 x) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_sqrtpd512_mask(x, (ft_f64x8){0}, (ft_m64x8)-1, 4);
#else
  ft_f64x8 r; for (int k = 0; k < 8; k++) r[k] = __builtin_sqrt(x[k]); return r;
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
    const int full = to - from >= 16;
    for (long long v0 = from; v0 < to; v0 += 16) {
      const long long first = full && v0 > to - 16 ? to - 16 : v0;
      long long p0_0[8], p0_1[8];
      for (int k = 0; k < 8; k++) {
        p0_0[k] = first + 0 + k < to ? first + 0 + k : to - 1;
        p0_1[k] = first + 8 + k < to ? first + 8 + k : to - 1;
      }
      ft_f64x8 s0_0[16];
      ft_f64x8 s0_1[16];
      ft_f64x8 s1_0[16];
      ft_f64x8 s1_1[16];
      ft_f64x8 s2_0[16];
      ft_f64x8 s2_1[16];
      ft_f64x8 s3_0[8];
      ft_f64x8 s3_1[8];
      ft_f64x8 s4_0[8];
      ft_f64x8 s4_1[8];
      ft_f64x8 s5_0[8];
      ft_f64x8 s5_1[8];
      ft_f64x8 s6_0[4];
      ft_f64x8 s6_1[4];
      ft_f64x8 s7_0[4];
      ft_f64x8 s7_1[4];
      ft_f64x8 s8_0[4];
      ft_f64x8 s8_1[4];
      ft_f64x8 s9_0[2];
      ft_f64x8 s9_1[2];
      ft_f64x8 s10_0[2];
      ft_f64x8 s10_1[2];
      ft_f64x8 s11_0[2];
      ft_f64x8 s11_1[2];
      ft_f64x8 a0_own3_0[3];
      ft_f64x8 a0_own3_1[3];
      ft_f64x8 o0_own3_0[3];
      ft_f64x8 o0_own3_1[3];
      if (full) {
        ft_turninfirst_f64x8(a0 + (first + 0) * 3 + 0, 3, a0_own3_0 + 0);
        ft_turninfirst_f64x8(a0 + (first + 8) * 3 + 0, 3, a0_own3_1 + 0);
      }
      else {
        for (long long v1 = 0; v1 < 3; v1++) {
          ft_f64x8 v2_0;
          for (int k = 0; k < 8; k++) v2_0[k] = a0[p0_0[k] * (3) + v1];
          a0_own3_0[v1] = v2_0;
          ft_f64x8 v2_1;
          for (int k = 0; k < 8; k++) v2_1[k] = a0[p0_1[k] * (3) + v1];
          a0_own3_1[v1] = v2_1;
        }
      }
      const ft_f64x8 v3_0 = a0_own3_0[0];
      const ft_f64x8 v3_1 = a0_own3_1[0];
      for (long long v4 = 0; v4 < 16; v4++) {
        s0_0[v4] = ft_splat_f64x8(0.0);
        s0_1[v4] = ft_splat_f64x8(0.0);
      }
      const ft_f64x8 v5_0 = a0_own3_0[1];
      const ft_f64x8 v5_1 = a0_own3_1[1];
      for (long long v6 = 0; v6 < 16; v6++) {
        s1_0[v6] = ft_splat_f64x8(0.0);
        s1_1[v6] = ft_splat_f64x8(0.0);
      }
      const ft_f64x8 v7_0 = a0_own3_0[2];
      const ft_f64x8 v7_1 = a0_own3_1[2];
      for (long long v8 = 0; v8 < 16; v8++) {
        s2_0[v8] = ft_splat_f64x8(0.0);
        s2_1[v8] = ft_splat_f64x8(0.0);
      }
      for (long long v9 = 0; v9 < 3; v9++) {
        for (long long v10 = 0; v10 < 16; v10++) {
          const long long v12 = (v9 * 48);
          const long long v13 = (v10 * 3);
          const long long v14 = (v12 + v13);
          const double v15 = a0[v14];
          const long long v19 = (v14 + 1);
          const double v20 = a0[v19];
          const long long v24 = (v14 + 2);
          const double v25 = a0[v24];
          ft_f64x8 v11_0 = ft_splat_f64x8(0.0);
          const ft_f64x8 v16_0 = (ft_splat_f64x8(v15) - v3_0);
          const ft_f64x8 v17_0 = (v16_0 * v16_0);
          const ft_f64x8 v18_0 = (v11_0 + v17_0);
          v11_0 = v18_0;
          const ft_f64x8 v21_0 = (ft_splat_f64x8(v20) - v5_0);
          const ft_f64x8 v22_0 = (v21_0 * v21_0);
          const ft_f64x8 v23_0 = (v11_0 + v22_0);
          v11_0 = v23_0;
          const ft_f64x8 v26_0 = (ft_splat_f64x8(v25) - v7_0);
          const ft_f64x8 v27_0 = (v26_0 * v26_0);
          const ft_f64x8 v28_0 = (v11_0 + v27_0);
          v11_0 = v28_0;
          const ft_f64x8 v29_0 = (v11_0 + ft_splat_f64x8(0.01));
          const ft_f64x8 v30_0 = ft_sqrt_f64x8(v29_0);
          const ft_f64x8 v31_0 = (ft_splat_f64x8(1.0) / v30_0);
          const ft_f64x8 v32_0 = (v31_0 * v31_0);
          const ft_f64x8 v33_0 = (v32_0 * v31_0);
          const ft_f64x8 v34_0 = (v16_0 * v33_0);
          const ft_f64x8 v35_0 = s0_0[v10];
          const ft_f64x8 v36_0 = (v35_0 + v34_0);
          s0_0[v10] = v36_0;
          const ft_f64x8 v37_0 = (v21_0 * v33_0);
          const ft_f64x8 v38_0 = s1_0[v10];
          const ft_f64x8 v39_0 = (v38_0 + v37_0);
          s1_0[v10] = v39_0;
          const ft_f64x8 v40_0 = (v26_0 * v33_0);
          const ft_f64x8 v41_0 = s2_0[v10];
          const ft_f64x8 v42_0 = (v41_0 + v40_0);
          s2_0[v10] = v42_0;
          __asm__ volatile ("");
          ft_f64x8 v11_1 = ft_splat_f64x8(0.0);
          const ft_f64x8 v16_1 = (ft_splat_f64x8(v15) - v3_1);
          const ft_f64x8 v17_1 = (v16_1 * v16_1);
          const ft_f64x8 v18_1 = (v11_1 + v17_1);
          v11_1 = v18_1;
          const ft_f64x8 v21_1 = (ft_splat_f64x8(v20) - v5_1);
          const ft_f64x8 v22_1 = (v21_1 * v21_1);
          const ft_f64x8 v23_1 = (v11_1 + v22_1);
          v11_1 = v23_1;
          const ft_f64x8 v26_1 = (ft_splat_f64x8(v25) - v7_1);
          const ft_f64x8 v27_1 = (v26_1 * v26_1);
          const ft_f64x8 v28_1 = (v11_1 + v27_1);
          v11_1 = v28_1;
          const ft_f64x8 v29_1 = (v11_1 + ft_splat_f64x8(0.01));
          const ft_f64x8 v30_1 = ft_sqrt_f64x8(v29_1);
          const ft_f64x8 v31_1 = (ft_splat_f64x8(1.0) / v30_1);
          const ft_f64x8 v32_1 = (v31_1 * v31_1);
          const ft_f64x8 v33_1 = (v32_1 * v31_1);
          const ft_f64x8 v34_1 = (v16_1 * v33_1);
          const ft_f64x8 v35_1 = s0_1[v10];
          const ft_f64x8 v36_1 = (v35_1 + v34_1);
          s0_1[v10] = v36_1;
          const ft_f64x8 v37_1 = (v21_1 * v33_1);
          const ft_f64x8 v38_1 = s1_1[v10];
          const ft_f64x8 v39_1 = (v38_1 + v37_1);
          s1_1[v10] = v39_1;
          const ft_f64x8 v40_1 = (v26_1 * v33_1);
          const ft_f64x8 v41_1 = s2_1[v10];
          const ft_f64x8 v42_1 = (v41_1 + v40_1);
          s2_1[v10] = v42_1;
        }
      }
      for (long long v43 = 0; v43 < 8; v43++) {
        const long long v45 = (v43 + 8);
        const ft_f64x8 v44_0 = s0_0[v43];
        const ft_f64x8 v46_0 = s0_0[v45];
        const ft_f64x8 v47_0 = (v44_0 + v46_0);
        s3_0[v43] = v47_0;
        const ft_f64x8 v48_0 = s1_0[v43];
        const ft_f64x8 v49_0 = s1_0[v45];
        const ft_f64x8 v50_0 = (v48_0 + v49_0);
        s4_0[v43] = v50_0;
        const ft_f64x8 v51_0 = s2_0[v43];
        const ft_f64x8 v52_0 = s2_0[v45];
        const ft_f64x8 v53_0 = (v51_0 + v52_0);
        s5_0[v43] = v53_0;
        const ft_f64x8 v44_1 = s0_1[v43];
        const ft_f64x8 v46_1 = s0_1[v45];
        const ft_f64x8 v47_1 = (v44_1 + v46_1);
        s3_1[v43] = v47_1;
        const ft_f64x8 v48_1 = s1_1[v43];
        const ft_f64x8 v49_1 = s1_1[v45];
        const ft_f64x8 v50_1 = (v48_1 + v49_1);
        s4_1[v43] = v50_1;
        const ft_f64x8 v51_1 = s2_1[v43];
        const ft_f64x8 v52_1 = s2_1[v45];
        const ft_f64x8 v53_1 = (v51_1 + v52_1);
        s5_1[v43] = v53_1;
      }
      for (long long v54 = 0; v54 < 4; v54++) {
        const long long v56 = (v54 + 4);
        const ft_f64x8 v55_0 = s3_0[v54];
        const ft_f64x8 v57_0 = s3_0[v56];
        const ft_f64x8 v58_0 = (v55_0 + v57_0);
        s6_0[v54] = v58_0;
        const ft_f64x8 v59_0 = s4_0[v54];
        const ft_f64x8 v60_0 = s4_0[v56];
        const ft_f64x8 v61_0 = (v59_0 + v60_0);
        s7_0[v54] = v61_0;
        const ft_f64x8 v62_0 = s5_0[v54];
        const ft_f64x8 v63_0 = s5_0[v56];
        const ft_f64x8 v64_0 = (v62_0 + v63_0);
        s8_0[v54] = v64_0;
        const ft_f64x8 v55_1 = s3_1[v54];
        const ft_f64x8 v57_1 = s3_1[v56];
        const ft_f64x8 v58_1 = (v55_1 + v57_1);
        s6_1[v54] = v58_1;
        const ft_f64x8 v59_1 = s4_1[v54];
        const ft_f64x8 v60_1 = s4_1[v56];
        const ft_f64x8 v61_1 = (v59_1 + v60_1);
        s7_1[v54] = v61_1;
        const ft_f64x8 v62_1 = s5_1[v54];
        const ft_f64x8 v63_1 = s5_1[v56];
        const ft_f64x8 v64_1 = (v62_1 + v63_1);
        s8_1[v54] = v64_1;
      }
      for (long long v65 = 0; v65 < 2; v65++) {
        const long long v67 = (v65 + 2);
        const ft_f64x8 v66_0 = s6_0[v65];
        const ft_f64x8 v68_0 = s6_0[v67];
        const ft_f64x8 v69_0 = (v66_0 + v68_0);
        s9_0[v65] = v69_0;
        const ft_f64x8 v70_0 = s7_0[v65];
        const ft_f64x8 v71_0 = s7_0[v67];
        const ft_f64x8 v72_0 = (v70_0 + v71_0);
        s10_0[v65] = v72_0;
        const ft_f64x8 v73_0 = s8_0[v65];
        const ft_f64x8 v74_0 = s8_0[v67];
        const ft_f64x8 v75_0 = (v73_0 + v74_0);
        s11_0[v65] = v75_0;
        const ft_f64x8 v66_1 = s6_1[v65];
        const ft_f64x8 v68_1 = s6_1[v67];
        const ft_f64x8 v69_1 = (v66_1 + v68_1);
        s9_1[v65] = v69_1;
        const ft_f64x8 v70_1 = s7_1[v65];
        const ft_f64x8 v71_1 = s7_1[v67];
        const ft_f64x8 v72_1 = (v70_1 + v71_1);
        s10_1[v65] = v72_1;
        const ft_f64x8 v73_1 = s8_1[v65];
        const ft_f64x8 v74_1 = s8_1[v67];
        const ft_f64x8 v75_1 = (v73_1 + v74_1);
        s11_1[v65] = v75_1;
      }
      const ft_f64x8 v76_0 = s9_0[0];
      const ft_f64x8 v77_0 = s9_0[1];
      const ft_f64x8 v78_0 = (v76_0 + v77_0);
      const ft_f64x8 v79_0 = s10_0[0];
      const ft_f64x8 v80_0 = s10_0[1];
      const ft_f64x8 v81_0 = (v79_0 + v80_0);
      const ft_f64x8 v82_0 = s11_0[0];
      const ft_f64x8 v83_0 = s11_0[1];
      const ft_f64x8 v84_0 = (v82_0 + v83_0);
      o0_own3_0[0] = v78_0;
      o0_own3_0[1] = v81_0;
      o0_own3_0[2] = v84_0;
      const ft_f64x8 v76_1 = s9_1[0];
      const ft_f64x8 v77_1 = s9_1[1];
      const ft_f64x8 v78_1 = (v76_1 + v77_1);
      const ft_f64x8 v79_1 = s10_1[0];
      const ft_f64x8 v80_1 = s10_1[1];
      const ft_f64x8 v81_1 = (v79_1 + v80_1);
      const ft_f64x8 v82_1 = s11_1[0];
      const ft_f64x8 v83_1 = s11_1[1];
      const ft_f64x8 v84_1 = (v82_1 + v83_1);
      o0_own3_1[0] = v78_1;
      o0_own3_1[1] = v81_1;
      o0_own3_1[2] = v84_1;
      if (full) {
        ft_turnoutfirst_f64x8(o0 + (first + 0) * 3 + 0, 3, o0_own3_0 + 0);
        ft_turnoutfirst_f64x8(o0 + (first + 8) * 3 + 0, 3, o0_own3_1 + 0);
      }
      else {
        for (long long v85 = 0; v85 < 3; v85++) {
          const ft_f64x8 v86_0 = o0_own3_0[v85];
          for (int k = 0; k < 8; k++) o0[p0_0[k] * (3) + v85] = v86_0[k];
          const ft_f64x8 v86_1 = o0_own3_1[v85];
          for (int k = 0; k < 8; k++) o0[p0_1[k] * (3) + v85] = v86_1[k];
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
  case 0: if (sizes[1] > 1 && sizes[0] > 1584) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, sizes[0], 128, 1584, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = sizes[0], to = n - at[1] > 211264 ? at[1] + 211264 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
