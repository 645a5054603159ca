package measure

import (
	"fmt"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// MeasurementLine is a line from A to B, in meters, at which Measurements counts agents.
type MeasurementLine struct{ A, B r2.Vec }

// MaxLines is the maximum length of Measurements.Lines.
const MaxLines = 64

// Measurements measures a crowd at lines and in areas. Put it into the frame of TripMetrics, after
// TripMetrics, which records positions.
//
// An agent passes a line if the straight path of its center in a step crosses the line, in either direction.
// Only an agent's first crossing counts; its time is interpolated, and its speed is the displacement in the
// step divided by Dt. An agent is in an area if its center is inside after the step; the upper and right edges
// are outside. If systems.BoundsWrap moves an agent across an edge, the path ends at the new position and
// begins outside the box.
//
// Measurements reads Position and the records of TripMetrics.
//
// Source: Seyfried et al., "New insights into pedestrian flow through bottlenecks", 2009, J = (N-1)/Δt;
// the first crossing counts, as in PedPy's compute_n_t.
type Measurements struct {
	TripMetrics *TripMetrics      // in the same frame, before this system
	Lines       []MeasurementLine // at most MaxLines
	Areas       []r2.Box          // m

	pos     frame.In[c.Position]
	workers frame.Scratch[measurementSums]
	passed  []passed // by entity ID
	lines   []lineSum
	areas   []areaSum
}

// LineCount holds the measurements at a line since the frame was initialized.
type LineCount struct {
	Passed      int     // agents
	First, Last float64 // s, times of the first and the last crossing; 0 without crossings
	Speed       float64 // m/s, mean at the crossings; 0 without crossings
}

// Flow returns (N-1)/Δt, in 1/s, for N agents and the time Δt from the first crossing to the last, or
// false if N is less than 2 or Δt is 0.
func (n *LineCount) Flow() (float64, bool) {
	if took := n.Last - n.First; n.Passed > 1 && took > 0 {
		return float64(n.Passed-1) / took, true
	}
	return 0, false
}

// AreaCount holds the measurements in an area since the frame was initialized.
type AreaCount struct {
	Steps      int     // agent-steps in the area
	Time       float64 // s, with at least one agent in the area
	Density    float64 // agents/m², mean over Time
	MaxDensity float64 // agents/m², maximum after a step
	Speed      float64 // m/s, mean over Steps
}

type passed struct {
	generation uint32
	lines      uint64 // bit k means that the entity has passed Lines[k]
}

type measurementSums struct {
	lines []lineSum
	areas []areaSum
}

type lineSum struct {
	passed      int
	first, last float64
	speed       exactSum
}

type areaSum struct {
	now, steps  int // agents in this step, and agent-steps so far
	most        int
	time, agent exactSum // s
	speed       exactSum
}

func (s *Measurements) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	frame.Without[c.Obstacle](n)
	n.Scratch(&s.workers)
	s.lines, s.areas = newMeasurementSums(s)
	s.workers.Init(func(sum *measurementSums) { sum.lines, sum.areas = newMeasurementSums(s) })
}

func newMeasurementSums(s *Measurements) ([]lineSum, []areaSum) {
	lines := make([]lineSum, len(s.Lines))
	for i := range lines {
		lines[i].first, lines[i].last = math.Inf(1), -math.Inf(1)
	}
	return lines, make([]areaSum, len(s.Areas))
}

// Attach forgets which lines agents have passed. It panics if TripMetrics is nil or Lines is longer than
// MaxLines.
func (s *Measurements) Attach(*frame.Frame, *ecs.World) {
	switch {
	case s.TripMetrics == nil:
		panic("crowd: Measurements.TripMetrics is nil, want the TripMetrics of the same frame")
	case len(s.Lines) > MaxLines:
		panic(fmt.Sprintf("crowd: Measurements has %d lines, want at most %d", len(s.Lines), MaxLines))
	}
	s.passed = nil
}

// Detach does nothing.
func (s *Measurements) Detach(*ecs.World) {}

// Sense requests the moves of all agents.
func (s *Measurements) Sense(*ecs.World) {
	s.TripMetrics.follow()
	if n := len(s.TripMetrics.records) - len(s.passed); n > 0 && len(s.Lines) > 0 {
		s.passed = append(slices.Grow(s.passed, n), make([]passed, n)...)
	}
}

