double sin(double) __attribute__((const));
double cos(double) __attribute__((const));
double fabs(double) __attribute__((const));
static inline long long ft_min_i64(long long a, long long b) { const long long m = a < b ? a : b; return a == a ? m : a; }
static inline __attribute__((always_inline)) _Bool ft_isnear_f64(double x) { return __builtin_fabs(x) <= 1048576.0; }
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
static __attribute__((noinline, const)) double ft_one_f64(void) { return 1.0; }
static inline __attribute__((always_inline)) double ft_float_f64(long long b) { double x; __builtin_memcpy(&x, &b, 8); return x; }
static inline __attribute__((always_inline)) long long ft_bits_f64(double x) { long long b; __builtin_memcpy(&b, &x, 8); return b; }
static inline __attribute__((always_inline)) long long ft_high_f64(long long n) { return (long long)((unsigned long long)n << 63); }
static inline __attribute__((always_inline)) double ft_arc_f64(double r, double s, long long turns) {
  const double z = ft_fma_f64(-s, s, 0.0), w = z * z, y = ft_fma_f64(z * s, ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(2.7222511067363714e-15, w, ft_fma_f64(7.643097358544194e-13, z, 1.605894392776494e-10)), w, ft_fma_f64(2.505210696014581e-08, z, 2.755731921213165e-06)), w, ft_fma_f64(0.00019841269841215284, z, 0.008333333333333212)), z, 0.16666666666666666), r);
  const double one = ft_one_f64(), m = one < y ? one : y;
  return ft_float_f64(ft_bits_f64(-one > m ? -one : m) ^ ft_high_f64(turns));
}
static inline __attribute__((always_inline)) double ft_sinnear_f64(double x) {
  double s;
  const double t = ft_fma_f64(x, 0.3183098861837907, 6755399441055744.0), r = ft_lesspi_f64(x, t - 6755399441055744.0, &s);
  return ft_arc_f64(r, s, ft_bits_f64(t));
}
static __attribute__((noinline, const)) double ft_sin_f64(double x) {
  return ft_isnear_f64(x) ? ft_sinnear_f64(x) : sin(x);
}
static inline __attribute__((always_inline)) double ft_cosnear_f64(double x) {
  double s;
  const double a = __builtin_fabs(x), t = ft_fma_f64(a, 0.3183098861837907, -0.5) + 6755399441055745.0;
  const double r = ft_lesspi_f64(a, (t - 6755399441055745.0) + 0.5, &s);
  return ft_arc_f64(r, s, ft_bits_f64(t));
}
static __attribute__((noinline, const)) double ft_cos_f64(double x) {
  return ft_isnear_f64(x) ? ft_cosnear_f64(x) : cos(x);
}

static void k0(const double *restrict a0, double *restrict o0, double *restrict o1, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i1 = from; i1 < to; i1++) {
    const long long v0 = ft_min_i64(512, (n0 + (i1 * -512)));
    long long acc1 = 0LL;
    for (long long i2 = 0; i2 < v0; i2++) {
      acc1 = acc1 | ((long long)(1048576.0 < fabs(a0[((i1 * 512) + i2) * 4])));
      acc1 = acc1 | ((long long)(1048576.0 < fabs(a0[(((i1 * 512) + i2) * 4) + 1])));
      acc1 = acc1 | ((long long)(1048576.0 < fabs(a0[(((i1 * 512) + i2) * 4) + 2])));
      acc1 = acc1 | ((long long)(1048576.0 < fabs(a0[(((i1 * 512) + i2) * 4) + 3])));
    }
    const _Bool v1 = acc1 != 0LL;
    if (v1) {
      for (long long i3 = 0; i3 < v0; i3++) {
        double acc0 = 0.0;
        const double v2 = a0[((i1 * 512) + i3) * 4];
        acc0 = acc0 + ft_sin_f64(v2);
        const double v3 = a0[(((i1 * 512) + i3) * 4) + 1];
        acc0 = acc0 + ft_sin_f64(v3);
        const double v4 = a0[(((i1 * 512) + i3) * 4) + 2];
        acc0 = acc0 + ft_sin_f64(v4);
        const double v5 = a0[(((i1 * 512) + i3) * 4) + 3];
        acc0 = acc0 + ft_sin_f64(v5);
        o0[(i1 * 512) + i3] = acc0;
        o1[((i1 * 512) + i3) * 4] = ft_cos_f64(v2);
        o1[(((i1 * 512) + i3) * 4) + 1] = ft_cos_f64(v3);
        o1[(((i1 * 512) + i3) * 4) + 2] = ft_cos_f64(v4);
        o1[(((i1 * 512) + i3) * 4) + 3] = ft_cos_f64(v5);
      }
    }
    const _Bool v6 = !v1;
    if (v6) {
      for (long long i4 = 0; i4 < v0; i4++) {
        double acc0 = 0.0;
        const double v7 = a0[((i1 * 512) + i4) * 4];
        acc0 = acc0 + ft_sinnear_f64(v7);
        const double v8 = a0[(((i1 * 512) + i4) * 4) + 1];
        acc0 = acc0 + ft_sinnear_f64(v8);
        const double v9 = a0[(((i1 * 512) + i4) * 4) + 2];
        acc0 = acc0 + ft_sinnear_f64(v9);
        const double v10 = a0[(((i1 * 512) + i4) * 4) + 3];
        acc0 = acc0 + ft_sinnear_f64(v10);
        o0[(i1 * 512) + i4] = acc0;
        o1[((i1 * 512) + i4) * 4] = ft_cosnear_f64(v7);
        o1[(((i1 * 512) + i4) * 4) + 1] = ft_cosnear_f64(v8);
        o1[(((i1 * 512) + i4) * 4) + 2] = ft_cosnear_f64(v9);
        o1[(((i1 * 512) + i4) * 4) + 3] = ft_cosnear_f64(v10);
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
  case 0: if (sizes[1] > 1 && ((sizes[0] + 511) / 512) > 345) {
    if (((ft_pool *)buffers[4])(k0_part, buffers, sizes, ((sizes[0] + 511) / 512), 24, 345, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = ((sizes[0] + 511) / 512), to = n - at[1] > 46080 ? at[1] + 46080 : n;
    k0(buffers[0], buffers[1], buffers[2], (char *)buffers[3], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
