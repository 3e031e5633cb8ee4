double sin(double) __attribute__((const));
double cos(double) __attribute__((const));
double tan(double) __attribute__((const));
double fabs(double) __attribute__((const));
static inline long long ft_min_i64(long long a, long long b) { const long long m = a < b ? a : b; return a == a ? m : a; }
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif
static inline __attribute__((always_inline)) long long ft_bits_f64(double x) { long long y; __builtin_memcpy(&y, &x, 8); return y; }
static inline __attribute__((always_inline)) double ft_float_f64(long long x) { double y; __builtin_memcpy(&y, &x, 8); return y; }
static inline __attribute__((always_inline)) double ft_tannear_f64(double x) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  const double v0 = fabs(x);
  const double v1 = ft_fma_f64(v0, 0.6366197723675814, 6755399441055744.0);
  const _Bool v2 = ((ft_bits_f64(v1) & 1LL) == 0LL);
  const double v3 = (-(0.5 * (v1 - 6755399441055744.0)));
  const double v4 = ft_fma_f64(v3, 2.1657133478438278e-32, ft_fma_f64(v3, 1.224646799147353e-16, ft_fma_f64(v3, 3.141592653589793, v0)));
  const double v5 = (v4 * v4);
  const double v6 = ft_fma_f64(ft_fma_f64(ft_fma_f64(1.5896795597066373e-10, v5, -2.5050758113311716e-08), v5, 2.7557313691896967e-06), v5, -0.0001984126982980771);
  const double v7 = ((v5 * v4) * ft_fma_f64(ft_fma_f64(v6, v5, 0.008333333333322413), v5, -0.16666666666666632));
  const double v8 = (v4 + v7);
  const double v9 = (0.5 * v5);
  const double v10 = (1.0 - v9);
  const double v11 = ft_fma_f64(ft_fma_f64(ft_fma_f64(-1.135964894460712e-11, v5, 2.087572329494357e-09), v5, -2.755731435248876e-07), v5, 2.4801587289482706e-05);
  const double v12 = (((1.0 - v10) - v9) + ((v5 * v5) * ft_fma_f64(ft_fma_f64(v11, v5, -0.0013888888888874125), v5, 0.0416666666666666)));
  const double v13 = (v10 + v12);
  const double v14 = (-v13);
  const double v15 = (v2 ? v8 : v14);
  const double v16 = (v2 ? v13 : v8);
  const double v17 = (1.0 / v16);
  const double v18 = (v15 * v17);
  const double v19 = ((v4 - v8) + v7);
  const double v20 = ((v10 - v13) + v12);
  const double v21 = (-v20);
  const double v22 = (v18 + ((ft_fma_f64((-v18), v16, v15) + ((v2 ? v19 : v21) - (v18 * (v2 ? v20 : v19)))) * v17));
  return ft_float_f64((ft_bits_f64(((v0 < 3.725290298461914e-09) ? v0 : v22)) ^ (ft_bits_f64(x) & (-9223372036854775807LL - 1))));
