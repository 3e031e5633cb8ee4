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
double cos(double) __attribute__((const));
double tan(double) __attribute__((const));
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
  if (0 < row) { to[0] = x0; } if (1 < row) { to[1] = x1; } if (2 < row) { to[2] = x2; } if (3 < row) { to[3] = x3; } if (4 < row) { to[4] = x4; } if (5 < row) { to[5] = x5; } if (6 < row) { to[6] = x6; } if (7 < row) { to[7] = x7; }
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_getrows_f64x8(const double *p, const long long *row, long long size, long long at) { return (ft_f64x8){p[row[0] * size + at], p[row[1] * size + at], p[row[2] * size + at], p[row[3] * size + at], p[row[4] * size + at], p[row[5] * size + at], p[row[6] * size + at], p[row[7] * size + at]}; }
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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_abs_f64x8(ft_f64x8 x) { return (ft_f64x8)((ft_i64x8)x & 0x7fffffffffffffffLL); }
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_lt_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)__builtin_ia32_cmppd512_mask(a, b, 1, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a < b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_eq_i64x8(ft_i64x8 a, ft_i64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)__builtin_ia32_cmpq512_mask((ft_i64x8)a, (ft_i64x8)b, 0, (ft_m64x8)-1);
#else
  return (ft_m64x8)(a == b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_fnma_f64x8(ft_f64x8 a, ft_f64x8 b, ft_f64x8 c) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_vfnmaddpd512_mask(a, b, c, (ft_m64x8)-1, 4);
#else
  return ft_fma_f64x8(-a, b, c);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_sel_f64x8(ft_m64x8 m, ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_blendmpd_512_mask(b, a, m);
#else
  return (ft_f64x8)((m & (ft_i64x8)a) | (~m & (ft_i64x8)b));
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_eq_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)__builtin_ia32_cmppd512_mask(a, b, 0, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a == b);
#endif
}
static inline __attribute__((always_inline)) ft_f64x8 ft_tannear_f64x8(ft_f64x8 x) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  const ft_f64x8 v0 = ft_abs_f64x8(x);
  const ft_m64x8 v1 = ft_lt_f64x8(v0, ft_splat_f64x8(3.725290298461914e-09));
  const ft_f64x8 v2 = ft_fma_f64x8(v0, ft_splat_f64x8(0.6366197723675814), ft_splat_f64x8(6755399441055744.0));
  const ft_i64x8 v3 = ((ft_i64x8)v2);
  const ft_i64x8 v4 = (v3 & ft_splat_i64x8(1LL));
  const ft_m64x8 v5 = ft_eq_i64x8(v4, ft_splat_i64x8(0LL));
  const ft_f64x8 v6 = (v2 - ft_splat_f64x8(6755399441055744.0));
  const ft_f64x8 v7 = (ft_splat_f64x8(0.5) * v6);
  const ft_f64x8 v8 = (-v7);
  const ft_f64x8 v9 = ft_fnma_f64x8(v7, ft_splat_f64x8(3.141592653589793), v0);
  const ft_f64x8 v10 = ft_fnma_f64x8(v7, ft_splat_f64x8(1.224646799147353e-16), v9);
  const ft_f64x8 v11 = ft_fnma_f64x8(v7, ft_splat_f64x8(2.1657133478438278e-32), v10);
  const ft_f64x8 v12 = (v11 * v11);
  const ft_f64x8 v13 = (v12 * v11);
  const ft_f64x8 v14 = ft_fma_f64x8(ft_splat_f64x8(1.5896795597066373e-10), v12, ft_splat_f64x8(-2.5050758113311716e-08));
  const ft_f64x8 v15 = ft_fma_f64x8(v14, v12, ft_splat_f64x8(2.7557313691896967e-06));
  const ft_f64x8 v16 = ft_fma_f64x8(v15, v12, ft_splat_f64x8(-0.0001984126982980771));
  const ft_f64x8 v17 = ft_fma_f64x8(v16, v12, ft_splat_f64x8(0.008333333333322413));
  const ft_f64x8 v18 = ft_fma_f64x8(v17, v12, ft_splat_f64x8(-0.16666666666666632));
  const ft_f64x8 v19 = (v13 * v18);
  const ft_f64x8 v20 = (v11 + v19);
  const ft_f64x8 v21 = (ft_splat_f64x8(0.5) * v12);
  const ft_f64x8 v22 = (ft_splat_f64x8(1.0) - v21);
  const ft_f64x8 v23 = (ft_splat_f64x8(1.0) - v22);
  const ft_f64x8 v24 = (v23 - v21);
  const ft_f64x8 v25 = (v12 * v12);
  const ft_f64x8 v26 = ft_fma_f64x8(ft_splat_f64x8(-1.135964894460712e-11), v12, ft_splat_f64x8(2.087572329494357e-09));
  const ft_f64x8 v27 = ft_fma_f64x8(v26, v12, ft_splat_f64x8(-2.755731435248876e-07));
  const ft_f64x8 v28 = ft_fma_f64x8(v27, v12, ft_splat_f64x8(2.4801587289482706e-05));
  const ft_f64x8 v29 = ft_fma_f64x8(v28, v12, ft_splat_f64x8(-0.0013888888888874125));
  const ft_f64x8 v30 = ft_fma_f64x8(v29, v12, ft_splat_f64x8(0.0416666666666666));
  const ft_f64x8 v31 = (v25 * v30);
  const ft_f64x8 v32 = (v24 + v31);
  const ft_f64x8 v33 = (v22 + v32);
  const ft_f64x8 v34 = (-v33);
  const ft_f64x8 v35 = ft_sel_f64x8(v5, v20, v34);
  const ft_f64x8 v36 = ft_sel_f64x8(v5, v33, v20);
  const ft_f64x8 v37 = (ft_splat_f64x8(1.0) / v36);
  const ft_f64x8 v38 = (v35 * v37);
  const ft_f64x8 v39 = (-v38);
  const ft_f64x8 v40 = ft_fnma_f64x8(v38, v36, v35);
  const ft_f64x8 v41 = (v11 - v20);
  const ft_f64x8 v42 = (v41 + v19);
  const ft_f64x8 v43 = (v22 - v33);
  const ft_f64x8 v44 = (v43 + v32);
  const ft_f64x8 v45 = (-v44);
  const ft_f64x8 v46 = ft_sel_f64x8(v5, v42, v45);
  const ft_f64x8 v47 = ft_sel_f64x8(v5, v44, v42);
  const ft_f64x8 v48 = (v38 * v47);
  const ft_f64x8 v49 = (v46 - v48);
  const ft_f64x8 v50 = (v40 + v49);
  const ft_f64x8 v51 = (v50 * v37);
  const ft_f64x8 v52 = (v38 + v51);
  const ft_f64x8 v53 = ft_sel_f64x8(v1, v0, v52);
  const ft_i64x8 v54 = ((ft_i64x8)v53);
  const ft_i64x8 v55 = ((ft_i64x8)x);
  const ft_i64x8 v56 = (v55 & ft_splat_i64x8((-9223372036854775807LL - 1)));
  const ft_i64x8 v57 = (v54 ^ v56);
  const ft_f64x8 v58 = ((ft_f64x8)v57);
  return v58;
#else
  const ft_f64x8 v0 = ft_abs_f64x8(x);
  const ft_m64x8 v1 = ft_lt_f64x8(v0, ft_splat_f64x8(3.725290298461914e-09));
  const ft_f64x8 v2 = ft_fma_f64x8(v0, ft_splat_f64x8(0.6366197723675814), ft_splat_f64x8(6755399441055744.0));
  const ft_i64x8 v3 = ((ft_i64x8)v2);
  const ft_i64x8 v4 = (v3 & ft_splat_i64x8(1LL));
  const ft_m64x8 v5 = ft_eq_i64x8(v4, ft_splat_i64x8(0LL));
  const ft_m64x8 v6 = ft_eq_f64x8(v0, ft_splat_f64x8(0.0));
  const ft_f64x8 v7 = (v2 - ft_splat_f64x8(6755399441055744.0));
  const ft_f64x8 v8 = (ft_splat_f64x8(0.5) * v7);
  const ft_f64x8 v9 = (v8 * ft_splat_f64x8(3.1415926534682512));
  const ft_f64x8 v10 = (v0 - v9);
  const ft_f64x8 v11 = (v8 * ft_splat_f64x8(1.2154201012607932e-10));
  const ft_f64x8 v12 = (v10 - v11);
  const ft_f64x8 v13 = (v8 * ft_splat_f64x8(4.044532497422333e-21));
  const ft_f64x8 v14 = (v12 - v13);
  const ft_f64x8 v15 = (v12 - v10);
  const ft_f64x8 v16 = (v12 - v15);
  const ft_f64x8 v17 = (v10 - v16);
  const ft_f64x8 v18 = (-v11);
  const ft_f64x8 v19 = (v18 - v15);
  const ft_f64x8 v20 = (v17 + v19);
  const ft_f64x8 v21 = (v14 - v12);
  const ft_f64x8 v22 = (v14 - v21);
  const ft_f64x8 v23 = (v12 - v22);
  const ft_f64x8 v24 = (-v13);
  const ft_f64x8 v25 = (v24 - v21);
  const ft_f64x8 v26 = (v23 + v25);
  const ft_f64x8 v27 = (v20 + v26);
  const ft_f64x8 v28 = (v8 * ft_splat_f64x8(1.69568553207378e-31));
  const ft_f64x8 v29 = (v27 - v28);
  const ft_f64x8 v30 = (v14 + v29);
  const ft_f64x8 v31 = ft_sel_f64x8(v6, v0, v30);
  const ft_f64x8 v32 = (v31 * v31);
  const ft_f64x8 v33 = (v32 * v31);
  const ft_f64x8 v34 = ft_fma_f64x8(ft_splat_f64x8(1.5896795597066373e-10), v32, ft_splat_f64x8(-2.5050758113311716e-08));
  const ft_f64x8 v35 = ft_fma_f64x8(v34, v32, ft_splat_f64x8(2.7557313691896967e-06));
  const ft_f64x8 v36 = ft_fma_f64x8(v35, v32, ft_splat_f64x8(-0.0001984126982980771));
  const ft_f64x8 v37 = ft_fma_f64x8(v36, v32, ft_splat_f64x8(0.008333333333322413));
  const ft_f64x8 v38 = ft_fma_f64x8(v37, v32, ft_splat_f64x8(-0.16666666666666632));
  const ft_f64x8 v39 = (v33 * v38);
  const ft_f64x8 v40 = (v31 + v39);
  const ft_f64x8 v41 = (ft_splat_f64x8(0.5) * v32);
  const ft_f64x8 v42 = (ft_splat_f64x8(1.0) - v41);
  const ft_f64x8 v43 = (ft_splat_f64x8(1.0) - v42);
  const ft_f64x8 v44 = (v43 - v41);
  const ft_f64x8 v45 = (v32 * v32);
  const ft_f64x8 v46 = ft_fma_f64x8(ft_splat_f64x8(-1.135964894460712e-11), v32, ft_splat_f64x8(2.087572329494357e-09));
  const ft_f64x8 v47 = ft_fma_f64x8(v46, v32, ft_splat_f64x8(-2.755731435248876e-07));
  const ft_f64x8 v48 = ft_fma_f64x8(v47, v32, ft_splat_f64x8(2.4801587289482706e-05));
  const ft_f64x8 v49 = ft_fma_f64x8(v48, v32, ft_splat_f64x8(-0.0013888888888874125));
  const ft_f64x8 v50 = ft_fma_f64x8(v49, v32, ft_splat_f64x8(0.0416666666666666));
  const ft_f64x8 v51 = (v45 * v50);
  const ft_f64x8 v52 = (v44 + v51);
  const ft_f64x8 v53 = (v42 + v52);
  const ft_f64x8 v54 = (-v53);
  const ft_f64x8 v55 = ft_sel_f64x8(v5, v40, v54);
  const ft_f64x8 v56 = ft_sel_f64x8(v5, v53, v40);
  const ft_f64x8 v57 = (ft_splat_f64x8(1.0) / v56);
  const ft_f64x8 v58 = (v55 * v57);
  const ft_f64x8 v59 = (v58 * v56);
  const ft_f64x8 v60 = (v55 - v59);
  const ft_i64x8 v61 = ((ft_i64x8)v58);
  const ft_i64x8 v62 = (v61 & ft_splat_i64x8(-134217728LL));
  const ft_f64x8 v63 = ((ft_f64x8)v62);
  const ft_i64x8 v64 = ((ft_i64x8)v56);
  const ft_i64x8 v65 = (v64 & ft_splat_i64x8(-134217728LL));
  const ft_f64x8 v66 = ((ft_f64x8)v65);
  const ft_f64x8 v67 = (v63 * v66);
  const ft_f64x8 v68 = (v67 - v59);
  const ft_f64x8 v69 = (v56 - v66);
  const ft_f64x8 v70 = (v63 * v69);
  const ft_f64x8 v71 = (v68 + v70);
  const ft_f64x8 v72 = (v58 - v63);
  const ft_f64x8 v73 = (v72 * v66);
  const ft_f64x8 v74 = (v71 + v73);
  const ft_f64x8 v75 = (v72 * v69);
  const ft_f64x8 v76 = (v74 + v75);
  const ft_f64x8 v77 = (v60 - v76);
  const ft_f64x8 v78 = (v31 - v40);
  const ft_f64x8 v79 = (v78 + v39);
  const ft_f64x8 v80 = (v42 - v53);
  const ft_f64x8 v81 = (v80 + v52);
  const ft_f64x8 v82 = (-v81);
  const ft_f64x8 v83 = ft_sel_f64x8(v5, v79, v82);
  const ft_f64x8 v84 = ft_sel_f64x8(v5, v81, v79);
  const ft_f64x8 v85 = (v58 * v84);
  const ft_f64x8 v86 = (v83 - v85);
  const ft_f64x8 v87 = (v77 + v86);
  const ft_f64x8 v88 = (v87 * v57);
  const ft_f64x8 v89 = (v58 + v88);
  const ft_f64x8 v90 = ft_sel_f64x8(v1, v0, v89);
  const ft_i64x8 v91 = ((ft_i64x8)v90);
  const ft_i64x8 v92 = ((ft_i64x8)x);
  const ft_i64x8 v93 = (v92 & ft_splat_i64x8((-9223372036854775807LL - 1)));
  const ft_i64x8 v94 = (v91 ^ v93);
  const ft_f64x8 v95 = ((ft_f64x8)v94);
  return v95;
#endif
}
static __inline__ __attribute__((always_inline)) int ft_any_m64x8(ft_m64x8 x) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (x & 255) != 0;
#else
  int r = 0; for (int k = 0; k < 8; k++) r |= x[k] != 0; return r;
