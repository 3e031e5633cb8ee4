typedef double ft_f64x4 __attribute__((vector_size(32)));
typedef long long ft_i64x4 __attribute__((vector_size(32)));
typedef unsigned long long ft_u64x4 __attribute__((vector_size(32)));
typedef double ft_f64x4p __attribute__((vector_size(32), aligned(8), may_alias));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x4;
#else
typedef ft_i64x4 ft_m64x4;
#endif
typedef double ft_f64x8 __attribute__((vector_size(64)));
typedef long long ft_i64x8 __attribute__((vector_size(64)));
typedef unsigned long long ft_u64x8 __attribute__((vector_size(64)));
typedef double ft_f64x8p __attribute__((vector_size(64), aligned(8), may_alias));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x8;
#else
typedef ft_i64x8 ft_m64x8;
#endif
static inline long long ft_min_i64(long long a, long long b) { return a < b ? a : b; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_fma_f64x8(ft_f64x8 a, ft_f64x8 b, ft_f64x8 c) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_vfmaddpd512_mask(a, b, c, (ft_m64x8)-1, 4);
#elif defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  ft_f64x8 r; for (int k = 0; k < 8; k++) r[k] = __builtin_fma(a[k], b[k], c[k]); return r;
#else
  return a * b + c;
#endif
}
#if defined(__clang__)
#define FT_TILE
#else
#define FT_TILE __attribute__((optimize("expensive-optimizations", "no-schedule-insns")))
#endif
#if defined(__x86_64__)
#define FT_HELD(x) __asm__("" : "+v"(x))
#else
#define FT_HELD(x)
#endif
static __attribute__((noinline)) FT_TILE void ft_wmma8x16_f64(double *restrict c, const double *a, const double *b,
    long long row, long long step, long long stride, long long rows, long long terms) {
  enum { R = 8, C = 2 };
  for (long long i0 = 0; i0 < rows; i0 += R) for (long long j0 = 0; j0 < 16; j0 += C * 8) {
    const double *p[R];
    ft_f64x8 s[R][C];
#pragma GCC unroll 8
    for (int i = 0; i < R; i++) {
      p[i] = a + (i0 + i < rows ? i0 + i : rows - 1) * row;
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) s[i][j] = (ft_f64x8){0};
    }
    long long k = 0;
    do {
      ft_f64x8 y[C];
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) {
        ft_f64x8 read = ft_load_f64x8(b + k * stride + j0 + j * 8);
        FT_HELD(read);
        y[j] = read;
      }
#pragma GCC unroll 8
      for (int i = 0; i < R; i++) {
        const ft_f64x8 x = ft_splat_f64x8(p[i][k * step]);
#pragma GCC unroll 8
        for (int j = 0; j < C; j++) s[i][j] = ft_fma_f64x8(x, y[j], s[i][j]);
      }
    } while (++k < terms);
#pragma GCC unroll 8
    for (int i = 0; i < R; i++)
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) {
        double *const to = c + (i0 + i) * 16 + j0 + j * 8;
        ft_store_f64x8(to, s[i][j]);
      }
  }
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_abs_f64x8(ft_f64x8 x) { return (ft_f64x8)((ft_i64x8)x & 0x7fffffffffffffffLL); }
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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_fnma_f64x8(ft_f64x8 a, ft_f64x8 b, ft_f64x8 c) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_vfnmaddpd512_mask(a, b, c, (ft_m64x8)-1, 4);
#else
  return ft_fma_f64x8(-a, b, c);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_copysign_f64x8(ft_f64x8 a, ft_f64x8 b) { return (ft_f64x8)(((ft_i64x8)a & 0x7fffffffffffffffLL) | ((ft_i64x8)b & ~0x7fffffffffffffffLL)); }
