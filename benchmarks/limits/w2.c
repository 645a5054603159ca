// W2: arrival and integration, one kernel each, over blocks of 128 rows.
#include "arrival.h"

static void step(void) {
  for (int b = 0; b < agents; b += BLOCK) {
    int n = agents - b < BLOCK ? agents - b : BLOCK;
    arrive(n, position + b, velocity + b, target + b, limits + b, arrival + b, steering + b);
    integrate(n, position + b, velocity + b, limits + b, mass + b, steering + b);
  }
}

int main(int argc, char **argv) {
  agents = agents_of(argc, argv);
  make_columns();
  run(argc > 2, agents, reset, step, look);
}
