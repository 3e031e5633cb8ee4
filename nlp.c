#include <stddef.h>

int nlp_f(const double **arg, double **res, long long int *iw, double *w, int mem);
long long int nlp_f_n_in(void);
long long int nlp_f_n_out(void);
const char *nlp_f_name_in(long long int i);
const char *nlp_f_name_out(long long int i);
const long long int *nlp_f_sparsity_in(long long int i);
const long long int *nlp_f_sparsity_out(long long int i);
int nlp_f_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w);
int nlp_f_checkout(void);
void nlp_f_release(int mem);
void nlp_f_incref(void);
void nlp_f_decref(void);
const char *nlp_f_signature(void);
int jac_nlp_f(const double **arg, double **res, long long int *iw, double *w, int mem);
long long int jac_nlp_f_n_in(void);
long long int jac_nlp_f_n_out(void);
const char *jac_nlp_f_name_in(long long int i);
const char *jac_nlp_f_name_out(long long int i);
const long long int *jac_nlp_f_sparsity_in(long long int i);
const long long int *jac_nlp_f_sparsity_out(long long int i);
int jac_nlp_f_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w);
int jac_nlp_f_checkout(void);
void jac_nlp_f_release(int mem);
void jac_nlp_f_incref(void);
void jac_nlp_f_decref(void);
const char *jac_nlp_f_signature(void);
int fwd1_nlp_f(const double **arg, double **res, long long int *iw, double *w, int mem);
long long int fwd1_nlp_f_n_in(void);
long long int fwd1_nlp_f_n_out(void);
const char *fwd1_nlp_f_name_in(long long int i);
const char *fwd1_nlp_f_name_out(long long int i);
const long long int *fwd1_nlp_f_sparsity_in(long long int i);
const long long int *fwd1_nlp_f_sparsity_out(long long int i);
int fwd1_nlp_f_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w);
int fwd1_nlp_f_checkout(void);
void fwd1_nlp_f_release(int mem);
void fwd1_nlp_f_incref(void);
void fwd1_nlp_f_decref(void);
const char *fwd1_nlp_f_signature(void);
int adj1_nlp_f(const double **arg, double **res, long long int *iw, double *w, int mem);
long long int adj1_nlp_f_n_in(void);
long long int adj1_nlp_f_n_out(void);
const char *adj1_nlp_f_name_in(long long int i);
const char *adj1_nlp_f_name_out(long long int i);
const long long int *adj1_nlp_f_sparsity_in(long long int i);
const long long int *adj1_nlp_f_sparsity_out(long long int i);
int adj1_nlp_f_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w);
int adj1_nlp_f_checkout(void);
void adj1_nlp_f_release(int mem);
void adj1_nlp_f_incref(void);
void adj1_nlp_f_decref(void);
const char *adj1_nlp_f_signature(void);
int jac_adj1_nlp_f(const double **arg, double **res, long long int *iw, double *w, int mem);
long long int jac_adj1_nlp_f_n_in(void);
long long int jac_adj1_nlp_f_n_out(void);
const char *jac_adj1_nlp_f_name_in(long long int i);
const char *jac_adj1_nlp_f_name_out(long long int i);
const long long int *jac_adj1_nlp_f_sparsity_in(long long int i);
const long long int *jac_adj1_nlp_f_sparsity_out(long long int i);
int jac_adj1_nlp_f_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w);
int jac_adj1_nlp_f_checkout(void);
void jac_adj1_nlp_f_release(int mem);
void jac_adj1_nlp_f_incref(void);
void jac_adj1_nlp_f_decref(void);
const char *jac_adj1_nlp_f_signature(void);
int fwd1_adj1_nlp_f(const double **arg, double **res, long long int *iw, double *w, int mem);
long long int fwd1_adj1_nlp_f_n_in(void);
long long int fwd1_adj1_nlp_f_n_out(void);
const char *fwd1_adj1_nlp_f_name_in(long long int i);
const char *fwd1_adj1_nlp_f_name_out(long long int i);
const long long int *fwd1_adj1_nlp_f_sparsity_in(long long int i);
const long long int *fwd1_adj1_nlp_f_sparsity_out(long long int i);
int fwd1_adj1_nlp_f_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w);
int fwd1_adj1_nlp_f_checkout(void);
void fwd1_adj1_nlp_f_release(int mem);
void fwd1_adj1_nlp_f_incref(void);
void fwd1_adj1_nlp_f_decref(void);
const char *fwd1_adj1_nlp_f_signature(void);
int nlp_g(const double **arg, double **res, long long int *iw, double *w, int mem);
long long int nlp_g_n_in(void);
long long int nlp_g_n_out(void);
const char *nlp_g_name_in(long long int i);
const char *nlp_g_name_out(long long int i);
const long long int *nlp_g_sparsity_in(long long int i);
const long long int *nlp_g_sparsity_out(long long int i);
int nlp_g_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w);
int nlp_g_checkout(void);
void nlp_g_release(int mem);
void nlp_g_incref(void);
void nlp_g_decref(void);
const char *nlp_g_signature(void);
int jac_nlp_g(const double **arg, double **res, long long int *iw, double *w, int mem);
long long int jac_nlp_g_n_in(void);
long long int jac_nlp_g_n_out(void);
const char *jac_nlp_g_name_in(long long int i);
const char *jac_nlp_g_name_out(long long int i);
const long long int *jac_nlp_g_sparsity_in(long long int i);
const long long int *jac_nlp_g_sparsity_out(long long int i);
int jac_nlp_g_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w);
int jac_nlp_g_checkout(void);
void jac_nlp_g_release(int mem);
void jac_nlp_g_incref(void);
void jac_nlp_g_decref(void);
const char *jac_nlp_g_signature(void);
int fwd1_nlp_g(const double **arg, double **res, long long int *iw, double *w, int mem);
long long int fwd1_nlp_g_n_in(void);
long long int fwd1_nlp_g_n_out(void);
const char *fwd1_nlp_g_name_in(long long int i);
const char *fwd1_nlp_g_name_out(long long int i);
const long long int *fwd1_nlp_g_sparsity_in(long long int i);
const long long int *fwd1_nlp_g_sparsity_out(long long int i);
int fwd1_nlp_g_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w);
int fwd1_nlp_g_checkout(void);
void fwd1_nlp_g_release(int mem);
void fwd1_nlp_g_incref(void);
void fwd1_nlp_g_decref(void);
const char *fwd1_nlp_g_signature(void);
int adj1_nlp_g(const double **arg, double **res, long long int *iw, double *w, int mem);
long long int adj1_nlp_g_n_in(void);
long long int adj1_nlp_g_n_out(void);
const char *adj1_nlp_g_name_in(long long int i);
const char *adj1_nlp_g_name_out(long long int i);
const long long int *adj1_nlp_g_sparsity_in(long long int i);
const long long int *adj1_nlp_g_sparsity_out(long long int i);
int adj1_nlp_g_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w);
int adj1_nlp_g_checkout(void);
void adj1_nlp_g_release(int mem);
void adj1_nlp_g_incref(void);
void adj1_nlp_g_decref(void);
const char *adj1_nlp_g_signature(void);
int jac_adj1_nlp_g(const double **arg, double **res, long long int *iw, double *w, int mem);
long long int jac_adj1_nlp_g_n_in(void);
long long int jac_adj1_nlp_g_n_out(void);
const char *jac_adj1_nlp_g_name_in(long long int i);
const char *jac_adj1_nlp_g_name_out(long long int i);
const long long int *jac_adj1_nlp_g_sparsity_in(long long int i);
const long long int *jac_adj1_nlp_g_sparsity_out(long long int i);
int jac_adj1_nlp_g_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w);
int jac_adj1_nlp_g_checkout(void);
void jac_adj1_nlp_g_release(int mem);
void jac_adj1_nlp_g_incref(void);
void jac_adj1_nlp_g_decref(void);
const char *jac_adj1_nlp_g_signature(void);
int fwd1_adj1_nlp_g(const double **arg, double **res, long long int *iw, double *w, int mem);
long long int fwd1_adj1_nlp_g_n_in(void);
long long int fwd1_adj1_nlp_g_n_out(void);
const char *fwd1_adj1_nlp_g_name_in(long long int i);
const char *fwd1_adj1_nlp_g_name_out(long long int i);
const long long int *fwd1_adj1_nlp_g_sparsity_in(long long int i);
const long long int *fwd1_adj1_nlp_g_sparsity_out(long long int i);
int fwd1_adj1_nlp_g_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w);
int fwd1_adj1_nlp_g_checkout(void);
void fwd1_adj1_nlp_g_release(int mem);
void fwd1_adj1_nlp_g_incref(void);
void fwd1_adj1_nlp_g_decref(void);
const char *fwd1_adj1_nlp_g_signature(void);

