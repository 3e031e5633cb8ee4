double fabs(double) __attribute__((const));
double copysign(double, double) __attribute__((const));
static inline long long ft_min_i64(long long a, long long b) { const long long m = a < b ? a : b; return a == a ? m : a; }
#if defined(__AVX512F__)
#define FT_PART(few, all) all
#else
#define FT_PART(few, all) few
#endif
#if defined(__clang__)
#define FT_FUSED
#define FT_FUSE _Pragma("clang fp contract(fast)")
#else
#define FT_FUSED __attribute__((optimize("fp-contract=fast", "expensive-optimizations", "no-schedule-insns")))
#define FT_FUSE
#endif
static __attribute__((noinline)) FT_FUSED void ft_wmma8x16_f64(double *restrict c, const double *a, const double *b,
    long long row, long long step, long long stride, long long rows, long long terms) { FT_FUSE
  typedef double V __attribute__((vector_size(64), aligned(8), may_alias));
  enum { R = FT_PART(4, 8), C = FT_PART(1, 2) };
  for (long long i0 = 0; i0 < 8; i0 += R) for (long long j0 = 0; j0 < 16; j0 += C * 8) {
    const double *p[R];
    V s[R][C];
#pragma GCC unroll 8
    for (int i = 0; i < R; i++) {
      p[i] = a + (i0 + i < rows ? i0 + i : rows - 1) * row;
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) s[i][j] = (V){0};
    }
    long long k = 0;
    do {
      V y[C];
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) {
        y[j] = *(const V *)(b + k * stride + j0 + j * 8);
      }
#pragma GCC unroll 8
      for (int i = 0; i < R; i++) {
        const V x = p[i][k * step] - (V){0};
#pragma GCC unroll 8
        for (int j = 0; j < C; j++) s[i][j] = x * y[j] + s[i][j];
      }
    } while (++k < terms);
#pragma GCC unroll 8
    for (int i = 0; i < R; i++)
#pragma GCC unroll 8
      for (int j = 0; j < C; j++) *(V *)(c + (i0 + i) * 16 + j0 + j * 8) = s[i][j];
  }
}
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif
static inline __attribute__((always_inline)) double ft_float_f64(long long x) { double y; __builtin_memcpy(&y, &x, 8); return y; }
static inline __attribute__((always_inline)) long long ft_bits_f64(double x) { long long y; __builtin_memcpy(&y, &x, 8); return y; }
static inline __attribute__((always_inline)) double ft_tanh_f64(double x) {
  const double v0 = fabs(x);
  const _Bool v1 = (v0 < 0.85);
  const double v2 = (v0 * v0);
  const double v3 = (v2 * v2);
  const double v4 = ((ft_fma_f64(ft_fma_f64(-44.0, v2, -12870.0), v3, ft_fma_f64(-810810.0, v2, -11486475.0)) * v2) * v0);
  const double v5 = ft_fma_f64(ft_fma_f64(v3, 45.0, ft_fma_f64(13860.0, v2, 945945.0)), v3, ft_fma_f64(16216200.0, v2, 34459425.0));
  const double v6 = ((22.0 < v0) ? 22.0 : v0);
  const double v7 = (2.0 * ((v6 < 0.0) ? 0.0 : v6));
  const double v8 = ft_fma_f64(v7, 1.4426950408889634, 6755399441056767.0);
  const double v9 = (-(v8 - 6755399441056767.0));
  const double v10 = ft_fma_f64(v9, 7.440617110012397e-11, ft_fma_f64(v9, 0.6931471804855391, v7));
  const double v11 = (v10 * v10);
  const double v12 = ft_fma_f64(ft_fma_f64(2.511797453389394e-08, v11, ft_fma_f64(2.7631414313456104e-07, v10, 2.7557215944213365e-06)), v11, ft_fma_f64(2.480148958888789e-05, v10, 0.0001984126991778212));
  const double v13 = ft_fma_f64(ft_fma_f64(v12, v11, ft_fma_f64(0.0013888888947333087, v10, 0.008333333333307021)), v11, ft_fma_f64(0.041666666666514314, v10, 0.166666666666667));
  const double v14 = (ft_fma_f64(ft_fma_f64(v13, v10, 0.5000000000000013), v11, (1.0 + v10)) * ft_float_f64(((long long)(((unsigned long long)ft_bits_f64(v8)) << 52ULL))));
  const double v15 = (v14 + 1.0);
  return copysign(((v1 ? v0 : 1.0) + ((v1 ? v4 : -2.0) / (v1 ? v5 : v15))), x);
}

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i2 = from; i2 < to; i2++) {
    const long long v0 = ft_min_i64(128, (n0 + (i2 * -128)));
    for (long long i1 = 0; i1 < 16; i1++) {
      double s0[128] __attribute__((aligned(64)));
      for (long long i3 = 0; i3 < v0; i3++) {
        s0[i3] = a0[((ft_min_i64(i1, 11) * 10) + (i2 * 128)) + i3];
      }
      double s1[128] __attribute__((aligned(64)));
      for (long long i4 = 0; i4 < (((v0 + 7) / 8) * 8); i4++) {
        s1[i4] = s0[i4];
      }
      for (long long i5 = 0; i5 < v0; i5++) {
        o0[((i2 * 2048) + (i5 * 16)) + i1] = s1[i5];
      }
    }
  }
}

static void k1(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    const long long v0 = ft_min_i64((n0 + (i0 * -64)), 64);
    double s0[1024] __attribute__((aligned(64)));
    for (long long i1 = 0; i1 < ((v0 + 7) / 8); i1++) {
      ft_wmma8x16_f64(&s0[i1 * 128], &a0[(((i0 * 64) + (i1 * 8)) * 10) + 0], &a1[(0LL * 16LL) + 0], 10, 1, 16, ft_min_i64((v0 + (i1 * -8)), 8), 10);
    }
    for (long long i2 = 0; i2 < v0; i2++) {
      for (long long i3 = 0; i3 < 12; i3++) {
        o0[(((i0 * 64) + i2) * 12) + i3] = ft_tanh_f64(s0[(i2 * 16) + i3]);
      }
    }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long,
  long long *, const long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[1], buffers[3], (char *)buffers[4], sizes[0], from, to);
}

static void k1_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k1(buffers[0], buffers[3], buffers[2], (char *)buffers[4], sizes[1], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[6];
  switch (at[0]) { default:;
  case 0: if (sizes[2] > 1 && ((sizes[0] + 127) / 128) > 203) {
    if (((ft_pool *)buffers[5])(k0_part, buffers, sizes, ((sizes[0] + 127) / 128), 16, 203, sizes[2], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = ((sizes[0] + 127) / 128), to = n - at[1] > 27136 ? at[1] + 27136 : n;
    k0(buffers[1], buffers[3], (char *)buffers[4], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  case 1: if (sizes[2] > 1 && ((sizes[1] + 63) / 64) > 72) {
    if (((ft_pool *)buffers[5])(k1_part, buffers, sizes, ((sizes[1] + 63) / 64), 5, 72, sizes[2], at + 1, 0)) { at[0] = 1; return 1000; }
  } else {
    const long long n = ((sizes[1] + 63) / 64), to = n - at[1] > 9664 ? at[1] + 9664 : n;
    k1(buffers[0], buffers[3], buffers[2], (char *)buffers[4], sizes[1], at[1], to);
    if (to < n) { at[0] = 1; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
