package scene

import (
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// quarryOf returns whom an agent pursues.
func quarryOf(t *testing.T, w *world.World, id uint64) *c.Quarry {
	t.Helper()
	e, ok := w.Entity(id)
	if !ok {
		t.Fatalf("agent %d is gone", id)
	}
	return (*c.Quarry)(w.ECS.Get(e, ecs.ComponentID[c.Quarry](w.ECS)))
}

// Agent i has agent i of the other group, counted round; in its own group the
// next one; and the pointer.
func TestQuarries(t *testing.T) {
	for _, tc := range []struct {
		quarry string
		want   []uint64 // of agents 1 to 3; 0: the pointer
	}{
		{"hares", []uint64{4, 5, 4}},
		{"foxes", []uint64{2, 3, 1}},
		{"pointer", []uint64{0, 0, 0}},
	} {
		s, err := Read(strings.NewReader(`
[pointer]
way = [[3, 4], [9, 9]]
speed = 1
[[groups]]
name = "foxes"
count = 3
at = {ring = {radius = 5}}
max-speed = 2
quarry = "`+tc.quarry+`"
pursuit = {horizon = 2}
[[groups]]
name = "hares"
count = 2
at = {ring = {radius = 9}}
max-speed = 1
pursuer = "foxes"
evasion = {horizon = 2}
`), "q.toml")
		noError(t, err)
		w, err := s.Build(Options{Workers: 1})
		noError(t, err)
		defer w.Close()
		for i, want := range tc.want {
			got := quarryOf(t, w, uint64(i+1)).Entity
			if at, _ := PointerOf(w); want == 0 {
				if p := *(*c.Position)(w.ECS.Get(got, ecs.ComponentID[c.Position](w.ECS))); p.Vec != at {
					t.Errorf("pointer of agent %d: got=%v, want=%v", i+1, p.Vec, at)
				}
			} else if e, _ := w.Entity(want); got != e {
				t.Errorf("quarry %s of agent %d: got=%v, want=%v", tc.quarry, i+1, got, e)
			}
		}
	}
}

// A quarry that has arrived and leaves is gone, and its pursuer goes on without a
// force.
func TestQuarryLeaves(t *testing.T) {
	s, err := Read(strings.NewReader(`
[[groups]]
name = "hares"
at = [0, 5]
max-speed = 2
target = [2, 5]
goal = {radius = 0.5, then = "leave"}
seek = {}
[[groups]]
at = [0, 0]
max-speed = 1
quarry = "hares"
pursuit = {horizon = 2}
`), "q.toml")
	noError(t, err)
	w, err := s.Build(Options{Workers: 1})
	noError(t, err)
	defer w.Close()
	var last r2.Vec
	gone := 0
	run(t, w, 300, func(int) {
		e, _ := w.Entity(2)
		v := *(*c.Velocity)(w.ECS.Get(e, ecs.ComponentID[c.Velocity](w.ECS)))
		if q := quarryOf(t, w, 2); !q.Seen {
			if gone++; gone > 1 && v.Vec != last {
				t.Fatalf("velocity without a quarry: got=%v, want=%v", v.Vec, last)
			}
			if q.At.X < 1 || q.At.Y != 5 {
				t.Errorf("where the quarry was seen last: got=%v, want=near (1.5, 5)", q.At)
			}
		}
		last = v.Vec
	})
	if gone < 100 || vec.Norm(last) < 0.5 {
		t.Errorf("got=%d steps without a quarry, at %v m/s at the end, want=100 or more, 0.5 or more", gone, vec.Norm(last))
	}
}

// Prey that is hunted keeps away longer than prey that does not care, and nobody
// leaves the fence.
func TestPredators(t *testing.T) {
	near := func(radius float64) (steps int) {
		s := predators()
		evasion, _ := Behavior[c.Evasion](&s.Groups[1])
		evasion.Radius = radius
		s.Groups[1].Set(evasion)
		s.Bounds = 0
		w, err := s.Build(Options{Workers: 1})
		noError(t, err)
		defer w.Close()
		at := map[uint64]r2.Vec{}
		run(t, w, 900, func(step int) {
			agents(w, func(id uint64, p, _, _ r2.Vec) {
				at[id] = p
				if p.X < 0 || p.X > 80 || p.Y < 0 || p.Y > 60 {
					t.Fatalf("step %d, agent %d: got=%v, want=within the fence", step, id, p)
				}
			})
			for k := range uint64(3) {
				if vec.Norm(vec.Sub(at[k+1], at[k+4])) < 1.1 {
					steps++
				}
			}
		})
		return steps
	}
	if shy, careless := near(14), near(0.001); !(2*shy < careless) {
		t.Errorf("steps in which a predator touches its prey: got=%d with evasion, %d without, want=less than half", shy, careless)
	}
}

// What a scene says of the draws, the prediction and the walls gets to the world.
func TestRoamingModes(t *testing.T) {
	scene := func(change func(*Scene)) *Scene {
		s := &Scene{
			Name: "modes", Seed: 1, Dt: 0.1, Steps: 50, Box: box(0, 0, 20, 20),
			Groups: []Group{
				{Name: "a", Count: 1, At: Place{Points: []r2.Vec{{X: 15, Y: 15}}}, Velocity: r2.Vec{X: 1, Y: 2}, MaxSpeed: Same(3), MaxForce: Same(9),
					Behaviors: []any{c.Wander{Gain: 1, Distance: 1, Radius: 1, Rate: 1}, c.Containment{Gain: 5, Horizon: 1}}},
				{Count: 1, At: Place{Points: []r2.Vec{{X: 5, Y: 5}}}, Velocity: r2.Vec{X: 1}, MaxSpeed: Same(3), MaxForce: Same(9),
					Whom: map[string]string{"quarry": "a"}, Behaviors: []any{c.Quarry{}, c.Pursuit{Gain: 1, Horizon: 5}}},
			},
		}
		change(s)
		return s
	}
	want := hashAfter(t, scene(func(*Scene) {}), 50)
	for name, change := range map[string]func(*Scene){
		"seed":           func(s *Scene) { s.Seed = 2 },
		"prediction":     func(s *Scene) { s.Prediction = systems.PredictBearing },
		"faithful-walls": func(s *Scene) { s.FaithfulWalls = true },
	} {
		if got := hashAfter(t, scene(change), 50); got == want {
			t.Errorf("%s: got=the same run, want=another", name)
		}
	}
}
