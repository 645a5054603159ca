package measure

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// How agents move is measured from one mark to the next, not from step to step: so
// the figures do not depend on the length of a step, and compare with recorded people.
const (
	markEvery = 0.4  // s
	leastMove = 0.02 // m, of shorter moves the direction says nothing
)

// move is what an agent does from one mark to the next. Single precision is enough
// for so short a way, and there is one for each agent.
type move struct {
	way    [2]float32 // m, straight on
	before [2]float32 // m/s, mean velocity of the move before, if there was one
	along  float32    // m, the length of the way
}

// moveSums is what a worker adds up of the moves from mark to mark.
type moveSums struct {
	length, line         exactSum // m, of the way at every step, and straight on
	seconds, change      exactSum // s, and m/s of |Δv|, of moves that follow one
	turnSeconds, turning exactSum // s, and radians, where both moves have a direction
	reversals            int
}

// step adds the way of a step to the move, and ends the move where the next mark is
// due: after the whole number of steps that is nearest to markEvery, but at least one.
func (r *record) step(way r2.Vec, length, dt float64, sum *moveSums) {
	m := &r.last
	m.way = single(vec.Add(double(m.way), way))
	m.along += float32(length)
	r.elapsed += dt // the length of a step may change
	took, moved := r.elapsed, double(m.way)
	if took < markEvery-float64(dt/2) {
		return
	}
	sum.length.add(float64(m.along))
	sum.line.add(vec.Norm(moved))
	velocity := vec.Scale(1/took, moved)
	if r.is.has(marked) {
		sum.follow(double(m.before), velocity, took)
	}
	*m, r.elapsed = move{before: single(velocity)}, 0
	r.is |= marked
}

func single(v r2.Vec) [2]float32 { return [2]float32{float32(v.X), float32(v.Y)} }
func double(v [2]float32) r2.Vec { return r2.Vec{X: float64(v[0]), Y: float64(v[1])} }

// mark begins with the moves anew.
func (r *record) mark() {
	r.last, r.elapsed = move{}, 0
	r.is &^= marked
}

// follow adds a move at a mean velocity after one at another.
func (s *moveSums) follow(before, v r2.Vec, took float64) {
	s.seconds.add(took)
	s.change.add(vec.Norm(vec.Sub(v, before)))
	if !(vec.Norm(before)*took > leastMove && vec.Norm(v)*took > leastMove) {
		return
	}
	turn := math.Abs(vec.Angle(before, v))
	s.turnSeconds.add(took)
	s.turning.add(turn)
	if turn > math.Pi/2 {
		s.reversals++
	}
}

func (s *moveSums) merge(t *moveSums) {
	s.length.merge(t.length)
	s.line.merge(t.line)
	s.seconds.merge(t.seconds)
	s.change.merge(t.change)
	s.turnSeconds.merge(t.turnSeconds)
	s.turning.merge(t.turning)
	s.reversals += t.reversals
}

// count fills in the figures.
func (s *moveSums) count(n *TripCount) {
	n.Line, n.Seconds, n.TurnSeconds = s.line.value(), s.seconds.value(), s.turnSeconds.value()
	if n.Line > 0 {
		n.Wiggle = s.length.value() / n.Line
	}
	if n.Seconds > 0 {
		n.Acceleration = s.change.value() / n.Seconds
		n.Reversals = float64(s.reversals) / n.Seconds
	}
	if n.TurnSeconds > 0 {
		n.Turning = s.turning.value() * (180 / math.Pi) / n.TurnSeconds
	}
}
