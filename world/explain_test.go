package world_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func at[T any](w *world.World, e ecs.Entity) *T {
	if id := ecs.ComponentID[T](w.ECS); w.ECS.Has(e, id) {
		return (*T)(w.ECS.Get(e, id))
	}
	return nil
}

func stateOf(w *world.World, e ecs.Entity) (s world.State) {
	s.Position = at[c.Position](w, e).Vec
	if v := at[c.Velocity](w, e); v != nil {
		s.Velocity = v.Vec
	}
	if h := at[c.Heading](w, e); h != nil {
		s.Heading = h.Vec
	}
	return s
}

func sameBits(a, b world.State) bool { return fmt.Sprintf("%b", a) == fmt.Sprintf("%b", b) }

func everything(w *world.World) string { return fmt.Sprint(slices.Collect(w.Inspect().States())) }

// Step lengths, as multiples of the initial one.
var dts = []float64{1, 1, 0.5, 1, 1.75, 0, 1}

// follow steps a world. It checks that the agents that pick returns do what Explain predicted, and, in
// every tenth step, that Explain changes nothing.
func follow(t *testing.T, w *world.World, steps int, pick func(step int) []ecs.Entity) {
	t.Helper()
	arrived := map[ecs.Entity]world.State{}
	w.BeforeArrival(func(a systems.Arrived) { arrived[a.Entity] = stateOf(w, a.Entity) })
	dt := w.Clock.Dt
	for step := range steps {
		w.Clock.Dt = dt * dts[step%len(dts)]
		clear(arrived)
		said, agents, before := map[ecs.Entity]*world.Explanation{}, pick(step), ""
		looks := step%10 == 0 // comparing the whole world is slow
		if looks {
			before = everything(w)
		}
		for _, e := range agents {
			if !w.ECS.Alive(e) {
				continue
			}
			x := world.Value(w.Inspect().Explain(e))
			said[e] = x
			checkSums(t, x)
		}
		if looks && everything(w) != before {
			t.Fatalf("step %d: after Explain: got=a changed world, want=an unchanged one", step)
		}
		must(t, w.Step())
		for e, x := range said {
			got, arrives := arrived[e]
			if !arrives {
				if !w.ECS.Alive(e) {
					t.Fatalf("step %d: agent %d: got=removed without an arrival, want=alive", step, x.ID)
				}
				got = stateOf(w, e)
			}
			if w.Clock.Dt == 0 { // Explain describes a step of Config.Dt
				if !sameBits(got, x.Before) || x.Dt != w.Config().Dt {
					t.Fatalf("step %d, a pause, agent %d: got=%+v, want=%+v", step, x.ID, got, x.Before)
				}
				continue
			}
			target := "" // the last, which other systems have not replaced
			for _, s := range x.Shares {
				if s.Target != nil && s.Behavior != "FleeFrom" { // sets Flee.From
					target = fmt.Sprint(*s.Target)
				}
			}
			if target != "" && !arrives && fmt.Sprint(at[c.Target](w, e).Vec) != target {
				t.Errorf("step %d, agent %d: target: got=%v, want=%s", step, x.ID, at[c.Target](w, e).Vec, target)
			}
			if !sameBits(got, x.After) || arrives != x.Arrives || w.ECS.Alive(e) == x.Leaves {
				t.Fatalf("step %d, agent %d: got=%+v arrives=%v, want=%+v arrives=%v leaves=%v\n%+v", step, x.ID, got, arrives, x.After, x.Arrives, x.Leaves, *x)
			}
		}
	}
}

