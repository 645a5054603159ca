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

// considers returns the agents that the k-th agent of a block considers, the nearest first.
func (m *mind) considers(b *sense.Block, k int) (list []Considered) {
	agents, self := b.Agents(), b.Index(k)
	for i := range m.solver.Neighbors(k).DX {
		of, share := m.solver.Share(k, i)
		list = append(list, Considered{agents.ID[of], vec.Sub(agents.Position(of), agents.Position(self)), agents.Velocity(of), agents.Radius[self] + agents.Radius[of], share})
	}
	slices.SortFunc(list, func(x, y Considered) int {
		return cmp.Or(cmp.Compare(vec.Norm2(x.Offset), vec.Norm2(y.Offset)), cmp.Compare(x.ID, y.ID))
	})
	return list
}

// account returns how the agent of a mind chose a velocity just now.
func (m *mind) account(v r2.Vec, feasible bool) Reciprocal {
	r := Reciprocal{
		Preferred: m.preferred, Aim: m.solver.Aim(), Chosen: v, Feasible: feasible, MaxSpeed: m.limit, Horizon: m.horizon, Others: m.considered,
	}
	if m.rules != (walking.Rules{}) {
		x := &m.walked
		r.Walking = &Walking{x.Free, x.Speed, reasons[x.Why], x.Other, x.Gap, x.Density, x.Inert}
	}
	for _, p := range m.solver.Planes() {
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
	solver orca.Solver
	crowd  orca.Crowd
	walker walking.Walker
	of     []uint32 // others of an agent
	shares []float64
	walls  []*orca.Edge
	lines  orca.Sightlines
	far    float64 // m, how far agents looked for walls

	// Of the last agent, if there is an account.
	considered     []Considered
	preferred      r2.Vec
	limit, horizon float64
	rules          walking.Rules
	walked         walking.Account

	_ [64]byte // workers write on lines of their own
}

// findOthers adds the agents of a block to the solver, with the others that each considers, but for walls that
// hide some. Where all share the avoidance alike, the solver finds the others of a cell's agents together.
func (s *ORCA) findOthers(mind *mind, m *sense.Block) {
	for k := 0; k < m.Len(); {
		par := s.near.Param(m.Index(k))
		if s.near.Alike() && seesOthers(par) {
			if parts, n := m.Around(k); len(parts) > 0 {
				limit := min(float64(m.Reach(k)*m.Reach(k)), math.MaxFloat64)
				for _, found := range mind.solver.Near(m.Index(k), n, parts, limit, mostHeeded(par)) {
					m.Found(k, int(found))
					k++
				}
				continue
			}
		}
		s.list(mind, m, k, par)
		k++
	}
}

// list adds the k-th agent, with the others that it considers, the nearest first.
func (s *ORCA) list(mind *mind, m *sense.Block, k int, par *c.ORCA) {
	self, agents := m.Index(k), m.Agents()
	mind.of, mind.shares = mind.of[:0], mind.shares[:0]
	if !seesOthers(par) || !(s.near.Answer(self).maxSpeed > 0) {
		mind.solver.Add(self, nil, nil)
		return
	}
	for _, f := range m.NearestSquared(k, mostHeeded(par)) {
		mind.of = append(mind.of, f.Index)
	}
	var shares []float64
	if agents.On != nil || !s.near.Alike() {
		for _, i := range mind.of {
			mind.shares = append(mind.shares, s.share(par, agents, self, i))
		}
		shares = mind.shares
	}
	mind.solver.Add(self, mind.of, shares)
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

// rules returns those of an agent, whose time gap is drawn.
func (s *walkers) rules(place uint32, seed, id uint64) walking.Rules {
	w := s.of[place]
	if w.variation > 0 {
		w.TimeGap *= 1 + float64(w.variation*(2*frame.HashFloat(seed, id, 0, useTimeGap)-1))
	}
	return w.Rules
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
