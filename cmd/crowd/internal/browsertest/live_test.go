//go:build e2e

package browsertest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

// distance returns the mean distance of points from one.
func distance(pos []r2.Vec, from r2.Vec) float64 {
	sum := 0.
	for _, p := range pos {
		sum += r2.Norm(r2.Sub(p, from))
	}
	return sum / float64(len(pos))
}

// demos are the scenes with a pointer, and what the crowd does about it.
var demos = []struct {
	scene string
	at    r2.Vec // where the pointer is held
	steps int
	does  func(pos []r2.Vec, speed []float64, pointer r2.Vec) error
}{
	{"seek", r2.Vec{X: 600, Y: 400}, 600, func(pos []r2.Vec, speed []float64, p r2.Vec) error {
		if d, v := distance(pos, p), mean(speed); d > 20 || v == 0 {
			return fmt.Errorf("mean distance %.1f, speed %.2f: want agents that swing about the pointer, ever less, and never rest", d, v)
		}
		return nil
	}},
	{"seek-kinematic", r2.Vec{X: 600, Y: 400}, 600, func(pos []r2.Vec, speed []float64, p r2.Vec) error {
		if d := distance(pos, p); d > 3 {
			return fmt.Errorf("mean distance %.1f: want agents that go straight to the pointer", d)
		}
		return nil
	}},
	{"flee", r2.Vec{X: 400, Y: 300}, 300, func(pos []r2.Vec, speed []float64, p r2.Vec) error {
		if d := distance(pos, p); d < 250 {
			return fmt.Errorf("mean distance %.0f: want agents that flee to the edge", d)
		}
		return nil
	}},
	{"arrival", r2.Vec{X: 600, Y: 400}, 1500, func(pos []r2.Vec, speed []float64, p r2.Vec) error {
		if d, v := distance(pos, p), mean(speed); d > 5 || v > 0.2 {
			return fmt.Errorf("mean distance %.1f, speed %.2f: want agents that stand at the pointer", d, v)
		}
		return nil
	}},
	{"arrival-opposing", r2.Vec{X: 3, Y: 2}, 3000, func(pos []r2.Vec, speed []float64, p r2.Vec) error {
		if v := mean(speed); v > 0.3 {
			return fmt.Errorf("speed %.2f: want agents that stop, short of the pointer or at it", v)
		}
		return nil
	}},
	{"arrival-damped", r2.Vec{X: 3, Y: 2}, 3000, func(pos []r2.Vec, speed []float64, p r2.Vec) error {
		if d, v := distance(pos, p), mean(speed); d > 0.5 || v > 0.2 {
			return fmt.Errorf("mean distance %.2f, speed %.2f: want agents that come to rest at the pointer", d, v)
		}
		return nil
	}},
	{"avoidance", r2.Vec{X: 700, Y: 300}, 600, func(pos []r2.Vec, speed []float64, p r2.Vec) error {
		if d := distance(pos, p); d > 200 {
			return fmt.Errorf("mean distance %.0f: want agents that come round the circles to the pointer", d)
		}
		return nil
	}},
	{"tank-flee", r2.Vec{X: 320, Y: 320}, 600, func(pos []r2.Vec, speed []float64, p r2.Vec) error {
		if d := distance(pos, p); d < 200 {
			return fmt.Errorf("distance %.0f: want a tank that flees", d)
		}
		return nil
	}},
}

func mean(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// TestDemos plays each demo of the tutorials with the mouse.
func TestDemos(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "seek", 0, nil), 1200, 800)
	p.set("color", "speed")
	p.keys("+", "+", "+", "+", "+", "+", "+", " ") // steps are the same at any pace
	p.wait("crowdView.stats.pace === 100 && crowdView.stats.paused")
	for _, demo := range demos { // no more than a viewer may start at once
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
				t.Errorf("pictures: %d pixels drawn, %d changed, want 50 or more of each", drawn, differ)
			}
			pos, speed := p.agents()
			top := value[float64](p, "crowdView.frame.topSpeed")
			for i := range speed {
				speed[i] *= top / 255
			}
			must(t, demo.does(pos, speed, demo.at))
			p.noErrors()
		})
	}
}

// lead moves the mouse to a point and does steps until the pointer is there.
func (p *tab) lead(at r2.Vec) {
	p.t.Helper()
	p.mouse(mouseMoved, r2.Add(at, r2.Vec{X: 0.5}))
	p.mouse(mouseMoved, at)
	for range 20 {
		p.drawn() // the page has told the server where the mouse is
		p.steps(1)
		if value[bool](p, "Math.hypot(crowdView.frame.pointerX - %v, crowdView.frame.pointerY - %v) <= 2 / crowdView.camera.scale", at.X, at.Y) {
			return
		}
	}
	p.t.Fatal("the pointer never comes to the mouse")
}

// TestScenes opens every scene, and looks whether it draws and moves.
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
					t.Errorf("%s: %d pixels drawn, %d changed, want 50 and 20 or more", name, drawn, differ)
				}
			}
		})
	}
}

// TestInspect clicks an agent and reads the ledger.
func TestInspect(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "arrival", 0, nil), 1200, 800)
	p.pause()
	pos, _ := p.agents()
	p.press("#tool-look")
	p.click(pos[7], leftButton)
	p.wait("crowdView.agent && crowdView.agent.alive && crowdView.agent.explanation")
	text := value[string](p, `document.getElementById("inspector").innerText`)
	for _, want := range []string{"Arrival", "px/step", "limit 5.4", "Follow"} {
		if !strings.Contains(text, want) {
			t.Errorf("inspector says %q, want it to have %q", text, want)
		}
	}
	p.keep("inspector")
}

