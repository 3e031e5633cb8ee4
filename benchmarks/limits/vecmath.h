/* sin, cos, exp, log and erf for loops that the compiler turns into vectors: no branch, no call, no table.
   Arguments are moderate (|x| < 1e6 for sin and cos), special values are left out: this is a bound, not a library.
   Polynomials are Chebyshev fits made with mpmath at 60 digits; the interval stands beside each. The reductions are
   written as fma, which -Ofast does not reorder. Within 4 units in the last place. */
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#define FMA __builtin_fma

/* PUT stores one cache line past the caches: what is written and not read soon need not be fetched before. */
#ifdef __AVX512F__
#include <immintrin.h>
#define PUT(to, from) _mm512_stream_pd(to, _mm512_load_pd(from))
#define FENCE _mm_sfence()
#else
#define PUT(to, from) memcpy(to, from, 64)
#define FENCE
#endif

INLINE double of_bits(int64_t b) { double d; memcpy(&d, &b, 8); return d; }
INLINE int64_t to_bits(double d) { int64_t b; memcpy(&b, &d, 8); return b; }

/* (e^r - 1 - r) / r^2 for |r| <= log(2)/2: 1e-16 */
INLINE double v_exp(double x) {
    x = x < -708.0 ? -708.0 : x;
    x = x > 709.0 ? 709.0 : x;
    double k = __builtin_rint(x * 0x1.71547652b82fep+0);
    double r = FMA(-k, 0x1.62e42fefa39efp-1, x);
    r = FMA(-k, 0x1.abc9e3b39803fp-56, r);
    double p = 0x1.af390ba7e6f47p-26;
    p = FMA(p, r, 0x1.2891d4ffbb0f9p-22);
    p = FMA(p, r, 0x1.71de0d85293b8p-19);
    p = FMA(p, r, 0x1.a019b8ca26fcfp-16);
    p = FMA(p, r, 0x1.a01a01a7cebcdp-13);
    p = FMA(p, r, 0x1.6c16c1789d1d7p-10);
    p = FMA(p, r, 0x1.11111111109a6p-7);
    p = FMA(p, r, 0x1.5555555553d37p-5);
    p = FMA(p, r, 0x1.5555555555556p-3);
    p = FMA(p, r, 0x1.0000000000001p-1);
    p = FMA(FMA(p, r, 1.0), r, 1.0);
    return of_bits(to_bits(p) + ((int64_t)k << 52));
}

/* (sin(r)/r - 1) / r^2 in r^2, |r| <= pi/2: 3e-19 */
INLINE double sin_poly(double r) {
    double z = r * r;
    double p = 0x1.899eb3575b7f2p-49;
    p = FMA(p, z, -0x1.ae5109fea6b7ap-41);
    p = FMA(p, z, 0x1.612400c8c470dp-33);
    p = FMA(p, z, -0x1.ae6455a012592p-26);
    p = FMA(p, z, 0x1.71de3a5453a9cp-19);
    p = FMA(p, z, -0x1.a01a01a018a6bp-13);
    p = FMA(p, z, 0x1.1111111111107p-7);
    p = FMA(p, z, -0x1.5555555555555p-3);
    return FMA(p * z, r, r);
}

INLINE double v_sin(double x) {
    double k = __builtin_rint(x * 0x1.45f306dc9c883p-2);
    double r = FMA(-k, 0x1.921fb54442d18p+1, x);
    r = FMA(-k, 0x1.1a62633145c07p-53, r);
    return of_bits(to_bits(sin_poly(r)) ^ ((int64_t)k << 63));
}

INLINE double v_cos(double x) {
    double k = __builtin_rint(FMA(x, 0x1.45f306dc9c883p-2, -0.5));
    double h = k + 0.5;
    double r = FMA(-h, 0x1.921fb54442d18p+1, x);
    r = FMA(-h, 0x1.1a62633145c07p-53, r);
    return of_bits(to_bits(sin_poly(r)) ^ ((int64_t)(k + 1.0) << 63));
}

