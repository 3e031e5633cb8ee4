/* Element after element, each added to the values. a: the unknowns, what a function says, where the rows of the blocks
   of an element begin among the values, the values; n: elements, values. */
#include <math.h>
#include "vecmath.h"
#include "repeat.h"

/* Tetrahedra. a: points, gradients of the shape functions (4 x 3), volumes, corners, starts (4 x 4 x 3), values.
   With g = F^-T shape: H(a i, b k) = v (mu (shape a . shape b) (i = k) + (mu - lambda log J) g(a k) g(b i)
   + lambda g(a i) g(b k)), symmetric. */
void rubber(double *const *a, const long *n) {
    const double *restrict x = a[0], *restrict shapes = a[1], *restrict volume = a[2];
    const int *restrict corners = (const int *)a[3], *restrict starts = (const int *)a[4];
    double *restrict values = a[5];
    memset(values, 0, n[1] * sizeof(double));
    for (long e = 0; e < n[0]; e++) {
        const double *N = shapes + 12 * e;
        const int *c = corners + 4 * e, *at = starts + 48 * e;
        double F[3][3] = {{0}}, G[3][3], g[4][3];
        for (int p = 0; p < 4; p++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) F[i][j] += x[3 * c[p] + i] * N[3 * p + j];
        G[0][0] = F[1][1] * F[2][2] - F[1][2] * F[2][1], G[0][1] = F[1][2] * F[2][0] - F[1][0] * F[2][2];
        G[0][2] = F[1][0] * F[2][1] - F[1][1] * F[2][0], G[1][0] = F[2][1] * F[0][2] - F[2][2] * F[0][1];
        G[1][1] = F[2][2] * F[0][0] - F[2][0] * F[0][2], G[1][2] = F[2][0] * F[0][1] - F[2][1] * F[0][0];
        G[2][0] = F[0][1] * F[1][2] - F[0][2] * F[1][1], G[2][1] = F[0][2] * F[1][0] - F[0][0] * F[1][2];
        G[2][2] = F[0][0] * F[1][1] - F[0][1] * F[1][0];
        double J = F[0][0] * G[0][0] + F[0][1] * G[0][1] + F[0][2] * G[0][2], iJ = 1 / J, v = volume[e];
        double t = v * (1.0 - 4.0 * v_log(J)), l = v * 4.0;
        for (int p = 0; p < 4; p++)
            for (int i = 0; i < 3; i++)
                g[p][i] = (G[i][0] * N[3 * p] + G[i][1] * N[3 * p + 1] + G[i][2] * N[3 * p + 2]) * iJ;
        for (int p = 0; p < 4; p++)
            for (int q = 0; q < 4; q++) {
                double m = v * (N[3 * p] * N[3 * q] + N[3 * p + 1] * N[3 * q + 1] + N[3 * p + 2] * N[3 * q + 2]);
                for (int i = 0; i < 3; i++) {
                    double *to = values + at[12 * p + 3 * q + i];
                    double ti = t * g[q][i], li = l * g[p][i];
                    for (int k = 0; k < 3; k++) to[k] += ti * g[p][k] + li * g[q][k] + (i == k ? m : 0);
                }
            }
    }
}

/* Triangles of the p-Laplacian. a: u, shapes (3 x 2 vectors), areas, corners, starts (3 x 3), values. */
void membrane(double *const *a, const long *n) {
    const double *restrict u = a[0], *restrict s = a[1], *restrict area = a[2];
    const int *restrict corners = (const int *)a[3], *restrict at = (const int *)a[4];
    double *restrict values = a[5];
    long m = n[0];
    memset(values, 0, n[1] * sizeof(double));
    for (long first = 0; first < m; first += 64) {
        long count = m - first < 64 ? m - first : 64;
        double found[9][64];
#pragma omp simd
        for (long k = 0; k < count; k++) {
            long e = first + k;
            double gx = 0, gy = 0, along[3];
            for (int p = 0; p < 3; p++) gx += u[corners[3 * e + p]] * s[2 * p * m + e], gy += u[corners[3 * e + p]] * s[(2 * p + 1) * m + e];
            double w = gx * gx + gy * gy + 0.01, r = v_exp(-0.25 * v_log(w)) * area[e], d = -0.5 * r / w;
            for (int p = 0; p < 3; p++) along[p] = gx * s[2 * p * m + e] + gy * s[(2 * p + 1) * m + e];
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    found[3 * p + q][k] = d * along[p] * along[q] + r * (s[2 * p * m + e] * s[2 * q * m + e] + s[(2 * p + 1) * m + e] * s[(2 * q + 1) * m + e]);
        }
        for (long k = 0; k < count; k++)
            for (int p = 0; p < 9; p++) values[at[9 * (first + k) + p]] += found[p][k];
    }
}

/* A pair of points with a force along it: (p d) with the derivative p I + r d d^T, added to four blocks. */
INLINE void pair(const double *d, double p, double r, const int *at, double *restrict values) {
    for (int i = 0; i < 3; i++) {
        double *own = values + at[i], *across = values + at[3 + i], *back = values + at[6 + i], *other = values + at[9 + i];
        for (int k = 0; k < 3; k++) {
            double v = r * d[i] * d[k] + (i == k ? p : 0);
            own[k] -= v, other[k] -= v, across[k] = v, back[k] = v;
        }
    }
}

/* Bars. a: points, 1 / length at rest, both ends, starts (2 x 2 x 3), values. */
void truss(double *const *a, const long *n) {
    const double *restrict x = a[0], *restrict rest = a[1];
    const int *restrict one = (const int *)a[2], *restrict other = (const int *)a[3], *restrict at = (const int *)a[4];
    double *restrict values = a[5];
    memset(values, 0, n[1] * sizeof(double));
    for (long e = 0; e < n[0]; e++) {
        double d[3], s = 0;
        for (int k = 0; k < 3; k++) d[k] = x[3 * other[e] + k] - x[3 * one[e] + k], s += d[k] * d[k];
        double l = 1 / sqrt(s);
        pair(d, rest[e] - l, l * l * l, at + 12 * e, values);
    }
}

/* Atoms. a: points, both ends, starts, values. p = 24 (r^-4 - 2 r^-7) of the square r of the distance. */
void atoms(double *const *a, const long *n) {
    const double *restrict x = a[0];
    const int *restrict one = (const int *)a[1], *restrict other = (const int *)a[2], *restrict at = (const int *)a[3];
    double *restrict values = a[4];
    memset(values, 0, n[1] * sizeof(double));
    for (long e = 0; e < n[0]; e++) {
        double d[3], s = 0;
        for (int k = 0; k < 3; k++) d[k] = x[3 * other[e] + k] - x[3 * one[e] + k], s += d[k] * d[k];
        double i = 1 / s, six = i * i * i;
        pair(d, 24 * i * six * (1 - 2 * six), 48 * i * i * six * (14 * six - 4), at + 12 * e, values);
    }
}
