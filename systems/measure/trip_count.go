package measure

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// The energy of walking is (standing + walking·|v|²)·dt a kilogram. Source: Guy
// et al. 2010, "PLEdestrians". It is least at the speed √(standing/walking).
const (
	standing = 2.23 // J/(kg·s)
	walking  = 1.26 // J·s/(kg·m²)

	steerBenchFrame = 0.05 // s
)

// TripCount is what TripMetrics measured since the frame was initialized. A mean
// over nothing is 0; the number beside it tells. Of an agent with a Goal only
// what it does until it arrives is measured; then it rests.
type TripCount struct {
	Agents   int // agents with a Goal
	Arrived  int // of those, agents that arrived
	Unharmed int // of those, agents that arrived and met nothing in their time, as far as ObstacleCollisions and AgentCollisions are there to tell

	Ways          int     // that ended with an arrival
	Energy        float64 // J/kg, Σ(2.23 + 1.26|v|²)dt, mean of those ways
	EnergyOptimum float64 // J/kg, 2·L·√(2.23·1.26), mean of those ways; L is the straight line

	StraightWays int     // of those, ways that end away from where they began
	PathRatio    float64 // length divided by the straight line, mean of those
	LimitedWays  int     // of those, ways of agents with a greatest speed
	TimeRatio    float64 // time divided by that of the straight line at the greatest speed, mean of those

	FirstTime float64 // s, until the first arrival or so far, mean of Agents
	Effort    float64 // Σ½|v|² a step in that time, mean of Agents; SteerBench's if Frames20
	Frames20  bool    // whether all steps were of 0.05 s

	Steps      int     // agent-steps
	Length     float64 // m, of all ways
	OrderSteps int     // of Steps, those with a velocity and a target
	Order      float64 // mean cosine between the velocity and the way to the target at the step's start

	// Of positions every 0.4 s of the way, or each step if that is longer. A move
	// goes from one such position to the next, and its velocity is its mean one.

	Line         float64 // m, of all moves, straight on
	Wiggle       float64 // length of the way at every step divided by Line
	Seconds      float64 // s, of moves that follow another one on the way, of all agents
	Acceleration float64 // m/s², Σ|Δv| of those, divided by Seconds
	Reversals    float64 // 1/s, turns of more than 90° between two moves longer than 0.02 m, divided by Seconds
	TurnSeconds  float64 // s, of Seconds, where both moves are longer than 0.02 m
	Turning      float64 // degrees/s, between those, divided by TurnSeconds
}

// journeySums is what a worker adds up.
type journeySums struct {
	agents, arrived, unharmed int
	ways, straight, limited   int
	energy, optimum           exactSum
	pathRatio, timeRatio      exactSum
	firstTime, firstWork      exactSum
	steps, orderSteps         int
	length, order             exactSum
	moves                     moveSums
	oddFrames, missed         bool
}

// towards adds how well the velocity points to the target.
func (s *journeySums) towards(v, to r2.Vec) {
	if v != (r2.Vec{}) && to != (r2.Vec{}) {
		s.orderSteps++
		s.order.add(vec.Dot(vec.Unit(v), vec.Unit(to)))
	}
}

// way adds a way that ended.
func (s *journeySums) way(r *record, maxSpeed float64) {
	straight := r.before + vec.Norm(vec.Sub(r.at, r.start))
	s.ways++
	s.energy.add(float64(standing*r.took) + float64(walking*r.work))
	s.optimum.add(2 * straight * math.Sqrt(standing*walking))
	if straight > 0 {
		s.straight++
		s.pathRatio.add(r.length / straight)
		if maxSpeed > 0 {
			s.limited++
			s.timeRatio.add(r.took * maxSpeed / straight)
		}
	}
}

// first adds the time and work until an agent's first arrival, or so far.
func (s *journeySums) first(r *record) {
	s.firstTime.add(r.took)
	s.firstWork.add(r.work)
}

// agent adds an agent at its end.
func (s *journeySums) agent(r *record) {
	switch {
	case !r.is.has(aiming):
		return
	case !r.is.has(arrived):
		s.first(r)
	case !r.is.has(harmed):
		s.unharmed++
	}
	s.agents++
	if r.is.has(arrived) {
		s.arrived++
	}
}

func (s *journeySums) merge(t *journeySums) {
	s.agents += t.agents
	s.arrived += t.arrived
	s.unharmed += t.unharmed
	s.ways += t.ways
	s.straight += t.straight
	s.limited += t.limited
	s.energy.merge(t.energy)
	s.optimum.merge(t.optimum)
	s.pathRatio.merge(t.pathRatio)
	s.timeRatio.merge(t.timeRatio)
	s.firstTime.merge(t.firstTime)
	s.firstWork.merge(t.firstWork)
	s.steps += t.steps
	s.orderSteps += t.orderSteps
	s.length.merge(t.length)
	s.order.merge(t.order)
	s.moves.merge(&t.moves)
	s.oddFrames = s.oddFrames || t.oddFrames
}

// sum returns what all workers have added up.
func (s *TripMetrics) sum() journeySums {
	sum := s.gone
	s.workers.Each(func(t *journeySums) { sum.merge(t) })
	return sum
}

// Count returns what was measured since the frame was initialized.
func (s *TripMetrics) Count() TripCount {
	sum := s.sum()
	for i := range s.records {
		sum.agent(&s.records[i])
	}
	n := TripCount{
		Agents: sum.agents, Arrived: sum.arrived, Unharmed: sum.unharmed,
		Ways: sum.ways, Energy: sum.energy.mean(sum.ways), EnergyOptimum: sum.optimum.mean(sum.ways),
		StraightWays: sum.straight, PathRatio: sum.pathRatio.mean(sum.straight),
		LimitedWays: sum.limited, TimeRatio: sum.timeRatio.mean(sum.limited),
		FirstTime: sum.firstTime.mean(sum.agents), Effort: sum.firstWork.mean(sum.agents) / (2 * steerBenchFrame),
		Frames20: sum.steps > 0 && !sum.oddFrames,
		Steps:    sum.steps, Length: sum.length.value(), OrderSteps: sum.orderSteps, Order: sum.order.mean(sum.orderSteps),
	}
	sum.moves.count(&n)
	return n
}
