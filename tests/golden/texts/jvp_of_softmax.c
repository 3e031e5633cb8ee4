typedef double ft_f64x2 __attribute__((vector_size(16)));
typedef long long ft_i64x2 __attribute__((vector_size(16)));
typedef unsigned long long ft_u64x2 __attribute__((vector_size(16)));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x2;
#else
typedef ft_i64x2 ft_m64x2;
#endif
typedef double ft_f64x4 __attribute__((vector_size(32)));
typedef long long ft_i64x4 __attribute__((vector_size(32)));
typedef unsigned long long ft_u64x4 __attribute__((vector_size(32)));
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
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_ne_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)__builtin_ia32_cmppd512_mask(a, b, 4, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a != b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_sel_f64x8(ft_m64x8 m, ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_blendmpd_512_mask(b, a, m);
#else
  return (ft_f64x8)((m & (ft_i64x8)a) | (~m & (ft_i64x8)b));
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_lt_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)__builtin_ia32_cmppd512_mask(a, b, 1, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a < b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_larger_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_maxpd512_mask(a, b, (ft_f64x8){0}, (ft_m64x8)-1, 4);
#else
  return ft_sel_f64x8(ft_lt_f64x8(b, a), a, b);
#endif
}
static __inline__ __attribute__((always_inline)) double ft_foldlarger_f64x2(ft_f64x2 x) { return (x[0] > x[1] ? x[0] : x[1]); }
static __inline__ __attribute__((always_inline)) ft_f64x2 ft_sel_f64x2(ft_m64x2 m, ft_f64x2 a, ft_f64x2 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_blendmpd_128_mask(b, a, m);
#else
  return (ft_f64x2)((m & (ft_i64x2)a) | (~m & (ft_i64x2)b));
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x2 ft_lt_f64x2(ft_f64x2 a, ft_f64x2 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x2)__builtin_ia32_cmppd128_mask(a, b, 1, (ft_m64x2)-1);
#else
  return (ft_m64x2)(a < b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x2 ft_larger_f64x2(ft_f64x2 a, ft_f64x2 b) {
#if defined(__SSE2__) && !defined(__clang__)
  return __builtin_ia32_maxpd(a, b);
#else
  return ft_sel_f64x2(ft_lt_f64x2(b, a), a, b);
#endif
}
static __inline__ __attribute__((always_inline)) double ft_foldlarger_f64x4(ft_f64x4 x) { const ft_f64x2 a = __builtin_shufflevector(x, x, 0, 1), b = __builtin_shufflevector(x, x, 2, 3); return ft_foldlarger_f64x2(ft_larger_f64x2(a, b)); }
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_sel_f64x4(ft_m64x4 m, ft_f64x4 a, ft_f64x4 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_blendmpd_256_mask(b, a, m);
#elif defined(__AVX2__) && !defined(__clang__)
  return (ft_f64x4)__builtin_ia32_blendvpd256((ft_f64x4)b, (ft_f64x4)a, (ft_f64x4)m);
#else
  return (ft_f64x4)((m & (ft_i64x4)a) | (~m & (ft_i64x4)b));
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x4 ft_lt_f64x4(ft_f64x4 a, ft_f64x4 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x4)__builtin_ia32_cmppd256_mask(a, b, 1, (ft_m64x4)-1);
#else
  return (ft_m64x4)(a < b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_larger_f64x4(ft_f64x4 a, ft_f64x4 b) {
#if defined(__AVX__) && !defined(__clang__)
  return __builtin_ia32_maxpd256(a, b);
#else
  return ft_sel_f64x4(ft_lt_f64x4(b, a), a, b);
#endif
}
static __inline__ __attribute__((always_inline)) double ft_foldlarger_f64x8(ft_f64x8 x) { const ft_f64x4 a = __builtin_shufflevector(x, x, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7); return ft_foldlarger_f64x4(ft_larger_f64x4(a, b)); }
static __inline__ __attribute__((always_inline)) double ft_nanif_f64x8(double x, int told) {
#if defined(__SSE2__)
  if (__builtin_expect(told, 0)) { x = __builtin_nan(""); } __asm__("" : "+x"(x)); return x;
#else
  if (__builtin_expect(told, 0)) { x = __builtin_nan(""); } return x;
#endif
}
static __inline__ __attribute__((always_inline)) int ft_any_m64x8(ft_m64x8 x) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (x & 255) != 0;
#else
  int r = 0; for (int k = 0; k < 8; k++) r |= x[k] != 0; return r;
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_smaller_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_minpd512_mask(a, b, (ft_f64x8){0}, (ft_m64x8)-1, 4);
#else
  return ft_sel_f64x8(ft_lt_f64x8(a, b), a, b);
#endif
}
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
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_eq_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)__builtin_ia32_cmppd512_mask(a, b, 0, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a == b);
#endif
}
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x2(ft_f64x2 x) { return (x[0] + x[1]); }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x4(ft_f64x4 x) { const ft_f64x2 a = __builtin_shufflevector(x, x, 0, 1), b = __builtin_shufflevector(x, x, 2, 3); return ft_foldadd_f64x2((a + b)); }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x8(ft_f64x8 x) { const ft_f64x4 a = __builtin_shufflevector(x, x, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7); return ft_foldadd_f64x4((a + b)); }

static __attribute__((noinline)) void k0(const double *restrict a0, const double *restrict a1, double *restrict o0, double *restrict o1, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    double s2[16] __attribute__((aligned(64)));
    ft_m64x8 s2_nan = {0};
    ft_store_f64x8(s2 + 0, ft_splat_f64x8(-__builtin_inf()));
    ft_store_f64x8(s2 + 8, ft_splat_f64x8(-__builtin_inf()));
    const ft_f64x8 v0 = ft_load_f64x8(a0 + ((i0 * 64) + 0));
    const ft_f64x8 v1 = ft_load_f64x8(a0 + ((i0 * 64) + 8));
    const ft_f64x8 v2 = ft_load_f64x8(a0 + ((i0 * 64) + 16));
    const ft_f64x8 v3 = ft_load_f64x8(a0 + ((i0 * 64) + 24));
    const ft_f64x8 v4 = ft_load_f64x8(s2 + 0);
    s2_nan |= ft_ne_f64x8(v0, v0);
    const ft_f64x8 v5 = v0;
    ft_store_f64x8(s2 + 0, v5);
    const ft_f64x8 v6 = ft_load_f64x8(s2 + 8);
    s2_nan |= ft_ne_f64x8(v1, v1);
    const ft_f64x8 v7 = v1;
    ft_store_f64x8(s2 + 8, v7);
    const ft_f64x8 v8 = ft_load_f64x8(s2 + 0);
    s2_nan |= ft_ne_f64x8(v2, v2);
    const ft_f64x8 v9 = ft_larger_f64x8(v8, v2);
    ft_store_f64x8(s2 + 0, v9);
    const ft_f64x8 v10 = ft_load_f64x8(s2 + 8);
    s2_nan |= ft_ne_f64x8(v3, v3);
    const ft_f64x8 v11 = ft_larger_f64x8(v10, v3);
    ft_store_f64x8(s2 + 8, v11);
    const ft_f64x8 v12 = ft_load_f64x8(a0 + ((i0 * 64) + 32));
    const ft_f64x8 v13 = ft_load_f64x8(a0 + ((i0 * 64) + 40));
    const ft_f64x8 v14 = ft_load_f64x8(a0 + ((i0 * 64) + 48));
    const ft_f64x8 v15 = ft_load_f64x8(a0 + ((i0 * 64) + 56));
    const ft_f64x8 v16 = ft_load_f64x8(s2 + 0);
    s2_nan |= ft_ne_f64x8(v12, v12);
    const ft_f64x8 v17 = ft_larger_f64x8(v16, v12);
    ft_store_f64x8(s2 + 0, v17);
    const ft_f64x8 v18 = ft_load_f64x8(s2 + 8);
    s2_nan |= ft_ne_f64x8(v13, v13);
    const ft_f64x8 v19 = ft_larger_f64x8(v18, v13);
    ft_store_f64x8(s2 + 8, v19);
    const ft_f64x8 v20 = ft_load_f64x8(s2 + 0);
    s2_nan |= ft_ne_f64x8(v14, v14);
    const ft_f64x8 v21 = ft_larger_f64x8(v20, v14);
    ft_store_f64x8(s2 + 0, v21);
    const ft_f64x8 v22 = ft_load_f64x8(s2 + 8);
    s2_nan |= ft_ne_f64x8(v15, v15);
    const ft_f64x8 v23 = ft_larger_f64x8(v22, v15);
    ft_store_f64x8(s2 + 8, v23);
    const double v24 = ft_foldlarger_f64x8(ft_larger_f64x8(ft_load_f64x8(s2 + 0), ft_load_f64x8(s2 + 8)));
    const double v25 = ft_nanif_f64x8(v24, ft_any_m64x8(s2_nan));
    double s0[64] __attribute__((aligned(64)));
    double s3[16] __attribute__((aligned(64)));
    ft_store_f64x8(s3 + 0, ft_splat_f64x8(0.0));
    ft_store_f64x8(s3 + 8, ft_splat_f64x8(0.0));
    double s4[16] __attribute__((aligned(64)));
    ft_store_f64x8(s4 + 0, ft_splat_f64x8(0.0));
    ft_store_f64x8(s4 + 8, ft_splat_f64x8(0.0));
    double s5[16] __attribute__((aligned(64)));
    ft_store_f64x8(s5 + 0, ft_splat_f64x8(0.0));
    ft_store_f64x8(s5 + 8, ft_splat_f64x8(0.0));
    for (long long i11 = 0; i11 < 64; i11 += 32) {
      const ft_f64x8 v26 = ft_load_f64x8(a0 + ((i0 * 64) + i11));
      const ft_f64x8 v27 = ft_load_f64x8(a0 + ((i0 * 64) + (i11 + 8)));
      const ft_f64x8 v28 = ft_load_f64x8(a0 + ((i0 * 64) + (i11 + 16)));
      const ft_f64x8 v29 = ft_load_f64x8(a0 + ((i0 * 64) + (i11 + 24)));
      const ft_f64x8 v30 = (v26 - ft_splat_f64x8(v25));
      const ft_f64x8 v31 = (v27 - ft_splat_f64x8(v25));
      const ft_f64x8 v32 = (v28 - ft_splat_f64x8(v25));
      const ft_f64x8 v33 = (v29 - ft_splat_f64x8(v25));
      const ft_f64x8 v34 = ft_exp_f64x8(v30);
      const ft_f64x8 v35 = ft_exp_f64x8(v31);
      const ft_f64x8 v36 = ft_exp_f64x8(v32);
      const ft_f64x8 v37 = ft_exp_f64x8(v33);
      ft_store_f64x8(s0 + i11, v34);
      ft_store_f64x8(s0 + (i11 + 8), v35);
      ft_store_f64x8(s0 + (i11 + 16), v36);
      ft_store_f64x8(s0 + (i11 + 24), v37);
      const ft_m64x8 v38 = ft_eq_f64x8(v26, ft_splat_f64x8(v25));
      const ft_m64x8 v39 = ft_eq_f64x8(v27, ft_splat_f64x8(v25));
      const ft_m64x8 v40 = ft_eq_f64x8(v28, ft_splat_f64x8(v25));
      const ft_m64x8 v41 = ft_eq_f64x8(v29, ft_splat_f64x8(v25));
      const ft_m64x8 v42 = ft_ne_f64x8(v26, v26);
      const ft_m64x8 v43 = ft_ne_f64x8(v27, v27);
      const ft_m64x8 v44 = ft_ne_f64x8(v28, v28);
      const ft_m64x8 v45 = ft_ne_f64x8(v29, v29);
      const ft_m64x8 v46 = (ft_m64x8)(v38 | v42);
      const ft_m64x8 v47 = (ft_m64x8)(v39 | v43);
      const ft_m64x8 v48 = (ft_m64x8)(v40 | v44);
      const ft_m64x8 v49 = (ft_m64x8)(v41 | v45);
      const ft_f64x8 v50 = ft_load_f64x8(a1 + ((i0 * 64) + i11));
      const ft_f64x8 v51 = ft_load_f64x8(a1 + ((i0 * 64) + (i11 + 8)));
      const ft_f64x8 v52 = ft_load_f64x8(a1 + ((i0 * 64) + (i11 + 16)));
      const ft_f64x8 v53 = ft_load_f64x8(a1 + ((i0 * 64) + (i11 + 24)));
      const ft_f64x8 v54 = ft_sel_f64x8(v46, v50, ft_splat_f64x8(0.0));
      const ft_f64x8 v55 = ft_sel_f64x8(v47, v51, ft_splat_f64x8(0.0));
      const ft_f64x8 v56 = ft_sel_f64x8(v48, v52, ft_splat_f64x8(0.0));
      const ft_f64x8 v57 = ft_sel_f64x8(v49, v53, ft_splat_f64x8(0.0));
      const ft_f64x8 v58 = ft_sel_f64x8(v46, ft_splat_f64x8(1), ft_splat_f64x8(0));
      const ft_f64x8 v59 = ft_sel_f64x8(v47, ft_splat_f64x8(1), ft_splat_f64x8(0));
      const ft_f64x8 v60 = ft_sel_f64x8(v48, ft_splat_f64x8(1), ft_splat_f64x8(0));
      const ft_f64x8 v61 = ft_sel_f64x8(v49, ft_splat_f64x8(1), ft_splat_f64x8(0));
      const ft_f64x8 v62 = ft_load_f64x8(s3 + 0);
      const ft_f64x8 v63 = (v62 + v34);
      ft_store_f64x8(s3 + 0, v63);
      const ft_f64x8 v64 = ft_load_f64x8(s4 + 0);
      const ft_f64x8 v65 = (v64 + v54);
      ft_store_f64x8(s4 + 0, v65);
      const ft_f64x8 v66 = ft_load_f64x8(s5 + 0);
      const ft_f64x8 v67 = (v66 + v58);
      ft_store_f64x8(s5 + 0, v67);
      const ft_f64x8 v68 = ft_load_f64x8(s3 + 8);
      const ft_f64x8 v69 = (v68 + v35);
      ft_store_f64x8(s3 + 8, v69);
      const ft_f64x8 v70 = ft_load_f64x8(s4 + 8);
      const ft_f64x8 v71 = (v70 + v55);
      ft_store_f64x8(s4 + 8, v71);
      const ft_f64x8 v72 = ft_load_f64x8(s5 + 8);
      const ft_f64x8 v73 = (v72 + v59);
      ft_store_f64x8(s5 + 8, v73);
      const ft_f64x8 v74 = ft_load_f64x8(s3 + 0);
      const ft_f64x8 v75 = (v74 + v36);
      ft_store_f64x8(s3 + 0, v75);
      const ft_f64x8 v76 = ft_load_f64x8(s4 + 0);
      const ft_f64x8 v77 = (v76 + v56);
      ft_store_f64x8(s4 + 0, v77);
      const ft_f64x8 v78 = ft_load_f64x8(s5 + 0);
      const ft_f64x8 v79 = (v78 + v60);
      ft_store_f64x8(s5 + 0, v79);
      const ft_f64x8 v80 = ft_load_f64x8(s3 + 8);
      const ft_f64x8 v81 = (v80 + v37);
      ft_store_f64x8(s3 + 8, v81);
      const ft_f64x8 v82 = ft_load_f64x8(s4 + 8);
      const ft_f64x8 v83 = (v82 + v57);
      ft_store_f64x8(s4 + 8, v83);
      const ft_f64x8 v84 = ft_load_f64x8(s5 + 8);
      const ft_f64x8 v85 = (v84 + v61);
      ft_store_f64x8(s5 + 8, v85);
    }
    const double v86 = ft_foldadd_f64x8((ft_load_f64x8(s3 + 0) + ft_load_f64x8(s3 + 8)));
    const double v87 = ft_foldadd_f64x8((ft_load_f64x8(s4 + 0) + ft_load_f64x8(s4 + 8)));
    const double v88 = ft_foldadd_f64x8((ft_load_f64x8(s5 + 0) + ft_load_f64x8(s5 + 8)));
    const double v89 = v87 / v88;
    double s1[64] __attribute__((aligned(64)));
    double s6[16] __attribute__((aligned(64)));
    ft_store_f64x8(s6 + 0, ft_splat_f64x8(0.0));
    ft_store_f64x8(s6 + 8, ft_splat_f64x8(0.0));
    const ft_f64x8 v90 = ft_load_f64x8(s0 + 0);
    const ft_f64x8 v91 = ft_load_f64x8(s0 + 8);
    const ft_f64x8 v92 = ft_load_f64x8(s0 + 16);
    const ft_f64x8 v93 = ft_load_f64x8(s0 + 24);
    const ft_f64x8 v94 = ft_load_f64x8(a1 + ((i0 * 64) + 0));
    const ft_f64x8 v95 = ft_load_f64x8(a1 + ((i0 * 64) + 8));
    const ft_f64x8 v96 = ft_load_f64x8(a1 + ((i0 * 64) + 16));
    const ft_f64x8 v97 = ft_load_f64x8(a1 + ((i0 * 64) + 24));
    const ft_f64x8 v98 = (v94 - ft_splat_f64x8(v89));
    const ft_f64x8 v99 = (v95 - ft_splat_f64x8(v89));
    const ft_f64x8 v100 = (v96 - ft_splat_f64x8(v89));
    const ft_f64x8 v101 = (v97 - ft_splat_f64x8(v89));
    const ft_f64x8 v102 = (v90 * v98);
    const ft_f64x8 v103 = (v91 * v99);
    const ft_f64x8 v104 = (v92 * v100);
    const ft_f64x8 v105 = (v93 * v101);
    ft_store_f64x8(s1 + 0, v102);
    ft_store_f64x8(s1 + 8, v103);
    ft_store_f64x8(s1 + 16, v104);
    ft_store_f64x8(s1 + 24, v105);
    const ft_f64x8 v106 = ft_load_f64x8(s6 + 0);
    const ft_f64x8 v107 = (v106 + v102);
    ft_store_f64x8(s6 + 0, v107);
    const ft_f64x8 v108 = ft_load_f64x8(s6 + 8);
    const ft_f64x8 v109 = (v108 + v103);
    ft_store_f64x8(s6 + 8, v109);
    const ft_f64x8 v110 = ft_load_f64x8(s6 + 0);
    const ft_f64x8 v111 = (v110 + v104);
    ft_store_f64x8(s6 + 0, v111);
    const ft_f64x8 v112 = ft_load_f64x8(s6 + 8);
    const ft_f64x8 v113 = (v112 + v105);
    ft_store_f64x8(s6 + 8, v113);
    const ft_f64x8 v114 = ft_load_f64x8(s0 + 32);
    const ft_f64x8 v115 = ft_load_f64x8(s0 + 40);
    const ft_f64x8 v116 = ft_load_f64x8(s0 + 48);
    const ft_f64x8 v117 = ft_load_f64x8(s0 + 56);
    const ft_f64x8 v118 = ft_load_f64x8(a1 + ((i0 * 64) + 32));
    const ft_f64x8 v119 = ft_load_f64x8(a1 + ((i0 * 64) + 40));
    const ft_f64x8 v120 = ft_load_f64x8(a1 + ((i0 * 64) + 48));
    const ft_f64x8 v121 = ft_load_f64x8(a1 + ((i0 * 64) + 56));
    const ft_f64x8 v122 = (v118 - ft_splat_f64x8(v89));
    const ft_f64x8 v123 = (v119 - ft_splat_f64x8(v89));
    const ft_f64x8 v124 = (v120 - ft_splat_f64x8(v89));
    const ft_f64x8 v125 = (v121 - ft_splat_f64x8(v89));
    const ft_f64x8 v126 = (v114 * v122);
    const ft_f64x8 v127 = (v115 * v123);
    const ft_f64x8 v128 = (v116 * v124);
    const ft_f64x8 v129 = (v117 * v125);
    ft_store_f64x8(s1 + 32, v126);
    ft_store_f64x8(s1 + 40, v127);
    ft_store_f64x8(s1 + 48, v128);
    ft_store_f64x8(s1 + 56, v129);
    const ft_f64x8 v130 = ft_load_f64x8(s6 + 0);
    const ft_f64x8 v131 = (v130 + v126);
    ft_store_f64x8(s6 + 0, v131);
    const ft_f64x8 v132 = ft_load_f64x8(s6 + 8);
    const ft_f64x8 v133 = (v132 + v127);
    ft_store_f64x8(s6 + 8, v133);
    const ft_f64x8 v134 = ft_load_f64x8(s6 + 0);
    const ft_f64x8 v135 = (v134 + v128);
    ft_store_f64x8(s6 + 0, v135);
    const ft_f64x8 v136 = ft_load_f64x8(s6 + 8);
    const ft_f64x8 v137 = (v136 + v129);
    ft_store_f64x8(s6 + 8, v137);
    const double v138 = ft_foldadd_f64x8((ft_load_f64x8(s6 + 0) + ft_load_f64x8(s6 + 8)));
    const ft_f64x8 v139 = ft_load_f64x8(s0 + 0);
    const ft_f64x8 v140 = ft_load_f64x8(s0 + 8);
    const ft_f64x8 v141 = ft_load_f64x8(s0 + 16);
    const ft_f64x8 v142 = ft_load_f64x8(s0 + 24);
    const ft_f64x8 v143 = (v139 / ft_splat_f64x8(v86));
    const ft_f64x8 v144 = (v140 / ft_splat_f64x8(v86));
    const ft_f64x8 v145 = (v141 / ft_splat_f64x8(v86));
    const ft_f64x8 v146 = (v142 / ft_splat_f64x8(v86));
    ft_store_f64x8(o0 + ((i0 * 64) + 0), v143);
    ft_store_f64x8(o0 + ((i0 * 64) + 8), v144);
    ft_store_f64x8(o0 + ((i0 * 64) + 16), v145);
    ft_store_f64x8(o0 + ((i0 * 64) + 24), v146);
    const ft_f64x8 v147 = ft_load_f64x8(s1 + 0);
    const ft_f64x8 v148 = ft_load_f64x8(s1 + 8);
    const ft_f64x8 v149 = ft_load_f64x8(s1 + 16);
    const ft_f64x8 v150 = ft_load_f64x8(s1 + 24);
    const ft_f64x8 v151 = (v143 * ft_splat_f64x8(v138));
    const ft_f64x8 v152 = (v144 * ft_splat_f64x8(v138));
    const ft_f64x8 v153 = (v145 * ft_splat_f64x8(v138));
    const ft_f64x8 v154 = (v146 * ft_splat_f64x8(v138));
    const ft_f64x8 v155 = (v147 - v151);
    const ft_f64x8 v156 = (v148 - v152);
    const ft_f64x8 v157 = (v149 - v153);
    const ft_f64x8 v158 = (v150 - v154);
    const ft_f64x8 v159 = (v155 / ft_splat_f64x8(v86));
    const ft_f64x8 v160 = (v156 / ft_splat_f64x8(v86));
    const ft_f64x8 v161 = (v157 / ft_splat_f64x8(v86));
    const ft_f64x8 v162 = (v158 / ft_splat_f64x8(v86));
    ft_store_f64x8(o1 + ((i0 * 64) + 0), v159);
    ft_store_f64x8(o1 + ((i0 * 64) + 8), v160);
    ft_store_f64x8(o1 + ((i0 * 64) + 16), v161);
    ft_store_f64x8(o1 + ((i0 * 64) + 24), v162);
    const ft_f64x8 v163 = ft_load_f64x8(s0 + 32);
    const ft_f64x8 v164 = ft_load_f64x8(s0 + 40);
    const ft_f64x8 v165 = ft_load_f64x8(s0 + 48);
    const ft_f64x8 v166 = ft_load_f64x8(s0 + 56);
    const ft_f64x8 v167 = (v163 / ft_splat_f64x8(v86));
    const ft_f64x8 v168 = (v164 / ft_splat_f64x8(v86));
    const ft_f64x8 v169 = (v165 / ft_splat_f64x8(v86));
    const ft_f64x8 v170 = (v166 / ft_splat_f64x8(v86));
    ft_store_f64x8(o0 + ((i0 * 64) + 32), v167);
    ft_store_f64x8(o0 + ((i0 * 64) + 40), v168);
    ft_store_f64x8(o0 + ((i0 * 64) + 48), v169);
    ft_store_f64x8(o0 + ((i0 * 64) + 56), v170);
    const ft_f64x8 v171 = ft_load_f64x8(s1 + 32);
    const ft_f64x8 v172 = ft_load_f64x8(s1 + 40);
    const ft_f64x8 v173 = ft_load_f64x8(s1 + 48);
    const ft_f64x8 v174 = ft_load_f64x8(s1 + 56);
    const ft_f64x8 v175 = (v167 * ft_splat_f64x8(v138));
    const ft_f64x8 v176 = (v168 * ft_splat_f64x8(v138));
    const ft_f64x8 v177 = (v169 * ft_splat_f64x8(v138));
    const ft_f64x8 v178 = (v170 * ft_splat_f64x8(v138));
    const ft_f64x8 v179 = (v171 - v175);
    const ft_f64x8 v180 = (v172 - v176);
    const ft_f64x8 v181 = (v173 - v177);
    const ft_f64x8 v182 = (v174 - v178);
    const ft_f64x8 v183 = (v179 / ft_splat_f64x8(v86));
    const ft_f64x8 v184 = (v180 / ft_splat_f64x8(v86));
    const ft_f64x8 v185 = (v181 / ft_splat_f64x8(v86));
    const ft_f64x8 v186 = (v182 / ft_splat_f64x8(v86));
    ft_store_f64x8(o1 + ((i0 * 64) + 32), v183);
    ft_store_f64x8(o1 + ((i0 * 64) + 40), v184);
    ft_store_f64x8(o1 + ((i0 * 64) + 48), v185);
    ft_store_f64x8(o1 + ((i0 * 64) + 56), v186);
  }
}

static int k0_part(void **buffers, const long long *sizes, long long from, long long to, long long place) {
  k0(buffers[0], buffers[1], buffers[2], buffers[3], (char *)buffers[4], sizes[0], from, to);
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
  {k0_part, 0, 64, 861, 114944, 0, 0},
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
