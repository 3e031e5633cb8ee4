/* A pendulum that a constant torque swings for ten seconds. */
#include "pendulum.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const double torque = 0.2;
  double state[2] = {0.1, 0.0}, next[2];
  const size_t size = pendulum_work();
  double *work = malloc((size + 1) * sizeof *work);
  if (!work) return 1;
  for (int k = 0; k < 100; k++) {
    const int status = pendulum(state, &torque, next, work, size + 1);
    if (status) return status;
    state[0] = next[0];
    state[1] = next[1];
  }
  printf("%.12f %.12f\n", state[0], state[1]);
  free(work);
  return 0;
}
