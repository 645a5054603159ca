package world_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func made(t testing.TB, config world.Config) *world.World {
	t.Helper()
	w := world.Value(world.New(config))
	t.Cleanup(w.Close)
	return w
}

func run(t testing.TB, w *world.World, steps int) {
	t.Helper()
	must(t, w.Run(context.Background(), steps))
}

func saveOf(t testing.TB, w *world.World) []byte {
	t.Helper()
	var file bytes.Buffer
	must(t, w.Save(&file))
	return file.Bytes()
}

func restore(t testing.TB, w *world.World, file []byte) *world.Restored {
	t.Helper()
	r := world.Value(w.Restore(bytes.NewReader(file)))
	return r
}

func timeless(s world.Stats) world.Stats {
	s.StepTime, s.Frame.Systems, s.Frame.Workers = 0, nil, nil
	s.Frame.Took, s.Frame.Sensing, s.Frame.Running, s.Frame.Observing = 0, 0, 0, 0
	return s
}

func same(t *testing.T, got, want *world.World) {
	t.Helper()
	if got.Hash() != want.Hash() {
		t.Fatalf("tick %d: hash: got=%016x, want=%016x", want.Clock.Tick, got.Hash(), want.Hash())
	}
	if g, w := timeless(got.Stats()), timeless(want.Stats()); !reflect.DeepEqual(g, w) {
		t.Fatalf("tick %d: stats:\ngot=%+v\nwant=%+v", want.Clock.Tick, g, w)
	}
	if got.NextID() != want.NextID() {
		t.Fatalf("tick %d: next ID: got=%d, want=%d", want.Clock.Tick, got.NextID(), want.NextID())
	}
	g, w := got.ECS.DumpEntities(), want.ECS.DumpEntities()
	if !reflect.DeepEqual(g.Entities, w.Entities) || g.Next != w.Next || g.Available != w.Available {
		t.Fatalf("tick %d: entities:\ngot=%v\nwant=%v", want.Clock.Tick, g, w)
	}
	if g, w := saveOf(t, got), saveOf(t, want); !bytes.Equal(g, w) {
		t.Fatalf("tick %d: saved again: got=other bytes, want=the same: %s", want.Clock.Tick, firstDifference(g, w))
	}
}

type block struct {
	name       string
	from, body int
	data       []byte
}

func blocksOf(file []byte) (all []block) {
	for at := 16; at < len(file); {
		b := block{from: at}
		size := int(binary.LittleEndian.Uint64(file[at:]))
		n := int(binary.LittleEndian.Uint16(file[at+8:]))
		b.body = at + 14 + n
		b.name = string(file[at+14 : b.body])
		b.data = file[b.body : b.body+size]
		at = b.body + size + 4
		all = append(all, b)
	}
	return all
}

func firstDifference(got, want []byte) string {
	g, w := blocksOf(got), blocksOf(want)
	for i := range min(len(g), len(w)) {
		if g[i].name != w[i].name {
			return fmt.Sprintf("block %d: got=%s, want=%s", i, g[i].name, w[i].name)
		}
		for k := range max(len(g[i].data), len(w[i].data)) {
			if k >= len(g[i].data) || k >= len(w[i].data) || g[i].data[k] != w[i].data[k] {
				return fmt.Sprintf("block %s: byte %d of %d and %d", g[i].name, k, len(g[i].data), len(w[i].data))
			}
		}
	}
	return fmt.Sprintf("%d and %d blocks", len(g), len(w))
}

// Types of a host: components, tags, relations, resources and systems.
type (
	health struct {
		Points int
		armor  float32
		By     ecs.Entity
	}
	marked struct{}
	rides  struct {
		ecs.Relation
		Seat int16
	}
	score struct {
		Best map[string]ecs.Entity
		List []ecs.Entity
		Text string
	}
	ticker struct{ n, sum uint64 }
)

func (s *ticker) Sense(w *ecs.World) { s.n, s.sum = s.n+1, s.sum*3+frame.ClockOf(w).Tick }

func (s *ticker) Keep(a *frame.Archive) { a.Keep(&s.n, &s.sum) }

type savedCase struct {
	name    string
	config  func(*world.Config)
	fill    func(testing.TB, *world.World)
	sources func() []*world.Source         // added to a new world and to a restored one
	step    func(w *world.World, tick int) // before each step
}

