package scene

import (
	"testing"

	"github.com/8f878440/crowd/internal/column"
)

// TestStepsAllocateNothing verifies that no built-in scene allocates in a step, but for what grows once in a while
// and for new ways: doors change fields in office, and agents in maze go by routes.
func TestStepsAllocateNothing(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			s, err := Named(name)
			noError(t, err)
			if name == "office" || name == "maze" {
				t.Skip("skipped: ways are planned meanwhile")
			}
			shrink(s, 150)
			w, err := s.Build(Options{Workers: 1, Measure: true, Safety: true, Profile: true})
			noError(t, err)
			defer w.Close()
			steps(t, w, 60)
			if got := testing.AllocsPerRun(60, func() { _ = w.Step() }); got != 0 {
				t.Errorf("allocations in a step: got=%v, want=0", got)
			}
		})
	}
}

// TestStepsOfPlazaAllocateNothing verifies that the whole step, with arrivals and
// the next targets, is free of allocations.
func TestStepsOfPlazaAllocateNothing(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	s := plaza()
	s.Resize(20_000)
	s.Groups[0].Goal.Radius = Same(30) // so that many arrive
	w, err := s.Build(Options{Workers: 2, Measure: true, Profile: true})
	noError(t, err)
	defer w.Close()
	step := func() {
		noError(t, w.Step())
	}
	for range 60 {
		step()
	}
	before := w.Stats().Arrived
	if got := testing.AllocsPerRun(50, step); got != 0 {
		t.Errorf("allocations in a step: got=%v, want=0", got)
	}
	if w.Stats().Arrived == before {
		t.Error("nobody arrived meanwhile")
	}
}
