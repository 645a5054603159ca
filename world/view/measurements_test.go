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
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/walking"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

func received(t *testing.T, message any) (m map[string]any) {
	t.Helper()
	must(t, json.Unmarshal(encode(message), &m))
	return m
}

func list[T any](m map[string]any, name string) (all []T) {
	found, _ := m[name].([]any)
	for _, x := range found {
		all = append(all, x.(T))
	}
	return all
}

func TestMeasurements(t *testing.T) {
	const agents, steps = 60, 500
	sc := named(t, "bottleneck")
	sc.Resize(agents)
	w, err := sc.Build(scene.Options{Workers: 1, Measure: true})
	must(t, err)
	defer w.Close()
	must(t, w.Run(context.Background(), steps))
	line, area := w.Stats().Lines[0], w.Stats().Areas[0]
	if line.Passed < 10 || area.Steps < 100 {
		t.Fatalf("got=%d passed, %d steps in the area, want=10 or more, 100 or more", line.Passed, area.Steps)
	}

	s := simulationOf(t, "bottleneck", agents)
	for range steps {
		must(t, s.step())
	}
	m := received(t, s.meter.read(time.Now(), s))
	n := w.Stats().Trips
	for name, want := range map[string]any{
		"lines": []any{map[string]any{"passed": float64(line.Passed), "first": line.First, "last": line.Last, "speed": line.Speed}},
		"areas": []any{map[string]any{"steps": float64(area.Steps), "time": area.Time, "density": area.Density,
			"maxDensity": area.MaxDensity, "speed": area.Speed}},
		"motion": map[string]any{"line": n.Line, "wiggle": n.Wiggle, "seconds": n.Seconds, "acceleration": n.Acceleration,
			"reversals": n.Reversals, "turnSeconds": n.TurnSeconds, "turning": n.Turning},
	} {
		if got := m[name]; !reflect.DeepEqual(got, want) || n.Reversals == 0 {
			t.Errorf("%s: got=%v, want=%v", name, got, want)
		}
	}
	m = received(t, s.describe())
	testkit.Equal(t, fmt.Sprint(m["lines"], m["areas"]), "[[0 -0.6 0 0.6]] [[-2.5 -1 -0.5 1]]", "places")
	recorded := map[string]any{"wiggle": walking.RecordedWiggle, "reversals": walking.RecordedReversals, "acceleration": walking.RecordedAcceleration}
	testkit.Equal(t, fmt.Sprint(m["recorded"]), fmt.Sprint(recorded), "recorded people")
	testkit.Equal(t, received(t, simulationOf(t, "seek", 1).describe())["recorded"], nil, "recorded people for a scene in pixels")
	restart(t, s)
	m = received(t, s.meter.read(time.Now(), s))
	testkit.Equal(t, list[map[string]any](m, "lines")[0]["passed"], 0., "passed after a restart")
}

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
	m, figures := received(t, live.sim.describe()), received(t, live.sim.meter.read(time.Now(), live.sim))
	if len(list[any](m, "lines")) != 1 || len(list[any](m, "areas")) != mostAreas || !strings.Contains(fmt.Sprint(m["notes"]), "64 of 65 areas") {
		t.Errorf("places: got=lines %v, areas %v, notes %v, want=one line, %d areas, and a note about the others", m["lines"], m["areas"], m["notes"], mostAreas)
	}
	if got := list[map[string]any](figures, "lines"); len(got) != 1 || got[0]["passed"] != 1. || len(list[any](figures, "areas")) != mostAreas || figures["motion"] == nil {
		t.Errorf("figures: got=%v, want=one line that one agent has passed, %d areas, and motion", figures, mostAreas)
	}

	sc := named(t, "bottleneck")
	sc.Resize(5)
	w, err := sc.Build(scene.Options{Workers: 1})
	must(t, err)
	defer w.Close()
	plain := New(w, Options{Scene: sc})
	defer plain.Close()
	m, figures = received(t, plain.sim.describe()), received(t, plain.sim.meter.read(time.Now(), plain.sim))
	if len(list[any](m, "lines")) != 1 || len(list[any](figures, "lines")) != 0 || figures["motion"] != nil {
		t.Errorf("not measured: got=%v, %v, %v, want the line and no figures", m["lines"], figures["lines"], figures["motion"])
	}
}

// besideText is a scene whose agent walks to the right at 1 m/s, and leaves after about a second.
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

// One person walks to the right at 2 m/s for 5 s; the other stands for 2 s.
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

func TestBesideFrames(t *testing.T) {
	sc, err := scene.Read(strings.NewReader(besideText), "walker.toml", scene.OpenOptions{})
	must(t, err)
	c := connect(t, serve(t, "arrival", 0, func(o *setup) {
		o.name, o.scene, o.List = "walker", sc, []Named{{"walker", sc.Text}, {"arrival", "a"}}
		o.Beside = twoPeople()
	}))
	c.pause()
	look := func(window string, time float64, people int) [][5]float32 {
		t.Helper()
		for {
			c.say(`{"do":"next","view":%s,"pixels":[800,600],"color":"speed","layers":["beside"]}`, window)
			if c.until("frame", nil); c.last.Build == 2 && math.Abs(c.last.Time-time) <= 1e-9 { // older frames may come first
				all := c.last.segments[layerBeside]
				if len(all) != people {
					t.Fatalf("at %v s in %s: got=%v, want=%d people", time, window, all, people)
				}
				return all
			}
		}
	}
	verify := func(time float64, people int) {
		t.Helper()
		first := look("[0,0,50,20]", time, people)[0]
		testkit.Near(t, c.last.Box.Min.X+float64(first[0]), 5+2*time, 1e-4, "x at %v s, m", time)
		testkit.Equal(t, [2]float32(first[2:4]), [2]float32{2, 0}, "direction at %v s", time)
	}
	c.say(`{"do":"restart"}`)
	c.wait("scene", "build", 2)
	verify(0, 2)
	look("[0,12,50,20]", 0, 1)
	c.say(`{"do":"step","n":60}`)
	c.wait("stats", "step", 60)
	c.check("stats", "beside", 1, "out", nil) // the scene continues until the last person has left
	verify(3, 1)
	c.say(`{"do":"step","n":60}`)
	c.until("stats", func() bool { return c.text["stats"]["out"] != nil })
	testkit.Near(t, c.text["stats"]["out"].(float64), 5, 0.1, "end of the scene, s")
	c.say(`{"do":"scene","name":"arrival"}`)
	c.wait("scene", "name", "arrival", "beside", nil)
	c.say(asks)
	c.until("frame", func() bool { return c.last.Build == 3 })
	testkit.Equal(t, c.last.Layers&layerBeside, 0, "layer of recorded people in another scene")
}
