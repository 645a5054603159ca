// Code shared by the programs of this folder: random places as in package benchmarks,
// columns, and the measurement of steps.
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEED_AGENTS = 1, SEED_OBSTACLES = 2 };

typedef struct {
  double x, y;
} Pair; // has the layout of crowd's components in columns

static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// draw returns a number in [0, 1) that is a hash of its arguments.
static double draw(uint64_t seed, uint64_t i, uint64_t use) {
  return (double)(mix(mix(mix(mix(seed) ^ i)) ^ use) >> 11) * 0x1p-53;
}

// place returns a random point of a square.
static Pair place(double side, uint64_t seed, uint64_t i, uint64_t use) {
  return (Pair){side * draw(seed, i, use), side * draw(seed, i, use + 1)};
}

// heading returns a velocity in a random direction.
static Pair heading(double speed, uint64_t i) {
  double angle = 2 * M_PI * draw(SEED_AGENTS, i, 4);
  return (Pair){speed * cos(angle), speed * sin(angle)};
}

// column returns zeroed memory, with padding for a vector that extends past the end.
static void *column(size_t count, size_t size) {
  size_t bytes = (count * size + 64 * 8 + 4095) & ~(size_t)4095;
  void *p = aligned_alloc(4096, bytes);
  if (p == NULL) {
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  return memset(p, 0, bytes);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

// check prints means over all agents after 20 steps, for comparison with other programs.
static void check(int agents, void (*reset)(void), void (*step)(void), void (*look)(int i, Pair *position, Pair *velocity)) {
  reset();
  for (int i = 0; i < 20; i++) step();
  double x = 0, y = 0, speed = 0;
  for (int i = 0; i < agents; i++) {
    Pair p, v;
    look(i, &p, &v);
    x += p.x, y += p.y, speed += sqrt(v.x * v.x + v.y * v.y);
  }
  printf("after 20 steps: mean position %.9g %.9g, mean speed %.9g\n", x / agents, y / agents, speed / agents);
}

// measure prints the cost of a step in nanoseconds per agent: the median of three samples,
// each of at least 50 ms and three steps, after five untimed steps.
static void measure(int agents, void (*reset)(void), void (*step)(void)) {
  double samples[3];
  for (int k = 0; k < 3; k++) {
    reset();
    for (int i = 0; i < 5; i++) step();
    double start = now(), took = 0;
    int steps = 0;
    while (steps < 3 || took < 0.05) {
      step();
      steps++;
      took = now() - start;
    }
    samples[k] = took * 1e9 / steps / agents;
  }
  double a = samples[0], b = samples[1], c = samples[2];
  printf("%.3f\n", fmax(fmin(a, b), fmin(fmax(a, b), c)));
}

// run measures or checks.
static void run(int checks, int agents, void (*reset)(void), void (*step)(void), void (*look)(int i, Pair *position, Pair *velocity)) {
  if (checks) {
    check(agents, reset, step, look);
  } else {
    measure(agents, reset, step);
  }
}

// agents_of returns the number of agents from the command line.
static int agents_of(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  if (n < 1) {
    fprintf(stderr, "usage: %s AGENTS [check]\n", argv[0]);
    exit(2);
  }
  return n;
}
