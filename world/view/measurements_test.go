package view

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/walking"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// told returns a message as a viewer gets it.
func told(t *testing.T, message any) (m map[string]any) {
	t.Helper()
	must(t, json.Unmarshal(encode(message), &m))
	return m
}

// list returns a list of a message.
func list[T any](m map[string]any, name string) (all []T) {
	found, _ := m[name].([]any)
	for _, x := range found {
		all = append(all, x.(T))
	}
	return all
}

// TestMeasurements verifies that viewers are told of the figures that the report of a run
// has after as many steps, and that a restart begins anew.
func TestMeasurements(t *testing.T) {
	const agents, steps = 60, 500
	sc, err := scene.Named("bottleneck")
	must(t, err)
	sc.Resize(agents)
	w, err := sc.Build(scene.Options{Workers: 1, Measure: true})
	must(t, err)
	defer w.Close()
	must(t, w.Run(context.Background(), steps))
	line, area := w.Stats().Lines[0], w.Stats().Areas[0]
	if line.Passed < 10 || area.Steps < 100 {
		t.Fatalf("%d passed, %d steps in the area: too few for a test", line.Passed, area.Steps)
	}

	s := simulationOf(t, "bottleneck", agents)
	for range steps {
		must(t, s.step())
	}
	m := told(t, s.meter.read(time.Now(), s))
	want := map[string]any{"passed": float64(line.Passed), "first": line.First, "last": line.Last, "speed": line.Speed}
	if got := list[map[string]any](m, "lines"); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("lines: got=%v, want=%v", got, want)
	}
	want = map[string]any{"steps": float64(area.Steps), "time": area.Time, "density": area.Density, "maxDensity": area.MaxDensity, "speed": area.Speed}
	if got := list[map[string]any](m, "areas"); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("areas: got=%v, want=%v", got, want)
	}
	n := w.Stats().Trips
	want = map[string]any{"line": n.Line, "wiggle": n.Wiggle, "seconds": n.Seconds, "acceleration": n.Acceleration, "reversals": n.Reversals,
		"turnSeconds": n.TurnSeconds, "turning": n.Turning}
	if got := m["motion"]; !reflect.DeepEqual(got, want) || n.Reversals == 0 {
		t.Errorf("motion: got=%v, want=%v", got, want)
	}
	m = told(t, s.describe())
	if got := fmt.Sprint(m["lines"], m["areas"]); got != "[[0 -0.6 0 0.6]] [[-2.5 -1 -0.5 1]]" {
		t.Errorf("places: got=%s", got)
	}
	if got, _ := m["recorded"].(map[string]any); got["wiggle"] != walking.RecordedWiggle || got["reversals"] != walking.RecordedReversals || got["acceleration"] != walking.RecordedAcceleration {
		t.Errorf("recorded people: got=%v", got)
	}
	if got := told(t, simulationOf(t, "seek", 1).describe())["recorded"]; got != nil {
		t.Errorf("recorded people beside pixels: got=%v, want none", got)
	}

	restart(t, s)
	m = told(t, s.meter.read(time.Now(), s))
	if got := list[map[string]any](m, "lines")[0]["passed"]; got != 0. {
		t.Errorf("after a restart: got=%v passed, want=0", got)
	}
}

