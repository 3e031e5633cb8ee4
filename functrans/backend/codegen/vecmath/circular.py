"""C of sine, cosine and tangent. Sine and cosine: x = h pi + r with |r| <= pi/2, h whole for a sine and half of an
odd number for a cosine, and one polynomial for sin r, cut at 1 and -1. Tangent: x = n pi/2 + r with |r| <= pi/4, and
one for each of sin r and cos r.

``s`` is r before its last part, which only r itself needs: the polynomial need not wait for it. Its argument is -s^2,
as 0 - s s, which is +0 for a zero: so the sine of a zero is a zero of the same sign.

``near`` stands in names of functions for |x| <= NEAR, where pi in three parts is enough. Beyond, the functions without
``near`` call the C library, and give the bits of the others where those are right.
"""

NEAR = 2.0**20
"""Up to here the functions named ``near`` are right."""

TEXT = """
double ft_lesspi_f64(double x, double h, double *most) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  *most = __builtin_fma(-h, K(PI, 1), __builtin_fma(-h, K(PI, 0), x));
  return __builtin_fma(-h, K(PI, 2), *most);
#else
  const double u = x - h * K(PI_SPLIT, 0), v = h * K(PI_SPLIT, 1), p = u - v, w = h * K(PI_SPLIT, 2), q = p - w;
  return *most = x == 0.0 ? x : q + ((ft_sumlo_f64(u, -v, p) + ft_sumlo_f64(p, -w, q)) - h * K(PI_SPLIT, 3));
#endif
}

long long ft_turns_f64(double a, double *r) {
  double most;
  const double t = ft_fma_f64(a, K(TWO_OVER_PI, 0), 6755399441055744.0);
  *r = ft_lesspi_f64(a, 0.5 * (t - 6755399441055744.0), &most);
  return ft_bits_f64(t);
}

_Bool ft_isnear_f64(double x) { return __builtin_fabs(x) <= NEAR; }

double ft_sinlo_f64(double r, double z) { return z * r * POLY(sin, z); }

double ft_coslo_f64(double z) { return z * z * POLY(cos, z); }

double ft_sinpart_f64(double r, double z) { return ft_fma_f64(z * r, POLY(sin, z), r); }

double ft_cospart_f64(double z) { return ft_fma_f64(z * z, POLY(cos, z), ft_fma_f64(z, -0.5, 1.0)); }

double ft_arc_f64(double r, double s, long long turns) {
  const double z = ft_fma_f64(-s, s, 0.0), w = z * z, y = ft_fma_f64(z * s, POLY(arc, z, w), r);
  const double one = ft_one_f64(), m = one < y ? one : y;
  return ft_float_f64(ft_bits_f64(-one > m ? -one : m) ^ ft_high_f64(turns));
}

double ft_sinnear_f64(double x) {
  double s;
  const double t = ft_fma_f64(x, K(INVPI, 0), 6755399441055744.0), r = ft_lesspi_f64(x, t - 6755399441055744.0, &s);
  return ft_arc_f64(r, s, ft_bits_f64(t));
}

double ft_cosnear_f64(double x) {
  double s;
  const double a = __builtin_fabs(x), t = ft_fma_f64(a, K(INVPI, 0), -0.5) + 6755399441055745.0;
  const double r = ft_lesspi_f64(a, (t - 6755399441055745.0) + 0.5, &s);
  return ft_arc_f64(r, s, ft_bits_f64(t));
}

double ft_slope_f64(long long n, double x, double r) {
  const double z = r * r, w = 1.0 - 0.5 * z, sl = ft_sinlo_f64(r, z), cl = ((1.0 - w) - 0.5 * z) + ft_coslo_f64(z);
  const double s = r + sl, t = w + cl, se = (r - s) + sl, te = (w - t) + cl;
  const _Bool even = (n & 1) == 0;
  double lo;
  const double q = ft_quotient_f64(even ? s : -t, even ? se : -te, even ? t : s, even ? te : se, &lo);
  const double y = __builtin_fabs(x) < 0x1p-28 ? __builtin_fabs(x) : q + lo;
  return ft_float_f64(ft_bits_f64(y) ^ (ft_bits_f64(x) & (-0x7fffffffffffffffLL - 1)));
}

double ft_tannear_f64(double x) {
  double r;
  const long long n = ft_turns_f64(__builtin_fabs(x), &r);
  return ft_slope_f64(n, x, r);
}

static __attribute__((noinline, const)) double ft_sin_f64(double x) {
  return ft_isnear_f64(x) ? ft_sinnear_f64(x) : sin(x);
}

static __attribute__((noinline, const)) double ft_cos_f64(double x) {
  return ft_isnear_f64(x) ? ft_cosnear_f64(x) : cos(x);
}

static __attribute__((noinline, const)) double ft_tan_f64(double x) {
  return ft_isnear_f64(x) ? ft_tannear_f64(x) : tan(x);
}

double ft_sinpi_f64(double x) {
  const double f = __builtin_fabs(x - ft_round_f64(x));
  const _Bool low = f <= 0.25;
  const double r = K(PI, 0) * (low ? f : 0.5 - f), z = r * r;
  return low ? ft_sinpart_f64(r, z) : ft_cospart_f64(z);
}
""".replace("NEAR;", f"{NEAR!r};")
