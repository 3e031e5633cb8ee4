typedef double ft_f64x8 __attribute__((vector_size(64)));
typedef long long ft_i64x8 __attribute__((vector_size(64)));
typedef unsigned long long ft_u64x8 __attribute__((vector_size(64)));
typedef double ft_f64x8p __attribute__((vector_size(64), aligned(8), may_alias));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x8;
#else
typedef ft_i64x8 ft_m64x8;
#endif
double sin(double) __attribute__((const));
double fabs(double) __attribute__((const));
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif
static __attribute__((noinline, const)) double ft_one_f64(void) { return 1; }
static inline __attribute__((always_inline)) double ft_float_f64(long long x) { double y; __builtin_memcpy(&y, &x, 8); return y; }
static inline __attribute__((always_inline)) long long ft_bits_f64(double x) { long long y; __builtin_memcpy(&y, &x, 8); return y; }
static inline __attribute__((always_inline)) double ft_sinnear_f64(double x) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  const double v0 = ft_fma_f64(x, 0.3183098861837907, 6755399441055744.0);
  const double v1 = (-(v0 - 6755399441055744.0));
  const double v2 = ft_fma_f64(v1, 1.224646799147353e-16, ft_fma_f64(v1, 3.141592653589793, x));
  const double v3 = ft_fma_f64((-v2), v2, 0.0);
  const double v4 = (v3 * v3);
  const double v5 = ft_fma_f64(ft_fma_f64(2.7222511067363714e-15, v4, ft_fma_f64(7.643097358544194e-13, v3, 1.605894392776494e-10)), v4, ft_fma_f64(2.505210696014581e-08, v3, 2.755731921213165e-06));
  const double v6 = ft_fma_f64((v3 * v2), ft_fma_f64(ft_fma_f64(v5, v4, ft_fma_f64(0.00019841269841215284, v3, 0.008333333333333212)), v3, 0.16666666666666666), ft_fma_f64(v1, 2.1657133478438278e-32, v2));
  const double v7 = ((ft_one_f64() < v6) ? ft_one_f64() : v6);
  const double v8 = (-ft_one_f64());
  return ft_float_f64((ft_bits_f64(((v7 < v8) ? v8 : v7)) ^ ((long long)(((unsigned long long)ft_bits_f64(v0)) << 63ULL))));
#else
  const double v0 = ft_fma_f64(x, 0.3183098861837907, 6755399441055744.0);
  const double v1 = (v0 - 6755399441055744.0);
  const double v2 = (x - (v1 * 3.1415926534682512));
  const double v3 = (v1 * 1.2154201012607932e-10);
  const double v4 = (v2 - v3);
  const double v5 = (v1 * 4.044532497422333e-21);
  const double v6 = (v4 - v5);
  const double v7 = (v4 - v2);
  const double v8 = (v6 - v4);
  const double v9 = (v6 + ((((v2 - (v4 - v7)) + ((-v3) - v7)) + ((v4 - (v6 - v8)) + ((-v5) - v8))) - (v1 * 1.69568553207378e-31)));
  const double v10 = ((x == 0.0) ? x : v9);
  const double v11 = ft_fma_f64((-v10), v10, 0.0);
  const double v12 = (v11 * v11);
  const double v13 = ft_fma_f64(ft_fma_f64(2.7222511067363714e-15, v12, ft_fma_f64(7.643097358544194e-13, v11, 1.605894392776494e-10)), v12, ft_fma_f64(2.505210696014581e-08, v11, 2.755731921213165e-06));
  const double v14 = ft_fma_f64(ft_fma_f64(v13, v12, ft_fma_f64(0.00019841269841215284, v11, 0.008333333333333212)), v11, 0.16666666666666666);
  const double v15 = ft_fma_f64((v11 * v10), v14, v10);
  const double v16 = ((ft_one_f64() < v15) ? ft_one_f64() : v15);
  const double v17 = (-ft_one_f64());
  return ft_float_f64((ft_bits_f64(((v16 < v17) ? v17 : v16)) ^ ((long long)(((unsigned long long)ft_bits_f64(v0)) << 63ULL))));
