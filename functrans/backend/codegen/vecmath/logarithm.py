"""C of logarithms and powers: x = 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2).

log(1 + f) = 2 atanh(s) with s = f / (2 + f), of which 2s = f - f^2/2 + s f^2/2 takes the part that needs no rounding.
"""

TEXT = """
double ft_split_f64(double x, double *k) {
  const _Bool small = x < 0x1p-1022;
  const long long b = ft_bits_f64(small ? x * 0x1p54 : x) + (0x3ff0000000000000LL - 0x3fe6a09e667f3bcdLL);
  const long long e = (long long)((unsigned long long)b >> 52);
  *k = (ft_float_f64(e | 0x4330000000000000LL) - 4503599627371519.0) - (small ? 54.0 : 0.0);
  return ft_float_f64((b & 0xfffffffffffffLL) + 0x3fe6a09e667f3bcdLL) - 1.0;
}

double ft_logrest_f64(double f, double half, double *s) {
  *s = f / (2.0 + f);
  const double z = *s * *s;
  return *s * ft_fma_f64(z, POLY(log, z), half);
}

double ft_logends_f64(double x, double y) {
  y = x < __builtin_inf() ? y : x;
  y = x < 0.0 ? __builtin_nan("") : y;
  return x == 0.0 ? -__builtin_inf() : y;
}

double ft_log_f64(double x) {
  double k, s;
  const double f = ft_split_f64(x, &k), half = 0.5 * f * f, r = ft_logrest_f64(f, half, &s);
  return ft_logends_f64(x, ft_fma_f64(k, K(LN2, 0), f - (half - ft_fma_f64(k, K(LN2, 1), r))));
}

double ft_log2_f64(double x) {
  double k, s;
  const double f = ft_split_f64(x, &k), half = 0.5 * f * f, r = ft_logrest_f64(f, half, &s);
  const double h = ft_float_f64(ft_bits_f64(f - half) & -4294967296LL), l = ((f - h) - half) + r;
  const double p = h * K(LOG2E, 0), y = k + p;
  return ft_logends_f64(x, y + (((k - y) + p) + ((l + h) * K(LOG2E, 1) + l * K(LOG2E, 0))));
}

double ft_log10_f64(double x) {
  double k, s;
  const double f = ft_split_f64(x, &k), half = 0.5 * f * f, r = ft_logrest_f64(f, half, &s);
  const double h = ft_float_f64(ft_bits_f64(f - half) & -4294967296LL), l = ((f - h) - half) + r;
  const double p = h * K(LOG10E, 0), g = k * K(LOG10_2, 0), y = g + p;
  const double rest = k * K(LOG10_2, 1) + ((l + h) * K(LOG10E, 1) + l * K(LOG10E, 0));
  return ft_logends_f64(x, y + (((g - y) + p) + rest));
}

double ft_log1ppair_f64(double x, double lo) {
  const double u = 1.0 + x;
  double k, s;
  const double g = ft_split_f64(u, &k), c = ft_sumlo_f64(1.0, x, u) + lo;
  const _Bool near = k == 0.0;
  const double f = near ? x : g;
  const double unit = ft_power_f64(0x4338000000000000LL + 1023 - ft_bits_f64(k + 6755399441055744.0));
  const double back = near ? lo : (k > 60.0 ? 0.0 : c * unit);
  const double half = 0.5 * f * f, r = ft_logrest_f64(f, half, &s);
  const double d = back * (1.0 - 2.0 * s * (1.0 - s * (1.0 - s * (1.0 - s))));
  return u < __builtin_inf() ? k * K(LN2, 0) - ((half - (r + (k * K(LN2, 1) + d))) - f) : u;
}

double ft_log1p_f64(double x) {
  double y = ft_log1ppair_f64(x, 0.0);
  y = x < -1.0 ? __builtin_nan("") : y;
  y = x == -1.0 ? -__builtin_inf() : y;
  return __builtin_fabs(x) < 0x1p-54 ? x : y;
}

double ft_asinh_f64(double x) {
  const double a = __builtin_fabs(x), z = a * a, q = z / (1.0 + __builtin_sqrt(1.0 + z)), h = a + q;
  const _Bool big = a > 0x1p56;
  const double y = ft_log1ppair_f64(big ? a : h, big ? 0.0 : (a - h) + q) + (big ? K(LN2FULL, 0) : 0.0);
  return a < 0x1p-28 ? x : __builtin_copysign(y, x);
}

double ft_acosh_f64(double x) {
  const double t = x - 1.0, p = x + 1.0, w = t * p, s = __builtin_sqrt(w), h = s + t;
  const double wl = ft_mullo_f64(t, p, w) + t * ft_sumlo_f64(x, 1.0, p);
  const double sl = (ft_rest_f64(s, s, w) + wl) * (0.5 / (s > 0.0 ? s : 1.0));
  const _Bool big = x > 0x1p56;
  const double y = ft_log1ppair_f64(big ? x : h, big ? 0.0 : ((s - h) + t) + sl) + (big ? K(LN2FULL, 0) : 0.0);
  return x < 1.0 ? __builtin_nan("") : y;
}

double ft_atanh_f64(double x) {
  const double a = __builtin_fabs(x), d = 1.0 - a;
  double ql;
  const double q = ft_quotient_f64(2.0 * a, 0.0, d, (1.0 - d) - a, &ql), h = q + ql;
  double y = 0.5 * ft_log1ppair_f64(h, (q - h) + ql);
  y = a == 1.0 ? __builtin_inf() : y;
  y = a > 1.0 ? __builtin_nan("") : y;
  return a < 0x1p-28 ? x : __builtin_copysign(y, x);
}

double ft_logpair_f64(double x, double *lo) {
  double k, sl;
  const double f = ft_split_f64(x, &k), d = 2.0 + f, q = ft_quotient_f64(f, 0.0, d, (2.0 - d) + f, &sl);
  const double s = q + sl, t = (q - s) + sl, z = s * s, zl = ft_mullo_f64(s, s, z) + 2.0 * s * t;
  const double p = z * K(TWOTHIRDS, 0);
  const double pl = ft_mullo_f64(z, K(TWOTHIRDS, 0), p) + z * K(TWOTHIRDS, 1) + zl * K(TWOTHIRDS, 0)
    + z * z * POLY(logtail, z);
  const double g = s * p, gl = ft_mullo_f64(s, p, g) + (s * pl + t * p);
  const double h = 2.0 * s + g, hl = ((2.0 * s - h) + g) + (gl + 2.0 * t);
  const double kh = k * K(LN2, 0), y = kh + h, yl = ft_sumlo_f64(kh, h, y) + (hl + k * K(LN2, 1)), sum = y + yl;
  *lo = (y - sum) + yl;
  return sum;
}

double ft_pow_f64(double x, double y) {
  const double a = __builtin_fabs(x), inf = __builtin_inf();
  double ll, lo; long long m;
  double l = ft_logpair_f64(a, &ll);
  l = a < inf ? l : a;
  l = a == 0.0 ? -inf : l;
  const double p = y * l, pl = ft_mullo_f64(y, l, p) + y * ll;
  const double e = ft_exppair_f64(ft_clamp_f64(p, -746.0, 710.0), __builtin_fabs(p) < 1000.0 ? pl : 0.0, &lo, &m);
  double r = ft_scale_f64(e + lo, m);
  r = a == 1.0 ? (y == y ? 1.0 : y) : r;
  const double half = 0.5 * y;
  const _Bool odd = ft_round_f64(y) == y && ft_round_f64(half) != half;
  r = odd ? __builtin_copysign(r, x) : r;
  r = x < 0.0 && a < inf && ft_round_f64(y) != y ? __builtin_nan("") : r;
  return y == 0.0 || x == 1.0 ? 1.0 : r;
}

double ft_cbrt_f64(double x) {
  const double a = __builtin_fabs(x);
  double k;
  const double m = 0.5 * ft_split_f64(a, &k) + 0.5;
  const double q = (k * 0.33333333333333331 + 6755399441055744.0) - 6755399441055744.0, j = k + 1.0 - 3.0 * q;
  const double v = j == 0.0 ? 1.0 : (j == 1.0 ? K(CBRT2, 0) : K(CBRT4, 0));
  const double big = m * (j == 0.0 ? 1.0 : (j == 1.0 ? 2.0 : 4.0)), w = v * POLY(cbrt, m), c = w * w * w;
  const double t = w * ((c + 2.0 * big) / (2.0 * c + big)), h = t * t, p = h * t;
  const double rest = (p - big) + (ft_mullo_f64(h, t, p) + ft_mullo_f64(t, t, h) * t);
  const double s = ft_power_f64(ft_bits_f64(q + 6755399441055744.0) - (0x4338000000000000LL - 1023));
  const double y = (t - rest / (3.0 * h)) * s;
  return a < __builtin_inf() && a > 0.0 ? __builtin_copysign(y, x) : x;
}
"""
