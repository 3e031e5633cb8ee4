struct ft_time { long seconds, nanoseconds; };
int clock_gettime(int, struct ft_time *);

static void k0(const double *restrict a0, double *restrict o0, char *restrict scratch, long long n0, long long from, long long to) {
  for (long long i0 = from; i0 < to; i0++) {
    double acc0 = -0.0;
    acc0 = acc0 + a0[i0 * 4];
    o0[i0 * 4] = acc0;
    acc0 = acc0 + a0[(i0 * 4) + 1];
    o0[(i0 * 4) + 1] = acc0;
    acc0 = acc0 + a0[(i0 * 4) + 2];
    o0[(i0 * 4) + 2] = acc0;
    acc0 = acc0 + a0[(i0 * 4) + 3];
    o0[(i0 * 4) + 3] = acc0;
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
  case 0: if (sizes[0] <= 166666) k0(buffers[0], buffers[1], (char *)buffers[2], sizes[0], 0, sizes[0]);
  else if ((sizes[1] > 1 ? ((ft_pool *)buffers[3]) : ft_alone)(k0_part, buffers, sizes, sizes[0], 33344, sizes[1], at + 1)) { at[0] = 0; return 1000; }
  }
  return 0;
}
