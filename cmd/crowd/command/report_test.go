package command

import (
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
)

// TestMeasuring verifies that the report has the measurements of --safety, --line and --area only with these
// flags, and that measuring does not change the run.
func TestMeasuring(t *testing.T) {
	const line = "run plaza --agents 5000 --steps 40"
	measured := func(workers string) string {
		t.Chdir(t.TempDir())
		out, _ := succeed(t, line+" --json --safety --line 200,0,200,400 --line=-1,100,400,100 --area 100,100,150,150 --workers "+workers)
		return out
	}
	text, without := measured("1"), reportOf(t, line)
	with := decode[report.Report](t, text)
	if r := without; r.Collisions != nil || r.SuccessShare != nil || r.NearestP50 != nil || r.AgentCloseShare != nil || r.Lines != nil || r.Areas != nil || r.Neighbors != nil {
		t.Errorf("without flags: got=%+v, want no measurements of --safety, --line and --area", r)
	}
	if r := with; r.Collisions == nil || *r.CollisionsSteerbench != 2**r.Collisions || r.SuccessShare == nil || *r.NearestP1 > *r.NearestP50 {
		t.Errorf("--safety: got=%+v, want collisions, a success share and distances", r.Metrics)
	}
	if len(with.Lines) != 2 || len(with.Areas) != 1 {
		t.Fatalf("got=%+v %+v, want 2 lines and an area", with.Lines, with.Areas)
	}
	if l := with.Lines[0]; l.Width != 400 || l.Passed < 2 || l.Flow == nil || *l.SpecificFlow != *l.Flow/400 || *l.Speed <= 0 {
		t.Errorf("line: got=%+v, want 2 or more passed in 400 m, and the flow", l)
	}
	if a := with.Areas[0]; a.Area != ([4]float64{100, 100, 150, 150}) || *a.Density <= 0 || *a.Density > a.MaxDensity {
		t.Errorf("area: got=%+v, want a density above 0, at most MaxDensity", a)
	}
	if with.Hash != without.Hash || *with.Wiggle != *without.Wiggle {
		t.Errorf("got=%s, %v with measurements, want=%s, %v as without", with.Hash, *with.Wiggle, without.Hash, *without.Wiggle)
	}
	for _, workers := range []string{"2", "7"} {
		testkit.Equal(t, timeless(t, []byte(measured(workers))), timeless(t, []byte(text)), "%s workers", workers)
	}
}

func TestConditions(t *testing.T) {
	r := reportOf(t, "plaza --agents 10 --steps 30 --set dt=0.05 --safety")
	if *r.RadiusMin != 0.25 || *r.RadiusMax != 0.25 || *r.ArrivalRadiusMin != 0.5 || *r.ArrivalRadiusMax != 0.5 ||
		r.ArrivalThen != "wander" || math.Abs(r.TimeCap-1.5) > 1e-12 || r.Cores < 1 || r.OS == "" || r.Arch == "" {
		t.Errorf("got=%+v, want bodies of 0.25 m, goals of 0.5 m, wander, and at most 1.5 s", r.Conditions)
	}
	if r.Effort == nil || r.SteerbenchScore == nil {
		t.Error("got no effort or SteerBench score, want both at 20 steps per second")
	}
	if r := reportOf(t, "seek --steps 5"); r.ArrivalRadiusMin != nil || r.ArrivalThen != "" || r.ArrivedShare != nil || r.Effort != nil {
		t.Errorf("without goals: got=%+v, %+v, want nothing about goals, and no effort", r.Conditions, r.Metrics)
	}
}

// TestRepeatedTrips verifies that a round trip, which ends where it began, is not compared with a
// straight line.
func TestRepeatedTrips(t *testing.T) {
	const text = "dt = 0.1\nsteps = 300\n[[groups]]\nat = [0, 0]\nmax-speed = 1\nseek = {}\ngoal = {radius = 0.5, then = \"%\"}\nitineraries = [[{at = [3, 0]}, {at = [0, 3]}, {at = [1, 0]}]]\n"
	for then, want := range map[string]bool{"repeat": false, "stay": true} {
		dir := testkit.Files(t, map[string]string{"round.toml": strings.Replace(text, "%", then, 1)})
		r := reportOf(t, "run "+dir+"/round.toml")
		if got := r.PathRatio != nil; got != want || (r.TimeRatio != nil) != want || (r.EnergyOptimum != nil) != want || r.Energy == nil {
			t.Errorf("%s: got=path ratio %v, time ratio %v, optimum %v, energy %v, want numbers for the first three: %v, and an energy", then, cli.OrDash("%v", r.PathRatio), cli.OrDash("%v", r.TimeRatio), cli.OrDash("%v", r.EnergyOptimum), cli.OrDash("%v", r.Energy), want)
		}
	}
}

// TestTraceHash verifies that trace hashes distinguish runs that end with the same state: all agents have left.
func TestTraceHash(t *testing.T) {
	leave := func(speed, workers string) *report.Report {
		dir := testkit.Files(t, map[string]string{"leave.toml": "steps = 60\ndt = 0.1\nbox = [[0, 0], [10, 10]]\n[[groups]]\ncount = 2\nat = {rectangle = [[1, 1], [2, 2]]}\n" +
			"target = {points = [[4, 4]]}\nmax-force = 50\nseek = {gain = 2}\ngoal = {radius = 0.5, then = \"leave\"}\nmax-speed = " + speed})
		return reportOf(t, "run "+dir+"/leave.toml --workers "+workers)
	}
	slow, fast, again := leave("2", "1"), leave("3", "1"), leave("3", "2")
	if slow.Hash != "0000000000000000" || slow.Hash != fast.Hash {
		t.Errorf("hash: got=%s, %s, want 0 for both", slow.Hash, fast.Hash)
	}
	if slow.TraceHash == fast.TraceHash || fast.TraceHash != again.TraceHash || len(slow.TraceHash) != 16 {
		t.Errorf("trace hash: got=%s, %s, %s, want=another hash at another speed, and the same hash with 2 workers", slow.TraceHash, fast.TraceHash, again.TraceHash)
	}
}

// TestNoRoom verifies that the report counts agents that could not start because their source is in a wall.
func TestNoRoom(t *testing.T) {
	dir := testkit.Files(t, map[string]string{"wall.toml": "dt = 0.1\nsteps = 20\nbox = [[0, 0], [9, 9]]\n[obstacles]\nboxes = [{box = [[0, 0], [3, 3]]}]\n" +
		"[[groups]]\ncount = 4\nat = [1, 1]\nradius = 0.2\nmax-speed = 1\nstart-speed = 1\nsource = {every = 1, at-once = 2}\n"})
	notes := reportOf(t, "run "+dir+"/wall.toml").Notes
	testkit.Equal(t, strings.Join(notes, "|"), "at the end, 4 agents could not start for lack of room", "notes")
}
