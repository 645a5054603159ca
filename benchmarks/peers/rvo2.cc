// W5 of package benchmarks with RVO2, through its public API: walkers, each with its own
// target, 0.15 agents per square meter, that avoid the nearest ten agents within 4 m. The
// program sets preferred velocities in each step, as arrival does in crowd. RVO2 computes in
// float32.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "RVOSimulator.h"
#include "Vector2.h"

#include "../limits/limits.h"

namespace {

const double kDensity = 0.15, kTop = 1.3, kSlowing = 1;

int agents;
double side;
RVO::RVOSimulator *simulator;
std::vector<RVO::Vector2> targets;

RVO::Vector2 Single(Pair p) {
  return RVO::Vector2(static_cast<float>(p.x), static_cast<float>(p.y));
}

void Reset() {
  for (int i = 0; i < agents; i++) {
    simulator->setAgentPosition(i, Single(place(side, SEED_AGENTS, i, 0)));
    simulator->setAgentVelocity(i, Single(heading(kTop, i)));
  }
}

void Step() {
  for (int i = 0; i < agents; i++) {
    const RVO::Vector2 way = targets[i] - simulator->getAgentPosition(i);
    const float distance = std::sqrt(way * way);
    const float speed = static_cast<float>(kTop);
    simulator->setAgentPrefVelocity(i, way * (distance < kSlowing ? speed : speed / distance));
  }
  simulator->doStep();
}

void Look(int i, Pair *p, Pair *v) {
  const RVO::Vector2 position = simulator->getAgentPosition(i), velocity = simulator->getAgentVelocity(i);
  *p = Pair{position.x(), position.y()};
  *v = Pair{velocity.x(), velocity.y()};
}

}  // namespace

int main(int argc, char **argv) {
  agents = agents_of(argc, argv);
  side = std::sqrt(agents / kDensity);
  simulator = new RVO::RVOSimulator();
  simulator->setTimeStep(0.1F);
  simulator->setAgentDefaults(4.0F, 10, 2.0F, 1.0F, 0.3F, static_cast<float>(kTop));
  for (int i = 0; i < agents; i++) {
    simulator->addAgent(RVO::Vector2(0.0F, 0.0F));
    targets.push_back(Single(place(side, SEED_AGENTS, i, 2)));
  }
  run(argc > 2, agents, Reset, Step, Look);
}
