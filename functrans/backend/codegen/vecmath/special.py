"""C of the error functions and of log gamma.

erfc(x) = e^(-x^2) g(t) / (x + 0.9) with t = 2x / (x + 4) - 1 for x >= 0 (after Shepherd and Laframboise, 1981): g
hardly changes where x is small, so what t lacks is not felt there. e^r is taken as g + g (e^r - 1), the rounding of x^2
put into r. erf by its own polynomial below 1; above, where it is near 1, by a shorter one of the same kind. log gamma
by a polynomial on [1, 3], one on [3, 8], Stirling's series above, and by reflection below 0, where it is exact to an
absolute error only, as it is near its zeros at 1 and 2.
"""

TEXT = """
double ft_erfc_f64(double x) {
  const double a = __builtin_fabs(x), b = a > 28.0 ? 28.0 : a, h = b * b, c = (b + b) / (b + 4.0) - 1.0, w = c * c;
  const double g = POLY(erfcx, c, w) / (b + 0.9);
  const double t = ft_fma_f64(h, -K(INVLN2, 0), 6755399441057790.0), n = t - 6755399441057790.0;
  const double r = ft_fma_f64(-n, K(LN2, 1), ft_fma_f64(-n, K(LN2, 0), -h)) - ft_mullo_f64(b, b, h), z = r * r;
  const double y = ft_scale_f64(ft_fma_f64(g, ft_fma_f64(POLY(exp, r, z), z, r), g), ft_bits_f64(t));
  return x < 0.0 ? 2.0 - y : y;
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
