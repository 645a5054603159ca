package sense

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

type herd struct{ Reach float64 }

type packed struct {
	away, velocity, center r2.Vec
	n                      uint64
	ids                    uint64
}

type herding struct {
	near   Query[herd, packed]
	look   func(herd) Look // nil means as far as herd defines
	answer func(*Block)    // nil means sums
	steer  frame.Out[c.Steering]
	vel    frame.In[c.Velocity]
	par    frame.In[herd]
	seen   map[uint64]packed // answers that Run reads, by ID; nil means not kept
	agent  frame.In[c.Agent]
}

func (s *herding) Needs(n *frame.Needs) {
	n.Read(&s.par, &s.vel)
	n.Optional(&s.agent)
	n.Write(&s.steer)
	look := s.look
	if look == nil {
		look = func(h herd) Look { return Look{NeighborDist: h.Reach} }
	}
	if s.answer != nil {
		s.near.AskBlocks(n, look, s.answer)
	} else {
		s.near.Ask(n, look, s.sum)
	}
}

func (s *herding) sum(h *Neighborhood, _ herd) (sum packed) {
	p := h.Self().Position
	for o := range h.All() {
		d := vec.Sub(p, o.Position)
		sum.away = vec.AddScaled(sum.away, 1/(vec.Norm2(d)+1e-6), d)
		sum.velocity = vec.Add(sum.velocity, o.Velocity)
		sum.center = vec.Add(sum.center, o.Position)
		sum.ids += o.ID
		sum.n++
	}
	return sum
}

func (s *herding) Run(b *frame.Batch) {
	steer, vel, agent := s.steer.Of(b), s.vel.Of(b), s.agent.Of(b)
	for i, sum := range s.near.Of(b) {
		if s.seen != nil {
			s.seen[agent[i].ID] = sum
		}
		if sum.n > 0 {
			mean := vec.Scale(1/float64(sum.n), sum.velocity)
			steer[i].Vec = vec.Add(vec.AddScaled(steer[i].Vec, 0.5, sum.away), vec.Sub(mean, vel[i].Vec))
		}
	}
}

