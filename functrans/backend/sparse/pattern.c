#if defined(__clang__)
#define FUSE _Pragma("clang fp contract(fast)")
#define FUSED
#else
#define FUSE
#define FUSED __attribute__((optimize("fp-contract=fast", "expensive-optimizations", "no-schedule-insns")))
#endif
/* as in Symbolic; starts, at and across: of each row of the residual which entries, and the unknowns they meet; above: of a symmetric
   matrix alone */
typedef struct {
  int n, nnz, fill, symmetric;
  const int *indptr, *indices, *diagonal, *entries, *above, *row_order, *col_order, *starts, *at, *across;
  const double *tolerance;
} sparse_pattern;
