/* Factors and solutions of sparse systems of one pattern, eight systems side by side, or one alone: the bits are the same.
   In the place of SYSTEMS stands systems.c, in that of ONE SYSTEM the same with loops.c. No memory is allocated here, no
   library is called. */

typedef double v8 __attribute__((vector_size(64), aligned(8), may_alias));
typedef double v4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long i8 __attribute__((vector_size(64), aligned(8), may_alias));
typedef long long wide;

enum { FACTOR = 1, SOLVE = 2 };
enum { LANES = 8 };

static int any(i8 x) {
    wide found = 0;
    for (int k = 0; k < LANES; k++) found |= x[k];
    return found != 0;
}

/* c - a * b, rounded once where the machine can */
static inline v8 less_8(v8 a, v8 b, v8 c) {
#if defined(__AVX512F__) && !defined(__clang__)
    return (v8)__builtin_ia32_vfnmaddpd512_mask(a, b, c, (unsigned char)-1, 4);
#elif defined(__FMA__) && !defined(__clang__)
    const v4 *x = (const v4 *)&a, *y = (const v4 *)&b, *z = (const v4 *)&c;
    const v4 low = __builtin_ia32_vfmaddpd256(-x[0], y[0], z[0]), high = __builtin_ia32_vfmaddpd256(-x[1], y[1], z[1]);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#elif defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    for (int k = 0; k < LANES; k++) c[k] = __builtin_fma(-a[k], b[k], c[k]);
    return c;
#else
    return c - a * b;
#endif
}
static inline double less_1(double a, double b, double c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return __builtin_fma(-a, b, c);
#else
    return c - a * b;
#endif
}

/* the words of systems.c, for vectors of systems, and for one system alone */
#define V v8
#define W v8
#define M i8
#define SAME(x) ((v8){0} + (x))
#define WIDE(x) (x)
#define ABS(x) ((v8)((i8)(x) & 0x7fffffffffffffffLL))
#define LT(a, b) ((a) < (b))
#define LE(a, b) ((a) <= (b))
#define NOT(m) (~(m))
#define SEL(m, a, b) ((v8)(((i8)(a) & (m)) | ((i8)(b) & ~(m))))
#define ANY any
#define LESS less_8

/* SYSTEMS */

#undef V
#undef W
#undef M
#undef SAME
#undef ABS
#undef NOT
#undef SEL
#undef ANY
#undef LESS
#define V double
#define W double
#define M int
#define SAME(x) ((double)(x))
#define ABS(x) __builtin_fabs(x)
#define NOT(m) (!(m))
#define SEL(m, a, b) ((m) ? (a) : (b))
#define ANY(m) (m)
#define LESS less_1

/* ONE SYSTEM */

/* an 8 x 8 block with its rows for its columns: in pairs, in fours, in halves */
#define PAIRS(a, b, low, high) \
    const v8 low = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14), \
             high = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define FOURS(a, b, low, high) \
    const v8 low = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13), \
             high = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define HALVES(a, b, low, high) \
    low = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11), \
    high = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
static inline void turn(const v8 *r, v8 *to) {
    PAIRS(r[0], r[1], a0, a1);
    PAIRS(r[2], r[3], a2, a3);
    PAIRS(r[4], r[5], a4, a5);
    PAIRS(r[6], r[7], a6, a7);
    FOURS(a0, a2, b0, b2);
    FOURS(a1, a3, b1, b3);
    FOURS(a4, a6, b4, b6);
    FOURS(a5, a7, b5, b7);
    HALVES(b0, b4, to[0], to[4]);
    HALVES(b1, b5, to[1], to[5]);
    HALVES(b2, b6, to[2], to[6]);
    HALVES(b3, b7, to[3], to[7]);
}

/* lanes of the lines of an array, each `step` after the one before; of elements each `stride` after the one before */
static void load(const double *from, wide step, wide stride, int lanes, wide count, v8 *to) {
    const double *line[LANES];
    wide p = 0;
    for (int k = 0; k < LANES; k++) line[k] = from + (k < lanes ? k : lanes - 1) * step;
    if (stride == 1)
        for (; p + LANES <= count; p += LANES) {
            const v8 block[LANES] = {
                *(const v8 *)(line[0] + p), *(const v8 *)(line[1] + p), *(const v8 *)(line[2] + p),
                *(const v8 *)(line[3] + p), *(const v8 *)(line[4] + p), *(const v8 *)(line[5] + p),
                *(const v8 *)(line[6] + p), *(const v8 *)(line[7] + p),
            };
            turn(block, to + p);
        }
    for (; p < count; p++) {
        v8 t;
        for (int k = 0; k < LANES; k++) t[k] = line[k][p * stride];
        to[p] = t;
    }
}

