/* An approximate minimum degree ordering, and the pattern of the factors; ordering.py says the same in Python, shorter.

   One entry for all: sizes[0] is the engine, the other sizes and the buffers are its own. No memory is allocated
   here, no library is called.

   Source of the ordering: Amestoy, Davis and Duff, An approximate minimum degree ordering algorithm, SIAM J. Matrix
   Anal. Appl. 17 (1996): quotient graph, element absorption, mass elimination, indistinguishable variables. */

typedef long long wide;

enum { DEGREE, TREE, FILL };
enum { VARIABLE, ELEMENT, GONE };

/* ---- variables in lists by degree ---- */

static void put(int v, int key, int *head, int *next, int *prev) {
    next[v] = head[key];
    prev[v] = -1;
    if (head[key] >= 0) prev[head[key]] = v;
    head[key] = v;
}

static void take(int v, int key, int *head, int *next, int *prev) {
    if (prev[v] >= 0) next[prev[v]] = next[v];
    else head[key] = next[v];
    if (next[v] >= 0) prev[next[v]] = prev[v];
}

/* lists that still count, moved to the front of the store: the first item of each is kept in start[], a mark of it
   stands in its place */
static wide compact(int n, wide used, wide *start, const int *len, const int *kind, int *store) {
    for (int j = 0; j < n; j++)
        if (kind[j] != GONE && len[j] > 0) {
            const wide at = start[j];
            start[j] = store[at];
            store[at] = -1 - j;
        }
    wide to = 0;
    for (wide from = 0; from < used;) {
        const int mark = store[from];
        if (mark >= 0) { from++; continue; }
        const int j = -1 - mark;
        store[to] = (int)start[j];
        start[j] = to;
        for (int k = 1; k < len[j]; k++) store[to + k] = store[from + k];
        to += len[j];
        from += len[j];
    }
    return to;
}

/* start, store: for each variable its neighbours. weight: how many rows a variable stands for; in the end negative.
   pivots: the variables in the order of elimination, tag[0] of them; follow[v] is the next one that was merged into the same pivot. */
