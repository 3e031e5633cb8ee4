/* c = a b for many 6 x 6 matrices. a: a, b, c; n: matrices. A row is read as 8 numbers and built as 8, of which the next
   row overwrites 2. Two results are 9 cache lines: they are built aside and streamed past the caches, which saves
   reading the lines that are overwritten. */
#include "vecmath.h"
#include "repeat.h"

#define N 6
typedef double row __attribute__((vector_size(64), aligned(8), may_alias));

static inline __attribute__((always_inline)) void product(const double *p, const row *b, double *r) {
    for (int i = 0; i < N; i++) {
        row s = p[N * i] * b[0];
        for (int j = 1; j < N; j++) s += p[N * i + j] * b[j];
        *(row *)(r + N * i) = s;
    }
}

void limit(double *const *a, const long *n) {
    const double *restrict p = a[0], *restrict q = a[1];
    double *restrict r = a[2];
    double two[2 * N * N + 2] __attribute__((aligned(64)));
    row b[N];
    long k = 0;
    for (; k + 3 <= n[0]; k += 2, p += 2 * N * N, q += 2 * N * N, r += 2 * N * N) {
        for (int i = 0; i < N; i++) b[i] = *(const row *)(q + N * i);
        product(p, b, two);
        for (int i = 0; i < N; i++) b[i] = *(const row *)(q + N * N + N * i);
        product(p + N * N, b, two + N * N);
        for (int i = 0; i < 2 * N * N; i += 8) PUT(r + i, two + i);
    }
    FENCE;
    for (; k < n[0]; k++, p += N * N, q += N * N, r += N * N)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double s = 0.0;
                for (int l = 0; l < N; l++) s += p[N * i + l] * q[N * l + j];
                r[N * i + j] = s;
            }
}
