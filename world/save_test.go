package world_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
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
	return world.Value(w.Restore(bytes.NewReader(file)))
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

const savedAgents = 1_000_000

// million returns a world of a million agents like those of the plaza scene, after a few steps.
func million(b *testing.B) (world.Config, *world.World) {
	config := world.Default()
	config.Measure = true
	config.Bounds, config.Box = systems.BoundsWrap, r2.Box{Max: r2.Vec{X: 1000, Y: 1000}}
	w := made(b, config)
	agent := []any{c.Target{}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Radius{Meters: 0.2}, c.Mass{Kilograms: 1}, c.Goal{Radius: 1},
		c.Arrival{Gain: 2, SlowingRadius: 1}, c.ThreatScan{LookAhead: 5}, c.Avoidance{MaxForce: 4}}
	must(b, w.Spawn(savedAgents, agent, func(r *world.Rows) {
		target := world.Column[c.Target](r)
		for i, p := 0, world.Column[c.Position](r); i < len(p); i++ {
			p[i].Vec, target[i].Vec = point(float64(i%1000), float64(i/1000)), point(float64(i/1000), float64(i%1000))
		}
	}))
	run(b, w, 3)
	return config, w
}

func BenchmarkSave(b *testing.B) {
	_, w := million(b)
	file := saveOf(b, w)
	out := bytes.NewBuffer(make([]byte, 0, len(file)))
	for b.Loop() {
		out.Reset()
		must(b, w.Save(out))
	}
	b.ReportMetric(float64(len(file))/savedAgents, "B/agent")
}

