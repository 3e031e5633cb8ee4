/* Grids of n by n points. a: the unknowns, what a function says, the values; n: points along a side, values. */
#include <math.h>
#include "vecmath.h"
#include "repeat.h"

/* a: u, weights, scratch, values. Rows near the border have fewer columns. */
void window(double *const *a, const long *size) {
    const double *restrict u = a[0], *restrict w = a[1];
    double *restrict s = a[2], *to = a[3];
    long n = size[0];
#pragma omp simd
    for (long k = 0; k < n * n; k++) {
        double e = v_exp(-2 * fabs(u[k])), d = 1 + e;
        s[k] = 4 * e / (d * d);
    }
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            long low = j < 2 ? 2 - j : 0, high = j > n - 3 ? n + 2 - j : 5;
            for (int p = 0; p < 5; p++) {
                if (i + p < 2 || i + p - 2 >= n) continue;
                const double *from = s + (i + p - 2) * n + j - 2;
                if (high - low == 5) {
                    for (int q = 0; q < 5; q++) to[q] = w[5 * p + q] * from[q];
                    to += 5;
                } else
                    for (long q = low; q < high; q++) *to++ = w[5 * p + q] * from[q];
            }
        }
}

/* a: u, places of the entries of the five inner points (up, left, own, right, down), values; the other eight are constant
   and there already. d = 3 u^2 - 1: of a neighbor d + 0.5 * 8, of the point itself -4 d - 0.5 * 20. */
void phases(double *const *a, const long *size) {
    const double *restrict u = a[0];
    const int *restrict at = (const int *)a[1];
    double *restrict values = a[2];
    long n = size[0];
    for (long i = 0; i < n; i++) {
        const double *up = u + (i + n - 1) % n * n, *own = u + i * n, *down = u + (i + 1) % n * n;
        for (long j = 0; j < n; j++) {
            long k = i * n + j;
            double l = own[j ? j - 1 : n - 1], r = own[j < n - 1 ? j + 1 : 0], o = own[j];
            values[at[5 * k]] = 3 * up[j] * up[j] + 3;
            values[at[5 * k + 1]] = 3 * l * l + 3;
            values[at[5 * k + 2]] = -12 * o * o - 6;
            values[at[5 * k + 3]] = 3 * r * r + 3;
            values[at[5 * k + 4]] = 3 * down[j] * down[j] + 3;
        }
    }
}

/* a: u, places of the 3 x 3 entries of a corner and its two neighbors, values; n: side, values. */
void variation(double *const *a, const long *size) {
    const double *restrict u = a[0];
    const int *restrict at = (const int *)a[1];
    double *restrict values = a[2];
    long n = size[0];
    memset(values, 0, size[1] * sizeof(double));
    for (long i = 0; i < n - 1; i++)
        for (long first = 0; first < n - 1; first += 64) {
            long count = n - 1 - first < 64 ? n - 1 - first : 64;
            double found[3][64];
#pragma omp simd
            for (long j = 0; j < count; j++) {
                long k = i * n + first + j;
                double x = u[k + 1] - u[k], y = u[k + n] - u[k], r = 1 / sqrt(x * x + y * y + 0.01), c = r * r * r;
                found[0][j] = r - c * x * x, found[1][j] = -c * x * y, found[2][j] = r - c * y * y;
            }
            for (long j = 0; j < count; j++) {
                const int *t = at + 9 * (i * (n - 1) + first + j);
                double p = found[0][j], m = found[1][j], q = found[2][j];
                values[t[0]] += p + 2 * m + q, values[t[1]] -= p + m, values[t[2]] -= m + q;
                values[t[3]] -= p + m, values[t[4]] += p, values[t[5]] += m;
                values[t[6]] -= m + q, values[t[7]] += m, values[t[8]] += q;
            }
        }
}
