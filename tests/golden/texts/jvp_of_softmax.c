typedef double ft_f64x2 __attribute__((vector_size(16)));
typedef long long ft_i64x2 __attribute__((vector_size(16)));
typedef unsigned long long ft_u64x2 __attribute__((vector_size(16)));
typedef double ft_f64x2p __attribute__((vector_size(16), aligned(8), may_alias));
typedef ft_i64x2 ft_m64x2;
typedef double ft_f64x4 __attribute__((vector_size(32)));
typedef long long ft_i64x4 __attribute__((vector_size(32)));
typedef unsigned long long ft_u64x4 __attribute__((vector_size(32)));
typedef double ft_f64x4p __attribute__((vector_size(32), aligned(8), may_alias));
typedef ft_i64x4 ft_m64x4;
typedef double ft_f64x8 __attribute__((vector_size(64)));
typedef long long ft_i64x8 __attribute__((vector_size(64)));
typedef unsigned long long ft_u64x8 __attribute__((vector_size(64)));
typedef double ft_f64x8p __attribute__((vector_size(64), aligned(8), may_alias));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && !defined(__clang__)
typedef unsigned char ft_m64x8;
#else
typedef ft_i64x8 ft_m64x8;
#endif
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_ne_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && !defined(__clang__)
  return __builtin_ia32_cmppd512_mask(a, b, 4, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a != b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_sel_f64x8(ft_m64x8 m, ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && !defined(__clang__)
  return __builtin_ia32_blendmpd_512_mask(b, a, m);
#else
  return (ft_f64x8)((m & (ft_i64x8)a) | (~m & (ft_i64x8)b));
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_lt_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && !defined(__clang__)
  return __builtin_ia32_cmppd512_mask(a, b, 1, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a < b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_larger_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && !defined(__clang__)
  return __builtin_ia32_maxpd512_mask(a, b, (ft_f64x8){0}, (ft_m64x8)-1, 4);
#else
  return ft_sel_f64x8(ft_lt_f64x8(b, a), a, b);
#endif
}
static __inline__ __attribute__((always_inline)) double ft_foldlarger_f64x2(ft_f64x2 x) { return (x[0] > x[1] ? x[0] : x[1]); }
static __inline__ __attribute__((always_inline)) ft_f64x2 ft_sel_f64x2(ft_m64x2 m, ft_f64x2 a, ft_f64x2 b) { return (ft_f64x2)((m & (ft_i64x2)a) | (~m & (ft_i64x2)b)); }
static __inline__ __attribute__((always_inline)) ft_m64x2 ft_lt_f64x2(ft_f64x2 a, ft_f64x2 b) { return (ft_m64x2)(a < b); }
static __inline__ __attribute__((always_inline)) ft_f64x2 ft_larger_f64x2(ft_f64x2 a, ft_f64x2 b) {
#if defined(__SSE2__) && !defined(__clang__)
  return __builtin_ia32_maxpd(a, b);
#else
  return ft_sel_f64x2(ft_lt_f64x2(b, a), a, b);
#endif
}
static __inline__ __attribute__((always_inline)) double ft_foldlarger_f64x4(ft_f64x4 x) { const ft_f64x2 a = __builtin_shufflevector(x, x, 0, 1), b = __builtin_shufflevector(x, x, 2, 3); return ft_foldlarger_f64x2(ft_larger_f64x2(a, b)); }
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_sel_f64x4(ft_m64x4 m, ft_f64x4 a, ft_f64x4 b) {
#if defined(__AVX2__) && !defined(__clang__)
  return __builtin_ia32_blendvpd256(b, a, (ft_f64x4)m);
#else
  return (ft_f64x4)((m & (ft_i64x4)a) | (~m & (ft_i64x4)b));
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x4 ft_lt_f64x4(ft_f64x4 a, ft_f64x4 b) { return (ft_m64x4)(a < b); }
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
  if (__builtin_expect(told, 0)) x = __builtin_nan(""); __asm__("" : "+x"(x)); return x;
#else
  if (__builtin_expect(told, 0)) x = __builtin_nan(""); return x;
#endif
}
static __inline__ __attribute__((always_inline)) int ft_any_m64x8(ft_m64x8 x) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && !defined(__clang__)
  return x != 0;
#else
  int r = 0; for (int k = 0; k < 8; k++) r |= x[k] != 0; return r;
#endif
}
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif
static inline __attribute__((always_inline)) long long ft_bits_f64(double x) { long long y; __builtin_memcpy(&y, &x, 8); return y; }
static inline __attribute__((always_inline)) double ft_float_f64(long long x) { double y; __builtin_memcpy(&y, &x, 8); return y; }
static inline __attribute__((always_inline)) double ft_exp_f64(double x) {
  const double v0 = ft_fma_f64(x, 1.4426950408889634, 6755399441057790.0);
  const double v1 = (-(v0 - 6755399441057790.0));
  const double v2 = ft_fma_f64(v1, 7.440617110012397e-11, ft_fma_f64(v1, 0.6931471804855391, x));
  const double v3 = (v2 * v2);
  const double v4 = ft_fma_f64(ft_fma_f64(2.511797453389394e-08, v3, ft_fma_f64(2.7631414313456104e-07, v2, 2.7557215944213365e-06)), v3, ft_fma_f64(2.480148958888789e-05, v2, 0.0001984126991778212));
  const double v5 = ft_fma_f64(ft_fma_f64(v4, v3, ft_fma_f64(0.0013888888947333087, v2, 0.008333333333307021)), v3, ft_fma_f64(0.041666666666514314, v2, 0.166666666666667));
  const long long v6 = ft_bits_f64(v0);
  const long long v7 = ((long long)(((unsigned long long)v6) >> 1ULL));
  const double v8 = (ft_fma_f64(ft_fma_f64(v5, v2, 0.5000000000000013), v3, (1.0 + v2)) * ft_float_f64(((long long)(((unsigned long long)v7) << 52ULL))));
  const double v9 = (v8 * ft_float_f64(((long long)(((unsigned long long)(v6 - v7)) << 52ULL))));
  const double v10 = ((709.8 < x) ? __builtin_inf() : v9);
  return ((x < -746.0) ? 0.0 : v10);
}
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x2(ft_f64x2 x) { return (x[0] + x[1]); }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x4(ft_f64x4 x) { const ft_f64x2 a = __builtin_shufflevector(x, x, 0, 1), b = __builtin_shufflevector(x, x, 2, 3); return ft_foldadd_f64x2((a + b)); }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x8(ft_f64x8 x) { const ft_f64x4 a = __builtin_shufflevector(x, x, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7); return ft_foldadd_f64x4((a + b)); }

static void k0(const double *restrict a0, const double *restrict a1, double *restrict o0, double *restrict o1, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    double s3[16] __attribute__((aligned(64)));
    ft_m64x8 s3_nan = {0};
    ft_store_f64x8(&s3[0], ft_splat_f64x8(-__builtin_inf()));
    ft_store_f64x8(&s3[8], ft_splat_f64x8(-__builtin_inf()));
    const ft_f64x8 v0 = ft_load_f64x8(&a0[((i0 * 64) + 0)]);
    const ft_f64x8 v1 = ft_load_f64x8(&a0[((i0 * 64) + 8)]);
    const ft_f64x8 v2 = ft_load_f64x8(&a0[((i0 * 64) + 16)]);
    const ft_f64x8 v3 = ft_load_f64x8(&a0[((i0 * 64) + 24)]);
    const ft_f64x8 v4 = ft_load_f64x8(&s3[0]);
    s3_nan |= ft_ne_f64x8(v0, v0);
    const ft_f64x8 v5 = v0;
    ft_store_f64x8(&s3[0], v5);
    const ft_f64x8 v6 = ft_load_f64x8(&s3[8]);
    s3_nan |= ft_ne_f64x8(v1, v1);
    const ft_f64x8 v7 = v1;
    ft_store_f64x8(&s3[8], v7);
    const ft_f64x8 v8 = ft_load_f64x8(&s3[0]);
    s3_nan |= ft_ne_f64x8(v2, v2);
    const ft_f64x8 v9 = ft_larger_f64x8(v8, v2);
    ft_store_f64x8(&s3[0], v9);
    const ft_f64x8 v10 = ft_load_f64x8(&s3[8]);
    s3_nan |= ft_ne_f64x8(v3, v3);
    const ft_f64x8 v11 = ft_larger_f64x8(v10, v3);
    ft_store_f64x8(&s3[8], v11);
    const ft_f64x8 v12 = ft_load_f64x8(&a0[((i0 * 64) + 32)]);
    const ft_f64x8 v13 = ft_load_f64x8(&a0[((i0 * 64) + 40)]);
    const ft_f64x8 v14 = ft_load_f64x8(&a0[((i0 * 64) + 48)]);
    const ft_f64x8 v15 = ft_load_f64x8(&a0[((i0 * 64) + 56)]);
    const ft_f64x8 v16 = ft_load_f64x8(&s3[0]);
    s3_nan |= ft_ne_f64x8(v12, v12);
    const ft_f64x8 v17 = ft_larger_f64x8(v16, v12);
    ft_store_f64x8(&s3[0], v17);
    const ft_f64x8 v18 = ft_load_f64x8(&s3[8]);
    s3_nan |= ft_ne_f64x8(v13, v13);
    const ft_f64x8 v19 = ft_larger_f64x8(v18, v13);
    ft_store_f64x8(&s3[8], v19);
    const ft_f64x8 v20 = ft_load_f64x8(&s3[0]);
    s3_nan |= ft_ne_f64x8(v14, v14);
    const ft_f64x8 v21 = ft_larger_f64x8(v20, v14);
    ft_store_f64x8(&s3[0], v21);
    const ft_f64x8 v22 = ft_load_f64x8(&s3[8]);
    s3_nan |= ft_ne_f64x8(v15, v15);
    const ft_f64x8 v23 = ft_larger_f64x8(v22, v15);
    ft_store_f64x8(&s3[8], v23);
    const double v24 = ft_foldlarger_f64x8(ft_larger_f64x8(ft_load_f64x8(&s3[0]), ft_load_f64x8(&s3[8])));
    const double v25 = ft_nanif_f64x8(v24, ft_any_m64x8(s3_nan));
    double s0[64] __attribute__((aligned(64)));
    double s4[16];
    for (long long i11 = 0; i11 < 16; i11++) {
      s4[i11] = 0.0;
    }
    double s5[16];
    for (long long i12 = 0; i12 < 16; i12++) {
      s5[i12] = 0.0;
    }
    double s6[16];
    for (long long i13 = 0; i13 < 16; i13++) {
      s6[i13] = 0.0;
    }
    for (long long i14 = 0; i14 < 4; i14++) {
      for (long long i15 = 0; i15 < 16; i15++) {
        const double v26 = a0[(i0 * 64) + ((i14 * 16) + i15)];
        const double v27 = ft_exp_f64((v26 - v25));
        s0[(i14 * 16) + i15] = v27;
        s4[i15] = s4[i15] + v27;
        const _Bool v28 = (v26 == v25) | (v26 != v26);
        const double v29 = a1[(i0 * 64) + ((i14 * 16) + i15)];
        s5[i15] = s5[i15] + (v28 ? v29 : 0.0);
        s6[i15] = s6[i15] + ((double)v28);
      }
    }
    double s7[8];
    double s8[8];
    double s9[8];
    for (long long i16 = 0; i16 < 8; i16++) {
      s7[i16] = s4[i16] + s4[i16 + 8];
      s8[i16] = s5[i16] + s5[i16 + 8];
      s9[i16] = s6[i16] + s6[i16 + 8];
    }
    double s10[4];
    double s11[4];
    double s12[4];
    for (long long i17 = 0; i17 < 4; i17++) {
      s10[i17] = s7[i17] + s7[i17 + 4];
      s11[i17] = s8[i17] + s8[i17 + 4];
      s12[i17] = s9[i17] + s9[i17 + 4];
    }
    double s13[2];
    double s14[2];
    double s15[2];
    for (long long i18 = 0; i18 < 2; i18++) {
      s13[i18] = s10[i18] + s10[i18 + 2];
      s14[i18] = s11[i18] + s11[i18 + 2];
      s15[i18] = s12[i18] + s12[i18 + 2];
    }
    const double v30 = s13[0] + s13[1];
    const double v31 = (s14[0] + s14[1]) / (s15[0] + s15[1]);
    double s2[64] __attribute__((aligned(64)));
    double s16[16] __attribute__((aligned(64)));
    ft_store_f64x8(&s16[0], ft_splat_f64x8(0.0));
    ft_store_f64x8(&s16[8], ft_splat_f64x8(0.0));
    const ft_f64x8 v32 = ft_load_f64x8(&s0[0]);
    const ft_f64x8 v33 = ft_load_f64x8(&s0[8]);
    const ft_f64x8 v34 = ft_load_f64x8(&s0[16]);
    const ft_f64x8 v35 = ft_load_f64x8(&s0[24]);
    const ft_f64x8 v36 = ft_load_f64x8(&a1[((i0 * 64) + 0)]);
    const ft_f64x8 v37 = ft_load_f64x8(&a1[((i0 * 64) + 8)]);
    const ft_f64x8 v38 = ft_load_f64x8(&a1[((i0 * 64) + 16)]);
    const ft_f64x8 v39 = ft_load_f64x8(&a1[((i0 * 64) + 24)]);
    const ft_f64x8 v40 = (v36 - ft_splat_f64x8(v31));
    const ft_f64x8 v41 = (v37 - ft_splat_f64x8(v31));
    const ft_f64x8 v42 = (v38 - ft_splat_f64x8(v31));
    const ft_f64x8 v43 = (v39 - ft_splat_f64x8(v31));
    const ft_f64x8 v44 = (v32 * v40);
    const ft_f64x8 v45 = (v33 * v41);
    const ft_f64x8 v46 = (v34 * v42);
    const ft_f64x8 v47 = (v35 * v43);
    ft_store_f64x8(&s2[0], v44);
    ft_store_f64x8(&s2[8], v45);
    ft_store_f64x8(&s2[16], v46);
    ft_store_f64x8(&s2[24], v47);
    const ft_f64x8 v48 = ft_load_f64x8(&s16[0]);
    const ft_f64x8 v49 = (v48 + v44);
    ft_store_f64x8(&s16[0], v49);
    const ft_f64x8 v50 = ft_load_f64x8(&s16[8]);
    const ft_f64x8 v51 = (v50 + v45);
    ft_store_f64x8(&s16[8], v51);
    const ft_f64x8 v52 = ft_load_f64x8(&s16[0]);
    const ft_f64x8 v53 = (v52 + v46);
    ft_store_f64x8(&s16[0], v53);
    const ft_f64x8 v54 = ft_load_f64x8(&s16[8]);
    const ft_f64x8 v55 = (v54 + v47);
    ft_store_f64x8(&s16[8], v55);
    const ft_f64x8 v56 = ft_load_f64x8(&s0[32]);
    const ft_f64x8 v57 = ft_load_f64x8(&s0[40]);
    const ft_f64x8 v58 = ft_load_f64x8(&s0[48]);
    const ft_f64x8 v59 = ft_load_f64x8(&s0[56]);
    const ft_f64x8 v60 = ft_load_f64x8(&a1[((i0 * 64) + 32)]);
    const ft_f64x8 v61 = ft_load_f64x8(&a1[((i0 * 64) + 40)]);
    const ft_f64x8 v62 = ft_load_f64x8(&a1[((i0 * 64) + 48)]);
    const ft_f64x8 v63 = ft_load_f64x8(&a1[((i0 * 64) + 56)]);
    const ft_f64x8 v64 = (v60 - ft_splat_f64x8(v31));
    const ft_f64x8 v65 = (v61 - ft_splat_f64x8(v31));
    const ft_f64x8 v66 = (v62 - ft_splat_f64x8(v31));
    const ft_f64x8 v67 = (v63 - ft_splat_f64x8(v31));
    const ft_f64x8 v68 = (v56 * v64);
    const ft_f64x8 v69 = (v57 * v65);
    const ft_f64x8 v70 = (v58 * v66);
    const ft_f64x8 v71 = (v59 * v67);
    ft_store_f64x8(&s2[32], v68);
    ft_store_f64x8(&s2[40], v69);
    ft_store_f64x8(&s2[48], v70);
    ft_store_f64x8(&s2[56], v71);
    const ft_f64x8 v72 = ft_load_f64x8(&s16[0]);
    const ft_f64x8 v73 = (v72 + v68);
    ft_store_f64x8(&s16[0], v73);
    const ft_f64x8 v74 = ft_load_f64x8(&s16[8]);
    const ft_f64x8 v75 = (v74 + v69);
    ft_store_f64x8(&s16[8], v75);
    const ft_f64x8 v76 = ft_load_f64x8(&s16[0]);
    const ft_f64x8 v77 = (v76 + v70);
    ft_store_f64x8(&s16[0], v77);
    const ft_f64x8 v78 = ft_load_f64x8(&s16[8]);
    const ft_f64x8 v79 = (v78 + v71);
    ft_store_f64x8(&s16[8], v79);
    const double v80 = ft_foldadd_f64x8((ft_load_f64x8(&s16[0]) + ft_load_f64x8(&s16[8])));
    for (long long i1 = 0; i1 < 64; i1++) {
      const double v81 = s0[i1] / v30;
      o0[(i0 * 64) + i1] = v81;
      o1[(i0 * 64) + i1] = (s2[i1] - (v81 * v80)) / v30;
    }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long,
  long long *, const long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], buffers[2], buffers[3], (char *)buffers[4], sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[6];
  switch (at[0]) { default:;
  case 0: if (sizes[1] > 1 && sizes[0] > 830) {
    if (((ft_pool *)buffers[5])(k0_part, buffers, sizes, sizes[0], 56, 830, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = sizes[0], to = n - at[1] > 110784 ? at[1] + 110784 : n;
    k0(buffers[0], buffers[1], buffers[2], buffers[3], (char *)buffers[4], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
