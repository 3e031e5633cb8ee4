"""C of the error functions and of log gamma.

erfc(x) = e^(-x^2) g(t) / (1 + 2x) with t = (x - 4) / (x + 4) for x >= 0 (Shepherd and Laframboise, 1981), and
1 - erf(x) near 0. erf by its own polynomial below 1; above, where it is near 1, by a shorter one of the same kind. log
gamma by a polynomial on [1, 3], one on [3, 8], Stirling's series above, and by reflection below 0, where it is exact to
an absolute error only, as it is near its zeros at 1 and 2.
"""

TEXT = """
double ft_erfctail_f64(double a, double *lo, long long *m) {
  const double b = a > 30.0 ? 30.0 : a, h = b * b, t = (b - 4.0) / (b + 4.0), g = POLY(erfcx, t) / (1.0 + 2.0 * b);
  double l;
  const double e = ft_exppair_f64(-h, -ft_mullo_f64(b, b, h), &l, m);
  *lo = l * g;
  return e * g;
}

double ft_erfc_f64(double x) {
  double lo; long long m;
  const double a = __builtin_fabs(x), h = ft_erfctail_f64(a, &lo, &m), y = ft_scale_f64(h + lo, m), z = a * a;
  const double far = x < 0.0 ? 2.0 - y : y;
  return a < 0.5 ? 1.0 - ft_fma_f64(x, POLY(erf, z), x) : far;
}

double ft_erf_f64(double x) {
  const double a = __builtin_fabs(x), b = a > 6.0 ? 6.0 : a, z = b * b, u = 1.0 / (b + 3.0) - 0.18;
  const double y = 1.0 - POLY(erffar, u) * ft_expnear_f64(-z);
  return __builtin_copysign(a < 1.0 ? ft_fma_f64(a, POLY(erf, z), a) : y, x);
}

double ft_lgammapart_f64(double a) {
  const _Bool low = a < 1.0, first = a < 3.0;
  const double w = low ? a : a - 1.0, u = low ? a - 1.0 : a - 2.0, v = first ? u : a - 5.5;
  const double p = (first ? w * u : a - 2.0) * POLY2(first, lgamma1, lgamma3, v);
  const double y = 1.0 / a, s = (a - 0.5) * (ft_log_f64(a) - 1.0) + (K(STIRLING0, 0) + y * POLY(stirling, y * y));
  return a < 8.0 ? p : s;
}

double ft_lgamma_f64(double x) {
  const double a = __builtin_fabs(x), s = ft_sinpi_f64(a) * (1.0 / K(PI, 0));
  const double b = x < 0.0 ? (a < 1.0 ? s : a * s) : (a < 1.0 ? a : 1.0);
  const double p = ft_lgammapart_f64(a), y = ((x < 0.0 ? -p : p) - ft_log_f64(b)) + 0.0;
  return a < __builtin_inf() ? (b == 0.0 ? __builtin_inf() : y) : a;
}
"""
