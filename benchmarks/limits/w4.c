// W4: a flock. The program copies the rows in the order of cells into arrays of x, y, vx, vy.
// It sums separation, alignment and cohesion in one masked pass over the candidates, without
// a list of neighbors, and applies the rule to a block of agents at a time. Unlike crowd, it
// does not count neighbors at exactly the same place.
#include "limits.h"
#include "lanes.h"

enum { BLOCK = 64 };
#define DT (1.0 / 60)
#define DENSITY 0.3
#define RADIUS 4.0
#define NEAREST (RADIUS / 1024) // m, minimum distance in the divisor of separation
#define MAX_SPEED 10.0
#define MAX_FORCE 5.0

static int agents, stride, cells; // stride: cells per row, including an empty one on each side
static double side;
static Pair *position, *velocity;         // in the order of rows
static double *px, *py, *vx, *vy;         // in the order of cells
static uint32_t *row, *cell, *begin;      // row: row of each place; begin: start of each cell
static double count[BLOCK + 8];           // neighbors of a block of agents
static double pushx[BLOCK + 8], pushy[BLOCK + 8]; // sum of vectors from neighbors / distance²
static double wayx[BLOCK + 8], wayy[BLOCK + 8];   // sum of vectors from neighbors
static double sumx[BLOCK + 8], sumy[BLOCK + 8];   // sum of velocities
static double newx[BLOCK + 8], newy[BLOCK + 8];

static void reset(void) {
  for (int i = 0; i < agents; i++) {
    position[i] = place(side, SEED_AGENTS, i, 0);
    velocity[i] = heading(MAX_SPEED, i);
  }
}

static void build(void) {
  memset(begin, 0, sizeof *begin * (cells + 2));
  for (int i = 0; i < agents; i++) {
    uint32_t c = ((int)(position[i].y * (1 / RADIUS)) + 1) * stride + (int)(position[i].x * (1 / RADIUS)) + 1;
    cell[i] = c;
    begin[c + 2]++;
  }
  for (int c = 1; c < cells + 2; c++) begin[c] += begin[c - 1];
  for (int i = 0; i < agents; i++) {
    uint32_t k = begin[cell[i] + 1]++;
    px[k] = position[i].x, py[k] = position[i].y, vx[k] = velocity[i].x, vy[k] = velocity[i].y, row[k] = i;
  }
}

#if LANES == 1
// gather computes the sums over the neighbors of the agent at place k, in cell c.
static inline void gather(int k, int c, int to) {
  double n = 0, sx = 0, sy = 0, wx = 0, wy = 0, ux = 0, uy = 0;
  for (int r = c - stride; r <= c + stride; r += stride)
    for (uint32_t j = begin[r - 1]; j < begin[r + 2]; j++) {
      double x = px[k] - px[j], y = py[k] - py[j], d2 = x * x + y * y;
      if (d2 <= RADIUS * RADIUS && d2 > 0) {
        double f = 1 / (d2 > NEAREST * NEAREST ? d2 : NEAREST * NEAREST);
        n += 1, sx += f * x, sy += f * y, wx += x, wy += y, ux += vx[j], uy += vy[j];
      }
    }
  count[to] = n, pushx[to] = sx, pushy[to] = sy, wayx[to] = wx, wayy[to] = wy, sumx[to] = ux, sumy[to] = uy;
}

static inline void limit(double *x, double *y, double most) {
  double n2 = *x * *x + *y * *y;
  if (n2 > most * most) {
    double k = most / sqrt(n2);
    *x *= k, *y *= k;
  }
}

