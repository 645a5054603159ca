package command

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
)

// TestUMANS runs every UMANS file to its end, the room with 10,000 people for a few
// steps, or to one clear error.
func TestUMANS(t *testing.T) {
	dir := testkit.DataDir(t, "umans")
	fails := map[string]string{ // file: what the error says
		"1to10-180Degrees-ORCA.xml":     "1to10-180Degrees-ORCA.xml:5): root element <Simulation>: want <Agents>",
		"BlockTest.xml":                 "BlockTest.xml:2: no agents",
		"custom/RoomEvacuationTest.xml": "RoomEvacuationTest.xml:8: <Agents>",
		"agents/1to10-180Degrees.xml":   "1to10-180Degrees.xml:3: second root element",
	}
	agents := map[string]int{"Toric.xml": 1, "agents/Circle25.xml": 25, "agents/Room400.xml": 400, "agents/LargeRoom10000.xml.gz": 10_000}
	for _, pattern := range []string{"*.xml", "custom/*.xml", "agents/*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			name, _ := filepath.Rel(dir, file)
			name = filepath.ToSlash(name)
			t.Run(name, func(t *testing.T) {
				args := []string{"run", file, "--json", "-q"}
				large := strings.HasSuffix(name, ".gz")
				if large {
					args = append(args, "--steps", "5", "--obstacles", filepath.Join(dir, "obstacles", "LargeRoom.xml"))
				}
				code, out, errs := command(t, context.Background(), args...)
				if want, bad := fails[name]; bad {
					if code != exitBadInput || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
						t.Errorf("exit code %d, want 2, and one line with %q:\n%s", code, want, errs)
					}
					return
				}
				var r report.Report
				if err := json.Unmarshal([]byte(out), &r); err != nil || code != exitOK {
					t.Fatalf("exit code %d, %v, %s", code, err, errs)
				}
				if want := agents[name]; want > 0 && r.Agents != want {
					t.Errorf("agents: got=%d, want=%d", r.Agents, want)
				}
				if r.CentersInside != 0 || r.SkippedRowSteps != 0 {
					t.Errorf("centers inside obstacles %d, skipped %d, want 0", r.CentersInside, r.SkippedRowSteps)
				}
				if r.Model != "orca" {
					t.Errorf("model: got=%q, notes %q", r.Model, r.Notes)
				}
			})
		}
	}
}
