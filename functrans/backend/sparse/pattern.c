/* of long code whose steps are written in the order that needs fewest registers */
#if defined(__clang__)
#define IN_ORDER
#else
#define IN_ORDER __attribute__((optimize("no-schedule-insns")))
#endif
/* as in Symbolic; lines: the rows of the residual; starts, at and across: of each one which entries,
   and the unknowns they meet; above: of a symmetric matrix alone; then what Blocks are, and programs; columns and
   below: of each column of L where its entries stand; twins and beside: as in Symbolic */
typedef struct {
  int n, nnz, fill, symmetric, blocks;
  const int *indptr, *indices, *diagonal, *above, *row_order, *col_order, *starts, *at, *across, *lines, *rows, *segments,
      *places, *given, *entry, *place, *entries, *factor, *forward, *backward, *shapes, *columns, *below, *twins, *beside;
  const double *tolerance;
} sparse_pattern;
