// W3: arrival, a scan for the obstacle that is hit first within 20 m, avoidance, and
// integration. For each agent, the scan reads one cell of a grid, at the middle of its
// look-ahead. With lanes, it packs the circles of that cell into pairs of agent and circle,
// and tests pairs of different agents side by side. The threat, which crowd stores in a
// column, goes directly into the steering.
//
//   w3 AGENTS OBSTACLES [check]
#include "arrival.h"

enum { MOST = 64, PAIRS = BLOCK * MOST }; // circles in a cell
#define LOOK 20.0                         // m
#define AVOID 5.0                         // N
#define WIDTH 14.0                        // m, width of a cell
#define CELLS 73                          // cells per row and column, some beyond the square

static int obstacles;
static double *cx, *cy, *cr;         // circles by cell, repeated in each cell that lists them
static int begin[CELLS * CELLS + 3]; // start of each cell

static double dirx[BLOCK + 8], diry[BLOCK + 8]; // directions of a block's agents
static int cell[BLOCK + 8];

static int between(int x, int high) { return x < 0 ? 0 : x > high ? high : x; }

// list visits the cells from which an agent may hit a circle. It counts the circle or, once
// the places are known, stores it there.
static void list(Pair at, double radius, int put) {
  double reach = radius + LOOK / 2 + 1e-6;
  for (int row = between((at.y - reach) / WIDTH, CELLS - 1); row <= between((at.y + reach) / WIDTH, CELLS - 1); row++)
    for (int col = between((at.x - reach) / WIDTH, CELLS - 1); col <= between((at.x + reach) / WIDTH, CELLS - 1); col++) {
      double x = col * WIDTH, y = row * WIDTH;
      // Cells on the edge include everything beyond the edge.
      double left = col == 0 ? -1e9 : x, right = col == CELLS - 1 ? 1e9 : x + WIDTH;
      double bottom = row == 0 ? -1e9 : y, top = row == CELLS - 1 ? 1e9 : y + WIDTH;
      double ex = at.x - fmin(fmax(at.x, left), right), ey = at.y - fmin(fmax(at.y, bottom), top);
      if (ex * ex + ey * ey > reach * reach) continue;
      int c = row * CELLS + col;
      if (!put) {
        begin[c + 2]++;
        continue;
      }
      int k = begin[c + 1]++;
      cx[k] = at.x, cy[k] = at.y, cr[k] = radius;
    }
}

static void make_obstacles(void) {
  for (int put = 0; put < 2; put++) {
    for (int i = 0; i < obstacles; i++) list(place(SIDE, SEED_OBSTACLES, i, 0), 3 + 4 * draw(SEED_OBSTACLES, i, 2), put);
    if (put) break;
    for (int c = 1; c < CELLS * CELLS + 3; c++) begin[c] += begin[c - 1];
    int all = begin[CELLS * CELLS + 1];
    cx = column(all, sizeof(double)), cy = column(all, sizeof(double)), cr = column(all, sizeof(double));
  }
  for (int c = 0; c < CELLS * CELLS; c++)
    if (begin[c + 1] - begin[c] > MOST) fprintf(stderr, "too many circles in a cell\n"), exit(1);
}

// avoid steers an agent that moves in direction (dx, dy) sideways, away from a circle at (wx, wy) from it.
static inline void avoid(Pair *s, double wx, double wy, double dx, double dy) {
  double f = wx * dy - wy * dx > 0 ? -AVOID : AVOID;
  s->x += f * dy, s->y -= f * dx;
}

#if LANES == 1
static void aim(int n, const Pair *p, const Pair *v) {
  for (int i = 0; i < n; i++) {
    double v2 = v[i].x * v[i].x + v[i].y * v[i].y, f = v2 > 0 ? 1 / sqrt(v2) : 0;
    dirx[i] = f * v[i].x, diry[i] = f * v[i].y;
    int col = between((p[i].x + LOOK / 2 * dirx[i]) * (1 / WIDTH), CELLS - 1), row = between((p[i].y + LOOK / 2 * diry[i]) * (1 / WIDTH), CELLS - 1);
    cell[i] = row * CELLS + col;
  }
}

