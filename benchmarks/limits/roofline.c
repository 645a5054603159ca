// Measures the limits of the machine: memory bandwidth with one and two threads, and the time
// of a square root and a division that depend on no other result.
#include <pthread.h>

#include "limits.h"
#include "lanes.h"

enum { NUMBERS = 1 << 25, FEW = 512, MOST_THREADS = 2 };

static double *numbers, *more, sums[MOST_THREADS * 8];
static int threads;

// keep makes the compiler assume that the memory is read.
#define keep(p) __asm__ volatile("" : : "r"(p) : "memory")

static void *read_part(void *part) {
  long k = (long)part;
  const double *from = numbers + k * (NUMBERS / threads);
  double s[8] = {0};
  for (long i = 0; i < NUMBERS / threads; i += 8)
    for (int j = 0; j < 8; j++) s[j] += from[i + j];
  sums[k * 8] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
  keep(sums);
  return NULL;
}

// update_part reads and writes as a step does with positions and velocities.
static void *update_part(void *part) {
  long k = (long)part, n = NUMBERS / threads;
  double *to = more + k * n;
  const double *from = numbers + k * n;
  for (long i = 0; i < n; i++) to[i] += from[i];
  return NULL;
}

// bandwidth returns the bandwidth of the best pass in GB/s.
static double bandwidth(void *(*part)(void *), double bytes) {
  double best = 0;
  for (int pass = 0; pass < 7; pass++) {
    pthread_t others[MOST_THREADS];
    double start = now();
    for (long k = 1; k < threads; k++) pthread_create(&others[k], NULL, part, (void *)k);
    part(NULL);
    for (int k = 1; k < threads; k++) pthread_join(others[k], NULL);
    best = fmax(best, bytes / (now() - start) * 1e-9);
  }
  return best;
}

// pairs returns the time of a square root and a division in nanoseconds.
static double pairs(void) {
  static double in[FEW], out[FEW];
  for (int i = 0; i < FEW; i++) in[i] = 1 + i;
  double best = INFINITY;
  for (int pass = 0; pass < 7; pass++) {
    enum { TIMES = 5000 };
    double start = now();
    for (int k = 0; k < TIMES; k++) {
#if LANES == 1
      for (int i = 0; i < FEW; i++) out[i] = 1 / sqrt(in[i]);
#else
      for (int i = 0; i < FEW; i += LANES) store(out + i, all(1) / root(load(in + i)));
#endif
      keep(out);
    }
    best = fmin(best, (now() - start) * 1e9 / TIMES / FEW);
  }
  return best;
}

int main(void) {
  numbers = column(NUMBERS, sizeof(double)), more = column(NUMBERS, sizeof(double));
  for (int i = 0; i < NUMBERS; i++) numbers[i] = 1;
  printf("a square root and a division, %d at a time: %.2f ns each\n", LANES, pairs());
  for (threads = 1; threads <= MOST_THREADS; threads++) {
    double reads = bandwidth(read_part, 8. * NUMBERS), updates = bandwidth(update_part, 24. * NUMBERS);
    printf("memory, %d %s: reading %.1f GB/s, reading two columns and writing one %.1f GB/s\n", threads, threads > 1 ? "threads" : "thread", reads, updates);
  }
}
