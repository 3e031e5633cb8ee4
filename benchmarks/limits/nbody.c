/* Accelerations of n unit masses, softened, and their jvp. a: x (n, 3), acceleration (n, 3), or
   x, v, acceleration, its tangent; n: bodies. Coordinates apart; four bodies share each load of the others. */
#include "vecmath.h"
#include "repeat.h"

#define MOST 1024
#define SOFT 1e-2

static double X[3][MOST] __attribute__((aligned(64))), V[3][MOST] __attribute__((aligned(64)));

static void apart(const double *restrict from, double (*to)[MOST], long n) {
    for (long j = 0; j < n; j++)
        for (int c = 0; c < 3; c++) to[c][j] = from[3 * j + c];
}

void limit(double *const *a, const long *n) {
    double *restrict out = a[1];
    apart(a[0], X, n[0]);
    for (long i = 0; i < n[0]; i++) {
        double p = X[0][i], q = X[1][i], r = X[2][i], u = 0, v = 0, w = 0;
#pragma omp simd reduction(+ : u, v, w)
        for (long j = 0; j < n[0]; j++) {
            double x = X[0][j] - p, y = X[1][j] - q, z = X[2][j] - r;
            double f = v_rsqrt(x * x + y * y + z * z + SOFT);
            f = f * f * f;
            u += f * x, v += f * y, w += f * z;
        }
        out[3 * i] = u, out[3 * i + 1] = v, out[3 * i + 2] = w;
    }
}

void limit_jvp(double *const *a, const long *n) {
    double *restrict out = a[2], *restrict tangent = a[3];
    apart(a[0], X, n[0]);
    apart(a[1], V, n[0]);
    for (long i = 0; i < n[0]; i++) {
        double p = X[0][i], q = X[1][i], r = X[2][i], dp = V[0][i], dq = V[1][i], dr = V[2][i];
        double u = 0, v = 0, w = 0, du = 0, dv = 0, dw = 0;
#pragma omp simd reduction(+ : u, v, w, du, dv, dw)
        for (long j = 0; j < n[0]; j++) {
            double x = X[0][j] - p, y = X[1][j] - q, z = X[2][j] - r;
            double dx = V[0][j] - dp, dy = V[1][j] - dq, dz = V[2][j] - dr;
            double g = v_rsqrt(x * x + y * y + z * z + SOFT), g2 = g * g, f = g2 * g;
            double df = -3.0 * f * g2 * (x * dx + y * dy + z * dz);
            u += f * x, v += f * y, w += f * z;
            du += f * dx + df * x, dv += f * dy + df * y, dw += f * dz + df * z;
        }
        out[3 * i] = u, out[3 * i + 1] = v, out[3 * i + 2] = w;
        tangent[3 * i] = du, tangent[3 * i + 1] = dv, tangent[3 * i + 2] = dw;
    }
}
