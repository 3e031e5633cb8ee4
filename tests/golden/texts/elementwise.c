typedef double ft_f64x8 __attribute__((vector_size(64)));
typedef long long ft_i64x8 __attribute__((vector_size(64)));
typedef unsigned long long ft_u64x8 __attribute__((vector_size(64)));
typedef double ft_f64x8p __attribute__((vector_size(64), aligned(8), may_alias));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x8;
#else
typedef ft_i64x8 ft_m64x8;
#endif
double sin(double) __attribute__((const));
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_fma_f64x8(ft_f64x8 a, ft_f64x8 b, ft_f64x8 c) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_vfmaddpd512_mask(a, b, c, (ft_m64x8)-1, 4);
#elif defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  ft_f64x8 r; for (int k = 0; k < 8; k++) r[k] = __builtin_fma(a[k], b[k], c[k]); return r;
#else
  return a * b + c;
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_fnma_f64x8(ft_f64x8 a, ft_f64x8 b, ft_f64x8 c) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_vfnmaddpd512_mask(a, b, c, (ft_m64x8)-1, 4);
#else
  return ft_fma_f64x8(-a, b, c);
#endif
}
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
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_eq_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)__builtin_ia32_cmppd512_mask(a, b, 0, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a == b);
#endif
}
static inline __attribute__((always_inline)) ft_f64x8 ft_sinnear_f64x8(ft_f64x8 x) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  const ft_f64x8 v0 = ft_fma_f64x8(x, ft_splat_f64x8(0.3183098861837907), ft_splat_f64x8(6755399441055744.0));
  const ft_f64x8 v1 = (v0 - ft_splat_f64x8(6755399441055744.0));
  const ft_f64x8 v2 = (-v1);
  const ft_f64x8 v3 = ft_fnma_f64x8(v1, ft_splat_f64x8(3.141592653589793), x);
  const ft_f64x8 v4 = ft_fnma_f64x8(v1, ft_splat_f64x8(1.224646799147353e-16), v3);
  const ft_f64x8 v5 = (-v4);
  const ft_f64x8 v6 = ft_fnma_f64x8(v4, v4, ft_splat_f64x8(0.0));
  const ft_f64x8 v7 = (v6 * v4);
  const ft_f64x8 v8 = (v6 * v6);
  const ft_f64x8 v9 = ft_fma_f64x8(ft_splat_f64x8(7.643097358544194e-13), v6, ft_splat_f64x8(1.605894392776494e-10));
  const ft_f64x8 v10 = ft_fma_f64x8(ft_splat_f64x8(2.7222511067363714e-15), v8, v9);
  const ft_f64x8 v11 = ft_fma_f64x8(ft_splat_f64x8(2.505210696014581e-08), v6, ft_splat_f64x8(2.755731921213165e-06));
  const ft_f64x8 v12 = ft_fma_f64x8(v10, v8, v11);
  const ft_f64x8 v13 = ft_fma_f64x8(ft_splat_f64x8(0.00019841269841215284), v6, ft_splat_f64x8(0.008333333333333212));
  const ft_f64x8 v14 = ft_fma_f64x8(v12, v8, v13);
  const ft_f64x8 v15 = ft_fma_f64x8(v14, v6, ft_splat_f64x8(0.16666666666666666));
  const ft_f64x8 v16 = ft_fnma_f64x8(v1, ft_splat_f64x8(2.1657133478438278e-32), v4);
  const ft_f64x8 v17 = ft_fma_f64x8(v7, v15, v16);
  const ft_m64x8 v18 = ft_lt_f64x8(ft_splat_f64x8(1.0), v17);
  const ft_f64x8 v19 = ft_smaller_f64x8(ft_splat_f64x8(1.0), v17);
  const ft_f64x8 v20 = (-ft_splat_f64x8(1.0));
  const ft_m64x8 v21 = ft_lt_f64x8(v19, v20);
  const ft_f64x8 v22 = ft_larger_f64x8(v20, v19);
  const ft_i64x8 v23 = ((ft_i64x8)v22);
  const ft_i64x8 v24 = ((ft_i64x8)v0);
  const ft_u64x8 v25 = ((ft_u64x8)v24);
  const ft_u64x8 v26 = (v25 << 63);
  const ft_i64x8 v27 = ((ft_i64x8)v26);
  const ft_i64x8 v28 = (v23 ^ v27);
  const ft_f64x8 v29 = ((ft_f64x8)v28);
  return v29;
