package world

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

var must = testkit.Must

var walkers = []any{
	c.Target{Vec: r2.Vec{X: 10}}, c.Limits{MaxSpeed: 1, MaxForce: 5}, c.Arrival{Gain: 2, SlowingRadius: 1},
}

func newWorld(t testing.TB, change func(*Config)) *World {
	t.Helper()
	config := Default()
	config.Dt, config.Workers = 0.1, 1
	if change != nil {
		change(&config)
	}
	return made(t, config)
}

func made(t testing.TB, config Config) *World {
	t.Helper()
	w := Value(New(config))
	t.Cleanup(w.Close)
	return w
}

func TestConfigErrors(t *testing.T) {
	for _, test := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Dt = 0 }, "dt is 0 s, want a finite number above 0"},
		{func(c *Config) { c.Dt = math.NaN() }, "dt is NaN s"},
		{func(c *Config) { c.Dt = math.Inf(1) }, "dt is +Inf s"},
		{func(c *Config) { c.Workers = -1 }, "workers is -1"},
		{func(c *Config) { c.Workers = 5000 }, "workers is 5000, want 0 (one for each processor) to 1024"},
		{func(c *Config) { c.BatchRows = -1 }, "batch rows is -1"},
		{func(c *Config) { c.Bounds = 99 }, "bounds is 99"},
		{func(c *Config) { c.Scan = -1 }, "scan is -1"},
		{func(c *Config) { c.Prediction = 3 }, "prediction is 3"},
		{func(c *Config) { c.Combination = 3 }, "combination is 3, want one of the modes of systems.Combination"},
		{func(c *Config) { c.Priority = []string{"seek", "seeking"} }, `priority contains "seeking", want only names of behaviors: containment, wall-following,`},
		{func(c *Config) { c.Priority = []string{"seek", "flee", "seek"} }, `priority contains "seek" twice`},
		{func(c *Config) { c.Priority = []string{"kinematic-seek"} }, `priority contains "kinematic-seek", want only names of behaviors: `},
		{func(c *Config) { c.Chances = []float64{0.5, 0.5} }, "chances has 2 numbers, want 1, or as many as priority has names (0)"},
		{func(c *Config) { c.Chances = []float64{0.005} }, "chances contains 0.005, want only numbers from 0.01 to 1"},
		{func(c *Config) { c.Chances = []float64{math.NaN()} }, "chances contains NaN, want only numbers from 0.01 to 1"},
		{func(c *Config) { c.Bind = []frame.Binding{{}} }, "cannot bind: the zero Binding"},
		{func(c *Config) { c.Lines = make([]measure.MeasurementLine, 65) }, "there are 65 lines, want at most 64"},
		{func(c *Config) { c.Lines = make([]measure.MeasurementLine, 1) }, "line 0 is from (0, 0) to (0, 0), want two different finite points"},
		{func(c *Config) { c.Lines = []measure.MeasurementLine{{A: r2.Vec{X: math.NaN()}}} }, "line 0 is from (NaN, 0)"},
		{func(c *Config) { c.Areas = make([]r2.Box, 2) }, "area 0 is"},
		{func(c *Config) { c.Bounds = systems.BoundsWrap }, "box is"},
		{func(c *Config) {
			c.Bounds, c.Box = systems.BoundsWrap, r2.Box{Max: r2.Vec{X: 1, Y: math.NaN()}}
		}, "box is"},
	} {
		config := Default()
		test.change(&config)
		if _, err := New(config); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got=%v, want=an error that begins with %q", err, test.want)
		}
	}
	config := Default()
	config.Combination, config.Priority, config.Chances = systems.CombineDithering, Behaviors(), []float64{1}
	must(t, config.Validate())
}

func TestSpawnErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		comp any
		want string
	}{
		{c.Position{Vec: r2.Vec{X: nan}}, "position is (NaN, 0), want finite numbers"},
		{c.Velocity{Vec: r2.Vec{Y: inf}}, "velocity is (0, +Inf)"},
		{c.Target{Vec: r2.Vec{Y: -inf}}, "target is (0, -Inf)"},
		{c.Steering{Vec: r2.Vec{Y: nan}}, "steering is (0, NaN)"},
		{c.Heading{Vec: r2.Vec{X: 2}}, "heading is (2, 0) of length 2, want a unit vector"},
		{c.Heading{}, "heading is (0, 0)"},
		{c.Mass{}, "mass is 0 kg, want a finite number above 0"},
		{c.Mass{Kilograms: -1}, "mass is -1 kg"},
		{c.Mass{Kilograms: nan}, "mass is NaN kg"},
		{c.Radius{Meters: -0.1}, "radius is -0.1 m, want a finite number, 0 or more"},
		{c.Limits{MaxSpeed: -1}, "max speed is -1 m/s"},
		{c.Limits{MaxSpeed: inf}, "max speed is +Inf m/s"},
		{c.Limits{MaxForce: nan}, "max force is NaN N"},
		{c.FlowField{Index: 9}, "flow-field index is 9, but the number of fields is 0"},
		{c.Itinerary{Index: 9}, "itinerary index is 9, but the number of itineraries is 0"},
		{c.Separation{Gain: 1, FieldOfView: 120}, "separation field-of-view is 120 rad, want 0 to 12.566370614359172"},
		{c.Seek{Gain: -1}, "seek gain is -1 kg/s, want 0 to mass/dt = 10"},
		{c.Flee{From: r2.Vec{X: nan}}, "flee from is (NaN, 0), want finite numbers"},
		{c.SmoothArrival{Min: 1, Max: 1}, "smooth-arrival max is 1 m, want above min (1 m)"},
		{c.Quarry{At: r2.Vec{X: nan}}, "quarry place is (NaN, 0)"},
		{c.Quarry{Velocity: r2.Vec{X: inf}}, "quarry velocity is (+Inf, 0)"},
		{c.Pursuer{At: r2.Vec{Y: nan}}, "pursuer place is (0, NaN)"},
		{c.Containment{Box: r2.Box{Max: r2.Vec{X: 1}}}, "containment box is"},
	} {
		w := newWorld(t, nil)
		comps := []any{test.comp}
		for _, needed := range []any{c.Target{}, c.Limits{}, c.Flee{}, c.ThreatScan{}, c.Quarry{}, c.Pursuer{}} {
			if reflect.TypeOf(needed) != reflect.TypeOf(test.comp) {
				comps = append(comps, needed)
			}
		}
		WantError(t, w.Spawn(3, comps, nil), "agent 1: "+test.want)
		if n := len(idsOf(w.ECS)); n != 0 {
			t.Errorf("%T: got=%d agents after an error, want 0", test.comp, n)
		}
	}
	w := newWorld(t, nil)
	for _, n := range []int{0, -1, MaxAgents + 1} {
		if err := w.Spawn(n, nil, nil); err == nil {
			t.Errorf("spawn of %d agents: got=nil, want=an error, because 1 to %d are allowed", n, MaxAgents)
		}
	}
	Value(w.AddPath([]r2.Vec{{}}))
	err := w.Spawn(1, []any{c.Target{}, c.SmoothArrival{Min: 5, Max: 9}, c.Path{Reached: 5}}, nil)
	WantError(t, err, "reached distance of path is 5 m, want above 5")
	faithful := newWorld(t, func(c *Config) { c.Scan = systems.ScanProbes })
	if err := faithful.Spawn(1, []any{c.ThreatScan{}, c.Radius{Meters: 1}}, nil); err == nil {
		t.Error("body with the scan for points: got=nil, want=an error, because that scan supports no radius")
	}
}

func TestSpawnChecksEveryNumber(t *testing.T) {
	w, checked := newWorld(t, nil), 0
	for _, e := range systems.Catalog() {
		for i := range e.Params(e.New()) {
			comp := e.New()
			p := e.Params(comp)[i]
			x, is := p.At.(*float64)
			if !is {
				continue
			}
			bad := map[float64]string{math.NaN(): " is NaN"}
			if p.Key == "gain" && p.Unit == "kg/s" && e.Name != "orca" { // ORCA chooses a velocity
				bad[11] = " is 11 kg/s, want 0 to mass/dt = 10"
			}
			for value, want := range bad {
				*x = value
				comps := []any{reflect.ValueOf(comp).Elem().Interface()}
				for _, needed := range append([]any{c.Limits{}}, e.Needs...) {
					if reflect.TypeOf(needed) != reflect.TypeOf(comps[0]) && !(len(comps) > 1 && reflect.TypeOf(needed) == reflect.TypeOf(c.Limits{})) {
						comps = append(comps, needed)
					}
				}
				checked++
				WantError(t, w.Spawn(1, comps, nil), e.Name+" "+p.Key+want)
			}
		}
	}
	if checked < 60 {
		t.Errorf("numbers checked: got=%d, want 60 or more", checked)
	}
}

