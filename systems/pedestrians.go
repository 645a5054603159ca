package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// pedestrians is the common part of pedestrian models; P is the component of a model. Once all systems that
// determine where agents want to go have run, agents choose velocities from what they saw at the start of the
// step. Only then do velocities change. An agent that Neighbors skips, or with a number that is not finite, keeps
// its velocity.
type pedestrians[P comparable] struct {
	rule      func(*surroundings, *P)
	dist      func(P) float64
	obstacles *sense.Obstacles
	near      sense.Query[P, plan]
	intents   intents[P]
	others    directions[P, plan]
	around    []*surroundings

	par frame.In[P]
	vel frame.Out[c.Velocity]
}

func (s *pedestrians[P]) declare(n *frame.Needs, dist func(P) float64, rule func(*surroundings, *P)) {
	s.rule, s.dist = rule, dist
	n.Read(&s.par)
	n.Write(&s.vel)
	s.near.AskLater(n, func(p P) sense.Look {
		if far := dist(p); far > 0 {
			return sense.Look{NeighborDist: far}
		}
		return sense.Look{NeighborDist: onlyWalls}
	}, s.choose)
	n.Once()
}

func (s *pedestrians[P]) seeDirections(headings bool) {
	s.others.agents, s.others.headings = &s.near, headings
	s.near.Also(s.others.clear, &s.others)
}

func (s *pedestrians[P]) attach(f *frame.Frame, system any, given *sense.Obstacles) {
	s.obstacles = sense.ObstaclesOf(f, system, given)
}

func (s *pedestrians[P]) Detach(*ecs.World) { s.obstacles = nil }

type intents[P comparable] struct {
	of      *pedestrians[P]
	par     frame.In[P]
	pos     frame.In[c.Position]
	target  frame.In[c.Target]
	limits  frame.In[c.Limits]
	mass    frame.In[c.Mass]
	heading frame.In[c.Heading]
}

func (s *intents[P]) Needs(n *frame.Needs) {
	n.Read(&s.par, &s.pos, &s.target, &s.limits)
	n.Optional(&s.mass, &s.heading)
}

func (s *intents[P]) Run(b *frame.Batch) {
	near := &s.of.near
	if !near.Any() {
		return
	}
	pos, target, limits, mass, heading := s.pos.Of(b), s.target.Of(b), s.limits.Of(b), s.mass.Of(b), s.heading.Of(b)
	var indexes [atOnce]uint32
	for lo := 0; lo < len(pos); lo += atOnce {
		hi := min(lo+atOnce, len(pos))
		near.Indexes(b, lo, indexes[:hi-lo])
		near.Fetch(indexes[:hi-lo])
		for i := lo; i < hi; i++ {
			index := indexes[i-lo]
			if int(index) >= near.Len() {
				continue
			}
			to := vec.Sub(target[i].Vec, pos[i].Vec)
			p := plan{toward: vec.Unit(to), maxSpeed: limits[i].MaxSpeed, mass: 1}
			if p.speed = p.maxSpeed; b.Dt > 0 { // the agent must not pass its target
				p.speed = min(p.speed, vec.Norm(to)/b.Dt)
			}
			if len(mass) > 0 {
				p.mass = mass[i].Kilograms
			}
			if len(heading) > 0 {
				p.heading = heading[i].Vec
			}
			if vec.Finite(p.toward) && p.speed >= 0 && p.speed <= math.MaxFloat64 && p.mass > 0 {
				*near.Answer(index) = p
			}
		}
	}
}

// Collect returns the system that records where agents want to go.
func (s *pedestrians[P]) Collect() frame.System {
	s.intents.of = s
	return &s.intents
}

func (s *pedestrians[P]) Pending() bool { return s.near.Any() }

func (s *pedestrians[P]) Resolve() {
	for len(s.around) < s.near.Workers() {
		s.around = append(s.around, &surroundings{})
	}
	far := 0.
	for i := range s.around {
		far = max(far, s.around[i].far)
	}
	s.obstacles.PrepareWalls(far)
	if s.others.agents != nil {
		s.near.EachImage(func(image, of uint32) { s.others.of[image] = s.others.of[of] })
	}
	s.near.Resolve()
}

