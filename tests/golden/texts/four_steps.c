static inline long long ft_min_i64(long long a, long long b) { const long long m = a < b ? a : b; return a == a ? m : a; }
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i1 = from; i1 < to; i1++) {
    const long long v0 = ft_min_i64(128, (n0 + (i1 * -128)));
    const long long v1 = ((v0 + 7) / 8) * 8;
    double s0[128] __attribute__((aligned(64)));
    double s1[128] __attribute__((aligned(64)));
    double s2[128] __attribute__((aligned(64)));
    for (long long i2 = 0; i2 < v0; i2++) {
      s0[i2] = a0[((i1 * 384) + (i2 * 3)) + 2];
      s1[i2] = a0[((i1 * 384) + (i2 * 3)) + 1];
      s2[i2] = a0[(i1 * 384) + (i2 * 3)];
    }
    double s3[128] __attribute__((aligned(64)));
    double s4[128] __attribute__((aligned(64)));
    double s5[128] __attribute__((aligned(64)));
    double s6[128] __attribute__((aligned(64)));
    double s7[128] __attribute__((aligned(64)));
    for (long long i3 = 0; i3 < v1; i3++) {
      const double v2 = s0[i3];
      const double v3 = s1[i3];
      const double v4 = s2[i3];
      const double v5 = ft_fma_f64(v4, (28.0 - v2), (-v3));
      const double v6 = ft_fma_f64(0.005, v5, v3);
      const double v7 = 10.0 * (v3 - v4);
      const double v8 = ft_fma_f64(0.005, v7, v4);
      const double v9 = 10.0 * (v6 - v8);
      const double v10 = ft_fma_f64(0.005, v9, v4);
      const double v11 = ft_fma_f64(-2.6666666666666665, v2, (v4 * v3));
      const double v12 = ft_fma_f64(0.005, v11, v2);
      const double v13 = ft_fma_f64(-2.6666666666666665, v12, (v8 * v6));
      const double v14 = ft_fma_f64(0.005, v13, v2);
      const double v15 = ft_fma_f64(v8, (28.0 - v12), (-v6));
      const double v16 = ft_fma_f64(0.005, v15, v3);
      const double v17 = ft_fma_f64(v10, (28.0 - v14), (-v16));
      const double v18 = 10.0 * (v16 - v10);
      const double v19 = ft_fma_f64(0.01, v18, v4);
      const double v20 = ft_fma_f64(-2.6666666666666665, v14, (v10 * v16));
      const double v21 = ft_fma_f64(0.01, v20, v2);
      const double v22 = ft_fma_f64(0.01, v17, v3);
      const double v23 = ft_fma_f64(0.0016666666666666668, (ft_fma_f64(2.0, v17, ft_fma_f64(2.0, v15, v5)) + ft_fma_f64(v19, (28.0 - v21), (-v22))), v3);
      s4[i3] = v23;
      const double v24 = ft_fma_f64(0.0016666666666666668, (ft_fma_f64(2.0, v18, ft_fma_f64(2.0, v9, v7)) + (10.0 * (v22 - v19))), v4);
      s3[i3] = v24;
      const double v25 = 10.0 * (v23 - v24);
      s7[i3] = v25;
      s6[i3] = ft_fma_f64(0.005, v25, v24);
      const double v26 = ft_fma_f64(2.0, v20, ft_fma_f64(2.0, v13, v11)) + ft_fma_f64(-2.6666666666666665, v21, (v19 * v22));
      s5[i3] = ft_fma_f64(0.0016666666666666668, v26, v2);
    }
    double s8[128] __attribute__((aligned(64)));
    double s9[128] __attribute__((aligned(64)));
    double s10[128] __attribute__((aligned(64)));
    double s11[128] __attribute__((aligned(64)));
    for (long long i4 = 0; i4 < v1; i4++) {
      const double v27 = s3[i4];
      const double v28 = s4[i4];
      const double v29 = s5[i4];
      const double v30 = ft_fma_f64(-2.6666666666666665, v29, (v27 * v28));
      const double v31 = ft_fma_f64(0.005, v30, v29);
      const double v32 = ft_fma_f64(v27, (28.0 - v29), (-v28));
      const double v33 = ft_fma_f64(0.005, v32, v28);
      const double v34 = s6[i4];
      const double v35 = ft_fma_f64(v34, (28.0 - v31), (-v33));
      const double v36 = ft_fma_f64(0.005, v35, v28);
      const double v37 = 10.0 * (v33 - v34);
      const double v38 = ft_fma_f64(0.005, v37, v27);
      const double v39 = 10.0 * (v36 - v38);
      const double v40 = ft_fma_f64(-2.6666666666666665, v31, (v34 * v33));
      const double v41 = ft_fma_f64(0.005, v40, v29);
      const double v42 = ft_fma_f64(v38, (28.0 - v41), (-v36));
      const double v43 = ft_fma_f64(0.01, v42, v28);
      const double v44 = ft_fma_f64(0.01, v39, v27);
      const double v45 = ft_fma_f64(0.0016666666666666668, (ft_fma_f64(2.0, v39, ft_fma_f64(2.0, v37, s7[i4])) + (10.0 * (v43 - v44))), v27);
      s10[i4] = v45;
      const double v46 = ft_fma_f64(-2.6666666666666665, v41, (v38 * v36));
      const double v47 = ft_fma_f64(0.01, v46, v29);
      const double v48 = ft_fma_f64(2.0, v46, ft_fma_f64(2.0, v40, v30)) + ft_fma_f64(-2.6666666666666665, v47, (v44 * v43));
      const double v49 = ft_fma_f64(0.0016666666666666668, v48, v29);
      s11[i4] = v49;
      const double v50 = ft_fma_f64(0.0016666666666666668, (ft_fma_f64(2.0, v42, ft_fma_f64(2.0, v35, v32)) + ft_fma_f64(v44, (28.0 - v47), (-v43))), v28);
      s9[i4] = v50;
      s8[i4] = ft_fma_f64(v45, (28.0 - v49), (-v50));
    }
    for (long long i5 = 0; i5 < v1; i5++) {
      const double v51 = s8[i5];
      const double v52 = s9[i5];
      const double v53 = ft_fma_f64(0.005, v51, v52);
      const double v54 = s10[i5];
      const double v55 = 10.0 * (v52 - v54);
      const double v56 = ft_fma_f64(0.005, v55, v54);
      const double v57 = 10.0 * (v53 - v56);
      const double v58 = ft_fma_f64(0.005, v57, v54);
      const double v59 = s11[i5];
      const double v60 = ft_fma_f64(-2.6666666666666665, v59, (v54 * v52));
      const double v61 = ft_fma_f64(0.005, v60, v59);
      const double v62 = ft_fma_f64(-2.6666666666666665, v61, (v56 * v53));
      const double v63 = ft_fma_f64(0.005, v62, v59);
      const double v64 = ft_fma_f64(v56, (28.0 - v61), (-v53));
      const double v65 = ft_fma_f64(0.005, v64, v52);
      const double v66 = ft_fma_f64(v58, (28.0 - v63), (-v65));
      const double v67 = 10.0 * (v65 - v58);
      const double v68 = ft_fma_f64(0.01, v67, v54);
      const double v69 = ft_fma_f64(-2.6666666666666665, v63, (v58 * v65));
      const double v70 = ft_fma_f64(0.01, v69, v59);
      const double v71 = ft_fma_f64(0.01, v66, v52);
      const double v72 = ft_fma_f64(0.0016666666666666668, (ft_fma_f64(2.0, v66, ft_fma_f64(2.0, v64, v51)) + ft_fma_f64(v68, (28.0 - v70), (-v71))), v52);
      s6[i5] = v72;
      const double v73 = ft_fma_f64(0.0016666666666666668, (ft_fma_f64(2.0, v67, ft_fma_f64(2.0, v57, v55)) + (10.0 * (v71 - v68))), v54);
      s7[i5] = v73;
      const double v74 = 10.0 * (v72 - v73);
      s3[i5] = v74;
      s4[i5] = ft_fma_f64(0.005, v74, v73);
      const double v75 = ft_fma_f64(2.0, v69, ft_fma_f64(2.0, v62, v60)) + ft_fma_f64(-2.6666666666666665, v70, (v68 * v71));
      s5[i5] = ft_fma_f64(0.0016666666666666668, v75, v59);
    }
    for (long long i6 = 0; i6 < v1; i6++) {
      const double v76 = s7[i6];
      const double v77 = s6[i6];
      const double v78 = s5[i6];
      const double v79 = ft_fma_f64(-2.6666666666666665, v78, (v76 * v77));
      const double v80 = ft_fma_f64(0.005, v79, v78);
      const double v81 = ft_fma_f64(v76, (28.0 - v78), (-v77));
      const double v82 = ft_fma_f64(0.005, v81, v77);
      const double v83 = s4[i6];
      const double v84 = ft_fma_f64(v83, (28.0 - v80), (-v82));
      const double v85 = ft_fma_f64(0.005, v84, v77);
      const double v86 = 10.0 * (v82 - v83);
      const double v87 = ft_fma_f64(0.005, v86, v76);
      const double v88 = 10.0 * (v85 - v87);
      const double v89 = ft_fma_f64(-2.6666666666666665, v80, (v83 * v82));
      const double v90 = ft_fma_f64(0.005, v89, v78);
      const double v91 = ft_fma_f64(v87, (28.0 - v90), (-v85));
      const double v92 = ft_fma_f64(0.01, v91, v77);
      const double v93 = ft_fma_f64(0.01, v88, v76);
      const double v94 = ft_fma_f64(0.0016666666666666668, (ft_fma_f64(2.0, v88, ft_fma_f64(2.0, v86, s3[i6])) + (10.0 * (v92 - v93))), v76);
      s11[i6] = v94;
      const double v95 = ft_fma_f64(-2.6666666666666665, v90, (v87 * v85));
      const double v96 = ft_fma_f64(0.01, v95, v78);
      const double v97 = ft_fma_f64(0.0016666666666666668, (ft_fma_f64(2.0, v91, ft_fma_f64(2.0, v84, v81)) + ft_fma_f64(v93, (28.0 - v96), (-v92))), v77);
      s10[i6] = v97;
      const double v98 = ft_fma_f64(2.0, v95, ft_fma_f64(2.0, v89, v79)) + ft_fma_f64(-2.6666666666666665, v96, (v93 * v92));
      s9[i6] = ft_fma_f64(0.0016666666666666668, v98, v78);
    }
    for (long long i7 = 0; i7 < v0; i7++) {
      o0[(i1 * 384) + (i7 * 3)] = s11[i7];
      o0[((i1 * 384) + (i7 * 3)) + 1] = s10[i7];
      o0[((i1 * 384) + (i7 * 3)) + 2] = s9[i7];
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
  case 0: if (sizes[1] > 1 && ((sizes[0] + 127) / 128) > 152) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, ((sizes[0] + 127) / 128), 16, 152, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = ((sizes[0] + 127) / 128), to = n - at[1] > 20352 ? at[1] + 20352 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
