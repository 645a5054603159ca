package view

import (
	"strings"
	"testing"

	"github.com/8f878440/crowd/world/scene"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

// flockText is a scene in which four behaviors look at others.
const flockText = `
name = "flock"
text = "a flock crosses the way of walkers who avoid one another"
box = [[0, 0], [40, 30]]
bounds = "wrap"

[[groups]]
count = 90
radius = 0.15
start-speed = 2
max-speed = 3
max-force = 12
separation = {gain = 3, neighbor-dist = 1.5, field-of-view = 330, max-neighbors = 5}
alignment = {gain = 2, neighbor-dist = 4, field-of-view = 270, max-neighbors = 7}
cohesion = {gain = 2, neighbor-dist = 4, field-of-view = 270, max-neighbors = 7}
wander = {gain = 1, distance = 2, radius = 1, rate = 1}

[[groups]]
count = 60
radius = 0.25
start-speed = 1
max-speed = 1.4
wander = {gain = 2, distance = 2, radius = 1, rate = 1}
orca = {gain = 2, time-horizon = 3, time-horizon-obst = 1, neighbor-dist = 6}
`

// serveFlock serves that scene.
func serveFlock(t *testing.T) *server {
	t.Helper()
	sc, err := scene.Read(strings.NewReader(flockText), "flock.toml")
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, "arrival", 0, func(o *setup) {
		o.name, o.scene, o.List = "flock", sc, []Named{{"flock", sc.Text}}
	})
}

// stepTo lets a page's scene begin anew and pause at a step.
func stepTo(t *testing.T, s *server, p *tab, step int) {
	t.Helper()
	c := connect(t, s)
	c.say(`{"do":"pause","on":true}`)
	c.until("stats", func() bool { return c.text["stats"]["paused"] == true })
	c.say(`{"do":"restart"}`)
	c.until("scene", func() bool { return c.text["scene"]["build"] == 2. })
	c.say(`{"do":"pause","on":true}`) // one that had ended runs on now
	c.say(`{"do":"seek","tick":%d}`, step)
	p.wait("crowdView.frame.step === %d && crowdView.stats.paused", step)
}

