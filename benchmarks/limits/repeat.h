/* Every limit is void name(double *const *a, const long *n); this runs one many times. The pointer hides which. */
void repeat(void (*f)(double *const *, const long *), double *const *a, const long *n, long times) {
    for (long k = 0; k < times; k++) {
        f(a, n);
        __asm__ volatile("" ::: "memory");
    }
}
