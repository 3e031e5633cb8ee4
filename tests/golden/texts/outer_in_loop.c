#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif
static inline __attribute__((always_inline)) double ft_expparts_f64(double r) { const double z = r * r; return ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(ft_fma_f64(2.511797453389394e-08, z, ft_fma_f64(2.7631414313456104e-07, r, 2.7557215944213365e-06)), z, ft_fma_f64(2.480148958888789e-05, r, 0.0001984126991778212)), z, ft_fma_f64(0.0013888888947333087, r, 0.008333333333307021)), z, ft_fma_f64(0.041666666666514314, r, 0.166666666666667)), r, 0.5000000000000013), z, 1.0 + r); }
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
