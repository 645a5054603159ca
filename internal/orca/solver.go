package orca

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Solver is memory for the choices of a block of agents. One goroutine may use it at a
// time. The zero value is ready; what it holds changes no answer, and it allocates only until it
// has seen its densest block.
//
// After Reset, Near and Add add the agents of the block, numbered from 0, with their neighbors.
// Then each agent that chooses gets its rule by Follow, its walls by AvoidWalls, and what it prefers
// by Prefer; the others have no answer. HalfPlanes finds the half-planes of all, and Choose the velocity of
// each.
type Solver struct {
	crowd   *Crowd
	columns kernel.Crowd // of crowd, as kernels see it, if opened
	opened  bool
	dt      float64 // s

	choices []choice
	prefer  []kernel.Preferred // of each choice
	rules   []rule             // that choices follow
	rule    int                // that the last one does
	pairs   pairs
	seekers kernel.Seekers
	planes  []halfPlane // of walls, of gaps, and of edges that bodies are in, of one agent after another
	walls   walls
	close   []uint32 // others that are near
	program program

	last *choice // that was chosen
	aim  r2.Vec  // m/s, of it
}

// choice is an agent of a block, and how it chooses.
type choice struct {
	self     uint32  // in the crowd
	rule     int     // in Solver.rules; -1: it does not choose
	from, to int     // its pairs
	limit    float64 // m/s
	goal     r2.Vec  // m/s, that it prefers
	odd      bool    // shares may be other than a half

	// Of planes, where those of the agent begin, where those of walls end, all that are
	// never violated, and all.
	first, fixed, hard, end int

	looked  bool
	worst   int     // half-plane that the goal violates; -1: none
	against float64 // m/s, of others whose half-planes it violates, the least product of goal and way; +Inf: none
	share   float64 // of the avoidance of that one
}

// rule is a Rule with what half-planes of pairs follow from.
type rule struct {
	Rule
	bounds kernel.Bounds
}

// closing is in what time an agent behind that is nearer than it keeps back gets to its distance, in s.
const closing = 0.5

// Reset forgets all agents. The next ones are of a crowd, whose columns stay as they are until the next
// Reset, and choose for a step of dt seconds.
func (s *Solver) Reset(crowd *Crowd, dt float64) {
	if s.planes == nil {
		s.reserve()
	}
	s.crowd, s.opened, s.dt = crowd, false, max(dt, 0)
	s.choices, s.prefer, s.rules, s.planes, s.last = s.choices[:0], s.prefer[:0], s.rules[:0], s.planes[:0], nil
	s.pairs.reset()
	s.program.of = nil
}

// reserve allocates what a dense block of agents needs, so that a crowd that gets denser
// allocates nothing.
func (s *Solver) reserve() {
	const block, agent = 1024, 64
	s.pairs.room(block - kernel.Lanes)
	s.choices, s.prefer, s.rules = make([]choice, 0, agent), make([]kernel.Preferred, 0, agent), make([]rule, 0, 8)
	s.planes = make([]halfPlane, 0, 3*block/2)
	s.program.cuts, s.program.taken, s.program.constraints = make([]halfPlane, 0, agent), make([]int, 0, agent), make([]halfPlane, 0, agent)
	s.walls.reserve(agent)
	s.close = make([]uint32, 2*agent)
}

// add adds an agent with its pairs.
func (s *Solver) add(self uint32, from, to int, odd bool) {
	n := len(s.choices)
	s.choices, s.prefer = slices.Grow(s.choices, 1)[:n+1], slices.Grow(s.prefer, 1)[:n+1]
	c, first := &s.choices[n], len(s.planes)
	c.self, c.rule, c.from, c.to, c.odd, c.looked = self, -1, from, to, odd, false
	c.first, c.fixed, c.hard, c.end = first, first, first, first
	s.prefer[n].From, s.prefer[n].To = 0, 0
}

// Follow sets the rule of agent i, and the greatest speed that it may choose, in m/s.
func (s *Solver) Follow(i int, r *Rule, limit float64) {
	c := &s.choices[i]
	if len(s.rules) == 0 || s.rules[s.rule].Rule != *r {
		s.rule = s.ruleLike(r)
	}
	c.rule, c.limit = s.rule, max(limit, 0)
	if !(max(r.Horizon, s.dt) > 0) {
		c.to = c.from
	}
}

// ruleLike returns the number of a rule.
func (s *Solver) ruleLike(r *Rule) int {
	i := slices.IndexFunc(s.rules, func(o rule) bool { return o.Rule == *r })
	if i >= 0 {
		return i
	}
	horizon, step, yields := max(r.Horizon, s.dt), s.dt, -1.
	if step == 0 {
		step = horizon
	}
	if r.Yield {
		yields = 0.5
	}
	s.rules = append(s.rules, rule{*r, kernel.Bounds{
		Horizon: 1 / horizon, Step: 1 / step, Closing: 1 / max(closing, step), Wider: 1 + r.Keep, YieldShare: yields, Side: -r.Side,
	}})
	return len(s.rules) - 1
}

