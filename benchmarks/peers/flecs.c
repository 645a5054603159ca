// W2 of package benchmarks with flecs, an ECS in C, through its public API. It uses the same
// components as crowd, in float64, and two systems in its pipeline, arrival and integration,
// with one thread.
#include "flecs.h"

#include "../limits/limits.h"

#define DT (1.0 / 60)
#define SIDE 1000.0

typedef Pair Position, Velocity, Target, Steering;
typedef struct {
  double speed, force;
} Limits;
typedef struct {
  double gain, slowing;
} Arrival;
typedef struct {
  double kilograms;
} Mass;

static int agents;
static ecs_world_t *world;
static ecs_entity_t *entities;
ECS_COMPONENT_DECLARE(Position);
ECS_COMPONENT_DECLARE(Velocity);
ECS_COMPONENT_DECLARE(Target);
ECS_COMPONENT_DECLARE(Steering);
ECS_COMPONENT_DECLARE(Limits);
ECS_COMPONENT_DECLARE(Arrival);
ECS_COMPONENT_DECLARE(Mass);

static void Arrive(ecs_iter_t *it) {
  const Position *p = ecs_field(it, Position, 0);
  const Velocity *v = ecs_field(it, Velocity, 1);
  const Target *t = ecs_field(it, Target, 2);
  const Limits *l = ecs_field(it, Limits, 3);
  const Arrival *a = ecs_field(it, Arrival, 4);
  Steering *s = ecs_field(it, Steering, 5);
  for (int i = 0; i < it->count; i++) {
    double x = t[i].x - p[i].x, y = t[i].y - p[i].y, d2 = x * x + y * y;
    double k = l[i].speed / (d2 < a[i].slowing * a[i].slowing ? a[i].slowing : sqrt(d2));
    s[i].x += a[i].gain * (k * x - v[i].x);
    s[i].y += a[i].gain * (k * y - v[i].y);
  }
}

static void Integrate(ecs_iter_t *it) {
  Position *p = ecs_field(it, Position, 0);
  Velocity *v = ecs_field(it, Velocity, 1);
  const Limits *l = ecs_field(it, Limits, 2);
  const Mass *m = ecs_field(it, Mass, 3);
  Steering *s = ecs_field(it, Steering, 4);
  for (int i = 0; i < it->count; i++) {
    double fx = s[i].x, fy = s[i].y, f2 = fx * fx + fy * fy;
    if (f2 > l[i].force * l[i].force) {
      double k = l[i].force / sqrt(f2);
      fx *= k, fy *= k;
    }
    double h = DT / m[i].kilograms, vx = v[i].x + h * fx, vy = v[i].y + h * fy, v2 = vx * vx + vy * vy;
    if (v2 > l[i].speed * l[i].speed) {
      double k = l[i].speed / sqrt(v2);
      vx *= k, vy *= k;
    }
    v[i] = (Velocity){vx, vy};
    p[i].x += DT * vx;
    p[i].y += DT * vy;
    s[i] = (Steering){0, 0};
  }
}

static void reset(void) {
  for (int i = 0; i < agents; i++) {
    Pair p = place(SIDE, SEED_AGENTS, i, 0), v = heading(10, i), t = place(SIDE, SEED_AGENTS, i, 2);
    ecs_set_ptr(world, entities[i], Position, &p);
    ecs_set_ptr(world, entities[i], Velocity, &v);
    ecs_set_ptr(world, entities[i], Target, &t);
  }
}

static void step(void) { ecs_progress(world, (float)DT); }

static void look(int i, Pair *p, Pair *v) { *p = *ecs_get(world, entities[i], Position), *v = *ecs_get(world, entities[i], Velocity); }

int main(int argc, char **argv) {
  agents = agents_of(argc, argv);
  world = ecs_init();
  ECS_COMPONENT_DEFINE(world, Position);
  ECS_COMPONENT_DEFINE(world, Velocity);
  ECS_COMPONENT_DEFINE(world, Target);
  ECS_COMPONENT_DEFINE(world, Steering);
  ECS_COMPONENT_DEFINE(world, Limits);
  ECS_COMPONENT_DEFINE(world, Arrival);
  ECS_COMPONENT_DEFINE(world, Mass);
  ECS_SYSTEM(world, Arrive, EcsOnUpdate, [in] Position, [in] Velocity, [in] Target, [in] Limits, [in] Arrival, Steering);
  ECS_SYSTEM(world, Integrate, EcsOnUpdate, Position, Velocity, [in] Limits, [in] Mass, Steering);
  entities = column(agents, sizeof *entities);
  for (int i = 0; i < agents; i++) {
    ecs_entity_t e = entities[i] = ecs_new(world);
    ecs_set(world, e, Position, {0, 0});
    ecs_set(world, e, Velocity, {0, 0});
    ecs_set(world, e, Target, {0, 0});
    ecs_set(world, e, Steering, {0, 0});
    ecs_set(world, e, Limits, {10, 5});
    ecs_set(world, e, Arrival, {2, 50});
    ecs_set(world, e, Mass, {1});
  }
  run(argc > 2, agents, reset, step, look);
  return 0;
}
