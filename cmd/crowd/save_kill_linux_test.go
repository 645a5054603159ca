package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestKilled holds that runs that are killed at random moments, and go on, end as in one go: with
// the same report but for times, and the same trajectories, and leave no hidden files. The variable CROWD_KILLS says how often,
// and CROWD_KILLS_SEED repeats a test.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short, it starts processes and kills them")
	}
	number := func(name string, otherwise int) int {
		if text := os.Getenv(name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		return otherwise
	}
	kills, seed := number("CROWD_KILLS", 10), number("CROWD_KILLS_SEED", int(time.Now().UnixNano()))
	t.Logf("CROWD_KILLS_SEED=%d", seed)
	random := rand.New(rand.NewPCG(uint64(seed), 1))
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
			p := start(t, folder, nil, args...)
			var kill *time.Timer
			if killed < kills {
				kill = time.AfterFunc(time.Duration(random.IntN(1500))*time.Millisecond, func() { _ = p.Process.Kill() })
			}
			err := p.Wait()
			if kill != nil {
				kill.Stop()
			}
			if p.ProcessState.Exited() {
				if err != nil {
					t.Fatalf("%s, killed %d times: %v: %s", run.args, killed, err, p.errs.String())
				}
				out, _, _ := strings.Cut(p.out.String(), "PASS") // the process is a test
				want.check(t, folder, run.trajectories, []byte(out))
				if left, _ := filepath.Glob(filepath.Join(folder, ".*")); len(left) > 0 {
					t.Errorf("%v is left", left)
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
