/* Factors and solutions of sparse systems of one pattern, eight systems side by side in the lanes of vectors.

   A lane never looks at another one: a system has the bits that it has alone. Before this text stands either nothing,
   and the loops here walk the pattern, or FT_STRAIGHT and the same steps written out for one pattern. No memory is
   allocated here, no library is called. */

typedef double v8 __attribute__((vector_size(64), aligned(8), may_alias));
typedef long long i8 __attribute__((vector_size(64), aligned(8), may_alias));
typedef long long wide;

enum { FACTOR = 1, SOLVE = 2 };
enum { LANES = 8 };

#if defined(__clang__)
#define FUSE _Pragma("clang fp contract(fast)")
#define FUSED
#else
#define FUSE
#define FUSED __attribute__((optimize("fp-contract=fast")))
#endif

/* the pattern, as in Symbolic */
typedef struct {
    int n, nnz, fill;
    const int *indptr, *indices, *diagonal, *entries, *rows, *cols, *row_order, *col_order;
    const double *tolerance; /* of each row of the residual */
} pattern;

static inline v8 size_of(v8 x) { return (v8)((i8)x & 0x7fffffffffffffffLL); }

#ifndef FT_STRAIGHT
/* rows of L and U, the inverse of each pivot in its place; w is zero, and left so */
static FUSED void factor(const pattern *s, const v8 *a, v8 *lu, v8 *w) {
    FUSE
    const v8 zero = {0};
    for (int p = 0; p < s->fill; p++) lu[p] = zero;
    for (int p = 0; p < s->nnz; p++) lu[s->entries[p]] = a[p];
    for (int i = 0; i < s->n; i++) {
        const int own = s->diagonal[i], end = s->indptr[i + 1];
        for (int p = s->indptr[i]; p < end; p++) w[s->indices[p]] = lu[p];
        for (int p = s->indptr[i]; p < own; p++) {
            const int k = s->indices[p], last = s->indptr[k + 1];
            const v8 l = w[k] * lu[s->diagonal[k]];
            lu[p] = l;
            for (int q = s->diagonal[k] + 1; q < last; q++) w[s->indices[q]] -= l * lu[q];
        }
        lu[own] = 1.0 / w[i];
        for (int p = own + 1; p < end; p++) lu[p] = w[s->indices[p]];
    }
}

/* y is what is right of L U x, and then x */
static FUSED void substitute(const pattern *s, const v8 *lu, v8 *y) {
    FUSE
    for (int i = 0; i < s->n; i++) {
        v8 t = y[i];
        for (int p = s->indptr[i]; p < s->diagonal[i]; p++) t -= lu[p] * y[s->indices[p]];
        y[i] = t;
    }
    for (int i = s->n - 1; i >= 0; i--) {
        v8 t = y[i];
        for (int p = s->diagonal[i] + 1; p < s->indptr[i + 1]; p++) t -= lu[p] * y[s->indices[p]];
        y[i] = t * lu[s->diagonal[i]];
    }
}

/* the same of the transposes */
static FUSED void substitute_turned(const pattern *s, const v8 *lu, v8 *y) {
    FUSE
    for (int i = 0; i < s->n; i++) {
        const v8 t = y[i] * lu[s->diagonal[i]];
        y[i] = t;
        for (int p = s->diagonal[i] + 1; p < s->indptr[i + 1]; p++) y[s->indices[p]] -= lu[p] * t;
    }
    for (int i = s->n - 1; i >= 0; i--) {
        const v8 t = y[i];
        for (int p = s->indptr[i]; p < s->diagonal[i]; p++) y[s->indices[p]] -= lu[p] * t;
    }
}
#endif

/* r = b - a x; which lanes have a row of it that is larger than rounding makes it */
static FUSED i8 residual(const pattern *s, const v8 *a, const v8 *x, const v8 *b, v8 *r, v8 *bound, int turned) {
    FUSE
    const int *row = turned ? s->cols : s->rows, *col = turned ? s->rows : s->cols;
    for (int i = 0; i < s->n; i++) {
        r[i] = b[i];
        bound[i] = size_of(b[i]);
    }
    for (int p = 0; p < s->nnz; p++) {
        const v8 t = a[p] * x[col[p]];
        r[row[p]] -= t;
        bound[row[p]] += size_of(t);
    }
    i8 good = {0};
    good = ~good;
    for (int i = 0; i < s->n; i++) good &= size_of(r[i]) <= s->tolerance[i] * bound[i];
    return ~good;
}

