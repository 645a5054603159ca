package measure

import (
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TripMetrics measures how agents reach their goals: the duration, straightness, energy and smoothness of
// trips. Run it after agents have moved and before they leave the world, for instance in its own frame.
//
// TripMetrics keeps a record of each agent outside the world, so removed agents count as well. A trip begins
// when Begin sees the agent, when Goal.Since changes, or when the agent leaves its goal. It ends with an
// arrival (see systems.Arrivals, which must run before TripMetrics). TripMetrics skips rows with numbers that
// are not finite.
//
// TripMetrics reads Position, Velocity and, if present, Radius, Target, Goal and Limits.
type TripMetrics struct {
	Wrap r2.Box // m, box of systems.BoundsWrap; zero means none

	pos     frame.In[c.Position]
	vel     frame.In[c.Velocity]
	radius  frame.In[c.Radius]
	target  frame.In[c.Target]
	goal    frame.In[c.Goal]
	limits  frame.In[c.Limits]
	workers frame.Scratch[tripSums]

	records []record            // by entity ID
	moves   []moved             // by entity ID; empty until follow requests moves
	touches *ObstacleCollisions // in the same frame; nil means none
	gone    tripSums            // of reused records, and of a restored archive
	serial  uint32
	step    uint32
	rows    frame.Walk
	member  newcomers
	frame   *frame.Frame
}

func (s *TripMetrics) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel)
	n.Optional(&s.radius, &s.target, &s.goal, &s.limits)
	frame.Without[c.Obstacle](n)
	n.Scratch(&s.workers)
}

// Attach resets the measurements. It panics if TripMetrics is in another frame.
func (s *TripMetrics) Attach(f *frame.Frame, w *ecs.World) {
	if s.member.TripMetrics != nil {
		panic("crowd: TripMetrics is in two frames at once")
	}
	s.records, s.moves, s.gone, s.serial, s.step, s.frame = nil, nil, tripSums{}, 0, 0, f
	s.member = newcomers{TripMetrics: s}
	s.rows.Attach(f, w, &s.member)
}

// Detach releases what Attach registered.
func (s *TripMetrics) Detach(w *ecs.World) {
	s.rows.Detach(w)
	s.member = newcomers{}
}

// Begin creates records for all agents that have none, at their current positions. Call it before the
// first step, and again after adding agents: an agent without a record is measured from the end of its
// first step.
func (s *TripMetrics) Begin(w *ecs.World) {
	// Reserve room at once: growing step by step would leave more garbage behind.
	s.member.counts, s.member.ids = true, 0
	s.rows.Run(w)
	s.member.counts = false
	if n := s.member.ids - len(s.records); n > 0 {
		s.records = append(slices.Grow(s.records, n), make([]record, n)...)
	}
	s.rows.Run(w)
}

// Sense counts the step.
func (s *TripMetrics) Sense(*ecs.World) { s.step++ }

// follow requests the moves of all agents, from this step on. Call it in Sense.
func (s *TripMetrics) follow() {
	if n := len(s.records) - len(s.moves); n > 0 {
		s.moves = append(slices.Grow(s.moves, n), make([]moved, n)...)
	}
}

// Observe creates records for agents that were added without a call to Begin.
func (s *TripMetrics) Observe(w *ecs.World) {
	missed := false
	s.workers.Each(func(sum *tripSums) {
		missed = missed || sum.missed
		sum.missed = false
	})
	if missed {
		s.Begin(w)
	}
}

func (s *TripMetrics) of(e ecs.Entity) *record {
	if i := int(e.ID()); i < len(s.records) {
		if r := &s.records[i]; r.generation == e.Generation() && r.is.has(known) {
			return r
		}
	}
	return nil
}

// Jump records that an agent was moved to a position without a path. Call it before the step is measured. It
// also forgets the obstacles that the agent touched.
func (s *TripMetrics) Jump(e ecs.Entity, to r2.Vec) {
	if r := s.of(e); r != nil {
		r.jump(to)
	}
}

func (s *TripMetrics) Run(b *frame.Batch) {
	pos, vel, radius := s.pos.Of(b), s.vel.Of(b), s.radius.Of(b)
	target, goal, limits, sum := s.target.Of(b), s.goal.Of(b), s.limits.Of(b), s.workers.Of(b)
	sum.oddFrames = sum.oddFrames || math.Abs(b.Dt-steerBenchFrame) > 1e-9
	for i := range pos {
		e := b.Entity(i)
		r := s.of(e)
		if r == nil {
			sum.missed = true
			continue
		}
		if !vec.Finite(pos[i].Vec) || !vec.Finite(vel[i].Vec) {
			continue
		}
		if goal != nil {
			r.is |= aiming
			r.depart(&goal[i])
		}
		way, from := r.move(pos[i].Vec, s.Wrap)
		r.seen = s.step
		if id := int(e.ID()); id < len(s.moves) {
			m := &s.moves[id]
			if m.from, m.radius = from, 0; radius != nil {
				m.radius = radius[i].Meters
			}
		}
		if r.is.has(resting) {
			continue
		}
		length := vec.Norm(way)
		r.took += b.Dt
		r.length += length
		r.work += float64(vec.Norm2(vel[i].Vec) * b.Dt)
		r.step(way, length, b.Dt, &sum.moves)
		sum.steps++
		sum.length.add(length)
		if target != nil {
			sum.towards(vel[i].Vec, vec.Sub(target[i].Vec, from))
		}
		if goal != nil && goal[i].Visits != r.visits {
			maxSpeed := 0.
			if limits != nil {
				maxSpeed = limits[i].MaxSpeed
			}
			r.arrive(&goal[i], maxSpeed, sum)
		}
	}
}

