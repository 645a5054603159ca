package scene

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
)

// shrunk is shrink, but with -full, scenes with many fields keep all groups.
func shrunk(s *Scene, agents int) {
	if !*full {
		shrink(s, agents)
	}
	s.Resize(min(s.Agents(), agents))
}

func TestResume(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			for _, steps := range []int{1, 25} {
				resumed(t, name, steps)
			}
		})
	}
}

func resumed(t *testing.T, name string, n int) {
	s := loaded(t, name)
	shrunk(s, 60)
	w := builtWith(t, s, Options{Workers: 1, Safety: true})
	steps(t, w, n)
	file := saved(t, w)
	again, err := s.Resume(Options{Workers: 3, Safety: true}, bytes.NewReader(file))
	noError(t, err)
	defer again.Close()
	if got := saved(t, again); !bytes.Equal(got, file) {
		t.Fatalf("after %d steps: got=another file from the resumed world, want=the same file", n)
	}
	for k := range 30 {
		if got, want := steps(t, again, 1), steps(t, w, 1); got != want {
			t.Fatalf("%d steps after %d: hash: got=%016x, want=%016x", k+1, n, got, want)
		}
	}
	if !bytes.Equal(saved(t, again), saved(t, w)) {
		t.Errorf("30 steps after %d: got=another file from the resumed world, want=the same file", n)
	}
	got, want := again.Stats(), w.Stats()
	got.Frame, got.StepTime = want.Frame, want.StepTime
	if !reflect.DeepEqual(got, want) {
		t.Errorf("after %d steps: stats: got=%+v, want=%+v", n, got, want)
	}
}

func saved(t *testing.T, w *world.World) []byte {
	t.Helper()
	var file bytes.Buffer
	noError(t, w.Save(&file))
	return file.Bytes()
}

func TestPause(t *testing.T) {
	t.Parallel()
	for _, name := range append(Names(), "two-flocks", jamBy+string(ModelSocialForce2000)) {
		build := func() *world.World {
			s := goldenScene(t, name)
			shrunk(s, 20)
			return built(t, s)
		}
		counted := func(w *world.World) string {
			s := w.Stats()
			return fmt.Sprint(w.Clock.Time, w.Clock.Tick, s.Steps, s.Arrived, s.Trips, s.ObstacleCollisions)
		}
		plain, paused := build(), build()
		for n := range 10 {
			if n%8 == 0 {
				before, count, dt := slices.Collect(paused.Inspect().States()), counted(paused), paused.Clock.Dt
				paused.Clock.Dt = 0
				steps(t, paused, 2)
				if fmt.Sprint(slices.Collect(paused.Inspect().States())) != fmt.Sprint(before) || counted(paused) != count {
					t.Errorf("%s: two steps of length 0 after %d steps: got=a changed state, want=the same state", name, n)
				}
				paused.Clock.Dt = dt
			}
			if got, want := steps(t, paused, 1), steps(t, plain, 1); got != want {
				t.Fatalf("%s: after step %d, with pauses: hash: got=%016x, want=%016x", name, n+1, got, want)
			}
		}
		testkit.Equal(t, counted(paused), counted(plain), "%s: with pauses", name)
	}
}
