package systems_test

import (
	"math/rand/v2"
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

func startWorld(t *testing.T, config world.Config) *world.World {
	t.Helper()
	w, err := world.New(config)
	testkit.Must(t, err)
	t.Cleanup(w.Close)
	return w
}

func obstruct(t *testing.T, w *world.World, at r2.Vec, o c.Obstacle) ecs.Entity {
	t.Helper()
	e, err := w.AddObstacle(at, o)
	testkit.Must(t, err)
	return e
}

func componentOf[T any](w *world.World, e ecs.Entity) *T {
	return (*T)(w.ECS.Get(e, ecs.ComponentID[T](w.ECS)))
}

// between returns a world with a wall along x = 0, doors at y = 5 and y = -15, and agents that want to
// cross the wall.
func between(t *testing.T, config world.Config, agents int, finds any) *world.World {
	t.Helper()
	w := startWorld(t, config)
	for _, wall := range [][2]float64{{-30, -16}, {-14, 4}, {6, 30}} {
		obstruct(t, w, r2.Vec{Y: wall[0]}, c.Obstacle{Span: r2.Vec{Y: wall[1] - wall[0]}, Radius: 0.1})
	}
	_, err := w.AddFlowField(sense.FlowField{Goals: []r2.Box{r2.NewBox(6, 0, 8, 30)}, Radius: 0.25})
	testkit.Must(t, err)
	testkit.Must(t, w.Spawn(agents, []any{
		c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Target{}, c.Destination{Vec: r2.Vec{X: 6}},
		finds, c.Arrival{Gain: 2, SlowingRadius: 1}, c.Solid{Push: 0.8}, c.Goal{Radius: 0.3},
	}, func(r *world.Rows) {
		pos, dest := world.Column[c.Position](r), world.Column[c.Destination](r)
		for i := range pos {
			pos[i].Vec, dest[i].Vec = r2.Vec{X: -6, Y: 0.7 * float64(i)}, r2.Vec{X: 6, Y: 0.7 * float64(i)}
		}
	}))
	return w
}

func planned(t *testing.T, planner *byHand, agents int) *world.World {
	t.Helper()
	config := world.Default()
	config.Planner = planner
	return between(t, config, agents, c.Route{})
}

func run(t *testing.T, w *world.World, steps int) {
	t.Helper()
	for range steps {
		testkit.Must(t, w.Step())
	}
}

func TestRoutingDoorCloses(t *testing.T) {
	for _, finds := range []any{c.Route{}, c.FlowField{}} {
		for _, closes := range []bool{false, true} {
			var want uint64
			for _, workers := range []int{1, 3} {
				config := world.Default()
				config.Workers, config.BatchRows = workers, 8
				agents, seconds := 4, 11.5
				if closes {
					agents, seconds = 40, 80
				}
				w := between(t, config, agents, finds)
				w.Frame.ShareRows = 1
				door := obstruct(t, w, r2.Vec{X: 100, Y: 4}, c.Obstacle{Span: r2.Vec{Y: 2}, Radius: 0.1})
				run(t, w, 150)
				if closes {
					testkit.Must(t, w.MoveObstacle(door, r2.Vec{Y: 4}))
				}
				run(t, w, int(60*seconds))
				testkit.Equal(t, w.Stats().ArrivedOnce, agents, "%T, closes %v, %d workers: arrived", finds, closes, workers)
				if workers == 1 {
					want = w.Hash()
				}
				testkit.Equal(t, w.Hash(), want, "%T, closes %v, %d workers: hash", finds, closes, workers)
			}
		}
	}
}

func TestRoutingFromWithin(t *testing.T) {
	w := between(t, world.Default(), 1, c.Route{})
	agent, _ := w.Entity(1)
	w.Restart(agent, r2.Vec{X: -0.05, Y: 10}, r2.Vec{})
	run(t, w, 1)
	if way := w.Inspect().Path(agent); len(way) > 0 {
		t.Errorf("in the wall: route: got=%v, want=none", way)
	}
	run(t, w, 40)
	if way := w.Inspect().Path(agent); len(way) < 2 {
		t.Errorf("after 40 steps: route: got=%v, want=2 points or more", way)
	}
}

func TestRoutingRadius(t *testing.T) {
	w := between(t, world.Default(), 1, c.Route{})
	obstruct(t, w, r2.Vec{Y: 5}, c.Obstacle{Span: r2.Vec{Y: 1}, Radius: 0.1}) // the upper door is 0.8 m wide
	agent, _ := w.Entity(1)
	radius, route := componentOf[c.Radius](w, agent), componentOf[c.Route](w, agent)
	run(t, w, 60)
	for _, test := range []struct {
		radius, clearance float64
		upper             bool
	}{{0.25, 0, true}, {0.45, 0, false}, {0.25, 0, true}, {0.25, 0.2, false}, {0.38, 0, true}, {0.4, 0, false}} {
		radius.Meters, route.Clearance = test.radius, test.clearance
		w.SetDestination(agent, r2.Vec{X: 6})
		run(t, w, 2)
		if way := w.Inspect().Path(agent); len(way) < 2 || way[0].Y > 0 != test.upper {
			t.Errorf("radius %v m, clearance %v m: route: got=%v, want=through the narrow door: %v", test.radius, test.clearance, way, test.upper)
		}
	}
	run(t, w, 60*40)
	testkit.Equal(t, w.Stats().ArrivedOnce, 1, "arrived")

	planner := &byHand{}
	w = planned(t, planner, 1)
	agent, _ = w.Entity(1)
	for i, test := range []struct {
		radius float64
		asked  int // calls of the planner in all
	}{{0.25, 1}, {0.25, 1}, {0.26, 2}, {0.255, 2}, {0.2, 3}, {0.2, 3}} {
		componentOf[c.Radius](w, agent).Meters = test.radius
		run(t, w, 5)
		testkit.Equal(t, planner.asked, test.asked, "%d, radius %v m: calls of the planner", i, test.radius)
	}
}

// byHand has one path, through the lower or the upper door.
type byHand struct {
	asked          int
	upper, changed bool
}

func (p *byHand) Plan(_, to r2.Vec, _ float64, path []r2.Vec) ([]r2.Vec, bool) {
	p.asked++
	y := -15.
	if p.upper {
		y = 5
	}
	return append(path, r2.Vec{X: -6, Y: y}, r2.Vec{X: 6, Y: y}, to), true
}

func (p *byHand) Changed() bool {
	changed := p.changed
	p.changed = false
	return changed
}

func TestPlannerChanged(t *testing.T) {
	planner := &byHand{changed: true}
	w := planned(t, planner, 8)
	run(t, w, 5)
	for times := 1; times <= 3; times++ {
		testkit.Equal(t, planner.asked, 8*times, "%d changes: calls for 8 agents", times-1)
		planner.upper, planner.changed = !planner.upper, true
		run(t, w, 5)
		for id := uint64(1); id <= 8; id++ {
			e, _ := w.Entity(id)
			if way := w.Inspect().Path(e); len(way) == 0 || (way[0].Y > 0) != planner.upper {
				t.Errorf("%d changes: route of agent %d: got=%v, want=through the upper door: %v", times, id, way, planner.upper)
			}
		}
	}
}

// A Planner's route counts as 1,000 looks.
func TestLooks(t *testing.T) {
	for looks, want := range map[int][]int{0: {60, 60}, 25_000: {25, 50, 60}} {
		planner := &byHand{}
		w := planned(t, planner, 60)
		routing, _ := frame.Find[*systems.Routing](w.Frame)
		routing.Looks = looks
		for i, want := range want {
			run(t, w, 1)
			testkit.Equal(t, planner.asked, want, "looks %d, step %d: routes", looks, i+1)
		}
	}
}

func TestRoutingInNextWorld(t *testing.T) {
	const agents = 60
	planner := &byHand{}
	for _, s := range []*systems.Routing{{Planner: planner}, {}} {
		for k, end := range []float64{-1, 1} { // y of the near end of a wall
			w, e := ecs.NewWorld(), ecs.Entity{}
			systems.Add(&w, w.NewEntity(), c.Position{Vec: r2.Vec{X: 5, Y: end}}, c.Obstacle{Span: r2.Vec{Y: -5 * end}})
			for i := range uint64(agents) {
				e = w.NewEntity()
				systems.Add(&w, e, c.Agent{ID: 1 + i}, c.Position{}, c.Target{}, c.Destination{Vec: r2.Vec{X: 10}}, c.Route{})
			}
			f := frame.New(&sense.Obstacles{}, s)
			f.Initialize(&w)
			f.Update(&w)
			way := frame.Resource[systems.Routes](&w).Of(agents, get[c.Route](&w, e))
			if f.Finalize(&w); s.Planner != nil {
				testkit.Equal(t, planner.asked, agents*(1+k), "world %d: calls of the planner in all", k)
			} else if len(way) == 0 || way[0].Y*end <= 0 {
				t.Errorf("world %d: route: got=%v, want=around the end of the wall at y = %v", k, way, end)
			}
		}
	}
}

func TestPlanner(t *testing.T) {
	planner := &byHand{}
	w := planned(t, planner, 60)
	lowest := 0.
	f := ecs.All(ecs.ComponentID[c.Position](w.ECS), ecs.ComponentID[c.Route](w.ECS))
	for range 60 * 110 {
		run(t, w, 1)
		for q := w.ECS.Query(&f); q.Next(); {
			lowest = min(lowest, (*c.Position)(q.Get(ecs.ComponentID[c.Position](w.ECS))).Y)
		}
	}
	if got := w.Stats().ArrivedOnce; got != 60 || lowest > -14 || planner.asked > 2*60 {
		t.Errorf("got=%d arrived, the lowest at y = %.1f, %d calls, want 60 through the lower door at y = -15, 120 calls or fewer", got, lowest, planner.asked)
	}
}

func TestRoutingIntoObstacle(t *testing.T) {
	for name, at := range map[string]r2.Vec{"statue": {X: 6}, "picture": {X: 10, Y: 10}} {
		w := between(t, world.Default(), 1, c.Route{})
		obstruct(t, w, r2.Vec{X: 6}, c.Obstacle{Radius: 0.6})
		obstruct(t, w, r2.Vec{X: 10, Y: 5}, c.Obstacle{Span: r2.Vec{Y: 10}, Radius: 0.1})
		agent, _ := w.Entity(1)
		componentOf[c.Goal](w, agent).Radius, componentOf[c.Destination](w, agent).Vec = 1.2, at
		run(t, w, 60*25)
		testkit.Equal(t, w.Stats().ArrivedOnce, 1, "%s: arrived", name)
	}
}

const people = 150

// hall returns a hall of 20 m by 15 m with people in its left half, and doors of 1.2 m in the lower wall at
// the given x. A field, with the given Every, leads them out.
func hall(t *testing.T, workers int, seed uint64, every float64, doors ...float64) *world.World {
	t.Helper()
	config := world.Default()
	config.Workers, config.BatchRows, config.Dt = workers, 16, 0.05
	w := startWorld(t, config)
	w.Frame.ShareRows = 1
	walls := [][4]float64{{0, 15, 20, 15}, {0, 0, 0, 15}, {20, 0, 20, 15}} // each from x, y to x, y
	x := 0.
	for _, door := range doors {
		walls = append(walls, [4]float64{x, 0, door - 0.7, 0})
		x = door + 0.7
	}
	for _, wall := range append(walls, [4]float64{x, 0, 20, 0}) {
		from, to := r2.Vec{X: wall[0], Y: wall[1]}, r2.Vec{X: wall[2], Y: wall[3]}
		obstruct(t, w, from, c.Obstacle{Span: r2.Sub(to, from), Radius: 0.1})
	}
	out, err := w.AddFlowField(sense.FlowField{Goals: []r2.Box{r2.NewBox(-2, -4, 22, -3)}, Radius: 0.25, Every: every})
	testkit.Must(t, err)
	random := rand.New(rand.NewPCG(seed, 1))
	testkit.Must(t, w.Spawn(people, []any{
		c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Target{}, c.FlowField{Index: out},
		c.Seek{Gain: 2}, c.Solid{Push: 0.8}, c.Goal{Radius: 0.3, Remove: true},
		c.ORCA{Gain: 2, TimeHorizon: 1, TimeHorizonObst: 0.5, NeighborDist: 3, MaxNeighbors: 10},
	}, func(r *world.Rows) {
		for i, p := 0, world.Column[c.Position](r); i < len(p); i++ {
			p[i].Vec = r2.Vec{X: 3.8 + 0.6*float64(i/15) + 0.09*(random.Float64()-0.5), Y: 0.7 + 0.6*float64(i%15) + 0.09*(random.Float64()-0.5)}
		}
	}))
	return w
}

// empty returns the time until all have left, at most 200 s, and how many left by a door beyond x = 11.
func empty(t *testing.T, w *world.World) (seconds float64, far int) {
	t.Helper()
	position := ecs.ComponentID[c.Position](w.ECS)
	filter := ecs.All(position, ecs.ComponentID[c.FlowField](w.ECS))
	seen := map[ecs.Entity]bool{}
	for w.Stats().Arrived < people && w.Clock.Time < 200 {
		run(t, w, 2)
		for q := w.ECS.Query(&filter); q.Next(); {
			if p := (*c.Position)(q.Get(position)); p.Y < 0 && p.X > 11 {
				seen[q.Entity()] = true
			}
		}
	}
	return w.Clock.Time, len(seen)
}

// The test compares sums over seeds, because the time of one crowd varies by more than 3%.
func TestQuickest(t *testing.T) {
	for _, h := range []struct {
		name  string
		doors []float64
		seeds uint64
		most  float64 // maximum, as a share of the time by the nearest door
		far   int     // minimum for each crowd
	}{
		{"a second door four times as far", []float64{4, 18}, 1, 0.8, 40},
		{"one door", []float64{4}, 4, 1.03, 0},
	} {
		nearest, quickest := 0., 0.
		for seed := range h.seeds {
			near, few := empty(t, hall(t, 1, seed, 0, h.doors...))
			quick, many := empty(t, hall(t, 1, seed, 2, h.doors...))
			nearest, quickest = nearest+near, quickest+quick
			t.Logf("%s, seed %d: nearest %.1f s, %d by the far door; quickest %.1f s, %d", h.name, seed, near, few, quick, many)
			if many < h.far {
				t.Errorf("%s, seed %d: by the far door: got=%d, want at least %d", h.name, seed, many, h.far)
			}
		}
		if quickest > h.most*nearest {
			t.Errorf("%s: time by quickest paths: got=%.1f s, want at most %.2f times %.1f s", h.name, quickest, h.most, nearest)
		}
	}
}

func TestQuickestWorkers(t *testing.T) {
	var want uint64
	for _, workers := range []int{1, 2, 5} {
		w := hall(t, workers, 1, 1, 4, 18)
		run(t, w, 20*8)
		if workers == 1 {
			want = w.Hash()
		}
		testkit.Equal(t, w.Hash(), want, "%d workers: hash", workers)
	}
}

func army(t *testing.T, groups, each int, with ...any) (w *world.World, members [][]ecs.Entity) {
	t.Helper()
	config := world.Default()
	config.Dt, config.Workers = 1./30, 2
	config.Bounds, config.Box = systems.BoundsClamp, r2.NewBox(0, 0, 300, 200)
	w = startWorld(t, config)
	values := append(with, c.Limits{MaxSpeed: 4, MaxForce: 20}, c.Target{}, c.Radius{}, c.Arrival{Gain: 2, SlowingRadius: 3}, c.Solid{Push: 0.8},
		c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 4, MaxNeighbors: 10})
	for g := range groups {
		_, err := w.AddFlowField(sense.FlowField{Goals: []r2.Box{{}}, Radius: 0.9, Cell: 0.5})
		testkit.Must(t, err)
		members = append(members, nil)
		testkit.Must(t, w.Spawn(each, values, func(r *world.Rows) {
			pos, radius := world.Column[c.Position](r), world.Column[c.Radius](r)
			for i := range pos {
				pos[i].Vec = r2.Vec{X: 12 + 25*float64(g%2) + 2*float64(i%10), Y: 8 + 19*float64(g/2) + 1.9*float64(i/10)}
				radius[i].Meters = []float64{0.3, 0.5, 0.9}[i%3]
			}
		}))
		for i := range each {
			e, _ := w.Entity(uint64(g*each + i + 1))
			members[g] = append(members[g], e)
		}
	}
	return w, members
}

