/* The Lorenz system by RK4. a: states (B, 3), results (B, 3); n: B, steps. J vectors of 8 states stay in registers for
   all steps; they are independent and hide each other's latency. */
#include "vecmath.h"
#include "repeat.h"

#define J 4
#define T (8 * J)
#define H 0.01
#define S 10.0

typedef double lanes __attribute__((vector_size(64)));

/* a tenth of the first slope, the other two */
#define SLOPE(k, x, y, z) lanes k##x = y - x, k##y = x * (28.0 - z) - y, k##z = x * y - 8.0 / 3.0 * z;

static void tile(const double *restrict from, double *restrict to, long count, long steps) {
    double in[3][T] __attribute__((aligned(64))) = {0};
    lanes x[J], y[J], z[J];
    for (long i = 0; i < count; i++)
        for (int c = 0; c < 3; c++) in[c][i] = from[3 * i + c];
    memcpy(x, in[0], sizeof x), memcpy(y, in[1], sizeof y), memcpy(z, in[2], sizeof z);
    for (long s = 0; s < steps; s++)
#pragma GCC unroll 8
        for (int i = 0; i < J; i++) {
            lanes u = x[i], v = y[i], w = z[i];
            SLOPE(a, u, v, w)
            lanes p = u + 0.5 * H * S * au, q = v + 0.5 * H * av, r = w + 0.5 * H * aw;
            SLOPE(b, p, q, r)
            lanes f = u + 0.5 * H * S * bp, g = v + 0.5 * H * bq, h = w + 0.5 * H * br;
            SLOPE(c, f, g, h)
            lanes k = u + H * S * cf, l = v + H * cg, m = w + H * ch;
            SLOPE(d, k, l, m)
            x[i] = u + H / 6.0 * S * (au + 2.0 * (bp + cf) + dk);
            y[i] = v + H / 6.0 * (av + 2.0 * (bq + cg) + dl);
            z[i] = w + H / 6.0 * (aw + 2.0 * (br + ch) + dm);
        }
    memcpy(in[0], x, sizeof x), memcpy(in[1], y, sizeof y), memcpy(in[2], z, sizeof z);
    for (long i = 0; i < count; i++)
        for (int c = 0; c < 3; c++) to[3 * i + c] = in[c][i];
}

void limit(double *const *a, const long *n) {
    long b = 0;
    for (; b + T <= n[0]; b += T) tile(a[0] + 3 * b, a[1] + 3 * b, T, n[1]);
    if (b < n[0]) tile(a[0] + 3 * b, a[1] + 3 * b, n[0] - b, n[1]);
}
