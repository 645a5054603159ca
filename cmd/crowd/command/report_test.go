package command

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
)

// reportOf runs a command line and returns its report.
func reportOf(t *testing.T, args ...string) *report.Report {
	t.Helper()
	code, out, errs := command(t, context.Background(), append(args, "--json", "--quiet")...)
	var r report.Report
	if err := json.Unmarshal([]byte(out), &r); code != exitOK || err != nil {
		t.Fatal(code, err, errs)
	}
	return &r
}

// TestSafety verifies what is measured with the flag and what is not without it,
// and that the crowd does the same.
func TestSafety(t *testing.T) {
	args := append([]string{"run", "plaza"}, small...)
	without, with := reportOf(t, args...), reportOf(t, append(args, "--safety")...)
	if without.Collisions != nil || without.SuccessShare != nil || without.NearestP50 != nil || without.AgentCloseShare != nil {
		t.Errorf("without --safety: got=%+v, want none of it", without.Figures)
	}
	if with.Collisions == nil || with.CollisionsSteerbench == nil || *with.CollisionsSteerbench != 2**with.Collisions ||
		with.SuccessShare == nil || with.NearestP50 == nil || *with.NearestP1 > *with.NearestP50 {
		t.Errorf("with --safety: got=%+v", with.Figures)
	}
	if with.Hash != without.Hash || *with.Wiggle != *without.Wiggle {
		t.Error("the crowd does something else when it is measured")
	}
}

// TestFiguresOfWorkers verifies that figures have the same bits with any number of
// workers.
func TestFiguresOfWorkers(t *testing.T) {
	figures := func(workers string) string {
		r := reportOf(t, "--agents", "2500", "--steps", "8", "--safety", "--set", "dt=0.05", "--workers", workers)
		text, err := json.Marshal(r.Figures)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := figures("1")
	if got := figures("5"); got != want {
		t.Errorf("5 workers: got=\n%s\nwant=\n%s", got, want)
	}
}

func TestConditions(t *testing.T) {
	r := reportOf(t, "plaza", "--agents", "10", "--steps", "30", "--set", "dt=0.05", "--safety")
	if *r.RadiusMin != 0.25 || *r.RadiusMax != 0.25 || *r.ArrivalRadiusMin != 0.5 || *r.ArrivalRadiusMax != 0.5 ||
		r.ArrivalThen != "wander" || math.Abs(r.TimeCap-1.5) > 1e-12 || r.Cores < 1 || r.OS == "" || r.Arch == "" {
		t.Errorf("got=%+v", r.Conditions)
	}
	if r.Effort == nil || r.SteerbenchScore == nil {
		t.Error("no effort at 20 steps a second")
	}
	if r := reportOf(t, "seek", "--steps", "5"); r.ArrivalRadiusMin != nil || r.ArrivalThen != "" || r.ArrivedShare != nil || r.Effort != nil {
		t.Errorf("without goals: got=%+v, %+v", r.Conditions, r.Figures)
	}
}

// A round ends where it began, so that there is no straight line to compare it with.
func TestRepeatedWays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "round.toml")
	text := "dt = 0.1\nsteps = 300\n[[groups]]\nat = [0, 0]\nmax-speed = 1\nseek = {}\ngoal = {radius = 0.5, then = \"%\"}\nitineraries = [[{at = [3, 0]}, {at = [0, 3]}, {at = [1, 0]}]]\n"
	for _, test := range []struct {
		then string
		want bool
	}{{"repeat", false}, {"stay", true}} {
		if err := os.WriteFile(file, []byte(strings.Replace(text, "%", test.then, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		r := reportOf(t, "run", file)
		if got := r.PathRatio != nil; got != test.want || (r.TimeRatio != nil) != test.want || (r.EnergyOptimum != nil) != test.want || r.Energy == nil {
			t.Errorf("%s: got=%v %v %v %v, want=%v and an energy", test.then, cli.OrDash("%v", r.PathRatio), cli.OrDash("%v", r.TimeRatio), cli.OrDash("%v", r.EnergyOptimum), cli.OrDash("%v", r.Energy), test.want)
		}
	}
}

// Of two crowds that all have left the hashes are alike, and the hashes over
// time are not.
func TestTraceHash(t *testing.T) {
	leave := func(speed string, workers string) *report.Report {
		file := filepath.Join(t.TempDir(), "leave.toml")
		text := `name = "leave"
steps = 60
dt = 0.1
box = [[0, 0], [10, 10]]
[[groups]]
count = 2
at = {rectangle = [[1, 1], [2, 2]]}
target = {points = [[4, 4]]}
max-speed = ` + speed + `
max-force = 50
seek = {gain = 2}
goal = {radius = 0.5, then = "leave"}
`
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return reportOf(t, "run", file, "--workers", workers)
	}
	slow, fast, again := leave("2", "1"), leave("3", "1"), leave("3", "2")
	if slow.Hash != "0000000000000000" || slow.Hash != fast.Hash {
		t.Errorf("hash: got=%s, %s, want 0 for both", slow.Hash, fast.Hash)
	}
	if slow.TraceHash == fast.TraceHash || fast.TraceHash != again.TraceHash || len(slow.TraceHash) != 16 {
		t.Errorf("trace hash: got=%s, %s, %s, want another one at another speed, and the same with 2 workers", slow.TraceHash, fast.TraceHash, again.TraceHash)
	}
}
