/* Factors and solutions of sparse systems of one pattern, several side by side in the lanes of vectors: the bits are those
   of one alone. No memory is allocated here, no library is called. */

typedef long long wide;

enum { FACTOR = 1, SOLVE = 2, INVERSE = 4 };

/* a call: what to do with how many systems, their columns, whether the transpose is solved with, steps of refinement,
   whether factors are kept, the steps from one system to the next in the entries, factors and right-hand sides (0: all
   have the same); left: systems until the caller is to look for
   better code */
typedef struct {
    int what, columns, turned, steps, kept;
    wide systems, next_a, next_lu, next_b;
    const double *values, *right;
    double *factors, *solution;
    int *failed;
    wide *left;
} job;

/* SYSTEMS */

/* sizes: what to do, systems, n, nnz, fill, columns, the three steps, turned, steps of refinement, kept, whether the
   matrix is symmetric, blocks, whether vectors are those of half as many systems */
int ft_entry(void **buffers, const wide *sizes) {
    const job j = {
        (int)sizes[0], (int)sizes[5], (int)sizes[9], (int)sizes[10], (int)sizes[11], sizes[1], sizes[6], sizes[7],
        sizes[8], buffers[0], buffers[2], buffers[1], buffers[3], buffers[4], buffers[30],
    };
    const sparse_pattern s = {
        (int)sizes[2], (int)sizes[3], (int)sizes[4], (int)sizes[12], (int)sizes[13], buffers[6], buffers[7], buffers[8],
        buffers[9], buffers[10], buffers[11], buffers[12], buffers[13], buffers[14], buffers[15], buffers[16],
        buffers[17], buffers[18], buffers[19], buffers[20], buffers[21], buffers[22], buffers[23], buffers[24],
        buffers[25], buffers[26], buffers[27], buffers[28], 0, 0, buffers[29],
    };
    void *const work = (void *)(((unsigned long long)buffers[5] + 63) / 64 * 64);
    (void)work;
    RUN
    if (*j.left > 0 && (*j.left -= j.systems) <= 0) *j.failed = 1; /* the caller is told as of a failure */
    return 0;
}
