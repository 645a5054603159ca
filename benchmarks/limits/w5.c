// W5: walkers that avoid one another by ORCA, as published by van den Berg, Guy, Lin and
// Manocha (2011), without obstacles. Agents are stored in the order of cells. Each block of
// agents goes through four parts: find the nearest ten neighbors, compute the half-planes of
// all pairs, find agents whose preferred velocity is allowed, and solve a linear program for
// all others. The program takes the most violated half-plane and solves on its border,
// subject to the half-planes taken before.
#include "limits.h"
#include "lanes.h"

enum { BLOCK = 64, MOST = 10, WIDE = 4 }; // WIDE: number of columns of cells to search on each side
#define DENSITY 0.15
#define NEAR 4.0   // m, neighbor distance and height of a cell
#define WIDTH 1.0  // m, width of a cell
#define REACH 0.6  // m, two radii
#define TOP 1.3    // m/s, top speed
#define HORIZON 2.0
#define DT 0.1
#define SLOWING 1.0
#define SLACK (TOP * 0x1p-32)
#define PARALLEL 0x1p-32

// A crowd is in the order of the cells of the last step.
typedef struct {
  double *x, *y, *vx, *vy, *gx, *gy;
} Crowd;

static int agents, columns, rows, stride, cells;
static double side;
static Crowd now_, next;
static double *newx, *newy;
static uint32_t *cell, *cell_of, *begin; // cell: cell of each place; cell_of: cell of each agent in the previous order

// Pairs of a block, one after another, with room for all candidates of the last agent.
enum { ROOM = BLOCK * 64 + 8192 };
static double dx[ROOM], dy[ROOM], ox[ROOM], oy[ROOM], ax[ROOM], ay[ROOM]; // vector to the other agent, its velocity, the agent's own velocity
static double nx[ROOM], ny[ROOM], nc[ROOM];                               // half-planes: n·v ≥ c
static double prefx[BLOCK + 8], prefy[BLOCK + 8];
static int from[BLOCK], pairs[BLOCK];

static void reset(void) {
  for (int i = 0; i < agents; i++) {
    Pair p = place(side, SEED_AGENTS, i, 0), g = place(side, SEED_AGENTS, i, 2), v = heading(TOP, i);
    now_.x[i] = p.x, now_.y[i] = p.y, now_.gx[i] = g.x, now_.gy[i] = g.y, now_.vx[i] = v.x, now_.vy[i] = v.y;
  }
}

static inline int between(int x, int high) { return x < 0 ? 0 : x > high ? high : x; }

// build sorts the agents into the order of cells.
static void build(void) {
  Crowd *a = &now_, *b = &next;
  memset(begin, 0, sizeof *begin * (cells + 2));
  for (int i = 0; i < agents; i++) {
    int column = between((int)(a->x[i] * (1 / WIDTH)), columns - 1), row = between((int)(a->y[i] * (1 / NEAR)), rows - 1);
    cell_of[i] = (row + 1) * stride + column + WIDE;
    begin[cell_of[i] + 2]++;
  }
  for (int c = 1; c < cells + 2; c++) begin[c] += begin[c - 1];
  for (int i = 0; i < agents; i++) {
    uint32_t k = begin[cell_of[i] + 1]++;
    b->x[k] = a->x[i], b->y[k] = a->y[i], b->vx[k] = a->vx[i], b->vy[k] = a->vy[i], b->gx[k] = a->gx[i], b->gy[k] = a->gy[i];
    cell[k] = cell_of[i];
  }
  Crowd t = now_;
  now_ = next, next = t;
}

