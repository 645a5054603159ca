package world

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// measures holds the measuring systems. Its methods accept a nil receiver.
type measures struct {
	frame              *frame.Frame
	obstacleCollisions *measure.ObstacleCollisions
	trips              *measure.TripMetrics
	agentCollisions    *measure.AgentCollisions
	measurements       *measure.Measurements // nil without lines and areas
	times              []float64             // s, durations of the trips that ended in an arrival
}

func newMeasures(w *World) *measures {
	m := &measures{trips: &measure.TripMetrics{}}
	m.obstacleCollisions = &measure.ObstacleCollisions{Obstacles: w.Obstacles, TripMetrics: m.trips}
	m.agentCollisions = &measure.AgentCollisions{TripMetrics: m.trips, Off: !w.config.Safety}
	m.trips.Wrap = w.config.wrap()
	list := []any{m.obstacleCollisions, m.trips, m.agentCollisions}
	if len(w.config.Lines)+len(w.config.Areas) > 0 {
		m.measurements = &measure.Measurements{TripMetrics: m.trips, Lines: w.config.Lines, Areas: w.config.Areas}
		list = append(list, m.measurements)
	}
	m.frame = w.frame(list...)
	m.frame.Initialize(w.ECS)
	return m
}

func (m *measures) begin(w *World) {
	if m == nil || !w.newcomers {
		return
	}
	w.newcomers = false
	m.trips.Begin(w.ECS)
	m.times = slices.Grow(m.times, max(0, w.counts.Goals-len(m.times)))
}

// update must run after agents have moved and before any are removed.
func (m *measures) update(w *World) {
	if m != nil {
		m.frame.Update(w.ECS)
	}
}

func (m *measures) jump(e ecs.Entity, to r2.Vec) {
	if m != nil {
		m.trips.Jump(e, to)
	}
}

func (m *measures) arrived(a systems.Arrived) {
	if m != nil {
		m.times = append(m.times, a.Took)
	}
}

func (m *measures) count(s *Stats) {
	if m == nil {
		return
	}
	s.ObstacleCollisions, s.Trips = m.obstacleCollisions.Count(), m.trips.Count()
	if n := len(m.times); n > 0 {
		times := slices.Clone(m.times)
		slices.Sort(times)
		rank := func(share float64) float64 { return times[max(0, int(math.Ceil(share*float64(n)))-1)] }
		s.Times.Median, s.Times.P95, s.Times.Max = rank(0.5), rank(0.95), times[n-1]
	}
	if g := m.measurements; g != nil {
		for k := range g.Lines {
			s.Lines = append(s.Lines, g.Line(k))
		}
		for k := range g.Areas {
			s.Areas = append(s.Areas, g.Area(k))
		}
	}
	if m.agentCollisions.Off {
		return
	}
	s.AgentCollisions = m.agentCollisions.Count()
	near := &s.Nearest
	near.Known = true
	for _, p := range []struct {
		share float64
		to    *float64
	}{{0.01, &near.P1}, {0.05, &near.P5}, {0.5, &near.P50}} {
		known := false
		*p.to, known = m.agentCollisions.Nearest(p.share)
		near.Known = near.Known && known
	}
}

// Stats holds the counts of a crowd since it was created.
type Stats struct {
	Steps    int
	Agents   int           // rows processed in the last step
	StepTime time.Duration // of the last step, without measurements

	Goals           int     // agents spawned with a Goal
	Arrived         int     // including repeated arrivals
	ArrivedOnce     int     // agents that arrived at least once
	Departed        int     // agents removed on arrival
	Waiting         int     // agents due from sources, but without room
	MeanArrivalTime float64 // s, from the start of a trip to the arrival; 0 without arrivals
	Skipped         uint64  // rows skipped because a number was not finite

	Looked  uint64 // scans for obstacles, one per agent per step
	Threats uint64 // scans that found an obstacle

	Looks     uint64 // searches for neighbors: see sense.Neighbors.Met
	Neighbors uint64 // neighbors found by these searches

	ObstacleCollisions measure.ObstacleCollisionCount // zero without Config.Measure
	Trips              measure.TripCount              // zero without Config.Measure
	AgentCollisions    measure.AgentCollisionCount    // zero without Config.Safety
	Lines              []measure.LineCount            // for Config.Lines
	Areas              []measure.AreaCount            // for Config.Areas
	Frame              frame.Stats                    // with times if Config.Profile is set

	// Times holds percentiles of the time from the start of a trip to the arrival, in s, by the
	// nearest-rank method. They are 0 without arrivals or Config.Measure.
	Times struct{ Median, P95, Max float64 }

	// Nearest holds percentiles of the distance to the nearest other agent, in m between centers, over
	// a sample of the steps. Known is false without Config.Safety, or if too few agents were near
	// another agent: see measure.AgentCollisions.Nearest.
	Nearest struct {
		P1, P5, P50 float64
		Known       bool
	}

	arrivalTime float64
}

