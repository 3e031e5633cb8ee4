/* Jacobians of an RK4 step of the kinematic bicycle. a: stages (K, 6): x, y, angle, speed, acceleration, steering;
   values; n: K. The varying entries only, the others stand in the buffer. T stages at a time, entry by entry.
   limit: (K, 16), the stage alone. limit_shooting: (K, 20), next state minus step, K - 1 of them. */
#include "vecmath.h"
#include "repeat.h"

#define T 32
#define H 0.05
#define WHEELBASE 2.5
#define VARYING 11

/* where the varying entries of a stage stand: x by angle, speed, acceleration, steering; y; angle by the last three */
static const int alone[VARYING] = {1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13};
static const int shooting[VARYING] = {1, 2, 3, 4, 7, 8, 9, 10, 13, 14, 15};

static inline __attribute__((always_inline)) void
tile(const double *restrict z, double *restrict to, long count, int width, const int *place, double sign) {
    double angle[T] = {0}, speed[T] = {0}, pedal[T] = {0}, wheel[T] = {0}, e[VARYING][T];
    for (long k = 0; k < count; k++)
        angle[k] = z[6 * k + 2], speed[k] = z[6 * k + 3], pedal[k] = z[6 * k + 4], wheel[k] = z[6 * k + 5];
#pragma omp simd
    for (int k = 0; k < T; k++) {
        double cw = v_cos(wheel[k]), ic = 1.0 / cw, kappa = v_sin(wheel[k]) * ic / WHEELBASE;
        double slope = ic * ic / WHEELBASE, v = speed[k], m = v + 0.5 * H * pedal[k], w = v + H * pedal[k];
        double a1 = angle[k], a2 = a1 + 0.5 * H * kappa * v, a3 = a1 + 0.5 * H * kappa * m, a4 = a1 + H * kappa * m;
        double c1 = v_cos(a1), s1 = v_sin(a1), c2 = v_cos(a2), s2 = v_sin(a2);
        double c3 = v_cos(a3), s3 = v_sin(a3), c4 = v_cos(a4), s4 = v_sin(a4);
        double g = sign * H / 6.0, hk = H * kappa;
        double vs1 = v * s1, vs2 = 2.0 * m * s2, vs3 = 2.0 * m * s3, vs4 = w * s4;
        double vc1 = v * c1, vc2 = 2.0 * m * c2, vc3 = 2.0 * m * c3, vc4 = w * c4;
        e[0][k] = -g * (vs1 + vs2 + vs3 + vs4);
        e[1][k] = g * (c1 + 2.0 * (c2 + c3) + c4 - hk * (0.5 * (vs2 + vs3) + vs4));
        e[2][k] = g * H * (c2 + c3 + c4 - hk * (0.25 * vs3 + 0.5 * vs4));
        e[3][k] = -g * H * slope * (0.5 * v * vs2 + 0.5 * m * vs3 + m * vs4);
        e[4][k] = g * (vc1 + vc2 + vc3 + vc4);
        e[5][k] = g * (s1 + 2.0 * (s2 + s3) + s4 + hk * (0.5 * (vc2 + vc3) + vc4));
        e[6][k] = g * H * (s2 + s3 + s4 + hk * (0.25 * vc3 + 0.5 * vc4));
        e[7][k] = g * H * slope * (0.5 * v * vc2 + 0.5 * m * vc3 + m * vc4);
        e[8][k] = sign * hk;
        e[9][k] = sign * 0.5 * H * hk;
        e[10][k] = sign * H * slope * m;
    }
    for (long k = 0; k < count; k++, to += width)
        for (int j = 0; j < VARYING; j++) to[place[j]] = e[j][k];
}

void limit(double *const *a, const long *n) {
    long k = 0;
    for (; k + T <= n[0]; k += T) tile(a[0] + 6 * k, a[1] + 16 * k, T, 16, alone, 1.0);
    if (k < n[0]) tile(a[0] + 6 * k, a[1] + 16 * k, n[0] - k, 16, alone, 1.0);
}

void limit_shooting(double *const *a, const long *n) {
    long k = 0, last = n[0] - 1;
    for (; k + T <= last; k += T) tile(a[0] + 6 * k, a[1] + 20 * k, T, 20, shooting, -1.0);
    if (k < last) tile(a[0] + 6 * k, a[1] + 20 * k, last - k, 20, shooting, -1.0);
}