// house adds a building with its lower left corner at (x, y).
func house(t *testing.T, w *world.World, x, y float64) ecs.Entity {
	t.Helper()
	e, err := w.AddPolygon(r2.NewBox(x, y, x+8, y+6).Vertices())
	testkit.Must(t, err)
	return e
}

func TestSendGroup(t *testing.T) {
	route, field := []any{c.Route{}, c.Destination{}}, []any{c.FlowField{}}
	open := r2.Vec{X: 80, Y: 30}
	for _, x := range []struct {
		name  string
		with  []any
		to    r2.Vec
		gap   float64 // m, gap in a wall on the way; 0 means no wall
		house float64 // s, time at which a building rises on the goal; 0 means none
		built bool    // the building is present from the start
	}{
		{name: "open", to: open}, {name: "open, by routes", with: route, to: open}, {name: "open, by fields", with: field, to: open},
		{name: "choke point, by routes", with: route, to: open, gap: 3}, {name: "choke point, by fields", with: field, to: open, gap: 3},
		{name: "into a building", with: route, to: open, built: true}, {name: "to the corner", with: route, to: r2.Vec{X: 90, Y: -7}},
		{name: "a building on the way", with: route, to: open, house: 6}, {name: "a building on the way, by fields", with: field, to: open, house: 6},
		{name: "a building on top", with: route, to: open, house: 40}, {name: "a building on top, by fields", with: field, to: open, house: 40},
	} {
		const n = 30
		w, members := army(t, 1, n, x.with...)
		if x.gap > 0 {
			obstruct(t, w, r2.Vec{X: 50}, c.Obstacle{Span: r2.Vec{Y: 30 - x.gap/2}, Radius: 0.2})
			obstruct(t, w, r2.Vec{X: 50, Y: 30 + x.gap/2}, c.Obstacle{Span: r2.Vec{Y: 170 - x.gap/2}, Radius: 0.2})
		}
		if x.built {
			house(t, w, x.to.X-3, x.to.Y-3)
		}
		run(t, w, 1)
		testkit.Must(t, w.SendGroup(members[0], x.to))
		last := 0.
		for w.Clock.Time < 60 && (w.Stats().ArrivedOnce < n || w.Clock.Time < max(last, x.house)+10) {
			if x.house > 0 && w.Clock.Time < x.house && w.Clock.Time+w.Clock.Dt >= x.house {
				house(t, w, x.to.X-3, x.to.Y-3)
			}
			before := w.Stats().ArrivedOnce
			if run(t, w, 1); w.Stats().ArrivedOnce > before {
				last = w.Clock.Time
			}
		}
		if fast, overlaps, inside := unrest(w); fast+overlaps+inside > 0 || w.Stats().ArrivedOnce < n {
			t.Errorf("%s: got=%d arrived, the last after %.1f s; at %.1f s: %d faster than 0.1 m/s, %d overlaps, %d in obstacles, want=%d, 0, 0, 0",
				x.name, w.Stats().ArrivedOnce, last, w.Clock.Time, fast, overlaps, inside, n)
		}
	}
}

