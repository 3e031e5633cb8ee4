/* Reactions of two species each. a: concentrations, rates, orders (2 a reaction), its species, first entry of a reaction,
   (reaction, species) of an entry, its weight, its places (one a cell), the constant values, scratch, values;
   n: cells, reactions, values. */
#include <math.h>
#include "vecmath.h"
#include "repeat.h"

void limit(double *const *a, const long *n) {
    const double *restrict c = a[0], *restrict rates = a[1], *restrict orders = a[2], *restrict weights = a[6];
    const int *restrict first = (const int *)a[3], *restrict ends = (const int *)a[4], *restrict of = (const int *)a[5];
    const int *restrict places = (const int *)a[7];
    double *restrict slope = a[9], *restrict values = a[10];
    long m = n[0];
    memcpy(values, a[8], n[2] * sizeof(double));
    for (long k = 0; k < n[1]; k++) {
        const double *restrict x = c + first[2 * k] * m, *restrict y = c + first[2 * k + 1] * m;
        double p = orders[2 * k], q = orders[2 * k + 1], rate = rates[k];
        for (long j = 0; j < m; j++) {
            double u = x[j], v = y[j];
            slope[j] = rate * (p == 2 ? u : 1) * (q == 2 ? v * v : v);
            slope[m + j] = rate * (p == 2 ? u * u : u) * (q == 2 ? v : 1);
        }
        for (long t = ends[k]; t < ends[k + 1]; t++) {
            const double *restrict s = slope + (of[2 * t + 1] == first[2 * k] ? 0 : m);
            const int *restrict to = places + t * m;
            double w = weights[t];
            for (long j = 0; j < m; j++) values[to[j]] += w * s[j];
        }
    }
}