#else
  const ft_m64x8 v0 = ft_eq_f64x8(x, ft_splat_f64x8(0.0));
  const ft_f64x8 v1 = ft_fma_f64x8(x, ft_splat_f64x8(0.3183098861837907), ft_splat_f64x8(6755399441055744.0));
  const ft_f64x8 v2 = (v1 - ft_splat_f64x8(6755399441055744.0));
  const ft_f64x8 v3 = (v2 * ft_splat_f64x8(3.1415926534682512));
  const ft_f64x8 v4 = (x - v3);
  const ft_f64x8 v5 = (v2 * ft_splat_f64x8(1.2154201012607932e-10));
  const ft_f64x8 v6 = (v4 - v5);
  const ft_f64x8 v7 = (v2 * ft_splat_f64x8(4.044532497422333e-21));
  const ft_f64x8 v8 = (v6 - v7);
  const ft_f64x8 v9 = (v6 - v4);
  const ft_f64x8 v10 = (v6 - v9);
  const ft_f64x8 v11 = (v4 - v10);
  const ft_f64x8 v12 = (-v5);
  const ft_f64x8 v13 = (v12 - v9);
  const ft_f64x8 v14 = (v11 + v13);
  const ft_f64x8 v15 = (v8 - v6);
  const ft_f64x8 v16 = (v8 - v15);
  const ft_f64x8 v17 = (v6 - v16);
  const ft_f64x8 v18 = (-v7);
  const ft_f64x8 v19 = (v18 - v15);
  const ft_f64x8 v20 = (v17 + v19);
  const ft_f64x8 v21 = (v14 + v20);
  const ft_f64x8 v22 = (v2 * ft_splat_f64x8(1.69568553207378e-31));
  const ft_f64x8 v23 = (v21 - v22);
  const ft_f64x8 v24 = (v8 + v23);
  const ft_f64x8 v25 = ft_sel_f64x8(v0, x, v24);
  const ft_f64x8 v26 = (-v25);
  const ft_f64x8 v27 = ft_fnma_f64x8(v25, v25, ft_splat_f64x8(0.0));
  const ft_f64x8 v28 = (v27 * v25);
  const ft_f64x8 v29 = (v27 * v27);
  const ft_f64x8 v30 = ft_fma_f64x8(ft_splat_f64x8(7.643097358544194e-13), v27, ft_splat_f64x8(1.605894392776494e-10));
  const ft_f64x8 v31 = ft_fma_f64x8(ft_splat_f64x8(2.7222511067363714e-15), v29, v30);
  const ft_f64x8 v32 = ft_fma_f64x8(ft_splat_f64x8(2.505210696014581e-08), v27, ft_splat_f64x8(2.755731921213165e-06));
  const ft_f64x8 v33 = ft_fma_f64x8(v31, v29, v32);
  const ft_f64x8 v34 = ft_fma_f64x8(ft_splat_f64x8(0.00019841269841215284), v27, ft_splat_f64x8(0.008333333333333212));
  const ft_f64x8 v35 = ft_fma_f64x8(v33, v29, v34);
  const ft_f64x8 v36 = ft_fma_f64x8(v35, v27, ft_splat_f64x8(0.16666666666666666));
  const ft_f64x8 v37 = ft_fma_f64x8(v28, v36, v25);
  const ft_m64x8 v38 = ft_lt_f64x8(ft_splat_f64x8(1.0), v37);
  const ft_f64x8 v39 = ft_smaller_f64x8(ft_splat_f64x8(1.0), v37);
  const ft_f64x8 v40 = (-ft_splat_f64x8(1.0));
  const ft_m64x8 v41 = ft_lt_f64x8(v39, v40);
  const ft_f64x8 v42 = ft_larger_f64x8(v40, v39);
  const ft_i64x8 v43 = ((ft_i64x8)v42);
  const ft_i64x8 v44 = ((ft_i64x8)v1);
  const ft_u64x8 v45 = ((ft_u64x8)v44);
  const ft_u64x8 v46 = (v45 << 63);
  const ft_i64x8 v47 = ((ft_i64x8)v46);
  const ft_i64x8 v48 = (v43 ^ v47);
  const ft_f64x8 v49 = ((ft_f64x8)v48);
  return v49;
