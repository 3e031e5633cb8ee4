/* Finite volumes. a: the unknowns, what a function says, the values, in the order of CSR. */
#include <math.h>
#include "vecmath.h"
#include "repeat.h"

/* Gas: slopes and their shares by cell, then the flux and its 3 x 6 derivatives by face, then 45 values a cell.
   a: q, scratch, values; n: cells. Half a slope is p times the difference before and r times that behind, of which one
   is 0.5 and the other 0, or both are 0. */
void gas(double *const *a, const long *n) {
    long c = n[0], m = c - 4;
    const double *restrict q = a[0];
    double *restrict s = a[1], *restrict w = s + 6 * c, *restrict values = a[2];
    /* slopes 0..2 | share of the difference before 3..5 (1, 0), share of that behind = w */
    for (int k = 0; k < 3; k++)
#pragma omp simd
        for (long i = 1; i < c - 1; i++) {
            double before = q[k * c + i] - q[k * c + i - 1], after = q[k * c + i + 1] - q[k * c + i];
            double same = after * before > 0 ? 1.0 : 0.0, first = fabs(after) < fabs(before) ? 1.0 : 0.0;
            s[k * c + i] = same * (first * after + (1 - first) * before);
            s[(3 + k) * c + i] = 0.5 * same * (1 - first);
            w[k * c + i] = 0.5 * same * first;
        }
    double *restrict D = w + 3 * c; /* 18 of a face, each a vector: by left state, by right state */
#pragma omp simd
    for (long i = 1; i < c - 2; i++) {
        double l0 = q[i] + 0.5 * s[i], l1 = q[c + i] + 0.5 * s[c + i], l2 = q[2 * c + i] + 0.5 * s[2 * c + i];
        double r0 = q[i + 1] - 0.5 * s[i + 1], r1 = q[c + i + 1] - 0.5 * s[c + i + 1];
        double r2 = q[2 * c + i + 1] - 0.5 * s[2 * c + i + 1];
        double il = 1 / l0, ul = l1 * il, pl = 0.4 * (l2 - 0.5 * l1 * ul), cl = sqrt(1.4 * pl * il);
        double ir = 1 / r0, ur = r1 * ir, pr = 0.4 * (r2 - 0.5 * r1 * ur), cr = sqrt(1.4 * pr * ir);
        double fl1 = l1 * ul + pl, fl2 = (l2 + pl) * ul, fr1 = r1 * ur + pr, fr2 = (r2 + pr) * ur;
        double low = fmin(ul - cl, ur - cr), high = fmax(ul + cl, ur + cr);
        double lowl = ul - cl < ur - cr ? 1.0 : 0.0, highl = ul + cl > ur + cr ? 1.0 : 0.0;
        double in = low < 0 && high > 0 ? 1.0 : 0.0, fromleft = low >= 0 ? 1.0 : 0.0, fromright = 1 - in - fromleft;
        double id = 1 / (high - low), x = high * id, y = low * id, z = low * high * id;
        double b0 = x * l1 - y * r1 + z * (r0 - l0), b1 = x * fl1 - y * fr1 + z * (r1 - l1);
        double b2 = x * fl2 - y * fr2 + z * (r2 - l2);
        /* of the flux by high: (fl + low (r - l) - b) / (high - low), by low: (-fr + high (r - l) + b) / ... */
        double h0 = in * (l1 + low * (r0 - l0) - b0) * id, h1 = in * (fl1 + low * (r1 - l1) - b1) * id;
        double h2 = in * (fl2 + low * (r2 - l2) - b2) * id;
        double g0 = in * (b0 - r1 + high * (r0 - l0)) * id, g1 = in * (b1 - fr1 + high * (r1 - l1)) * id;
        double g2 = in * (b2 - fr2 + high * (r2 - l2)) * id;
        double A = in * x + fromleft, B = in * -y + fromright, Z = in * z;
#define SIDE(o, u, p, iv, e, snd, A, Z, lo, hi) do { \
        double du0 = -u * iv, du1 = iv, dp0 = 0.2 * u * u, dp1 = -0.4 * u, dp2 = 0.4; \
        double k = 0.7 * iv / snd, dc0 = k * (dp0 - p * iv), dc1 = k * dp1, dc2 = k * dp2; \
        double L0 = lo * (du0 - dc0), L1 = lo * (du1 - dc1), L2 = -lo * dc2; \
        double H0 = hi * (du0 + dc0), H1 = hi * (du1 + dc1), H2 = hi * dc2; \
        double E = e + p; \
        D[(o) * c + i] = Z + g0 * L0 + h0 * H0, D[(o + 1) * c + i] = A + g0 * L1 + h0 * H1, D[(o + 2) * c + i] = g0 * L2 + h0 * H2; \
        D[(o + 3) * c + i] = A * (dp0 - u * u) + g1 * L0 + h1 * H0; \
        D[(o + 4) * c + i] = A * (2 * u + dp1) + Z + g1 * L1 + h1 * H1; \
        D[(o + 5) * c + i] = A * dp2 + g1 * L2 + h1 * H2; \
        D[(o + 6) * c + i] = A * (dp0 * u + E * du0) + g2 * L0 + h2 * H0; \
        D[(o + 7) * c + i] = A * (dp1 * u + E * du1) + g2 * L1 + h2 * H1; \
        D[(o + 8) * c + i] = A * (1 + dp2) * u + Z + g2 * L2 + h2 * H2; } while (0)
        SIDE(0, ul, pl, il, l2, cl, A, (-Z), lowl, highl);
        SIDE(9, ur, pr, ir, r2, cr, B, Z, (1 - lowl), (1 - highl));
    }
    /* left state of face i: q_i + s (p before + r behind); of cell j the columns j - 2 .. j + 2, faces j - 1 and j */
    for (int k = 0; k < 3; k++)
        for (int v = 0; v < 3; v++) {
            const double *restrict L = D + (3 * k + v) * c, *restrict R = D + (9 + 3 * k + v) * c;
            const double *restrict p = s + (3 + v) * c, *restrict r = w + v * c;
            double *restrict out = values + 15 * k * m + 5 * v;
            for (long i = 0; i < m; i++) {
                long j = i + 2;
                double one = L[j - 1], two = R[j - 1], three = L[j], four = R[j];
                out[15 * i] = one * p[j - 1];
                out[15 * i + 1] = -(one * (1 + p[j - 1] - r[j - 1]) + two * p[j]) - three * p[j];
                out[15 * i + 2] = -(one * r[j - 1] + two * (1 - p[j] + r[j])) + three * (1 + p[j] - r[j]) + four * p[j + 1];
                out[15 * i + 3] = two * r[j] + three * r[j] + four * (1 - p[j + 1] + r[j + 1]);
                out[15 * i + 4] = -four * r[j + 1];
            }
        }
}

