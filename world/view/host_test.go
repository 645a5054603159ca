package view

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// Spot and Motion are a host's own types.
type (
	Spot   struct{ X, Y float64 }
	Motion struct{ X, Y float64 }
)

// Orbit is a behavior of a host: to go round the Target.
type Orbit struct{ Gain float64 }

// orbit carries it out.
type orbit struct {
	pos    frame.In[c.Position]
	target frame.In[c.Target]
	par    frame.In[Orbit]
	steer  frame.Out[c.Steering]
}

func (s *orbit) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.target, &s.par)
	n.Write(&s.steer)
}

func (s *orbit) Run(b *frame.Batch) {
	pos, target, par, steer := s.pos.Of(b), s.target.Of(b), s.par.Of(b), s.steer.Of(b)
	for i := range pos {
		to := r2.Sub(target[i].Vec, pos[i].Vec) // a pull inwards too: however long it runs, it stays in sight
		steer[i].Vec = r2.Add(steer[i].Vec, r2.Scale(par[i].Gain, r2.Vec{X: to.X + to.Y, Y: to.Y - to.X}))
	}
}

var orbitEntry = catalog.Of(catalog.Entry{
	Name: "orbit", Text: "go round the target", Doing: "orbiting",
	Needs: []any{c.Target{}}, Adds: []any{c.Steering{}}, System: func(catalog.Options) any { return &orbit{} },
	Phase: catalog.Steer, Does: catalog.Steers, Priority: 105,
}, func(b *Orbit) []catalog.Param { return []catalog.Param{catalog.GainOf(&b.Gain)} })

// harbor is a world of a host, with types, a behavior and obstacles of its own.
func harbor(t *testing.T, steering *Steering) *world.World {
	t.Helper()
	config := world.Default()
	config.Bind = []frame.Binding{frame.Bound[c.Position, Spot](), frame.Bound[c.Velocity, Motion]()}
	config.Behaviors = []catalog.Entry{orbitEntry}
	config.Steer = []any{steering}
	w := newWorld(t, config)
	limits := c.Limits{MaxSpeed: 2, MaxForce: 5}
	for _, components := range [][]any{
		{c.Target{Vec: r2.Vec{X: 5, Y: 5}}, limits, Orbit{Gain: 1}, c.Radius{Meters: 0.5}},
		{c.Target{Vec: r2.Vec{X: 5, Y: 5}}, limits, c.Arrival{Gain: 1, SlowingRadius: 1}},
	} {
		must(t, w.Spawn(3, components, func(r *world.Rows) {
			for i, at := 0, world.Column[Spot](r); i < r.Len; i++ {
				at[i] = Spot{X: float64(3 * i), Y: 4}
			}
		}))
	}
	if _, err := w.AddObstacle(r2.Vec{X: 20, Y: -3}, c.Obstacle{Radius: 1}); err != nil {
		t.Fatal(err)
	}
	return w
}

// loop runs a host's loop until the test ends, and serves the view.
func loop(t *testing.T, w *world.World, o Options, turn func(*View)) *server {
	t.Helper()
	live := New(w, o)
	over, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-over:
				return
			default:
				turn(live)
			}
		}
	}()
	s, stop := answer(t, live, nil)
	t.Cleanup(func() {
		close(over)
		<-done
		stop()
		live.Close()
	})
	return s
}

// canDo fails unless viewers may do what is wanted, and nothing else.
func (c *client) canDo(want ...string) {
	c.t.Helper()
	c.until("scene", func() bool { return fmt.Sprint(c.text["scene"]["can"]) == fmt.Sprint(want) })
	for what, message := range map[string]string{
		canPause: `{"do":"pause","on":true}`, canPace: `{"do":"pace","x":2}`, canEdit: `{"do":"remove","id":99}`,
		canTune: `{"do":"set","name":"x","value":1}`, canStart: `{"do":"restart"}`,
	} {
		if slices.Contains(want, what) {
			continue
		}
		c.say("%s", message)
		c.until("error", func() bool { return strings.Contains(fmt.Sprint(c.text["error"]), "viewers may not do that here") })
	}
}

