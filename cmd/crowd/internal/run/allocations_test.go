package run

import (
	"math"
	"runtime"
	"testing"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

// TestStepsAllocateNothing verifies that runs report no allocations in the counted steps, even if the crowd is
// too dense to satisfy all half-planes or agents begin to arrive. The test uses one worker, because the Go
// runtime may allocate when workers wait for each other.
func TestStepsAllocateNothing(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	for _, name := range []string{"evacuation", "plaza"} {
		s, err := scene.Named(name)
		testkit.Must(t, err)
		s.Resize(700)
		s.Steps = 100
		least := math.Inf(1)
		for range tries {
			w, r, err := Prepare(t.Context(), s, scene.Options{Workers: 1, Measure: true, Profile: true}, nil, nil)
			testkit.Must(t, err)
			testkit.Must(t, Run(t.Context(), s, w, r, true, nil))
			w.Close()
			if least = min(least, r.AllocsPerStep); least == 0 {
				break
			}
		}
		if least != 0 {
			t.Errorf("%s: got=%v allocations per step, want=0", name, least)
		}
	}
}

// tries is the maximum number of repetitions of a measurement. The tests use the smallest count, because the Go
// runtime may allocate at any time.
const tries = 5

var kept any

// TestAllocations verifies that objects allocated by steps are counted, and that objects of new threads are
// not.
func TestAllocations(t *testing.T) {
	least := math.Inf(1)
	for range tries {
		least = min(least, objectsOfSteps(t))
	}
	if least < 0.05 || least > 0.2 {
		t.Errorf("got=%v objects per step, want 0.05 to 0.2", least)
	}
}

// objectsOfSteps returns the number of counted objects per step. One step in ten allocates an object, and
// another one in ten starts a thread.
func objectsOfSteps(t *testing.T) float64 {
	a := allocationsOf(1000)
	var done []chan bool
	for i := range 90 {
		a.begin(i)
		switch {
		case i%10 == 5:
			kept = new([100]int)
		case i%10 == 7: // keep the thread, so the next one is new
			started, end := make(chan bool), make(chan bool)
			done = append(done, end)
			go func() {
				runtime.LockOSThread()
				close(started)
				<-end
			}()
			<-started
		}
		a.end(i)
	}
	for _, end := range done {
		close(end)
	}
	if a.counted != 50 {
		t.Errorf("got=%d steps counted, want=50", a.counted)
	}
	return a.perStep()
}
