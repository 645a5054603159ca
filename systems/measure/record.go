package measure

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// record is what is remembered of an agent. TripMetrics keeps it; who counts collisions
// tells it of them. There is one for each agent, so it has no gaps.
type record struct {
	generation uint32 // of the entity
	seen       uint32 // the step in which the agent was there last
	at         r2.Vec // m, after that step
	start      r2.Vec // m, where the way began, or where it went on behind a jump

	before float64 // m, straight on, to where the agent jumped

	since  float64 // of Goal
	took   float64 // s, so far
	length float64 // m, so far
	work   float64 // m²/s, ∫|v|²dt so far

	elapsed float64 // s, since the last mark
	last    move    // since then
	is      flags
	visits  uint32 // of Goal
	touches uint32 // where ObstacleCollisions keeps what it touched in the step seen; 0: nothing
}

// flags are what is so of an agent.
type flags uint8

const (
	known   flags = 1 << iota // there is one
	aiming                    // it has a goal
	arrived                   // at least once
	resting                   // since the last arrival
	marked                    // a move ended on this way
	harmed                    // by a collision
)

func (f flags) has(g flags) bool { return f&g != 0 }

// moved is how an agent moved in the step in which it was seen last.
type moved struct {
	from       r2.Vec  // m, before the step
	radius     float64 // m
	serial     uint32  // tells agents apart that had the same place, one after the other; 0: none yet
	generation uint32  // of the one with this number
}

// move takes the agent to where it is after the step, and returns the way and where it
// began.
func (r *record) move(to r2.Vec, wrap r2.Box) (way, from r2.Vec) {
	way = shortest(vec.Sub(to, r.at), wrap)
	from = vec.Sub(to, way)
	r.start = vec.Add(r.start, vec.Sub(from, r.at)) // over an edge the way began in the neighboring box
	if way == vec.Sub(to, r.at) {
		from = r.at // to the last bit
	}
	r.at = to
	return way, from
}

// shortest returns the shortest of the ways that are the same in a box whose
// edges are joined; the way itself if the box is zero.
func shortest(way r2.Vec, box r2.Box) r2.Vec {
	if size := vec.Sub(box.Max, box.Min); size.X > 0 && size.Y > 0 {
		way.X -= float64(size.X * math.Floor(way.X/size.X+0.5))
		way.Y -= float64(size.Y * math.Floor(way.Y/size.Y+0.5))
	}
	return way
}

// depart begins a new way where the agent stands if its goal says so.
func (r *record) depart(g *c.Goal) {
	if g.Since != r.since || r.is.has(resting) && (!g.Inside || g.Visits != r.visits) {
		r.since, r.start = g.Since, r.at
		r.is &^= resting
		r.took, r.length, r.work, r.before = 0, 0, 0, 0
		r.mark()
	}
}

// arrive ends a way.
func (r *record) arrive(g *c.Goal, maxSpeed float64, sum *journeySums) {
	sum.way(r, maxSpeed)
	if !r.is.has(arrived) {
		sum.first(r)
	}
	r.visits = g.Visits
	r.is |= arrived | resting
}

// collide notes that the agent collided.
func (r *record) collide() { r.is |= harmed }

// jump takes the agent to another place; there is no way between, and what was straight so far counts.
func (r *record) jump(to r2.Vec) {
	r.before += vec.Norm(vec.Sub(r.at, r.start))
	r.at, r.start, r.touches = to, to, 0
	r.mark()
}
