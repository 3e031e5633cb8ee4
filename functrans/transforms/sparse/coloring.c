/* Engines of the colorings for large patterns; greedy.py and graphs.py say the same in Python, step by step.

   One entry for all: sizes[0] is the engine, the other sizes and the buffers are its own. No memory is allocated
   here, no library is called. Groups are rows (of columns that meet there) or edges. */

typedef unsigned long long word;

enum { ORDER, FIRST_FIT, SATURATION, STAR, ACYCLIC };

/* ---- vertices in buckets by key: doubly linked lists, the last one put in is the first to come out ---- */

static void put(int v, int key, int *head, int *next, int *prev) {
    next[v] = head[key];
    prev[v] = -1 - key;
    if (head[key] >= 0) prev[head[key]] = v;
    head[key] = v;
}

static void take(int v, int *head, int *next, int *prev) {
    if (prev[v] >= 0) next[prev[v]] = next[v];
    else head[-1 - prev[v]] = next[v];
    if (next[v] >= 0) prev[next[v]] = prev[v];
}

/* mode 0: degrees alone; 1 smallest last; 2 incidence degree; 3 dynamic largest first */
static int order(void **b, const long long *s) {
    const int *vptr = b[0], *group = b[1], *gptr = b[2], *member = b[3];
    int *sequence = b[4], *key = b[5], *mark = b[6], *head = b[7], *next = b[8], *prev = b[9];
    const int n = (int)s[1], mode = (int)s[2];
    for (int v = 0; v < n; v++) mark[v] = -1;
    for (int v = 0; v < n; v++) {
        int count = 0;
        for (int p = vptr[v]; p < vptr[v + 1]; p++)
            for (int q = gptr[group[p]]; q < gptr[group[p] + 1]; q++)
                if (member[q] != v && mark[member[q]] != v) { mark[member[q]] = v; count++; }
        key[v] = count;
    }
    if (mode == 0) return 0;
    for (int k = 0; k < n; k++) head[k] = -1;
    for (int v = n - 1; v >= 0; v--) {
        if (mode == 2) key[v] = 0;
        put(v, key[v], head, next, prev);
        mark[v] = -1; /* from here on: -2 where the vertex is in the sequence */
    }
    int top = mode == 1 ? 0 : n - 1;
    for (int k = 0; k < n; k++) {
        if (mode == 1) while (head[top] < 0) top++;
        else while (head[top] < 0) top--;
        const int v = head[top];
        take(v, head, next, prev);
        sequence[mode == 1 ? n - 1 - k : k] = v;
        mark[v] = -2;
        for (int p = vptr[v]; p < vptr[v + 1]; p++)
            for (int q = gptr[group[p]]; q < gptr[group[p] + 1]; q++) {
                const int u = member[q];
                if (mark[u] == -2 || mark[u] == v) continue;
                mark[u] = v;
                take(u, head, next, prev);
                key[u] += mode == 2 ? 1 : -1;
                put(u, key[u], head, next, prev);
            }
        if (mode == 1 && top > 0) top--;
        if (mode == 2 && top < n - 1) top++;
    }
    return 0;
}

/* ---- columns that share no group: 64 colors at a time ---- */

static int first_fit(void **b, const long long *s) {
    const int *vptr = b[0], *group = b[1];
    int *pending = b[2], *colors = b[3];
    word *seen = b[4];
    long long count = s[1];
    const long long groups = s[2];
    for (int base = 0; count; base += 64) {
        long long waiting = 0;
        for (long long g = 0; g < groups; g++) seen[g] = 0;
        for (long long k = 0; k < count; k++) {
            const int v = pending[k];
            word taken = 0;
            for (int p = vptr[v]; p < vptr[v + 1]; p++) taken |= seen[group[p]];
            if (!~taken) { pending[waiting++] = v; continue; }
            const word free = ~taken & (taken + 1);
            colors[v] = base + __builtin_ctzll(free);
            for (int p = vptr[v]; p < vptr[v + 1]; p++) seen[group[p]] |= free;
        }
        count = waiting;
    }
    return 0;
}