// Spawn checks gains against Config.Dt, not Clock.Dt.
func TestSpawnInSlowFrame(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Dt = 1. / 60 })
	components := func(gain float64) []any {
		return []any{c.Target{}, c.Limits{MaxSpeed: 1, MaxForce: 9}, c.Seek{Gain: gain}}
	}
	wave := &Source{Batches: []Batch{{Time: 0.1, N: 2}}, Components: components(4), Place: func(i, _ int) (r2.Vec, float64) {
		return r2.Vec{X: float64(i)}, 0
	}}
	must(t, w.AddSource(wave))
	w.Clock.Dt = 0.3
	if err := errors.Join(w.Spawn(3, components(4), nil), w.Step()); err != nil || w.NextID() != 6 {
		t.Errorf("in a step of 0.3 s: next ID: got=%d, %v, want=6", w.NextID(), err)
	}
	w.Clock.Dt = 0.001
	testkit.Equal(t, fmt.Sprint(w.Spawn(1, components(61), nil)), "agent 6: seek gain is 61 kg/s, want 0 to mass/dt = 60", "in a step of 1 ms")
}

func TestSpawnIncomplete(t *testing.T) {
	w := newWorld(t, nil)
	for _, test := range []struct {
		comps []any
		want  string
	}{
		{[]any{c.Arrival{}, c.Limits{}}, "components.Arrival needs components.Target"},
		{[]any{c.Avoidance{}}, "components.Avoidance needs components.ThreatScan"},
		{[]any{c.Route{}, c.FlowField{}, c.Destination{}, c.Target{}}, "components.Route and components.FlowField both plan a path, want one of them"},
		{[]any{&c.Target{}}, "component 0 has type *components.Target, want a value"},
		{[]any{c.Target{}, c.Target{}}, "component components.Target is given twice"},
		{[]any{nil}, "component 0 has type <nil>, want a value"},
	} {
		WantError(t, w.Spawn(1, test.comps, nil), test.want)
	}
	if n := len(idsOf(w.ECS)); n != 0 {
		t.Errorf("got=%d agents after errors, want 0", n)
	}
}

func TestDeferredError(t *testing.T) {
	w := newWorld(t, nil)
	q := w.ECS.Query(ecs.All()) // locks the world, as a step does
	must(t, w.Spawn(1, []any{c.Mass{Kilograms: -1}}, nil))
	q.Close()
	WantError(t, w.Step(), "mass is -1 kg")
	must(t, w.Step())
}

func TestNotIdle(t *testing.T) {
	methods := map[string]func(w *World) error{
		"Step":      (*World).Step,
		"Save":      func(w *World) error { return w.Save(io.Discard) },
		"Restore":   func(w *World) error { return Failure(w.Restore(strings.NewReader(""))) },
		"Explain":   func(w *World) error { return Failure(w.Inspect().Explain(ecs.Entity{})) },
		"SendGroup": func(w *World) error { return w.SendGroup(nil, r2.Vec{}) },
	}
	check := func(w *World, want string) {
		for name, call := range methods {
			func() {
				defer func() { testkit.Equal(t, fmt.Sprint(recover()), "crowd: "+name+want, "panic") }()
				call(w)
			}()
		}
	}
	w := made(t, Default())
	q := w.ECS.Query(ecs.All())
	check(w, " called on a locked world: close the open query first")
	q.Close()
	w.Close()
	check(w, " called after Close")
}

