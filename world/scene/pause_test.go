package scene

import (
	"fmt"
	"slices"
	"testing"

	"github.com/8f878440/crowd/world"
)

// TestPause verifies that a step of length 0 keeps all components of every built-in scene, the
// clock and what is counted, and that a run with such steps goes on with the bits of one without.
func TestPause(t *testing.T) {
	t.Parallel()
	for _, name := range append(Names(), "two-flocks", throngBy+string(ModelSocialForce2000)) {
		build := func() *world.World {
			s := goldenScene(t, name)
			s.Resize(min(s.Agents(), 20))
			w, err := s.Build(Options{Workers: 1})
			noError(t, err)
			t.Cleanup(w.Close)
			return w
		}
		step := func(w *world.World) {
			if err := w.Step(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		counted := func(w *world.World) string {
			s := w.Stats()
			return fmt.Sprint(w.Clock.Time, w.Clock.Tick, s.Steps, s.Arrived, s.Trips, s.ObstacleCollisions)
		}
		plain, paused := build(), build()
		for n := range 25 {
			if n%8 == 0 {
				before, count, dt := slices.Collect(paused.Inspect().States()), counted(paused), paused.Clock.Dt
				paused.Clock.Dt = 0
				step(paused)
				step(paused)
				if fmt.Sprint(slices.Collect(paused.Inspect().States())) != fmt.Sprint(before) || counted(paused) != count {
					t.Errorf("%s: a step of length 0 after %d steps changes the state", name, n)
				}
				paused.Clock.Dt = dt
			}
			step(plain)
			step(paused)
			if paused.Hash() != plain.Hash() {
				t.Fatalf("%s: after step %d with pauses: other bits than without", name, n+1)
			}
		}
		if got, want := counted(paused), counted(plain); got != want {
			t.Errorf("%s: with pauses: got=%s, want=%s", name, got, want)
		}
	}
}
