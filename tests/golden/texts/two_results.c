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
static __attribute__((noinline, const)) ft_f64x8 ft_sinnear_f64x8(ft_f64x8 x) {
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
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
static __attribute__((noinline, const)) ft_f64x8 ft_cosnear_f64x8(ft_f64x8 x) {
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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_everyfirst_f64x8(const double *p, long long step, int n) { return (ft_f64x8){0 < n ? p[0 * step] : 0, 1 < n ? p[1 * step] : 0, 2 < n ? p[2 * step] : 0, 3 < n ? p[3 * step] : 0, 4 < n ? p[4 * step] : 0, 5 < n ? p[5 * step] : 0, 6 < n ? p[6 * step] : 0, 7 < n ? p[7 * step] : 0}; }
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

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, double *restrict o1, char *restrict scratch, long long n0, long long from, long long to) {
  if (from < to) {
  long long i0 = from;
  for (; i0 <= to - 32; i0 += 32) {
    const ft_f64x8 v0 = ft_every_f64x8(a0 + (i0 * 4), 4);
    const ft_f64x8 v1 = ft_every_f64x8(a0 + ((i0 + 8) * 4), 4);
    const ft_f64x8 v2 = ft_every_f64x8(a0 + ((i0 + 16) * 4), 4);
    const ft_f64x8 v3 = ft_every_f64x8(a0 + ((i0 + 24) * 4), 4);
    ft_f64x8 v4 = ft_sinnear_f64x8(v0);
    ft_f64x8 v5 = ft_sinnear_f64x8(v1);
    ft_f64x8 v6 = ft_sinnear_f64x8(v2);
    ft_f64x8 v7 = ft_sinnear_f64x8(v3);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v0)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v1)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v2)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v3))), 0)) {
      v4 = ft_sinfar_f64x8(v0);
      v5 = ft_sinfar_f64x8(v1);
      v6 = ft_sinfar_f64x8(v2);
      v7 = ft_sinfar_f64x8(v3);
    }
    const ft_f64x8 v8 = (ft_splat_f64x8(0.0) + v4);
    const ft_f64x8 v9 = (ft_splat_f64x8(0.0) + v5);
    const ft_f64x8 v10 = (ft_splat_f64x8(0.0) + v6);
    const ft_f64x8 v11 = (ft_splat_f64x8(0.0) + v7);
    const ft_f64x8 v12 = ft_every_f64x8(a0 + ((i0 * 4) + 1), 4);
    const ft_f64x8 v13 = ft_every_f64x8(a0 + (((i0 + 8) * 4) + 1), 4);
    const ft_f64x8 v14 = ft_every_f64x8(a0 + (((i0 + 16) * 4) + 1), 4);
    const ft_f64x8 v15 = ft_every_f64x8(a0 + (((i0 + 24) * 4) + 1), 4);
    ft_f64x8 v16 = ft_sinnear_f64x8(v12);
    ft_f64x8 v17 = ft_sinnear_f64x8(v13);
    ft_f64x8 v18 = ft_sinnear_f64x8(v14);
    ft_f64x8 v19 = ft_sinnear_f64x8(v15);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v12)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v13)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v14)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v15))), 0)) {
      v16 = ft_sinfar_f64x8(v12);
      v17 = ft_sinfar_f64x8(v13);
      v18 = ft_sinfar_f64x8(v14);
      v19 = ft_sinfar_f64x8(v15);
    }
    const ft_f64x8 v20 = (v8 + v16);
    const ft_f64x8 v21 = (v9 + v17);
    const ft_f64x8 v22 = (v10 + v18);
    const ft_f64x8 v23 = (v11 + v19);
    const ft_f64x8 v24 = ft_every_f64x8(a0 + ((i0 * 4) + 2), 4);
    const ft_f64x8 v25 = ft_every_f64x8(a0 + (((i0 + 8) * 4) + 2), 4);
    const ft_f64x8 v26 = ft_every_f64x8(a0 + (((i0 + 16) * 4) + 2), 4);
    const ft_f64x8 v27 = ft_every_f64x8(a0 + (((i0 + 24) * 4) + 2), 4);
    ft_f64x8 v28 = ft_sinnear_f64x8(v24);
    ft_f64x8 v29 = ft_sinnear_f64x8(v25);
    ft_f64x8 v30 = ft_sinnear_f64x8(v26);
    ft_f64x8 v31 = ft_sinnear_f64x8(v27);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v24)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v25)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v26)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v27))), 0)) {
      v28 = ft_sinfar_f64x8(v24);
      v29 = ft_sinfar_f64x8(v25);
      v30 = ft_sinfar_f64x8(v26);
      v31 = ft_sinfar_f64x8(v27);
    }
    const ft_f64x8 v32 = (v20 + v28);
    const ft_f64x8 v33 = (v21 + v29);
    const ft_f64x8 v34 = (v22 + v30);
    const ft_f64x8 v35 = (v23 + v31);
    const ft_f64x8 v36 = ft_every_f64x8(a0 + ((i0 * 4) + 3), 4);
    const ft_f64x8 v37 = ft_every_f64x8(a0 + (((i0 + 8) * 4) + 3), 4);
    const ft_f64x8 v38 = ft_every_f64x8(a0 + (((i0 + 16) * 4) + 3), 4);
    const ft_f64x8 v39 = ft_every_f64x8(a0 + (((i0 + 24) * 4) + 3), 4);
    ft_f64x8 v40 = ft_sinnear_f64x8(v36);
    ft_f64x8 v41 = ft_sinnear_f64x8(v37);
    ft_f64x8 v42 = ft_sinnear_f64x8(v38);
    ft_f64x8 v43 = ft_sinnear_f64x8(v39);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v36)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v37)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v38)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v39))), 0)) {
      v40 = ft_sinfar_f64x8(v36);
      v41 = ft_sinfar_f64x8(v37);
      v42 = ft_sinfar_f64x8(v38);
      v43 = ft_sinfar_f64x8(v39);
    }
    const ft_f64x8 v44 = (v32 + v40);
    const ft_f64x8 v45 = (v33 + v41);
    const ft_f64x8 v46 = (v34 + v42);
    const ft_f64x8 v47 = (v35 + v43);
    ft_store_f64x8(o0 + i0, v44);
    ft_store_f64x8(o0 + (i0 + 8), v45);
    ft_store_f64x8(o0 + (i0 + 16), v46);
    ft_store_f64x8(o0 + (i0 + 24), v47);
    ft_f64x8 v48 = ft_cosnear_f64x8(v0);
    ft_f64x8 v49 = ft_cosnear_f64x8(v1);
    ft_f64x8 v50 = ft_cosnear_f64x8(v2);
    ft_f64x8 v51 = ft_cosnear_f64x8(v3);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v0)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v1)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v2)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v3))), 0)) {
      v48 = ft_cosfar_f64x8(v0);
      v49 = ft_cosfar_f64x8(v1);
      v50 = ft_cosfar_f64x8(v2);
      v51 = ft_cosfar_f64x8(v3);
    }
    ft_f64x8 v52 = ft_cosnear_f64x8(v12);
    ft_f64x8 v53 = ft_cosnear_f64x8(v13);
    ft_f64x8 v54 = ft_cosnear_f64x8(v14);
    ft_f64x8 v55 = ft_cosnear_f64x8(v15);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v12)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v13)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v14)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v15))), 0)) {
      v52 = ft_cosfar_f64x8(v12);
      v53 = ft_cosfar_f64x8(v13);
      v54 = ft_cosfar_f64x8(v14);
      v55 = ft_cosfar_f64x8(v15);
    }
    ft_f64x8 v56 = ft_cosnear_f64x8(v24);
    ft_f64x8 v57 = ft_cosnear_f64x8(v25);
    ft_f64x8 v58 = ft_cosnear_f64x8(v26);
    ft_f64x8 v59 = ft_cosnear_f64x8(v27);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v24)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v25)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v26)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v27))), 0)) {
      v56 = ft_cosfar_f64x8(v24);
      v57 = ft_cosfar_f64x8(v25);
      v58 = ft_cosfar_f64x8(v26);
      v59 = ft_cosfar_f64x8(v27);
    }
    ft_f64x8 v60 = ft_cosnear_f64x8(v36);
    ft_f64x8 v61 = ft_cosnear_f64x8(v37);
    ft_f64x8 v62 = ft_cosnear_f64x8(v38);
    ft_f64x8 v63 = ft_cosnear_f64x8(v39);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v36)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v37)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v38)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v39))), 0)) {
      v60 = ft_cosfar_f64x8(v36);
      v61 = ft_cosfar_f64x8(v37);
      v62 = ft_cosfar_f64x8(v38);
      v63 = ft_cosfar_f64x8(v39);
    }
    {
      double v65[32] __attribute__((aligned(64)));
      ft_store_f64x8(v65 + 0, v48);
      ft_store_f64x8(v65 + 8, v49);
      ft_store_f64x8(v65 + 16, v50);
      ft_store_f64x8(v65 + 24, v51);
      double v66[32] __attribute__((aligned(64)));
      ft_store_f64x8(v66 + 0, v52);
      ft_store_f64x8(v66 + 8, v53);
      ft_store_f64x8(v66 + 16, v54);
      ft_store_f64x8(v66 + 24, v55);
      double v67[32] __attribute__((aligned(64)));
      ft_store_f64x8(v67 + 0, v56);
      ft_store_f64x8(v67 + 8, v57);
      ft_store_f64x8(v67 + 16, v58);
      ft_store_f64x8(v67 + 24, v59);
      double v68[32] __attribute__((aligned(64)));
      ft_store_f64x8(v68 + 0, v60);
      ft_store_f64x8(v68 + 8, v61);
      ft_store_f64x8(v68 + 16, v62);
      ft_store_f64x8(v68 + 24, v63);
      for (long long v64 = 0; v64 < 32; v64++) {
        o1[((i0 + v64) * 4)] = v65[v64];
        o1[(((i0 + v64) * 4) + 1)] = v66[v64];
        o1[(((i0 + v64) * 4) + 2)] = v67[v64];
        o1[(((i0 + v64) * 4) + 3)] = v68[v64];
      }
    }
  }
  for (; i0 <= to - 8; i0 += 8) {
    const ft_f64x8 v69 = ft_every_f64x8(a0 + (i0 * 4), 4);
    ft_f64x8 v70 = ft_sinnear_f64x8(v69);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v69))), 0)) {
      v70 = ft_sinfar_f64x8(v69);
    }
    const ft_f64x8 v71 = (ft_splat_f64x8(0.0) + v70);
    const ft_f64x8 v72 = ft_every_f64x8(a0 + ((i0 * 4) + 1), 4);
    ft_f64x8 v73 = ft_sinnear_f64x8(v72);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v72))), 0)) {
      v73 = ft_sinfar_f64x8(v72);
    }
    const ft_f64x8 v74 = (v71 + v73);
    const ft_f64x8 v75 = ft_every_f64x8(a0 + ((i0 * 4) + 2), 4);
    ft_f64x8 v76 = ft_sinnear_f64x8(v75);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v75))), 0)) {
      v76 = ft_sinfar_f64x8(v75);
    }
    const ft_f64x8 v77 = (v74 + v76);
    const ft_f64x8 v78 = ft_every_f64x8(a0 + ((i0 * 4) + 3), 4);
    ft_f64x8 v79 = ft_sinnear_f64x8(v78);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v78))), 0)) {
      v79 = ft_sinfar_f64x8(v78);
    }
    const ft_f64x8 v80 = (v77 + v79);
    ft_store_f64x8(o0 + i0, v80);
    ft_f64x8 v81 = ft_cosnear_f64x8(v69);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v69))), 0)) {
      v81 = ft_cosfar_f64x8(v69);
    }
    ft_f64x8 v82 = ft_cosnear_f64x8(v72);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v72))), 0)) {
      v82 = ft_cosfar_f64x8(v72);
    }
    ft_f64x8 v83 = ft_cosnear_f64x8(v75);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v75))), 0)) {
      v83 = ft_cosfar_f64x8(v75);
    }
    ft_f64x8 v84 = ft_cosnear_f64x8(v78);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v78))), 0)) {
      v84 = ft_cosfar_f64x8(v78);
    }
    {
      double v86[8] __attribute__((aligned(64)));
      ft_store_f64x8(v86 + 0, v81);
      double v87[8] __attribute__((aligned(64)));
      ft_store_f64x8(v87 + 0, v82);
      double v88[8] __attribute__((aligned(64)));
      ft_store_f64x8(v88 + 0, v83);
      double v89[8] __attribute__((aligned(64)));
      ft_store_f64x8(v89 + 0, v84);
      for (long long v85 = 0; v85 < 8; v85++) {
        o1[((i0 + v85) * 4)] = v86[v85];
        o1[(((i0 + v85) * 4) + 1)] = v87[v85];
        o1[(((i0 + v85) * 4) + 2)] = v88[v85];
        o1[(((i0 + v85) * 4) + 3)] = v89[v85];
      }
    }
  }
  if (i0 < to) {
    const ft_f64x8 v90 = ft_everyfirst_f64x8(a0 + (i0 * 4), 4, (int)(to - i0));
    ft_f64x8 v91 = ft_sinnear_f64x8(v90);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v90))), 0)) {
      v91 = ft_sinfar_f64x8(v90);
    }
    const ft_f64x8 v92 = (ft_splat_f64x8(0.0) + v91);
    const ft_f64x8 v93 = ft_everyfirst_f64x8(a0 + ((i0 * 4) + 1), 4, (int)(to - i0));
    ft_f64x8 v94 = ft_sinnear_f64x8(v93);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v93))), 0)) {
      v94 = ft_sinfar_f64x8(v93);
    }
    const ft_f64x8 v95 = (v92 + v94);
    const ft_f64x8 v96 = ft_everyfirst_f64x8(a0 + ((i0 * 4) + 2), 4, (int)(to - i0));
    ft_f64x8 v97 = ft_sinnear_f64x8(v96);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v96))), 0)) {
      v97 = ft_sinfar_f64x8(v96);
    }
    const ft_f64x8 v98 = (v95 + v97);
    const ft_f64x8 v99 = ft_everyfirst_f64x8(a0 + ((i0 * 4) + 3), 4, (int)(to - i0));
    ft_f64x8 v100 = ft_sinnear_f64x8(v99);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v99))), 0)) {
      v100 = ft_sinfar_f64x8(v99);
    }
    const ft_f64x8 v101 = (v98 + v100);
    ft_storefirst_f64x8(o0 + i0, v101, (int)(to - i0));
    ft_f64x8 v102 = ft_cosnear_f64x8(v90);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v90))), 0)) {
      v102 = ft_cosfar_f64x8(v90);
    }
    ft_f64x8 v103 = ft_cosnear_f64x8(v93);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v93))), 0)) {
      v103 = ft_cosfar_f64x8(v93);
    }
    ft_f64x8 v104 = ft_cosnear_f64x8(v96);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v96))), 0)) {
      v104 = ft_cosfar_f64x8(v96);
    }
    ft_f64x8 v105 = ft_cosnear_f64x8(v99);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v99))), 0)) {
      v105 = ft_cosfar_f64x8(v99);
    }
    {
      double v107[8] __attribute__((aligned(64)));
      ft_store_f64x8(v107 + 0, v102);
      double v108[8] __attribute__((aligned(64)));
      ft_store_f64x8(v108 + 0, v103);
      double v109[8] __attribute__((aligned(64)));
      ft_store_f64x8(v109 + 0, v104);
      double v110[8] __attribute__((aligned(64)));
      ft_store_f64x8(v110 + 0, v105);
      for (long long v106 = 0; v106 < (int)(to - i0); v106++) {
        o1[((i0 + v106) * 4)] = v107[v106];
        o1[(((i0 + v106) * 4) + 1)] = v108[v106];
        o1[(((i0 + v106) * 4) + 2)] = v109[v106];
        o1[(((i0 + v106) * 4) + 3)] = v110[v106];
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
  {k0_part, 0, 1408, 20458, 2727808, 0, 0},
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
