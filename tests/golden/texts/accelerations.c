double sqrt(double) __attribute__((const));
static inline long long ft_min_i64(long long a, long long b) { const long long m = a < b ? a : b; return a == a ? m : a; }

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i7 = from; i7 < to; i7++) {
    const long long v0 = ft_min_i64(64, (n0 + (i7 * -64)));
    const long long v1 = ((v0 + 7) / 8) * 8;
    double s12[64] __attribute__((aligned(64)));
    double s13[64] __attribute__((aligned(64)));
    double s14[64] __attribute__((aligned(64)));
    for (long long i8 = 0; i8 < v0; i8++) {
      s12[i8] = a0[(i7 * 192) + (i8 * 3)];
      s13[i8] = a0[((i7 * 192) + (i8 * 3)) + 1];
      s14[i8] = a0[((i7 * 192) + (i8 * 3)) + 2];
    }
    double s15[1024] __attribute__((aligned(64)));
    double s16[1024] __attribute__((aligned(64)));
    double s17[1024] __attribute__((aligned(64)));
    for (long long i3 = 0; i3 < 16; i3++) {
      const double v2 = a0[i3 * 3];
      const double v3 = a0[(i3 * 3) + 1];
      const double v4 = a0[(i3 * 3) + 2];
      const double v5 = a0[(i3 + 16) * 3];
      const double v6 = a0[((i3 + 16) * 3) + 1];
      const double v7 = a0[((i3 + 16) * 3) + 2];
      const double v8 = a0[(i3 + 32) * 3];
      const double v9 = a0[((i3 + 32) * 3) + 1];
      const double v10 = a0[((i3 + 32) * 3) + 2];
      double s18[64] __attribute__((aligned(64)));
      double s19[64] __attribute__((aligned(64)));
      double s20[64] __attribute__((aligned(64)));
      for (long long i9 = 0; i9 < v1; i9++) {
        double acc5 = 0.0;
        const double v11 = s12[i9];
        const double v12 = v2 - v11;
        acc5 = acc5 + (v12 * v12);
        const double v13 = s13[i9];
        const double v14 = v3 - v13;
        acc5 = acc5 + (v14 * v14);
        const double v15 = s14[i9];
        const double v16 = v4 - v15;
        acc5 = acc5 + (v16 * v16);
        const double v17 = 1.0 / sqrt((acc5 + 0.01));
        const double v18 = (v17 * v17) * v17;
        double acc6 = 0.0;
        const double v19 = v5 - v11;
        acc6 = acc6 + (v19 * v19);
        const double v20 = v6 - v13;
        acc6 = acc6 + (v20 * v20);
        const double v21 = v7 - v15;
        acc6 = acc6 + (v21 * v21);
        const double v22 = 1.0 / sqrt((acc6 + 0.01));
        const double v23 = (v22 * v22) * v22;
        s18[i9] = (0.0 + (v12 * v18)) + (v19 * v23);
        s19[i9] = (0.0 + (v14 * v18)) + (v20 * v23);
        s20[i9] = (0.0 + (v16 * v18)) + (v21 * v23);
      }
      for (long long i10 = 0; i10 < v1; i10++) {
        double acc7 = 0.0;
        const double v24 = v8 - s12[i10];
        acc7 = acc7 + (v24 * v24);
        const double v25 = v9 - s13[i10];
        acc7 = acc7 + (v25 * v25);
        const double v26 = v10 - s14[i10];
        acc7 = acc7 + (v26 * v26);
        const double v27 = 1.0 / sqrt((acc7 + 0.01));
        const double v28 = (v27 * v27) * v27;
        s15[(i3 * 64) + i10] = s18[i10] + (v24 * v28);
        s16[(i3 * 64) + i10] = s19[i10] + (v25 * v28);
        s17[(i3 * 64) + i10] = s20[i10] + (v26 * v28);
      }
    }
    double s21[512] __attribute__((aligned(64)));
    double *restrict s22 = (double *)(scratch + 0);
    double *restrict s23 = (double *)(scratch + 4096);
    for (long long i4 = 0; i4 < 8; i4++) {
      for (long long i11 = 0; i11 < v1; i11++) {
        s21[(i4 * 64) + i11] = s15[(i4 * 64) + i11] + s15[((i4 * 64) + i11) + 512];
        s22[(i4 * 64) + i11] = s16[(i4 * 64) + i11] + s16[((i4 * 64) + i11) + 512];
        s23[(i4 * 64) + i11] = s17[(i4 * 64) + i11] + s17[((i4 * 64) + i11) + 512];
      }
    }
    double *restrict s24 = (double *)(scratch + 8192);
    double *restrict s25 = (double *)(scratch + 10240);
    double *restrict s26 = (double *)(scratch + 12288);
    for (long long i5 = 0; i5 < 4; i5++) {
      for (long long i12 = 0; i12 < v1; i12++) {
        s24[(i5 * 64) + i12] = s21[(i5 * 64) + i12] + s21[((i5 * 64) + i12) + 256];
        s25[(i5 * 64) + i12] = s22[(i5 * 64) + i12] + s22[((i5 * 64) + i12) + 256];
        s26[(i5 * 64) + i12] = s23[(i5 * 64) + i12] + s23[((i5 * 64) + i12) + 256];
      }
    }
    double s27[128] __attribute__((aligned(64)));
    double *restrict s28 = (double *)(scratch + 14336);
    double *restrict s29 = (double *)(scratch + 15360);
    for (long long i6 = 0; i6 < 2; i6++) {
      for (long long i13 = 0; i13 < v1; i13++) {
        s27[(i6 * 64) + i13] = s24[(i6 * 64) + i13] + s24[((i6 * 64) + i13) + 128];
        s28[(i6 * 64) + i13] = s25[(i6 * 64) + i13] + s25[((i6 * 64) + i13) + 128];
        s29[(i6 * 64) + i13] = s26[(i6 * 64) + i13] + s26[((i6 * 64) + i13) + 128];
      }
    }
    double *restrict s30 = (double *)(scratch + 16384);
    double *restrict s31 = (double *)(scratch + 16896);
    double *restrict s32 = (double *)(scratch + 17408);
    for (long long i14 = 0; i14 < v1; i14++) {
      s30[i14] = s27[i14] + s27[i14 + 64];
      s31[i14] = s28[i14] + s28[i14 + 64];
      s32[i14] = s29[i14] + s29[i14 + 64];
    }
    for (long long i15 = 0; i15 < v0; i15++) {
      o0[(i7 * 192) + (i15 * 3)] = s30[i15];
      o0[((i7 * 192) + (i15 * 3)) + 1] = s31[i15];
      o0[((i7 * 192) + (i15 * 3)) + 2] = s32[i15];
    }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long,
  long long *, const long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], (char *)buffers[2] + who * 17920, sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[4];
  switch (at[0]) { default:;
  case 0: if (sizes[1] > 1 && ((sizes[0] + 63) / 64) > 30) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, ((sizes[0] + 63) / 64), 3, 30, sizes[1], at + 1, 0)) { at[0] = 0; return 1000; }
  } else {
    const long long n = ((sizes[0] + 63) / 64), to = n - at[1] > 4096 ? at[1] + 4096 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
