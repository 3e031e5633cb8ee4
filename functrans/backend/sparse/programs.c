/* The work on one system as a list of tasks in an order in which those of one kind follow each other: programs.py says
   what a program is. No memory is allocated here, no library is called.

   A list is made twice: to count what it takes, and then to be written. */

typedef long long wide;

/* KINDS */

enum { LONGEST = 8, WINDOW = 16384 };

/* kind, start: of each task what it does, and where its numbers begin in list; from, to: which task waits for which one;
   last: which task wrote an element last; the arrays are there where the list is written */
typedef struct {
  int n, symmetric, blocks, written;
  const int *ptr, *index, *own, *above, *rows, *segments, *row_order, *col_order;
  int *last, *kind, *start, *list, *from, *to;
  wide tasks, numbers, edges;
  int before, after;
} plan;

static void begin(plan *p, int kind) {
  if (p->written) p->kind[p->tasks] = kind, p->start[p->tasks] = (int)p->numbers;
  p->tasks++;
}

static void number(plan *p, int k) {
  if (p->written) p->list[p->numbers] = k;
  p->numbers++;
}

/* the task that was begun last waits for what wrote these elements */
static void reads(plan *p, int first, int count) {
  const int task = (int)p->tasks - 1;
  for (int e = first; e < first + count; e++) {
    const int writer = p->last[e];
    if (writer < 0 || writer == task || (writer == p->before && task == p->after)) continue;
    p->before = writer, p->after = task;
    if (p->written) p->from[p->edges] = writer, p->to[p->edges] = task;
    p->edges++;
  }
}

static void writes(plan *p, int first, int count) {
  for (int e = first; e < first + count; e++) p->last[e] = (int)p->tasks - 1;
}

/* columns from `to` on of rows that are `next` apart less the products of m pivots at `l` with rows of U, which begin at u */
static void update(plan *p, int r, int m, int count, int to, int l, int next, const int *u) {
  for (int done = 0; done < count;) {
    const int left = count - done, width = left >= 16 ? 4 : left >= 8 ? 3 : left >= 4 ? 2 : left >= 2;
    const int size = width == 4 ? left / 8 * 8 : 1 << width;
    begin(p, UPDATE(r, m, width));
    for (int i = 0; i < r; i++) number(p, to + done + i * next);
    for (int i = 0; i < r; i++) number(p, l + i * next), reads(p, l + i * next, m);
    for (int j = 0; j < m; j++) number(p, u[j] + done), reads(p, u[j] + done, size);
    if (width == 4) number(p, size / 8);
    for (int i = 0; i < r; i++) reads(p, to + done + i * next, size), writes(p, to + done + i * next, size);
    done += size;
  }
}

/* m pivots, the first one at place `at` of r rows from i on */
static void segment(plan *p, int i, int r, int at, int m) {
  const int first = p->ptr[i], next = p->ptr[i + r - 1] - first, l = first + at, k = p->index[l], last = k + m - 1;
  const int behind = p->symmetric ? p->above[l + m - 1] : p->own[last] + 1;
  int u[4];
  begin(p, p->symmetric ? COPY(r, m) : DIVIDE(r, m));
  for (int x = 0; x < r; x++) number(p, l + x * next), reads(p, l + x * next, m);
  for (int j = 0; j < m && p->symmetric; j++) number(p, p->above[l + j]), reads(p, p->above[l + j], r);
  for (int j = 0; j < m; j++) number(p, p->own[k + j]), reads(p, p->own[k + j], p->symmetric ? 1 : m - j);
  for (int x = 0; x < r; x++) writes(p, l + x * next, m);
  for (int q = behind, e = first + at; q < p->ptr[last + 1];) {
    while (p->index[e] != p->index[q]) e++;
    int count = 1;
    while (q + count < p->ptr[last + 1] && p->index[e + count] == p->index[q + count]) count++;
    for (int j = 0; j < m; j++) u[j] = p->ptr[k + j + 1] - (p->ptr[last + 1] - q);
    update(p, r, m, count, e, l, next, u);
    q += count;
  }
}

static void pivot(plan *p, int place) {
  begin(p, PIVOT);
  number(p, place), reads(p, place, 1), writes(p, place, 1);
}

static void factor(plan *p) {
  const int *s = p->segments;
  for (int block = 0; block < p->blocks; block++) {
    const int i = p->rows[block], r = p->rows[block + 1] - i, own = p->own[i] - p->ptr[i];
    for (int at = 0; at < own; at += (*s++ & 3) + 1) segment(p, i, r, at, (*s & 3) + 1);
    pivot(p, p->own[i]);
    if (r == 1) continue;
    segment(p, i + 1, 1, own, 1);
    pivot(p, p->own[i + 1]);
  }
}

