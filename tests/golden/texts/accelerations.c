typedef double ft_f64x2 __attribute__((vector_size(16)));
typedef long long ft_i64x2 __attribute__((vector_size(16)));
typedef unsigned long long ft_u64x2 __attribute__((vector_size(16)));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x2;
#else
typedef ft_i64x2 ft_m64x2;
#endif
typedef double ft_f64x4 __attribute__((vector_size(32)));
typedef long long ft_i64x4 __attribute__((vector_size(32)));
typedef unsigned long long ft_u64x4 __attribute__((vector_size(32)));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x4;
#else
typedef ft_i64x4 ft_m64x4;
#endif
typedef double ft_f64x8 __attribute__((vector_size(64)));
typedef long long ft_i64x8 __attribute__((vector_size(64)));
typedef unsigned long long ft_u64x8 __attribute__((vector_size(64)));
typedef double ft_f64x8p __attribute__((vector_size(64), aligned(8), may_alias));
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
typedef unsigned char ft_m64x8;
#else
typedef ft_i64x8 ft_m64x8;
#endif
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_sqrt_f64x8(ft_f64x8 x) {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
  return __builtin_ia32_sqrtpd512_mask(x, (ft_f64x8){0}, -1, 4);
#else
  ft_f64x8 r; for (int k = 0; k < 8; k++) r[k] = __builtin_sqrt(x[k]); return r;
#endif
}
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x2(ft_f64x2 x) { return (x[0] + x[1]); }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x4(ft_f64x4 x) { const ft_f64x2 a = __builtin_shufflevector(x, x, 0, 1), b = __builtin_shufflevector(x, x, 2, 3); return ft_foldadd_f64x2((a + b)); }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x8(ft_f64x8 x) { const ft_f64x4 a = __builtin_shufflevector(x, x, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7); return ft_foldadd_f64x4((a + b)); }

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  double s0[48] __attribute__((aligned(64)));
  double s1[48] __attribute__((aligned(64)));
  double s2[48] __attribute__((aligned(64)));
  for (long long i3 = 0; i3 < 48; i3++) {
    s0[i3] = a0[i3 * 3];
    s1[i3] = a0[(i3 * 3) + 1];
    s2[i3] = a0[(i3 * 3) + 2];
  }
  for (long long i0 = from; i0 < to; i0++) {
    const double v0 = a0[i0 * 3];
    double s3[16] __attribute__((aligned(64)));
    ft_store_f64x8(s3 + 0, ft_splat_f64x8(0.0));
    ft_store_f64x8(s3 + 8, ft_splat_f64x8(0.0));
    const double v1 = a0[(i0 * 3) + 1];
    double s4[16] __attribute__((aligned(64)));
    ft_store_f64x8(s4 + 0, ft_splat_f64x8(0.0));
    ft_store_f64x8(s4 + 8, ft_splat_f64x8(0.0));
    const double v2 = a0[(i0 * 3) + 2];
    double s5[16] __attribute__((aligned(64)));
    ft_store_f64x8(s5 + 0, ft_splat_f64x8(0.0));
    ft_store_f64x8(s5 + 8, ft_splat_f64x8(0.0));
    for (long long i7 = 0; i7 < 48; i7 += 16) {
      const ft_f64x8 v3 = ft_load_f64x8(s0 + i7);
      const ft_f64x8 v4 = (v3 - ft_splat_f64x8(v0));
      const ft_f64x8 v5 = (v4 * v4);
      const ft_f64x8 v6 = (ft_splat_f64x8(0.0) + v5);
      const ft_f64x8 v7 = ft_load_f64x8(s1 + i7);
      const ft_f64x8 v8 = (v7 - ft_splat_f64x8(v1));
      const ft_f64x8 v9 = (v8 * v8);
      const ft_f64x8 v10 = (v6 + v9);
      const ft_f64x8 v11 = ft_load_f64x8(s2 + i7);
      const ft_f64x8 v12 = (v11 - ft_splat_f64x8(v2));
      const ft_f64x8 v13 = (v12 * v12);
      const ft_f64x8 v14 = (v10 + v13);
      const ft_f64x8 v15 = (v14 + ft_splat_f64x8(0.01));
      const ft_f64x8 v16 = ft_sqrt_f64x8(v15);
      const ft_f64x8 v17 = (ft_splat_f64x8(1.0) / v16);
      const ft_f64x8 v18 = (v17 * v17);
      const ft_f64x8 v19 = (v18 * v17);
      const ft_f64x8 v20 = (v4 * v19);
      const ft_f64x8 v21 = ft_load_f64x8(s3 + 0);
      const ft_f64x8 v22 = (v21 + v20);
      ft_store_f64x8(s3 + 0, v22);
      const ft_f64x8 v23 = (v8 * v19);
      const ft_f64x8 v24 = ft_load_f64x8(s4 + 0);
      const ft_f64x8 v25 = (v24 + v23);
      ft_store_f64x8(s4 + 0, v25);
      const ft_f64x8 v26 = (v12 * v19);
      const ft_f64x8 v27 = ft_load_f64x8(s5 + 0);
      const ft_f64x8 v28 = (v27 + v26);
      ft_store_f64x8(s5 + 0, v28);
      const ft_f64x8 v29 = ft_load_f64x8(s0 + (i7 + 8));
      const ft_f64x8 v30 = (v29 - ft_splat_f64x8(v0));
      const ft_f64x8 v31 = (v30 * v30);
      const ft_f64x8 v32 = (ft_splat_f64x8(0.0) + v31);
      const ft_f64x8 v33 = ft_load_f64x8(s1 + (i7 + 8));
      const ft_f64x8 v34 = (v33 - ft_splat_f64x8(v1));
      const ft_f64x8 v35 = (v34 * v34);
      const ft_f64x8 v36 = (v32 + v35);
      const ft_f64x8 v37 = ft_load_f64x8(s2 + (i7 + 8));
      const ft_f64x8 v38 = (v37 - ft_splat_f64x8(v2));
      const ft_f64x8 v39 = (v38 * v38);
      const ft_f64x8 v40 = (v36 + v39);
      const ft_f64x8 v41 = (v40 + ft_splat_f64x8(0.01));
      const ft_f64x8 v42 = ft_sqrt_f64x8(v41);
      const ft_f64x8 v43 = (ft_splat_f64x8(1.0) / v42);
      const ft_f64x8 v44 = (v43 * v43);
      const ft_f64x8 v45 = (v44 * v43);
      const ft_f64x8 v46 = (v30 * v45);
      const ft_f64x8 v47 = ft_load_f64x8(s3 + 8);
      const ft_f64x8 v48 = (v47 + v46);
      ft_store_f64x8(s3 + 8, v48);
      const ft_f64x8 v49 = (v34 * v45);
      const ft_f64x8 v50 = ft_load_f64x8(s4 + 8);
      const ft_f64x8 v51 = (v50 + v49);
      ft_store_f64x8(s4 + 8, v51);
      const ft_f64x8 v52 = (v38 * v45);
      const ft_f64x8 v53 = ft_load_f64x8(s5 + 8);
      const ft_f64x8 v54 = (v53 + v52);
      ft_store_f64x8(s5 + 8, v54);
    }
    const double v55 = ft_foldadd_f64x8((ft_load_f64x8(s3 + 0) + ft_load_f64x8(s3 + 8)));
    const double v56 = ft_foldadd_f64x8((ft_load_f64x8(s4 + 0) + ft_load_f64x8(s4 + 8)));
    const double v57 = ft_foldadd_f64x8((ft_load_f64x8(s5 + 0) + ft_load_f64x8(s5 + 8)));
    o0[i0 * 3] = v55;
    o0[(i0 * 3) + 1] = v56;
    o0[(i0 * 3) + 2] = v57;
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
  {k0_part, 0, 128, 1886, 251584, 0, 0},
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
