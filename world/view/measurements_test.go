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
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

// told returns a message as a viewer gets it.
func told(t *testing.T, message any) (m map[string]any) {
	t.Helper()
	if err := json.Unmarshal(encode(message), &m); err != nil {
		t.Fatal(err)
	}
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

// TestMeasurements holds that viewers are told of the figures that the report of a run
// has after as many steps, and that a restart begins anew.
func TestMeasurements(t *testing.T) {
	const agents, steps = 60, 500
	sc, err := scene.Named("bottleneck")
	if err != nil {
		t.Fatal(err)
	}
	sc.Resize(agents)
	w, err := sc.Build(scene.Options{Workers: 1, Measure: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Run(context.Background(), steps); err != nil {
		t.Fatal(err)
	}
	line, area := w.Stats().Lines[0], w.Stats().Areas[0]
	if line.Passed < 10 || area.Steps < 100 {
		t.Fatalf("%d passed, %d steps in the area: too few for a test", line.Passed, area.Steps)
	}

	s := simulationOf(t, "bottleneck", agents)
	for range steps {
		if err := s.step(); err != nil {
			t.Fatal(err)
		}
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

// TestMeasurementsOfHost holds that lines and areas of a host's world are told of, that a
// crowd which is not measured has them without figures, and that there are not too many.
func TestMeasurementsOfHost(t *testing.T) {
	config := world.Default()
	config.Dt = 1
	config.Lines = []measure.MeasurementLine{{A: r2.Vec{X: 1, Y: -1}, B: r2.Vec{X: 1, Y: 1}}}
	for range mostAreas + 1 {
		config.Areas = append(config.Areas, r2.Box{Max: r2.Vec{X: 2, Y: 2}})
	}
	w := newWorld(t, config)
	if err := w.Spawn(1, []any{c.Velocity{Vec: r2.Vec{X: 2}}, c.Limits{MaxSpeed: 2, MaxForce: 1}}, nil); err != nil {
		t.Fatal(err)
	}
	live := New(w, Options{})
	defer live.Close()
	if err := live.Step(); err != nil {
		t.Fatal(err)
	}
	m, figures := told(t, live.sim.describe()), told(t, live.sim.meter.read(time.Now(), live.sim))
	if len(list[any](m, "lines")) != 1 || len(list[any](m, "areas")) != mostAreas || !strings.Contains(fmt.Sprint(m["notes"]), "64 of 65 areas") {
		t.Errorf("places: got=%v, %v", m["lines"], m["notes"])
	}
	if got := list[map[string]any](figures, "lines"); len(got) != 1 || got[0]["passed"] != 1. || len(list[any](figures, "areas")) != mostAreas || figures["motion"] == nil {
		t.Errorf("figures: got=%v", got)
	}

	sc, err := scene.Named("bottleneck")
	if err != nil {
		t.Fatal(err)
	}
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

// TestMeasurementsOnPage holds that lines and areas are on the stage, as a layer, and
// that there are curves of what is measured there, which begin anew with each run.
func TestMeasurementsOnPage(t *testing.T) {
	s := serve(t, "bottleneck", 100, withAll)
	p := browse(t, s, 1200, 800)
	p.do(chromedp.Click(chromedp.CSS("#tab-button-curves")))
	text := `document.getElementById("measured").innerText.replaceAll("\n", " ")`
	p.do(chromedp.KeyEvent("+"), chromedp.KeyEvent("+"), chromedp.KeyEvent("+"))
	p.wait(`/Line 1 \d\.\d\d agents\/s, \d+ passed/.test(%s) && /Area 1 \d\.\d\d agents\/m² .*Area 1 \d\.\d\d m\/s/.test(%s)`, text, text)
	p.wait(`crowdView.stats.lines[0].passed > 40`)
	p.wait(`/wiggle.* All agents \d\.\d{3} Recorded people 1\.005 freely, .* reversals, 1\/s .* All agents \d\.\d\d 1\/s Recorded people .* All agents \d+\.\d °\/s/.test(%s)`, text)
	p.do(chromedp.KeyEvent(" "))
	p.wait(`crowdView.stats.paused && crowdView.frame.step === crowdView.stats.step`)
	shown := value[string](p, "%s", text)
	if want := value[string](p, "`${crowdView.stats.lines[0].passed} passed`"); !strings.Contains(shown, want) {
		t.Errorf("%q: want it to have %q", shown, want)
	}
	with := p.shot("light")
	at := p.screen(r2.Vec{})
	on := p.pixels(with).RGBAAt(int(at.X), int(at.Y))
	if want := value[string](p, `getComputedStyle(document.querySelector(".measured .dot")).backgroundColor`); fmt.Sprintf("rgb(%d, %d, %d)", on.R, on.G, on.B) != want {
		t.Errorf("color of the line: got=%v on the stage, want=%s, as of its curve", on, want)
	}
	curve := value[[]float64](p, `(() => { const r = document.querySelector("#measured .u-over").getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()`)
	p.do(chromedp.MouseEvent(mouseMoved, curve[0], curve[1]))
	p.wait(`[...document.querySelectorAll("#measured output")].every((e) => /^at \d+\.\d s$/.test(e.textContent))`)
	p.do(chromedp.MouseEvent(mouseMoved, 5, 5))
	p.wait(`[...document.querySelectorAll("#measured output")].every((e) => /^last \d+ s$/.test(e.textContent))`)
	p.do(chromedp.KeyEvent("a"))
	p.wait(`!document.querySelector("[data-layer=measurements]").checked`)
	differ, _ := p.count(with, p.shot("without"))
	// The outline of the area and the line are drawn to the scale of the stage.
	least := int(math.Ceil(4 * 2 * value[float64](p, "crowdView.camera.scale")))
	if differ < least {
		t.Errorf("on the stage: %d pixels, want %d or more", differ, least)
	}
	p.do(chromedp.KeyEvent("a"), chromedp.KeyEvent("d"))
	p.wait(`document.querySelector("[data-layer=measurements]").checked`)
	p.shot("dark")
	p.do(chromedp.KeyEvent("d"))

	p.do(chromedp.KeyEvent("r"))
	p.wait(`crowdView.scene.build === 2 && /Line 1 –, 0 passed|Line 1 0\.00 agents\/s, 0 passed/.test(%s)`, text)
	p.do(chromedp.KeyEvent(" "))
	p.choose("evacuation")
	p.wait(`/Line 1 .* Line 2 /.test(%s) && !%s.includes("Area")`, text, text)
	p.shot("evacuation")
	p.choose("crossing")
	p.wait(`!/Line|Area/.test(%s) && /All agents 1\.\d{3}/.test(%s) && document.getElementById("not-measured").innerText.includes("lines = [{from")`, text, text)
	p.shot("none")
	p.choose("seek")
	p.wait(`/All agents \d\.\d\d px\/step² turning, °\/step/.test(%s) && !%s.includes("Recorded")`, text, text)
	p.do(chromedp.EmulateViewport(390, 844))
	p.choose("bottleneck")
	p.wait(`crowdView.stats.lines.length === 1 && crowdView.stats.lines[0].passed > 20`)
	p.shot("phone-curves")
	p.do(chromedp.Click(chromedp.CSS("#tab-button-curves")))
	p.do(chromedp.KeyEvent("f"))
	p.shot("phone")
}
