//go:build e2e

package browsertest

import (
	"bytes"
	"fmt"
	rgb "image/color"
	"math"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
	"github.com/chromedp/chromedp/kb"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestMeasurementsOnPage(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "bottleneck", 300, nil), 1200, 800)
	p.press("#tab-button-curves")
	text := `document.getElementById("measured").innerText.replaceAll("\n", " ")`
	p.keys("+", "+")
	p.wait(`/Line 1 \d\.\d\d agents\/s, \d+ passed/.test(%s) && /Area 1 \d\.\d\d agents\/m² .*Area 1 \d\.\d\d m\/s/.test(%s)`, text, text)
	p.wait(`crowdView.stats.lines[0].passed > 40`)
	p.pause()
	p.equal("agents inside", `document.querySelector("#tab-curves figcaption").textContent.slice(0, 13)`)
	p.wait(`/wiggle.* All agents \d\.\d{3} Recorded people 1\.005 when walking freely, .* reversals, 1\/s .* All agents \d\.\d\d 1\/s Recorded people .* All agents \d+\.\d °\/s/.test(%s)`, text)
	p.has(value[string](p, "`${crowdView.stats.lines[0].passed} passed`"), "%s", text)
	with := p.shot("light")
	at := p.screen(r2.Vec{})
	on := p.pixels(with).RGBAAt(int(at.X), int(at.Y))
	p.equal(fmt.Sprintf("rgb(%d, %d, %d)", on.R, on.G, on.B), `getComputedStyle(document.body).color`)
	p.mouseAt(mouseMoved, p.middle("#measured .u-over"))
	p.wait(`[...document.querySelectorAll("#measured output")].every((e) => /^at \d+\.\d s$/.test(e.textContent))`)
	p.mouseAt(mouseMoved, r2.Vec{X: 5, Y: 5})
	p.wait(`[...document.querySelectorAll("#measured output")].every((e) => /^last \d+ s$/.test(e.textContent))`)
	p.keys("a")
	p.wait(`!document.querySelector("[data-layer=measurements]").checked`)
	// The outline of the area and the line are drawn to the scale of the stage.
	p.differ(with, p.shot("without"), int(4*2*value[float64](p, "crowdView.camera.scale")), 1e9)
	p.keys("r")
	p.wait(`crowdView.scene.build === 2 && /Line 1 –, 0 passed|Line 1 0\.00 agents\/s, 0 passed/.test(%s)`, text)
	p.choose("evacuation")
	p.wait(`/Line 1 .* Line 2 /.test(%s) && !%s.includes("Area")`, text, text)
	p.choose("crossing")
	p.pause()
	p.steps(60)
	p.wait(`!/Line|Area/.test(%s) && /All agents 1\.\d{3}/.test(%s) && document.getElementById("not-measured").innerText.includes("lines = [{from")`, text, text)
	p.choose("seek")
	p.steps(60)
	p.wait(`/All agents \d\.\d\d px\/step² turning, °\/step/.test(%s) && !%s.includes("Recorded")`, text, text)
}

// leavingText has one agent, which starts at (5, 10), walks to the right at 1 m/s, and leaves at (6, 10).
var leavingText = strings.Replace(walkerText, "[1000, 10]]}", "[6, 10]]}\ngoal = {radius = 0.1, then = \"leave\"}", 1)

func TestBesidePage(t *testing.T) {
	t.Parallel()
	address := serveText(t, leavingText, func(o *setup) {
		o.Beside = &view.Beside{
			Name: "folder/camera.txt", People: 2, Radius: 0.5, Box: r2.NewBox(5, 5, 40, 15), End: 5,
			At: func(t float64, show func(at, ahead r2.Vec)) { // one person walks at 2 m/s, the other one stands
				show(r2.Vec{X: 5 + 2*t, Y: 15}, r2.Vec{X: 2})
				show(r2.Vec{X: 40, Y: 5}, r2.Vec{})
			},
		}
	})
	p := browse(t, address, 1100, 700)
	p.stepTo(20)
	p.keys("8", "f")
	p.wait(`crowdView.frame.layers[6].count === 2 && document.getElementById("beside-words").textContent === "2 of 2 recorded people"`)
	p.wait(`document.getElementById("hud").textContent.endsWith(" · 2 recorded")`)
	with := p.pixels(p.shot("light"))
	colorAt := func(x, y float64) rgb.RGBA {
		q := p.screen(r2.Vec{X: x, Y: y})
		return with.RGBAAt(int(q.X), int(q.Y))
	}
	floor := colorAt(20, 3)
	// The first person is at (7, 15), with its nose ahead.
	if rim, inside, nose := apart(colorAt(7, 15.47), floor), apart(colorAt(7, 15), floor), apart(colorAt(7.62, 15), floor); rim < 200 || inside > 40 || nose < 100 {
		t.Errorf("got=%d levels off the floor for the ring, %d inside, %d for the nose, want 200 or more, at most 40, 100 or more", rim, inside, nose)
	}
	if q := p.screen(r2.Vec{X: 40, Y: 5}); q.X > 1100-300 {
		t.Errorf("second person: got=%v, want=a position in sight", q)
	}
	p.keys("b")
	p.wait("crowdView.frame.layers[6].offset === 0")
	with = p.pixels(p.shot("without"))
	if got := apart(colorAt(7, 15.47), floor); got > 10 {
		t.Errorf("switched off: got=%d levels off the floor for the ring, want at most 10", got)
	}
	p.keys("b", "d")
	p.wait("crowdView.frame.layers[6].count === 2")
	p.choose("arrival")
	p.wait(`document.getElementById("beside").hidden && document.querySelector("[data-layer=beside]").parentElement.hidden`)
}

