package sense

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// herd makes an agent look at its neighbors.
type herd struct{ Reach float64 }

// packed is what herding finds.
type packed struct {
	away, velocity, center r2.Vec
	n                      uint64
	ids                    uint64
}

// herding sums up neighbors and steers by that.
type herding struct {
	near   Query[herd, packed]
	look   func(herd) Look // nil: as far as herd says
	answer func(*Block)    // nil: sum
	steer  frame.Out[c.Steering]
	vel    frame.In[c.Velocity]
	par    frame.In[herd]
	seen   map[uint64]packed // by id, as Run has them; nil: not kept
	agent  frame.In[c.Agent]
}

func newHerding() *herding { return &herding{} }

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

// gathering puts n agents into a square, in an order of rows and over archetypes.
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

// The state after some steps is one for all orders of rows, workers and batches.
func TestNeighborsHash(t *testing.T) {
	reach := func(id uint64) float64 { return []float64{4, 4, 0, 2.5, 9}[id%5] }
	var want uint64
	for i, v := range []variant{{workers: 1, batchRows: 128}, {workers: 4, batchRows: 64}, {workers: 3, batchRows: 7, order: 1}, {workers: 1, batchRows: 1000, order: 2}} {
		w := ecs.NewWorld(16)
		clock := &frame.Clock{Dt: 0.1}
		ecs.AddResource(&w, clock)
		gathering(&w, 5000, v.order, reach)
		hash := &stateHash{}
		f := frame.New(&Neighbors{}, newHerding(), &mover{}, hash)
		f.Workers, f.BatchRows = v.workers, v.batchRows
		f.Initialize(&w)
		for range 8 {
			f.Update(&w)
			clock.Advance()
		}
		f.Finalize(&w)
		if i == 0 {
			want = hash.Sum()
		}
		if got := hash.Sum(); got != want {
			t.Errorf("%v: hash got=%x, want=%x", v, got, want)
		}
	}
}

