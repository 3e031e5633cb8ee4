/* The Jacobian of nonlinear diffusion on a graph: row i is the sum over its neighbors j of k (u_j - u_i), where
   k = 1 + ((u_i + u_j) / 2)^2. a: u, row of a value, column of a value, first value of a row, place of the diagonal,
   scratch, values; n: rows, values. The diagonal's own share (u_j = u_i) is taken off again. */
#include "vecmath.h"
#include "repeat.h"

void limit(double *const *a, const long *n) {
    const double *restrict u = a[0];
    const int *restrict row = (const int *)a[1], *restrict col = (const int *)a[2], *restrict first = (const int *)a[3];
    const int *restrict diagonal = (const int *)a[4];
    double *restrict own = a[5], *restrict values = a[6];
#pragma omp simd
    for (long t = 0; t < n[1]; t++) {
        double p = u[row[t]], q = u[col[t]], d = q - p, m = 0.5 * (p + q), k = 1.0 + m * m, s = m * d;
        values[t] = s + k, own[t] = s - k;
    }
    for (long i = 0; i < n[0]; i++) {
        double sum = 1.0 + u[i] * u[i];
        for (int t = first[i]; t < first[i + 1]; t++) sum += own[t];
        values[diagonal[i]] = sum;
    }
}
