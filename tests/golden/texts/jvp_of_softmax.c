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

static void k0(const double *restrict a0, const double *restrict a1, double *restrict o0, double *restrict o1, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    double s2[8];
    long long s3[8];
    for (long long i6 = 0; i6 < 8; i6++) {
      const double v0 = a0[(i0 * 64) + i6];
      const double v1 = a0[(i0 * 64) + (i6 + 16)];
      const _Bool v2 = v1 < v0;
      const double v3 = v2 ? v0 : v1;
      const double v4 = a0[(i0 * 64) + (i6 + 32)];
      const _Bool v5 = v4 < v3;
      const double v6 = v5 ? v3 : v4;
      const double v7 = a0[(i0 * 64) + (i6 + 48)];
      const long long v8 = (((0LL | ((long long)(v0 != v0))) | ((long long)(v1 != v1))) | ((long long)(v4 != v4))) | ((long long)(v7 != v7));
      const _Bool v9 = v7 < v6;
      const double v10 = v9 ? v6 : v7;
      const double v11 = a0[(i0 * 64) + (i6 + 8)];
      const double v12 = a0[(i0 * 64) + (i6 + 24)];
      const _Bool v13 = v12 < v11;
      const double v14 = v13 ? v11 : v12;
      const double v15 = a0[(i0 * 64) + (i6 + 40)];
      const _Bool v16 = v15 < v14;
      const double v17 = v16 ? v14 : v15;
      const double v18 = a0[(i0 * 64) + (i6 + 56)];
      const long long v19 = (((0LL | ((long long)(v11 != v11))) | ((long long)(v12 != v12))) | ((long long)(v15 != v15))) | ((long long)(v18 != v18));
      const _Bool v20 = v18 < v17;
      const double v21 = v20 ? v17 : v18;
      const _Bool v22 = v21 < v10;
      s2[i6] = v22 ? v10 : v21;
      s3[i6] = v8 | v19;
    }
    double s4[4];
    long long s5[4];
    for (long long i7 = 0; i7 < 4; i7++) {
      const double v23 = s2[i7];
      const double v24 = s2[i7 + 4];
      const _Bool v25 = v24 < v23;
      s4[i7] = v25 ? v23 : v24;
      s5[i7] = s3[i7] | s3[i7 + 4];
    }
    double s6[2];
    long long s7[2];
    for (long long i8 = 0; i8 < 2; i8++) {
      const double v26 = s4[i8];
      const double v27 = s4[i8 + 2];
      const _Bool v28 = v27 < v26;
      s6[i8] = v28 ? v26 : v27;
      s7[i8] = s5[i8] | s5[i8 + 2];
    }
    const double v29 = s6[0];
    const double v30 = s6[1];
    const _Bool v31 = v30 < v29;
    const double v32 = v31 ? v29 : v30;
    const _Bool v33 = (s7[0] | s7[1]) != 0LL;
    const double v34 = v33 ? __builtin_nan("") : v32;
    double s0[64] __attribute__((aligned(64)));
    double s8[16];
    for (long long i9 = 0; i9 < 16; i9++) {
      s8[i9] = 0.0;
    }
    double s9[16];
    for (long long i10 = 0; i10 < 16; i10++) {
      s9[i10] = 0.0;
    }
    double s10[16];
    for (long long i11 = 0; i11 < 16; i11++) {
      s10[i11] = 0.0;
    }
    for (long long i12 = 0; i12 < 4; i12++) {
      for (long long i13 = 0; i13 < 16; i13++) {
        const double v35 = a0[(i0 * 64) + ((i12 * 16) + i13)];
        const double v36 = ft_exp_f64((v35 - v34));
        s0[(i12 * 16) + i13] = v36;
        s8[i13] = s8[i13] + v36;
        const _Bool v37 = (v35 == v34) | (v35 != v35);
        const double v38 = a1[(i0 * 64) + ((i12 * 16) + i13)];
        s9[i13] = s9[i13] + (v37 ? v38 : 0.0);
        s10[i13] = s10[i13] + ((double)v37);
      }
    }
    double s11[8];
    double s12[8];
    double s13[8];
    for (long long i14 = 0; i14 < 8; i14++) {
      s11[i14] = s8[i14] + s8[i14 + 8];
      s12[i14] = s9[i14] + s9[i14 + 8];
      s13[i14] = s10[i14] + s10[i14 + 8];
    }
    double s14[4];
    double s15[4];
    double s16[4];
    for (long long i15 = 0; i15 < 4; i15++) {
      s14[i15] = s11[i15] + s11[i15 + 4];
      s15[i15] = s12[i15] + s12[i15 + 4];
      s16[i15] = s13[i15] + s13[i15 + 4];
    }
    double s17[2];
    double s18[2];
    double s19[2];
    for (long long i16 = 0; i16 < 2; i16++) {
      s17[i16] = s14[i16] + s14[i16 + 2];
      s18[i16] = s15[i16] + s15[i16 + 2];
      s19[i16] = s16[i16] + s16[i16 + 2];
    }
    const double v39 = s17[0] + s17[1];
    const double v40 = (s18[0] + s18[1]) / (s19[0] + s19[1]);
    double s1[64] __attribute__((aligned(64)));
    double s20[8];
    for (long long i17 = 0; i17 < 8; i17++) {
      const double v41 = s0[i17] * (a1[(i0 * 64) + i17] - v40);
      s1[i17] = v41;
      const double v42 = s0[i17 + 16] * (a1[(i0 * 64) + (i17 + 16)] - v40);
      s1[i17 + 16] = v42;
      const double v43 = s0[i17 + 32] * (a1[(i0 * 64) + (i17 + 32)] - v40);
      s1[i17 + 32] = v43;
      const double v44 = s0[i17 + 48] * (a1[(i0 * 64) + (i17 + 48)] - v40);
      s1[i17 + 48] = v44;
      const double v45 = s0[i17 + 8] * (a1[(i0 * 64) + (i17 + 8)] - v40);
      s1[i17 + 8] = v45;
      const double v46 = s0[i17 + 24] * (a1[(i0 * 64) + (i17 + 24)] - v40);
      s1[i17 + 24] = v46;
      const double v47 = s0[i17 + 40] * (a1[(i0 * 64) + (i17 + 40)] - v40);
      s1[i17 + 40] = v47;
      const double v48 = s0[i17 + 56] * (a1[(i0 * 64) + (i17 + 56)] - v40);
      s1[i17 + 56] = v48;
      s20[i17] = ((((0.0 + v41) + v42) + v43) + v44) + ((((0.0 + v45) + v46) + v47) + v48);
    }
    double s21[4];
    for (long long i18 = 0; i18 < 4; i18++) {
      s21[i18] = s20[i18] + s20[i18 + 4];
    }
    double s22[2];
    for (long long i19 = 0; i19 < 2; i19++) {
      s22[i19] = s21[i19] + s21[i19 + 2];
    }
    const double v49 = s22[0] + s22[1];
    for (long long i1 = 0; i1 < 64; i1++) {
      const double v50 = s0[i1] / v39;
      o0[(i0 * 64) + i1] = v50;
      o1[(i0 * 64) + i1] = (s1[i1] - (v50 * v49)) / v39;
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
  case 0: if (sizes[1] > 1 && sizes[0] > 834) {
    if (((ft_pool *)buffers[5])(k0_part, buffers, sizes, sizes[0], 56, 834, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = sizes[0], to = n - at[1] > 111360 ? at[1] + 111360 : n;
    k0(buffers[0], buffers[1], buffers[2], buffers[3], (char *)buffers[4], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