// take appends to the n pairs from p on those candidates in places j to j+7 that are below end
// and within NEAR of agent i. It returns the new number of pairs. The selection cannot be
// predicted, so no branch depends on it.
#if LANES == 1
static inline int take(int i, int j, int end, int p, int n) {
  const Crowd *a = &now_;
  for (int last = end < j + 8 ? end : j + 8; j < last; j++) {
    double x = a->x[j] - a->x[i], y = a->y[j] - a->y[i], d2 = x * x + y * y;
    dx[p + n] = x, dy[p + n] = y, ox[p + n] = a->vx[j], oy[p + n] = a->vy[j];
    n += (d2 < NEAR * NEAR) & (j != i);
  }
  return n;
}
#else
inlined int take(int i, int j, int end, int p, int n) {
  const Crowd *a = &now_;
  Vec x0 = all(a->x[i]), y0 = all(a->y[i]);
  for (int last = j + 8; j < last; j += LANES) {
    Vec x = load(a->x + j) - x0, y = load(a->y + j) - y0;
    unsigned in = bits(less(x * x + y * y, all(NEAR * NEAR))), self = i - j;
    int left = end - j < 0 ? 0 : end - j < LANES ? end - j : LANES;
    in &= _bzhi_u32((1u << LANES) - 1, left) & ~(self < LANES ? 1u << self : 0);
    pack(dx + p + n, in, x), pack(dy + p + n, in, y);
    pack(ox + p + n, in, load(a->vx + j)), pack(oy + p + n, in, load(a->vy + j));
    n += _mm_popcnt_u32(in);
  }
  return n;
}
#endif

// keep copies pair k to place to, both counted from p.
static inline void keep(int p, int to, int k) {
  dx[p + to] = dx[p + k], dy[p + to] = dy[p + k], ox[p + to] = ox[p + k], oy[p + to] = oy[p + k];
}

// nearest keeps the nearest MOST of n pairs from p on, in their order.
static void nearest(int p, int n) {
  double d2[n + 8];
  int to = 0;
#if LANES > 1
  Vec none = all(INFINITY);
  for (int k = 0; k < n; k += LANES) {
    Vec x = load(dx + p + k), y = load(dy + p + k);
    store(d2 + k, choose(below(k, n), x * x + y * y, none));
  }
  for (int k = 0; k < n; k += LANES) { // near: pairs with fewer than MOST nearer pairs
    Vec d = load(d2 + k), nearer = zero;
    for (int j = 0; j < n; j++) nearer += where(less(all(d2[j]), d), all(1));
    unsigned near = bits(both(less(nearer, all(MOST)), below(k, n)));
    for (; near && to < MOST; near &= near - 1) keep(p, to++, k + __builtin_ctz(near));
  }
#else
  for (int k = 0; k < n; k++) d2[k] = dx[p + k] * dx[p + k] + dy[p + k] * dy[p + k];
  for (int k = 0; k < n && to < MOST; k++) {
    int nearer = 0;
    for (int j = 0; j < n; j++) nearer += d2[j] < d2[k];
    if (nearer < MOST) keep(p, to++, k);
  }
#endif
}

// gather creates the pairs of n agents from place k on, and returns their number.
static int gather(int k, int n) {
  int p = 0, crowded[BLOCK], many = 0;
  for (int i = 0; i < n; i++) {
    int m = 0, above = cell[k + i] - stride, at = above + stride, under = at + stride;
    int j0 = begin[above - WIDE], e0 = begin[above + WIDE + 1], j1 = begin[at - WIDE], e1 = begin[at + WIDE + 1];
    int j2 = begin[under - WIDE], e2 = begin[under + WIDE + 1];
    m = take(k + i, j0, e0, p, m), m = take(k + i, j1, e1, p, m), m = take(k + i, j2, e2, p, m);
    // More than eight in a row of cells are rare.
    for (j0 += 8; j0 < e0; j0 += 8) m = take(k + i, j0, e0, p, m);
    for (j1 += 8; j1 < e1; j1 += 8) m = take(k + i, j1, e1, p, m);
    for (j2 += 8; j2 < e2; j2 += 8) m = take(k + i, j2, e2, p, m);
    from[i] = p, pairs[i] = m;
    crowded[many] = i, many += m > MOST;
#if LANES == 1
    for (int j = 0; j < MOST; j++) ax[p + j] = now_.vx[k + i], ay[p + j] = now_.vy[k + i];
#else
    for (int j = 0; j < MOST; j += LANES) store(ax + p + j, all(now_.vx[k + i])), store(ay + p + j, all(now_.vy[k + i]));
#endif
    p += m;
  }
  for (int c = 0; c < many; c++) nearest(from[crowded[c]], pairs[crowded[c]]), pairs[crowded[c]] = MOST;
  return p;
}

