/* The price of European calls by Black and Scholes, rate 0.03, volatility 0.2, and its jvp by the Greeks.
   a: S, K, T, price, or S, K, T, dS, dK, dT, price, its tangent; n: calls. */
#include "vecmath.h"
#include "repeat.h"

#define RATE 0.03
#define SIGMA 0.2
#define ROOT_HALF 0.70710678118654752440
#define ROOT_TWO_PI_INVERSE 0.39894228040143267794

#define PARTS \
    double s = S[i], k = K[i], t = T[i], root = __builtin_sqrt(t); \
    double d1 = (v_log(s / k) + (RATE + 0.5 * SIGMA * SIGMA) * t) / (SIGMA * root), d2 = d1 - SIGMA * root; \
    double n1 = 0.5 + 0.5 * v_erf(d1 * ROOT_HALF), n2 = 0.5 + 0.5 * v_erf(d2 * ROOT_HALF); \
    double discounted = v_exp(-RATE * t);

void limit(double *const *a, const long *n) {
    const double *restrict S = a[0], *restrict K = a[1], *restrict T = a[2];
    double *restrict price = a[3];
#pragma omp simd aligned(S, K, T, price : 64)
    for (long i = 0; i < n[0]; i++) {
        PARTS
        price[i] = s * n1 - k * discounted * n2;
    }
}

void limit_jvp(double *const *a, const long *n) {
    const double *restrict S = a[0], *restrict K = a[1], *restrict T = a[2];
    const double *restrict dS = a[3], *restrict dK = a[4], *restrict dT = a[5];
    double *restrict price = a[6], *restrict tangent = a[7];
#pragma omp simd aligned(S, K, T, dS, dK, dT, price, tangent : 64)
    for (long i = 0; i < n[0]; i++) {
        PARTS
        double later = k * discounted * n2, density = ROOT_TWO_PI_INVERSE * v_exp(-0.5 * d1 * d1);
        price[i] = s * n1 - later;
        tangent[i] = n1 * dS[i] - discounted * n2 * dK[i] + (s * density * SIGMA / (2.0 * root) + RATE * later) * dT[i];
    }
}