func checkSums(t *testing.T, x *world.Explanation) {
	t.Helper()
	var force, left r2.Vec
	scale, used, some := 0., 0., 0
	for _, s := range x.Shares {
		if f := s.Force; f != nil {
			granted := f.Newtons
			if f.Granted != nil {
				if granted = *f.Granted; granted != (r2.Vec{}) {
					used, some = used+r2.Norm(granted), some+1
				}
			}
			force, left = r2.Add(force, granted), r2.Add(left, f.Truncated)
			scale += r2.Norm(f.Newtons) + r2.Norm(granted)
			if n := r2.Norm(f.Raw) + r2.Norm(f.Newtons); n-n != 0 {
				return // not finite
			}
			if f.Gain == 0 && f.GainUnit != "" && f.Newtons != (r2.Vec{}) {
				t.Errorf("agent %d, %s: got=%v N with a gain of 0, want=no force", x.ID, s.Behavior, f.Newtons)
			}
			if want := r2.Scale(f.Gain, f.Raw); f.GainUnit != "" && !near(f.Newtons, want, r2.Norm(want)) {
				t.Errorf("agent %d, %s: got=%v, want=%v, gain times raw", x.ID, s.Behavior, f.Newtons, want)
			}
		}
	}
	if x.Combination == systems.CombinePriority && x.MaxForce >= 0 && used > x.MaxForce*(1+1e-12) {
		t.Errorf("agent %d: granted by priority: got=%v N, want=at most %v", x.ID, used, x.MaxForce)
	}
	if x.Combination == systems.CombineDithering && some > 1 {
		t.Errorf("agent %d: granted by dithering: got=%d forces, want=at most 1", x.ID, some)
	}
	if !near(force, x.Force, scale) {
		t.Errorf("agent %d: sum of the forces: got=%v, want=%v", x.ID, force, x.Force)
	}
	if !near(left, x.Truncated, scale) {
		t.Errorf("agent %d: sum of the truncated forces: got=%v, want=%v", x.ID, left, x.Truncated)
	}
	if n := r2.Norm(x.Truncated); n > x.MaxForce*(1+1e-12) {
		t.Errorf("agent %d: truncated force: got=%v N, want=at most %v", x.ID, n, x.MaxForce)
	}
}

func near(a, b r2.Vec, scale float64) bool {
	return r2.Norm(r2.Sub(a, b)) <= 1e-12*scale
}

func build(t *testing.T, name string, agents int, mode systems.Combination) *world.World {
	t.Helper()
	s := world.Value(scene.Named(name))
	if s.Agents() > agents {
		s.Resize(agents)
	}
	if s.Combination = mode; mode != systems.CombineSum {
		s.Priority = []string{"seek"}
	}
	w := world.Value(s.Build(scene.Options{Workers: 2, Measure: true}))
	t.Cleanup(w.Close)
	return w
}

// agentsOf returns the agents with the IDs 1, 2, … up to the first missing ID.
func agentsOf(w *world.World) (all []ecs.Entity) {
	for id := uint64(1); ; id++ {
		e, ok := w.Entity(id)
		if !ok {
			return all
		}
		all = append(all, e)
	}
}

func TestExplainScenes(t *testing.T) {
	t.Parallel()
	for i, name := range scene.Names() {
		for _, mode := range []systems.Combination{systems.CombineSum, []systems.Combination{systems.CombinePriority, systems.CombineDithering}[i%2]} {
			t.Run(mode.String()+"/"+name, func(t *testing.T) {
				w, plain := build(t, name, 60, mode), build(t, name, 60, mode)
				all, steps := agentsOf(w), 15
				if mode == systems.CombineSum {
					steps = 40
				}
				follow(t, w, steps, func(step int) []ecs.Entity {
					testkit.Equal(t, w.Hash(), plain.Hash(), "hash after %d steps", step)
					plain.Clock.Dt = w.Clock.Dt
					must(t, plain.Step())
					return []ecs.Entity{all[0], all[len(all)-1], all[step%len(all)], all[step*7%len(all)]}
				})
				got, want := w.Stats(), plain.Stats()
				for _, s := range []*world.Stats{&got, &want} {
					s.StepTime, s.Frame.Workers = 0, nil // the share of each worker is random
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("counts: got=%+v, want=%+v", got, want)
				}
				testkit.Equal(t, w.Obstacles.Occupancy(), plain.Obstacles.Occupancy(), "index")
			})
		}
	}
}

func TestExplainLeavesTheIndex(t *testing.T) {
	for _, comp := range []any{c.Containment{Gain: 1, Horizon: 40}, c.WallFollowing{Gain: 1, Range: 40}, c.ThreatScan{LookAhead: 40}} {
		for _, steps := range []int{0, 3} {
			var got [2]sense.Occupancy
			for i := range got {
				w := made(t, world.Default())
				world.Value(w.AddObstacle(r2.Vec{X: 3}, c.Obstacle{Radius: 1}))
				must(t, w.Spawn(1, []any{c.Velocity{Vec: r2.Vec{X: 1}}, c.Limits{MaxSpeed: 1, MaxForce: 1}, comp}, nil))
				run(t, w, steps)
				e, _ := w.Entity(1)
				scan := cmp.Or(at[c.ThreatScan](w, e), &c.ThreatScan{})
				if i == 1 {
					scan.LookAhead += 260
					world.Value(w.Inspect().Explain(e))
					scan.LookAhead -= 260
				}
				run(t, w, 1)
				got[i] = w.Obstacles.Occupancy()
			}
			testkit.Equal(t, got[1], got[0], "%T, after %d steps: index", comp, steps)
		}
	}
}

