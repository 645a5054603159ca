package systems_test

import (
	"fmt"
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

// twoDoors returns a world with a wall along x = 0 that has two doors, at y = 5 and at y = -15, and
// agents that want to reach the other side. door is an obstacle, far away, with which a test can close a door.
func twoDoors(t *testing.T, workers, agents int, finds any) (w *world.World, door ecs.Entity) {
	t.Helper()
	config := world.Default()
	config.Workers, config.BatchRows = workers, 8
	w = between(t, config, agents, finds)
	door, err := w.AddObstacle(r2.Vec{X: 100, Y: 4}, c.Obstacle{Span: r2.Vec{Y: 2}, Radius: 0.1})
	testkit.Must(t, err)
	return w, door
}

// between returns the world of twoDoors without door.
func between(t *testing.T, config world.Config, agents int, finds any) *world.World {
	t.Helper()
	w, err := world.New(config)
	testkit.Must(t, err)
	t.Cleanup(w.Close)
	for _, wall := range [][2]float64{{-30, -16}, {-14, 4}, {6, 30}} {
		if _, err := w.AddObstacle(r2.Vec{Y: wall[0]}, c.Obstacle{Span: r2.Vec{Y: wall[1] - wall[0]}, Radius: 0.1}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.AddFlowField(sense.FlowField{Goals: []r2.Box{{Min: r2.Vec{X: 6, Y: 0}, Max: r2.Vec{X: 8, Y: 30}}}, Radius: 0.25}); err != nil {
		t.Fatal(err)
	}
	err = w.Spawn(agents, []any{
		c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Target{}, c.Destination{Vec: r2.Vec{X: 6}},
		finds, c.Arrival{Gain: 2, SlowingRadius: 1}, c.Solid{Push: 0.8}, c.Goal{Radius: 0.3},
	}, func(r *world.Rows) {
		pos, dest := world.Column[c.Position](r), world.Column[c.Destination](r)
		for i := range pos {
			pos[i].Vec, dest[i].Vec = r2.Vec{X: -6, Y: 0.7 * float64(i)}, r2.Vec{X: 6, Y: 0.7 * float64(i)}
		}
	})
	testkit.Must(t, err)
	return w
}

func run(t *testing.T, w *world.World, steps int) {
	t.Helper()
	for range steps {
		testkit.Must(t, w.Step())
	}
}

// TestRouting verifies that agents get to the other side of a wall through its nearest door.
func TestRouting(t *testing.T) {
	w, _ := twoDoors(t, 1, 4, c.Route{})
	run(t, w, 60*14)
	testkit.Equal(t, w.Stats().ArrivedOnce, 4, "arrived")
}

// TestRoutingDoorCloses verifies that agents take the other door when theirs closes before they reach it,
// with routes and with fields, and that the result is the same for 1 and 3 workers.
func TestRoutingDoorCloses(t *testing.T) {
	for _, finds := range []any{c.Route{}, c.FlowField{}} {
		t.Run(fmt.Sprintf("%T", finds), func(t *testing.T) { doorCloses(t, finds) })
	}
}

func doorCloses(t *testing.T, finds any) {
	var want uint64
	for _, workers := range []int{1, 3} {
		w, door := twoDoors(t, workers, 40, finds)
		w.Frame.ShareRows = 1
		run(t, w, 150)
		testkit.Must(t, w.MoveObstacle(door, r2.Vec{Y: 4}))
		run(t, w, 60*80)
		testkit.Equal(t, w.Stats().ArrivedOnce, 40, "%d workers, arrived", workers)
		if hash := w.Hash(); want == 0 {
			want = hash
		} else if hash != want {
			t.Errorf("%d workers: hash: got=%x, want=%x", workers, hash, want)
		}
	}
}

// TestRoutingFromWithin verifies that an agent inside a wall gets a path soon after it is pushed out.
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

// TestRoutingRadius verifies which routes an agent gets for various radii and clearances, and when a planner
// is called again.
func TestRoutingRadius(t *testing.T) {
	w := between(t, world.Default(), 1, c.Route{})
	if _, err := w.AddObstacle(r2.Vec{Y: 5}, c.Obstacle{Span: r2.Vec{Y: 1}, Radius: 0.1}); err != nil { // the upper door is 0.8 m wide
		t.Fatal(err)
	}
	agent, _ := w.Entity(1)
	radius := (*c.Radius)(w.ECS.Get(agent, ecs.ComponentID[c.Radius](w.ECS)))
	route := (*c.Route)(w.ECS.Get(agent, ecs.ComponentID[c.Route](w.ECS)))
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
	config := world.Default()
	config.Planner = planner
	w = between(t, config, 1, c.Route{})
	agent, _ = w.Entity(1)
	for i, test := range []struct {
		radius float64
		asked  int // calls of the planner in all
	}{{0.25, 1}, {0.25, 1}, {0.26, 2}, {0.255, 2}, {0.2, 3}, {0.2, 3}} {
		(*c.Radius)(w.ECS.Get(agent, ecs.ComponentID[c.Radius](w.ECS))).Meters = test.radius
		if run(t, w, 5); planner.asked != test.asked {
			t.Errorf("%d, radius %v m: got=%d calls of the planner, want=%d", i, test.radius, planner.asked, test.asked)
		}
	}
}

// byHand is a planner with one path, through the lower or the upper door.
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

// TestPlannerChanged verifies that all paths are planned again exactly when the planner reports a change.
func TestPlannerChanged(t *testing.T) {
	planner := &byHand{changed: true}
	config := world.Default()
	config.Planner = planner
	w := between(t, config, 8, c.Route{})
	run(t, w, 5)
	for times := 1; times <= 3; times++ {
		if planner.asked != 8*times {
			t.Fatalf("%d changes: got=%d calls for 8 agents, want=%d", times-1, planner.asked, 8*times)
		}
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

// TestLooks verifies that a step plans no more routes than Looks allows, and that, by default, the first
// step plans the routes of a whole crowd.
func TestLooks(t *testing.T) {
	for looks, want := range map[int][]int{0: {60, 60}, 25_000: {25, 50, 60}} {
		planner := &byHand{}
		config := world.Default()
		config.Planner = planner
		w := between(t, config, 60, c.Route{})
		routing, _ := frame.Find[*systems.Routing](w.Frame)
		routing.Looks = looks
		for i, want := range want {
			run(t, w, 1)
			testkit.Equal(t, planner.asked, want, "looks %d, step %d: routes", looks, i+1)
		}
	}
}

// TestPlanner verifies that agents take the routes of a host's planner, which is called at most twice per
// agent on average.
func TestPlanner(t *testing.T) {
	planner := &byHand{}
	config := world.Default()
	config.Planner = planner
	w := between(t, config, 60, c.Route{})
	lowest := 0.
	for range 60 * 110 {
		run(t, w, 1)
		f := ecs.All(ecs.ComponentID[c.Position](w.ECS), ecs.ComponentID[c.Route](w.ECS))
		for q := w.ECS.Query(&f); q.Next(); {
			lowest = min(lowest, (*c.Position)(q.Get(ecs.ComponentID[c.Position](w.ECS))).Y)
		}
	}
	if got := w.Stats().ArrivedOnce; got != 60 || lowest > -14 {
		t.Errorf("got=%d arrived, the lowest at y = %.1f, want 60 through the lower door at y = -15", got, lowest)
	}
	if planner.asked > 2*60 {
		t.Errorf("calls for 60 agents: got=%d, want=120 or fewer", planner.asked)
	}
}

// TestRoutingIntoObstacle verifies that agents find the route to a place in an obstacle if they may stop
// before it: to a statue on its pedestal, and to a picture on a wall.
func TestRoutingIntoObstacle(t *testing.T) {
	for _, test := range []struct {
		name string
		at   r2.Vec
	}{{"statue", r2.Vec{X: 6}}, {"picture", r2.Vec{X: 10, Y: 10}}} {
		w := between(t, world.Default(), 1, c.Route{})
		if _, err := w.AddObstacle(r2.Vec{X: 6}, c.Obstacle{Radius: 0.6}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.AddObstacle(r2.Vec{X: 10, Y: 5}, c.Obstacle{Span: r2.Vec{Y: 10}, Radius: 0.1}); err != nil {
			t.Fatal(err)
		}
		for q := w.ECS.Query(ecs.All(ecs.ComponentID[c.Goal](w.ECS))); q.Next(); {
			(*c.Goal)(q.Get(ecs.ComponentID[c.Goal](w.ECS))).Radius = 1.2
			(*c.Destination)(q.Get(ecs.ComponentID[c.Destination](w.ECS))).Vec = test.at
		}
		run(t, w, 60*25)
		testkit.Equal(t, w.Stats().ArrivedOnce, 1, "%s: arrived", test.name)
	}
}
