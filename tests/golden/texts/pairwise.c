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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_lt_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_cmppd512_mask(a, b, 1, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a < b);
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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_sel_f64x8(ft_m64x8 m, ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_blendmpd_512_mask(b, a, m);
#else
  return (ft_f64x8)((m & (ft_i64x8)a) | (~m & (ft_i64x8)b));
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_nlt_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_cmppd512_mask(a, b, 5, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(~(a < b));
#endif
}
static inline __attribute__((always_inline)) ft_f64x8 ft_exp_f64x8(ft_f64x8 x) {
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
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }

static void k0(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i2 = from; i2 < to; i2++) {
    const long long v0 = ft_min_i64(128, (n0 + (i2 * -128)));
    double s0[128] __attribute__((aligned(64)));
    double s1[128] __attribute__((aligned(64)));
    double s2[128] __attribute__((aligned(64)));
    double s3[128] __attribute__((aligned(64)));
    for (long long i3 = 0; i3 < v0; i3++) {
      s0[i3] = a0[(i2 * 512) + (i3 * 4)];
      s1[i3] = a0[((i2 * 512) + (i3 * 4)) + 1];
      s2[i3] = a0[((i2 * 512) + (i3 * 4)) + 2];
      s3[i3] = a0[((i2 * 512) + (i3 * 4)) + 3];
    }
    for (long long i1 = 0; i1 < 6; i1++) {
      const double v1 = a1[i1 * 4];
      const double v2 = a1[(i1 * 4) + 1];
      const double v3 = a1[(i1 * 4) + 2];
      const double v4 = a1[(i1 * 4) + 3];
      double s4[128] __attribute__((aligned(64)));
      const long long v5 = (((v0 + 7) / 8) * 8);
      if (0 < v5) {
      long long i4 = 0;
      for (; i4 <= v5 - 32; i4 += 32) {
        const ft_f64x8 v6 = ft_load_f64x8(&s0[i4]);
        const ft_f64x8 v7 = ft_load_f64x8(&s0[(i4 + 8)]);
        const ft_f64x8 v8 = ft_load_f64x8(&s0[(i4 + 16)]);
        const ft_f64x8 v9 = ft_load_f64x8(&s0[(i4 + 24)]);
        const ft_f64x8 v10 = (v6 - ft_splat_f64x8(v1));
        const ft_f64x8 v11 = (v7 - ft_splat_f64x8(v1));
        const ft_f64x8 v12 = (v8 - ft_splat_f64x8(v1));
        const ft_f64x8 v13 = (v9 - ft_splat_f64x8(v1));
        const ft_f64x8 v14 = (v10 * v10);
        const ft_f64x8 v15 = (v11 * v11);
        const ft_f64x8 v16 = (v12 * v12);
        const ft_f64x8 v17 = (v13 * v13);
        const ft_f64x8 v18 = (ft_splat_f64x8(0.0) + v14);
        const ft_f64x8 v19 = (ft_splat_f64x8(0.0) + v15);
        const ft_f64x8 v20 = (ft_splat_f64x8(0.0) + v16);
        const ft_f64x8 v21 = (ft_splat_f64x8(0.0) + v17);
        const ft_f64x8 v22 = ft_load_f64x8(&s1[i4]);
        const ft_f64x8 v23 = ft_load_f64x8(&s1[(i4 + 8)]);
        const ft_f64x8 v24 = ft_load_f64x8(&s1[(i4 + 16)]);
        const ft_f64x8 v25 = ft_load_f64x8(&s1[(i4 + 24)]);
        const ft_f64x8 v26 = (v22 - ft_splat_f64x8(v2));
        const ft_f64x8 v27 = (v23 - ft_splat_f64x8(v2));
        const ft_f64x8 v28 = (v24 - ft_splat_f64x8(v2));
        const ft_f64x8 v29 = (v25 - ft_splat_f64x8(v2));
        const ft_f64x8 v30 = (v26 * v26);
        const ft_f64x8 v31 = (v27 * v27);
        const ft_f64x8 v32 = (v28 * v28);
        const ft_f64x8 v33 = (v29 * v29);
        const ft_f64x8 v34 = (v18 + v30);
        const ft_f64x8 v35 = (v19 + v31);
        const ft_f64x8 v36 = (v20 + v32);
        const ft_f64x8 v37 = (v21 + v33);
        const ft_f64x8 v38 = ft_load_f64x8(&s2[i4]);
        const ft_f64x8 v39 = ft_load_f64x8(&s2[(i4 + 8)]);
        const ft_f64x8 v40 = ft_load_f64x8(&s2[(i4 + 16)]);
        const ft_f64x8 v41 = ft_load_f64x8(&s2[(i4 + 24)]);
        const ft_f64x8 v42 = (v38 - ft_splat_f64x8(v3));
        const ft_f64x8 v43 = (v39 - ft_splat_f64x8(v3));
        const ft_f64x8 v44 = (v40 - ft_splat_f64x8(v3));
        const ft_f64x8 v45 = (v41 - ft_splat_f64x8(v3));
        const ft_f64x8 v46 = (v42 * v42);
        const ft_f64x8 v47 = (v43 * v43);
        const ft_f64x8 v48 = (v44 * v44);
        const ft_f64x8 v49 = (v45 * v45);
        const ft_f64x8 v50 = (v34 + v46);
        const ft_f64x8 v51 = (v35 + v47);
        const ft_f64x8 v52 = (v36 + v48);
        const ft_f64x8 v53 = (v37 + v49);
        const ft_f64x8 v54 = ft_load_f64x8(&s3[i4]);
        const ft_f64x8 v55 = ft_load_f64x8(&s3[(i4 + 8)]);
        const ft_f64x8 v56 = ft_load_f64x8(&s3[(i4 + 16)]);
        const ft_f64x8 v57 = ft_load_f64x8(&s3[(i4 + 24)]);
        const ft_f64x8 v58 = (v54 - ft_splat_f64x8(v4));
        const ft_f64x8 v59 = (v55 - ft_splat_f64x8(v4));
        const ft_f64x8 v60 = (v56 - ft_splat_f64x8(v4));
        const ft_f64x8 v61 = (v57 - ft_splat_f64x8(v4));
        const ft_f64x8 v62 = (v58 * v58);
        const ft_f64x8 v63 = (v59 * v59);
        const ft_f64x8 v64 = (v60 * v60);
        const ft_f64x8 v65 = (v61 * v61);
        const ft_f64x8 v66 = (v50 + v62);
        const ft_f64x8 v67 = (v51 + v63);
        const ft_f64x8 v68 = (v52 + v64);
        const ft_f64x8 v69 = (v53 + v65);
        const ft_f64x8 v70 = (-v66);
        const ft_f64x8 v71 = (-v67);
        const ft_f64x8 v72 = (-v68);
        const ft_f64x8 v73 = (-v69);
        const ft_f64x8 v74 = ft_exp_f64x8(v70);
        const ft_f64x8 v75 = ft_exp_f64x8(v71);
        const ft_f64x8 v76 = ft_exp_f64x8(v72);
        const ft_f64x8 v77 = ft_exp_f64x8(v73);
        ft_store_f64x8(&s4[i4], v74);
        ft_store_f64x8(&s4[(i4 + 8)], v75);
        ft_store_f64x8(&s4[(i4 + 16)], v76);
        ft_store_f64x8(&s4[(i4 + 24)], v77);
      }
      for (; i4 <= v5 - 8; i4 += 8) {
        const ft_f64x8 v78 = ft_load_f64x8(&s0[i4]);
        const ft_f64x8 v79 = (v78 - ft_splat_f64x8(v1));
        const ft_f64x8 v80 = (v79 * v79);
        const ft_f64x8 v81 = (ft_splat_f64x8(0.0) + v80);
        const ft_f64x8 v82 = ft_load_f64x8(&s1[i4]);
        const ft_f64x8 v83 = (v82 - ft_splat_f64x8(v2));
        const ft_f64x8 v84 = (v83 * v83);
        const ft_f64x8 v85 = (v81 + v84);
        const ft_f64x8 v86 = ft_load_f64x8(&s2[i4]);
        const ft_f64x8 v87 = (v86 - ft_splat_f64x8(v3));
        const ft_f64x8 v88 = (v87 * v87);
        const ft_f64x8 v89 = (v85 + v88);
        const ft_f64x8 v90 = ft_load_f64x8(&s3[i4]);
        const ft_f64x8 v91 = (v90 - ft_splat_f64x8(v4));
        const ft_f64x8 v92 = (v91 * v91);
        const ft_f64x8 v93 = (v89 + v92);
        const ft_f64x8 v94 = (-v93);
        const ft_f64x8 v95 = ft_exp_f64x8(v94);
        ft_store_f64x8(&s4[i4], v95);
      }
      }
      for (long long i5 = 0; i5 < v0; i5++) {
        o0[((i2 * 768) + (i5 * 6)) + i1] = s4[i5];
      }
    }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long,
  long long *, const long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], buffers[2], (char *)buffers[3], sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[5];
  switch (at[0]) { default:;
  case 0: if (sizes[1] > 1 && ((sizes[0] + 127) / 128) > 137) {
    if (((ft_pool *)buffers[4])(k0_part, buffers, sizes, ((sizes[0] + 127) / 128), 16, 137, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = ((sizes[0] + 127) / 128), to = n - at[1] > 18368 ? at[1] + 18368 : n;
    k0(buffers[0], buffers[1], buffers[2], (char *)buffers[3], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
