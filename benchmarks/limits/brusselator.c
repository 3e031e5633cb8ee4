/* The varying values of the Jacobian of the 2-D Brusselator, periodic; the others stand in the buffer.
   a: x (2, N, N), values; n: N. The diagonal stands behind the neighbors with smaller indices. Four single stores a
   point, which vectors would only scatter: no vectors on purpose. */
#include "repeat.h"

#define A 3.4
#define ALPHA 10.0

__attribute__((optimize("no-tree-vectorize", "no-tree-slp-vectorize")))
void limit(double *const *a, const long *n) {
    long m = n[0], points = m * m;
    double diffusion = ALPHA / ((1.0 / m) * (1.0 / m)), left = A + 1.0 + 4.0 * diffusion, right = 4.0 * diffusion;
    for (long i = 0; i < m; i++) {
        const double *restrict u = a[0] + i * m, *restrict v = u + points;
        double *restrict p = a[1] + 6 * i * m, *restrict q = p + 6 * points;
        long above = i == 0 ? 0 : i == m - 1 ? 2 : 1;
#define POINT(j, before) { \
        double s = u[j] * u[j], t = 2.0 * u[j] * v[j]; \
        long d = 6 * (j) + above + (before); \
        p[d] = t - left, p[6 * (j) + 5] = s; \
        q[6 * (j)] = A - t, q[d + 1] = -s - right; }
        POINT(0, 0)
        for (long j = 1; j < m - 1; j++) POINT(j, 1)
        POINT(m - 1, 2)
    }
}
