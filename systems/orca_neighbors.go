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

// Reciprocal describes how ORCA chose an agent's velocity: of the velocities up to MaxSpeed in all
// half-planes, it is the one nearest to Aim. If there are none, it is the velocity in all half-planes of
// walls and gaps that minimizes the largest violation of the others.
type Reciprocal struct {
	Preferred  r2.Vec       // m/s
	Aim        r2.Vec       // m/s, Preferred truncated to MaxSpeed, changed by Walking, then turned aside if other agents are in the way
	Chosen     r2.Vec       // m/s
	Feasible   bool         // Chosen lies in all half-planes
	MaxSpeed   float64      // m/s
	Horizon    float64      // s, of the avoidance of other agents
	HalfPlanes []HalfPlane  // of walls, gaps, obstacles that the agent overlaps, and other agents, in this order; without those of other agents that exclude no velocity up to MaxSpeed
	Others     []Considered // agents considered, nearest first; an agent with a time gap avoids only the nearest ten
	Walking    *Walking     `json:",omitempty"` // effect of FollowingDistance, FundamentalDiagram, Passing and Inertia; nil without such rules, as with ORCA.Faithful
}

// Walking describes the speed that an agent prefers among other agents, and the reason.
type Walking struct {
	Free    float64 // m/s, preferred speed without other agents, at most MaxSpeed
	Speed   float64 // m/s, preferred speed among other agents
	Why     string  // free: nothing slows the agent; gap, density: the gap or the density ahead does; oncoming: it passes an oncoming agent; overtaking left, overtaking right: it passes the agents ahead on that side
	Other   uint64  `json:",omitempty"` // ID of the agent ahead if Gap is finite, or of the oncoming one
	Gap     float64 // m, to contact with the agent ahead, more if that agent is not straight ahead; +Inf if it follows none
	Density float64 // people/m² ahead; 0 if an agent is oncoming
	Inertia bool    // MaxAcceleration limits the change in velocity
}

// HalfPlane is the set of velocities v with Normal·v ≥ Least.
type HalfPlane struct {
	Normal r2.Vec  // unit vector
	Least  float64 // m/s
	Of     string  // wall: an obstacle within the horizon; gap: the agent's part of a gap; touching: an obstacle that the agent overlaps; body: another agent. Walls and gaps are never violated
}

// Considered is an agent that another agent considers.
type Considered struct {
	ID       uint64
	Offset   r2.Vec  // m, from center to center
	Velocity r2.Vec  // m/s
	Reach    float64 // m, sum of both radii
	Share    float64 // share of the avoidance that the considering agent does
}

// planeKinds are the values of HalfPlane.Of.
var planeKinds = [...]string{orca.OfWall: "wall", orca.OfGap: "gap", orca.OfTouching: "touching", orca.OfBody: "body"}

// reasons are the values of Walking.Why.
var reasons = [...]string{
	walking.Free: "free", walking.ByGap: "gap", walking.ByDensity: "density", walking.Oncoming: "oncoming",
	walking.OvertakingLeft: "overtaking left", walking.OvertakingRight: "overtaking right",
}