// Components of a host; blank is a tag.
type (
	hunger struct {
		Grams float32
		since [2]int
		Food  ecs.Entity
	}
	blank struct{}
	rank  uint8
)

type wind struct{ steer frame.Out[c.Steering] }

func (s *wind) Needs(n *frame.Needs) { n.Write(&s.steer) }
func (s *wind) Run(b *frame.Batch)   { s.steer.Of(b)[0].X++ }

type look struct{ pos frame.In[c.Position] }

func (s *look) Needs(n *frame.Needs) { n.Read(&s.pos) }
func (s *look) Run(*frame.Batch)     {}

func TestExplainHost(t *testing.T) {
	config := world.Default()
	config.Steer = []any{&look{}, &wind{}}
	w := made(t, config)
	e := w.ECS.NewEntity()
	systems.Add(w.ECS, e, c.Position{Vec: r2.Vec{X: 1, Y: 2}}, hunger{Grams: 0.1, since: [2]int{3, 4}, Food: e}, blank{}, rank(7))
	x := world.Value(w.Inspect().Explain(e))
	want := []world.Component{
		{"Position", []world.Field{{"X", "1"}, {"Y", "2"}}},
		{"world_test.blank", []world.Field{}},
		{"world_test.hunger", []world.Field{{"Grams", "0.1"}, {"since", "[3, 4]"}, {"Food", "entity 1"}}},
		{"world_test.rank", []world.Field{{"", "7"}}},
	}
	if !reflect.DeepEqual(x.Components, want) {
		t.Errorf("components: got=%v, want=%v", x.Components, want)
	}
	if x.LeftOut != nil || x.MovedBy != "" || x.After != x.Before {
		t.Errorf("without Steering and Velocity: got=%+v, want=nothing left out, nothing moved", x)
	}
	systems.Add(w.ECS, e, c.Steering{})
	if x := world.Value(w.Inspect().Explain(e)); !slices.Equal(x.LeftOut, []string{"wind"}) {
		t.Errorf("left out: got=%v, want=[wind]", x.LeftOut)
	}
}

func TestExplainErrors(t *testing.T) {
	w := made(t, world.Default())
	nowhere, dead := w.ECS.NewEntity(), w.ECS.NewEntity()
	w.ECS.RemoveEntity(dead)
	for want, e := range map[string]ecs.Entity{
		"cannot explain entity 1: it has no Position":   nowhere,
		"cannot explain entity 2: it is dead":           dead,
		"cannot explain the zero entity, want an agent": {},
	} {
		testkit.Equal(t, fmt.Sprint(world.Failure(w.Inspect().Explain(e))), want, "error")
	}
}

func TestExplanationJSON(t *testing.T) {
	w := made(t, world.Default())
	world.Value(w.AddObstacle(r2.Vec{X: 3}, c.Obstacle{Radius: 1}))
	must(t, w.Spawn(1, []any{
		c.Velocity{Vec: r2.Vec{X: 1}}, c.Target{Vec: r2.Vec{Y: 5}}, c.Limits{MaxSpeed: 2, MaxForce: math.Inf(1)},
		c.Seek{Gain: 3}, c.KinematicSeek{}, c.Facing{Rate: 1}, c.ThreatScan{LookAhead: 4}, c.Avoidance{MaxForce: 6},
	}, nil))
	e, _ := w.Entity(1)
	x := world.Value(w.Inspect().Explain(e))
	text := world.Value(json.Marshal(*x))
	for _, want := range []string{
		`{"id":1,"time":0,`, `"before":{"position":{"X":0,"Y":0},"velocity":{"X":1,"Y":0},"heading":{"X":1,"Y":0}}`,
		`{"behavior":"KinematicSeek","velocity":{"X":0,"Y":0}}`,
		`{"behavior":"Seek","raw":{"X":-1,"Y":2},"rawUnit":"m/s","gain":3,"gainUnit":"kg/s","force":{"X":-3,"Y":6},"truncated":{"X":-3,"Y":6}}`,
		`"maxForce":"Infinity","maxSpeed":2,"mass":1`, `"lookAhead":4`, `{"name":"MaxForce","value":"+Inf"}`,
		`"threat":{"contact":{"X":2,"Y":0},"normal":{"X":-1,"Y":0},"distance":2,"obstacle":"entity 1","kind":"circle","position":{"X":3,"Y":0},"radius":1}`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("JSON: got=%s, want=text that contains %s", text, want)
		}
	}
}
