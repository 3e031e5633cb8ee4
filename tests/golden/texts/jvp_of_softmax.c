#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif
static inline __attribute__((always_inline)) double ft_expparts_f64(double r) { const double z = r * r; return ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(2.7631414313456104e-07, z, 2.480148958888789e-05), z, 0.0013888888947333087), z, 0.041666666666514314), r, ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(2.511797453389394e-08, z, 2.7557215944213365e-06), z, 0.0001984126991778212), z, 0.008333333333307021), z, 0.166666666666667)), r, 0.5000000000000013), z, 1.0 + r); }
static inline __attribute__((always_inline)) double ft_expends_f64(double x, double y, double low, double high) {
  y = x > high ? __builtin_inf() : y;
  return x < low ? 0.0 : y;
}
static inline __attribute__((always_inline)) double ft_float_f64(long long b) { double x; __builtin_memcpy(&x, &b, 8); return x; }
static inline __attribute__((always_inline)) double ft_power_f64(long long biased) { return ft_float_f64(biased << 52); }
static inline __attribute__((always_inline)) double ft_scale_f64(double x, long long m) {
  const long long half = (long long)((unsigned long long)m >> 1);
  return (x * ft_power_f64(half)) * ft_power_f64(m - half);
}
static inline __attribute__((always_inline)) long long ft_bits_f64(double x) { long long b; __builtin_memcpy(&b, &x, 8); return b; }
static inline __attribute__((always_inline)) double ft_exp_f64(double x) {
  const double t = ft_fma_f64(x, 1.4426950408889634, 6755399441057790.0), n = t - 6755399441057790.0;
  const double y = ft_expparts_f64(ft_fma_f64(-n, 7.440617110012397e-11, ft_fma_f64(-n, 0.6931471804855391, x)));
  return ft_expends_f64(x, ft_scale_f64(y, ft_bits_f64(t)), -746.0, 709.8);
}

