package verify

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

var full = flag.Bool("full", false, "run the short suites completely, which takes half a minute of CPU")

// carriedOut returns a suite after its experiments, or after the given runs of the plan only. cut may remove
// experiments.
func carriedOut(t *testing.T, name string, o Options, cut func(suite), runs ...int) suite {
	t.Helper()
	i := slices.Index(suiteNames(), name)
	s, err := suites[i].begin(&o)
	testkit.Must(t, err)
	if cut != nil {
		cut(s)
	}
	var all plan
	s.plan(&all)
	p := all
	if len(runs) > 0 {
		p.runs = nil
	}
	for _, i := range runs {
		p.runs = append(p.runs, all.runs[i])
	}
	testkit.Must(t, p.carryOut(t.Context(), quiet(), false))
	return s
}

// missed lists the rows of the short suites that are not as expected.
var missed = []string{"2 × 250 in 5 m: lane order from contact",
	"bottleneck, jam: wiggle", "door of 1.0 m, jam: wiggle", "11: near exit and far exit: took the far one"}

var (
	juelichRows = []string{"gate of 0.7 m: flow", "gate of 0.7 m: speed", "gate of 0.7 m: density", "gate of 0.7 m: pass", "door of 0.8 m", "door of 1.0 m", "each of these doors", "flow rises", "door of 1.0 m: flow, NIST"}
	diagramRows = []string{"corridor, 0.5/m²", "corridor, 1/m²", "corridor, 2/m²", "corridor, 6/m²", "closed loop, 2/m²", "single file, 0.5/m", "single file, 1.1/m", "single file, 2.1/m"}
	jamRows     = []string{"bottleneck, jam: wiggle", "bottleneck, jam: rev", "bottleneck, jam: acc", "door of 1.0 m, jam: wiggle", "door of 1.0 m, jam: rev", "door of 1.0 m, jam: acc",
		"2 × 250 in 5 m: passed", "2 × 250 in 5 m: lane order", "2 × 250 in 5 m: lane order from contact", "2 × 250 in 5 m: lane order, middle", "2 × 60, door of 0.8 m: pass", "2 × 60, door of 0.8 m: mean burst", "100 against 100", "overtaking", "bottleneck: notch", "bottleneck: share", "evacuation: share", "bottleneck: collisions", "bottleneck: centers in walls"}
	rimeaRows = []string{"1:", "2:", "3:", "4: corridor, 0.5/m²", "4: corridor, 1/m²", "5:", "6: twenty", "6: centers", "7: speed at 20", "7: speed at 30", "7: speed at 40", "7: speed at 50", "7: speed at 60", "7: speed at 70",
		"8:", "10:", "11:", "12: flow", "13: stairs at 0.5", "13: stairs at 1", "13: stairs at 2", "14:", "16: single file, 0.5", "16: single file, 1.1", "16: single file, 2.1"}
	nistRows = []string{"1.1: delays, uniform", "1.1: delays, normal", "1.1: delays, log-normal", "1.1: delays, gamma", "1.1: delays, Weibull", "2.1", "2.2", "2.2", "2.3", "2.3", "2.4", "2.4", "2.5", "2.6", "2.7", "2.9", "2.10", "2.10",
		"3.1", "3.2", "3.3", "4.1", "4.1", "5.1", "5.2"}
)

// TestSmallSuites runs the quickest experiments. It omits rimea, whose experiments are also in other suites.
func TestSmallSuites(t *testing.T) {
	for _, test := range []struct {
		name string
		rows []string // prefixes of the rows
		cut  func(suite)
		runs []int    // nil means all
		left []string // prefixes of the rows that runs does not measure
	}{
		{name: "juelich", rows: juelichRows},
		{"diagram", []string{"corridor, 0.5/m²", "single file, 0.5/m", "single file, 1.1/m", "single file, 2.1/m"}, func(s suite) {
			d := s.(*diagram)
			d.straight, d.impossible, d.loop = d.straight[:1], nil, nil
		}, nil, nil},
		{"jam", jamRows[:len(jamRows)-2], func(s suite) {
			s.(*jam).scenes = nil
		}, []int{1, 4, 5}, []string{"bottleneck", "2 × ", "evacuation"}},
		{"nist", nistRows[:18], func(s suite) {
			g := s.(*guideline)
			g.tests = g.tests[:len(g.tests)-6]
		}, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			check(t, carriedOut(t, test.name, Options{Quick: true}, test.cut, test.runs...), test.rows, test.left...)
		})
	}
}

