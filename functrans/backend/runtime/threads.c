/* The threads that share the loops of kernels. One pool for the process, compiled once and kept like a kernel.

   A call puts up a job: a part of a kernel, and a counter of the steps that are handed out. It works on the job itself;
   threads that are idle join in and claim steps from the same counter. So a call never waits for a thread that has not
   begun: where the cores are busy with other work, it does all steps alone. Any number of calls may be under way.
   Who is asleep is woken on another processor than the caller's, see `call_in`.
   After 100 ms a call hands out no more and returns to Python, which looks whether somebody pressed Ctrl-C. A portion of
   a loop whose rounds nobody knows may be left in the middle then: who goes on with it has the scratch memory of its place.
   The types of pthread are as large at most as the blocks here, on every system with pthreads in use. */
typedef int part(void **buffers, const long long *sizes, long long from, long long to, long long place);
typedef struct { _Alignas(64) char bytes[256]; } block;

int pthread_create(void **thread, const void *attributes, void *(*start)(void *), void *argument);
int pthread_detach(void *thread);
int pthread_mutex_init(void *mutex, const void *attributes);
int pthread_mutex_lock(void *mutex);
int pthread_mutex_unlock(void *mutex);
int pthread_cond_init(void *condition, const void *attributes);
int pthread_cond_wait(void *condition, void *mutex);
int pthread_cond_signal(void *condition);
int pthread_cond_broadcast(void *condition);
int pthread_sigmask(int how, const void *set, void *old);
int sigfillset(void *set);
void *memcpy(void *to, const void *from, unsigned long bytes);
struct time { long seconds, nanoseconds; };
int clock_gettime(int clock, struct time *now);
#ifdef __APPLE__
#define SIG_SETMASK 3
#define CLOCK 6 /* monotonic */
#else
#define SIG_SETMASK 2
#define CLOCK 1
#endif

#if defined(__linux__) && !defined(__ANDROID__)
#define PLACED /* which processors a thread may run on can be said */
#define BITS (8 * (int)sizeof(long))
typedef struct { unsigned long bits[1024 / sizeof(long)]; } processors; /* as many as a kernel can be made for */
int sched_getcpu(void);
int sched_getaffinity(int thread, unsigned long size, processors *set);
int pthread_setaffinity_np(void *thread, unsigned long size, const processors *set);
#else
typedef struct { int none; } processors;
#endif

#define MOST 256 /* threads, and places */
#define WORDS (MOST / 64)
#define PATIENCE 100 /* milliseconds */
#define NEAR 8192 /* bytes of the results of a few steps: at most 4096, and for each of 32 results two lines */
#define LONGEST 64 /* times the least, what is handed out at once */
#define SHARES 4 /* for each thread, of what is left: what is handed out at once */
#define SPIN 30 /* microseconds that a call waits awake for what others have begun */
#define RECENT 1000 /* microseconds from a call to the next within which waking a thread is cheap */
#define DEAR 3 /* times the work that is worth waking one otherwise */
#define PART 16 /* of what is worth a thread, that is handed out at the least, where a first portion told what it takes */

typedef struct job {
  part *run;
  void **buffers;
  const long long *sizes;
  const long long *rows; /* of results that are written past the caches: see `streamed`; or else 0 */
  long long n, grain, next; /* grain: the least that is handed out; next: the first step that nobody has claimed */
  long long seats, joined, working; /* helpers that may join, have joined, are at it now */
  long long enough;                 /* whether nothing more is to be handed out in this call */
  unsigned long long taken[WORDS], *left; /* places with scratch memory that is in use; those whose portion was left */
  struct job *link;
} job;

typedef struct helper {
  void *thread;
  block condition; /* it sleeps on it */
  int called;      /* whether it is to wake */
  job *at;         /* what it works on */
  processors told; /* where it may run, if it was told */
  struct helper *link;
} helper;

static block mutex, finished; /* finished: calls wait for helpers */
static job *jobs;
static helper helpers[MOST], *asleep;
static long long threads, last; /* last: when a call ended, in microseconds */

static long long nanoseconds(void) {
  struct time now;
  clock_gettime(CLOCK, &now);
  return now.seconds * 1000000000LL + now.nanoseconds;
}

static long long microseconds(void) { return nanoseconds() / 1000; }

