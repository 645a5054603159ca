package systems

import (
	"cmp"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/internal/walking"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Reciprocal is how ORCA chose the velocity of an agent: of all velocities up to
// MaxSpeed that lie in all half-planes the one nearest to Aim; if there is none, the
// one that violates those of other bodies least.
type Reciprocal struct {
	Preferred  r2.Vec  // m/s, what it would choose alone
	Aim        r2.Vec  // m/s, the same within MaxSpeed, turned to the side if another one is in the way
	Chosen     r2.Vec  // m/s
	Feasible   bool    // whether it lies in all half-planes
	MaxSpeed   float64 // m/s
	Horizon    float64 // s, within which others shall not be hit
	HalfPlanes []HalfPlane
	Others     []Considered // those that the agent avoids, the nearest first
	Walking    *Walking     // what FollowingDistance, FundamentalDiagram, Passing and Inertia make of Preferred; nil: the agent has none of them
}

// Walking is how fast an agent prefers to walk among others, and why.
type Walking struct {
	Free    float64 // m/s, the speed that it prefers alone, within MaxSpeed
	Speed   float64 // m/s, the speed that it prefers among others
	Why     string  // free: nothing slows it; gap: to the one ahead; density: ahead; oncoming: it passes one that comes toward it; overtaking left, overtaking right: it walks by the one ahead on that side
	Other   uint64  // id of the one ahead, if Gap is finite, or of the one that comes
	Gap     float64 // m, how far it may walk before it touches the one ahead; +Inf: it follows none
	Density float64 // people a square meter, ahead; 0 if any come toward it: it does not look
	Inertia bool    // whether its MaxAcceleration keeps it from aiming at that at once
}

// HalfPlane holds the velocities v with Normal·v ≥ Least.
type HalfPlane struct {
	Normal r2.Vec  // unit vector
	Least  float64 // m/s
	Of     string  // wall: what the agent could run into; gap: the own share of what is between it and another; touching: a wall that it is in; body: another agent. Those of walls and gaps are never violated
}

// Considered is another agent, as the one that avoids it sees it.
type Considered struct {
	ID       uint64
	Offset   r2.Vec  // m, from the center of the one to that of the other
	Velocity r2.Vec  // m/s
	Reach    float64 // m, the sum of both radii
	Share    float64 // the part of the avoidance that the agent takes
}

// planeKinds are the names of what half-planes are about.
var planeKinds = [...]string{orca.OfWall: "wall", orca.OfGap: "gap", orca.OfTouching: "touching", orca.OfBody: "body"}

// reasons are the names of why agents prefer a speed.
var reasons = [...]string{
	walking.Free: "free", walking.ByGap: "gap", walking.ByDensity: "density", walking.Oncoming: "oncoming",
	walking.OvertakingLeft: "overtaking left", walking.OvertakingRight: "overtaking right",
}

// considers returns the agents that the agent of a mind considers, the i-th of its block, the nearest first.
func (m *mind) considers(i int, agents *sense.Agents) (list []Considered) {
	a := &m.who
	for k := range m.solver.Neighbors(i).DX {
		of, share := m.solver.Share(i, k)
		list = append(list, Considered{agents.ID[of], vec.Sub(agents.Position(of), a.Position), agents.Velocity(of), a.Radius + agents.Radius[of], share})
	}
	slices.SortFunc(list, func(x, y Considered) int {
		return cmp.Or(cmp.Compare(vec.Norm2(x.Offset), vec.Norm2(y.Offset)), cmp.Compare(x.ID, y.ID))
	})
	return list
}

// account returns how the agent of a mind chose a velocity just now.
func (m *mind) account(v r2.Vec, feasible bool) Reciprocal {
	a, s := &m.who, &m.solver
	r := Reciprocal{
		Preferred: a.Preferred, Aim: s.Aim(), Chosen: v, Feasible: feasible, MaxSpeed: a.MaxSpeed, Horizon: a.Horizon, Others: m.considered,
	}
	if m.rules != (walking.Rules{}) {
		x := &m.walked
		r.Walking = &Walking{x.Free, x.Speed, reasons[x.Why], x.Other, x.Gap, x.Density, x.Inert}
	}
	for _, p := range s.Planes() {
		r.HalfPlanes = append(r.HalfPlanes, HalfPlane{p.Normal, p.Least, planeKinds[p.Kind]})
	}
	return r
}

// choice is what an agent prefers, and then what it takes instead.
type choice struct {
	velocity r2.Vec  // m/s
	maxSpeed float64 // m/s; 0: it does not choose
}

// mind is the memory of a worker.
type mind struct {
	solver     orca.Solver
	who        orca.Agent    // that is added
	rules      walking.Rules // of it
	walker     walking.Walker
	walked     walking.Account
	considered []Considered // of the agent, if there is an account
	choosing   []uint32     // places of those that are
	others     orca.Others
	shares     []float64
	parts      []sense.Part // around agents in one cell
	until      int          // in the block: that are before this one
	walls      []*orca.Edge
	lines      orca.Sightlines
	far        float64  // m, how far agents looked for walls
	_          [64]byte // workers write on lines of their own
}

// look finds the agents that the k-th agent considers, but for walls that hide some. Where all share the avoidance
// alike, it is left to the solver to find them.
func (s *ORCA) look(mind *mind, m *sense.Block, k int, par *c.ORCA) {
	others := &mind.others
	others.Of, others.Share, others.Parts = others.Of[:0], nil, nil
	if !seesOthers(par) {
		return
	}
	if s.near.Alike() {
		s.around(mind, m, k, par)
	}
	if len(others.Parts) == 0 {
		s.list(mind, m, k, par)
	}
}

// around lets the solver find others near to the k-th agent and to all behind it in the same
// cell together.
func (s *ORCA) around(mind *mind, m *sense.Block, k int, par *c.ORCA) {
	others := &mind.others
	if others.Self = m.Index(k); k < mind.until {
		others.Parts = mind.parts
		return
	}
	var n int
	mind.parts, n = m.Around(k)
	others.Room, others.Most = 0, mostHeeded(par)
	for _, part := range mind.parts {
		others.Room += int(part.Hi - part.Lo)
	}
	n = min(n, 1+orca.PairsAtOnce/(others.Room+1))
	others.Parts, mind.until = mind.parts, k+n
	if len(others.Parts) > 0 {
		others.Limit = min(float64(m.Reach(k)*m.Reach(k)), math.MaxFloat64)
		mind.solver.Near(others, others.Self, n)
	}
}

// list lists the agents that the k-th agent considers, the nearest first.
func (s *ORCA) list(mind *mind, m *sense.Block, k int, par *c.ORCA) {
	others, agents := &mind.others, m.Agents()
	for _, f := range m.NearestSquared(k, mostHeeded(par)) {
		others.Of = append(others.Of, f.Index)
	}
	if agents.On != nil || !s.near.Alike() {
		mind.shares = mind.shares[:0]
		for _, i := range others.Of {
			mind.shares = append(mind.shares, s.share(par, agents, m.Index(k), i))
		}
		others.Share = mind.shares
	}
}

// share returns how much of the avoidance of another one falls to an agent: all, if
// the other one pauses or does not see it.
func (s *ORCA) share(own *c.ORCA, agents *sense.Agents, self, other uint32) float64 {
	theirs := s.near.Param(other)
	switch {
	case !agents.Seen(self, agents.Sight(other)):
		return 1
	case theirs == own:
		return 0.5
	case !(theirs.Gain > 0 && seesOthers(theirs)):
		return 1
	}
	return orca.Share(own.Priority, theirs.Priority)
}

// orcaReach returns how far an agent looks. One that sees only walls must be in the
// snapshot too.
func orcaReach(p c.ORCA) float64 {
	switch {
	case !(p.Gain > 0):
		return 0
	case seesOthers(&p):
		return p.NeighborDist
	}
	return onlyWalls
}

// onlyWalls is how far an agent looks that sees no other, in meters: any distance will do.
const onlyWalls = 2

func seesOthers(p *c.ORCA) bool {
	return p.MaxNeighbors >= 0 && p.NeighborDist > 0 && p.NeighborDist <= math.MaxFloat64
}

// mostHeeded returns how many others an agent considers at most.
func mostHeeded(p *c.ORCA) int {
	if p.MaxNeighbors == 0 {
		return math.MaxInt
	}
	return p.MaxNeighbors
}

// walk is what rules of walking an agent has.
type walk struct {
	walking.Rules
	variation float64 // of the time gap
}

// walkers are the rules of walking of all agents, by index in the snapshot; none if no agent
// has any. It walks over rows as ways does.
type walkers struct {
	agents interface{ Len() int } // the query of ORCA
	of     []walk

	follow  frame.In[c.FollowingDistance]
	inertia frame.In[c.Inertia]
}

func (s *walkers) Needs(n *frame.Needs) {
	n.Optional(&s.follow, &s.inertia)
	frame.With[c.ORCA](n)
	frame.Without[c.Obstacle](n)
}

// clear forgets those of the step before.
func (s *walkers) clear() { s.of = s.of[:0] }

// Run makes room for those of all agents if any has some.
func (s *walkers) Run(b *frame.Batch) {
	if len(s.of) == 0 && (s.follow.Of(b) != nil || s.inertia.Of(b) != nil) {
		s.of = column.Resize(s.of, s.agents.Len())
		clear(s.of)
	}
}
