package benchmarks

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

var guard = flag.Bool("guard", false, "measure allocations and memory")

// strayAllocations may come from the runtime itself in 200 steps, when goroutines change processors.
const strayAllocations = 4

// TestGuard measures the targets that do not depend on the speed of the machine.
func TestGuard(t *testing.T) {
	if !*guard {
		t.Skip("skipped: want -guard; it needs 1 GB of memory")
	}
	testkit.Must(t, WriteTargetsHead(os.Stdout, ""))
	measured := &trial{quick: true, each: func(target Target) error {
		allocations := strings.HasPrefix(target.What, "allocations ")
		switch {
		case allocations && strings.HasSuffix(target.What, " one worker") && target.Figure > 0:
			t.Errorf("%s: got=%v, want=0", target.What, target.Figure)
		case allocations && target.Figure > strayAllocations:
			t.Errorf("%s: got=%v, want at most %v, made by the runtime", target.What, target.Figure, strayAllocations)
		case strings.HasPrefix(target.What, "memory for W3") && !target.within(1.2):
			t.Errorf("%s: got=%v, want at most 1.2 × %v B/agent", target.What, target.Figure, target.Bound)
		}
		return target.WriteRow(os.Stdout)
	}}
	measured.allocations()
	measured.memory()
	testkit.Must(t, measured.err)
}