// planes computes the half-planes of n pairs. Circle and leg share a root and a division.
static void planes(int n) {
#if LANES == 1
  for (int k = 0; k < n; k++) {
    double x = dx[k], y = dy[k], ux = ax[k] - ox[k], uy = ay[k] - oy[k], d2 = x * x + y * y;
    int touch = d2 <= REACH * REACH;
    double f = touch ? 1 / DT : 1 / HORIZON, wx = ux - f * x, wy = uy - f * y;
    double w2 = wx * wx + wy * wy, along = wx * x + wy * y, mx, my, depth;
    if (touch || (along < 0 && along * along > REACH * REACH * w2)) {
      double l = sqrt(w2);
      mx = l > 0 ? wx / l : 1, my = l > 0 ? wy / l : 0, depth = f * REACH - l;
    } else {
      double leg = copysign(sqrt(d2 - REACH * REACH), x * wy - y * wx);
      mx = (-REACH * x - leg * y) / d2, my = (leg * x - REACH * y) / d2, depth = -(mx * ux + my * uy);
    }
    nx[k] = mx, ny[k] = my, nc[k] = mx * ax[k] + my * ay[k] + 0.5 * depth;
  }
#else
  Vec reach = all(REACH), reach2 = all(REACH * REACH);
  for (int k = 0; k < n; k += LANES) {
    Vec x = load(dx + k), y = load(dy + k), vx = load(ax + k), vy = load(ay + k);
    Vec ux = vx - load(ox + k), uy = vy - load(oy + k), d2 = x * x + y * y;
    Mask touch = atmost(d2, reach2);
    Vec f = choose(touch, all(1 / DT), all(1 / HORIZON)), wx = ux - f * x, wy = uy - f * y;
    Vec w2 = wx * wx + wy * wy, along = wx * x + wy * y;
    Mask circle = either(touch, both(less(along, zero), less(reach2 * w2, along * along)));
    Vec l = root(choose(circle, w2, d2 - reach2)), inverse = all(1) / choose(circle, l, d2);
    Vec leg = choose(less(x * wy, y * wx), -l, l);
    Vec mx = inverse * choose(circle, wx, -reach * x - leg * y), my = inverse * choose(circle, wy, leg * x - reach * y);
    Mask still = both(circle, atmost(l, zero));
    if (bits(still)) mx = choose(still, all(1), mx), my = choose(still, zero, my);
    Vec depth = choose(circle, f * reach - l, -(mx * ux + my * uy));
    store(nx + k, mx), store(ny + k, my), store(nc + k, mx * vx + my * vy + all(0.5) * depth);
  }
#endif
}

// prefer sets the preferred velocities of n agents from place k on.
static void prefer(int k, int n) {
  const Crowd *a = &now_;
#if LANES == 1
  for (int i = 0; i < n; i++) {
    double x = a->gx[k + i] - a->x[k + i], y = a->gy[k + i] - a->y[k + i], d2 = x * x + y * y;
    double f = TOP / (d2 < SLOWING * SLOWING ? SLOWING : sqrt(d2));
    prefx[i] = f * x, prefy[i] = f * y;
  }
#else
  for (int i = 0; i < n; i += LANES) {
    Vec x = load(a->gx + k + i) - load(a->x + k + i), y = load(a->gy + k + i) - load(a->y + k + i);
    Vec f = all(TOP) / larger(root(x * x + y * y), all(SLOWING));
    store(prefx + i, f * x), store(prefy + i, f * y);
  }
#endif
}

