package measure

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Motion is measured from one mark to the next, so that metrics hardly depend on step lengths up to
// markEvery, and are comparable with those of recorded people.
const (
	markEvery = 0.4  // s
	leastMove = 0.02 // m; shorter moves have no direction
)

// move is the motion since a mark, in single precision to save memory.
type move struct {
	way    [2]float32 // m, displacement
	before [2]float32 // m/s, mean velocity of the previous move
	along  float32    // m
}

type moveSums struct {
	length, line         exactSum // m, of paths step by step, and straight from mark to mark
	seconds, change      exactSum // s, and |Δv| in m/s, for moves that follow another move
	turnSeconds, turning exactSum // s, and radians, if both moves have a direction
	reversals            int
}

// step adds a step to the move, which ends when its duration is nearest to markEvery.
func (r *record) step(way r2.Vec, length, dt float64, sum *moveSums) {
	m := &r.last
	m.way = single(vec.Add(double(m.way), way))
	m.along += float32(length)
	r.elapsed += dt
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

func (r *record) mark() {
	r.last, r.elapsed = move{}, 0
	r.is &^= marked
}

// follow adds a move, given its mean velocity, its duration in s, and the previous move's mean velocity.
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

// record is the state of an agent, also updated by systems that count collisions. The order of fields
// minimizes padding.
type record struct {
	generation uint32
	seen       uint32 // last step with the agent
	at         r2.Vec // m, position after that step
	start      r2.Vec // m, of the trip, or of its continuation after a jump

	before float64 // m, straight distance before jumps

	since  float64 // Goal.Since
	took   float64 // s, so far
	length float64 // m, so far
	work   float64 // m²/s, ∫|v|²dt so far

	elapsed float64 // s, since the last mark
	last    move    // since the last mark
	is      flags
	visits  uint32 // Goal.Visits
	touches uint32 // index in ObstacleCollisions for the step seen; 0 means none
}

type flags uint8

const (
	known flags = 1 << iota
	aiming
	arrived
	resting // has not left its goal since the last arrival
	marked
	harmed
)

func (f flags) has(g flags) bool { return f&g != 0 }

// moved is an agent's motion in its last step.
type moved struct {
	from       r2.Vec  // m, before the step
	radius     float64 // m
	serial     uint32  // distinguishes successive agents with the same record; 0 means none yet
	generation uint32
}

// move sets the agent's position. It returns the displacement, which is the shortest in a periodic box, and
// its start.
func (r *record) move(to r2.Vec, wrap r2.Box) (way, from r2.Vec) {
	way = shortest(vec.Sub(to, r.at), wrap)
	from = vec.Sub(to, way)
	r.start = vec.Add(r.start, vec.Sub(from, r.at)) // across an edge, the path begins in the neighboring box
	if way == vec.Sub(to, r.at) {
		from = r.at // exact to the last bit
	}
	r.at = to
	return way, from
}

// shortest returns the shortest equivalent of a displacement in a periodic box. A zero box is not periodic.
func shortest(way r2.Vec, box r2.Box) r2.Vec {
	if size := vec.Sub(box.Max, box.Min); size.X > 0 && size.Y > 0 {
		way.X -= float64(size.X * math.Floor(way.X/size.X+0.5))
		way.Y -= float64(size.Y * math.Floor(way.Y/size.Y+0.5))
	}
	return way
}

// depart starts a new trip if the goal has changed, or if the agent has left its goal or arrived again.
func (r *record) depart(g *c.Goal) {
	if g.Since != r.since || r.is.has(resting) && (!g.Inside || g.Visits != r.visits) {
		r.since, r.start = g.Since, r.at
		r.is &^= resting
		r.took, r.length, r.work, r.before = 0, 0, 0, 0
		r.mark()
	}
}

func (r *record) arrive(g *c.Goal, maxSpeed float64, sum *tripSums) {
	sum.way(r, maxSpeed)
	if !r.is.has(arrived) {
		sum.first(r)
	}
	r.visits = g.Visits
	r.is |= arrived | resting
}

func (r *record) collide() { r.is |= harmed }

// jump moves the agent without a path; the straight distance so far still counts.
func (r *record) jump(to r2.Vec) {
	r.before += vec.Norm(vec.Sub(r.at, r.start))
	r.at, r.start, r.touches = to, to, 0
	r.mark()
}
