/* Lower triangle of the Hessian of half the squares plus multipliers times the gaps of multiple shooting, kinematic
   bicycle, RK4. a: stages (K, 6), multipliers (4 (K - 1) + 4), values; n: K. Twelve values a stage, six for the last:
   x; y; angle; speed by angle, speed; acceleration by angle, speed, itself; steering by those and itself.
   The entries of x and y stand in the buffer. T stages at a time, entry by entry. */
#include "vecmath.h"
#include "repeat.h"

#define T 32
#define H 0.05
#define WHEELBASE 2.5
#define VARYING 10

/* One evaluation of the slope: weight times (speed + d pedal) times (l cos + m sin)(angle + c (speed + e pedal) turn) */
#define TERM(weight, d, c, e) { \
    double w = v + (d) * a, u = v + (e) * a, phi = angle[k] + (c) * u * t; \
    double co = v_cos(phi), si = v_sin(phi); \
    double p = (weight) * (l[k] * co + m[k] * si), q = (weight) * (m[k] * co - l[k] * si); \
    double fv = (c) * t, fa = (c) * (e) * t, fd = (c) * u * t1, wp = w * p, wq = w * q; \
    h0 -= wp; \
    h1 += q - wp * fv; \
    h2 += 2.0 * q * fv - wp * fv * fv; \
    h3 += (d) * q - wp * fa; \
    h4 += q * fa + (d) * q * fv - wp * fa * fv; \
    h5 += 2.0 * (d) * q * fa - wp * fa * fa; \
    h6 -= wp * fd; \
    h7 += q * fd - wp * fd * fv + wq * (c) * t1; \
    h8 += (d) * q * fd - wp * fd * fa + wq * (c) * (e) * t1; \
    h9 += wq * (c) * u * t2 - wp * fd * fd; }

static inline __attribute__((always_inline)) void
tile(const double *restrict z, const double *restrict lam, double *restrict to, long count) {
    static const int place[VARYING] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    double angle[T] = {0}, speed[T] = {0}, pedal[T] = {0}, wheel[T] = {0}, l[T] = {0}, m[T] = {0}, r[T] = {0}, o[VARYING][T];
    for (long k = 0; k < count; k++) {
        angle[k] = z[6 * k + 2], speed[k] = z[6 * k + 3], pedal[k] = z[6 * k + 4], wheel[k] = z[6 * k + 5];
        l[k] = -lam[4 * k], m[k] = -lam[4 * k + 1], r[k] = -lam[4 * k + 2];
    }
#pragma omp simd
    for (int k = 0; k < T; k++) {
        double cw = v_cos(wheel[k]), ic = 1.0 / cw, tn = v_sin(wheel[k]) * ic;
        double t = tn / WHEELBASE, t1 = ic * ic / WHEELBASE, t2 = 2.0 * tn * t1, v = speed[k], a = pedal[k];
        double h0 = 1.0, h1 = 0, h2 = 1.0, h3 = 0, h4 = 0, h5 = 1.0, h6 = 0;
        double h7 = H * t1 * r[k], h8 = 0.5 * H * h7, h9 = 1.0 + H * (v + 0.5 * H * a) * t2 * r[k];
        TERM(H / 6.0, 0.0, 0.0, 0.0)
        TERM(H / 3.0, 0.5 * H, 0.5 * H, 0.0)
        TERM(H / 3.0, 0.5 * H, 0.5 * H, 0.5 * H)
        TERM(H / 6.0, H, H, 0.5 * H)
        o[0][k] = h0; o[1][k] = h1; o[2][k] = h2; o[3][k] = h3; o[4][k] = h4;
        o[5][k] = h5; o[6][k] = h6; o[7][k] = h7; o[8][k] = h8; o[9][k] = h9;
    }
    for (long k = 0; k < count; k++, to += 12)
        for (int j = 0; j < VARYING; j++) to[place[j]] = o[j][k];
}

void limit(double *const *a, const long *n) {
    long k = 0, last = n[0] - 1;
    for (; k + T <= last; k += T) tile(a[0] + 6 * k, a[1] + 4 * k, a[2] + 12 * k, T);
    if (k < last) tile(a[0] + 6 * k, a[1] + 4 * k, a[2] + 12 * k, last - k);
}
