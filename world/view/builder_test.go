package view

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

type site struct {
	*server
	began chan string   // scene whose world is being built
	goOn  chan struct{} // lets one build finish
	most  atomic.Int32  // concurrent builds
	now   atomic.Int32
}

// slowServer lets viewers choose scenes whose builds wait (slow, slower) or fail (broken, missing, huge).
func slowServer(t *testing.T) *site {
	t.Helper()
	b := &site{began: make(chan string, 10), goOn: make(chan struct{})}
	b.server = serve(t, "seek", 0, func(o *setup) {
		for _, name := range []string{"slow", "slower", "broken", "missing", "huge"} {
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
			case "huge":
				sc, err := scene.Named("plaza")
				sc.Resize(MaxAgents + 1)
				return sc, err
			case "slow", "slower":
				const text = "[[groups]]\ncount = 2\nat = {points = [[1, 5], [9, 5]]}\nradius = 0.3\nmax-speed = 1\nmax-force = 5\n"
				return scene.Read(strings.NewReader(text), name+".toml", scene.OpenOptions{})
			}
			return scene.Named(name)
		}
		o.Fit = func(sc *scene.Scene, _ *world.World) r2.Box { // called for scenes without a box
			b.most.Store(max(b.most.Load(), b.now.Add(1)))
			b.began <- sc.Name
			<-b.goOn
			b.now.Add(-1)
			return r2.Box{Max: r2.Vec{X: 10, Y: 10}}
		}
	})
	return b
}

func TestBuildBlocksNoViewer(t *testing.T) {
	s := slowServer(t)
	one, other := connect(t, s.server), connect(t, s.server)
	one.until("hello", nil)
	other.look()
	one.say(`{"do":"scene","name":"slow"}`)
	<-s.began
	for _, c := range []*client{one, other, connect(t, s.server)} {
		c.wait("starting", "agents", 2, "by", one.text["hello"]["viewer"], "name", "slow", "over", false)
	}
	other.after(other.last.Step)
	other.say(`{"do":"pointer","at":[123,45]}`)
	other.lookUntil(func(d *decoded) bool { return d.Pointer.X == 123 })
	other.pause()
	other.steps(3)
	other.say(`{"do":"select","at":[400,300],"within":1000}`)
	other.wait("agent", "alive", true)
	before := one.text["starting"]["seconds"].(float64)
	one.until("starting", func() bool { return one.text["starting"]["seconds"].(float64) > before })
	if got := s.sim.current.Load(); strings.Contains(string(got.scene), `"slow"`) {
		t.Error("scene during the build: got=the new scene, want=the old one")
	}
	close(s.goOn)
	for _, c := range []*client{one, other} {
		c.wait("scene", "name", "slow")
		testkit.Equal(t, c.look().Agents, 2, "agents")
	}
}

func TestNewerStart(t *testing.T) {
	s := slowServer(t)
	one, other := connect(t, s.server), connect(t, s.server)
	build := s.sim.current.Load()
	one.say(`{"do":"scene","name":"slow"}`)
	<-s.began
	other.say(`{"do":"scene","name":"slower"}`)
	one.wait("starting", "name", "slower")
	other.after(other.look().Step)
	testkit.Equal(t, s.sim.current.Load(), build, "scene during builds")
	s.goOn <- struct{}{}
	testkit.Equal(t, <-s.began, "slower", "next build")
	s.goOn <- struct{}{}
	one.until("scene", func() bool { return !one.has("scene", "build", 1) })
	one.check("scene", "name", "slower", "build", 2)
	testkit.Equal(t, s.most.Load(), 1, "concurrent builds")
}

func TestStartsAddUp(t *testing.T) {
	s := slowServer(t)
	c := connect(t, s.server)
	c.say(`{"do":"scene","name":"slow"}`)
	<-s.began
	s.goOn <- struct{}{}
	c.wait("scene", "name", "slow")

	c.say(`{"do":"agents","n":77}`)
	<-s.began
	c.say(`{"do":"seed","seed":"5"}`)
	c.say(`{"do":"select"}`)
	c.until("agent", nil) // by then, the seed has also been handled
	s.goOn <- struct{}{}
	<-s.began
	c.say(`{"do":"set","name":"groups[0].max-speed","value":3.25}`)
	c.wait("scene", "maxSpeed", 3.25)
	c.say(`{"do":"add","at":[3,3],"to":[3,9],"radius":0.25}`)
	c.wait("scene", "drawn", true)
	s.goOn <- struct{}{}
	c.wait("scene", "seed", "5")
	c.check("scene", "agents", 77, "maxSpeed", 3.25, "build", 3, "drawn", true)
	c.wait("stats", "obstacles", 1)
	testkit.Equal(t, len(c.file().Obstacles.Walls), 1, "walls in the file")
}

func TestEditsAroundCopy(t *testing.T) {
	s := simulationOf(t, "evacuation", 20)
	_, err := s.world.AddPolygon([]r2.Vec{{}, {X: 1}, {Y: 1}})
	must(t, err)
	s.list()
	v, before := onlooker(s), s.solids.count
	hearFrom(t, s, v, `{"do":"add","at":[3,3],"to":[3,9],"radius":0.25}`)
	next, err := s.carryOut(context.Background(), orderOf(nil, v, &asked{Do: "restart"}))
	must(t, err)
	hearFrom(t, s, v, `{"do":"add","at":[4,4],"to":[5,4],"door":true}`)
	hearFrom(t, s, v, `{"do":"remove","id":1}`)
	must(t, s.show(next))
	testkit.Equal(t, s.solids.count, before+1, "obstacles")
	testkit.Equal(t, s.drawn, true, "drawn")
	for _, of := range []string{"scene", "world"} {
		all := s.scene.Obstacles
		testkit.Equal(t, [3]int{len(all.Doors), len(all.Polygons), len(all.Walls)}, [3]int{1, 2, before - 2}, "doors, polygons and walls of the %s", of)
		s.keepObstacles()
	}
}

func TestStartFails(t *testing.T) {
	s := slowServer(t)
	one, other := connect(t, s.server), connect(t, s.server)
	other.until("hello", nil)
	for name, want := range map[string]string{"missing": "missing: no such file", "broken": "dt", "huge": "the view shows at most 2000000"} {
		one.refused(`{"do":"scene","name":"`+name+`"}`, want)
		other.wait("starting", "over", true)
	}
	other.after(other.look().Step)
	testkit.Equal(t, other.text["error"] == nil, true, "the other viewer gets no error")
	other.check("scene", "name", "seek", "build", 1)

	one.say(`{"do":"scene","name":"slow"}`)
	<-s.began
	one.wait("starting", "name", "slow", "over", false)
	other.say(`{"do":"cancel"}`)
	one.wait("starting", "over", true)
	close(s.goOn)
	one.say(`{"do":"scene","name":"flee"}`) // begins when the canceled build has ended
	one.until("scene", func() bool { return !one.has("scene", "build", 1) })
	one.check("scene", "name", "flee", "build", 2)
}

func TestLongStep(t *testing.T) {
	s := serve(t, "predators", 200_000, nil)
	both := []*client{connect(t, s), connect(t, s)}
	for _, c := range both {
		testkit.Equal(t, c.look().Step, 0, "first step seen")
	}
	both[0].say(`{"do":"scene","name":"flee"}`)
	for _, c := range both {
		c.wait("scene", "name", "flee")
		c.after(c.look().Step)
	}
}