// fly converts the sums of n agents, from place k on, to velocities.
static void fly(int k, int n) {
  for (int i = 0; i < n; i++) {
    double share = count[i] > 0 ? 1 / count[i] : 0, some = count[i] > 0;
    double sx = RADIUS * pushx[i] - wayx[i] / RADIUS, sy = RADIUS * pushy[i] - wayy[i] / RADIUS;
    double ux = share * sumx[i], uy = share * sumy[i], cx = share * wayx[i] / -RADIUS, cy = share * wayy[i] / -RADIUS;
    limit(&sx, &sy, 1), limit(&ux, &uy, MAX_SPEED), limit(&cx, &cy, 1);
    double x = vx[k + i], y = vy[k + i];
    double fx = MAX_SPEED * sx + some * (ux - x) + MAX_SPEED * cx, fy = MAX_SPEED * sy + some * (uy - y) + MAX_SPEED * cy;
    limit(&fx, &fy, MAX_FORCE);
    x += DT * fx, y += DT * fy;
    limit(&x, &y, MAX_SPEED);
    newx[i] = x, newy[i] = y;
  }
}
#else
inlined void gather(int k, int c, int to) {
  Vec x0 = all(px[k]), y0 = all(py[k]), n = zero, sx = zero, sy = zero, wx = zero, wy = zero, ux = zero, uy = zero;
  for (int r = c - stride; r <= c + stride; r += stride)
    for (int j = begin[r - 1], end = begin[r + 2]; j < end; j += LANES) {
      Vec x = x0 - load(px + j), y = y0 - load(py + j), d2 = x * x + y * y;
      Mask in = both(both(atmost(d2, all(RADIUS * RADIUS)), less(zero, d2)), below(j, end));
      Vec f = where(in, all(1) / larger(d2, all(NEAREST * NEAREST)));
      n += where(in, all(1)), sx += f * x, sy += f * y, wx += where(in, x), wy += where(in, y);
      ux += where(in, load(vx + j)), uy += where(in, load(vy + j));
    }
  count[to] = sum(n), pushx[to] = sum(sx), pushy[to] = sum(sy), wayx[to] = sum(wx), wayy[to] = sum(wy), sumx[to] = sum(ux), sumy[to] = sum(uy);
}

inlined void limit(Vec *x, Vec *y, double most) {
  Vec n2 = *x * *x + *y * *y, one = all(1);
  Mask over = less(all(most * most), n2);
  if (!bits(over)) return;
  Vec k = choose(over, all(most) / root(n2), one);
  *x *= k, *y *= k;
}

static void fly(int k, int n) {
  Vec r = all(RADIUS), top = all(MAX_SPEED), dt = all(DT);
  for (int i = 0; i < n; i += LANES) {
    Vec m = load(count + i), wx = load(wayx + i), wy = load(wayy + i);
    Mask some = less(zero, m);
    Vec share = where(some, all(1) / m);
    Vec sx = r * load(pushx + i) - wx / r, sy = r * load(pushy + i) - wy / r;
    Vec ux = share * load(sumx + i), uy = share * load(sumy + i), cx = share * wx / -r, cy = share * wy / -r;
    limit(&sx, &sy, 1), limit(&ux, &uy, MAX_SPEED), limit(&cx, &cy, 1);
    Vec x = load(vx + k + i), y = load(vy + k + i);
    Vec fx = top * sx + where(some, ux - x) + top * cx, fy = top * sy + where(some, uy - y) + top * cy;
    limit(&fx, &fy, MAX_FORCE);
    x += dt * fx, y += dt * fy;
    limit(&x, &y, MAX_SPEED);
    store(newx + i, x), store(newy + i, y);
  }
}
#endif

// wrapped wraps a coordinate into the square.
static inline double wrapped(double x) {
  if (x < 0) x += side;
  return x >= side ? x - side : x;
}

static void step(void) {
  build();
  int k = 0, c = 0;
  while (k < agents) {
    int n = agents - k < BLOCK ? agents - k : BLOCK;
    for (int i = 0; i < n; i++) {
      while (begin[c + 1] <= (uint32_t)(k + i)) c++;
      gather(k + i, c, i);
    }
    fly(k, n);
    for (int i = 0; i < n; i++) {
      velocity[row[k + i]] = (Pair){newx[i], newy[i]};
      position[row[k + i]] = (Pair){wrapped(px[k + i] + DT * newx[i]), wrapped(py[k + i] + DT * newy[i])};
    }
    k += n;
  }
}

static void look(int i, Pair *p, Pair *v) { *p = position[i], *v = velocity[i]; }

int main(int argc, char **argv) {
  agents = agents_of(argc, argv);
  side = sqrt(agents / DENSITY);
  stride = (int)(side / RADIUS) + 3;
  cells = stride * stride;
  position = column(agents, sizeof(Pair)), velocity = column(agents, sizeof(Pair));
  px = column(agents, sizeof(double)), py = column(agents, sizeof(double));
  vx = column(agents, sizeof(double)), vy = column(agents, sizeof(double));
  row = column(agents, sizeof *row), cell = column(agents, sizeof *cell), begin = column(cells + 2, sizeof *begin);
  run(argc > 2, agents, reset, step, look);
}