func TestObstacleErrors(t *testing.T) {
	w := newWorld(t, nil)
	nan := r2.Vec{X: math.NaN()}
	for _, test := range []struct {
		err  error
		want string
	}{
		{Failure(w.AddObstacle(nan, c.Obstacle{})), "position of obstacle is (NaN, 0)"},
		{Failure(w.AddObstacle(r2.Vec{}, c.Obstacle{Radius: -1})), "radius of obstacle is -1 m"},
		{Failure(w.AddObstacle(r2.Vec{}, c.Obstacle{Radius: nan.X})), "radius of obstacle is NaN m"},
		{Failure(w.AddObstacle(r2.Vec{}, c.Obstacle{Radius: math.Inf(1)})), "radius of obstacle is +Inf m"},
		{Failure(w.AddObstacle(r2.Vec{X: math.Inf(-1)}, c.Obstacle{Radius: 1})), "position of obstacle is (-Inf, 0)"},
		{Failure(w.AddObstacle(r2.Vec{}, c.Obstacle{Span: nan})), "span of obstacle is (NaN, 0)"},
		{Failure(w.AddObstacle(r2.Vec{}, c.Obstacle{Polygon: 9})), "polygon of obstacle is 9, but the number of polygons is 0"},
		{w.Spawn(1, []any{c.Target{}, c.Path{Index: 7}}, nil), "agent 1: path index is 7, but the number of paths is 0"},
		{Failure(w.AddPolygon(make([]r2.Vec, 2))), "number of corners of polygon is 2, want 3 or more"},
		{Failure(w.AddPolygon([]r2.Vec{{}, {X: 1}, nan})), "corner 2 of polygon is (NaN, 0)"},
		{Failure(w.AddPolygon([]r2.Vec{{X: 4, Y: -1}, {X: 6, Y: 1}, {X: 6, Y: -1}, {X: 4, Y: 1}})), "polygon crosses itself at (5, 0)"},
		{Failure(w.AddPath(nil)), "path has no waypoints"},
		{Failure(w.AddItinerary([]systems.Stop{{}, {Speed: -1}})), "stop 1 of itinerary: speed of stop is -1 m/s"},
		{Failure(w.AddItinerary([]systems.Stop{{Kind: systems.StopFollow}})), "stop 0 of itinerary: other is 0, but the number of tracked entities is 0"},
		{Failure(w.AddPath([]r2.Vec{nan})), "waypoint 0 of path is (NaN, 0)"},
	} {
		WantError(t, test.err, test.want)
	}
	*resource(w.ECS, &sense.Polygons{}) = sense.Polygons{{{}, {X: 2, Y: 2}, {X: 2}, {Y: 2}}}
	WantError(t, Failure(w.AddObstacle(r2.Vec{}, c.Obstacle{Polygon: 1})), "polygon crosses itself at (1, 1)")
}

// TestObstacleInLockedWorld verifies that obstacles are rejected while the world is locked, take no row
// of the polygons then, and can be added later.
func TestObstacleInLockedWorld(t *testing.T) {
	w := newWorld(t, nil)
	add := func() [3]error {
		return [3]error{
			Failure(w.AddObstacle(r2.Vec{}, c.Obstacle{})),
			Failure(w.AddPolygon([]r2.Vec{{}, {X: 1}, {Y: 1}})),
			Failure(w.AddDoor(r2.Vec{}, r2.Vec{X: 1}, 0, c.Door{})),
		}
	}
	q := w.ECS.Query(ecs.All())
	for _, err := range add() {
		WantError(t, err, "the world is locked")
	}
	q.Close()
	if got, n := add(), len(*resource(w.ECS, &sense.Polygons{})); got != [3]error{} || n != 1 {
		t.Errorf("later: got=%v and %d polygons, want=no errors and 1", got, n)
	}
}

// TestFillPanics verifies that a fill function that panics, between steps or at the end of a step, leaves
// no agents behind, and that other spawns succeed.
func TestFillPanics(t *testing.T) {
	w := newWorld(t, nil)
	panics := func(do func()) (value any) {
		defer func() { value = recover() }()
		do()
		return nil
	}
	wave := func() error { return w.Spawn(3, []any{c.Target{}}, func(*Rows) { panic("a host's mistake") }) }
	testkit.Equal(t, panics(func() { _ = wave() }), any("a host's mistake"), "panic")
	q := w.ECS.Query(ecs.All())
	must(t, errors.Join(wave(), w.Spawn(2, []any{c.Target{}}, nil)))
	q.Close()
	testkit.Equal(t, panics(func() { _ = w.Step() }), any("a host's mistake"), "panic at the end of a step")
	if err := errors.Join(w.Step(), w.Spawn(1, []any{c.Target{}}, nil)); err != nil || len(idsOf(w.ECS)) != 3 || w.NextID() != 4 {
		t.Errorf("after the panics: got=%d agents, next ID %d, %v, want=3 agents, next ID 4, no error", len(idsOf(w.ECS)), w.NextID(), err)
	}
}