// newcomersAtOnce is the number of rows between checks for an interrupt.
const newcomersAtOnce = 1024

type newcomers struct {
	*TripMetrics
	counts bool // only find the highest ID
	ids    int

	pos  frame.In[c.Position]
	vel  frame.In[c.Velocity]
	goal frame.In[c.Goal]
}

func (s *newcomers) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel)
	n.Optional(&s.goal)
	frame.Without[c.Obstacle](n)
}

func (s *newcomers) Run(b *frame.Batch) {
	pos, vel, goal := s.pos.Of(b), s.vel.Of(b), s.goal.Of(b)
	for i := range pos {
		if i%newcomersAtOnce == 0 && s.frame.Interrupted() {
			return
		}
		e := b.Entity(i)
		if s.counts {
			s.ids = max(s.ids, int(e.ID())+1)
			continue
		}
		if s.of(e) != nil || !vec.Finite(pos[i].Vec) || !vec.Finite(vel[i].Vec) {
			continue
		}
		if len(s.records) <= int(e.ID()) {
			continue // the frame has been interrupted
		}
		r := &s.records[e.ID()]
		if r.is.has(known) {
			s.gone.agent(r)
		}
		*r = record{generation: e.Generation(), is: known, at: pos[i].Vec, start: pos[i].Vec}
		if goal != nil {
			r.since, r.visits = goal[i].Since, goal[i].Visits
			if r.is |= aiming; goal[i].Inside {
				r.is |= resting
			}
		}
	}
}

// The energy of walking is (standing + walking·|v|²)·dt per kilogram. Source: Guy et al., "PLEdestrians",
// 2010.
const (
	standing = 2.23 // J/(kg·s)
	walking  = 1.26 // J·s/(kg·m²)

	steerBenchFrame = 0.05 // s
)

// TripCount holds the measurements of TripMetrics since the frame was initialized. A mean of no values is
// 0. The time that agents rest at their Goal is not measured.
type TripCount struct {
	Agents   int // agents with a Goal
	Arrived  int // agents that arrived
	Unharmed int // agents that arrived and have no counted collision

	Trips         int     // trips that ended with an arrival
	Energy        float64 // J/kg, Σ(2.23 + 1.26|v|²)dt, mean over Trips
	EnergyOptimum float64 // J/kg, 2·L·√(2.23·1.26), mean over Trips; L is the straight distance

	StraightTrips int     // trips that do not end exactly at their start
	PathRatio     float64 // length divided by straight distance, mean over StraightTrips
	LimitedTrips  int     // StraightTrips of agents with a maximum speed above 0
	TimeRatio     float64 // time divided by the time for the straight distance at maximum speed, mean over LimitedTrips

	FirstTime float64 // s, duration of the trip to the first arrival, or so far, mean over Agents
	Effort    float64 // m²/s², ∫½|v|²dt over FirstTime, divided by 0.05 s, mean over Agents; comparable with SteerBench if Frames20
	Frames20  bool    // there was at least one step, and all were 0.05 s long

	Steps      int     // agent-steps
	Length     float64 // m, total length of all paths
	OrderSteps int     // agent-steps with a velocity and a target
	Order      float64 // mean cosine of the angle between the velocity and the direction from the agent's previous position to the target

	// These fields are measured from positions every 0.4 s, or every step if steps are longer. A move
	// goes from one such position to the next, at its mean velocity.

	Line         float64 // m, straight length of all moves
	Wiggle       float64 // length of the paths of all moves, step by step, divided by Line
	Seconds      float64 // s, total duration of moves that follow another move of the same trip
	Acceleration float64 // m/s², Σ|Δv| between such moves, divided by Seconds
	Reversals    float64 // 1/s, turns of more than 90° between two moves longer than 0.02 m, divided by Seconds
	TurnSeconds  float64 // s, part of Seconds in which both moves are longer than 0.02 m
	Turning      float64 // degrees/s, angles between such moves, averaged over TurnSeconds
}

type tripSums struct {
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

func (s *tripSums) towards(v, to r2.Vec) {
	if v != (r2.Vec{}) && to != (r2.Vec{}) {
		s.orderSteps++
		s.order.add(vec.Dot(vec.Unit(v), vec.Unit(to)))
	}
}

func (s *tripSums) way(r *record, maxSpeed float64) {
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

func (s *tripSums) first(r *record) {
	s.firstTime.add(r.took)
	s.firstWork.add(r.work)
}

func (s *tripSums) agent(r *record) {
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

func (s *tripSums) merge(t *tripSums) {
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

func (s *TripMetrics) sum() tripSums {
	sum := s.gone
	s.workers.Each(func(t *tripSums) { sum.merge(t) })
	return sum
}

// Count returns the measurements since the frame was initialized.
func (s *TripMetrics) Count() TripCount {
	sum := s.sum()
	for i := range s.records {
		sum.agent(&s.records[i])
	}
	n := TripCount{
		Agents: sum.agents, Arrived: sum.arrived, Unharmed: sum.unharmed,
		Trips: sum.ways, Energy: sum.energy.mean(sum.ways), EnergyOptimum: sum.optimum.mean(sum.ways),
		StraightTrips: sum.straight, PathRatio: sum.pathRatio.mean(sum.straight),
		LimitedTrips: sum.limited, TimeRatio: sum.timeRatio.mean(sum.limited),
		FirstTime: sum.firstTime.mean(sum.agents), Effort: sum.firstWork.mean(sum.agents) / (2 * steerBenchFrame),
		Frames20: sum.steps > 0 && !sum.oddFrames,
		Steps:    sum.steps, Length: sum.length.value(), OrderSteps: sum.orderSteps, Order: sum.order.mean(sum.orderSteps),
	}
	sum.moves.count(&n)
	return n
}
