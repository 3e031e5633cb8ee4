/* one system: nothing of it is copied but its columns */
static void sparse_alone(const sparse_pattern *s, const job *j, double *work) {
    const wide n = s->n, m = j->columns;
    double *const lu = j->kept || !(j->what & FACTOR) ? j->factors : work;
    double *b = work + s->fill, *x = b + n, *y = x + n, *r = y + n;
    for (wide i = 0; i < n; i++) b[i] = j->what & SOLVE ? j->right[i * m] : 0;
    if (j->what & FACTOR) sparse_factor_f64(s, j->values, b, lu, y, r);
    if (j->what & INVERSE) *j->failed = sparse_inverse_f64(s, j->values, lu, r + 2 * n, j->solution);
    if (!(j->what & SOLVE)) return;
    *j->failed = 0;
    for (wide c = 0; c < m; c++) {
        for (wide i = 0; i < n && c > 0; i++) b[i] = j->right[i * m + c];
        const int solved = (j->what & FACTOR) && c == 0 && !j->turned;
        if (solved) sparse_finish_f64(s, lu, y, x);
        *j->failed |= sparse_refined_f64(s, j->values, lu, b, x, y, r, r + n, j->turned, solved, j->steps);
        for (wide i = 0; i < n; i++) j->solution[i * m + c] = x[i];
    }
}
