package view

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

type (
	Spot   struct{ X, Y float64 }
	Motion struct{ X, Y float64 }
)

// Orbit is a behavior of a host: its agents circle the Target.
type Orbit struct{ Gain float64 }

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
		to := r2.Sub(target[i].Vec, pos[i].Vec) // has an inward component, so agents stay in view
		steer[i].Vec = r2.Add(steer[i].Vec, r2.Scale(par[i].Gain, r2.Vec{X: to.X + to.Y, Y: to.Y - to.X}))
	}
}

var orbitEntry = catalog.Of(catalog.Entry{
	Name: "orbit", Text: "go round the target", Doing: "orbiting",
	Needs: []any{c.Target{}}, Adds: []any{c.Steering{}}, System: func(catalog.Options) any { return &orbit{} },
	Phase: catalog.Steer, Does: catalog.Steers, Priority: 105,
}, func(b *Orbit) []catalog.Param { return []catalog.Param{catalog.GainOf(&b.Gain)} })

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
	_, err := w.AddObstacle(r2.Vec{X: 20, Y: -3}, c.Obstacle{Radius: 1})
	must(t, err)
	return w
}

// loop calls turn in a host's loop until the test ends, and serves the view.
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

func (c *client) canDo(want ...string) {
	c.t.Helper()
	c.wait("scene", "can", want)
	for what, message := range map[string]string{
		canPause: `{"do":"pause","on":true}`, canPace: `{"do":"pace","x":2}`, canEdit: `{"do":"remove","id":99}`, canSeek: `{"do":"seek","tick":1}`,
		canTune: `{"do":"set","name":"x","value":1}`, canStart: `{"do":"restart"}`,
	} {
		if !slices.Contains(want, what) {
			c.refused(message, "viewers may not do that here")
		}
	}
}

func TestHostLoop(t *testing.T) {
	steering := &Steering{}
	w := harbor(t, steering)
	var more atomic.Bool
	s := loop(t, w, Options{Name: "harbor", Text: "boats", Steering: steering}, func(v *View) {
		must(t, v.Step())
		if more.Swap(false) {
			must(t, w.Spawn(1, []any{c.Target{}, c.Limits{}, c.Wander{}}, nil))
			_, err := w.AddObstacle(r2.Vec{X: -9}, c.Obstacle{Radius: 1})
			must(t, err)
		}
		time.Sleep(time.Millisecond)
	})
	c := connect(t, s)
	c.wait("hello", "scenes", "[]", "maxAgents", 0)
	c.wait("scene", "can", "[pause edit]")
	c.check("scene", "name", "harbor", "text", "boats", "agents", 6, "unit", "m", "archetypes", "[orbit arrival]")
	m := c.text["scene"]
	if box := list[float64](m, "box"); box[0] >= 0 || box[1] >= -4 || box[2] <= 21 || box[3] <= 4 {
		t.Errorf("box: got=%v, want a box around the agents and the obstacle", box)
	}
	if words := list[string](m, "behaviors"); !slices.Contains(words, "orbiting") {
		t.Errorf("behaviors: got=%v, want orbiting among them", words)
	}
	first := c.look()
	testkit.Equal(t, len(first.pos), 6, "agents in the first frame")
	testkit.Equal(t, len(first.segments[layerTargets]), 6, "targets in the first frame")
	c.after(first.Step)
	testkit.Equal(t, len(c.last.segments[layerSteering]), 6, "steering")

	c.pause()
	c.steps(5)
	c.say(`{"do":"select","at":[0,4],"within":1000}`)
	c.wait("agent", "alive", true)
	if text := fmt.Sprint(c.text["agent"]["explanation"]); !strings.Contains(text, "rbit") && !strings.Contains(text, "Arrival") {
		t.Errorf("explanation: got=%s, want orbit or arrival in it", text)
	}

	c.say(`{"do":"select","id":"7"}`)
	c.wait("agent", "id", "7", "alive", false)
	obstacles := c.look().Obstacles
	more.Store(true)
	c.say(`{"do":"pause","on":false}`)
	c.lookUntil(func(d *decoded) bool { return d.Agents == 7 && d.Obstacles != obstacles })
	c.wait("agent", "id", "7", "alive", true)
	if archetypes := "[orbit arrival wander]"; !c.has("scene", "archetypes", archetypes) {
		c.wait("scene", "archetypes", archetypes)
	}
}

func TestPauseEnds(t *testing.T) {
	w := harbor(t, &Steering{})
	live := New(w, Options{})
	defer live.Close()
	v := onlooker(live.sim)
	must(t, live.Step())
	live.sim.do(ask{v, &asked{Do: "pause", On: true}})
	for range 3 {
		must(t, live.Step())
	}
	testkit.Equal(t, w.Clock.Tick, 1, "steps, paused")
	live.sim.leave(v)
	must(t, live.Step())
	testkit.Equal(t, w.Clock.Tick, 2, "steps without the viewer")
}

func TestEndPauses(t *testing.T) {
	sc, err := scene.Read(strings.NewReader(besideText), "walker.toml", scene.OpenOptions{})
	must(t, err)
	for _, steps := range []int{hostSteps, viewSteps, viewKeepsPace} {
		w, err := sc.Build(scene.Options{})
		must(t, err)
		live := New(w, Options{Scene: sc})
		onlooker(live.sim)
		for w.Departed() == 0 {
			switch steps {
			case hostSteps:
				must(t, w.Step())
				live.Update()
			case viewSteps:
				must(t, live.Step())
			case viewKeepsPace:
				live.sim.steppedBy(viewKeepsPace)
				must(t, live.sim.step())
			}
		}
		testkit.Near(t, live.sim.out, 1, 0.2, "steps %d: end, s", steps)
		testkit.Equal(t, live.sim.paused, steps == viewKeepsPace, "steps %d: paused at the end", steps)
		live.Close()
		w.Close()
	}
}

func TestPermissions(t *testing.T) {
	t.Run("Update", func(t *testing.T) {
		w := harbor(t, &Steering{})
		c := connect(t, loop(t, w, Options{}, func(v *View) {
			must(t, w.Step())
			v.Update()
		}))
		c.canDo(canEdit)
		c.after(c.look().Step)
	})
	t.Run("Run", func(t *testing.T) {
		s, stop := listen(t, New(harbor(t, &Steering{}), Options{}), nil)
		t.Cleanup(stop)
		c := connect(t, s)
		c.wait("scene", "can", "[pause pace edit]")
		c.say(`{"do":"pace","x":0}`)
		c.after(c.look().Step)
	})
	t.Run("ReadOnly", func(t *testing.T) {
		c := connect(t, serve(t, "seek", 0, func(o *setup) { o.ReadOnly = true }))
		c.canDo()
		c.refused(`{"do":"file"}`, "file")
		c.after(c.look().Step)
		c.check("scene", "parameters", "[]", "pointer", "")
	})
	t.Run("Scene", func(t *testing.T) {
		sc := named(t, "arrival")
		w, err := sc.Build(scene.Options{})
		must(t, err)
		t.Cleanup(w.Close)
		c := connect(t, loop(t, w, Options{Scene: sc}, func(v *View) { must(t, v.Step()) }))
		c.canDo(canPause, canEdit, canTune)
		c.check("scene", "name", sc.Name, "text", sc.Text, "unit", "px", "pointer", "")
		c.say(`{"do":"set","name":"groups[0].arrival.slowing-radius","value":250}`)
		c.until("scene", func() bool { return strings.Contains(fmt.Sprint(c.text["scene"]["parameters"]), "250") })
	})
}

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
