package view

import (
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// besideText is a scene in which one agent walks to the right by 1 m/s, from (5, 10) on, and
// leaves after a second.
const besideText = `
name = "walker"
text = "somebody walks to the right"
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
	must(t, err)
	return serve(t, "arrival", 0, func(o *setup) {
		o.name, o.scene, o.List = "walker", sc, []Named{{"walker", sc.Text}, {"arrival", "a"}}
		o.Beside = recorded()
	})
}

// TestBesideFrames verifies that a frame has the recorded people inside the window, where they are
// at its time; that a restart begins them again; and that another scene has none.
func TestBesideFrames(t *testing.T) {
	s := serveBeside(t)
	c := connect(t, s)
	c.say(`{"do":"pause","on":true}`)
	c.until("stats", func() bool { return c.text["stats"]["paused"] == true })
	look := func(window string, time float64) [][4]float32 { // frames of before may come first
		t.Helper()
		for {
			c.say(`{"do":"next","view":%s,"pixels":[800,600],"color":"speed","layers":["beside"]}`, window)
			if c.until("frame", nil); c.last.build == 2 && math.Abs(c.last.time-time) <= 1e-9 {
				return c.last.segments[layerBeside]
			}
		}
	}
	const all = "[0,0,50,20]"
	holds := func(time float64, people int) {
		t.Helper()
		got := look(all, time)
		if len(got) != people {
			t.Fatalf("at %v s: got=%v, want=%d people", time, got, people)
		}
		if x := c.last.box.Min.X + float64(got[0][0]); math.Abs(x-5-2*c.last.time) > 1e-4 || got[0][2] != 2 || got[0][3] != 0 {
			t.Errorf("at %v s: got=%v at %v, want %v m at %v s, to the right", c.last.time, got[0], x, 5+2*time, time)
		}
	}
	c.say(`{"do":"restart"}`) // however far it has run
	c.until("scene", func() bool { return c.text["scene"]["build"] == 2. })
	holds(0, 2)
	if got := look("[0,12,50,20]", 0); len(got) != 1 {
		t.Errorf("in a part: got=%v, want one of two", got)
	}
	c.say(`{"do":"step","n":60}`)
	c.until("stats", func() bool { return c.text["stats"]["step"] == 60. })
	if got := c.text["stats"]; got["beside"] != 1. || got["out"] != nil {
		t.Errorf("after 3 s: got=%v there, out %v, want 1, and the scene goes on until the last is gone", got["beside"], got["out"])
	}
	holds(3, 1)
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
