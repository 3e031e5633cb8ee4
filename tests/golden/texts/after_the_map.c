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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_loadsome_f64x8(const double *p, int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_loadupd512_mask(p, ft_splat_f64x8(p[n - 1]), ft_first_m64x8(n));
#else
  return (ft_f64x8){p[0 < n ? 0 : n - 1], p[1 < n ? 1 : n - 1], p[2 < n ? 2 : n - 1], p[3 < n ? 3 : n - 1], p[4 < n ? 4 : n - 1], p[5 < n ? 5 : n - 1], p[6 < n ? 6 : n - 1], p[7 < n ? 7 : n - 1]};
#endif
}
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
      ft_f64x8 o0_own5_0[5];
      ft_f64x8 o0_own5_1[5];
      for (long long v1 = 0; v1 < 5; v1++) {
        const long long v2 = (v1 * n0);
        const ft_f64x8 v3_0 = ft_load_f64x8(a0 + first + 0 + v2);
        ft_f64x8 v4_0 = ft_sinnear_f64x8(v3_0);
        if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v3_0))), 0)) v4_0 = ft_sinfar_f64x8(v3_0);
        const ft_f64x8 v5_0 = (-v3_0);
        const ft_f64x8 v6_0 = (v5_0 * v3_0);
        const ft_f64x8 v7_0 = ft_exp_f64x8(v6_0);
        const ft_f64x8 v8_0 = ft_fma_f64x8(v3_0, v3_0, ft_splat_f64x8(1.0));
        const ft_f64x8 v9_0 = ft_sqrt_f64x8(v8_0);
        const ft_f64x8 v10_0 = ft_fma_f64x8(v4_0, v7_0, v9_0);
        const ft_f64x8 v11_0 = (v10_0 * ft_splat_f64x8(2.0));
        o0_own5_0[v1] = v11_0;
        const ft_f64x8 v3_1 = ft_load_f64x8(a0 + first + 8 + v2);
        ft_f64x8 v4_1 = ft_sinnear_f64x8(v3_1);
        if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v3_1))), 0)) v4_1 = ft_sinfar_f64x8(v3_1);
        const ft_f64x8 v5_1 = (-v3_1);
        const ft_f64x8 v6_1 = (v5_1 * v3_1);
        const ft_f64x8 v7_1 = ft_exp_f64x8(v6_1);
        const ft_f64x8 v8_1 = ft_fma_f64x8(v3_1, v3_1, ft_splat_f64x8(1.0));
        const ft_f64x8 v9_1 = ft_sqrt_f64x8(v8_1);
        const ft_f64x8 v10_1 = ft_fma_f64x8(v4_1, v7_1, v9_1);
        const ft_f64x8 v11_1 = (v10_1 * ft_splat_f64x8(2.0));
        o0_own5_1[v1] = v11_1;
      }
      {
        ft_turnoutfirst_f64x8(o0 + (first + 0) * 5 + 0, 5, o0_own5_0 + 0);
        ft_turnoutfirst_f64x8(o0 + (first + 8) * 5 + 0, 5, o0_own5_1 + 0);
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
      ft_f64x8 o0_own5_0[5];
      for (long long v12 = 0; v12 < 5; v12++) {
        const long long v13 = (v12 * n0);
        const ft_f64x8 v14_0 = full ? ft_load_f64x8(a0 + first + 0 + v13) : ft_loadsome_f64x8(a0 + first + v13, left_0);
        ft_f64x8 v15_0 = ft_sinnear_f64x8(v14_0);
        if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v14_0))), 0)) v15_0 = ft_sinfar_f64x8(v14_0);
        const ft_f64x8 v16_0 = (-v14_0);
        const ft_f64x8 v17_0 = (v16_0 * v14_0);
        const ft_f64x8 v18_0 = ft_exp_f64x8(v17_0);
        const ft_f64x8 v19_0 = ft_fma_f64x8(v14_0, v14_0, ft_splat_f64x8(1.0));
        const ft_f64x8 v20_0 = ft_sqrt_f64x8(v19_0);
        const ft_f64x8 v21_0 = ft_fma_f64x8(v15_0, v18_0, v20_0);
        const ft_f64x8 v22_0 = (v21_0 * ft_splat_f64x8(2.0));
        o0_own5_0[v12] = v22_0;
      }
      if (full) {
        ft_turnoutfirst_f64x8(o0 + (first + 0) * 5 + 0, 5, o0_own5_0 + 0);
      }
      else {
        for (long long v23 = 0; v23 < 5; v23++) {
          const ft_f64x8 v24_0 = o0_own5_0[v23];
          ft_setrows_f64x8(o0, p0_0, 5, v23, v24_0);
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
  {k0_part, 0, 896, 13157, 1754432, 32, 0},
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
