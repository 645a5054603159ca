package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/internal/walking"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// ORCA implements optimal reciprocal collision avoidance. Of the velocities that avoid collisions within a
// horizon, provided that other agents do their share, each agent takes the one nearest to its preferred
// velocity:
//
//	preferred = truncate(Velocity + Steering/Gain, MaxSpeed)
//
// A behavior with the same gain as ORCA makes the agent prefer the velocity that the behavior desires. ORCA
// consumes the forces of behaviors and sets Velocity. MaxForce limits only forces combined by priority; Mass
// has no effect.
//
// An agent avoids all obstacles and, of the agents within NeighborDist, the MaxNeighbors nearest, or all if
// MaxNeighbors is 0. In a world that wraps, it also avoids agents across the edges. Agents with ORCA split
// the avoidance by Priority. An agent does all of the avoidance of agents that lack ORCA, pause it or do not
// see its layers. If no velocity avoids everything, the agent violates the constraints of other agents as
// little as possible, but never those of walls that it does not overlap.
//
// Four rules are not in the source; Faithful switches them off:
//   - Agents pass one another on the right, at an angle hashed from the seed, agent and time.
//   - No agent closes more than its part of a gap in a step. So bodies do not start to overlap if all have
//     ORCA, avoid all those that they can touch within a step, and do at most 0.9 of each avoidance.
//   - Of two agents with preferred velocities that do not oppose each other, the one behind gives way.
//   - Walls within half of NeighborDist, and within four times the range in which the agent avoids walls,
//     hide other agents. Discs hide none.
//
// With FollowingDistance, FundamentalDiagram, Passing and Inertia, agents walk like people, but not if Faithful
// is set. An agent with a MaxSpeed or Steering that is not finite moves as if it had no ORCA. To lead agents
// around walls, use Route, FlowField or BoundaryFollowing.
//
// ORCA needs Neighbors in its frame.
//
// Reads Limits, ORCA, Velocity, Steering, Obstacles, what Neighbors reads and, if present,
// FollowingDistance, FundamentalDiagram, Passing and Inertia. Writes Velocity, Steering and, if present,
// PreferredVelocity.
//
// Source: van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision avoidance", 2011.
type ORCA struct {
	Obstacles *sense.Obstacles // of an earlier frame; nil means those of the same frame
	Seed      uint64           // of random draws
	Faithful  bool             // follow the source exactly

	// Account, if not nil, receives the last choice of a step.
	Account *Reciprocal

	obstacles   *sense.Obstacles
	near        sense.Query[c.ORCA, choice]
	walkers     walkers
	preferences preferences
	workers     []*orcaWorker

	vel    frame.Out[c.Velocity]
	limits frame.In[c.Limits]
	orca   frame.In[c.ORCA]
	steer  frame.Out[c.Steering]
}

// Uses of frame.HashFloat.
const (
	useSide = 2<<32 + iota
	useSidePhase
	useTimeGap
)

// sideSeconds is how long, in s, an agent keeps a number that it drew.
const sideSeconds = 2

func (s *ORCA) Needs(n *frame.Needs) {
	n.Read(&s.limits, &s.orca)
	n.Write(&s.vel)
	n.Take(&s.steer)
	s.walkers.agents = &s.near
	s.near.SeeDirections()
	s.near.Also(func() { s.walkers.clear(s.Faithful) }, &s.walkers)
	s.near.AskLater(n, func(p c.ORCA) sense.Look {
		return sense.Look{NeighborDist: orcaReach(p), MaxNeighbors: uint32(max(p.MaxNeighbors, 0))}
	}, s.choose)
	frame.Before[*Integration](n, "move agents before they have chosen their velocity")
	n.Once()
}

func (s *ORCA) Attach(f *frame.Frame, _ *ecs.World) {
	s.obstacles = sense.ObstaclesOf(f, s, s.Obstacles)
}

func (s *ORCA) Detach(*ecs.World) { s.obstacles = nil }

type preferences struct {
	*ORCA
	vel    frame.In[c.Velocity]
	limits frame.In[c.Limits]
	orca   frame.In[c.ORCA]
	steer  frame.In[c.Steering]

	columns walkColumns
	intent  frame.Out[c.PreferredVelocity]
}

func (s *preferences) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.limits, &s.orca, &s.steer)
	s.columns.needs(n)
	n.Optional(&s.intent)
}

