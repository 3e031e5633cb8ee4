/* y[i,j,k,l] = sin(a_i b_j + c_k d_l) + e^(-a_i c_k). a: a, b, c, d, y; n: extent. c_k d_l is the same for all i and j,
   the exponential for all j and l: both are computed once and read as one row of n^2. */
#include "vecmath.h"
#include "repeat.h"

#define MOST 64

void limit(double *const *a, const long *n) {
    static double cd[MOST * MOST] __attribute__((aligned(64))), e[MOST * MOST] __attribute__((aligned(64)));
    const double *restrict p = a[0], *restrict q = a[1], *restrict c = a[2], *restrict d = a[3];
    double *restrict y = a[4];
    long m = n[0];
    for (long k = 0; k < m; k++)
        for (long l = 0; l < m; l++) cd[k * m + l] = c[k] * d[l];
    for (long i = 0; i < m; i++) {
        double f[MOST];
#pragma omp simd
        for (long k = 0; k < m; k++) f[k] = v_exp(-p[i] * c[k]);
        for (long k = 0; k < m; k++)
            for (long l = 0; l < m; l++) e[k * m + l] = f[k];
        for (long j = 0; j < m; j++, y += m * m) {
            double ab = p[i] * q[j];
#pragma omp simd
            for (long k = 0; k < m * m; k++) y[k] = v_sin(ab + cd[k]) + e[k];
        }
    }
}
