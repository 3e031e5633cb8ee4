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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_every_f64x8(const double *p, long long step) { return (ft_f64x8){p[0 * step], p[1 * step], p[2 * step], p[3 * step], p[4 * step], p[5 * step], p[6 * step], p[7 * step]}; }
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
  return __builtin_ia32_cmppd512_mask(a, b, 1, (ft_m64x8)-1, 4);
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
  return __builtin_ia32_cmppd512_mask(a, b, 0, (ft_m64x8)-1, 4);
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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_everyfirst_f64x8(const double *p, long long step, int n) { return (ft_f64x8){0 < n ? p[0 * step] : 0, 1 < n ? p[1 * step] : 0, 2 < n ? p[2 * step] : 0, 3 < n ? p[3 * step] : 0, 4 < n ? p[4 * step] : 0, 5 < n ? p[5 * step] : 0, 6 < n ? p[6 * step] : 0, 7 < n ? p[7 * step] : 0}; }

static void k0(const double *restrict a0, const double *restrict a1, const double *restrict a2, const double *restrict a3, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  const double v0 = a1[0];
  const double v1 = a2[1];
  const double v2 = a3[2];
  const double v3 = a1[1];
  const double v4 = a2[0];
  if (from < to) {
  long long i0 = from;
  for (; i0 <= to - 32; i0 += 32) {
    const ft_f64x8 v5 = ft_every_f64x8(&a0[(i0 * 3)], 3);
    const ft_f64x8 v6 = ft_every_f64x8(&a0[((i0 + 8) * 3)], 3);
    const ft_f64x8 v7 = ft_every_f64x8(&a0[((i0 + 16) * 3)], 3);
    const ft_f64x8 v8 = ft_every_f64x8(&a0[((i0 + 24) * 3)], 3);
    const ft_f64x8 v9 = (v5 * ft_splat_f64x8(v0));
    const ft_f64x8 v10 = (v6 * ft_splat_f64x8(v0));
    const ft_f64x8 v11 = (v7 * ft_splat_f64x8(v0));
    const ft_f64x8 v12 = (v8 * ft_splat_f64x8(v0));
    const ft_f64x8 v13 = (v9 + v9);
    const ft_f64x8 v14 = (v10 + v10);
    const ft_f64x8 v15 = (v11 + v11);
    const ft_f64x8 v16 = (v12 + v12);
    const ft_f64x8 v17 = ft_every_f64x8(&a0[((i0 * 3) + 1)], 3);
    const ft_f64x8 v18 = ft_every_f64x8(&a0[(((i0 + 8) * 3) + 1)], 3);
    const ft_f64x8 v19 = ft_every_f64x8(&a0[(((i0 + 16) * 3) + 1)], 3);
    const ft_f64x8 v20 = ft_every_f64x8(&a0[(((i0 + 24) * 3) + 1)], 3);
    const ft_f64x8 v21 = (v17 * ft_splat_f64x8(v1));
    const ft_f64x8 v22 = (v18 * ft_splat_f64x8(v1));
    const ft_f64x8 v23 = (v19 * ft_splat_f64x8(v1));
    const ft_f64x8 v24 = (v20 * ft_splat_f64x8(v1));
    const ft_f64x8 v25 = (v21 + v21);
    const ft_f64x8 v26 = (v22 + v22);
    const ft_f64x8 v27 = (v23 + v23);
    const ft_f64x8 v28 = (v24 + v24);
    const ft_f64x8 v29 = ft_every_f64x8(&a0[((i0 * 3) + 2)], 3);
    const ft_f64x8 v30 = ft_every_f64x8(&a0[(((i0 + 8) * 3) + 2)], 3);
    const ft_f64x8 v31 = ft_every_f64x8(&a0[(((i0 + 16) * 3) + 2)], 3);
    const ft_f64x8 v32 = ft_every_f64x8(&a0[(((i0 + 24) * 3) + 2)], 3);
    const ft_f64x8 v33 = (v29 * ft_splat_f64x8(v2));
    const ft_f64x8 v34 = (v30 * ft_splat_f64x8(v2));
    const ft_f64x8 v35 = (v31 * ft_splat_f64x8(v2));
    const ft_f64x8 v36 = (v32 * ft_splat_f64x8(v2));
    const ft_f64x8 v37 = (v33 + v33);
    const ft_f64x8 v38 = (v34 + v34);
    const ft_f64x8 v39 = (v35 + v35);
    const ft_f64x8 v40 = (v36 + v36);
    ft_f64x8 v41 = ft_cosnear_f64x8(v5);
    ft_f64x8 v42 = ft_cosnear_f64x8(v6);
    ft_f64x8 v43 = ft_cosnear_f64x8(v7);
    ft_f64x8 v44 = ft_cosnear_f64x8(v8);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v5)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v6)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v7)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v8))), 0)) {
      v41 = ft_cosfar_f64x8(v5);
      v42 = ft_cosfar_f64x8(v6);
      v43 = ft_cosfar_f64x8(v7);
      v44 = ft_cosfar_f64x8(v8);
    }
    const ft_f64x8 v45 = (v41 * ft_splat_f64x8(v0));
    const ft_f64x8 v46 = (v42 * ft_splat_f64x8(v0));
    const ft_f64x8 v47 = (v43 * ft_splat_f64x8(v0));
    const ft_f64x8 v48 = (v44 * ft_splat_f64x8(v0));
    const ft_f64x8 v49 = (v17 * v45);
    const ft_f64x8 v50 = (v18 * v46);
    const ft_f64x8 v51 = (v19 * v47);
    const ft_f64x8 v52 = (v20 * v48);
    ft_f64x8 v53 = ft_sinnear_f64x8(v5);
    ft_f64x8 v54 = ft_sinnear_f64x8(v6);
    ft_f64x8 v55 = ft_sinnear_f64x8(v7);
    ft_f64x8 v56 = ft_sinnear_f64x8(v8);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v5)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v6)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v7)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v8))), 0)) {
      v53 = ft_sinfar_f64x8(v5);
      v54 = ft_sinfar_f64x8(v6);
      v55 = ft_sinfar_f64x8(v7);
      v56 = ft_sinfar_f64x8(v8);
    }
    const ft_f64x8 v57 = (v53 * ft_splat_f64x8(v3));
    const ft_f64x8 v58 = (v54 * ft_splat_f64x8(v3));
    const ft_f64x8 v59 = (v55 * ft_splat_f64x8(v3));
    const ft_f64x8 v60 = (v56 * ft_splat_f64x8(v3));
    const ft_f64x8 v61 = (v49 + v57);
    const ft_f64x8 v62 = (v50 + v58);
    const ft_f64x8 v63 = (v51 + v59);
    const ft_f64x8 v64 = (v52 + v60);
    const ft_f64x8 v65 = (v41 * ft_splat_f64x8(v4));
    const ft_f64x8 v66 = (v42 * ft_splat_f64x8(v4));
    const ft_f64x8 v67 = (v43 * ft_splat_f64x8(v4));
    const ft_f64x8 v68 = (v44 * ft_splat_f64x8(v4));
    const ft_f64x8 v69 = (v17 * v65);
    const ft_f64x8 v70 = (v18 * v66);
    const ft_f64x8 v71 = (v19 * v67);
    const ft_f64x8 v72 = (v20 * v68);
    const ft_f64x8 v73 = (v53 * ft_splat_f64x8(v1));
    const ft_f64x8 v74 = (v54 * ft_splat_f64x8(v1));
    const ft_f64x8 v75 = (v55 * ft_splat_f64x8(v1));
    const ft_f64x8 v76 = (v56 * ft_splat_f64x8(v1));
    const ft_f64x8 v77 = (v69 + v73);
    const ft_f64x8 v78 = (v70 + v74);
    const ft_f64x8 v79 = (v71 + v75);
    const ft_f64x8 v80 = (v72 + v76);
    {
      double v82[32] __attribute__((aligned(64)));
      ft_store_f64x8(&v82[0], v13);
      ft_store_f64x8(&v82[8], v14);
      ft_store_f64x8(&v82[16], v15);
      ft_store_f64x8(&v82[24], v16);
      double v83[32] __attribute__((aligned(64)));
      ft_store_f64x8(&v83[0], v25);
      ft_store_f64x8(&v83[8], v26);
      ft_store_f64x8(&v83[16], v27);
      ft_store_f64x8(&v83[24], v28);
      double v84[32] __attribute__((aligned(64)));
      ft_store_f64x8(&v84[0], v37);
      ft_store_f64x8(&v84[8], v38);
      ft_store_f64x8(&v84[16], v39);
      ft_store_f64x8(&v84[24], v40);
      double v85[32] __attribute__((aligned(64)));
      ft_store_f64x8(&v85[0], v61);
      ft_store_f64x8(&v85[8], v62);
      ft_store_f64x8(&v85[16], v63);
      ft_store_f64x8(&v85[24], v64);
      double v86[32] __attribute__((aligned(64)));
      ft_store_f64x8(&v86[0], v77);
      ft_store_f64x8(&v86[8], v78);
      ft_store_f64x8(&v86[16], v79);
      ft_store_f64x8(&v86[24], v80);
      for (long long v81 = 0; v81 < 32; v81++) {
        o0[((i0 + v81) * 5)] = v82[v81];
        o0[(((i0 + v81) * 5) + 1)] = v83[v81];
        o0[(((i0 + v81) * 5) + 2)] = v84[v81];
        o0[(((i0 + v81) * 5) + 3)] = v85[v81];
        o0[(((i0 + v81) * 5) + 4)] = v86[v81];
      }
    }
  }
  for (; i0 <= to - 8; i0 += 8) {
    const ft_f64x8 v87 = ft_every_f64x8(&a0[(i0 * 3)], 3);
    const ft_f64x8 v88 = (v87 * ft_splat_f64x8(v0));
    const ft_f64x8 v89 = (v88 + v88);
    const ft_f64x8 v90 = ft_every_f64x8(&a0[((i0 * 3) + 1)], 3);
    const ft_f64x8 v91 = (v90 * ft_splat_f64x8(v1));
    const ft_f64x8 v92 = (v91 + v91);
    const ft_f64x8 v93 = ft_every_f64x8(&a0[((i0 * 3) + 2)], 3);
    const ft_f64x8 v94 = (v93 * ft_splat_f64x8(v2));
    const ft_f64x8 v95 = (v94 + v94);
    ft_f64x8 v96 = ft_cosnear_f64x8(v87);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v87))), 0)) {
      v96 = ft_cosfar_f64x8(v87);
    }
    const ft_f64x8 v97 = (v96 * ft_splat_f64x8(v0));
    const ft_f64x8 v98 = (v90 * v97);
    ft_f64x8 v99 = ft_sinnear_f64x8(v87);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v87))), 0)) {
      v99 = ft_sinfar_f64x8(v87);
    }
    const ft_f64x8 v100 = (v99 * ft_splat_f64x8(v3));
    const ft_f64x8 v101 = (v98 + v100);
    const ft_f64x8 v102 = (v96 * ft_splat_f64x8(v4));
    const ft_f64x8 v103 = (v90 * v102);
    const ft_f64x8 v104 = (v99 * ft_splat_f64x8(v1));
    const ft_f64x8 v105 = (v103 + v104);
    {
      double v107[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v107[0], v89);
      double v108[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v108[0], v92);
      double v109[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v109[0], v95);
      double v110[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v110[0], v101);
      double v111[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v111[0], v105);
      for (long long v106 = 0; v106 < 8; v106++) {
        o0[((i0 + v106) * 5)] = v107[v106];
        o0[(((i0 + v106) * 5) + 1)] = v108[v106];
        o0[(((i0 + v106) * 5) + 2)] = v109[v106];
        o0[(((i0 + v106) * 5) + 3)] = v110[v106];
        o0[(((i0 + v106) * 5) + 4)] = v111[v106];
      }
    }
  }
  if (i0 < to) {
    const ft_f64x8 v112 = ft_everyfirst_f64x8(&a0[(i0 * 3)], 3, (int)(to - i0));
    const ft_f64x8 v113 = (v112 * ft_splat_f64x8(v0));
    const ft_f64x8 v114 = (v113 + v113);
    const ft_f64x8 v115 = ft_everyfirst_f64x8(&a0[((i0 * 3) + 1)], 3, (int)(to - i0));
    const ft_f64x8 v116 = (v115 * ft_splat_f64x8(v1));
    const ft_f64x8 v117 = (v116 + v116);
    const ft_f64x8 v118 = ft_everyfirst_f64x8(&a0[((i0 * 3) + 2)], 3, (int)(to - i0));
    const ft_f64x8 v119 = (v118 * ft_splat_f64x8(v2));
    const ft_f64x8 v120 = (v119 + v119);
    ft_f64x8 v121 = ft_cosnear_f64x8(v112);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v112))), 0)) {
      v121 = ft_cosfar_f64x8(v112);
    }
    const ft_f64x8 v122 = (v121 * ft_splat_f64x8(v0));
    const ft_f64x8 v123 = (v115 * v122);
    ft_f64x8 v124 = ft_sinnear_f64x8(v112);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v112))), 0)) {
      v124 = ft_sinfar_f64x8(v112);
    }
    const ft_f64x8 v125 = (v124 * ft_splat_f64x8(v3));
    const ft_f64x8 v126 = (v123 + v125);
    const ft_f64x8 v127 = (v121 * ft_splat_f64x8(v4));
    const ft_f64x8 v128 = (v115 * v127);
    const ft_f64x8 v129 = (v124 * ft_splat_f64x8(v1));
    const ft_f64x8 v130 = (v128 + v129);
    {
      double v132[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v132[0], v114);
      double v133[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v133[0], v117);
      double v134[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v134[0], v120);
      double v135[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v135[0], v126);
      double v136[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v136[0], v130);
      for (long long v131 = 0; v131 < (int)(to - i0); v131++) {
        o0[((i0 + v131) * 5)] = v132[v131];
        o0[(((i0 + v131) * 5) + 1)] = v133[v131];
        o0[(((i0 + v131) * 5) + 2)] = v134[v131];
        o0[(((i0 + v131) * 5) + 3)] = v135[v131];
        o0[(((i0 + v131) * 5) + 4)] = v136[v131];
      }
    }
  }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long,
  long long *, const long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], (char *)buffers[5], sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[7];
  switch (at[0]) { default:;
  case 0: if (sizes[1] > 1 && sizes[0] > 54112) {
    if (((ft_pool *)buffers[6])(k0_part, buffers, sizes, sizes[0], 3648, 54112, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = sizes[0], to = n - at[1] > 7215040 ? at[1] + 7215040 : n;
    k0(buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], (char *)buffers[5], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
