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
double sqrt(double) __attribute__((const));
static __inline__ __attribute__((always_inline)) void ft_store_f64x8(double *p, ft_f64x8 x) { *(ft_f64x8p *)p = x; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_splat_f64x8(double x) { return (ft_f64x8){x, x, x, x, x, x, x, x}; }
static __inline__ __attribute__((always_inline)) ft_f64x8 ft_load_f64x8(const double *p) { return *(const ft_f64x8p *)p; }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x2(ft_f64x2 x) { return (x[0] + x[1]); }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x4(ft_f64x4 x) { const ft_f64x2 a = __builtin_shufflevector(x, x, 0, 1), b = __builtin_shufflevector(x, x, 2, 3); return ft_foldadd_f64x2((a + b)); }
static __inline__ __attribute__((always_inline)) double ft_foldadd_f64x8(ft_f64x8 x) { const ft_f64x4 a = __builtin_shufflevector(x, x, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7); return ft_foldadd_f64x4((a + b)); }

static __attribute__((noinline)) void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    double s0[16] __attribute__((aligned(64)));
    ft_store_f64x8(s0 + 0, ft_splat_f64x8(0.0));
    ft_store_f64x8(s0 + 8, ft_splat_f64x8(0.0));
    const ft_f64x8 v0 = ft_load_f64x8(a0 + ((i0 * 64) + 0));
    const ft_f64x8 v1 = ft_load_f64x8(a0 + ((i0 * 64) + 8));
    const ft_f64x8 v2 = ft_load_f64x8(a0 + ((i0 * 64) + 16));
    const ft_f64x8 v3 = ft_load_f64x8(a0 + ((i0 * 64) + 24));
    const ft_f64x8 v4 = ft_load_f64x8(s0 + 0);
    const ft_f64x8 v5 = (v4 + v0);
    ft_store_f64x8(s0 + 0, v5);
    const ft_f64x8 v6 = ft_load_f64x8(s0 + 8);
    const ft_f64x8 v7 = (v6 + v1);
    ft_store_f64x8(s0 + 8, v7);
    const ft_f64x8 v8 = ft_load_f64x8(s0 + 0);
    const ft_f64x8 v9 = (v8 + v2);
    ft_store_f64x8(s0 + 0, v9);
    const ft_f64x8 v10 = ft_load_f64x8(s0 + 8);
    const ft_f64x8 v11 = (v10 + v3);
    ft_store_f64x8(s0 + 8, v11);
    const ft_f64x8 v12 = ft_load_f64x8(a0 + ((i0 * 64) + 32));
    const ft_f64x8 v13 = ft_load_f64x8(a0 + ((i0 * 64) + 40));
    const ft_f64x8 v14 = ft_load_f64x8(a0 + ((i0 * 64) + 48));
    const ft_f64x8 v15 = ft_load_f64x8(a0 + ((i0 * 64) + 56));
    const ft_f64x8 v16 = ft_load_f64x8(s0 + 0);
    const ft_f64x8 v17 = (v16 + v12);
    ft_store_f64x8(s0 + 0, v17);
    const ft_f64x8 v18 = ft_load_f64x8(s0 + 8);
    const ft_f64x8 v19 = (v18 + v13);
    ft_store_f64x8(s0 + 8, v19);
    const ft_f64x8 v20 = ft_load_f64x8(s0 + 0);
    const ft_f64x8 v21 = (v20 + v14);
    ft_store_f64x8(s0 + 0, v21);
    const ft_f64x8 v22 = ft_load_f64x8(s0 + 8);
    const ft_f64x8 v23 = (v22 + v15);
    ft_store_f64x8(s0 + 8, v23);
    const double v24 = ft_foldadd_f64x8((ft_load_f64x8(s0 + 0) + ft_load_f64x8(s0 + 8)));
    const double v25 = v24 / 64.0;
    double s1[16] __attribute__((aligned(64)));
    ft_store_f64x8(s1 + 0, ft_splat_f64x8(0.0));
    ft_store_f64x8(s1 + 8, ft_splat_f64x8(0.0));
    const ft_f64x8 v26 = ft_load_f64x8(a0 + ((i0 * 64) + 0));
    const ft_f64x8 v27 = ft_load_f64x8(a0 + ((i0 * 64) + 8));
    const ft_f64x8 v28 = ft_load_f64x8(a0 + ((i0 * 64) + 16));
    const ft_f64x8 v29 = ft_load_f64x8(a0 + ((i0 * 64) + 24));
    const ft_f64x8 v30 = (v26 - ft_splat_f64x8(v25));
    const ft_f64x8 v31 = (v27 - ft_splat_f64x8(v25));
    const ft_f64x8 v32 = (v28 - ft_splat_f64x8(v25));
    const ft_f64x8 v33 = (v29 - ft_splat_f64x8(v25));
    const ft_f64x8 v34 = (v30 * v30);
    const ft_f64x8 v35 = (v31 * v31);
    const ft_f64x8 v36 = (v32 * v32);
    const ft_f64x8 v37 = (v33 * v33);
    const ft_f64x8 v38 = ft_load_f64x8(s1 + 0);
    const ft_f64x8 v39 = (v38 + v34);
    ft_store_f64x8(s1 + 0, v39);
    const ft_f64x8 v40 = ft_load_f64x8(s1 + 8);
    const ft_f64x8 v41 = (v40 + v35);
    ft_store_f64x8(s1 + 8, v41);
    const ft_f64x8 v42 = ft_load_f64x8(s1 + 0);
    const ft_f64x8 v43 = (v42 + v36);
    ft_store_f64x8(s1 + 0, v43);
    const ft_f64x8 v44 = ft_load_f64x8(s1 + 8);
    const ft_f64x8 v45 = (v44 + v37);
    ft_store_f64x8(s1 + 8, v45);
    const ft_f64x8 v46 = ft_load_f64x8(a0 + ((i0 * 64) + 32));
    const ft_f64x8 v47 = ft_load_f64x8(a0 + ((i0 * 64) + 40));
    const ft_f64x8 v48 = ft_load_f64x8(a0 + ((i0 * 64) + 48));
    const ft_f64x8 v49 = ft_load_f64x8(a0 + ((i0 * 64) + 56));
    const ft_f64x8 v50 = (v46 - ft_splat_f64x8(v25));
    const ft_f64x8 v51 = (v47 - ft_splat_f64x8(v25));
    const ft_f64x8 v52 = (v48 - ft_splat_f64x8(v25));
    const ft_f64x8 v53 = (v49 - ft_splat_f64x8(v25));
    const ft_f64x8 v54 = (v50 * v50);
    const ft_f64x8 v55 = (v51 * v51);
    const ft_f64x8 v56 = (v52 * v52);
    const ft_f64x8 v57 = (v53 * v53);
    const ft_f64x8 v58 = ft_load_f64x8(s1 + 0);
    const ft_f64x8 v59 = (v58 + v54);
    ft_store_f64x8(s1 + 0, v59);
    const ft_f64x8 v60 = ft_load_f64x8(s1 + 8);
    const ft_f64x8 v61 = (v60 + v55);
    ft_store_f64x8(s1 + 8, v61);
    const ft_f64x8 v62 = ft_load_f64x8(s1 + 0);
    const ft_f64x8 v63 = (v62 + v56);
    ft_store_f64x8(s1 + 0, v63);
    const ft_f64x8 v64 = ft_load_f64x8(s1 + 8);
    const ft_f64x8 v65 = (v64 + v57);
    ft_store_f64x8(s1 + 8, v65);
    const double v66 = ft_foldadd_f64x8((ft_load_f64x8(s1 + 0) + ft_load_f64x8(s1 + 8)));
    const double v67 = sqrt(((v66 / 64.0) + 1e-05));
    const ft_f64x8 v68 = ft_load_f64x8(a0 + ((i0 * 64) + 0));
    const ft_f64x8 v69 = ft_load_f64x8(a0 + ((i0 * 64) + 8));
    const ft_f64x8 v70 = ft_load_f64x8(a0 + ((i0 * 64) + 16));
    const ft_f64x8 v71 = ft_load_f64x8(a0 + ((i0 * 64) + 24));
    const ft_f64x8 v72 = (v68 - ft_splat_f64x8(v25));
    const ft_f64x8 v73 = (v69 - ft_splat_f64x8(v25));
    const ft_f64x8 v74 = (v70 - ft_splat_f64x8(v25));
    const ft_f64x8 v75 = (v71 - ft_splat_f64x8(v25));
    const ft_f64x8 v76 = (v72 / ft_splat_f64x8(v67));
    const ft_f64x8 v77 = (v73 / ft_splat_f64x8(v67));
    const ft_f64x8 v78 = (v74 / ft_splat_f64x8(v67));
    const ft_f64x8 v79 = (v75 / ft_splat_f64x8(v67));
    ft_store_f64x8(o0 + ((i0 * 64) + 0), v76);
    ft_store_f64x8(o0 + ((i0 * 64) + 8), v77);
    ft_store_f64x8(o0 + ((i0 * 64) + 16), v78);
    ft_store_f64x8(o0 + ((i0 * 64) + 24), v79);
    const ft_f64x8 v80 = ft_load_f64x8(a0 + ((i0 * 64) + 32));
    const ft_f64x8 v81 = ft_load_f64x8(a0 + ((i0 * 64) + 40));
    const ft_f64x8 v82 = ft_load_f64x8(a0 + ((i0 * 64) + 48));
    const ft_f64x8 v83 = ft_load_f64x8(a0 + ((i0 * 64) + 56));
    const ft_f64x8 v84 = (v80 - ft_splat_f64x8(v25));
    const ft_f64x8 v85 = (v81 - ft_splat_f64x8(v25));
    const ft_f64x8 v86 = (v82 - ft_splat_f64x8(v25));
    const ft_f64x8 v87 = (v83 - ft_splat_f64x8(v25));
    const ft_f64x8 v88 = (v84 / ft_splat_f64x8(v67));
    const ft_f64x8 v89 = (v85 / ft_splat_f64x8(v67));
    const ft_f64x8 v90 = (v86 / ft_splat_f64x8(v67));
    const ft_f64x8 v91 = (v87 / ft_splat_f64x8(v67));
    ft_store_f64x8(o0 + ((i0 * 64) + 32), v88);
    ft_store_f64x8(o0 + ((i0 * 64) + 40), v89);
    ft_store_f64x8(o0 + ((i0 * 64) + 48), v90);
    ft_store_f64x8(o0 + ((i0 * 64) + 56), v91);
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
  {k0_part, 0, 192, 2453, 327104, 0, 0},
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
  case 0: {
  const long long rows[] = {3, 2, 1, 1, 512, sizes[0] * 512};
  const int far = call->pool && sizes[0] * 512 > 25165824;
    if (ft_turn(buffers, sizes, call, ft_shares + 0, sizes[0], far ? rows : 0)) return FT_AGAIN;
  }
  }
#ifdef __AVX__
  __builtin_ia32_vzeroupper();
#endif
  return 0;
}