static void store(const v8 *from, wide step, wide stride, int lanes, wide count, double *to) {
    wide p = 0;
    if (stride == 1)
        for (; p + LANES <= count; p += LANES) {
            v8 block[LANES];
            turn(from + p, block);
            for (int k = 0; k < lanes; k++) *(v8 *)(to + k * step + p) = block[k];
        }
    for (int k = 0; k < lanes; k++)
        for (wide q = p; q < count; q++) to[k * step + q * stride] = from[q][k];
}

/* one system: nothing of it is copied but its columns */
static void alone(const sparse_pattern *s, int what, int columns, int turned, int steps, const double *a, int kept,
    double *factors, const double *right, double *solution, int *failed, double *work) {
    const wide n = s->n;
    double *const lu = kept || !(what & FACTOR) ? factors : work, *b = work + s->fill, *x = b + n, *y = x + n, *r = y + n;
    if (what & FACTOR) sparse_factor_1(s, a, lu, y);
    if (!(what & SOLVE)) return;
    *failed = 0;
    for (int c = 0; c < columns; c++) {
        for (wide i = 0; i < n; i++) b[i] = right[i * columns + c];
        *failed |= sparse_refined_1(s, a, lu, b, x, y, r, r + n, turned, steps);
        for (wide i = 0; i < n; i++) solution[i * columns + c] = x[i];
    }
}

/* sizes: what to do, systems, n, nnz, fill, columns, the steps from one system to the next in the entries, factors and
   right-hand sides (0: all have the same), whether the transpose is solved with, steps of refinement, whether factors are kept, whether the
   matrix is symmetric */
int ft_entry(void **buffers, const wide *sizes) {
    const double *values = buffers[0], *right = buffers[2];
    double *factors = buffers[1], *solution = buffers[3];
    int *failed = buffers[4];
    v8 *work = (v8 *)(((unsigned long long)buffers[5] + 63) / 64 * 64);
    const int what = (int)sizes[0], columns = (int)sizes[5], turned = (int)sizes[9], steps = (int)sizes[10];
    const wide systems = sizes[1], next_a = sizes[6], next_lu = sizes[7], next_b = sizes[8];
    const sparse_pattern s = {
        (int)sizes[2], (int)sizes[3], (int)sizes[4], (int)sizes[12], buffers[6], buffers[7], buffers[8], buffers[9], buffers[10],
        buffers[11], buffers[12], buffers[13], buffers[14], buffers[15], buffers[16],
    };
    const wide n = s.n, whole = n * columns;
    if (systems == 1) {
        alone(&s, what, columns, turned, steps, values, (int)sizes[11], factors, right, solution, failed, (double *)work);
        return 0;
    }
    v8 *a = work, *lu = a + s.nnz, *b = lu + s.fill, *x = b + n, *y = x + n, *r = y + n, *dx = r + n;
    for (wide first = 0; first < systems; first += LANES) {
        const int lanes = (int)(systems - first < LANES ? systems - first : LANES);
        if (first == 0 || next_a != 0) load(values + first * next_a, next_a, 1, lanes, s.nnz, a);
        if (what & FACTOR) {
            if (first == 0 || next_a != 0) sparse_factor_8(&s, a, lu, y);
            if (sizes[11]) store(lu, s.fill, 1, lanes, s.fill, factors + first * s.fill);
        } else if (first == 0 || next_lu != 0)
            load(factors + first * next_lu, next_lu, 1, lanes, s.fill, lu);
        if (!(what & SOLVE)) continue;
        i8 bad = {0};
        for (int c = 0; c < columns; c++) {
            load(right + first * next_b + c, next_b, columns, lanes, n, b);
            const i8 wrong = sparse_refined_8(&s, a, lu, b, x, y, r, dx, turned, steps);
            bad |= wrong;
            store(x, whole, columns, lanes, n, solution + first * whole + c);
        }
        for (int k = 0; k < lanes; k++) failed[first + k] = bad[k] != 0;
    }
    return 0;
}
