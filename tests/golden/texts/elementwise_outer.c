typedef double ft_f64x4 __attribute__((vector_size(32)));
typedef long long ft_i64x4 __attribute__((vector_size(32)));
typedef unsigned long long ft_u64x4 __attribute__((vector_size(32)));
typedef double ft_f64x4p __attribute__((vector_size(32), aligned(8), may_alias));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x4;
#else
typedef ft_i64x4 ft_m64x4;
#endif
double sin(double) __attribute__((const));
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_load_f64x4(const double *p) { return *(const ft_f64x4p *)p; }
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_fma_f64x4(ft_f64x4 a, ft_f64x4 b, ft_f64x4 c) {
#if defined(__AVX__) && !defined(__clang__) && defined(__FMA__)
  return __builtin_ia32_vfmaddpd256(a, b, c);
#elif defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  ft_f64x4 r; for (int k = 0; k < 4; k++) r[k] = __builtin_fma(a[k], b[k], c[k]); return r;
#else
  return a * b + c;
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_splat_f64x4(double x) { return (ft_f64x4){x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_fnma_f64x4(ft_f64x4 a, ft_f64x4 b, ft_f64x4 c) { return ft_fma_f64x4(-a, b, c); }
static __inline__ __attribute__((always_inline)) ft_m64x4 ft_lt_f64x4(ft_f64x4 a, ft_f64x4 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x4)__builtin_ia32_cmppd256_mask(a, b, 1, (ft_m64x4)-1);
#else
  return (ft_m64x4)(a < b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_sel_f64x4(ft_m64x4 m, ft_f64x4 a, ft_f64x4 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_blendmpd_256_mask(b, a, m);
#elif defined(__AVX2__) && !defined(__clang__)
  return (ft_f64x4)__builtin_ia32_blendvpd256((ft_f64x4)b, (ft_f64x4)a, (ft_f64x4)m);
#else
  return (ft_f64x4)((m & (ft_i64x4)a) | (~m & (ft_i64x4)b));
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_smaller_f64x4(ft_f64x4 a, ft_f64x4 b) {
#if defined(__AVX__) && !defined(__clang__)
  return __builtin_ia32_minpd256(a, b);
#else
  return ft_sel_f64x4(ft_lt_f64x4(a, b), a, b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_larger_f64x4(ft_f64x4 a, ft_f64x4 b) {
#if defined(__AVX__) && !defined(__clang__)
  return __builtin_ia32_maxpd256(a, b);
#else
  return ft_sel_f64x4(ft_lt_f64x4(b, a), a, b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x4 ft_eq_f64x4(ft_f64x4 a, ft_f64x4 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x4)__builtin_ia32_cmppd256_mask(a, b, 0, (ft_m64x4)-1);
#else
  return (ft_m64x4)(a == b);
#endif
}
static inline __attribute__((always_inline)) ft_f64x4 ft_sinnear_f64x4(ft_f64x4 x) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  const ft_f64x4 v0 = ft_fma_f64x4(x, ft_splat_f64x4(0.3183098861837907), ft_splat_f64x4(6755399441055744.0));
  const ft_f64x4 v1 = (v0 - ft_splat_f64x4(6755399441055744.0));
  const ft_f64x4 v2 = (-v1);
  const ft_f64x4 v3 = ft_fnma_f64x4(v1, ft_splat_f64x4(3.141592653589793), x);
  const ft_f64x4 v4 = ft_fnma_f64x4(v1, ft_splat_f64x4(1.224646799147353e-16), v3);
  const ft_f64x4 v5 = (-v4);
  const ft_f64x4 v6 = ft_fnma_f64x4(v4, v4, ft_splat_f64x4(0.0));
  const ft_f64x4 v7 = (v6 * v4);
  const ft_f64x4 v8 = (v6 * v6);
  const ft_f64x4 v9 = ft_fma_f64x4(ft_splat_f64x4(7.643097358544194e-13), v6, ft_splat_f64x4(1.605894392776494e-10));
  const ft_f64x4 v10 = ft_fma_f64x4(ft_splat_f64x4(2.7222511067363714e-15), v8, v9);
  const ft_f64x4 v11 = ft_fma_f64x4(ft_splat_f64x4(2.505210696014581e-08), v6, ft_splat_f64x4(2.755731921213165e-06));
  const ft_f64x4 v12 = ft_fma_f64x4(v10, v8, v11);
  const ft_f64x4 v13 = ft_fma_f64x4(ft_splat_f64x4(0.00019841269841215284), v6, ft_splat_f64x4(0.008333333333333212));
  const ft_f64x4 v14 = ft_fma_f64x4(v12, v8, v13);
  const ft_f64x4 v15 = ft_fma_f64x4(v14, v6, ft_splat_f64x4(0.16666666666666666));
  const ft_f64x4 v16 = ft_fnma_f64x4(v1, ft_splat_f64x4(2.1657133478438278e-32), v4);
  const ft_f64x4 v17 = ft_fma_f64x4(v7, v15, v16);
  const ft_m64x4 v18 = ft_lt_f64x4(ft_splat_f64x4(1.0), v17);
  const ft_f64x4 v19 = ft_smaller_f64x4(ft_splat_f64x4(1.0), v17);
  const ft_f64x4 v20 = (-ft_splat_f64x4(1.0));
  const ft_m64x4 v21 = ft_lt_f64x4(v19, v20);
  const ft_f64x4 v22 = ft_larger_f64x4(v20, v19);
  const ft_i64x4 v23 = ((ft_i64x4)v22);
  const ft_i64x4 v24 = ((ft_i64x4)v0);
  const ft_u64x4 v25 = ((ft_u64x4)v24);
  const ft_u64x4 v26 = (v25 << 63);
  const ft_i64x4 v27 = ((ft_i64x4)v26);
  const ft_i64x4 v28 = (v23 ^ v27);
  const ft_f64x4 v29 = ((ft_f64x4)v28);
  return v29;
#else
  const ft_m64x4 v0 = ft_eq_f64x4(x, ft_splat_f64x4(0.0));
  const ft_f64x4 v1 = ft_fma_f64x4(x, ft_splat_f64x4(0.3183098861837907), ft_splat_f64x4(6755399441055744.0));
  const ft_f64x4 v2 = (v1 - ft_splat_f64x4(6755399441055744.0));
  const ft_f64x4 v3 = (v2 * ft_splat_f64x4(3.1415926534682512));
  const ft_f64x4 v4 = (x - v3);
  const ft_f64x4 v5 = (v2 * ft_splat_f64x4(1.2154201012607932e-10));
  const ft_f64x4 v6 = (v4 - v5);
  const ft_f64x4 v7 = (v2 * ft_splat_f64x4(4.044532497422333e-21));
  const ft_f64x4 v8 = (v6 - v7);
  const ft_f64x4 v9 = (v6 - v4);
  const ft_f64x4 v10 = (v6 - v9);
  const ft_f64x4 v11 = (v4 - v10);
  const ft_f64x4 v12 = (-v5);
  const ft_f64x4 v13 = (v12 - v9);
  const ft_f64x4 v14 = (v11 + v13);
  const ft_f64x4 v15 = (v8 - v6);
  const ft_f64x4 v16 = (v8 - v15);
  const ft_f64x4 v17 = (v6 - v16);
  const ft_f64x4 v18 = (-v7);
  const ft_f64x4 v19 = (v18 - v15);
  const ft_f64x4 v20 = (v17 + v19);
  const ft_f64x4 v21 = (v14 + v20);
  const ft_f64x4 v22 = (v2 * ft_splat_f64x4(1.69568553207378e-31));
  const ft_f64x4 v23 = (v21 - v22);
  const ft_f64x4 v24 = (v8 + v23);
  const ft_f64x4 v25 = ft_sel_f64x4(v0, x, v24);
  const ft_f64x4 v26 = (-v25);
  const ft_f64x4 v27 = ft_fnma_f64x4(v25, v25, ft_splat_f64x4(0.0));
  const ft_f64x4 v28 = (v27 * v25);
  const ft_f64x4 v29 = (v27 * v27);
  const ft_f64x4 v30 = ft_fma_f64x4(ft_splat_f64x4(7.643097358544194e-13), v27, ft_splat_f64x4(1.605894392776494e-10));
  const ft_f64x4 v31 = ft_fma_f64x4(ft_splat_f64x4(2.7222511067363714e-15), v29, v30);
  const ft_f64x4 v32 = ft_fma_f64x4(ft_splat_f64x4(2.505210696014581e-08), v27, ft_splat_f64x4(2.755731921213165e-06));
  const ft_f64x4 v33 = ft_fma_f64x4(v31, v29, v32);
  const ft_f64x4 v34 = ft_fma_f64x4(ft_splat_f64x4(0.00019841269841215284), v27, ft_splat_f64x4(0.008333333333333212));
  const ft_f64x4 v35 = ft_fma_f64x4(v33, v29, v34);
  const ft_f64x4 v36 = ft_fma_f64x4(v35, v27, ft_splat_f64x4(0.16666666666666666));
  const ft_f64x4 v37 = ft_fma_f64x4(v28, v36, v25);
  const ft_m64x4 v38 = ft_lt_f64x4(ft_splat_f64x4(1.0), v37);
  const ft_f64x4 v39 = ft_smaller_f64x4(ft_splat_f64x4(1.0), v37);
  const ft_f64x4 v40 = (-ft_splat_f64x4(1.0));
  const ft_m64x4 v41 = ft_lt_f64x4(v39, v40);
  const ft_f64x4 v42 = ft_larger_f64x4(v40, v39);
  const ft_i64x4 v43 = ((ft_i64x4)v42);
  const ft_i64x4 v44 = ((ft_i64x4)v1);
  const ft_u64x4 v45 = ((ft_u64x4)v44);
  const ft_u64x4 v46 = (v45 << 63);
  const ft_i64x4 v47 = ((ft_i64x4)v46);
  const ft_i64x4 v48 = (v43 ^ v47);
  const ft_f64x4 v49 = ((ft_f64x4)v48);
  return v49;
#endif
}
static __inline__ __attribute__((always_inline)) int ft_any_m64x4(ft_m64x4 x) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (x & 15) != 0;
#elif defined(__AVX__) && !defined(__clang__)
  return __builtin_ia32_movmskpd256((ft_f64x4)x) != 0;
#else
  int r = 0; for (int k = 0; k < 4; k++) r |= x[k] != 0; return r;
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_abs_f64x4(ft_f64x4 x) { return (ft_f64x4)((ft_i64x4)x & 0x7fffffffffffffffLL); }
static __attribute__((noinline, const)) ft_f64x4 ft_sinfar_f64x4(ft_f64x4 x) {
  ft_f64x4 r = ft_sinnear_f64x4(x);
  for (int k = 0; k < 4; k++) if (__builtin_fabs(x[k]) > 1048576.0) r[k] = sin(x[k]);
  return r;
}
static __inline__ __attribute__((always_inline)) ft_i64x4 ft_splat_i64x4(long long x) { return (ft_i64x4){x, x, x, x}; }
static inline __attribute__((always_inline)) ft_f64x4 ft_exp_f64x4(ft_f64x4 x) {
  const ft_f64x4 v0 = (ft_splat_f64x4(709.8) * ft_splat_f64x4(1.0));
  const ft_m64x4 v1 = ft_lt_f64x4(v0, x);
  const ft_f64x4 v2 = ft_smaller_f64x4(v0, x);
  const ft_f64x4 v3 = (ft_splat_f64x4(-746.0) * ft_splat_f64x4(1.0));
  const ft_m64x4 v4 = ft_lt_f64x4(v2, v3);
  const ft_f64x4 v5 = ft_larger_f64x4(v3, v2);
  const ft_f64x4 v6 = ft_fma_f64x4(v5, ft_splat_f64x4(1.4426950408889634), ft_splat_f64x4(6755399441057790.0));
  const ft_f64x4 v7 = (v6 - ft_splat_f64x4(6755399441057790.0));
  const ft_f64x4 v8 = (-v7);
  const ft_f64x4 v9 = ft_fnma_f64x4(v7, ft_splat_f64x4(0.6931471804855391), v5);
  const ft_f64x4 v10 = ft_fnma_f64x4(v7, ft_splat_f64x4(7.440617110012397e-11), v9);
  const ft_f64x4 v11 = (v10 * v10);
  const ft_f64x4 v12 = ft_fma_f64x4(ft_splat_f64x4(2.7631414313456104e-07), v10, ft_splat_f64x4(2.7557215944213365e-06));
  const ft_f64x4 v13 = ft_fma_f64x4(ft_splat_f64x4(2.511797453389394e-08), v11, v12);
  const ft_f64x4 v14 = ft_fma_f64x4(ft_splat_f64x4(2.480148958888789e-05), v10, ft_splat_f64x4(0.0001984126991778212));
  const ft_f64x4 v15 = ft_fma_f64x4(v13, v11, v14);
  const ft_f64x4 v16 = ft_fma_f64x4(ft_splat_f64x4(0.0013888888947333087), v10, ft_splat_f64x4(0.008333333333307021));
  const ft_f64x4 v17 = ft_fma_f64x4(v15, v11, v16);
  const ft_f64x4 v18 = ft_fma_f64x4(ft_splat_f64x4(0.041666666666514314), v10, ft_splat_f64x4(0.166666666666667));
  const ft_f64x4 v19 = ft_fma_f64x4(v17, v11, v18);
  const ft_f64x4 v20 = ft_fma_f64x4(v19, v10, ft_splat_f64x4(0.5000000000000013));
  const ft_f64x4 v21 = ft_fma_f64x4(v20, v11, v10);
  const ft_i64x4 v22 = ((ft_i64x4)v6);
  const ft_u64x4 v23 = ((ft_u64x4)v22);
  const ft_u64x4 v24 = (v23 << 51);
  const ft_i64x4 v25 = ((ft_i64x4)v24);
  const ft_i64x4 v26 = (v25 & ft_splat_i64x4(9218868437227405312LL));
  const ft_f64x4 v27 = ((ft_f64x4)v26);
  const ft_f64x4 v28 = ft_fma_f64x4(v21, v27, v27);
  const ft_u64x4 v29 = (v23 << 52);
  const ft_i64x4 v30 = ((ft_i64x4)v29);
  const ft_i64x4 v31 = (v30 - v26);
  const ft_f64x4 v32 = ((ft_f64x4)v31);
  const ft_f64x4 v33 = (v28 * v32);
  return v33;
}
static __inline__ __attribute__((always_inline)) ft_f64x4 ft_sqrt_f64x4(ft_f64x4 x) {
#if defined(__AVX__) && !defined(__clang__)
  return __builtin_ia32_sqrtpd256(x);
#else
  ft_f64x4 r; for (int k = 0; k < 4; k++) r[k] = __builtin_sqrt(x[k]); return r;
#endif
}
static __inline__ __attribute__((always_inline)) void ft_store_f64x4(double *p, ft_f64x4 x) { *(ft_f64x4p *)p = x; }

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long i0) {
  const ft_f64x4 v0 = ft_load_f64x4(a0 + ((i0 * 4) + 0));
  ft_f64x4 v1 = ft_sinnear_f64x4(v0);
  if (__builtin_expect(ft_any_m64x4(ft_lt_f64x4(ft_splat_f64x4(1048576.0), ft_abs_f64x4(v0))), 0)) {
    v1 = ft_sinfar_f64x4(v0);
  }
  const ft_f64x4 v2 = (-v0);
  const ft_f64x4 v3 = (v2 * v0);
  const ft_f64x4 v4 = ft_exp_f64x4(v3);
  const ft_f64x4 v5 = ft_fma_f64x4(v0, v0, ft_splat_f64x4(1.0));
  const ft_f64x4 v6 = ft_sqrt_f64x4(v5);
  const ft_f64x4 v7 = ft_fma_f64x4(v1, v4, v6);
  ft_store_f64x4(o0 + ((i0 * 4) + 0), v7);
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

int ft_entry(void **buffers, const long long *sizes, ft_call *call) {
  for (long long i0 = 0; i0 < sizes[0]; i0++) k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], i0);
#ifdef __AVX__
  __builtin_ia32_vzeroupper();
#endif
  return 0;
}
