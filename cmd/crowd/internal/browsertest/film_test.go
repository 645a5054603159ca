//go:build e2e

package browsertest

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"github.com/8f878440/crowd/world/scene"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// filmed records 300 steps of a scene in which somebody sets a parameter and adds an obstacle
// after 60, and returns the recording with the world as it is at the end.
func filmed(t *testing.T, sc *scene.Scene) (*replay.Recording, *world.World) {
	t.Helper()
	w, err := sc.Build(scene.Options{Workers: 1, Measure: true})
	must(t, err)
	t.Cleanup(w.Close)
	var out bytes.Buffer
	r, err := replay.NewRecorder(&out, w, replay.Options{About: sc.Name, SaveEvery: 20})
	must(t, err)
	for step := range 300 {
		if step == 60 {
			for _, in := range []scene.Input{
				{Do: scene.InputSet, Name: "groups[0].arrival.slowing-radius", Value: 123},
				{Do: scene.InputAdd, At: &r2.Vec{X: 300, Y: 200}, Radius: 40},
			} {
				must(t, r.Input(in.Do, in))
				must(t, in.Apply(w))
			}
		}
		must(t, r.Step())
	}
	must(t, r.Close())
	rec, err := replay.Open(bytes.NewReader(out.Bytes()))
	must(t, err)
	return rec, w
}

// TestFilmPage scrubs a recording on the page, and has the link to what is shown.
func TestFilmPage(t *testing.T) {
	t.Parallel()
	sc := named(t, "arrival")
	sc.Resize(40)
	rec, w := filmed(t, sc.Clone())
	p := browse(t, serveScene(t, sc, func(o *setup) { o.Recording = rec }), 1100, 700)
	p.run(`Object.defineProperty(navigator, "clipboard", { value: { writeText: async (link) => { window.link = link; } } })`)
	p.press("#pause")
	p.wait("crowdView.stats.paused && crowdView.stats.timeline.last === 300 && document.getElementById('time').max === '300'")
	at := p.along("#time", 0.7)
	p.do(chromedp.MouseEvent(mousePressed, at.X, at.Y, leftButton...), chromedp.MouseEvent(mouseReleased, at.X, at.Y, leftButton...))
	p.wait("crowdView.frame.step > 150 && crowdView.frame.step < 260 && crowdView.frame.step === crowdView.stats.step")
	p.wait(`crowdView.scene.parameters.find(p => p.name === "groups[0].arrival.slowing-radius").value === 123`)
	p.keep("scrubbed")
	step := value[float64](p, "crowdView.frame.step")
	p.press("#copy-link")
	p.wait("window.link")
	if link := value[string](p, "window.link"); strings.Contains(link, "&set=") || !strings.Contains(link, fmt.Sprintf("&step=%v&", step)) {
		t.Errorf("link: got=%s, want step %v and nothing set", link, step)
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
			t.Errorf("an agent is at %v, and the nearest one that is shown is %v px from there", at, nearest)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
