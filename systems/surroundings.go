package systems

import (
	"math"

	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// plan is what an agent wants, and then what it does.
type plan struct {
	toward   r2.Vec  // unit vector to its target; zero: it is there
	heading  r2.Vec  // unit vector
	velocity r2.Vec  // m/s, that it chooses
	turned   r2.Vec  // unit vector, the heading that it chooses
	speed    float64 // m/s, that it desires
	maxSpeed float64 // m/s
	mass     float64 // kg; 0: it does not choose
}

// surroundings are a pedestrian and what it sees, in the memory of a worker.
type surroundings struct {
	*plan
	clock      frame.Clock
	agents     *sense.Agents
	directions []r2.Vec    // in which others want to go, or face: see directions
	self       uint32      // in agents
	place      r2.Vec      // m
	moving     r2.Vec      // m/s, its velocity
	radius     float64     // m
	others     []uint32    // that it sees, in agents
	feet       []orca.Foot // the nearest points of obstacles

	who   orca.Agent
	walls []*orca.Edge
	lines orca.Sightlines
	seen  []uint32
	far   float64  // m, how far agents looked for walls
	_     [64]byte // workers write on lines of their own
}

// look looks round for the k-th agent of a block: at obstacles, and at others that no wall
// hides as a whole.
func (a *surroundings) look(b *sense.Block, k int, p *plan, obstacles *sense.Obstacles, others bool) {
	a.plan, a.self = p, b.Index(k)
	a.place, a.moving, a.radius = a.agents.Position(a.self), a.agents.Velocity(a.self), a.agents.Radius[a.self]
	a.walls, a.feet, a.others = a.walls[:0], a.feet[:0], nil
	if obstacles.Len() > 0 {
		a.who.Position, a.who.Radius, a.who.MaxSpeed, a.who.ObstacleHorizon = a.place, a.radius, b.Reach(k), 1 // it looks as far as it walks in a second
		var far float64
		a.walls, far = obstacles.Walls(a.place, a.who.WallReach(0), a.walls)
		a.far = max(a.far, far)
		a.feet = orca.AppendFeet(a.feet, a.place, a.walls)
	}
	if !others {
		return
	}
	if a.others = b.Near(k); len(a.walls) == 0 || !obstacles.Hide() {
		return
	}
	a.lines.Look(&a.who, a.walls, 0)
	a.seen = a.seen[:0]
	for _, i := range a.others {
		if !a.lines.Hides(a.agents.Position(i), a.agents.Radius[i]) {
			a.seen = append(a.seen, i)
		}
	}
	a.others = a.seen
}

// to returns the way to another one, in m: a unit vector and how far it is; zero for one in
// the same place.
func (a *surroundings) to(other uint32) (direction r2.Vec, d float64) {
	way := vec.Sub(a.agents.Position(other), a.place)
	d = vec.Norm(way)
	return vec.Scale(vec.Factor(1, d), way), d
}

// course returns the direction in which another one wants to go, or faces, or if that is not
// known in which it walks; zero if it stands.
func (a *surroundings) course(other uint32) r2.Vec {
	if d := a.directions[other]; d != (r2.Vec{}) {
		return d
	}
	return vec.Unit(a.agents.Velocity(other))
}

// awayFromWalls returns a direction of any length with what repels the agent from obstacles.
func (a *surroundings) awayFromWalls(course r2.Vec, strength, over float64) r2.Vec {
	for _, f := range a.feet {
		course = vec.AddScaled(course, repulsion(strength, f.Distance-a.radius, over), f.Away)
	}
	return course
}

// spacing returns how far the agent can go in a direction, a unit vector, before it touches
// somebody, in m: the least gap to those ahead of it that are not beside its way.
// The nearest point of an obstacle counts as somebody without a body.
func (a *surroundings) spacing(course r2.Vec) (gap float64) {
	gap = math.Inf(1)
	for _, i := range a.others {
		to, d := a.to(i)
		gap = min(gap, gapAhead(course, to, d, a.radius+a.agents.Radius[i]))
	}
	for _, f := range a.feet {
		gap = min(gap, gapAhead(course, vec.Scale(-1, f.Away), f.Distance, a.radius))
	}
	return gap
}

// gapAhead returns the gap to somebody in a direction, a unit vector, at a distance between
// centers at which both touch if it is reach; infinite if that one is not in the way.
func gapAhead(course, to r2.Vec, d, reach float64) float64 {
	if to == (r2.Vec{}) || vec.Dot(course, to) < 0 || float64(math.Abs(vec.Cross(course, to))*d) > reach {
		return math.Inf(1)
	}
	return d - reach
}

// speedOf returns the speed of one with a gap ahead, in m/s.
func speedOf(gap, timeGap, free float64) float64 { return max(0, min(free, gap/timeGap)) }

// repulsion returns what falls from its strength at a gap of 0 to 1/e of it over the range.
func repulsion(strength, gap, over float64) float64 {
	const steepest = 200 // so that sums are finite
	return float64(strength * vec.Exp(min(-gap/over, steepest)))
}

// relaxed returns the velocity after a time in s in which an acceleration works, and the
// velocity nears another one with a time constant. It goes by the velocity after the step, so
// that no step is too long for it.
func relaxed(v, to, acceleration r2.Vec, constant, dt float64) r2.Vec {
	share := dt / constant
	v = vec.AddScaled(vec.AddScaled(v, dt, acceleration), share, to)
	return vec.Scale(1/(1+share), v)
}
