package orca

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Agent is the agent that chooses a velocity.
type Agent struct {
	ID        uint64  // tells apart agents at the same place with the same velocity
	Position  r2.Vec  // m
	Velocity  r2.Vec  // m/s, as of the last step
	Preferred r2.Vec  // m/s, what it would choose if it were alone
	Radius    float64 // m
	MaxSpeed  float64 // m/s

	Horizon         float64 // s, for how long it avoids collisions with others; at least a step
	ObstacleHorizon float64 // s, for how long it avoids collisions with walls; at least a step

	// Sight is how far walls count that hide others, in m, from the agent's surface. See Sightlines.
	Sight float64

	// Side turns the preferred velocity to the right, by the angle of this tangent,
	// while other agents are in the way that do not go the same way within 26 degrees.
	// A negative value turns it to the left. With 0, as in the paper, two agents that
	// meet head-on brake, and stand face to face.
	//
	// Sidestep turns it more, in proportion to how much slower the agent is than it
	// prefers, if an agent is in the way that does not prefer to go about the same way.
	// So a throng dissolves. Let it differ from agent to agent and from time to time:
	// agents that block one another and turn by the same angle still block one another.
	// See Sides.
	Side, Sidestep float64

	// Way is the direction in which others see the agent prefer to go, a unit vector;
	// zero if they cannot tell. For all agents it should be that of the last step.
	//
	// Yield makes the agent give way to those ahead of it that prefer to go about the
	// same way: it keeps back by 15 % of the distance at which they would touch,
	// and does the whole avoidance, and the agent ahead none. Without it, as in the
	// paper, agents that come to a door at the same time block one another.
	Way   r2.Vec
	Yield bool

	Walking

	// Firm forbids, like a wall, to close more than the agent's share of the gap to
	// another one in one step. If all are firm, and each sees all that it could touch
	// within a step, no two ever touch. The paper has no such rule, and in a throng its
	// agents are pushed into one another.
	Firm bool
}

// Other is an agent to avoid.
type Other struct {
	ID       uint64
	Position r2.Vec  // m
	Velocity r2.Vec  // m/s, as of the last step
	Radius   float64 // m

	Way r2.Vec // as Agent.Way
	// Share is the part of the avoidance that the agent takes: 0.5 if the other
	// does as much, 1 if it does nothing, 0 if the agent ignores it.
	Share float64
}

// Share returns Other.Share for two agents with priorities, zero or more. The
// shares of the two add up to 1. An agent with three times the priority of the
// other does a quarter of the avoidance, one with infinitely more does none.
func Share(own, theirs float64) float64 {
	own, theirs = max(own, 0), max(theirs, 0)
	if own == theirs || own != own || theirs != theirs {
		return 0.5
	}
	if own > theirs {
		return (theirs / own) / (1 + theirs/own)
	}
	return 1 / (1 + own/theirs)
}

const (
	// An agent that goes with a throng does not turn to the right, or all would do so
	// in front of a door.
	alike = 0.9 // the cosine of 26 degrees

	side = 0.2
	// With 8, a jam between walls dissolves sooner, but an agent that must pass
	// between others that have arrived may turn away for ever.
	patience = 4
)

// Sides returns Agent.Side and Agent.Sidestep for an agent in a crowd: 11 degrees,
// and up to 77 for one that stands. The draw, in [0, 1), says how much of that. Use
// a hash of the agent and of the time in units of two seconds.
func Sides(draw float64) (turn, more float64) { return side, patience * draw }

// Sidesteps returns the same for people who keep to the right, or to the left if right is
// below zero: Sidestep is twice as large.
func Sidesteps(draw, right float64) (turn, more float64) {
	return math.Copysign(side, right), math.Copysign(2*patience*draw, right)
}

// Solver is memory for the choices of agents. One goroutine may use it at a time. The
// zero value is ready; what it holds changes no answer.
//
// The agents of a block choose together: after Reset, Add takes them one by one,
// HalfPlanes finds the half-planes of all, and Choose the velocity of each.
type Solver struct {
	Account *Account // set to what Add made of what the agent prefers; nil: nothing is taken down

	choices []choice
	bounds  []kernel.Bounds // of each choice
	planes  []halfPlane     // of walls, of gaps, and of edges that bodies are in, of one agent after another
	pairs   pairs
	program program
	alone   Others      // of Velocity
	edges   []*Edge     // of Velocity
	list    []Other     // whom one with a TimeGap walks among
	soft    []halfPlane // of edges that the body is in
	seen    []sight     // edges within reach
	inside  []sight     // edges that the body is in
	order   []int       // of them, the nearest first

	first, fixed int      // of planes, where those of the agent begin, and where those of its walls end
	ids          []uint64 // of the crowd
	close        []uint32 // others that are near
	times        times
	crowd        kernel.Crowd
	opened       bool           // it is set, since Reset
	seekers      kernel.Seekers // that look for others
	seekersFrom  int            // where the pairs of the first of them begin
	last         *choice        // that was chosen
	open         *choice        // whose program is open
	aim          r2.Vec         // m/s, of it
}

