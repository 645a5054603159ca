package orca

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Solver chooses the velocities of a block of agents. The zero value is ready to use, by one goroutine at a
// time. Results do not depend on earlier blocks. The solver keeps its memory, and stops allocating once it
// has seen its densest block.
//
// After Reset, Near and Add add the agents of the block, numbered from 0, with their neighbors. For each
// agent that chooses, call Follow, AvoidWalls and Prefer. Then HalfPlanes computes the half-planes of all
// pairs, and Choose returns the velocity of one agent.
type Solver struct {
	crowd   *Crowd
	columns kernel.Crowd // crowd as kernels see it, if opened
	opened  bool
	dt      float64 // s

	choices []choice
	prefer  []kernel.Preferred // one per choice
	rules   []rule             // distinct
	rule    int                // index in rules of the rule that Follow set last
	pairs   pairs
	seekers kernel.Seekers
	planes  []halfPlane // by agent: of walls, of gaps, and of edges that overlap the body
	walls   walls
	close   []uint32 // scratch
	program program

	last *choice // of the last call to Choose
	aim  r2.Vec  // m/s: see Aim
}

type choice struct {
	self     uint32  // row in the crowd
	rule     int     // index in Solver.rules; -1: the agent does not choose
	from, to int     // its pairs
	limit    float64 // m/s
	goal     r2.Vec  // m/s, preferred velocity
	odd      bool    // shares may differ from 0.5

	// Indexes in Solver.planes: the agent's first half-plane, and the ends of its half-planes of walls, of
	// those never violated, and of all.
	first, fixed, hard, end int

	looked  bool    // look has set the fields below
	worst   int     // half-plane that the goal violates most; -1: none
	against float64 // m/s, smallest product of goal and direction of the neighbors whose half-planes the goal violates; +Inf: none
	share   float64 // of the avoidance of the neighbor with that product
}

type rule struct {
	Rule
	bounds kernel.Bounds
}

// closing is the time, in s, in which an agent behind restores the distance it keeps.
const closing = 0.5

// Reset removes all agents. Those added next belong to crowd, which must not change until the next Reset, and
// choose for a step of dt seconds.
func (s *Solver) Reset(crowd *Crowd, dt float64) {
	if s.planes == nil {
		s.reserve()
	}
	s.crowd, s.opened, s.dt = crowd, false, max(dt, 0)
	s.choices, s.prefer, s.rules, s.planes, s.last = s.choices[:0], s.prefer[:0], s.rules[:0], s.planes[:0], nil
	s.pairs.reset()
	s.program.of = nil
}

// reserve allocates the memory of a dense block, so that steps do not allocate as a crowd gets denser.
func (s *Solver) reserve() {
	const block, agent = 1024, 64
	s.pairs.room(block - kernel.Lanes)
	s.choices, s.prefer, s.rules = make([]choice, 0, agent), make([]kernel.Preferred, 0, agent), make([]rule, 0, 8)
	s.planes = make([]halfPlane, 0, 3*block/2)
	s.program.cuts, s.program.taken, s.program.constraints = make([]halfPlane, 0, agent), make([]int, 0, agent), make([]halfPlane, 0, agent)
	s.walls.reserve(agent)
	s.close = make([]uint32, 2*agent)
}

func (s *Solver) add(self uint32, from, to int, odd bool) {
	n := len(s.choices)
	s.choices, s.prefer = slices.Grow(s.choices, 1)[:n+1], slices.Grow(s.prefer, 1)[:n+1]
	c, first := &s.choices[n], len(s.planes)
	c.self, c.rule, c.from, c.to, c.odd, c.looked = self, -1, from, to, odd, false
	c.first, c.fixed, c.hard, c.end = first, first, first, first
	s.prefer[n].From, s.prefer[n].To = 0, 0
}

// Follow sets the rule of agent i and its maximum speed, limit, in m/s. A negative limit counts as 0. If
// neither the horizon nor the step is above 0, Follow removes the neighbors of the agent.
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

func (s *Solver) ruleLike(r *Rule) int {
	for i := range s.rules {
		if o := &s.rules[i]; o.Keep == r.Keep && o.Rule == *r {
			return i
		}
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

// gapRounding exceeds the relative rounding error of a square.
const gapRounding = 0x1p-30

// Prefer sets the preferred velocity of agent i to goal, in m/s, which must not exceed the agent's maximum
// speed. A goal that is not finite counts as zero. keep replaces Rule.Keep.
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
	if p.Displacement = -1; r.Firm {
		p.Displacement = float64(2 * (1 + gapRounding) * float64(c.limit*s.dt))
		far := float64(4 * (1 + gapRounding) * s.dt)
		p.GapX, p.GapY = float64(far*goal.X), float64(far*goal.Y)
	}
}

// Free returns the preferred velocity of agent i, and whether it certainly lies in all half-planes. If so,
// Choose returns the same velocity. Call Free after HalfPlanes.
func (s *Solver) Free(i int) (v r2.Vec, free bool) {
	c := &s.choices[i]
	return c.goal, s.prefer[i].Hindering == 0 && c.first == c.end && !c.odd
}

// StepsAside reports whether Rule.Sidestep may affect agent i.
func (s *Solver) StepsAside(i int) bool {
	c := &s.choices[i]
	s.look(c, &s.prefer[i])
	return c.against <= 0 && s.rules[c.rule].Sidestep != 0
}

// look finds what hinders an agent, and opens its program.
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

// Choose returns the velocity of agent i, no faster than its limit, and whether that velocity lies in all
// half-planes. It multiplies Rule.Sidestep by draw.
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

// aside returns the goal, turned to the side if other agents are in the way. The angle grows with the agent's
// share of the avoidance. slow is the fraction of its progress that the agent loses if it does not turn.
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

func (s *Solver) velocity(of uint32) r2.Vec { return r2.Vec{X: s.crowd.VX[of], Y: s.crowd.VY[of]} }

// blocked reports whether v violates one of the half-planes by more than rounding.
func blocked(planes []halfPlane, v r2.Vec, limit float64) bool {
	for i := range planes {
		if planes[i].violation(v) > limit*rounding {
			return true
		}
	}
	return false
}
