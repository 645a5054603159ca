package view

import (
	"fmt"
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// far is a behavior that sees up to a distance.
type far struct{ Meters float64 }

type watching struct {
	query sense.Query[far, struct{}]
	far   frame.In[far]
}

func (w *watching) Needs(n *frame.Needs) {
	n.Read(&w.far)
	w.query.Ask(n, func(f far) sense.Look { return sense.Look{NeighborDist: f.Meters} },
		func(*sense.Neighborhood, far) (none struct{}) { return none })
}
func (w *watching) Run(*frame.Batch) {}

// row returns the neighbors of agents on a line, 1 m apart. put adds components to agent i.
func row(t *testing.T, agents int, put func(i int, e ecs.Entity, w *ecs.World)) *sense.Neighbors {
	w := ecs.NewWorld()
	for i := range agents {
		e := w.NewEntity()
		systems.Add(&w, e, c.Agent{ID: uint64(i + 1)}, c.Position{Vec: r2.Vec{X: float64(i)}})
		put(i, e, &w)
	}
	eyes, n := &watching{}, &sense.Neighbors{}
	frame := frame.New(n, eyes)
	frame.Initialize(&w)
	t.Cleanup(func() { frame.Finalize(&w) })
	frame.Update(&w)
	return n
}

func TestPairs(t *testing.T) {
	everywhere := r2.Box{Min: r2.Vec{X: -100, Y: -100}, Max: r2.Vec{X: 100, Y: 100}}
	look := func(meters ...float64) func(int, ecs.Entity, *ecs.World) {
		return func(i int, e ecs.Entity, w *ecs.World) {
			if meters[i] > 0 {
				systems.Add(w, e, far{meters[i]})
			}
		}
	}
	for _, test := range []struct {
		name   string
		agents int
		put    func(int, ecs.Entity, *ecs.World)
		boxes  []r2.Box
		ids    int
		want   []pair
	}{
		{"two that see each other are one pair", 2, look(1, 1), []r2.Box{everywhere}, 9, []pair{{0, 1}}},
		{"different distances", 3, look(2, 1, 0), []r2.Box{everywhere}, 9, []pair{{0, 1}, {0, 2}, {1, 2}}},
		{"none looks", 3, look(0, 0, 0), []r2.Box{everywhere}, 9, nil},
		{"no viewer wants them", 2, look(1, 1), nil, 9, nil},
		{"one outside the box sees one inside", 2, look(1, 1), []r2.Box{{Min: r2.Vec{X: 0.5, Y: -1}, Max: r2.Vec{X: 2, Y: 1}}}, 9, []pair{{0, 1}}},
		{"one without an index", 2, look(1, 1), []r2.Box{everywhere}, 1, nil},
		{"on a layer that only one sees", 2, func(i int, e ecs.Entity, w *ecs.World) {
			systems.Add(w, e, far{1}, c.Layers{On: 1 << i, Sees: 1})
		}, []r2.Box{everywhere}, 9, []pair{{0, 1}}},
		{"more than ten are near", 13, look(99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), []r2.Box{everywhere}, 20,
			[]pair{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}, {0, 8}, {0, 9}, {0, 10}}},
		{"many look", neighborsUpTo + 1, func(_ int, e ecs.Entity, w *ecs.World) { systems.Add(w, e, far{1}) },
			[]r2.Box{{Min: r2.Vec{Y: -1}, Max: r2.Vec{X: 1e6, Y: 1}}}, 1e6, nil},
	} {
		s := &snapshot{ids: make([]uint64, test.ids)}
		s.capturePairs(row(t, test.agents, test.put), test.boxes)
		testkit.Equal(t, fmt.Sprint(s.pairs), fmt.Sprint(test.want), "%s", test.name)
		testkit.Equal(t, s.crowded, test.agents > neighborsUpTo, "%s: crowded", test.name)
	}
}

func TestSees(t *testing.T) {
	testkit.Equal(t, seesOf(nil), nil, "without an explanation")
	w, entities := ecs.NewWorld(), [10]ecs.Entity{}
	for i := range entities {
		entities[i] = w.NewEntity()
	}
	of := func(ids ...uint64) (all []sense.Neighbor) {
		for _, id := range ids {
			all = append(all, sense.Neighbor{ID: id, Entity: entities[9-id]})
		}
		return all
	}
	got := seesOf(&world.Explanation{ID: 3, Entity: entities[6], Looks: []world.Look{{Seen: of(4, 1)}, {}, {Seen: of(1, 9)}}})
	testkit.Equal(t, fmt.Sprint(*got), fmt.Sprint(sees{3, 6, []sighting{{4, 5, 1}, {1, 8, 5}, {9, 0, 4}}}), "seen by 3")
}