func (s *Measurements) Run(b *frame.Batch) {
	sum := s.workers.Of(b)
	for i := range s.pos.Of(b) {
		id := int(b.Entity(i).ID())
		r := s.TripMetrics.of(b.Entity(i))
		if r == nil || r.seen != s.TripMetrics.step {
			continue // no record, or a number that is not finite
		}
		from := s.TripMetrics.moves[id].from
		way := vec.Sub(r.at, from)
		speed := 0.
		if b.Dt > 0 {
			speed = vec.Norm(way) / b.Dt
		}
		for k := range s.Areas {
			if a := &s.Areas[k]; r.at.X >= a.Min.X && r.at.X < a.Max.X && r.at.Y >= a.Min.Y && r.at.Y < a.Max.Y {
				sum.areas[k].now++
				sum.areas[k].speed.add(speed)
			}
		}
		if id >= len(s.passed) {
			continue
		}
		seen := &s.passed[id]
		if seen.generation != r.generation {
			*seen = passed{generation: r.generation}
		}
		for k := range s.Lines {
			if seen.lines&(1<<k) != 0 {
				continue
			}
			if share, ok := s.Lines[k].crossed(from, r.at); ok {
				seen.lines |= 1 << k
				sum.lines[k].add(b.Time+float64(share*b.Dt), speed)
			}
		}
	}
}

// crossed returns the fraction of the path from p to q at which the path crosses the line, or false if it
// does not. Points on the line belong to its left side, so a step that ends on the line does not count twice.
func (l *MeasurementLine) crossed(p, q r2.Vec) (share float64, ok bool) {
	along := vec.Sub(l.B, l.A)
	before, after := vec.Cross(along, vec.Sub(p, l.A)), vec.Cross(along, vec.Sub(q, l.A))
	if (before >= 0) == (after >= 0) {
		return 0, false
	}
	share = min(max(before/(before-after), 0), 1)
	at := vec.Dot(along, vec.Sub(vec.AddScaled(p, share, vec.Sub(q, p)), l.A))
	return share, at >= 0 && at <= vec.Norm2(along)
}

func (s *lineSum) add(time, speed float64) {
	s.passed++
	s.first, s.last = min(s.first, time), max(s.last, time)
	s.speed.add(speed)
}

// Observe counts the agents in each area after the step.
func (s *Measurements) Observe(w *ecs.World) {
	dt := frame.ClockOf(w).Dt
	for k := range s.areas {
		a, now := &s.areas[k], 0
		s.workers.Each(func(sum *measurementSums) {
			now += sum.areas[k].now
			sum.areas[k].now = 0
		})
		if now > 0 {
			a.steps += now
			a.most = max(a.most, now)
			a.time.add(dt)
			a.agent.add(float64(now) * dt)
		}
	}
}

func (s *Measurements) sum() (all measurementSums) {
	all.lines, all.areas = newMeasurementSums(s)
	s.workers.Each(func(sum *measurementSums) {
		for k := range all.lines {
			to, one := &all.lines[k], &sum.lines[k]
			to.passed += one.passed
			to.first, to.last = min(to.first, one.first), max(to.last, one.last)
			to.speed.merge(one.speed)
		}
		for k := range all.areas {
			all.areas[k].speed.merge(sum.areas[k].speed)
		}
	})
	return all
}

// Line returns the measurements at Lines[k].
func (s *Measurements) Line(k int) LineCount {
	all := s.sum().lines[k]
	if all.passed == 0 {
		return LineCount{}
	}
	return LineCount{Passed: all.passed, First: all.first, Last: all.last, Speed: all.speed.mean(all.passed)}
}

// Area returns the measurements in Areas[k].
func (s *Measurements) Area(k int) AreaCount {
	a, speed := s.areas[k], s.sum().areas[k].speed
	n := AreaCount{Steps: a.steps, Time: a.time.value(), Speed: speed.mean(a.steps)}
	size := vec.Sub(s.Areas[k].Max, s.Areas[k].Min)
	if square := float64(size.X * size.Y); n.Time > 0 && square > 0 {
		n.Density, n.MaxDensity = a.agent.value()/n.Time/square, float64(a.most)/square
	}
	return n
}
