"""C of exponentials: e^x = 2^n e^r with |r| <= log(2) / 2, and a polynomial for e^r.

``exppair`` gives e^(x + c) as (high + low) 2^(m - 2046), which may be larger or smaller than any float64; ``scale``
puts the power in by two factors, so that what is subnormal is rounded once.
"""

TEXT = """
double ft_exptail_f64(double r, double c, double *lo) {
  const double q = r * r * POLY(exp, r), a = 1.0 + r;
  *lo = ((1.0 - a) + r) + ft_fma_f64(c, a + q, q);
  return a;
}

double ft_exppair_f64(double x, double c, double *lo, long long *m) {
  const double t = x * K(INVLN2, 0) + 6755399441055744.0, n = t - 6755399441055744.0;
  const double h = ft_fma_f64(-n, K(LN2, 0), x), w = n * K(LN2, 1), r = h - w;
  *m = ft_bits_f64(t) - (0x4338000000000000LL - 2046);
  return ft_exptail_f64(r, ((h - r) - w) + c, lo);
}

double ft_scale_f64(double x, long long m) {
  const long long half = (long long)((unsigned long long)m >> 1);
  return (x * ft_power_f64(half)) * ft_power_f64(m - half);
}

double ft_clamp_f64(double x, double low, double high) { x = x > high ? high : x; return x < low ? low : x; }

double ft_exp_f64(double x) {
  double lo; long long m;
  const double a = ft_exppair_f64(ft_clamp_f64(x, -746.0, 710.0), 0.0, &lo, &m);
  return ft_scale_f64(a + lo, m);
}

double ft_exp2_f64(double x) {
  const double y = ft_clamp_f64(x, -1080.0, 1025.0), t = y + 6755399441055744.0, f = y - (t - 6755399441055744.0);
  const double r = f * K(LN2FULL, 0);
  double lo;
  const double a = ft_exptail_f64(r, ft_mullo_f64(f, K(LN2FULL, 0), r) + f * K(LN2FULL, 1), &lo);
  return ft_scale_f64(a + lo, ft_bits_f64(t) - (0x4338000000000000LL - 2046));
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

double ft_tanh_f64(double x) {
  const double a = __builtin_fabs(x);
  double lo, ql;
  const double h = ft_expm1pair_f64(2.0 * ft_clamp_f64(a, 0.0, 22.0), &lo), n = h + lo, nl = (h - n) + lo, d = n + 1.0;
  const double q = ft_quotient_f64(n, nl, d, ft_sumlo_f64(n, 1.0, d) + nl, &ql);
  return a < 0x1p-28 ? x : __builtin_copysign(q + ql, x);
}
"""