/* log((1+s)/(1-s)) = 2s + s^3 p(s^2), s <= 0.172: 3e-16 of p */
INLINE double v_log(double x) {
    int64_t b = to_bits(x) - 0x3fe6a09e667f3bcdLL; /* the bits of sqrt(1/2) */
    int64_t e = b >> 52;
    double m = of_bits(to_bits(x) - (e << 52));
    double s = (m - 1.0) / (m + 1.0), z = s * s, k = (double)e;
    double p = 0x1.2b62d7ad6afd1p-3;
    p = FMA(p, z, 0x1.39fd85b6dc092p-3);
    p = FMA(p, z, 0x1.7462bb40a0181p-3);
    p = FMA(p, z, 0x1.c71c62ce599c7p-3);
    p = FMA(p, z, 0x1.2492492e03734p-2);
    p = FMA(p, z, 0x1.999999999523ep-2);
    p = FMA(p, z, 0x1.5555555555558p-1);
    p = FMA(p * z, s, 2.0 * s);
    return FMA(k, 0x1.62e42fefa39efp-1, FMA(k, 0x1.abc9e3b39803fp-56, p));
}

/* erf(x)/x in x^2 up to 1 (7e-18); above, 1 - e^(-x^2) q(1/(|x|+3)) up to 6 (7e-16 of q): both are computed. */
INLINE double v_erf(double x) {
    double a = x < 0.0 ? -x : x, z = x * x;
    double p = -0x1.ac9585a44fe29p-31;
    p = FMA(p, z, 0x1.d76af6ca49787p-27);
    p = FMA(p, z, -0x1.5c131500d3f88p-23);
    p = FMA(p, z, 0x1.b981d78881a5dp-20);
    p = FMA(p, z, -0x1.f4ca838adb73bp-17);
    p = FMA(p, z, 0x1.f9a2be4f731a1p-14);
    p = FMA(p, z, -0x1.c02db0665e53dp-11);
    p = FMA(p, z, 0x1.565bccfa44156p-8);
    p = FMA(p, z, -0x1.b82ce31203772p-6);
    p = FMA(p, z, 0x1.ce2f21a040f66p-4);
    p = FMA(p, z, -0x1.812746b0379c1p-2);
    p = FMA(p, z, 0x1.20dd750429b6dp+0);
    a = a > 6.0 ? 6.0 : a;
    double t = 1.0 / (a + 3.0);
    double q = -0x1.b08e10506f909p+12;
    q = FMA(q, t, -0x1.38f73421299a1p+11);
    q = FMA(q, t, 0x1.7e7ed2f3903eap+14);
    q = FMA(q, t, -0x1.a9b57e7d70cadp+14);
    q = FMA(q, t, 0x1.b312a4453d7d2p+13);
    q = FMA(q, t, -0x1.14baadbafed45p+12);
    q = FMA(q, t, 0x1.2aee0ba17efcap+10);
    q = FMA(q, t, -0x1.c7ec623b8f4f9p+6);
    q = FMA(q, t, 0x1.ab8903900d740p+5);
    q = FMA(q, t, 0x1.549bbb9a1c4dep+3);
    q = FMA(q, t, 0x1.3b6bc36438f74p+2);
    q = FMA(q, t, 0x1.afceb3290e7a3p+0);
    q = FMA(q, t, 0x1.20f1bf95e4321p-1);
    q = FMA(q, t, -0x1.fafbc240be939p-20);
    double far = 1.0 - q * v_exp(-a * a);
    far = x < 0.0 ? -far : far;
    return a < 1.0 ? p * x : far;
}

/* 1/sqrt(x) for normal x: a guess from the bits (4e-2), two steps of third order, one of second. No division. */
INLINE double v_rsqrt(double x) {
    double y = of_bits(0x5fe6eb50c7b537a9LL - (to_bits(x) >> 1));
    double e = FMA(-x * y, y, 1.0);
    y = FMA(y * e, FMA(0.375, e, 0.5), y);
    e = FMA(-x * y, y, 1.0);
    y = FMA(y * e, FMA(0.375, e, 0.5), y);
    e = FMA(-x * y, y, 1.0);
    return FMA(0.5 * y, e, y);
}
