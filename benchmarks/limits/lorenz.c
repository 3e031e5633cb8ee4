/* The Lorenz system by RK4. a: states (B, 3), results (B, 3); n: B, steps. T states at a time, by coordinate, stay in
   the first cache; the vectors of a tile are independent and hide each other's latency. */
#include "vecmath.h"
#include "repeat.h"

#define T 64
#define H 0.01
#define SLOPE(k, x, y, z) \
    double k##x = 10.0 * (y - x), k##y = x * (28.0 - z) - y, k##z = x * y - 8.0 / 3.0 * z;

static void tile(const double *restrict from, double *restrict to, long count, long steps) {
    double x[T] = {0}, y[T] = {0}, z[T] = {0};
    for (long i = 0; i < count; i++) x[i] = from[3 * i], y[i] = from[3 * i + 1], z[i] = from[3 * i + 2];
    for (long s = 0; s < steps; s++)
#pragma omp simd
        for (int i = 0; i < T; i++) {
            double u = x[i], v = y[i], w = z[i];
            SLOPE(a, u, v, w)
            double p = u + 0.5 * H * au, q = v + 0.5 * H * av, r = w + 0.5 * H * aw;
            SLOPE(b, p, q, r)
            double f = u + 0.5 * H * bp, g = v + 0.5 * H * bq, h = w + 0.5 * H * br;
            SLOPE(c, f, g, h)
            double k = u + H * cf, l = v + H * cg, m = w + H * ch;
            SLOPE(d, k, l, m)
            x[i] = u + H / 6.0 * (au + 2.0 * (bp + cf) + dk);
            y[i] = v + H / 6.0 * (av + 2.0 * (bq + cg) + dl);
            z[i] = w + H / 6.0 * (aw + 2.0 * (br + ch) + dm);
        }
    for (long i = 0; i < count; i++) to[3 * i] = x[i], to[3 * i + 1] = y[i], to[3 * i + 2] = z[i];
}

void limit(double *const *a, const long *n) {
    long b = 0;
    for (; b + T <= n[0]; b += T) tile(a[0] + 3 * b, a[1] + 3 * b, T, n[1]);
    if (b < n[0]) tile(a[0] + 3 * b, a[1] + 3 * b, n[0] - b, n[1]);
}