#if defined(__FAST_MATH__)
#error "compile this file without -ffast-math: its functions need arithmetic as IEEE 754 has it"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize ("wrapv", "fp-contract=off", "no-strict-aliasing", "expensive-optimizations")
#endif

static const long long int nlp_c0[] = {
  6, 1, 1
};

static const long long int nlp_c1[] = {
  1, 1, 1
};

static const long long int nlp_c2[] = {
  1, 1, 0, 0
};

static const long long int nlp_c3[] = {
  1, 6, 0, 1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0
};

static const long long int nlp_c4[] = {
  1, 1, 0, 1, 0
};

static const int nlp_c5[] = {
  0, 4, 8, 12, 16, 20, 22, 23, 24, 25, 26, 27
};

static const long long nlp_c6[] = {
  0LL, 1LL, 3LL, 4LL, 5LL, 7LL, 8LL, 9LL, 11LL, 12LL, 13LL, 15LL, 16LL, 17LL, 19LL, 20LL
};

static const long long nlp_c7[] = {
  2LL, 6LL, 10LL, 14LL, 18LL, 21LL
};

static const long long int nlp_c8[] = {
  6, 1, 0, 0
};

static const long long int nlp_c9[] = {
  6, 6, 0, 2, 5, 8, 11, 14, 16, 0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5
};

static const long long int nlp_c10[] = {
  6, 1, 0, 6, 0, 1, 2, 3, 4, 5
};

static const long long int nlp_c11[] = {
  5, 1, 1
};

static const long long int nlp_c12[] = {
  5, 1, 0, 0
};

static const long long int nlp_c13[] = {
  5, 6, 0, 1, 3, 5, 7, 9, 10, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4
};

static const long long int nlp_c14[] = {
  6, 6, 0, 1, 3, 5, 7, 9, 10, 1, 0, 2, 1, 3, 2, 4, 3, 5, 4
};

static const long long int nlp_c15[] = {
  6, 5, 0, 0, 0, 0, 0, 0
};

static const long long int nlp_c16[] = {
  6, 5, 0, 2, 4, 6, 8, 10, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5
};

static const long long int nlp_c17[] = {
  1, 6, 0, 0, 0, 0, 0, 0, 0
};

static const long long int nlp_c18[] = {
  1, 5, 0, 0, 0, 0, 0, 0
};

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define ft_fma_f64(a, b, c) __builtin_fma(a, b, c)
#else
#define ft_fma_f64(a, b, c) ((a) * (b) + (c))
#endif

static void nlp_f_k0(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch) {
  (void)scratch;
  double acc0 = 0.0;
  double acc1 = 0.0;
  for (long long i0 = 0; i0 < 5; i0++) {
    const double v0 = a1[i0];
    const double v1 = ft_fma_f64((-v0), v0, a1[i0 + 1]);
    acc0 = acc0 + (v1 * v1);
    const double v2 = 1.0 - v0;
    acc1 = acc1 + (v2 * v2);
  }
  o0[0] = ft_fma_f64(a0[0], acc0, acc1);
}

static __attribute__((unused)) int nlp_f_run(const void *const *in, void *const *out, char *work) {
  void *buffers[] = {(void *)in[0], (void *)in[1], out[0], work + 0};
  nlp_f_k0(buffers[1], buffers[0], buffers[2], (char *)buffers[3]);
  (void)buffers;
  return 0;
}

static void jac_nlp_f_k0(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  const double v0 = a0[0];
  const double v1 = a1[4];
  const double v2 = ft_fma_f64((-v1), v1, a1[5]);
  const double v3 = v0 * (2.0 * v2);
  const double v4 = a1[3];
  const double v5 = ft_fma_f64((-v4), v4, v1);
  const double v6 = ft_fma_f64(-2.0, (1.0 - v1), (v0 * ft_fma_f64(-2.0, (v2 * (2.0 * v1)), (2.0 * v5))));
  const double v7 = a1[2];
  const double v8 = ft_fma_f64((-v7), v7, v4);
  const double v9 = ft_fma_f64(-2.0, (1.0 - v4), (v0 * ft_fma_f64(-2.0, (v5 * (2.0 * v4)), (2.0 * v8))));
  const double v10 = a1[1];
  const double v11 = ft_fma_f64((-v10), v10, v7);
  const double v12 = ft_fma_f64(-2.0, (1.0 - v7), (v0 * ft_fma_f64(-2.0, (v8 * (2.0 * v7)), (2.0 * v11))));
  const double v13 = a1[0];
  const double v14 = ft_fma_f64((-v13), v13, v10);
  const double v15 = ft_fma_f64(-2.0, (1.0 - v10), (v0 * ft_fma_f64(-2.0, (v11 * (2.0 * v10)), (2.0 * v14))));
  const double v16 = ft_fma_f64(-2.0, (1.0 - v13), (v0 * (-2.0 * (v14 * (2.0 * v13)))));
  for (long long i0 = 0; i0 < n0; i0++) {
    o0[5] = v3;
    o0[4] = v6;
    o0[3] = v9;
    o0[2] = v12;
    o0[1] = v15;
    o0[0] = v16;
  }
}

static void jac_nlp_f_k1(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  double acc0 = 0.0;
  for (long long i1 = 0; i1 < 5; i1++) {
    const double v0 = a0[i1];
    const double v1 = ft_fma_f64((-v0), v0, a0[i1 + 1]);
    acc0 = acc0 + (v1 * v1);
  }
  for (long long i0 = 0; i0 < n0; i0++) {
    o0[0] = acc0;
  }
}

static __attribute__((unused)) int jac_nlp_f_run(const void *const *in, void *const *out, char *work) {
  void *buffers[] = {(void *)in[0], (void *)in[1], out[0], out[1], work + 0};
  static const long long sizes[] = {1, 1};
  jac_nlp_f_k0(buffers[1], buffers[0], buffers[2], (char *)buffers[4], sizes[0]);
  jac_nlp_f_k1(buffers[0], buffers[3], (char *)buffers[4], sizes[1]);
  (void)buffers;
  return 0;
}

static void fwd1_nlp_f_k0(const double *restrict a0, const double *restrict a1, const double *restrict a2, const double *restrict a3, double *restrict o0, char *restrict scratch) {
  (void)scratch;
  double acc0 = 0.0;
  double acc1 = 0.0;
  double acc2 = 0.0;
  for (long long i0 = 0; i0 < 5; i0++) {
    const double v0 = a0[i0];
    const double v1 = a1[i0];
    const double v2 = (1.0 - v0) * (-v1);
    acc0 = acc0 + (v2 + v2);
    const double v3 = ft_fma_f64((-v0), v0, a0[i0 + 1]);
    const double v4 = v0 * v1;
    const double v5 = v3 * (a1[i0 + 1] - (v4 + v4));
    acc1 = acc1 + (v3 * v3);
    acc2 = acc2 + (v5 + v5);
  }
  o0[0] = acc0 + ((acc1 * a2[0]) + (a3[0] * acc2));
}

static __attribute__((unused)) int fwd1_nlp_f_run(const void *const *in, void *const *out, char *work) {
  void *buffers[] = {(void *)in[0], (void *)in[1], (void *)in[2], (void *)in[3], out[0], work + 0};
  fwd1_nlp_f_k0(buffers[0], buffers[2], buffers[3], buffers[1], buffers[4], (char *)buffers[5]);
  (void)buffers;
  return 0;
}

static void adj1_nlp_f_k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    const double v0 = a0[i0];
    o0[i0] = ft_fma_f64((-v0), v0, a0[i0 + 1]);
  }
}

