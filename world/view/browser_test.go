package view

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/world/scene"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

// positions returns where the agents are, as the newest snapshot has them, and their
// speeds.
func positions(s *server) (pos []r2.Vec, speed []float64) {
	shot, _ := s.sim.shots.take()
	defer s.sim.shots.give(shot)
	for i, id := range shot.ids {
		if id != 0 {
			pos = append(pos, shot.pos[i])
			speed = append(speed, float64(shot.look[i].speed))
		}
	}
	return pos, speed
}

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
	s := serve(t, "seek", 0, withAll)
	p := browse(t, s, 1200, 800)
	for range 7 { // steps are the same at any pace
		p.do(chromedp.KeyEvent("+"))
	}
	p.wait("crowdView.stats.pace === 100")
	for _, demo := range demos {
		t.Run(demo.scene, func(t *testing.T) {
			p := &tab{t: t, ctx: p.ctx, console: p.console}
			p.choose(demo.scene)
			before := p.shot("start")
			p.leadFromStart(demo.at)
			p.wait(`crowdView.frame.step > %v`, demo.steps)
			after := p.shot("played")
			differ, drawn := p.count(before, after)
			if differ < 50 || drawn < 50 {
				t.Errorf("pictures: %d pixels drawn, %d changed, want 50 or more of each", drawn, differ)
			}
			pos, speed := positions(s)
			if err := demo.does(pos, speed, demo.at); err != nil {
				t.Error(err)
			}
			p.noErrors()
		})
	}
}

// leadFromStart starts the scene anew and has the pointer at a point from the first step on,
// so that every run is the same.
func (p *tab) leadFromStart(at r2.Vec) {
	p.t.Helper()
	key := func(k string) { p.do(chromedp.KeyEvent(k)) }
	key(" ")
	p.wait("crowdView.stats.paused")
	p.mouse(mouseMoved, r2.Add(at, r2.Vec{X: 0.5}))
	p.mouse(mouseMoved, at)
	for led := false; !led; {
		step := value[float64](p, "crowdView.frame.step")
		key(".")
		p.wait("crowdView.frame.step > %v", step)
		led = value[bool](p, "Math.hypot(crowdView.frame.pointerX - %v, crowdView.frame.pointerY - %v) <= 2 / crowdView.camera.scale", at.X, at.Y)
	}
	time.Sleep(time.Second / startsPerSecond) // more are refused
	key("r")
	p.wait("crowdView.frame.step === 0")
	key(" ")
	p.wait("!crowdView.stats.paused")
}

// withAll lets all built-in scenes be chosen.
func withAll(o *setup) {
	o.List = nil
	for _, name := range scene.Names() {
		o.List = append(o.List, Named{name, "text of " + name})
	}
}

// TestScenes opens every scene, looks whether it draws and moves, pauses it, and
// lets it go on.
func TestScenes(t *testing.T) {
	s := serve(t, "seek", 0, withAll)
	p := browse(t, s, 1200, 800)
	for range 3 { // steps are the same at any pace
		p.do(chromedp.KeyEvent("+"))
	}
	for _, name := range scene.Names() {
		p.choose(name)
		p.wait("crowdView.frame.step > 5")
		p.press("#pause")
		p.wait("crowdView.stats.paused && crowdView.frame.step === crowdView.stats.step")
		step := value[float64](p, "crowdView.frame.step")
		first := p.shot(name)
		for range 2 { // figures come four times a second
			p.do(chromedp.Evaluate[chromedp.Void]("window.before = crowdView.stats"))
			p.wait("crowdView.stats !== window.before")
		}
		if got := value[float64](p, "crowdView.frame.step"); got != step {
			t.Errorf("%s: goes on while paused, from step %v to %v", name, step, got)
		}
		p.do(chromedp.Evaluate[chromedp.Void](`for (let i = 0; i < 20; i++) document.getElementById("step").click()`))
		p.wait("crowdView.frame.step === %v", step+20)
		second := p.shot(name + "-later")
		if differ, drawn := p.count(first, second); differ < 20 || drawn < 50 {
			t.Errorf("%s: %d pixels drawn, %d changed, want 50 and 20 or more", name, drawn, differ)
		}
		p.press("#pause")
		p.wait("!crowdView.stats.paused")
	}
}

