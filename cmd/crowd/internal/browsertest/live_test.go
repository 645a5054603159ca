//go:build e2e

package browsertest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/spatial/r2"
)

// demos are the scenes with a pointer. Each has the ranges of the mean distance from the pointer and of the
// mean speed at the end.
var demos = []struct {
	scene      string
	at         r2.Vec // where the pointer is held
	steps      int
	near, far  float64
	slow, fast float64
}{
	{"seek", r2.Vec{X: 600, Y: 400}, 600, 0, 20, 1e-9, 1e9}, // swings around the pointer with decreasing amplitude, and never rests
	{"seek-kinematic", r2.Vec{X: 600, Y: 400}, 600, 0, 3, 0, 1e9},
	{"flee", r2.Vec{X: 400, Y: 300}, 300, 250, 1e9, 0, 1e9},
	{"arrival", r2.Vec{X: 600, Y: 400}, 1500, 0, 5, 0, 0.2},
	{"arrival-opposing", r2.Vec{X: 3, Y: 2}, 3000, 0, 1e9, 0, 0.3}, // may stop short of the pointer
	{"arrival-damped", r2.Vec{X: 3, Y: 2}, 3000, 0, 0.5, 0, 0.2},
	{"avoidance", r2.Vec{X: 700, Y: 300}, 600, 0, 200, 0, 1e9},
	{"tank-flee", r2.Vec{X: 320, Y: 320}, 600, 200, 1e9, 0, 1e9},
}

func TestDemos(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "seek", 0, nil), 1200, 800)
	p.set("color", "speed")
	p.keys("+", "+", "+", "+", "+", "+", "+", " ") // the steps are the same at any speed
	p.wait("crowdView.stats.pace === 100 && crowdView.stats.paused")
	for _, demo := range demos { // no more demos than scenes that a viewer may start at once
		t.Run(demo.scene, func(t *testing.T) {
			p := p.in(t)
			p.choose(demo.scene)
			before := p.shot("start")
			p.lead(demo.at)
			p.keys(" ")
			p.wait("!crowdView.stats.paused && crowdView.frame.step > %v", demo.steps)
			p.keys(" ")
			p.wait("crowdView.stats.paused && crowdView.frame.step === crowdView.stats.step")
			differ, drawn := p.count(before, p.shot("played"))
			if differ < 50 || drawn < 50 {
				t.Errorf("got=%d pixels drawn and %d changed, want 50 or more of each", drawn, differ)
			}
			pos, speed := p.agents()
			v, d := floats.Sum(speed)/float64(len(pos))*value[float64](p, "crowdView.frame.topSpeed")/255, 0.
			for _, q := range pos {
				d += r2.Norm(r2.Sub(q, demo.at)) / float64(len(pos))
			}
			if d < demo.near || d > demo.far || v < demo.slow || v > demo.fast {
				t.Errorf("got=mean distance %.1f, mean speed %.2f, want %v to %v, and %v to %v", d, v, demo.near, demo.far, demo.slow, demo.fast)
			}
			p.noErrors()
		})
	}
}

func (p *tab) lead(at r2.Vec) {
	p.t.Helper()
	p.mouse(mouseMoved, r2.Add(at, r2.Vec{X: 0.5}))
	p.mouse(mouseMoved, at)
	for range 20 {
		p.drawn() // the page has told the server the position of the mouse
		p.steps(1)
		if value[bool](p, "Math.hypot(crowdView.frame.pointerX - %v, crowdView.frame.pointerY - %v) <= 2 / crowdView.camera.scale", at.X, at.Y) {
			return
		}
	}
	p.t.Fatalf("the pointer did not reach the mouse at %v in 20 steps", at)
}

func TestScenes(t *testing.T) {
	t.Parallel()
	const atOnce = 8 // scenes that a viewer may start at once
	for names := range slices.Chunk(scene.Names(), atOnce) {
		t.Run(names[0], func(t *testing.T) {
			t.Parallel()
			p := browse(t, serve(t, "seek", 0, upTo(2000)), 1200, 800)
			p.pause()
			for _, name := range names {
				p.choose(name)
				first := p.shot(name)
				p.say(`{"do":"seek","tick":25}`) // the page draws fewer frames than steps
				p.wait("crowdView.frame.step === 25")
				if differ, drawn := p.count(first, p.shot(name+"-later")); differ < 20 || drawn < 50 {
					t.Errorf("%s: got=%d pixels drawn and %d changed, want 50 and 20 or more", name, drawn, differ)
				}
			}
		})
	}
}

