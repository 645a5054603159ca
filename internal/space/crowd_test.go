package space

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/pool"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

type entityList []ecs.Entity

func (e entityList) Entities(lo int, to []ecs.Entity) { copy(to, e[lo:]) }

type person struct {
	at, v    r2.Vec
	radius   float64
	id       uint64
	on, sees uint32
	entity   ecs.Entity
}

func entities(n int) []ecs.Entity {
	w := ecs.NewWorld(1024)
	all := make([]ecs.Entity, n)
	for i := range all {
		all[i] = w.NewEntity()
	}
	return all
}

func rowsOf(people []person, most int) (all []Rows) {
	for part := range slices.Chunk(people, most) {
		var r Rows
		var es entityList
		for _, p := range part {
			r.Position = append(r.Position, c.Position{Vec: p.at})
			r.Velocity = append(r.Velocity, c.Velocity{Vec: p.v})
			r.Radius = append(r.Radius, c.Radius{Meters: p.radius})
			r.Agent = append(r.Agent, c.Agent{ID: p.id})
			r.Layers = append(r.Layers, c.Layers{On: p.on, Sees: p.sees})
			es = append(es, p.entity)
		}
		r.Entities = es
		all = append(all, r)
	}
	return all
}

var crowdLayouts = []struct {
	name  string
	place func(r *rand.Rand, i int) r2.Vec
}{
	{"square", func(r *rand.Rand, _ int) r2.Vec { return r2.Vec{X: 30 * r.Float64(), Y: 30 * r.Float64()} }},
	{"one cell", func(r *rand.Rand, _ int) r2.Vec { return r2.Vec{X: 1 + r.Float64(), Y: 1 + r.Float64()} }},
	{"one point", func(*rand.Rand, int) r2.Vec { return r2.Vec{X: -7, Y: 3.25} }},
	{"borders", func(r *rand.Rand, _ int) r2.Vec {
		return r2.Vec{X: 4 * float64(r.IntN(7)-3), Y: 2 * float64(r.IntN(9)-4)}
	}},
	{"a row", func(_ *rand.Rand, i int) r2.Vec { return r2.Vec{X: float64(i), Y: 0} }},
	{"a column", func(_ *rand.Rand, i int) r2.Vec { return r2.Vec{X: -5, Y: -float64(i) / 2} }},
	{"sparse", func(r *rand.Rand, _ int) r2.Vec { return r2.Vec{X: 1e4 * r.NormFloat64(), Y: 1e4 * r.NormFloat64()} }},
	{"two clusters", func(r *rand.Rand, i int) r2.Vec {
		return r2.Vec{X: float64(i%2)*1e6 + 10*r.Float64(), Y: -float64(i%2)*1e6 + 10*r.Float64()}
	}},
	{"far", func(r *rand.Rand, _ int) r2.Vec {
		return r2.Vec{X: 1e15 + 8*float64(r.IntN(5)), Y: -1e15 - 2*float64(r.IntN(9))}
	}},
	{"beyond all cells", func(r *rand.Rand, _ int) r2.Vec {
		return r2.Vec{X: math.Copysign(math.Ldexp(r.Float64(), r.IntN(330)), r.Float64()-0.5), Y: 1e12 * (r.Float64() - 0.5)}
	}},
	{"tiny", func(r *rand.Rand, _ int) r2.Vec {
		return r2.Vec{X: math.Ldexp(r.Float64(), -r.IntN(1074)), Y: 1e-200 * r.Float64()}
	}},
	{"squares beyond all cells", func(r *rand.Rand, _ int) r2.Vec {
		return r2.Vec{X: 5e9 + 20*r.Float64(), Y: -5e9 - 20*r.Float64()}
	}},
}

func peopleIn(place func(*rand.Rand, int) r2.Vec, r *rand.Rand, n int) []person {
	all, es := make([]person, n), entities(n)
	for i := range all {
		p := person{at: place(r, i), v: r2.Vec{X: r.Float64(), Y: r.Float64()}, id: uint64(i), on: 1, sees: math.MaxUint32, entity: es[i]}
		p.radius = 0.5 * r.Float64()
		switch r.IntN(20) {
		case 0:
			p.radius = 6 * r.Float64()
		case 1:
			p.radius = 0
		case 2:
			p.on, p.sees = uint32(r.IntN(4)), uint32(r.IntN(4))
		}
		all[i] = p
	}
	if n > 3 {
		all[n/2].radius = 1000
	}
	return all
}