func (s *preferences) Run(b *frame.Batch) {
	if !s.near.Any() {
		return
	}
	vel, limits, par, steer, intent := s.vel.Of(b), s.limits.Of(b), s.orca.Of(b), s.steer.Of(b), s.intent.Of(b)
	rules := s.columns.of(b)
	var places [atOnce]uint32
	for lo := 0; lo < len(par); lo += atOnce {
		hi := min(lo+atOnce, len(par))
		s.near.Indexes(b, lo, places[:hi-lo])
		s.near.Fetch(places[:hi-lo])
		for i := lo; i < hi; i++ {
			place, limit := places[i-lo], limits[i].MaxSpeed
			if int(place) >= s.near.Len() || !(par[i].Gain > 0) || !(limit > 0 && limit <= math.MaxFloat64) {
				continue
			}
			if v := vec.AddScaled(vel[i].Vec, 1/par[i].Gain, steer[i].Vec); vec.Finite(v) {
				a := choice{v, limit}
				if len(s.walkers.of) > 0 {
					s.walkers.of[place] = rules.at(i)
				}
				if *s.near.Answer(place) = a; intent != nil {
					intent[i].Vec = v
				}
			}
		}
	}
}

// Collect returns the system that records preferred velocities.
func (s *ORCA) Collect() frame.System {
	s.preferences.ORCA = s
	return &s.preferences
}

func (s *ORCA) Pending() bool { return s.near.Any() }

func (s *ORCA) Resolve() {
	for len(s.workers) < s.near.Workers() {
		s.workers = append(s.workers, &orcaWorker{of: make([]uint32, 0, 64)})
	}
	far := 0.
	for i := range s.workers {
		far = max(far, s.workers[i].far)
	}
	s.obstacles.PrepareWalls(far)
	s.near.Resolve()
}

func (s *ORCA) choose(m *sense.Block) {
	worker, agents := s.workers[m.Worker], m.Agents()
	solver := &worker.solver
	worker.crowd = orca.Crowd{
		X: agents.X, Y: agents.Y, VX: agents.VX, VY: agents.VY, Radius: agents.Radius, ID: agents.ID, DirX: agents.DirX, DirY: agents.DirY,
	}
	solver.Reset(&worker.crowd, m.Dt)
	s.findOthers(worker, m)
	for k := range m.Len() {
		if a := s.near.Answer(m.Index(k)); a.maxSpeed > 0 {
			s.prefer(worker, m, k, a)
		}
	}
	solver.HalfPlanes()
	for k := range m.Len() {
		a := s.near.Answer(m.Index(k))
		if !(a.maxSpeed > 0) {
			continue
		}
		v, feasible := solver.Free(k)
		if !feasible || s.Account != nil {
			draw := 1.
			if solver.StepsAside(k) {
				draw = s.draw(agents.ID[m.Index(k)], m.Time)
			}
			v, feasible = solver.Choose(k, draw)
		}
		if a.velocity = v; s.Account != nil {
			*s.Account = worker.account(v, feasible)
		}
	}
}

func (s *ORCA) prefer(worker *orcaWorker, m *sense.Block, k int, a *choice) {
	solver, place, par := &worker.solver, m.Index(k), s.near.Param(m.Index(k))
	rule := orca.Rule{Horizon: par.TimeHorizon, ObstacleHorizon: par.TimeHorizonObst}
	var rules walking.Rules
	if !s.Faithful {
		if rule.Firm, rule.Yield, rule.Keep = true, true, walking.Distance; s.walkers.some() {
			rules = s.walkers.rules(place, s.Seed, m.Agents().ID[place])
		}
		if rule.Side, rule.Sidestep = orca.Sides(); rules.TimeGap > 0 && rules.Right != 0 {
			rule.Side, rule.Sidestep = 0, orca.Sidesteps(rules.Right)
		}
	}
	solver.Follow(k, &rule, a.maxSpeed)
	if s.obstacles.Len() > 0 {
		s.avoidWalls(worker, m, k, a.maxSpeed)
	}
	goal := vec.Truncate(a.velocity, a.maxSpeed)
	if s.Account != nil {
		worker.considered, worker.preferred, worker.rules, worker.limit, worker.horizon = worker.considers(m, k), a.velocity, rules, a.maxSpeed, par.TimeHorizon
	}
	if rules == (walking.Rules{}) {
		solver.Prefer(k, goal, rule.Keep)
		return
	}
	w := &worker.walker
	w.Rules, w.Solver, w.I, w.Velocity = rules, solver, k, m.Agents().Velocity(place)
	if w.Account = nil; s.Account != nil {
		w.Account = &worker.walked
	}
	w.Prefer(goal, a.maxSpeed, m.Dt)
}