// TestSpawnDead verifies that Spawn rejects components that refer to a dead entity.
func TestSpawnDead(t *testing.T) {
	w := newWorld(t, nil)
	dead := w.ECS.NewEntity()
	w.ECS.RemoveEntity(dead)
	for want, comp := range map[string]any{
		"quarry is entity 1, which is dead":           c.Quarry{Entity: dead},
		"follow is entity 1, which is dead":           c.Follow{Entity: dead},
		"formation leader is entity 1, which is dead": c.Formation{Leader: c.TrackedEntity{Entity: dead}, Spacing: 1},
	} {
		testkit.Equal(t, fmt.Sprint(w.Spawn(1, []any{c.Target{}, comp}, nil)), "agent 1: "+want, "error")
	}
}

// TestRetarget verifies that SetDestination starts a new trip, and that an agent that arrives twice counts
// once in ArrivedOnce.
func TestRetarget(t *testing.T) {
	var took []float64
	w := newWorld(t, func(c *Config) {
		c.Dt = 1
		c.OnArrived = func(w *World, a systems.Arrived) {
			took = append(took, a.Took)
			if len(took) == 1 {
				w.SetDestination(a.Entity, r2.Vec{X: 5, Y: 3})
			}
		}
	})
	comps := []any{c.Target{Vec: r2.Vec{X: 5}}, c.Limits{MaxSpeed: 1, MaxForce: 9}, c.KinematicSeek{Gain: 1}, c.Goal{Radius: 0.01}}
	must(t, w.Spawn(1, comps, nil))
	run(t, w, 12)
	if st := w.Stats(); len(took) != 2 || took[0] != 5 || took[1] != 3 || st.Arrived != 2 || st.ArrivedOnce != 1 {
		t.Errorf("got=trips of %v s, %d arrivals of %d agents, want=5 s and 3 s, 2 of 1", took, st.Arrived, st.ArrivedOnce)
	}
}

// TestRestartMeetsNothing verifies that Restart counts no collision with an obstacle between the old and
// the new position.
func TestRestartMeetsNothing(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Measure = true })
	Value(w.AddObstacle(r2.Vec{X: 5}, c.Obstacle{Radius: 1}))
	must(t, errors.Join(w.Spawn(1, nil, nil), w.Step()))
	e, _ := w.Entity(1)
	w.Restart(e, r2.Vec{X: 10}, r2.Vec{})
	must(t, w.Step())
	testkit.Equal(t, w.Stats().ObstacleCollisions.Collisions, 0, "collisions")
}

// TestRestartItinerary verifies that the times of the stops count from the spawn of an agent, and that the
// stops and their times start over when Restart moves it.
func TestRestartItinerary(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Dt = 1 })
	Value(w.AddItinerary([]systems.Stop{{Kind: systems.StopIdle, Duration: 3}, {Kind: systems.StopIdle}}))
	must(t, errors.Join(w.Run(context.Background(), 9), w.Spawn(1, []any{c.Target{}, c.Itinerary{}}, nil)))
	e, _ := w.Entity(1)
	for _, start := range []string{"Spawn", "Restart"} {
		for step, want := range []uint32{0, 0, 0, 1} { // the system checks at the start of a step
			must(t, w.Step())
			testkit.Equal(t, (*c.Itinerary)(w.ECS.Get(e, ecs.ComponentID[c.Itinerary](w.ECS))).Next, want, "step %d after %s: stop", step+1, start)
		}
		w.Restart(e, r2.Vec{}, r2.Vec{})
	}
}