static int any(i8 x) {
    wide found = 0;
    for (int k = 0; k < LANES; k++) found |= x[k];
    return found != 0;
}

/* lanes of the lines of an array, each `step` after the one before; of elements each `stride` after the one before */
static void load(const double *from, wide step, wide stride, int lanes, wide count, v8 *to) {
    const double *line[LANES];
    for (int k = 0; k < LANES; k++) line[k] = from + (k < lanes ? k : lanes - 1) * step;
    for (wide p = 0; p < count; p++) {
        v8 t;
        for (int k = 0; k < LANES; k++) t[k] = line[k][p * stride];
        to[p] = t;
    }
}

static void store(const v8 *from, wide step, wide stride, int lanes, wide count, double *to) {
    for (int k = 0; k < lanes; k++)
        for (wide p = 0; p < count; p++) to[k * step + p * stride] = from[p][k];
}

static void solve(const pattern *s, const v8 *a, const v8 *lu, const v8 *b, v8 *x, v8 *y, int turned) {
    const int *from = turned ? s->col_order : s->row_order, *to = turned ? s->row_order : s->col_order;
    for (int i = 0; i < s->n; i++) y[i] = b[from[i]];
    if (turned) substitute_turned(s, lu, y);
    else substitute(s, lu, y);
    for (int i = 0; i < s->n; i++) x[to[i]] = y[i];
}

/* sizes: what to do, systems, n, nnz, fill, columns, the steps from one system to the next in the entries, factors and
   right-hand sides (0: all have the same), whether the transpose is solved with, steps of refinement */
int ft_entry(void **buffers, const wide *sizes) {
    const double *values = buffers[0], *right = buffers[2];
    double *factors = buffers[1], *solution = buffers[3];
    int *failed = buffers[4];
    v8 *work = buffers[5];
    const int what = (int)sizes[0], columns = (int)sizes[5], turned = (int)sizes[9], steps = (int)sizes[10];
    const wide systems = sizes[1], next_a = sizes[6], next_lu = sizes[7], next_b = sizes[8];
    const pattern s = {
        (int)sizes[2], (int)sizes[3], (int)sizes[4], buffers[6], buffers[7], buffers[8], buffers[9], buffers[10],
        buffers[11], buffers[12], buffers[13], buffers[14],
    };
    const wide n = s.n, whole = n * columns;
    v8 *a = work, *lu = a + s.nnz, *b = lu + s.fill, *x = b + n, *y = x + n, *r = y + n, *bound = r + n, *dx = bound + n;
    for (wide first = 0; first < systems; first += LANES) {
        const int lanes = (int)(systems - first < LANES ? systems - first : LANES);
        if (first == 0 || next_a != 0) load(values + first * next_a, next_a, 1, lanes, s.nnz, a);
        if (what & FACTOR) {
            if (first == 0 || next_a != 0) factor(&s, a, lu, y);
            if (factors) store(lu, s.fill, 1, lanes, s.fill, factors + first * s.fill);
        } else if (first == 0 || next_lu != 0)
            load(factors + first * next_lu, next_lu, 1, lanes, s.fill, lu);
        if (!(what & SOLVE)) continue;
        i8 bad = {0};
        for (int c = 0; c < columns; c++) {
            load(right + first * next_b + c, next_b, columns, lanes, n, b);
            solve(&s, a, lu, b, x, y, turned);
            i8 wrong = residual(&s, a, x, b, r, bound, turned);
            for (int k = 0; k < steps && any(wrong); k++) {
                solve(&s, a, lu, r, dx, y, turned);
                for (int i = 0; i < s.n; i++) x[i] = (v8)(((i8)(x[i] + dx[i]) & wrong) | ((i8)x[i] & ~wrong));
                wrong = residual(&s, a, x, b, r, bound, turned);
            }
            bad |= wrong;
            store(x, whole, columns, lanes, n, solution + first * whole + c);
        }
        for (int k = 0; k < lanes; k++) failed[first + k] = bad[k] != 0;
    }
    return 0;
}
