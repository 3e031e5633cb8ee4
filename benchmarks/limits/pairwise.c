/* k[i,j] = e^(-|x_i - y_j|^2), points of 3 coordinates. a: x, y, k; n: points of x, of y. y is laid out by coordinate
   first: three short rows, once. */
#include "vecmath.h"
#include "repeat.h"

#define MOST 4096

void limit(double *const *a, const long *n) {
    double row[3][MOST] __attribute__((aligned(64)));
    const double *restrict x = a[0], *restrict y = a[1];
    for (long j = 0; j < n[1]; j++)
        for (int c = 0; c < 3; c++) row[c][j] = y[3 * j + c];
    for (long i = 0; i < n[0]; i++) {
        double *restrict k = a[2] + i * n[1];
        double p = x[3 * i], q = x[3 * i + 1], r = x[3 * i + 2];
#pragma omp simd
        for (long j = 0; j < n[1]; j++) {
            double u = p - row[0][j], v = q - row[1][j], w = r - row[2][j];
            k[j] = v_exp(-(u * u + v * v + w * w));
        }
    }
}