static inline __attribute__((always_inline)) ft_f64x8 ft_tanh_f64x8(ft_f64x8 x) {
  const ft_f64x8 v0 = ft_abs_f64x8(x);
  const ft_m64x8 v1 = ft_lt_f64x8(ft_splat_f64x8(22.0), v0);
  const ft_f64x8 v2 = ft_smaller_f64x8(ft_splat_f64x8(22.0), v0);
  const ft_m64x8 v3 = ft_lt_f64x8(v2, ft_splat_f64x8(0.3465));
  const ft_f64x8 v4 = ft_sel_f64x8(v3, v2, ft_splat_f64x8(0.0));
  const ft_f64x8 v5 = (-v2);
  const ft_f64x8 v6 = (v2 + v2);
  const ft_f64x8 v7 = ft_fma_f64x8(v6, ft_splat_f64x8(1.4426950408889634), ft_splat_f64x8(-0.4999));
  const ft_f64x8 v8 = (v7 + ft_splat_f64x8(6755399441056767.0));
  const ft_i64x8 v9 = ((ft_i64x8)v8);
  const ft_u64x8 v10 = ((ft_u64x8)v9);
  const ft_u64x8 v11 = (v10 << 52);
  const ft_i64x8 v12 = ((ft_i64x8)v11);
  const ft_f64x8 v13 = ((ft_f64x8)v12);
  const ft_f64x8 v14 = (v8 - ft_splat_f64x8(6755399441056767.0));
  const ft_f64x8 v15 = (-v14);
  const ft_f64x8 v16 = ft_fnma_f64x8(v14, ft_splat_f64x8(0.6931471804855391), v6);
  const ft_f64x8 v17 = ft_fnma_f64x8(v14, ft_splat_f64x8(7.440617110012397e-11), v16);
  const ft_f64x8 v18 = (v17 * v17);
  const ft_f64x8 v19 = ft_fma_f64x8(ft_splat_f64x8(2.597774849382711e-07), v17, ft_splat_f64x8(2.7704532042103747e-06));
  const ft_f64x8 v20 = ft_fma_f64x8(ft_splat_f64x8(3.4331021392844367e-08), v18, v19);
  const ft_f64x8 v21 = ft_fma_f64x8(ft_splat_f64x8(2.4793212431437307e-05), v17, ft_splat_f64x8(0.00019841571476255396));
  const ft_f64x8 v22 = ft_fma_f64x8(v20, v18, v21);
  const ft_f64x8 v23 = ft_fma_f64x8(ft_splat_f64x8(0.0013888882029995725), v17, ft_splat_f64x8(0.008333333428189656));
  const ft_f64x8 v24 = ft_fma_f64x8(v22, v18, v23);
  const ft_f64x8 v25 = ft_fma_f64x8(ft_splat_f64x8(0.041666666659332226), v17, ft_splat_f64x8(0.1666666666669328));
  const ft_f64x8 v26 = ft_fma_f64x8(v24, v18, v25);
  const ft_f64x8 v27 = ft_fma_f64x8(v26, v17, ft_splat_f64x8(0.4999999999999971));
  const ft_f64x8 v28 = (v27 * v18);
  const ft_f64x8 v29 = (v28 + v17);
  const ft_f64x8 v30 = (v13 - ft_splat_f64x8(1.0));
  const ft_f64x8 v31 = ft_fma_f64x8(v13, v29, v30);
  const ft_f64x8 v32 = ft_fnma_f64x8(v2, v31, v28);
  const ft_f64x8 v33 = ft_sel_f64x8(v3, v32, v31);
  const ft_f64x8 v34 = (v31 + ft_splat_f64x8(2.0));
  const ft_f64x8 v35 = (v33 / v34);
  const ft_f64x8 v36 = (v4 + v35);
  const ft_f64x8 v37 = ft_copysign_f64x8(v36, x);
  return v37;
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_loadif_f64x8(const double *p, ft_m64x8 m) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_loadupd512_mask(p, (ft_f64x8){0}, m);
#else
  return (ft_f64x8){m[0] ? p[0] : 0, m[1] ? p[1] : 0, m[2] ? p[2] : 0, m[3] ? p[3] : 0, m[4] ? p[4] : 0, m[5] ? p[5] : 0, m[6] ? p[6] : 0, m[7] ? p[7] : 0};
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_loadfirst_f64x8(const double *p, int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return ft_loadif_f64x8(p, ft_first_m64x8(n));
#else
  return (ft_f64x8){0 < n ? p[0] : 0, 1 < n ? p[1] : 0, 2 < n ? p[2] : 0, 3 < n ? p[3] : 0, 4 < n ? p[4] : 0, 5 < n ? p[5] : 0, 6 < n ? p[6] : 0, 7 < n ? p[7] : 0};
#endif
}
static __inline__ __attribute__((always_inline)) void ft_storefirst_f64x8(double *p, ft_f64x8 x, int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  __builtin_ia32_storeupd512_mask(p, x, ft_first_m64x8(n));
#else
  if (0 < n) { p[0] = x[0]; } if (1 < n) { p[1] = x[1]; } if (2 < n) { p[2] = x[2]; } if (3 < n) { p[3] = x[3]; } if (4 < n) { p[4] = x[4]; } if (5 < n) { p[5] = x[5]; } if (6 < n) { p[6] = x[6]; } if (7 < n) { p[7] = x[7]; }
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_load_f64x4(const double *p) { return *(const ft_f64x4p *)p; }
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_abs_f64x4(ft_f64x4 x) { return (ft_f64x4)((ft_i64x4)x & 0x7fffffffffffffffLL); }
static __inline__ __attribute__((always_inline)) ft_m64x4 ft_lt_f64x4(ft_f64x4 a, ft_f64x4 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x4)__builtin_ia32_cmppd256_mask(a, b, 1, (ft_m64x4)-1);
#else
  return (ft_m64x4)(a < b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_splat_f64x4(double x) { return (ft_f64x4){x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_sel_f64x4(ft_m64x4 m, ft_f64x4 a, ft_f64x4 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_blendmpd_256_mask(b, a, m);
#elif defined(__AVX2__) && !defined(__clang__)
  return (ft_f64x4)__builtin_ia32_blendvpd256((ft_f64x4)b, (ft_f64x4)a, (ft_f64x4)m);
#else
  return (ft_f64x4)((m & (ft_i64x4)a) | (~m & (ft_i64x4)b));
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_smaller_f64x4(ft_f64x4 a, ft_f64x4 b) {
#if defined(__AVX__) && !defined(__clang__)
  return __builtin_ia32_minpd256(a, b);
#else
  return ft_sel_f64x4(ft_lt_f64x4(a, b), a, b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_fma_f64x4(ft_f64x4 a, ft_f64x4 b, ft_f64x4 c) {
#if defined(__AVX__) && !defined(__clang__) && defined(__FMA__)
  return __builtin_ia32_vfmaddpd256(a, b, c);
#elif defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  ft_f64x4 r; for (int k = 0; k < 4; k++) r[k] = __builtin_fma(a[k], b[k], c[k]); return r;
#else
  return a * b + c;
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_fnma_f64x4(ft_f64x4 a, ft_f64x4 b, ft_f64x4 c) { return ft_fma_f64x4(-a, b, c); }
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_copysign_f64x4(ft_f64x4 a, ft_f64x4 b) { return (ft_f64x4)(((ft_i64x4)a & 0x7fffffffffffffffLL) | ((ft_i64x4)b & ~0x7fffffffffffffffLL)); }
static inline __attribute__((always_inline)) ft_f64x4 ft_tanh_f64x4(ft_f64x4 x) {
  const ft_f64x4 v0 = ft_abs_f64x4(x);
  const ft_m64x4 v1 = ft_lt_f64x4(ft_splat_f64x4(22.0), v0);
  const ft_f64x4 v2 = ft_smaller_f64x4(ft_splat_f64x4(22.0), v0);
  const ft_m64x4 v3 = ft_lt_f64x4(v2, ft_splat_f64x4(0.3465));
  const ft_f64x4 v4 = ft_sel_f64x4(v3, v2, ft_splat_f64x4(0.0));
  const ft_f64x4 v5 = (-v2);
  const ft_f64x4 v6 = (v2 + v2);
  const ft_f64x4 v7 = ft_fma_f64x4(v6, ft_splat_f64x4(1.4426950408889634), ft_splat_f64x4(-0.4999));
  const ft_f64x4 v8 = (v7 + ft_splat_f64x4(6755399441056767.0));
  const ft_i64x4 v9 = ((ft_i64x4)v8);
  const ft_u64x4 v10 = ((ft_u64x4)v9);
  const ft_u64x4 v11 = (v10 << 52);
  const ft_i64x4 v12 = ((ft_i64x4)v11);
  const ft_f64x4 v13 = ((ft_f64x4)v12);
  const ft_f64x4 v14 = (v8 - ft_splat_f64x4(6755399441056767.0));
  const ft_f64x4 v15 = (-v14);
  const ft_f64x4 v16 = ft_fnma_f64x4(v14, ft_splat_f64x4(0.6931471804855391), v6);
  const ft_f64x4 v17 = ft_fnma_f64x4(v14, ft_splat_f64x4(7.440617110012397e-11), v16);
  const ft_f64x4 v18 = (v17 * v17);
  const ft_f64x4 v19 = ft_fma_f64x4(ft_splat_f64x4(2.597774849382711e-07), v17, ft_splat_f64x4(2.7704532042103747e-06));
  const ft_f64x4 v20 = ft_fma_f64x4(ft_splat_f64x4(3.4331021392844367e-08), v18, v19);
  const ft_f64x4 v21 = ft_fma_f64x4(ft_splat_f64x4(2.4793212431437307e-05), v17, ft_splat_f64x4(0.00019841571476255396));
  const ft_f64x4 v22 = ft_fma_f64x4(v20, v18, v21);
  const ft_f64x4 v23 = ft_fma_f64x4(ft_splat_f64x4(0.0013888882029995725), v17, ft_splat_f64x4(0.008333333428189656));
  const ft_f64x4 v24 = ft_fma_f64x4(v22, v18, v23);
  const ft_f64x4 v25 = ft_fma_f64x4(ft_splat_f64x4(0.041666666659332226), v17, ft_splat_f64x4(0.1666666666669328));
  const ft_f64x4 v26 = ft_fma_f64x4(v24, v18, v25);
  const ft_f64x4 v27 = ft_fma_f64x4(v26, v17, ft_splat_f64x4(0.4999999999999971));
  const ft_f64x4 v28 = (v27 * v18);
  const ft_f64x4 v29 = (v28 + v17);
  const ft_f64x4 v30 = (v13 - ft_splat_f64x4(1.0));
  const ft_f64x4 v31 = ft_fma_f64x4(v13, v29, v30);
  const ft_f64x4 v32 = ft_fnma_f64x4(v2, v31, v28);
  const ft_f64x4 v33 = ft_sel_f64x4(v3, v32, v31);
  const ft_f64x4 v34 = (v31 + ft_splat_f64x4(2.0));
  const ft_f64x4 v35 = (v33 / v34);
  const ft_f64x4 v36 = (v4 + v35);
  const ft_f64x4 v37 = ft_copysign_f64x4(v36, x);
  return v37;
}
static __inline__ __attribute__((always_inline)) void ft_store_f64x4(double *p, ft_f64x4 x) { *(ft_f64x4p *)p = x; }

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  {
    long long v0 = from;
    const int full = 1;
    for (; v0 < to; v0 += 8) {
      const long long first = full && v0 > to - 8 ? to - 8 : v0;
      const int left_0 = to - first < 8 ? (int)(to - first) : 8;
      long long p0_0[8];
      for (int k = 0; k < 8; k++) {
        p0_0[k] = first + (k < left_0 ? k : left_0 - 1);
      }
      ft_f64x8 o0_own16_0[16];
      for (long long v1 = 0; v1 < 16; v1++) {
        const long long v2 = ft_min_i64(v1, 11);
        const long long v3 = (v2 * 10);
        const ft_f64x8 v4_0 = full ? ft_load_f64x8(a0 + first + 0 + v3) : ft_loadsome_f64x8(a0 + first + v3, left_0);
        o0_own16_0[v1] = v4_0;
      }
      if (full) {
        ft_turnout_f64x8(o0 + (first + 0) * 16 + 0, 16, o0_own16_0 + 0);
        ft_turnout_f64x8(o0 + (first + 0) * 16 + 8, 16, o0_own16_0 + 8);
      }
      else {
        for (long long v5 = 0; v5 < 16; v5++) {
          const ft_f64x8 v6_0 = o0_own16_0[v5];
          ft_setrows_f64x8(o0, p0_0, 16, v5, v6_0);
        }
      }
    }
  }
}

static __attribute__((noinline)) void k1(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    const long long v0 = ft_min_i64((n0 + (i0 * -64)), 64);
    for (long long i1 = 0; i1 < 0; i1++) {
      double s0[1024] __attribute__((aligned(64)));
      const long long v1 = (v0 + 7) / 8;
      for (long long i2 = 0; i2 < v1; i2++) {
        ft_wmma8x16_f64(s0 + (i2 * 128), a0 + ((((i0 * 64) + (i2 * 8)) * 10) + 0), a1 + ((0LL * 16LL) + (i1 * 16)), 10, 1, 16, ft_min_i64((v0 + (i2 * -8)), 8), 10);
      }
      for (long long i3 = 0; i3 < v0; i3++) {
        const long long v2 = ((i1 * -16) + 12);
        if (0 < v2) {
        long long i4 = 0;
        for (; i4 <= v2 - 8; i4 += 8) {
          const ft_f64x8 v3 = ft_load_f64x8(s0 + ((i3 * 16) + i4));
          const ft_f64x8 v4 = ft_tanh_f64x8(v3);
          ft_store_f64x8(o0 + ((((i0 * 64) + i3) * 12) + ((i1 * 16) + i4)), v4);
        }
        if (i4 < v2) {
          const ft_f64x8 v5 = ft_loadfirst_f64x8(s0 + ((i3 * 16) + i4), (int)(v2 - i4));
          const ft_f64x8 v6 = ft_tanh_f64x8(v5);
          ft_storefirst_f64x8(o0 + ((((i0 * 64) + i3) * 12) + ((i1 * 16) + i4)), v6, (int)(v2 - i4));
        }
        }
      }
    }
    double s1[1024] __attribute__((aligned(64)));
    const long long v7 = (v0 + 7) / 8;
    for (long long i5 = 0; i5 < v7; i5++) {
      ft_wmma8x16_f64(s1 + (i5 * 128), a0 + ((((i0 * 64) + (i5 * 8)) * 10) + 0), a1 + ((0LL * 16LL) + 0), 10, 1, 16, ft_min_i64((v0 + (i5 * -8)), 8), 10);
    }
    for (long long i6 = 0; i6 < v0; i6++) {
      const ft_f64x8 v8 = ft_load_f64x8(s1 + ((i6 * 16) + 0));
      const ft_f64x8 v9 = ft_tanh_f64x8(v8);
      ft_store_f64x8(o0 + ((((i0 * 64) + i6) * 12) + 0), v9);
      const ft_f64x4 v10 = ft_load_f64x4(s1 + ((i6 * 16) + 8));
      const ft_f64x4 v11 = ft_tanh_f64x4(v10);
      ft_store_f64x4(o0 + ((((i0 * 64) + i6) * 12) + 8), v11);
    }
  }
}

static int k0_part(void **buffers, const long long *sizes, long long from, long long to, long long place) {
  k0(buffers[1], buffers[3], (char *)buffers[4], sizes[0], from, to);
  return 0;
}

static int k1_part(void **buffers, const long long *sizes, long long from, long long to, long long place) {
  k1(buffers[0], buffers[3], buffers[2], (char *)buffers[4], sizes[1], from, to);
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
  {k0_part, 0, 3136, 46875, 6250048, 32, 0},
  {k1_part, 1, 3, 36, 4864, 0, 0},
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
  case 1: if (ft_turn(buffers, sizes, call, ft_shares + 1, ((sizes[1] + 63) / 64), 0)) return FT_AGAIN;
  }
#ifdef __AVX__
  __builtin_ia32_vzeroupper();
#endif
  return 0;
}
