package view

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	c "github.com/8f878440/crowd/components"
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
	if got, _ := m["recorded"].(map[string]any); got["wiggle"] != measure.RecordedWiggle || got["reversals"] != measure.RecordedReversals || got["acceleration"] != measure.RecordedAcceleration {
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

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