static int degree(void **b, const wide *s) {
    wide *start = b[0], *tag = b[1];
    int *store = b[2], *len = b[3], *elements = b[4], *weight = b[5], *kind = b[6], *size = b[7], *head = b[8];
    int *next = b[9], *prev = b[10], *bucket = b[11], *chain = b[12], *pivots = b[13], *follow = b[14], *last = b[15];
    const int n = (int)s[1], total = (int)s[2]; /* variables, and the sum of their weights */
    const wide room = s[3];
    wide used = s[4], now = 1;
    int done = 0, count = 0, least = 0;
    for (int k = 0; k <= total; k++) head[k] = -1;
    for (int v = n - 1; v >= 0; v--) {
        tag[v] = 0;
        kind[v] = VARIABLE;
        elements[v] = 0;
        follow[v] = -1;
        last[v] = v;
        bucket[v] = -1;
        size[v] = 0;
        for (int k = 0; k < len[v]; k++) size[v] += weight[store[start[v] + k]];
    }
    for (int v = n - 1; v >= 0; v--) put(v, size[v], head, next, prev);
    while (done < total) {
        while (head[least] < 0) least++;
        const int p = head[least];
        take(p, least, head, next, prev);
        if (room - used < n) used = compact(n, used, start, len, kind, store);
        /* the new element: all that is next to p, directly or through an element, which it absorbs */
        const wide first = used;
        int own = weight[p], outside = 0;
        weight[p] = -own;
        for (int k = elements[p]; k < len[p]; k++) {
            const int i = store[start[p] + k];
            if (weight[i] <= 0) continue;
            outside += weight[i];
            take(i, size[i], head, next, prev);
            weight[i] = -weight[i];
            store[used++] = i;
        }
        for (int k = 0; k < elements[p]; k++) {
            const int e = store[start[p] + k];
            if (kind[e] != ELEMENT) continue;
            for (int m = 0; m < len[e]; m++) {
                const int i = store[start[e] + m];
                if (weight[i] <= 0) continue;
                outside += weight[i];
                take(i, size[i], head, next, prev);
                weight[i] = -weight[i];
                store[used++] = i;
            }
            kind[e] = GONE;
        }
        kind[p] = ELEMENT;
        start[p] = first;
        len[p] = (int)(used - first);
        pivots[count++] = p;
        /* of each element the part outside of the new one */
        for (wide q = first; q < used; q++) {
            const int i = store[q];
            for (int k = 0; k < elements[i]; k++) {
                const int e = store[start[i] + k];
                if (kind[e] != ELEMENT) continue;
                if (tag[e] < now) tag[e] = now + size[e];
                tag[e] += weight[i]; /* which is negative here */
            }
        }
        /* lists and degrees of the variables of the new element */
        for (wide q = first; q < used; q++) {
            const int i = store[q];
            const wide from = start[i];
            wide to = from, hash = p;
            int outer = 0;
            for (int k = 0; k < elements[i]; k++) {
                const int e = store[from + k];
                if (kind[e] != ELEMENT) continue;
                const int part = (int)(tag[e] - now);
                if (part > 0) { outer += part; store[to++] = e; hash += e; }
                else kind[e] = GONE; /* within the new one */
            }
            const wide middle = to;
            for (int k = elements[i]; k < len[i]; k++) {
                const int v = store[from + k];
                if (weight[v] > 0) { outer += weight[v]; store[to++] = v; hash += v; }
            }
            if (outer == 0) { /* nothing else is next to it: eliminated with p */
                own -= weight[i];
                outside += weight[i];
                weight[i] = 0;
                kind[i] = GONE;
                follow[last[p]] = i;
                last[p] = last[i];
                continue;
            }
            store[to] = store[middle]; /* p in front; there is room, as p or what it absorbed was in the list */
            store[middle] = store[from];
            store[from] = p;
            elements[i] = (int)(middle - from) + 1;
            len[i] = (int)(to - from) + 1;
            if (outer < size[i]) size[i] = outer;
            const int h = (int)(hash % n);
            chain[i] = bucket[h];
            bucket[h] = i;
            prev[i] = h; /* no list by degree holds it now */
        }
        now += total + 1;
        /* variables with the same neighbours become one */
        for (wide q = first; q < used; q++) {
            if (weight[store[q]] == 0) continue;
            const int h = prev[store[q]];
            int i = bucket[h];
            bucket[h] = -1;
            for (; i >= 0 && chain[i] >= 0; i = chain[i], now++) {
                for (int k = 1; k < len[i]; k++) tag[store[start[i] + k]] = now;
                for (int before = i, j = chain[i]; j >= 0;) {
                    int same = len[j] == len[i] && elements[j] == elements[i];
                    for (int k = 1; same && k < len[j]; k++) same = tag[store[start[j] + k]] == now;
                    if (same) {
                        weight[i] += weight[j];
                        weight[j] = 0;
                        kind[j] = GONE;
                        follow[last[i]] = j;
                        last[i] = last[j];
                        chain[before] = chain[j];
                    } else before = j;
                    j = chain[j];
                }
            }
        }
        now += total + 1;
        /* what is left of the new element */
        done += own;
        size[p] = outside;
        wide to = first;
        for (wide q = first; q < used; q++) {
            const int i = store[q], w = -weight[i];
            if (w <= 0) continue;
            weight[i] = w;
            int bound = size[i] + outside - w;
            if (bound > total - done - w) bound = total - done - w;
            size[i] = bound;
            put(i, bound, head, next, prev);
            if (bound < least) least = bound;
            store[to++] = i;
        }
        weight[p] = 0;
        len[p] = (int)(to - first);
        used = to;
        if (len[p] == 0) kind[p] = GONE;
    }
    tag[0] = count;
    return 0;
}

/* ---- the elimination tree and the pattern of L by rows: Liu, SIAM J. Matrix Anal. Appl. 11 (1990) ---- */

/* ptr, index: for each row the columns before it. parent: the tree; count[k]: entries of L below the diagonal. */
static int tree(void **b, const wide *s) {
    const int *ptr = b[0], *index = b[1];
    int *parent = b[2], *ancestor = b[3], *mark = b[4], *count = b[5];
    const int n = (int)s[1];
    for (int i = 0; i < n; i++) {
        parent[i] = ancestor[i] = -1;
        for (int p = ptr[i]; p < ptr[i + 1]; p++)
            for (int k = index[p], up; k != -1 && k < i; k = up) {
                up = ancestor[k];
                ancestor[k] = i;
                if (up == -1) parent[k] = i;
            }
    }
    for (int i = 0; i < n; i++) {
        mark[i] = i;
        count[i] = 0;
        for (int p = ptr[i]; p < ptr[i + 1]; p++)
            for (int k = index[p]; mark[k] != i; k = parent[k]) {
                mark[k] = i;
                count[k]++;
            }
    }
    return 0;
}

/* rows of each column of L, ascending; where[k] is where the next one of column k goes */
static int fill(void **b, const wide *s) {
    const int *ptr = b[0], *index = b[1], *parent = b[2];
    int *mark = b[3], *where = b[4], *below = b[5];
    const int n = (int)s[1];
    for (int i = 0; i < n; i++) mark[i] = -1;
    for (int i = 0; i < n; i++) {
        mark[i] = i;
        for (int p = ptr[i]; p < ptr[i + 1]; p++)
            for (int k = index[p]; mark[k] != i; k = parent[k]) {
                mark[k] = i;
                below[where[k]++] = i;
            }
    }
    return 0;
}

int ft_entry(void **buffers, const long long *sizes) {
    switch (sizes[0]) {
    case DEGREE: return degree(buffers, sizes);
    case TREE: return tree(buffers, sizes);
    default: return fill(buffers, sizes);
    }
}
