/* The Jacobian of the AC power balance. a: x, fixed angles and magnitudes (2 buses), G, B of the edges, self G, self B,
   edge sources, edge targets, first edge of a bus (by source), where a bus's angle and magnitude stand in the
   known ones, order of the values, scratch, values; n: buses, edges, values.
   With e = V cos, f = V sin no edge needs an angle of its own; what all entries are made of is laid out in the scratch,
   and each value is read from there. The scratch is: x and the known | e | f | 1/V | 4 per edge | 4 per bus. */
#include "vecmath.h"
#include "repeat.h"

void limit(double *const *a, const long *n) {
    long buses = n[0], edges = n[1], count = n[2], unknowns = n[3];
    const double *restrict G = a[2], *restrict B = a[3], *restrict gs = a[4], *restrict bs = a[5];
    const int *restrict from = (const int *)a[6], *restrict to = (const int *)a[7], *restrict first = (const int *)a[8];
    const int *restrict angle = (const int *)a[9], *restrict size = (const int *)a[10];
    const int *restrict order = (const int *)a[11];
    double *restrict all = a[12], *restrict e = all + 2 * buses, *restrict f = e + buses, *restrict r = f + buses;
    double *restrict w = r + buses, *restrict h = w, *restrict k = h + edges, *restrict l = k + edges;
    double *restrict m = l + edges, *restrict d = m + edges, *restrict values = a[13];
    memcpy(all, a[0], unknowns * sizeof(double));
    memcpy(all + unknowns, a[1], (2 * buses - unknowns) * sizeof(double));
#pragma omp simd
    for (long i = 0; i < buses; i++) {
        double t = all[angle[i]], v = all[size[i]];
        e[i] = v * v_cos(t), f[i] = v * v_sin(t), r[i] = 1.0 / v;
    }
#pragma omp simd
    for (long i = 0; i < edges; i++) {
        double p = e[from[i]], q = f[from[i]], s = e[to[i]], t = f[to[i]], u = r[to[i]];
        double x = p * s + q * t, y = q * s - p * t, active = G[i] * x + B[i] * y, reactive = G[i] * y - B[i] * x;
        h[i] = reactive, k[i] = active * u, l[i] = -active, m[i] = reactive * u;
    }
    for (long i = 0; i < buses; i++) {
        double active = 0.0, reactive = 0.0, v2 = e[i] * e[i] + f[i] * f[i], v = v2 * r[i];
        for (int j = first[i]; j < first[i + 1]; j++) active -= l[j], reactive += h[j];
        d[i] = -reactive, d[buses + i] = active * r[i] + 2.0 * gs[i] * v;
        d[2 * buses + i] = active, d[3 * buses + i] = reactive * r[i] - 2.0 * bs[i] * v;
    }
#pragma omp simd
    for (long i = 0; i < count; i++) values[i] = w[order[i]];
}