/* elements are unknowns of y */
static void forward(plan *p) {
  for (int i = 0; i < p->n; i++) {
    int at = p->ptr[i], first = 1;
    do {
      const int left = p->own[i] - at, m = left < LONGEST ? left : LONGEST;
      begin(p, (first ? FORWARD : FORWARD_ON) + m);
      number(p, i);
      if (first) number(p, p->row_order[i]);
      else reads(p, i, 1);
      number(p, at);
      for (int j = 0; j < m; j++) number(p, p->index[at + j]), reads(p, p->index[at + j], 1);
      writes(p, i, 1);
      at += m, first = 0;
    } while (at < p->own[i]);
  }
}

/* elements are unknowns of x */
static void backward(plan *p) {
  for (int i = p->n - 1; i >= 0; i--) {
    int at = p->ptr[i + 1] - 1, first = 1, left;
    const int x = p->col_order[i];
    do {
      left = at - p->own[i];
      const int m = left < LONGEST ? left : LONGEST, ends = left == m;
      begin(p, ends ? (first ? BACKWARD : BACKWARD_ON) + m : first ? BACKWARD_PART : BACKWARD_MORE);
      number(p, x);
      if (first) number(p, i);
      else reads(p, x, 1);
      number(p, at);
      if (ends) number(p, p->own[i]);
      for (int j = 0; j < m; j++) {
        const int other = p->col_order[p->index[at - j]];
        number(p, other), reads(p, other, 1);
      }
      writes(p, x, 1);
      at -= m, left -= m, first = 0;
    } while (left > 0);
  }
}

/* Tasks in an order: of those that wait for nothing more the kind that most are of, until none is left, and so on.
   Chosen among the next WINDOW ones. runs: each kind and how many; numbers in the order of tasks into out. */
static wide schedule(const plan *p, int *wait, int *offset, int *follow, int *queue, int *runs, int *out) {
  const int tasks = (int)p->tasks;
  int head[KINDS], tail[KINDS], open = 0, done = 0;
  wide count = 0, at = 0;
  for (int k = 0; k <= tasks; k++) wait[k] = offset[k] = 0;
  for (int k = 0; k < KINDS; k++) head[k] = 0;
  for (wide e = 0; e < p->edges; e++) offset[p->from[e]]++, wait[p->to[e]]++;
  for (int k = 0; k < tasks; k++) offset[k + 1] += offset[k], head[p->kind[k]]++;
  for (wide e = p->edges - 1; e >= 0; e--) follow[--offset[p->from[e]]] = p->to[e];
  for (int k = 0, begin = 0; k < KINDS; k++) {
    const int size = head[k];
    head[k] = tail[k] = begin, begin += size;
  }
  while (done < tasks) {
    int kind = 0;
    for (; open < tasks && open < done + WINDOW; open++)
      if (wait[open] == 0) queue[tail[p->kind[open]]++] = open;
    for (int k = 1; k < KINDS; k++)
      if (tail[k] - head[k] > tail[kind] - head[kind]) kind = k;
    const int before = done;
    while (head[kind] < tail[kind]) {
      const int task = queue[head[kind]++];
      for (int k = p->start[task]; k < p->start[task + 1]; k++) out[at++] = p->list[k];
      for (int k = offset[task]; k < offset[task + 1]; k++) {
        const int next = follow[k];
        if (--wait[next] == 0 && next < open) queue[tail[p->kind[next]]++] = next;
      }
      done++;
      if (open < tasks && open < done + WINDOW && wait[open++] == 0) queue[tail[p->kind[open - 1]]++] = open - 1;
    }
    runs[2 * count] = kind, runs[2 * count + 1] = done - before, count++;
  }
  return count;
}

/* sizes: which program, n, whether the matrix is symmetric, blocks, elements, whether it is written; counted: how many
   tasks, numbers, edges and runs it has */
int ft_entry(void **b, const wide *s) {
  plan p = { (int)s[1], (int)s[2], (int)s[3], (int)s[5], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10],
    b[11], b[12], b[13], b[14], 0, 0, 0, -1, -1 };
  wide *counted = b[0];
  for (wide e = 0; e < s[4]; e++) p.last[e] = -1;
  if (s[0] == 0) factor(&p);
  else if (s[0] == 1) forward(&p);
  else backward(&p);
  counted[0] = p.tasks, counted[1] = p.numbers, counted[2] = p.edges;
  if (!p.written) return 0;
  p.start[p.tasks] = (int)p.numbers;
  counted[3] = schedule(&p, b[15], b[16], b[17], b[18], b[19], b[20]);
  return 0;
}
