package scene

import (
	"flag"
	"runtime"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/measure"
	"gonum.org/v1/gonum/spatial/r2"
)

var (
	soakScene  = flag.String("soak", "", "a built-in scene that TestSoak runs, for .ci/soak")
	soakAgents = flag.Int("soak-agents", 20, "how many agents it has")
	soakSteps  = flag.Int("soak-steps", 100_000, "for how many steps")
)

// TestSoak runs a scene for long, and verifies that every agent stays finite and that memory
// does not grow. It prints the trace hash, which is the same for the same numbers.
func TestSoak(t *testing.T) {
	if *soakScene == "" {
		t.Skip("skipped: it takes hours, and .ci/soak runs it")
	}
	s, err := Named(*soakScene)
	noError(t, err)
	s.Resize(*soakAgents)
	w, err := s.Build(Options{})
	noError(t, err)
	defer w.Close()
	const looks = 10
	var trace measure.Trace
	var first uint64 // bytes, when a tenth has run
	for look := range looks {
		for range *soakSteps / looks {
			noError(t, w.Step())
		}
		trace.Add(w.Hash())
		step := (look + 1) * (*soakSteps / looks)
		agents(w, func(id uint64, p, v, heading r2.Vec) {
			if !vec.Finite(p) || !vec.Finite(v) || !vec.Finite(heading) {
				t.Fatalf("step %d, agent %d: got=%v, %v, %v, want=finite", step, id, p, v, heading)
			}
		})
		var memory runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&memory)
		if look == 0 {
			first = memory.HeapAlloc
		}
		if most := first + first/10 + 1<<20; memory.HeapAlloc > most {
			t.Fatalf("step %d: got=%d bytes, want=%d or less, because it was %d", step, memory.HeapAlloc, most, first)
		}
	}
	t.Logf("%s, %d agents, of whom %d left, %d steps: trace hash %016x", s.Name, *soakAgents, w.Departed(), *soakSteps, trace.Sum())
}