func idsOf(x *Crowd, places []uint32) []uint64 {
	ids := []uint64{}
	for _, p := range places {
		ids = append(ids, x.agents.ID[p])
	}
	slices.Sort(ids)
	return ids
}

func (x *Crowd) within(p r2.Vec, radius float64, self uint32) (all []uint32) {
	x.Within(p, radius, self, func(i uint32) bool { all = append(all, i); return true })
	return all
}

func (x *Crowd) touching(p r2.Vec, radius float64, self uint32) (all []uint32) {
	x.Touching(p, radius, self, func(i uint32) bool { all = append(all, i); return true })
	return all
}

func within2(p, q r2.Vec, radius float64) bool {
	return radius >= 0 && vec.Norm2(vec.Sub(q, p)) <= squared(radius)
}

// checkCrowd compares answers around p, or for self if it is not nil, with those of loops over all people.
func checkCrowd(t testing.TB, x *Crowd, people []person, p r2.Vec, self *person, radius float64) {
	t.Helper()
	place := uint32(None)
	if self != nil {
		var ok bool
		if place, ok = x.Index(self.entity); !ok || x.agents.ID[place] != self.id {
			t.Fatalf("place of agent %d: got=%v, %v, want=its place", self.id, place, ok)
		}
		p = self.at
	}
	var near, touch []uint64
	var nearest []person
	for i := range people {
		o := &people[i]
		if o == self || self != nil && o.id == self.id {
			continue
		}
		if within2(p, o.at, radius) {
			near, nearest = append(near, o.id), append(nearest, *o)
		}
		if radius >= 0 && within2(p, o.at, radius+o.radius) {
			touch = append(touch, o.id)
		}
	}
	slices.SortFunc(nearest, func(a, b person) int {
		return cmp.Or(cmp.Compare(vec.Norm2(vec.Sub(a.at, p)), vec.Norm2(vec.Sub(b.at, p))), cmp.Compare(a.id, b.id))
	})
	on := func(layers uint32) []person {
		return slices.DeleteFunc(slices.Clone(nearest), func(o person) bool { return o.on&layers == 0 })
	}
	squared := func(d2 float64) float64 { return d2 }
	check := func(what string, got []NeighborHit, of []person, distance func(d2 float64) float64) {
		t.Helper()
		if want := min(cap(got), len(of)); len(got) != want {
			t.Fatalf("%s: %d nearest of %v up to %v m: got=%v agents, want=%v", what, cap(got), p, radius, len(got), want)
		}
		for i, hit := range got {
			if id := x.agents.ID[hit.Index]; id != of[i].id || hit.Distance != distance(vec.Norm2(vec.Sub(of[i].at, p))) {
				t.Fatalf("%s: %d nearest of %v, number %d: got=%v at %v, want=%v", what, cap(got), p, i, id, hit.Distance, of[i].id)
			}
		}
	}
	found := x.within(p, radius, place)
	if got := idsOf(x, found); !slices.Equal(got, near) {
		t.Fatalf("within %v of %v: got=%v, want=%v", radius, p, got, near)
	}
	if got := idsOf(x, x.touching(p, radius, place)); !slices.Equal(got, touch) {
		t.Fatalf("touching %v around %v: got=%v, want=%v", radius, p, got, touch)
	}
	for _, k := range []int{0, 1, 3, 10, 30} {
		to := make([]NeighborHit, k)
		check("Nearest", to[:x.Nearest(p, radius, place, math.MaxUint32, to)], on(math.MaxUint32), math.Sqrt)
	}
	if self == nil {
		return
	}
	var g, other Gatherer
	got := x.Gather(&g, place, radius, []uint32{99})[1:]
	if all := slices.DeleteFunc(found, func(i uint32) bool { return !x.agents.Seen(i, self.sees) }); !slices.Equal(got, all) {
		t.Fatalf("seen from %v within %v m: got=%v, want=%v, as from Within", p, radius, got, all)
	}
	slices.Reverse(got)
	for _, k := range []int{0, 1, 3, 10, 30} {
		to := make([]NeighborHit, k)
		check("Order", to[:x.Order(place, got, to)], on(self.sees), squared)
		check("Nearby", to[:x.Nearby(&other, place, radius, to)], on(self.sees), squared)
	}
}

var lookRadii = []float64{0, 1e-200, 0.3, 1, 3.9999, 4, 4.0001, 6.5, 9, 50, 2000, 1e7, 1e99, math.Inf(1), -1, math.NaN()}

func TestCrowdIsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	for _, l := range crowdLayouts {
		t.Run(l.name, func(t *testing.T) {
			var x, y Crowd
			for _, n := range []int{0, 1, 2, 17, 300, 90, 600} {
				people := peopleIn(l.place, r, n)
				for i := range n / 20 {
					people[n/2+i].at = people[i].at
				}
				for _, cell := range []float64{4 * (1 + 2*margin), 1, 0.25} {
					x.Build(rowsOf(people, 100), cell)
					if x.Len() != n || x.Skipped() != 0 {
						t.Fatalf("agents: got=%v and %v skipped, want=%v and 0", x.Len(), x.Skipped(), n)
					}
					shuffled := slices.Clone(people)
					r.Shuffle(n, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
					if y.Build(rowsOf(shuffled, 1+r.IntN(n+1)), cell); !sameAgents(&x, &y) || !slices.Equal(x.start, y.start) {
						t.Fatalf("%d agents, rows in another order: got=another snapshot, want=the same", n)
					}
					for range 40 {
						var self *person
						p := l.place(r, r.IntN(n+1))
						if n > 0 && r.IntN(3) > 0 {
							self = &people[r.IntN(n)]
						}
						checkCrowd(t, &x, people, p, self, lookRadii[r.IntN(len(lookRadii))])
					}
				}
			}
		})
	}
}

func TestCrowdWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 6))
	var workers pool.Pool
	defer workers.Close()
	var x, y Crowd
	for _, n := range []int{3 * rowsAWorker, 2*rowsAWorker + 77, 5*rowsAWorker + 1, 100} {
		side := math.Sqrt(float64(n))
		people := peopleIn(func(r *rand.Rand, i int) r2.Vec { // people later in the rows are denser
			return point(r, side/(1+float64(i*5/n)))
		}, r, n)
		people[9].radius, people[n-1].at.X = -1, math.NaN()
		for order := range 3 {
			x.BuildWithin(rowsOf(people, n), 0.5, 9)
			y.Share(workers.Run, []int{4, 2, 3}[order])
			y.BuildWithin(rowsOf(people, n/3), 0.5, 9)
			if !(x.Cell() > 0.5 && x.Cell() < 9) || y.Cell() != x.Cell() || y.Skipped() != 2 || !sameAgents(&x, &y) || !slices.Equal(x.start, y.start) || x.bulk != y.bulk || x.largest != y.largest {
				t.Fatalf("%d agents, order %d: got=%d skipped, cells of %v m, want=2 skipped, cells of %v m (0.5 to 9), and the snapshot of one worker", n, order, y.Skipped(), y.Cell(), x.Cell())
			}
			switch order {
			case 0: // in order, except where one worker ends
				slices.SortFunc(people, func(a, b person) int {
					return cmp.Compare((a.id+uint64(n/2))%uint64(n), (b.id+uint64(n/2))%uint64(n))
				})
			case 1:
				r.Shuffle(n, func(i, j int) { people[i], people[j] = people[j], people[i] })
			}
		}
	}
}

func TestCrowdSkips(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for i, spoil := range []func(p *person){
		func(p *person) { p.at.X = nan }, func(p *person) { p.at.Y = inf }, func(p *person) { p.at.X = -inf },
		func(p *person) { p.at.Y = 1e101 }, func(p *person) { p.v.X = nan }, func(p *person) { p.v.Y = -inf },
		func(p *person) { p.radius = nan }, func(p *person) { p.radius = -1 }, func(p *person) { p.radius = inf },
	} {
		r := rand.New(rand.NewPCG(4, 6))
		people := peopleIn(crowdLayouts[0].place, r, 50)
		for range 2 {
			spoil(&people[20])
			spoil(&people[49])
			var x Crowd
			x.Build(rowsOf(people, 30), 4)
			if x.Len() != 48 || x.Skipped() != 2 {
				t.Fatalf("case %d: got=%v and %v skipped, want=48 and 2", i, x.Len(), x.Skipped())
			}
			if _, ok := x.Index(people[20].entity); ok {
				t.Errorf("case %d: place of the bad row: got=one, want=none", i)
			}
			good := slices.DeleteFunc(slices.Clone(people), func(p person) bool { return p.id == 20 || p.id == 49 })
			checkCrowd(t, &x, good, r2.Vec{}, &good[3], 9)
			for _, p := range []r2.Vec{{X: nan}, {Y: inf}, {X: 1e101}} {
				if found := x.within(p, 1e300, None); len(found) > 0 {
					t.Errorf("around %v: got=%v, want=none", p, found)
				}
			}
		}
	}
}

