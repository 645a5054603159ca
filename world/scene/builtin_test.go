package scene

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// build returns a built-in scene, with at most 250 agents, and its world.
func build(t *testing.T, name string) (*Scene, *world.World) { return buildOf(t, name, 250) }

func buildOf(t *testing.T, name string, most int) (*Scene, *world.World) {
	s := loaded(t, name)
	if s.Agents() > most {
		s.Resize(most)
	}
	w := builtWith(t, s, Options{Workers: 1, Measure: true})
	return s, w
}

func agents(w *world.World, visit func(id uint64, p, v, heading r2.Vec)) {
	id, pos, vel := ecs.ComponentID[c.Agent](w.ECS), ecs.ComponentID[c.Position](w.ECS), ecs.ComponentID[c.Velocity](w.ECS)
	head := ecs.ComponentID[c.Heading](w.ECS)
	q := w.ECS.Query(ecs.All(id, pos, vel))
	for q.Next() {
		heading := r2.Vec{X: 1}
		if q.Has(head) {
			heading = (*c.Heading)(q.Get(head)).Vec
		}
		visit((*c.Agent)(q.Get(id)).ID, (*c.Position)(q.Get(pos)).Vec, (*c.Velocity)(q.Get(vel)).Vec, heading)
	}
}

// part returns component T of an agent, or nil.
func part[T any](w *world.World, agent uint64) *T {
	e, ok := w.Entity(agent)
	if id := ecs.ComponentID[T](w.ECS); ok && w.ECS.Has(e, id) {
		return (*T)(w.ECS.Get(e, id))
	}
	return nil
}

func run(t *testing.T, w *world.World, steps int, after func(step int)) {
	t.Helper()
	for i := range steps {
		noError(t, w.Step())
		after(i)
	}
	testkit.Equal(t, w.Stats().Skipped, 0, "skipped rows")
}

func TestBuiltinRun(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			most := 120
			if name == "siege" {
				most = 404 // with fewer, some ranks never form
			}
			s, w := buildOf(t, name, most)
			starts := map[uint64]r2.Vec{}
			agents(w, func(id uint64, p, _, _ r2.Vec) { starts[id] = p })
			if len(starts) != s.Agents() {
				t.Fatalf("agents: got=%d, want=%d", len(starts), s.Agents())
			}
			moved := map[uint64]bool{}
			waiting := func() bool { return slices.Contains(slices.Collect(maps.Values(moved)), false) }
			for left := min(s.Steps, 600); left > 0 && (left > 400 || waiting()); left -= 100 {
				run(t, w, min(left, 100), func(step int) {
					agents(w, func(id uint64, p, v, heading r2.Vec) {
						if !vec.Finite(p) || !vec.Finite(v) || math.Abs(vec.Norm(heading)-1) > 1e-9 {
							t.Fatalf("step %d, agent %d: got=position %v, velocity %v, heading %v, want=finite, and a unit heading", w.Stats().Steps, id, p, v, heading)
						}
						moved[id] = moved[id] || p != starts[id]
					})
				})
			}
			if len(moved)+w.Departed() < s.Agents() { // agents that start at their goal leave immediately
				t.Errorf("agents: got=%d that were seen and %d that left, want=%d or more in all", len(moved), w.Departed(), s.Agents())
			}
			for id, has := range moved {
				if !has {
					t.Errorf("agent %d: got=still at %v, want=a different position", id, starts[id])
				}
			}
		})
	}
}

func TestBuiltinTry(t *testing.T) {
	for _, name := range Names() {
		s := loaded(t, name)
		if s.Name != name || s.Text == "" || s.Text != Text(name) {
			t.Errorf("%s: got=name %q, text %q, want=%q", name, s.Name, s.Text, Text(name))
		}
		if !strings.HasSuffix(s.Try, ".") || len(s.Try) > 200 || len(s.Featured) == 0 {
			t.Errorf("%s: got=try %q, featured %q, want=up to 200 bytes with a period at the end, and a slider", name, s.Try, s.Featured)
		}
		sliders := map[string]bool{}
		for _, p := range s.Parameters() {
			_, path, _ := strings.Cut(p.Name, "].")
			sliders[p.Name], sliders[path] = true, true
		}
		for i, f := range s.Featured {
			if !sliders[f] || slices.Contains(s.Featured[:i], f) {
				t.Errorf("%s: featured %q: got=no slider, or listed twice, want=a slider, listed once", name, f)
			}
		}
	}
}

func TestCrowdsGetOut(t *testing.T) {
	for _, tc := range []struct {
		scene         func() *Scene
		agents, steps int
	}{{bottleneck, 50, 5000}, {evacuation, 100, 5000}, {concert, 150, 4000}} {
		s := tc.scene()
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			s.Resize(tc.agents)
			w := builtWith(t, s, Options{Workers: 1, Measure: true, Safety: true})
			for range tc.steps {
				noError(t, w.Step())
				if w.Stats().Arrived == tc.agents {
					break
				}
			}
			got := w.Stats()
			if got.Arrived != tc.agents || got.ObstacleCollisions.Collisions != 0 || got.AgentCollisions.Collisions != 0 || got.ObstacleCollisions.CentersInside != 0 {
				t.Errorf("after %d steps: got=%d left, collisions %d with walls and %d with other agents, %d agent-steps in a wall, want=%d, 0, 0, 0",
					got.Steps, got.Arrived, got.ObstacleCollisions.Collisions, got.AgentCollisions.Collisions, got.ObstacleCollisions.CentersInside, tc.agents)
			}
			passed := 0
			for _, line := range got.Lines {
				passed += line.Passed
			}
			if len(s.Lines) > 0 && passed != tc.agents {
				t.Errorf("passed lines: got=%d agents, want=%d", passed, tc.agents)
			}
			t.Logf("all agents have left after %d steps", got.Steps)
		})
	}
}

// Pictures show the box of a scene.
func TestBoxHoldsTheScene(t *testing.T) {
	for _, name := range Names() {
		s := loaded(t, name)
		if !s.Ends() || s.Box.Empty() {
			continue
		}
		var all []r2.Vec
		for _, w := range s.Obstacles.Walls {
			all = append(all, w.A, w.B)
		}
		for _, b := range s.Obstacles.Boxes {
			all = append(all, b.Box.Min, b.Box.Max)
		}
		for i := range s.Groups {
			for _, stop := range slices.Concat(s.Groups[i].Itineraries...) {
				switch stop.Kind {
				case systems.StopPlace:
					all = append(all, stop.At)
				case systems.StopBox:
					all = append(all, stop.Box.Min, stop.Box.Max)
				}
			}
		}
		for _, p := range all {
			if vec.Clamp(p, s.Box) != p {
				t.Errorf("%s: corner or stop: got=%v, want=within the box %v", name, p, s.Box)
			}
		}
	}
}

func TestWalking(t *testing.T) {
	var defaults []any
	for _, e := range ours {
		defaults = append(defaults, reflect.ValueOf(e.New()).Elem().Interface())
	}
	for _, got := range Walking() {
		if people := People("", 1, Place{}).Behaviors; !slices.Contains(defaults, got) || !slices.Contains(people, got) {
			t.Errorf("got=%+v, want=a default of the catalog, and a behavior of People, %+v", got, people)
		}
	}
}
