double sqrt(double) __attribute__((const));

struct ft_time { long seconds, nanoseconds; };
int clock_gettime(int, struct ft_time *);

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  double s0[48];
  double s1[48];
  double s2[48];
  for (long long i3 = 0; i3 < 48; i3++) {
    s0[i3] = a0[i3 * 3];
    s1[i3] = a0[(i3 * 3) + 1];
    s2[i3] = a0[(i3 * 3) + 2];
  }
  for (long long i0 = from; i0 < to; i0++) {
    const double v0 = a0[i0 * 3];
    double s3[16];
    for (long long i4 = 0; i4 < 16; i4++) {
      s3[i4] = 0.0;
    }
    const double v1 = a0[(i0 * 3) + 1];
    double s4[16];
    for (long long i5 = 0; i5 < 16; i5++) {
      s4[i5] = 0.0;
    }
    const double v2 = a0[(i0 * 3) + 2];
    double s5[16];
    for (long long i6 = 0; i6 < 16; i6++) {
      s5[i6] = 0.0;
    }
    for (long long i7 = 0; i7 < 3; i7++) {
      for (long long i8 = 0; i8 < 16; i8++) {
        double acc0 = 0.0;
        const double v3 = s0[(i7 * 16) + i8] - v0;
        acc0 = acc0 + (v3 * v3);
        const double v4 = s1[(i7 * 16) + i8] - v1;
        acc0 = acc0 + (v4 * v4);
        const double v5 = s2[(i7 * 16) + i8] - v2;
        acc0 = acc0 + (v5 * v5);
        const double v6 = 1.0 / sqrt((acc0 + 0.01));
        const double v7 = (v6 * v6) * v6;
        s3[i8] = s3[i8] + (v3 * v7);
        s4[i8] = s4[i8] + (v4 * v7);
        s5[i8] = s5[i8] + (v5 * v7);
      }
    }
    double s6[8];
    double s7[8];
    double s8[8];
    for (long long i9 = 0; i9 < 8; i9++) {
      s6[i9] = s3[i9] + s3[i9 + 8];
      s7[i9] = s4[i9] + s4[i9 + 8];
      s8[i9] = s5[i9] + s5[i9 + 8];
    }
    double s9[4];
    double s10[4];
    double s11[4];
    for (long long i10 = 0; i10 < 4; i10++) {
      s9[i10] = s6[i10] + s6[i10 + 4];
      s10[i10] = s7[i10] + s7[i10 + 4];
      s11[i10] = s8[i10] + s8[i10 + 4];
    }
    double s12[2];
    double s13[2];
    double s14[2];
    for (long long i11 = 0; i11 < 2; i11++) {
      s12[i11] = s9[i11] + s9[i11 + 2];
      s13[i11] = s10[i11] + s10[i11 + 2];
      s14[i11] = s11[i11] + s11[i11 + 2];
    }
    o0[i0 * 3] = s12[0] + s12[1];
    o0[(i0 * 3) + 1] = s13[0] + s13[1];
    o0[(i0 * 3) + 2] = s14[0] + s14[1];
  }
}

typedef void ft_part(void **, const long long *, long long, long long, long long);
typedef int ft_pool(ft_part *, void **, const long long *, long long, long long, long long, long long *);

static int ft_alone(ft_part *run, void **buffers, const long long *sizes, long long n, long long grain,
                    long long most, long long *at) {
  struct ft_time start, now;
  clock_gettime(1, &start);
  for (grain *= 16; *at < n; *at += grain) {
    run(buffers, sizes, *at, *at + grain < n ? *at + grain : n, 0);
    clock_gettime(1, &now);
    if ((now.seconds - start.seconds) * 1000 + (now.nanoseconds - start.nanoseconds) / 1000000 < 100) continue;
    *at += grain;
    if (*at < n) return 1;
  }
  *at = 0;
  return 0;
}

static void k0_part(void **buffers, const long long *sizes, long long from, long long to, long long who) {
  k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], from, to);
}

int ft_entry(void **buffers, const long long *sizes) {
  long long *at = buffers[4];
  switch (at[0]) { default:;
  case 0: if (sizes[0] <= 943) k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], 0, sizes[0]);
  else if ((sizes[1] > 1 ? ((ft_pool *)buffers[3]) : ft_alone)(k0_part, buffers, sizes, sizes[0], 192, sizes[1], at + 1)) { at[0] = 0; return 1000; }
  }
  return 0;
}