#endif
}
static inline __attribute__((always_inline)) double ft_exp_f64(double x) {
  const double v0 = (709.8 * ft_one_f64());
  const double v1 = ((v0 < x) ? v0 : x);
  const double v2 = (-746.0 * ft_one_f64());
  const double v3 = ((v1 < v2) ? v2 : v1);
  const double v4 = ft_fma_f64(v3, 1.4426950408889634, 6755399441057790.0);
  const double v5 = (-(v4 - 6755399441057790.0));
  const double v6 = ft_fma_f64(v5, 7.440617110012397e-11, ft_fma_f64(v5, 0.6931471804855391, v3));
  const double v7 = (v6 * v6);
  const double v8 = ft_fma_f64(ft_fma_f64(2.511797453389394e-08, v7, ft_fma_f64(2.7631414313456104e-07, v6, 2.7557215944213365e-06)), v7, ft_fma_f64(2.480148958888789e-05, v6, 0.0001984126991778212));
  const double v9 = ft_fma_f64(ft_fma_f64(v8, v7, ft_fma_f64(0.0013888888947333087, v6, 0.008333333333307021)), v7, ft_fma_f64(0.041666666666514314, v6, 0.166666666666667));
  const unsigned long long v10 = ((unsigned long long)ft_bits_f64(v4));
  const long long v11 = (((long long)(v10 << 51ULL)) & 9218868437227405312LL);
  const double v12 = ft_float_f64(v11);
  return (ft_fma_f64(ft_fma_f64(ft_fma_f64(v9, v6, 0.5000000000000013), v7, v6), v12, v12) * ft_float_f64((((long long)(v10 << 52ULL)) - v11)));
}
static inline long long ft_min_i64(long long a, long long b) { return a < b ? a : b; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_loadif_f64x8(const double *p, ft_m64x8 m) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_loadupd512_mask(p, (ft_f64x8){0}, m);
#else
  return (ft_f64x8){m[0] ? p[0] : 0, m[1] ? p[1] : 0, m[2] ? p[2] : 0, m[3] ? p[3] : 0, m[4] ? p[4] : 0, m[5] ? p[5] : 0, m[6] ? p[6] : 0, m[7] ? p[7] : 0};
#endif
}
static __inline__ __attribute__((always_inline)) ft_i64x8 ft_splat_i64x8(long long x) { return (ft_i64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_m64x8 ft_first_m64x8(int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return (ft_m64x8)((1u << n) - 1);
#else
  return (ft_i64x8){0, 1, 2, 3, 4, 5, 6, 7} < ft_splat_i64x8(n);
#endif
}
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_loadfirst_f64x8(const double *p, int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return ft_loadif_f64x8(p, ft_first_m64x8(n));
#else
  return (ft_f64x8){0 < n ? p[0] : 0, 1 < n ? p[1] : 0, 2 < n ? p[2] : 0, 3 < n ? p[3] : 0, 4 < n ? p[4] : 0, 5 < n ? p[5] : 0, 6 < n ? p[6] : 0, 7 < n ? p[7] : 0};
#endif
}
static __inline__ __attribute__((always_inline)) void ft_storefirst_f64x8(double *p, ft_f64x8 x, int n) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  __builtin_ia32_storeupd512_mask(p, x, ft_first_m64x8(n));
#else
  if (0 < n) { p[0] = x[0]; } if (1 < n) { p[1] = x[1]; } if (2 < n) { p[2] = x[2]; } if (3 < n) { p[3] = x[3]; } if (4 < n) { p[4] = x[4]; } if (5 < n) { p[5] = x[5]; } if (6 < n) { p[6] = x[6]; } if (7 < n) { p[7] = x[7]; }
#endif
}

static __attribute__((noinline)) void piece0(char *const *s, const int *a, const double *c, long long n) {
  double *restrict o0 = (double *)s[0] + a[0] * 128;
  const double *restrict p0 = (const double *)s[0] + a[1] * 128;
  const double c0 = (double)c[a[2]];
#pragma omp simd
  for (long long i = 0; i < n * 16; i++) {
    const double v0 = (p0[i] + c0);
    o0[i] = v0;
  }
}

static __attribute__((noinline)) void piece1(char *const *s, const int *a, const double *c, long long n) {
  double *restrict o0 = (double *)s[0] + a[0] * 128;
  const double *restrict p0 = (const double *)s[0] + a[1] * 128;
  long long far = 0;
  for (long long i = 0; i < n * 16; i++) {
    const double x = p0[i];
    o0[i] = ft_sinnear_f64(x);
    far |= 1048576.0 < fabs(x);
  }
  if (far) for (long long i = 0; i < n * 16; i++) { if (1048576.0 < fabs(p0[i])) o0[i] = sin(p0[i]); }
}

static __attribute__((noinline)) void piece2(char *const *s, const int *a, const double *c, long long n) {
  double *restrict o0 = (double *)s[0] + a[0] * 128;
  const double *restrict p0 = (const double *)s[0] + a[1] * 128;
  const double *restrict p1 = (const double *)s[0] + a[2] * 128;
#pragma omp simd
  for (long long i = 0; i < n * 16; i++) {
    const double v0 = (-p0[i]);
    const double v1 = (v0 * p1[i]);
    o0[i] = v1;
  }
}

static __attribute__((noinline)) void piece3(char *const *s, const int *a, const double *c, long long n) {
  double *restrict o0 = (double *)s[0] + a[0] * 128;
  const double *restrict p0 = (const double *)s[0] + a[1] * 128;
#pragma omp simd
  for (long long i = 0; i < n * 16; i++) {
    const double v0 = ft_exp_f64(p0[i]);
    o0[i] = v0;
  }
}

static __attribute__((noinline)) void piece4(char *const *s, const int *a, const double *c, long long n) {
  double *restrict o0 = (double *)s[0] + a[0] * 128;
  const double *restrict p0 = (const double *)s[0] + a[1] * 128;
  const double *restrict p1 = (const double *)s[0] + a[2] * 128;
  const double c0 = (double)c[a[3]];
#pragma omp simd
  for (long long i = 0; i < n * 16; i++) {
    const double v0 = ft_fma_f64(p0[i], p1[i], c0);
    o0[i] = v0;
  }
}

static __attribute__((noinline)) void piece5(char *const *s, const int *a, const double *c, long long n) {
  double *restrict o0 = (double *)s[0] + a[0] * 128;
  const double *restrict p0 = (const double *)s[0] + a[1] * 128;
  const double *restrict p1 = (const double *)s[0] + a[2] * 128;
#pragma omp simd
  for (long long i = 0; i < n * 16; i++) {
    const double v0 = (p0[i] * p1[i]);
    o0[i] = v0;
  }
}

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i1 = from; i1 < to; i1++) {
    const long long v0 = ft_min_i64(128, (n0 + (i1 * -128)));
    double s0[512] __attribute__((aligned(64)));
    for (long long i2 = 0; i2 < v0; i2++) {
      s0[i2] = a0[(i1 * 384) + (i2 * 3)];
      s0[i2 + 128] = a0[((i1 * 384) + (i2 * 3)) + 1];
      s0[i2 + 256] = a0[((i1 * 384) + (i2 * 3)) + 2];
    }
    for (long long i3 = 0; i3 < ft_min_i64(15, ((((v0 + 15) / 16) * 16) + (v0 * -1))); i3++) {
      __asm__("");
      s0[v0 + i3] = s0[v0 + -1];
      s0[(v0 + i3) + 128] = s0[v0 + 127];
      s0[(v0 + i3) + 256] = s0[v0 + 255];
    }
    static void (*const calls1[])(char *const *, const int *, const double *, long long) = {piece0, piece1, piece2, piece3, piece4, piece5};
    static const double numbers1[] = {0.0, 0.25, 0.5, 0.75, 1.0};
    static const int table1[] = {
      0, 3, 3, 0, 0,
      1, 2, 0, 3,
      2, 3, 3, 0, 1,
      3, 2, 0, 3,
      4, 4, 3, 0, 2, 1,
      1, 2, 0, 3,
      2, 3, 3, 0, 1,
      3, 2, 0, 3,
      4, 4, 3, 0, 2, 2,
      1, 2, 0, 3,
      2, 3, 3, 0, 1,
      3, 2, 0, 3,
      4, 4, 3, 0, 2, 3,
      1, 2, 0, 3,
      2, 3, 3, 0, 1,
      3, 2, 0, 3,
      4, 4, 3, 0, 2, 4,
      1, 2, 0, 3,
      2, 3, 3, 0, 1,
      3, 2, 0, 3,
      5, 3, 3, 0, 2,
    };
    char *const rows1[] = {(char *)s0};
    for (const int *a = table1; a < table1 + 99; a += 2 + a[1])
      calls1[a[0]](rows1, a + 2, numbers1, (((v0 + 15) / 16) * 16) / 16);
    const long long v2 = v0;
    if (0 < v2) {
    long long i4 = 0;
    for (; i4 <= v2 - 32; i4 += 32) {
      const ft_f64x8 v3 = ft_load_f64x8(s0 + (i4 + 384));
      const ft_f64x8 v4 = ft_load_f64x8(s0 + ((i4 + 8) + 384));
      const ft_f64x8 v5 = ft_load_f64x8(s0 + ((i4 + 16) + 384));
      const ft_f64x8 v6 = ft_load_f64x8(s0 + ((i4 + 24) + 384));
      ft_store_f64x8(o0 + ((i1 * 128) + i4), v3);
      ft_store_f64x8(o0 + ((i1 * 128) + (i4 + 8)), v4);
      ft_store_f64x8(o0 + ((i1 * 128) + (i4 + 16)), v5);
      ft_store_f64x8(o0 + ((i1 * 128) + (i4 + 24)), v6);
    }
    for (; i4 <= v2 - 8; i4 += 8) {
      const ft_f64x8 v7 = ft_load_f64x8(s0 + (i4 + 384));
      ft_store_f64x8(o0 + ((i1 * 128) + i4), v7);
    }
    if (i4 < v2) {
      const ft_f64x8 v8 = ft_loadfirst_f64x8(s0 + (i4 + 384), (int)(v2 - i4));
      ft_storefirst_f64x8(o0 + ((i1 * 128) + i4), v8, (int)(v2 - i4));
    }
    }
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
  {k0_part, 0, 16, 128, 17088, 0, 0},
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
  case 0: if (ft_turn(buffers, sizes, call, ft_shares + 0, ((sizes[0] + 127) / 128), 0)) return FT_AGAIN;
  }
#ifdef __AVX__
  __builtin_ia32_vzeroupper();
#endif
  return 0;
}