// pickCrowded selects the agent of some, by their ids, that has the most others
// within reach and is not too near the edge of the scene.
func pickCrowded(t *testing.T, s *server, p *tab, first, last uint64, reach float64) {
	t.Helper()
	shot, _ := s.sim.shots.take()
	best, most := 0, -1
	for i, id := range shot.ids {
		q, n := shot.pos[i], 0
		if id < first || id > last || q.X < s.sim.box.Min.X+reach || q.X > s.sim.box.Max.X-reach || q.Y < s.sim.box.Min.Y+reach || q.Y > s.sim.box.Max.Y-reach {
			continue
		}
		for j, other := range shot.ids {
			if other != 0 && r2.Norm(r2.Sub(shot.pos[j], q)) < reach {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	at, id := shot.pos[best], shot.ids[best]
	s.sim.shots.give(shot)
	p.do(chromedp.KeyEvent("f"))
	p.mouse(mousePressed, at, leftButton...)
	p.mouse(mouseReleased, at, leftButton...)
	p.wait(`crowdView.agent && crowdView.agent.alive && crowdView.agent.id === "%d"`, id)
	p.do(chromedp.KeyEvent("v"))
	p.wait("Math.hypot(crowdView.camera.x - %v, crowdView.camera.y - %v) < 1e-6", at.X, at.Y)
}

// TestNeighbors shows whom agents see: all of them, and one with each of its
// behaviors. It takes one of the pictures of docs/view.md.
func TestNeighbors(t *testing.T) {
	s := serveFlock(t)
	p := browse(t, s, 1200, 750)
	stepTo(t, s, p, 400)
	plain := p.shot("without")
	p.do(chromedp.KeyEvent("n"))
	p.wait("crowdView.frame.layers[4].count > 100 && crowdView.frame.layers[4].own === 0 && !crowdView.frame.cut")
	if differ, _ := p.count(plain, p.shot("all")); differ < 2000 {
		t.Errorf("lines between neighbors: %d pixels, want 2000 or more", differ)
	}

	pickCrowded(t, s, p, 1, 90, 4)
	for range 5 {
		p.do(chromedp.KeyEvent("]"))
	}
	seen := `new Set(crowdView.agent.explanation.looks.flatMap(l => l.seen)).size`
	p.wait("crowdView.frame.layers[4].own === %s && %s > 3", seen, seen)
	text := value[string](p, `document.getElementById("looks").innerText`)
	for _, want := range []string{"Separation", "within 1.5 m, in 330°", "Alignment", "Cohesion", "7 within 4 m, in 270°"} {
		if !strings.Contains(text, want) {
			t.Errorf("inspector says %q, want it to have %q", text, want)
		}
	}
	with := p.shot("one")
	p.do(chromedp.KeyEvent("n"))
	p.wait("crowdView.frame.layers[4].offset === 0")
	if differ, _ := p.count(with, p.shot("one-without")); differ < 5000 {
		t.Errorf("what one agent sees: %d pixels, want 5000 or more", differ)
	}
	p.do(chromedp.KeyEvent("n"), chromedp.KeyEvent("d"))
	p.wait("crowdView.frame.layers[4].own > 0")
	p.shot("dark")
}

// TestVelocities shows how an agent chooses its velocity. It takes the other
// picture of docs/view.md.
func TestVelocities(t *testing.T) {
	s := serve(t, "antipodal", 0, withAll)
	p := browse(t, s, 1200, 750)
	stepTo(t, s, p, 900)
	pickCrowded(t, s, p, 1, 1000, 6)
	p.do(chromedp.KeyEvent("f"))
	far := p.shot("far-without")
	p.do(chromedp.KeyEvent("m"))
	if differ, _ := p.count(far, p.shot("far")); differ < 3000 || differ > 30_000 {
		t.Errorf("velocities in the whole scene: %d pixels, want 3000 to 30,000, so that they leave most of the crowd in sight", differ)
	}
	p.do(chromedp.KeyEvent("m"), chromedp.KeyEvent("v"))
	if rules := value[string](p, `document.getElementById("rules").innerText`); !strings.Contains(rules, "change of velocity") {
		t.Errorf("rules that are no forces: got=%q, want a change of velocity", rules)
	}
	for range 12 {
		p.do(chromedp.KeyEvent("]"))
	}
	p.wait("crowdView.frame.near && crowdView.agent.explanation.reciprocal.halfPlanes.length > 0")
	text := value[string](p, `document.getElementById("choice").innerText`)
	for _, want := range []string{"prefers", "chooses", "allowed", "heeds", "the 24 nearest within", "s ahead", "half-planes"} {
		if !strings.Contains(text, want) {
			t.Errorf("inspector says %q, want it to have %q", text, want)
		}
	}
	without := p.shot("without")
	p.do(chromedp.KeyEvent("m"))
	if differ, _ := p.count(without, p.shot("light")); differ < 5000 {
		t.Errorf("velocity obstacles: %d pixels, want 5000 or more", differ)
	}
	p.do(chromedp.KeyEvent("d"), chromedp.KeyEvent("n"))
	p.wait("crowdView.frame.layers[4].own > 0")
	p.shot("dark")
}

// TestCrowding shows how crowded it is, and who touches whom.
func TestCrowding(t *testing.T) {
	s := serve(t, "antipodal", 0, withAll)
	p := browse(t, s, 1200, 750)
	stepTo(t, s, p, 900)
	before := p.shot("speed")
	for _, name := range []string{"density", "contact"} {
		p.do(chromedp.Evaluate[chromedp.Void](`(() => { const s = document.getElementById("color"); s.value = "` + name + `"; s.dispatchEvent(new Event("change", {bubbles: true})); })()`))
		p.wait(`crowdView.frame.coloring === %d`, map[string]int{"density": int(byDensity), "contact": int(byContact)}[name])
		p.wait(`new Set(new Uint8Array(crowdView.frame.buffer, crowdView.frame.value, crowdView.frame.n)).size > %d`, map[string]int{"density": 5, "contact": 0}[name])
		now := p.shot(name)
		if differ, _ := p.count(before, now); differ < 500 {
			t.Errorf("%s: %d pixels differ, want 500 or more", name, differ)
		}
		before = now
	}
}
