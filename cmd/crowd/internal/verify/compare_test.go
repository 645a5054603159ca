package verify

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

func TestCompare(t *testing.T) {
	models := scene.Models()
	runs, parts, costs := plan{}, make([][]part, len(models)), make([]experiment.Cost, len(models))
	for i, m := range models {
		corner := &guideline{seeds: 1, tests: []test{aroundCorner("6"), fixed(absent("7: nothing", "it does not exist"))}}
		runs.suite, runs.model = "corner", m.Model
		corner.plan(&runs)
		parts[i] = []part{{suite: corner, name: "corner"}}
		costs[i] = experiment.Cost{Step: 1234, Dt: 0.01}
	}
	testkit.Must(t, runs.carryOut(t.Context(), quiet(), false))
	e := quiet()
	var table, machine bytes.Buffer
	e.Out, e.Machine = &table, &machine
	testkit.Must(t, (&Options{}).compare(e, models, parts, costs))
	for _, want := range []string{
		"\n6: centers in walls (0) ", "\ncost of a step per agent, ns ", "  1234 ", "\ncost of a second per agent, µs ", "  123 ", "\nas expected, of 2 ", "tests that are not supported: 1", "\nSF95 ", "social-force-1995\n",
	} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("%q is missing from:\n%s", want, table.String())
		}
	}
	if strings.Contains(table.String(), "7: nothing") {
		t.Errorf("got a row for the absent test 7, want none:\n%s", table.String())
	}
	testkit.Must(t, (&Options{JSON: true}).compare(e, models, parts, costs))
	var rows []Row
	if err := json.Unmarshal(machine.Bytes(), &rows); err != nil || len(rows) != 6*len(models) {
		t.Fatalf("got=%d rows, %v, want=%d", len(rows), err, 6*len(models))
	}
	for i, r := range rows {
		if m := models[i/6].Model; r.Model != m || r.Name == "" {
			t.Errorf("row %d: got=%+v, want a row of %s with a name", i, r, m)
		}
		if r.Model == scene.DefaultModel && strings.HasPrefix(r.Name, "6: ") && !r.Passed {
			t.Errorf("got=%+v, want passed", r)
		}
	}
}

// TestComparison verifies that the table fits 80 columns with any metrics, and how it marks them.
func TestComparison(t *testing.T) {
	models := make([]scene.ModelInfo, 6)
	long := "a metric of many words, which does not fit the column"
	wild := []float64{math.NaN(), math.Inf(1), -1e9, 123456, -0.004, math.Copysign(0, -1)}
	rows := make([][]Row, len(models))
	for i := range models {
		models[i] = scene.ModelInfo{Model: scene.Model(strings.Repeat("m", i+1)), Short: "short"}
		law := judge("by a law", about(3, 1), 3)
		law.law = "the law"
		rows[i] = []Row{
			judge(long, atMost(10), wild[i]).by("m", "one"), judge("passed", exactly(12), 12).by("m", "one"),
			judge("missed", exactly(1), 12.34).missedByPeople("they do").by("m", "two"), law.by("m", "two"),
		}
	}
	var b bytes.Buffer
	testkit.Must(t, writeComparison(&b, models, rows))
	want := `one                                    short  short  short  short  short  short 
a metric of many words, which does
  not fit the column (≤ 10)                –!     –!-1e+09  1e+05! -0.00      0 
`
	got := b.String()
	if !strings.HasPrefix(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	for _, line := range []string{"missed (1) ", "by a law (the law) ", "as expected, of 4 "} {
		if !strings.Contains(got, "\n"+line) {
			t.Errorf("%q is missing from:\n%s", line, got)
		}
	}
	testkit.Equal(t, strings.Count(got, "12.3~"), len(models), "marks of metrics that real people miss too")
	for line := range strings.Lines(got) {
		if utf8.RuneCountInString(line) > 81 {
			t.Errorf("got=%q, want at most 80 characters", line)
		}
	}
}

func TestShort(t *testing.T) {
	for _, tc := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "0"}, {3, "3"}, {1.234, "1.23"}, {-1.234, "-1.23"}, {9.996, "10.0"}, {12.345, "12.3"}, {99.96, "100"}, {12345, "12345"},
		{123456, "1e+05"}, {-12345, "-1e+04"}, {1e300, "1e+300"}, {math.NaN(), "–"},
	} {
		r := judge("", atMost(1), tc.x)
		testkit.Equal(t, r.short(), tc.want, "%v", tc.x)
	}
}

func TestReason(t *testing.T) {
	missed := judge("a", atMost(1), 2, "x").because("so")
	if got := missed.by(scene.DefaultModel, "s"); got.Note != "x; so" || got.Suite != "s" {
		t.Errorf("default model: got=%+v, want the note x; so", got)
	}
	if got := missed.by(scene.ModelSteer, "s"); got.Note != "x" || got.Model != scene.ModelSteer {
		t.Errorf("another model: got=%+v, want the note x", got)
	}
	testkit.Equal(t, judge("a", atMost(1), 1).because("so").by(scene.DefaultModel, "s").Note, "", "passed")
}
