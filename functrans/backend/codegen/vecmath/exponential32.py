"""C of exponentials, logarithms, hyperbolic and error functions of float32 by itself: the ways are those of float64 in
one number instead of two, as the bound of 2 units leaves room for an error of each step.

Arguments of exponentials are cut where the result is 0 or infinite: nothing is left to select, and NaN stays.
log(1 + f) is f + f^2 P(f) without a quotient, for base 2 and 10 with a P of their own. From 0.625 on a hyperbolic
tangent is 1 - 2 / (e^2x + 1). erf from 1 on is 1 - e^P(x), where an error of a few units in the exponential is a part
of one.
"""

WORDS = """
int ft_bits_f32(float x) { int b; __builtin_memcpy(&b, &x, 4); return b; }

float ft_float_f32(int b) { float x; __builtin_memcpy(&x, &b, 4); return x; }

float ft_power_f32(int biased) { return ft_float_f32(biased << 23); }

static __attribute__((noinline, const)) float ft_one_f32(void) { return 1.0f; }

float ft_clamp_f32(float x, float low, float high) {
  const float one = ft_one_f32(), l = low * one, h = high * one, m = h < x ? h : x;
  return l > m ? l : m;
}

float ft_scale_f32(float x, int m) {
  const int half = (int)((unsigned)m >> 1);
  return (x * ft_power_f32(half)) * ft_power_f32(m - half);
}

float ft_lessln2_f32(float x, float n) { return ft_fma_f32(-n, K(LN2, 1), ft_fma_f32(-n, K(LN2, 0), x)); }

float ft_expparts_f32(float r) { const float z = r * r; return 1.0f + ft_fma_f32(POLY(exp, r, z), z, r); }

float ft_split_f32(float x, float *k) {
  const _Bool small = x < 0x1p-126f;
  const int b = ft_bits_f32(small ? x * 0x1p25f : x) + (0x3f800000 - 0x3f3504f3);
  *k = (float)((int)((unsigned)b >> 23) - 127) - (small ? 25.0f : 0.0f);
  return ft_float_f32((b & 0x7fffff) + 0x3f3504f3) - 1.0f;
}

float ft_logends_f32(float x, float y) {
  y = x < __builtin_inff() ? y : x;
  y = x < 0.0f ? __builtin_nanf("") : y;
  return x == 0.0f ? -__builtin_inff() : y;
}
"""

TEXT = """
float ft_exp_f32(float x) {
  const float c = ft_clamp_f32(x, -105.0f, 89.0f), t = ft_fma_f32(c, K(INVLN2, 0), 12583166.0f);
  return ft_scale_f32(ft_expparts_f32(ft_lessln2_f32(c, t - 12583166.0f)), ft_bits_f32(t));
}

float ft_expnear_f32(float x) {
  const float t = ft_fma_f32(x, K(INVLN2, 0), 12583039.0f);
  return ft_expparts_f32(ft_lessln2_f32(x, t - 12583039.0f)) * ft_power_f32(ft_bits_f32(t));
}

float ft_exp2_f32(float x) {
  const float c = ft_clamp_f32(x, -151.0f, 129.0f), t = c + 12583166.0f;
  return ft_scale_f32(ft_expparts_f32((c - (t - 12583166.0f)) * K(LN2FULL, 0)), ft_bits_f32(t));
}

float ft_expm1_f32(float x) {
  const float c = ft_clamp_f32(x, -18.0f, 89.0f), t = ft_fma_f32(c, K(INVLN2, 0), 12583038.0f);
  const float r = ft_lessln2_f32(c, t - 12583038.0f), z = r * r, s = ft_power_f32(ft_bits_f32(t));
  const float y = ft_fma_f32(s, ft_fma_f32(POLY(exp, r, z), z, r), s - 0.5f);
  return __builtin_fabsf(x) < 0x1p-26f ? x : y + y;
}

float ft_sinh_f32(float x) {
  const float a = __builtin_fabsf(x), z = a * a, c = ft_clamp_f32(a, 0.0f, 91.0f);
  const float t = ft_fma_f32(c, K(INVLN2, 0), 12583165.0f);
  const float s = ft_scale_f32(ft_expparts_f32(ft_lessln2_f32(c, t - 12583165.0f)), ft_bits_f32(t));
  return __builtin_copysignf(a < 1.0f ? ft_fma_f32(a * z, POLY(sinh, z), a) : s - 0.25f / s, x);
}

float ft_cosh_f32(float x) {
  const float c = ft_clamp_f32(__builtin_fabsf(x), 0.0f, 91.0f), t = ft_fma_f32(c, K(INVLN2, 0), 12583165.0f);
  const float s = ft_scale_f32(ft_expparts_f32(ft_lessln2_f32(c, t - 12583165.0f)), ft_bits_f32(t));
  return s + 0.25f / s;
}

float ft_tanh_f32(float x) {
  const float a = __builtin_fabsf(x), z = a * a, w = z * z, e = ft_expnear_f32(2.0f * ft_clamp_f32(a, 0.0f, 9.5f));
  return __builtin_copysignf(a < 0.625f ? ft_fma_f32(a * z, POLY(tanh, z, w), a) : 1.0f - 2.0f / (e + 1.0f), x);
}

float ft_log_f32(float x) {
  float k;
  const float f = ft_split_f32(x, &k), z = f * f;
  const float y = ft_fma_f32(z, POLY(log, f, z), f);
  return ft_logends_f32(x, ft_fma_f32(k, K(LN2, 0), ft_fma_f32(k, K(LN2, 1), y)));
}

float ft_log2_f32(float x) {
  float k;
  const float f = ft_split_f32(x, &k), z = f * f, y = ft_fma_f32(f, K(LOG2E, 1), z * POLY(log2, f, z));
  return ft_logends_f32(x, k + ft_fma_f32(f, K(LOG2E, 0), y));
}

float ft_log10_f32(float x) {
  float k;
  const float f = ft_split_f32(x, &k), z = f * f, y = ft_fma_f32(f, K(LOG10E, 1), z * POLY(log10, f, z));
  const float p = ft_fma_f32(f, K(LOG10E, 0), ft_fma_f32(k, K(LOG10_2, 1), y));
  return ft_logends_f32(x, ft_fma_f32(k, K(LOG10_2, 0), p));
}

float ft_log1p_f32(float x) {
  const float u = 1.0f + x, b = u - 1.0f, c = (1.0f - (u - b)) + (x - b);
  float k;
  const float g = ft_split_f32(u, &k), unit = ft_power_f32(127 - (k > 60.0f ? 60 : (int)k));
  const float f = k == 0.0f ? x : (k > 60.0f ? g : ft_fma_f32(c, unit, g)), z = f * f;
  float y = ft_fma_f32(k, K(LN2, 0), ft_fma_f32(k, K(LN2, 1), ft_fma_f32(z, POLY(log, f, z), f)));
  y = x < __builtin_inff() ? y : x;
  y = x < -1.0f ? __builtin_nanf("") : y;
  y = x == -1.0f ? -__builtin_inff() : y;
  return __builtin_fabsf(x) < 0x1p-26f ? x : y;
}

float ft_erf_f32(float x) {
  const float a = __builtin_fabsf(x), z = a * a, b = ft_clamp_f32(a, 1.0f, 4.0f), w = b * b;
  const float far = 1.0f - ft_expnear_f32(POLY(erffar, b, w));
  return __builtin_copysignf(a < 1.0f ? ft_fma_f32(a, POLY(erf, z), a) : far, x);
}
"""