#endif
}
static __inline__ __attribute__((always_inline)) int ft_any_m64x8(ft_m64x8 x) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (x & 255) != 0;
#else
  int r = 0; for (int k = 0; k < 8; k++) r |= x[k] != 0; return r;
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_abs_f64x8(ft_f64x8 x) { return (ft_f64x8)((ft_i64x8)x & 0x7fffffffffffffffLL); }
static __attribute__((noinline, const)) ft_f64x8 ft_sinfar_f64x8(ft_f64x8 x) {
  ft_f64x8 r = ft_sinnear_f64x8(x);
  for (int k = 0; k < 8; k++) if (__builtin_fabs(x[k]) > 1048576.0) r[k] = sin(x[k]);
  return r;
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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_sqrt_f64x8(ft_f64x8 x) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_sqrtpd512_mask(x, (ft_f64x8){0}, -1, 4);
#else
  ft_f64x8 r; for (int k = 0; k < 8; k++) r[k] = __builtin_sqrt(x[k]); return r;
#endif
}
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_getrows_f64x8(const double *p, const long long *row, long long size, long long at) { return (ft_f64x8){p[row[0] * size + at], p[row[1] * size + at], p[row[2] * size + at], p[row[3] * size + at], p[row[4] * size + at], p[row[5] * size + at], p[row[6] * size + at], p[row[7] * size + at]}; }
static __inline__ __attribute__((always_inline)) void ft_setrows_f64x8(double *p, const long long *row, long long size, long long at, ft_f64x8 x) { p[row[0] * size + at] = x[0]; p[row[1] * size + at] = x[1]; p[row[2] * size + at] = x[2]; p[row[3] * size + at] = x[3]; p[row[4] * size + at] = x[4]; p[row[5] * size + at] = x[5]; p[row[6] * size + at] = x[6]; p[row[7] * size + at] = x[7]; }

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
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
      ft_f64x8 o0_own4_0[4];
      ft_f64x8 o0_own4_1[4];
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
      for (long long v3 = 0; v3 < 4; v3++) {
        const ft_f64x8 v4_0 = a0_own4_0[v3];
        ft_f64x8 v5_0 = ft_sinnear_f64x8(v4_0);
        if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v4_0))), 0)) v5_0 = ft_sinfar_f64x8(v4_0);
        const ft_f64x8 v6_0 = (-v4_0);
        const ft_f64x8 v7_0 = (v6_0 * v4_0);
        const ft_f64x8 v8_0 = ft_exp_f64x8(v7_0);
        const ft_f64x8 v9_0 = ft_fma_f64x8(v4_0, v4_0, ft_splat_f64x8(1.0));
        const ft_f64x8 v10_0 = ft_sqrt_f64x8(v9_0);
        const ft_f64x8 v11_0 = ft_fma_f64x8(v5_0, v8_0, v10_0);
        o0_own4_0[v3] = v11_0;
        const ft_f64x8 v4_1 = a0_own4_1[v3];
        ft_f64x8 v5_1 = ft_sinnear_f64x8(v4_1);
        if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v4_1))), 0)) v5_1 = ft_sinfar_f64x8(v4_1);
        const ft_f64x8 v6_1 = (-v4_1);
        const ft_f64x8 v7_1 = (v6_1 * v4_1);
        const ft_f64x8 v8_1 = ft_exp_f64x8(v7_1);
        const ft_f64x8 v9_1 = ft_fma_f64x8(v4_1, v4_1, ft_splat_f64x8(1.0));
        const ft_f64x8 v10_1 = ft_sqrt_f64x8(v9_1);
        const ft_f64x8 v11_1 = ft_fma_f64x8(v5_1, v8_1, v10_1);
        o0_own4_1[v3] = v11_1;
      }
      {
        const ft_f64x8 v12_0 = o0_own4_0[0];
        const ft_f64x8 v12_1 = o0_own4_0[1];
        const ft_f64x8 v12_2 = o0_own4_0[2];
        const ft_f64x8 v12_3 = o0_own4_0[3];
        ft_store_f64x8(o0 + (first + 0) * 4 + 0, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v12_0, v12_1, 0, 8, 0, 0, 1, 9, 0, 0), v12_2, 0, 1, 8, 3, 4, 5, 9, 7), v12_3, 0, 1, 2, 8, 4, 5, 6, 9));
        ft_store_f64x8(o0 + (first + 0) * 4 + 8, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v12_0, v12_1, 2, 10, 0, 0, 3, 11, 0, 0), v12_2, 0, 1, 10, 3, 4, 5, 11, 7), v12_3, 0, 1, 2, 10, 4, 5, 6, 11));
        ft_store_f64x8(o0 + (first + 0) * 4 + 16, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v12_0, v12_1, 4, 12, 0, 0, 5, 13, 0, 0), v12_2, 0, 1, 12, 3, 4, 5, 13, 7), v12_3, 0, 1, 2, 12, 4, 5, 6, 13));
        ft_store_f64x8(o0 + (first + 0) * 4 + 24, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v12_0, v12_1, 6, 14, 0, 0, 7, 15, 0, 0), v12_2, 0, 1, 14, 3, 4, 5, 15, 7), v12_3, 0, 1, 2, 14, 4, 5, 6, 15));
        const ft_f64x8 v13_0 = o0_own4_1[0];
        const ft_f64x8 v13_1 = o0_own4_1[1];
        const ft_f64x8 v13_2 = o0_own4_1[2];
        const ft_f64x8 v13_3 = o0_own4_1[3];
        ft_store_f64x8(o0 + (first + 8) * 4 + 0, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v13_0, v13_1, 0, 8, 0, 0, 1, 9, 0, 0), v13_2, 0, 1, 8, 3, 4, 5, 9, 7), v13_3, 0, 1, 2, 8, 4, 5, 6, 9));
        ft_store_f64x8(o0 + (first + 8) * 4 + 8, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v13_0, v13_1, 2, 10, 0, 0, 3, 11, 0, 0), v13_2, 0, 1, 10, 3, 4, 5, 11, 7), v13_3, 0, 1, 2, 10, 4, 5, 6, 11));
        ft_store_f64x8(o0 + (first + 8) * 4 + 16, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v13_0, v13_1, 4, 12, 0, 0, 5, 13, 0, 0), v13_2, 0, 1, 12, 3, 4, 5, 13, 7), v13_3, 0, 1, 2, 12, 4, 5, 6, 13));
        ft_store_f64x8(o0 + (first + 8) * 4 + 24, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v13_0, v13_1, 6, 14, 0, 0, 7, 15, 0, 0), v13_2, 0, 1, 14, 3, 4, 5, 15, 7), v13_3, 0, 1, 2, 14, 4, 5, 6, 15));
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
      ft_f64x8 o0_own4_0[4];
      if (full) {
        const ft_f64x8 v14_0 = ft_load_f64x8(a0 + (first + 0) * 4 + 0);
        const ft_f64x8 v14_1 = ft_load_f64x8(a0 + (first + 0) * 4 + 8);
        const ft_f64x8 v14_2 = ft_load_f64x8(a0 + (first + 0) * 4 + 16);
        const ft_f64x8 v14_3 = ft_load_f64x8(a0 + (first + 0) * 4 + 24);
        a0_own4_0[0] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v14_0, v14_1, 0, 4, 8, 12, 0, 0, 0, 0), v14_2, 0, 1, 2, 3, 8, 12, 6, 7), v14_3, 0, 1, 2, 3, 4, 5, 8, 12);
        a0_own4_0[1] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v14_0, v14_1, 1, 5, 9, 13, 0, 0, 0, 0), v14_2, 0, 1, 2, 3, 9, 13, 6, 7), v14_3, 0, 1, 2, 3, 4, 5, 9, 13);
        a0_own4_0[2] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v14_0, v14_1, 2, 6, 10, 14, 0, 0, 0, 0), v14_2, 0, 1, 2, 3, 10, 14, 6, 7), v14_3, 0, 1, 2, 3, 4, 5, 10, 14);
        a0_own4_0[3] = __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v14_0, v14_1, 3, 7, 11, 15, 0, 0, 0, 0), v14_2, 0, 1, 2, 3, 11, 15, 6, 7), v14_3, 0, 1, 2, 3, 4, 5, 11, 15);
      }
      else {
        for (long long v15 = 0; v15 < 4; v15++) {
          const ft_f64x8 v16_0 = ft_getrows_f64x8(a0, p0_0, 4, v15);
          a0_own4_0[v15] = v16_0;
        }
      }
      for (long long v17 = 0; v17 < 4; v17++) {
        const ft_f64x8 v18_0 = a0_own4_0[v17];
        ft_f64x8 v19_0 = ft_sinnear_f64x8(v18_0);
        if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v18_0))), 0)) v19_0 = ft_sinfar_f64x8(v18_0);
        const ft_f64x8 v20_0 = (-v18_0);
        const ft_f64x8 v21_0 = (v20_0 * v18_0);
        const ft_f64x8 v22_0 = ft_exp_f64x8(v21_0);
        const ft_f64x8 v23_0 = ft_fma_f64x8(v18_0, v18_0, ft_splat_f64x8(1.0));
        const ft_f64x8 v24_0 = ft_sqrt_f64x8(v23_0);
        const ft_f64x8 v25_0 = ft_fma_f64x8(v19_0, v22_0, v24_0);
        o0_own4_0[v17] = v25_0;
      }
      if (full) {
        const ft_f64x8 v26_0 = o0_own4_0[0];
        const ft_f64x8 v26_1 = o0_own4_0[1];
        const ft_f64x8 v26_2 = o0_own4_0[2];
        const ft_f64x8 v26_3 = o0_own4_0[3];
        ft_store_f64x8(o0 + (first + 0) * 4 + 0, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v26_0, v26_1, 0, 8, 0, 0, 1, 9, 0, 0), v26_2, 0, 1, 8, 3, 4, 5, 9, 7), v26_3, 0, 1, 2, 8, 4, 5, 6, 9));
        ft_store_f64x8(o0 + (first + 0) * 4 + 8, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v26_0, v26_1, 2, 10, 0, 0, 3, 11, 0, 0), v26_2, 0, 1, 10, 3, 4, 5, 11, 7), v26_3, 0, 1, 2, 10, 4, 5, 6, 11));
        ft_store_f64x8(o0 + (first + 0) * 4 + 16, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v26_0, v26_1, 4, 12, 0, 0, 5, 13, 0, 0), v26_2, 0, 1, 12, 3, 4, 5, 13, 7), v26_3, 0, 1, 2, 12, 4, 5, 6, 13));
        ft_store_f64x8(o0 + (first + 0) * 4 + 24, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v26_0, v26_1, 6, 14, 0, 0, 7, 15, 0, 0), v26_2, 0, 1, 14, 3, 4, 5, 15, 7), v26_3, 0, 1, 2, 14, 4, 5, 6, 15));
      }
      else {
        for (long long v27 = 0; v27 < 4; v27++) {
          const ft_f64x8 v28_0 = o0_own4_0[v27];
          ft_setrows_f64x8(o0, p0_0, 4, v27, v28_0);
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
  {k0_part, 0, 1152, 16651, 2220288, 32, 0},
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