/* Water. a: state, 1 / area, normal, wall normal / area of its cell, left, right, wall, starts of the rows of the blocks
   (left, left), (right, right), (left, right), (right, left), (wall, wall), values; n: edges, walls, values. */
INLINE void push(const double *restrict q, double nx, double ny, double *restrict F, double *restrict D, double *fast,
                 double *restrict df) {
    double h = q[0], ih = 1 / h, u = q[1] * ih, v = q[2] * ih, un = u * nx + v * ny, gh = 9.81 * h;
    double len = nx * nx + ny * ny, cc = sqrt(gh * len), sign = un < 0 ? -1.0 : 1.0;
    F[0] = h * un, F[1] = q[1] * un + 0.5 * gh * h * nx, F[2] = q[2] * un + 0.5 * gh * h * ny;
    D[0] = 0, D[1] = nx, D[2] = ny;
    D[3] = gh * nx - u * un, D[4] = un + u * nx, D[5] = u * ny;
    D[6] = gh * ny - v * un, D[7] = v * nx, D[8] = un + v * ny;
    *fast = fabs(un) + cc;
    df[0] = -sign * un * ih + 0.5 * cc * ih, df[1] = sign * nx * ih, df[2] = sign * ny * ih;
}

void water(double *const *a, const long *n) {
    const double *restrict q = a[0], *restrict ia = a[1], *restrict normal = a[2], *restrict wall = a[3];
    const int *restrict left = (const int *)a[4], *restrict right = (const int *)a[5], *restrict at = (const int *)a[6];
    const int *restrict ll = (const int *)a[7], *restrict rr = (const int *)a[8], *restrict lr = (const int *)a[9];
    const int *restrict rl = (const int *)a[10], *restrict ww = (const int *)a[11];
    double *restrict values = a[12];
    memset(values, 0, n[2] * sizeof(double));
    for (long e = 0; e < n[0]; e++) {
        const double *l = q + 3 * left[e], *r = q + 3 * right[e];
        double F[3], G[3], A[9], B[9], fa, fb, da[3], db[3];
        push(l, normal[2 * e], normal[2 * e + 1], F, A, &fa, da);
        push(r, normal[2 * e], normal[2 * e + 1], G, B, &fb, db);
        double one = fa > fb ? 0.5 : 0.0, other = 0.5 - one, half = fa > fb ? 0.5 * fa : 0.5 * fb;
        double il = ia[left[e]], ir = ia[right[e]];
        for (int k = 0; k < 3; k++)
            for (int v = 0; v < 3; v++) {
                double d = r[k] - l[k], x = 0.5 * A[3 * k + v] - one * d * da[v] + (k == v ? half : 0);
                double y = 0.5 * B[3 * k + v] - other * d * db[v] - (k == v ? half : 0);
                values[ll[3 * e + k] + v] -= il * x, values[lr[3 * e + k] + v] = -il * y;
                values[rr[3 * e + k] + v] += ir * y, values[rl[3 * e + k] + v] = ir * x;
            }
    }
    for (long e = 0; e < n[1]; e++) {
        double h = 9.81 * q[3 * at[e]];
        values[ww[3 * e + 1]] -= h * wall[2 * e], values[ww[3 * e + 2]] -= h * wall[2 * e + 1];
    }
}

