"""C of exponentials: e^x = 2^n e^r with |r| <= log(2) / 2, and a polynomial for e^r.

A large number added to n leaves n + 2046 in the low bits of the sum, m. ``exppair`` gives e^(x + c) as
(high + low) 2^(m - 2046), which may be larger or smaller than any float64; ``scale`` puts the power in by two factors,
so that what is subnormal is rounded once. Of m it takes the low 12 bits.

A tangent is 1 - 2 / (e^2x + 1), and below 0.85, where that would cancel, x + x P(x^2) / Q(x^2): Lambert's continued
fraction to the ninth level, which is off by 2e-18 there. One division serves both.
"""

TEXT = """
double ft_exptail_f64(double r, double c, double *lo) {
  const double q = r * r * POLY(exp, r), a = 1.0 + r;
  *lo = ((1.0 - a) + r) + ft_fma_f64(c, a + q, q);
  return a;
}

double ft_exppair_f64(double x, double c, double *lo, long long *m) {
  const double t = x * K(INVLN2, 0) + 6755399441057790.0, n = t - 6755399441057790.0;
  const double h = ft_fma_f64(-n, K(LN2, 0), x), w = n * K(LN2, 1), r = h - w;
  *m = ft_bits_f64(t);
  return ft_exptail_f64(r, ((h - r) - w) + c, lo);
}

double ft_scale_f64(double x, long long m) {
  const long long half = (long long)((unsigned long long)m >> 1);
  return (x * ft_power_f64(half)) * ft_power_f64(m - half);
}

double ft_clamp_f64(double x, double low, double high) { x = x > high ? high : x; return x < low ? low : x; }

double ft_expends_f64(double x, double y, double low, double high) {
  y = x > high ? __builtin_inf() : y;
  return x < low ? 0.0 : y;
}

double ft_expparts_f64(double r) { const double z = r * r; return ft_fma_f64(POLY(exp, r, z), z, 1.0 + r); }

double ft_exp_f64(double x) {
  const double t = ft_fma_f64(x, K(INVLN2, 0), 6755399441057790.0), n = t - 6755399441057790.0;
  const double y = ft_expparts_f64(ft_fma_f64(-n, K(LN2, 1), ft_fma_f64(-n, K(LN2, 0), x)));
  return ft_expends_f64(x, ft_scale_f64(y, ft_bits_f64(t)), -746.0, 709.8);
}

double ft_expnear_f64(double x) {
  const double t = ft_fma_f64(x, K(INVLN2, 0), 6755399441056767.0), n = t - 6755399441056767.0;
  const double y = ft_expparts_f64(ft_fma_f64(-n, K(LN2, 1), ft_fma_f64(-n, K(LN2, 0), x)));
  return y * ft_power_f64(ft_bits_f64(t));
}

double ft_exp2_f64(double x) {
  const double t = x + 6755399441057790.0, y = ft_expparts_f64((x - (t - 6755399441057790.0)) * K(LN2FULL, 0));
  return ft_expends_f64(x, ft_scale_f64(y, ft_bits_f64(t)), -1076.0, 1024.0);
}

double ft_expm1pair_f64(double x, double *lo) {
  const double t = x * K(INVLN2, 0) + 6755399441055744.0, n = t - 6755399441055744.0;
  const double h = ft_fma_f64(-n, K(LN2, 0), x), w = n * K(LN2, 1), r = h - w;
  const double s = ft_power_f64(ft_bits_f64(t) - (0x4338000000000000LL - 1022));
  const double u = s - 0.5, v = s * r, y = u + v;
  *lo = ((u - y) + v) + s * ft_fma_f64(r * r, POLY(exp, r), (h - r) - w);
  return y;
}

double ft_expm1_f64(double x) {
  double lo;
  const double y = ft_expm1pair_f64(ft_clamp_f64(x, -45.0, 710.0), &lo);
  return __builtin_fabs(x) < 0x1p-54 ? x : 2.0 * (y + lo);
}

double ft_sinh_f64(double x) {
  const double a = __builtin_fabs(x), z = a * a;
  double lo; long long m;
  const double e = ft_exppair_f64(ft_clamp_f64(a, 0.0, 712.0), 0.0, &lo, &m);
  const double s = ft_scale_f64(e, m - 1), y = s + (ft_scale_f64(lo, m - 1) - 0.25 / ft_scale_f64(e + lo, m - 1));
  return __builtin_copysign(a < 1.0 ? ft_fma_f64(a * z, POLY(sinh, z), a) : y, x);
}

double ft_cosh_f64(double x) {
  double lo; long long m;
  const double e = ft_exppair_f64(ft_clamp_f64(__builtin_fabs(x), 0.0, 712.0), 0.0, &lo, &m);
  const double s = ft_scale_f64(e, m - 1);
  return s + (ft_scale_f64(lo, m - 1) + 0.25 / ft_scale_f64(e + lo, m - 1));
}

double ft_tanhnear_f64(double z, double *below) {
  const double zz = z * z, c = ft_fma_f64(16216200.0, z, 34459425.0);
  *below = ft_fma_f64(ft_fma_f64(zz, 45.0, ft_fma_f64(13860.0, z, 945945.0)), zz, c);
  return ft_fma_f64(ft_fma_f64(-44.0, z, -12870.0), zz, ft_fma_f64(-810810.0, z, -11486475.0)) * z;
}

double ft_tanh_f64(double x) {
  const double a = __builtin_fabs(x);
  double below;
  const double above = ft_tanhnear_f64(a * a, &below) * a, e = ft_expnear_f64(2.0 * ft_clamp_f64(a, 0.0, 22.0)) + 1.0;
  const double n = a < 0.85 ? above : -2.0, d = a < 0.85 ? below : e, whole = a < 0.85 ? a : 1.0;
  return __builtin_copysign(whole + n / d, x);
}
"""