// What Run takes is what a loop over all agents finds, as of the start of the step.
func TestNeighborsAnswer(t *testing.T) {
	for name, reach := range map[string]func(uint64) float64{
		"alike": func(uint64) float64 { return 4 },
		"mixed": func(id uint64) float64 { return []float64{4, 0, 2, 30, math.NaN(), -1, math.Inf(1)}[id%7] },
		"all":   func(id uint64) float64 { return []float64{4, 2, 9}[id%3] },
		"few":   func(id uint64) float64 { return []float64{0, 5}[id%100/99] },
	} {
		t.Run(name, func(t *testing.T) {
			w := ecs.NewWorld(16)
			all := gathering(&w, 700, 1, func(id uint64) float64 {
				if r := reach(id); r != r || r < 0 {
					return 1 // set below
				}
				return reach(id)
			})
			herds := ecs.ComponentID[herd](&w)
			for id, e := range all {
				if w.Has(e, herds) {
					(*herd)(w.Get(e, herds)).Reach = reach(id)
				}
			}
			seer := newHerding()
			seer.seen = map[uint64]packed{}
			n := &Neighbors{}
			f := frame.New(&mover{}, seer, n) // agents have moved when herding runs
			f.Workers = 1
			f.Initialize(&w)
			defer f.Finalize(&w)
			before := map[uint64]r2.Vec{}
			pos := ecs.ComponentID[c.Position](&w)
			for id, e := range all {
				before[id] = (*c.Position)(w.Get(e, pos)).Vec
			}
			f.Update(&w)
			for id, e := range all {
				if !w.Has(e, herds) {
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

// Each of several queries reaches as far as it asks, and no farther.
func TestNeighborsSeveralLookers(t *testing.T) {
	type wide struct{ Reach float64 }
	w := ecs.NewWorld(16)
	all := gathering(&w, 500, 0, func(uint64) float64 { return 2 })
	for id, e := range all {
		if id%2 == 0 {
			testkit.Add(&w, e, wide{6})
		}
	}
	near := newHerding()
	far := &counter[wide]{look: func(h wide) Look { return Look{NeighborDist: h.Reach} }}
	n := &Neighbors{}
	f := frame.New(n, near, far)
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	found := 0
	defer func() {
		if looked, met := n.Met(); looked != 500 || met != uint64(found) {
			t.Errorf("met: got=%v %v, want=500 %v", looked, met, found)
		}
	}()
	for id, e := range all {
		place, _ := n.Index(e)
		count := func(radius float64) (k int) {
			n.Within(n.At(place).Position, radius, e, func(Neighbor) bool { k++; return true })
			return k
		}
		if got, want := int(near.near.Answer(place).n), count(2); got != want {
			t.Fatalf("agent %d up to 2 m: got=%v, want=%v", id, got, want)
		}
		want := 0
		if id%2 == 0 {
			want = count(6)
		}
		found += max(want, count(2))
		if got := *far.near.Answer(place); got != want {
			t.Fatalf("agent %d up to 6 m: got=%v, want=%v", id, got, want)
		}
	}
}

// counter counts neighbors.
type counter[T comparable] struct {
	near Query[T, int]
	look func(T) Look
}

func (s *counter[T]) Run(*frame.Batch) {}

func (s *counter[T]) Needs(n *frame.Needs) {
	s.near.AskBlocks(n, s.look, func(b *Block) {
		for k := range b.Len() {
			*s.near.Answer(b.Index(k)) = len(b.Near(k))
			nearest := b.Nearest(k, 5)
			if want := min(5, len(b.Near(k))); len(nearest) != want {
				panic(fmt.Sprintf("%d nearest, want %d", len(nearest), want))
			}
		}
	})
}

// The snapshot is there only if an agent looks, or the host wants it.
func TestNeighborsOnlyIfNeeded(t *testing.T) {
	n := &Neighbors{}
	s := newStage(t, 0.1, n, newHerding())
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
	check("it looks at nothing", 0)
	testkit.ComponentOf[herd](s, e).Reach = 3
	check("it looks again", 4)
	s.RemoveEntity(e)
	check("it died", 0)
	n.Always = true
	check("the host wants it", 3)
	s.Put(c.Position{})                                      // a place, no agent
	s.Put(c.Position{}, c.Obstacle{Radius: 1}, c.Velocity{}) // a moving obstacle
	check("no agents", 3)
	s.Put(c.Position{}, c.Radius{})
	s.Put(c.Position{}, c.Agent{ID: 9})
	check("with Radius or Agent", 5)
	s.Put(c.Position{Vec: xy(math.NaN(), 0)}, c.Velocity{})
	check("not finite", 5)
	if got := n.Skipped(); got != 1 {
		t.Errorf("skipped: got=%v, want=1", got)
	}
}

// An agent that dies is not seen any more; a new one is seen from the next step on.
func TestNeighborsDeath(t *testing.T) {
	n, h := &Neighbors{}, newHerding()
	s := newStage(t, 0.1, n, h)
	put := func(x float64, id uint64) ecs.Entity {
		return s.Put(c.Agent{ID: id}, c.Position{Vec: xy(x, 0)}, c.Velocity{}, c.Steering{}, herd{3})
	}
	h.seen = map[uint64]packed{}
	put(0, 1)
	b := put(1, 20)
	s.Step()
	if got := h.seen[1].ids; got != 20 {
		t.Fatalf("neighbors of 1: got=%v, want=20", got)
	}
	s.RemoveEntity(b)
	if again := put(2, 300); again.ID() != b.ID() {
		t.Fatal("the entity was not recycled")
	}
	if _, ok := n.Index(b); !ok {
		t.Error("the snapshot is not of the start of the step")
	}
	s.Step()
	if got := h.seen[1].ids; got != 300 {
		t.Errorf("neighbors of 1: got=%v, want=300", got)
	}
	if _, ok := n.Index(b); ok {
		t.Error("the dead one has a place")
	}
}

// Nothing stays of the step before: not where agents were, nor how far they looked,
// nor what they saw.
func TestNeighborsForget(t *testing.T) {
	h := newHerding()
	s := newStage(t, 0.1, &Neighbors{}, h)
	put := func(p r2.Vec, id uint64, reach float64) ecs.Entity {
		return s.Put(c.Agent{ID: id}, c.Position{Vec: p}, c.Velocity{}, c.Steering{}, herd{reach})
	}
	h.seen = map[uint64]packed{}
	check := func(what string, want uint64) {
		t.Helper()
		s.Step()
		if got := h.seen[1].ids; got != want {
			t.Errorf("%s: got=%v, want=%v", what, got, want)
		}
	}
	a := put(xy(0.1, 0.1), 1, 3)
	b := put(xy(2.8, 0.1), 20, 3)
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
		t.Errorf("looks no more: got=%+v, want none", got)
	}
	plain := []packed{{n: 5}}
	h.near.take(frame.BatchOf(frame.Clock{}, &mover{}, frame.Over([]c.Position{{}}), frame.Over([]c.Velocity{{}})), plain)
	if plain[0] != (packed{}) {
		t.Errorf("no entity: got=%+v, want none", plain[0])
	}
}

// lateBirth removes an agent and makes another one, which has its id, between the
// snapshot and the systems.
type lateBirth struct{ do func() }

func (s *lateBirth) Update(*ecs.World) { s.do() }

func TestNeighborsBirthInStep(t *testing.T) {
	h, late := newHerding(), &lateBirth{}
	s := newStage(t, 0.1, &Neighbors{}, late, h)
	put := func(x float64, id uint64) ecs.Entity {
		return s.Put(c.Agent{ID: id}, c.Position{Vec: xy(x, 0)}, c.Velocity{}, c.Steering{}, herd{3})
	}
	h.seen = map[uint64]packed{}
	put(0, 1)
	b := put(1, 20)
	late.do = func() {
		s.RemoveEntity(b)
		put(0.5, 300)
	}
	s.Step()
	if got := h.seen[300]; got != (packed{}) {
		t.Errorf("answer for one that was not there: got=%+v, want none", got)
	}
	if got := h.seen[1].ids; got != 20 {
		t.Errorf("neighbors of 1: got=%v, want=20", got)
	}
}

func TestNeighborsLayers(t *testing.T) {
	h := newHerding()
	s := newStage(t, 0.1, &Neighbors{}, h)
	h.seen = map[uint64]packed{}
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
		if got := h.seen[id].ids; got != want {
			t.Errorf("agent %d sees: got=%v, want=%v", id, got, want)
		}
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
		t.Errorf("nearest on layer 1: got=%v %v", k, to[0])
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

func TestNeighborsAllocate(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	w := ecs.NewWorld(16)
	clock := &frame.Clock{Dt: 0.01}
	ecs.AddResource(&w, clock)
	gathering(&w, 6000, 1, func(id uint64) float64 { return []float64{4, 3, 0}[id%3] })
	f := frame.New(&Neighbors{}, newHerding(), &mover{})
	f.Workers = 2
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 20 {
		f.Update(&w)
	}
	if got := testing.AllocsPerRun(20, func() { f.Update(&w) }); got > 0 {
		t.Errorf("allocations in a step: got=%v, want=0", got)
	}
}

func TestNeighborsMisuse(t *testing.T) {
	for name, f := range map[string]func(){
		"in two frames": func() {
			w := ecs.NewWorld(16)
			n := &Neighbors{}
			a, b := frame.New(n), frame.New(n)
			a.Initialize(&w)
			defer a.Finalize(&w)
			b.Initialize(&w)
		},
		"none in the frame": func() { frame.New(newHerding()).Initialize(ptr(ecs.NewWorld(16))) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: got no panic", name)
				}
			}()
			f()
		}()
	}
}

// BenchmarkHerding is a flock of 15 neighbors on average: a whole step.
func BenchmarkHerding(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		if testing.Short() && n > 10_000 {
			continue
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := ecs.NewWorld(16)
			ecs.AddResource(&w, &frame.Clock{Dt: 1. / 60})
			gathering(&w, n, 0, func(uint64) float64 { return 4 })
			f := frame.New(&Neighbors{}, newHerding(), &mover{})
			f.Workers = 1
			f.Initialize(&w)
			defer f.Finalize(&w)
			f.Update(&w)
			for b.Loop() {
				f.Update(&w)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/agent")
		})
	}
}

func ptr[T any](x T) *T { return &x }
