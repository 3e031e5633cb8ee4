/* How compiled code is called: int ft_entry(void **buffers, const long long *sizes, ft_call *call).
   The one description of it: in front of generated C, of launch.c and of xla.c; _abi.py says the same to cffi.
   The buffers are arrays alone: arguments, captured arrays, results, slices of the memory for intermediate values. The
   sizes are the extents that are arguments, and behind them the values of run-time integers. */
typedef int ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long,
  long long *, const long long *);
typedef struct ft_call {
  ft_pool *pool;     /* runs parts of a kernel on several threads; 0 where one is enough */
  long long threads; /* that may share the work */
  long long at[6];   /* how far the call has come: -1 and zeros in the beginning */
  long long *marks;  /* the time before each kernel and in the end, from code that notes it */
} ft_call;
enum { FT_AGAIN = 1000 }; /* returned by a call that has run for a while and is not done */