// choice is what Choose has to know of an agent.
type choice struct {
	id       uint64
	velocity r2.Vec  // m/s
	side     float64 // see Agent
	goal     r2.Vec  // m/s
	limit    float64 // m/s
	sidestep float64 // see Agent
	dt       float64 // s, of the step
	from, to int     // of pairs

	// Of planes, where those of the agent begin, where those of walls end, all that are
	// never violated, and all.
	first, fixed, hard, end int

	gaps    bool // half-planes of gaps are still to be appended
	looked  bool
	worst   int     // half-plane that the goal violates; -1: none
	against float64 // m/s, of others whose half-planes it violates, the least product of goal and way; +Inf: none
}

// Reset forgets all agents.
func (s *Solver) Reset() {
	if s.planes == nil {
		s.reserve()
	}
	s.choices, s.bounds, s.planes, s.last, s.opened = s.choices[:0], s.bounds[:0], s.planes[:0], nil, false
	s.pairs.reset()
	s.seekers.N, s.open = 0, nil
}

// reserve makes room for what a block of agents in a throng takes, so that a crowd which gets
// denser allocates nothing.
func (s *Solver) reserve() {
	const block, agent = 1024, 64
	s.pairs.room(block - kernel.Lanes)
	s.planes = make([]halfPlane, 0, block)
	s.program.cuts, s.program.taken, s.program.constraints = make([]halfPlane, 0, agent), make([]int, 0, agent), make([]halfPlane, 0, agent)
	s.soft, s.seen, s.inside, s.order = make([]halfPlane, 0, agent), make([]sight, 0, agent), make([]sight, 0, agent), make([]int, 0, agent)
	s.list = make([]Other, 0, agent)
}

// Velocity returns the velocity that the agent chooses for the next step of dt
// seconds, of at most MaxSpeed, and whether it lies in all half-planes. Others
// count in the order given, and those within reach should be there; with a TimeGap
// the agent avoids the first ten, and walks by all. Of edges, in
// any order, all within WallReach.
//
// It allocates only until the solver has seen its largest crowd.
func (s *Solver) Velocity(a *Agent, others []Other, walls []Edge, dt float64) (v r2.Vec, feasible bool) {
	s.Reset()
	s.alone.reset()
	for i := range others {
		s.alone.add(others[i])
	}
	s.edges = pointers(s.edges[:0], walls)
	s.Add(a, &s.alone, s.edges, dt)
	s.HalfPlanes()
	return s.Choose(0)
}

// pointers appends those to edges.
func pointers(to []*Edge, edges []Edge) []*Edge {
	for i := range edges {
		to = append(to, &edges[i])
	}
	return to
}

// Add takes an agent, and others and edges as Velocity has them.
func (s *Solver) Add(a *Agent, others *Others, walls []*Edge, dt float64) {
	limit := max(a.MaxSpeed, 0)
	dt = max(dt, 0)
	goal := vec.Truncate(a.Preferred, limit)
	s.first, s.soft = len(s.planes), s.soft[:0]
	if len(walls) > 0 {
		s.addWalls(a, walls, limit, dt)
	}
	s.fixed = len(s.planes)
	s.list = s.list[:0]
	avoids := len(others.Of)
	if a.TimeGap > 0 {
		for i := range others.Of {
			s.list = append(s.list, others.At(i))
		}
		avoids = min(avoids, avoided)
	}
	keep := distance
	if a.TimeGap > 0 || a.Acceleration > 0 || s.Account != nil {
		goal, keep = s.walk(a, s.list, goal, limit, dt)
	}
	var from, to int
	later := false
	if len(others.Parts) > 0 {
		from, to = s.addNear(others)
		later = a.Firm && len(s.planes)+len(s.soft) == s.first && max(a.Horizon, dt) > 0
	} else {
		from, to = s.addOthers(a, others, avoids)
	}
	if a.Firm && !later {
		s.addGaps(others, from, to, limit, dt)
	}
	if !(max(a.Horizon, dt) > 0) {
		to = from
	}
	hard := len(s.planes)
	s.planes = append(s.planes, s.soft...)

	s.choices = slices.Grow(s.choices, 1)[:len(s.choices)+1]
	c := &s.choices[len(s.choices)-1]
	c.id, c.velocity, c.side = a.ID, a.Velocity, a.Side
	c.goal, c.limit, c.sidestep = goal, limit, a.Sidestep
	c.dt, c.from, c.to = dt, from, to
	c.first, c.fixed, c.hard, c.end = s.first, s.fixed, hard, len(s.planes)
	c.gaps, c.looked = later, false
	s.bound(a, c, dt, keep)
}