// worst returns the index of the half-plane (x, y, c), of n, that a velocity violates most, and sets
// least to the violation. It returns −1 if no violation exceeds least.
static inline int worst(const double *x, const double *y, const double *c, int n, Pair v, double *least) {
#if LANES == 1
  int found = -1;
  for (int k = 0; k < n; k++) {
    double d = c[k] - (x[k] * v.x + y[k] * v.y);
    if (d > *least) *least = d, found = k;
  }
  return found;
#else
  enum { VECS = (MOST + LANES - 1) / LANES };
  Vec d[VECS], vx = all(v.x), vy = all(v.y), none = all(-INFINITY), high = none;
  for (int k = 0; k < VECS; k++) {
    int j = k * LANES;
    d[k] = choose(below(j, n), load(c + j) - (load(x + j) * vx + load(y + j) * vy), none);
    high = larger(high, d[k]);
  }
  if (!bits(less(all(*least), high))) return -1;
  double top = largest(high);
  unsigned at = 0;
  for (int k = 0; k < VECS; k++) at |= bits(atmost(all(top), d[k])) << k * LANES;
  *least = top;
  return __builtin_ctz(at);
#endif
}

// violates reports whether a velocity violates one of n half-planes.
static inline int violates(const double *x, const double *y, const double *c, int n, Pair v) {
#if LANES == 1
  int found = 0;
  for (int k = 0; k < n; k++) found |= c[k] - (x[k] * v.x + y[k] * v.y) > SLACK;
  return found;
#else
  unsigned found = 0;
  for (int k = 0; k < MOST; k += LANES) found |= bits(less(all(SLACK), load(c + k) - (load(x + k) * all(v.x) + load(y + k) * all(v.y)))) << k;
  return (found & ((1u << n) - 1)) != 0;
#endif
}

typedef struct {
  double x[MOST + 8], y[MOST + 8], c[MOST + 8];
  int n;
} Planes;

// border sets low and high to the ends of the part of the border of (x, y, c) that is in the disc
// and in the half-planes before. It returns 0 if there is no such part.
static int border(const Planes *before, double x, double y, double c, double *low, double *high) {
  if (c > TOP + SLACK) return 0;
  double half = sqrt(fmax(0, (TOP - c) * (TOP + c))), lo = -half, hi = half;
  for (int j = 0; j < before->n; j++) {
    double sine = x * before->y[j] - y * before->x[j], need = before->c[j] - c * (x * before->x[j] + y * before->y[j]);
    if (sine > PARALLEL) {
      double t = need / sine;
      lo = t > lo ? t : lo;
    } else if (sine < -PARALLEL) {
      double t = need / sine;
      hi = t < hi ? t : hi;
    } else if (need > SLACK) {
      return 0;
    }
  }
  if (lo > hi && lo - hi <= SLACK) lo = hi = (lo + hi) / 2;
  *low = lo, *high = hi;
  return lo <= hi;
}

static inline Pair on(double x, double y, double c, double t) { return (Pair){c * x - t * y, c * y + t * x}; }

static inline void append(Planes *to, double x, double y, double c) {
  to->x[to->n] = x, to->y[to->n] = y, to->c[to->n] = c, to->n++;
}

// equal returns the half-planes in which the taken half-planes are violated less than (x, y, c).
static Planes equal(const Planes *taken, double x, double y, double c) {
  Planes e = {.n = 0};
  for (int j = 0; j < taken->n; j++) {
    double ex = taken->x[j] - x, ey = taken->y[j] - y, d2 = ex * ex + ey * ey;
    if (d2 <= PARALLEL * PARALLEL) continue;
    double f = 1 / sqrt(d2);
    append(&e, f * ex, f * ey, f * (taken->c[j] - c));
  }
  return e;
}

// farthest sets v to the velocity as far along the unit vector (x, y) as the half-planes allow. It
// returns 0 if there is none.
static int farthest(const Planes *within, double x, double y, Pair *v) {
  Pair u = {TOP * x, TOP * y};
  Planes before = {.n = 0};
  for (int i = 0; i < within->n; i++) {
    double ix = within->x[i], iy = within->y[i], ic = within->c[i], low, high;
    if (ic - (ix * u.x + iy * u.y) > SLACK) {
      if (!border(&before, ix, iy, ic, &low, &high)) return 0;
      u = on(ix, iy, ic, ix * y - iy * x > 0 ? high : low);
    }
    append(&before, ix, iy, ic);
  }
  *v = u;
  return 1;
}

