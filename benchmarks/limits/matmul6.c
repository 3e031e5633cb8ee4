/* c = a b for many 6 x 6 matrices. a: a, b, c; n: matrices. A row is read and written as 8 numbers: what is written too
   much is the next row, or the next matrix, and written again; the last matrix goes alone. */
#include "repeat.h"

#define N 6
typedef double row __attribute__((vector_size(64), aligned(8), may_alias));

void limit(double *const *a, const long *n) {
    const double *restrict p = a[0], *restrict q = a[1];
    double *restrict r = a[2];
    for (long k = 0; k + 1 < n[0]; k++, p += N * N, q += N * N, r += N * N) {
        row b[N];
        for (int i = 0; i < N; i++) b[i] = *(const row *)(q + N * i);
        for (int i = 0; i < N; i++) {
            row s = p[N * i] * b[0];
            for (int j = 1; j < N; j++) s += p[N * i + j] * b[j];
            *(row *)(r + N * i) = s;
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double s = 0.0;
            for (int l = 0; l < N; l++) s += p[N * i + l] * q[N * l + j];
            r[N * i + j] = s;
        }
}
