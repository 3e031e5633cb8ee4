static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    const double v0 = a0[i0 * 3];
    const double v1 = a0[(i0 * 3) + 1];
    const double v2 = 10.0 * (v1 - v0);
    const double v3 = a0[(i0 * 3) + 2];
    const double v4 = (v0 * (28.0 - v3)) - v1;
    const double v5 = v1 + (0.005 * v4);
    const double v6 = v0 + (0.005 * v2);
    const double v7 = 10.0 * (v5 - v6);
    const double v8 = (v0 * v1) - (2.6666666666666665 * v3);
    const double v9 = v3 + (0.005 * v8);
    const double v10 = (v6 * (28.0 - v9)) - v5;
    const double v11 = v1 + (0.005 * v10);
    const double v12 = v0 + (0.005 * v7);
    const double v13 = 10.0 * (v11 - v12);
    const double v14 = (v6 * v5) - (2.6666666666666665 * v9);
    const double v15 = v3 + (0.005 * v14);
    const double v16 = (v12 * (28.0 - v15)) - v11;
    const double v17 = v1 + (0.01 * v16);
    const double v18 = v0 + (0.01 * v13);
    o0[i0 * 3] = v0 + (0.0016666666666666668 * (((v2 + (2.0 * v7)) + (2.0 * v13)) + (10.0 * (v17 - v18))));
    const double v19 = (v12 * v11) - (2.6666666666666665 * v15);
    const double v20 = v3 + (0.01 * v19);
    o0[(i0 * 3) + 1] = v1 + (0.0016666666666666668 * (((v4 + (2.0 * v10)) + (2.0 * v16)) + ((v18 * (28.0 - v20)) - v17)));
    const double v21 = 0.0016666666666666668 * (((v8 + (2.0 * v14)) + (2.0 * v19)) + ((v18 * v17) - (2.6666666666666665 * v20)));
    o0[(i0 * 3) + 2] = v3 + v21;
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long *);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[4];
  switch (at[0]) { default:;
  case 0: if (sizes[1] > 1 && sizes[0] > 38639) {
    if (((ft_pool *)buffers[3])(k0_part, buffers, sizes, sizes[0], 15488, sizes[1], at + 1)) { at[0] = 0; return 1000; }
  } else {
    const long long n = sizes[0], to = n - at[1] > 7728000 ? at[1] + 7728000 : n;
    k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], at[1], to);
    if (to < n) { at[0] = 0; at[1] = to; return 1000; }
    at[1] = 0;
  }
  }
  return 0;
}