// TestRestartCrowdedGoal verifies that Restart sends an agent that stays near its full goal to that goal again,
// unless it has another destination by then.
func TestRestartCrowdedGoal(t *testing.T) {
	w := newWorld(t, nil)
	place, goal, other := r2.Vec{X: 1}, r2.Vec{X: 2}, r2.Vec{X: 3}
	for i, x := range []struct {
		settled  bool
		to, want r2.Vec
	}{{true, place, goal}, {true, other, other}, {false, goal, goal}} {
		for _, routed := range []bool{false, true} {
			with := []any{c.Target{Vec: x.to}, c.Goal{Radius: 0.1}, c.CrowdedGoal{Settled: x.settled, Place: place, Goal: goal, Nearest: 1}}
			if routed {
				with = append(with, c.Destination{Vec: x.to})
			}
			must(t, w.Spawn(1, with, nil))
			e, _ := w.Entity(w.NextID() - 1)
			w.Restart(e, r2.Vec{}, r2.Vec{})
			got, _ := look[c.CrowdedGoal](w, e)
			if to := w.destination(e); to != x.want || got.Settled || got.Nearest != 0 {
				t.Errorf("case %d, routed %v: got=%v, settled %v, nearest %v, want=%v, false, 0", i, routed, to, got.Settled, got.Nearest, x.want)
			}
		}
	}
}

func TestFailedSource(t *testing.T) {
	w := newWorld(t, nil)
	must(t, w.Spawn(1, walkers, nil))
	var asked []int // tries for agent 0
	at := r2.Vec{X: 9}
	fails := &Source{First: 1, Batches: []Batch{{Time: 0.1, N: 2}}, Components: walkers, Place: func(i, try int) (r2.Vec, float64) {
		if i == 0 {
			asked = append(asked, try)
		}
		return at, 1
	}}
	next := &Source{First: 2, Batches: fails.Batches, Components: walkers, Place: func(int, int) (r2.Vec, float64) { return at, 1 }}
	must(t, errors.Join(w.AddSource(fails), w.AddSource(next)))
	WantError(t, w.Step(), "agent 1: another agent has that ID")
	testkit.Equal(t, fmt.Sprint(fails.Came(), next.Came()), "0 1", "agents of the two sources")
	must(t, w.Step())
	testkit.Equal(t, fmt.Sprint(asked[:2]), "[0 0]", "tries in the two steps")
}

type serial func()

func (s serial) Update(*ecs.World) { s() }

func TestSourceAmongChangedObstacles(t *testing.T) {
	var inStep func()
	w := newWorld(t, func(c *Config) { c.Steer = []any{serial(func() { inStep() })} })
	inStep = func() {}
	must(t, w.Step())
	circle := Value(w.AddObstacle(r2.Vec{}, c.Obstacle{Radius: 1}))
	s := &Source{Batches: []Batch{{N: 1}}, Components: walkers, Place: func(int, int) (r2.Vec, float64) { return r2.Vec{}, 0.5 }}
	must(t, w.AddSource(s))
	testkit.Equal(t, s.Came(), 0, "agents in a new obstacle")
	must(t, w.MoveObstacle(circle, r2.Vec{X: 9}))
	inStep = func() { must(t, w.MoveObstacle(circle, r2.Vec{})) }
	must(t, w.Step())
	testkit.Equal(t, s.Came(), 0, "agents in a moved obstacle")
	inStep = func() { must(t, w.MoveObstacle(circle, r2.Vec{X: 9})) }
	must(t, w.Step())
	testkit.Equal(t, s.Came(), 1, "agents after the obstacle has moved away")
}

func TestAddSourceErrors(t *testing.T) {
	w := newWorld(t, nil)
	for _, test := range []struct {
		batches []Batch
		want    string
	}{
		{[]Batch{{Time: 2, N: 1}, {Time: 1, N: 1}}, "source: time of batch 1 is 1 s, want finite times in ascending order"},
		{[]Batch{{Time: math.Inf(-1), N: 1}}, "source: time of batch 0 is -Inf s"},
		{[]Batch{{Time: math.Inf(1), N: 1}}, "source: time of batch 0 is +Inf s"},
		{[]Batch{{Time: math.NaN(), N: 1}}, "source: time of batch 0 is NaN s"},
		{[]Batch{{N: -1}}, "source: batch 0 has -1 agents, want 0 to "},
		{[]Batch{{N: MaxAgents + 1}}, "source: batch 0 has "},
	} {
		WantError(t, w.AddSource(&Source{Batches: test.batches, Place: func(int, int) (r2.Vec, float64) { return r2.Vec{}, 1 }}), test.want)
	}
}
