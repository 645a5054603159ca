//go:build e2e

package browsertest

import (
	rgb "image/color"
	"testing"

	"github.com/8f878440/crowd/world/view"
	"gonum.org/v1/gonum/spatial/r2"
)

// leavingText is a scene in which one agent walks to the right by 1 m/s, from (5, 10) on, and
// leaves after a second.
const leavingText = `
name = "walker"
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

// TestBesidePage verifies that the page shows rings where recorded people are, says how many,
// and hides them.
func TestBesidePage(t *testing.T) {
	t.Parallel()
	address := serveText(t, leavingText, func(o *setup) {
		o.Beside = &view.Beside{
			Name: "folder/camera.txt", People: 2, Radius: 0.5, Box: r2.NewBox(5, 5, 40, 15), End: 5,
			At: func(t float64, show func(at, ahead r2.Vec)) { // one walks by 2 m/s, one stands
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
	// The first is at (7, 15), and its nose ahead of it; what is inside is let through.
	if rim, inside, nose := apart(colorAt(7, 15.47), floor), apart(colorAt(7, 15), floor), apart(colorAt(7.62, 15), floor); rim < 200 || inside > 40 || nose < 100 {
		t.Errorf("the ring is %d from the floor, its middle %d, the nose %d", rim, inside, nose)
	}
	if q := p.screen(r2.Vec{X: 40, Y: 5}); q.X > 1100-300 {
		t.Errorf("the second is at %v, want it in sight", q)
	}
	p.keys("b")
	p.wait("crowdView.frame.layers[6].offset === 0")
	with = p.pixels(p.shot("without"))
	if got := apart(colorAt(7, 15.47), floor); got > 10 {
		t.Errorf("switched off: the ring is %d from the floor", got)
	}
	p.keys("b", "d")
	p.wait("crowdView.frame.layers[6].count === 2")
	p.keep("dark")
	p.choose("arrival")
	p.wait(`document.getElementById("beside").hidden && document.querySelector("[data-layer=beside]").parentElement.hidden`)
}