// Free returns what the agent that was added as number i prefers, and whether no half-plane
// leaves that out, as far as HalfPlanes has found: then it is what Choose returns.
func (s *Solver) Free(i int) (v r2.Vec, free bool) {
	c := &s.choices[i]
	return c.goal, s.bounds[i].Hindering == 0 && c.first == c.end
}

// walls returns the half-planes of walls, of the agent that is added.
func (s *Solver) walls() []halfPlane { return s.planes[s.first:s.fixed] }

// StepsAside tells whether Sidestep counts for the agent that was added as number i.
func (s *Solver) StepsAside(i int) bool {
	if _, free := s.Free(i); free {
		return false
	}
	c := &s.choices[i]
	s.look(i)
	return c.against <= 0 && c.sidestep != 0
}

// Draw multiplies Sidestep of the agent that was added as number i, and StepsAside, by a
// draw.
func (s *Solver) Draw(i int, draw float64) { s.choices[i].sidestep *= draw }

// look finds out what hinders an agent.
func (s *Solver) look(i int) {
	c := &s.choices[i]
	if c.gaps {
		c.first = len(s.planes)
		s.addGaps(nil, c.from, c.to, c.limit, c.dt)
		c.gaps, c.fixed, c.hard, c.end = false, c.first, len(s.planes), len(s.planes)
	}
	s.program.open(c, s)
	c.worst, c.against = s.program.first(c.goal, s.pairs.wx[c.from:c.to], s.pairs.wy[c.from:c.to], s.bounds[i].Hindering)
	c.looked, s.open = true, c
}

// Choose returns what Velocity does, for the agent that was added as number i.
func (s *Solver) Choose(i int) (v r2.Vec, feasible bool) {
	c, p := &s.choices[i], &s.program
	s.last, s.aim = c, c.goal
	_, free := s.Free(i)
	switch {
	case free || c.looked && s.open == c:
	case c.looked:
		p.open(c, s)
	default:
		s.look(i)
	}
	if free || c.worst < 0 {
		if !vec.Finite(c.goal) {
			return r2.Vec{}, false
		}
		return c.goal, true
	}
	worst := c.worst
	if (c.side != 0 || c.sidestep != 0) && (!math.IsInf(c.against, 1) || blocked(s.planes[c.fixed:c.end], c.goal, c.limit)) {
		s.aim = c.aside()
		worst = p.worst(s.aim, 0, p.slack, 0)
	}
	v, feasible = p.solve(s.aim, worst)
	if !vec.Finite(v) {
		return r2.Vec{}, false
	}
	return vec.Truncate(v, c.limit), feasible
}

// aside returns the goal, turned to the side if others are in the way.
func (c *choice) aside() r2.Vec {
	speed, turn := vec.Norm(c.goal), 0.
	if c.against < float64(alike*speed) {
		turn = c.side
	}
	if slow := 1 - vec.Norm(c.velocity)/speed; slow > 0 && c.against <= 0 {
		turn += float64(c.sidestep * slow)
	}
	return vec.WithNorm(vec.AddScaled(c.goal, turn, vec.Right(c.goal)), speed)
}

// hold returns v, or if rounding has let it violate one of the half-planes, all of
// which hold zero, as much of it as lies in them.
func hold(planes []halfPlane, v r2.Vec, limit float64) r2.Vec {
	for i := range planes {
		if h := &planes[i]; h.violation(v) > limit*rounding {
			v = vec.Scale(min(max(h.c, -limit), 0)/vec.Dot(h.n, v), v)
		}
	}
	return v
}

// blocked tells whether v violates one of the half-planes.
func blocked(planes []halfPlane, v r2.Vec, limit float64) bool {
	for i := range planes {
		if planes[i].violation(v) > limit*rounding {
			return true
		}
	}
	return false
}