static void adj1_nlp_f_k1(const double *restrict a0, const double *restrict a1, const double *restrict a2, const double *restrict a3, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  const double v0 = a0[0] * a1[0];
  const double v1 = v0 + v0;
  for (long long i0 = 0; i0 < n0; i0++) {
    const _Bool v2 = 0 < i0;
    const double v3 = v1 * (v2 ? a2[i0 + -1] : 0.0);
    const _Bool v4 = i0 < 5;
    const double v5 = v1 * (v4 ? a2[i0] : 0.0);
    const double v6 = v4 ? v5 : 0.0;
    const double v7 = v4 ? a3[i0] : 0.0;
    const double v8 = v4 ? a0[0] : 0.0;
    const double v9 = (((-v6) - v6) * v7) - ((v8 + v8) * (1.0 - v7));
    o0[i0] = (v2 ? v3 : 0.0) + (v4 ? v9 : 0.0);
  }
}

static void adj1_nlp_f_k2(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch) {
  (void)scratch;
  double acc0 = 0.0;
  for (long long i0 = 0; i0 < 5; i0++) {
    const double v0 = a1[i0];
    acc0 = acc0 + (v0 * v0);
  }
  o0[0] = a0[0] * acc0;
}

static __attribute__((unused)) int adj1_nlp_f_run(const void *const *in, void *const *out, char *work) {
  void *buffers[] = {(void *)in[0], (void *)in[1], (void *)in[2], out[0], out[1], work + 0, work + 64};
  static const long long sizes[] = {5, 6};
  adj1_nlp_f_k0(buffers[0], buffers[5], (char *)buffers[6], sizes[0]);
  adj1_nlp_f_k1(buffers[2], buffers[1], buffers[5], buffers[0], buffers[3], (char *)buffers[6], sizes[1]);
  adj1_nlp_f_k2(buffers[2], buffers[5], buffers[4], (char *)buffers[6]);
  (void)buffers;
  return 0;
}

static void jac_adj1_nlp_f_k0(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch) {
  (void)scratch;
  for (long long i0 = 0; i0 < 6; i0++) {
    o0[i0] = a0[i0];
  }
  for (long long i1 = 0; i1 < 1; i1++) {
    o0[i1 + 6] = a1[i1];
  }
}

static void jac_adj1_nlp_f_k1(const int *restrict a0, const double *restrict a1, const double *restrict a2, double *restrict o0, char *restrict scratch) {
  (void)scratch;
  for (long long i0 = 0; i0 < 12; i0++) {
    const long long v0 = (long long)((long long)a0[i0]);
    o0[v0] = 0.0;
  }
  const double v1 = a2[0];
  const double v2 = v1 * a1[6];
  const double v3 = v2 + v2;
  const double v4 = v1 + v1;
  const double v5 = 2.0 * v1;
  for (long long i1 = 0; i1 < 5; i1++) {
    const double v6 = a1[i1];
    const double v7 = (2.0 * v6) * v3;
    const double v8 = ft_fma_f64((-v6), v6, a1[i1 + 1]);
    const double v9 = v3 * v8;
    o0[i1 * 4] = o0[i1 * 4] + (ft_fma_f64(v6, (2.0 * v7), ((-v9) - v9)) + v4);
    const double v10 = -v7;
    o0[(i1 * 4) + 3] = v10;
    const double v11 = v8 * v5;
    o0[i1 + 22] = o0[i1 + 22] + (v6 * (-2.0 * v11));
    o0[(i1 * 4) + 1] = v10;
    o0[(i1 * 4) + 4] = o0[(i1 * 4) + 4] + v3;
    o0[i1 + 23] = o0[i1 + 23] + v11;
  }
  const double v12 = a1[0];
  const double v13 = a1[1];
  const double v14 = ft_fma_f64((-v12), v12, v13);
  const double v15 = v1 * (-2.0 * ((2.0 * v12) * v14));
  const double v16 = a1[4];
  const double v17 = ft_fma_f64((-v16), v16, a1[5]);
  const double v18 = v1 * (2.0 * v17);
  const double v19 = a1[3];
  const double v20 = ft_fma_f64((-v19), v19, v16);
  const double v21 = v1 * ft_fma_f64(-2.0, (v17 * (2.0 * v16)), (2.0 * v20));
  const double v22 = a1[2];
  const double v23 = ft_fma_f64((-v22), v22, v19);
  const double v24 = v1 * ft_fma_f64(-2.0, (v20 * (2.0 * v19)), (2.0 * v23));
  const double v25 = ft_fma_f64((-v13), v13, v22);
  const double v26 = v1 * ft_fma_f64(-2.0, (v23 * (2.0 * v22)), (2.0 * v25));
  const double v27 = v1 * ft_fma_f64(-2.0, (v25 * (2.0 * v13)), (2.0 * v14));
  for (long long i2 = 0; i2 < 1; i2++) {
    o0[2] = v15;
    o0[21] = v18;
    o0[18] = v21;
    o0[14] = v24;
    o0[10] = v26;
    o0[6] = v27;
  }
}

static void jac_adj1_nlp_f_k2(const double *restrict a0, const long long *restrict a1, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    const long long v0 = (long long)a1[i0];
    o0[i0] = a0[v0];
  }
}

static void jac_adj1_nlp_f_k3(const double *restrict a0, const long long *restrict a1, double *restrict o0, double *restrict o1, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    o0[i0] = a0[i0 + 22];
    const long long v0 = (long long)a1[i0];
    o1[i0] = a0[v0];
  }
}

static void jac_adj1_nlp_f_k4(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  const double v0 = a0[0];
  const double v1 = a1[4];
  const double v2 = ft_fma_f64((-v1), v1, a1[5]);
  const double v3 = v0 * (2.0 * v2);
  const double v4 = a1[3];
  const double v5 = ft_fma_f64((-v4), v4, v1);
  const double v6 = ft_fma_f64(-2.0, (1.0 - v1), (v0 * ft_fma_f64(-2.0, (v2 * (2.0 * v1)), (2.0 * v5))));
  const double v7 = a1[2];
  const double v8 = ft_fma_f64((-v7), v7, v4);
  const double v9 = ft_fma_f64(-2.0, (1.0 - v4), (v0 * ft_fma_f64(-2.0, (v5 * (2.0 * v4)), (2.0 * v8))));
  const double v10 = a1[1];
  const double v11 = ft_fma_f64((-v10), v10, v7);
  const double v12 = ft_fma_f64(-2.0, (1.0 - v7), (v0 * ft_fma_f64(-2.0, (v8 * (2.0 * v7)), (2.0 * v11))));
  const double v13 = a1[0];
  const double v14 = ft_fma_f64((-v13), v13, v10);
  const double v15 = ft_fma_f64(-2.0, (1.0 - v10), (v0 * ft_fma_f64(-2.0, (v11 * (2.0 * v10)), (2.0 * v14))));
  const double v16 = ft_fma_f64(-2.0, (1.0 - v13), (v0 * (-2.0 * (v14 * (2.0 * v13)))));
  for (long long i0 = 0; i0 < n0; i0++) {
    o0[5] = v3;
    o0[4] = v6;
    o0[3] = v9;
    o0[2] = v12;
    o0[1] = v15;
    o0[0] = v16;
  }
}

static void jac_adj1_nlp_f_k5(double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    o0[i0] = 0.0;
  }
}

static void jac_adj1_nlp_f_k6(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  double acc0 = 0.0;
  for (long long i1 = 0; i1 < 5; i1++) {
    const double v0 = a0[i1];
    const double v1 = ft_fma_f64((-v0), v0, a0[i1 + 1]);
    acc0 = acc0 + (v1 * v1);
  }
  for (long long i0 = 0; i0 < n0; i0++) {
    o0[0] = acc0;
  }
}

