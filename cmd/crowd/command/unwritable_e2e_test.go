//go:build e2e && linux

package command

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestUnwritable verifies that a folder or a file that must not be written is refused at the start, before a step is
// done: a run of that length would never end.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{filepath.Dir(dir), dir} { // for another user, too
		if err := os.Chmod(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "locked"), 0o555); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "read-only.csv"), []byte(older), 0o444); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ args, want string }{
		{"run seek --steps 100000000 --picture locked/x.png", "--picture is locked/x.png: permission denied"},
		{"run seek --steps 100000000 --json --trajectories read-only.csv", "--trajectories is read-only.csv: permission denied"},
		{"run seek --steps 100000000 --json --profile trace=locked/x", "--profile trace is locked/x: permission denied"},
		{"run seek --steps 100000000 --json --profile cpu=x --profile trace=no/x", "--profile trace is no/x: no such folder"},
		{"render seek --steps 100000000 --out locked/x.png", "--out is locked/x.png: permission denied"},
		{"bench seek --out locked/x", "--out is locked/x: permission denied"},
		{"plot - --out locked/x.svg", "--out is locked/x.svg: permission denied"},
	} {
		p := newProcess(t, dir, nil, strings.Fields(test.args)...)
		if os.Getuid() == 0 { // which may write anything
			const unprivileged = 65534
			p.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: unprivileged, Gid: unprivileged}}
			p.Path = "/proc/self/exe" // the folder of the test binary is closed to others
		}
		p.begin(t)
		if code := p.end(t); code != exitBadInput || !strings.Contains(p.errs.String(), test.want) || strings.Count(p.errs.String(), "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s", test.args, code, test.want, &p.errs)
		}
		if left := leftovers(t, dir, []string{"locked", "read-only.csv"}); len(left) > 0 {
			t.Errorf("%s: %v is left", test.args, left)
		}
	}
}
