package systems

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// avoiders are a crowd in which agents avoid one another, of all kinds and among
// obstacles of all kinds.
type avoiders struct {
	*theatre
	orca     *ORCA
	entities []ecs.Entity // of agents, by id
	walls    []orca.Edge
}

// systemsOfAvoiders returns what a avoiders has in its frame.
func systemsOfAvoiders(o *ORCA, more ...any) []any {
	return append([]any{&Obstacles{}, &Neighbours{}, &Arrival{}, o, &Integration{}}, more...)
}

// newAvoiders puts n agents, and obstacles among them, into the world of a theatre,
// in an order of rows.
func newAvoiders(s *theatre, o *ORCA, n int, order uint64) *avoiders {
	t := &avoiders{theatre: s, orca: o, entities: make([]ecs.Entity, n)}
	side := math.Sqrt(float64(n) / 0.25)
	draw := func(i, use int) float64 { return Draw(7, uint64(i), 0, uint64(use)) }
	at := func(i, use int) r2.Vec { return xy(side*draw(i, use), side*draw(i, use+1)) }
	square := []r2.Vec{xy(0, 0), xy(2, 0), xy(2, 0), xy(2, 2), xy(0.5, 1)}
	ecs.AddResource(s.World, &Polygons{square, {xy(0, 0), xy(1, 0)}})
	for i := range n / 25 {
		p := at(i, 100)
		switch i % 3 {
		case 0:
			t.put(c.Position{Vec: p}, c.Obstacle{Radius: 0.7})
			t.walls = append(t.walls, orca.Wall(p, p, 0.7))
		case 1:
			t.put(c.Position{Vec: p}, c.Obstacle{Span: xy(2, -3), Radius: 0.1})
			t.walls = append(t.walls, orca.Wall(p, vec.Add(p, xy(2, -3)), 0.1))
		case 2:
			t.put(c.Position{Vec: p}, c.Obstacle{Polygon: 1})
			var corners []r2.Vec
			for _, q := range square {
				corners = append(corners, vec.Add(p, q))
			}
			t.walls = orca.Ring(t.walls, corners, 0)
		}
	}
	t.put(c.Position{Vec: xy(nan, 1)}, c.Obstacle{Radius: 3})
	t.put(c.Position{Vec: xy(1, 1)}, c.Obstacle{Polygon: 2}) // of two corners
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
			comps = append(comps, c.Radius{Metres: 0.1 + float64(0.4*draw(i, 8))})
		}
		if i%11 != 0 { // the others heed nobody
			par := c.ORCA{Gain: 2, Horizon: 2, ObstacleHorizon: 1, Range: 5, Most: 8, Priority: 1}
			switch i % 13 {
			case 0:
				par.Gain = 0
			case 1:
				par.Range = 0
			case 2:
				par.Most = 0
			case 3:
				par.Priority, par.Range, par.Most = 3, 12, 30
			case 4:
				par.Priority, par.Horizon, par.ObstacleHorizon = 0, 0, 0
			}
			comps = append(comps, par)
		}
		if order > 0 && i%5 == 0 {
			comps = append(comps, ballast{})
		}
		t.entities[i] = t.put(comps...)
	}
	return t
}

// hashed returns the state.
func (t *avoiders) hashed(h *Hash) uint64 {
	f := NewFrame(h)
	f.Workers = 1
	f.Initialize(t.World)
	defer f.Finalize(t.World)
	f.Update(t.World)
	return h.Sum()
}

