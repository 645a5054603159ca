package command

import (
	"context"
	"strings"
	"testing"
)

// An account of an agent with ORCA says that the forces are its wish, and not that
// nothing is left of them.
func TestExplainWish(t *testing.T) {
	code, out, errs := command(t, context.Background(), "explain", "bottleneck", "--agent", "5", "--at", "20")
	if code != exitOK {
		t.Fatalf("exit code: got=%d, want=%d: %s", code, exitOK, errs)
	}
	for _, want := range []string{"N as its preferred velocity", "Integration, at the velocity that ORCA chose"} {
		if !strings.Contains(out, want) {
			t.Errorf("got=%s, want=%s", out, want)
		}
	}
	if strings.Contains(out, "left x") {
		t.Errorf("got=%s, want=no column of what is left", out)
	}
}
