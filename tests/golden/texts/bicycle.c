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
static inline long long ft_min_i64(long long a, long long b) { const long long m = a < b ? a : b; return a == a ? m : a; }
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
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_abs_f64x8(ft_f64x8 x) { return (ft_f64x8)((ft_i64x8)x & 0x7fffffffffffffffLL); }
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_lt_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_cmppd512_mask(a, b, 1, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a < b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_i64x8 ft_splat_i64x8(long long x) { return (ft_i64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_eq_i64x8(ft_i64x8 a, ft_i64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_cmpq512_mask((ft_i64x8)a, (ft_i64x8)b, 0, (ft_m64x8)-1);
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
  return __builtin_ia32_cmppd512_mask(a, b, 0, (ft_m64x8)-1, 4);
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

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i1 = from; i1 < to; i1++) {
    const long long v0 = ft_min_i64(128, (n0 + (i1 * -128)));
    const long long v1 = ((v0 + 7) / 8) * 8;
    double s0[128] __attribute__((aligned(64)));
    double s1[128] __attribute__((aligned(64)));
    double s2[128] __attribute__((aligned(64)));
    double s3[128] __attribute__((aligned(64)));
    double s4[128] __attribute__((aligned(64)));
    double s5[128] __attribute__((aligned(64)));
    for (long long i2 = 0; i2 < v0; i2++) {
      s0[i2] = a0[((i1 * 768) + (i2 * 6)) + 4];
      s1[i2] = a0[((i1 * 768) + (i2 * 6)) + 3];
      s2[i2] = a0[((i1 * 768) + (i2 * 6)) + 5];
      s3[i2] = a0[((i1 * 768) + (i2 * 6)) + 2];
      s4[i2] = a0[(i1 * 768) + (i2 * 6)];
      s5[i2] = a0[((i1 * 768) + (i2 * 6)) + 1];
    }
    double s6[128] __attribute__((aligned(64)));
    double s7[128] __attribute__((aligned(64)));
    double s8[128] __attribute__((aligned(64)));
    double s9[128] __attribute__((aligned(64)));
    double s10[128] __attribute__((aligned(64)));
    double s11[128] __attribute__((aligned(64)));
    double s12[128] __attribute__((aligned(64)));
    double s13[128] __attribute__((aligned(64)));
    double s14[128] __attribute__((aligned(64)));
    const long long v2 = v1;
    if (0 < v2) {
    long long i3 = 0;
    for (; i3 <= v2 - 16; i3 += 16) {
      const ft_f64x8 v3 = ft_load_f64x8(&s0[i3]);
      const ft_f64x8 v4 = ft_load_f64x8(&s0[(i3 + 8)]);
      const ft_f64x8 v5 = ft_load_f64x8(&s1[i3]);
      const ft_f64x8 v6 = ft_load_f64x8(&s1[(i3 + 8)]);
      const ft_f64x8 v7 = ft_fma_f64x8(ft_splat_f64x8(0.05), v3, v5);
      const ft_f64x8 v8 = ft_fma_f64x8(ft_splat_f64x8(0.05), v4, v6);
      ft_store_f64x8(&s9[i3], v7);
      ft_store_f64x8(&s9[(i3 + 8)], v8);
      const ft_f64x8 v9 = ft_fma_f64x8(ft_splat_f64x8(0.025), v3, v5);
      const ft_f64x8 v10 = ft_fma_f64x8(ft_splat_f64x8(0.025), v4, v6);
      ft_store_f64x8(&s7[i3], v9);
      ft_store_f64x8(&s7[(i3 + 8)], v10);
      const ft_f64x8 v11 = ft_load_f64x8(&s2[i3]);
      const ft_f64x8 v12 = ft_load_f64x8(&s2[(i3 + 8)]);
      ft_f64x8 v13 = ft_tannear_f64x8(v11);
      ft_f64x8 v14 = ft_tannear_f64x8(v12);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v11)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v12))), 0)) {
        v13 = ft_tanfar_f64x8(v11);
        v14 = ft_tanfar_f64x8(v12);
      }
      const ft_f64x8 v15 = (v13 / ft_splat_f64x8(2.5));
      const ft_f64x8 v16 = (v14 / ft_splat_f64x8(2.5));
      ft_store_f64x8(&s14[i3], v15);
      ft_store_f64x8(&s14[(i3 + 8)], v16);
      const ft_f64x8 v17 = (v9 * v15);
      const ft_f64x8 v18 = (v10 * v16);
      ft_store_f64x8(&s6[i3], v17);
      ft_store_f64x8(&s6[(i3 + 8)], v18);
      const ft_f64x8 v19 = ft_load_f64x8(&s3[i3]);
      const ft_f64x8 v20 = ft_load_f64x8(&s3[(i3 + 8)]);
      const ft_f64x8 v21 = ft_fma_f64x8(ft_splat_f64x8(0.05), v17, v19);
      const ft_f64x8 v22 = ft_fma_f64x8(ft_splat_f64x8(0.05), v18, v20);
      ft_store_f64x8(&s11[i3], v21);
      ft_store_f64x8(&s11[(i3 + 8)], v22);
      ft_f64x8 v23 = ft_cosnear_f64x8(v21);
      ft_f64x8 v24 = ft_cosnear_f64x8(v22);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v21)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v22))), 0)) {
        v23 = ft_cosfar_f64x8(v21);
        v24 = ft_cosfar_f64x8(v22);
      }
      ft_store_f64x8(&s10[i3], v23);
      ft_store_f64x8(&s10[(i3 + 8)], v24);
      const ft_f64x8 v25 = (v5 * v15);
      const ft_f64x8 v26 = (v6 * v16);
      ft_store_f64x8(&s13[i3], v25);
      ft_store_f64x8(&s13[(i3 + 8)], v26);
      const ft_f64x8 v27 = ft_fma_f64x8(ft_splat_f64x8(0.025), v25, v19);
      const ft_f64x8 v28 = ft_fma_f64x8(ft_splat_f64x8(0.025), v26, v20);
      ft_store_f64x8(&s12[i3], v27);
      ft_store_f64x8(&s12[(i3 + 8)], v28);
      ft_f64x8 v29 = ft_cosnear_f64x8(v27);
      ft_f64x8 v30 = ft_cosnear_f64x8(v28);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v27)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v28))), 0)) {
        v29 = ft_cosfar_f64x8(v27);
        v30 = ft_cosfar_f64x8(v28);
      }
      const ft_f64x8 v31 = (v9 * v29);
      const ft_f64x8 v32 = (v10 * v30);
      ft_store_f64x8(&s8[i3], v31);
      ft_store_f64x8(&s8[(i3 + 8)], v32);
    }
    for (; i3 <= v2 - 8; i3 += 8) {
      const ft_f64x8 v33 = ft_load_f64x8(&s0[i3]);
      const ft_f64x8 v34 = ft_load_f64x8(&s1[i3]);
      const ft_f64x8 v35 = ft_fma_f64x8(ft_splat_f64x8(0.05), v33, v34);
      ft_store_f64x8(&s9[i3], v35);
      const ft_f64x8 v36 = ft_fma_f64x8(ft_splat_f64x8(0.025), v33, v34);
      ft_store_f64x8(&s7[i3], v36);
      const ft_f64x8 v37 = ft_load_f64x8(&s2[i3]);
      ft_f64x8 v38 = ft_tannear_f64x8(v37);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v37))), 0)) {
        v38 = ft_tanfar_f64x8(v37);
      }
      const ft_f64x8 v39 = (v38 / ft_splat_f64x8(2.5));
      ft_store_f64x8(&s14[i3], v39);
      const ft_f64x8 v40 = (v36 * v39);
      ft_store_f64x8(&s6[i3], v40);
      const ft_f64x8 v41 = ft_load_f64x8(&s3[i3]);
      const ft_f64x8 v42 = ft_fma_f64x8(ft_splat_f64x8(0.05), v40, v41);
      ft_store_f64x8(&s11[i3], v42);
      ft_f64x8 v43 = ft_cosnear_f64x8(v42);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v42))), 0)) {
        v43 = ft_cosfar_f64x8(v42);
      }
      ft_store_f64x8(&s10[i3], v43);
      const ft_f64x8 v44 = (v34 * v39);
      ft_store_f64x8(&s13[i3], v44);
      const ft_f64x8 v45 = ft_fma_f64x8(ft_splat_f64x8(0.025), v44, v41);
      ft_store_f64x8(&s12[i3], v45);
      ft_f64x8 v46 = ft_cosnear_f64x8(v45);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v45))), 0)) {
        v46 = ft_cosfar_f64x8(v45);
      }
      const ft_f64x8 v47 = (v36 * v46);
      ft_store_f64x8(&s8[i3], v47);
    }
    }
    double s15[128] __attribute__((aligned(64)));
    double s16[128] __attribute__((aligned(64)));
    double s17[128] __attribute__((aligned(64)));
    double s18[128] __attribute__((aligned(64)));
    const long long v48 = v1;
    if (0 < v48) {
    long long i4 = 0;
    for (; i4 <= v48 - 16; i4 += 16) {
      const ft_f64x8 v49 = ft_load_f64x8(&s6[i4]);
      const ft_f64x8 v50 = ft_load_f64x8(&s6[(i4 + 8)]);
      const ft_f64x8 v51 = ft_load_f64x8(&s3[i4]);
      const ft_f64x8 v52 = ft_load_f64x8(&s3[(i4 + 8)]);
      const ft_f64x8 v53 = ft_fma_f64x8(ft_splat_f64x8(0.025), v49, v51);
      const ft_f64x8 v54 = ft_fma_f64x8(ft_splat_f64x8(0.025), v50, v52);
      ft_store_f64x8(&s15[i4], v53);
      ft_store_f64x8(&s15[(i4 + 8)], v54);
      ft_f64x8 v55 = ft_cosnear_f64x8(v53);
      ft_f64x8 v56 = ft_cosnear_f64x8(v54);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v53)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v54))), 0)) {
        v55 = ft_cosfar_f64x8(v53);
        v56 = ft_cosfar_f64x8(v54);
      }
      const ft_f64x8 v57 = ft_load_f64x8(&s7[i4]);
      const ft_f64x8 v58 = ft_load_f64x8(&s7[(i4 + 8)]);
      const ft_f64x8 v59 = (v57 * v55);
      const ft_f64x8 v60 = (v58 * v56);
      const ft_f64x8 v61 = ft_load_f64x8(&s8[i4]);
      const ft_f64x8 v62 = ft_load_f64x8(&s8[(i4 + 8)]);
      const ft_f64x8 v63 = (v61 + v59);
      const ft_f64x8 v64 = (v62 + v60);
      ft_f64x8 v65 = ft_cosnear_f64x8(v51);
      ft_f64x8 v66 = ft_cosnear_f64x8(v52);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v51)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v52))), 0)) {
        v65 = ft_cosfar_f64x8(v51);
        v66 = ft_cosfar_f64x8(v52);
      }
      const ft_f64x8 v67 = ft_load_f64x8(&s1[i4]);
      const ft_f64x8 v68 = ft_load_f64x8(&s1[(i4 + 8)]);
      const ft_f64x8 v69 = (v67 * v65);
      const ft_f64x8 v70 = (v68 * v66);
      const ft_f64x8 v71 = ft_fma_f64x8(ft_splat_f64x8(2.0), v63, v69);
      const ft_f64x8 v72 = ft_fma_f64x8(ft_splat_f64x8(2.0), v64, v70);
      const ft_f64x8 v73 = ft_load_f64x8(&s9[i4]);
      const ft_f64x8 v74 = ft_load_f64x8(&s9[(i4 + 8)]);
      const ft_f64x8 v75 = ft_load_f64x8(&s10[i4]);
      const ft_f64x8 v76 = ft_load_f64x8(&s10[(i4 + 8)]);
      const ft_f64x8 v77 = ft_fma_f64x8(v73, v75, v71);
      const ft_f64x8 v78 = ft_fma_f64x8(v74, v76, v72);
      const ft_f64x8 v79 = ft_load_f64x8(&s4[i4]);
      const ft_f64x8 v80 = ft_load_f64x8(&s4[(i4 + 8)]);
      const ft_f64x8 v81 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v77, v79);
      const ft_f64x8 v82 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v78, v80);
      ft_store_f64x8(&s18[i4], v81);
      ft_store_f64x8(&s18[(i4 + 8)], v82);
      const ft_f64x8 v83 = ft_load_f64x8(&s11[i4]);
      const ft_f64x8 v84 = ft_load_f64x8(&s11[(i4 + 8)]);
      ft_f64x8 v85 = ft_sinnear_f64x8(v83);
      ft_f64x8 v86 = ft_sinnear_f64x8(v84);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v83)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v84))), 0)) {
        v85 = ft_sinfar_f64x8(v83);
        v86 = ft_sinfar_f64x8(v84);
      }
      ft_store_f64x8(&s17[i4], v85);
      ft_store_f64x8(&s17[(i4 + 8)], v86);
      const ft_f64x8 v87 = ft_load_f64x8(&s12[i4]);
      const ft_f64x8 v88 = ft_load_f64x8(&s12[(i4 + 8)]);
      ft_f64x8 v89 = ft_sinnear_f64x8(v87);
      ft_f64x8 v90 = ft_sinnear_f64x8(v88);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v87)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v88))), 0)) {
        v89 = ft_sinfar_f64x8(v87);
        v90 = ft_sinfar_f64x8(v88);
      }
      const ft_f64x8 v91 = (v57 * v89);
      const ft_f64x8 v92 = (v58 * v90);
      ft_store_f64x8(&s16[i4], v91);
      ft_store_f64x8(&s16[(i4 + 8)], v92);
    }
    for (; i4 <= v48 - 8; i4 += 8) {
      const ft_f64x8 v93 = ft_load_f64x8(&s6[i4]);
      const ft_f64x8 v94 = ft_load_f64x8(&s3[i4]);
      const ft_f64x8 v95 = ft_fma_f64x8(ft_splat_f64x8(0.025), v93, v94);
      ft_store_f64x8(&s15[i4], v95);
      ft_f64x8 v96 = ft_cosnear_f64x8(v95);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v95))), 0)) {
        v96 = ft_cosfar_f64x8(v95);
      }
      const ft_f64x8 v97 = ft_load_f64x8(&s7[i4]);
      const ft_f64x8 v98 = (v97 * v96);
      const ft_f64x8 v99 = ft_load_f64x8(&s8[i4]);
      const ft_f64x8 v100 = (v99 + v98);
      ft_f64x8 v101 = ft_cosnear_f64x8(v94);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v94))), 0)) {
        v101 = ft_cosfar_f64x8(v94);
      }
      const ft_f64x8 v102 = ft_load_f64x8(&s1[i4]);
      const ft_f64x8 v103 = (v102 * v101);
      const ft_f64x8 v104 = ft_fma_f64x8(ft_splat_f64x8(2.0), v100, v103);
      const ft_f64x8 v105 = ft_load_f64x8(&s9[i4]);
      const ft_f64x8 v106 = ft_load_f64x8(&s10[i4]);
      const ft_f64x8 v107 = ft_fma_f64x8(v105, v106, v104);
      const ft_f64x8 v108 = ft_load_f64x8(&s4[i4]);
      const ft_f64x8 v109 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v107, v108);
      ft_store_f64x8(&s18[i4], v109);
      const ft_f64x8 v110 = ft_load_f64x8(&s11[i4]);
      ft_f64x8 v111 = ft_sinnear_f64x8(v110);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v110))), 0)) {
        v111 = ft_sinfar_f64x8(v110);
      }
      ft_store_f64x8(&s17[i4], v111);
      const ft_f64x8 v112 = ft_load_f64x8(&s12[i4]);
      ft_f64x8 v113 = ft_sinnear_f64x8(v112);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v112))), 0)) {
        v113 = ft_sinfar_f64x8(v112);
      }
      const ft_f64x8 v114 = (v97 * v113);
      ft_store_f64x8(&s16[i4], v114);
    }
    }
    for (long long i5 = 0; i5 < v0; i5++) {
      o0[(i1 * 512) + (i5 * 4)] = s18[i5];
    }
    const long long v115 = v1;
    if (0 < v115) {
    long long i6 = 0;
    for (; i6 <= v115 - 16; i6 += 16) {
      const ft_f64x8 v116 = ft_load_f64x8(&s15[i6]);
      const ft_f64x8 v117 = ft_load_f64x8(&s15[(i6 + 8)]);
      ft_f64x8 v118 = ft_sinnear_f64x8(v116);
      ft_f64x8 v119 = ft_sinnear_f64x8(v117);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v116)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v117))), 0)) {
        v118 = ft_sinfar_f64x8(v116);
        v119 = ft_sinfar_f64x8(v117);
      }
      const ft_f64x8 v120 = ft_load_f64x8(&s7[i6]);
      const ft_f64x8 v121 = ft_load_f64x8(&s7[(i6 + 8)]);
      const ft_f64x8 v122 = (v120 * v118);
      const ft_f64x8 v123 = (v121 * v119);
      const ft_f64x8 v124 = ft_load_f64x8(&s16[i6]);
      const ft_f64x8 v125 = ft_load_f64x8(&s16[(i6 + 8)]);
      const ft_f64x8 v126 = (v124 + v122);
      const ft_f64x8 v127 = (v125 + v123);
      const ft_f64x8 v128 = ft_load_f64x8(&s3[i6]);
      const ft_f64x8 v129 = ft_load_f64x8(&s3[(i6 + 8)]);
      ft_f64x8 v130 = ft_sinnear_f64x8(v128);
      ft_f64x8 v131 = ft_sinnear_f64x8(v129);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v128)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v129))), 0)) {
        v130 = ft_sinfar_f64x8(v128);
        v131 = ft_sinfar_f64x8(v129);
      }
      const ft_f64x8 v132 = ft_load_f64x8(&s1[i6]);
      const ft_f64x8 v133 = ft_load_f64x8(&s1[(i6 + 8)]);
      const ft_f64x8 v134 = (v132 * v130);
      const ft_f64x8 v135 = (v133 * v131);
      const ft_f64x8 v136 = ft_fma_f64x8(ft_splat_f64x8(2.0), v126, v134);
      const ft_f64x8 v137 = ft_fma_f64x8(ft_splat_f64x8(2.0), v127, v135);
      const ft_f64x8 v138 = ft_load_f64x8(&s9[i6]);
      const ft_f64x8 v139 = ft_load_f64x8(&s9[(i6 + 8)]);
      const ft_f64x8 v140 = ft_load_f64x8(&s17[i6]);
      const ft_f64x8 v141 = ft_load_f64x8(&s17[(i6 + 8)]);
      const ft_f64x8 v142 = ft_fma_f64x8(v138, v140, v136);
      const ft_f64x8 v143 = ft_fma_f64x8(v139, v141, v137);
      const ft_f64x8 v144 = ft_load_f64x8(&s5[i6]);
      const ft_f64x8 v145 = ft_load_f64x8(&s5[(i6 + 8)]);
      const ft_f64x8 v146 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v142, v144);
      const ft_f64x8 v147 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v143, v145);
      ft_store_f64x8(&s12[i6], v146);
      ft_store_f64x8(&s12[(i6 + 8)], v147);
      const ft_f64x8 v148 = ft_load_f64x8(&s6[i6]);
      const ft_f64x8 v149 = ft_load_f64x8(&s6[(i6 + 8)]);
      const ft_f64x8 v150 = (v148 + v148);
      const ft_f64x8 v151 = (v149 + v149);
      const ft_f64x8 v152 = ft_load_f64x8(&s13[i6]);
      const ft_f64x8 v153 = ft_load_f64x8(&s13[(i6 + 8)]);
      const ft_f64x8 v154 = ft_fma_f64x8(ft_splat_f64x8(2.0), v150, v152);
      const ft_f64x8 v155 = ft_fma_f64x8(ft_splat_f64x8(2.0), v151, v153);
      const ft_f64x8 v156 = ft_load_f64x8(&s14[i6]);
      const ft_f64x8 v157 = ft_load_f64x8(&s14[(i6 + 8)]);
      const ft_f64x8 v158 = ft_fma_f64x8(v138, v156, v154);
      const ft_f64x8 v159 = ft_fma_f64x8(v139, v157, v155);
      const ft_f64x8 v160 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v158, v128);
      const ft_f64x8 v161 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v159, v129);
      ft_store_f64x8(&s11[i6], v160);
      ft_store_f64x8(&s11[(i6 + 8)], v161);
      ft_store_f64x8(&s10[i6], v138);
      ft_store_f64x8(&s10[(i6 + 8)], v139);
    }
    for (; i6 <= v115 - 8; i6 += 8) {
      const ft_f64x8 v162 = ft_load_f64x8(&s15[i6]);
      ft_f64x8 v163 = ft_sinnear_f64x8(v162);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v162))), 0)) {
        v163 = ft_sinfar_f64x8(v162);
      }
      const ft_f64x8 v164 = ft_load_f64x8(&s7[i6]);
      const ft_f64x8 v165 = (v164 * v163);
      const ft_f64x8 v166 = ft_load_f64x8(&s16[i6]);
      const ft_f64x8 v167 = (v166 + v165);
      const ft_f64x8 v168 = ft_load_f64x8(&s3[i6]);
      ft_f64x8 v169 = ft_sinnear_f64x8(v168);
      if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v168))), 0)) {
        v169 = ft_sinfar_f64x8(v168);
      }
      const ft_f64x8 v170 = ft_load_f64x8(&s1[i6]);
      const ft_f64x8 v171 = (v170 * v169);
      const ft_f64x8 v172 = ft_fma_f64x8(ft_splat_f64x8(2.0), v167, v171);
      const ft_f64x8 v173 = ft_load_f64x8(&s9[i6]);
      const ft_f64x8 v174 = ft_load_f64x8(&s17[i6]);
      const ft_f64x8 v175 = ft_fma_f64x8(v173, v174, v172);
      const ft_f64x8 v176 = ft_load_f64x8(&s5[i6]);
      const ft_f64x8 v177 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v175, v176);
      ft_store_f64x8(&s12[i6], v177);
      const ft_f64x8 v178 = ft_load_f64x8(&s6[i6]);
      const ft_f64x8 v179 = (v178 + v178);
      const ft_f64x8 v180 = ft_load_f64x8(&s13[i6]);
      const ft_f64x8 v181 = ft_fma_f64x8(ft_splat_f64x8(2.0), v179, v180);
      const ft_f64x8 v182 = ft_load_f64x8(&s14[i6]);
      const ft_f64x8 v183 = ft_fma_f64x8(v173, v182, v181);
      const ft_f64x8 v184 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v183, v168);
      ft_store_f64x8(&s11[i6], v184);
      ft_store_f64x8(&s10[i6], v173);
    }
    }
    for (long long i7 = 0; i7 < v0; i7++) {
      o0[((i1 * 512) + (i7 * 4)) + 1] = s12[i7];
      o0[((i1 * 512) + (i7 * 4)) + 2] = s11[i7];
      o0[((i1 * 512) + (i7 * 4)) + 3] = s10[i7];
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
  case 0: if (sizes[1] > 1 && ((sizes[0] + 127) / 128) > 96) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, ((sizes[0] + 127) / 128), 7, 96, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = ((sizes[0] + 127) / 128), to = n - at[1] > 12928 ? at[1] + 12928 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