// TestSlider changes a parameter in the page.
func TestSlider(t *testing.T) {
	s := serve(t, "arrival", 0, withAll)
	p := browse(t, s, 800, 500)
	const row = `[data-parameter="groups[0].arrival.slowing-radius"]`
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(() => {
		const input = document.querySelector('%s input');
		input.focus();
		input.value = "250";
		input.dispatchEvent(new Event("input", {bubbles: true}));
		input.dispatchEvent(new Event("change", {bubbles: true}));
		input.blur();
	})()`, row)))
	p.wait(`crowdView.scene.parameters.find(p => p.name === "groups[0].arrival.slowing-radius").value === 250`)
}

// TestInspect clicks an agent, reads the ledger, and lets go.
func TestInspect(t *testing.T) {
	s := serve(t, "arrival", 0, withAll)
	p := browse(t, s, 1200, 800)
	p.press("#pause")
	p.wait("crowdView.stats.paused")
	pos, _ := positions(s)
	p.press("#tool-look")
	p.mouse(mousePressed, pos[7], chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1))
	p.mouse(mouseReleased, pos[7], chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1))
	p.wait("crowdView.agent && crowdView.agent.alive && crowdView.agent.explanation")
	text := value[string](p, `document.getElementById("inspector").innerText`)
	for _, want := range []string{"Arrival", "px/step", "limit 5.4", "Follow"} {
		if !strings.Contains(text, want) {
			t.Errorf("inspector says %q, want it to have %q", text, want)
		}
	}
	p.shot("inspector")
}

// TestObstacleTool adds an obstacle with the mouse, drags it, and deletes it.
func TestObstacleTool(t *testing.T) {
	s := serve(t, "avoidance", 0, withAll)
	p := browse(t, s, 800, 500)
	p.wait("crowdView.obstacles && crowdView.obstacles.rounds === 5")
	p.press("#tool-obstacle")
	button := []chromedp.MouseOption{chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1)}
	at, to := r2.Vec{X: 400, Y: 520}, r2.Vec{X: 500, Y: 520}
	p.mouse(mouseMoved, at)
	p.mouse(mousePressed, at, button...)
	p.mouse(mouseReleased, at, button...)
	p.wait("crowdView.obstacles.rounds === 6")
	version := value[float64](p, "crowdView.frame.obstacles")
	p.mouse(mousePressed, at, button...)
	for i := range 10 {
		p.mouse(mouseMoved, r2.Add(at, r2.Scale(float64(i+1)/10, r2.Sub(to, at))), button[0])
	}
	p.mouse(mouseReleased, to, button...)
	p.wait("crowdView.frame.obstacles > %v", version)
	p.shot("dragged")
	p.press("#delete")
	p.wait("crowdView.obstacles.rounds === 5")
}

// TestRestart holds that the page survives a restart of the server.
func TestRestart(t *testing.T) {
	wantBrowser(t)
	first, stop := start(t, "127.0.0.1:0")
	p := browse(t, first, 800, 500)
	address := first.listener.Addr().String()
	stop()
	p.wait("!crowdView.connected")
	p.wait(`!document.getElementById("banner").hidden`)
	p.shot("lost")
	_, stop = start(t, address)
	defer stop()
	p.wait("crowdView.connected && crowdView.ready")
	step := value[float64](p, "crowdView.frame.step")
	p.wait("crowdView.frame.step > %v", step)
	p.wait(`document.getElementById("banner").hidden`)
	p.forget() // the browser reports connections that are refused
}

// start serves at an address until stop is called.
func start(t *testing.T, address string) (s *server, stop func()) {
	t.Helper()
	live, err := NewScenes(context.Background(), "flee", named(t, "flee"), Scenes{List: []Named{{"flee", ""}}}, Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		at, err := net.Listen("tcp", address)
		if err == nil {
			return listen(t, live, at)
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// TestPhone looks at the page in the size of a phone.
func TestPhone(t *testing.T) {
	s := serve(t, "avoidance", 0, withAll)
	p := browse(t, s, 390, 844)
	p.wait("crowdView.frame.step > 30")
	p.shot("phone")
	if wide := value[float64](p, "document.documentElement.scrollWidth"); wide > 390 {
		t.Errorf("the page is %v pixels wide, want 390 at most", wide)
	}
}

// TestLarge shows a hundred thousand agents.
func TestLarge(t *testing.T) {
	s := serve(t, "plaza", 100_000, withAll)
	p := browse(t, s, 1440, 900)
	p.wait("crowdView.frame.step > 20 && crowdView.frame.n === 100000")
	p.shot("whole")
	p.press("#pause")
	for range 10 {
		p.do(chromedp.KeyEvent("]"))
	}
	p.wait("crowdView.frame.near")
	p.do(chromedp.KeyEvent("1"), chromedp.KeyEvent("2"), chromedp.KeyEvent("3"), chromedp.KeyEvent("4"), chromedp.KeyEvent("n"), chromedp.KeyEvent("y"))
	p.wait("crowdView.frame.layers.every(l => l.offset > 0 || l.name === 'beside')")
	p.shot("near")
}

// TestShowcase takes the picture of the live view that the README shows: a part
// of the plaza, and an agent that sees a pillar ahead.
func TestShowcase(t *testing.T) {
	s := serve(t, "plaza", 0, withAll)
	p := browse(t, s, 1200, 750)
	stepTo(t, s, p, 240) // always the same picture
	for range 14 {
		p.do(chromedp.KeyEvent("]"))
	}
	p.wait("crowdView.frame.near")
	p.do(chromedp.KeyEvent("2"), chromedp.KeyEvent("3"))
	middle := r2.Vec{X: value[float64](p, "crowdView.camera.x"), Y: value[float64](p, "crowdView.camera.y")}
	shot, _ := s.sim.shots.take()
	var seeing []r2.Vec
	for i := range shot.ids {
		if d := r2.Sub(shot.pos[i], middle); shot.look[i].threat > 0 && d.X > -6 && d.X < 14 && math.Abs(d.Y) < 10 {
			seeing = append(seeing, shot.pos[i])
		}
	}
	s.sim.shots.give(shot)
	slices.SortFunc(seeing, func(a, b r2.Vec) int {
		return cmp.Compare(r2.Norm2(r2.Sub(a, middle)), r2.Norm2(r2.Sub(b, middle)))
	})
	if len(seeing) == 0 {
		t.Fatal("nobody near the middle sees a pillar")
	}
	p.mouse(mousePressed, seeing[0], chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1))
	p.mouse(mouseReleased, seeing[0], chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1))
	p.wait("crowdView.agent && crowdView.agent.alive")
	// Who turned away from a pillar in the last step may see it again in a later one.
	for range 60 {
		p.wait("crowdView.agent.explanation.time === crowdView.frame.time")
		if value[bool](p, "!!crowdView.agent.explanation.threat") {
			break
		}
		step := value[float64](p, "crowdView.frame.step")
		p.press("#step")
		p.wait("crowdView.frame.step > %v", step)
	}
	p.wait("crowdView.agent.explanation.threat")
	p.shot("view")
}

// TestResize holds that the picture keeps its proportions when the window changes.
func TestResize(t *testing.T) {
	s := serve(t, "avoidance", 0, withAll)
	p := browse(t, s, 1200, 800)
	for _, size := range [][2]int64{{700, 900}, {1300, 500}, {1200, 800}} {
		p.do(chromedp.EmulateViewport(size[0], size[1]))
		p.wait(`(() => {
			const stage = document.getElementById("stage"), c = crowdView.camera;
			return Math.abs(c.width - stage.clientWidth) < 1 && Math.abs(c.height - stage.clientHeight) < 1 &&
				Math.abs(stage.width / stage.height - stage.clientWidth / stage.clientHeight) < 0.01 && innerWidth === %d;
		})()`, size[0])
	}
}

// TestBuildOnPages holds what two pages show while a crowd is made that one of them
// started: the one that runs, how it goes on, and a way to keep it.
func TestBuildOnPages(t *testing.T) {
	var b site
	s := serve(t, "seek", 0, b.slow)
	p, q := browse(t, s, 1200, 800), browse(t, s, 390, 844)
	start := `(() => { const s = document.getElementById("scene"); s.value = "slow"; s.dispatchEvent(new Event("change", {bubbles: true})); })()`
	p.do(chromedp.Evaluate[chromedp.Void](start))
	<-b.began
	for page, words := range map[*tab]string{p: "Starting slow, 2 agents", q: "Viewer 1 starts slow, 2 agents"} {
		page.wait(`!document.getElementById("starting").hidden && document.getElementById("starting-text").textContent.startsWith(%q)`, words)
		step := value[float64](page, "crowdView.frame.step")
		page.wait("crowdView.frame.step > %v", step)
		page.shot(fmt.Sprintf("making-%d", len(words)))
	}
	q.press("#cancel")
	for _, page := range []*tab{p, q} {
		page.wait(`document.getElementById("starting").hidden && crowdView.scene.name === "seek" && document.getElementById("scene").value === "seek"`)
	}
	b.goOn <- struct{}{}
	p.do(chromedp.Evaluate[chromedp.Void](start))
	<-b.began
	b.goOn <- struct{}{}
	for _, page := range []*tab{p, q} {
		page.wait(`document.getElementById("starting").hidden && crowdView.ready && crowdView.scene.name === "slow"`)
	}
}