func sameAgents(x, y *Crowd) bool {
	a, b := x.agents, y.agents
	a.records, b.records, a.rows, b.rows, a.numbered, b.numbered = nil, nil, nil, nil, nil, nil
	if !reflect.DeepEqual(a, b) {
		return false
	}
	for _, e := range a.entities {
		i, _ := x.Index(e)
		if k, ok := y.Index(e); k != i || !ok {
			return false
		}
	}
	return true
}

func TestCrowdEqualIDs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	people := peopleIn(crowdLayouts[1].place, r, 60)
	for i := range people {
		people[i].id = uint64(i % 3)
	}
	var x, y Crowd
	x.Build(rowsOf(people, 60), 4)
	slices.Reverse(people)
	y.Build(rowsOf(people, 7), 4)
	if !sameAgents(&x, &y) {
		t.Error("rows in another order: got=another snapshot, want=the same")
	}
	list := []Neighbor{}
	for i := range x.Len() {
		list = append(list, x.agents.At(uint32(i)))
	}
	byEntity := func(a, b Neighbor) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Entity.ID(), b.Entity.ID()))
	}
	if !slices.IsSortedFunc(list, byEntity) { // all are in one cell
		t.Errorf("agents: got=%v, want=sorted by ID, then by entity", list)
	}
}

func TestCrowdPlaces(t *testing.T) {
	w := ecs.NewWorld(16)
	e := w.NewEntity()
	var x Crowd
	x.Build([]Rows{{Position: make([]c.Position, 1), Entities: entityList{e}}}, 4)
	w.RemoveEntity(e)
	again := w.NewEntity()
	if e.ID() != again.ID() {
		t.Fatalf("recycled ID: got=%d, want=%d", again.ID(), e.ID())
	}
	if _, ok := x.Index(e); !ok {
		t.Error("place of the agent: got=none, want=one")
	}
	for _, other := range []ecs.Entity{again, {}, w.NewEntity()} {
		if place, ok := x.Index(other); ok {
			t.Errorf("place of %v: got=%v, want=none", other, place)
		}
	}
	x.Build([]Rows{{Position: make([]c.Position, 1), Entities: entityList{again}}}, 4)
	if _, ok := x.Index(e); ok {
		t.Error("place of the dead entity: got=one, want=none")
	}
	x.Build([]Rows{{Position: make([]c.Position, 1), Entities: entityList{w.NewEntity()}}}, 4)
	if _, ok := x.Index(again); ok {
		t.Error("place of an entity that is no longer an agent: got=one, want=none")
	}
	x.Build(nil, 4)
	if _, ok := x.Index(e); ok || x.Len() != 0 {
		t.Errorf("empty snapshot: got=%d agents, a place for the first entity: %v, want=0, false", x.Len(), ok)
	}
	testkit.Equal(t, x.Nearest(r2.Vec{}, 5, None, 1, make([]NeighborHit, 2)), 0, "nearest in an empty snapshot")
}

func FuzzCrowd(f *testing.F) {
	f.Add(uint64(1), uint16(40), 4., 4., 0., 0.)
	f.Add(uint64(2), uint16(300), 0.1, 30., 1e6, -1e6)
	f.Add(uint64(3), uint16(9), 1e-300, 1e99, -1e99, 3.)
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, size, radius, x0, y0 float64) {
		r := rand.New(rand.NewPCG(seed, 6))
		l := crowdLayouts[seed%uint64(len(crowdLayouts))]
		spread := math.Ldexp(1, r.IntN(60)-30)
		people := peopleIn(func(r *rand.Rand, i int) r2.Vec {
			p := r2.Add(r2.Scale(spread, l.place(r, i)), r2.Vec{X: x0, Y: y0})
			if !within(p) {
				return r2.Vec{}
			}
			return p
		}, r, int(n%512))
		var x Crowd
		x.Build(rowsOf(people, 1+r.IntN(200)), size)
		for range 6 {
			var self *person
			p := r2.Vec{X: x0, Y: y0}
			if !within(p) {
				p = r2.Vec{}
			}
			if len(people) > 0 && r.IntN(4) > 0 {
				self = &people[r.IntN(len(people))]
			}
			checkCrowd(t, &x, people, p, self, []float64{radius, size, 2 * size}[r.IntN(3)])
		}
	})
}

func TestGatherFromAHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	people := peopleIn(func(r *rand.Rand, _ int) r2.Vec { return xy(4*r.Float64(), 4*r.Float64()) }, r, manyCandidates+500)
	var x Crowd
	x.Build(rowsOf(people, 500), 4*(1+2*margin))
	for range 10 {
		self := &people[r.IntN(len(people))]
		checkCrowd(t, &x, people, self.at, self, 0.5)
	}
}
