typedef double ft_f64x8 __attribute__((vector_size(64)));
typedef long long ft_i64x8 __attribute__((vector_size(64)));
typedef unsigned long long ft_u64x8 __attribute__((vector_size(64)));
typedef double ft_f64x8p __attribute__((vector_size(64), aligned(8), may_alias));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x8;
#else
typedef ft_i64x8 ft_m64x8;
#endif
static inline long long ft_min_i64(long long a, long long b) { return a < b ? a : b; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_fma_f64x8(ft_f64x8 a, ft_f64x8 b, ft_f64x8 c) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_vfmaddpd512_mask(a, b, c, (ft_m64x8)-1, 4);
#elif defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  ft_f64x8 r; for (int k = 0; k < 8; k++) r[k] = __builtin_fma(a[k], b[k], c[k]); return r;
#else
  return a * b + c;
#endif
}
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
#if defined(__clang__)
#define FT_TILE
#else
#define FT_TILE __attribute__((optimize("expensive-optimizations", "no-schedule-insns")))
#endif
#if defined(__x86_64__)
#define FT_HELD(x) __asm__("" : "+v"(x))
#else
#define FT_HELD(x)
#endif
static __attribute__((noinline)) FT_TILE void ft_wmma8x8_f64(double *restrict c, const double *a, const double *b,
    long long row, long long step, long long stride, long long rows, long long terms) {
  enum { R = 8, C = 1 };
  for (long long i0 = 0; i0 < rows; i0 += R) for (long long j0 = 0; j0 < 8; j0 += C * 8) {
    const double *p[R];
    ft_f64x8 s[R][C];
#pragma GCC unroll 8
    for (int i = 0; i < R; i++) {
      p[i] = a + (i0 + i < rows ? i0 + i : rows - 1) * row;
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) s[i][j] = (ft_f64x8){0};
    }
    long long k = 0;
    do {
      ft_f64x8 y[C];
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) {
        ft_f64x8 read = ft_load_f64x8(b + k * stride + j0 + j * 8);
        FT_HELD(read);
        y[j] = read;
      }
#pragma GCC unroll 8
      for (int i = 0; i < R; i++) {
        const ft_f64x8 x = ft_splat_f64x8(p[i][k * step]);
#pragma GCC unroll 8
        for (int j = 0; j < C; j++) s[i][j] = ft_fma_f64x8(x, y[j], s[i][j]);
      }
    } while (++k < terms);
#pragma GCC unroll 8
    for (int i = 0; i < R; i++)
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) {
        double *const to = c + (i0 + i) * 8 + j0 + j * 8;
        ft_store_f64x8(to, s[i][j]);
      }
  }
}
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_eq_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)__builtin_ia32_cmppd512_mask(a, b, 0, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a == b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_sel_f64x8(ft_m64x8 m, ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_blendmpd_512_mask(b, a, m);
#else
  return (ft_f64x8)((m & (ft_i64x8)a) | (~m & (ft_i64x8)b));
#endif
}
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_lt_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)__builtin_ia32_cmppd512_mask(a, b, 1, (ft_m64x8)-1, 4);
#else
  return (ft_m64x8)(a < b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_larger_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_maxpd512_mask(a, b, (ft_f64x8){0}, (ft_m64x8)-1, 4);
#else
  return ft_sel_f64x8(ft_lt_f64x8(b, a), a, b);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_max_f64x8(ft_f64x8 a, ft_f64x8 b) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_maxpd512_mask(a, b, a, ft_eq_f64x8(a, a), 4);
#else
  return ft_sel_f64x8(ft_eq_f64x8(a, a), ft_larger_f64x8(a, b), a);
#endif
}

static __attribute__((noinline)) void k0(const double *restrict a0, const double *restrict a1, const double *restrict a2, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    const long long v0 = ft_min_i64((n0 + (i0 * -64)), 64);
    double s0[512] __attribute__((aligned(64)));
    const long long v1 = (v0 + 7) / 8;
    for (long long i1 = 0; i1 < v1; i1++) {
      ft_wmma8x8_f64(s0 + (i1 * 64), a0 + ((((i0 * 64) + (i1 * 8)) * 12) + 0), a1 + ((0LL * 10LL) + 0), 12, 1, 10, ft_min_i64((v0 + (i1 * -8)), 8), 12);
    }
    for (long long i2 = 0; i2 < v0; i2++) {
      const ft_f64x8 v2 = ft_load_f64x8(s0 + ((i2 * 8) + 0));
      const ft_f64x8 v3 = ft_load_f64x8(a2 + 0);
      const ft_f64x8 v4 = (v2 + v3);
      const ft_f64x8 v5 = ft_max_f64x8(v4, ft_splat_f64x8(0.0));
      ft_store_f64x8(o0 + ((((i0 * 64) + i2) * 10) + 0), v5);
    }
    double s1[512] __attribute__((aligned(64)));
    for (long long i4 = 0; i4 < v1; i4++) {
      ft_wmma8x8_f64(s1 + (i4 * 64), a0 + ((((i0 * 64) + (i4 * 8)) * 12) + 0), a1 + ((0LL * 10LL) + 2), 12, 1, 10, ft_min_i64((v0 + (i4 * -8)), 8), 12);
    }
    for (long long i5 = 0; i5 < v0; i5++) {
      const ft_f64x8 v6 = ft_load_f64x8(s1 + ((i5 * 8) + 0));
      const ft_f64x8 v7 = ft_load_f64x8(a2 + (0 + 2));
      const ft_f64x8 v8 = (v6 + v7);
      const ft_f64x8 v9 = ft_max_f64x8(v8, ft_splat_f64x8(0.0));
      ft_store_f64x8(o0 + ((((i0 * 64) + i5) * 10) + (0 + 2)), v9);
    }
  }
}

static int k0_part(void **buffers, const long long *sizes, long long from, long long to, long long place) {
  k0(buffers[0], buffers[1], buffers[2], buffers[3], (char *)buffers[4], sizes[0], from, to);
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
  {k0_part, 0, 16, 219, 29248, 0, 0},
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
  case 0: if (ft_turn(buffers, sizes, call, ft_shares + 0, ((sizes[0] + 63) / 64), 0)) return FT_AGAIN;
  }
#ifdef __AVX__
  __builtin_ia32_vzeroupper();
#endif
  return 0;
}