func (s *pedestrians[P]) choose(b *sense.Block) {
	a := s.around[b.Worker]
	a.clock, a.agents, a.directions = b.Clock, b.Agents(), s.others.of
	for k := range b.Len() {
		index := b.Index(k)
		p := s.near.Answer(index)
		if !(p.mass > 0) || !(b.Reach(k) > 0) {
			continue
		}
		par := s.near.Param(index)
		a.look(b, k, p, s.obstacles, s.dist(*par) > 0)
		s.rule(a, par)
	}
}

func (s *pedestrians[P]) Run(b *frame.Batch) { s.take(b, nil) }

func (s *pedestrians[P]) take(b *frame.Batch, heading []c.Heading) {
	if !s.near.Any() {
		return
	}
	vel := s.vel.Of(b)
	var indexes [atOnce]uint32
	for lo := 0; lo < len(vel); lo += atOnce {
		hi := min(lo+atOnce, len(vel))
		s.near.Indexes(b, lo, indexes[:hi-lo])
		s.near.Fetch(indexes[:hi-lo])
		for i := lo; i < hi; i++ {
			if index := indexes[i-lo]; int(index) < s.near.Len() {
				if p := s.near.Answer(index); p.mass > 0 {
					setFinite(b, &vel[i].Vec, p.velocity)
					if heading != nil {
						setFinite(b, &heading[i].Vec, p.turned)
					}
				}
			}
		}
	}
}

func relaxationTime(at *float64) catalog.Param {
	return catalog.Number("relaxation-time", at, "s", "time constant of the approach to the desired velocity").Within(catalog.AboveZero).Or(0.5)
}

func rangeOf(key string, at *float64) catalog.Param {
	return catalog.Number(key, at, "m", "distance over which the repulsion falls to 1/e").Within(catalog.AboveZero)
}

func lookDist(at *float64) catalog.Param {
	return catalog.Number("neighbor-dist", at, "m", "range of the search for other agents and walls")
}

func timeGap(at *float64) catalog.Param {
	return catalog.Number("time-gap", at, "s", "time to cover the gap to agents ahead").Within(catalog.AboveZero)
}

func onDirection(key string, at *float64, of string) catalog.Param {
	return catalog.Number(key, at, "", "repulsion by "+of+" at contact, as a multiple of the pull of the target")
}

// directions holds unit vectors, by index in the snapshot: where agents with the model want to go, or the
// headings of these agents, at the start of the step. They are zero for other agents.
type directions[P comparable, A any] struct {
	of       []r2.Vec
	headings bool               // the directions are those that agents face
	agents   *sense.Query[P, A] // of the model

	par     frame.In[P]
	pos     frame.In[c.Position]
	target  frame.In[c.Target]
	heading frame.In[c.Heading]
}

func (s *directions[P, A]) Needs(n *frame.Needs) {
	n.Read(&s.par, &s.pos, &s.target)
	n.Optional(&s.heading)
	frame.Without[c.Obstacle](n)
}

func (s *directions[P, A]) clear() {
	s.of = column.Resize(s.of, s.agents.Len())
	clear(s.of)
}

func (s *directions[P, A]) Run(b *frame.Batch) {
	pos, target, heading := s.pos.Of(b), s.target.Of(b), s.heading.Of(b)
	var indexes [atOnce]uint32
	for lo := 0; lo < len(pos); lo += atOnce {
		hi := min(lo+atOnce, len(pos))
		s.agents.Indexes(b, lo, indexes[:hi-lo])
		for i := lo; i < hi; i++ {
			index := indexes[i-lo]
			switch {
			case int(index) >= len(s.of):
			case !s.headings:
				s.of[index] = vec.Unit(vec.Sub(target[i].Vec, pos[i].Vec))
			case len(heading) > 0:
				s.of[index] = heading[i].Vec
			}
		}
	}
}

// plan holds an agent's intention, and later its choice.
type plan struct {
	toward   r2.Vec  // unit vector to its target; zero at the target
	heading  r2.Vec  // unit vector
	velocity r2.Vec  // m/s, chosen
	turned   r2.Vec  // unit vector, chosen heading
	speed    float64 // m/s, desired
	maxSpeed float64 // m/s
	mass     float64 // kg; 0 means the agent does not choose
}

