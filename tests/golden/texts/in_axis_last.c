typedef double ft_f64x8 __attribute__((vector_size(64)));
typedef long long ft_i64x8 __attribute__((vector_size(64)));
typedef unsigned long long ft_u64x8 __attribute__((vector_size(64)));
typedef double ft_f64x8p __attribute__((vector_size(64), aligned(8), may_alias));
typedef long long ft_i64x8p __attribute__((vector_size(64), aligned(8), may_alias));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x8;
#else
typedef ft_i64x8 ft_m64x8;
#endif
static inline long long ft_min_i64(long long a, long long b) { return a < b ? a : b; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
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
static __inline__ __attribute__((always_inline)) void ft_storefirst_f64x8(double *p, ft_f64x8 x, int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  __builtin_ia32_storeupd512_mask(p, x, ft_first_m64x8(n));
#else
  if (0 < n) p[0] = x[0]; if (1 < n) p[1] = x[1]; if (2 < n) p[2] = x[2]; if (3 < n) p[3] = x[3]; if (4 < n) p[4] = x[4]; if (5 < n) p[5] = x[5]; if (6 < n) p[6] = x[6]; if (7 < n) p[7] = x[7];
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_eq_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_cmppd512_mask(a, b, 0, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a == b);
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
  return __builtin_ia32_cmppd512_mask(a, b, 1, (ft_m64x8)-1, 4);
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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_max_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_maxpd512_mask(a, b, a, ft_eq_f64x8(a, a), 4);
#else
  return ft_sel_f64x8(ft_eq_f64x8(a, a), ft_larger_f64x8(a, b), a);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_ne_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_cmppd512_mask(a, b, 4, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a != b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_i64x8 ft_sel_i64x8(ft_m64x8 m, ft_i64x8 a, ft_i64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_i64x8)__builtin_ia32_blendmq_512_mask((ft_i64x8)b, (ft_i64x8)a, m);
#else
  return (ft_i64x8)((m & (ft_i64x8)a) | (~m & (ft_i64x8)b));
#endif
}
static __inline__ __attribute__((always_inline)) void ft_store_i64x8(long long *p, ft_i64x8 x) { *(ft_i64x8p *)p = x; }
static __inline__ __attribute__((always_inline)) ft_i64x8 ft_load_i64x8(const long long *p) { return *(const ft_i64x8p *)p; }
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_ne_i64x8(ft_i64x8 a, ft_i64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_cmpq512_mask((ft_i64x8)a, (ft_i64x8)b, 4, (ft_m64x8)-1);
#else
  return (ft_m64x8)(a != b);
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
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_nlt_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_cmppd512_mask(a, b, 5, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(~(a < b));
#endif
}
static __attribute__((noinline, const)) ft_f64x8 ft_exp_f64x8(ft_f64x8 x) {
  const ft_m64x8 v0 = ft_lt_f64x8(x, ft_splat_f64x8(-746.0));
  const ft_m64x8 v1 = ft_lt_f64x8(ft_splat_f64x8(709.8), x);
  const ft_f64x8 v2 = ft_fma_f64x8(x, ft_splat_f64x8(1.4426950408889634), ft_splat_f64x8(6755399441057790.0));
  const ft_f64x8 v3 = (v2 - ft_splat_f64x8(6755399441057790.0));
  const ft_f64x8 v4 = (-v3);
  const ft_f64x8 v5 = ft_fnma_f64x8(v3, ft_splat_f64x8(0.6931471804855391), x);
  const ft_f64x8 v6 = ft_fnma_f64x8(v3, ft_splat_f64x8(7.440617110012397e-11), v5);
  const ft_f64x8 v7 = (v6 * v6);
  const ft_f64x8 v8 = ft_fma_f64x8(ft_splat_f64x8(2.7631414313456104e-07), v6, ft_splat_f64x8(2.7557215944213365e-06));
  const ft_f64x8 v9 = ft_fma_f64x8(ft_splat_f64x8(2.511797453389394e-08), v7, v8);
  const ft_f64x8 v10 = ft_fma_f64x8(ft_splat_f64x8(2.480148958888789e-05), v6, ft_splat_f64x8(0.0001984126991778212));
  const ft_f64x8 v11 = ft_fma_f64x8(v9, v7, v10);
  const ft_f64x8 v12 = ft_fma_f64x8(ft_splat_f64x8(0.0013888888947333087), v6, ft_splat_f64x8(0.008333333333307021));
  const ft_f64x8 v13 = ft_fma_f64x8(v11, v7, v12);
  const ft_f64x8 v14 = ft_fma_f64x8(ft_splat_f64x8(0.041666666666514314), v6, ft_splat_f64x8(0.166666666666667));
  const ft_f64x8 v15 = ft_fma_f64x8(v13, v7, v14);
  const ft_f64x8 v16 = ft_fma_f64x8(v15, v6, ft_splat_f64x8(0.5000000000000013));
  const ft_f64x8 v17 = (ft_splat_f64x8(1.0) + v6);
  const ft_f64x8 v18 = ft_fma_f64x8(v16, v7, v17);
  const ft_i64x8 v19 = ((ft_i64x8)v2);
  const ft_u64x8 v20 = ((ft_u64x8)v19);
  const ft_u64x8 v21 = (v20 >> 1);
  const ft_i64x8 v22 = ((ft_i64x8)v21);
  const ft_u64x8 v23 = ((ft_u64x8)v22);
  const ft_u64x8 v24 = (v23 << 52);
  const ft_i64x8 v25 = ((ft_i64x8)v24);
  const ft_f64x8 v26 = ((ft_f64x8)v25);
  const ft_f64x8 v27 = (v18 * v26);
  const ft_i64x8 v28 = (v19 - v22);
  const ft_u64x8 v29 = ((ft_u64x8)v28);
  const ft_u64x8 v30 = (v29 << 52);
  const ft_i64x8 v31 = ((ft_i64x8)v30);
  const ft_f64x8 v32 = ((ft_f64x8)v31);
  const ft_f64x8 v33 = (v27 * v32);
  const ft_f64x8 v34 = ft_sel_f64x8(ft_nlt_f64x8(ft_splat_f64x8(709.8), x), v33, ft_splat_f64x8(__builtin_inf()));
  const ft_f64x8 v35 = ft_sel_f64x8(ft_nlt_f64x8(x, ft_splat_f64x8(-746.0)), v34, ft_splat_f64x8(0.0));
  return v35;
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_every_f64x8(const double *p, long long step) { return (ft_f64x8){p[0 * step], p[1 * step], p[2 * step], p[3 * step], p[4 * step], p[5 * step], p[6 * step], p[7 * step]}; }

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i13 = from; i13 < to; i13++) {
    const long long v0 = ft_min_i64(16, (n0 + (i13 * -16)));
    const long long v1 = ((v0 + 7) / 8) * 8;
    double s13[1024] __attribute__((aligned(64)));
    double s14[256] __attribute__((aligned(64)));
    for (long long i5 = 0; i5 < 16; i5++) {
      double s15[16] __attribute__((aligned(64)));
      double s16[16] __attribute__((aligned(64)));
      double s17[16] __attribute__((aligned(64)));
      double s18[16] __attribute__((aligned(64)));
      const long long v2 = v0;
      if (0 < v2) {
      long long i14 = 0;
      for (; i14 <= v2 - 32; i14 += 32) {
        const ft_f64x8 v3 = ft_load_f64x8(&a0[(((i5 * n0) + (i13 * 16)) + i14)]);
        const ft_f64x8 v4 = ft_load_f64x8(&a0[(((i5 * n0) + (i13 * 16)) + (i14 + 8))]);
        const ft_f64x8 v5 = ft_load_f64x8(&a0[(((i5 * n0) + (i13 * 16)) + (i14 + 16))]);
        const ft_f64x8 v6 = ft_load_f64x8(&a0[(((i5 * n0) + (i13 * 16)) + (i14 + 24))]);
        ft_store_f64x8(&s15[i14], v3);
        ft_store_f64x8(&s15[(i14 + 8)], v4);
        ft_store_f64x8(&s15[(i14 + 16)], v5);
        ft_store_f64x8(&s15[(i14 + 24)], v6);
        const ft_f64x8 v7 = ft_load_f64x8(&a0[((((i5 + 16) * n0) + (i13 * 16)) + i14)]);
        const ft_f64x8 v8 = ft_load_f64x8(&a0[((((i5 + 16) * n0) + (i13 * 16)) + (i14 + 8))]);
        const ft_f64x8 v9 = ft_load_f64x8(&a0[((((i5 + 16) * n0) + (i13 * 16)) + (i14 + 16))]);
        const ft_f64x8 v10 = ft_load_f64x8(&a0[((((i5 + 16) * n0) + (i13 * 16)) + (i14 + 24))]);
        ft_store_f64x8(&s16[i14], v7);
        ft_store_f64x8(&s16[(i14 + 8)], v8);
        ft_store_f64x8(&s16[(i14 + 16)], v9);
        ft_store_f64x8(&s16[(i14 + 24)], v10);
        const ft_f64x8 v11 = ft_load_f64x8(&a0[((((i5 + 32) * n0) + (i13 * 16)) + i14)]);
        const ft_f64x8 v12 = ft_load_f64x8(&a0[((((i5 + 32) * n0) + (i13 * 16)) + (i14 + 8))]);
        const ft_f64x8 v13 = ft_load_f64x8(&a0[((((i5 + 32) * n0) + (i13 * 16)) + (i14 + 16))]);
        const ft_f64x8 v14 = ft_load_f64x8(&a0[((((i5 + 32) * n0) + (i13 * 16)) + (i14 + 24))]);
        ft_store_f64x8(&s17[i14], v11);
        ft_store_f64x8(&s17[(i14 + 8)], v12);
        ft_store_f64x8(&s17[(i14 + 16)], v13);
        ft_store_f64x8(&s17[(i14 + 24)], v14);
        const ft_f64x8 v15 = ft_load_f64x8(&a0[((((i5 + 48) * n0) + (i13 * 16)) + i14)]);
        const ft_f64x8 v16 = ft_load_f64x8(&a0[((((i5 + 48) * n0) + (i13 * 16)) + (i14 + 8))]);
        const ft_f64x8 v17 = ft_load_f64x8(&a0[((((i5 + 48) * n0) + (i13 * 16)) + (i14 + 16))]);
        const ft_f64x8 v18 = ft_load_f64x8(&a0[((((i5 + 48) * n0) + (i13 * 16)) + (i14 + 24))]);
        ft_store_f64x8(&s18[i14], v15);
        ft_store_f64x8(&s18[(i14 + 8)], v16);
        ft_store_f64x8(&s18[(i14 + 16)], v17);
        ft_store_f64x8(&s18[(i14 + 24)], v18);
      }
      for (; i14 <= v2 - 8; i14 += 8) {
        const ft_f64x8 v19 = ft_load_f64x8(&a0[(((i5 * n0) + (i13 * 16)) + i14)]);
        ft_store_f64x8(&s15[i14], v19);
        const ft_f64x8 v20 = ft_load_f64x8(&a0[((((i5 + 16) * n0) + (i13 * 16)) + i14)]);
        ft_store_f64x8(&s16[i14], v20);
        const ft_f64x8 v21 = ft_load_f64x8(&a0[((((i5 + 32) * n0) + (i13 * 16)) + i14)]);
        ft_store_f64x8(&s17[i14], v21);
        const ft_f64x8 v22 = ft_load_f64x8(&a0[((((i5 + 48) * n0) + (i13 * 16)) + i14)]);
        ft_store_f64x8(&s18[i14], v22);
      }
      if (i14 < v2) {
        const ft_f64x8 v23 = ft_loadfirst_f64x8(&a0[(((i5 * n0) + (i13 * 16)) + i14)], (int)(v2 - i14));
        ft_storefirst_f64x8(&s15[i14], v23, (int)(v2 - i14));
        const ft_f64x8 v24 = ft_loadfirst_f64x8(&a0[((((i5 + 16) * n0) + (i13 * 16)) + i14)], (int)(v2 - i14));
        ft_storefirst_f64x8(&s16[i14], v24, (int)(v2 - i14));
        const ft_f64x8 v25 = ft_loadfirst_f64x8(&a0[((((i5 + 32) * n0) + (i13 * 16)) + i14)], (int)(v2 - i14));
        ft_storefirst_f64x8(&s17[i14], v25, (int)(v2 - i14));
        const ft_f64x8 v26 = ft_loadfirst_f64x8(&a0[((((i5 + 48) * n0) + (i13 * 16)) + i14)], (int)(v2 - i14));
        ft_storefirst_f64x8(&s18[i14], v26, (int)(v2 - i14));
      }
      }
      const long long v27 = v1;
      if (0 < v27) {
      long long i15 = 0;
      for (; i15 <= v27 - 32; i15 += 32) {
        const ft_f64x8 v28 = ft_load_f64x8(&s15[i15]);
        const ft_f64x8 v29 = ft_load_f64x8(&s15[(i15 + 8)]);
        const ft_f64x8 v30 = ft_load_f64x8(&s15[(i15 + 16)]);
        const ft_f64x8 v31 = ft_load_f64x8(&s15[(i15 + 24)]);
        ft_store_f64x8(&s13[((i5 * 16) + i15)], v28);
        ft_store_f64x8(&s13[((i5 * 16) + (i15 + 8))], v29);
        ft_store_f64x8(&s13[((i5 * 16) + (i15 + 16))], v30);
        ft_store_f64x8(&s13[((i5 * 16) + (i15 + 24))], v31);
        const ft_f64x8 v32 = ft_max_f64x8(ft_splat_f64x8(-__builtin_inf()), v28);
        const ft_f64x8 v33 = ft_max_f64x8(ft_splat_f64x8(-__builtin_inf()), v29);
        const ft_f64x8 v34 = ft_max_f64x8(ft_splat_f64x8(-__builtin_inf()), v30);
        const ft_f64x8 v35 = ft_max_f64x8(ft_splat_f64x8(-__builtin_inf()), v31);
        const ft_f64x8 v36 = ft_load_f64x8(&s16[i15]);
        const ft_f64x8 v37 = ft_load_f64x8(&s16[(i15 + 8)]);
        const ft_f64x8 v38 = ft_load_f64x8(&s16[(i15 + 16)]);
        const ft_f64x8 v39 = ft_load_f64x8(&s16[(i15 + 24)]);
        ft_store_f64x8(&s13[(((i5 * 16) + i15) + 256)], v36);
        ft_store_f64x8(&s13[(((i5 * 16) + (i15 + 8)) + 256)], v37);
        ft_store_f64x8(&s13[(((i5 * 16) + (i15 + 16)) + 256)], v38);
        ft_store_f64x8(&s13[(((i5 * 16) + (i15 + 24)) + 256)], v39);
        const ft_f64x8 v40 = ft_max_f64x8(v32, v36);
        const ft_f64x8 v41 = ft_max_f64x8(v33, v37);
        const ft_f64x8 v42 = ft_max_f64x8(v34, v38);
        const ft_f64x8 v43 = ft_max_f64x8(v35, v39);
        const ft_f64x8 v44 = ft_load_f64x8(&s17[i15]);
        const ft_f64x8 v45 = ft_load_f64x8(&s17[(i15 + 8)]);
        const ft_f64x8 v46 = ft_load_f64x8(&s17[(i15 + 16)]);
        const ft_f64x8 v47 = ft_load_f64x8(&s17[(i15 + 24)]);
        ft_store_f64x8(&s13[(((i5 * 16) + i15) + 512)], v44);
        ft_store_f64x8(&s13[(((i5 * 16) + (i15 + 8)) + 512)], v45);
        ft_store_f64x8(&s13[(((i5 * 16) + (i15 + 16)) + 512)], v46);
        ft_store_f64x8(&s13[(((i5 * 16) + (i15 + 24)) + 512)], v47);
        const ft_f64x8 v48 = ft_max_f64x8(v40, v44);
        const ft_f64x8 v49 = ft_max_f64x8(v41, v45);
        const ft_f64x8 v50 = ft_max_f64x8(v42, v46);
        const ft_f64x8 v51 = ft_max_f64x8(v43, v47);
        const ft_f64x8 v52 = ft_load_f64x8(&s18[i15]);
        const ft_f64x8 v53 = ft_load_f64x8(&s18[(i15 + 8)]);
        const ft_f64x8 v54 = ft_load_f64x8(&s18[(i15 + 16)]);
        const ft_f64x8 v55 = ft_load_f64x8(&s18[(i15 + 24)]);
        ft_store_f64x8(&s13[(((i5 * 16) + i15) + 768)], v52);
        ft_store_f64x8(&s13[(((i5 * 16) + (i15 + 8)) + 768)], v53);
        ft_store_f64x8(&s13[(((i5 * 16) + (i15 + 16)) + 768)], v54);
        ft_store_f64x8(&s13[(((i5 * 16) + (i15 + 24)) + 768)], v55);
        const ft_f64x8 v56 = ft_max_f64x8(v48, v52);
        const ft_f64x8 v57 = ft_max_f64x8(v49, v53);
        const ft_f64x8 v58 = ft_max_f64x8(v50, v54);
        const ft_f64x8 v59 = ft_max_f64x8(v51, v55);
        ft_store_f64x8(&s14[((i5 * 16) + i15)], v56);
        ft_store_f64x8(&s14[((i5 * 16) + (i15 + 8))], v57);
        ft_store_f64x8(&s14[((i5 * 16) + (i15 + 16))], v58);
        ft_store_f64x8(&s14[((i5 * 16) + (i15 + 24))], v59);
      }
      for (; i15 <= v27 - 8; i15 += 8) {
        const ft_f64x8 v60 = ft_load_f64x8(&s15[i15]);
        ft_store_f64x8(&s13[((i5 * 16) + i15)], v60);
        const ft_f64x8 v61 = ft_max_f64x8(ft_splat_f64x8(-__builtin_inf()), v60);
        const ft_f64x8 v62 = ft_load_f64x8(&s16[i15]);
        ft_store_f64x8(&s13[(((i5 * 16) + i15) + 256)], v62);
        const ft_f64x8 v63 = ft_max_f64x8(v61, v62);
        const ft_f64x8 v64 = ft_load_f64x8(&s17[i15]);
        ft_store_f64x8(&s13[(((i5 * 16) + i15) + 512)], v64);
        const ft_f64x8 v65 = ft_max_f64x8(v63, v64);
        const ft_f64x8 v66 = ft_load_f64x8(&s18[i15]);
        ft_store_f64x8(&s13[(((i5 * 16) + i15) + 768)], v66);
        const ft_f64x8 v67 = ft_max_f64x8(v65, v66);
        ft_store_f64x8(&s14[((i5 * 16) + i15)], v67);
      }
      }
    }
    double s19[128] __attribute__((aligned(64)));
    long long s20[128] __attribute__((aligned(64)));
    for (long long i6 = 0; i6 < 8; i6++) {
      const long long v68 = v1;
      if (0 < v68) {
      long long i16 = 0;
      for (; i16 <= v68 - 32; i16 += 32) {
        const ft_f64x8 v69 = ft_load_f64x8(&s14[((i6 * 16) + i16)]);
        const ft_f64x8 v70 = ft_load_f64x8(&s14[((i6 * 16) + (i16 + 8))]);
        const ft_f64x8 v71 = ft_load_f64x8(&s14[((i6 * 16) + (i16 + 16))]);
        const ft_f64x8 v72 = ft_load_f64x8(&s14[((i6 * 16) + (i16 + 24))]);
        const ft_f64x8 v73 = ft_load_f64x8(&s14[(((i6 * 16) + i16) + 128)]);
        const ft_f64x8 v74 = ft_load_f64x8(&s14[(((i6 * 16) + (i16 + 8)) + 128)]);
        const ft_f64x8 v75 = ft_load_f64x8(&s14[(((i6 * 16) + (i16 + 16)) + 128)]);
        const ft_f64x8 v76 = ft_load_f64x8(&s14[(((i6 * 16) + (i16 + 24)) + 128)]);
        const ft_m64x8 v77 = ft_ne_f64x8(v69, v69);
        const ft_m64x8 v78 = ft_ne_f64x8(v70, v70);
        const ft_m64x8 v79 = ft_ne_f64x8(v71, v71);
        const ft_m64x8 v80 = ft_ne_f64x8(v72, v72);
        const ft_i64x8 v81 = ft_sel_i64x8(v77, ft_splat_i64x8(1), ft_splat_i64x8(0));
        const ft_i64x8 v82 = ft_sel_i64x8(v78, ft_splat_i64x8(1), ft_splat_i64x8(0));
        const ft_i64x8 v83 = ft_sel_i64x8(v79, ft_splat_i64x8(1), ft_splat_i64x8(0));
        const ft_i64x8 v84 = ft_sel_i64x8(v80, ft_splat_i64x8(1), ft_splat_i64x8(0));
        const ft_m64x8 v85 = ft_ne_f64x8(v73, v73);
        const ft_m64x8 v86 = ft_ne_f64x8(v74, v74);
        const ft_m64x8 v87 = ft_ne_f64x8(v75, v75);
        const ft_m64x8 v88 = ft_ne_f64x8(v76, v76);
        const ft_i64x8 v89 = ft_sel_i64x8(v85, ft_splat_i64x8(1), ft_splat_i64x8(0));
        const ft_i64x8 v90 = ft_sel_i64x8(v86, ft_splat_i64x8(1), ft_splat_i64x8(0));
        const ft_i64x8 v91 = ft_sel_i64x8(v87, ft_splat_i64x8(1), ft_splat_i64x8(0));
        const ft_i64x8 v92 = ft_sel_i64x8(v88, ft_splat_i64x8(1), ft_splat_i64x8(0));
        const ft_m64x8 v93 = ft_lt_f64x8(v73, v69);
        const ft_m64x8 v94 = ft_lt_f64x8(v74, v70);
        const ft_m64x8 v95 = ft_lt_f64x8(v75, v71);
        const ft_m64x8 v96 = ft_lt_f64x8(v76, v72);
        const ft_f64x8 v97 = ft_larger_f64x8(v69, v73);
        const ft_f64x8 v98 = ft_larger_f64x8(v70, v74);
        const ft_f64x8 v99 = ft_larger_f64x8(v71, v75);
        const ft_f64x8 v100 = ft_larger_f64x8(v72, v76);
        const ft_i64x8 v101 = (v81 | v89);
        const ft_i64x8 v102 = (v82 | v90);
        const ft_i64x8 v103 = (v83 | v91);
        const ft_i64x8 v104 = (v84 | v92);
        ft_store_f64x8(&s19[((i6 * 16) + i16)], v97);
        ft_store_f64x8(&s19[((i6 * 16) + (i16 + 8))], v98);
        ft_store_f64x8(&s19[((i6 * 16) + (i16 + 16))], v99);
        ft_store_f64x8(&s19[((i6 * 16) + (i16 + 24))], v100);
        ft_store_i64x8(&s20[((i6 * 16) + i16)], v101);
        ft_store_i64x8(&s20[((i6 * 16) + (i16 + 8))], v102);
        ft_store_i64x8(&s20[((i6 * 16) + (i16 + 16))], v103);
        ft_store_i64x8(&s20[((i6 * 16) + (i16 + 24))], v104);
      }
      for (; i16 <= v68 - 8; i16 += 8) {
        const ft_f64x8 v105 = ft_load_f64x8(&s14[((i6 * 16) + i16)]);
        const ft_f64x8 v106 = ft_load_f64x8(&s14[(((i6 * 16) + i16) + 128)]);
        const ft_m64x8 v107 = ft_ne_f64x8(v105, v105);
        const ft_i64x8 v108 = ft_sel_i64x8(v107, ft_splat_i64x8(1), ft_splat_i64x8(0));
        const ft_m64x8 v109 = ft_ne_f64x8(v106, v106);
        const ft_i64x8 v110 = ft_sel_i64x8(v109, ft_splat_i64x8(1), ft_splat_i64x8(0));
        const ft_m64x8 v111 = ft_lt_f64x8(v106, v105);
        const ft_f64x8 v112 = ft_larger_f64x8(v105, v106);
        const ft_i64x8 v113 = (v108 | v110);
        ft_store_f64x8(&s19[((i6 * 16) + i16)], v112);
        ft_store_i64x8(&s20[((i6 * 16) + i16)], v113);
      }
      }
    }
    double s21[64] __attribute__((aligned(64)));
    long long s22[64] __attribute__((aligned(64)));
    for (long long i7 = 0; i7 < 4; i7++) {
      const long long v114 = v1;
      if (0 < v114) {
      long long i17 = 0;
      for (; i17 <= v114 - 32; i17 += 32) {
        const ft_f64x8 v115 = ft_load_f64x8(&s19[((i7 * 16) + i17)]);
        const ft_f64x8 v116 = ft_load_f64x8(&s19[((i7 * 16) + (i17 + 8))]);
        const ft_f64x8 v117 = ft_load_f64x8(&s19[((i7 * 16) + (i17 + 16))]);
        const ft_f64x8 v118 = ft_load_f64x8(&s19[((i7 * 16) + (i17 + 24))]);
        const ft_f64x8 v119 = ft_load_f64x8(&s19[(((i7 * 16) + i17) + 64)]);
        const ft_f64x8 v120 = ft_load_f64x8(&s19[(((i7 * 16) + (i17 + 8)) + 64)]);
        const ft_f64x8 v121 = ft_load_f64x8(&s19[(((i7 * 16) + (i17 + 16)) + 64)]);
        const ft_f64x8 v122 = ft_load_f64x8(&s19[(((i7 * 16) + (i17 + 24)) + 64)]);
        const ft_i64x8 v123 = ft_load_i64x8(&s20[((i7 * 16) + i17)]);
        const ft_i64x8 v124 = ft_load_i64x8(&s20[((i7 * 16) + (i17 + 8))]);
        const ft_i64x8 v125 = ft_load_i64x8(&s20[((i7 * 16) + (i17 + 16))]);
        const ft_i64x8 v126 = ft_load_i64x8(&s20[((i7 * 16) + (i17 + 24))]);
        const ft_i64x8 v127 = ft_load_i64x8(&s20[(((i7 * 16) + i17) + 64)]);
        const ft_i64x8 v128 = ft_load_i64x8(&s20[(((i7 * 16) + (i17 + 8)) + 64)]);
        const ft_i64x8 v129 = ft_load_i64x8(&s20[(((i7 * 16) + (i17 + 16)) + 64)]);
        const ft_i64x8 v130 = ft_load_i64x8(&s20[(((i7 * 16) + (i17 + 24)) + 64)]);
        const ft_m64x8 v131 = ft_lt_f64x8(v119, v115);
        const ft_m64x8 v132 = ft_lt_f64x8(v120, v116);
        const ft_m64x8 v133 = ft_lt_f64x8(v121, v117);
        const ft_m64x8 v134 = ft_lt_f64x8(v122, v118);
        const ft_f64x8 v135 = ft_larger_f64x8(v115, v119);
        const ft_f64x8 v136 = ft_larger_f64x8(v116, v120);
        const ft_f64x8 v137 = ft_larger_f64x8(v117, v121);
        const ft_f64x8 v138 = ft_larger_f64x8(v118, v122);
        const ft_i64x8 v139 = (v123 | v127);
        const ft_i64x8 v140 = (v124 | v128);
        const ft_i64x8 v141 = (v125 | v129);
        const ft_i64x8 v142 = (v126 | v130);
        ft_store_f64x8(&s21[((i7 * 16) + i17)], v135);
        ft_store_f64x8(&s21[((i7 * 16) + (i17 + 8))], v136);
        ft_store_f64x8(&s21[((i7 * 16) + (i17 + 16))], v137);
        ft_store_f64x8(&s21[((i7 * 16) + (i17 + 24))], v138);
        ft_store_i64x8(&s22[((i7 * 16) + i17)], v139);
        ft_store_i64x8(&s22[((i7 * 16) + (i17 + 8))], v140);
        ft_store_i64x8(&s22[((i7 * 16) + (i17 + 16))], v141);
        ft_store_i64x8(&s22[((i7 * 16) + (i17 + 24))], v142);
      }
      for (; i17 <= v114 - 8; i17 += 8) {
        const ft_f64x8 v143 = ft_load_f64x8(&s19[((i7 * 16) + i17)]);
        const ft_f64x8 v144 = ft_load_f64x8(&s19[(((i7 * 16) + i17) + 64)]);
        const ft_i64x8 v145 = ft_load_i64x8(&s20[((i7 * 16) + i17)]);
        const ft_i64x8 v146 = ft_load_i64x8(&s20[(((i7 * 16) + i17) + 64)]);
        const ft_m64x8 v147 = ft_lt_f64x8(v144, v143);
        const ft_f64x8 v148 = ft_larger_f64x8(v143, v144);
        const ft_i64x8 v149 = (v145 | v146);
        ft_store_f64x8(&s21[((i7 * 16) + i17)], v148);
        ft_store_i64x8(&s22[((i7 * 16) + i17)], v149);
      }
      }
    }
    double s23[32] __attribute__((aligned(64)));
    long long s24[32] __attribute__((aligned(64)));
    for (long long i8 = 0; i8 < 2; i8++) {
      const long long v150 = v1;
      if (0 < v150) {
      long long i18 = 0;
      for (; i18 <= v150 - 32; i18 += 32) {
        const ft_f64x8 v151 = ft_load_f64x8(&s21[((i8 * 16) + i18)]);
        const ft_f64x8 v152 = ft_load_f64x8(&s21[((i8 * 16) + (i18 + 8))]);
        const ft_f64x8 v153 = ft_load_f64x8(&s21[((i8 * 16) + (i18 + 16))]);
        const ft_f64x8 v154 = ft_load_f64x8(&s21[((i8 * 16) + (i18 + 24))]);
        const ft_f64x8 v155 = ft_load_f64x8(&s21[(((i8 * 16) + i18) + 32)]);
        const ft_f64x8 v156 = ft_load_f64x8(&s21[(((i8 * 16) + (i18 + 8)) + 32)]);
        const ft_f64x8 v157 = ft_load_f64x8(&s21[(((i8 * 16) + (i18 + 16)) + 32)]);
        const ft_f64x8 v158 = ft_load_f64x8(&s21[(((i8 * 16) + (i18 + 24)) + 32)]);
        const ft_i64x8 v159 = ft_load_i64x8(&s22[((i8 * 16) + i18)]);
        const ft_i64x8 v160 = ft_load_i64x8(&s22[((i8 * 16) + (i18 + 8))]);
        const ft_i64x8 v161 = ft_load_i64x8(&s22[((i8 * 16) + (i18 + 16))]);
        const ft_i64x8 v162 = ft_load_i64x8(&s22[((i8 * 16) + (i18 + 24))]);
        const ft_i64x8 v163 = ft_load_i64x8(&s22[(((i8 * 16) + i18) + 32)]);
        const ft_i64x8 v164 = ft_load_i64x8(&s22[(((i8 * 16) + (i18 + 8)) + 32)]);
        const ft_i64x8 v165 = ft_load_i64x8(&s22[(((i8 * 16) + (i18 + 16)) + 32)]);
        const ft_i64x8 v166 = ft_load_i64x8(&s22[(((i8 * 16) + (i18 + 24)) + 32)]);
        const ft_m64x8 v167 = ft_lt_f64x8(v155, v151);
        const ft_m64x8 v168 = ft_lt_f64x8(v156, v152);
        const ft_m64x8 v169 = ft_lt_f64x8(v157, v153);
        const ft_m64x8 v170 = ft_lt_f64x8(v158, v154);
        const ft_f64x8 v171 = ft_larger_f64x8(v151, v155);
        const ft_f64x8 v172 = ft_larger_f64x8(v152, v156);
        const ft_f64x8 v173 = ft_larger_f64x8(v153, v157);
        const ft_f64x8 v174 = ft_larger_f64x8(v154, v158);
        const ft_i64x8 v175 = (v159 | v163);
        const ft_i64x8 v176 = (v160 | v164);
        const ft_i64x8 v177 = (v161 | v165);
        const ft_i64x8 v178 = (v162 | v166);
        ft_store_f64x8(&s23[((i8 * 16) + i18)], v171);
        ft_store_f64x8(&s23[((i8 * 16) + (i18 + 8))], v172);
        ft_store_f64x8(&s23[((i8 * 16) + (i18 + 16))], v173);
        ft_store_f64x8(&s23[((i8 * 16) + (i18 + 24))], v174);
        ft_store_i64x8(&s24[((i8 * 16) + i18)], v175);
        ft_store_i64x8(&s24[((i8 * 16) + (i18 + 8))], v176);
        ft_store_i64x8(&s24[((i8 * 16) + (i18 + 16))], v177);
        ft_store_i64x8(&s24[((i8 * 16) + (i18 + 24))], v178);
      }
      for (; i18 <= v150 - 8; i18 += 8) {
        const ft_f64x8 v179 = ft_load_f64x8(&s21[((i8 * 16) + i18)]);
        const ft_f64x8 v180 = ft_load_f64x8(&s21[(((i8 * 16) + i18) + 32)]);
        const ft_i64x8 v181 = ft_load_i64x8(&s22[((i8 * 16) + i18)]);
        const ft_i64x8 v182 = ft_load_i64x8(&s22[(((i8 * 16) + i18) + 32)]);
        const ft_m64x8 v183 = ft_lt_f64x8(v180, v179);
        const ft_f64x8 v184 = ft_larger_f64x8(v179, v180);
        const ft_i64x8 v185 = (v181 | v182);
        ft_store_f64x8(&s23[((i8 * 16) + i18)], v184);
        ft_store_i64x8(&s24[((i8 * 16) + i18)], v185);
      }
      }
    }
    double s25[1024] __attribute__((aligned(64)));
    double s26[256] __attribute__((aligned(64)));
    double s27[16] __attribute__((aligned(64)));
    const long long v186 = v1;
    if (0 < v186) {
    long long i19 = 0;
    for (; i19 <= v186 - 32; i19 += 32) {
      const ft_f64x8 v187 = ft_load_f64x8(&s23[i19]);
      const ft_f64x8 v188 = ft_load_f64x8(&s23[(i19 + 8)]);
      const ft_f64x8 v189 = ft_load_f64x8(&s23[(i19 + 16)]);
      const ft_f64x8 v190 = ft_load_f64x8(&s23[(i19 + 24)]);
      const ft_f64x8 v191 = ft_load_f64x8(&s23[(i19 + 16)]);
      const ft_f64x8 v192 = ft_load_f64x8(&s23[((i19 + 8) + 16)]);
      const ft_f64x8 v193 = ft_load_f64x8(&s23[((i19 + 16) + 16)]);
      const ft_f64x8 v194 = ft_load_f64x8(&s23[((i19 + 24) + 16)]);
      const ft_i64x8 v195 = ft_load_i64x8(&s24[i19]);
      const ft_i64x8 v196 = ft_load_i64x8(&s24[(i19 + 8)]);
      const ft_i64x8 v197 = ft_load_i64x8(&s24[(i19 + 16)]);
      const ft_i64x8 v198 = ft_load_i64x8(&s24[(i19 + 24)]);
      const ft_i64x8 v199 = ft_load_i64x8(&s24[(i19 + 16)]);
      const ft_i64x8 v200 = ft_load_i64x8(&s24[((i19 + 8) + 16)]);
      const ft_i64x8 v201 = ft_load_i64x8(&s24[((i19 + 16) + 16)]);
      const ft_i64x8 v202 = ft_load_i64x8(&s24[((i19 + 24) + 16)]);
      const ft_m64x8 v203 = ft_lt_f64x8(v191, v187);
      const ft_m64x8 v204 = ft_lt_f64x8(v192, v188);
      const ft_m64x8 v205 = ft_lt_f64x8(v193, v189);
      const ft_m64x8 v206 = ft_lt_f64x8(v194, v190);
      const ft_f64x8 v207 = ft_larger_f64x8(v187, v191);
      const ft_f64x8 v208 = ft_larger_f64x8(v188, v192);
      const ft_f64x8 v209 = ft_larger_f64x8(v189, v193);
      const ft_f64x8 v210 = ft_larger_f64x8(v190, v194);
      const ft_i64x8 v211 = (v195 | v199);
      const ft_i64x8 v212 = (v196 | v200);
      const ft_i64x8 v213 = (v197 | v201);
      const ft_i64x8 v214 = (v198 | v202);
      const ft_m64x8 v215 = ft_ne_i64x8(v211, ft_splat_i64x8(0LL));
      const ft_m64x8 v216 = ft_ne_i64x8(v212, ft_splat_i64x8(0LL));
      const ft_m64x8 v217 = ft_ne_i64x8(v213, ft_splat_i64x8(0LL));
      const ft_m64x8 v218 = ft_ne_i64x8(v214, ft_splat_i64x8(0LL));
      const ft_f64x8 v219 = ft_sel_f64x8(v215, ft_splat_f64x8(__builtin_nan("")), v207);
      const ft_f64x8 v220 = ft_sel_f64x8(v216, ft_splat_f64x8(__builtin_nan("")), v208);
      const ft_f64x8 v221 = ft_sel_f64x8(v217, ft_splat_f64x8(__builtin_nan("")), v209);
      const ft_f64x8 v222 = ft_sel_f64x8(v218, ft_splat_f64x8(__builtin_nan("")), v210);
      ft_store_f64x8(&s27[i19], v219);
      ft_store_f64x8(&s27[(i19 + 8)], v220);
      ft_store_f64x8(&s27[(i19 + 16)], v221);
      ft_store_f64x8(&s27[(i19 + 24)], v222);
    }
    for (; i19 <= v186 - 8; i19 += 8) {
      const ft_f64x8 v223 = ft_load_f64x8(&s23[i19]);
      const ft_f64x8 v224 = ft_load_f64x8(&s23[(i19 + 16)]);
      const ft_i64x8 v225 = ft_load_i64x8(&s24[i19]);
      const ft_i64x8 v226 = ft_load_i64x8(&s24[(i19 + 16)]);
      const ft_m64x8 v227 = ft_lt_f64x8(v224, v223);
      const ft_f64x8 v228 = ft_larger_f64x8(v223, v224);
      const ft_i64x8 v229 = (v225 | v226);
      const ft_m64x8 v230 = ft_ne_i64x8(v229, ft_splat_i64x8(0LL));
      const ft_f64x8 v231 = ft_sel_f64x8(v230, ft_splat_f64x8(__builtin_nan("")), v228);
      ft_store_f64x8(&s27[i19], v231);
    }
    }
    for (long long i9 = 0; i9 < 16; i9++) {
      double s28[16] __attribute__((aligned(64)));
      const long long v232 = v1;
      if (0 < v232) {
      long long i20 = 0;
      for (; i20 <= v232 - 32; i20 += 32) {
        const ft_f64x8 v233 = ft_load_f64x8(&s13[((i9 * 16) + i20)]);
        const ft_f64x8 v234 = ft_load_f64x8(&s13[((i9 * 16) + (i20 + 8))]);
        const ft_f64x8 v235 = ft_load_f64x8(&s13[((i9 * 16) + (i20 + 16))]);
        const ft_f64x8 v236 = ft_load_f64x8(&s13[((i9 * 16) + (i20 + 24))]);
        const ft_f64x8 v237 = ft_load_f64x8(&s27[i20]);
        const ft_f64x8 v238 = ft_load_f64x8(&s27[(i20 + 8)]);
        const ft_f64x8 v239 = ft_load_f64x8(&s27[(i20 + 16)]);
        const ft_f64x8 v240 = ft_load_f64x8(&s27[(i20 + 24)]);
        const ft_f64x8 v241 = (v233 - v237);
        const ft_f64x8 v242 = (v234 - v238);
        const ft_f64x8 v243 = (v235 - v239);
        const ft_f64x8 v244 = (v236 - v240);
        const ft_f64x8 v245 = ft_exp_f64x8(v241);
        const ft_f64x8 v246 = ft_exp_f64x8(v242);
        const ft_f64x8 v247 = ft_exp_f64x8(v243);
        const ft_f64x8 v248 = ft_exp_f64x8(v244);
        ft_store_f64x8(&s25[((i9 * 16) + i20)], v245);
        ft_store_f64x8(&s25[((i9 * 16) + (i20 + 8))], v246);
        ft_store_f64x8(&s25[((i9 * 16) + (i20 + 16))], v247);
        ft_store_f64x8(&s25[((i9 * 16) + (i20 + 24))], v248);
        const ft_f64x8 v249 = (ft_splat_f64x8(0.0) + v245);
        const ft_f64x8 v250 = (ft_splat_f64x8(0.0) + v246);
        const ft_f64x8 v251 = (ft_splat_f64x8(0.0) + v247);
        const ft_f64x8 v252 = (ft_splat_f64x8(0.0) + v248);
        const ft_f64x8 v253 = ft_load_f64x8(&s13[(((i9 * 16) + i20) + 256)]);
        const ft_f64x8 v254 = ft_load_f64x8(&s13[(((i9 * 16) + (i20 + 8)) + 256)]);
        const ft_f64x8 v255 = ft_load_f64x8(&s13[(((i9 * 16) + (i20 + 16)) + 256)]);
        const ft_f64x8 v256 = ft_load_f64x8(&s13[(((i9 * 16) + (i20 + 24)) + 256)]);
        const ft_f64x8 v257 = (v253 - v237);
        const ft_f64x8 v258 = (v254 - v238);
        const ft_f64x8 v259 = (v255 - v239);
        const ft_f64x8 v260 = (v256 - v240);
        const ft_f64x8 v261 = ft_exp_f64x8(v257);
        const ft_f64x8 v262 = ft_exp_f64x8(v258);
        const ft_f64x8 v263 = ft_exp_f64x8(v259);
        const ft_f64x8 v264 = ft_exp_f64x8(v260);
        ft_store_f64x8(&s25[(((i9 * 16) + i20) + 256)], v261);
        ft_store_f64x8(&s25[(((i9 * 16) + (i20 + 8)) + 256)], v262);
        ft_store_f64x8(&s25[(((i9 * 16) + (i20 + 16)) + 256)], v263);
        ft_store_f64x8(&s25[(((i9 * 16) + (i20 + 24)) + 256)], v264);
        const ft_f64x8 v265 = (v249 + v261);
        const ft_f64x8 v266 = (v250 + v262);
        const ft_f64x8 v267 = (v251 + v263);
        const ft_f64x8 v268 = (v252 + v264);
        const ft_f64x8 v269 = ft_load_f64x8(&s13[(((i9 * 16) + i20) + 512)]);
        const ft_f64x8 v270 = ft_load_f64x8(&s13[(((i9 * 16) + (i20 + 8)) + 512)]);
        const ft_f64x8 v271 = ft_load_f64x8(&s13[(((i9 * 16) + (i20 + 16)) + 512)]);
        const ft_f64x8 v272 = ft_load_f64x8(&s13[(((i9 * 16) + (i20 + 24)) + 512)]);
        const ft_f64x8 v273 = (v269 - v237);
        const ft_f64x8 v274 = (v270 - v238);
        const ft_f64x8 v275 = (v271 - v239);
        const ft_f64x8 v276 = (v272 - v240);
        const ft_f64x8 v277 = ft_exp_f64x8(v273);
        const ft_f64x8 v278 = ft_exp_f64x8(v274);
        const ft_f64x8 v279 = ft_exp_f64x8(v275);
        const ft_f64x8 v280 = ft_exp_f64x8(v276);
        ft_store_f64x8(&s25[(((i9 * 16) + i20) + 512)], v277);
        ft_store_f64x8(&s25[(((i9 * 16) + (i20 + 8)) + 512)], v278);
        ft_store_f64x8(&s25[(((i9 * 16) + (i20 + 16)) + 512)], v279);
        ft_store_f64x8(&s25[(((i9 * 16) + (i20 + 24)) + 512)], v280);
        const ft_f64x8 v281 = (v265 + v277);
        const ft_f64x8 v282 = (v266 + v278);
        const ft_f64x8 v283 = (v267 + v279);
        const ft_f64x8 v284 = (v268 + v280);
        const ft_f64x8 v285 = ft_load_f64x8(&s13[(((i9 * 16) + i20) + 768)]);
        const ft_f64x8 v286 = ft_load_f64x8(&s13[(((i9 * 16) + (i20 + 8)) + 768)]);
        const ft_f64x8 v287 = ft_load_f64x8(&s13[(((i9 * 16) + (i20 + 16)) + 768)]);
        const ft_f64x8 v288 = ft_load_f64x8(&s13[(((i9 * 16) + (i20 + 24)) + 768)]);
        const ft_f64x8 v289 = (v285 - v237);
        const ft_f64x8 v290 = (v286 - v238);
        const ft_f64x8 v291 = (v287 - v239);
        const ft_f64x8 v292 = (v288 - v240);
        const ft_f64x8 v293 = ft_exp_f64x8(v289);
        const ft_f64x8 v294 = ft_exp_f64x8(v290);
        const ft_f64x8 v295 = ft_exp_f64x8(v291);
        const ft_f64x8 v296 = ft_exp_f64x8(v292);
        ft_store_f64x8(&s25[(((i9 * 16) + i20) + 768)], v293);
        ft_store_f64x8(&s25[(((i9 * 16) + (i20 + 8)) + 768)], v294);
        ft_store_f64x8(&s25[(((i9 * 16) + (i20 + 16)) + 768)], v295);
        ft_store_f64x8(&s25[(((i9 * 16) + (i20 + 24)) + 768)], v296);
        const ft_f64x8 v297 = (v281 + v293);
        const ft_f64x8 v298 = (v282 + v294);
        const ft_f64x8 v299 = (v283 + v295);
        const ft_f64x8 v300 = (v284 + v296);
        ft_store_f64x8(&s28[i20], v297);
        ft_store_f64x8(&s28[(i20 + 8)], v298);
        ft_store_f64x8(&s28[(i20 + 16)], v299);
        ft_store_f64x8(&s28[(i20 + 24)], v300);
      }
      for (; i20 <= v232 - 8; i20 += 8) {
        const ft_f64x8 v301 = ft_load_f64x8(&s13[((i9 * 16) + i20)]);
        const ft_f64x8 v302 = ft_load_f64x8(&s27[i20]);
        const ft_f64x8 v303 = (v301 - v302);
        const ft_f64x8 v304 = ft_exp_f64x8(v303);
        ft_store_f64x8(&s25[((i9 * 16) + i20)], v304);
        const ft_f64x8 v305 = (ft_splat_f64x8(0.0) + v304);
        const ft_f64x8 v306 = ft_load_f64x8(&s13[(((i9 * 16) + i20) + 256)]);
        const ft_f64x8 v307 = (v306 - v302);
        const ft_f64x8 v308 = ft_exp_f64x8(v307);
        ft_store_f64x8(&s25[(((i9 * 16) + i20) + 256)], v308);
        const ft_f64x8 v309 = (v305 + v308);
        const ft_f64x8 v310 = ft_load_f64x8(&s13[(((i9 * 16) + i20) + 512)]);
        const ft_f64x8 v311 = (v310 - v302);
        const ft_f64x8 v312 = ft_exp_f64x8(v311);
        ft_store_f64x8(&s25[(((i9 * 16) + i20) + 512)], v312);
        const ft_f64x8 v313 = (v309 + v312);
        const ft_f64x8 v314 = ft_load_f64x8(&s13[(((i9 * 16) + i20) + 768)]);
        const ft_f64x8 v315 = (v314 - v302);
        const ft_f64x8 v316 = ft_exp_f64x8(v315);
        ft_store_f64x8(&s25[(((i9 * 16) + i20) + 768)], v316);
        const ft_f64x8 v317 = (v313 + v316);
        ft_store_f64x8(&s28[i20], v317);
      }
      }
      const long long v318 = v1;
      if (0 < v318) {
      long long i21 = 0;
      for (; i21 <= v318 - 32; i21 += 32) {
        const ft_f64x8 v319 = ft_load_f64x8(&s28[i21]);
        const ft_f64x8 v320 = ft_load_f64x8(&s28[(i21 + 8)]);
        const ft_f64x8 v321 = ft_load_f64x8(&s28[(i21 + 16)]);
        const ft_f64x8 v322 = ft_load_f64x8(&s28[(i21 + 24)]);
        ft_store_f64x8(&s26[((i9 * 16) + i21)], v319);
        ft_store_f64x8(&s26[((i9 * 16) + (i21 + 8))], v320);
        ft_store_f64x8(&s26[((i9 * 16) + (i21 + 16))], v321);
        ft_store_f64x8(&s26[((i9 * 16) + (i21 + 24))], v322);
      }
      for (; i21 <= v318 - 8; i21 += 8) {
        const ft_f64x8 v323 = ft_load_f64x8(&s28[i21]);
        ft_store_f64x8(&s26[((i9 * 16) + i21)], v323);
      }
      }
    }
    double s29[128] __attribute__((aligned(64)));
    for (long long i10 = 0; i10 < 8; i10++) {
      const long long v324 = v1;
      if (0 < v324) {
      long long i22 = 0;
      for (; i22 <= v324 - 32; i22 += 32) {
        const ft_f64x8 v325 = ft_load_f64x8(&s26[((i10 * 16) + i22)]);
        const ft_f64x8 v326 = ft_load_f64x8(&s26[((i10 * 16) + (i22 + 8))]);
        const ft_f64x8 v327 = ft_load_f64x8(&s26[((i10 * 16) + (i22 + 16))]);
        const ft_f64x8 v328 = ft_load_f64x8(&s26[((i10 * 16) + (i22 + 24))]);
        const ft_f64x8 v329 = ft_load_f64x8(&s26[(((i10 * 16) + i22) + 128)]);
        const ft_f64x8 v330 = ft_load_f64x8(&s26[(((i10 * 16) + (i22 + 8)) + 128)]);
        const ft_f64x8 v331 = ft_load_f64x8(&s26[(((i10 * 16) + (i22 + 16)) + 128)]);
        const ft_f64x8 v332 = ft_load_f64x8(&s26[(((i10 * 16) + (i22 + 24)) + 128)]);
        const ft_f64x8 v333 = (v325 + v329);
        const ft_f64x8 v334 = (v326 + v330);
        const ft_f64x8 v335 = (v327 + v331);
        const ft_f64x8 v336 = (v328 + v332);
        ft_store_f64x8(&s29[((i10 * 16) + i22)], v333);
        ft_store_f64x8(&s29[((i10 * 16) + (i22 + 8))], v334);
        ft_store_f64x8(&s29[((i10 * 16) + (i22 + 16))], v335);
        ft_store_f64x8(&s29[((i10 * 16) + (i22 + 24))], v336);
      }
      for (; i22 <= v324 - 8; i22 += 8) {
        const ft_f64x8 v337 = ft_load_f64x8(&s26[((i10 * 16) + i22)]);
        const ft_f64x8 v338 = ft_load_f64x8(&s26[(((i10 * 16) + i22) + 128)]);
        const ft_f64x8 v339 = (v337 + v338);
        ft_store_f64x8(&s29[((i10 * 16) + i22)], v339);
      }
      }
    }
    double s30[64] __attribute__((aligned(64)));
    for (long long i11 = 0; i11 < 4; i11++) {
      const long long v340 = v1;
      if (0 < v340) {
      long long i23 = 0;
      for (; i23 <= v340 - 32; i23 += 32) {
        const ft_f64x8 v341 = ft_load_f64x8(&s29[((i11 * 16) + i23)]);
        const ft_f64x8 v342 = ft_load_f64x8(&s29[((i11 * 16) + (i23 + 8))]);
        const ft_f64x8 v343 = ft_load_f64x8(&s29[((i11 * 16) + (i23 + 16))]);
        const ft_f64x8 v344 = ft_load_f64x8(&s29[((i11 * 16) + (i23 + 24))]);
        const ft_f64x8 v345 = ft_load_f64x8(&s29[(((i11 * 16) + i23) + 64)]);
        const ft_f64x8 v346 = ft_load_f64x8(&s29[(((i11 * 16) + (i23 + 8)) + 64)]);
        const ft_f64x8 v347 = ft_load_f64x8(&s29[(((i11 * 16) + (i23 + 16)) + 64)]);
        const ft_f64x8 v348 = ft_load_f64x8(&s29[(((i11 * 16) + (i23 + 24)) + 64)]);
        const ft_f64x8 v349 = (v341 + v345);
        const ft_f64x8 v350 = (v342 + v346);
        const ft_f64x8 v351 = (v343 + v347);
        const ft_f64x8 v352 = (v344 + v348);
        ft_store_f64x8(&s30[((i11 * 16) + i23)], v349);
        ft_store_f64x8(&s30[((i11 * 16) + (i23 + 8))], v350);
        ft_store_f64x8(&s30[((i11 * 16) + (i23 + 16))], v351);
        ft_store_f64x8(&s30[((i11 * 16) + (i23 + 24))], v352);
      }
      for (; i23 <= v340 - 8; i23 += 8) {
        const ft_f64x8 v353 = ft_load_f64x8(&s29[((i11 * 16) + i23)]);
        const ft_f64x8 v354 = ft_load_f64x8(&s29[(((i11 * 16) + i23) + 64)]);
        const ft_f64x8 v355 = (v353 + v354);
        ft_store_f64x8(&s30[((i11 * 16) + i23)], v355);
      }
      }
    }
    double s31[32] __attribute__((aligned(64)));
    for (long long i12 = 0; i12 < 2; i12++) {
      const long long v356 = v1;
      if (0 < v356) {
      long long i24 = 0;
      for (; i24 <= v356 - 32; i24 += 32) {
        const ft_f64x8 v357 = ft_load_f64x8(&s30[((i12 * 16) + i24)]);
        const ft_f64x8 v358 = ft_load_f64x8(&s30[((i12 * 16) + (i24 + 8))]);
        const ft_f64x8 v359 = ft_load_f64x8(&s30[((i12 * 16) + (i24 + 16))]);
        const ft_f64x8 v360 = ft_load_f64x8(&s30[((i12 * 16) + (i24 + 24))]);
        const ft_f64x8 v361 = ft_load_f64x8(&s30[(((i12 * 16) + i24) + 32)]);
        const ft_f64x8 v362 = ft_load_f64x8(&s30[(((i12 * 16) + (i24 + 8)) + 32)]);
        const ft_f64x8 v363 = ft_load_f64x8(&s30[(((i12 * 16) + (i24 + 16)) + 32)]);
        const ft_f64x8 v364 = ft_load_f64x8(&s30[(((i12 * 16) + (i24 + 24)) + 32)]);
        const ft_f64x8 v365 = (v357 + v361);
        const ft_f64x8 v366 = (v358 + v362);
        const ft_f64x8 v367 = (v359 + v363);
        const ft_f64x8 v368 = (v360 + v364);
        ft_store_f64x8(&s31[((i12 * 16) + i24)], v365);
        ft_store_f64x8(&s31[((i12 * 16) + (i24 + 8))], v366);
        ft_store_f64x8(&s31[((i12 * 16) + (i24 + 16))], v367);
        ft_store_f64x8(&s31[((i12 * 16) + (i24 + 24))], v368);
      }
      for (; i24 <= v356 - 8; i24 += 8) {
        const ft_f64x8 v369 = ft_load_f64x8(&s30[((i12 * 16) + i24)]);
        const ft_f64x8 v370 = ft_load_f64x8(&s30[(((i12 * 16) + i24) + 32)]);
        const ft_f64x8 v371 = (v369 + v370);
        ft_store_f64x8(&s31[((i12 * 16) + i24)], v371);
      }
      }
    }
    const long long v372 = v1;
    if (0 < v372) {
    long long i25 = 0;
    for (; i25 <= v372 - 32; i25 += 32) {
      const ft_f64x8 v373 = ft_load_f64x8(&s31[i25]);
      const ft_f64x8 v374 = ft_load_f64x8(&s31[(i25 + 8)]);
      const ft_f64x8 v375 = ft_load_f64x8(&s31[(i25 + 16)]);
      const ft_f64x8 v376 = ft_load_f64x8(&s31[(i25 + 24)]);
      const ft_f64x8 v377 = ft_load_f64x8(&s31[(i25 + 16)]);
      const ft_f64x8 v378 = ft_load_f64x8(&s31[((i25 + 8) + 16)]);
      const ft_f64x8 v379 = ft_load_f64x8(&s31[((i25 + 16) + 16)]);
      const ft_f64x8 v380 = ft_load_f64x8(&s31[((i25 + 24) + 16)]);
      const ft_f64x8 v381 = (v373 + v377);
      const ft_f64x8 v382 = (v374 + v378);
      const ft_f64x8 v383 = (v375 + v379);
      const ft_f64x8 v384 = (v376 + v380);
      ft_store_f64x8(&s27[i25], v381);
      ft_store_f64x8(&s27[(i25 + 8)], v382);
      ft_store_f64x8(&s27[(i25 + 16)], v383);
      ft_store_f64x8(&s27[(i25 + 24)], v384);
    }
    for (; i25 <= v372 - 8; i25 += 8) {
      const ft_f64x8 v385 = ft_load_f64x8(&s31[i25]);
      const ft_f64x8 v386 = ft_load_f64x8(&s31[(i25 + 16)]);
      const ft_f64x8 v387 = (v385 + v386);
      ft_store_f64x8(&s27[i25], v387);
    }
    }
    double *restrict s32 = (double *)(scratch + 0);
    for (long long i26 = 0; i26 < v0; i26++) {
      const ft_f64x8 v388 = ft_every_f64x8(&s25[((0 * 16) + i26)], 16);
      const ft_f64x8 v389 = ft_every_f64x8(&s25[((8 * 16) + i26)], 16);
      const ft_f64x8 v390 = ft_every_f64x8(&s25[((16 * 16) + i26)], 16);
      const ft_f64x8 v391 = ft_every_f64x8(&s25[((24 * 16) + i26)], 16);
      ft_store_f64x8(&s32[((i26 * 64) + 0)], v388);
      ft_store_f64x8(&s32[((i26 * 64) + 8)], v389);
      ft_store_f64x8(&s32[((i26 * 64) + 16)], v390);
      ft_store_f64x8(&s32[((i26 * 64) + 24)], v391);
      const ft_f64x8 v392 = ft_every_f64x8(&s25[((32 * 16) + i26)], 16);
      const ft_f64x8 v393 = ft_every_f64x8(&s25[((40 * 16) + i26)], 16);
      const ft_f64x8 v394 = ft_every_f64x8(&s25[((48 * 16) + i26)], 16);
      const ft_f64x8 v395 = ft_every_f64x8(&s25[((56 * 16) + i26)], 16);
      ft_store_f64x8(&s32[((i26 * 64) + 32)], v392);
      ft_store_f64x8(&s32[((i26 * 64) + 40)], v393);
      ft_store_f64x8(&s32[((i26 * 64) + 48)], v394);
      ft_store_f64x8(&s32[((i26 * 64) + 56)], v395);
    }
    for (long long i28 = 0; i28 < v0; i28++) {
      const double v396 = s27[i28];
      const ft_f64x8 v397 = ft_load_f64x8(&s32[((i28 * 64) + 0)]);
      const ft_f64x8 v398 = ft_load_f64x8(&s32[((i28 * 64) + 8)]);
      const ft_f64x8 v399 = ft_load_f64x8(&s32[((i28 * 64) + 16)]);
      const ft_f64x8 v400 = ft_load_f64x8(&s32[((i28 * 64) + 24)]);
      const ft_f64x8 v401 = (v397 / ft_splat_f64x8(v396));
      const ft_f64x8 v402 = (v398 / ft_splat_f64x8(v396));
      const ft_f64x8 v403 = (v399 / ft_splat_f64x8(v396));
      const ft_f64x8 v404 = (v400 / ft_splat_f64x8(v396));
      ft_store_f64x8(&o0[(((i13 * 1024) + (i28 * 64)) + 0)], v401);
      ft_store_f64x8(&o0[(((i13 * 1024) + (i28 * 64)) + 8)], v402);
      ft_store_f64x8(&o0[(((i13 * 1024) + (i28 * 64)) + 16)], v403);
      ft_store_f64x8(&o0[(((i13 * 1024) + (i28 * 64)) + 24)], v404);
      const ft_f64x8 v405 = ft_load_f64x8(&s32[((i28 * 64) + 32)]);
      const ft_f64x8 v406 = ft_load_f64x8(&s32[((i28 * 64) + 40)]);
      const ft_f64x8 v407 = ft_load_f64x8(&s32[((i28 * 64) + 48)]);
      const ft_f64x8 v408 = ft_load_f64x8(&s32[((i28 * 64) + 56)]);
      const ft_f64x8 v409 = (v405 / ft_splat_f64x8(v396));
      const ft_f64x8 v410 = (v406 / ft_splat_f64x8(v396));
      const ft_f64x8 v411 = (v407 / ft_splat_f64x8(v396));
      const ft_f64x8 v412 = (v408 / ft_splat_f64x8(v396));
      ft_store_f64x8(&o0[(((i13 * 1024) + (i28 * 64)) + 32)], v409);
      ft_store_f64x8(&o0[(((i13 * 1024) + (i28 * 64)) + 40)], v410);
      ft_store_f64x8(&o0[(((i13 * 1024) + (i28 * 64)) + 48)], v411);
      ft_store_f64x8(&o0[(((i13 * 1024) + (i28 * 64)) + 56)], v412);
    }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long,
  long long *, const long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], (char *)buffers[2] + who * 8192, sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[4];
  switch (at[0]) { default:;
  case 0: if (sizes[1] > 1 && ((sizes[0] + 15) / 16) > 90) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, ((sizes[0] + 15) / 16), 7, 90, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = ((sizes[0] + 15) / 16), to = n - at[1] > 12096 ? at[1] + 12096 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
