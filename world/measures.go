package world

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// measures is what a world measures beside the steps. A nil one does nothing.
type measures struct {
	frame      *frame.Frame
	contacts   *measure.ObstacleCollisions
	journeys   *measure.TripMetrics
	encounters *measure.AgentCollisions
	gauges     *measure.Measurements // nil: neither lines nor areas
	times      []float64             // s, of arrivals
}

func newMeasures(w *World) *measures {
	m := &measures{journeys: &measure.TripMetrics{}}
	m.contacts = &measure.ObstacleCollisions{Obstacles: w.Obstacles, TripMetrics: m.journeys}
	m.encounters = &measure.AgentCollisions{TripMetrics: m.journeys, Off: !w.config.Safety}
	m.journeys.Wrap = w.config.wrap()
	list := []any{m.contacts, m.journeys, m.encounters}
	if len(w.config.Lines)+len(w.config.Areas) > 0 {
		m.gauges = &measure.Measurements{TripMetrics: m.journeys, Lines: w.config.Lines, Areas: w.config.Areas}
		list = append(list, m.gauges)
	}
	m.frame = w.frame(list...)
	m.frame.Initialize(w.ECS)
	return m
}

// MeasureSafety begins to measure how agents meet one another, as Config.Safety
// does from the start. It panics if the world measures nothing.
func (w *World) MeasureSafety() {
	if w.measures == nil {
		panic("crowd: MeasureSafety of a world without Config.Measure")
	}
	w.config.Safety, w.measures.encounters.Off = true, false
}

// begin takes note of agents that were spawned since the last step.
func (m *measures) begin(w *World) {
	if m == nil || !w.newcomers {
		return
	}
	w.newcomers = false
	m.journeys.Begin(w.ECS)
	m.times = slices.Grow(m.times, max(0, w.counts.Goals-len(m.times)))
}

// update measures a step, when agents have moved and before any is removed.
func (m *measures) update(w *World) {
	if m != nil {
		m.frame.Update(w.ECS)
	}
}

// jump says that an agent was put to another place.
func (m *measures) jump(e ecs.Entity, to r2.Vec) {
	if m != nil {
		m.journeys.Jump(e, to)
	}
}

// taken says who came through portals in the step.
func (m *measures) taken(list []systems.Taken) {
	for _, x := range list {
		m.jump(x.Entity, x.To)
	}
}

// touching returns the obstacles that an agent touches, and how many.
func (m *measures) touching(e ecs.Entity) (obstacles [4]ecs.Entity, n int) {
	if m != nil {
		return m.contacts.Touching(e)
	}
	return obstacles, 0
}

func (m *measures) arrived(a systems.Arrived) {
	if m != nil {
		m.times = append(m.times, a.Took)
	}
}

// count fills in what was measured.
func (m *measures) count(s *Stats) {
	if m == nil {
		return
	}
	s.ObstacleCollisions, s.Trips = m.contacts.Count(), m.journeys.Count()
	if n := len(m.times); n > 0 {
		times := slices.Clone(m.times)
		slices.Sort(times)
		rank := func(share float64) float64 { return times[max(0, int(math.Ceil(share*float64(n)))-1)] }
		s.Times = ArrivalTimes{Median: rank(0.5), P95: rank(0.95), Max: times[n-1]}
	}
	if g := m.gauges; g != nil {
		for k := range g.Lines {
			s.Lines = append(s.Lines, g.Line(k))
		}
		for k := range g.Areas {
			s.Areas = append(s.Areas, g.Area(k))
		}
	}
	if m.encounters.Off {
		return
	}
	s.AgentCollisions = m.encounters.Count()
	near := &s.Nearest
	near.Known = true
	for _, p := range []struct {
		share float64
		to    *float64
	}{{0.01, &near.P1}, {0.05, &near.P5}, {0.5, &near.P50}} {
		known := false
		*p.to, known = m.encounters.Nearest(p.share)
		near.Known = near.Known && known
	}
}
