package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A host's module outside ours, with a go.mod of its own, adds a behavior that is in its
// scene files, and is checked, written, linted, tuned and explained like ours. Its tests
// say so.
func TestHostModule(t *testing.T) {
	for _, args := range [][]string{{"vet", "./..."}, {"test", "-count=1", "./..."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = filepath.Join("testdata", "orbit")
		cmd.Env = append(os.Environ(), "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %v in %s: %v\n%s", args, cmd.Dir, err, out)
		}
	}
}