func TestSendGroups(t *testing.T) {
	groups, each, rest, most := 4, 12, 90., 0
	if *full {
		groups, each, rest, most = 20, 100, 220, 20
	}
	w, members := army(t, groups, each, c.Route{}, c.Destination{})
	for g := range members {
		testkit.Must(t, w.SendGroup(members[g], r2.Vec{X: 230 + 45*float64(g%2), Y: 10 + 19*float64((groups-1-g)/2)}))
	}
	draw := rand.New(rand.NewPCG(1, 2))
	var built []ecs.Entity
	for step := 1; w.Clock.Time < rest; step++ {
		if run(t, w, 1); step%60 == 0 && w.Clock.Time < rest-40 {
			built = append(built, house(t, w, 70+130*draw.Float64(), 190*draw.Float64()))
			if len(built) > 12 {
				testkit.Must(t, w.RemoveObstacle(built[0]))
				built = built[1:]
			}
		}
	}
	fast, overlaps, inside := unrest(w)
	t.Logf("%d units: %d arrived, %d faster than 0.1 m/s, %d overlaps, %d in obstacles", groups*each, w.Stats().ArrivedOnce, fast, overlaps, inside)
	if fast > most || overlaps > 0 || inside > 0 || w.Stats().ArrivedOnce < groups*each-most {
		t.Errorf("got=%d arrived of %d, %d faster than 0.1 m/s, %d overlaps, %d in obstacles, want=all but %d, at most %[6]d, 0, 0",
			w.Stats().ArrivedOnce, groups*each, fast, overlaps, inside, most)
	}
}

func TestSendGroupErrors(t *testing.T) {
	w, members := army(t, 1, 2)
	w.Remove(members[0][1])
	if err := w.SendGroup(members[0], r2.Vec{X: 9}); err == nil {
		t.Error("group with a dead member: got=nil, want=an error")
	}
	testkit.Equal(t, *componentOf[c.Target](w, members[0][0]), c.Target{}, "target of the living member")
}
