package systems

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/internal/walking"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// avoiders is a crowd of agents of all kinds among obstacles of all kinds.
type avoiders struct {
	*stage
	orca     *ORCA
	entities []ecs.Entity // of agents, by ID
}

func systemsOfAvoiders(o *ORCA, more ...any) []any {
	return append([]any{&sense.Obstacles{}, &sense.Neighbors{}, &Arrival{}, o, &Integration{}}, more...)
}

// An order above 0 shuffles the rows, and puts every fifth agent into another archetype.
func newAvoiders(s *stage, o *ORCA, n int, order uint64) *avoiders {
	t := &avoiders{stage: s, orca: o, entities: make([]ecs.Entity, n)}
	side := math.Sqrt(float64(n) / 0.25)
	draw := func(i, use int) float64 { return frame.HashFloat(7, uint64(i), 0, uint64(use)) }
	at := func(i, use int) r2.Vec { return xy(side*draw(i, use), side*draw(i, use+1)) }
	square := []r2.Vec{xy(0, 0), xy(2, 0), xy(2, 0), xy(2, 2), xy(0.5, 1)}
	ecs.AddResource(s.World, &sense.Polygons{square, {xy(0, 0), xy(1, 0)}})
	for i := range n / 25 {
		kinds := []c.Obstacle{{Radius: 0.7}, {Span: xy(2, -3), Radius: 0.1}, {Polygon: 1}}
		t.Put(c.Position{Vec: at(i, 100)}, kinds[i%3])
	}
	t.Put(c.Position{Vec: xy(nan, 1)}, c.Obstacle{Radius: 3})
	t.Put(c.Position{Vec: xy(1, 1)}, c.Obstacle{Polygon: 2}) // a polygon of two corners
	ids := make([]int, n)
	for i := range ids {
		ids[i] = i
	}
	if order > 0 {
		rand.New(rand.NewPCG(order, 3)).Shuffle(n, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	}
	for _, i := range ids {
		limits := c.Limits{MaxSpeed: 1 + draw(i, 4), MaxForce: 1}
		comps := []any{c.Agent{ID: uint64(i)}, c.Position{Vec: at(i, 0)}, c.Velocity{Vec: xy(2*draw(i, 2)-1, 2*draw(i, 3)-1)},
			limits, c.Target{Vec: at(i, 6)}, c.Arrival{Gain: 2, SlowingRadius: 1}}
		if i%7 != 0 {
			comps = append(comps, c.Radius{Meters: 0.1 + float64(0.4*draw(i, 8))})
		}
		if i%11 != 0 { // every 11th agent has no ORCA
			par := c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 5, MaxNeighbors: 8, Priority: 1}
			switch i % 13 {
			case 0:
				par.Gain = 0
			case 1:
				par.NeighborDist = 0
			case 2:
				par.MaxNeighbors = 0
			case 3:
				par.Priority, par.NeighborDist, par.MaxNeighbors = 3, 12, 30
			case 4:
				par.Priority, par.TimeHorizon, par.TimeHorizonObst = 0, 0, 0
			}
			comps = append(comps, par)
		}
		comps = append(comps, lawsOf(i)...)
		if order > 0 && i%5 == 0 {
			comps = append(comps, ballast{})
		}
		t.entities[i] = t.Put(comps...)
	}
	return t
}

// lawsOf returns the walking rules of agent i.
func lawsOf(i int) (laws []any) {
	if i%11 == 0 { // agent i has no ORCA
		return nil
	}
	if i%2 == 0 {
		laws = append(laws, c.FollowingDistance{TimeGap: 0.5 + 0.1*float64(i%9), Variation: 0.25 * float64(i%5)})
		if i%4 == 0 {
			laws = append(laws, c.FundamentalDiagram{MaxDensity: 1 + float64(i%6)})
		}
		if i%3 != 0 {
			laws = append(laws, c.Passing{Overtaking: 0.25 * float64(i%6), Right: 0.2 * float64(i%5-2)})
		}
	}
	if i%7 < 3 {
		laws = append(laws, c.Inertia{MaxAcceleration: float64(i % 7)})
	}
	return laws
}

func walkingOf(seed uint64, i int) (w walking.Rules) {
	for _, law := range lawsOf(i) {
		switch law := law.(type) {
		case c.FollowingDistance:
			w.TimeGap = law.TimeGap * (1 + float64(law.Variation*(2*frame.HashFloat(seed, uint64(i), 0, useTimeGap)-1)))
		case c.FundamentalDiagram:
			w.MaxDensity = law.MaxDensity
		case c.Passing:
			w.Overtaking, w.Right = law.Overtaking, law.Right
		case c.Inertia:
			w.Acceleration = law.MaxAcceleration
		}
	}
	return w
}

