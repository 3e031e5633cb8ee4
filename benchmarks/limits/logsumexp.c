/* log(sum(e^x)) over rows of M. a: x, y; n: rows. T rows at a time, so that their logarithms are one vector. */
#include "vecmath.h"
#include "repeat.h"

#define M 64
#define T 8

static inline __attribute__((always_inline)) void rows(const double *restrict x, double *restrict y, int count) {
    double top[T] = {0}, sum[T] = {0};
    for (int r = 0; r < count; r++, x += M) {
        double most = x[0], total = 0.0;
#pragma omp simd reduction(max : most)
        for (int i = 0; i < M; i++) most = x[i] > most ? x[i] : most;
#pragma omp simd reduction(+ : total)
        for (int i = 0; i < M; i++) total += v_exp(x[i] - most);
        top[r] = most, sum[r] = total;
    }
#pragma omp simd
    for (int r = 0; r < T; r++) top[r] += v_log(sum[r]);
    for (int r = 0; r < count; r++) y[r] = top[r];
}

void limit(double *const *a, const long *n) {
    const double *x = a[0];
    double *y = a[1];
    long b = 0;
    for (; b + T <= n[0]; b += T) rows(x + b * M, y + b, T);
    if (b < n[0]) rows(x + b * M, y + b, (int)(n[0] - b));
}