// gathering puts n agents into a square and returns them by ID. Agents with a reach above 0 have herd. If
// order is not 0, the rows are in random order and in more archetypes.
func gathering(w *ecs.World, n int, order uint64, reach func(id uint64) float64) map[uint64]ecs.Entity {
	ids, all := make([]uint64, n), map[uint64]ecs.Entity{}
	for i := range ids {
		ids[i] = uint64(i)
	}
	if order > 0 {
		r := rand.New(rand.NewPCG(order, 1))
		r.Shuffle(n, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	}
	side := math.Sqrt(float64(n) / 0.3)
	for _, id := range ids {
		draw := func(use uint64) float64 { return frame.HashFloat(9, id, 0, use) }
		comps := []any{
			c.Agent{ID: id}, c.Position{Vec: xy(side*draw(0), side*draw(1))}, c.Velocity{Vec: xy(draw(2)-0.5, draw(3)-0.5)},
			c.Limits{MaxSpeed: 2, MaxForce: 5}, c.Steering{},
		}
		if r := reach(id); r > 0 {
			comps = append(comps, herd{r})
		}
		if order > 0 && id%5 == 0 {
			comps = append(comps, ballast{})
		}
		if id%3 == 0 {
			comps = append(comps, c.Radius{Meters: draw(4) / 2})
		}
		e := w.NewEntity()
		testkit.Add(w, e, comps...)
		all[id] = e
	}
	return all
}

func TestNeighborsAnswer(t *testing.T) {
	for name, reach := range map[string]func(uint64) float64{
		"alike": func(uint64) float64 { return 4 },
		"mixed": func(id uint64) float64 { return []float64{4, 0, 2, 30, math.NaN(), -1, math.Inf(1)}[id%7] },
		"all":   func(id uint64) float64 { return []float64{4, 2, 9}[id%3] },
		"few":   func(id uint64) float64 { return []float64{0, 5}[id%100/99] },
	} {
		t.Run(name, func(t *testing.T) {
			seer := &herding{seen: map[uint64]packed{}}
			s := newStage(t, 0.1, &testkit.Mover{}, seer, &Neighbors{}) // agents have moved before herding runs
			all := gathering(s.World, 700, 1, func(id uint64) float64 {
				if r := reach(id); r != r || r < 0 {
					return 1 // changed below
				}
				return reach(id)
			})
			before := map[uint64]r2.Vec{}
			herds := ecs.ComponentID[herd](s.World)
			for id, e := range all {
				if before[id] = testkit.ComponentOf[c.Position](s, e).Vec; s.Has(e, herds) {
					testkit.ComponentOf[herd](s, e).Reach = reach(id)
				}
			}
			s.Step()
			for id, e := range all {
				if !s.Has(e, herds) {
					continue
				}
				var want packed
				for other, p := range before {
					if r := reach(id); r > 0 && !math.IsInf(r, 1) && other != id && vec.Norm2(vec.Sub(p, before[id])) <= r*r {
						want.n++
						want.ids += other
						want.center = r2.Add(want.center, p)
					}
				}
				got := seer.seen[id]
				if got.n != want.n || got.ids != want.ids || !vecWithin(got.center, want.center, 1e-8*(1+r2.Norm(want.center))) {
					t.Fatalf("agent %d: got=%+v, want=%+v", id, got, want)
				}
			}
		})
	}
}

func TestNeighborsOnlyIfNeeded(t *testing.T) {
	n := &Neighbors{}
	s := newStage(t, 0.1, n, &herding{})
	for range 3 {
		s.Put(c.Position{}, c.Velocity{})
	}
	check := func(what string, want int) {
		t.Helper()
		s.Step()
		if got := n.Len(); got != want {
			t.Errorf("%s: got=%v agents, want=%v", what, got, want)
		}
	}
	check("none looks", 0)
	e := s.Put(c.Position{}, c.Velocity{}, c.Steering{}, herd{3})
	check("one looks", 4)
	testkit.ComponentOf[herd](s, e).Reach = 0
	check("its reach is 0", 0)
	testkit.ComponentOf[herd](s, e).Reach = 3
	check("it looks again", 4)
	s.RemoveEntity(e)
	check("it died", 0)
	n.Always = true
	check("the host wants it", 3)
	s.Put(c.Position{})                                      // a position, but no agent
	s.Put(c.Position{}, c.Obstacle{Radius: 1}, c.Velocity{}) // a moving obstacle
	check("no agents", 3)
	s.Put(c.Position{}, c.Radius{})
	s.Put(c.Position{}, c.Agent{ID: 9})
	check("with Radius or Agent", 5)
	s.Put(c.Position{Vec: xy(math.NaN(), 0)}, c.Velocity{})
	check("not finite", 5)
	testkit.Equal(t, n.Skipped(), 1, "skipped")
}

func putHerd(s *stage, p r2.Vec, id uint64, reach float64) ecs.Entity {
	return s.Put(c.Agent{ID: id}, c.Position{Vec: p}, c.Velocity{}, c.Steering{}, herd{reach})
}

func TestNeighborsForget(t *testing.T) {
	h := &herding{seen: map[uint64]packed{}}
	s := newStage(t, 0.1, &Neighbors{}, h)
	check := func(what string, want uint64) {
		t.Helper()
		s.Step()
		testkit.Equal(t, h.seen[1].ids, want, "%s", what)
	}
	a := putHerd(s, xy(0.1, 0.1), 1, 3)
	b := putHerd(s, xy(2.8, 0.1), 20, 3)
	check("near", 20)
	testkit.ComponentOf[c.Position](s, b).Y = 2.8
	check("too far, in the same cell", 0)
	testkit.ComponentOf[c.Position](s, b).Y = 0.2
	testkit.ComponentOf[herd](s, b).Reach = 2
	check("near again", 20)
	s.Remove(a, ecs.ComponentID[herd](s.World))
	s.Step()
	place, _ := h.near.neighbors.Index(a)
	if got := *h.near.Answer(place); got != (packed{}) || *h.near.Param(place) != (herd{}) {
		t.Errorf("without a query: got=%+v, want none", got)
	}
	plain := []packed{{n: 5}}
	h.near.take(frame.BatchOf(frame.Clock{}, &testkit.Mover{}, frame.Over([]c.Position{{}}), frame.Over([]c.Velocity{{}})), plain)
	if plain[0] != (packed{}) {
		t.Errorf("no entity: got=%+v, want none", plain[0])
	}
}

// lateBirth changes the world between the snapshot and the systems.
type lateBirth struct{ do func() }

func (s *lateBirth) Update(*ecs.World) { s.do() }

// The new agent has the entity ID of an agent removed in the step, but must not get its answer.
func TestNeighborsBirthInStep(t *testing.T) {
	h, late := &herding{seen: map[uint64]packed{}}, &lateBirth{}
	s := newStage(t, 0.1, &Neighbors{}, late, h)
	putHerd(s, xy(0, 0), 1, 3)
	b := putHerd(s, xy(1, 0), 20, 3)
	late.do = func() {
		s.RemoveEntity(b)
		putHerd(s, xy(0.5, 0), 300, 3)
	}
	s.Step()
	if got := h.seen[300]; got != (packed{}) {
		t.Errorf("answer for an agent that is not in the snapshot: got=%+v, want none", got)
	}
	testkit.Equal(t, h.seen[1].ids, 20, "neighbors of 1")
}

func TestNeighborsLayers(t *testing.T) {
	h := &herding{seen: map[uint64]packed{}}
	s := newStage(t, 0.1, &Neighbors{}, h)
	put := func(id uint64, comps ...any) {
		s.Put(append(comps, c.Agent{ID: id}, c.Position{}, c.Velocity{}, c.Steering{}, herd{3})...)
	}
	put(1)
	put(10, c.Layers{On: 1, Sees: 2})
	put(100, c.Layers{On: 2, Sees: 3})
	put(1000, c.Layers{On: 0, Sees: 1})
	put(10000, c.Layers{On: 4, Sees: 0})
	s.Step()
	for id, want := range map[uint64]uint64{1: 10110, 10: 100, 100: 11, 1000: 11, 10000: 0} {
		testkit.Equal(t, h.seen[id].ids, want, "agent %d sees", id)
	}
}

func TestNeighborsQueries(t *testing.T) {
	n := &Neighbors{Always: true}
	s := newStage(t, 0.1, n)
	a := s.Put(c.Agent{ID: 1}, c.Position{}, c.Radius{Meters: 0.5})
	b := s.Put(c.Agent{ID: 2}, c.Position{Vec: xy(3, 0)}, c.Velocity{Vec: xy(0, 1)}, c.Layers{On: 2, Sees: 1})
	s.Put(c.Agent{ID: 3}, c.Position{Vec: xy(-500, 0)}, c.Radius{Meters: 498})
	s.Step()
	for _, tc := range []struct {
		name string
		got  []uint64
		want []uint64
	}{
		{"within 3", idsFound(func(v func(Neighbor) bool) { n.Within(r2.Vec{}, 3, ecs.Entity{}, v) }), []uint64{1, 2}},
		{"but myself", idsFound(func(v func(Neighbor) bool) { n.Within(r2.Vec{}, 3, a, v) }), []uint64{2}},
		{"within 2.9", idsFound(func(v func(Neighbor) bool) { n.Within(r2.Vec{}, 2.9, b, v) }), []uint64{1}},
		{"bodies within 2", idsFound(func(v func(Neighbor) bool) { n.Touching(r2.Vec{}, 2, a, v) }), []uint64{3}},
		{"the first alone", idsFound(func(v func(Neighbor) bool) {
			n.Within(r2.Vec{}, 3, ecs.Entity{}, func(o Neighbor) bool { v(o); return false })
		}), []uint64{1}},
	} {
		if !slices.Equal(tc.got, tc.want) {
			t.Errorf("%s: got=%v, want=%v", tc.name, tc.got, tc.want)
		}
	}
	to := make([]NeighborHit, 4)
	if k := n.Nearest(xy(1, 0), 10, ecs.Entity{}, 2, to); k != 1 || n.At(to[0].Index).ID != 2 || to[0].Distance != 2 {
		t.Errorf("nearest on the second layer: got=%d agents, the first %+v, want=1, agent 2 at 2 m", k, to[0])
	}
	place, _ := n.Index(b)
	if got, want := n.At(place), (Neighbor{Position: xy(3, 0), Velocity: xy(0, 1), ID: 2, Entity: b, On: 2, Sees: 1}); got != want {
		t.Errorf("at: got=%+v, want=%+v", got, want)
	}
}

func idsFound(visit func(func(Neighbor) bool)) (all []uint64) {
	visit(func(o Neighbor) bool { all = append(all, o.ID); return true })
	slices.Sort(all)
	return all
}

func TestNeighborsMisuse(t *testing.T) {
	panics := func(name string, f func()) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s: got=no panic, want=a panic", name)
			}
		}()
		f()
	}
	panics("none in the frame", func() { newStage(t, 1, &herding{}) })
	n := &Neighbors{}
	s := newStage(t, 1, n)
	panics("in two frames", func() { frame.New(n).Initialize(s.World) })
}

