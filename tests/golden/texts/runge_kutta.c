#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    const double v0 = a0[(i0 * 3) + 1];
    const double v1 = a0[i0 * 3];
    const double v2 = 10.0 * (v0 - v1);
    const double v3 = ft_fma_f64(0.005, v2, v1);
    const double v4 = a0[(i0 * 3) + 2];
    const double v5 = ft_fma_f64(-2.6666666666666665, v4, (v1 * v0));
    const double v6 = ft_fma_f64(0.005, v5, v4);
    const double v7 = ft_fma_f64(v1, (28.0 - v4), (-v0));
    const double v8 = ft_fma_f64(0.005, v7, v0);
    const double v9 = ft_fma_f64(v3, (28.0 - v6), (-v8));
    const double v10 = ft_fma_f64(0.005, v9, v0);
    const double v11 = 10.0 * (v8 - v3);
    const double v12 = ft_fma_f64(0.005, v11, v1);
    const double v13 = 10.0 * (v10 - v12);
    const double v14 = ft_fma_f64(-2.6666666666666665, v6, (v3 * v8));
    const double v15 = ft_fma_f64(0.005, v14, v4);
    const double v16 = ft_fma_f64(v12, (28.0 - v15), (-v10));
    const double v17 = ft_fma_f64(-2.6666666666666665, v15, (v12 * v10));
    const double v18 = ft_fma_f64(0.01, v16, v0);
    const double v19 = ft_fma_f64(0.01, v13, v1);
    const double v20 = ft_fma_f64(0.01, v17, v4);
    o0[i0 * 3] = ft_fma_f64(0.0016666666666666668, (ft_fma_f64(2.0, v13, ft_fma_f64(2.0, v11, v2)) + (10.0 * (v18 - v19))), v1);
    const double v21 = ft_fma_f64(0.0016666666666666668, (ft_fma_f64(2.0, v16, ft_fma_f64(2.0, v9, v7)) + ft_fma_f64(v19, (28.0 - v20), (-v18))), v0);
    o0[(i0 * 3) + 1] = v21;
    const double v22 = ft_fma_f64(0.0016666666666666668, (ft_fma_f64(2.0, v17, ft_fma_f64(2.0, v14, v5)) + ft_fma_f64(-2.6666666666666665, v20, (v19 * v18))), v4);
    o0[(i0 * 3) + 2] = v22;
  }
}

static int k0_part(void **buffers, const long long *sizes, long long from, long long to, long long place) {
  k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], from, to);
  return 0;
}

typedef int ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long,
  long long *, const long long *);
typedef struct ft_call {
  ft_pool *pool;
  long long threads;
  long long at[6];
  long long *marks;
} ft_call;
enum { FT_AGAIN = 1000 };

typedef struct ft_shared { ft_part *run; long long number, grain, least, turn, shortest, strip; } ft_shared;
static const ft_shared ft_shares[] = {
  {k0_part, 0, 5120, 76064, 10142016, 0, 0},
};

static int ft_turn(void **buffers, const long long *sizes, ft_call *call,
    const ft_shared *s, long long n, const long long *rows) {
  if (rows || (call->threads > 1 && n > s->least)) {
    const long long strips = s->strip ? n / (4 * call->threads * s->strip) * s->strip : 0;
    const long long grain = strips > s->grain ? strips : s->grain;
    if (!call->pool(s->run, buffers, sizes, n, grain, s->least, call->threads, call->at + 1, rows)) return 0;
  } else {
    const long long at = call->at[1], to = n - at > s->turn + s->shortest ? at + s->turn : n;
    s->run(buffers, sizes, at, to, 0);
    call->at[1] = to < n ? to : 0;
    if (to >= n) return 0;
  }
  call->at[0] = s->number;
  return FT_AGAIN;
}

int ft_entry(void **buffers, const long long *sizes, ft_call *call) {
  switch (call->at[0]) { default:;
  case 0: if (ft_turn(buffers, sizes, call, ft_shares + 0, sizes[0], 0)) return FT_AGAIN;
  }
#ifdef __AVX__
  __builtin_ia32_vzeroupper();
#endif
  return 0;
}
