/* of long code whose steps are written in the order that needs fewest registers */
#if defined(__clang__)
#define IN_ORDER
#else
#define IN_ORDER __attribute__((optimize("no-schedule-insns")))
#endif
/* as in Symbolic; starts, at and across: of each row of the residual which entries, and the unknowns they meet; above: of
   a symmetric matrix alone; the rest is that of Blocks */
typedef struct {
  int n, nnz, fill, symmetric, blocks;
  const int *indptr, *indices, *diagonal, *above, *row_order, *col_order, *starts, *at, *across, *rows, *segments, *places,
      *given, *entry, *place;
  const double *tolerance;
} sparse_pattern;