/* Soil. a: heads, scratch, values; n: cells. */
void soil(double *const *a, const long *n) {
    const double *restrict h = a[0];
    long c = n[0];
    double *restrict K = a[1], *restrict dK = K + c, *restrict ds = dK + c, *restrict values = a[2];
#pragma omp simd
    for (long i = 0; i < c; i++) {
        double x = 3.6 * fabs(h[i]), sign = h[i] < 0 ? -1.0 : 1.0, m = 0.56 / 1.56;
        double t = v_exp(1.56 * v_log(x)), u = 1 + t, ls = -m * v_log(u), s = v_exp(ls);
        double w = t / u, root = v_exp(0.5 * ls); /* s^(1/m) = 1 / u */
        double lw = v_log(w), z = v_exp(m * lw), y = 1 - z;
        K[i] = 0.25 * root * y * y;
        ds[i] = -m * s / u * 1.56 * t / x * 3.6 * sign;
        /* d z / d s = -z / w * s^(1/m - 1) = -z / (w u s) */
        dK[i] = (0.125 / root * y * y + 0.5 * root * y * z / (w * u * s)) * ds[i];
    }
    for (long i = 0; i < c - 2; i++) {
        long j = i + 1;
        double down = (h[j + 1] - h[j]) * 100 + 1, up = (h[j] - h[j - 1]) * 100 + 1;
        double kd = 0.5 * (K[j] + K[j + 1]), ku = 0.5 * (K[j] + K[j - 1]);
        values[3 * i] = 10 * (0.5 * dK[j - 1] * up - 100 * ku);
        values[3 * i + 1] = 0.35 * ds[j] - 10 * (0.5 * dK[j] * down - 100 * kd) + 10 * (0.5 * dK[j] * up + 100 * ku);
        values[3 * i + 2] = -10 * (0.5 * dK[j + 1] * down + 100 * kd);
    }
}