static void scan(int n, const Pair *p, Pair *s) {
  for (int i = 0; i < n; i++) {
    double dx = dirx[i], dy = diry[i], nearest = LOOK;
    int threat = -1;
    for (int k = begin[cell[i]]; k < begin[cell[i] + 1]; k++) {
      double wx = cx[k] - p[i].x, wy = cy[k] - p[i].y, r = cr[k];
      double ahead = wx * dx + wy * dy, aside = fabs(wx * dy - wy * dx), gap = wx * wx + wy * wy - r * r, t = 0;
      if (ahead > 0 && aside <= r) {
        t = (gap > 0 ? gap : 0) / (ahead + sqrt((r - aside) * (r + aside)));
      } else if (gap > 0) {
        continue;
      }
      if (t < nearest) nearest = t, threat = k;
    }
    if (threat >= 0) avoid(&s[i], cx[threat] - p[i].x, cy[threat] - p[i].y, dx, dy);
  }
}
#else
static double wx[PAIRS + 8], wy[PAIRS + 8], wr[PAIRS + 8], ux[PAIRS + 8], uy[PAIRS + 8], way[PAIRS + 8], hit[PAIRS + 8];
static int who[PAIRS + 8];

static void aim(int n, const Pair *p, const Pair *v) {
  for (int i = 0; i < n; i += LANES) {
    Vec v0 = load(&v[i]), v1 = load(&v[i + LANES / 2]), p0 = load(&p[i]), p1 = load(&p[i + LANES / 2]);
    Vec v2 = norm2(v0, v1), f = where(less(zero, v2), all(1) / root(v2)), dx = f * first(v0, v1), dy = f * second(v0, v1);
    Vec mx = first(p0, p1) + all(LOOK / 2) * dx, my = second(p0, p1) + all(LOOK / 2) * dy, last = all(CELLS - 0.5);
    Vec col = smaller(larger(mx * all(1 / WIDTH), zero), last), row = smaller(larger(my * all(1 / WIDTH), zero), last);
    double c[LANES], r[LANES], x[LANES], y[LANES];
    store(c, ordered_back(col)), store(r, ordered_back(row)), store(x, ordered_back(dx)), store(y, ordered_back(dy));
    for (int k = 0; k < LANES; k++) cell[i + k] = (int)r[k] * CELLS + (int)c[k], dirx[i + k] = x[k], diry[i + k] = y[k];
  }
}

static void scan(int n, const Pair *p, Pair *s) {
  int pairs = 0, hits = 0;
  for (int i = 0; i < n; i++) { // pairs: copies all circles of a cell at once, and overwrites the memory after them
    int k = begin[cell[i]], end = begin[cell[i] + 1], to = pairs;
    if (k == end) continue; // nearly always with few obstacles, sometimes with many
    pairs += end - k;
    do {
      store(wx + to, load(cx + k) - all(p[i].x)), store(wy + to, load(cy + k) - all(p[i].y)), store(wr + to, load(cr + k));
      store(ux + to, all(dirx[i])), store(uy + to, all(diry[i]));
      for (int j = 0; j < LANES; j++) who[to + j] = i;
      k += LANES, to += LANES;
    } while (k < end);
  }
  for (int k = 0; k < pairs; k += LANES) {
    Vec x = load(wx + k), y = load(wy + k), r = load(wr + k), dx = load(ux + k), dy = load(uy + k);
    Vec ahead = x * dx + y * dy, cross = x * dy - y * dx, aside = larger(cross, -cross), gap = x * x + y * y - r * r;
    Mask front = both(less(zero, ahead), atmost(aside, r)), in = both(either(front, atmost(gap, zero)), below(k, pairs));
    if (!bits(in)) continue;
    Vec t = where(front, larger(gap, zero) / (ahead + root(larger((r - aside) * (r + aside), zero))));
    in = both(in, less(t, all(LOOK)));
    store(way + k, t);
    pack(hit + hits, bits(in), iota + all(k));
    hits += _mm_popcnt_u32(bits(in));
  }
  for (int h = 0; h < hits; ) { // hits of an agent are adjacent, and the nearest one counts
    int threat = hit[h], i = who[threat];
    for (h++; h < hits && who[(int)hit[h]] == i; h++)
      if (way[(int)hit[h]] < way[threat]) threat = hit[h];
    avoid(&s[i], wx[threat], wy[threat], dirx[i], diry[i]);
  }
}
#endif

static void step(void) {
  for (int b = 0; b < agents; b += BLOCK) {
    int n = agents - b < BLOCK ? agents - b : BLOCK;
    arrive(n, position + b, velocity + b, target + b, limits + b, arrival + b, steering + b);
    aim(n, position + b, velocity + b);
    scan(n, position + b, steering + b);
    integrate(n, position + b, velocity + b, limits + b, mass + b, steering + b);
  }
}

int main(int argc, char **argv) {
  agents = agents_of(argc, argv);
  obstacles = argc > 2 ? atoi(argv[2]) : 1024;
  make_columns();
  make_obstacles();
  run(argc > 3, agents, reset, step, look);
}
