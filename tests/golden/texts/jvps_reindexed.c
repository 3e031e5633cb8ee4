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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_abs_f64x8(ft_f64x8 x) { return (ft_f64x8)((ft_i64x8)x & 0x7fffffffffffffffLL); }
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
static __attribute__((noinline, const)) ft_f64x8 ft_cosfar_f64x8(ft_f64x8 x) {
  ft_f64x8 r = ft_cosnear_f64x8(x);
  for (int k = 0; k < 8; k++) if (__builtin_fabs(x[k]) > 1048576.0) r[k] = cos(x[k]);
  return r;
}
static __attribute__((noinline, const)) ft_f64x8 ft_sinfar_f64x8(ft_f64x8 x) {
  ft_f64x8 r = ft_sinnear_f64x8(x);
  for (int k = 0; k < 8; k++) if (__builtin_fabs(x[k]) > 1048576.0) r[k] = sin(x[k]);
  return r;
}
static __inline__ __attribute__((always_inline)) ft_i64x8 ft_splat_i64x8(long long x) { return (ft_i64x8){x, x, x, x, x, x, x, x}; }
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

static __attribute__((noinline)) void k0(const double *restrict a0, const double *restrict a1, const double *restrict a2, const double *restrict a3, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  const double v0 = a1[0];
  const double v1 = a2[1];
  const double v2 = a3[2];
  const double v3 = a1[1];
  const double v4 = a2[0];
  {
    long long v5 = from;
    for (; to - v5 >= 32; v5 += 32) {
      const long long first = v5;
      long long p0_0[8], p0_1[8], p0_2[8], p0_3[8];
      for (int k = 0; k < 8; k++) {
        p0_0[k] = first + 0 + k;
        p0_1[k] = first + 8 + k;
        p0_2[k] = first + 16 + k;
        p0_3[k] = first + 24 + k;
      }
      ft_f64x8 a0_own3_0[3];
      ft_f64x8 a0_own3_1[3];
      ft_f64x8 a0_own3_2[3];
      ft_f64x8 a0_own3_3[3];
      ft_f64x8 o0_own5_0[5];
      ft_f64x8 o0_own5_1[5];
      ft_f64x8 o0_own5_2[5];
      ft_f64x8 o0_own5_3[5];
      {
        const ft_f64x8 v6_0 = ft_load_f64x8(a0 + (first + 0) * 3 + 0);
        const ft_f64x8 v6_1 = ft_load_f64x8(a0 + (first + 0) * 3 + 8);
        const ft_f64x8 v6_2 = ft_load_f64x8(a0 + (first + 0) * 3 + 16);
        a0_own3_0[0] = __builtin_shufflevector(__builtin_shufflevector(v6_0, v6_1, 0, 3, 6, 9, 12, 15, 0, 0), v6_2, 0, 1, 2, 3, 4, 5, 10, 13);
        a0_own3_0[1] = __builtin_shufflevector(__builtin_shufflevector(v6_0, v6_1, 1, 4, 7, 10, 13, 0, 0, 0), v6_2, 0, 1, 2, 3, 4, 8, 11, 14);
        a0_own3_0[2] = __builtin_shufflevector(__builtin_shufflevector(v6_0, v6_1, 2, 5, 8, 11, 14, 0, 0, 0), v6_2, 0, 1, 2, 3, 4, 9, 12, 15);
        const ft_f64x8 v7_0 = ft_load_f64x8(a0 + (first + 8) * 3 + 0);
        const ft_f64x8 v7_1 = ft_load_f64x8(a0 + (first + 8) * 3 + 8);
        const ft_f64x8 v7_2 = ft_load_f64x8(a0 + (first + 8) * 3 + 16);
        a0_own3_1[0] = __builtin_shufflevector(__builtin_shufflevector(v7_0, v7_1, 0, 3, 6, 9, 12, 15, 0, 0), v7_2, 0, 1, 2, 3, 4, 5, 10, 13);
        a0_own3_1[1] = __builtin_shufflevector(__builtin_shufflevector(v7_0, v7_1, 1, 4, 7, 10, 13, 0, 0, 0), v7_2, 0, 1, 2, 3, 4, 8, 11, 14);
        a0_own3_1[2] = __builtin_shufflevector(__builtin_shufflevector(v7_0, v7_1, 2, 5, 8, 11, 14, 0, 0, 0), v7_2, 0, 1, 2, 3, 4, 9, 12, 15);
        const ft_f64x8 v8_0 = ft_load_f64x8(a0 + (first + 16) * 3 + 0);
        const ft_f64x8 v8_1 = ft_load_f64x8(a0 + (first + 16) * 3 + 8);
        const ft_f64x8 v8_2 = ft_load_f64x8(a0 + (first + 16) * 3 + 16);
        a0_own3_2[0] = __builtin_shufflevector(__builtin_shufflevector(v8_0, v8_1, 0, 3, 6, 9, 12, 15, 0, 0), v8_2, 0, 1, 2, 3, 4, 5, 10, 13);
        a0_own3_2[1] = __builtin_shufflevector(__builtin_shufflevector(v8_0, v8_1, 1, 4, 7, 10, 13, 0, 0, 0), v8_2, 0, 1, 2, 3, 4, 8, 11, 14);
        a0_own3_2[2] = __builtin_shufflevector(__builtin_shufflevector(v8_0, v8_1, 2, 5, 8, 11, 14, 0, 0, 0), v8_2, 0, 1, 2, 3, 4, 9, 12, 15);
        const ft_f64x8 v9_0 = ft_load_f64x8(a0 + (first + 24) * 3 + 0);
        const ft_f64x8 v9_1 = ft_load_f64x8(a0 + (first + 24) * 3 + 8);
        const ft_f64x8 v9_2 = ft_load_f64x8(a0 + (first + 24) * 3 + 16);
        a0_own3_3[0] = __builtin_shufflevector(__builtin_shufflevector(v9_0, v9_1, 0, 3, 6, 9, 12, 15, 0, 0), v9_2, 0, 1, 2, 3, 4, 5, 10, 13);
        a0_own3_3[1] = __builtin_shufflevector(__builtin_shufflevector(v9_0, v9_1, 1, 4, 7, 10, 13, 0, 0, 0), v9_2, 0, 1, 2, 3, 4, 8, 11, 14);
        a0_own3_3[2] = __builtin_shufflevector(__builtin_shufflevector(v9_0, v9_1, 2, 5, 8, 11, 14, 0, 0, 0), v9_2, 0, 1, 2, 3, 4, 9, 12, 15);
      }
      const ft_f64x8 v10_0 = a0_own3_0[0];
      const ft_f64x8 v11_0 = (v10_0 * ft_splat_f64x8(v0));
      const ft_f64x8 v12_0 = (v11_0 + v11_0);
      o0_own5_0[0] = v12_0;
      const ft_f64x8 v13_0 = a0_own3_0[1];
      const ft_f64x8 v14_0 = (v13_0 * ft_splat_f64x8(v1));
      const ft_f64x8 v15_0 = (v14_0 + v14_0);
      o0_own5_0[1] = v15_0;
      const ft_f64x8 v16_0 = a0_own3_0[2];
      const ft_f64x8 v17_0 = (v16_0 * ft_splat_f64x8(v2));
      const ft_f64x8 v18_0 = (v17_0 + v17_0);
      o0_own5_0[2] = v18_0;
      ft_f64x8 v19_0 = ft_cosnear_f64x8(v10_0);
      ft_f64x8 v20_0 = ft_sinnear_f64x8(v10_0);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v10_0))), 0)) { v19_0 = ft_cosfar_f64x8(v10_0); v20_0 = ft_sinfar_f64x8(v10_0); }
      const ft_f64x8 v21_0 = (v19_0 * ft_splat_f64x8(v0));
      const ft_f64x8 v22_0 = (v13_0 * v21_0);
      const ft_f64x8 v23_0 = (v20_0 * ft_splat_f64x8(v3));
      const ft_f64x8 v24_0 = (v22_0 + v23_0);
      o0_own5_0[3] = v24_0;
      const ft_f64x8 v25_0 = (v19_0 * ft_splat_f64x8(v4));
      const ft_f64x8 v26_0 = (v13_0 * v25_0);
      const ft_f64x8 v27_0 = (v20_0 * ft_splat_f64x8(v1));
      const ft_f64x8 v28_0 = (v26_0 + v27_0);
      o0_own5_0[4] = v28_0;
      __asm__ volatile ("");
      const ft_f64x8 v10_1 = a0_own3_1[0];
      const ft_f64x8 v11_1 = (v10_1 * ft_splat_f64x8(v0));
      const ft_f64x8 v12_1 = (v11_1 + v11_1);
      o0_own5_1[0] = v12_1;
      const ft_f64x8 v13_1 = a0_own3_1[1];
      const ft_f64x8 v14_1 = (v13_1 * ft_splat_f64x8(v1));
      const ft_f64x8 v15_1 = (v14_1 + v14_1);
      o0_own5_1[1] = v15_1;
      const ft_f64x8 v16_1 = a0_own3_1[2];
      const ft_f64x8 v17_1 = (v16_1 * ft_splat_f64x8(v2));
      const ft_f64x8 v18_1 = (v17_1 + v17_1);
      o0_own5_1[2] = v18_1;
      ft_f64x8 v19_1 = ft_cosnear_f64x8(v10_1);
      ft_f64x8 v20_1 = ft_sinnear_f64x8(v10_1);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v10_1))), 0)) { v19_1 = ft_cosfar_f64x8(v10_1); v20_1 = ft_sinfar_f64x8(v10_1); }
      const ft_f64x8 v21_1 = (v19_1 * ft_splat_f64x8(v0));
      const ft_f64x8 v22_1 = (v13_1 * v21_1);
      const ft_f64x8 v23_1 = (v20_1 * ft_splat_f64x8(v3));
      const ft_f64x8 v24_1 = (v22_1 + v23_1);
      o0_own5_1[3] = v24_1;
      const ft_f64x8 v25_1 = (v19_1 * ft_splat_f64x8(v4));
      const ft_f64x8 v26_1 = (v13_1 * v25_1);
      const ft_f64x8 v27_1 = (v20_1 * ft_splat_f64x8(v1));
      const ft_f64x8 v28_1 = (v26_1 + v27_1);
      o0_own5_1[4] = v28_1;
      __asm__ volatile ("");
      const ft_f64x8 v10_2 = a0_own3_2[0];
      const ft_f64x8 v11_2 = (v10_2 * ft_splat_f64x8(v0));
      const ft_f64x8 v12_2 = (v11_2 + v11_2);
      o0_own5_2[0] = v12_2;
      const ft_f64x8 v13_2 = a0_own3_2[1];
      const ft_f64x8 v14_2 = (v13_2 * ft_splat_f64x8(v1));
      const ft_f64x8 v15_2 = (v14_2 + v14_2);
      o0_own5_2[1] = v15_2;
      const ft_f64x8 v16_2 = a0_own3_2[2];
      const ft_f64x8 v17_2 = (v16_2 * ft_splat_f64x8(v2));
      const ft_f64x8 v18_2 = (v17_2 + v17_2);
      o0_own5_2[2] = v18_2;
      ft_f64x8 v19_2 = ft_cosnear_f64x8(v10_2);
      ft_f64x8 v20_2 = ft_sinnear_f64x8(v10_2);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v10_2))), 0)) { v19_2 = ft_cosfar_f64x8(v10_2); v20_2 = ft_sinfar_f64x8(v10_2); }
      const ft_f64x8 v21_2 = (v19_2 * ft_splat_f64x8(v0));
      const ft_f64x8 v22_2 = (v13_2 * v21_2);
      const ft_f64x8 v23_2 = (v20_2 * ft_splat_f64x8(v3));
      const ft_f64x8 v24_2 = (v22_2 + v23_2);
      o0_own5_2[3] = v24_2;
      const ft_f64x8 v25_2 = (v19_2 * ft_splat_f64x8(v4));
      const ft_f64x8 v26_2 = (v13_2 * v25_2);
      const ft_f64x8 v27_2 = (v20_2 * ft_splat_f64x8(v1));
      const ft_f64x8 v28_2 = (v26_2 + v27_2);
      o0_own5_2[4] = v28_2;
      __asm__ volatile ("");
      const ft_f64x8 v10_3 = a0_own3_3[0];
      const ft_f64x8 v11_3 = (v10_3 * ft_splat_f64x8(v0));
      const ft_f64x8 v12_3 = (v11_3 + v11_3);
      o0_own5_3[0] = v12_3;
      const ft_f64x8 v13_3 = a0_own3_3[1];
      const ft_f64x8 v14_3 = (v13_3 * ft_splat_f64x8(v1));
      const ft_f64x8 v15_3 = (v14_3 + v14_3);
      o0_own5_3[1] = v15_3;
      const ft_f64x8 v16_3 = a0_own3_3[2];
      const ft_f64x8 v17_3 = (v16_3 * ft_splat_f64x8(v2));
      const ft_f64x8 v18_3 = (v17_3 + v17_3);
      o0_own5_3[2] = v18_3;
      ft_f64x8 v19_3 = ft_cosnear_f64x8(v10_3);
      ft_f64x8 v20_3 = ft_sinnear_f64x8(v10_3);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v10_3))), 0)) { v19_3 = ft_cosfar_f64x8(v10_3); v20_3 = ft_sinfar_f64x8(v10_3); }
      const ft_f64x8 v21_3 = (v19_3 * ft_splat_f64x8(v0));
      const ft_f64x8 v22_3 = (v13_3 * v21_3);
      const ft_f64x8 v23_3 = (v20_3 * ft_splat_f64x8(v3));
      const ft_f64x8 v24_3 = (v22_3 + v23_3);
      o0_own5_3[3] = v24_3;
      const ft_f64x8 v25_3 = (v19_3 * ft_splat_f64x8(v4));
      const ft_f64x8 v26_3 = (v13_3 * v25_3);
      const ft_f64x8 v27_3 = (v20_3 * ft_splat_f64x8(v1));
      const ft_f64x8 v28_3 = (v26_3 + v27_3);
      o0_own5_3[4] = v28_3;
      {
        ft_turnoutfirst_f64x8(o0 + (first + 0) * 5 + 0, 5, o0_own5_0 + 0);
        ft_turnoutfirst_f64x8(o0 + (first + 8) * 5 + 0, 5, o0_own5_1 + 0);
        ft_turnoutfirst_f64x8(o0 + (first + 16) * 5 + 0, 5, o0_own5_2 + 0);
        ft_turnoutfirst_f64x8(o0 + (first + 24) * 5 + 0, 5, o0_own5_3 + 0);
      }
    }
    const int full = to - from >= 8;
    for (; v5 < to; v5 += 8) {
      const long long first = full && v5 > to - 8 ? to - 8 : v5;
      const int left_0 = to - first < 8 ? (int)(to - first) : 8;
      long long p0_0[8];
      for (int k = 0; k < 8; k++) {
        p0_0[k] = first + (k < left_0 ? k : left_0 - 1);
      }
      ft_f64x8 a0_own3_0[3];
      ft_f64x8 o0_own5_0[5];
      if (full) {
        const ft_f64x8 v29_0 = ft_load_f64x8(a0 + (first + 0) * 3 + 0);
        const ft_f64x8 v29_1 = ft_load_f64x8(a0 + (first + 0) * 3 + 8);
        const ft_f64x8 v29_2 = ft_load_f64x8(a0 + (first + 0) * 3 + 16);
        a0_own3_0[0] = __builtin_shufflevector(__builtin_shufflevector(v29_0, v29_1, 0, 3, 6, 9, 12, 15, 0, 0), v29_2, 0, 1, 2, 3, 4, 5, 10, 13);
        a0_own3_0[1] = __builtin_shufflevector(__builtin_shufflevector(v29_0, v29_1, 1, 4, 7, 10, 13, 0, 0, 0), v29_2, 0, 1, 2, 3, 4, 8, 11, 14);
        a0_own3_0[2] = __builtin_shufflevector(__builtin_shufflevector(v29_0, v29_1, 2, 5, 8, 11, 14, 0, 0, 0), v29_2, 0, 1, 2, 3, 4, 9, 12, 15);
      }
      else {
        for (long long v30 = 0; v30 < 3; v30++) {
          const ft_f64x8 v31_0 = ft_getrows_f64x8(a0, p0_0, 3, v30);
          a0_own3_0[v30] = v31_0;
        }
      }
      const ft_f64x8 v32_0 = a0_own3_0[0];
      const ft_f64x8 v33_0 = (v32_0 * ft_splat_f64x8(v0));
      const ft_f64x8 v34_0 = (v33_0 + v33_0);
      o0_own5_0[0] = v34_0;
      const ft_f64x8 v35_0 = a0_own3_0[1];
      const ft_f64x8 v36_0 = (v35_0 * ft_splat_f64x8(v1));
      const ft_f64x8 v37_0 = (v36_0 + v36_0);
      o0_own5_0[1] = v37_0;
      const ft_f64x8 v38_0 = a0_own3_0[2];
      const ft_f64x8 v39_0 = (v38_0 * ft_splat_f64x8(v2));
      const ft_f64x8 v40_0 = (v39_0 + v39_0);
      o0_own5_0[2] = v40_0;
      ft_f64x8 v41_0 = ft_cosnear_f64x8(v32_0);
      ft_f64x8 v42_0 = ft_sinnear_f64x8(v32_0);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v32_0))), 0)) { v41_0 = ft_cosfar_f64x8(v32_0); v42_0 = ft_sinfar_f64x8(v32_0); }
      const ft_f64x8 v43_0 = (v41_0 * ft_splat_f64x8(v0));
      const ft_f64x8 v44_0 = (v35_0 * v43_0);
      const ft_f64x8 v45_0 = (v42_0 * ft_splat_f64x8(v3));
      const ft_f64x8 v46_0 = (v44_0 + v45_0);
      o0_own5_0[3] = v46_0;
      const ft_f64x8 v47_0 = (v41_0 * ft_splat_f64x8(v4));
      const ft_f64x8 v48_0 = (v35_0 * v47_0);
      const ft_f64x8 v49_0 = (v42_0 * ft_splat_f64x8(v1));
      const ft_f64x8 v50_0 = (v48_0 + v49_0);
      o0_own5_0[4] = v50_0;
      if (full) {
        ft_turnoutfirst_f64x8(o0 + (first + 0) * 5 + 0, 5, o0_own5_0 + 0);
      }
      else {
        for (long long v51 = 0; v51 < 5; v51++) {
          const ft_f64x8 v52_0 = o0_own5_0[v51];
          ft_setrows_f64x8(o0, p0_0, 5, v51, v52_0);
        }
      }
    }
  }
}

static int k0_part(void **buffers, const long long *sizes, long long from, long long to, long long place) {
  k0(buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], (char *)buffers[5], sizes[0], from, to);
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
  {k0_part, 0, 3648, 54112, 7215040, 32, 0},
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
