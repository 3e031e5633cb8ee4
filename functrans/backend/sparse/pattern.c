/* as in Symbolic; starts, at and across: of each row of the residual which entries, and the unknowns they meet; above: of
   a symmetric matrix alone; the rest is that of Blocks */
typedef struct {
  int n, nnz, fill, symmetric, blocks;
  const int *indptr, *indices, *diagonal, *above, *row_order, *col_order, *starts, *at, *across, *rows, *segments, *places,
      *given, *entry, *place;
  const double *tolerance;
} sparse_pattern;