/* ---- next the vertex with most colors around it: a heap that knows where each vertex is ---- */

struct heap { int *at, *where, *around; const int *degree; };

static int before(const struct heap *h, int a, int b) {
    if (h->around[a] != h->around[b]) return h->around[a] > h->around[b];
    if (h->degree[a] != h->degree[b]) return h->degree[a] > h->degree[b];
    return a < b;
}

static void up(struct heap *h, int k) {
    const int v = h->at[k];
    for (; k > 0 && before(h, v, h->at[(k - 1) / 2]); k = (k - 1) / 2) {
        h->at[k] = h->at[(k - 1) / 2];
        h->where[h->at[k]] = k;
    }
    h->at[k] = v;
    h->where[v] = k;
}

static void down(struct heap *h, int k, int size) {
    const int v = h->at[k];
    for (;;) {
        int child = 2 * k + 1;
        if (child >= size) break;
        if (child + 1 < size && before(h, h->at[child + 1], h->at[child])) child++;
        if (!before(h, h->at[child], v)) break;
        h->at[k] = h->at[child];
        h->where[h->at[k]] = k;
        k = child;
    }
    h->at[k] = v;
    h->where[v] = k;
}

/* returns 1 where `words` words do not hold all colors */
static int saturation(void **b, const long long *s) {
    const int *vptr = b[0], *group = b[1], *gptr = b[2], *member = b[3];
    int *colors = b[4];
    struct heap h = {b[5], b[6], b[7], b[8]};
    word *taken = b[9];
    int size = (int)s[1];
    const long long words = s[2];
    for (int k = size / 2 - 1; k >= 0; k--) down(&h, k, size);
    while (size) {
        const int v = h.at[0];
        h.where[v] = -1;
        if (--size) { h.at[0] = h.at[size]; h.where[h.at[0]] = 0; down(&h, 0, size); }
        long long w = 0;
        while (w < words && !~taken[v * words + w]) w++;
        if (w == words) return 1;
        const word own = taken[v * words + w], color = ~own & (own + 1);
        colors[v] = (int)(64 * w) + __builtin_ctzll(color);
        for (int p = vptr[v]; p < vptr[v + 1]; p++)
            for (int q = gptr[group[p]]; q < gptr[group[p] + 1]; q++) {
                const int u = member[q];
                if (h.where[u] < 0 || taken[u * words + w] & color) continue;
                taken[u * words + w] |= color;
                h.around[u]++;
                up(&h, h.where[u]);
            }
    }
    return 0;
}

/* ---- star and acyclic colorings of a graph ----

   near: for each vertex a list of the colors around it, at its own slots of the adjacency: the color, an edge to a
   neighbor of that color, and that neighbor, or -1 where there are several. */

struct graph { const int *ptr, *adjacent, *edge; int *count, *color, *by, *end; };

static void add(struct graph *g, int w, int color, int e, int v) {
    int *const c = g->color + g->ptr[w];
    int k = 0;
    while (k < g->count[w] && c[k] != color) k++;
    if (k < g->count[w]) { g->end[g->ptr[w] + k] = -1; return; }
    c[k] = color;
    g->by[g->ptr[w] + k] = e;
    g->end[g->ptr[w] + k] = v;
    g->count[w]++;
}

/* an edge from w to a neighbor of the color, -1 where there is none */
static int found(const struct graph *g, int w, int color) {
    for (int k = g->ptr[w]; k < g->ptr[w] + g->count[w]; k++)
        if (g->color[k] == color) return g->by[k];
    return -1;
}

static void forbid_around(const struct graph *g, int w, int v, int *forbidden) {
    for (int k = g->ptr[w]; k < g->ptr[w] + g->count[w]; k++) forbidden[g->color[k]] = v;
}

