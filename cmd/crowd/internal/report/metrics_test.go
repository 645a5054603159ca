package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestMeasured(t *testing.T) {
	st := &world.Stats{
		Goals: 8, Arrived: 9, ArrivedOnce: 6, MeanArrivalTime: 12, Times: struct{ Median, P95, Max float64 }{Median: 10, P95: 20, Max: 30},
		ObstacleCollisions: measure.ObstacleCollisionCount{Collisions: 2, LeastClearance: -0.1, Close: 5, Steps: 100},
		Trips:              measure.TripCount{Agents: 8, Unharmed: 2, Trips: 9, Energy: 50, FirstTime: 14, Effort: 3, Frames20: true, Steps: 90, Length: 63},
		AgentCollisions:    measure.AgentCollisionCount{Collisions: 5, LeastClearance: math.Inf(1), Close: 25, Steps: 100},
	}
	r := Report{Dt: 0.5}
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
		{"mean speed", r.MeanSpeed, 1.4},
	} {
		if f.got == nil || *f.got != f.want {
			t.Errorf("%s: got=%v, want=%v", f.name, cli.OrDash("%v", f.got), f.want)
		}
	}
	if *r.Collisions != 5 || *r.CollisionsSteerbench != 10 {
		t.Errorf("collisions: got=%d, %d, want=5, 10", *r.Collisions, *r.CollisionsSteerbench)
	}
	if r.AgentLeastClearance != nil || r.NearestP50 != nil || r.PathRatio != nil || r.Wiggle != nil || r.Reversals != nil || r.Acceleration != nil || r.Turning != nil || r.Order != nil {
		t.Errorf("got=%+v, want nil where there was nothing to measure", r.Metrics)
	}

	r = Report{Dt: 0.5}
	if r.measured(&world.Stats{}); r.MeanSpeed != nil {
		t.Errorf("no steps: got a mean speed of %v, want none", *r.MeanSpeed)
	}

	st.AgentCollisions.Exceeded = true
	r = Report{}
	r.measured(st)
	if r.Collisions != nil || r.SuccessShare != nil || r.SteerbenchScore != nil || len(r.Notes) != 1 {
		t.Errorf("too many agents in one place: got=%+v, notes %q, want no collisions, and one note", r.Metrics, r.Notes)
	}
	var out bytes.Buffer
	if err := r.WriteTable(&out); err != nil || !strings.Contains(out.String(), "75% of the agents arrived") {
		t.Errorf("table: got=%v,\n%s\nwant the share of agents that arrived", err, out.String())
	}
}

func TestTimesAreRounded(t *testing.T) {
	out := 40.42000000000072
	r := Report{OutAfter: &out}
	st := &world.Stats{Arrived: 1, Times: struct{ Median, P95, Max float64 }{Median: out, P95: out, Max: out}, Areas: []measure.AreaCount{{Time: 29.680000027641654}}}
	r.measured(st)
	r.measurements(&scene.Scene{Dt: 0.02, Areas: []r2.Box{{}}}, st)
	for _, got := range []float64{*r.MedianArrivalTime, *r.P95ArrivalTime, *r.MaxArrivalTime} {
		testkit.Equal(t, got, 40.42, "arrival time")
	}
	testkit.Equal(t, r.Areas[0].Time, 29.68, "time in the area")
}

func TestOutcome(t *testing.T) {
	one, two := 10.4, 20.6
	times := Metrics{MedianArrivalTime: &one, MaxArrivalTime: &two}
	for _, test := range []struct {
		r    Report
		want string
	}{
		{Report{TimedOut: 60}, "0 of 60"},
		{Report{Arrived: 1, ArrivedAgents: 1, TimedOut: 59, Metrics: times}, "1 of 60 in 20.6 s"},
		{Report{Arrived: 1, ArrivedAgents: 1, OutAfter: &two, Metrics: times}, "all agents after 20.6 s"},
		{Report{Arrived: 2, ArrivedAgents: 2, OutAfter: &two, Metrics: times}, "all agents after 20.6 s; half of the trips took at most 10.4 s"},
	} {
		if _, got := test.r.outcome(); got != test.want {
			t.Errorf("got=%q, want=%q", got, test.want)
		}
	}
}

