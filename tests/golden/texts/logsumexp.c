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
static inline long long ft_min_i64(long long a, long long b) { return a < b ? a : b; }
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
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x2(ft_f64x2 x) { return (x[0] + x[1]); }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x4(ft_f64x4 x) { const ft_f64x2 a = __builtin_shufflevector(x, x, 0, 1), b = __builtin_shufflevector(x, x, 2, 3); return ft_foldadd_f64x2((a + b)); }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x8(ft_f64x8 x) { const ft_f64x4 a = __builtin_shufflevector(x, x, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7); return ft_foldadd_f64x4((a + b)); }
static inline __attribute__((always_inline)) long long ft_bits_f64(double x) { long long y; __builtin_memcpy(&y, &x, 8); return y; }
static inline __attribute__((always_inline)) double ft_float_f64(long long x) { double y; __builtin_memcpy(&y, &x, 8); return y; }
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif
static inline __attribute__((always_inline)) double ft_log_f64(double x) {
  const _Bool v0 = (x < 2.2250738585072014e-308);
  const double v1 = (x * 1.8014398509481984e+16);
  const long long v2 = (ft_bits_f64((v0 ? v1 : x)) + 2638147582215219LL);
  const double v3 = ((ft_float_f64((((long long)(((unsigned long long)v2) >> 52ULL)) | 4841369599423283200LL)) - 4503599627371519.0) - (v0 ? 54.0 : 0.0));
  const double v4 = (ft_float_f64(((v2 & 4503599627370495LL) + 4604544271217802189LL)) - 1.0);
  const double v5 = ((0.5 * v4) * v4);
  const double v6 = (v4 / (2.0 + v4));
  const double v7 = (v6 * v6);
  const double v8 = ft_fma_f64(ft_fma_f64(ft_fma_f64(0.14796105297499598, v7, 0.1531403584335551), v7, 0.18183564866231983), v7, 0.2222219856350627);
  const double v9 = ft_fma_f64(v7, ft_fma_f64(ft_fma_f64(ft_fma_f64(v8, v7, 0.2857142874247445), v7, 0.39999999999414326), v7, 0.6666666666666734), v5);
  const double v10 = ft_fma_f64(v3, 0.6931471804855391, (v4 - (v5 - ft_fma_f64(v3, 7.440617110012397e-11, (v6 * v9)))));
  const double v11 = ((x < __builtin_inf()) ? v10 : x);
  const double v12 = ((x < 0.0) ? __builtin_nan("") : v11);
  return ((x == 0.0) ? -__builtin_inf() : v12);
}

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i7 = from; i7 < to; i7++) {
    const long long v0 = ft_min_i64(32, (n0 + (i7 * -32)));
    double s2[32] __attribute__((aligned(64)));
    double s3[32] __attribute__((aligned(64)));
    for (long long i8 = 0; i8 < v0; i8++) {
      double s0[16] __attribute__((aligned(64)));
      ft_m64x8 s0_nan = {0};
      ft_store_f64x8(s0 + 0, ft_splat_f64x8(-__builtin_inf()));
      ft_store_f64x8(s0 + 8, ft_splat_f64x8(-__builtin_inf()));
      const ft_f64x8 v1 = ft_load_f64x8(a0 + ((((i7 * 32) + i8) * 64) + 0));
      const ft_f64x8 v2 = ft_load_f64x8(a0 + ((((i7 * 32) + i8) * 64) + 8));
      const ft_f64x8 v3 = ft_load_f64x8(a0 + ((((i7 * 32) + i8) * 64) + 16));
      const ft_f64x8 v4 = ft_load_f64x8(a0 + ((((i7 * 32) + i8) * 64) + 24));
      const ft_f64x8 v5 = ft_load_f64x8(s0 + 0);
      s0_nan |= ft_ne_f64x8(v1, v1);
      const ft_f64x8 v6 = v1;
      ft_store_f64x8(s0 + 0, v6);
      const ft_f64x8 v7 = ft_load_f64x8(s0 + 8);
      s0_nan |= ft_ne_f64x8(v2, v2);
      const ft_f64x8 v8 = v2;
      ft_store_f64x8(s0 + 8, v8);
      const ft_f64x8 v9 = ft_load_f64x8(s0 + 0);
      s0_nan |= ft_ne_f64x8(v3, v3);
      const ft_f64x8 v10 = ft_larger_f64x8(v9, v3);
      ft_store_f64x8(s0 + 0, v10);
      const ft_f64x8 v11 = ft_load_f64x8(s0 + 8);
      s0_nan |= ft_ne_f64x8(v4, v4);
      const ft_f64x8 v12 = ft_larger_f64x8(v11, v4);
      ft_store_f64x8(s0 + 8, v12);
      const ft_f64x8 v13 = ft_load_f64x8(a0 + ((((i7 * 32) + i8) * 64) + 32));
      const ft_f64x8 v14 = ft_load_f64x8(a0 + ((((i7 * 32) + i8) * 64) + 40));
      const ft_f64x8 v15 = ft_load_f64x8(a0 + ((((i7 * 32) + i8) * 64) + 48));
      const ft_f64x8 v16 = ft_load_f64x8(a0 + ((((i7 * 32) + i8) * 64) + 56));
      const ft_f64x8 v17 = ft_load_f64x8(s0 + 0);
      s0_nan |= ft_ne_f64x8(v13, v13);
      const ft_f64x8 v18 = ft_larger_f64x8(v17, v13);
      ft_store_f64x8(s0 + 0, v18);
      const ft_f64x8 v19 = ft_load_f64x8(s0 + 8);
      s0_nan |= ft_ne_f64x8(v14, v14);
      const ft_f64x8 v20 = ft_larger_f64x8(v19, v14);
      ft_store_f64x8(s0 + 8, v20);
      const ft_f64x8 v21 = ft_load_f64x8(s0 + 0);
      s0_nan |= ft_ne_f64x8(v15, v15);
      const ft_f64x8 v22 = ft_larger_f64x8(v21, v15);
      ft_store_f64x8(s0 + 0, v22);
      const ft_f64x8 v23 = ft_load_f64x8(s0 + 8);
      s0_nan |= ft_ne_f64x8(v16, v16);
      const ft_f64x8 v24 = ft_larger_f64x8(v23, v16);
      ft_store_f64x8(s0 + 8, v24);
      const double v25 = ft_foldlarger_f64x8(ft_larger_f64x8(ft_load_f64x8(s0 + 0), ft_load_f64x8(s0 + 8)));
      const double v26 = ft_nanif_f64x8(v25, ft_any_m64x8(s0_nan));
      double s1[16] __attribute__((aligned(64)));
      ft_store_f64x8(s1 + 0, ft_splat_f64x8(0.0));
      ft_store_f64x8(s1 + 8, ft_splat_f64x8(0.0));
      for (long long i6 = 0; i6 < 64; i6 += 32) {
        const ft_f64x8 v27 = ft_load_f64x8(a0 + ((((i7 * 32) + i8) * 64) + i6));
        const ft_f64x8 v28 = ft_load_f64x8(a0 + ((((i7 * 32) + i8) * 64) + (i6 + 8)));
        const ft_f64x8 v29 = ft_load_f64x8(a0 + ((((i7 * 32) + i8) * 64) + (i6 + 16)));
        const ft_f64x8 v30 = ft_load_f64x8(a0 + ((((i7 * 32) + i8) * 64) + (i6 + 24)));
        const ft_f64x8 v31 = (v27 - ft_splat_f64x8(v26));
        const ft_f64x8 v32 = (v28 - ft_splat_f64x8(v26));
        const ft_f64x8 v33 = (v29 - ft_splat_f64x8(v26));
        const ft_f64x8 v34 = (v30 - ft_splat_f64x8(v26));
        const ft_f64x8 v35 = ft_exp_f64x8(v31);
        const ft_f64x8 v36 = ft_exp_f64x8(v32);
        const ft_f64x8 v37 = ft_exp_f64x8(v33);
        const ft_f64x8 v38 = ft_exp_f64x8(v34);
        const ft_f64x8 v39 = ft_load_f64x8(s1 + 0);
        const ft_f64x8 v40 = (v39 + v35);
        ft_store_f64x8(s1 + 0, v40);
        const ft_f64x8 v41 = ft_load_f64x8(s1 + 8);
        const ft_f64x8 v42 = (v41 + v36);
        ft_store_f64x8(s1 + 8, v42);
        const ft_f64x8 v43 = ft_load_f64x8(s1 + 0);
        const ft_f64x8 v44 = (v43 + v37);
        ft_store_f64x8(s1 + 0, v44);
        const ft_f64x8 v45 = ft_load_f64x8(s1 + 8);
        const ft_f64x8 v46 = (v45 + v38);
        ft_store_f64x8(s1 + 8, v46);
      }
      const double v47 = ft_foldadd_f64x8((ft_load_f64x8(s1 + 0) + ft_load_f64x8(s1 + 8)));
      s2[i8] = v47;
      s3[i8] = v26;
    }
    for (long long i9 = 0; i9 < v0; i9++) {
      o0[(i7 * 32) + i9] = s3[i9] + ft_log_f64(s2[i9]);
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
  {k0_part, 0, 5, 65, 8768, 0, 0},
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
  case 0: if (ft_turn(buffers, sizes, call, ft_shares + 0, ((sizes[0] + 31) / 32), 0)) return FT_AGAIN;
  }
#ifdef __AVX__
  __builtin_ia32_vzeroupper();
#endif
  return 0;
}
