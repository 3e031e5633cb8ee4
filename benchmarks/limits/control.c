/* Riccati's residual A^T X + X A - X B X + Q. a: X, A, B, scratch (2 n^2), values; n: order. Row (i, j) has (A^T - X B)(i, k)
   at (k, j) and (A - B X)(l, j) at (i, l): n columns of other rows, with the n of its own row among them. */
#include "vecmath.h"
#include "repeat.h"

void riccati(double *const *a, const long *size) {
    long n = size[0], m = 2 * n - 1;
    const double *restrict X = a[0], *restrict A = a[1], *restrict B = a[2];
    double *restrict L = a[3], *restrict R = L + n * n, *restrict values = a[4];
    for (long i = 0; i < n; i++) {
        for (long k = 0; k < n; k++) L[i * n + k] = A[k * n + i], R[i * n + k] = A[i * n + k];
        for (long p = 0; p < n; p++) {
            double x = X[i * n + p], b = B[i * n + p];
            for (long k = 0; k < n; k++) L[i * n + k] -= x * B[p * n + k], R[i * n + k] -= b * X[p * n + k];
        }
    }
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double *restrict to = values + (i * n + j) * m;
            for (long k = 0; k < i; k++) to[k] = L[i * n + k];
            for (long l = 0; l < n; l++) to[i + l] = R[l * n + j];
            to[i + j] += L[i * n + i];
            for (long k = i + 1; k < n; k++) to[n + k - 1] = L[i * n + k];
        }
}
