// Code shared by W2 and W3: the kernels of arrival and integration, and their columns, which have the
// layout of crowd's columns.
#include "limits.h"
#include "lanes.h"

enum { BLOCK = 128 };
#define DT (1.0 / 60)
#define SIDE 1000.0
#define MAX_SPEED 10.0
#define MAX_FORCE 5.0
#define GAIN 2.0
#define SLOWING 50.0

static int agents;
static Pair *position, *velocity, *target, *steering;
static Pair *limits;  // top speed, maximum force
static Pair *arrival; // gain, slowing radius
static double *mass;

static void make_columns(void) {
  Pair **pairs[] = {&position, &velocity, &target, &steering, &limits, &arrival};
  for (int k = 0; k < 6; k++) *pairs[k] = column(agents, sizeof(Pair));
  mass = column(agents, sizeof(double));
  for (int i = 0; i < agents; i++) {
    limits[i] = (Pair){MAX_SPEED, MAX_FORCE};
    arrival[i] = (Pair){GAIN, SLOWING};
    mass[i] = 1;
  }
}

static void reset(void) {
  for (int i = 0; i < agents; i++) {
    position[i] = place(SIDE, SEED_AGENTS, i, 0);
    velocity[i] = heading(MAX_SPEED, i);
    target[i] = place(SIDE, SEED_AGENTS, i, 2);
  }
}

static void look(int i, Pair *p, Pair *v) { *p = position[i], *v = velocity[i]; }

#if LANES == 1
// arrive steers n rows toward their targets.
static void arrive(int n, const Pair *p, const Pair *v, const Pair *t, const Pair *lim, const Pair *a, Pair *s) {
  for (int i = 0; i < n; i++) {
    double x = t[i].x - p[i].x, y = t[i].y - p[i].y, d2 = x * x + y * y;
    double k = lim[i].x / (d2 < a[i].y * a[i].y ? a[i].y : sqrt(d2));
    s[i].x += a[i].x * (k * x - v[i].x);
    s[i].y += a[i].x * (k * y - v[i].y);
  }
}

// integrate truncates the force and the speed of n rows and moves them.
static void integrate(int n, Pair *p, Pair *v, const Pair *lim, const double *m, Pair *s) {
  for (int i = 0; i < n; i++) {
    double fx = s[i].x, fy = s[i].y, f2 = fx * fx + fy * fy;
    if (f2 > lim[i].y * lim[i].y) {
      double k = lim[i].y / sqrt(f2);
      fx *= k, fy *= k;
    }
    double h = DT / m[i], vx = v[i].x + h * fx, vy = v[i].y + h * fy, v2 = vx * vx + vy * vy;
    if (v2 > lim[i].x * lim[i].x) {
      double k = lim[i].x / sqrt(v2);
      vx *= k, vy *= k;
    }
    v[i] = (Pair){vx, vy};
    p[i].x += DT * vx;
    p[i].y += DT * vy;
    s[i] = (Pair){0, 0};
  }
}
#else
// Two registers hold the pairs of LANES rows. Vectors with one number per row are in the
// order of first and second. Spread expands them to scale x and y of each pair.
enum { HALF = LANES / 2 };
#define spread_low(k) first(k, k)
#define spread_high(k) second(k, k)
inlined Vec norm2(Vec a, Vec b) {
  Vec x = first(a, b), y = second(a, b);
  return x * x + y * y;
}

static void arrive(int n, const Pair *p, const Pair *v, const Pair *t, const Pair *lim, const Pair *a, Pair *s) {
  for (int i = 0, j = HALF; i < n; i += LANES, j += LANES) {
    Vec d0 = load(&t[i]) - load(&p[i]), d1 = load(&t[j]) - load(&p[j]), d2 = norm2(d0, d1);
    Vec a0 = load(&a[i]), a1 = load(&a[j]), gain = first(a0, a1), slowing = second(a0, a1);
    Vec speed = first(load(&lim[i]), load(&lim[j]));
    Vec k = speed / choose(less(d2, slowing * slowing), slowing, root(d2));
    store(&s[i], load(&s[i]) + spread_low(gain) * (spread_low(k) * d0 - load(&v[i])));
    store(&s[j], load(&s[j]) + spread_high(gain) * (spread_high(k) * d1 - load(&v[j])));
  }
}

static void integrate(int n, Pair *p, Pair *v, const Pair *lim, const double *m, Pair *s) {
  Vec one = all(1), dt = all(DT);
  for (int i = 0, j = HALF; i < n; i += LANES, j += LANES) {
    Vec l0 = load(&lim[i]), l1 = load(&lim[j]), speed = first(l0, l1), force = second(l0, l1);
    Vec f0 = load(&s[i]), f1 = load(&s[j]), f2 = norm2(f0, f1), v0 = load(&v[i]), v1 = load(&v[j]);
    Mask over = less(force * force, f2);
    if (bits(over)) {
      Vec k = choose(over, force / root(f2), one);
      f0 *= spread_low(k), f1 *= spread_high(k);
    }
    Vec h = dt / ordered(load(&m[i]));
    v0 += spread_low(h) * f0, v1 += spread_high(h) * f1;
    Vec v2 = norm2(v0, v1);
    over = less(speed * speed, v2);
    if (bits(over)) {
      Vec k = choose(over, speed / root(v2), one);
      v0 *= spread_low(k), v1 *= spread_high(k);
    }
    store(&v[i], v0), store(&v[j], v1);
    store(&p[i], load(&p[i]) + dt * v0), store(&p[j], load(&p[j]) + dt * v1);
    store(&s[i], zero), store(&s[j], zero);
  }
}
#endif
