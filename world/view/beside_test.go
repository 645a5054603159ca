package view

import (
	rgb "image/color"
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/world/scene"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

// besideText is walkerText with somebody who leaves after a second.
var besideText = strings.Replace(strings.Replace(walkerText, "1000, 10", "6, 10", 1), "kinematic-seek", "goal = {radius = 0.1, then = \"leave\"}\nkinematic-seek", 1)

// recorded are two people: one who walks to the right by 2 m/s from (5, 15) on, for 5 s, and
// one who stands at (40, 5) up to 2 s.
func recorded() *Beside {
	return &Beside{
		Name: "folder/camera.txt", People: 2, Radius: 0.5, Box: r2.NewBox(5, 5, 40, 15), End: 5,
		At: func(t float64, show func(at, ahead r2.Vec)) {
			if t <= 5 {
				show(r2.Vec{X: 5 + 2*t, Y: 15}, r2.Vec{X: 2})
			}
			if t <= 2 {
				show(r2.Vec{X: 40, Y: 5}, r2.Vec{})
			}
		},
	}
}

// serveBeside serves a walker with recorded people beside it.
func serveBeside(t *testing.T) *server {
	t.Helper()
	sc, err := scene.Read(strings.NewReader(besideText), "walker.toml")
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, "arrival", 0, func(o *setup) {
		o.name, o.scene, o.List = "walker", sc, []Named{{"walker", sc.Text}, {"arrival", "a"}}
		o.Beside = recorded()
	})
}

// TestBesideFrames holds that those who are in the window are sent, where they are at the
// time of the frame; that they begin again with the scene; and that another scene has none.
func TestBesideFrames(t *testing.T) {
	s := serveBeside(t)
	c := connect(t, s)
	c.say(`{"do":"pause","on":true}`)
	c.until("stats", func() bool { return c.text["stats"]["paused"] == true })
	look := func(window string) [][4]float32 {
		t.Helper()
		c.say(`{"do":"next","view":%s,"pixels":[800,600],"color":"speed","layers":["beside"]}`, window)
		c.until("frame", nil)
		return c.last.segments[layerBeside]
	}
	const all = "[0,0,50,20]"
	holds := func(got [][4]float32, time float64, people int) {
		t.Helper()
		if len(got) != people {
			t.Fatalf("at %v s: got=%v, want=%d people", time, got, people)
		}
		if x := c.last.box.Min.X + float64(got[0][0]); math.Abs(x-5-2*c.last.time) > 1e-4 || got[0][2] != 2 || got[0][3] != 0 || math.Abs(c.last.time-time) > 1e-9 {
			t.Errorf("at %v s: got=%v at %v, want %v m at %v s, to the right", c.last.time, got[0], x, 5+2*time, time)
		}
	}
	holds(look(all), c.last.time, 2)
	if got := look("[0,12,50,20]"); len(got) != 1 {
		t.Errorf("in a part: got=%v, want one of two", got)
	}
	c.say(`{"do":"restart"}`)
	c.until("scene", func() bool { return c.text["scene"]["build"] == 2. })
	holds(look(all), 0, 2)
	c.say(`{"do":"step","n":60}`)
	c.until("stats", func() bool { return c.text["stats"]["step"] == 60. })
	if got := c.text["stats"]; got["beside"] != 1. || got["out"] != nil {
		t.Errorf("after 3 s: got=%v there, out %v, want 1, and the scene goes on until the last is gone", got["beside"], got["out"])
	}
	holds(look(all), 3, 1)
	c.say(`{"do":"step","n":60}`)
	c.until("stats", func() bool { return c.text["stats"]["out"] != nil })
	if out := c.text["stats"]["out"].(float64); math.Abs(out-5) > 0.1 {
		t.Errorf("the scene ends at %v s, want 5, when the last is gone", out)
	}
	c.say(`{"do":"scene","name":"arrival"}`)
	c.until("scene", func() bool { return c.text["scene"]["name"] == "arrival" })
	if m := c.text["scene"]["beside"]; m != nil {
		t.Errorf("another scene: got=%v, want nobody", m)
	}
	c.say(asks)
	c.until("frame", func() bool { return c.last.build == 3 })
	if c.last.layers&layerBeside != 0 {
		t.Error("another scene: its frames have recorded people")
	}
}

// TestBesidePage holds that the page shows rings where recorded people are, says how many, and
// hides them.
func TestBesidePage(t *testing.T) {
	s := serveBeside(t)
	p := browse(t, s, 1100, 700)
	stepTo(t, s, p, 20)
	p.do(chromedp.KeyEvent("8"), chromedp.KeyEvent("f"))
	p.wait(`crowdView.frame.layers[6].count === 2 && document.getElementById("beside-words").textContent === "2 of 2 recorded people"`)
	p.wait(`document.getElementById("hud").textContent.endsWith(" · 2 recorded")`)
	with := p.shot("light")
	at := func(of picture, x, y float64) rgb.RGBA {
		q := p.screen(r2.Vec{X: x, Y: y})
		return p.pixels(of).RGBAAt(int(q.X), int(q.Y))
	}
	floor := at(with, 20, 3)
	// The first is at (7, 15), and its nose ahead of it; what is inside is let through.
	if rim, inside, nose := apart(at(with, 7, 15.47), floor), apart(at(with, 7, 15), floor), apart(at(with, 7.62, 15), floor); rim < 200 || inside > 40 || nose < 100 {
		t.Errorf("the ring is %d from the floor, its middle %d, the nose %d", rim, inside, nose)
	}
	if q := p.screen(r2.Vec{X: 40, Y: 5}); q.X > 1100-300 {
		t.Errorf("the second is at %v, want it in sight", q)
	}
	p.do(chromedp.KeyEvent("b"))
	p.wait("crowdView.frame.layers[6].offset === 0")
	if got := apart(at(p.shot("without"), 7, 15.47), floor); got > 10 {
		t.Errorf("switched off: the ring is %d from the floor", got)
	}
	p.do(chromedp.KeyEvent("b"), chromedp.KeyEvent("d"))
	p.wait("crowdView.frame.layers[6].count === 2")
	p.shot("dark")
	p.choose("arrival")
	p.wait(`document.getElementById("beside").hidden && document.querySelector("[data-layer=beside]").parentElement.hidden`)
}
