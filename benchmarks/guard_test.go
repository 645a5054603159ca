package benchmarks

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"
)

var guard = flag.Bool("guard", false, "measure the targets quickly and look for regressions")

// strayAllocations is what the runtime itself may allocate in 200 steps when
// goroutines park on one processor and wake on another.
const strayAllocations = 4

// TestGuard fails where a step allocates or a crowd takes too much memory. What
// depends on time it only reports: a busy machine must not fail a change.
func TestGuard(t *testing.T) {
	if !*guard {
		t.Skip("skipped: only with -guard, it measures for half a minute")
	}
	targets, err := Targets(context.Background(), true, Follow{})
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteTargets(os.Stdout, "", targets); err != nil {
		t.Fatal(err)
	}
	for i := range targets {
		switch target := &targets[i]; {
		case target.Name == "allocations/workers=1" && target.Figure > 0:
			t.Errorf("%s: got=%v, want=0", target.What, target.Figure)
		case strings.HasPrefix(target.Name, "allocations/") && target.Figure > strayAllocations:
			t.Errorf("%s: got=%v, want=0, or at most %v strays of the runtime", target.What, target.Figure, strayAllocations)
		case target.Name == "memory/"+w3 && !target.within(1.2):
			t.Errorf("%s: got=%v, want at most 1.2 × %v B/agent", target.What, target.Figure, target.Bound)
		case target.Ratio() && (!target.within(1.6) || target.Kind == Reported && target.Figure > 1.6):
			t.Logf("SLOWER THAN EXPECTED: %s: %.2f, the target is %s", target.What, target.Figure, target.bound())
		}
	}
}