static __attribute__((unused)) int jac_adj1_nlp_f_run(const void *const *in, void *const *out, char *work) {
  void *buffers[] = {(void *)in[0], (void *)in[1], (void *)in[2], (void *)nlp_c5, (void *)nlp_c6, (void *)nlp_c7, out[0], out[1], out[2], out[3], out[4], out[5], work + 0, work + 64, work + 320};
  static const long long sizes[] = {16, 6, 1, 0, 1};
  jac_adj1_nlp_f_k0(buffers[0], buffers[1], buffers[12], (char *)buffers[14]);
  jac_adj1_nlp_f_k1(buffers[3], buffers[12], buffers[2], buffers[13], (char *)buffers[14]);
  jac_adj1_nlp_f_k2(buffers[13], buffers[4], buffers[6], (char *)buffers[14], sizes[0]);
  jac_adj1_nlp_f_k3(buffers[13], buffers[5], buffers[7], buffers[9], (char *)buffers[14], sizes[1]);
  jac_adj1_nlp_f_k4(buffers[1], buffers[0], buffers[8], (char *)buffers[14], sizes[2]);
  jac_adj1_nlp_f_k5(buffers[10], (char *)buffers[14], sizes[3]);
  jac_adj1_nlp_f_k6(buffers[0], buffers[11], (char *)buffers[14], sizes[4]);
  (void)buffers;
  return 0;
}

static void fwd1_adj1_nlp_f_k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    const double v0 = a0[i0];
    o0[i0] = ft_fma_f64((-v0), v0, a0[i0 + 1]);
  }
}

static void fwd1_adj1_nlp_f_k1(const double *restrict a0, const double *restrict a1, const double *restrict a2, const double *restrict a3, const double *restrict a4, const double *restrict a5, const double *restrict a6, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  const double v0 = a1[0];
  const double v1 = a3[0];
  const double v2 = (v0 * a2[0]) + (v1 * a4[0]);
  const double v3 = v2 + v2;
  const double v4 = v1 * v0;
  const double v5 = v4 + v4;
  for (long long i0 = 0; i0 < n0; i0++) {
    const double v6 = a6[i0] * a5[i0];
    o0[i0] = (a0[i0] * v3) + (v5 * (a5[i0 + 1] - (v6 + v6)));
  }
}

static void fwd1_adj1_nlp_f_k2(const double *restrict a0, const double *restrict a1, const double *restrict a2, const double *restrict a3, const double *restrict a4, const double *restrict a5, const double *restrict a6, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  const double v0 = a2[0] * a3[0];
  const double v1 = v0 + v0;
  for (long long i0 = 0; i0 < n0; i0++) {
    const _Bool v2 = 0 < i0;
    const _Bool v3 = i0 < 5;
    const double v4 = v3 ? a1[i0] : 0.0;
    const double v5 = v3 ? a0[i0] : 0.0;
    const double v6 = (v3 ? v1 : 0.0) * (v3 ? a4[i0] : 0.0);
    const double v7 = v3 ? a5[i0] : 0.0;
    const double v8 = v3 ? a6[0] : 0.0;
    const double v9 = v3 ? a2[0] : 0.0;
    const double v10 = ((v4 * ((-v5) - v5)) + (((-v6) - v6) * v7)) - (((1.0 - v4) * (v8 + v8)) + ((v9 + v9) * (-v7)));
    o0[i0] = (v2 ? a0[i0 + -1] : 0.0) + (v3 ? v10 : 0.0);
  }
}

static void fwd1_adj1_nlp_f_k3(const double *restrict a0, const double *restrict a1, const double *restrict a2, const double *restrict a3, const double *restrict a4, double *restrict o0, char *restrict scratch) {
  (void)scratch;
  double acc0 = 0.0;
  double acc1 = 0.0;
  for (long long i0 = 0; i0 < 5; i0++) {
    const double v0 = a0[i0];
    acc0 = acc0 + (v0 * v0);
    const double v1 = a4[i0] * a3[i0];
    const double v2 = v0 * (a3[i0 + 1] - (v1 + v1));
    acc1 = acc1 + (v2 + v2);
  }
  o0[0] = (acc0 * a1[0]) + (a2[0] * acc1);
}

static __attribute__((unused)) int fwd1_adj1_nlp_f_run(const void *const *in, void *const *out, char *work) {
  void *buffers[] = {(void *)in[0], (void *)in[1], (void *)in[2], (void *)in[3], (void *)in[4], (void *)in[5], out[0], out[1], work + 0, work + 64, work + 128};
  static const long long sizes[] = {5, 5, 6};
  fwd1_adj1_nlp_f_k0(buffers[0], buffers[8], (char *)buffers[10], sizes[0]);
  fwd1_adj1_nlp_f_k1(buffers[8], buffers[1], buffers[5], buffers[2], buffers[4], buffers[3], buffers[0], buffers[9], (char *)buffers[10], sizes[1]);
  fwd1_adj1_nlp_f_k2(buffers[9], buffers[0], buffers[2], buffers[1], buffers[8], buffers[3], buffers[5], buffers[6], (char *)buffers[10], sizes[2]);
  fwd1_adj1_nlp_f_k3(buffers[8], buffers[5], buffers[2], buffers[3], buffers[0], buffers[7], (char *)buffers[10]);
  (void)buffers;
  return 0;
}

static void nlp_g_k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    o0[i0] = a0[i0 + 1] * a0[i0];
  }
}

static __attribute__((unused)) int nlp_g_run(const void *const *in, void *const *out, char *work) {
  void *buffers[] = {(void *)in[0], (void *)in[1], out[0], work + 0};
  static const long long sizes[] = {5};
  nlp_g_k0(buffers[0], buffers[2], (char *)buffers[3], sizes[0]);
  (void)buffers;
  return 0;
}

static void jac_nlp_g_k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    o0[i0 * 2] = a0[i0 + 1];
    o0[(i0 * 2) + 1] = a0[i0];
  }
}

static void jac_nlp_g_k1(double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    o0[i0] = 0.0;
  }
}

static __attribute__((unused)) int jac_nlp_g_run(const void *const *in, void *const *out, char *work) {
  void *buffers[] = {(void *)in[0], (void *)in[1], out[0], out[1], work + 0};
  static const long long sizes[] = {5, 0};
  jac_nlp_g_k0(buffers[0], buffers[2], (char *)buffers[4], sizes[0]);
  jac_nlp_g_k1(buffers[3], (char *)buffers[4], sizes[1]);
  (void)buffers;
  return 0;
}

static void fwd1_nlp_g_k0(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    o0[i0] = (a0[i0] * a1[i0 + 1]) + (a0[i0 + 1] * a1[i0]);
  }
}

static __attribute__((unused)) int fwd1_nlp_g_run(const void *const *in, void *const *out, char *work) {
  void *buffers[] = {(void *)in[0], (void *)in[1], (void *)in[2], (void *)in[3], out[0], work + 0};
  static const long long sizes[] = {5};
  fwd1_nlp_g_k0(buffers[0], buffers[2], buffers[4], (char *)buffers[5], sizes[0]);
  (void)buffers;
  return 0;
}

static void adj1_nlp_g_k0(const double *restrict a0, const double *restrict a1, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    const _Bool v0 = i0 < 5;
    const double v1 = (v0 ? a0[i0] : 0.0) * (v0 ? a1[i0 + 1] : 0.0);
    const _Bool v2 = 0 < i0;
    const double v3 = (v2 ? a0[i0 + -1] : 0.0) * (v2 ? a1[i0 + -1] : 0.0);
    o0[i0] = (v0 ? v1 : 0.0) + (v2 ? v3 : 0.0);
  }
}

static void adj1_nlp_g_k1(double *restrict o0, char *restrict scratch) {
  (void)scratch;
  o0[0] = 0.0;
}

static __attribute__((unused)) int adj1_nlp_g_run(const void *const *in, void *const *out, char *work) {
  void *buffers[] = {(void *)in[0], (void *)in[1], (void *)in[2], out[0], out[1], work + 0};
  static const long long sizes[] = {6};
  adj1_nlp_g_k0(buffers[2], buffers[0], buffers[3], (char *)buffers[5], sizes[0]);
  adj1_nlp_g_k1(buffers[4], (char *)buffers[5]);
  (void)buffers;
  return 0;
}

static void jac_adj1_nlp_g_k0(long long *restrict o0, long long *restrict o1, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    const long long v0 = ((long long)i0) * 2LL;
    o0[i0] = v0;
    o1[i0] = v0 + 1LL;
  }
}

static void jac_adj1_nlp_g_k1(const double *restrict a0, const long long *restrict a1, const long long *restrict a2, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    const double v0 = a0[i0];
    const long long v1 = (long long)a1[i0];
    o0[v1] = v0;
    const long long v2 = (long long)a2[i0];
    o0[v2] = v0;
  }
}

