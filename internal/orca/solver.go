package orca

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Solver is memory for the choices of agents. One goroutine may use it at a time. The
// zero value is ready; what it holds changes no answer.
//
// The agents of a block choose together, in passes over their columns: after Reset, Add takes
// them one by one with their neighbors, Prefer may change what one prefers, HalfPlanes finds the
// half-planes of all, and Choose the velocity of each.
type Solver struct {
	choices []choice
	prefer  []kernel.Preferred // of each choice
	bounds  []kernel.Bounds    // that some of them have
	planes  []halfPlane        // of walls, of gaps, and of edges that bodies are in, of one agent after another
	pairs   pairs
	program program
	walls   walls

	others      *Others        // of the agents: all are of one crowd
	ids         []uint64       // of the crowd
	crowd       kernel.Crowd   // the same
	opened      bool           // it is set, since Reset
	seekers     kernel.Seekers // that look for others
	seekersFrom int            // where the pairs of the first of them begin
	close       []uint32       // others that are near
	rule        ruleOf         // of the agent that was added last, whose bounds are these
	ruleBounds  int
	last        *choice // that was chosen
	aim         r2.Vec  // m/s, of it
	alone       Others  // of Velocity
	edges       []*Edge // of Velocity
}

// choice is what Choose has to know of an agent.
type choice struct {
	id             uint64
	velocity       r2.Vec  // m/s
	limit          float64 // m/s
	goal           r2.Vec  // m/s, that it prefers
	side, sidestep float64 // see Agent
	from, to       int     // of pairs
	bounds         int     // of Solver.bounds
	dt             float64 // s, of the step
	firm           bool
	odd            bool // shares may be other than a half

	// Of planes, where those of the agent begin, where those of walls end, all that are
	// never violated, and all.
	first, fixed, hard, end int

	looked  bool
	worst   int     // half-plane that the goal violates; -1: none
	against float64 // m/s, of others whose half-planes it violates, the least product of goal and way; +Inf: none
	share   float64 // of the avoidance of that one
}

// closing is in what time an agent behind that is nearer than it keeps back gets to its distance, in s.
const closing = 0.5

// ruleOf is what bounds follow from.
type ruleOf struct {
	horizon, step float64 // s
	keep          float64
	yield         bool
}

// Reset forgets all agents.
func (s *Solver) Reset() {
	if s.planes == nil {
		s.reserve()
	}
	s.choices, s.prefer, s.bounds, s.planes, s.last, s.opened = s.choices[:0], s.prefer[:0], s.bounds[:0], s.planes[:0], nil, false
	s.pairs.reset()
	s.seekers.N, s.program.of = 0, nil
}

// reserve allocates what a dense block of agents needs, so that a crowd that gets denser
// allocates nothing.
func (s *Solver) reserve() {
	const block, agent = 1024, 64
	s.pairs.room(block - kernel.Lanes)
	s.choices, s.prefer, s.bounds = make([]choice, 0, agent), make([]kernel.Preferred, 0, agent), make([]kernel.Bounds, 0, 8)
	s.planes = make([]halfPlane, 0, 3*block/2)
	s.program.cuts, s.program.taken, s.program.constraints = make([]halfPlane, 0, agent), make([]int, 0, agent), make([]halfPlane, 0, agent)
	s.walls.reserve(agent)
	s.close = make([]uint32, 2*agent)
}

// Velocity returns the velocity that the agent chooses for the next step of dt
// seconds, of at most MaxSpeed, and whether it lies in all half-planes. Others
// count in the order given, and those within reach should be there. Of edges, in
// any order, all within WallReach.
//
// It allocates only until the solver has seen its largest crowd.
func (s *Solver) Velocity(a *Agent, others []Other, walls []Edge, dt float64) (v r2.Vec, feasible bool) {
	s.Alone(a, others, walls, dt)
	s.HalfPlanes()
	return s.Choose(0)
}

// Alone adds the only agent of a block, with others and walls as Velocity has them.
func (s *Solver) Alone(a *Agent, others []Other, walls []Edge, dt float64) {
	s.Reset()
	s.alone.reset()
	for i := range others {
		s.alone.add(others[i])
	}
	s.edges = s.edges[:0]
	for i := range walls {
		s.edges = append(s.edges, &walls[i])
	}
	s.Add(a, &s.alone, s.edges, dt)
}

// Add takes an agent, and others and edges as Velocity has them.
func (s *Solver) Add(a *Agent, others *Others, walls []*Edge, dt float64) {
	s.choices, s.prefer = slices.Grow(s.choices, 1)[:len(s.choices)+1], slices.Grow(s.prefer, 1)[:len(s.prefer)+1]
	c := &s.choices[len(s.choices)-1]
	c.id, c.velocity, c.limit, c.dt = a.ID, a.Velocity, max(a.MaxSpeed, 0), max(dt, 0)
	c.side, c.sidestep, c.firm, c.looked = a.Side, a.Sidestep, a.Firm, false
	c.first = len(s.planes)
	c.fixed, c.hard, c.end = c.first, c.first, c.first
	if len(walls) > 0 {
		s.addWalls(a, walls, c)
	}
	s.others, s.ids, c.odd = others, others.ID, others.Share != nil
	if len(others.Parts) > 0 {
		c.from, c.to = s.addNear(others)
	} else {
		c.from, c.to = s.addOthers(a, others)
	}
	s.bound(a, c)
	s.Prefer(len(s.choices)-1, vec.Truncate(a.Preferred, c.limit), a.Keep)
}

