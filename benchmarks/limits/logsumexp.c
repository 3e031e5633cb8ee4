/* log(sum(e^x)) over rows of M. a: x, y; n: rows. */
#include "vecmath.h"
#include "repeat.h"

#define M 64

void limit(double *const *a, const long *n) {
    double *restrict y = a[1];
    for (long b = 0; b < n[0]; b++) {
        const double *restrict x = (const double *)__builtin_assume_aligned(a[0] + b * M, 64);
        double top = x[0], sum = 0.0;
#pragma omp simd reduction(max : top)
        for (int i = 0; i < M; i++) top = x[i] > top ? x[i] : top;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < M; i++) sum += v_exp(x[i] - top);
        y[b] = top + v_log(sum);
    }
}