static void jac_adj1_nlp_g_k2(double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    o0[i0] = 0.0;
  }
}

static void jac_adj1_nlp_g_k3(const double *restrict a0, const long long *restrict a1, const long long *restrict a2, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    const long long v0 = (long long)a1[i0];
    o0[v0] = a0[i0 + 1];
    const long long v1 = (long long)a2[i0];
    o0[v1] = a0[i0];
  }
}

static __attribute__((unused)) int jac_adj1_nlp_g_run(const void *const *in, void *const *out, char *work) {
  void *buffers[] = {(void *)in[0], (void *)in[1], (void *)in[2], out[0], out[1], out[2], out[5], work + 0, work + 64, work + 128};
  static const long long sizes[] = {5, 5, 0, 5, 0};
  jac_adj1_nlp_g_k0(buffers[7], buffers[8], (char *)buffers[9], sizes[0]);
  jac_adj1_nlp_g_k1(buffers[2], buffers[7], buffers[8], buffers[3], (char *)buffers[9], sizes[1]);
  jac_adj1_nlp_g_k2(buffers[4], (char *)buffers[9], sizes[2]);
  jac_adj1_nlp_g_k3(buffers[0], buffers[7], buffers[8], buffers[5], (char *)buffers[9], sizes[3]);
  jac_adj1_nlp_g_k2(buffers[6], (char *)buffers[9], sizes[4]);
  (void)buffers;
  return 0;
}

static void fwd1_adj1_nlp_g_k0(const double *restrict a0, const double *restrict a1, const double *restrict a2, const double *restrict a3, double *restrict o0, char *restrict scratch, long long n0) {
  (void)scratch;
  for (long long i0 = 0; i0 < n0; i0++) {
    const _Bool v0 = i0 < 5;
    const double v1 = ((v0 ? a0[i0 + 1] : 0.0) * (v0 ? a1[i0] : 0.0)) + ((v0 ? a2[i0] : 0.0) * (v0 ? a3[i0 + 1] : 0.0));
    const _Bool v2 = 0 < i0;
    const double v3 = ((v2 ? a0[i0 + -1] : 0.0) * (v2 ? a1[i0 + -1] : 0.0)) + ((v2 ? a2[i0 + -1] : 0.0) * (v2 ? a3[i0 + -1] : 0.0));
    o0[i0] = (v0 ? v1 : 0.0) + (v2 ? v3 : 0.0);
  }
}

static void fwd1_adj1_nlp_g_k1(double *restrict o0, char *restrict scratch) {
  (void)scratch;
  o0[0] = 0.0;
}

static __attribute__((unused)) int fwd1_adj1_nlp_g_run(const void *const *in, void *const *out, char *work) {
  void *buffers[] = {(void *)in[0], (void *)in[1], (void *)in[2], (void *)in[3], (void *)in[4], (void *)in[5], out[0], out[1], work + 0};
  static const long long sizes[] = {6};
  fwd1_adj1_nlp_g_k0(buffers[0], buffers[5], buffers[2], buffers[3], buffers[6], (char *)buffers[8], sizes[0]);
  fwd1_adj1_nlp_g_k1(buffers[7], (char *)buffers[8]);
  (void)buffers;
  return 0;
}

int nlp_f(const double **arg, double **res, long long int *iw, double *w, int mem) {
  (void)iw;
  (void)mem;
  if (!arg[0] || !arg[1]) for (long long i = 0; i < 6; i++) w[0 + i] = 0.0;
  if (res[0]) {
    const void *in[] = {arg[0] ? arg[0] : w + 0, arg[1] ? arg[1] : w + 0};
    void *out[] = {res[0] ? res[0] : w + 6};
    const int status = nlp_f_run(in, out, (char *)w);
    if (status) return status;
  }
  return 0;
}

long long int nlp_f_n_in(void) {
  return 2;
}

long long int nlp_f_n_out(void) {
  return 1;
}

const char *nlp_f_name_in(long long int i) {
  if (i == 0) return "x";
  if (i == 1) return "p";
  return 0;
}

const char *nlp_f_name_out(long long int i) {
  if (i == 0) return "y";
  return 0;
}

const long long int *nlp_f_sparsity_in(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  return 0;
}

const long long int *nlp_f_sparsity_out(long long int i) {
  if (i == 0) return nlp_c1;
  return 0;
}

int nlp_f_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w) {
  if (sz_arg) *sz_arg = 2;
  if (sz_res) *sz_res = 1;
  if (sz_iw) *sz_iw = 0;
  if (sz_w) *sz_w = 7;
  return 0;
}

int nlp_f_checkout(void) {
  return 0;
}

void nlp_f_release(int mem) {
  (void)mem;
}

void nlp_f_incref(void) {
}

void nlp_f_decref(void) {
}

const char *nlp_f_signature(void) {
  return "casadi long_long_int x:float64[6] p:float64[1] -> y:float64[]";
}

int jac_nlp_f(const double **arg, double **res, long long int *iw, double *w, int mem) {
  (void)iw;
  (void)mem;
  if (!arg[0] || !arg[1]) for (long long i = 0; i < 6; i++) w[0 + i] = 0.0;
  if (res[0] || res[1]) {
    const void *in[] = {arg[0] ? arg[0] : w + 0, arg[1] ? arg[1] : w + 0};
    void *out[] = {res[0] ? res[0] : w + 6, res[1] ? res[1] : w + 12};
    const int status = jac_nlp_f_run(in, out, (char *)w);
    if (status) return status;
  }
  return 0;
}

long long int jac_nlp_f_n_in(void) {
  return 3;
}

long long int jac_nlp_f_n_out(void) {
  return 2;
}

const char *jac_nlp_f_name_in(long long int i) {
  if (i == 0) return "x";
  if (i == 1) return "p";
  if (i == 2) return "out_y";
  return 0;
}

const char *jac_nlp_f_name_out(long long int i) {
  if (i == 0) return "jac_y_x";
  if (i == 1) return "jac_y_p";
  return 0;
}

const long long int *jac_nlp_f_sparsity_in(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  if (i == 2) return nlp_c2;
  return 0;
}

const long long int *jac_nlp_f_sparsity_out(long long int i) {
  if (i == 0) return nlp_c3;
  if (i == 1) return nlp_c4;
  return 0;
}

int jac_nlp_f_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w) {
  if (sz_arg) *sz_arg = 3;
  if (sz_res) *sz_res = 2;
  if (sz_iw) *sz_iw = 0;
  if (sz_w) *sz_w = 13;
  return 0;
}

int jac_nlp_f_checkout(void) {
  return 0;
}

void jac_nlp_f_release(int mem) {
  (void)mem;
}

void jac_nlp_f_incref(void) {
}

void jac_nlp_f_decref(void) {
}

const char *jac_nlp_f_signature(void) {
  return "casadi long_long_int x:float64[6] p:float64[1] - -> jac_y_x:float64[6] jac_y_p:float64[1]";
}

int fwd1_nlp_f(const double **arg, double **res, long long int *iw, double *w, int mem) {
  (void)iw;
  (void)mem;
  if (!arg[0] || !arg[1] || !arg[3] || !arg[4]) for (long long i = 0; i < 6; i++) w[0 + i] = 0.0;
  if (res[0]) {
    const void *in[] = {arg[0] ? arg[0] : w + 0, arg[1] ? arg[1] : w + 0, arg[3] ? arg[3] : w + 0, arg[4] ? arg[4] : w + 0};
    void *out[] = {res[0] ? res[0] : w + 6};
    const int status = fwd1_nlp_f_run(in, out, (char *)w);
    if (status) return status;
  }
  return 0;
}

long long int fwd1_nlp_f_n_in(void) {
  return 5;
}

long long int fwd1_nlp_f_n_out(void) {
  return 1;
}

const char *fwd1_nlp_f_name_in(long long int i) {
  if (i == 0) return "x";
  if (i == 1) return "p";
  if (i == 2) return "out_y";
  if (i == 3) return "fwd_x";
  if (i == 4) return "fwd_p";
  return 0;
}

const char *fwd1_nlp_f_name_out(long long int i) {
  if (i == 0) return "fwd_y";
  return 0;
}

const long long int *fwd1_nlp_f_sparsity_in(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  if (i == 2) return nlp_c2;
  if (i == 3) return nlp_c0;
  if (i == 4) return nlp_c1;
  return 0;
}