func TestMotion(t *testing.T) {
	speed, wiggle, reversals, acceleration, turning, order := 1.2345, 1.0123, 0.428, 0.635, 113.2, 0.4931
	metrics := Metrics{MeanSpeed: &speed, Wiggle: &wiggle, Reversals: &reversals, Acceleration: &acceleration, Turning: &turning, Order: &order}
	for _, tc := range []struct {
		name string
		r    Report
		want string
	}{
		{"meters", Report{Dt: 0.05, Metrics: metrics}, `
motion  mean speed 1.23 m/s
        wiggle 1.012 (recorded people: 1.005 when walking freely, 1.02–1.05 in a
        jam)
        reversals 0.428 /s (recorded people: 0.03–0.23 in a jam)
        acceleration 0.635 m/s² (recorded people: about 0.6)
        turning 113 °/s, order 0.493
`},
		{"pixels and seconds", Report{Dt: 0.05, Metrics: metrics, pixels: true}, `
motion  mean speed 1.23 px/s
        wiggle 1.012
        reversals 0.428 /s
        acceleration 0.635 px/s²
        turning 113 °/s, order 0.493
`},
		{"pixels and frames, nothing measured", Report{Dt: 1, pixels: true}, `
motion  mean speed – px/frame
        wiggle –
        reversals – /frame
        acceleration – px/frame²
        turning – °/frame, order –
`},
	} {
		var out bytes.Buffer
		table := cli.NewTable(&out)
		tc.r.writeMotion(table.Row)
		if err := table.Flush(); err != nil || out.String() != tc.want[1:] {
			t.Errorf("%s: %v: got=\n%s\nwant=%s", tc.name, err, out.String(), tc.want)
		}
	}
}

func TestStepTimes(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 99, 100, 101, 20_000} {
		times := NewStepTimes()
		var all []int64
		for i := range n {
			took := int64(1000 * math.Exp(float64((i*7919)%n)/float64(n)*12)) // 1 µs to 160 ms
			all = append(all, took)
			times.Add(time.Duration(took))
		}
		slices.Sort(all)
		for _, share := range []int{50, 99} {
			got, want := float64(times.quantile(share)), float64(all[n*share/100])
			if math.Abs(got-want) > 0.001*want {
				t.Errorf("%d times, p%d: got=%v, want=%v within 0.1%%", n, share, got, want)
			}
		}
		testkit.Equal(t, times.steps(), n, "steps")
	}
}

func TestStepTimesAreSmall(t *testing.T) {
	times := NewStepTimes()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 5_000_000 {
		times.Add(time.Duration(i) * 1000)
	}
	times.Add(0)
	times.Add(1000 * time.Hour)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("got=%d bytes for 5 million times, want at most %d", got, 1<<20)
	}
	testkit.Equal(t, times.steps(), 5_000_002, "steps")
}

var update = flag.Bool("update", false, "update the table of metrics in docs/report.md")

func TestMetricsAreUpToDate(t *testing.T) {
	const page, begin, end = "../../../../docs/report.md", "<!-- metrics: made from the list -->\n", "<!-- end of metrics -->"
	data := testkit.Read(t, page)
	before, rest, found := strings.Cut(string(data), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no table of metrics", page)
	}
	var b strings.Builder
	b.WriteString("| field | unit | meaning |\n|---|---|---|\n")
	for _, of := range [][]Metric{OfReport, OfLine, OfArea} {
		for _, f := range of {
			unit := f.Unit
			switch unit {
			case "%":
				unit = "share"
			case "ms":
				unit = "ns"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Column, unit, strings.TrimPrefix(strings.TrimSuffix(f.Name+"; "+f.Text, "; "), "; "))
		}
	}
	text := before + begin + b.String() + end + after
	if text == string(data) {
		return
	}
	if !*update {
		t.Fatalf("the table of metrics in docs/report.md is out of date: run go test ./cmd/crowd/internal/report -run %s -update", t.Name())
	}
	testkit.Must(t, os.WriteFile(page, []byte(text), 0o644))
}

func TestReportIsDescribed(t *testing.T) {
	page := testkit.Read(t, "../../../../docs/report.md")
	fields := 0
	var check func(path string, v any)
	check = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, field := range v {
				check(strings.TrimPrefix(path+"."+name, "."), field)
			}
		case []any:
			check(path+"[]", v[0])
		default:
			if fields++; !strings.Contains(string(page), "`"+path+"`") {
				t.Errorf("docs/report.md does not describe %q", path)
			}
		}
	}
	for path, v := range map[string]any{
		"":     Report{File: "x", Systems: []System{{}}},
		"perf": Perf{Systems: []SystemPerf{{}}, Workers: []WorkerPerf{{}}, Scan: &scanPerf{}, Obstacles: &obstaclesPerf{}},
	} {
		text, err := json.Marshal(v)
		testkit.Must(t, err)
		var all any
		testkit.Must(t, json.Unmarshal(text, &all))
		check(path, all)
	}
	if fields < 80 {
		t.Errorf("got=%d fields, want 80 or more", fields)
	}
}
