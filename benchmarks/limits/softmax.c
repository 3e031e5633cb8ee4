/* Softmax over rows of M. a: x, y; n: rows. One row is 8 vectors: it stays in registers from load to store. */
#include "vecmath.h"
#include "repeat.h"

#define M 64

void limit(double *const *a, const long *n) {
    for (long b = 0; b < n[0]; b++) {
        const double *restrict x = (const double *)__builtin_assume_aligned(a[0] + b * M, 64);
        double *restrict y = (double *)__builtin_assume_aligned(a[1] + b * M, 64);
        double e[M], top = x[0], sum = 0.0;
#pragma omp simd reduction(max : top)
        for (int i = 0; i < M; i++) top = x[i] > top ? x[i] : top;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < M; i++) sum += e[i] = v_exp(x[i] - top);
        double scale = 1.0 / sum;
#pragma omp simd
        for (int i = 0; i < M; i++) y[i] = e[i] * scale;
    }
}