const long long int *fwd1_nlp_f_sparsity_out(long long int i) {
  if (i == 0) return nlp_c1;
  return 0;
}

int fwd1_nlp_f_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w) {
  if (sz_arg) *sz_arg = 5;
  if (sz_res) *sz_res = 1;
  if (sz_iw) *sz_iw = 0;
  if (sz_w) *sz_w = 7;
  return 0;
}

int fwd1_nlp_f_checkout(void) {
  return 0;
}

void fwd1_nlp_f_release(int mem) {
  (void)mem;
}

void fwd1_nlp_f_incref(void) {
}

void fwd1_nlp_f_decref(void) {
}

const char *fwd1_nlp_f_signature(void) {
  return "casadi long_long_int x:float64[6] p:float64[1] - fwd_x:float64[6] fwd_p:float64[1] -> fwd_y:float64[]";
}

int adj1_nlp_f(const double **arg, double **res, long long int *iw, double *w, int mem) {
  (void)iw;
  (void)mem;
  if (!arg[0] || !arg[1] || !arg[3]) for (long long i = 0; i < 6; i++) w[8 + i] = 0.0;
  if (res[0] || res[1]) {
    const void *in[] = {arg[0] ? arg[0] : w + 8, arg[1] ? arg[1] : w + 8, arg[3] ? arg[3] : w + 8};
    void *out[] = {res[0] ? res[0] : w + 14, res[1] ? res[1] : w + 20};
    const int status = adj1_nlp_f_run(in, out, (char *)w);
    if (status) return status;
  }
  return 0;
}

long long int adj1_nlp_f_n_in(void) {
  return 4;
}

long long int adj1_nlp_f_n_out(void) {
  return 2;
}

const char *adj1_nlp_f_name_in(long long int i) {
  if (i == 0) return "x";
  if (i == 1) return "p";
  if (i == 2) return "out_y";
  if (i == 3) return "adj_y";
  return 0;
}

const char *adj1_nlp_f_name_out(long long int i) {
  if (i == 0) return "adj_x";
  if (i == 1) return "adj_p";
  return 0;
}

const long long int *adj1_nlp_f_sparsity_in(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  if (i == 2) return nlp_c2;
  if (i == 3) return nlp_c1;
  return 0;
}

const long long int *adj1_nlp_f_sparsity_out(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  return 0;
}

int adj1_nlp_f_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w) {
  if (sz_arg) *sz_arg = 4;
  if (sz_res) *sz_res = 2;
  if (sz_iw) *sz_iw = 0;
  if (sz_w) *sz_w = 21;
  return 0;
}

int adj1_nlp_f_checkout(void) {
  return 0;
}

void adj1_nlp_f_release(int mem) {
  (void)mem;
}

void adj1_nlp_f_incref(void) {
}

void adj1_nlp_f_decref(void) {
}

const char *adj1_nlp_f_signature(void) {
  return "casadi long_long_int x:float64[6] p:float64[1] - adj_y:float64[] -> adj_x:float64[6] adj_p:float64[1]";
}

int jac_adj1_nlp_f(const double **arg, double **res, long long int *iw, double *w, int mem) {
  (void)iw;
  (void)mem;
  if (!arg[0] || !arg[1] || !arg[3]) for (long long i = 0; i < 6; i++) w[40 + i] = 0.0;
  if (res[0] || res[1] || res[3] || res[4] || res[5] || res[7]) {
    const void *in[] = {arg[0] ? arg[0] : w + 40, arg[1] ? arg[1] : w + 40, arg[3] ? arg[3] : w + 40};
    void *out[] = {res[0] ? res[0] : w + 46, res[1] ? res[1] : w + 62, res[3] ? res[3] : w + 68, res[4] ? res[4] : w + 74, res[5] ? res[5] : w + 80, res[7] ? res[7] : w + 80};
    const int status = jac_adj1_nlp_f_run(in, out, (char *)w);
    if (status) return status;
  }
  return 0;
}

long long int jac_adj1_nlp_f_n_in(void) {
  return 6;
}

long long int jac_adj1_nlp_f_n_out(void) {
  return 8;
}

const char *jac_adj1_nlp_f_name_in(long long int i) {
  if (i == 0) return "x";
  if (i == 1) return "p";
  if (i == 2) return "out_y";
  if (i == 3) return "adj_y";
  if (i == 4) return "out_adj_x";
  if (i == 5) return "out_adj_p";
  return 0;
}

const char *jac_adj1_nlp_f_name_out(long long int i) {
  if (i == 0) return "jac_adj_x_x";
  if (i == 1) return "jac_adj_x_p";
  if (i == 2) return "jac_adj_x_out_y";
  if (i == 3) return "jac_adj_x_adj_y";
  if (i == 4) return "jac_adj_p_x";
  if (i == 5) return "jac_adj_p_p";
  if (i == 6) return "jac_adj_p_out_y";
  if (i == 7) return "jac_adj_p_adj_y";
  return 0;
}

const long long int *jac_adj1_nlp_f_sparsity_in(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  if (i == 2) return nlp_c2;
  if (i == 3) return nlp_c1;
  if (i == 4) return nlp_c8;
  if (i == 5) return nlp_c2;
  return 0;
}

const long long int *jac_adj1_nlp_f_sparsity_out(long long int i) {
  if (i == 0) return nlp_c9;
  if (i == 1) return nlp_c10;
  if (i == 2) return nlp_c8;
  if (i == 3) return nlp_c10;
  if (i == 4) return nlp_c3;
  if (i == 5) return nlp_c2;
  if (i == 6) return nlp_c2;
  if (i == 7) return nlp_c4;
  return 0;
}

int jac_adj1_nlp_f_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w) {
  if (sz_arg) *sz_arg = 6;
  if (sz_res) *sz_res = 8;
  if (sz_iw) *sz_iw = 0;
  if (sz_w) *sz_w = 81;
  return 0;
}

int jac_adj1_nlp_f_checkout(void) {
  return 0;
}

void jac_adj1_nlp_f_release(int mem) {
  (void)mem;
}

void jac_adj1_nlp_f_incref(void) {
}

void jac_adj1_nlp_f_decref(void) {
}

const char *jac_adj1_nlp_f_signature(void) {
  return "casadi long_long_int x:float64[6] p:float64[1] - adj_y:float64[] - - -> jac_adj_x_x:float64[16] jac_adj_x_p:float64[6] - jac_adj_x_adj_y:float64[6] jac_adj_p_x:float64[6] jac_adj_p_p:float64[0] - jac_adj_p_adj_y:float64[1]";
}

int fwd1_adj1_nlp_f(const double **arg, double **res, long long int *iw, double *w, int mem) {
  (void)iw;
  (void)mem;
  if (!arg[0] || !arg[1] || !arg[3] || !arg[6] || !arg[7] || !arg[9]) for (long long i = 0; i < 6; i++) w[16 + i] = 0.0;
  if (res[0] || res[1]) {
    const void *in[] = {arg[0] ? arg[0] : w + 16, arg[1] ? arg[1] : w + 16, arg[3] ? arg[3] : w + 16, arg[6] ? arg[6] : w + 16, arg[7] ? arg[7] : w + 16, arg[9] ? arg[9] : w + 16};
    void *out[] = {res[0] ? res[0] : w + 22, res[1] ? res[1] : w + 28};
    const int status = fwd1_adj1_nlp_f_run(in, out, (char *)w);
    if (status) return status;
  }
  return 0;
}

long long int fwd1_adj1_nlp_f_n_in(void) {
  return 10;
}

long long int fwd1_adj1_nlp_f_n_out(void) {
  return 2;
}

const char *fwd1_adj1_nlp_f_name_in(long long int i) {
  if (i == 0) return "x";
  if (i == 1) return "p";
  if (i == 2) return "out_y";
  if (i == 3) return "adj_y";
  if (i == 4) return "out_adj_x";
  if (i == 5) return "out_adj_p";
  if (i == 6) return "fwd_x";
  if (i == 7) return "fwd_p";
  if (i == 8) return "fwd_out_y";
  if (i == 9) return "fwd_adj_y";
  return 0;
}

