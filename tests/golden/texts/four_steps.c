static inline long long ft_min_i64(long long a, long long b) { const long long m = a < b ? a : b; return a == a ? m : a; }

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i1 = from; i1 < to; i1++) {
    const long long v0 = ft_min_i64(128, (n0 + (i1 * -128)));
    const long long v1 = ((v0 + 7) / 8) * 8;
    double s0[128] __attribute__((aligned(64)));
    double s1[128] __attribute__((aligned(64)));
    double s2[128] __attribute__((aligned(64)));
    for (long long i2 = 0; i2 < v0; i2++) {
      s0[i2] = a0[((i1 * 384) + (i2 * 3)) + 1];
      s1[i2] = a0[(i1 * 384) + (i2 * 3)];
      s2[i2] = a0[((i1 * 384) + (i2 * 3)) + 2];
    }
    double s3[128] __attribute__((aligned(64)));
    double s4[128] __attribute__((aligned(64)));
    double s5[128] __attribute__((aligned(64)));
    double s6[128] __attribute__((aligned(64)));
    for (long long i3 = 0; i3 < v1; i3++) {
      const double v2 = s0[i3];
      const double v3 = s1[i3];
      const double v4 = 10.0 * (v2 - v3);
      const double v5 = s2[i3];
      const double v6 = (v3 * (28.0 - v5)) - v2;
      const double v7 = v2 + (0.005 * v6);
      const double v8 = v3 + (0.005 * v4);
      const double v9 = 10.0 * (v7 - v8);
      const double v10 = (v3 * v2) - (2.6666666666666665 * v5);
      const double v11 = v5 + (0.005 * v10);
      const double v12 = (v8 * (28.0 - v11)) - v7;
      const double v13 = v2 + (0.005 * v12);
      const double v14 = v3 + (0.005 * v9);
      const double v15 = 10.0 * (v13 - v14);
      const double v16 = (v8 * v7) - (2.6666666666666665 * v11);
      const double v17 = v5 + (0.005 * v16);
      const double v18 = (v14 * (28.0 - v17)) - v13;
      const double v19 = v2 + (0.01 * v18);
      const double v20 = v3 + (0.01 * v15);
      const double v21 = v3 + (0.0016666666666666668 * (((v4 + (2.0 * v9)) + (2.0 * v15)) + (10.0 * (v19 - v20))));
      s4[i3] = v21;
      const double v22 = (v14 * v13) - (2.6666666666666665 * v17);
      const double v23 = v5 + (0.01 * v22);
      const double v24 = v2 + (0.0016666666666666668 * (((v6 + (2.0 * v12)) + (2.0 * v18)) + ((v20 * (28.0 - v23)) - v19)));
      s5[i3] = v24;
      s6[i3] = 10.0 * (v24 - v21);
      const double v25 = 0.0016666666666666668 * (((v10 + (2.0 * v16)) + (2.0 * v22)) + ((v20 * v19) - (2.6666666666666665 * v23)));
      s3[i3] = v5 + v25;
    }
    double s7[128] __attribute__((aligned(64)));
    double s8[128] __attribute__((aligned(64)));
    double s9[128] __attribute__((aligned(64)));
    double s10[128] __attribute__((aligned(64)));
    for (long long i4 = 0; i4 < v1; i4++) {
      const double v26 = s3[i4];
      const double v27 = s4[i4];
      const double v28 = s5[i4];
      const double v29 = (v27 * (28.0 - v26)) - v28;
      const double v30 = v28 + (0.005 * v29);
      const double v31 = s6[i4];
      const double v32 = v27 + (0.005 * v31);
      const double v33 = 10.0 * (v30 - v32);
      const double v34 = (v27 * v28) - (2.6666666666666665 * v26);
      const double v35 = v26 + (0.005 * v34);
      const double v36 = (v32 * (28.0 - v35)) - v30;
      const double v37 = v28 + (0.005 * v36);
      const double v38 = v27 + (0.005 * v33);
      const double v39 = 10.0 * (v37 - v38);
      const double v40 = (v32 * v30) - (2.6666666666666665 * v35);
      const double v41 = v26 + (0.005 * v40);
      const double v42 = (v38 * (28.0 - v41)) - v37;
      const double v43 = v28 + (0.01 * v42);
      const double v44 = v27 + (0.01 * v39);
      const double v45 = v27 + (0.0016666666666666668 * (((v31 + (2.0 * v33)) + (2.0 * v39)) + (10.0 * (v43 - v44))));
      s8[i4] = v45;
      const double v46 = (v38 * v37) - (2.6666666666666665 * v41);
      const double v47 = v26 + (0.01 * v46);
      const double v48 = v28 + (0.0016666666666666668 * (((v29 + (2.0 * v36)) + (2.0 * v42)) + ((v44 * (28.0 - v47)) - v43)));
      s9[i4] = v48;
      s10[i4] = 10.0 * (v48 - v45);
      const double v49 = 0.0016666666666666668 * (((v34 + (2.0 * v40)) + (2.0 * v46)) + ((v44 * v43) - (2.6666666666666665 * v47)));
      s7[i4] = v26 + v49;
    }
    for (long long i5 = 0; i5 < v1; i5++) {
      const double v50 = s7[i5];
      const double v51 = s8[i5];
      const double v52 = s9[i5];
      const double v53 = (v51 * (28.0 - v50)) - v52;
      const double v54 = v52 + (0.005 * v53);
      const double v55 = s10[i5];
      const double v56 = v51 + (0.005 * v55);
      const double v57 = 10.0 * (v54 - v56);
      const double v58 = (v51 * v52) - (2.6666666666666665 * v50);
      const double v59 = v50 + (0.005 * v58);
      const double v60 = (v56 * (28.0 - v59)) - v54;
      const double v61 = v52 + (0.005 * v60);
      const double v62 = v51 + (0.005 * v57);
      const double v63 = 10.0 * (v61 - v62);
      const double v64 = (v56 * v54) - (2.6666666666666665 * v59);
      const double v65 = v50 + (0.005 * v64);
      const double v66 = (v62 * (28.0 - v65)) - v61;
      const double v67 = v52 + (0.01 * v66);
      const double v68 = v51 + (0.01 * v63);
      const double v69 = v51 + (0.0016666666666666668 * (((v55 + (2.0 * v57)) + (2.0 * v63)) + (10.0 * (v67 - v68))));
      s5[i5] = v69;
      const double v70 = (v62 * v61) - (2.6666666666666665 * v65);
      const double v71 = v50 + (0.01 * v70);
      const double v72 = v52 + (0.0016666666666666668 * (((v53 + (2.0 * v60)) + (2.0 * v66)) + ((v68 * (28.0 - v71)) - v67)));
      s4[i5] = v72;
      s3[i5] = 10.0 * (v72 - v69);
      const double v73 = 0.0016666666666666668 * (((v58 + (2.0 * v64)) + (2.0 * v70)) + ((v68 * v67) - (2.6666666666666665 * v71)));
      s6[i5] = v50 + v73;
    }
    for (long long i6 = 0; i6 < v1; i6++) {
      const double v74 = s6[i6];
      const double v75 = s5[i6];
      const double v76 = s4[i6];
      const double v77 = (v75 * (28.0 - v74)) - v76;
      const double v78 = v76 + (0.005 * v77);
      const double v79 = s3[i6];
      const double v80 = v75 + (0.005 * v79);
      const double v81 = 10.0 * (v78 - v80);
      const double v82 = (v75 * v76) - (2.6666666666666665 * v74);
      const double v83 = v74 + (0.005 * v82);
      const double v84 = (v80 * (28.0 - v83)) - v78;
      const double v85 = v76 + (0.005 * v84);
      const double v86 = v75 + (0.005 * v81);
      const double v87 = 10.0 * (v85 - v86);
      const double v88 = (v80 * v78) - (2.6666666666666665 * v83);
      const double v89 = v74 + (0.005 * v88);
      const double v90 = (v86 * (28.0 - v89)) - v85;
      const double v91 = v76 + (0.01 * v90);
      const double v92 = v75 + (0.01 * v87);
      s10[i6] = v75 + (0.0016666666666666668 * (((v79 + (2.0 * v81)) + (2.0 * v87)) + (10.0 * (v91 - v92))));
      const double v93 = (v86 * v85) - (2.6666666666666665 * v89);
      const double v94 = v74 + (0.01 * v93);
      const double v95 = v76 + (0.0016666666666666668 * (((v77 + (2.0 * v84)) + (2.0 * v90)) + ((v92 * (28.0 - v94)) - v91)));
      s9[i6] = v95;
      const double v96 = 0.0016666666666666668 * (((v82 + (2.0 * v88)) + (2.0 * v93)) + ((v92 * v91) - (2.6666666666666665 * v94)));
      s8[i6] = v74 + v96;
    }
    for (long long i7 = 0; i7 < v0; i7++) {
      o0[(i1 * 384) + (i7 * 3)] = s10[i7];
      o0[((i1 * 384) + (i7 * 3)) + 1] = s9[i7];
      o0[((i1 * 384) + (i7 * 3)) + 2] = s8[i7];
    }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[4];
  switch (at[0]) { default:;
  case 0: if (sizes[1] > 1 && ((sizes[0] + 127) / 128) > 78) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, ((sizes[0] + 127) / 128), 32, sizes[1], at + 1)) { at[0] = 0; return 1000; }
  } else {
    const long long n = ((sizes[0] + 127) / 128), to = n - at[1] > 15680 ? at[1] + 15680 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
