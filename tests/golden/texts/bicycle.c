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
static inline __attribute__((always_inline)) double ft_sumlo_f64(double a, double b, double s) { const double t = s - a; return (a - (s - t)) + (b - t); }
static inline __attribute__((always_inline)) double ft_lesspi_f64(double x, double h, double *most) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  *most = __builtin_fma(-h, 1.224646799147353e-16, __builtin_fma(-h, 3.141592653589793, x));
  return __builtin_fma(-h, 2.1657133478438278e-32, *most);
#else
  const double u = x - h * 3.1415926534682512, v = h * 1.2154201012607932e-10, p = u - v, w = h * 4.044532497422333e-21, q = p - w;
  return *most = x == 0.0 ? x : q + ((ft_sumlo_f64(u, -v, p) + ft_sumlo_f64(p, -w, q)) - h * 1.69568553207378e-31);
#endif
}
static inline __attribute__((always_inline)) long long ft_bits_f64(double x) { long long b; __builtin_memcpy(&b, &x, 8); return b; }
static inline __attribute__((always_inline)) long long ft_turns_f64(double a, double *r) {
  double most;
  const double t = ft_fma_f64(a, 0.6366197723675814, 6755399441055744.0);
  *r = ft_lesspi_f64(a, 0.5 * (t - 6755399441055744.0), &most);
  return ft_bits_f64(t);
}
static inline __attribute__((always_inline)) double ft_sinlo_f64(double r, double z) { return z * r * ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(1.5896795597066373e-10, z, -2.5050758113311716e-08), z, 2.7557313691896967e-06), z, -0.0001984126982980771), z, 0.008333333333322413), z, -0.16666666666666632); }
static inline __attribute__((always_inline)) double ft_coslo_f64(double z) { return z * z * ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(-1.135964894460712e-11, z, 2.087572329494357e-09), z, -2.755731435248876e-07), z, 2.4801587289482706e-05), z, -0.0013888888888874125), z, 0.0416666666666666); }
static inline __attribute__((always_inline)) double ft_float_f64(long long b) { double x; __builtin_memcpy(&x, &b, 8); return x; }
static inline __attribute__((always_inline)) double ft_mullo_f64(double a, double b, double p) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return __builtin_fma(a, b, -p);
#else
  double s = ft_float_f64(ft_bits_f64(a) & -134217728LL), t = ft_float_f64(ft_bits_f64(b) & -134217728LL);
  double u = a - s, v = b - t;
  return ((s * t - p) + s * v + u * t) + u * v;
#endif
}
static inline __attribute__((always_inline)) double ft_rest_f64(double a, double b, double c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return __builtin_fma(-a, b, c);
#else
  const double p = a * b;
  return (c - p) - ft_mullo_f64(a, b, p);
#endif
}
static inline __attribute__((always_inline)) double ft_quotient_f64(double n, double nl, double d, double dl, double *lo) {
  const double r = 1.0 / d, q = n * r;
  *lo = (ft_rest_f64(q, d, n) + (nl - q * dl)) * r;
  return q;
}
static inline __attribute__((always_inline)) double ft_slope_f64(long long n, double x, double r) {
  const double z = r * r, w = 1.0 - 0.5 * z, sl = ft_sinlo_f64(r, z), cl = ((1.0 - w) - 0.5 * z) + ft_coslo_f64(z);
  const double s = r + sl, t = w + cl, se = (r - s) + sl, te = (w - t) + cl;
  const _Bool even = (n & 1) == 0;
  double lo;
  const double q = ft_quotient_f64(even ? s : -t, even ? se : -te, even ? t : s, even ? te : se, &lo);
  const double y = __builtin_fabs(x) < 0x1p-28 ? __builtin_fabs(x) : q + lo;
  return ft_float_f64(ft_bits_f64(y) ^ (ft_bits_f64(x) & (-0x7fffffffffffffffLL - 1)));
}
static inline __attribute__((always_inline)) double ft_tannear_f64(double x) {
  double r;
  const long long n = ft_turns_f64(__builtin_fabs(x), &r);
  return ft_slope_f64(n, x, r);
}
static __attribute__((noinline, const)) double ft_one_f64(void) { return 1.0; }
static inline __attribute__((always_inline)) long long ft_high_f64(long long n) { return (long long)((unsigned long long)n << 63); }
static inline __attribute__((always_inline)) double ft_arc_f64(double r, double s, long long turns) {
  const double z = ft_fma_f64(-s, s, 0.0), w = z * z, y = ft_fma_f64(z * s, ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(2.7222511067363714e-15, w, ft_fma_f64(7.643097358544194e-13, z, 1.605894392776494e-10)), w, ft_fma_f64(2.505210696014581e-08, z, 2.755731921213165e-06)), w, ft_fma_f64(0.00019841269841215284, z, 0.008333333333333212)), z, 0.16666666666666666), r);
  const double one = ft_one_f64(), m = one < y ? one : y;
  return ft_float_f64(ft_bits_f64(-one > m ? -one : m) ^ ft_high_f64(turns));
}
static inline __attribute__((always_inline)) double ft_cosnear_f64(double x) {
  double s;
  const double a = __builtin_fabs(x), t = ft_fma_f64(a, 0.3183098861837907, -0.5) + 6755399441055745.0;
  const double r = ft_lesspi_f64(a, (t - 6755399441055745.0) + 0.5, &s);
  return ft_arc_f64(r, s, ft_bits_f64(t));
}
static inline __attribute__((always_inline)) _Bool ft_isnear_f64(double x) { return __builtin_fabs(x) <= 1048576.0; }
static __attribute__((noinline, const)) double ft_tan_f64(double x) {
  return ft_isnear_f64(x) ? ft_tannear_f64(x) : tan(x);
}
static __attribute__((noinline, const)) double ft_cos_f64(double x) {
  return ft_isnear_f64(x) ? ft_cosnear_f64(x) : cos(x);
}
static inline __attribute__((always_inline)) double ft_sinnear_f64(double x) {
  double s;
  const double t = ft_fma_f64(x, 0.3183098861837907, 6755399441055744.0), r = ft_lesspi_f64(x, t - 6755399441055744.0, &s);
  return ft_arc_f64(r, s, ft_bits_f64(t));
}
static __attribute__((noinline, const)) double ft_sin_f64(double x) {
  return ft_isnear_f64(x) ? ft_sinnear_f64(x) : sin(x);
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
