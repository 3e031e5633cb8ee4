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
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x2(ft_f64x2 x) { return (x[0] + x[1]); }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x4(ft_f64x4 x) { const ft_f64x2 a = __builtin_shufflevector(x, x, 0, 1), b = __builtin_shufflevector(x, x, 2, 3); return ft_foldadd_f64x2((a + b)); }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x8(ft_f64x8 x) { const ft_f64x4 a = __builtin_shufflevector(x, x, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7); return ft_foldadd_f64x4((a + b)); }
static __inline__ __attribute__((always_inline)) void ft_storefirst_f64x8(double *p, ft_f64x8 x, int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  __builtin_ia32_storeupd512_mask(p, x, ft_first_m64x8(n));
#else
  if (0 < n) { p[0] = x[0]; } if (1 < n) { p[1] = x[1]; } if (2 < n) { p[2] = x[2]; } if (3 < n) { p[3] = x[3]; } if (4 < n) { p[4] = x[4]; } if (5 < n) { p[5] = x[5]; } if (6 < n) { p[6] = x[6]; } if (7 < n) { p[7] = x[7]; }
#endif
}

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    double s1[16] __attribute__((aligned(64)));
    ft_m64x8 s1_nan = {0};
    ft_store_f64x8(s1 + 0, ft_splat_f64x8(-__builtin_inf()));
    ft_store_f64x8(s1 + 8, ft_splat_f64x8(-__builtin_inf()));
    const ft_f64x8 v0 = ft_load_f64x8(a0 + ((i0 * 45) + 0));
    const ft_f64x8 v1 = ft_load_f64x8(a0 + ((i0 * 45) + 8));
    const ft_f64x8 v2 = ft_load_f64x8(a0 + ((i0 * 45) + 16));
    const ft_f64x8 v3 = ft_load_f64x8(s1 + 0);
    s1_nan |= ft_ne_f64x8(v0, v0);
    const ft_f64x8 v4 = v0;
    ft_store_f64x8(s1 + 0, v4);
    const ft_f64x8 v5 = ft_load_f64x8(s1 + 8);
    s1_nan |= ft_ne_f64x8(v1, v1);
    const ft_f64x8 v6 = v1;
    ft_store_f64x8(s1 + 8, v6);
    const ft_f64x8 v7 = ft_load_f64x8(s1 + 0);
    s1_nan |= ft_ne_f64x8(v2, v2);
    const ft_f64x8 v8 = ft_larger_f64x8(v7, v2);
    ft_store_f64x8(s1 + 0, v8);
    const ft_f64x8 v9 = ft_load_f64x8(a0 + ((i0 * 45) + 24));
    const ft_f64x8 v10 = ft_load_f64x8(a0 + ((i0 * 45) + 32));
    const ft_f64x8 v11 = ft_loadfirst_f64x8(a0 + ((i0 * 45) + 40), 5);
    const ft_f64x8 v12 = ft_load_f64x8(s1 + 8);
    s1_nan |= ft_ne_f64x8(v9, v9);
    const ft_f64x8 v13 = ft_larger_f64x8(v12, v9);
    ft_store_f64x8(s1 + 8, v13);
    const ft_f64x8 v14 = ft_load_f64x8(s1 + 0);
    s1_nan |= ft_ne_f64x8(v10, v10);
    const ft_f64x8 v15 = ft_larger_f64x8(v14, v10);
    ft_store_f64x8(s1 + 0, v15);
    const ft_f64x8 v16 = ft_load_f64x8(s1 + 8);
    s1_nan |= ft_ne_f64x8(v11, v11) & ft_first_m64x8(5);
    const ft_f64x8 v17 = ft_larger_f64x8(v16, v11);
    ft_store_f64x8(s1 + 8, ft_sel_f64x8(ft_first_m64x8(5), v17, ft_load_f64x8(s1 + 8)));
    const double v18 = ft_foldlarger_f64x8(ft_larger_f64x8(ft_load_f64x8(s1 + 0), ft_load_f64x8(s1 + 8)));
    const double v19 = ft_nanif_f64x8(v18, ft_any_m64x8(s1_nan));
    double s0[48] __attribute__((aligned(64)));
    double s2[16] __attribute__((aligned(64)));
    ft_store_f64x8(s2 + 0, ft_splat_f64x8(0.0));
    ft_store_f64x8(s2 + 8, ft_splat_f64x8(0.0));
    const ft_f64x8 v20 = ft_load_f64x8(a0 + ((i0 * 45) + 0));
    const ft_f64x8 v21 = ft_load_f64x8(a0 + ((i0 * 45) + 8));
    const ft_f64x8 v22 = ft_load_f64x8(a0 + ((i0 * 45) + 16));
    const ft_f64x8 v23 = (v20 - ft_splat_f64x8(v19));
    const ft_f64x8 v24 = (v21 - ft_splat_f64x8(v19));
    const ft_f64x8 v25 = (v22 - ft_splat_f64x8(v19));
    const ft_f64x8 v26 = ft_exp_f64x8(v23);
    const ft_f64x8 v27 = ft_exp_f64x8(v24);
    const ft_f64x8 v28 = ft_exp_f64x8(v25);
    ft_store_f64x8(s0 + 0, v26);
    ft_store_f64x8(s0 + 8, v27);
    ft_store_f64x8(s0 + 16, v28);
    const ft_f64x8 v29 = ft_load_f64x8(s2 + 0);
    const ft_f64x8 v30 = (v29 + v26);
    ft_store_f64x8(s2 + 0, v30);
    const ft_f64x8 v31 = ft_load_f64x8(s2 + 8);
    const ft_f64x8 v32 = (v31 + v27);
    ft_store_f64x8(s2 + 8, v32);
    const ft_f64x8 v33 = ft_load_f64x8(s2 + 0);
    const ft_f64x8 v34 = (v33 + v28);
    ft_store_f64x8(s2 + 0, v34);
    const ft_f64x8 v35 = ft_load_f64x8(a0 + ((i0 * 45) + 24));
    const ft_f64x8 v36 = ft_load_f64x8(a0 + ((i0 * 45) + 32));
    const ft_f64x8 v37 = ft_loadfirst_f64x8(a0 + ((i0 * 45) + 40), 5);
    const ft_f64x8 v38 = (v35 - ft_splat_f64x8(v19));
    const ft_f64x8 v39 = (v36 - ft_splat_f64x8(v19));
    const ft_f64x8 v40 = (v37 - ft_splat_f64x8(v19));
    const ft_f64x8 v41 = ft_exp_f64x8(v38);
    const ft_f64x8 v42 = ft_exp_f64x8(v39);
    const ft_f64x8 v43 = ft_exp_f64x8(v40);
    ft_store_f64x8(s0 + 24, v41);
    ft_store_f64x8(s0 + 32, v42);
    ft_store_f64x8(s0 + 40, v43);
    const ft_f64x8 v44 = ft_load_f64x8(s2 + 8);
    const ft_f64x8 v45 = (v44 + v41);
    ft_store_f64x8(s2 + 8, v45);
    const ft_f64x8 v46 = ft_load_f64x8(s2 + 0);
    const ft_f64x8 v47 = (v46 + v42);
    ft_store_f64x8(s2 + 0, v47);
    const ft_f64x8 v48 = ft_load_f64x8(s2 + 8);
    const ft_f64x8 v49 = (v48 + v43);
    ft_store_f64x8(s2 + 8, ft_sel_f64x8(ft_first_m64x8(5), v49, ft_load_f64x8(s2 + 8)));
    const double v50 = ft_foldadd_f64x8((ft_load_f64x8(s2 + 0) + ft_load_f64x8(s2 + 8)));
    const ft_f64x8 v51 = ft_load_f64x8(s0 + 0);
    const ft_f64x8 v52 = ft_load_f64x8(s0 + 8);
    const ft_f64x8 v53 = ft_load_f64x8(s0 + 16);
    const ft_f64x8 v54 = (v51 / ft_splat_f64x8(v50));
    const ft_f64x8 v55 = (v52 / ft_splat_f64x8(v50));
    const ft_f64x8 v56 = (v53 / ft_splat_f64x8(v50));
    ft_store_f64x8(o0 + ((i0 * 45) + 0), v54);
    ft_store_f64x8(o0 + ((i0 * 45) + 8), v55);
    ft_store_f64x8(o0 + ((i0 * 45) + 16), v56);
    const ft_f64x8 v57 = ft_load_f64x8(s0 + 24);
    const ft_f64x8 v58 = ft_load_f64x8(s0 + 32);
    const ft_f64x8 v59 = ft_load_f64x8(s0 + 40);
    const ft_f64x8 v60 = (v57 / ft_splat_f64x8(v50));
    const ft_f64x8 v61 = (v58 / ft_splat_f64x8(v50));
    const ft_f64x8 v62 = (v59 / ft_splat_f64x8(v50));
    ft_store_f64x8(o0 + ((i0 * 45) + 24), v60);
    ft_store_f64x8(o0 + ((i0 * 45) + 32), v61);
    ft_storefirst_f64x8(o0 + ((i0 * 45) + 40), v62, 5);
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
  {k0_part, 0, 192, 2215, 295424, 0, 0},
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
