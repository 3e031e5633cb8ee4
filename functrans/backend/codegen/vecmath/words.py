"""C of the smallest parts: bit casts, exact sums, products and quotients of two float64, rounding.

Where a name ends on ``lo`` it gives what the rounded result lacks. A fused multiply-add is used where the target has
one; elsewhere the product is split, and the result may differ in its last bit from machine to machine.

``one`` is 1 where compilers may not know it: of a selection of constants gcc 12 makes a comparison and a masked move,
of one between the very numbers that are compared the one instruction that machines have for it.
"""

TEXT = """
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f32(a, b, c) __builtin_fmaf(a, b, c)
#else
#define ft_fma_f32(a, b, c) ((a) * (b) + (c))
#endif

long long ft_bits_f64(double x) { long long b; __builtin_memcpy(&b, &x, 8); return b; }

double ft_float_f64(long long b) { double x; __builtin_memcpy(&x, &b, 8); return x; }

double ft_mullo_f64(double a, double b, double p) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return __builtin_fma(a, b, -p);
#else
  double s = ft_float_f64(ft_bits_f64(a) & -134217728LL), t = ft_float_f64(ft_bits_f64(b) & -134217728LL);
  double u = a - s, v = b - t;
  return ((s * t - p) + s * v + u * t) + u * v;
#endif
}

double ft_rest_f64(double a, double b, double c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return __builtin_fma(-a, b, c);
#else
  const double p = a * b;
  return (c - p) - ft_mullo_f64(a, b, p);
#endif
}

static __attribute__((noinline, const)) double ft_one_f64(void) { return 1.0; }

double ft_sumlo_f64(double a, double b, double s) { const double t = s - a; return (a - (s - t)) + (b - t); }

double ft_quotient_f64(double n, double nl, double d, double dl, double *lo) {
  const double r = 1.0 / d, q = n * r;
  *lo = (ft_rest_f64(q, d, n) + (nl - q * dl)) * r;
  return q;
}

double ft_round_f64(double x) {
  const double a = __builtin_fabs(x), r = (a + 4503599627370496.0) - 4503599627370496.0;
  return __builtin_copysign(a < 4503599627370496.0 ? r : a, x);
}

long long ft_high_f64(long long n) { return (long long)((unsigned long long)n << 63); }

double ft_power_f64(long long biased) { return ft_float_f64(biased << 52); }
"""