func TestShortSuites(t *testing.T) {
	if !*full {
		t.Skip("skipped: run with -full")
	}
	for name, rows := range map[string][]string{"juelich": juelichRows, "diagram": diagramRows, "jam": jamRows, "rimea": rimeaRows, "nist": nistRows} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, carriedOut(t, name, Options{Quick: true}, nil), rows)
		})
	}
}

// check requires that all rows are as expected except those in missed, that no metric is missing or absurd,
// and that pictures can be drawn. Of rows with a prefix in left, it checks only the name.
func check(t *testing.T, s suite, want []string, left ...string) {
	t.Helper()
	rows := s.rows()
	if len(rows) != len(want) {
		t.Fatalf("got=%d rows, want=%d", len(rows), len(want))
	}
	for i, r := range rows {
		if !strings.HasPrefix(r.Name, want[i]) || r.Expected == "" {
			t.Errorf("row %d: got=%+v, want a name that begins with %q, and an expectation", i+1, r, want[i])
		}
		if slices.ContainsFunc(left, func(start string) bool { return strings.HasPrefix(r.Name, start) }) {
			continue
		}
		if known := slices.Contains(missed, r.Name); r.asExpected() == known {
			t.Errorf("%s: as expected: got=%v (measured %s), want=%v", r.Name, r.asExpected(), r.value(), !known)
		}
		refused := strings.HasSuffix(r.Name, "refused as too dense")
		if strings.HasPrefix(r.Note, "not supported: ") {
			if r.Measured != nil || r.Passed || r.Expected != "–" {
				t.Errorf("%s: got=%+v, want an absent test without a value", r.Name, r)
			}
			continue
		}
		switch {
		case refused != (r.Measured == nil):
			t.Errorf("%s: has a value: got=%v, want=%v", r.Name, r.Measured != nil, !refused)
		case refused && (!r.Passed || !strings.Contains(r.Note, "people per m² do not fit")):
			t.Errorf("%s: got=%+v, want passed, with the error", r.Name, r)
		case !refused && math.Abs(*r.Measured) > 1000:
			t.Errorf("%s: got=%v, want -1000 to 1000", r.Name, *r.Measured)
		}
	}
	for _, style := range []*plot.Style{&plot.LightStyle, &plot.DarkStyle} {
		for _, file := range []string{"a.svg", "a.png", "a.pdf"} {
			var b strings.Builder
			testkit.Must(t, s.picture(style).Write(&b, file))
			if text := b.String(); file == "a.svg" && (!strings.Contains(text, "<svg") || strings.Contains(text, "NaN") || strings.Contains(text, "Inf")) {
				t.Errorf("got=%.200s, want an SVG with finite numbers", text)
			}
		}
	}
}