static void k0(const double *restrict a0, const double *restrict a1, double *restrict o0, double *restrict o1, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    double s4[8];
    long long s5[8];
    for (long long i7 = 0; i7 < 8; i7++) {
      const double v0 = a0[(i0 * 64) + i7];
      const double v1 = a0[(i0 * 64) + (i7 + 16)];
      const _Bool v2 = v1 < v0;
      const double v3 = v2 ? v0 : v1;
      const double v4 = a0[(i0 * 64) + (i7 + 32)];
      const _Bool v5 = v4 < v3;
      const double v6 = v5 ? v3 : v4;
      const double v7 = a0[(i0 * 64) + (i7 + 48)];
      const long long v8 = (((0 | ((long long)(v0 != v0))) | ((long long)(v1 != v1))) | ((long long)(v4 != v4))) | ((long long)(v7 != v7));
      const _Bool v9 = v7 < v6;
      const double v10 = v9 ? v6 : v7;
      const double v11 = a0[(i0 * 64) + (i7 + 8)];
      const double v12 = a0[(i0 * 64) + (i7 + 24)];
      const _Bool v13 = v12 < v11;
      const double v14 = v13 ? v11 : v12;
      const double v15 = a0[(i0 * 64) + (i7 + 40)];
      const _Bool v16 = v15 < v14;
      const double v17 = v16 ? v14 : v15;
      const double v18 = a0[(i0 * 64) + (i7 + 56)];
      const long long v19 = (((0 | ((long long)(v11 != v11))) | ((long long)(v12 != v12))) | ((long long)(v15 != v15))) | ((long long)(v18 != v18));
      const _Bool v20 = v18 < v17;
      const double v21 = v20 ? v17 : v18;
      const _Bool v22 = v21 < v10;
      s4[i7] = v22 ? v10 : v21;
      s5[i7] = v8 | v19;
    }
    double s6[4];
    long long s7[4];
    for (long long i8 = 0; i8 < 4; i8++) {
      const double v23 = s4[i8];
      const double v24 = s4[i8 + 4];
      const _Bool v25 = v24 < v23;
      s6[i8] = v25 ? v23 : v24;
      s7[i8] = s5[i8] | s5[i8 + 4];
    }
    double s8[2];
    long long s9[2];
    for (long long i9 = 0; i9 < 2; i9++) {
      const double v26 = s6[i9];
      const double v27 = s6[i9 + 2];
      const _Bool v28 = v27 < v26;
      s8[i9] = v28 ? v26 : v27;
      s9[i9] = s7[i9] | s7[i9 + 2];
    }
    const double v29 = s8[0];
    const double v30 = s8[1];
    const _Bool v31 = v30 < v29;
    const double v32 = v31 ? v29 : v30;
    const _Bool v33 = (s9[0] | s9[1]) != 0;
    const double v34 = v33 ? __builtin_nan("") : v32;
    double s0[64] __attribute__((aligned(64)));
    double s10[16];
    for (long long i10 = 0; i10 < 16; i10++) {
      s10[i10] = 0.0;
    }
    double s11[16];
    for (long long i11 = 0; i11 < 16; i11++) {
      s11[i11] = 0.0;
    }
    double s12[16];
    for (long long i12 = 0; i12 < 16; i12++) {
      s12[i12] = 0.0;
    }
    for (long long i13 = 0; i13 < 4; i13++) {
      for (long long i14 = 0; i14 < 16; i14++) {
        const double v35 = a0[(i0 * 64) + ((i13 * 16) + i14)];
        const double v36 = ft_exp_f64((v35 - v34));
        s0[(i13 * 16) + i14] = v36;
        s10[i14] = s10[i14] + v36;
        const _Bool v37 = (v35 == v34) | (v35 != v35);
        const double v38 = a1[(i0 * 64) + ((i13 * 16) + i14)];
        s11[i14] = s11[i14] + (v37 ? v38 : 0.0);
        s12[i14] = s12[i14] + ((double)v37);
      }
    }
    double s13[8];
    double s14[8];
    double s15[8];
    for (long long i15 = 0; i15 < 8; i15++) {
      s13[i15] = s10[i15] + s10[i15 + 8];
      s14[i15] = s11[i15] + s11[i15 + 8];
      s15[i15] = s12[i15] + s12[i15 + 8];
    }
    double s16[4];
    double s17[4];
    double s18[4];
    for (long long i16 = 0; i16 < 4; i16++) {
      s16[i16] = s13[i16] + s13[i16 + 4];
      s17[i16] = s14[i16] + s14[i16 + 4];
      s18[i16] = s15[i16] + s15[i16 + 4];
    }
    double s19[2];
    double s20[2];
    double s21[2];
    for (long long i17 = 0; i17 < 2; i17++) {
      s19[i17] = s16[i17] + s16[i17 + 2];
      s20[i17] = s17[i17] + s17[i17 + 2];
      s21[i17] = s18[i17] + s18[i17 + 2];
    }
    const double v39 = s19[0] + s19[1];
    double s1[64] __attribute__((aligned(64)));
    const double v40 = (s20[0] + s20[1]) / (s21[0] + s21[1]);
    double s3[64] __attribute__((aligned(64)));
    double s22[8];
    for (long long i18 = 0; i18 < 8; i18++) {
      const double v41 = s0[i18];
      const double v42 = v41 / v39;
      s1[i18] = v42;
      o0[(i0 * 64) + i18] = v42;
      const double v43 = v41 * (a1[(i0 * 64) + i18] - v40);
      s3[i18] = v43;
      const double v44 = s0[i18 + 16];
      const double v45 = v44 / v39;
      s1[i18 + 16] = v45;
      o0[(i0 * 64) + (i18 + 16)] = v45;
      const double v46 = v44 * (a1[(i0 * 64) + (i18 + 16)] - v40);
      s3[i18 + 16] = v46;
      const double v47 = s0[i18 + 32];
      const double v48 = v47 / v39;
      s1[i18 + 32] = v48;
      o0[(i0 * 64) + (i18 + 32)] = v48;
      const double v49 = v47 * (a1[(i0 * 64) + (i18 + 32)] - v40);
      s3[i18 + 32] = v49;
      const double v50 = s0[i18 + 48];
      const double v51 = v50 / v39;
      s1[i18 + 48] = v51;
      o0[(i0 * 64) + (i18 + 48)] = v51;
      const double v52 = v50 * (a1[(i0 * 64) + (i18 + 48)] - v40);
      s3[i18 + 48] = v52;
      const double v53 = s0[i18 + 8];
      const double v54 = v53 / v39;
      s1[i18 + 8] = v54;
      o0[(i0 * 64) + (i18 + 8)] = v54;
      const double v55 = v53 * (a1[(i0 * 64) + (i18 + 8)] - v40);
      s3[i18 + 8] = v55;
      const double v56 = s0[i18 + 24];
      const double v57 = v56 / v39;
      s1[i18 + 24] = v57;
      o0[(i0 * 64) + (i18 + 24)] = v57;
      const double v58 = v56 * (a1[(i0 * 64) + (i18 + 24)] - v40);
      s3[i18 + 24] = v58;
      const double v59 = s0[i18 + 40];
      const double v60 = v59 / v39;
      s1[i18 + 40] = v60;
      o0[(i0 * 64) + (i18 + 40)] = v60;
      const double v61 = v59 * (a1[(i0 * 64) + (i18 + 40)] - v40);
      s3[i18 + 40] = v61;
      const double v62 = s0[i18 + 56];
      const double v63 = v62 / v39;
      s1[i18 + 56] = v63;
      o0[(i0 * 64) + (i18 + 56)] = v63;
      const double v64 = v62 * (a1[(i0 * 64) + (i18 + 56)] - v40);
      s3[i18 + 56] = v64;
      s22[i18] = ((((0.0 + v43) + v46) + v49) + v52) + ((((0.0 + v55) + v58) + v61) + v64);
    }
    double s23[4];
    for (long long i19 = 0; i19 < 4; i19++) {
      s23[i19] = s22[i19] + s22[i19 + 4];
    }
    double s24[2];
    for (long long i20 = 0; i20 < 2; i20++) {
      s24[i20] = s23[i20] + s23[i20 + 2];
    }
    const double v65 = s24[0] + s24[1];
    for (long long i6 = 0; i6 < 64; i6++) {
      o1[(i0 * 64) + i6] = (s3[i6] - (s1[i6] * v65)) / v39;
    }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], buffers[2], buffers[3], (char *)buffers[4], sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[6];
  switch (at[0]) { default:;
  case 0: if (sizes[1] > 1 && sizes[0] > 548) {
    if (((ft_pool *)buffers[5])(k0_part, buffers, sizes, sizes[0], 256, sizes[1], at + 1)) { at[0] = 0; return 1000; }
  } else {
    const long long n = sizes[0], to = n - at[1] > 109760 ? at[1] + 109760 : n;
    k0(buffers[0], buffers[1], buffers[2], buffers[3], (char *)buffers[4], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
