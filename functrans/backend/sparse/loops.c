/* Factors and substitutions by loops over the pattern: what straight.py writes out for one pattern. */

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
static FUSED void substitute_plain(const pattern *s, const v8 *lu, v8 *y) {
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

static void substitute(const pattern *s, const v8 *lu, v8 *y, int turned) {
    if (turned) substitute_turned(s, lu, y);
    else substitute_plain(s, lu, y);
}

/* r = b - a x; which lanes have a row of it that is larger than rounding makes it */
static FUSED i8 residual(const pattern *s, const v8 *a, const v8 *x, const v8 *b, v8 *r) {
    FUSE
    i8 good = {0};
    good = ~good;
    for (int i = 0; i < s->n; i++) {
        v8 left = b[i], bound = size_of(b[i]);
        for (int p = s->starts[i]; p < s->starts[i + 1]; p++) {
            const v8 t = a[s->at[p]] * x[s->across[p]];
            left -= t;
            bound += size_of(t);
        }
        r[i] = left;
        good &= size_of(left) <= s->tolerance[i] * bound;
    }
    return ~good;
}