// gapRounding is more than rounding does to a square.
const gapRounding = 0x1p-30

// Prefer sets what agent i prefers, a velocity of at most its limit, zero if it is not finite, and by which
// share of the distance of touching it keeps back, in place of Rule.Keep.
func (s *Solver) Prefer(i int, goal r2.Vec, keep float64) {
	c, p := &s.choices[i], &s.prefer[i]
	if !vec.Finite(goal) {
		goal = r2.Vec{}
	}
	r := &s.rules[c.rule]
	if r.Keep != keep {
		kept := r.Rule
		kept.Keep = keep
		c.rule = s.ruleLike(&kept)
	}
	c.goal = goal
	p.From, p.To, p.Hindering = c.from, c.to, 0
	p.X, p.Y, p.Slack = goal.X-s.crowd.VX[c.self], goal.Y-s.crowd.VY[c.self], float64(c.limit*rounding)
	p.GapX, p.GapY = math.NaN(), math.NaN()
	if p.Way = -1; r.Firm {
		p.Way = float64(2 * (1 + gapRounding) * float64(c.limit*s.dt))
		far := float64(4 * (1 + gapRounding) * s.dt)
		p.GapX, p.GapY = float64(far*goal.X), float64(far*goal.Y)
	}
}

// Free returns what agent i prefers, and whether no half-plane leaves that out, as far as HalfPlanes
// has found: then it is what Choose returns.
func (s *Solver) Free(i int) (v r2.Vec, free bool) {
	c := &s.choices[i]
	return c.goal, s.prefer[i].Hindering == 0 && c.first == c.end && !c.odd
}

// StepsAside reports whether Sidestep counts for agent i.
func (s *Solver) StepsAside(i int) bool {
	c := &s.choices[i]
	s.look(c, &s.prefer[i])
	return c.against <= 0 && s.rules[c.rule].Sidestep != 0
}

// look finds out what hinders an agent, and opens its program.
func (s *Solver) look(c *choice, p *kernel.Preferred) {
	switch {
	case !c.looked:
		near := p.Close
		if c.odd {
			near = ^uint64(0)
		}
		if s.rules[c.rule].Firm && near != 0 {
			s.addGaps(c, near)
		}
		s.program.open(c, s)
		c.worst, c.against, c.share = s.first(c, p.Hindering)
		c.looked = true
	case s.program.of != c:
		s.program.open(c, s)
	}
}

// Choose returns the velocity that agent i chooses, of at most its limit, and whether it lies in all
// half-planes. Where its rule has a Sidestep, that times the draw counts.
func (s *Solver) Choose(i int, draw float64) (v r2.Vec, feasible bool) {
	c, p := &s.choices[i], &s.program
	s.last, s.aim = c, c.goal
	_, free := s.Free(i)
	if !free {
		s.look(c, &s.prefer[i])
	}
	if free || c.worst < 0 {
		return c.goal, true
	}
	worst, r := c.worst, &s.rules[c.rule]
	if sidestep := float64(r.Sidestep * draw); (r.Side != 0 || sidestep != 0) && (!math.IsInf(c.against, 1) || blocked(s.planes[c.fixed:c.end], c.goal, c.limit)) {
		slow := 0.
		if c.against <= 0 && sidestep != 0 {
			v, _ = p.solve(c.goal, worst)
			slow = 1 - vec.Dot(v, c.goal)/vec.Norm2(c.goal)
			p.open(c, s)
		}
		s.aim = c.aside(slow, r.Side, sidestep)
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
func (c *choice) aside(slow, side, sidestep float64) r2.Vec {
	speed, turn := vec.Norm(c.goal), 0.
	if c.against < float64(alike*speed) {
		turn = float64(2 * c.share * side)
	}
	if slow > 0 && c.against <= 0 {
		turn += float64(min(2*c.share, 1) * float64(sidestep*slow))
	}
	return vec.WithNorm(vec.AddScaled(c.goal, turn, vec.Right(c.goal)), speed)
}

// velocity returns the velocity of an agent of the crowd.
func (s *Solver) velocity(of uint32) r2.Vec { return r2.Vec{X: s.crowd.VX[of], Y: s.crowd.VY[of]} }

// blocked reports whether v violates one of the half-planes.
func blocked(planes []halfPlane, v r2.Vec, limit float64) bool {
	for i := range planes {
		if planes[i].violation(v) > limit*rounding {
			return true
		}
	}
	return false
}