// bound sets what the half-planes of the agent depend on.
func (s *Solver) bound(a *Agent, c *choice) {
	horizon, dt := max(a.Horizon, c.dt), c.dt
	if !(horizon > 0) {
		c.to = c.from
	}
	if dt == 0 {
		dt = horizon
	}
	if rule := (ruleOf{horizon, dt, a.Keep, a.Yield}); len(s.bounds) == 0 || rule != s.rule {
		b := kernel.Bounds{Horizon: 1 / horizon, Step: 1 / dt, Closing: 1 / max(closing, dt), Wider: 1 + a.Keep, YieldShare: -1}
		if a.Yield {
			b.YieldShare = 0.5
		}
		s.rule, s.ruleBounds = rule, s.boundsLike(b)
	}
	c.bounds = s.ruleBounds
}

// boundsLike returns the number of bounds, which are those of an agent before, if there are such.
func (s *Solver) boundsLike(b kernel.Bounds) int {
	i := slices.Index(s.bounds, b)
	if i < 0 {
		i, s.bounds = len(s.bounds), append(s.bounds, b)
	}
	return i
}

// gapRounding is more than rounding does to a square.
const gapRounding = 0x1p-30

// Prefer sets what the agent that was added as number i prefers, a velocity of at most MaxSpeed, zero if it is
// not finite, and Keep. The others of the agent are known by Neighbors, and its walls by Walls.
func (s *Solver) Prefer(i int, goal r2.Vec, keep float64) {
	c, p := &s.choices[i], &s.prefer[i]
	if !vec.Finite(goal) {
		goal = r2.Vec{}
	}
	if b := s.bounds[c.bounds]; b.Wider != 1+keep {
		b.Wider = 1 + keep
		c.bounds = s.boundsLike(b)
	}
	c.goal = goal
	p.From, p.To, p.Hindering = c.from, c.to, 0
	p.X, p.Y, p.Slack = goal.X-c.velocity.X, goal.Y-c.velocity.Y, float64(c.limit*rounding)
	p.GapX, p.GapY = math.NaN(), math.NaN()
	if p.Way = -1; c.firm {
		p.Way = float64(2 * (1 + gapRounding) * float64(c.limit*c.dt))
		far := float64(4 * (1 + gapRounding) * c.dt)
		p.GapX, p.GapY = float64(far*goal.X), float64(far*goal.Y)
	}
}

// Free returns what the agent that was added as number i prefers, and whether no half-plane
// leaves that out, as far as HalfPlanes has found: then it is what Choose returns.
func (s *Solver) Free(i int) (v r2.Vec, free bool) {
	c := &s.choices[i]
	return c.goal, s.prefer[i].Hindering == 0 && c.first == c.end && !c.odd
}

// StepsAside reports whether Sidestep counts for the agent that was added as number i.
func (s *Solver) StepsAside(i int) bool {
	c := &s.choices[i]
	s.look(i)
	return c.against <= 0 && c.sidestep != 0
}

// Draw multiplies Sidestep of the agent that was added as number i, and StepsAside, by a
// draw.
func (s *Solver) Draw(i int, draw float64) { s.choices[i].sidestep *= draw }

// look finds out what hinders an agent, and opens its program.
func (s *Solver) look(i int) {
	c := &s.choices[i]
	switch {
	case !c.looked:
		near := s.prefer[i].Close
		if c.odd {
			near = ^uint64(0)
		}
		if c.firm && near != 0 {
			s.addGaps(c, near)
		}
		s.program.open(c, s)
		c.worst, c.against, c.share = s.first(c, s.prefer[i].Hindering)
		c.looked = true
	case s.program.of != c:
		s.program.open(c, s)
	}
}

// Choose returns what Velocity does, for the agent that was added as number i.
func (s *Solver) Choose(i int) (v r2.Vec, feasible bool) {
	c, p := &s.choices[i], &s.program
	s.last, s.aim = c, c.goal
	_, free := s.Free(i)
	if !free {
		s.look(i)
	}
	if free || c.worst < 0 {
		return c.goal, true
	}
	worst := c.worst
	if (c.side != 0 || c.sidestep != 0) && (!math.IsInf(c.against, 1) || blocked(s.planes[c.fixed:c.end], c.goal, c.limit)) {
		slow := 0.
		if c.against <= 0 && c.sidestep != 0 {
			v, _ = p.solve(c.goal, worst)
			slow = 1 - vec.Dot(v, c.goal)/vec.Norm2(c.goal)
			p.open(c, s)
		}
		s.aim = c.aside(slow)
		worst = p.worst(s.aim, 0, p.slack, 0)
	}
	v, feasible = p.solve(s.aim, worst)
	if !vec.Finite(v) {
		return r2.Vec{}, false
	}
	return vec.Truncate(v, c.limit), feasible
}

// aside returns the goal, turned to the side if others are in the way: by as much as the agent's
// share of the avoidance asks for, so that one with priority turns less. Slow is the share of its
// speed toward the goal that it loses if it does not turn.
func (c *choice) aside(slow float64) r2.Vec {
	speed, turn := vec.Norm(c.goal), 0.
	if c.against < float64(alike*speed) {
		turn = float64(2 * c.share * c.side)
	}
	if slow > 0 && c.against <= 0 {
		turn += float64(min(2*c.share, 1) * float64(c.sidestep*slow))
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

// blocked reports whether v violates one of the half-planes.
func blocked(planes []halfPlane, v r2.Vec, limit float64) bool {
	for i := range planes {
		if planes[i].violation(v) > limit*rounding {
			return true
		}
	}
	return false
}
