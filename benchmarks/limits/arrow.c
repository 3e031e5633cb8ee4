/* The Jacobian of f_0 = sum x_i^2, f_i = x_i^3 + x_0 x_i: a full row, a full column and the diagonal, by rows.
   a: x, values; n: length. */
#include "repeat.h"

void limit(double *const *a, const long *n) {
    const double *restrict x = a[0];
    double *restrict row = a[1], *restrict rest = row + n[0] - 2, first = x[0];
#pragma omp simd
    for (long i = 0; i < n[0]; i++) row[i] = 2.0 * x[i];
#pragma omp simd
    for (long i = 1; i < n[0]; i++) rest[2 * i] = x[i], rest[2 * i + 1] = 3.0 * x[i] * x[i] + first;
}
