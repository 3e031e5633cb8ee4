/* Small matrices of N rows, one in each lane of a vector. a: matrices, right-hand sides or what else is written, what is
   written; n: how many matrices. Elements of the matrices lie side by side as NumPy has them, and are turned into lanes
   on the way. Up to 8 rows all is written out. A row that is no pivot of any lane is not exchanged. */
#include <immintrin.h>
#include "repeat.h"

#ifdef __AVX512F__
#define L 8
#define SEL(m, x, y) ((V)_mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)(m)), (__m512d)(y), (__m512d)(x)))
#define ANY(m) (_mm512_movepi64_mask((__m512i)(m)) != 0)
#define ROOT(x) ((V)_mm512_sqrt_pd((__m512d)(x)))
#else
#define L 4
#define SEL(m, x, y) ((V)_mm256_blendv_pd((__m256d)(y), (__m256d)(x), (__m256d)(m)))
#define ANY(m) (_mm256_movemask_pd((__m256d)(m)) != 0)
#define ROOT(x) ((V)_mm256_sqrt_pd((__m256d)(x)))
#endif
typedef double V __attribute__((vector_size(8 * L)));
typedef long long M __attribute__((vector_size(8 * L)));
#define INLINE static inline __attribute__((always_inline))
#if N > 8
#define ALL _Pragma("GCC unroll 2")
#else
#define ALL _Pragma("GCC unroll 8")
#endif

INLINE V same(double x) { return x - (V){}; }
INLINE V size(V x) { return (V)((M)x & 0x7fffffffffffffffLL); }

/* count numbers of L arrays that lie step numbers apart */
INLINE void get(const double *p, long step, int count, V *to) {
    for (int i = 0; i < count; i++) {
#if L == 8
        to[i] = (V){p[i], p[i + step], p[i + 2 * step], p[i + 3 * step], p[i + 4 * step], p[i + 5 * step],
                    p[i + 6 * step], p[i + 7 * step]};
#else
        to[i] = (V){p[i], p[i + step], p[i + 2 * step], p[i + 3 * step]};
#endif
    }
}
INLINE void put(double *p, long step, int count, const V *from) {
    for (int i = 0; i < count; i++)
        for (int l = 0; l < L; l++) p[i + l * step] = from[i][l];
}

/* the lower factor in the place of a, zeros above */
INLINE void factor(V *a, const int n) {
    ALL for (int k = 0; k < n; k++) {
        const V d = ROOT(a[k * n + k]), inverse = 1.0 / d;
        a[k * n + k] = d;
        ALL for (int i = k + 1; i < n; i++) a[i * n + k] *= inverse;
        ALL for (int i = k + 1; i < n; i++) {
            const V l = a[i * n + k];
            a[k * n + i] = same(0);
            ALL for (int j = k + 1; j <= i; j++) a[i * n + j] -= l * a[j * n + k];
        }
    }
}

/* which row of column k, from k on, is largest; the columns from first on of that row and row k are exchanged */
INLINE M pivot(V *a, const int n, const int wide, const int k, const int first) {
    V most = size(a[k * wide + k]);
    M row = (M){} + k;
    ALL for (int i = k + 1; i < n; i++) {
        const V s = size(a[i * wide + k]);
        const M m = s > most;
        most = SEL(m, s, most), row = (M)SEL(m, (M){} + i, row);
    }
    ALL for (int i = k + 1; i < n; i++) {
        const M m = row == i;
        if (n > 4 && !ANY(m)) continue;
        ALL for (int j = first; j < wide; j++) {
            const V x = a[k * wide + j], y = a[i * wide + j];
            a[k * wide + j] = SEL(m, y, x), a[i * wide + j] = SEL(m, x, y);
        }
    }
    return row;
}

/* U of n rows and so many columns, L divided out; what is below is left as it is */
INLINE V eliminate(V *a, const int n, const int wide) {
    V sign = same(1);
    ALL for (int k = 0; k < n; k++) {
        const M row = pivot(a, n, wide, k, k);
        sign = SEL(row == k, sign, -sign);
        const V inverse = 1.0 / a[k * wide + k];
        ALL for (int i = k + 1; i < n; i++) {
            const V l = a[i * wide + k] * inverse;
            ALL for (int j = k + 1; j < wide; j++) a[i * wide + j] -= l * a[k * wide + j];
        }
    }
    return sign;
}

INLINE void cholesky(const double *a, double *b, double *r, const int n) {
    V x[N * N];
    get(a, n * n, n * n, x);
    factor(x, n);
    put(r, n * n, n * n, x);
}

INLINE void det(const double *a, double *b, double *r, const int n) {
    V x[N * N];
    get(a, n * n, n * n, x);
    V d = eliminate(x, n, n);
    ALL for (int k = 0; k < n; k++) d *= x[k * n + k];
    put(r, 1, 1, &d);
}