// surroundings holds a pedestrian and what it sees. Each worker has one.
type surroundings struct {
	*plan
	clock      frame.Clock
	agents     *sense.Agents
	directions []r2.Vec
	self       uint32      // index in agents
	place      r2.Vec      // m
	moving     r2.Vec      // m/s
	radius     float64     // m
	others     []uint32    // neighbors, indexes in agents
	feet       []orca.Foot // nearest points of obstacles

	walls []*orca.Edge
	lines orca.Sightlines
	seen  []uint32
	far   float64  // m, farthest search for walls
	_     [64]byte // keeps workers on separate cache lines
}

// look finds obstacles and, if others is true, the agents that walls do not hide entirely.
func (a *surroundings) look(b *sense.Block, k int, p *plan, obstacles *sense.Obstacles, others bool) {
	a.plan, a.self = p, b.Index(k)
	a.place, a.moving, a.radius = a.agents.Position(a.self), a.agents.Velocity(a.self), a.agents.Radius[a.self]
	a.walls, a.feet, a.others = a.walls[:0], a.feet[:0], nil
	if obstacles.Len() > 0 {
		var far float64
		a.walls, far = obstacles.Walls(a.place, a.radius+b.Reach(k), a.walls)
		a.far = max(a.far, far)
		a.feet = orca.AppendFeet(a.feet, a.place, a.walls)
	}
	if !others {
		return
	}
	if a.others = b.Near(k); len(a.walls) == 0 || !obstacles.Hide() {
		return
	}
	a.lines.Look(a.place, a.radius, b.Reach(k), a.walls)
	a.seen = a.seen[:0]
	for _, i := range a.others {
		if !a.lines.Hides(a.agents.Position(i), a.agents.Radius[i]) {
			a.seen = append(a.seen, i)
		}
	}
	a.others = a.seen
}

// to returns the direction to another agent, which is zero at the same position, and the distance.
func (a *surroundings) to(other uint32) (direction r2.Vec, d float64) {
	way := vec.Sub(a.agents.Position(other), a.place)
	d = vec.Norm(way)
	return vec.Scale(vec.Factor(1, d), way), d
}

// course returns another agent's entry in directions or, if that is zero, the direction of its velocity.
func (a *surroundings) course(other uint32) r2.Vec {
	if d := a.directions[other]; d != (r2.Vec{}) {
		return d
	}
	return vec.Unit(a.agents.Velocity(other))
}

func (a *surroundings) awayFromWalls(course r2.Vec, strength, over float64) r2.Vec {
	for _, f := range a.feet {
		course = vec.AddScaled(course, repulsion(strength, f.Distance-a.radius, over), f.Away)
	}
	return course
}

// spacing returns the minimum gap, in m, to anything in the way along a course, or +Inf if nothing is. The
// nearest point of an obstacle counts as an agent without a body.
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

// gapAhead returns the gap, in m, to an agent at distance d, or +Inf if that agent is not in the way along
// the course. The parameter to is the direction to that agent, and reach is the sum of both radii.
func gapAhead(course, to r2.Vec, d, reach float64) float64 {
	if to == (r2.Vec{}) || vec.Dot(course, to) < 0 || float64(math.Abs(vec.Cross(course, to))*d) > reach {
		return math.Inf(1)
	}
	return d - reach
}

func speedOf(gap, timeGap, free float64) float64 { return max(0, min(free, gap/timeGap)) }

func repulsion(strength, gap, over float64) float64 {
	const steepest = 200 // keeps sums finite
	return float64(strength * vec.Exp(min(-gap/over, steepest)))
}

// relaxed returns v after dt seconds of acceleration and of relaxation toward another velocity. The step is
// implicit, so it is stable for any dt.
func relaxed(v, to, acceleration r2.Vec, constant, dt float64) r2.Vec {
	share := dt / constant
	v = vec.AddScaled(vec.AddScaled(v, dt, acceleration), share, to)
	return vec.Scale(1/(1+share), v)
}