// TestMeasurementsOfHost verifies that lines and areas of a host's world are told of, that a
// crowd which is not measured has them without figures, and that there are not too many.
func TestMeasurementsOfHost(t *testing.T) {
	config := world.Default()
	config.Dt = 1
	config.Lines = []measure.MeasurementLine{{A: r2.Vec{X: 1, Y: -1}, B: r2.Vec{X: 1, Y: 1}}}
	for range mostAreas + 1 {
		config.Areas = append(config.Areas, r2.Box{Max: r2.Vec{X: 2, Y: 2}})
	}
	w := newWorld(t, config)
	must(t, w.Spawn(1, []any{c.Velocity{Vec: r2.Vec{X: 2}}, c.Limits{MaxSpeed: 2, MaxForce: 1}}, nil))
	live := New(w, Options{})
	defer live.Close()
	must(t, live.Step())
	m, figures := told(t, live.sim.describe()), told(t, live.sim.meter.read(time.Now(), live.sim))
	if len(list[any](m, "lines")) != 1 || len(list[any](m, "areas")) != mostAreas || !strings.Contains(fmt.Sprint(m["notes"]), "64 of 65 areas") {
		t.Errorf("places: got=%v, %v", m["lines"], m["notes"])
	}
	if got := list[map[string]any](figures, "lines"); len(got) != 1 || got[0]["passed"] != 1. || len(list[any](figures, "areas")) != mostAreas || figures["motion"] == nil {
		t.Errorf("figures: got=%v", got)
	}

	sc, err := scene.Named("bottleneck")
	must(t, err)
	sc.Resize(5)
	if w, err = sc.Build(scene.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	plain := New(w, Options{Scene: sc})
	defer plain.Close()
	m, figures = told(t, plain.sim.describe()), told(t, plain.sim.meter.read(time.Now(), plain.sim))
	if len(list[any](m, "lines")) != 1 || len(list[any](figures, "lines")) != 0 || figures["motion"] != nil {
		t.Errorf("not measured: got=%v, %v, %v", m["lines"], figures["lines"], figures["motion"])
	}
}

// besideText is a scene in which one agent walks to the right by 1 m/s, from (5, 10) on, and
// leaves after a second.
const besideText = `
name = "walker"
text = "an agent walks to the right"
box = [[0, 0], [30, 20]]
dt = 0.05

[[groups]]
count = 1
radius = 0.25
at = {points = [[5, 10]]}
target = {points = [[6, 10]]}
max-speed = 1
goal = {radius = 0.1, then = "leave"}
kinematic-seek = {}
`

// twoPeople returns recorded trajectories: one person walks right at 2 m/s from (5, 15) for 5 s, and
// another stands at (40, 5) for 2 s.
func twoPeople() *Beside {
	return &Beside{
		Name: "folder/camera.txt", People: 2, Radius: 0.5, Box: r2.NewBox(5, 5, 40, 15), End: 5,
		At: func(t float64, show func(at, ahead r2.Vec)) {
			if t <= 5 {
				show(r2.Vec{X: 5 + 2*t, Y: 15}, r2.Vec{X: 2})
			}
			if t <= 2 {
				show(r2.Vec{X: 40, Y: 5}, r2.Vec{})
			}
		},
	}
}

// serveBeside serves a walker with recorded people beside it.
func serveBeside(t *testing.T) *server {
	t.Helper()
	sc, err := scene.Read(strings.NewReader(besideText), "walker.toml", scene.OpenOptions{})
	must(t, err)
	return serve(t, "arrival", 0, func(o *setup) {
		o.name, o.scene, o.List = "walker", sc, []Named{{"walker", sc.Text}, {"arrival", "a"}}
		o.Beside = twoPeople()
	})
}

// TestBesideFrames verifies that a frame has the recorded people inside the window, where they are
// at its time; that a restart begins them again; and that another scene has none.
func TestBesideFrames(t *testing.T) {
	s := serveBeside(t)
	c := connect(t, s)
	c.say(`{"do":"pause","on":true}`)
	c.until("stats", func() bool { return c.text["stats"]["paused"] == true })
	look := func(window string, time float64) [][4]float32 { // frames of before may come first
		t.Helper()
		for {
			c.say(`{"do":"next","view":%s,"pixels":[800,600],"color":"speed","layers":["beside"]}`, window)
			if c.until("frame", nil); c.last.build == 2 && math.Abs(c.last.time-time) <= 1e-9 {
				return c.last.segments[layerBeside]
			}
		}
	}
	const all = "[0,0,50,20]"
	holds := func(time float64, people int) {
		t.Helper()
		got := look(all, time)
		if len(got) != people {
			t.Fatalf("at %v s: got=%v, want=%d people", time, got, people)
		}
		if x := c.last.box.Min.X + float64(got[0][0]); math.Abs(x-5-2*c.last.time) > 1e-4 || got[0][2] != 2 || got[0][3] != 0 {
			t.Errorf("at %v s: got=%v at %v, want %v m at %v s, to the right", c.last.time, got[0], x, 5+2*time, time)
		}
	}
	c.say(`{"do":"restart"}`) // however far it has run
	c.until("scene", func() bool { return c.text["scene"]["build"] == 2. })
	holds(0, 2)
	if got := look("[0,12,50,20]", 0); len(got) != 1 {
		t.Errorf("in a part: got=%v, want one of two", got)
	}
	c.say(`{"do":"step","n":60}`)
	c.until("stats", func() bool { return c.text["stats"]["step"] == 60. })
	if got := c.text["stats"]; got["beside"] != 1. || got["out"] != nil {
		t.Errorf("after 3 s: got=%v there, out %v, want 1, and the scene goes on until the last is gone", got["beside"], got["out"])
	}
	holds(3, 1)
	c.say(`{"do":"step","n":60}`)
	c.until("stats", func() bool { return c.text["stats"]["out"] != nil })
	if out := c.text["stats"]["out"].(float64); math.Abs(out-5) > 0.1 {
		t.Errorf("the scene ends at %v s, want 5, when the last is gone", out)
	}
	c.say(`{"do":"scene","name":"arrival"}`)
	c.until("scene", func() bool { return c.text["scene"]["name"] == "arrival" })
	if m := c.text["scene"]["beside"]; m != nil {
		t.Errorf("another scene: got=%v, want none", m)
	}
	c.say(asks)
	c.until("frame", func() bool { return c.last.build == 3 })
	if c.last.layers&layerBeside != 0 {
		t.Error("another scene: its frames have recorded people")
	}
}
