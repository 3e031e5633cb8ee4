double sqrt(double) __attribute__((const));

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    double s0[64];
    for (long long i2 = 0; i2 < 64; i2++) {
      s0[i2] = a0[(i0 * 64) + i2];
    }
    double s2[16];
    for (long long i6 = 0; i6 < 16; i6++) {
      s2[i6] = 0.0;
    }
    for (long long i7 = 0; i7 < 4; i7++) {
      for (long long i8 = 0; i8 < 16; i8++) {
        s2[i8] = s2[i8] + s0[(i7 * 16) + i8];
      }
    }
    const double v0 = (((s2[0] + s2[8]) + (s2[4] + s2[12])) + ((s2[2] + s2[10]) + (s2[6] + s2[14]))) + (((s2[1] + s2[9]) + (s2[5] + s2[13])) + ((s2[3] + s2[11]) + (s2[7] + s2[15])));
    double s1[1];
    s1[0] = v0 / 64.0;
    const double v1 = s1[0];
    double s3[16];
    for (long long i9 = 0; i9 < 16; i9++) {
      s3[i9] = 0.0;
    }
    for (long long i10 = 0; i10 < 4; i10++) {
      for (long long i11 = 0; i11 < 16; i11++) {
        const double v2 = s0[(i10 * 16) + i11] - v1;
        s3[i11] = s3[i11] + (v2 * v2);
      }
    }
    const double v3 = (((s3[0] + s3[8]) + (s3[4] + s3[12])) + ((s3[2] + s3[10]) + (s3[6] + s3[14]))) + (((s3[1] + s3[9]) + (s3[5] + s3[13])) + ((s3[3] + s3[11]) + (s3[7] + s3[15])));
    const double v4 = sqrt(((v3 / 64.0) + 1e-05));
    for (long long i1 = 0; i1 < 64; i1++) {
      o0[(i0 * 64) + i1] = (s0[i1] - v1) / v4;
    }
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef void ft_pool(ft_part *, void **, const long long *, long long, long long, long long);

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  if (sizes[1] > 1 && sizes[0] > 1449) ((ft_pool *)buffers[3])(k0_part, buffers, sizes, sizes[0], 320, sizes[1]);
  else k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], 0, sizes[0]);
  return 0;
}