// TestHostLoop verifies what viewers of a host's world see, and that they pause its loop.
func TestHostLoop(t *testing.T) {
	steering := &Steering{}
	w := harbor(t, steering)
	var more atomic.Bool
	s := loop(t, w, Options{Name: "harbor", Text: "boats", Steering: steering}, func(v *View) {
		must(t, v.Step())
		if more.Swap(false) {
			must(t, w.Spawn(1, []any{c.Target{}, c.Limits{}, c.Wander{}}, nil))
			if _, err := w.AddObstacle(r2.Vec{X: -9}, c.Obstacle{Radius: 1}); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(time.Millisecond)
	})
	c := connect(t, s)
	c.until("hello", nil)
	if m := c.text["hello"]; len(m["scenes"].([]any)) != 0 || m["maxAgents"] != 0. {
		t.Errorf("hello: got=%v, want no scenes", m)
	}
	c.until("scene", func() bool { return fmt.Sprint(c.text["scene"]["can"]) == "[pause edit]" })
	m := c.text["scene"]
	if m["name"] != "harbor" || m["text"] != "boats" || m["agents"] != 6. || m["unit"] != "m" {
		t.Errorf("scene: got=%v", m)
	}
	if box := m["box"].([]any); box[0].(float64) >= 0 || box[1].(float64) >= -4 || box[2].(float64) <= 21 || box[3].(float64) <= 4 {
		t.Errorf("box: got=%v, want agents and the obstacle in it", box)
	}
	if !slices.Contains(m["behaviors"].([]any), any("orbiting")) || fmt.Sprint(m["archetypes"]) != "[orbit arrival]" {
		t.Errorf("behaviors %v, archetypes %v: want orbiting among them, and orbit and arrival", m["behaviors"], m["archetypes"])
	}
	first := c.look()
	if len(first.pos) != 6 || len(first.segments[layerTargets]) != 6 {
		t.Errorf("first frame: got %d agents and %d targets, want 6", len(first.pos), len(first.segments[layerTargets]))
	}
	c.after(first.step)
	if n := len(c.last.segments[layerSteering]); n != 6 {
		t.Errorf("steering: got=%d, want=6", n)
	}

	c.say(`{"do":"pause","on":true}`)
	c.until("stats", func() bool { return c.text["stats"]["paused"] == true })
	before := c.look().step
	c.say(`{"do":"step","n":5}`)
	c.until("stats", func() bool { return c.text["stats"]["step"].(float64) >= before+5 })
	c.until("stats", nil)
	if got := c.text["stats"]["step"]; got != before+5 {
		t.Errorf("after 5 steps: got=%v, want=%v", got, before+5)
	}
	c.say(`{"do":"select","at":[0,4],"within":1000}`)
	c.until("agent", func() bool { return c.text["agent"]["alive"] == true })
	if text := fmt.Sprint(c.text["agent"]["explanation"]); !strings.Contains(text, "rbit") && !strings.Contains(text, "Arrival") {
		t.Errorf("explanation: got=%s", text)
	}

	obstacles := c.look().obstacles
	more.Store(true)
	c.say(`{"do":"pause","on":false}`)
	for c.look(); c.last.agents != 7 || c.last.obstacles == obstacles; c.look() {
	}
	if told := func() bool { return fmt.Sprint(c.text["scene"]["archetypes"]) == "[orbit arrival wander]" }; !told() {
		c.until("scene", told)
	}
}

// TestPauseEnds verifies that a host's loop goes on when the viewer that paused it is gone.
func TestPauseEnds(t *testing.T) {
	w := harbor(t, &Steering{})
	live := New(w, Options{})
	defer live.Close()
	v := onlooker(live.sim)
	live.Step()
	live.sim.do(ask{v, &asked{Do: "pause", On: true}})
	for range 3 {
		live.Step()
	}
	if got := w.Clock.Tick; got != 1 {
		t.Errorf("paused: got=%d steps, want=1", got)
	}
	live.sim.leave(v)
	live.Step()
	if got := w.Clock.Tick; got != 2 {
		t.Errorf("the viewer that paused it is gone: got=%d steps, want=2", got)
	}
}

// TestPermissions verifies what viewers may do, by who steps the world.
func TestPermissions(t *testing.T) {
	t.Run("Update", func(t *testing.T) {
		w := harbor(t, &Steering{})
		c := connect(t, loop(t, w, Options{}, func(v *View) {
			must(t, w.Step())
			v.Update()
		}))
		c.canDo(canEdit)
		c.after(c.look().step)
	})
	t.Run("Run", func(t *testing.T) {
		live := New(harbor(t, &Steering{}), Options{})
		s, stop := listen(t, live, nil)
		t.Cleanup(stop)
		c := connect(t, s)
		c.until("scene", func() bool { return fmt.Sprint(c.text["scene"]["can"]) == "[pause pace edit]" })
		c.say(`{"do":"pace","x":0}`)
		c.after(c.look().step)
	})
	t.Run("ReadOnly", func(t *testing.T) {
		c := connect(t, serve(t, "seek", 0, func(o *setup) { o.ReadOnly = true }))
		c.canDo()
		c.after(c.look().step)
		if m := c.text["scene"]; len(m["parameters"].([]any)) != 0 || m["pointer"] != "" {
			t.Errorf("scene: got %v and the pointer %v, want nothing to change", m["parameters"], m["pointer"])
		}
	})
}

// TestHostScene verifies that viewers tune a world that a host built from a scene.
func TestHostScene(t *testing.T) {
	sc := named(t, "arrival")
	w, err := sc.Build(scene.Options{})
	must(t, err)
	t.Cleanup(w.Close)
	c := connect(t, loop(t, w, Options{Scene: sc}, func(v *View) { v.Step() }))
	c.canDo(canPause, canEdit, canTune)
	if m := c.text["scene"]; m["name"] != sc.Name || m["text"] != sc.Text || m["unit"] != "px" || m["pointer"] != "" {
		t.Errorf("scene: got=%v", m)
	}
	c.say(`{"do":"set","name":"groups[0].arrival.slowing-radius","value":250}`)
	c.until("scene", func() bool { return strings.Contains(fmt.Sprint(c.text["scene"]["parameters"]), "250") })
}

// TestHostIsLeft verifies that a view leaves the world as it was, and can be had again.
func TestHostIsLeft(t *testing.T) {
	w := harbor(t, &Steering{})
	for range 3 {
		live := New(w, Options{})
		s, stop := answer(t, live, nil)
		c := connect(t, s)
		c.until("scene", nil)
		live.Close()
		c.gone()
		stop()
		must(t, w.Step())
	}
}
