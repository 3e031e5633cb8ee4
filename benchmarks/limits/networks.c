/* Gas in pipes. a: flows and pressures, resistances, both ends, places of the pressures' own entries, values, of which those
   of balances by flows are constant and there already; n: pipes, junctions. A pipe's row is (flow, lower end, higher end). */
#include <math.h>
#include "vecmath.h"
#include "repeat.h"

void gas(double *const *a, const long *n) {
    const double *restrict q = a[0], *restrict p = q + n[0], *restrict r = a[1];
    const int *restrict one = (const int *)a[2], *restrict other = (const int *)a[3], *restrict at = (const int *)a[4];
    double *restrict values = a[5];
    for (long k = 0; k < n[0]; k++) {
        values[3 * k] = -2 * r[k] * fabs(q[k]);
        values[3 * k + 1] = 2 * p[one[k]], values[3 * k + 2] = -2 * p[other[k]];
    }
    for (long k = 0; k < n[1]; k++) values[at[k]] = -0.05 / sqrt(p[k]);
}
