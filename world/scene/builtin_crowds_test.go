package scene

import (
	"reflect"
	"slices"
	"testing"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"gonum.org/v1/gonum/spatial/r2"
)

// All agents get out, and meanwhile none touches a wall or another agent.
func TestCrowdsGetOut(t *testing.T) {
	for _, tc := range []struct {
		scene         func() *Scene
		agents, steps int
	}{{bottleneck, 50, 5000}, {evacuation, 100, 5000}, {concert, 150, 4000}} {
		s := tc.scene()
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			s.Resize(tc.agents)
			w, err := s.Build(Options{Workers: 1, Measure: true, Safety: true})
			noError(t, err)
			defer w.Close()
			for range tc.steps {
				noError(t, w.Step())
				if w.Stats().Arrived == tc.agents {
					break
				}
			}
			got := w.Stats()
			if got.Arrived != tc.agents || got.ObstacleCollisions.Collisions != 0 || got.AgentCollisions.Collisions != 0 || got.ObstacleCollisions.CentersInside != 0 {
				t.Errorf("after %d steps: got=%d out, collisions %d with walls and %d with others, %d agent-steps in a wall, want=%d, 0, 0, 0",
					got.Steps, got.Arrived, got.ObstacleCollisions.Collisions, got.AgentCollisions.Collisions, got.ObstacleCollisions.CentersInside, tc.agents)
			}
			passed := 0
			for _, line := range got.Lines {
				passed += line.Passed
			}
			if len(s.Lines) > 0 && passed != tc.agents {
				t.Errorf("the lines count %d, want=%d: everybody leaves by one of them", passed, tc.agents)
			}
			t.Logf("all out after %d steps", got.Steps)
		})
	}
}

// Those who cross keep going, without a collision, and nobody gets lost.
func TestCrossing(t *testing.T) {
	t.Parallel()
	s := crossing()
	w, err := s.Build(Options{Workers: 1, Measure: true, Safety: true})
	noError(t, err)
	defer w.Close()
	run(t, w, 900, func(int) {})
	speed := 0.
	agents(w, func(id uint64, p, v, _ r2.Vec) {
		speed += r2.Norm(v) / float64(s.Agents())
		if p.X < 2*s.Box.Min.X || p.X > 2*s.Box.Max.X || p.Y < 2*s.Box.Min.Y || p.Y > 2*s.Box.Max.Y {
			t.Errorf("agent %d: got=%v, want=near %v", id, p, s.Box)
		}
	})
	if speed < 0.7 {
		t.Errorf("mean speed: got=%v m/s, want=0.7 or more", speed)
	}
	if got := w.Stats().AgentCollisions.Collisions; got != 0 {
		t.Errorf("collisions: got=%d, want=0", got)
	}
}

// A wall with gaps is what is left of it.
func TestWallParts(t *testing.T) {
	got := wall(xy(0, 0), xy(10, 0), gap{2, 1}, gap{6, 2})
	want := []Wall{{xy(0, 0), xy(1.4, 0), 0.1}, {xy(2.6, 0), xy(4.9, 0), 0.1}, {xy(7.1, 0), xy(10, 0), 0.1}}
	if len(got) != len(want) {
		t.Fatalf("got=%v, want=%v", got, want)
	}
	for i := range want {
		if r2.Norm(r2.Sub(got[i].A, want[i].A)) > 1e-12 || r2.Norm(r2.Sub(got[i].B, want[i].B)) > 1e-12 || got[i].Radius != want[i].Radius {
			t.Errorf("part %d: got=%v, want=%v", i, got[i], want[i])
		}
	}
}

// TestBoxHoldsTheScene verifies that the box of a scene in which everyone leaves, which is what
// pictures show, has room for its walls and for all places that people go to.
func TestBoxHoldsTheScene(t *testing.T) {
	for _, name := range Names() {
		s, err := Named(name)
		noError(t, err)
		if !s.Ends() || s.Box.Empty() {
			continue
		}
		within := func(what string, all ...r2.Vec) {
			for _, p := range all {
				if p.X < s.Box.Min.X || p.Y < s.Box.Min.Y || p.X > s.Box.Max.X || p.Y > s.Box.Max.Y {
					t.Errorf("%s: %s at %v is outside of the box %v", name, what, p, s.Box)
				}
			}
		}
		for _, w := range s.Obstacles.Walls {
			within("a wall", w.A, w.B)
		}
		for _, b := range s.Obstacles.Boxes {
			within("a box", b.Box.Min, b.Box.Max)
		}
		for i := range s.Groups {
			for _, stops := range s.Groups[i].Itineraries {
				for k := range stops {
					switch stop := &stops[k]; stop.Kind {
					case systems.StopPlace:
						within("a stop", stop.At)
					case systems.StopBox:
						within("a stop", stop.Box.Min, stop.Box.Max)
					}
				}
			}
		}
	}
}

// What makes agents walk as people do has the numbers that hold where a scene file names
// none, and the people of scenes have it.
func TestWalking(t *testing.T) {
	g := People("", 1, Place{})
	for _, want := range Walking() {
		is := func(v any) bool { return reflect.TypeOf(v) == reflect.TypeOf(want) }
		i := slices.IndexFunc(ours, func(e catalog.Entry) bool { return is(e.Component) })
		if got := reflect.ValueOf(ours[i].New()).Elem().Interface(); got != want {
			t.Errorf("the catalog has %+v, want=%+v", got, want)
		}
		if k := slices.IndexFunc(g.Behaviors, is); k < 0 || g.Behaviors[k] != want {
			t.Errorf("people have no %+v: %+v", want, g.Behaviors)
		}
	}
}
