/* The threads that share the loops of kernels. One pool for the process, compiled once and kept like a kernel.

   A call puts up a job: a part of a kernel, and a counter of the steps that are handed out. It works on the job itself;
   threads that are idle join in and claim steps from the same counter. So a call never waits for a thread that has not
   begun: where the cores are busy with other work, it does all steps alone. Any number of calls may be under way.
   After 100 ms a call hands out no more and returns to Python, which looks whether somebody pressed Ctrl-C.
   The types of pthread are as large at most as the blocks here, on every system with pthreads in use. */
typedef void part(void **buffers, const long long *sizes, long long from, long long to, long long who);
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
struct time { long seconds, nanoseconds; };
int clock_gettime(int clock, struct time *now);
#ifdef __APPLE__
#define SIG_SETMASK 3
#define CLOCK 6 /* monotonic */
#else
#define SIG_SETMASK 2
#define CLOCK 1
#endif

#define MOST 256 /* threads */
#define PATIENCE 100 /* milliseconds */
#define LONGEST 16 /* times the least, what is handed out at once */

typedef struct job {
  part *run;
  void **buffers;
  const long long *sizes;
  long long n, grain, next; /* next: the first step that nobody has claimed */
  long long seats, joined, working; /* helpers that may join, have joined, are at it now */
  long long enough;                 /* whether nothing more is to be handed out in this call */
  struct job *link;
} job;

static block mutex, idle, finished; /* idle: helpers wait for jobs; finished: calls wait for helpers */
static job *jobs;
static long long threads, waiting;

static long long milliseconds(void) {
  struct time now;
  clock_gettime(CLOCK, &now);
  return now.seconds * 1000LL + now.nanoseconds / 1000000;
}

static void work(job *j, long long who) {
  long long end = who ? 0 : milliseconds() + PATIENCE;
  while (!__atomic_load_n(&j->enough, __ATOMIC_RELAXED)) {
    long long from = __atomic_fetch_add(&j->next, j->grain, __ATOMIC_RELAXED);
    if (from >= j->n) return;
    long long to = from + j->grain;
    j->run(j->buffers, j->sizes, from, to < j->n ? to : j->n, who);
    if (!who && milliseconds() >= end) __atomic_store_n(&j->enough, 1, __ATOMIC_RELAXED);
  }
}

static job *open_job(void) {
  for (job *j = jobs; j; j = j->link)
    if (j->joined < j->seats && __atomic_load_n(&j->next, __ATOMIC_RELAXED) < j->n &&
        !__atomic_load_n(&j->enough, __ATOMIC_RELAXED)) return j;
  return 0;
}

static void *help(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  for (;;) {
    job *j = open_job();
    if (!j) {
      waiting++;
      pthread_cond_wait(&idle, &mutex);
      waiting--;
      continue;
    }
    long long who = ++j->joined; /* its scratch memory; 0 is the call's own */
    j->working++;
    pthread_mutex_unlock(&mutex);
    work(j, who);
    pthread_mutex_lock(&mutex);
    if (!--j->working) pthread_cond_broadcast(&finished);
  }
}

/* As many threads as wanted, if the system gives them: with signals blocked, which are for Python's threads. */
static void hire(long long wanted) {
  block all, before;
  if (threads >= wanted || threads >= MOST) return;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (threads < wanted && threads < MOST) {
    void *thread;
    if (pthread_create(&thread, 0, help, 0)) break;
    pthread_detach(thread);
    threads++;
  }
  pthread_sigmask(SIG_SETMASK, &before, 0);
}

/* How far the job has come: all that was handed out is done. */
static int done(const job *j, long long *at) {
  *at = j->next < j->n ? j->next : 0;
  return j->next < j->n;
}

/* Run the steps *at to n, on this thread and up to most - 1 others; grain is the least that is handed out. Returns 1 and
   the step that is next where it is to be called again. */
static int share(part *run, void **buffers, const long long *sizes, long long n, long long grain, long long most,
                 long long *at) {
  long long portions = (n - *at + grain - 1) / grain, times = (portions + 64 * most - 1) / (64 * most);
  grain *= times < LONGEST ? times : LONGEST;
  portions = (n - *at + grain - 1) / grain;
  long long seats = (most < portions ? most : portions) - 1;
  job j = {run, buffers, sizes, n, grain, *at, seats > 0 ? seats : 0, 0, 0, 0, 0};
  if (seats <= 0) {
    work(&j, 0);
    return done(&j, at);
  }
  pthread_mutex_lock(&mutex);
  hire(seats);
  j.link = jobs;
  jobs = &j;
  long long wake = waiting < seats ? waiting : seats;
  pthread_mutex_unlock(&mutex);
  while (wake-- > 0) pthread_cond_signal(&idle);
  work(&j, 0);
  pthread_mutex_lock(&mutex);
  job **link = &jobs;
  while (*link != &j) link = &(*link)->link;
  *link = j.link;
  while (j.working) pthread_cond_wait(&finished, &mutex);
  pthread_mutex_unlock(&mutex);
  return done(&j, at);
}

/* Begin anew, and say where `share` is: on loading, and in the child after a fork, which has none of the threads. */
int ft_entry(void **buffers, const long long *sizes) {
  (void)sizes;
  pthread_mutex_init(&mutex, 0);
  pthread_cond_init(&idle, 0);
  pthread_cond_init(&finished, 0);
  jobs = 0;
  threads = waiting = 0;
  *(void **)buffers[0] = (void *)share;
  return 0;
}