// TestObstacleTool adds an obstacle with the mouse, drags it, and deletes it.
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
	p.keep("dragged")
	p.press("#delete")
	p.wait("crowdView.obstacles.rounds === 5")

	undo := func() {
		p.run(`dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true, cancelable: true, target: document.body }))`)
	}
	undo()
	p.wait("crowdView.obstacles.rounds === 6")
	version = value[float64](p, "crowdView.frame.obstacles")
	undo() // the drag
	p.wait("crowdView.frame.obstacles > %v", version)
	undo()
	p.wait("crowdView.obstacles.rounds === 5")
}

// TestRestart verifies that the page survives a restart of the server.
func TestRestart(t *testing.T) {
	t.Parallel()
	wantBrowser(t)
	var h host
	h.start(t)
	p := browse(t, answer(t, &h), 800, 500)
	h.stop()
	p.wait("!crowdView.connected")
	p.wait(`!document.getElementById("banner").hidden`)
	p.keep("lost")
	h.start(t)
	defer h.stop()
	p.wait("crowdView.connected && crowdView.ready")
	step := value[float64](p, "crowdView.frame.step")
	p.wait("crowdView.frame.step > %v", step)
	p.wait(`document.getElementById("banner").hidden`)
	p.forgive("WebSocket connection to")
}

// host serves one view after the other at one address, and between them breaks off.
type host struct {
	live atomic.Pointer[view.View]
	end  func()
}

func (h *host) start(t *testing.T) {
	t.Helper()
	live, err := view.NewScenes(t.Context(), "flee", named(t, "flee"), view.Scenes{List: []view.Named{{Name: "flee"}}}, view.Options{Version: "test", Patience: time.Hour})
	must(t, err)
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

// TestLarge shows more agents than 16 bits count.
func TestLarge(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "plaza", 70_000, nil), 1000, 700)
	p.wait("crowdView.frame.step > 3 && crowdView.frame.n === 70000")
	p.keep("whole")
	p.press("#pause")
	for range 10 {
		p.keys("]")
	}
	p.wait("crowdView.frame.near")
	p.keys("1", "2", "3", "4", "n", "y")
	p.wait("crowdView.frame.layers.every(l => l.offset > 0 || l.name === 'beside')")
	p.keep("near")
}

// TestShowcase takes the picture of the live view that the README shows: a part
// of the plaza, and an agent that sees a pillar ahead.
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
	middle := r2.Vec{X: value[float64](p, "crowdView.camera.x"), Y: value[float64](p, "crowdView.camera.y")}
	var seeing []r2.Vec
	for _, at := range value[[][2]float64](p, `(({ buffer, x0, y0, layers }) => Array.from({ length: layers[1].count },
		(_, i) => new Float32Array(buffer, layers[1].offset + 16 * i, 2)).map(([x, y]) => [x0 + x, y0 + y]))(crowdView.frame)`) {
		q := r2.Vec{X: at[0], Y: at[1]}
		if d := r2.Sub(q, middle); d.X > -6 && d.X < 14 && math.Abs(d.Y) < 10 {
			seeing = append(seeing, q)
		}
	}
	if len(seeing) == 0 {
		t.Fatal("no agent near the middle sees a pillar")
	}
	p.click(slices.MinFunc(seeing, func(a, b r2.Vec) int {
		return cmp.Compare(r2.Norm2(r2.Sub(a, middle)), r2.Norm2(r2.Sub(b, middle)))
	}), leftButton)
	p.wait("crowdView.agent && crowdView.agent.alive")
	// An agent that turned away from a pillar in the last step may see it again in a later one.
	for range 60 {
		p.wait("crowdView.agent.explanation.time === crowdView.frame.time")
		if value[bool](p, "!!crowdView.agent.explanation.threat") {
			break
		}
		p.steps(1)
	}
	p.wait("crowdView.agent.explanation.threat")
	p.keep("view")
}

// TestResize verifies that the picture keeps its proportions when the window changes.
func TestResize(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "avoidance", 0, nil), 1200, 800)
	for _, size := range [][2]int64{{700, 900}, {1300, 500}, {1200, 800}} {
		p.do(chromedp.EmulateViewport(size[0], size[1]))
		p.wait(`(() => {
			const stage = document.getElementById("stage"), c = crowdView.camera;
			return Math.abs(c.width - stage.clientWidth) < 1 && Math.abs(c.height - stage.clientHeight) < 1 &&
				Math.abs(stage.width / stage.height - stage.clientWidth / stage.clientHeight) < 0.01 && innerWidth === %d;
		})()`, size[0])
	}
}

// TestBuildOnPages verifies what two pages show while a crowd is made that one of them
// started: the one that runs, how it goes on, and a way to keep it.
func TestBuildOnPages(t *testing.T) {
	t.Parallel()
	began, goOn := make(chan bool), make(chan bool)
	address := serve(t, "seek", 0, func(o *setup) {
		o.List = []view.Named{{Name: "seek"}, {Name: "slow"}}
		o.Open = func(_ context.Context, name string) (*scene.Scene, error) {
			return scene.Read(strings.NewReader("[[groups]]\ncount = 2\nat = {points = [[1, 5], [9, 5]]}\nradius = 0.3\nmax-speed = 1\nmax-force = 5\n"), name+".toml", scene.OpenOptions{})
		}
		o.Fit = func(*scene.Scene, *world.World) r2.Box { // of a scene without a box
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
		step := value[float64](page, "crowdView.frame.step")
		page.wait("crowdView.frame.step > %v", step)
		page.keep(fmt.Sprintf("making-%d", len(words)))
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
