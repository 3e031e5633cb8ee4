/* A closed loop without Python: every hundredth of a second the controller is given the state, as measured, and gives
 * the control, by one step of SQP from its last plan. Prints each period; with an argument it keeps to the clock. */
#define _POSIX_C_SOURCE 200112L
#include "controller.h"
#include "plant.h"
#include "task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double xs[2][STAGES + 1][STATES], us[2][STAGES][CONTROLS]; /* the plan, and the one before */
static double *work, *moved;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double uniform(void) { /* between -1 and 1, the same on every machine */
  static unsigned long long now = 1;
  now = now * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(now >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}

static int plan(const double *state, const double *p, double part, double *control, double *report) {
  static int old = 0;
  const int status = controller(state, xs[old][0], us[old][0], p, &part, control, xs[1 - old][0], us[1 - old][0], report,
                                work, controller_work() + 1);
  old = 1 - old;
  return status;
}

static void print(const char *what, int count, const double *values) {
  printf("%s", what);
  for (int k = 0; k < count; k++) printf(" %.6g", values[k]);
}

int main(int count, char **given) {
  const int clocked = count > 1 && strcmp(given[1], "clocked") == 0;
  double state[STATES], seen[STATES], control[CONTROLS], report[3], worst = 0, all = 0;
  work = malloc((controller_work() + 1) * sizeof *work);
  moved = malloc((plant_work() + 1) * sizeof *moved);
  if (!work || !moved) return 1;
  memcpy(state, start, sizeof state);
  memcpy(xs[0][0], start, sizeof start);
  for (int k = 0; k < STAGES; k++) { /* the first plan: what happens if nobody steers */
    memcpy(us[0][k], guess, sizeof guess);
    for (double t = 0; t < PERIOD / PART - PERIOD / 2; t += PERIOD) {
      const double none[STATES] = {0};
      memcpy(seen, t > 0 ? xs[0][k + 1] : xs[0][k], sizeof seen);
      if (plant(seen, guess, none, xs[0][k + 1], moved, plant_work() + 1)) return 1;
    }
  }
  for (int k = 0; k < 50; k++)
    if (plan(state, schedule[0] + 1, 0.0, control, report)) return 1;
  const double begin = seconds();
  for (int k = 0, now = 0; k < PERIODS; k++) {
    while (now + 1 < CHANGES && schedule[now + 1][0] <= k * PERIOD) now++;
    for (int i = 0; i < STATES; i++) seen[i] = state[i] + noise[i] * uniform();
    const double before = seconds();
    const int status = plan(seen, schedule[now] + 1, k ? PART : 0.0, control, report);
    const double took = seconds() - before;
    if (status) return status;
    worst = took > worst ? took : worst;
    all += took;
    print("at", STATES, state);
    print("", CONTROLS, control);
    print("", 3, report);
    printf(" %.1f\n", 1e6 * took);
    if (k % 10 == 0)
      for (int i = 0; i <= STAGES; i += STAGES / 20) {
        print("plan", STATES, xs[(k + 51) % 2][i]);
        printf("\n");
      }
    if (plant(state, control, push, seen, moved, plant_work() + 1)) return 1;
    memcpy(state, seen, sizeof state);
    if (clocked)
      for (double rest; (rest = begin + (k + 1) * PERIOD - seconds()) > 0;) {
        const struct timespec nap = {0, (long)(1e9 * rest)};
        nanosleep(&nap, NULL);
      }
  }
  fprintf(stderr, "%d periods, %.2f s; a step took %.0f us on average, %.0f at most\n", PERIODS, seconds() - begin,
          1e6 * all / PERIODS, 1e6 * worst);
  free(work);
  free(moved);
  return 0;
}
