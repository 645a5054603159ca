//go:build e2e

package browsertest

import (
	"context"
	"math"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

// touch puts fingers on the screen, moves them, or lifts them all if there are none.
func (p *tab) touch(kind input.DispatchTouchEventType, fingers ...r2.Vec) {
	p.t.Helper()
	points := make([]*input.TouchPoint, len(fingers))
	for i, at := range fingers {
		id := float64(i)
		points[i] = &input.TouchPoint{X: at.X, Y: at.Y, ID: &id}
	}
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		return err
	}))
}

// tap touches a point of the screen; the finger wanders a little.
func (p *tab) tap(at r2.Vec) {
	p.t.Helper()
	p.touch(input.DispatchTouchEventTypeTouchStart, at)
	for _, by := range []r2.Vec{{X: 2, Y: 1}, {X: 5, Y: -3}, {X: 6, Y: -5}} {
		p.touch(input.DispatchTouchEventTypeTouchMove, r2.Add(at, by))
	}
	p.touch(input.DispatchTouchEventTypeTouchEnd)
}

// swipe moves fingers over the screen.
func (p *tab) swipe(by []r2.Vec, from ...r2.Vec) {
	p.t.Helper()
	p.touch(input.DispatchTouchEventTypeTouchStart, from...)
	const moves = 10
	for i := range moves {
		at := make([]r2.Vec, len(from))
		for k := range from {
			at[k] = r2.Add(from[k], r2.Scale(float64(i+1)/moves, by[k]))
		}
		p.touch(input.DispatchTouchEventTypeTouchMove, at...)
	}
	p.touch(input.DispatchTouchEventTypeTouchEnd)
}

// TestTouch chooses agents with a finger on a phone, and looks around.
func TestTouch(t *testing.T) {
	t.Parallel()
	p := browse(t, serveText(t, `
name = "apart"
box = [[0, 0], [20, 20]]
[[groups]]
max-speed = 1
at = {points = [[4, 4], [16, 4], [10, 2]]}
`, nil), 390, 844)
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch, chromedp.EmulateMobile))
	p.wait("crowdView.ready && crowdView.frame.n === 3 && innerWidth === 390")
	selected := func(id string) { p.t.Helper(); p.wait(`(crowdView.agent?.id ?? "") === %q`, id) }
	screen := func(x, y float64) r2.Vec { return p.screen(r2.Vec{X: x, Y: y}) }

	t.Run("tap", func(t *testing.T) {
		p.t = t
		p.tap(r2.Add(screen(4, 4), r2.Vec{X: 13, Y: 16}))
		selected("1")
		p.wait(`document.getElementById("tab-button-agent").textContent === "Agent 1" && document.getElementById("tab-agent").hidden`)
		p.tap(r2.Add(screen(16, 4), r2.Vec{X: -13, Y: -16}))
		selected("2")
		p.keep("chosen")
		p.tap(r2.Add(screen(16, 4), r2.Vec{X: 0, Y: -40}))
		selected("")
		p.wait(`document.getElementById("tab-button-agent").textContent === "Agent"`)
	})

	t.Run("drawer", func(t *testing.T) {
		p.t = t
		for range 3 {
			p.keys("]")
		}
		x, y := value[float64](p, "crowdView.camera.x"), value[float64](p, "crowdView.camera.y")
		height := value[float64](p, "crowdView.camera.height")
		lowest := screen(10, 2)
		p.swipe([]r2.Vec{{Y: height - 90 - lowest.Y + 60}}, r2.Vec{X: 190, Y: 300}) // to the lower edge of the stage
		p.wait("crowdView.camera.x !== %v || crowdView.camera.y !== %v", x, y)
		p.tap(screen(10, 2))
		selected("3")
		p.tap(p.middle("#tab-button-agent"))
		p.wait(`!document.getElementById("tab-agent").hidden && crowdView.camera.height < %v - 100`, height)
		p.keep("open")
		at, stage := screen(10, 2), p.middle("#stage")
		if within := value[bool](p, `(() => {
			const s = document.getElementById("stage").getBoundingClientRect();
			return %v >= s.left + 20 && %v <= s.right - 20 && %v >= s.top + 20 && %v <= s.bottom - 20;
		})()`, at.X, at.X, at.Y, at.Y); !within {
			t.Errorf("the agent is at %v of the stage around %v: hidden", at, stage)
		}
		p.tap(p.middle("#tab-button-agent"))
		p.wait(`document.getElementById("tab-agent").hidden && crowdView.camera.height === %v`, height)
	})

	t.Run("look around", func(t *testing.T) {
		p.t = t
		id := value[string](p, "crowdView.agent.id")
		before := screen(10, 10)
		p.swipe([]r2.Vec{{X: 60, Y: 40}}, r2.Vec{X: 150, Y: 300})
		if by := r2.Sub(screen(10, 10), before); r2.Norm(r2.Sub(by, r2.Vec{X: 60, Y: 40})) > 1 {
			t.Errorf("a drag moves the view by %v, want 60, 40", by)
		}
		scale := value[float64](p, "crowdView.camera.scale")
		p.swipe([]r2.Vec{{X: -50}, {X: 50}}, r2.Vec{X: 150, Y: 400}, r2.Vec{X: 250, Y: 400})
		if got := value[float64](p, "crowdView.camera.scale") / scale; math.Abs(got-2) > 0.02 {
			t.Errorf("fingers twice as far apart zoom by %v, want 2", got)
		}
		selected(id) // neither was a tap
	})

	t.Run("demo", func(t *testing.T) {
		p.t = t
		p.choose("seek")
		p.wait("crowdView.scene.pointer")
		p.swipe([]r2.Vec{{X: 60, Y: 0}}, screen(300, 300))
		p.wait(`document.getElementById("release").hidden === false`)
		p.keys(" ") // a browser may take a tap soon after a swipe for a part of it
		p.wait("crowdView.stats.paused && crowdView.frame.step === crowdView.stats.step")
		pos, _ := p.agents()
		p.tap(screen(pos[0].X, pos[0].Y))
		p.wait("crowdView.agent?.alive")
		p.keep("chosen")
	})
	p.t = t
}
