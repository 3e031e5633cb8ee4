/* what a task of programs.c does; r rows, m pivots, a width of 1, 2, 4, 8 or more columns */
#define UPDATE(r, m, width) ((((r) - 1) * 4 + (m) - 1) * 5 + (width))
#define DIVIDE(r, m) (40 + ((r) - 1) * 4 + (m) - 1)
#define COPY(r, m) (48 + ((r) - 1) * 4 + (m) - 1)
enum { PIVOT = 56, FORWARD = 57, FORWARD_ON = 65, BACKWARD = 74, BACKWARD_PART = 83, BACKWARD_MORE, BACKWARD_ON = 84,
  KINDS = 93 };