func (s *ORCA) avoidWalls(worker *orcaWorker, m *sense.Block, k int, limit float64) {
	agents, place, par := m.Agents(), m.Index(k), s.near.Param(m.Index(k))
	at, radius, hide := agents.Position(place), agents.Radius[place], !s.Faithful && s.obstacles.Hide()
	far := float64(limit * max(par.TimeHorizonObst, m.Dt)) // m, from the agent's surface
	if hide {
		far = max(far, sight(par, radius, far))
	}
	walls, most := s.obstacles.Walls(at, radius+far, worker.walls[:0])
	if worker.walls, worker.far = walls, max(worker.far, most); len(walls) == 0 {
		return
	}
	worker.solver.AvoidWalls(k, walls)
	if hide {
		worker.lines.Look(at, radius, far, walls)
		worker.solver.Keep(k, func(of uint32) bool { return !worker.lines.Hides(agents.Position(of), agents.Radius[of]) })
	}
}

// sight returns the distance from an agent's surface, in m, within which walls can hide other agents from it.
func sight(par *c.ORCA, radius, avoided float64) float64 {
	const most = 4
	if far := par.NeighborDist / 2; far > 0 {
		return min(far, float64(most*(radius+avoided)))
	}
	return 0
}

// draw returns the random factor, in [0, 1), of an agent's sidestep; time is in s.
func (s *ORCA) draw(id uint64, time float64) float64 {
	slot := math.Floor(float64(time/sideSeconds) + frame.HashFloat(s.Seed, id, 0, useSidePhase))
	if !(slot >= 0 && slot < 1<<53) {
		slot = 0
	}
	return frame.HashFloat(s.Seed, id, uint64(slot), useSide)
}

func (s *ORCA) Run(b *frame.Batch) {
	if !s.near.Any() {
		return
	}
	vel, steer := s.vel.Of(b), s.steer.Of(b)
	var indexes [atOnce]uint32
	for lo := 0; lo < len(vel); lo += atOnce {
		hi := min(lo+atOnce, len(vel))
		s.near.Indexes(b, lo, indexes[:hi-lo])
		s.near.Fetch(indexes[:hi-lo])
		for i := lo; i < hi; i++ {
			index := indexes[i-lo]
			if int(index) >= s.near.Len() {
				continue
			}
			if a := s.near.Answer(index); a.maxSpeed > 0 {
				vel[i].Vec, steer[i].Vec = a.velocity, r2.Vec{}
			}
		}
	}
}

var orcaEntry = catalog.Of(catalog.Entry{
	Name: "orca", Text: "take the collision-free velocity nearest to the preferred one, and share the avoidance with others",
	Source: `van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision avoidance", 2011`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}, c.PreferredVelocity{}},
	System: func(o catalog.Options) any {
		return &ORCA{Obstacles: catalog.Get[*sense.Obstacles](o), Seed: settings(o).Seed, Faithful: settings(o).FaithfulORCA}
	},
	Phase: catalog.Choose, Does: catalog.TakesForces | catalog.SetsVelocity | catalog.SeesAgents | catalog.SeesObstacles,
	Laws: catalog.AllLaws &^ catalog.Mirror, // agents pass one another on the right
}, func(b *c.ORCA) []catalog.Param {
	return []catalog.Param{
		catalog.Number("gain", &b.Gain, "kg/s", "gain of the behavior that steers").Or(2.).Pausing(),
		catalog.Number("time-horizon", &b.TimeHorizon, "s", "time ahead in which collisions with agents are avoided").Or(2.).Older("horizon"),
		catalog.Number("time-horizon-obst", &b.TimeHorizonObst, "s", "time ahead in which collisions with obstacles are avoided").Or(0.5).Older("obstacle-horizon"),
		catalog.Number("neighbor-dist", &b.NeighborDist, "m", "maximum distance of avoided agents, from center to center").Or(5.).Older("range"),
		catalog.Count("max-neighbors", &b.MaxNeighbors, "maximum number of avoided agents, nearest first; 0 means all").Or(10).InFile(catalog.Limits{Max: 1000, Whole: true}).Older("neighbors", "neighbours"),
		catalog.Number("priority", &b.Priority, "", "with three times the priority of another, an agent does a quarter of the avoidance").Within(catalog.OrInfinite).Or(1.),
	}
})

