package scene

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// build makes a world of a built-in scene, with few agents.
func build(t *testing.T, name string) (*Scene, *world.World) { return buildOf(t, name, 250) }

// buildOf makes a world of a built-in scene, with a number of agents at most.
func buildOf(t *testing.T, name string, most int) (*Scene, *world.World) {
	s, err := Named(name)
	noError(t, err)
	if s.Agents() > most {
		s.Resize(most)
	}
	w, err := s.Build(Options{Workers: 1, Measure: true})
	noError(t, err)
	t.Cleanup(w.Close)
	return s, w
}

// agents calls visit for every agent of the world.
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

func run(t *testing.T, w *world.World, steps int, after func(step int)) {
	t.Helper()
	for i := range steps {
		noError(t, w.Step())
		after(i)
	}
	if got := w.Stats().Skipped; got != 0 {
		t.Errorf("skipped: got=%d, want=0", got)
	}
}

// Every built-in scene runs, and every agent stays finite and moves.
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
			waiting := func() bool {
				return slices.Contains(slices.Collect(maps.Values(moved)), false)
			}
			for left := min(s.Steps, 600); left > 0 && (left > 400 || waiting()); left -= 100 {
				run(t, w, min(left, 100), func(step int) {
					agents(w, func(id uint64, p, v, heading r2.Vec) {
						if !vec.Finite(p) || !vec.Finite(v) || math.Abs(vec.Norm(heading)-1) > 1e-9 {
							t.Fatalf("step %d, agent %d: got=%v, %v, %v, want=finite and a unit heading", step, id, p, v, heading)
						}
						moved[id] = moved[id] || p != starts[id]
					})
				})
			}
			if len(moved)+w.Departed() < s.Agents() { // who starts at its goal leaves at once
				t.Errorf("agents at the end: got=%d, %d left, want=%d", len(moved), w.Departed(), s.Agents())
			}
			for id, has := range moved {
				if !has {
					t.Errorf("agent %d: got=still at %v, want=elsewhere", id, starts[id])
				}
			}
		})
	}
}

// Every built-in scene says what to try, and with which sliders; the names are those of
// parameters, and no name is written twice.
func TestBuiltinTry(t *testing.T) {
	for _, name := range Names() {
		s, err := Named(name)
		noError(t, err)
		if !strings.HasSuffix(s.Try, ".") || len(s.Try) > 200 || len(s.Featured) == 0 {
			t.Errorf("%s: try %q, featured %q: want a sentence or two, and a slider", name, s.Try, s.Featured)
		}
		sliders := map[string]bool{}
		for _, p := range s.Parameters() {
			_, path, _ := strings.Cut(p.Name, "].")
			sliders[p.Name], sliders[path] = true, true
		}
		for i, f := range s.Featured {
			if !sliders[f] || slices.Contains(s.Featured[:i], f) {
				t.Errorf("%s: featured %q has no slider, or is there twice", name, f)
			}
		}
	}
}

