"""C of sine, cosine, tangent and their inverses for float32 by itself: the ways are those of float64 in one number.

A tangent is a polynomial on a quarter of a turn, or minus one over it; what its rounding and that of its argument lost
is put back into the quotient.
"""

NEAR = 2.0**16
"""Up to here, which float16 does not exceed, the functions named ``near`` are right; beyond, the C library is asked."""

WORDS = """
float ft_lesspi_f32(float x, float h, float *most) {
  *most = ft_fma_f32(-h, K(PI, 1), ft_fma_f32(-h, K(PI, 0), x));
  return ft_fma_f32(-h, K(PI, 2), *most);
}

_Bool ft_isnear_f32(float x) { return __builtin_fabsf(x) <= NEAR; }

float ft_arc_f32(float r, float s, int turns) {
  const float z = ft_fma_f32(-s, s, 0.0f), w = z * z;
  const float y = ft_clamp_f32(ft_fma_f32(z * s, POLY(arc, z, w), r), -1.0f, 1.0f);
  return ft_float_f32(ft_bits_f32(y) ^ (int)((unsigned)turns << 31));
}

static __attribute__((noinline, const)) float ft_sin_f32(float x) {
  return ft_isnear_f32(x) ? ft_sinnear_f32(x) : sin(x);
}

static __attribute__((noinline, const)) float ft_cos_f32(float x) {
  return ft_isnear_f32(x) ? ft_cosnear_f32(x) : cos(x);
}

static __attribute__((noinline, const)) float ft_tan_f32(float x) {
  return ft_isnear_f32(x) ? ft_tannear_f32(x) : tan(x);
}
""".replace("NEAR;", f"{NEAR!r}f;")

TEXT = """
float ft_sinnear_f32(float x) {
  float s;
  const float t = ft_fma_f32(x, K(INVPI, 0), 12582912.0f), r = ft_lesspi_f32(x, t - 12582912.0f, &s);
  return ft_arc_f32(r, s, ft_bits_f32(t));
}

float ft_cosnear_f32(float x) {
  float s;
  const float a = __builtin_fabsf(x), t = ft_fma_f32(a, K(INVPI, 0), -0.5f) + 12582913.0f;
  const float r = ft_lesspi_f32(a, (t - 12582913.0f) + 0.5f, &s);
  return ft_arc_f32(r, s, ft_bits_f32(t));
}

float ft_tannear_f32(float x) {
  const float t = ft_fma_f32(x, K(TWO_OVER_PI, 0), 12582912.0f), h = 0.5f * (t - 12582912.0f);
  const float f = ft_fma_f32(-h, K(PI, 0), x), g = h * K(PI, 1), r = f - g, v = r - f, z = r * r, w = z * z;
  const float off = ((f - (r - v)) - (g + v)) - ft_fma_f32(h, K(PI, 1), -g), lost = ft_fma_f32(-h, K(PI, 2), off);
  const float p = ft_fma_f32(z * r, POLY(tan, z, w), ft_fma_f32(z, lost, lost));
  const float y = r + p, rest = (r - y) + p, q = -1.0f / y;
  const float turned = ft_fma_f32(q, ft_fma_f32(q, rest, ft_fma_f32(q, y, 1.0f)), q);
  return (ft_bits_f32(t) & 1) == 0 ? __builtin_copysignf(y, r) : turned;
}

float ft_asin_f32(float x) {
  const float a = __builtin_fabsf(x), z = a < 0.5625f ? a * a : 0.5f - 0.5f * a, w = z * z;
  const float s = a < 0.5625f ? a : 2.0f * __builtin_sqrtf(z), y = ft_fma_f32(s * z, POLY(asin, z, w), s);
  return __builtin_copysignf(a < 0.5625f ? y : K(PIO2, 0) - (y - K(PIO2, 1)), x);
}

float ft_acos_f32(float x) {
  const float a = __builtin_fabsf(x), z = a < 0.5625f ? a * a : 0.5f - 0.5f * a, w = z * z;
  const float s = a < 0.5625f ? x : 2.0f * __builtin_sqrtf(z), y = ft_fma_f32(s * z, POLY(asin, z, w), s);
  const float far = x < 0.0f ? 2.0f * K(PIO2, 0) - (y - 2.0f * K(PIO2, 1)) : y;
  return a < 0.5625f ? K(PIO2, 0) - (y - K(PIO2, 1)) : far;
}

float ft_atan_f32(float x) {
  const float a = __builtin_fabsf(x), n = a > 1.0f ? -1.0f : a, d = a > 1.0f ? a : 1.0f;
  const float q = n / d, z = q * q, w = z * z, p = z * q * POLY(atan, z, w);
  return __builtin_copysignf(a > 1.0f ? K(PIO2, 0) + (q + (p + K(PIO2, 1))) : q + p, x);
}

float ft_atan2_f32(float y, float x) {
  const float ay = __builtin_fabsf(y), ax = __builtin_fabsf(x), inf = __builtin_inff();
  const _Bool swap = ay > ax, both = ax == inf && ay == inf, left = __builtin_copysignf(1.0f, x) < 0.0f;
  const float n = both ? 1.0f : (swap ? ax : ay), d = both ? 1.0f : (swap ? ay : ax);
  const float q = n / (d == 0.0f ? 1.0f : d), z = q * q, w = z * z, p = z * q * POLY(atan, z, w);
  const float k = swap ? 1.0f : (left ? 2.0f : 0.0f), sign = swap != left ? -1.0f : 1.0f;
  const float r = ft_fma_f32(k, K(PIO2, 0), ft_fma_f32(sign, q, ft_fma_f32(sign, p, k * K(PIO2, 1))));
  return ax <= inf && ay <= inf ? __builtin_copysignf(r, y) : x + y;
}
"""
