//go:build e2e

package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// TestVerifyTable uses the model steer, because its agents fail much of this suite.
func TestVerifyTable(t *testing.T) {
	const picture = "a\u202e.svg" // also a hostile name
	code, out, errs := command(t, t.Context(), "validate", "juelich", "--model", "steer", "--quick", "--quiet", "--out", picture)
	narrow(t, out)
	rows, missed := 0, 0
	for line := range strings.Lines(out) {
		if no := strings.HasSuffix(line, "  no\n"); no || strings.HasSuffix(line, "  yes\n") {
			rows++
			if no && !strings.Contains(line, ", NIST ") { // people miss this too
				missed++
			}
		}
	}
	if !strings.HasPrefix(out, "juelich ") || !strings.Contains(out, "--data FOLDER adds time gaps") || unsafe(out) != "" || strings.Count(out, "picture in a") != 1 {
		t.Errorf("want a table of juelich, and the name of the picture, got:\n%s", out)
	}
	good, all, lines := 0, 0, strings.Split(strings.TrimSpace(out), "\n")
	fmt.Sscanf(lines[len(lines)-1], "%d of %d as expected", &good, &all)
	if rows == 0 || all != rows || good != rows-missed {
		t.Errorf("got=%d of %d, want=%d of %d as in the rows", good, all, rows-missed, rows)
	}
	if (code == exitFailure) != (good < all) || code > exitFailure || (good < all) != strings.HasSuffix(errs, fmt.Sprintf("not as expected: %d of %d metrics\n", all-good, all)) {
		t.Errorf("%d of %d as expected: exit code %d, want 1 and a line only if some are not, got:\n%s", good, all, code, errs)
	}
	contains(t, picture, string(readFile(t, picture)), "<svg")
}

// A miss that people share does not cause exit code 1.
func TestVerifyJSON(t *testing.T) {
	t.Parallel()
	code, out, _ := sameFolder(t, t.Context(), "validate", "juelich", "--quick", "--json")
	rows, missed := decode[[]map[string]any](t, out), 0
	for _, row := range rows {
		testkit.Equal(t, keysOf(row), "expected measured model name note passed suite", "keys of a row")
		_, number := row["measured"].(float64)
		if row["suite"] != "juelich" || row["model"] != "orca" || row["measured"] != nil && !number || row["name"] == "" {
			t.Errorf("got=%v, want a metric of juelich by orca", row)
		}
		if row["passed"] == false && !strings.Contains(row["note"].(string), "an expected miss") {
			missed++
		}
	}
	if len(rows) == 0 || (missed == 0) != (code == exitOK) {
		t.Errorf("got=%d rows, %d missed, exit code %d, want 0 only if none is missed", len(rows), missed, code)
	}
}

func TestEveryScene(t *testing.T) {
	list, _ := succeed(t, "scene")
	for line := range strings.Lines(list) {
		name := strings.Fields(line)[0]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rendered(t, "x.png", name+" --agents 60 --at 5 --size 200")
		})
	}
}