#else
  const double v0 = fabs(x);
  const double v1 = ft_fma_f64(v0, 0.6366197723675814, 6755399441055744.0);
  const _Bool v2 = ((ft_bits_f64(v1) & 1LL) == 0LL);
  const double v3 = (0.5 * (v1 - 6755399441055744.0));
  const double v4 = (v0 - (v3 * 3.1415926534682512));
  const double v5 = (v3 * 1.2154201012607932e-10);
  const double v6 = (v4 - v5);
  const double v7 = (v3 * 4.044532497422333e-21);
  const double v8 = (v6 - v7);
  const double v9 = (v6 - v4);
  const double v10 = (v8 - v6);
  const double v11 = (v8 + ((((v4 - (v6 - v9)) + ((-v5) - v9)) + ((v6 - (v8 - v10)) + ((-v7) - v10))) - (v3 * 1.69568553207378e-31)));
  const double v12 = ((v0 == 0.0) ? v0 : v11);
  const double v13 = (v12 * v12);
  const double v14 = ft_fma_f64(ft_fma_f64(ft_fma_f64(1.5896795597066373e-10, v13, -2.5050758113311716e-08), v13, 2.7557313691896967e-06), v13, -0.0001984126982980771);
  const double v15 = ((v13 * v12) * ft_fma_f64(ft_fma_f64(v14, v13, 0.008333333333322413), v13, -0.16666666666666632));
  const double v16 = (v12 + v15);
  const double v17 = (0.5 * v13);
  const double v18 = (1.0 - v17);
  const double v19 = ft_fma_f64(ft_fma_f64(ft_fma_f64(-1.135964894460712e-11, v13, 2.087572329494357e-09), v13, -2.755731435248876e-07), v13, 2.4801587289482706e-05);
  const double v20 = (((1.0 - v18) - v17) + ((v13 * v13) * ft_fma_f64(ft_fma_f64(v19, v13, -0.0013888888888874125), v13, 0.0416666666666666)));
  const double v21 = (v18 + v20);
  const double v22 = (-v21);
  const double v23 = (v2 ? v16 : v22);
  const double v24 = (v2 ? v21 : v16);
  const double v25 = (1.0 / v24);
  const double v26 = (v23 * v25);
  const double v27 = (v26 * v24);
  const double v28 = ft_float_f64((ft_bits_f64(v26) & -134217728LL));
  const double v29 = ft_float_f64((ft_bits_f64(v24) & -134217728LL));
  const double v30 = (v24 - v29);
  const double v31 = (v26 - v28);
  const double v32 = ((v12 - v16) + v15);
  const double v33 = ((v18 - v21) + v20);
  const double v34 = (-v33);
  const double v35 = (((v23 - v27) - (((((v28 * v29) - v27) + (v28 * v30)) + (v31 * v29)) + (v31 * v30))) + ((v2 ? v32 : v34) - (v26 * (v2 ? v33 : v32))));
  const double v36 = (v26 + (v35 * v25));
  return ft_float_f64((ft_bits_f64(((v0 < 3.725290298461914e-09) ? v0 : v36)) ^ (ft_bits_f64(x) & (-9223372036854775807LL - 1))));
#endif
}
static __attribute__((noinline, const)) double ft_one_f64(void) { return 1; }
static inline __attribute__((always_inline)) double ft_cosnear_f64(double x) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  const double v0 = fabs(x);
  const double v1 = (ft_fma_f64(v0, 0.3183098861837907, -0.5) + 6755399441055745.0);
  const double v2 = (-((v1 - 6755399441055745.0) + 0.5));
  const double v3 = ft_fma_f64(v2, 1.224646799147353e-16, ft_fma_f64(v2, 3.141592653589793, v0));
  const double v4 = ft_fma_f64((-v3), v3, 0.0);
  const double v5 = (v4 * v4);
  const double v6 = ft_fma_f64(ft_fma_f64(2.7222511067363714e-15, v5, ft_fma_f64(7.643097358544194e-13, v4, 1.605894392776494e-10)), v5, ft_fma_f64(2.505210696014581e-08, v4, 2.755731921213165e-06));
  const double v7 = ft_fma_f64((v4 * v3), ft_fma_f64(ft_fma_f64(v6, v5, ft_fma_f64(0.00019841269841215284, v4, 0.008333333333333212)), v4, 0.16666666666666666), ft_fma_f64(v2, 2.1657133478438278e-32, v3));
  const double v8 = ((ft_one_f64() < v7) ? ft_one_f64() : v7);
  const double v9 = (-ft_one_f64());
  return ft_float_f64((ft_bits_f64(((v8 < v9) ? v9 : v8)) ^ ((long long)(((unsigned long long)ft_bits_f64(v1)) << 63ULL))));
#else
  const double v0 = fabs(x);
  const double v1 = (ft_fma_f64(v0, 0.3183098861837907, -0.5) + 6755399441055745.0);
  const double v2 = ((v1 - 6755399441055745.0) + 0.5);
  const double v3 = (v0 - (v2 * 3.1415926534682512));
  const double v4 = (v2 * 1.2154201012607932e-10);
  const double v5 = (v3 - v4);
  const double v6 = (v2 * 4.044532497422333e-21);
  const double v7 = (v5 - v6);
  const double v8 = (v5 - v3);
  const double v9 = (v7 - v5);
  const double v10 = (v7 + ((((v3 - (v5 - v8)) + ((-v4) - v8)) + ((v5 - (v7 - v9)) + ((-v6) - v9))) - (v2 * 1.69568553207378e-31)));
  const double v11 = ((v0 == 0.0) ? v0 : v10);
  const double v12 = ft_fma_f64((-v11), v11, 0.0);
  const double v13 = (v12 * v12);
  const double v14 = ft_fma_f64(ft_fma_f64(2.7222511067363714e-15, v13, ft_fma_f64(7.643097358544194e-13, v12, 1.605894392776494e-10)), v13, ft_fma_f64(2.505210696014581e-08, v12, 2.755731921213165e-06));
  const double v15 = ft_fma_f64(ft_fma_f64(v14, v13, ft_fma_f64(0.00019841269841215284, v12, 0.008333333333333212)), v12, 0.16666666666666666);
  const double v16 = ft_fma_f64((v12 * v11), v15, v11);
  const double v17 = ((ft_one_f64() < v16) ? ft_one_f64() : v16);
  const double v18 = (-ft_one_f64());
  return ft_float_f64((ft_bits_f64(((v17 < v18) ? v18 : v17)) ^ ((long long)(((unsigned long long)ft_bits_f64(v1)) << 63ULL))));
