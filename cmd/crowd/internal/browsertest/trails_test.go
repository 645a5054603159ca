//go:build e2e

package browsertest

import (
	"image"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"gonum.org/v1/gonum/spatial/r2"
)

// walkerText is a scene in which one agent walks to the right by 1 m/s, from (5, 10) on.
const walkerText = `
name = "walker"
text = "somebody walks to the right"
box = [[0, 0], [30, 20]]
dt = 0.05

[[groups]]
count = 1
radius = 0.25
at = {points = [[5, 10]]}
target = {points = [[1000, 10]]}
max-speed = 1
kinematic-seek = {}
`

// TestTrails verifies that a trail is where the agent was in the last four seconds, and
// fades; that it stays at its place of the plane when the view moves, with any ratio of
// pixels; and that it is gone after a restart. Then it looks at the density map.
func TestTrails(t *testing.T) {
	t.Parallel()
	p := browse(t, serveText(t, walkerText, nil), 1000, 700)
	p.stepTo(0)
	p.keys("8", "t") // no grid
	walk := func() {
		t.Helper()
		for range 5 {
			p.steps(20)
		}
	}
	walk()
	// ink returns how far the color at a point of the way is from that of the floor.
	ink := func(picture *image.RGBA, pixels, x float64) int {
		at, floor := r2.Scale(pixels, p.screen(r2.Vec{X: x, Y: 10})), r2.Scale(pixels, p.screen(r2.Vec{X: x, Y: 12}))
		return apart(picture.RGBAAt(int(at.X), int(at.Y)), picture.RGBAAt(int(floor.X), int(floor.Y)))
	}
	look := func(name string, pixels float64, behind, tail int) {
		t.Helper()
		picture := p.pixels(p.shot(name))
		for _, at := range []struct {
			x           float64
			least, most int
		}{{10.8, 0, 1}, {9.4, behind, 1000}, {7, tail, 150}, {5.6, 0, 3}} {
			if got := ink(picture, pixels, at.x); got < at.least || got > at.most {
				t.Errorf("%s, at %v m: got=%d levels off the floor, want %d to %d", name, at.x, got, at.least, at.most)
			}
		}
	}
	look("walked", 1, 150, 30)
	p.keys(kb.ArrowLeft, kb.ArrowUp)
	look("panned", 1, 150, 30)
	for range 3 {
		p.keys("]")
	}
	look("near", 1, 150, 30)
	for range 5 {
		p.keys("[")
	}
	look("far", 1, 100, 20)
	p.do(chromedp.KeyEvent("f"), chromedp.EmulateViewport(1010, 700, chromedp.EmulateScale(2)))
	p.wait("devicePixelRatio === 2 && Math.abs(document.getElementById('stage').width - 2 * crowdView.camera.width) < 2")
	look("fine", 2, 100, 20)
	p.keys("r")
	p.wait("crowdView.frame.step === 0")
	if got := ink(p.pixels(p.shot("gone")), 2, 9.4); got > 0 {
		t.Errorf("after a restart: got=%d levels off the floor, want 0", got)
	}
	p.keys("j")
	p.wait("crowdView.agent && crowdView.agent.alive")
	p.keys("v", "]", "]", "]")
	walk()
	p.wait("Math.abs(crowdView.camera.x - 10) < 1e-6")
	look("followed", 2, 100, 20)
	p.noErrors()

	before := ink(p.pixels(p.shot("without-map")), 2, 11)
	p.keys("h")
	p.wait(`!document.getElementById("legend-map").hidden`)
	if got := ink(p.pixels(p.shot("map")), 2, 11); got < before+20 {
		t.Errorf("density map: got=%d levels 1 m from the agent, want 20 more than %d", got, before)
	}
	if got, want := value[string](p, `document.getElementById("legend-map").innerText`), "agents/m², σ = 2 m"; !strings.Contains(got, want) {
		t.Errorf("legend of the density map: got=%q, want it to have %q", got, want)
	}
}