// least_fault returns the velocity with the smallest maximum violation of the half-planes.
static __attribute__((noinline)) Pair least_fault(const double *x, const double *y, const double *c, int n, Pair v) {
  Planes taken = {.n = 0};
  double fault = -INFINITY;
  while (taken.n < n) {
    double by = fault + SLACK;
    int i = worst(x, y, c, n, v, &by);
    if (i < 0) break;
    Planes e = equal(&taken, x[i], y[i], c[i]);
    farthest(&e, x[i], y[i], &v);
    fault = fmax(fault, c[i] - (x[i] * v.x + y[i] * v.y));
    append(&taken, x[i], y[i], c[i]);
  }
  return v;
}

// solve returns the velocity in n half-planes that is nearest to the preferred velocity.
static inline Pair solve(const double *x, const double *y, const double *c, int n, Pair prefer) {
  Pair v = prefer;
  Planes taken;
  taken.n = 0;
  for (;;) {
    double by = SLACK, low, high;
    int i = worst(x, y, c, n, v, &by);
    if (i < 0) return v;
    if (taken.n == n || !border(&taken, x[i], y[i], c[i], &low, &high)) return least_fault(x, y, c, n, v);
    double t = x[i] * prefer.y - y[i] * prefer.x;
    t = t > low ? t : low, t = t < high ? t : high;
    v = on(x[i], y[i], c[i], t);
    append(&taken, x[i], y[i], c[i]);
  }
}

static void step(void) {
  build();
  for (int k = 0; k < agents; k += BLOCK) {
    int n = agents - k < BLOCK ? agents - k : BLOCK;
    prefer(k, n);
    planes(gather(k, n));
    int hindered[BLOCK], many = 0;
    for (int i = 0; i < n; i++) { // without a branch: most agents are not hindered
      int p = from[i];
      newx[k + i] = prefx[i], newy[k + i] = prefy[i];
      hindered[many] = i, many += violates(nx + p, ny + p, nc + p, pairs[i], (Pair){prefx[i], prefy[i]});
    }
    for (int h = 0; h < many; h++) {
      int i = hindered[h], p = from[i];
      Pair v = solve(nx + p, ny + p, nc + p, pairs[i], (Pair){prefx[i], prefy[i]});
      newx[k + i] = v.x, newy[k + i] = v.y;
    }
  }
  Crowd *a = &now_;
  for (int i = 0; i < agents; i++) {
    a->vx[i] = newx[i], a->vy[i] = newy[i];
    a->x[i] += DT * newx[i], a->y[i] += DT * newy[i];
  }
}

static void look(int i, Pair *p, Pair *v) {
  *p = (Pair){now_.x[i], now_.y[i]}, *v = (Pair){now_.vx[i], now_.vy[i]};
}

int main(int argc, char **argv) {
  agents = agents_of(argc, argv);
  side = sqrt(agents / DENSITY);
  columns = (int)(side / WIDTH) + 1, rows = (int)(side / NEAR) + 1;
  stride = columns + 2 * WIDE, cells = stride * (rows + 2);
  Crowd *crowds[] = {&now_, &next};
  for (int k = 0; k < 2; k++) {
    double **all_[] = {&crowds[k]->x, &crowds[k]->y, &crowds[k]->vx, &crowds[k]->vy, &crowds[k]->gx, &crowds[k]->gy};
    for (int j = 0; j < 6; j++) *all_[j] = column(agents, sizeof(double));
  }
  newx = column(agents, sizeof(double)), newy = column(agents, sizeof(double));
  cell = column(agents, sizeof *cell), cell_of = column(agents, sizeof *cell), begin = column(cells + 2, sizeof *begin);
  run(argc > 2, agents, reset, step, look);
}
