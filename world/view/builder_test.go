package view

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// site is where crowds are made for as long as a test wants.
type site struct {
	began chan string   // name of a scene whose world has been made
	goOn  chan struct{} // lets one go on
	most  atomic.Int32  // made at one time
	now   atomic.Int32
}

// slow lets scenes of that name and others be chosen, and halts the making of those that are not
// built in.
func (b *site) slow(o *setup) {
	b.began, b.goOn = make(chan string, 10), make(chan struct{})
	for _, name := range []string{"slow", "slower", "broken", "missing"} {
		o.List = append(o.List, Named{name, ""})
	}
	o.Open = func(ctx context.Context, name string) (*scene.Scene, error) {
		switch name {
		case "missing":
			return nil, errors.New("missing: no such file")
		case "broken":
			sc, err := scene.Named("seek")
			sc.Dt = -1
			return sc, err
		case "slow", "slower":
			const text = "[[groups]]\ncount = 2\nat = {points = [[1, 5], [9, 5]]}\nradius = 0.3\nmax-speed = 1\nmax-force = 5\n"
			return scene.Read(strings.NewReader(text), name+".toml", scene.OpenOptions{})
		}
		return scene.Named(name)
	}
	o.Fit = func(sc *scene.Scene, _ *world.World) r2.Box { // of scenes without a box
		b.most.Store(max(b.most.Load(), b.now.Add(1)))
		b.began <- sc.Name
		<-b.goOn
		b.now.Add(-1)
		return r2.Box{Max: r2.Vec{X: 10, Y: 10}}
	}
}

// TestBuildStallsNobody verifies that, while one viewer's crowd is made, the others see
// and steer the one that runs, and all know of it, newcomers too.
func TestBuildStallsNobody(t *testing.T) {
	var b site
	s := serve(t, "seek", 0, b.slow)
	one, other := connect(t, s), connect(t, s)
	one.until("hello", nil)
	other.look()
	one.say(`{"do":"scene","name":"slow"}`)
	<-b.began
	by := one.text["hello"]["viewer"]
	for _, c := range []*client{one, other, connect(t, s)} {
		c.until("starting", func() bool { return c.text["starting"]["agents"] == 2. })
		if m := c.text["starting"]; m["by"] != by || m["name"] != "slow" || m["over"] != false {
			t.Errorf("starting: got=%v, want slow by %v", m, by)
		}
	}
	other.after(other.last.step)
	other.say(`{"do":"pointer","at":[123,45]}`)
	for other.look().pointer.X != 123 {
	}
	other.say(`{"do":"pause","on":true}`)
	other.until("stats", func() bool { return other.text["stats"]["paused"] == true })
	other.say(`{"do":"step","n":3}`)
	other.after(other.last.step + 2)
	other.say(`{"do":"select","at":[400,300],"within":1000}`)
	other.until("agent", func() bool { return other.text["agent"]["alive"] == true })
	before := one.text["starting"]["seconds"].(float64)
	one.until("starting", func() bool { return one.text["starting"]["seconds"].(float64) > before })
	if got := s.sim.current.Load(); strings.Contains(string(got.scene), `"slow"`) {
		t.Error("the new crowd is shown before it is made")
	}
	close(b.goOn)
	for _, c := range []*client{one, other} {
		c.until("scene", func() bool { return c.text["scene"]["name"] == "slow" })
		if got := c.look(); got.agents != 2 {
			t.Errorf("agents: got=%d, want=2", got.agents)
		}
	}
}

// TestNewerStart verifies that the newest start counts, whatever an older one comes
// to, and that one crowd is made at a time.
func TestNewerStart(t *testing.T) {
	var b site
	s := serve(t, "seek", 0, b.slow)
	one, other := connect(t, s), connect(t, s)
	build := s.sim.current.Load()
	one.say(`{"do":"scene","name":"slow"}`)
	<-b.began
	other.say(`{"do":"scene","name":"slower"}`)
	one.until("starting", func() bool { return one.text["starting"]["name"] == "slower" })
	other.after(other.look().step)
	if s.sim.current.Load() != build {
		t.Error("another scene is shown while all are being made")
	}
	b.goOn <- struct{}{} // the older one
	if got := <-b.began; got != "slower" {
		t.Errorf("then comes %s, want slower", got)
	}
	b.goOn <- struct{}{}
	one.until("scene", func() bool { return one.text["scene"]["build"] != 1. })
	if m := one.text["scene"]; m["name"] != "slower" || m["build"] != 2. {
		t.Errorf("scene: got build %v of %v, want 2 of slower", m["build"], m["name"])
	}
	if n := b.most.Load(); n != 1 {
		t.Errorf("made at one time: got=%d, want=1", n)
	}
}