func TestNothingPassed(t *testing.T) {
	for _, s := range suites {
		suite, err := s.begin(&Options{Repeats: 2})
		testkit.Must(t, err)
		var p plan
		suite.plan(&p) // never carried out
		for _, r := range suite.rows() {
			if r.Passed && r.Measured == nil && !strings.HasSuffix(r.Name, "refused as too dense") {
				t.Errorf("%s: got passed without a metric, want not passed", r.Name)
			}
		}
		if err := suite.picture(&plot.LightStyle).Write(&strings.Builder{}, "a.png"); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

func TestFailedPicture(t *testing.T) {
	t.Chdir(t.TempDir())
	var files output.Files
	var parts []part
	for _, name := range []string{"a.png", "b.png"} {
		suite, err := newDiagram(&Options{Repeats: 2})
		testkit.Must(t, err)
		suite.plan(&plan{})
		parts = append(parts, part{suite, "diagram", name, files.Add("--out", name)})
	}
	testkit.Must(t, files.Open())
	defer files.Discard()
	parts[0].written.Fail(errors.New("no space"))
	var out strings.Builder
	err := (&Options{}).report(&cli.Console{Out: &out}, scene.DefaultModel, parts)
	if err == nil || err.Error() != "a.png: no space" || strings.Contains(out.String(), "a.png") || !strings.Contains(out.String(), "picture in b.png\n") {
		t.Errorf("got=%v and:\n%s\nwant the error of a.png and the picture b.png", err, &out)
	}
	if _, err := os.Stat("b.png"); err != nil {
		t.Error(err)
	}
}

func TestRecorded(t *testing.T) {
	data := testkit.DataDir(t)
	for _, g := range gates {
		r, err := g.read(data)
		testkit.Must(t, err)
		if r.People != g.people || r.Passed != g.people || math.Abs(r.Flow-g.flow) > 1e-3 || math.Abs(r.Speed-g.speed) > 1e-3 || math.Abs(r.Density-g.density) > 1e-3 {
			t.Errorf("%s: got=%d people, %d passed, flow %v, speed %v, density %v, want=%+v, all passed", g.file, r.People, r.Passed, r.Flow, r.Speed, r.Density, g)
		}
	}
	s := carriedOut(t, "juelich", Options{Quick: true, Data: data}, nil)
	found := false
	for _, r := range s.rows() {
		if strings.Contains(r.Name, "time gaps") {
			found = r.Measured != nil && *r.Measured >= 0 && *r.Measured <= 1
		}
	}
	if !found || s.missing() != "" {
		t.Errorf("time gaps from 0 to 1: got=%v, missing %q, want=true, nothing missing", found, s.missing())
	}
}

func TestGateRows(t *testing.T) {
	g := walkedGate{gate: gates[1], recorded: &experiment.Gate{Gaps: []float64{1, 2, 3, 4}}, walked: []experiment.Gate{
		{Flow: 0.8 * gates[1].flow, Speed: 0.7 * gates[1].speed, Density: 1.5 * gates[1].density, Gaps: []float64{1, 2}, Passed: 111},
		{Flow: gates[1].flow, Speed: 0.5 * gates[1].speed, Density: 0.7 * gates[1].density, Gaps: []float64{3, 8}, Passed: 110},
	}}
	got := ""
	for _, r := range g.rows() {
		got += fmt.Sprintf("%.9g %v, ", *r.Measured, r.Passed)
	}
	testkit.Equal(t, got, "0.9 true, 0.6 false, 1.1 true, 0.25 false, 110 false, ", "rows")
}

func TestDiagramRows(t *testing.T) {
	at := func(density, speed float64, still int) walkedAt {
		return walkedAt{density: 2, tolerance: 0.1, speeds: [2]float64{0.3, 0.4}, walked: []walk{
			{Walk: experiment.Walk{Density: density - 0.1, Speed: speed - 0.2}}, {Walk: experiment.Walk{Density: density + 0.1, Speed: speed + 0.2, Still: still}}}}
	}
	near, far, still := at(3, weidmann(3)+0.05, 0), at(3, weidmann(2), 0), at(3, 0.35, 2)
	noRoom := walkedAt{density: 6, walked: []walk{{}, {noRoom: experiment.NoRoomError{Density: 6, Unit: "m²", Share: 0.9}}}}
	for _, test := range []struct {
		row    Row
		passed bool
	}{
		{near.asWeidmann("corridor"), true}, {far.asWeidmann("corridor"), false},
		{still.within("corridor", "m²"), true}, {far.within("corridor", "m²"), false},
		{near.noneStill(), true}, {still.noneStill(), false},
		{near.refused(), false}, {noRoom.refused(), true},
		{noRoom.asWeidmann("corridor"), false}, {noRoom.within("corridor", "m²"), false}, {noRoom.noneStill(), false},
	} {
		testkit.Equal(t, test.row.Passed, test.passed, "%+v: passed", test.row)
	}
}
