package measure

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// record is what is remembered of an agent. TripMetrics keeps it; who counts collisions
// tells it of them.
type record struct {
	entity   ecs.Entity
	serial   uint32 // tells agents apart that had the same place, one after the other
	seen     uint32 // the step in which the agent was there last
	from, at r2.Vec // m, before and after that step
	radius   float64

	start  r2.Vec  // m, where the way began
	since  float64 // of Goal
	took   float64 // s, so far
	length float64 // m, so far
	work   float64 // m²/s, ∫|v|²dt so far

	last    move   // since the last mark
	visits  uint32 // of Goal
	touches uint32 // where ObstacleCollisions keeps what it touched in the step seen; 0: nothing
	goal    bool   // whether it has one
	arrived bool   // at least once
	resting bool   // since the last arrival
	marked  bool   // whether a move ended on this way
	harmed  bool   // by a collision
}

// move takes the agent to where it is after the step, and returns the way.
func (r *record) move(to r2.Vec, wrap r2.Box) r2.Vec {
	way := shortest(vec.Sub(to, r.at), wrap)
	from := vec.Sub(to, way)
	r.start = vec.Add(r.start, vec.Sub(from, r.at)) // over an edge the way began in the neighboring box
	if way == vec.Sub(to, r.at) {
		from = r.at // to the last bit
	}
	r.from, r.at = from, to
	return way
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
	if g.Since != r.since || r.resting && (!g.Inside || g.Visits != r.visits) {
		r.since, r.resting, r.start = g.Since, false, r.at
		r.took, r.length, r.work = 0, 0, 0
		r.mark()
	}
}

// arrive ends a way.
func (r *record) arrive(g *c.Goal, maxSpeed float64, sum *journeySums) {
	sum.way(r, maxSpeed)
	if !r.arrived {
		sum.first(r)
	}
	r.visits, r.arrived, r.resting = g.Visits, true, true
}

// collide notes that the agent collided.
func (r *record) collide() { r.harmed = true }

// jump takes the agent to another place; there is no way between.
func (r *record) jump(to r2.Vec) {
	r.from, r.at, r.start, r.touches = to, to, to, 0
	r.mark()
}