func TestNeighborsLayer(t *testing.T) {
	var f frames
	w := wishFor(0, 0, 10, 10, 1000)
	w.layers = layerNeighbors
	s := three()
	s.layers |= layerNeighbors
	s.pairs = []pair{{0, 1}, {0, 2}, {3, 3}}
	seen := &sees{agent: 1, place: 0, of: []sighting{{2, 1, 5}, {3, 2, 1}, {4, 3, 2}, {4, 1, 7}, {5, 9, 7}, {6, -1, 7}}}
	for _, test := range []struct {
		name     string
		selected uint64
		want     [][5]float32
	}{
		{"none is selected", 0, [][5]float32{{3, 4, 11, 7, 0}}},
		{"another one is selected", 2, [][5]float32{{3, 4, 11, 7, 0}}},
		{"the agents that the selected one sees come first", 1, [][5]float32{{3, 4, 11, 7, 5}, {3, 4, 1002, 7, 2}, {3, 4, 11, 7, 0}}},
	} {
		got := decode(t, f.frame(s, w, test.selected, seen)).segments[layerNeighbors]
		testkit.Equal(t, fmt.Sprint(got), fmt.Sprint(test.want), "%s", test.name)
	}
	testkit.NoAllocs(t, 20, func() { f.frame(s, w, 1, seen) })
	s.pairs, s.crowded = nil, true
	testkit.Equal(t, decode(t, f.frame(s, w, 0, nil)).Flags&flagCut, flagCut, "flag of too many pairs")
}

func TestShows(t *testing.T) {
	for wanted, want := range map[layers]bool{layerTargets: false, layerNeighbors: true, layerNeighbors | layerCells: true} {
		v, of := newViewer(&simulation{}, nil), &sees{agent: 3}
		v.wish.layers = wanted
		v.shows(of)
		testkit.Equal(t, v.wished, want, "layers %d: wished", wanted)
		testkit.Equal(t, v.sees.Load(), of, "layers %d: sees", wanted)
	}
}

func TestCrowdingScale(t *testing.T) {
	for _, test := range []struct {
		name   string
		radii  []float64
		points int
		size   float64 // m
		want   crowding
	}{
		{"people", []float64{0.25, 0.25}, 0, 100, crowding{2, 2.3}},
		{"bodies of two sizes", []float64{0.5, 1.5, math.NaN(), -1}, 3, 100, crowding{8, 0.14}},
		{"points", nil, 1000, 100, crowding{math.Sqrt(100 / math.Pi), 0.4}},
		{"points without a box", nil, 7, 0, crowding{math.Sqrt(10 / math.Pi), 4}},
		{"none", nil, 0, 10, crowding{math.Sqrt(1000 / math.Pi), 0.04}},
	} {
		w := newWorld(t, world.Default())
		for _, r := range test.radii {
			put(w, c.Agent{}, c.Position{}, c.Radius{Meters: r})
		}
		for range test.points {
			put(w, c.Agent{}, c.Position{})
		}
		put(w, c.Position{}) // not an agent
		put(w, c.Position{}, c.Velocity{}, c.Obstacle{Radius: 9})
		got := crowdingOf(takeCensus(w), r2.Box{Max: r2.Vec{X: test.size, Y: test.size}})
		testkit.Near(t, got.Radius, test.want.Radius, 1e-12, "%s: radius, m", test.name)
		testkit.Near(t, got.Top, test.want.Top, 1e-12, "%s: top", test.name)
	}
}

func TestCrowdingColors(t *testing.T) {
	w := newWorld(t, world.Default())
	for id, at := range []struct{ x, radius float64 }{{0, 0.5}, {0.75, 0.5}, {2.5, 0.5}, {90, 0.5}, {90, 0.5}, {50, 0.5}, {50.1, 0}} {
		put(w, c.Agent{ID: uint64(id + 1)}, c.Position{Vec: r2.Vec{X: at.x}}, c.Radius{Meters: at.radius})
	}
	touching := put(w, c.Agent{ID: 8}, c.Position{Vec: r2.Vec{X: 70}})
	sc := crowding{2, 1 / math.Pi} // four agents reach the top of the scale
	rec := newRecorder(w, activitiesOf(w, nil), sc, nil)
	rec.touching = func(e ecs.Entity) (obstacles [4]ecs.Entity, n int) {
		if e == touching {
			n = 1
		}
		return obstacles, n
	}
	frame := frameOver(w, 0, rec.near, rec)
	defer frame.Finalize(w.ECS)
	for _, wanted := range []bool{false, true} {
		rec.near.Always = wanted
		rec.to = &snapshot{}
		rec.to.grow(8)
		frame.Update(w.ECS)
		density, contact := [8]uint8{64, 128, 64, 64, 64, 64, 64, 0}, [8]uint8{128, 128, 0, 255, 255, 0, 0, 1}
		if !wanted {
			density, contact = [8]uint8{}, [8]uint8{}
		}
		for i, l := range rec.to.look {
			testkit.Equal(t, [2]uint8{l.density, l.contact}, [2]uint8{density[i], contact[i]}, "agent %d, wanted %v", i+1, wanted)
		}
	}
}

func TestHeap(t *testing.T) {
	a, n := around{scale: crowding{1, 1}}, 1
	for a.meet(sense.Neighbor{ID: 1}) {
		n++
	}
	testkit.Equal(t, n, enough, "agents counted")
}

func TestImage(t *testing.T) {
	wraps := snapshot{wrap: r2.Box{Min: r2.Vec{X: -10, Y: 0}, Max: r2.Vec{X: 90, Y: 50}}}
	from := r2.Vec{X: -5, Y: 45}
	for to, want := range map[r2.Vec]r2.Vec{
		{X: 3, Y: 40}: {X: 3, Y: 40},
		{X: 80, Y: 5}: {X: -20, Y: 55},
	} {
		testkit.Equal(t, wraps.image(from, to), want, "image of %v", to)
		testkit.Equal(t, new(snapshot).image(from, to), to, "image of %v without edges", to)
	}
}
