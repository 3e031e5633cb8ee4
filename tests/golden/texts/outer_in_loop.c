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

static void k0(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch, long long n0, long long i0) {
  for (long long i1 = 0; i1 < 5; i1++) {
    double acc0 = 0.0;
    const double v0 = a0[i1 * 4] - a1[i0 * 4];
    acc0 = acc0 + (v0 * v0);
    const double v1 = a0[(i1 * 4) + 1] - a1[(i0 * 4) + 1];
    acc0 = acc0 + (v1 * v1);
    const double v2 = a0[(i1 * 4) + 2] - a1[(i0 * 4) + 2];
    acc0 = acc0 + (v2 * v2);
    const double v3 = a0[(i1 * 4) + 3] - a1[(i0 * 4) + 3];
    acc0 = acc0 + (v3 * v3);
    o0[(i1 * n0) + i0] = ft_exp_f64((-acc0));
  }
}

int ft_entry(void **buffers, const long long *sizes) {
  for (long long i0 = 0; i0 < sizes[0]; i0++) k0(buffers[0], buffers[1], buffers[2], (char *)buffers[3], sizes[0], i0);
  return 0;
}
