package measure

import (
	"math"
	"sync/atomic"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

const sampleNearest = 8 // one in this many steps is sampled

// AgentCollisions measures encounters between agents. Put it after TripMetrics, which records positions.
//
// A collision is a penetration of more than a millimeter, counted once until the pair separates. Agents are
// assumed to move at constant velocity during a step, and their closest approach counts, so no collision is
// missed. Agents do not meet across edges that systems.BoundsWrap joins.
//
// The number of pairs grows with the square of the number of agents at one position. Measuring ends if
// more than 262,144 pairs and more than 64 per agent touch in a step, or if hundreds of agents share a
// cell on average: see Exceeded.
type AgentCollisions struct {
	TripMetrics *TripMetrics // in the same frame, before this system
	Off         bool         // turns measuring off; may change between steps

	frame   *frame.Frame
	grid    bodyGrid
	steps   int
	wide    float64 // m, cell width of the next sample
	share   func(int)
	next    atomic.Int64
	workers []encounterWorker

	touching, before pairSet
	count            AgentCollisionCount
	time, depth      exactSum
	nearest          histogram
}

// AgentCollisionCount holds the counts of AgentCollisions since the frame was initialized.
type AgentCollisionCount struct {
	Collisions      int     // pairs, once per encounter
	Penetration     float64 // m, sum over collisions of the maximum depth
	MaxPenetration  float64 // m
	TimeInCollision float64 // s, sum over pairs
	LeastClearance  float64 // m, between two bodies; below 0 if they overlap, +Inf if no pair was seen, inexact above 0.2 m
	Close           int     // agent-steps with a clearance below 0.2 m
	Steps           int     // agent-steps
	Exceeded        bool    // measuring ended because too many agents were at one position
}

type touch struct {
	a, b  uint32  // record indexes
	depth float64 // m
	share float64 // fraction of the step
}

type encounterWorker struct {
	touches []touch
	close   int
	least   float64
	_       [64]byte
}

// Attach resets the counts. It panics if TripMetrics is nil.
func (s *AgentCollisions) Attach(f *frame.Frame, _ *ecs.World) {
	if s.TripMetrics == nil {
		panic("crowd: AgentCollisions.TripMetrics is nil, want the TripMetrics of the same frame")
	}
	*s = AgentCollisions{TripMetrics: s.TripMetrics, Off: s.Off, frame: f}
	s.workers = make([]encounterWorker, f.NumWorkers())
	s.share = s.look
	s.count.LeastClearance = math.Inf(1)
}

// Detach does nothing.
func (s *AgentCollisions) Detach(*ecs.World) {}

// Sense requests the moves of all agents.
func (s *AgentCollisions) Sense(*ecs.World) {
	if !s.Off && !s.count.Exceeded {
		s.TripMetrics.follow()
	}
}

// Observe measures the step.
func (s *AgentCollisions) Observe(w *ecs.World) {
	if s.Off || s.count.Exceeded {
		s.touching.reset()
		return
	}
	s.grid.gather(s.TripMetrics)
	width, n := 0., len(s.grid.bodies)
	sample := s.steps%sampleNearest == 0 && n >= 2
	if sample {
		width = s.wide
	}
	for {
		s.grid.sort(width)
		if s.grid.crowded(densest) {
			s.exceed()
			return
		}
		s.run()
		if !sample || 8*s.grid.seen() >= 7*n || s.grid.crowded(ample) {
			break
		}
		width = 1.5 * s.grid.size
	}
	if sample {
		s.grid.fill(&s.nearest)
		s.wide = s.grid.size / 1.25
	}
	s.steps++
	s.merge(frame.ClockOf(w).Dt)
}

func (s *AgentCollisions) run() {
	for i := range s.workers {
		w := &s.workers[i]
		w.touches, w.close, w.least = w.touches[:0], 0, math.Inf(1)
	}
	s.next.Store(0)
	workers := max(1, min(len(s.workers), len(s.grid.bodies)/1024))
	s.frame.Share(workers, s.share)
}

func (s *AgentCollisions) look(id int) {
	const some = 256
	w, n := &s.workers[id], len(s.grid.bodies)
	for {
		end := int(s.next.Add(some))
		if end-some >= n || s.frame.Interrupted() {
			return
		}
		for i := end - some; i < min(end, n); i++ {
			s.around(i, w)
		}
	}
}

func (s *AgentCollisions) around(i int, w *encounterWorker) {
	g := &s.grid
	b, clearance, near := &g.bodies[i], math.Inf(1), math.Inf(1)
	within := float64(g.size * g.size)
	if i >= g.small {
		within = math.Inf(1)
	}
	far := w.least > closeBy && s.count.LeastClearance > closeBy
	spans, n := g.spans(i)
	for _, sp := range spans[:n] {
		for j := sp.lo; j < sp.hi; j++ {
			o := &g.bodies[j]
			x, y := o.middle.X-b.middle.X, o.middle.Y-b.middle.Y
			d2 := float64(x*x) + float64(y*y)
			if d2 > within && j < g.small || j == i {
				continue
			}
			half := r2.Vec{X: o.half.X - b.half.X, Y: o.half.Y - b.half.Y}
			near = min(near, vec.Norm2(r2.Vec{X: x + half.X, Y: y + half.Y}))
			if reach := b.reach + o.reach; far || d2 <= float64(reach*reach) {
				dp := r2.Vec{X: x - half.X, Y: y - half.Y}
				clearance = min(clearance, s.meet(b, o, dp, vec.Scale(2, half), w))
			}
		}
	}
	g.near[i] = near
	w.least = min(w.least, clearance)
	if clearance < closeBy {
		w.close++
	}
}

// meet returns the minimum clearance between a and b during the step, in which b moves from dp by dv,
// relative to a. If the bodies collide and a has the lower record, meet adds a touch.
func (s *AgentCollisions) meet(a, b *body, dp, dv r2.Vec, w *encounterWorker) float64 {
	radii := a.radius + b.radius
	_, d := approach(dp, dv, 1)
	if depth := radii - d; depth > tolerance && a.record < b.record {
		w.touches = append(w.touches, touch{a.record, b.record, depth, nearShare(dp, dv, radii-tolerance)})
	}
	return d - radii
}

func (s *AgentCollisions) merge(dt float64) {
	pairs, n := 0, len(s.grid.bodies)
	for i := range s.workers {
		pairs += len(s.workers[i].touches)
	}
	if pairs > max(1<<18, 64*n) {
		s.exceed()
		return
	}
	s.before, s.touching = s.touching, s.before
	s.touching.reset()
	for i := range s.workers {
		w := &s.workers[i]
		for k := range w.touches {
			s.touched(&w.touches[k], dt)
		}
		s.count.Close += w.close
		s.count.LeastClearance = min(s.count.LeastClearance, w.least)
	}
	s.count.Steps += n
}

func (s *AgentCollisions) touched(t *touch, dt float64) {
	a, b := &s.TripMetrics.records[t.a], &s.TripMetrics.records[t.b]
	key := pairKey(s.TripMetrics.moves[t.a].serial, s.TripMetrics.moves[t.b].serial)
	deepest, again := s.before.get(key)
	if !again {
		s.count.Collisions++
		a.collide()
		b.collide()
	}
	s.depth.add(max(0, t.depth-deepest))
	s.time.add(t.share * dt)
	s.count.MaxPenetration = max(s.count.MaxPenetration, t.depth)
	s.touching.put(key, max(deepest, t.depth))
}

func (s *AgentCollisions) exceed() {
	s.count.Exceeded = true
	s.grid, s.touching, s.before = bodyGrid{}, pairSet{}, pairSet{}
}

// Count returns the counts since the frame was initialized.
func (s *AgentCollisions) Count() AgentCollisionCount {
	n := s.count
	n.Penetration, n.TimeInCollision = s.depth.value(), s.time.value()
	return n
}

// Nearest returns a quantile of the distance, in meters, from an agent's center to the nearest other
// center after a step, over the agent-steps of one step in eight; a share of 0.5 gives the median. For up
// to one agent in eight, or more in very dense crowds, a nearer agent may be missed. Between 1 mm and 4 km,
// the quantile is accurate to half a percent. Nearest returns false if too few agents saw another agent.
func (s *AgentCollisions) Nearest(share float64) (float64, bool) {
	d2, ok := s.nearest.quantile(share)
	return math.Sqrt(d2), ok
}

const (
	tolerance = 0.001 // m, depth beyond which an overlap is a collision
	closeBy   = 0.2   // m, clearance below which bodies are close
)

// pairSet is a hash table with open addressing, which keeps its memory when cleared.
type pairSet struct {
	entries []pairEntry
	n       int
}

// A pairEntry with key 0 is empty.
type pairEntry struct {
	key   uint64
	depth float64
}

func pairKey(a, b uint32) uint64 {
	return uint64(min(a, b))<<32 | uint64(max(a, b))
}

func (s *pairSet) get(key uint64) (float64, bool) {
	if s.n == 0 {
		return 0, false
	}
	e := &s.entries[s.find(key)]
	return e.depth, e.key == key
}

func (s *pairSet) put(key uint64, depth float64) {
	if 2*(s.n+1) > len(s.entries) {
		s.grow()
	}
	e := &s.entries[s.find(key)]
	if e.key == 0 {
		s.n++
	}
	*e = pairEntry{key, depth}
}

func (s *pairSet) find(key uint64) int {
	mask := len(s.entries) - 1
	i := int(hash.Mix(key)) & mask
	for s.entries[i].key != 0 && s.entries[i].key != key {
		i = (i + 1) & mask
	}
	return i
}

func (s *pairSet) grow() {
	old := s.entries
	s.entries = make([]pairEntry, max(64, 2*len(old)))
	for _, e := range old {
		if e.key != 0 {
			s.entries[s.find(e.key)] = e
		}
	}
}

func (s *pairSet) reset() {
	if s.n > 0 {
		clear(s.entries)
	}
	s.n = 0
}

// approach returns the time in [0, until] at which two points are nearest to each other, and their
// distance then. One point is at offset dp from the other, and moves at velocity dv relative to it.
//
// Source: closest approach of two movers, at time -dp·dv/|dv|².
func approach(dp, dv r2.Vec, until float64) (t, distance float64) {
	if closing := -vec.Dot(dp, dv); closing > 0 {
		t = min(closing/vec.Norm2(dv), until)
	}
	return t, vec.Norm(vec.AddScaled(dp, t, dv))
}

// nearShare returns the fraction of the time from 0 to 1 in which two points, as in approach, are nearer than
// the given distance.
func nearShare(dp, dv r2.Vec, distance float64) float64 {
	a, b := vec.Norm2(dv), vec.Dot(dp, dv)
	c := vec.Norm2(dp) - float64(distance*distance)
	if a == 0 {
		if c < 0 {
			return 1
		}
		return 0
	}
	d := float64(b*b) - float64(a*c)
	if !(d > 0) {
		return 0
	}
	root := math.Sqrt(d)
	return max(0, min((root-b)/a, 1)-max((-root-b)/a, 0))
}