const char *fwd1_adj1_nlp_f_name_out(long long int i) {
  if (i == 0) return "fwd_adj_x";
  if (i == 1) return "fwd_adj_p";
  return 0;
}

const long long int *fwd1_adj1_nlp_f_sparsity_in(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  if (i == 2) return nlp_c2;
  if (i == 3) return nlp_c1;
  if (i == 4) return nlp_c8;
  if (i == 5) return nlp_c2;
  if (i == 6) return nlp_c0;
  if (i == 7) return nlp_c1;
  if (i == 8) return nlp_c2;
  if (i == 9) return nlp_c1;
  return 0;
}

const long long int *fwd1_adj1_nlp_f_sparsity_out(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  return 0;
}

int fwd1_adj1_nlp_f_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w) {
  if (sz_arg) *sz_arg = 10;
  if (sz_res) *sz_res = 2;
  if (sz_iw) *sz_iw = 0;
  if (sz_w) *sz_w = 29;
  return 0;
}

int fwd1_adj1_nlp_f_checkout(void) {
  return 0;
}

void fwd1_adj1_nlp_f_release(int mem) {
  (void)mem;
}

void fwd1_adj1_nlp_f_incref(void) {
}

void fwd1_adj1_nlp_f_decref(void) {
}

const char *fwd1_adj1_nlp_f_signature(void) {
  return "casadi long_long_int x:float64[6] p:float64[1] - adj_y:float64[] - - fwd_x:float64[6] fwd_p:float64[1] - fwd_adj_y:float64[] -> fwd_adj_x:float64[6] fwd_adj_p:float64[1]";
}

int nlp_g(const double **arg, double **res, long long int *iw, double *w, int mem) {
  (void)iw;
  (void)mem;
  if (!arg[0] || !arg[1]) for (long long i = 0; i < 6; i++) w[0 + i] = 0.0;
  if (res[0]) {
    const void *in[] = {arg[0] ? arg[0] : w + 0, arg[1] ? arg[1] : w + 0};
    void *out[] = {res[0] ? res[0] : w + 6};
    const int status = nlp_g_run(in, out, (char *)w);
    if (status) return status;
  }
  return 0;
}

long long int nlp_g_n_in(void) {
  return 2;
}

long long int nlp_g_n_out(void) {
  return 1;
}

const char *nlp_g_name_in(long long int i) {
  if (i == 0) return "x";
  if (i == 1) return "p";
  return 0;
}

const char *nlp_g_name_out(long long int i) {
  if (i == 0) return "y";
  return 0;
}

const long long int *nlp_g_sparsity_in(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  return 0;
}

const long long int *nlp_g_sparsity_out(long long int i) {
  if (i == 0) return nlp_c11;
  return 0;
}

int nlp_g_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w) {
  if (sz_arg) *sz_arg = 2;
  if (sz_res) *sz_res = 1;
  if (sz_iw) *sz_iw = 0;
  if (sz_w) *sz_w = 11;
  return 0;
}

int nlp_g_checkout(void) {
  return 0;
}

void nlp_g_release(int mem) {
  (void)mem;
}

void nlp_g_incref(void) {
}

void nlp_g_decref(void) {
}

const char *nlp_g_signature(void) {
  return "casadi long_long_int x:float64[6] p:float64[1] -> y:float64[5]";
}

int jac_nlp_g(const double **arg, double **res, long long int *iw, double *w, int mem) {
  (void)iw;
  (void)mem;
  if (!arg[0] || !arg[1]) for (long long i = 0; i < 6; i++) w[0 + i] = 0.0;
  if (res[0] || res[1]) {
    const void *in[] = {arg[0] ? arg[0] : w + 0, arg[1] ? arg[1] : w + 0};
    void *out[] = {res[0] ? res[0] : w + 6, res[1] ? res[1] : w + 16};
    const int status = jac_nlp_g_run(in, out, (char *)w);
    if (status) return status;
  }
  return 0;
}

long long int jac_nlp_g_n_in(void) {
  return 3;
}

long long int jac_nlp_g_n_out(void) {
  return 2;
}

const char *jac_nlp_g_name_in(long long int i) {
  if (i == 0) return "x";
  if (i == 1) return "p";
  if (i == 2) return "out_y";
  return 0;
}

const char *jac_nlp_g_name_out(long long int i) {
  if (i == 0) return "jac_y_x";
  if (i == 1) return "jac_y_p";
  return 0;
}

const long long int *jac_nlp_g_sparsity_in(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  if (i == 2) return nlp_c12;
  return 0;
}

const long long int *jac_nlp_g_sparsity_out(long long int i) {
  if (i == 0) return nlp_c13;
  if (i == 1) return nlp_c12;
  return 0;
}

int jac_nlp_g_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w) {
  if (sz_arg) *sz_arg = 3;
  if (sz_res) *sz_res = 2;
  if (sz_iw) *sz_iw = 0;
  if (sz_w) *sz_w = 16;
  return 0;
}

int jac_nlp_g_checkout(void) {
  return 0;
}

void jac_nlp_g_release(int mem) {
  (void)mem;
}

void jac_nlp_g_incref(void) {
}

void jac_nlp_g_decref(void) {
}

const char *jac_nlp_g_signature(void) {
  return "casadi long_long_int x:float64[6] p:float64[1] - -> jac_y_x:float64[10] jac_y_p:float64[0]";
}

int fwd1_nlp_g(const double **arg, double **res, long long int *iw, double *w, int mem) {
  (void)iw;
  (void)mem;
  if (!arg[0] || !arg[1] || !arg[3] || !arg[4]) for (long long i = 0; i < 6; i++) w[0 + i] = 0.0;
  if (res[0]) {
    const void *in[] = {arg[0] ? arg[0] : w + 0, arg[1] ? arg[1] : w + 0, arg[3] ? arg[3] : w + 0, arg[4] ? arg[4] : w + 0};
    void *out[] = {res[0] ? res[0] : w + 6};
    const int status = fwd1_nlp_g_run(in, out, (char *)w);
    if (status) return status;
  }
  return 0;
}

long long int fwd1_nlp_g_n_in(void) {
  return 5;
}

long long int fwd1_nlp_g_n_out(void) {
  return 1;
}

const char *fwd1_nlp_g_name_in(long long int i) {
  if (i == 0) return "x";
  if (i == 1) return "p";
  if (i == 2) return "out_y";
  if (i == 3) return "fwd_x";
  if (i == 4) return "fwd_p";
  return 0;
}

const char *fwd1_nlp_g_name_out(long long int i) {
  if (i == 0) return "fwd_y";
  return 0;
}

const long long int *fwd1_nlp_g_sparsity_in(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  if (i == 2) return nlp_c12;
  if (i == 3) return nlp_c0;
  if (i == 4) return nlp_c1;
  return 0;
}

const long long int *fwd1_nlp_g_sparsity_out(long long int i) {
  if (i == 0) return nlp_c11;
  return 0;
}

int fwd1_nlp_g_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w) {
  if (sz_arg) *sz_arg = 5;
  if (sz_res) *sz_res = 1;
  if (sz_iw) *sz_iw = 0;
  if (sz_w) *sz_w = 11;
  return 0;
}

int fwd1_nlp_g_checkout(void) {
  return 0;
}

void fwd1_nlp_g_release(int mem) {
  (void)mem;
}

void fwd1_nlp_g_incref(void) {
}

void fwd1_nlp_g_decref(void) {
}

const char *fwd1_nlp_g_signature(void) {
  return "casadi long_long_int x:float64[6] p:float64[1] - fwd_x:float64[6] fwd_p:float64[1] -> fwd_y:float64[5]";
}

int adj1_nlp_g(const double **arg, double **res, long long int *iw, double *w, int mem) {
  (void)iw;
  (void)mem;
  if (!arg[0] || !arg[1] || !arg[3]) for (long long i = 0; i < 6; i++) w[0 + i] = 0.0;
  if (res[0] || res[1]) {
    const void *in[] = {arg[0] ? arg[0] : w + 0, arg[1] ? arg[1] : w + 0, arg[3] ? arg[3] : w + 0};
    void *out[] = {res[0] ? res[0] : w + 6, res[1] ? res[1] : w + 12};
    const int status = adj1_nlp_g_run(in, out, (char *)w);
    if (status) return status;
  }
  return 0;
}