// TestObstacleTool verifies that undo reverts no change of an earlier build or of another viewer.
func TestObstacleTool(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "avoidance", 0, nil), 800, 500)
	p.wait("crowdView.obstacles && crowdView.obstacles.rounds === 5")
	p.press("#tool-obstacle")
	at := r2.Vec{X: 400, Y: 520}
	p.click(at, leftButton)
	p.wait("crowdView.obstacles.rounds === 6")
	version := value[float64](p, "crowdView.frame.obstacles")
	p.drag(at, r2.Vec{X: 500, Y: 520})
	p.wait("crowdView.frame.obstacles > %v", version)
	p.press("#delete")
	p.wait("crowdView.obstacles.rounds === 5")

	undo := func() {
		p.run(`dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true, cancelable: true }))`)
	}
	undo()
	p.wait("crowdView.obstacles.rounds === 6")
	version = value[float64](p, "crowdView.frame.obstacles")
	undo()
	p.wait("crowdView.frame.obstacles > %v", version)
	undo()
	p.wait("crowdView.obstacles.rounds === 5")

	nothing := func() {
		p.t.Helper()
		undo()
		p.wait(`[...document.querySelectorAll(".toast")].some((e) => e.textContent.includes("nothing to undo") && (e.remove(), true))`)
	}
	p.click(at, leftButton)
	p.wait("crowdView.obstacles.rounds === 6")
	ids := value[string](p, "crowdView.obstacles.ids.join()")
	p.keys("r")
	p.wait("crowdView.ready && crowdView.obstacles.rounds === 6 && crowdView.obstacles.ids.join() !== %q", ids)
	nothing() // the new build has other numbers
	p.run(`{ const { prototype } = WebSocket, { send } = prototype;
		prototype.send = function (m) { if (m.includes("add")) prototype.send = send; send.call(this, m.replace('"radius":', '"radius":-')); } }`)
	p.click(r2.Vec{X: 300, Y: 520}, leftButton)
	p.wait(`document.getElementById("toasts").textContent.includes("add: radius")`)
	p.say(`{"do":"add","at":[500,520],"radius":20}`)
	p.wait("crowdView.obstacles.rounds === 7")
	nothing() // another viewer added the obstacle
	p.equal(7, "crowdView.obstacles.rounds")
}

func TestUndoPolygon(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "rvo-blocks", 0, nil), 800, 500)
	p.wait("crowdView.obstacles && crowdView.obstacles.rings === 4")
	const corners = "[...crowdView.obstacles.corners].sort().join()"
	before := value[string](p, corners)
	p.press("#tool-obstacle")
	p.click(r2.Vec{X: 25, Y: 25}, leftButton)
	p.press("#delete")
	p.wait("crowdView.obstacles.rings === 3")
	p.run(`dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true, cancelable: true }))`)
	p.wait("crowdView.obstacles.rings === 4")
	testkit.Equal(t, value[string](p, corners), before, "corners")
}

// host serves successive views at one address, and aborts requests between them.
type host struct {
	live atomic.Pointer[view.View]
	end  func()
}

func (h *host) start(t *testing.T) {
	t.Helper()
	live, err := view.NewScenes(t.Context(), "flee", named(t, "flee"), view.Scenes{List: []view.Named{{Name: "flee"}}}, view.Options{Version: "test", Patience: time.Hour})
	testkit.Must(t, err)
	h.end = run(live)
	h.live.Store(live)
}

func (h *host) stop() {
	h.live.Store(nil)
	h.end()
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	live := h.live.Load()
	if live == nil {
		panic(http.ErrAbortHandler)
	}
	live.ServeHTTP(w, r)
}

// TestLarge has more agents than 16 bits can count.
func TestLarge(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "plaza", 70_000, nil), 1000, 700)
	p.wait("crowdView.frame.step > 3 && crowdView.frame.n === 70000")
	p.press("#pause")
	for range 10 {
		p.keys("]")
	}
	p.wait("crowdView.frame.near")
	p.keys("1", "2", "3", "4", "n", "y")
	p.wait("crowdView.frame.layers.every(l => l.offset > 0 || l.name === 'beside')")
}

// TestShowcase also takes the README's picture of the live view.
func TestShowcase(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "plaza", 0, nil), 1200, 750)
	p.stepTo(240) // always the same picture
	for range 14 {
		p.keys("]")
	}
	p.wait("crowdView.frame.near")
	p.keys("2", "3")
	p.wait("crowdView.frame.layers[1].count > 0")
	p.look("47922")
	p.wait("crowdView.agent?.alive && crowdView.agent.explanation.threat")
	p.keep("view")
}

func TestBuildOnPages(t *testing.T) {
	t.Parallel()
	began, goOn := make(chan bool), make(chan bool)
	address := serve(t, "seek", 0, func(o *setup) {
		o.List = []view.Named{{Name: "seek"}, {Name: "slow"}}
		o.Open = func(_ context.Context, name string) (*scene.Scene, error) {
			return scene.Read(strings.NewReader("[[groups]]\ncount = 2\nat = {points = [[1, 5], [9, 5]]}\nradius = 0.3\nmax-speed = 1\nmax-force = 5\n"), name+".toml", scene.OpenOptions{})
		}
		o.Fit = func(*scene.Scene, *world.World) r2.Box { // for a scene without a box
			began <- true
			<-goOn
			return r2.Box{Max: r2.Vec{X: 10, Y: 10}}
		}
	})
	p, q := browse(t, address, 1200, 800), browse(t, address, 390, 844)
	p.set("scene", "slow")
	<-began
	for page, words := range map[*tab]string{p: "Starting slow, 2 agents", q: "Viewer 1 starts slow, 2 agents"} {
		page.wait(`!document.getElementById("starting").hidden && document.getElementById("starting-text").textContent.startsWith(%q)`, words)
		page.wait("crowdView.frame.step > %v", value[float64](page, "crowdView.frame.step"))
	}
	q.press("#cancel")
	for _, page := range []*tab{p, q} {
		page.wait(`document.getElementById("starting").hidden && crowdView.scene.name === "seek" && document.getElementById("scene").value === "seek"`)
	}
	goOn <- true
	p.set("scene", "slow")
	<-began
	goOn <- true
	for _, page := range []*tab{p, q} {
		page.wait(`document.getElementById("starting").hidden && crowdView.ready && crowdView.scene.name === "slow"`)
	}
}