#endif
}
static __attribute__((noinline, const)) double ft_tan_f64(double x) {
  return __builtin_fabs(x) <= 1048576.0 ? ft_tannear_f64(x) : tan(x);
}
static __attribute__((noinline, const)) double ft_cos_f64(double x) {
  return __builtin_fabs(x) <= 1048576.0 ? ft_cosnear_f64(x) : cos(x);
}
static inline __attribute__((always_inline)) double ft_sinnear_f64(double x) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  const double v0 = ft_fma_f64(x, 0.3183098861837907, 6755399441055744.0);
  const double v1 = (-(v0 - 6755399441055744.0));
  const double v2 = ft_fma_f64(v1, 1.224646799147353e-16, ft_fma_f64(v1, 3.141592653589793, x));
  const double v3 = ft_fma_f64((-v2), v2, 0.0);
  const double v4 = (v3 * v3);
  const double v5 = ft_fma_f64(ft_fma_f64(2.7222511067363714e-15, v4, ft_fma_f64(7.643097358544194e-13, v3, 1.605894392776494e-10)), v4, ft_fma_f64(2.505210696014581e-08, v3, 2.755731921213165e-06));
  const double v6 = ft_fma_f64((v3 * v2), ft_fma_f64(ft_fma_f64(v5, v4, ft_fma_f64(0.00019841269841215284, v3, 0.008333333333333212)), v3, 0.16666666666666666), ft_fma_f64(v1, 2.1657133478438278e-32, v2));
  const double v7 = ((ft_one_f64() < v6) ? ft_one_f64() : v6);
  const double v8 = (-ft_one_f64());
  return ft_float_f64((ft_bits_f64(((v7 < v8) ? v8 : v7)) ^ ((long long)(((unsigned long long)ft_bits_f64(v0)) << 63ULL))));
#else
  const double v0 = ft_fma_f64(x, 0.3183098861837907, 6755399441055744.0);
  const double v1 = (v0 - 6755399441055744.0);
  const double v2 = (x - (v1 * 3.1415926534682512));
  const double v3 = (v1 * 1.2154201012607932e-10);
  const double v4 = (v2 - v3);
  const double v5 = (v1 * 4.044532497422333e-21);
  const double v6 = (v4 - v5);
  const double v7 = (v4 - v2);
  const double v8 = (v6 - v4);
  const double v9 = (v6 + ((((v2 - (v4 - v7)) + ((-v3) - v7)) + ((v4 - (v6 - v8)) + ((-v5) - v8))) - (v1 * 1.69568553207378e-31)));
  const double v10 = ((x == 0.0) ? x : v9);
  const double v11 = ft_fma_f64((-v10), v10, 0.0);
  const double v12 = (v11 * v11);
  const double v13 = ft_fma_f64(ft_fma_f64(2.7222511067363714e-15, v12, ft_fma_f64(7.643097358544194e-13, v11, 1.605894392776494e-10)), v12, ft_fma_f64(2.505210696014581e-08, v11, 2.755731921213165e-06));
  const double v14 = ft_fma_f64(ft_fma_f64(v13, v12, ft_fma_f64(0.00019841269841215284, v11, 0.008333333333333212)), v11, 0.16666666666666666);
  const double v15 = ft_fma_f64((v11 * v10), v14, v10);
  const double v16 = ((ft_one_f64() < v15) ? ft_one_f64() : v15);
  const double v17 = (-ft_one_f64());
  return ft_float_f64((ft_bits_f64(((v16 < v17) ? v17 : v16)) ^ ((long long)(((unsigned long long)ft_bits_f64(v0)) << 63ULL))));