INLINE void solve(const double *a, double *b, double *r, const int n) {
    V x[N * (N + 1)], y[N];
    const int wide = n + 1;
    for (int i = 0; i < n; i++) {
        get(a + i * n, n * n, n, x + i * wide);
        get(b + i, n, 1, x + i * wide + n);
    }
    eliminate(x, n, wide);
    ALL for (int i = n - 1; i >= 0; i--) {
        y[i] = x[i * wide + n] / x[i * wide + i];
        ALL for (int j = 0; j < i; j++) x[j * wide + n] -= x[j * wide + i] * y[i];
    }
    put(r, n, n, y);
}

/* by Gauss and Jordan in place; columns are put in order where they are written */
INLINE void inv(const double *a, double *b, double *r, const int n) {
    V x[N * N];
    M rows[N];
    int order[L][N];
    get(a, n * n, n * n, x);
    ALL for (int k = 0; k < n; k++) {
        rows[k] = pivot(x, n, n, k, 0);
        const V inverse = 1.0 / x[k * n + k];
        x[k * n + k] = same(1);
        ALL for (int j = 0; j < n; j++) x[k * n + j] *= inverse;
        ALL for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const V l = x[i * n + k];
            x[i * n + k] = same(0);
            ALL for (int j = 0; j < n; j++) x[i * n + j] -= l * x[k * n + j];
        }
    }
    for (int l = 0; l < L; l++) {
        for (int k = 0; k < n; k++) order[l][k] = k;
        for (int k = 0; k < n; k++) {
            const int i = (int)rows[k][l], t = order[l][k];
            order[l][k] = order[l][i], order[l][i] = t;
        }
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) r[l * n * n + i * n + order[l][k]] = x[i * n + k][l];
    }
}

/* by Jacobi's rotations until no lane has anything left beside the diagonal; eigenvalues in ascending order. Rows of x
   and, as rows, the vectors. Up to eight rows the best there is; above, tridiagonal forms take less */
INLINE void eigh(const double *a, double *b, double *r, const int n) {
    V x[N * N], v[N * N], d[N];
    get(a, n * n, n * n, x);
    for (int i = 0; i < n * n; i++) v[i] = same(i % (n + 1) == 0);
    for (int sweep = 0; sweep < 30; sweep++) {
        V off = same(0), on = same(0);
        ALL for (int i = 0; i < n; i++) {
            on += x[i * n + i] * x[i * n + i];
            ALL for (int j = 0; j < i; j++) off += x[i * n + j] * x[i * n + j];
        }
        if (!ANY(off > 1e-31 * on)) break;
        ALL for (int p = 0; p < n; p++)
            ALL for (int q = p + 1; q < n; q++) {
                const V g = x[q * n + p], h = x[q * n + q] - x[p * n + p], s = ROOT(h * h + 4.0 * g * g);
                const V under = size(h) + s, t0 = 2.0 * g / SEL(under == 0.0, same(1), under);
                const V t = SEL(h < 0.0, -t0, t0), c = 1.0 / ROOT(1.0 + t * t), e = t * c;
                x[p * n + p] -= t * g, x[q * n + q] += t * g, x[q * n + p] = same(0);
                ALL for (int k = 0; k < n; k++) {
                    if (k == p || k == q) continue;
                    V *const y = x + (k < p ? p * n + k : k * n + p), *const z = x + (k < q ? q * n + k : k * n + q);
                    const V of = *y;
                    *y = c * of - e * *z, *z = e * of + c * *z;
                }
                ALL for (int k = 0; k < n; k++) {
                    const V of = v[p * n + k];
                    v[p * n + k] = c * of - e * v[q * n + k], v[q * n + k] = e * of + c * v[q * n + k];
                }
            }
    }
    ALL for (int i = 0; i < n; i++) d[i] = x[i * n + i];
    for (int i = 0; i < n; i++)
        for (int k = n - 1; k > i; k--) {
            const M m = d[k] < d[k - 1];
            if (!ANY(m)) continue;
            const V of = d[k];
            d[k] = SEL(m, d[k - 1], of), d[k - 1] = SEL(m, of, d[k - 1]);
            for (int j = 0; j < n; j++) {
                const V y = v[k * n + j], z = v[(k - 1) * n + j];
                v[k * n + j] = SEL(m, z, y), v[(k - 1) * n + j] = SEL(m, y, z);
            }
        }
    put(b, n, n, d);
    for (int i = 0; i < n; i++)
        for (int l = 0; l < L; l++)
            for (int j = 0; j < n; j++) r[l * n * n + j * n + i] = v[i * n + j][l];
}

#define EACH(op, right, result)                                                                    \
    void op##_all(double *const *a, const long *n) {                                               \
        for (long k = 0; k + L <= n[0]; k += L)                                                    \
            op(a[0] + k * N * N, a[1] + k * (right), a[2] + k * (result), N);                      \
    }
EACH(cholesky, 0, N *N)
EACH(solve, N, N)
EACH(inv, 0, N *N)
EACH(det, 0, 1)
EACH(eigh, N, N *N)