// plainly returns the velocities after the next step, by the rule alone and a loop
// over all agents.
func (t *avoiders) plainly(faithful bool) []r2.Vec {
	type found struct {
		d2 float64
		i  int
	}
	next, dt, solver := make([]r2.Vec, len(t.entities)), t.clock.Dt, &orca.Solver{}
	place, velocity := func(i int) r2.Vec { return of[c.Position](t.theatre, t.entities[i]).Vec }, func(i int) r2.Vec { return of[c.Velocity](t.theatre, t.entities[i]).Vec }
	parOf := func(i int) (par c.ORCA) {
		if t.Has(t.entities[i], ecs.ComponentID[c.ORCA](t.World)) {
			par = *of[c.ORCA](t.theatre, t.entities[i])
		}
		return par
	}
	radius := func(i int) float64 {
		if t.Has(t.entities[i], ecs.ComponentID[c.Radius](t.World)) {
			return of[c.Radius](t.theatre, t.entities[i]).Metres
		}
		return 0
	}
	for i, e := range t.entities {
		p, v, par, limits := place(i), velocity(i), parOf(i), of[c.Limits](t.theatre, e)
		slow := of[c.Arrival](t.theatre, e)
		force := vec.AddScaled(r2.Vec{}, slow.Gain, arrive(p, v, of[c.Target](t.theatre, e).Vec, limits.MaxSpeed, slow.SlowingRadius))
		if par.Gain == 0 {
			_, next[i] = integrate(p, v, force, 1, *limits, dt)
			continue
		}
		a := orca.Agent{
			ID: uint64(i), Position: p, Velocity: v, Preferred: vec.AddScaled(v, 1/par.Gain, force), Radius: radius(i), MaxSpeed: limits.MaxSpeed,
			Horizon: par.Horizon, ObstacleHorizon: par.ObstacleHorizon,
		}
		if !faithful {
			a.Firm = true
			slot := math.Floor(t.clock.Time/2 + Draw(t.orca.Seed, a.ID, 0, useSidePhase))
			a.Side, a.Sidestep = orca.Sides(Draw(t.orca.Seed, a.ID, uint64(slot), useSide))
		}
		var all []found
		for j := range t.entities {
			if d2 := vec.Norm2(vec.Sub(place(j), p)); j != i && d2 <= float64(par.Range*par.Range) {
				all = append(all, found{d2, j})
			}
		}
		slices.SortFunc(all, func(x, y found) int { return cmp.Or(cmp.Compare(x.d2, y.d2), cmp.Compare(x.i, y.i)) })
		var others []orca.Other
		for _, f := range all[:min(len(all), par.Most)] {
			share := 1.
			if theirs := parOf(f.i); theirs.Gain > 0 {
				share = orca.Share(par.Priority, theirs.Priority)
			}
			others = append(others, orca.Other{ID: uint64(f.i), Position: place(f.i), Velocity: velocity(f.i), Radius: radius(f.i), Share: share})
		}
		next[i], _ = solver.Velocity(&a, others, t.walls, dt)
		_, next[i] = integrate(p, next[i], r2.Vec{}, 1, *limits, dt)
	}
	return next
}

// The system does what the rule says, to the last bit.
func TestORCAIsTheRule(t *testing.T) {
	for _, faithful := range []bool{false, true} {
		o := &ORCA{Seed: 5, Faithful: faithful}
		s := newAvoiders(newTheatre(t, 0.1, systemsOfAvoiders(o)...), o, 300, 0)
		for step := range 20 {
			want := s.plainly(faithful)
			s.step()
			for i, e := range s.entities {
				if got := of[c.Velocity](s.theatre, e).Vec; got != want[i] {
					t.Fatalf("step %d, agent %d: got=%v, want=%v", step, i, got, want[i])
				}
			}
		}
	}
}

// The state after some steps is one for all orders of rows, workers and batches.
func TestORCAHash(t *testing.T) {
	var want uint64
	for i, v := range []variant{{workers: 1, batchRows: 128}, {workers: 2, batchRows: 64}, {workers: 3, batchRows: 7, order: 1}, {workers: 8, batchRows: 1000, order: 2}} {
		w := ecs.NewWorld(16)
		o := &ORCA{}
		s := &theatre{World: &w, frame: NewFrame(systemsOfAvoiders(o)...), clock: &Clock{Dt: 0.1}}
		s.frame.Workers, s.frame.BatchRows, s.frame.share = v.workers, v.batchRows, 64
		ecs.AddResource(s.World, s.clock)
		all := newAvoiders(s, o, 5000, v.order)
		s.frame.Initialize(s.World)
		for range 8 {
			s.step()
		}
		s.frame.Finalize(s.World)
		got := all.hashed(&Hash{})
		if i == 0 {
			want = got
		}
		if got != want {
			t.Errorf("%+v: got=%x, want=%x", v, got, want)
		}
	}
}
