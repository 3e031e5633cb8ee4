/* COUNT systems side by side, in the words of codegen/matrices.py; P is a vector anywhere in memory */

/* TRANSPOSE */

/* lanes of the lines of an array, each `step` after the one before; of elements each `stride` after the one before.
   So many lines are more than the processor foresees by itself where no near cache has them: each is asked for 64
   numbers before it is read */
static void sparse_load_Y(const double *from, wide step, wide stride, int lanes, wide count, V *restrict to) {
    const double *line[COUNT];
    wide p = 0;
    for (int k = 0; k < COUNT; k++) line[k] = from + (k < lanes ? k : lanes - 1) * step;
    if (stride == 1)
        for (; p + COUNT <= count; p += COUNT) {
            for (int k = 0; k < COUNT; k++) __builtin_prefetch(line[k] + p + 64);
            sparse_transpose_Y(READ, to + p);
        }
    for (; p < count; p++) {
        V t;
        for (int k = 0; k < COUNT; k++) t[k] = line[k][p * stride];
        to[p] = t;
    }
}

static void sparse_store_Y(const V *restrict from, wide step, wide stride, int lanes, wide count, double *to) {
    wide p = 0;
    if (stride == 1)
        for (; p + COUNT <= count; p += COUNT) {
            V block[COUNT];
            sparse_transpose_Y(GIVEN, block);
            for (int k = 0; k < lanes; k++) *(P *)(to + k * step + p) = block[k];
        }
    for (int k = 0; k < lanes; k++)
        for (wide q = p; q < count; q++) to[k * step + q * stride] = from[q][k];
}

static void sparse_many_Y(const sparse_pattern *s, const job *j, V *work) {
    const wide n = s->n, whole = n * j->columns;
    V *a = work, *lu = a + s->nnz, *b = lu + s->fill, *x = b + n, *y = x + n, *r = y + n, *dx = r + n;
    for (wide i = 0; i < n; i++) b[i] = SAME(0);
    for (wide first = 0; first < j->systems; first += COUNT) {
        const int lanes = (int)(j->systems - first < COUNT ? j->systems - first : COUNT);
        const int own = first == 0 || j->next_a != 0, factored = (j->what & FACTOR) && own;
        if (own) sparse_load_Y(j->values + first * j->next_a, j->next_a, 1, lanes, s->nnz, a);
        if (j->what & SOLVE) sparse_load_Y(j->right + first * j->next_b, j->next_b, j->columns, lanes, n, b);
        if (factored) sparse_factor_Y(s, a, b, lu, y, r);
        if (!(j->what & FACTOR) && (first == 0 || j->next_lu != 0))
            sparse_load_Y(j->factors + first * j->next_lu, j->next_lu, 1, lanes, s->fill, lu);
        if (factored && j->kept) sparse_store_Y(lu, s->fill, 1, lanes, s->fill, j->factors + first * s->fill);
        if (j->what & INVERSE) {
            const M bad = sparse_inverse_Y(s, a, lu, dx + n, dx + n + s->fill);
            sparse_store_Y(dx + n + s->fill, s->nnz, 1, lanes, s->nnz, j->solution + first * s->nnz);
            for (int k = 0; k < lanes; k++) j->failed[first + k] = BIT(bad, k);
        }
        if (!(j->what & SOLVE)) continue;
        M bad = LT(SAME(1), SAME(0));
        for (int c = 0; c < j->columns; c++) {
            if (c > 0) sparse_load_Y(j->right + first * j->next_b + c, j->next_b, j->columns, lanes, n, b);
            const int solved = factored && c == 0 && !j->turned;
            if (solved) sparse_finish_Y(s, lu, y, x);
            bad |= sparse_refined_Y(s, a, lu, b, x, y, r, dx, j->turned, solved, j->steps);
            sparse_store_Y(x, whole, j->columns, lanes, n, j->solution + first * whole + c);
        }
        for (int k = 0; k < lanes; k++) j->failed[first + k] = BIT(bad, k);
    }
}
