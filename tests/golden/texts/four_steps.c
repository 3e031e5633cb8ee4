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
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_getrows_f64x8(const double *p, const long long *row, long long size, long long at) { return (ft_f64x8){p[row[0] * size + at], p[row[1] * size + at], p[row[2] * size + at], p[row[3] * size + at], p[row[4] * size + at], p[row[5] * size + at], p[row[6] * size + at], p[row[7] * size + at]}; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_fma_f64x8(ft_f64x8 a, ft_f64x8 b, ft_f64x8 c) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_vfmaddpd512_mask(a, b, c, (ft_m64x8)-1, 4);
#elif defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  ft_f64x8 r; for (int k = 0; k < 8; k++) r[k] = __builtin_fma(a[k], b[k], c[k]); return r;
#else
  return a * b + c;
#endif
}
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
static __inline__ __attribute__((always_inline)) void ft_setrows_f64x8(double *p, const long long *row, long long size, long long at, ft_f64x8 x) { p[row[0] * size + at] = x[0]; p[row[1] * size + at] = x[1]; p[row[2] * size + at] = x[2]; p[row[3] * size + at] = x[3]; p[row[4] * size + at] = x[4]; p[row[5] * size + at] = x[5]; p[row[6] * size + at] = x[6]; p[row[7] * size + at] = x[7]; }

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  {
    long long v0 = from;
    if (to - from >= 8) {
      const int full = 1;
      for (; v0 < to; v0 += 64) {
        const long long v2 = (to - v0 + 7) / 8 < 8 ? (to - v0 + 7) / 8 : 8;
        long long v4[8][8];
        ft_f64x8 v5[8][3];
        ft_f64x8 v6[8][3];
        ft_f64x8 v3_0[8];
        ft_f64x8 v3_1[8];
        ft_f64x8 v3_2[8];
        ft_f64x8 v3_3[8];
        ft_f64x8 v3_4[8];
        ft_f64x8 v3_5[8];
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own3_0 = v5[v1];
          ft_f64x8 *const o0_own3_0 = v6[v1];
          for (int k = 0; k < 8; k++) {
            p0_0[k] = first + (k < left_0 ? k : left_0 - 1);
          }
          if (full) {
            const ft_f64x8 v7_0 = ft_load_f64x8(a0 + (first + 0) * 3 + 0);
            const ft_f64x8 v7_1 = ft_load_f64x8(a0 + (first + 0) * 3 + 8);
            const ft_f64x8 v7_2 = ft_load_f64x8(a0 + (first + 0) * 3 + 16);
            a0_own3_0[0] = __builtin_shufflevector(__builtin_shufflevector(v7_0, v7_1, 0, 3, 6, 9, 12, 15, 0, 0), v7_2, 0, 1, 2, 3, 4, 5, 10, 13);
            a0_own3_0[1] = __builtin_shufflevector(__builtin_shufflevector(v7_0, v7_1, 1, 4, 7, 10, 13, 0, 0, 0), v7_2, 0, 1, 2, 3, 4, 8, 11, 14);
            a0_own3_0[2] = __builtin_shufflevector(__builtin_shufflevector(v7_0, v7_1, 2, 5, 8, 11, 14, 0, 0, 0), v7_2, 0, 1, 2, 3, 4, 9, 12, 15);
          }
          else {
            for (long long v8 = 0; v8 < 3; v8++) {
              const ft_f64x8 v9_0 = ft_getrows_f64x8(a0, p0_0, 3, v8);
              a0_own3_0[v8] = v9_0;
            }
          }
          const ft_f64x8 v10_0 = a0_own3_0[1];
          const ft_f64x8 v11_0 = a0_own3_0[0];
          const ft_f64x8 v12_0 = a0_own3_0[2];
          const ft_f64x8 v13_0 = (v10_0 - v11_0);
          const ft_f64x8 v14_0 = (ft_splat_f64x8(10.0) * v13_0);
          const ft_f64x8 v15_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v14_0, v11_0);
          const ft_f64x8 v16_0 = (v11_0 * v10_0);
          const ft_f64x8 v17_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v12_0, v16_0);
          const ft_f64x8 v18_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v17_0, v12_0);
          const ft_f64x8 v19_0 = (ft_splat_f64x8(28.0) - v18_0);
          const ft_f64x8 v20_0 = (ft_splat_f64x8(28.0) - v12_0);
          const ft_f64x8 v21_0 = (-v10_0);
          const ft_f64x8 v22_0 = ft_fma_f64x8(v11_0, v20_0, v21_0);
          const ft_f64x8 v23_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v22_0, v10_0);
          const ft_f64x8 v24_0 = (-v23_0);
          const ft_f64x8 v25_0 = ft_fma_f64x8(v15_0, v19_0, v24_0);
          const ft_f64x8 v26_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v25_0, v10_0);
          const ft_f64x8 v27_0 = (v23_0 - v15_0);
          const ft_f64x8 v28_0 = (ft_splat_f64x8(10.0) * v27_0);
          const ft_f64x8 v29_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v28_0, v11_0);
          const ft_f64x8 v30_0 = (v26_0 - v29_0);
          const ft_f64x8 v31_0 = (ft_splat_f64x8(10.0) * v30_0);
          const ft_f64x8 v32_0 = (v15_0 * v23_0);
          const ft_f64x8 v33_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v18_0, v32_0);
          const ft_f64x8 v34_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v33_0, v12_0);
          const ft_f64x8 v35_0 = (ft_splat_f64x8(28.0) - v34_0);
          const ft_f64x8 v36_0 = (-v26_0);
          const ft_f64x8 v37_0 = ft_fma_f64x8(v29_0, v35_0, v36_0);
          const ft_f64x8 v38_0 = (v29_0 * v26_0);
          const ft_f64x8 v39_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v34_0, v38_0);
          const ft_f64x8 v40_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v37_0, v10_0);
          const ft_f64x8 v41_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v31_0, v11_0);
          const ft_f64x8 v42_0 = (v40_0 - v41_0);
          const ft_f64x8 v43_0 = (ft_splat_f64x8(10.0) * v42_0);
          const ft_f64x8 v44_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v39_0, v12_0);
          const ft_f64x8 v45_0 = (ft_splat_f64x8(28.0) - v44_0);
          const ft_f64x8 v46_0 = (-v40_0);
          const ft_f64x8 v47_0 = ft_fma_f64x8(v41_0, v45_0, v46_0);
          const ft_f64x8 v48_0 = (v41_0 * v40_0);
          const ft_f64x8 v49_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v44_0, v48_0);
          const ft_f64x8 v50_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v28_0, v14_0);
          const ft_f64x8 v51_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v31_0, v50_0);
          const ft_f64x8 v52_0 = (v51_0 + v43_0);
          const ft_f64x8 v53_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v52_0, v11_0);
          v3_0[v1] = v53_0;
          const ft_f64x8 v54_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v25_0, v22_0);
          const ft_f64x8 v55_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v37_0, v54_0);
          const ft_f64x8 v56_0 = (v55_0 + v47_0);
          const ft_f64x8 v57_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v56_0, v10_0);
          v3_1[v1] = v57_0;
          const ft_f64x8 v58_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v33_0, v17_0);
          const ft_f64x8 v59_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v39_0, v58_0);
          const ft_f64x8 v60_0 = (v59_0 + v49_0);
          const ft_f64x8 v61_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v60_0, v12_0);
          v3_2[v1] = v61_0;
        }
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own3_0 = v5[v1];
          ft_f64x8 *const o0_own3_0 = v6[v1];
          const ft_f64x8 v62_0 = v3_1[v1];
          const ft_f64x8 v63_0 = v3_0[v1];
          const ft_f64x8 v64_0 = v3_2[v1];
          const ft_f64x8 v65_0 = (v62_0 - v63_0);
          const ft_f64x8 v66_0 = (ft_splat_f64x8(10.0) * v65_0);
          const ft_f64x8 v67_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v66_0, v63_0);
          const ft_f64x8 v68_0 = (v63_0 * v62_0);
          const ft_f64x8 v69_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v64_0, v68_0);
          const ft_f64x8 v70_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v69_0, v64_0);
          const ft_f64x8 v71_0 = (ft_splat_f64x8(28.0) - v70_0);
          const ft_f64x8 v72_0 = (ft_splat_f64x8(28.0) - v64_0);
          const ft_f64x8 v73_0 = (-v62_0);
          const ft_f64x8 v74_0 = ft_fma_f64x8(v63_0, v72_0, v73_0);
          const ft_f64x8 v75_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v74_0, v62_0);
          const ft_f64x8 v76_0 = (-v75_0);
          const ft_f64x8 v77_0 = ft_fma_f64x8(v67_0, v71_0, v76_0);
          const ft_f64x8 v78_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v77_0, v62_0);
          const ft_f64x8 v79_0 = (v75_0 - v67_0);
          const ft_f64x8 v80_0 = (ft_splat_f64x8(10.0) * v79_0);
          const ft_f64x8 v81_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v80_0, v63_0);
          const ft_f64x8 v82_0 = (v78_0 - v81_0);
          const ft_f64x8 v83_0 = (ft_splat_f64x8(10.0) * v82_0);
          const ft_f64x8 v84_0 = (v67_0 * v75_0);
          const ft_f64x8 v85_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v70_0, v84_0);
          const ft_f64x8 v86_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v85_0, v64_0);
          const ft_f64x8 v87_0 = (ft_splat_f64x8(28.0) - v86_0);
          const ft_f64x8 v88_0 = (-v78_0);
          const ft_f64x8 v89_0 = ft_fma_f64x8(v81_0, v87_0, v88_0);
          const ft_f64x8 v90_0 = (v81_0 * v78_0);
          const ft_f64x8 v91_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v86_0, v90_0);
          const ft_f64x8 v92_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v89_0, v62_0);
          const ft_f64x8 v93_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v83_0, v63_0);
          const ft_f64x8 v94_0 = (v92_0 - v93_0);
          const ft_f64x8 v95_0 = (ft_splat_f64x8(10.0) * v94_0);
          const ft_f64x8 v96_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v91_0, v64_0);
          const ft_f64x8 v97_0 = (ft_splat_f64x8(28.0) - v96_0);
          const ft_f64x8 v98_0 = (-v92_0);
          const ft_f64x8 v99_0 = ft_fma_f64x8(v93_0, v97_0, v98_0);
          const ft_f64x8 v100_0 = (v93_0 * v92_0);
          const ft_f64x8 v101_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v96_0, v100_0);
          const ft_f64x8 v102_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v80_0, v66_0);
          const ft_f64x8 v103_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v83_0, v102_0);
          const ft_f64x8 v104_0 = (v103_0 + v95_0);
          const ft_f64x8 v105_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v104_0, v63_0);
          v3_3[v1] = v105_0;
          const ft_f64x8 v106_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v77_0, v74_0);
          const ft_f64x8 v107_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v89_0, v106_0);
          const ft_f64x8 v108_0 = (v107_0 + v99_0);
          const ft_f64x8 v109_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v108_0, v62_0);
          v3_4[v1] = v109_0;
          const ft_f64x8 v110_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v85_0, v69_0);
          const ft_f64x8 v111_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v91_0, v110_0);
          const ft_f64x8 v112_0 = (v111_0 + v101_0);
          const ft_f64x8 v113_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v112_0, v64_0);
          v3_5[v1] = v113_0;
        }
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own3_0 = v5[v1];
          ft_f64x8 *const o0_own3_0 = v6[v1];
          const ft_f64x8 v114_0 = v3_4[v1];
          const ft_f64x8 v115_0 = v3_3[v1];
          const ft_f64x8 v116_0 = v3_5[v1];
          const ft_f64x8 v117_0 = (v114_0 - v115_0);
          const ft_f64x8 v118_0 = (ft_splat_f64x8(10.0) * v117_0);
          const ft_f64x8 v119_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v118_0, v115_0);
          const ft_f64x8 v120_0 = (v115_0 * v114_0);
          const ft_f64x8 v121_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v116_0, v120_0);
          const ft_f64x8 v122_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v121_0, v116_0);
          const ft_f64x8 v123_0 = (ft_splat_f64x8(28.0) - v122_0);
          const ft_f64x8 v124_0 = (ft_splat_f64x8(28.0) - v116_0);
          const ft_f64x8 v125_0 = (-v114_0);
          const ft_f64x8 v126_0 = ft_fma_f64x8(v115_0, v124_0, v125_0);
          const ft_f64x8 v127_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v126_0, v114_0);
          const ft_f64x8 v128_0 = (-v127_0);
          const ft_f64x8 v129_0 = ft_fma_f64x8(v119_0, v123_0, v128_0);
          const ft_f64x8 v130_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v129_0, v114_0);
          const ft_f64x8 v131_0 = (v127_0 - v119_0);
          const ft_f64x8 v132_0 = (ft_splat_f64x8(10.0) * v131_0);
          const ft_f64x8 v133_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v132_0, v115_0);
          const ft_f64x8 v134_0 = (v130_0 - v133_0);
          const ft_f64x8 v135_0 = (ft_splat_f64x8(10.0) * v134_0);
          const ft_f64x8 v136_0 = (v119_0 * v127_0);
          const ft_f64x8 v137_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v122_0, v136_0);
          const ft_f64x8 v138_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v137_0, v116_0);
          const ft_f64x8 v139_0 = (ft_splat_f64x8(28.0) - v138_0);
          const ft_f64x8 v140_0 = (-v130_0);
          const ft_f64x8 v141_0 = ft_fma_f64x8(v133_0, v139_0, v140_0);
          const ft_f64x8 v142_0 = (v133_0 * v130_0);
          const ft_f64x8 v143_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v138_0, v142_0);
          const ft_f64x8 v144_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v141_0, v114_0);
          const ft_f64x8 v145_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v135_0, v115_0);
          const ft_f64x8 v146_0 = (v144_0 - v145_0);
          const ft_f64x8 v147_0 = (ft_splat_f64x8(10.0) * v146_0);
          const ft_f64x8 v148_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v143_0, v116_0);
          const ft_f64x8 v149_0 = (ft_splat_f64x8(28.0) - v148_0);
          const ft_f64x8 v150_0 = (-v144_0);
          const ft_f64x8 v151_0 = ft_fma_f64x8(v145_0, v149_0, v150_0);
          const ft_f64x8 v152_0 = (v145_0 * v144_0);
          const ft_f64x8 v153_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v148_0, v152_0);
          const ft_f64x8 v154_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v132_0, v118_0);
          const ft_f64x8 v155_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v135_0, v154_0);
          const ft_f64x8 v156_0 = (v155_0 + v147_0);
          const ft_f64x8 v157_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v156_0, v115_0);
          v3_2[v1] = v157_0;
          const ft_f64x8 v158_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v129_0, v126_0);
          const ft_f64x8 v159_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v141_0, v158_0);
          const ft_f64x8 v160_0 = (v159_0 + v151_0);
          const ft_f64x8 v161_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v160_0, v114_0);
          v3_0[v1] = v161_0;
          const ft_f64x8 v162_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v137_0, v121_0);
          const ft_f64x8 v163_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v143_0, v162_0);
          const ft_f64x8 v164_0 = (v163_0 + v153_0);
          const ft_f64x8 v165_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v164_0, v116_0);
          v3_1[v1] = v165_0;
        }
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own3_0 = v5[v1];
          ft_f64x8 *const o0_own3_0 = v6[v1];
          const ft_f64x8 v166_0 = v3_0[v1];
          const ft_f64x8 v167_0 = v3_2[v1];
          const ft_f64x8 v168_0 = v3_1[v1];
          const ft_f64x8 v169_0 = (v166_0 - v167_0);
          const ft_f64x8 v170_0 = (ft_splat_f64x8(10.0) * v169_0);
          const ft_f64x8 v171_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v170_0, v167_0);
          const ft_f64x8 v172_0 = (v167_0 * v166_0);
          const ft_f64x8 v173_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v168_0, v172_0);
          const ft_f64x8 v174_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v173_0, v168_0);
          const ft_f64x8 v175_0 = (ft_splat_f64x8(28.0) - v174_0);
          const ft_f64x8 v176_0 = (ft_splat_f64x8(28.0) - v168_0);
          const ft_f64x8 v177_0 = (-v166_0);
          const ft_f64x8 v178_0 = ft_fma_f64x8(v167_0, v176_0, v177_0);
          const ft_f64x8 v179_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v178_0, v166_0);
          const ft_f64x8 v180_0 = (-v179_0);
          const ft_f64x8 v181_0 = ft_fma_f64x8(v171_0, v175_0, v180_0);
          const ft_f64x8 v182_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v181_0, v166_0);
          const ft_f64x8 v183_0 = (v179_0 - v171_0);
          const ft_f64x8 v184_0 = (ft_splat_f64x8(10.0) * v183_0);
          const ft_f64x8 v185_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v184_0, v167_0);
          const ft_f64x8 v186_0 = (v182_0 - v185_0);
          const ft_f64x8 v187_0 = (ft_splat_f64x8(10.0) * v186_0);
          const ft_f64x8 v188_0 = (v171_0 * v179_0);
          const ft_f64x8 v189_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v174_0, v188_0);
          const ft_f64x8 v190_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v189_0, v168_0);
          const ft_f64x8 v191_0 = (ft_splat_f64x8(28.0) - v190_0);
          const ft_f64x8 v192_0 = (-v182_0);
          const ft_f64x8 v193_0 = ft_fma_f64x8(v185_0, v191_0, v192_0);
          const ft_f64x8 v194_0 = (v185_0 * v182_0);
          const ft_f64x8 v195_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v190_0, v194_0);
          const ft_f64x8 v196_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v193_0, v166_0);
          const ft_f64x8 v197_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v187_0, v167_0);
          const ft_f64x8 v198_0 = (v196_0 - v197_0);
          const ft_f64x8 v199_0 = (ft_splat_f64x8(10.0) * v198_0);
          const ft_f64x8 v200_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v195_0, v168_0);
          const ft_f64x8 v201_0 = (ft_splat_f64x8(28.0) - v200_0);
          const ft_f64x8 v202_0 = (-v196_0);
          const ft_f64x8 v203_0 = ft_fma_f64x8(v197_0, v201_0, v202_0);
          const ft_f64x8 v204_0 = (v197_0 * v196_0);
          const ft_f64x8 v205_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v200_0, v204_0);
          const ft_f64x8 v206_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v184_0, v170_0);
          const ft_f64x8 v207_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v187_0, v206_0);
          const ft_f64x8 v208_0 = (v207_0 + v199_0);
          const ft_f64x8 v209_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v208_0, v167_0);
          o0_own3_0[0] = v209_0;
          const ft_f64x8 v210_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v181_0, v178_0);
          const ft_f64x8 v211_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v193_0, v210_0);
          const ft_f64x8 v212_0 = (v211_0 + v203_0);
          const ft_f64x8 v213_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v212_0, v166_0);
          o0_own3_0[1] = v213_0;
          const ft_f64x8 v214_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v189_0, v173_0);
          const ft_f64x8 v215_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v195_0, v214_0);
          const ft_f64x8 v216_0 = (v215_0 + v205_0);
          const ft_f64x8 v217_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v216_0, v168_0);
          o0_own3_0[2] = v217_0;
          if (full) {
            const ft_f64x8 v218_0 = o0_own3_0[0];
            const ft_f64x8 v218_1 = o0_own3_0[1];
            const ft_f64x8 v218_2 = o0_own3_0[2];
            ft_store_f64x8(o0 + (first + 0) * 3 + 0, __builtin_shufflevector(__builtin_shufflevector(v218_0, v218_1, 0, 8, 0, 1, 9, 0, 2, 10), v218_2, 0, 1, 8, 3, 4, 9, 6, 7));
            ft_store_f64x8(o0 + (first + 0) * 3 + 8, __builtin_shufflevector(__builtin_shufflevector(v218_0, v218_1, 0, 3, 11, 0, 4, 12, 0, 5), v218_2, 10, 1, 2, 11, 4, 5, 12, 7));
            ft_store_f64x8(o0 + (first + 0) * 3 + 16, __builtin_shufflevector(__builtin_shufflevector(v218_0, v218_1, 13, 0, 6, 14, 0, 7, 15, 0), v218_2, 0, 13, 2, 3, 14, 5, 6, 15));
          }
          else {
            for (long long v219 = 0; v219 < 3; v219++) {
              const ft_f64x8 v220_0 = o0_own3_0[v219];
              ft_setrows_f64x8(o0, p0_0, 3, v219, v220_0);
            }
          }
        }
      }
    }
    else {
      const int full = 0;
      for (; v0 < to; v0 += 64) {
        const long long v2 = (to - v0 + 7) / 8 < 8 ? (to - v0 + 7) / 8 : 8;
        long long v4[8][8];
        ft_f64x8 v5[8][3];
        ft_f64x8 v6[8][3];
        ft_f64x8 v3_0[8];
        ft_f64x8 v3_1[8];
        ft_f64x8 v3_2[8];
        ft_f64x8 v3_3[8];
        ft_f64x8 v3_4[8];
        ft_f64x8 v3_5[8];
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own3_0 = v5[v1];
          ft_f64x8 *const o0_own3_0 = v6[v1];
          for (int k = 0; k < 8; k++) {
            p0_0[k] = first + (k < left_0 ? k : left_0 - 1);
          }
          if (full) {
            const ft_f64x8 v7_0 = ft_load_f64x8(a0 + (first + 0) * 3 + 0);
            const ft_f64x8 v7_1 = ft_load_f64x8(a0 + (first + 0) * 3 + 8);
            const ft_f64x8 v7_2 = ft_load_f64x8(a0 + (first + 0) * 3 + 16);
            a0_own3_0[0] = __builtin_shufflevector(__builtin_shufflevector(v7_0, v7_1, 0, 3, 6, 9, 12, 15, 0, 0), v7_2, 0, 1, 2, 3, 4, 5, 10, 13);
            a0_own3_0[1] = __builtin_shufflevector(__builtin_shufflevector(v7_0, v7_1, 1, 4, 7, 10, 13, 0, 0, 0), v7_2, 0, 1, 2, 3, 4, 8, 11, 14);
            a0_own3_0[2] = __builtin_shufflevector(__builtin_shufflevector(v7_0, v7_1, 2, 5, 8, 11, 14, 0, 0, 0), v7_2, 0, 1, 2, 3, 4, 9, 12, 15);
          }
          else {
            for (long long v8 = 0; v8 < 3; v8++) {
              const ft_f64x8 v9_0 = ft_getrows_f64x8(a0, p0_0, 3, v8);
              a0_own3_0[v8] = v9_0;
            }
          }
          const ft_f64x8 v10_0 = a0_own3_0[1];
          const ft_f64x8 v11_0 = a0_own3_0[0];
          const ft_f64x8 v12_0 = a0_own3_0[2];
          const ft_f64x8 v13_0 = (v10_0 - v11_0);
          const ft_f64x8 v14_0 = (ft_splat_f64x8(10.0) * v13_0);
          const ft_f64x8 v15_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v14_0, v11_0);
          const ft_f64x8 v16_0 = (v11_0 * v10_0);
          const ft_f64x8 v17_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v12_0, v16_0);
          const ft_f64x8 v18_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v17_0, v12_0);
          const ft_f64x8 v19_0 = (ft_splat_f64x8(28.0) - v18_0);
          const ft_f64x8 v20_0 = (ft_splat_f64x8(28.0) - v12_0);
          const ft_f64x8 v21_0 = (-v10_0);
          const ft_f64x8 v22_0 = ft_fma_f64x8(v11_0, v20_0, v21_0);
          const ft_f64x8 v23_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v22_0, v10_0);
          const ft_f64x8 v24_0 = (-v23_0);
          const ft_f64x8 v25_0 = ft_fma_f64x8(v15_0, v19_0, v24_0);
          const ft_f64x8 v26_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v25_0, v10_0);
          const ft_f64x8 v27_0 = (v23_0 - v15_0);
          const ft_f64x8 v28_0 = (ft_splat_f64x8(10.0) * v27_0);
          const ft_f64x8 v29_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v28_0, v11_0);
          const ft_f64x8 v30_0 = (v26_0 - v29_0);
          const ft_f64x8 v31_0 = (ft_splat_f64x8(10.0) * v30_0);
          const ft_f64x8 v32_0 = (v15_0 * v23_0);
          const ft_f64x8 v33_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v18_0, v32_0);
          const ft_f64x8 v34_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v33_0, v12_0);
          const ft_f64x8 v35_0 = (ft_splat_f64x8(28.0) - v34_0);
          const ft_f64x8 v36_0 = (-v26_0);
          const ft_f64x8 v37_0 = ft_fma_f64x8(v29_0, v35_0, v36_0);
          const ft_f64x8 v38_0 = (v29_0 * v26_0);
          const ft_f64x8 v39_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v34_0, v38_0);
          const ft_f64x8 v40_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v37_0, v10_0);
          const ft_f64x8 v41_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v31_0, v11_0);
          const ft_f64x8 v42_0 = (v40_0 - v41_0);
          const ft_f64x8 v43_0 = (ft_splat_f64x8(10.0) * v42_0);
          const ft_f64x8 v44_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v39_0, v12_0);
          const ft_f64x8 v45_0 = (ft_splat_f64x8(28.0) - v44_0);
          const ft_f64x8 v46_0 = (-v40_0);
          const ft_f64x8 v47_0 = ft_fma_f64x8(v41_0, v45_0, v46_0);
          const ft_f64x8 v48_0 = (v41_0 * v40_0);
          const ft_f64x8 v49_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v44_0, v48_0);
          const ft_f64x8 v50_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v28_0, v14_0);
          const ft_f64x8 v51_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v31_0, v50_0);
          const ft_f64x8 v52_0 = (v51_0 + v43_0);
          const ft_f64x8 v53_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v52_0, v11_0);
          v3_0[v1] = v53_0;
          const ft_f64x8 v54_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v25_0, v22_0);
          const ft_f64x8 v55_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v37_0, v54_0);
          const ft_f64x8 v56_0 = (v55_0 + v47_0);
          const ft_f64x8 v57_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v56_0, v10_0);
          v3_1[v1] = v57_0;
          const ft_f64x8 v58_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v33_0, v17_0);
          const ft_f64x8 v59_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v39_0, v58_0);
          const ft_f64x8 v60_0 = (v59_0 + v49_0);
          const ft_f64x8 v61_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v60_0, v12_0);
          v3_2[v1] = v61_0;
        }
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own3_0 = v5[v1];
          ft_f64x8 *const o0_own3_0 = v6[v1];
          const ft_f64x8 v62_0 = v3_1[v1];
          const ft_f64x8 v63_0 = v3_0[v1];
          const ft_f64x8 v64_0 = v3_2[v1];
          const ft_f64x8 v65_0 = (v62_0 - v63_0);
          const ft_f64x8 v66_0 = (ft_splat_f64x8(10.0) * v65_0);
          const ft_f64x8 v67_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v66_0, v63_0);
          const ft_f64x8 v68_0 = (v63_0 * v62_0);
          const ft_f64x8 v69_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v64_0, v68_0);
          const ft_f64x8 v70_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v69_0, v64_0);
          const ft_f64x8 v71_0 = (ft_splat_f64x8(28.0) - v70_0);
          const ft_f64x8 v72_0 = (ft_splat_f64x8(28.0) - v64_0);
          const ft_f64x8 v73_0 = (-v62_0);
          const ft_f64x8 v74_0 = ft_fma_f64x8(v63_0, v72_0, v73_0);
          const ft_f64x8 v75_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v74_0, v62_0);
          const ft_f64x8 v76_0 = (-v75_0);
          const ft_f64x8 v77_0 = ft_fma_f64x8(v67_0, v71_0, v76_0);
          const ft_f64x8 v78_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v77_0, v62_0);
          const ft_f64x8 v79_0 = (v75_0 - v67_0);
          const ft_f64x8 v80_0 = (ft_splat_f64x8(10.0) * v79_0);
          const ft_f64x8 v81_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v80_0, v63_0);
          const ft_f64x8 v82_0 = (v78_0 - v81_0);
          const ft_f64x8 v83_0 = (ft_splat_f64x8(10.0) * v82_0);
          const ft_f64x8 v84_0 = (v67_0 * v75_0);
          const ft_f64x8 v85_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v70_0, v84_0);
          const ft_f64x8 v86_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v85_0, v64_0);
          const ft_f64x8 v87_0 = (ft_splat_f64x8(28.0) - v86_0);
          const ft_f64x8 v88_0 = (-v78_0);
          const ft_f64x8 v89_0 = ft_fma_f64x8(v81_0, v87_0, v88_0);
          const ft_f64x8 v90_0 = (v81_0 * v78_0);
          const ft_f64x8 v91_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v86_0, v90_0);
          const ft_f64x8 v92_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v89_0, v62_0);
          const ft_f64x8 v93_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v83_0, v63_0);
          const ft_f64x8 v94_0 = (v92_0 - v93_0);
          const ft_f64x8 v95_0 = (ft_splat_f64x8(10.0) * v94_0);
          const ft_f64x8 v96_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v91_0, v64_0);
          const ft_f64x8 v97_0 = (ft_splat_f64x8(28.0) - v96_0);
          const ft_f64x8 v98_0 = (-v92_0);
          const ft_f64x8 v99_0 = ft_fma_f64x8(v93_0, v97_0, v98_0);
          const ft_f64x8 v100_0 = (v93_0 * v92_0);
          const ft_f64x8 v101_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v96_0, v100_0);
          const ft_f64x8 v102_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v80_0, v66_0);
          const ft_f64x8 v103_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v83_0, v102_0);
          const ft_f64x8 v104_0 = (v103_0 + v95_0);
          const ft_f64x8 v105_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v104_0, v63_0);
          v3_3[v1] = v105_0;
          const ft_f64x8 v106_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v77_0, v74_0);
          const ft_f64x8 v107_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v89_0, v106_0);
          const ft_f64x8 v108_0 = (v107_0 + v99_0);
          const ft_f64x8 v109_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v108_0, v62_0);
          v3_4[v1] = v109_0;
          const ft_f64x8 v110_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v85_0, v69_0);
          const ft_f64x8 v111_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v91_0, v110_0);
          const ft_f64x8 v112_0 = (v111_0 + v101_0);
          const ft_f64x8 v113_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v112_0, v64_0);
          v3_5[v1] = v113_0;
        }
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own3_0 = v5[v1];
          ft_f64x8 *const o0_own3_0 = v6[v1];
          const ft_f64x8 v114_0 = v3_4[v1];
          const ft_f64x8 v115_0 = v3_3[v1];
          const ft_f64x8 v116_0 = v3_5[v1];
          const ft_f64x8 v117_0 = (v114_0 - v115_0);
          const ft_f64x8 v118_0 = (ft_splat_f64x8(10.0) * v117_0);
          const ft_f64x8 v119_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v118_0, v115_0);
          const ft_f64x8 v120_0 = (v115_0 * v114_0);
          const ft_f64x8 v121_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v116_0, v120_0);
          const ft_f64x8 v122_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v121_0, v116_0);
          const ft_f64x8 v123_0 = (ft_splat_f64x8(28.0) - v122_0);
          const ft_f64x8 v124_0 = (ft_splat_f64x8(28.0) - v116_0);
          const ft_f64x8 v125_0 = (-v114_0);
          const ft_f64x8 v126_0 = ft_fma_f64x8(v115_0, v124_0, v125_0);
          const ft_f64x8 v127_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v126_0, v114_0);
          const ft_f64x8 v128_0 = (-v127_0);
          const ft_f64x8 v129_0 = ft_fma_f64x8(v119_0, v123_0, v128_0);
          const ft_f64x8 v130_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v129_0, v114_0);
          const ft_f64x8 v131_0 = (v127_0 - v119_0);
          const ft_f64x8 v132_0 = (ft_splat_f64x8(10.0) * v131_0);
          const ft_f64x8 v133_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v132_0, v115_0);
          const ft_f64x8 v134_0 = (v130_0 - v133_0);
          const ft_f64x8 v135_0 = (ft_splat_f64x8(10.0) * v134_0);
          const ft_f64x8 v136_0 = (v119_0 * v127_0);
          const ft_f64x8 v137_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v122_0, v136_0);
          const ft_f64x8 v138_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v137_0, v116_0);
          const ft_f64x8 v139_0 = (ft_splat_f64x8(28.0) - v138_0);
          const ft_f64x8 v140_0 = (-v130_0);
          const ft_f64x8 v141_0 = ft_fma_f64x8(v133_0, v139_0, v140_0);
          const ft_f64x8 v142_0 = (v133_0 * v130_0);
          const ft_f64x8 v143_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v138_0, v142_0);
          const ft_f64x8 v144_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v141_0, v114_0);
          const ft_f64x8 v145_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v135_0, v115_0);
          const ft_f64x8 v146_0 = (v144_0 - v145_0);
          const ft_f64x8 v147_0 = (ft_splat_f64x8(10.0) * v146_0);
          const ft_f64x8 v148_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v143_0, v116_0);
          const ft_f64x8 v149_0 = (ft_splat_f64x8(28.0) - v148_0);
          const ft_f64x8 v150_0 = (-v144_0);
          const ft_f64x8 v151_0 = ft_fma_f64x8(v145_0, v149_0, v150_0);
          const ft_f64x8 v152_0 = (v145_0 * v144_0);
          const ft_f64x8 v153_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v148_0, v152_0);
          const ft_f64x8 v154_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v132_0, v118_0);
          const ft_f64x8 v155_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v135_0, v154_0);
          const ft_f64x8 v156_0 = (v155_0 + v147_0);
          const ft_f64x8 v157_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v156_0, v115_0);
          v3_2[v1] = v157_0;
          const ft_f64x8 v158_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v129_0, v126_0);
          const ft_f64x8 v159_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v141_0, v158_0);
          const ft_f64x8 v160_0 = (v159_0 + v151_0);
          const ft_f64x8 v161_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v160_0, v114_0);
          v3_0[v1] = v161_0;
          const ft_f64x8 v162_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v137_0, v121_0);
          const ft_f64x8 v163_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v143_0, v162_0);
          const ft_f64x8 v164_0 = (v163_0 + v153_0);
          const ft_f64x8 v165_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v164_0, v116_0);
          v3_1[v1] = v165_0;
        }
        for (long long v1 = 0; v1 < v2; v1++) {
          const long long first = full && v0 + v1 * 8 > to - 8 ? to - 8 : v0 + v1 * 8;
          const int left_0 = to - first < 8 ? (int)(to - first) : 8;
          long long *const p0_0 = v4[v1];
          ft_f64x8 *const a0_own3_0 = v5[v1];
          ft_f64x8 *const o0_own3_0 = v6[v1];
          const ft_f64x8 v166_0 = v3_0[v1];
          const ft_f64x8 v167_0 = v3_2[v1];
          const ft_f64x8 v168_0 = v3_1[v1];
          const ft_f64x8 v169_0 = (v166_0 - v167_0);
          const ft_f64x8 v170_0 = (ft_splat_f64x8(10.0) * v169_0);
          const ft_f64x8 v171_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v170_0, v167_0);
          const ft_f64x8 v172_0 = (v167_0 * v166_0);
          const ft_f64x8 v173_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v168_0, v172_0);
          const ft_f64x8 v174_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v173_0, v168_0);
          const ft_f64x8 v175_0 = (ft_splat_f64x8(28.0) - v174_0);
          const ft_f64x8 v176_0 = (ft_splat_f64x8(28.0) - v168_0);
          const ft_f64x8 v177_0 = (-v166_0);
          const ft_f64x8 v178_0 = ft_fma_f64x8(v167_0, v176_0, v177_0);
          const ft_f64x8 v179_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v178_0, v166_0);
          const ft_f64x8 v180_0 = (-v179_0);
          const ft_f64x8 v181_0 = ft_fma_f64x8(v171_0, v175_0, v180_0);
          const ft_f64x8 v182_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v181_0, v166_0);
          const ft_f64x8 v183_0 = (v179_0 - v171_0);
          const ft_f64x8 v184_0 = (ft_splat_f64x8(10.0) * v183_0);
          const ft_f64x8 v185_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v184_0, v167_0);
          const ft_f64x8 v186_0 = (v182_0 - v185_0);
          const ft_f64x8 v187_0 = (ft_splat_f64x8(10.0) * v186_0);
          const ft_f64x8 v188_0 = (v171_0 * v179_0);
          const ft_f64x8 v189_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v174_0, v188_0);
          const ft_f64x8 v190_0 = ft_fma_f64x8(ft_splat_f64x8(0.005), v189_0, v168_0);
          const ft_f64x8 v191_0 = (ft_splat_f64x8(28.0) - v190_0);
          const ft_f64x8 v192_0 = (-v182_0);
          const ft_f64x8 v193_0 = ft_fma_f64x8(v185_0, v191_0, v192_0);
          const ft_f64x8 v194_0 = (v185_0 * v182_0);
          const ft_f64x8 v195_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v190_0, v194_0);
          const ft_f64x8 v196_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v193_0, v166_0);
          const ft_f64x8 v197_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v187_0, v167_0);
          const ft_f64x8 v198_0 = (v196_0 - v197_0);
          const ft_f64x8 v199_0 = (ft_splat_f64x8(10.0) * v198_0);
          const ft_f64x8 v200_0 = ft_fma_f64x8(ft_splat_f64x8(0.01), v195_0, v168_0);
          const ft_f64x8 v201_0 = (ft_splat_f64x8(28.0) - v200_0);
          const ft_f64x8 v202_0 = (-v196_0);
          const ft_f64x8 v203_0 = ft_fma_f64x8(v197_0, v201_0, v202_0);
          const ft_f64x8 v204_0 = (v197_0 * v196_0);
          const ft_f64x8 v205_0 = ft_fma_f64x8(ft_splat_f64x8(-2.6666666666666665), v200_0, v204_0);
          const ft_f64x8 v206_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v184_0, v170_0);
          const ft_f64x8 v207_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v187_0, v206_0);
          const ft_f64x8 v208_0 = (v207_0 + v199_0);
          const ft_f64x8 v209_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v208_0, v167_0);
          o0_own3_0[0] = v209_0;
          const ft_f64x8 v210_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v181_0, v178_0);
          const ft_f64x8 v211_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v193_0, v210_0);
          const ft_f64x8 v212_0 = (v211_0 + v203_0);
          const ft_f64x8 v213_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v212_0, v166_0);
          o0_own3_0[1] = v213_0;
          const ft_f64x8 v214_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v189_0, v173_0);
          const ft_f64x8 v215_0 = ft_fma_f64x8(ft_splat_f64x8(2.0), v195_0, v214_0);
          const ft_f64x8 v216_0 = (v215_0 + v205_0);
          const ft_f64x8 v217_0 = ft_fma_f64x8(ft_splat_f64x8(0.0016666666666666668), v216_0, v168_0);
          o0_own3_0[2] = v217_0;
          if (full) {
            const ft_f64x8 v218_0 = o0_own3_0[0];
            const ft_f64x8 v218_1 = o0_own3_0[1];
            const ft_f64x8 v218_2 = o0_own3_0[2];
            ft_store_f64x8(o0 + (first + 0) * 3 + 0, __builtin_shufflevector(__builtin_shufflevector(v218_0, v218_1, 0, 8, 0, 1, 9, 0, 2, 10), v218_2, 0, 1, 8, 3, 4, 9, 6, 7));
            ft_store_f64x8(o0 + (first + 0) * 3 + 8, __builtin_shufflevector(__builtin_shufflevector(v218_0, v218_1, 0, 3, 11, 0, 4, 12, 0, 5), v218_2, 10, 1, 2, 11, 4, 5, 12, 7));
            ft_store_f64x8(o0 + (first + 0) * 3 + 16, __builtin_shufflevector(__builtin_shufflevector(v218_0, v218_1, 13, 0, 6, 14, 0, 7, 15, 0), v218_2, 0, 13, 2, 3, 14, 5, 6, 15));
          }
          else {
            for (long long v219 = 0; v219 < 3; v219++) {
              const ft_f64x8 v220_0 = o0_own3_0[v219];
              ft_setrows_f64x8(o0, p0_0, 3, v219, v220_0);
            }
          }
        }
      }
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
  {k0_part, 0, 1472, 22032, 2937728, 32, 0},
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