func point(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

var walker = []any{c.Limits{MaxSpeed: 1.5, MaxForce: 10}, c.Radius{Meters: 0.2}, c.Target{Vec: point(20, 10)}, c.Seek{Gain: 2}, c.Separation{Gain: 1, NeighborDist: 2}}

func with(more ...any) []any { return append(slices.Clone(walker), more...) }

func spread(r *world.Rows) {
	for i, p := 0, world.Column[c.Position](r); i < len(p); i++ {
		p[i].Vec = point(float64(i%7)*0.9, float64(i/7)*0.8)
	}
}

var must = testkit.Must

func savedCases() []savedCase {
	return []savedCase{
		{name: "empty", fill: func(testing.TB, *world.World) {}},
		{
			name: "relations and the host's types",
			config: func(config *world.Config) {
				config.Saved = []any{health{}, marked{}, rides{}, (*score)(nil)}
				config.Sense = []any{&ticker{}}
			},
			fill: func(t testing.TB, w *world.World) {
				carts := []ecs.Entity{w.ECS.NewEntity(), w.ECS.NewEntity(), w.ECS.NewEntity()}
				systems.Add(w.ECS, carts[1], c.Position{Vec: point(3, 3)})
				ride, life := ecs.ComponentID[rides](w.ECS), ecs.ComponentID[health](w.ECS)
				for i := range 9 {
					must(t, w.Spawn(1, with(c.Goal{Radius: 1, Remove: true}), spread))
					e, _ := w.Entity(w.NextID() - 1)
					ecs.NewBuilder(w.ECS, ride).WithRelation(ride).Add(e, carts[i%3])
					w.ECS.Add(e, life)
					*(*health)(w.ECS.Get(e, life)) = health{i, 0.5, carts[(i+1)%3]}
					if i%2 == 0 {
						w.ECS.Add(e, ecs.ComponentID[marked](w.ECS))
					}
				}
				w.ECS.RemoveEntity(carts[2])
				w.ECS.NewEntity()
				ecs.AddResource(w.ECS, &score{Best: map[string]ecs.Entity{"a": carts[0], "b": carts[2]}, List: carts, Text: "of the game"})
			},
		},
		{
			name: "every behavior and measurement, with bound types",
			config: func(config *world.Config) {
				config.Bind, config.Combination = foreigners(), systems.CombinePriority
				config.Lines = []measure.MeasurementLine{{A: r2.Vec{X: 20}, B: r2.Vec{X: 20, Y: 30}}}
				config.Areas = []r2.Box{{Max: r2.Vec{X: 30, Y: 10}}}
			},
			fill: func(t testing.TB, w *world.World) {
				everyone(t, w, 2)
				for _, every := range []float64{0.8, 2} {
					world.Value(w.AddFlowField(sense.FlowField{Goals: []r2.Box{{Max: r2.Vec{X: 3, Y: 3}}}, Radius: 0.3, Every: every}))
				}
			},
			step: func(w *world.World, tick int) {
				w.Fields.Cells = 700 // so that fields take several steps
				if tick%20 == 1 {
					last, _ := w.Entity(w.NextID() - 1)
					w.Remove(last)
				}
			},
		},
		{
			name: "removed and spawned again",
			fill: func(t testing.TB, w *world.World) {
				must(t, w.Spawn(30, with(c.ThreatScan{LookAhead: 3}, c.Avoidance{MaxForce: 3}), spread))
			},
			step: func(w *world.World, tick int) {
				if e, ok := w.Entity(uint64(1 + tick*5%30)); ok {
					w.Remove(e)
				}
				if tick%4 == 3 {
					_ = w.Spawn(2, with(c.Goal{Radius: 2, Remove: tick%8 == 3}), func(r *world.Rows) {
						world.Column[c.Position](r)[1].X = float64(tick)
					})
				}
			},
		},
		{
			name: "sources and doors",
			fill: func(t testing.TB, w *world.World) {
				world.Value(w.AddDoor(point(8, -5), point(8, 15), 0.1, c.Door{Opens: 1.2, Closes: 2.5, Period: 3}))
				world.Value(w.AddPolygon([]r2.Vec{point(12, 2), point(14, 2), point(13, 6)}))
			},
			sources: func() []*world.Source {
				source := func(first uint64, y float64) *world.Source {
					return &world.Source{
						Components: with(c.Goal{Radius: 3, Remove: true}, c.Solid{Push: 0.5}), First: first,
						Batches: []world.Batch{{Time: 0, N: 4}, {Time: 1, N: 3}, {Time: 3, N: 6}},
						Place:   func(i, try int) (r2.Vec, float64) { return point(float64((i*7+try)%5)*0.3, y), 0.2 },
					}
				}
				return []*world.Source{source(500, 2), source(1000, 6)}
			},
		},
		{
			name: "paths that take many steps",
			fill: func(t testing.TB, w *world.World) {
				looks(w, 40)
				for i := range 40 {
					world.Value(w.AddObstacle(point(3+float64(i%8)*2, float64(i/8)*2), c.Obstacle{Radius: 0.4, Span: point(0, float64(i%3))}))
				}
				world.Value(w.AddDoor(point(9, -30), point(9, 5), 0.1, c.Door{Opens: 3.1, Closes: 1}))
				must(t, w.SetPortals(sense.Portal{From: r2.Box{Min: point(-4, -4), Max: point(-2, -2)}, To: r2.Box{Min: point(30, 8), Max: point(32, 10)}, Length: 1}))
				must(t, w.Spawn(25, with(c.Destination{Vec: point(25, 5)}, c.Route{}), spread))
				must(t, w.Spawn(5, with(c.Destination{Vec: point(40, 9)}, c.Route{}), func(r *world.Rows) {
					spread(r)
					for i, radius := 0, world.Column[c.Radius](r); i < len(radius); i++ {
						radius[i].Meters = 0.1 * float64(1+i)
					}
				}))
			},
			step: func(w *world.World, tick int) {
				looks(w, 40)
				if tick == 21 {
					_, _ = w.AddObstacle(point(20, 3), c.Obstacle{Radius: 1})
				}
				if e, ok := w.Entity(uint64(1 + tick)); ok && tick%3 == 0 {
					w.SetDestination(e, point(float64(tick%20), -4))
				}
			},
		},
	}
}

func looks(w *world.World, n int) {
	for _, s := range w.Frame.Systems() {
		if r, ok := s.(*systems.Routing); ok {
			r.Looks = n
		}
	}
}

func (x *savedCase) make(t testing.TB, workers int) *world.World {
	config := world.Default()
	config.Dt, config.Workers, config.BatchRows, config.Safety = 0.1, workers, 8, true
	if x.config != nil {
		x.config(&config)
	}
	w := made(t, config)
	w.Frame.ShareRows = 1
	return w
}

func (x *savedCase) add(t testing.TB, w *world.World) {
	if x.sources != nil {
		for _, s := range x.sources() {
			must(t, w.AddSource(s))
		}
	}
}

func (x *savedCase) walk(t testing.TB, w *world.World, steps int) {
	t.Helper()
	for range steps {
		if x.step != nil {
			x.step(w, int(w.Clock.Tick))
		}
		run(t, w, 1)
	}
}

func TestSaveOverAndOver(t *testing.T) {
	t.Parallel()
	for _, x := range savedCases() {
		t.Run(x.name, func(t *testing.T) {
			w := x.make(t, 2)
			x.fill(t, w)
			x.add(t, w)
			again := x.make(t, 1)
			restore(t, again, saveOf(t, w))
			x.add(t, again)
			for save := range 25 {
				x.walk(t, w, 3)
				x.walk(t, again, 3)
				same(t, again, w)
				next := x.make(t, 1+save%4)
				file := saveOf(t, again)
				restored := restore(t, next, file)
				for _, e := range w.ECS.DumpEntities().Entities[1:] {
					if now, ok := restored.Entity(e); w.ECS.Alive(e) && ok && now != e {
						t.Fatalf("restored entity: got=%v, want=%v", now, e)
					}
				}
				x.add(t, next)
				if g := saveOf(t, next); !bytes.Equal(g, file) {
					t.Fatalf("saved again: got=other bytes, want=the same: %s", firstDifference(g, file))
				}
				again.Close()
				again = next
			}
		})
	}
}
