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
static __attribute__((noinline, const)) ft_f64x8 ft_sinfar_f64x8(ft_f64x8 x) {
  ft_f64x8 r = ft_sinnear_f64x8(x);
  for (int k = 0; k < 8; k++) if (__builtin_fabs(x[k]) > 1048576.0) r[k] = sin(x[k]);
  return r;
}
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_everyfirst_f64x8(const double *p, long long step, int n) { return (ft_f64x8){0 < n ? p[0 * step] : 0, 1 < n ? p[1 * step] : 0, 2 < n ? p[2 * step] : 0, 3 < n ? p[3 * step] : 0, 4 < n ? p[4 * step] : 0, 5 < n ? p[5 * step] : 0, 6 < n ? p[6 * step] : 0, 7 < n ? p[7 * step] : 0}; }

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  if (from < to) {
  long long i0 = from;
  for (; i0 <= to - 16; i0 += 16) {
    const ft_f64x8 v0 = ft_every_f64x8(&a0[((i0 * 6) + 4)], 6);
    const ft_f64x8 v1 = ft_every_f64x8(&a0[(((i0 + 8) * 6) + 4)], 6);
    const ft_f64x8 v2 = ft_every_f64x8(&a0[((i0 * 6) + 3)], 6);
    const ft_f64x8 v3 = ft_every_f64x8(&a0[(((i0 + 8) * 6) + 3)], 6);
    const ft_f64x8 v4 = ft_fma_f64x8(ft_splat_f64x8(0.05), v0, v2);
    const ft_f64x8 v5 = ft_fma_f64x8(ft_splat_f64x8(0.05), v1, v3);
    const ft_f64x8 v6 = ft_fma_f64x8(ft_splat_f64x8(0.025), v0, v2);
    const ft_f64x8 v7 = ft_fma_f64x8(ft_splat_f64x8(0.025), v1, v3);
    const ft_f64x8 v8 = ft_every_f64x8(&a0[((i0 * 6) + 5)], 6);
    const ft_f64x8 v9 = ft_every_f64x8(&a0[(((i0 + 8) * 6) + 5)], 6);
    ft_f64x8 v10 = ft_tannear_f64x8(v8);
    ft_f64x8 v11 = ft_tannear_f64x8(v9);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v8)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v9))), 0)) {
      v10 = ft_tanfar_f64x8(v8);
      v11 = ft_tanfar_f64x8(v9);
    }
    const ft_f64x8 v12 = (v10 / ft_splat_f64x8(2.5));
    const ft_f64x8 v13 = (v11 / ft_splat_f64x8(2.5));
    const ft_f64x8 v14 = (v6 * v12);
    const ft_f64x8 v15 = (v7 * v13);
    const ft_f64x8 v16 = ft_every_f64x8(&a0[((i0 * 6) + 2)], 6);
    const ft_f64x8 v17 = ft_every_f64x8(&a0[(((i0 + 8) * 6) + 2)], 6);
    const ft_f64x8 v18 = ft_fma_f64x8(ft_splat_f64x8(0.05), v14, v16);
    const ft_f64x8 v19 = ft_fma_f64x8(ft_splat_f64x8(0.05), v15, v17);
    ft_f64x8 v20 = ft_cosnear_f64x8(v18);
    ft_f64x8 v21 = ft_cosnear_f64x8(v19);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v18)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v19))), 0)) {
      v20 = ft_cosfar_f64x8(v18);
      v21 = ft_cosfar_f64x8(v19);
    }
    const ft_f64x8 v22 = (v2 * v12);
    const ft_f64x8 v23 = (v3 * v13);
    const ft_f64x8 v24 = ft_fma_f64x8(ft_splat_f64x8(0.025), v22, v16);
    const ft_f64x8 v25 = ft_fma_f64x8(ft_splat_f64x8(0.025), v23, v17);
    ft_f64x8 v26 = ft_cosnear_f64x8(v24);
    ft_f64x8 v27 = ft_cosnear_f64x8(v25);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v24)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v25))), 0)) {
      v26 = ft_cosfar_f64x8(v24);
      v27 = ft_cosfar_f64x8(v25);
    }
    const ft_f64x8 v28 = (v6 * v26);
    const ft_f64x8 v29 = (v7 * v27);
    const ft_f64x8 v30 = ft_fma_f64x8(ft_splat_f64x8(0.025), v14, v16);
    const ft_f64x8 v31 = ft_fma_f64x8(ft_splat_f64x8(0.025), v15, v17);
    ft_f64x8 v32 = ft_cosnear_f64x8(v30);
    ft_f64x8 v33 = ft_cosnear_f64x8(v31);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v30)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v31))), 0)) {
      v32 = ft_cosfar_f64x8(v30);
      v33 = ft_cosfar_f64x8(v31);
    }
    const ft_f64x8 v34 = (v6 * v32);
    const ft_f64x8 v35 = (v7 * v33);
    const ft_f64x8 v36 = (v28 + v34);
    const ft_f64x8 v37 = (v29 + v35);
    ft_f64x8 v38 = ft_cosnear_f64x8(v16);
    ft_f64x8 v39 = ft_cosnear_f64x8(v17);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v16)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v17))), 0)) {
      v38 = ft_cosfar_f64x8(v16);
      v39 = ft_cosfar_f64x8(v17);
    }
    const ft_f64x8 v40 = (v2 * v38);
    const ft_f64x8 v41 = (v3 * v39);
    const ft_f64x8 v42 = ft_fma_f64x8(ft_splat_f64x8(2.0), v36, v40);
    const ft_f64x8 v43 = ft_fma_f64x8(ft_splat_f64x8(2.0), v37, v41);
    const ft_f64x8 v44 = ft_fma_f64x8(v4, v20, v42);
    const ft_f64x8 v45 = ft_fma_f64x8(v5, v21, v43);
    const ft_f64x8 v46 = ft_every_f64x8(&a0[(i0 * 6)], 6);
    const ft_f64x8 v47 = ft_every_f64x8(&a0[((i0 + 8) * 6)], 6);
    const ft_f64x8 v48 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v44, v46);
    const ft_f64x8 v49 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v45, v47);
    ft_f64x8 v50 = ft_sinnear_f64x8(v18);
    ft_f64x8 v51 = ft_sinnear_f64x8(v19);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v18)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v19))), 0)) {
      v50 = ft_sinfar_f64x8(v18);
      v51 = ft_sinfar_f64x8(v19);
    }
    ft_f64x8 v52 = ft_sinnear_f64x8(v24);
    ft_f64x8 v53 = ft_sinnear_f64x8(v25);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v24)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v25))), 0)) {
      v52 = ft_sinfar_f64x8(v24);
      v53 = ft_sinfar_f64x8(v25);
    }
    const ft_f64x8 v54 = (v6 * v52);
    const ft_f64x8 v55 = (v7 * v53);
    ft_f64x8 v56 = ft_sinnear_f64x8(v30);
    ft_f64x8 v57 = ft_sinnear_f64x8(v31);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v30)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v31))), 0)) {
      v56 = ft_sinfar_f64x8(v30);
      v57 = ft_sinfar_f64x8(v31);
    }
    const ft_f64x8 v58 = (v6 * v56);
    const ft_f64x8 v59 = (v7 * v57);
    const ft_f64x8 v60 = (v54 + v58);
    const ft_f64x8 v61 = (v55 + v59);
    ft_f64x8 v62 = ft_sinnear_f64x8(v16);
    ft_f64x8 v63 = ft_sinnear_f64x8(v17);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v16)) | ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v17))), 0)) {
      v62 = ft_sinfar_f64x8(v16);
      v63 = ft_sinfar_f64x8(v17);
    }
    const ft_f64x8 v64 = (v2 * v62);
    const ft_f64x8 v65 = (v3 * v63);
    const ft_f64x8 v66 = ft_fma_f64x8(ft_splat_f64x8(2.0), v60, v64);
    const ft_f64x8 v67 = ft_fma_f64x8(ft_splat_f64x8(2.0), v61, v65);
    const ft_f64x8 v68 = ft_fma_f64x8(v4, v50, v66);
    const ft_f64x8 v69 = ft_fma_f64x8(v5, v51, v67);
    const ft_f64x8 v70 = ft_every_f64x8(&a0[((i0 * 6) + 1)], 6);
    const ft_f64x8 v71 = ft_every_f64x8(&a0[(((i0 + 8) * 6) + 1)], 6);
    const ft_f64x8 v72 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v68, v70);
    const ft_f64x8 v73 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v69, v71);
    const ft_f64x8 v74 = (v14 + v14);
    const ft_f64x8 v75 = (v15 + v15);
    const ft_f64x8 v76 = ft_fma_f64x8(ft_splat_f64x8(2.0), v74, v22);
    const ft_f64x8 v77 = ft_fma_f64x8(ft_splat_f64x8(2.0), v75, v23);
    const ft_f64x8 v78 = ft_fma_f64x8(v4, v12, v76);
    const ft_f64x8 v79 = ft_fma_f64x8(v5, v13, v77);
    const ft_f64x8 v80 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v78, v16);
    const ft_f64x8 v81 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v79, v17);
    {
      double v83[16] __attribute__((aligned(64)));
      ft_store_f64x8(&v83[0], v48);
      ft_store_f64x8(&v83[8], v49);
      double v84[16] __attribute__((aligned(64)));
      ft_store_f64x8(&v84[0], v72);
      ft_store_f64x8(&v84[8], v73);
      double v85[16] __attribute__((aligned(64)));
      ft_store_f64x8(&v85[0], v80);
      ft_store_f64x8(&v85[8], v81);
      double v86[16] __attribute__((aligned(64)));
      ft_store_f64x8(&v86[0], v4);
      ft_store_f64x8(&v86[8], v5);
      for (long long v82 = 0; v82 < 16; v82++) {
        o0[((i0 + v82) * 4)] = v83[v82];
        o0[(((i0 + v82) * 4) + 1)] = v84[v82];
        o0[(((i0 + v82) * 4) + 2)] = v85[v82];
        o0[(((i0 + v82) * 4) + 3)] = v86[v82];
      }
    }
  }
  for (; i0 <= to - 8; i0 += 8) {
    const ft_f64x8 v87 = ft_every_f64x8(&a0[((i0 * 6) + 4)], 6);
    const ft_f64x8 v88 = ft_every_f64x8(&a0[((i0 * 6) + 3)], 6);
    const ft_f64x8 v89 = ft_fma_f64x8(ft_splat_f64x8(0.05), v87, v88);
    const ft_f64x8 v90 = ft_fma_f64x8(ft_splat_f64x8(0.025), v87, v88);
    const ft_f64x8 v91 = ft_every_f64x8(&a0[((i0 * 6) + 5)], 6);
    ft_f64x8 v92 = ft_tannear_f64x8(v91);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v91))), 0)) {
      v92 = ft_tanfar_f64x8(v91);
    }
    const ft_f64x8 v93 = (v92 / ft_splat_f64x8(2.5));
    const ft_f64x8 v94 = (v90 * v93);
    const ft_f64x8 v95 = ft_every_f64x8(&a0[((i0 * 6) + 2)], 6);
    const ft_f64x8 v96 = ft_fma_f64x8(ft_splat_f64x8(0.05), v94, v95);
    ft_f64x8 v97 = ft_cosnear_f64x8(v96);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v96))), 0)) {
      v97 = ft_cosfar_f64x8(v96);
    }
    const ft_f64x8 v98 = (v88 * v93);
    const ft_f64x8 v99 = ft_fma_f64x8(ft_splat_f64x8(0.025), v98, v95);
    ft_f64x8 v100 = ft_cosnear_f64x8(v99);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v99))), 0)) {
      v100 = ft_cosfar_f64x8(v99);
    }
    const ft_f64x8 v101 = (v90 * v100);
    const ft_f64x8 v102 = ft_fma_f64x8(ft_splat_f64x8(0.025), v94, v95);
    ft_f64x8 v103 = ft_cosnear_f64x8(v102);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v102))), 0)) {
      v103 = ft_cosfar_f64x8(v102);
    }
    const ft_f64x8 v104 = (v90 * v103);
    const ft_f64x8 v105 = (v101 + v104);
    ft_f64x8 v106 = ft_cosnear_f64x8(v95);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v95))), 0)) {
      v106 = ft_cosfar_f64x8(v95);
    }
    const ft_f64x8 v107 = (v88 * v106);
    const ft_f64x8 v108 = ft_fma_f64x8(ft_splat_f64x8(2.0), v105, v107);
    const ft_f64x8 v109 = ft_fma_f64x8(v89, v97, v108);
    const ft_f64x8 v110 = ft_every_f64x8(&a0[(i0 * 6)], 6);
    const ft_f64x8 v111 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v109, v110);
    ft_f64x8 v112 = ft_sinnear_f64x8(v96);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v96))), 0)) {
      v112 = ft_sinfar_f64x8(v96);
    }
    ft_f64x8 v113 = ft_sinnear_f64x8(v99);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v99))), 0)) {
      v113 = ft_sinfar_f64x8(v99);
    }
    const ft_f64x8 v114 = (v90 * v113);
    ft_f64x8 v115 = ft_sinnear_f64x8(v102);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v102))), 0)) {
      v115 = ft_sinfar_f64x8(v102);
    }
    const ft_f64x8 v116 = (v90 * v115);
    const ft_f64x8 v117 = (v114 + v116);
    ft_f64x8 v118 = ft_sinnear_f64x8(v95);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v95))), 0)) {
      v118 = ft_sinfar_f64x8(v95);
    }
    const ft_f64x8 v119 = (v88 * v118);
    const ft_f64x8 v120 = ft_fma_f64x8(ft_splat_f64x8(2.0), v117, v119);
    const ft_f64x8 v121 = ft_fma_f64x8(v89, v112, v120);
    const ft_f64x8 v122 = ft_every_f64x8(&a0[((i0 * 6) + 1)], 6);
    const ft_f64x8 v123 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v121, v122);
    const ft_f64x8 v124 = (v94 + v94);
    const ft_f64x8 v125 = ft_fma_f64x8(ft_splat_f64x8(2.0), v124, v98);
    const ft_f64x8 v126 = ft_fma_f64x8(v89, v93, v125);
    const ft_f64x8 v127 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v126, v95);
    {
      double v129[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v129[0], v111);
      double v130[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v130[0], v123);
      double v131[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v131[0], v127);
      double v132[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v132[0], v89);
      for (long long v128 = 0; v128 < 8; v128++) {
        o0[((i0 + v128) * 4)] = v129[v128];
        o0[(((i0 + v128) * 4) + 1)] = v130[v128];
        o0[(((i0 + v128) * 4) + 2)] = v131[v128];
        o0[(((i0 + v128) * 4) + 3)] = v132[v128];
      }
    }
  }
  if (i0 < to) {
    const ft_f64x8 v133 = ft_everyfirst_f64x8(&a0[((i0 * 6) + 4)], 6, (int)(to - i0));
    const ft_f64x8 v134 = ft_everyfirst_f64x8(&a0[((i0 * 6) + 3)], 6, (int)(to - i0));
    const ft_f64x8 v135 = ft_fma_f64x8(ft_splat_f64x8(0.05), v133, v134);
    const ft_f64x8 v136 = ft_fma_f64x8(ft_splat_f64x8(0.025), v133, v134);
    const ft_f64x8 v137 = ft_everyfirst_f64x8(&a0[((i0 * 6) + 5)], 6, (int)(to - i0));
    ft_f64x8 v138 = ft_tannear_f64x8(v137);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v137))), 0)) {
      v138 = ft_tanfar_f64x8(v137);
    }
    const ft_f64x8 v139 = (v138 / ft_splat_f64x8(2.5));
    const ft_f64x8 v140 = (v136 * v139);
    const ft_f64x8 v141 = ft_everyfirst_f64x8(&a0[((i0 * 6) + 2)], 6, (int)(to - i0));
    const ft_f64x8 v142 = ft_fma_f64x8(ft_splat_f64x8(0.05), v140, v141);
    ft_f64x8 v143 = ft_cosnear_f64x8(v142);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v142))), 0)) {
      v143 = ft_cosfar_f64x8(v142);
    }
    const ft_f64x8 v144 = (v134 * v139);
    const ft_f64x8 v145 = ft_fma_f64x8(ft_splat_f64x8(0.025), v144, v141);
    ft_f64x8 v146 = ft_cosnear_f64x8(v145);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v145))), 0)) {
      v146 = ft_cosfar_f64x8(v145);
    }
    const ft_f64x8 v147 = (v136 * v146);
    const ft_f64x8 v148 = ft_fma_f64x8(ft_splat_f64x8(0.025), v140, v141);
    ft_f64x8 v149 = ft_cosnear_f64x8(v148);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v148))), 0)) {
      v149 = ft_cosfar_f64x8(v148);
    }
    const ft_f64x8 v150 = (v136 * v149);
    const ft_f64x8 v151 = (v147 + v150);
    ft_f64x8 v152 = ft_cosnear_f64x8(v141);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v141))), 0)) {
      v152 = ft_cosfar_f64x8(v141);
    }
    const ft_f64x8 v153 = (v134 * v152);
    const ft_f64x8 v154 = ft_fma_f64x8(ft_splat_f64x8(2.0), v151, v153);
    const ft_f64x8 v155 = ft_fma_f64x8(v135, v143, v154);
    const ft_f64x8 v156 = ft_everyfirst_f64x8(&a0[(i0 * 6)], 6, (int)(to - i0));
    const ft_f64x8 v157 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v155, v156);
    ft_f64x8 v158 = ft_sinnear_f64x8(v142);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v142))), 0)) {
      v158 = ft_sinfar_f64x8(v142);
    }
    ft_f64x8 v159 = ft_sinnear_f64x8(v145);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v145))), 0)) {
      v159 = ft_sinfar_f64x8(v145);
    }
    const ft_f64x8 v160 = (v136 * v159);
    ft_f64x8 v161 = ft_sinnear_f64x8(v148);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v148))), 0)) {
      v161 = ft_sinfar_f64x8(v148);
    }
    const ft_f64x8 v162 = (v136 * v161);
    const ft_f64x8 v163 = (v160 + v162);
    ft_f64x8 v164 = ft_sinnear_f64x8(v141);
    if (__builtin_expect(ft_any_m64x8(ft_lt_f64x8(ft_splat_f64x8(1048576.0), ft_abs_f64x8(v141))), 0)) {
      v164 = ft_sinfar_f64x8(v141);
    }
    const ft_f64x8 v165 = (v134 * v164);
    const ft_f64x8 v166 = ft_fma_f64x8(ft_splat_f64x8(2.0), v163, v165);
    const ft_f64x8 v167 = ft_fma_f64x8(v135, v158, v166);
    const ft_f64x8 v168 = ft_everyfirst_f64x8(&a0[((i0 * 6) + 1)], 6, (int)(to - i0));
    const ft_f64x8 v169 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v167, v168);
    const ft_f64x8 v170 = (v140 + v140);
    const ft_f64x8 v171 = ft_fma_f64x8(ft_splat_f64x8(2.0), v170, v144);
    const ft_f64x8 v172 = ft_fma_f64x8(v135, v139, v171);
    const ft_f64x8 v173 = ft_fma_f64x8(ft_splat_f64x8(0.008333333333333333), v172, v141);
    {
      double v175[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v175[0], v157);
      double v176[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v176[0], v169);
      double v177[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v177[0], v173);
      double v178[8] __attribute__((aligned(64)));
      ft_store_f64x8(&v178[0], v135);
      for (long long v174 = 0; v174 < (int)(to - i0); v174++) {
        o0[((i0 + v174) * 4)] = v175[v174];
        o0[(((i0 + v174) * 4) + 1)] = v176[v174];
        o0[(((i0 + v174) * 4) + 2)] = v177[v174];
        o0[(((i0 + v174) * 4) + 3)] = v178[v174];
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
  case 0: if (sizes[1] > 1 && sizes[0] > 14851) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, sizes[0], 1024, 14851, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = sizes[0], to = n - at[1] > 1980224 ? at[1] + 1980224 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