// Stats returns the counts of the crowd or, after an undone step, those of the checkpoint.
func (w *World) Stats() Stats {
	if w.final != nil {
		return *w.final
	}
	s := w.counts
	s.Frame = w.Frame.Stats()
	s.Agents, s.Skipped = s.Frame.Rows, s.Frame.Skipped
	s.Looked, s.Threats = w.scan.Scanned()
	if s.Arrived > 0 {
		s.MeanArrivalTime = s.arrivalTime / float64(s.Arrived)
	}
	s.Looks, s.Neighbors = w.Neighbors.Met()
	w.measures.count(&s)
	for _, from := range w.sources {
		s.Waiting += from.Waiting(w.Clock.Time)
	}
	return s
}

// Departed returns the number of agents removed on arrival; see components.Goal.
func (w *World) Departed() int { return w.counts.Departed }

// StepTime returns the duration of the last step, excluding measurements.
func (in Inspector) StepTime() time.Duration { return in.world.counts.StepTime }

// AddTracked adds an entity to the resource TrackedEntities and returns its index, for
// systems.Stop.Other. The entity may be zero until SetTracked replaces it.
func (w *World) AddTracked(e ecs.Entity) uint32 {
	all := resource(w.ECS, &systems.TrackedEntities{})
	*all = append(*all, c.TrackedEntity{})
	w.SetTracked(uint32(len(*all)-1), e)
	return uint32(len(*all) - 1)
}

// SetTracked replaces the tracked entity with the given index. It panics if there is no such index.
func (w *World) SetTracked(index uint32, e ecs.Entity) {
	all := *resource(w.ECS, &systems.TrackedEntities{})
	if int(index) >= len(all) {
		panic(fmt.Sprintf("crowd: SetTracked with index %d, but the number of tracked entities is %d", index, len(all)))
	}
	all[index] = w.tracked(c.TrackedEntity{Entity: e})
}

func (w *World) tracked(s c.TrackedEntity) c.TrackedEntity {
	if s.Entity.IsZero() {
		return s
	}
	s.Seen = false
	if !w.ECS.Alive(s.Entity) {
		return s
	}
	p, ok := look[c.Position](w, s.Entity)
	v, _ := look[c.Velocity](w, s.Entity)
	if ok && vec.Finite(p.Vec) && vec.Finite(v.Vec) {
		s.At, s.Velocity, s.Seen = p.Vec, v.Vec, true
	}
	return s
}

// EntityState is an entity with all its components as text. Equal entities have equal JSON on all
// machines.
type EntityState struct {
	Agent      uint64      `json:"agent,omitempty"` // ID; 0 without Agent
	Entity     uint32      `json:"entity"`          // see ecs.Entity
	Generation uint32      `json:"generation,omitempty"`
	Components []Component `json:"components"` // ordered by name
}

// States returns an iterator over all entities: first agents, by ID, then all others, by entity ID. Each
// entity takes microseconds. The world must not change meanwhile.
func (in Inspector) States() iter.Seq[EntityState] {
	w := in.world
	return func(yield func(EntityState) bool) {
		var all []identified
		for q := w.ECS.Query(ecs.All()); q.Next(); {
			all = append(all, identified{entity: q.Entity()})
		}
		for i := range all {
			if agent, is := look[c.Agent](w, all[i].entity); is {
				all[i].id = agent.ID
			}
		}
		slices.SortFunc(all, func(a, b identified) int {
			return cmp.Or(cmp.Compare(a.id-1, b.id-1), cmp.Compare(a.entity.ID(), b.entity.ID())) // ID 0 comes last
		})
		for _, x := range all {
			if !yield(EntityState{x.id, x.entity.ID(), x.entity.Generation(), componentsOf(w.ECS, x.entity)}) {
				return
			}
		}
	}
}