/* How many places are in a set, of which `first` is the first; it is MOST where there is none. */
static long long count(const unsigned long long *set, long long *first) {
  long long n = 0;
  *first = MOST;
  for (int k = WORDS; k--;) {
    n += __builtin_popcountll(set[k]);
    if (set[k]) *first = 64 * k + __builtin_ctzll(set[k]);
  }
  return n;
}

/* A place to work at: one whose portion was left, and is to go on, or else one that is free. */
static long long sit(job *j, int *goes_on) {
  long long place;
  *goes_on = count(j->left, &place) > 0;
  if (*goes_on) {
    j->left[place / 64] &= ~(1ULL << place % 64);
    return place;
  }
  for (place = 0; j->taken[place / 64] >> place % 64 & 1;) place++;
  j->taken[place / 64] |= 1ULL << place % 64;
  return place;
}

static void rise(job *j, long long place, int is_left) {
  (is_left ? j->left : j->taken)[place / 64] ^= 1ULL << place % 64;
}

/* The next steps: a part of what is left, so that a thread may come late, and all end together. */
static long long claim(job *j, long long *to) {
  long long from = __atomic_load_n(&j->next, __ATOMIC_RELAXED);
  do {
    if (from >= j->n) return j->n;
    long long grains = (j->n - from) / (SHARES * (j->seats + 1) * j->grain);
    *to = from + (grains < 1 ? 1 : grains > LONGEST ? LONGEST : grains) * j->grain;
    if (j->n - *to < j->grain) *to = j->n; /* no portion is shorter than the least */
  } while (!__atomic_compare_exchange_n(&j->next, &from, *to, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return from;
}

/* One line of memory, written past the caches where the processor can do that. */
static inline __attribute__((always_inline)) void put(char *to, const char *from) {
#if defined(__clang__)
  enum { WIDE = 16 };
#elif defined(__AVX512F__)
  enum { WIDE = 64 };
#else
  enum { WIDE = 16 };
#endif
#if defined(__clang__) || defined(__SSE2__)
  typedef long long vector __attribute__((vector_size(WIDE), may_alias));
  typedef long long loose __attribute__((vector_size(WIDE), aligned(1), may_alias));
  for (int k = 0; k < 64; k += WIDE) {
    const vector x = *(const loose *)(from + k);
#if defined(__clang__)
    __builtin_nontemporal_store(x, (vector *)(to + k));
#elif defined(__AVX512F__)
    __builtin_ia32_movntdq512((vector *)(to + k), x);
#else
    __builtin_ia32_movntdq((vector *)(to + k), x);
#endif
  }
#else
  memcpy(to, from, 64);
#endif
}

/* To a place that lies in its line as what is copied does in its own. */
static void stream(char *to, const char *from, long long bytes) {
  long long k = -(unsigned long long)to & 63;
  if (k > bytes) k = bytes;
  if (k) memcpy(to, from, k);
  for (; k + 64 <= bytes; k += 64) put(to + k, from + k);
  if (k < bytes) memcpy(to + k, from + k, bytes - k);
}

/* Some steps, a few at a time: they write to memory that is near, and what they wrote goes past the caches to its place.
   The rows are: the number of buffers, the steps that are done at a time, the number of results, and of each result
   which buffer it is, the bytes of one step, and all bytes. Other threads see the lines when the fence is passed. */
static int streamed(const job *j, long long from, long long to, long long place) {
  const long long *rows = j->rows, tile = rows[1], results = rows[2];
  void *buffers[rows[0]];
  _Alignas(64) char near[NEAR];
  for (long long k = 0; k < rows[0]; k++) buffers[k] = j->buffers[k];
  for (long long i = from; i < to; i += tile) {
    long long end = to - i < tile ? to : i + tile;
    char *at = near;
    for (long long k = 0; k < results; k++) {
      const long long *row = rows + 3 + 3 * k;
      char *own = at + ((unsigned long long)j->buffers[row[0]] + i * row[1]) % 64;
      buffers[row[0]] = (void *)((unsigned long long)own - i * row[1]);
      at += (tile * row[1] + 127) / 64 * 64;
    }
    j->run(buffers, j->sizes, i, end, place);
    for (long long k = 0; k < results; k++) {
      const long long *row = rows + 3 + 3 * k, start = i * row[1], stop = end * row[1];
      stream((char *)j->buffers[row[0]] + start, (char *)buffers[row[0]] + start, (stop < row[2] ? stop : row[2]) - start);
    }
  }
#if defined(__SSE2__)
  __builtin_ia32_sfence();
#endif
  return 0;
}

/* Portions at a place, the first one perhaps begun; whether one was left. The call looks at the clock: it has an end. */
static int work(job *j, long long place, int goes_on, long long end) {
  long long from, to;
  while (!__atomic_load_n(&j->enough, __ATOMIC_RELAXED)) {
    if (goes_on) goes_on = j->run(j->buffers, j->sizes, -1, -1, place);
    else if ((from = claim(j, &to)) >= j->n) return 0;
    else goes_on = j->rows ? streamed(j, from, to, place) : j->run(j->buffers, j->sizes, from, to, place);
    if (end && microseconds() >= end) __atomic_store_n(&j->enough, 1, __ATOMIC_RELAXED);
  }
  return goes_on;
}

static int is_open(const job *j) {
  long long first;
  return !__atomic_load_n(&j->enough, __ATOMIC_RELAXED) &&
         (__atomic_load_n(&j->next, __ATOMIC_RELAXED) < j->n || count(j->left, &first));
}

static job *open_job(void) {
  for (job *j = jobs; j; j = j->link)
    if (j->joined < j->seats && is_open(j)) return j;
  return 0;
}

/* Where this thread may run, and that without the processor it runs on; 0 if nothing is left, or nothing known. */
static int elsewhere(processors *home, processors *others) {
#ifdef PLACED
  int here = sched_getcpu();
  unsigned long any = 0;
  if (here < 0 || sched_getaffinity(0, sizeof *home, home)) return -1;
  *others = *home;
  others->bits[here / BITS] &= ~(1UL << here % BITS);
  for (unsigned long k = 0; k < sizeof others->bits / sizeof any; k++) any |= others->bits[k];
  return any != 0;
#else
  (void)home;
  (void)others;
  return -1;
#endif
}

/* Say where a helper may run, if that is known and new; where it is refused it runs where it did. */
static void place(helper *h, const processors *set) {
  if (!set || !__builtin_memcmp(set, &h->told, sizeof *set)) return;
  h->told = *set;
#ifdef PLACED
  pthread_setaffinity_np(h->thread, sizeof *set, set);
#endif
}

/* The helpers that sleep, at most so many: the call wakes them when it has left the lock. */
static long long call_in(long long wanted, const processors *others, helper **called) {
  long long n = 0;
  for (; asleep && n < wanted; asleep = asleep->link) {
    asleep->called = 1;
    place(asleep, others);
    called[n++] = asleep;
  }
  return n;
}

/* Wait until nobody works on the job: for a moment awake, as to sleep and be woken takes as long. Who takes longer may
   have lost its processor to another program: then it may have that of the call. */
static void wait_for(job *j, const processors *home) {
  for (long long end = microseconds() + SPIN; __atomic_load_n(&j->working, __ATOMIC_RELAXED);)
    if (microseconds() >= end) break;
  pthread_mutex_lock(&mutex);
  for (long long k = 0; k < threads; k++)
    if (helpers[k].at == j) place(&helpers[k], home);
  while (j->working) pthread_cond_wait(&finished, &mutex);
  pthread_mutex_unlock(&mutex);
}

static void *help(void *own) {
  helper *me = own;
  pthread_cond_init(&me->condition, 0);
  pthread_mutex_lock(&mutex);
  for (;;) {
    job *j = open_job();
    if (!j) {
      me->called = 0;
      me->link = asleep;
      asleep = me;
      while (!me->called) pthread_cond_wait(&me->condition, &mutex);
      continue;
    }
    me->at = j;
    j->joined++;
    int goes_on;
    long long place = sit(j, &goes_on);
    __atomic_fetch_add(&j->working, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&mutex);
    goes_on = work(j, place, goes_on, 0);
    pthread_mutex_lock(&mutex);
    rise(j, place, goes_on);
    me->at = 0;
    if (!__atomic_sub_fetch(&j->working, 1, __ATOMIC_RELAXED)) pthread_cond_broadcast(&finished);
  }
}

/* As many threads as wanted, if the system gives them: where the call wants them, and with signals blocked, which are
   for Python's threads. */
static void hire(long long wanted, const processors *others) {
  block all, before;
  if (threads >= wanted || threads >= MOST) return;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (threads < wanted && threads < MOST) {
    helper *h = &helpers[threads];
    if (pthread_create(&h->thread, 0, help, h)) break;
    pthread_detach(h->thread);
    threads++;
    h->told = (processors){0}, h->at = 0;
    place(h, others);
  }
  pthread_sigmask(SIG_SETMASK, &before, 0);
}

/* How many others are worth waking for so many steps: each for as many as are worth one. */
static long long worth(long long left, long long grain, long long least, long long most) {
  long long portions = (left + grain - 1) / grain, seats = (most < portions ? most : portions) - 1;
  if (microseconds() - __atomic_load_n(&last, __ATOMIC_RELAXED) > RECENT) least *= DEAR;
  if (least && seats > (left - 1) / least) seats = (left - 1) / least;
  return seats > 0 ? seats : 0;
}

/* The job without the lock, as far as this thread and those that it calls come with it until `end`. */
static void shared(job *j, long long place, int goes_on, long long end) {
  helper *called[MOST];
  processors home, others;
  int known = elsewhere(&home, &others);
  if (!known) j->seats = 0;
  pthread_mutex_lock(&mutex);
  hire(j->seats, known > 0 ? &others : 0);
  j->link = jobs;
  jobs = j;
  long long n_called = call_in(j->seats, known > 0 ? &others : 0, called);
  pthread_mutex_unlock(&mutex);
  for (long long k = 0; k < n_called; k++) pthread_cond_signal(&called[k]->condition);
  for (;;) {
    goes_on = work(j, place, goes_on, end);
    pthread_mutex_lock(&mutex);
    rise(j, place, goes_on);
    if (!is_open(j)) break;
    place = sit(j, &goes_on);
    pthread_mutex_unlock(&mutex);
  }
  job **link = &jobs;
  while (*link != j) link = &(*link)->link;
  *link = j->link;
  pthread_mutex_unlock(&mutex);
  wait_for(j, known > 0 ? &home : 0);
}

/* Run the steps *at to n, on this thread and up to most - 1 others; grain is the least that is handed out, and each
   `least` steps are worth another thread. Where nobody knows how long a step takes, -least is the nanoseconds that are
   worth one, and a first portion tells. Returns 1 where it is to be called again; `at` then has the step that is next
   and the set of places whose portions were left. */
static int share(part *run, void **buffers, const long long *sizes, long long n, long long grain, long long least,
                 long long most, long long *at, const long long *rows) {
  long long begin = nanoseconds(), first, begun = 0;
  if (most > MOST) most = MOST;
  job j = {run, buffers, sizes, rows, n, grain, *at, 0, 0, 0, 0, {0}, (unsigned long long *)at + 1, 0};
  for (int k = 0; k < WORDS; k++) j.taken[k] = j.left[k];
  long long left = count(j.left, &first);
  int goes_on;
  long long place = sit(&j, &goes_on);
  if (least < 0 && (*at || left)) {
    least = 1; /* it has run for a while */
  } else if (least < 0) {
    begun = n - grain < grain ? n : grain;
    j.next = begun;
    goes_on = run(buffers, sizes, 0, begun, place);
    long long took = nanoseconds() - begin + 1;
    least = goes_on || -least * begun < took ? 1 : -least * begun / took;
    if (j.grain < least / PART) j.grain = least / PART;
  }
  j.seats = worth(n - j.next, j.grain, least, most);
  if (j.seats < left - 1) j.seats = left - 1;
  if (goes_on && j.next < n && !j.seats) j.seats = most > 1;
  long long end = begin / 1000 + PATIENCE * 1000LL;
  if (j.seats) shared(&j, place, goes_on, end);
  else rise(&j, place, work(&j, place, goes_on, end));
  __atomic_store_n(&last, microseconds(), __ATOMIC_RELAXED);
  at[0] = j.next < n ? j.next : 0;
  if (j.next >= n && !count(j.left, &first)) return 0;
  at[0] = j.next;
  return 1;
}

/* Say where `share` is, and begin: on loading, once, and anew in the child after a fork, which has none of the threads. */
int ft_entry(void **buffers, const long long *sizes) {
  static int begun;
  if (!begun || sizes[0]) {
    begun = 1;
    pthread_mutex_init(&mutex, 0);
    pthread_cond_init(&finished, 0);
    jobs = 0;
    asleep = 0;
    threads = last = 0;
  }
  *(void **)buffers[0] = (void *)share;
  return 0;
}