#endif
}
static __attribute__((noinline, const)) double ft_sin_f64(double x) {
  return __builtin_fabs(x) <= 1048576.0 ? ft_sinnear_f64(x) : sin(x);
}

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i1 = from; i1 < to; i1++) {
    const long long v0 = ft_min_i64(128, (n0 + (i1 * -128)));
    const long long v1 = ((v0 + 7) / 8) * 8;
    double s0[128] __attribute__((aligned(64)));
    double s1[128] __attribute__((aligned(64)));
    double s2[128] __attribute__((aligned(64)));
    double s3[128] __attribute__((aligned(64)));
    double s4[128] __attribute__((aligned(64)));
    double s5[128] __attribute__((aligned(64)));
    for (long long i2 = 0; i2 < v0; i2++) {
      s0[i2] = a0[((i1 * 768) + (i2 * 6)) + 4];
      s1[i2] = a0[((i1 * 768) + (i2 * 6)) + 3];
      s2[i2] = a0[((i1 * 768) + (i2 * 6)) + 5];
      s3[i2] = a0[((i1 * 768) + (i2 * 6)) + 2];
      s4[i2] = a0[(i1 * 768) + (i2 * 6)];
      s5[i2] = a0[((i1 * 768) + (i2 * 6)) + 1];
    }
    double s6[128] __attribute__((aligned(64)));
    double s7[128] __attribute__((aligned(64)));
    double s8[128] __attribute__((aligned(64)));
    double s9[128] __attribute__((aligned(64)));
    double s10[128] __attribute__((aligned(64)));
    double s11[128] __attribute__((aligned(64)));
    double s12[128] __attribute__((aligned(64)));
    double s13[128] __attribute__((aligned(64)));
    double s14[128] __attribute__((aligned(64)));
    long long acc0 = 0LL;
    for (long long i8 = 0; i8 < v1; i8++) {
      const double v2 = s0[i8];
      const double v3 = s1[i8];
      s9[i8] = ft_fma_f64(0.05, v2, v3);
      const double v4 = ft_fma_f64(0.025, v2, v3);
      s7[i8] = v4;
      const double v5 = s2[i8];
      const double v6 = ft_tannear_f64(v5) / 2.5;
      s14[i8] = v6;
      const double v7 = v4 * v6;
      s6[i8] = v7;
      const double v8 = s3[i8];
      const double v9 = ft_fma_f64(0.05, v7, v8);
      s11[i8] = v9;
      s10[i8] = ft_cosnear_f64(v9);
      const double v10 = v3 * v6;
      s13[i8] = v10;
      const double v11 = ft_fma_f64(0.025, v10, v8);
      s12[i8] = v11;
      s8[i8] = v4 * ft_cosnear_f64(v11);
      acc0 = acc0 | ((long long)(1048576.0 < fabs(v5)));
      acc0 = acc0 | ((long long)(1048576.0 < fabs(v9)));
      acc0 = acc0 | ((long long)(1048576.0 < fabs(v11)));
    }
    const _Bool v12 = acc0 != 0LL;
    if (v12) {
      for (long long i9 = 0; i9 < v1; i9++) {
        const double v13 = s0[i9];
        const double v14 = s1[i9];
        s9[i9] = ft_fma_f64(0.05, v13, v14);
        const double v15 = ft_fma_f64(0.025, v13, v14);
        s7[i9] = v15;
        const double v16 = ft_tan_f64(s2[i9]) / 2.5;
        s14[i9] = v16;
        const double v17 = v15 * v16;
        s6[i9] = v17;
        const double v18 = s3[i9];
        const double v19 = ft_fma_f64(0.05, v17, v18);
        s11[i9] = v19;
        s10[i9] = ft_cos_f64(v19);
        const double v20 = v14 * v16;
        s13[i9] = v20;
        const double v21 = ft_fma_f64(0.025, v20, v18);
        s12[i9] = v21;
        s8[i9] = v15 * ft_cos_f64(v21);
      }
    }
    double s15[128] __attribute__((aligned(64)));
    double s16[128] __attribute__((aligned(64)));
    double s17[128] __attribute__((aligned(64)));
    double s18[128] __attribute__((aligned(64)));
    long long acc1 = 0LL;
    for (long long i10 = 0; i10 < v1; i10++) {
      const double v22 = s3[i10];
      const double v23 = ft_fma_f64(0.025, s6[i10], v22);
      s15[i10] = v23;
      const double v24 = s7[i10];
      const double v25 = ft_fma_f64(s9[i10], s10[i10], ft_fma_f64(2.0, (s8[i10] + (v24 * ft_cosnear_f64(v23))), (s1[i10] * ft_cosnear_f64(v22))));
      s18[i10] = ft_fma_f64(0.008333333333333333, v25, s4[i10]);
      const double v26 = s11[i10];
      s17[i10] = ft_sinnear_f64(v26);
      const double v27 = s12[i10];
      s16[i10] = v24 * ft_sinnear_f64(v27);
      acc1 = acc1 | ((long long)(1048576.0 < fabs(v23)));
      acc1 = acc1 | ((long long)(1048576.0 < fabs(v22)));
      acc1 = acc1 | ((long long)(1048576.0 < fabs(v26)));
      acc1 = acc1 | ((long long)(1048576.0 < fabs(v27)));
    }
    const _Bool v28 = acc1 != 0LL;
    if (v28) {
      for (long long i11 = 0; i11 < v1; i11++) {
        const double v29 = s3[i11];
        const double v30 = ft_fma_f64(0.025, s6[i11], v29);
        s15[i11] = v30;
        const double v31 = s7[i11];
        const double v32 = ft_fma_f64(s9[i11], s10[i11], ft_fma_f64(2.0, (s8[i11] + (v31 * ft_cos_f64(v30))), (s1[i11] * ft_cos_f64(v29))));
        s18[i11] = ft_fma_f64(0.008333333333333333, v32, s4[i11]);
        s17[i11] = ft_sin_f64(s11[i11]);
        s16[i11] = v31 * ft_sin_f64(s12[i11]);
      }
    }
    for (long long i5 = 0; i5 < v0; i5++) {
      o0[(i1 * 512) + (i5 * 4)] = s18[i5];
    }
    long long acc2 = 0LL;
    for (long long i12 = 0; i12 < v1; i12++) {
      const double v33 = s15[i12];
      const double v34 = s3[i12];
      const double v35 = s9[i12];
      const double v36 = ft_fma_f64(v35, s17[i12], ft_fma_f64(2.0, (s16[i12] + (s7[i12] * ft_sinnear_f64(v33))), (s1[i12] * ft_sinnear_f64(v34))));
      s12[i12] = ft_fma_f64(0.008333333333333333, v36, s5[i12]);
      const double v37 = s6[i12];
      const double v38 = ft_fma_f64(0.008333333333333333, ft_fma_f64(v35, s14[i12], ft_fma_f64(2.0, (v37 + v37), s13[i12])), v34);
      s11[i12] = v38;
      s10[i12] = v35;
      acc2 = acc2 | ((long long)(1048576.0 < fabs(v33)));
      acc2 = acc2 | ((long long)(1048576.0 < fabs(v34)));
    }
    const _Bool v39 = acc2 != 0LL;
    if (v39) {
      for (long long i13 = 0; i13 < v1; i13++) {
        const double v40 = s3[i13];
        const double v41 = s9[i13];
        const double v42 = ft_fma_f64(v41, s17[i13], ft_fma_f64(2.0, (s16[i13] + (s7[i13] * ft_sin_f64(s15[i13]))), (s1[i13] * ft_sin_f64(v40))));
        s12[i13] = ft_fma_f64(0.008333333333333333, v42, s5[i13]);
        const double v43 = s6[i13];
        const double v44 = ft_fma_f64(0.008333333333333333, ft_fma_f64(v41, s14[i13], ft_fma_f64(2.0, (v43 + v43), s13[i13])), v40);
        s11[i13] = v44;
        s10[i13] = v41;
      }
    }
    for (long long i7 = 0; i7 < v0; i7++) {
      o0[((i1 * 512) + (i7 * 4)) + 1] = s12[i7];
      o0[((i1 * 512) + (i7 * 4)) + 2] = s11[i7];
      o0[((i1 * 512) + (i7 * 4)) + 3] = s10[i7];
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
  case 0: if (sizes[1] > 1 && ((sizes[0] + 127) / 128) > 89) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, ((sizes[0] + 127) / 128), 6, 89, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = ((sizes[0] + 127) / 128), to = n - at[1] > 11904 ? at[1] + 11904 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
