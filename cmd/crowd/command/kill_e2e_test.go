//go:build e2e && linux

package command

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestKilled verifies that runs that are killed at random moments and resumed end like other runs, with the same
// trajectories, the same report except for times, and no hidden files. CROWD_KILLS sets the number of kills.
func TestKilled(t *testing.T) {
	kills, random := number(t, "CROWD_KILLS", 10), draws(t)
	killed, ended := 0, 0
	for killed < kills {
		run := savedRuns[ended%len(savedRuns)]
		want := wholeRun(t, run.args, run.trajectories)
		folder := t.TempDir()
		args := append(strings.Fields(run.args), "--json", "--save", "x.save", "--save-every", strconv.Itoa(1+random.IntN(40)), "--trajectories", run.trajectories)
		for {
			if _, err := os.Stat(filepath.Join(folder, "x.save")); err == nil {
				args = []string{"run", "--resume", "x.save", "--json", "--workers", strconv.Itoa(1 + random.IntN(4))}
			}
			moment := -1 // not killed: the run continues to its end
			if killed < kills {
				moment = 1 + random.IntN(200) // a run has dozens to hundreds of moments
			}
			started := make(chan *process, 1)
			stop := atMoment(t, folder, moment, func() { _ = (<-started).Process.Kill() })
			p := start(t, folder, args...)
			started <- p
			code := p.end(t)
			stop()
			if p.ProcessState.Exited() {
				if code != exitOK {
					t.Fatalf("%s, killed %d times: exit code: got=%d, want=0: %s", run.args, killed, code, p.errs.String())
				}
				want.check(t, folder, run.trajectories, p.out.Bytes())
				if left, _ := filepath.Glob(filepath.Join(folder, ".*")); len(left) > 0 {
					t.Errorf("got=%v, want no hidden files", left)
				}
				ended++
				break
			}
			killed++
		}
		if t.Failed() {
			t.Fatalf("%s, killed %d times", run.args, killed)
		}
	}
	t.Logf("killed %d times, %d runs ended", killed, ended)
}