static int star(void **b, const long long *s) {
    struct graph g = {b[0], b[1], b[2], b[3], b[4], b[5], b[6]};
    const int *sequence = b[7];
    int *colors = b[8], *star_of = b[9], *hub = b[10];
    int *forbidden = b[11], *seen = b[12], *first = b[13], *by = b[14], *treated = b[15];
    const int n = (int)s[1];
    int stars = 0;
    for (int k = 0; k < n; k++) {
        const int v = sequence[k];
        for (int p = g.ptr[v]; p < g.ptr[v + 1]; p++) {
            const int w = g.adjacent[p], c = colors[w];
            if (c < 0) continue;
            forbidden[c] = v;
            if (seen[c] == v) {
                if (treated[first[c]] != v) { forbid_around(&g, first[c], v, forbidden); treated[first[c]] = v; }
                forbid_around(&g, w, v, forbidden);
                treated[w] = v;
            } else {
                seen[c] = v; first[c] = w; by[c] = g.edge[p];
                for (int q = g.ptr[w]; q < g.ptr[w] + g.count[w]; q++)
                    if (g.end[q] >= 0 && hub[star_of[g.by[q]]] == g.end[q]) forbidden[g.color[q]] = v;
            }
        }
        int own = 0;
        while (forbidden[own] == v) own++;
        colors[v] = own;
        for (int p = g.ptr[v]; p < g.ptr[v + 1]; p++) {
            const int w = g.adjacent[p], c = colors[w], e = g.edge[p];
            if (c < 0) continue;
            const int other = found(&g, w, own);
            if (other >= 0) { star_of[e] = star_of[other]; hub[star_of[e]] = w; }
            else if (first[c] != w) { star_of[e] = star_of[by[c]]; hub[star_of[e]] = v; }
            else { star_of[e] = stars; hub[stars++] = -1; }
            add(&g, w, own, e, v);
            add(&g, v, c, e, w);
        }
    }
    return 0;
}

static int root(int *parent, int e) {
    while (parent[e] != e) { parent[e] = parent[parent[e]]; e = parent[e]; }
    return e;
}

static int acyclic(void **b, const long long *s) {
    struct graph g = {b[0], b[1], b[2], b[3], b[4], b[5], b[6]};
    const int *sequence = b[7];
    int *colors = b[8], *tree = b[9];
    int *forbidden = b[10], *visitor = b[11], *from = b[12];
    const int n = (int)s[1];
    for (int k = 0; k < n; k++) {
        const int v = sequence[k];
        for (int p = g.ptr[v]; p < g.ptr[v + 1]; p++)
            if (colors[g.adjacent[p]] >= 0) forbidden[colors[g.adjacent[p]]] = v;
        for (int p = g.ptr[v]; p < g.ptr[v + 1]; p++) {
            const int w = g.adjacent[p];
            if (colors[w] < 0) continue;
            for (int q = g.ptr[w]; q < g.ptr[w] + g.count[w]; q++) {
                if (forbidden[g.color[q]] == v) continue;
                const int t = root(tree, g.by[q]);
                if (visitor[t] != v) { visitor[t] = v; from[t] = w; }
                else if (from[t] != w) forbidden[g.color[q]] = v;
            }
        }
        int own = 0;
        while (forbidden[own] == v) own++;
        colors[v] = own;
        for (int p = g.ptr[v]; p < g.ptr[v + 1]; p++) {
            const int w = g.adjacent[p], c = colors[w], e = g.edge[p];
            if (c < 0) continue;
            const int there = found(&g, w, own), here = found(&g, v, c);
            if (there >= 0) tree[root(tree, e)] = root(tree, there);
            if (here >= 0) tree[root(tree, e)] = root(tree, here);
            add(&g, w, own, e, v);
            add(&g, v, c, e, w);
        }
    }
    for (long long e = 0; e < s[2]; e++) tree[e] = root(tree, (int)e);
    return 0;
}

int ft_entry(void **buffers, const long long *sizes) {
    switch (sizes[0]) {
    case ORDER: return order(buffers, sizes);
    case FIRST_FIT: return first_fit(buffers, sizes);
    case SATURATION: return saturation(buffers, sizes);
    case STAR: return star(buffers, sizes);
    default: return acyclic(buffers, sizes);
    }
}
