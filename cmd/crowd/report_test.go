package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// reportOf runs a command line and returns its report.
func reportOf(t *testing.T, args ...string) *report {
	t.Helper()
	code, out, errs := command(t, context.Background(), append(args, "--json", "--quiet")...)
	var r report
	if err := json.Unmarshal([]byte(out), &r); code != exitOK || err != nil {
		t.Fatal(code, err, errs)
	}
	return &r
}

// TestReportIsDescribed holds that docs/report.md describes every field.
func TestReportIsDescribed(t *testing.T) {
	page, err := os.ReadFile("../../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(report{File: "x", Systems: []systemReport{{}}})
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	for field := range fields["systems"].([]any)[0].(map[string]any) {
		fields["systems[]."+field] = nil
	}
	if len(fields) < 60 {
		t.Errorf("only %d fields were found", len(fields))
	}
	for field := range fields {
		if !strings.Contains(string(page), "`"+field+"`") {
			t.Errorf("docs/report.md does not describe %q", field)
		}
	}
}

// TestSafety holds what is measured with the flag and what is not without it,
// and that the crowd does the same.
func TestSafety(t *testing.T) {
	args := append([]string{"run", "plaza"}, small...)
	without, with := reportOf(t, args...), reportOf(t, append(args, "--safety")...)
	if without.Collisions != nil || without.SuccessShare != nil || without.NearestP50 != nil || without.AgentCloseShare != nil {
		t.Errorf("without --safety: got=%+v, want none of it", without.figures)
	}
	if with.Collisions == nil || with.CollisionsSteerbench == nil || *with.CollisionsSteerbench != 2**with.Collisions ||
		with.SuccessShare == nil || with.NearestP50 == nil || *with.NearestP1 > *with.NearestP50 {
		t.Errorf("with --safety: got=%+v", with.figures)
	}
	if with.Hash != without.Hash || *with.MeanAcceleration != *without.MeanAcceleration {
		t.Error("the crowd does something else when it is measured")
	}
}

// TestFiguresOfWorkers holds that figures have the same bits with any number of
// workers.
func TestFiguresOfWorkers(t *testing.T) {
	figures := func(workers string) string {
		r := reportOf(t, "--agents", "9000", "--steps", "30", "--safety", "--dt", "0.05", "--workers", workers)
		text, err := json.Marshal(r.figures)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := figures("1")
	for _, workers := range []string{"2", "5"} {
		if got := figures(workers); got != want {
			t.Errorf("%s workers: got=\n%s\nwant=\n%s", workers, got, want)
		}
	}
}

func TestConditions(t *testing.T) {
	r := reportOf(t, "plaza", "--agents", "10", "--steps", "30", "--dt", "0.05", "--safety")
	if *r.RadiusMin != 0.25 || *r.RadiusMax != 0.25 || *r.ArrivalRadiusMin != 0.5 || *r.ArrivalRadiusMax != 0.5 ||
		r.ArrivalThen != "wander" || math.Abs(r.TimeCap-1.5) > 1e-12 || r.Cores < 1 || r.OS == "" || r.Arch == "" {
		t.Errorf("got=%+v", r.conditions)
	}
	if r.Effort == nil || r.SteerbenchScore == nil {
		t.Error("no effort at 20 steps a second")
	}
	if r := reportOf(t, "seek", "--steps", "5"); r.ArrivalRadiusMin != nil || r.ArrivalThen != "" || r.ArrivedShare != nil || r.Effort != nil {
		t.Errorf("without goals: got=%+v, %+v", r.conditions, r.figures)
	}
}

// TestMeasured holds how figures follow from what a world measured.
func TestMeasured(t *testing.T) {
	st := &world.Stats{
		Goals: 8, Arrived: 9, ArrivedOnce: 6, MeanArrivalTime: 12, Times: world.ArrivalTimes{Median: 10, P95: 20, Max: 30},
		ObstacleCollisions: systems.ObstacleCollisionCount{Collisions: 2, LeastClearance: -0.1, Close: 5, Steps: 100},
		Trips:              systems.TripCount{Agents: 8, Unharmed: 2, Ways: 9, Energy: 50, FirstTime: 14, Effort: 3, Frames20: true, Steps: 90},
		AgentCollisions:    systems.AgentCollisionCount{Collisions: 5, LeastClearance: math.Inf(1), Close: 25, Steps: 100},
	}
	var r report
	r.measured(st)
	for _, f := range []struct {
		name string
		got  *float64
		want float64
	}{
		{"arrived share", r.ArrivedShare, 0.75}, {"timed out share", r.TimedOutShare, 0.25}, {"success share", r.SuccessShare, 0.25},
		{"median", r.MedianArrivalTime, 10}, {"p95", r.P95ArrivalTime, 20}, {"max", r.MaxArrivalTime, 30}, {"flow", r.Flow, 0.5},
		{"agent close share", r.AgentCloseShare, 0.25}, {"obstacle close share", r.ObstacleCloseShare, 0.05},
		{"score", r.SteerbenchScore, 50*12./8 + 14 + 3}, {"energy", r.Energy, 50},
	} {
		if f.got == nil || *f.got != f.want {
			t.Errorf("%s: got=%v, want=%v", f.name, numbers.OrDash("%v", f.got), f.want)
		}
	}
	if *r.Collisions != 5 || *r.CollisionsSteerbench != 10 {
		t.Errorf("collisions: got=%d, %d, want=5, 10", *r.Collisions, *r.CollisionsSteerbench)
	}
	if r.AgentLeastClearance != nil || r.NearestP50 != nil || r.PathRatio != nil || r.TurnPerMeter != nil || r.Order != nil {
		t.Errorf("got=%+v, want no answer where there was nothing to measure", r.figures)
	}

	st.AgentCollisions.Exceeded = true
	r = report{}
	r.measured(st)
	if r.Collisions != nil || r.SuccessShare != nil || r.SteerbenchScore != nil || len(r.Notes) != 1 {
		t.Errorf("a heap: got=%+v, notes %v, want none, and a note", r.figures, r.Notes)
	}
	var out bytes.Buffer
	if err := r.writeTable(&out); err != nil || !strings.Contains(out.String(), "75 % of the agents arrived") {
		t.Errorf("table: %v:\n%s", err, out.String())
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
			t.Errorf("%s: got=%v %v %v %v, want=%v and an energy", test.then, numbers.OrDash("%v", r.PathRatio), numbers.OrDash("%v", r.TimeRatio), numbers.OrDash("%v", r.EnergyOptimum), numbers.OrDash("%v", r.Energy), test.want)
		}
	}
}

// Of two crowds that everybody has left the hashes are alike, and the hashes over
// time are not.
func TestTraceHash(t *testing.T) {
	leave := func(speed string, workers string) *report {
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

// TestRates holds what becomes of the times of steps.
func TestRates(t *testing.T) {
	s, err := scene.Named("arrival")
	if err != nil {
		t.Fatal(err)
	}
	w, r, err := prepare(t.Context(), s, scene.Options{Workers: 1, Measure: true, Profile: true}, &console.Console{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	times := newStepTimes()
	for i := range 1000 { // 1 to 1000 ms, in no order
		times.add(time.Duration(i*7%1000+1) * time.Millisecond)
	}
	r.Agents, r.Dt = 5, 0.25
	r.fill(s, w, times)
	near := func(got, want float64) bool { return math.Abs(got-want) <= 0.01*want }
	if p50, p99 := float64(r.StepP50Ns), float64(r.StepP99Ns); !near(p50, 500e6) || !near(p99, 990e6) {
		t.Errorf("p50 %v ns, p99 %v ns, want=500e6, 990e6", p50, p99)
	}
	// 1000 steps in 500.5 s, each of 0.25 s of the crowd's.
	if !near(r.StepsPerSecond, 1000/500.5) || !near(r.RealTimeFactor, 250/500.5) || !near(r.NsPerAgentStep, 500.5e9/1000/5) {
		t.Errorf("got=%v steps a second, %v × real time, %v ns an agent and step", r.StepsPerSecond, r.RealTimeFactor, r.NsPerAgentStep)
	}
}
