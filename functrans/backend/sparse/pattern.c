/* of long code whose steps are written in the order that needs fewest registers */
#if defined(__clang__)
#define IN_ORDER
#else
#define IN_ORDER __attribute__((optimize("no-schedule-insns")))
#endif
/* as in Symbolic; starts, at and across: of each row of the residual which entries, and the unknowns they meet; above: of a symmetric
   matrix alone */
typedef struct {
  int n, nnz, fill, symmetric;
  const int *indptr, *indices, *diagonal, *entries, *above, *row_order, *col_order, *starts, *at, *across;
  const double *tolerance;
} sparse_pattern;
