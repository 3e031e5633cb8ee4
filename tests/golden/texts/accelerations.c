double sqrt(double) __attribute__((const));

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    const double v0 = a0[i0 * 3];
    double s0[16];
    for (long long i3 = 0; i3 < 16; i3++) {
      s0[i3] = 0.0;
    }
    const double v1 = a0[(i0 * 3) + 1];
    double s1[16];
    for (long long i4 = 0; i4 < 16; i4++) {
      s1[i4] = 0.0;
    }
    const double v2 = a0[(i0 * 3) + 2];
    double s2[16];
    for (long long i5 = 0; i5 < 16; i5++) {
      s2[i5] = 0.0;
    }
    for (long long i6 = 0; i6 < 3; i6++) {
      for (long long i7 = 0; i7 < 16; i7++) {
        double acc0 = 0.0;
        const double v3 = a0[((i6 * 16) + i7) * 3] - v0;
        acc0 = acc0 + (v3 * v3);
        const double v4 = a0[(((i6 * 16) + i7) * 3) + 1] - v1;
        acc0 = acc0 + (v4 * v4);
        const double v5 = a0[(((i6 * 16) + i7) * 3) + 2] - v2;
        acc0 = acc0 + (v5 * v5);
        const double v6 = 1.0 / sqrt((acc0 + 0.01));
        const double v7 = (v6 * v6) * v6;
        s0[i7] = s0[i7] + (v3 * v7);
        s1[i7] = s1[i7] + (v4 * v7);
        s2[i7] = s2[i7] + (v5 * v7);
      }
    }
    double s3[8];
    double s4[8];
    double s5[8];
    for (long long i8 = 0; i8 < 8; i8++) {
      s3[i8] = s0[i8] + s0[i8 + 8];
      s4[i8] = s1[i8] + s1[i8 + 8];
      s5[i8] = s2[i8] + s2[i8 + 8];
    }
    double s6[4];
    double s7[4];
    double s8[4];
    for (long long i9 = 0; i9 < 4; i9++) {
      s6[i9] = s3[i9] + s3[i9 + 4];
      s7[i9] = s4[i9] + s4[i9 + 4];
      s8[i9] = s5[i9] + s5[i9 + 4];
    }
    double s9[2];
    double s10[2];
    double s11[2];
    for (long long i10 = 0; i10 < 2; i10++) {
      s9[i10] = s6[i10] + s6[i10 + 2];
      s10[i10] = s7[i10] + s7[i10 + 2];
      s11[i10] = s8[i10] + s8[i10 + 2];
    }
    o0[i0 * 3] = s9[0] + s9[1];
    o0[(i0 * 3) + 1] = s10[0] + s10[1];
    o0[(i0 * 3) + 2] = s11[0] + s11[1];
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef void ft_pool(ft_part *, void **, const long long *, long long, long long, long long);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  if (sizes[1] > 1 && sizes[0] > 906) ((ft_pool *)buffers[3])(k0_part, buffers, sizes, sizes[0], 192, sizes[1]);
  else k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], 0, sizes[0]);
  return 0;
}
