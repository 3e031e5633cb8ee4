"""C of inverse circular functions: a quotient or a root in two parts brings arguments near zero, then a polynomial."""

TEXT = """
double ft_atan2_f64(double y, double x) {
  const double ay = __builtin_fabs(y), ax = __builtin_fabs(x), inf = __builtin_inf();
  const _Bool swap = ay > ax, both = ax == inf && ay == inf;
  double n = swap ? ax : ay, d = swap ? ay : ax;
  const double by = d > 0x1p400 ? 0x1p-600 : (d < 0x1p-400 ? 0x1p600 : (n < 0x1p-400 ? 0x1p400 : 1.0));
  n = both ? 1.0 : (d == inf ? 0.0 : n * by);
  d = both || d == inf || d == 0.0 ? 1.0 : d * by;
  const _Bool mid = n > 0.41421356237309503 * d;
  const double num = mid ? n - d : n, den = mid ? n + d : d;
  double lo;
  const double nl = mid ? ft_sumlo_f64(n, -d, num) : 0.0, dl = mid ? ft_sumlo_f64(n, d, den) : 0.0;
  const double q = ft_quotient_f64(num, nl, den, dl, &lo), z = q * q;
  const double rest = ft_fma_f64(q * z, POLY(atan, z), lo * (1.0 - z));
  double k = mid ? 1.0 : 0.0;
  k = swap ? 2.0 - k : k;
  const _Bool left = __builtin_copysign(1.0, x) < 0.0, back = left != swap;
  k = left ? 4.0 - k : k;
  const double a = back ? -q : q, base = k * K(PIO4, 0), h = base + a, l = (base - h) + a;
  const double r = h + (l + ((back ? -rest : rest) + k * K(PIO4, 1)));
  return ax <= inf && ay <= inf ? __builtin_copysign(r, y) : x + y;
}

double ft_atan_f64(double x) {
  const double a = __builtin_fabs(x), b = a > 1e300 ? 1e300 : a;
  const _Bool mid = a > 0.41421356237309503, big = a > 2.4142135623730949;
  const double num = big ? -1.0 : (mid ? b - 1.0 : b), den = big ? b : (mid ? b + 1.0 : 1.0);
  const _Bool sum = mid && !big;
  double lo;
  const double nl = sum ? ft_sumlo_f64(b, -1.0, num) : 0.0, dl = sum ? ft_sumlo_f64(b, 1.0, den) : 0.0;
  const double q = ft_quotient_f64(num, nl, den, dl, &lo), z = q * q;
  const double rest = ft_fma_f64(q * z, POLY(atan, z), lo * (1.0 - z));
  const double k = big ? 2.0 : (mid ? 1.0 : 0.0), base = k * K(PIO4, 0), h = base + q, l = (base - h) + q;
  return __builtin_copysign(h + (l + (rest + k * K(PIO4, 1))), x);
}

double ft_arcroot_f64(double a, double *rest) {
  const _Bool near = a <= 0.5;
  const double z = near ? a * a : 0.5 * (1.0 - a), s = near ? a : __builtin_sqrt(z);
  const double sl = near ? 0.0 : ft_rest_f64(s, s, z) * (0.5 / (s > 0.0 ? s : 1.0));
  *rest = ft_fma_f64(s * z, POLY(asin, z), sl);
  return s;
}

double ft_asin_f64(double x) {
  const double a = __builtin_fabs(x);
  double rest;
  const double s = ft_arcroot_f64(a, &rest), h = K(PIO2, 0) - 2.0 * s, l = (K(PIO2, 0) - h) - 2.0 * s;
  return __builtin_copysign(a <= 0.5 ? s + rest : h + (l + (K(PIO2, 1) - 2.0 * rest)), x);
}

double ft_acos_f64(double x) {
  const double a = __builtin_fabs(x);
  double rest;
  const double s = ft_arcroot_f64(a, &rest);
  const _Bool near = a <= 0.5, left = x < 0.0;
  const double k = near ? 1.0 : (left ? 2.0 : 0.0), f = near ? 1.0 : 2.0, g = near != left ? -f : f;
  const double base = k * K(PIO2, 0), h = base + g * s, l = (base - h) + g * s;
  return h + (l + (g * rest + k * K(PIO2, 1)));
}
"""