func BenchmarkRestore(b *testing.B) {
	config, w := million(b)
	file := saveOf(b, w)
	for b.Loop() {
		b.StopTimer()
		again, err := world.New(config)
		must(b, err)
		b.StartTimer()
		restore(b, again, file)
		b.StopTimer()
		again.Close()
		b.StartTimer()
	}
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

// saved is a world as a general library such as arche-serde writes it: as JSON, by type name.
type saved struct {
	Entities   ecs.EntityDump
	Components []map[string]json.RawMessage // of each living entity
	Resources  map[string]json.RawMessage
}

func save(t *testing.T, w *ecs.World) []byte {
	t.Helper()
	out := saved{Entities: w.DumpEntities(), Resources: map[string]json.RawMessage{}}
	text := func(value any) json.RawMessage { return world.Value(json.Marshal(value)) }
	for q := w.Query(ecs.All()); q.Next(); {
		row := map[string]json.RawMessage{}
		for _, id := range q.Ids() {
			info, _ := ecs.ComponentInfo(w, id)
			row[info.Type.String()] = text(reflect.NewAt(info.Type, q.Get(id)).Interface())
		}
		out.Components = append(out.Components, row)
	}
	for _, id := range ecs.ResourceIDs(w) {
		typ, _ := ecs.ResourceType(w, id)
		if !w.Resources().Has(id) {
			t.Fatalf("resource %v: got=no value, want=a value", typ)
		}
		out.Resources[typ.String()] = text(w.Resources().Get(id))
	}
	return text(out)
}

// load fills a world without entities with the result of save. All types must be registered, and all
// resources must have values.
func load(t *testing.T, w *ecs.World, data []byte) {
	t.Helper()
	var in saved
	must(t, json.Unmarshal(data, &in))
	w.LoadEntities(&in.Entities)
	types := map[string]reflect.Type{}
	for _, id := range ecs.ComponentIDs(w) {
		info, _ := ecs.ComponentInfo(w, id)
		types[info.Type.String()] = info.Type
	}
	for i, row := range in.Components {
		e := in.Entities.Entities[in.Entities.Alive[i]]
		for name, text := range row {
			if types[name] == nil {
				t.Fatalf("component type %s: got=not registered, want=registered", name)
			}
			comp := reflect.New(types[name])
			must(t, json.Unmarshal(text, comp.Interface()))
			w.Add(e, ecs.TypeID(w, types[name]))
			column.Set(w, e, comp.Elem().Interface())
		}
	}
	for _, id := range ecs.ResourceIDs(w) {
		typ, _ := ecs.ResourceType(w, id)
		must(t, json.Unmarshal(in.Resources[typ.String()], w.Resources().Get(id)))
	}
}

func TestSaving(t *testing.T) {
	config := world.Default()
	config.Dt, config.Workers, config.Safety = 0.1, 1, true
	config.Combination = systems.CombinePriority
	a := ecs.NewWorld()
	crowd := world.Value(world.Attach(&a, config))
	defer crowd.Close()
	save(t, &a)
	everyone(t, crowd, 3)
	for _, steps := range []int{0, 15} {
		must(t, crowd.Run(context.Background(), steps))
		last, _ := crowd.Entity(crowd.NextID() - 1)
		first, _ := crowd.Entity(1)
		world.Value(crowd.Inspect().Explain(first))
		crowd.Remove(last)
		file := save(t, &a)

		b := ecs.NewWorld()
		again := world.Value(world.Attach(&b, config))
		defer again.Close()
		systems.Register(&b)
		load(t, &b, file)
		testkit.Equal(t, again.NextID(), crowd.NextID(), "next ID")
		for range 10 {
			testkit.Equal(t, again.Hash(), crowd.Hash(), "tick %d: hash", crowd.Clock.Tick)
			must(t, crowd.Step())
			must(t, again.Step())
		}
	}
	crowd.Close()
	save(t, &a)
}

// straight plans straight paths and counts the calls of Plan.
type straight struct {
	asked   int
	changed bool
}

func (p *straight) Plan(_, to r2.Vec, _ float64, path []r2.Vec) ([]r2.Vec, bool) {
	p.asked++
	return append(path, to), true
}

func (p *straight) Changed() bool {
	changed := p.changed
	p.changed = false
	return changed
}

func TestSavingWaysOfPlanner(t *testing.T) {
	allFit(t)
	begin := func() (*world.World, *straight) {
		planner := &straight{changed: true}
		config := world.Default()
		config.Planner = planner
		e := ecs.NewWorld()
		w := world.Value(world.Attach(&e, config))
		t.Cleanup(w.Close)
		return w, planner
	}
	asked := func(w *world.World, p *straight, what string, want int) {
		t.Helper()
		must(t, w.Run(context.Background(), 3))
		testkit.Equal(t, p.asked, want, "calls, %s", what)
	}
	w, planner := begin()
	agent := []any{c.Target{}, c.Destination{Vec: r2.Vec{X: 100}}, c.Route{}, c.Seek{Gain: 1}, c.Limits{MaxSpeed: 1, MaxForce: 1}}
	must(t, w.Spawn(4, agent, nil))
	asked(w, planner, "new", 4)
	again, other := begin()
	systems.Register(again.ECS)
	load(t, again.ECS, save(t, w.ECS))
	asked(again, other, "loaded", 0)
	other.changed = true
	asked(again, other, "changed", 4)
}

var infinite = math.Inf(1)

// allFit skips a test in the tiny build of arche, which has room for 64 component types.
func allFit(t testing.TB) {
	t.Helper()
	if n := len(systems.Components()); ecs.MaskTotalBits < n {
		t.Skipf("skipped: this build of arche has room for %d component types, want %d", ecs.MaskTotalBits, n)
	}
}

// everyone adds obstacles of all kinds, and agents of all kinds, some of each, which together have
// every component. It returns the highest ID of the agents without a paused behavior.
func everyone(t testing.TB, w *world.World, some int) (acting uint64) {
	t.Helper()
	allFit(t)
	for k := range 6 {
		world.Value(w.AddObstacle(point(float64(9*k), float64(k*k)), c.Obstacle{Radius: 0.5}))
	}
	world.Value(w.AddObstacle(point(-5, -3), c.Obstacle{Span: point(70, 1), Radius: 0.2}))
	world.Value(w.AddPolygon([]r2.Vec{point(30, 12), point(35, 12), point(33, 15)}))
	world.Value(w.AddDoor(point(45, -2), point(45, 4), 0.1, c.Door{Open: true}))
	world.Value(w.AddFlowField(sense.FlowField{Goals: []r2.Box{{Min: point(50, 2), Max: point(52, 3)}}, Radius: 0.5}))
	must(t, w.SetPortals(sense.Portal{From: r2.Box{Min: point(14, 8), Max: point(16, 10)}, To: r2.Box{Min: point(40, 8), Max: point(42, 10)}, Length: 2}))
	path := world.Value(w.AddPath([]r2.Vec{point(20, 5), point(40, 20)}))
	other := w.AddTracked(ecs.Entity{})
	route := world.Value(w.AddItinerary([]systems.Stop{
		{Kind: systems.StopFollow, Other: other, Duration: 1}, {At: point(3, 3), Speed: 1}, {Kind: systems.StopFleeFrom, Other: other, Duration: 2},
	}))

	var leader ecs.Entity
	walk := []any{c.Target{Vec: point(60, 18)}, c.Limits{MaxSpeed: 1.4, MaxForce: 6}, c.Radius{Meters: 0.25}, c.Mass{Kilograms: 1.5}}
	kinds := [][]any{
		{c.Seek{Gain: 2}, c.Layers{On: 1, Sees: 3}}, {c.KinematicSeek{Gain: 1}}, {c.Flee{From: point(5, 5), Gain: 2, Radius: 40}},
		{c.Arrival{Gain: 2, SlowingRadius: 3}, c.Goal{Radius: 56, Remove: true}}, {c.OpposingArrival{Gain: 1, SlowingRadius: 3, TimeConstant: 1}},
		{c.DampedArrival{Gain: 1, SlowingRadius: 3, TimeConstant: 1}}, {c.SmoothArrival{Gain: 1, Min: 1, Max: 5}, c.Facing{Rate: 3}},
		{c.SmoothArrival{Gain: 1, Min: 1, Max: 5}, c.Drive{Speed: 1, TopSpeed: 1}, c.TurnTowards{Rate: 1}},
		{c.Drive{Speed: 1, TopSpeed: 1}, c.Flee{From: point(1, 1), Gain: 1}, c.TurnAway{Rate: 1}},
		{c.Seek{Gain: 1}, c.Path{Index: path, Reached: 2, Loop: true}}, {c.Seek{Gain: 1}, c.Destination{Vec: point(50, 2)}, c.Route{Clearance: 0.1}}, {c.Seek{Gain: 1}, c.Destination{Vec: point(50, 2)}, c.BoundaryFollowing{Clearance: 0.1, Range: 5}}, {c.Seek{Gain: 1}, c.FlowField{}}, {c.Arrival{Gain: 2, SlowingRadius: 3}, c.Goal{Radius: 1}, c.CrowdedGoal{Share: 0.3, Patience: 2}}, {c.Arrival{Gain: 1}, c.Itinerary{Index: route, Reached: 1}, c.Goal{Radius: 1}},
		{c.Seek{Gain: 1}, c.Follow{}}, {c.Flee{Gain: 1}, c.FleeFrom{}},
		{c.Arrival{Gain: 1, SlowingRadius: 1}, c.Formation{Spacing: 1, Files: 2, TurnRate: 1, Lead: 0.5, TopSpeed: 2}},
		{c.LeaderFollowing{Gain: 1, Distance: 2, Length: 9, Width: 3, SlowingRadius: 2}, c.Queueing{Gain: 3, Horizon: 1, NeighborDist: 4, Width: 2}},
		{c.Hiding{Gain: 2, Range: 20, Distance: 1, Horizon: infinite, SlowingRadius: 1}},
		{c.Quarry{}, c.Pursuit{Gain: 1, Horizon: infinite}}, {c.Quarry{}, c.OffsetPursuit{Gain: 1, Horizon: 3, Distance: 1}},
		{c.Pursuer{}, c.Evasion{Gain: 1, Horizon: infinite, Radius: 30}}, {c.Wander{Gain: 2, Distance: 2, Radius: 1, Rate: 1}},
		{c.Containment{Gain: 2, Horizon: 2, Box: r2.Box{Max: point(50, 15)}}, c.Wander{Gain: 1, Distance: 1, Radius: 1, Rate: 3}},
		{c.WallFollowing{Gain: 2, Horizon: 1, Offset: 0.5, Range: 9}, c.Seek{Gain: 1}},
		{c.Separation{Gain: 2, NeighborDist: 3}, c.Alignment{Gain: 1, NeighborDist: 5, FieldOfView: 3 * math.Pi / 2}, c.Cohesion{Gain: 1, NeighborDist: 5, MaxNeighbors: 4}},
		{c.UnalignedCollisionAvoidance{Gain: 1, Horizon: 4, NeighborDist: 9, Clearance: 0.2}, c.Seek{Gain: 1}},
		{c.ThreatScan{LookAhead: 5}, c.Avoidance{MaxForce: 4}, c.Arrival{Gain: 1, SlowingRadius: 2}},
		{c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 5, MaxNeighbors: 6, Priority: 1}, c.Arrival{Gain: 2, SlowingRadius: 1}, c.Solid{Push: 0.8}},
		{c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 5, MaxNeighbors: 6, Priority: infinite}, c.FollowingDistance{TimeGap: 0.5, Variation: 0.3}, c.FundamentalDiagram{MaxDensity: 5}, c.Passing{Overtaking: 1, Right: 0.3}, c.Inertia{MaxAcceleration: 3}, c.Seek{Gain: 2}, c.Solid{Push: 1}, c.Heading{Vec: point(1, 0)}},
	}
	acting = w.NextID() - 1 + uint64(some*len(kinds))
	for _, e := range systems.Catalog() { // others, paused
		if comp := reflect.TypeOf(e.Component); !slices.ContainsFunc(kinds, func(kind []any) bool {
			return slices.ContainsFunc(kind, func(x any) bool { return reflect.TypeOf(x) == comp })
		}) {
			paused := e.New()
			kinds = append(kinds, []any{reflect.ValueOf(paused).Elem().Interface()})
		}
	}
	for k, kind := range kinds {
		comps := append(append([]any{}, walk...), kind...)
		if k%2 == 1 {
			comps[1] = c.Limits{MaxSpeed: 1.2, MaxForce: infinite}
		}
		must(t, w.Spawn(some, comps, func(r *world.Rows) {
			pos, vel := world.Column[c.Position](r), world.Column[c.Velocity](r)
			follow, from := world.Column[c.Follow](r), world.Column[c.FleeFrom](r)
			quarry, pursuer := world.Column[c.Quarry](r), world.Column[c.Pursuer](r)
			formation, following, hiding := world.Column[c.Formation](r), world.Column[c.LeaderFollowing](r), world.Column[c.Hiding](r)
			for i := range pos {
				pos[i].Vec = point(float64(i%40)+0.3*float64(k), float64(i/40)*0.7+0.6*float64(k))
				vel[i].Vec = point(0.5, 0.1*float64(k%5))
				switch {
				case follow != nil:
					follow[i].Entity = leader
				case from != nil:
					from[i].Entity = leader
				case formation != nil:
					formation[i].Leader.Entity = leader
				case following != nil:
					following[i].Leader.Entity = leader
				case hiding != nil:
					hiding[i].From.Entity = leader
				case quarry != nil:
					quarry[i].Entity = leader
				case pursuer != nil:
					pursuer[i].Entity = leader
				}
			}
			if k == 0 {
				leader = r.Entity(0)
			}
		}))
	}
	w.SetTracked(other, leader)
	return acting
}