func TestRay(t *testing.T) {
	o, n := &Obstacles{}, &Neighbors{Always: true}
	s := newStage(t, 0.1, o, n)
	me := s.Put(c.Agent{ID: 1}, c.Position{}, c.Radius{Meters: 1})
	first := s.Put(c.Agent{ID: 2}, c.Position{Vec: xy(4, 0.3)}, c.Radius{Meters: 0.5}, c.Layers{On: 2})
	twin := s.Put(c.Agent{ID: 4}, c.Position{Vec: xy(8, 0)}, c.Radius{Meters: 1}, c.Layers{On: 4})
	low := s.Put(c.Agent{ID: 3}, c.Position{Vec: xy(8, 0)}, c.Radius{Meters: 1}, c.Layers{On: 4})
	wall := s.Put(c.Position{Vec: xy(12, -5)}, c.Obstacle{Span: xy(0, 10)})
	flush := s.Put(c.Agent{ID: 5}, c.Position{Vec: xy(12.5, 0)}, c.Radius{Meters: 0.5}, c.Layers{On: 8})
	behind := s.Put(c.Agent{ID: 6}, c.Position{Vec: xy(20, 0)}, c.Radius{Meters: 0.5}, c.Layers{On: 8})
	s.Step()
	for _, test := range []struct {
		name   string
		length float64
		asks   ecs.Entity
		layers uint32
		see    *Obstacles
		want   ecs.Entity
		agent  bool
		at, by r2.Vec
	}{
		{"the first body", 50, me, math.MaxUint32, o, first, true, xy(3.6, 0), xy(-0.8, -0.6)},
		{"too far", 3, me, math.MaxUint32, o, ecs.Entity{}, false, xy(0, 0), xy(0, 0)},
		{"of two in one place the lowest ID", 50, me, 4, o, low, true, xy(7, 0), xy(-1, 0)},
		{"that one asks itself", 50, low, 4, o, twin, true, xy(7, 0), xy(-1, 0)},
		{"a wall before bodies, one of them flush", 50, me, 8, o, wall, false, xy(12, 0), xy(-1, 0)},
		{"no obstacles", 50, me, 8, nil, flush, true, xy(12, 0), xy(-1, 0)},
		{"nothing but obstacles", 50, me, 0, o, wall, false, xy(12, 0), xy(-1, 0)},
		{"very far", 1e9, me, 8, o, wall, false, xy(12, 0), xy(-1, 0)},
		{"as far as numbers go", math.MaxFloat64, me, 8, o, wall, false, xy(12, 0), xy(-1, 0)},
		{"infinitely far", math.Inf(1), me, 8, o, wall, false, xy(12, 0), xy(-1, 0)},
		{"a negative length", -1, me, 8, o, ecs.Entity{}, false, xy(0, 0), xy(0, 0)},
		{"no length", math.NaN(), me, 8, o, ecs.Entity{}, false, xy(0, 0), xy(0, 0)},
		{"from inside a body", 50, ecs.Entity{}, 1, o, me, true, xy(0, 0), xy(-1, 0)},
	} {
		got, ok := n.Ray(test.see, r2.Vec{}, xy(1, 0), test.length, test.asks, test.layers)
		near := math.Abs(got.Point.X-test.at.X) < 1e-12 && math.Abs(got.Normal.X-test.by.X) < 1e-12 && math.Abs(got.Normal.Y-test.by.Y) < 1e-12
		if ok != !test.want.IsZero() || got.Entity != test.want || got.Agent != test.agent || !near || math.Abs(got.Distance-test.at.X) > 1e-12 {
			t.Errorf("%s: got=%+v %v, want=%v, an agent: %v, at %v with normal %v", test.name, got, ok, test.want, test.agent, test.at, test.by)
		}
	}
	if _, ok := n.Ray(o, xy(20, 5), xy(0, -1), 4, me, 8); ok {
		t.Error("a ray that ends before the body: got a hit, want none")
	}
	if got, ok := n.Ray(o, xy(20, 5), xy(0, -1), 4.5, me, 8); !ok || got.Entity != behind {
		t.Errorf("a ray that ends at the body: got=%+v, want=%v", got, behind)
	}
	testkit.NoAllocs(t, 10, func() { n.Ray(o, r2.Vec{}, xy(1, 0), 50, me, 2) })
}
