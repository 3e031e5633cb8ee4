typedef double ft_f64x8 __attribute__((vector_size(64)));
typedef long long ft_i64x8 __attribute__((vector_size(64)));
typedef unsigned long long ft_u64x8 __attribute__((vector_size(64)));
typedef double ft_f64x8p __attribute__((vector_size(64), aligned(8), may_alias));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x8;
#else
typedef ft_i64x8 ft_m64x8;
#endif
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_sqrt_f64x8(ft_f64x8 x) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_sqrtpd512_mask(x, (ft_f64x8){0}, (ft_m64x8)-1, 4);
#else
  ft_f64x8 r; for (int k = 0; k < 8; k++) r[k] = __builtin_sqrt(x[k]); return r;
#endif
}
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  {
    const int full = to - from >= 16;
    for (long long v0 = from; v0 < to; v0 += 16) {
      const long long first = full && v0 > to - 16 ? to - 16 : v0;
      long long p0_0[8], p0_1[8];
      for (int k = 0; k < 8; k++) {
        p0_0[k] = first + 0 + k < to ? first + 0 + k : to - 1;
        p0_1[k] = first + 8 + k < to ? first + 8 + k : to - 1;
      }
      ft_f64x8 s0_0[16];
      ft_f64x8 s0_1[16];
      ft_f64x8 s1_0[16];
      ft_f64x8 s1_1[16];
      ft_f64x8 s2_0[16];
      ft_f64x8 s2_1[16];
      ft_f64x8 s3_0[8];
      ft_f64x8 s3_1[8];
      ft_f64x8 s4_0[8];
      ft_f64x8 s4_1[8];
      ft_f64x8 s5_0[8];
      ft_f64x8 s5_1[8];
      ft_f64x8 s6_0[4];
      ft_f64x8 s6_1[4];
      ft_f64x8 s7_0[4];
      ft_f64x8 s7_1[4];
      ft_f64x8 s8_0[4];
      ft_f64x8 s8_1[4];
      ft_f64x8 s9_0[2];
      ft_f64x8 s9_1[2];
      ft_f64x8 s10_0[2];
      ft_f64x8 s10_1[2];
      ft_f64x8 s11_0[2];
      ft_f64x8 s11_1[2];
      ft_f64x8 a0_own3_0[3];
      ft_f64x8 a0_own3_1[3];
      ft_f64x8 o0_own3_0[3];
      ft_f64x8 o0_own3_1[3];
      if (full) {
        const ft_f64x8 v1_0 = ft_load_f64x8(a0 + (first + 0) * 3 + 0);
        const ft_f64x8 v1_1 = ft_load_f64x8(a0 + (first + 0) * 3 + 8);
        const ft_f64x8 v1_2 = ft_load_f64x8(a0 + (first + 0) * 3 + 16);
        a0_own3_0[0] = __builtin_shufflevector(__builtin_shufflevector(v1_0, v1_1, 0, 3, 6, 9, 12, 15, 0, 0), v1_2, 0, 1, 2, 3, 4, 5, 10, 13);
        a0_own3_0[1] = __builtin_shufflevector(__builtin_shufflevector(v1_0, v1_1, 1, 4, 7, 10, 13, 0, 0, 0), v1_2, 0, 1, 2, 3, 4, 8, 11, 14);
        a0_own3_0[2] = __builtin_shufflevector(__builtin_shufflevector(v1_0, v1_1, 2, 5, 8, 11, 14, 0, 0, 0), v1_2, 0, 1, 2, 3, 4, 9, 12, 15);
        const ft_f64x8 v2_0 = ft_load_f64x8(a0 + (first + 8) * 3 + 0);
        const ft_f64x8 v2_1 = ft_load_f64x8(a0 + (first + 8) * 3 + 8);
        const ft_f64x8 v2_2 = ft_load_f64x8(a0 + (first + 8) * 3 + 16);
        a0_own3_1[0] = __builtin_shufflevector(__builtin_shufflevector(v2_0, v2_1, 0, 3, 6, 9, 12, 15, 0, 0), v2_2, 0, 1, 2, 3, 4, 5, 10, 13);
        a0_own3_1[1] = __builtin_shufflevector(__builtin_shufflevector(v2_0, v2_1, 1, 4, 7, 10, 13, 0, 0, 0), v2_2, 0, 1, 2, 3, 4, 8, 11, 14);
        a0_own3_1[2] = __builtin_shufflevector(__builtin_shufflevector(v2_0, v2_1, 2, 5, 8, 11, 14, 0, 0, 0), v2_2, 0, 1, 2, 3, 4, 9, 12, 15);
      }
      else {
        for (long long v3 = 0; v3 < 3; v3++) {
          ft_f64x8 v4_0;
          for (int k = 0; k < 8; k++) v4_0[k] = a0[p0_0[k] * (3) + v3];
          a0_own3_0[v3] = v4_0;
          ft_f64x8 v4_1;
          for (int k = 0; k < 8; k++) v4_1[k] = a0[p0_1[k] * (3) + v3];
          a0_own3_1[v3] = v4_1;
        }
      }
      const ft_f64x8 v5_0 = a0_own3_0[0];
      const ft_f64x8 v5_1 = a0_own3_1[0];
      for (long long v6 = 0; v6 < 16; v6++) {
        s0_0[v6] = ft_splat_f64x8(0.0);
        s0_1[v6] = ft_splat_f64x8(0.0);
      }
      const ft_f64x8 v7_0 = a0_own3_0[1];
      const ft_f64x8 v7_1 = a0_own3_1[1];
      for (long long v8 = 0; v8 < 16; v8++) {
        s1_0[v8] = ft_splat_f64x8(0.0);
        s1_1[v8] = ft_splat_f64x8(0.0);
      }
      const ft_f64x8 v9_0 = a0_own3_0[2];
      const ft_f64x8 v9_1 = a0_own3_1[2];
      for (long long v10 = 0; v10 < 16; v10++) {
        s2_0[v10] = ft_splat_f64x8(0.0);
        s2_1[v10] = ft_splat_f64x8(0.0);
      }
      for (long long v11 = 0; v11 < 3; v11++) {
        for (long long v12 = 0; v12 < 16; v12++) {
          const long long v14 = (v11 * 48);
          const long long v15 = (v12 * 3);
          const long long v16 = (v14 + v15);
          const double v17 = a0[v16];
          const long long v21 = (v16 + 1);
          const double v22 = a0[v21];
          const long long v26 = (v16 + 2);
          const double v27 = a0[v26];
          ft_f64x8 v13_0 = ft_splat_f64x8(0.0);
          const ft_f64x8 v18_0 = (ft_splat_f64x8(v17) - v5_0);
          const ft_f64x8 v19_0 = (v18_0 * v18_0);
          const ft_f64x8 v20_0 = (v13_0 + v19_0);
          v13_0 = v20_0;
          const ft_f64x8 v23_0 = (ft_splat_f64x8(v22) - v7_0);
          const ft_f64x8 v24_0 = (v23_0 * v23_0);
          const ft_f64x8 v25_0 = (v13_0 + v24_0);
          v13_0 = v25_0;
          const ft_f64x8 v28_0 = (ft_splat_f64x8(v27) - v9_0);
          const ft_f64x8 v29_0 = (v28_0 * v28_0);
          const ft_f64x8 v30_0 = (v13_0 + v29_0);
          v13_0 = v30_0;
          const ft_f64x8 v31_0 = (v13_0 + ft_splat_f64x8(0.01));
          const ft_f64x8 v32_0 = ft_sqrt_f64x8(v31_0);
          const ft_f64x8 v33_0 = (ft_splat_f64x8(1.0) / v32_0);
          const ft_f64x8 v34_0 = (v33_0 * v33_0);
          const ft_f64x8 v35_0 = (v34_0 * v33_0);
          const ft_f64x8 v36_0 = (v18_0 * v35_0);
          const ft_f64x8 v37_0 = s0_0[v12];
          const ft_f64x8 v38_0 = (v37_0 + v36_0);
          s0_0[v12] = v38_0;
          const ft_f64x8 v39_0 = (v23_0 * v35_0);
          const ft_f64x8 v40_0 = s1_0[v12];
          const ft_f64x8 v41_0 = (v40_0 + v39_0);
          s1_0[v12] = v41_0;
          const ft_f64x8 v42_0 = (v28_0 * v35_0);
          const ft_f64x8 v43_0 = s2_0[v12];
          const ft_f64x8 v44_0 = (v43_0 + v42_0);
          s2_0[v12] = v44_0;
          __asm__ volatile ("");
          ft_f64x8 v13_1 = ft_splat_f64x8(0.0);
          const ft_f64x8 v18_1 = (ft_splat_f64x8(v17) - v5_1);
          const ft_f64x8 v19_1 = (v18_1 * v18_1);
          const ft_f64x8 v20_1 = (v13_1 + v19_1);
          v13_1 = v20_1;
          const ft_f64x8 v23_1 = (ft_splat_f64x8(v22) - v7_1);
          const ft_f64x8 v24_1 = (v23_1 * v23_1);
          const ft_f64x8 v25_1 = (v13_1 + v24_1);
          v13_1 = v25_1;
          const ft_f64x8 v28_1 = (ft_splat_f64x8(v27) - v9_1);
          const ft_f64x8 v29_1 = (v28_1 * v28_1);
          const ft_f64x8 v30_1 = (v13_1 + v29_1);
          v13_1 = v30_1;
          const ft_f64x8 v31_1 = (v13_1 + ft_splat_f64x8(0.01));
          const ft_f64x8 v32_1 = ft_sqrt_f64x8(v31_1);
          const ft_f64x8 v33_1 = (ft_splat_f64x8(1.0) / v32_1);
          const ft_f64x8 v34_1 = (v33_1 * v33_1);
          const ft_f64x8 v35_1 = (v34_1 * v33_1);
          const ft_f64x8 v36_1 = (v18_1 * v35_1);
          const ft_f64x8 v37_1 = s0_1[v12];
          const ft_f64x8 v38_1 = (v37_1 + v36_1);
          s0_1[v12] = v38_1;
          const ft_f64x8 v39_1 = (v23_1 * v35_1);
          const ft_f64x8 v40_1 = s1_1[v12];
          const ft_f64x8 v41_1 = (v40_1 + v39_1);
          s1_1[v12] = v41_1;
          const ft_f64x8 v42_1 = (v28_1 * v35_1);
          const ft_f64x8 v43_1 = s2_1[v12];
          const ft_f64x8 v44_1 = (v43_1 + v42_1);
          s2_1[v12] = v44_1;
        }
      }
      for (long long v45 = 0; v45 < 8; v45++) {
        const long long v47 = (v45 + 8);
        const ft_f64x8 v46_0 = s0_0[v45];
        const ft_f64x8 v48_0 = s0_0[v47];
        const ft_f64x8 v49_0 = (v46_0 + v48_0);
        s3_0[v45] = v49_0;
        const ft_f64x8 v50_0 = s1_0[v45];
        const ft_f64x8 v51_0 = s1_0[v47];
        const ft_f64x8 v52_0 = (v50_0 + v51_0);
        s4_0[v45] = v52_0;
        const ft_f64x8 v53_0 = s2_0[v45];
        const ft_f64x8 v54_0 = s2_0[v47];
        const ft_f64x8 v55_0 = (v53_0 + v54_0);
        s5_0[v45] = v55_0;
        const ft_f64x8 v46_1 = s0_1[v45];
        const ft_f64x8 v48_1 = s0_1[v47];
        const ft_f64x8 v49_1 = (v46_1 + v48_1);
        s3_1[v45] = v49_1;
        const ft_f64x8 v50_1 = s1_1[v45];
        const ft_f64x8 v51_1 = s1_1[v47];
        const ft_f64x8 v52_1 = (v50_1 + v51_1);
        s4_1[v45] = v52_1;
        const ft_f64x8 v53_1 = s2_1[v45];
        const ft_f64x8 v54_1 = s2_1[v47];
        const ft_f64x8 v55_1 = (v53_1 + v54_1);
        s5_1[v45] = v55_1;
      }
      for (long long v56 = 0; v56 < 4; v56++) {
        const long long v58 = (v56 + 4);
        const ft_f64x8 v57_0 = s3_0[v56];
        const ft_f64x8 v59_0 = s3_0[v58];
        const ft_f64x8 v60_0 = (v57_0 + v59_0);
        s6_0[v56] = v60_0;
        const ft_f64x8 v61_0 = s4_0[v56];
        const ft_f64x8 v62_0 = s4_0[v58];
        const ft_f64x8 v63_0 = (v61_0 + v62_0);
        s7_0[v56] = v63_0;
        const ft_f64x8 v64_0 = s5_0[v56];
        const ft_f64x8 v65_0 = s5_0[v58];
        const ft_f64x8 v66_0 = (v64_0 + v65_0);
        s8_0[v56] = v66_0;
        const ft_f64x8 v57_1 = s3_1[v56];
        const ft_f64x8 v59_1 = s3_1[v58];
        const ft_f64x8 v60_1 = (v57_1 + v59_1);
        s6_1[v56] = v60_1;
        const ft_f64x8 v61_1 = s4_1[v56];
        const ft_f64x8 v62_1 = s4_1[v58];
        const ft_f64x8 v63_1 = (v61_1 + v62_1);
        s7_1[v56] = v63_1;
        const ft_f64x8 v64_1 = s5_1[v56];
        const ft_f64x8 v65_1 = s5_1[v58];
        const ft_f64x8 v66_1 = (v64_1 + v65_1);
        s8_1[v56] = v66_1;
      }
      for (long long v67 = 0; v67 < 2; v67++) {
        const long long v69 = (v67 + 2);
        const ft_f64x8 v68_0 = s6_0[v67];
        const ft_f64x8 v70_0 = s6_0[v69];
        const ft_f64x8 v71_0 = (v68_0 + v70_0);
        s9_0[v67] = v71_0;
        const ft_f64x8 v72_0 = s7_0[v67];
        const ft_f64x8 v73_0 = s7_0[v69];
        const ft_f64x8 v74_0 = (v72_0 + v73_0);
        s10_0[v67] = v74_0;
        const ft_f64x8 v75_0 = s8_0[v67];
        const ft_f64x8 v76_0 = s8_0[v69];
        const ft_f64x8 v77_0 = (v75_0 + v76_0);
        s11_0[v67] = v77_0;
        const ft_f64x8 v68_1 = s6_1[v67];
        const ft_f64x8 v70_1 = s6_1[v69];
        const ft_f64x8 v71_1 = (v68_1 + v70_1);
        s9_1[v67] = v71_1;
        const ft_f64x8 v72_1 = s7_1[v67];
        const ft_f64x8 v73_1 = s7_1[v69];
        const ft_f64x8 v74_1 = (v72_1 + v73_1);
        s10_1[v67] = v74_1;
        const ft_f64x8 v75_1 = s8_1[v67];
        const ft_f64x8 v76_1 = s8_1[v69];
        const ft_f64x8 v77_1 = (v75_1 + v76_1);
        s11_1[v67] = v77_1;
      }
      const ft_f64x8 v78_0 = s9_0[0];
      const ft_f64x8 v79_0 = s9_0[1];
      const ft_f64x8 v80_0 = (v78_0 + v79_0);
      const ft_f64x8 v81_0 = s10_0[0];
      const ft_f64x8 v82_0 = s10_0[1];
      const ft_f64x8 v83_0 = (v81_0 + v82_0);
      const ft_f64x8 v84_0 = s11_0[0];
      const ft_f64x8 v85_0 = s11_0[1];
      const ft_f64x8 v86_0 = (v84_0 + v85_0);
      o0_own3_0[0] = v80_0;
      o0_own3_0[1] = v83_0;
      o0_own3_0[2] = v86_0;
      const ft_f64x8 v78_1 = s9_1[0];
      const ft_f64x8 v79_1 = s9_1[1];
      const ft_f64x8 v80_1 = (v78_1 + v79_1);
      const ft_f64x8 v81_1 = s10_1[0];
      const ft_f64x8 v82_1 = s10_1[1];
      const ft_f64x8 v83_1 = (v81_1 + v82_1);
      const ft_f64x8 v84_1 = s11_1[0];
      const ft_f64x8 v85_1 = s11_1[1];
      const ft_f64x8 v86_1 = (v84_1 + v85_1);
      o0_own3_1[0] = v80_1;
      o0_own3_1[1] = v83_1;
      o0_own3_1[2] = v86_1;
      if (full) {
        const ft_f64x8 v87_0 = o0_own3_0[0];
        const ft_f64x8 v87_1 = o0_own3_0[1];
        const ft_f64x8 v87_2 = o0_own3_0[2];
        ft_store_f64x8(o0 + (first + 0) * 3 + 0, __builtin_shufflevector(__builtin_shufflevector(v87_0, v87_1, 0, 8, 0, 1, 9, 0, 2, 10), v87_2, 0, 1, 8, 3, 4, 9, 6, 7));
        ft_store_f64x8(o0 + (first + 0) * 3 + 8, __builtin_shufflevector(__builtin_shufflevector(v87_0, v87_1, 0, 3, 11, 0, 4, 12, 0, 5), v87_2, 10, 1, 2, 11, 4, 5, 12, 7));
        ft_store_f64x8(o0 + (first + 0) * 3 + 16, __builtin_shufflevector(__builtin_shufflevector(v87_0, v87_1, 13, 0, 6, 14, 0, 7, 15, 0), v87_2, 0, 13, 2, 3, 14, 5, 6, 15));
        const ft_f64x8 v88_0 = o0_own3_1[0];
        const ft_f64x8 v88_1 = o0_own3_1[1];
        const ft_f64x8 v88_2 = o0_own3_1[2];
        ft_store_f64x8(o0 + (first + 8) * 3 + 0, __builtin_shufflevector(__builtin_shufflevector(v88_0, v88_1, 0, 8, 0, 1, 9, 0, 2, 10), v88_2, 0, 1, 8, 3, 4, 9, 6, 7));
        ft_store_f64x8(o0 + (first + 8) * 3 + 8, __builtin_shufflevector(__builtin_shufflevector(v88_0, v88_1, 0, 3, 11, 0, 4, 12, 0, 5), v88_2, 10, 1, 2, 11, 4, 5, 12, 7));
        ft_store_f64x8(o0 + (first + 8) * 3 + 16, __builtin_shufflevector(__builtin_shufflevector(v88_0, v88_1, 13, 0, 6, 14, 0, 7, 15, 0), v88_2, 0, 13, 2, 3, 14, 5, 6, 15));
      }
      else {
        for (long long v89 = 0; v89 < 3; v89++) {
          const ft_f64x8 v90_0 = o0_own3_0[v89];
          for (int k = 0; k < 8; k++) o0[p0_0[k] * (3) + v89] = v90_0[k];
          const ft_f64x8 v90_1 = o0_own3_1[v89];
          for (int k = 0; k < 8; k++) o0[p0_1[k] * (3) + v89] = v90_1[k];
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
  case 0: if (sizes[1] > 1 && sizes[0] > 1584) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, sizes[0], 128, 1584, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = sizes[0], to = n - at[1] > 211264 ? at[1] + 211264 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
#ifdef __AVX__
  __builtin_ia32_vzeroupper();
#endif
  return 0;
}
