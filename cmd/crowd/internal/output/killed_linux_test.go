package output_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestKilledLeavesNothing holds that a command removes the hidden files that one which was killed has left of the
// same files, and not those of one that is at work.
func TestKilledLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	files := []string{"x.png", "x.csv"}
	long := strings.Fields("run plaza --agents 60 --steps 100000000 --every 1000 --json --trajectories x.csv --picture x.png")
	of := func(p *process) (n int) {
		for _, name := range leftovers(t, dir, files) {
			if strings.Contains(name, fmt.Sprintf("-%d-", p.Process.Pid)) {
				n++
			}
		}
		return n
	}
	killed := start(t, dir, long...)
	awaitLeftovers(t, dir, files, 2)
	_ = killed.Process.Kill()
	killed.end(t)
	if of(killed) != 2 {
		t.Fatalf("got=%v, want what a killed command leaves", leftovers(t, dir, files))
	}
	other := start(t, dir, long...)
	for begin := time.Now(); of(other) < 2 && time.Since(begin) < time.Minute; {
		time.Sleep(time.Millisecond)
	}
	if of(killed) > 0 {
		t.Errorf("got=%v, want nothing of the command that was killed", leftovers(t, dir, files))
	}
	if code, errs := command(t, dir, strings.Fields(run+"--picture x.png --trajectories x.csv --quiet")...); code != 0 {
		t.Error(errs)
	}
	if left := leftovers(t, dir, files); len(left) != 2 || of(other) != 2 {
		t.Errorf("got=%v, want those of the command that is at work", left)
	}
	_ = other.Process.Signal(os.Interrupt)
	if code := other.end(t); code != 0 {
		t.Errorf("exit code %d, %s", code, &other.errs)
	}
	if left := leftovers(t, dir, files); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
