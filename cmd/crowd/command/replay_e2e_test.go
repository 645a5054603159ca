//go:build e2e

package command

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/testkit"
)

// TestReplayDiffWith verifies that replay diff finds the step and the agent in which another build
// of the command differs, no matter which of the two builds runs it.
func TestReplayDiffWith(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: it builds the command without the tag safe")
	}
	source := filepath.Join(here, "../../../systems/integration.go")
	const line = "p := vec.AddScaled(pos[i].Vec, dt, v)\n"
	broken := strings.Replace(string(readFile(t, source)), line, line+"if p.X > 50 { p.X = math.Nextafter(p.X, 0) }\n", 1)
	recordings(t)
	brokenFile, _ := filepath.Abs("broken.go")
	overlay, _ := json.Marshal(map[string]any{"Replace": map[string]string{source: brokenFile}})
	testkit.Must(t, os.WriteFile("broken.go", []byte(broken), 0o666))
	testkit.Must(t, os.WriteFile("overlay.json", overlay, 0o666))
	t.Setenv("CROWD_SIMD", "off") // otherwise the kernel would replace the broken rule
	good, err := os.Executable()
	testkit.Must(t, err)
	t.Setenv(isCommand, "yes")
	bad, _ := filepath.Abs("bad")
	overlayFile, _ := filepath.Abs("overlay.json")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", overlayFile, "-o", bad, "..")
	build.Dir = here
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	diff := func(this, with string) (code int, d struct {
		Same       bool
		Step       int
		Difference struct {
			Agent  int
			Fields []struct{ Component, Field, A, B string }
		}
		Forces [2]struct{ ID int }
	}) {
		cmd := exec.Command(this, "replay", "diff", "a.replay", "--with", with, "--json")
		out, _ := cmd.Output()
		if err := json.Unmarshal(out, &d); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return cmd.ProcessState.ExitCode(), d
	}
	if code, d := diff(good, good); code != exitOK || !d.Same {
		t.Errorf("the same build: got=exit code %d, %+v, want=0, no difference", code, d)
	}
	code, d := diff(good, bad)
	fields := d.Difference.Fields
	if code != exitFailure || d.Step != 1 || d.Difference.Agent == 0 || len(fields) != 1 || fields[0].Component != "Position" || d.Forces[0].ID != d.Difference.Agent || d.Forces[1].ID != d.Difference.Agent {
		t.Fatalf("got=exit code %d, %+v, want=1, a different Position and forces of an agent in step 1", code, d)
	}
	if _, back := diff(bad, good); back.Step != 1 || len(back.Difference.Fields) != 1 || back.Difference.Fields[0].A != fields[0].B {
		t.Errorf("from the other side: got=%+v, want=the same difference with A and B swapped", back)
	}
}