// TestStartsAddUp verifies that who changes another number while a crowd is made gets
// both, and that what is tuned meanwhile is kept.
func TestStartsAddUp(t *testing.T) {
	var b site
	s := serve(t, "seek", 0, b.slow)
	c := connect(t, s)
	c.say(`{"do":"scene","name":"slow"}`)
	<-b.began
	b.goOn <- struct{}{}
	c.until("scene", func() bool { return c.text["scene"]["name"] == "slow" })

	c.say(`{"do":"agents","n":77}`)
	<-b.began
	c.say(`{"do":"seed","seed":"5"}`)
	c.say(`{"do":"select"}`)
	c.until("agent", nil) // so that the seed has been heard too
	b.goOn <- struct{}{}
	<-b.began
	c.say(`{"do":"set","name":"groups[0].max-speed","value":3.25}`)
	c.until("scene", func() bool { return c.text["scene"]["maxSpeed"] == 3.25 })
	b.goOn <- struct{}{}
	c.until("scene", func() bool { return c.text["scene"]["seed"] == "5" })
	if m := c.text["scene"]; m["agents"] != 77. || m["maxSpeed"] != 3.25 || m["build"] != 3. {
		t.Errorf("got %v agents with speed %v in build %v, want 77, 3.25 and 3", m["agents"], m["maxSpeed"], m["build"])
	}
}

// TestStartFails verifies that a crowd that cannot be made leaves the old one, and
// says why.
func TestStartFails(t *testing.T) {
	var b site
	s := serve(t, "seek", 0, b.slow)
	one, other := connect(t, s), connect(t, s)
	other.until("hello", nil) // it hears what comes from now on
	for name, want := range map[string]string{"missing": "missing: no such file", "broken": "dt"} {
		one.say(`{"do":"scene","name":%q}`, name)
		one.until("error", nil)
		if text := one.text["error"]["text"].(string); !strings.Contains(text, want) {
			t.Errorf("%s: got=%q, want=%q", name, text, want)
		}
		other.until("starting", func() bool { return other.text["starting"]["over"] == true })
	}
	other.after(other.look().step)
	if m := other.text["error"]; m != nil {
		t.Errorf("who started nothing is told %v", m)
	}
	if m := other.text["scene"]; m["name"] != "seek" || m["build"] != 1. {
		t.Errorf("scene: got build %v of %v, want 1 of seek", m["build"], m["name"])
	}
}

// TestCancelStart verifies that any viewer can call off a start.
func TestCancelStart(t *testing.T) {
	var b site
	s := serve(t, "seek", 0, b.slow)
	one, other := connect(t, s), connect(t, s)
	one.say(`{"do":"scene","name":"slow"}`)
	<-b.began
	other.say(`{"do":"cancel"}`)
	one.until("starting", func() bool { return one.text["starting"]["over"] == true })
	close(b.goOn)
	one.say(`{"do":"scene","name":"flee"}`) // begins when the other one has ended
	one.until("scene", func() bool { return one.text["scene"]["build"] != 1. })
	if m := one.text["scene"]; m["name"] != "flee" || m["build"] != 2. {
		t.Errorf("scene: got build %v of %v, want 2 of flee", m["build"], m["name"])
	}
}

// TestLongStep verifies that a step of minutes keeps none from seeing where the agents
// are before it, from being told of another crowd, and from getting it.
func TestLongStep(t *testing.T) {
	s := serve(t, "predators", 200_000, nil)
	one, other := connect(t, s), connect(t, s)
	for _, c := range []*client{one, other} {
		if got := c.look(); got.step != 0 {
			t.Errorf("first seen: got step %v, want 0", got.step)
		}
	}
	one.say(`{"do":"scene","name":"flee"}`)
	for _, c := range []*client{one, other} {
		c.until("scene", func() bool { return c.text["scene"]["name"] == "flee" })
		c.after(c.look().step)
	}
}

// TestOrderAtOnce verifies that a scene, its size and its seed are ordered by one message.
func TestOrderAtOnce(t *testing.T) {
	s := serve(t, "arrival", 0, nil)
	c := connect(t, s)
	c.say(`{"do":"scene","name":"plaza","n":70,"seed":"9"}`)
	c.until("scene", func() bool { return c.text["scene"]["name"] == "plaza" })
	if m := c.text["scene"]; m["agents"] != 70. || m["size"] != 70. || m["seed"] != "9" {
		t.Errorf("got=%v agents of %v, seed %v, want 70 and 9", m["agents"], m["size"], m["seed"])
	}
	c.say(`{"do":"scene","name":"plaza","n":-1}`)
	c.until("error", nil)
	c.say(`{"do":"scene","name":"plaza","seed":"x"}`)
	c.until("error", nil)
}