func (m *orcaWorker) considers(b *sense.Block, k int) (list []Considered) {
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

func (m *orcaWorker) account(v r2.Vec, feasible bool) Reciprocal {
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

// choice holds the preferred velocity, and later the chosen one.
type choice struct {
	velocity r2.Vec  // m/s
	maxSpeed float64 // m/s; 0 means the agent does not choose
}

type orcaWorker struct {
	solver orca.Solver
	crowd  orca.Crowd
	walker walking.Walker
	of     []uint32 // neighbors that an agent considers
	shares []float64
	walls  []*orca.Edge
	lines  orca.Sightlines
	far    float64 // m, farthest search for walls

	// Of the last agent, if ORCA.Account is not nil.
	considered     []Considered
	preferred      r2.Vec
	limit, horizon float64
	rules          walking.Rules
	walked         walking.Account

	_ [64]byte // keeps workers on separate cache lines
}

// findOthers adds each agent, and the neighbors that it considers, hidden or not, to the solver. If all
// agents have the same parameters, the solver searches for a whole cell at once.
func (s *ORCA) findOthers(worker *orcaWorker, m *sense.Block) {
	for k := 0; k < m.Len(); {
		par := s.near.Param(m.Index(k))
		if s.near.Alike() && seesOthers(par) {
			if parts, n := m.Around(k); len(parts) > 0 {
				limit := min(float64(m.Reach(k)*m.Reach(k)), math.MaxFloat64)
				for _, found := range worker.solver.Near(m.Index(k), n, parts, limit, mostConsidered(par)) {
					m.Found(k, int(found))
					k++
				}
				continue
			}
		}
		s.list(worker, m, k, par)
		k++
	}
}

func (s *ORCA) list(worker *orcaWorker, m *sense.Block, k int, par *c.ORCA) {
	self, agents := m.Index(k), m.Agents()
	worker.of, worker.shares = worker.of[:0], worker.shares[:0]
	if !seesOthers(par) || !(s.near.Answer(self).maxSpeed > 0) {
		worker.solver.Add(self, nil, nil)
		return
	}
	for _, f := range m.NearestSquared(k, mostConsidered(par)) {
		worker.of = append(worker.of, f.Index)
	}
	var shares []float64
	if agents.On != nil || !s.near.Alike() {
		for _, i := range worker.of {
			worker.shares = append(worker.shares, s.share(par, agents, self, i))
		}
		shares = worker.shares
	}
	worker.solver.Add(self, worker.of, shares)
}

// share returns an agent's share of the avoidance of another agent, which is 1 if the other is paused or
// does not see the agent.
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

// orcaReach returns the range, in m, in which an agent looks for other agents, or 0 if it is paused. If
// the agent sees only walls, the range is above 0 too, because the agent must be in the snapshot.
func orcaReach(p c.ORCA) float64 {
	switch {
	case !(p.Gain > 0):
		return 0
	case seesOthers(&p):
		return p.NeighborDist
	}
	return onlyWalls
}

// onlyWalls is the range, in m, of an agent that sees no other agents. For ORCA, any range above 0 works;
// pedestrian models look for walls within it.
const onlyWalls = 2

func seesOthers(p *c.ORCA) bool {
	return p.MaxNeighbors >= 0 && p.NeighborDist > 0 && p.NeighborDist <= math.MaxFloat64
}

func mostConsidered(p *c.ORCA) int {
	if p.MaxNeighbors == 0 {
		return math.MaxInt
	}
	return p.MaxNeighbors
}

type walk struct {
	walking.Rules
	variation float64 // maximum relative deviation of the time gap
}

// walkColumns are the columns with rules of walking.
type walkColumns struct {
	follow  frame.In[c.FollowingDistance]
	diagram frame.In[c.FundamentalDiagram]
	passing frame.In[c.Passing]
	inertia frame.In[c.Inertia]
}

func (s *walkColumns) needs(n *frame.Needs) {
	n.Optional(&s.follow, &s.diagram, &s.passing, &s.inertia)
}

func (s *walkColumns) of(b *frame.Batch) walkRows {
	return walkRows{s.follow.Of(b), s.diagram.Of(b), s.passing.Of(b), s.inertia.Of(b)}
}

type walkRows struct {
	follow  []c.FollowingDistance
	diagram []c.FundamentalDiagram
	passing []c.Passing
	inertia []c.Inertia
}

func (r *walkRows) at(i int) (w walk) {
	if r.follow != nil {
		w.TimeGap, w.variation = r.follow[i].TimeGap, r.follow[i].Variation
	}
	if r.diagram != nil {
		w.MaxDensity = r.diagram[i].MaxDensity
	}
	if r.passing != nil {
		w.Overtaking, w.Right = r.passing[i].Overtaking, r.passing[i].Right
	}
	if r.inertia != nil {
		w.Acceleration = r.inertia[i].MaxAcceleration
	}
	return w
}

// walkers holds the rules of walking.
type walkers struct {
	agents interface{ Len() int } // the query of ORCA
	first  walk                   // of all agents, unless of has their rules
	of     []walk                 // by index in the snapshot; empty if all agents have the same rules
	met    bool                   // first is set
	off    bool                   // no agent follows rules

	columns walkColumns
}

func (s *walkers) Needs(n *frame.Needs) {
	s.columns.needs(n)
	frame.With[c.ORCA](n)
	frame.Without[c.Obstacle](n)
}

// some reports whether any agent has rules.
func (s *walkers) some() bool { return len(s.of) > 0 || s.first != (walk{}) }

func (s *walkers) rules(place uint32, seed, id uint64) walking.Rules {
	w := s.first
	if len(s.of) > 0 {
		w = s.of[place]
	}
	if w.variation > 0 {
		w.TimeGap *= 1 + float64(w.variation*(2*frame.HashFloat(seed, id, 0, useTimeGap)-1))
	}
	return w.Rules
}

// clear removes all rules, and, if off is set, ignores those of rows.
func (s *walkers) clear(off bool) { s.first, s.of, s.met, s.off = walk{}, s.of[:0], false, off }

// Run compares the rules of rows. Once two differ, it makes room for the rules of all agents.
func (s *walkers) Run(b *frame.Batch) {
	rows, n := s.columns.of(b), b.Len()
	if rows.follow == nil && rows.diagram == nil && rows.passing == nil && rows.inertia == nil {
		n = 1 // all rows are alike
	}
	for i := 0; i < n && len(s.of) == 0 && !s.off; i++ {
		w := rows.at(i)
		if !s.met {
			s.first, s.met = w, true
		}
		if w != s.first {
			s.of = column.Resize(s.of, s.agents.Len())
			clear(s.of)
		}
	}
}