long long int adj1_nlp_g_n_in(void) {
  return 4;
}

long long int adj1_nlp_g_n_out(void) {
  return 2;
}

const char *adj1_nlp_g_name_in(long long int i) {
  if (i == 0) return "x";
  if (i == 1) return "p";
  if (i == 2) return "out_y";
  if (i == 3) return "adj_y";
  return 0;
}

const char *adj1_nlp_g_name_out(long long int i) {
  if (i == 0) return "adj_x";
  if (i == 1) return "adj_p";
  return 0;
}

const long long int *adj1_nlp_g_sparsity_in(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  if (i == 2) return nlp_c12;
  if (i == 3) return nlp_c11;
  return 0;
}

const long long int *adj1_nlp_g_sparsity_out(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  return 0;
}

int adj1_nlp_g_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w) {
  if (sz_arg) *sz_arg = 4;
  if (sz_res) *sz_res = 2;
  if (sz_iw) *sz_iw = 0;
  if (sz_w) *sz_w = 13;
  return 0;
}

int adj1_nlp_g_checkout(void) {
  return 0;
}

void adj1_nlp_g_release(int mem) {
  (void)mem;
}

void adj1_nlp_g_incref(void) {
}

void adj1_nlp_g_decref(void) {
}

const char *adj1_nlp_g_signature(void) {
  return "casadi long_long_int x:float64[6] p:float64[1] - adj_y:float64[5] -> adj_x:float64[6] adj_p:float64[1]";
}

int jac_adj1_nlp_g(const double **arg, double **res, long long int *iw, double *w, int mem) {
  (void)iw;
  (void)mem;
  if (!arg[0] || !arg[1] || !arg[3]) for (long long i = 0; i < 6; i++) w[16 + i] = 0.0;
  if (res[0] || res[1] || res[3] || res[4] || res[5] || res[7]) {
    const void *in[] = {arg[0] ? arg[0] : w + 16, arg[1] ? arg[1] : w + 16, arg[3] ? arg[3] : w + 16};
    void *out[] = {res[0] ? res[0] : w + 22, res[1] ? res[1] : w + 32, res[3] ? res[3] : w + 32, res[4] ? res[4] : w + 42, res[5] ? res[5] : w + 42, res[7] ? res[7] : w + 42};
    const int status = jac_adj1_nlp_g_run(in, out, (char *)w);
    if (status) return status;
  }
  return 0;
}

long long int jac_adj1_nlp_g_n_in(void) {
  return 6;
}

long long int jac_adj1_nlp_g_n_out(void) {
  return 8;
}

const char *jac_adj1_nlp_g_name_in(long long int i) {
  if (i == 0) return "x";
  if (i == 1) return "p";
  if (i == 2) return "out_y";
  if (i == 3) return "adj_y";
  if (i == 4) return "out_adj_x";
  if (i == 5) return "out_adj_p";
  return 0;
}

const char *jac_adj1_nlp_g_name_out(long long int i) {
  if (i == 0) return "jac_adj_x_x";
  if (i == 1) return "jac_adj_x_p";
  if (i == 2) return "jac_adj_x_out_y";
  if (i == 3) return "jac_adj_x_adj_y";
  if (i == 4) return "jac_adj_p_x";
  if (i == 5) return "jac_adj_p_p";
  if (i == 6) return "jac_adj_p_out_y";
  if (i == 7) return "jac_adj_p_adj_y";
  return 0;
}

const long long int *jac_adj1_nlp_g_sparsity_in(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  if (i == 2) return nlp_c12;
  if (i == 3) return nlp_c11;
  if (i == 4) return nlp_c8;
  if (i == 5) return nlp_c2;
  return 0;
}

const long long int *jac_adj1_nlp_g_sparsity_out(long long int i) {
  if (i == 0) return nlp_c14;
  if (i == 1) return nlp_c8;
  if (i == 2) return nlp_c15;
  if (i == 3) return nlp_c16;
  if (i == 4) return nlp_c17;
  if (i == 5) return nlp_c2;
  if (i == 6) return nlp_c18;
  if (i == 7) return nlp_c18;
  return 0;
}

int jac_adj1_nlp_g_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w) {
  if (sz_arg) *sz_arg = 6;
  if (sz_res) *sz_res = 8;
  if (sz_iw) *sz_iw = 0;
  if (sz_w) *sz_w = 42;
  return 0;
}

int jac_adj1_nlp_g_checkout(void) {
  return 0;
}

void jac_adj1_nlp_g_release(int mem) {
  (void)mem;
}

void jac_adj1_nlp_g_incref(void) {
}

void jac_adj1_nlp_g_decref(void) {
}

const char *jac_adj1_nlp_g_signature(void) {
  return "casadi long_long_int x:float64[6] p:float64[1] - adj_y:float64[5] - - -> jac_adj_x_x:float64[10] jac_adj_x_p:float64[0] - jac_adj_x_adj_y:float64[10] jac_adj_p_x:float64[0] jac_adj_p_p:float64[0] - jac_adj_p_adj_y:float64[0]";
}

int fwd1_adj1_nlp_g(const double **arg, double **res, long long int *iw, double *w, int mem) {
  (void)iw;
  (void)mem;
  if (!arg[0] || !arg[1] || !arg[3] || !arg[6] || !arg[7] || !arg[9]) for (long long i = 0; i < 6; i++) w[0 + i] = 0.0;
  if (res[0] || res[1]) {
    const void *in[] = {arg[0] ? arg[0] : w + 0, arg[1] ? arg[1] : w + 0, arg[3] ? arg[3] : w + 0, arg[6] ? arg[6] : w + 0, arg[7] ? arg[7] : w + 0, arg[9] ? arg[9] : w + 0};
    void *out[] = {res[0] ? res[0] : w + 6, res[1] ? res[1] : w + 12};
    const int status = fwd1_adj1_nlp_g_run(in, out, (char *)w);
    if (status) return status;
  }
  return 0;
}

long long int fwd1_adj1_nlp_g_n_in(void) {
  return 10;
}

long long int fwd1_adj1_nlp_g_n_out(void) {
  return 2;
}

const char *fwd1_adj1_nlp_g_name_in(long long int i) {
  if (i == 0) return "x";
  if (i == 1) return "p";
  if (i == 2) return "out_y";
  if (i == 3) return "adj_y";
  if (i == 4) return "out_adj_x";
  if (i == 5) return "out_adj_p";
  if (i == 6) return "fwd_x";
  if (i == 7) return "fwd_p";
  if (i == 8) return "fwd_out_y";
  if (i == 9) return "fwd_adj_y";
  return 0;
}

const char *fwd1_adj1_nlp_g_name_out(long long int i) {
  if (i == 0) return "fwd_adj_x";
  if (i == 1) return "fwd_adj_p";
  return 0;
}

const long long int *fwd1_adj1_nlp_g_sparsity_in(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  if (i == 2) return nlp_c12;
  if (i == 3) return nlp_c11;
  if (i == 4) return nlp_c8;
  if (i == 5) return nlp_c2;
  if (i == 6) return nlp_c0;
  if (i == 7) return nlp_c1;
  if (i == 8) return nlp_c12;
  if (i == 9) return nlp_c11;
  return 0;
}

const long long int *fwd1_adj1_nlp_g_sparsity_out(long long int i) {
  if (i == 0) return nlp_c0;
  if (i == 1) return nlp_c1;
  return 0;
}

int fwd1_adj1_nlp_g_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w) {
  if (sz_arg) *sz_arg = 10;
  if (sz_res) *sz_res = 2;
  if (sz_iw) *sz_iw = 0;
  if (sz_w) *sz_w = 13;
  return 0;
}

int fwd1_adj1_nlp_g_checkout(void) {
  return 0;
}

void fwd1_adj1_nlp_g_release(int mem) {
  (void)mem;
}

void fwd1_adj1_nlp_g_incref(void) {
}

void fwd1_adj1_nlp_g_decref(void) {
}

const char *fwd1_adj1_nlp_g_signature(void) {
  return "casadi long_long_int x:float64[6] p:float64[1] - adj_y:float64[5] - - fwd_x:float64[6] fwd_p:float64[1] - fwd_adj_y:float64[5] -> fwd_adj_x:float64[6] fwd_adj_p:float64[1]";
}