#endif
}
static __attribute__((noinline, const)) ft_f64x8 ft_tanfar_f64x8(ft_f64x8 x) {
  ft_f64x8 r = ft_tannear_f64x8(x);
  for (int k = 0; k < 8; k++) if (__builtin_fabs(x[k]) > 1048576.0) r[k] = tan(x[k]);
  return r;
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
static inline __attribute__((always_inline)) ft_f64x8 ft_cosnear_f64x8(ft_f64x8 x) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  const ft_f64x8 v0 = ft_abs_f64x8(x);
  const ft_f64x8 v1 = ft_fma_f64x8(v0, ft_splat_f64x8(0.3183098861837907), ft_splat_f64x8(-0.5));
  const ft_f64x8 v2 = (v1 + ft_splat_f64x8(6755399441055745.0));
  const ft_f64x8 v3 = (v2 - ft_splat_f64x8(6755399441055745.0));
  const ft_f64x8 v4 = (v3 + ft_splat_f64x8(0.5));
  const ft_f64x8 v5 = (-v4);
  const ft_f64x8 v6 = ft_fnma_f64x8(v4, ft_splat_f64x8(3.141592653589793), v0);
  const ft_f64x8 v7 = ft_fnma_f64x8(v4, ft_splat_f64x8(1.224646799147353e-16), v6);
  const ft_f64x8 v8 = (-v7);
  const ft_f64x8 v9 = ft_fnma_f64x8(v7, v7, ft_splat_f64x8(0.0));
  const ft_f64x8 v10 = (v9 * v7);
  const ft_f64x8 v11 = (v9 * v9);
  const ft_f64x8 v12 = ft_fma_f64x8(ft_splat_f64x8(7.643097358544194e-13), v9, ft_splat_f64x8(1.605894392776494e-10));
  const ft_f64x8 v13 = ft_fma_f64x8(ft_splat_f64x8(2.7222511067363714e-15), v11, v12);
  const ft_f64x8 v14 = ft_fma_f64x8(ft_splat_f64x8(2.505210696014581e-08), v9, ft_splat_f64x8(2.755731921213165e-06));
  const ft_f64x8 v15 = ft_fma_f64x8(v13, v11, v14);
  const ft_f64x8 v16 = ft_fma_f64x8(ft_splat_f64x8(0.00019841269841215284), v9, ft_splat_f64x8(0.008333333333333212));
  const ft_f64x8 v17 = ft_fma_f64x8(v15, v11, v16);
  const ft_f64x8 v18 = ft_fma_f64x8(v17, v9, ft_splat_f64x8(0.16666666666666666));
  const ft_f64x8 v19 = ft_fnma_f64x8(v4, ft_splat_f64x8(2.1657133478438278e-32), v7);
  const ft_f64x8 v20 = ft_fma_f64x8(v10, v18, v19);
  const ft_m64x8 v21 = ft_lt_f64x8(ft_splat_f64x8(1.0), v20);
  const ft_f64x8 v22 = ft_smaller_f64x8(ft_splat_f64x8(1.0), v20);
  const ft_f64x8 v23 = (-ft_splat_f64x8(1.0));
  const ft_m64x8 v24 = ft_lt_f64x8(v22, v23);
  const ft_f64x8 v25 = ft_larger_f64x8(v23, v22);
  const ft_i64x8 v26 = ((ft_i64x8)v25);
  const ft_i64x8 v27 = ((ft_i64x8)v2);
  const ft_u64x8 v28 = ((ft_u64x8)v27);
  const ft_u64x8 v29 = (v28 << 63);
  const ft_i64x8 v30 = ((ft_i64x8)v29);
  const ft_i64x8 v31 = (v26 ^ v30);
  const ft_f64x8 v32 = ((ft_f64x8)v31);
  return v32;
#else
  const ft_f64x8 v0 = ft_abs_f64x8(x);
  const ft_m64x8 v1 = ft_eq_f64x8(v0, ft_splat_f64x8(0.0));
  const ft_f64x8 v2 = ft_fma_f64x8(v0, ft_splat_f64x8(0.3183098861837907), ft_splat_f64x8(-0.5));
  const ft_f64x8 v3 = (v2 + ft_splat_f64x8(6755399441055745.0));
  const ft_f64x8 v4 = (v3 - ft_splat_f64x8(6755399441055745.0));
  const ft_f64x8 v5 = (v4 + ft_splat_f64x8(0.5));
  const ft_f64x8 v6 = (v5 * ft_splat_f64x8(3.1415926534682512));
  const ft_f64x8 v7 = (v0 - v6);
  const ft_f64x8 v8 = (v5 * ft_splat_f64x8(1.2154201012607932e-10));
  const ft_f64x8 v9 = (v7 - v8);
  const ft_f64x8 v10 = (v5 * ft_splat_f64x8(4.044532497422333e-21));
  const ft_f64x8 v11 = (v9 - v10);
  const ft_f64x8 v12 = (v9 - v7);
  const ft_f64x8 v13 = (v9 - v12);
  const ft_f64x8 v14 = (v7 - v13);
  const ft_f64x8 v15 = (-v8);
  const ft_f64x8 v16 = (v15 - v12);
  const ft_f64x8 v17 = (v14 + v16);
  const ft_f64x8 v18 = (v11 - v9);
  const ft_f64x8 v19 = (v11 - v18);
  const ft_f64x8 v20 = (v9 - v19);
  const ft_f64x8 v21 = (-v10);
  const ft_f64x8 v22 = (v21 - v18);
  const ft_f64x8 v23 = (v20 + v22);
  const ft_f64x8 v24 = (v17 + v23);
  const ft_f64x8 v25 = (v5 * ft_splat_f64x8(1.69568553207378e-31));
  const ft_f64x8 v26 = (v24 - v25);
  const ft_f64x8 v27 = (v11 + v26);
  const ft_f64x8 v28 = ft_sel_f64x8(v1, v0, v27);
  const ft_f64x8 v29 = (-v28);
  const ft_f64x8 v30 = ft_fnma_f64x8(v28, v28, ft_splat_f64x8(0.0));
  const ft_f64x8 v31 = (v30 * v28);
  const ft_f64x8 v32 = (v30 * v30);
  const ft_f64x8 v33 = ft_fma_f64x8(ft_splat_f64x8(7.643097358544194e-13), v30, ft_splat_f64x8(1.605894392776494e-10));
  const ft_f64x8 v34 = ft_fma_f64x8(ft_splat_f64x8(2.7222511067363714e-15), v32, v33);
  const ft_f64x8 v35 = ft_fma_f64x8(ft_splat_f64x8(2.505210696014581e-08), v30, ft_splat_f64x8(2.755731921213165e-06));
  const ft_f64x8 v36 = ft_fma_f64x8(v34, v32, v35);
  const ft_f64x8 v37 = ft_fma_f64x8(ft_splat_f64x8(0.00019841269841215284), v30, ft_splat_f64x8(0.008333333333333212));
  const ft_f64x8 v38 = ft_fma_f64x8(v36, v32, v37);
  const ft_f64x8 v39 = ft_fma_f64x8(v38, v30, ft_splat_f64x8(0.16666666666666666));
  const ft_f64x8 v40 = ft_fma_f64x8(v31, v39, v28);
  const ft_m64x8 v41 = ft_lt_f64x8(ft_splat_f64x8(1.0), v40);
  const ft_f64x8 v42 = ft_smaller_f64x8(ft_splat_f64x8(1.0), v40);
  const ft_f64x8 v43 = (-ft_splat_f64x8(1.0));
  const ft_m64x8 v44 = ft_lt_f64x8(v42, v43);
  const ft_f64x8 v45 = ft_larger_f64x8(v43, v42);
  const ft_i64x8 v46 = ((ft_i64x8)v45);
  const ft_i64x8 v47 = ((ft_i64x8)v3);
  const ft_u64x8 v48 = ((ft_u64x8)v47);
  const ft_u64x8 v49 = (v48 << 63);
  const ft_i64x8 v50 = ((ft_i64x8)v49);
  const ft_i64x8 v51 = (v46 ^ v50);
  const ft_f64x8 v52 = ((ft_f64x8)v51);
  return v52;
#endif
}
static __attribute__((noinline, const)) ft_f64x8 ft_cosfar_f64x8(ft_f64x8 x) {
  ft_f64x8 r = ft_cosnear_f64x8(x);
  for (int k = 0; k < 8; k++) if (__builtin_fabs(x[k]) > 1048576.0) r[k] = cos(x[k]);
  return r;
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
static __attribute__((noinline, const)) ft_f64x8 ft_sinfar_f64x8(ft_f64x8 x) {
  ft_f64x8 r = ft_sinnear_f64x8(x);
  for (int k = 0; k < 8; k++) if (__builtin_fabs(x[k]) > 1048576.0) r[k] = sin(x[k]);
  return r;
}
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
static __inline__ __attribute__((always_inline)) void ft_setrows_f64x8(double *p, const long long *row, long long size, long long at, ft_f64x8 x) { p[row[0] * size + at] = x[0]; p[row[1] * size + at] = x[1]; p[row[2] * size + at] = x[2]; p[row[3] * size + at] = x[3]; p[row[4] * size + at] = x[4]; p[row[5] * size + at] = x[5]; p[row[6] * size + at] = x[6]; p[row[7] * size + at] = x[7]; }

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  {
    long long v0 = from;
    if (to - from >= 8) {
      const int full = 1;
      for (; v0 < to; v0 += 64) {
        const long long v2 = (to - v0 + 7) / 8 < 8 ? (to - v0 + 7) / 8 : 8;
        long long v4[8][8];
        ft_f64x8 v5[8][6];
        ft_f64x8 v6[8][4];
        ft_f64x8 v3_0[8];
        ft_f64x8 v3_1[8];
        ft_f64x8 v3_2[8];
        ft_f64x8 v3_3[8];
        ft_f64x8 v3_4[8];
        ft_f64x8 v3_5[8];
        ft_f64x8 v3_6[8];
        ft_f64x8 v3_7[8];
        ft_f64x8 v3_8[8];
        ft_f64x8 v3_9[8];
        ft_f64x8 v3_10[8];
        ft_f64x8 v3_11[8];
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own6_0 = v5[v1];
          ft_f64x8 *const o0_own4_0 = v6[v1];
          for (int k = 0; k < 8; k++) {
            p0_0[k] = first + (k < left_0 ? k : left_0 - 1);
          }
          if (full) {
            ft_turninfirst_f64x8(a0 + (first + 0) * 6 + 0, 6, a0_own6_0 + 0);
          }
          else {
            for (long long v7 = 0; v7 < 6; v7++) {
              const ft_f64x8 v8_0 = ft_getrows_f64x8(a0, p0_0, 6, v7);
              a0_own6_0[v7] = v8_0;
            }
          }
          const ft_f64x8 v9_0 = a0_own6_0[4];
          const ft_f64x8 v10_0 = a0_own6_0[3];
          const ft_f64x8 v11_0 = a0_own6_0[5];
          const ft_f64x8 v12_0 = a0_own6_0[2];
          const ft_f64x8 v13_0 = ft_fma_f64x8(ft_splat_f64x8(0.05), v9_0, v10_0);
          v3_0[v1] = v13_0;
          const ft_f64x8 v14_0 = ft_fma_f64x8(ft_splat_f64x8(0.025), v9_0, v10_0);
          v3_1[v1] = v14_0;
          ft_f64x8 v15_0 = ft_tannear_f64x8(v11_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v11_0))), 0)) v15_0 = ft_tanfar_f64x8(v11_0);
          const ft_f64x8 v16_0 = (v15_0 / ft_splat_f64x8(2.5));
          v3_2[v1] = v16_0;
          const ft_f64x8 v17_0 = (v14_0 * v16_0);
          v3_3[v1] = v17_0;
          const ft_f64x8 v18_0 = ft_fma_f64x8(ft_splat_f64x8(0.05), v17_0, v12_0);
          v3_4[v1] = v18_0;
          ft_f64x8 v19_0 = ft_cosnear_f64x8(v18_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v18_0))), 0)) v19_0 = ft_cosfar_f64x8(v18_0);
          v3_5[v1] = v19_0;
          const ft_f64x8 v20_0 = (v10_0 * v16_0);
          v3_6[v1] = v20_0;
          const ft_f64x8 v21_0 = ft_fma_f64x8(ft_splat_f64x8(0.025), v20_0, v12_0);
          v3_7[v1] = v21_0;
          ft_f64x8 v22_0 = ft_cosnear_f64x8(v21_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v21_0))), 0)) v22_0 = ft_cosfar_f64x8(v21_0);
          const ft_f64x8 v23_0 = (v14_0 * v22_0);
          v3_8[v1] = v23_0;
        }
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own6_0 = v5[v1];
          ft_f64x8 *const o0_own4_0 = v6[v1];
          const ft_f64x8 v24_0 = v3_3[v1];
          const ft_f64x8 v25_0 = v3_1[v1];
          const ft_f64x8 v26_0 = v3_8[v1];
          const ft_f64x8 v27_0 = v3_0[v1];
          const ft_f64x8 v28_0 = v3_5[v1];
          const ft_f64x8 v29_0 = v3_4[v1];
          const ft_f64x8 v30_0 = v3_7[v1];
          const ft_f64x8 v31_0 = a0_own6_0[2];
          const ft_f64x8 v32_0 = a0_own6_0[3];
          const ft_f64x8 v33_0 = a0_own6_0[0];
          const ft_f64x8 v34_0 = ft_fma_f64x8(ft_splat_f64x8(0.025), v24_0, v31_0);
          v3_9[v1] = v34_0;
          ft_f64x8 v35_0 = ft_cosnear_f64x8(v34_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v34_0))), 0)) v35_0 = ft_cosfar_f64x8(v34_0);
          const ft_f64x8 v36_0 = (v25_0 * v35_0);
          const ft_f64x8 v37_0 = (v26_0 + v36_0);
          ft_f64x8 v38_0 = ft_cosnear_f64x8(v31_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v31_0))), 0)) v38_0 = ft_cosfar_f64x8(v31_0);
          const ft_f64x8 v39_0 = (v32_0 * v38_0);
          const ft_f64x8 v40_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v37_0, v39_0);
          const ft_f64x8 v41_0 = ft_fma_f64x8(v27_0, v28_0, v40_0);
          const ft_f64x8 v42_0 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v41_0, v33_0);
          o0_own4_0[0] = v42_0;
          ft_f64x8 v43_0 = ft_sinnear_f64x8(v29_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v29_0))), 0)) v43_0 = ft_sinfar_f64x8(v29_0);
          v3_10[v1] = v43_0;
          ft_f64x8 v44_0 = ft_sinnear_f64x8(v30_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v30_0))), 0)) v44_0 = ft_sinfar_f64x8(v30_0);
          const ft_f64x8 v45_0 = (v25_0 * v44_0);
          v3_11[v1] = v45_0;
        }
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own6_0 = v5[v1];
          ft_f64x8 *const o0_own4_0 = v6[v1];
          const ft_f64x8 v46_0 = v3_9[v1];
          const ft_f64x8 v47_0 = v3_1[v1];
          const ft_f64x8 v48_0 = v3_11[v1];
          const ft_f64x8 v49_0 = v3_0[v1];
          const ft_f64x8 v50_0 = v3_10[v1];
          const ft_f64x8 v51_0 = v3_3[v1];
          const ft_f64x8 v52_0 = v3_6[v1];
          const ft_f64x8 v53_0 = v3_2[v1];
          const ft_f64x8 v54_0 = a0_own6_0[2];
          const ft_f64x8 v55_0 = a0_own6_0[3];
          const ft_f64x8 v56_0 = a0_own6_0[1];
          ft_f64x8 v57_0 = ft_sinnear_f64x8(v46_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v46_0))), 0)) v57_0 = ft_sinfar_f64x8(v46_0);
          const ft_f64x8 v58_0 = (v47_0 * v57_0);
          const ft_f64x8 v59_0 = (v48_0 + v58_0);
          ft_f64x8 v60_0 = ft_sinnear_f64x8(v54_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v54_0))), 0)) v60_0 = ft_sinfar_f64x8(v54_0);
          const ft_f64x8 v61_0 = (v55_0 * v60_0);
          const ft_f64x8 v62_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v59_0, v61_0);
          const ft_f64x8 v63_0 = ft_fma_f64x8(v49_0, v50_0, v62_0);
          const ft_f64x8 v64_0 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v63_0, v56_0);
          o0_own4_0[1] = v64_0;
          const ft_f64x8 v65_0 = (v51_0 + v51_0);
          const ft_f64x8 v66_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v65_0, v52_0);
          const ft_f64x8 v67_0 = ft_fma_f64x8(v49_0, v53_0, v66_0);
          const ft_f64x8 v68_0 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v67_0, v54_0);
          o0_own4_0[2] = v68_0;
          o0_own4_0[3] = v49_0;
          if (full) {
            const ft_f64x8 v69_0 = o0_own4_0[0];
            const ft_f64x8 v69_1 = o0_own4_0[1];
            const ft_f64x8 v69_2 = o0_own4_0[2];
            const ft_f64x8 v69_3 = o0_own4_0[3];
            ft_store_f64x8(o0 + (first + 0) * 4 + 0, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v69_0, v69_1, 0, 8, 0, 0, 1, 9, 0, 0), v69_2, 0, 1, 8, 3, 4, 5, 9, 7), v69_3, 0, 1, 2, 8, 4, 5, 6, 9));
            ft_store_f64x8(o0 + (first + 0) * 4 + 8, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v69_0, v69_1, 2, 10, 0, 0, 3, 11, 0, 0), v69_2, 0, 1, 10, 3, 4, 5, 11, 7), v69_3, 0, 1, 2, 10, 4, 5, 6, 11));
            ft_store_f64x8(o0 + (first + 0) * 4 + 16, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v69_0, v69_1, 4, 12, 0, 0, 5, 13, 0, 0), v69_2, 0, 1, 12, 3, 4, 5, 13, 7), v69_3, 0, 1, 2, 12, 4, 5, 6, 13));
            ft_store_f64x8(o0 + (first + 0) * 4 + 24, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v69_0, v69_1, 6, 14, 0, 0, 7, 15, 0, 0), v69_2, 0, 1, 14, 3, 4, 5, 15, 7), v69_3, 0, 1, 2, 14, 4, 5, 6, 15));
          }
          else {
            for (long long v70 = 0; v70 < 4; v70++) {
              const ft_f64x8 v71_0 = o0_own4_0[v70];
              ft_setrows_f64x8(o0, p0_0, 4, v70, v71_0);
            }
          }
        }
      }
    }
    else {
      const int full = 0;
      for (; v0 < to; v0 += 64) {
        const long long v2 = (to - v0 + 7) / 8 < 8 ? (to - v0 + 7) / 8 : 8;
        long long v4[8][8];
        ft_f64x8 v5[8][6];
        ft_f64x8 v6[8][4];
        ft_f64x8 v3_0[8];
        ft_f64x8 v3_1[8];
        ft_f64x8 v3_2[8];
        ft_f64x8 v3_3[8];
        ft_f64x8 v3_4[8];
        ft_f64x8 v3_5[8];
        ft_f64x8 v3_6[8];
        ft_f64x8 v3_7[8];
        ft_f64x8 v3_8[8];
        ft_f64x8 v3_9[8];
        ft_f64x8 v3_10[8];
        ft_f64x8 v3_11[8];
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own6_0 = v5[v1];
          ft_f64x8 *const o0_own4_0 = v6[v1];
          for (int k = 0; k < 8; k++) {
            p0_0[k] = first + (k < left_0 ? k : left_0 - 1);
          }
          if (full) {
            ft_turninfirst_f64x8(a0 + (first + 0) * 6 + 0, 6, a0_own6_0 + 0);
          }
          else {
            for (long long v7 = 0; v7 < 6; v7++) {
              const ft_f64x8 v8_0 = ft_getrows_f64x8(a0, p0_0, 6, v7);
              a0_own6_0[v7] = v8_0;
            }
          }
          const ft_f64x8 v9_0 = a0_own6_0[4];
          const ft_f64x8 v10_0 = a0_own6_0[3];
          const ft_f64x8 v11_0 = a0_own6_0[5];
          const ft_f64x8 v12_0 = a0_own6_0[2];
          const ft_f64x8 v13_0 = ft_fma_f64x8(ft_splat_f64x8(0.05), v9_0, v10_0);
          v3_0[v1] = v13_0;
          const ft_f64x8 v14_0 = ft_fma_f64x8(ft_splat_f64x8(0.025), v9_0, v10_0);
          v3_1[v1] = v14_0;
          ft_f64x8 v15_0 = ft_tannear_f64x8(v11_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v11_0))), 0)) v15_0 = ft_tanfar_f64x8(v11_0);
          const ft_f64x8 v16_0 = (v15_0 / ft_splat_f64x8(2.5));
          v3_2[v1] = v16_0;
          const ft_f64x8 v17_0 = (v14_0 * v16_0);
          v3_3[v1] = v17_0;
          const ft_f64x8 v18_0 = ft_fma_f64x8(ft_splat_f64x8(0.05), v17_0, v12_0);
          v3_4[v1] = v18_0;
          ft_f64x8 v19_0 = ft_cosnear_f64x8(v18_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v18_0))), 0)) v19_0 = ft_cosfar_f64x8(v18_0);
          v3_5[v1] = v19_0;
          const ft_f64x8 v20_0 = (v10_0 * v16_0);
          v3_6[v1] = v20_0;
          const ft_f64x8 v21_0 = ft_fma_f64x8(ft_splat_f64x8(0.025), v20_0, v12_0);
          v3_7[v1] = v21_0;
          ft_f64x8 v22_0 = ft_cosnear_f64x8(v21_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v21_0))), 0)) v22_0 = ft_cosfar_f64x8(v21_0);
          const ft_f64x8 v23_0 = (v14_0 * v22_0);
          v3_8[v1] = v23_0;
        }
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own6_0 = v5[v1];
          ft_f64x8 *const o0_own4_0 = v6[v1];
          const ft_f64x8 v24_0 = v3_3[v1];
          const ft_f64x8 v25_0 = v3_1[v1];
          const ft_f64x8 v26_0 = v3_8[v1];
          const ft_f64x8 v27_0 = v3_0[v1];
          const ft_f64x8 v28_0 = v3_5[v1];
          const ft_f64x8 v29_0 = v3_4[v1];
          const ft_f64x8 v30_0 = v3_7[v1];
          const ft_f64x8 v31_0 = a0_own6_0[2];
          const ft_f64x8 v32_0 = a0_own6_0[3];
          const ft_f64x8 v33_0 = a0_own6_0[0];
          const ft_f64x8 v34_0 = ft_fma_f64x8(ft_splat_f64x8(0.025), v24_0, v31_0);
          v3_9[v1] = v34_0;
          ft_f64x8 v35_0 = ft_cosnear_f64x8(v34_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v34_0))), 0)) v35_0 = ft_cosfar_f64x8(v34_0);
          const ft_f64x8 v36_0 = (v25_0 * v35_0);
          const ft_f64x8 v37_0 = (v26_0 + v36_0);
          ft_f64x8 v38_0 = ft_cosnear_f64x8(v31_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v31_0))), 0)) v38_0 = ft_cosfar_f64x8(v31_0);
          const ft_f64x8 v39_0 = (v32_0 * v38_0);
          const ft_f64x8 v40_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v37_0, v39_0);
          const ft_f64x8 v41_0 = ft_fma_f64x8(v27_0, v28_0, v40_0);
          const ft_f64x8 v42_0 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v41_0, v33_0);
          o0_own4_0[0] = v42_0;
          ft_f64x8 v43_0 = ft_sinnear_f64x8(v29_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v29_0))), 0)) v43_0 = ft_sinfar_f64x8(v29_0);
          v3_10[v1] = v43_0;
          ft_f64x8 v44_0 = ft_sinnear_f64x8(v30_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v30_0))), 0)) v44_0 = ft_sinfar_f64x8(v30_0);
          const ft_f64x8 v45_0 = (v25_0 * v44_0);
          v3_11[v1] = v45_0;
        }
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own6_0 = v5[v1];
          ft_f64x8 *const o0_own4_0 = v6[v1];
          const ft_f64x8 v46_0 = v3_9[v1];
          const ft_f64x8 v47_0 = v3_1[v1];
          const ft_f64x8 v48_0 = v3_11[v1];
          const ft_f64x8 v49_0 = v3_0[v1];
          const ft_f64x8 v50_0 = v3_10[v1];
          const ft_f64x8 v51_0 = v3_3[v1];
          const ft_f64x8 v52_0 = v3_6[v1];
          const ft_f64x8 v53_0 = v3_2[v1];
          const ft_f64x8 v54_0 = a0_own6_0[2];
          const ft_f64x8 v55_0 = a0_own6_0[3];
          const ft_f64x8 v56_0 = a0_own6_0[1];
          ft_f64x8 v57_0 = ft_sinnear_f64x8(v46_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v46_0))), 0)) v57_0 = ft_sinfar_f64x8(v46_0);
          const ft_f64x8 v58_0 = (v47_0 * v57_0);
          const ft_f64x8 v59_0 = (v48_0 + v58_0);
          ft_f64x8 v60_0 = ft_sinnear_f64x8(v54_0);
          if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v54_0))), 0)) v60_0 = ft_sinfar_f64x8(v54_0);
          const ft_f64x8 v61_0 = (v55_0 * v60_0);
          const ft_f64x8 v62_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v59_0, v61_0);
          const ft_f64x8 v63_0 = ft_fma_f64x8(v49_0, v50_0, v62_0);
          const ft_f64x8 v64_0 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v63_0, v56_0);
          o0_own4_0[1] = v64_0;
          const ft_f64x8 v65_0 = (v51_0 + v51_0);
          const ft_f64x8 v66_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v65_0, v52_0);
          const ft_f64x8 v67_0 = ft_fma_f64x8(v49_0, v53_0, v66_0);
          const ft_f64x8 v68_0 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v67_0, v54_0);
          o0_own4_0[2] = v68_0;
          o0_own4_0[3] = v49_0;
          if (full) {
            const ft_f64x8 v69_0 = o0_own4_0[0];
            const ft_f64x8 v69_1 = o0_own4_0[1];
            const ft_f64x8 v69_2 = o0_own4_0[2];
            const ft_f64x8 v69_3 = o0_own4_0[3];
            ft_store_f64x8(o0 + (first + 0) * 4 + 0, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v69_0, v69_1, 0, 8, 0, 0, 1, 9, 0, 0), v69_2, 0, 1, 8, 3, 4, 5, 9, 7), v69_3, 0, 1, 2, 8, 4, 5, 6, 9));
            ft_store_f64x8(o0 + (first + 0) * 4 + 8, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v69_0, v69_1, 2, 10, 0, 0, 3, 11, 0, 0), v69_2, 0, 1, 10, 3, 4, 5, 11, 7), v69_3, 0, 1, 2, 10, 4, 5, 6, 11));
            ft_store_f64x8(o0 + (first + 0) * 4 + 16, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v69_0, v69_1, 4, 12, 0, 0, 5, 13, 0, 0), v69_2, 0, 1, 12, 3, 4, 5, 13, 7), v69_3, 0, 1, 2, 12, 4, 5, 6, 13));
            ft_store_f64x8(o0 + (first + 0) * 4 + 24, __builtin_shufflevector(__builtin_shufflevector(__builtin_shufflevector(v69_0, v69_1, 6, 14, 0, 0, 7, 15, 0, 0), v69_2, 0, 1, 14, 3, 4, 5, 15, 7), v69_3, 0, 1, 2, 14, 4, 5, 6, 15));
          }
          else {
            for (long long v70 = 0; v70 < 4; v70++) {
              const ft_f64x8 v71_0 = o0_own4_0[v70];
              ft_setrows_f64x8(o0, p0_0, 4, v70, v71_0);
            }
          }
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
  {k0_part, 0, 896, 13416, 1788928, 32, 0},
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