// filmed records 300 steps of a scene, and changes a parameter and adds an obstacle after 60.
func filmed(t *testing.T, sc *scene.Scene) (*replay.Recording, *world.World) {
	t.Helper()
	w, err := sc.Build(scene.Options{Workers: 1, Measure: true})
	testkit.Must(t, err)
	t.Cleanup(w.Close)
	var out bytes.Buffer
	r, err := replay.NewRecorder(&out, w, replay.Options{About: sc.Name, SaveEvery: 20})
	testkit.Must(t, err)
	for step := range 300 {
		if step == 60 {
			for _, in := range []scene.Input{
				{Do: scene.InputSet, Name: "groups[0].arrival.slowing-radius", Value: 123},
				{Do: scene.InputAdd, At: &r2.Vec{X: 300, Y: 200}, Radius: 40},
			} {
				testkit.Must(t, r.Input(in.Do, in))
				testkit.Must(t, in.Apply(w))
			}
		}
		testkit.Must(t, r.Step())
	}
	testkit.Must(t, r.Close())
	rec, err := replay.Open(bytes.NewReader(out.Bytes()))
	testkit.Must(t, err)
	return rec, w
}

func TestFilmPage(t *testing.T) {
	t.Parallel()
	sc := named(t, "arrival")
	sc.Resize(40)
	rec, w := filmed(t, sc.Clone())
	p := browse(t, serveScene(t, sc, func(o *setup) { o.Recording = rec }), 1100, 700)
	p.run(`Object.defineProperty(navigator, "clipboard", { value: { writeText: async (link) => { window.link = link; } } })`)
	p.pause()
	p.wait("crowdView.stats.paused && crowdView.stats.timeline.last === 300 && document.getElementById('time').max === '300'")
	p.mouseAt(mousePressed, p.along("#time", 0.7), leftButton...)
	p.mouseAt(mouseReleased, p.along("#time", 0.7), leftButton...)
	p.wait("crowdView.frame.step > 150 && crowdView.frame.step < 260 && crowdView.frame.step === crowdView.stats.step && !crowdView.stats.seeking")
	p.wait(`crowdView.scene.parameters.find(p => p.name === "groups[0].arrival.slowing-radius").value === 123`)
	step := value[float64](p, "crowdView.frame.step")
	p.press("#copy-link")
	p.wait("window.link")
	if link := value[string](p, "window.link"); strings.Contains(link, "&set=") || !strings.Contains(link, fmt.Sprintf("&step=%v&", step)) {
		t.Errorf("link: got=%s, want step %v and no changed values", link, step)
	}
	p.run(`document.getElementById("time").focus()`)
	p.keys(kb.End)
	p.wait("crowdView.frame.step === 300")

	shown, _ := p.agents()
	position, query := ecs.ComponentID[c.Position](w.ECS), w.ECS.Query(ecs.All(ecs.ComponentID[c.Agent](w.ECS)))
	if got, want := len(shown), query.Count(); got != want {
		t.Errorf("got=%d agents, want=%d", got, want)
	}
	for query.Next() {
		at, nearest := (*c.Position)(query.Get(position)).Vec, math.Inf(1)
		for _, q := range shown {
			nearest = min(nearest, r2.Norm(r2.Sub(q, at)))
		}
		if nearest > 0.05 {
			t.Errorf("agent at %v: got=%v px to the nearest drawn agent, want at most 0.05", at, nearest)
		}
	}
	for range 6 { // so slow that the end does not come by itself
		p.press("#slower")
	}
	p.press("#pause")
	p.wait("!crowdView.stats.paused && crowdView.frame.step > 0 && crowdView.frame.step < 100")
	p.press("#live")
	p.wait("crowdView.stats.paused && crowdView.stats.step === 300")
}