func (t *avoiders) hashed(h *measure.Hash) uint64 {
	f := frame.New(h)
	f.Workers = 1
	f.Initialize(t.World)
	defer f.Finalize(t.World)
	f.Update(t.World)
	return h.Sum()
}

func valueOf[T any](s *stage, e ecs.Entity) (value T) {
	if has := testkit.ComponentOf[T](s, e); has != nil {
		value = *has
	}
	return value
}

// plainly returns the velocities after the next step, by a loop over all agents and walls. It does not
// work before the first step.
func (t *avoiders) plainly(faithful bool) []r2.Vec {
	type found struct {
		d2 float64
		i  int
	}
	next, dt, solver := make([]r2.Vec, len(t.entities)), t.Clock.Dt, &orca.Alone{}
	walls, _ := t.orca.obstacles.Walls(r2.Vec{}, 1e6, nil)
	place := func(i int) r2.Vec { return valueOf[c.Position](t.stage, t.entities[i]).Vec }
	velocity := func(i int) r2.Vec { return valueOf[c.Velocity](t.stage, t.entities[i]).Vec }
	parOf := func(i int) c.ORCA { return valueOf[c.ORCA](t.stage, t.entities[i]) }
	radius := func(i int) float64 { return valueOf[c.Radius](t.stage, t.entities[i]).Meters }
	way := func(i int) r2.Vec { return vec.Unit(valueOf[c.PreferredVelocity](t.stage, t.entities[i]).Vec) }
	for i, e := range t.entities {
		p, v, par, limits := place(i), velocity(i), parOf(i), testkit.ComponentOf[c.Limits](t.stage, e)
		slow := testkit.ComponentOf[c.Arrival](t.stage, e)
		force := vec.AddScaled(r2.Vec{}, slow.Gain, arriveAt(p, v, testkit.ComponentOf[c.Target](t.stage, e).Vec, limits.MaxSpeed, slow.SlowingRadius))
		if par.Gain == 0 {
			_, next[i] = integrate(p, v, force, 1, *limits, dt)
			continue
		}
		a := orca.Agent{
			ID: uint64(i), Position: p, Velocity: v, Preferred: vec.AddScaled(v, 1/par.Gain, force), Radius: radius(i), MaxSpeed: limits.MaxSpeed,
			Way: way(i), Rule: orca.Rule{Horizon: par.TimeHorizon, ObstacleHorizon: par.TimeHorizonObst},
		}
		var rules walking.Rules
		far, draw := float64(a.MaxSpeed*max(a.ObstacleHorizon, dt)), 1.
		if !faithful {
			a.Firm, a.Yield, a.Keep = true, true, walking.Distance
			far = max(far, sight(&par, a.Radius, far))
			slot := math.Floor(t.Clock.Time/2 + frame.HashFloat(t.orca.Seed, a.ID, 0, useSidePhase))
			draw = frame.HashFloat(t.orca.Seed, a.ID, uint64(slot), useSide)
			a.Side, a.Sidestep = orca.Sides()
			if rules = walkingOf(t.orca.Seed, i); rules.TimeGap > 0 && rules.Right != 0 {
				a.Side, a.Sidestep = 0, orca.Sidesteps(rules.Right)
			}
		}
		var all []found
		for j := range t.entities {
			if d2 := vec.Norm2(vec.Sub(place(j), p)); j != i && d2 <= float64(par.NeighborDist*par.NeighborDist) {
				all = append(all, found{d2, j})
			}
		}
		slices.SortFunc(all, func(x, y found) int { return cmp.Or(cmp.Compare(x.d2, y.d2), cmp.Compare(x.i, y.i)) })
		var others []orca.Other
		if par.MaxNeighbors > 0 {
			all = all[:min(len(all), par.MaxNeighbors)]
		}
		var lines orca.Sightlines
		lines.Look(p, a.Radius, far, walls)
		for _, f := range all {
			if !faithful && lines.Hides(place(f.i), radius(f.i)) {
				continue
			}
			share := 1.
			if theirs := parOf(f.i); theirs.Gain > 0 && theirs.NeighborDist > 0 {
				share = orca.Share(par.Priority, theirs.Priority)
			}
			others = append(others, orca.Other{ID: uint64(f.i), Position: place(f.i), Velocity: velocity(f.i), Radius: radius(f.i), Way: way(f.i), Share: share})
		}
		var edges []orca.Edge
		for _, w := range walls {
			edges = append(edges, *w)
		}
		solver.Set(&a, others, edges, dt)
		if rules != (walking.Rules{}) {
			w := walking.Walker{Rules: rules, Solver: &solver.Solver, Velocity: v}
			w.Prefer(vec.Truncate(a.Preferred, a.MaxSpeed), a.MaxSpeed, dt)
		}
		solver.HalfPlanes()
		next[i], _ = solver.Choose(0, draw)
		_, next[i] = integrate(p, next[i], r2.Vec{}, 1, *limits, dt)
	}
	return next
}
