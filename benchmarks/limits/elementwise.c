/* y = sin(x) e^(-x) / sqrt(1 + x^2). a: x, y; n: length. */
#include "vecmath.h"
#include "repeat.h"

void limit(double *const *a, const long *n) {
    const double *restrict x = a[0];
    double *restrict y = a[1];
#pragma omp simd aligned(x, y : 64)
    for (long i = 0; i < n[0]; i++)
        y[i] = v_sin(x[i]) * v_exp(-x[i]) / __builtin_sqrt(1.0 + x[i] * x[i]);
}
