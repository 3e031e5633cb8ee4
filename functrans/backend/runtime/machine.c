/* What this machine can do at its best, measured: bytes through memory and arithmetic in registers. */
#if defined(__AVX512F__)
#define WIDE 64
#elif defined(__AVX__)
#define WIDE 32
#else
#define WIDE 16
#endif
#if defined(__clang__)
#define FUSED
#pragma clang fp contract(fast)
#else
#define FUSED , optimize("fp-contract=fast")
#endif

typedef double wide64 __attribute__((vector_size(WIDE)));
typedef float wide32 __attribute__((vector_size(WIDE)));

/* one array written and two read, as a kernel does that is fused from end to end */
__attribute__((noinline)) static void stream(double *restrict a, const double *restrict b, const double *restrict c,
                                             long long n, double s) {
  for (long long i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}

/* twelve sums that do not wait for one another: each round is twelve products and twelve sums of vectors */
#define SUMS(name, type, wide)                                                                                       \
  __attribute__((noinline FUSED)) static type name(long long rounds, type *seed) {                                   \
    wide m = (wide){} + seed[0], p = (wide){} + seed[1];                                                             \
    wide a = m, b = m, c = m, d = m, e = m, f = m, g = m, h = m, i = m, j = m, k = m, l = m;                         \
    for (long long n = 0; n < rounds; n++) {                                                                         \
      a = a * m + p; b = b * m + p; c = c * m + p; d = d * m + p; e = e * m + p; f = f * m + p;                      \
      g = g * m + p; h = h * m + p; i = i * m + p; j = j * m + p; k = k * m + p; l = l * m + p;                      \
    }                                                                                                                \
    wide all = a + b + c + d + e + f + g + h + i + j + k + l;                                                        \
    return all[0];                                                                                                   \
  }

SUMS(sums64, double, wide64)
SUMS(sums32, float, wide32)

/* sizes: what to do, how often, elements; buffers: three arrays and a place for a result. The result keeps it all. */
int ft_entry(void **buffers, const long long *sizes) {
  double *out = buffers[3];
  double seed64[2] = {0.999, 0.001};
  float seed32[2] = {0.999f, 0.001f};
  if (sizes[0] == 0)
    for (long long k = 0; k < sizes[1]; k++) stream(buffers[0], buffers[1], buffers[2], sizes[2], (double)k);
  if (sizes[0] == 1) out[0] = sums64(sizes[1], seed64);
  if (sizes[0] == 2) out[0] = sums32(sizes[1], seed32);
  out[1] = WIDE;
  return 0;
}