// Agents start at the center with velocities in all directions, flee from the
// point, and their paths curve smoothly.
func TestFleeDemo(t *testing.T) {
	s, w := build(t, "flee")
	center := vec.Scale(0.5, vec.Add(s.Box.Min, s.Box.Max))
	quadrants := map[[2]bool]bool{}
	before := map[uint64]r2.Vec{}
	agents(w, func(id uint64, p, v, _ r2.Vec) {
		if d := vec.Norm(vec.Sub(p, center)); d > 15 {
			t.Errorf("agent %d starts: got=%v from the center, want=at most 15", id, d)
		}
		if got := vec.Norm(v); math.Abs(got-3) > 1e-12 {
			t.Errorf("agent %d: speed: got=%v, want=3", id, got)
		}
		quadrants[[2]bool{v.X > 0, v.Y > 0}] = true
		before[id] = v
	})
	if len(quadrants) != 4 {
		t.Errorf("quadrants of the directions: got=%d, want=4", len(quadrants))
	}
	edge := func(p r2.Vec) bool {
		return p.X <= s.Box.Min.X || p.X >= s.Box.Max.X || p.Y <= s.Box.Min.Y || p.Y >= s.Box.Max.Y
	}
	run(t, w, s.Steps, func(step int) {
		agents(w, func(id uint64, p, v, _ r2.Vec) {
			// A force of at most 5.4 on a mass of 20 changes the velocity by 0.27.
			if got := vec.Norm(vec.Sub(v, before[id])); got > 0.27+1e-9 && !edge(p) {
				t.Fatalf("step %d, agent %d at %v: change of velocity: got=%v, want=at most 0.27", step, id, p, got)
			}
			before[id] = v
		})
	})
	flee := r2.Vec{}
	n := 0.
	from := s.Pointer.at(w.Clock.Time)
	agents(w, func(_ uint64, p, _, _ r2.Vec) { flee, n = vec.Add(flee, vec.Sub(p, from)), n+1 })
	if got := vec.Norm(vec.Scale(1/n, flee)); got < 150 {
		t.Errorf("mean way from the point: got=%v, want=above 150", got)
	}
}

// The way to Min of a smooth arrival is asymptotic, so a waypoint that is only
// reached there is refused.
func TestWaypointMustExceedMin(t *testing.T) {
	for _, tc := range []struct {
		reached float64
		refused bool
	}{{16, true}, {17, true}, {17.5, false}, {22, false}} {
		s, err := Named("tank-path")
		noError(t, err)
		path, _ := Behavior[c.Path](&s.Groups[0])
		path.Reached = tc.reached
		s.Groups[0].Set(path)
		w, err := s.Build(Options{Workers: 1})
		if got := err != nil && strings.Contains(err.Error(), "reached"); got != tc.refused {
			t.Errorf("reached %v: refused: got=%v (%v), want=%v", tc.reached, got, err, tc.refused)
		}
		if w != nil {
			w.Close()
		}
	}
}

// The demo of the cocos2d-x variant: as its source has it, and the agent gets
// round every circle.
func TestAvoidanceCocos(t *testing.T) {
	s, w := build(t, "avoidance-cocos")
	if s.Box.Max != (r2.Vec{X: 480, Y: 320}) || s.Box.Min != (r2.Vec{}) || s.Dt != 1 {
		t.Errorf("stage: got=%v at dt %v, want=480 × 320 at dt 1", s.Box, s.Dt)
	}
	at := map[r2.Vec]bool{{X: 100, Y: 100}: true, {X: 100, Y: 220}: true, {X: 380, Y: 100}: true, {X: 380, Y: 220}: true}
	for _, o := range s.Obstacles.Circles {
		if !at[o.At] {
			t.Errorf("circle: got=%v, want=one of %v", o.At, at)
		}
	}
	if len(s.Obstacles.Circles) != 4 {
		t.Errorf("circles: got=%d, want=4", len(s.Obstacles.Circles))
	}
	agents(w, func(_ uint64, p, v, _ r2.Vec) {
		if p != (r2.Vec{}) || v != (r2.Vec{X: 2, Y: 4}) {
			t.Errorf("start: got=%v, %v, want=(0, 0), (2, 4)", p, v)
		}
	})
	const reach = 10 // pixels beyond the edge, two frames
	run(t, w, 600, func(step int) {
		agents(w, func(_ uint64, p, _, _ r2.Vec) {
			if p.X < -reach || p.X > 480+reach || p.Y < -reach || p.Y > 320+reach {
				t.Fatalf("step %d: got=%v, want=within %v of the stage", step, p, reach)
			}
			for _, o := range s.Obstacles.Circles {
				if vec.Norm(vec.Sub(p, o.At)) < o.Radius {
					t.Fatalf("step %d: got=%v within the circle at %v, want=outside", step, p, o.At)
				}
			}
		})
	})
}