// The rules of walking run within ORCA, because separate systems would search for neighbors again.
var followingDistanceEntry = catalog.Of(catalog.Entry{
	Name: "following-distance", Text: "with ORCA, walk no faster than the gap to agents ahead allows",
	Source: `Tordeux, Chraibi, Seyfried, "Collision-free speed model for pedestrian dynamics", 2016`,
	Needs:  []any{c.ORCA{}}, By: []any{(*ORCA)(nil)},
	Phase: catalog.Choose, Does: catalog.SeesAgents,
	Laws: catalog.AllLaws &^ catalog.Mirror, // as ORCA
}, func(b *c.FollowingDistance) []catalog.Param {
	return []catalog.Param{
		catalog.Number("time-gap", &b.TimeGap, "s", "time to cover the gap to agents ahead; 0 means full speed even in a jam").Or(0.58),
		catalog.Number("variation", &b.Variation, "", "maximum relative deviation of time gaps").Within(catalog.Share).Or(0.6),
	}
})

var fundamentalDiagramEntry = catalog.Of(catalog.Entry{
	Name: "fundamental-diagram", Text: "with a following distance, walk no faster than people do at the density ahead",
	Source: `Weidmann, "Transporttechnik der Fußgänger", 1993; Curtis, Manocha, "Pedestrian simulation using geometric reasoning in velocity space", 2014`,
	Needs:  []any{c.ORCA{}, c.FollowingDistance{}}, By: []any{(*ORCA)(nil)},
	Phase: catalog.Choose, Does: catalog.SeesAgents,
	Laws: catalog.AllLaws &^ catalog.Mirror, // as ORCA
}, func(b *c.FundamentalDiagram) []catalog.Param {
	return []catalog.Param{
		catalog.Number("max-density", &b.MaxDensity, "1/m²", "density at which people barely move; 0 means that density has no effect").Or(5.4),
	}
})

var passingEntry = catalog.Of(catalog.Entry{
	Name: "passing", Text: "with a following distance, veer to the side with fewer people ahead, and pass oncoming agents on one side",
	Source: `Moussaïd, Helbing, Theraulaz, "How simple rules determine pedestrian behavior and crowd disasters", 2011`,
	Needs:  []any{c.ORCA{}, c.FollowingDistance{}}, By: []any{(*ORCA)(nil)},
	Phase: catalog.Choose, Does: catalog.SeesAgents,
	Laws: catalog.AllLaws &^ catalog.Mirror, // as ORCA
}, func(b *c.Passing) []catalog.Param {
	return []catalog.Param{
		catalog.Number("overtaking", &b.Overtaking, "", "sideways speed ÷ speed lost to people ahead, if all are on one side; 0 means straight on").Within(catalog.Limits{Max: 1}).Or(0.8),
		catalog.Number("right", &b.Right, "", "tangent of the angle by which the agent turns right when it meets oncoming agents; negative means left").Within(catalog.Limits{Min: -1, Max: 1}).Or(0.4),
	}
})

var inertiaEntry = catalog.Of(catalog.Entry{
	Name: "inertia", Text: "with ORCA, change speed and direction no faster than people do",
	Source: `Helbing, Molnár, "Social force model for pedestrian dynamics", 1995; the bound is ours`,
	Needs:  []any{c.ORCA{}}, By: []any{(*ORCA)(nil)},
	Phase: catalog.Choose, Does: catalog.SeesAgents,
	Laws: catalog.AllLaws &^ catalog.Mirror, // as ORCA
}, func(b *c.Inertia) []catalog.Param {
	return []catalog.Param{
		catalog.Number("max-acceleration", &b.MaxAcceleration, "m/s²", "maximum acceleration toward the preferred velocity; 0 means no limit").Or(5.),
	}
})

func bodyOf(radius []c.Radius, i int) float64 {
	if radius == nil {
		return 0
	}
	return radius[i].Meters
}

func speedLimit(limits []c.Limits, i int) float64 {
	if limits == nil {
		return math.Inf(1)
	}
	return limits[i].MaxSpeed
}
