package verify

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/testkit"
)

func TestExpectations(t *testing.T) {
	for _, test := range []struct {
		e    expectation
		text string
		yes  []float64
		no   []float64
	}{
		{between(0.9, 1.1), "0.9–1.1", []float64{0.9, 1, 1.1}, []float64{0.89, 1.11}},
		{about(0.6, 0.1).in("m/s"), "0.60 ± 0.1 m/s", []float64{0.51, 0.69}, []float64{0.49, 0.71}},
		{about(0.16, 0.05), "0.16 ± 0.05", []float64{0.12}, []float64{0.22}},
		{atMost(1.33).in("/s"), "≤ 1.33 /s", []float64{1.33, -1}, []float64{1.34}},
		{atLeast(0.8), "≥ 0.8", []float64{0.8, 2}, []float64{0.79}},
		{above(0), "> 0", []float64{1e-9}, []float64{0, -1}},
		{exactly(120), "120", []float64{120}, []float64{119, 121}},
	} {
		testkit.Equal(t, test.e.text, test.text, "text")
		for _, x := range test.yes {
			if !test.e.holds(x) {
				t.Errorf("%s: %v: got not as expected, want as expected", test.text, x)
			}
		}
		for _, x := range append(test.no, math.NaN()) {
			if test.e.holds(x) {
				t.Errorf("%s: %v: got as expected, want not as expected", test.text, x)
			}
		}
	}
}

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		row                Row
		passed, asExpected bool
		null               bool
		note               string
	}{
		{judge("a", atMost(1), 0.5, "x", "y"), true, true, false, "x; y"},
		{judge("a", atMost(1), 2), false, false, false, ""},
		{judge("a", atMost(1), math.NaN()), false, false, true, ""},
		{judge("a", above(0), math.Inf(1)), true, true, true, ""},
		{judge("a", atMost(1), 2, "x").missedByPeople("y"), false, true, false, "x; y"},
		{judge("a", atMost(1), 1).missedByPeople("y"), true, true, false, ""},
	} {
		r := test.row
		if r.Passed != test.passed || r.asExpected() != test.asExpected || (r.Measured == nil) != test.null || r.Note != test.note {
			t.Errorf("got=%+v, want=%+v", r, test)
		}
	}
}

func TestOverResults(t *testing.T) {
	all := []int{3, 1, 2}
	whole := func(x *int) int { return *x }
	testkit.Equal(t, meanOf(all, func(x *int) float64 { return float64(*x) }), 2, "mean")
	if least, most := leastOf(all, whole), mostOf(all, whole); least != 1 || most != 3 {
		t.Errorf("got=%v to %v, want=1 to 3", least, most)
	}
}

func TestTable(t *testing.T) {
	long := "a note of many words that does not fit a line of a terminal, and so goes on in the next one"
	rows := []Row{
		judge("one", atMost(1).in("m/s²"), 0.5, "mean of 3 seeds"),
		judge("two", exactly(120), 97, "mean of 3 seeds", long),
		judge("three", atLeast(1), math.NaN()),
	}
	var b bytes.Buffer
	testkit.Must(t, writeTable(&b, "suite", rows, "more is missing."))
	want := `suite      expected  measured  passed
one [1]    ≤ 1 m/s²  0.5       yes
two [1,2]  120       97        no
three      ≥ 1       –         no
[1]  mean of 3 seeds
[2]  a note of many words that does not fit a line of a terminal, and so goes on
     in the next one
     more is missing.

`
	testkit.Equal(t, b.String(), want, "table")
}

func TestWeidmann(t *testing.T) {
	for density, want := range map[float64]float64{0.01: 1.34, 1.16: 0.97, 2.4: 0.48, 2.82: 0.37, 5.4: 0, 8: 0} {
		testkit.Near(t, weidmann(density), want, 0.005, "%v people/m²", density)
	}
}

func quiet() *cli.Console {
	return &cli.Console{Err: os.Stderr, Log: slog.New(slog.DiscardHandler)}
}

func TestPlan(t *testing.T) {
	var p plan
	squares := repeat(&p, 50, func(r run) (uint64, error) { return r.Seed * r.Seed, nil })
	testkit.Must(t, p.carryOut(t.Context(), quiet(), false))
	for i, got := range squares {
		testkit.Equal(t, got, uint64((i+1)*(i+1)), "%d", i)
	}
}

func TestPlanEnds(t *testing.T) {
	broken := errors.New("broken")
	p := plan{suite: "ring", model: "orca"}
	var runs atomic.Int64
	repeat(&p, 1000, func(r run) (int, error) {
		runs.Add(1)
		if r.Seed == 3 {
			return 0, broken
		}
		if r.Seed > 3 {
			<-r.Context.Done() // the error cancels it
		}
		return 0, nil
	})
	err := p.carryOut(t.Context(), quiet(), false)
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "ring by orca: ") {
		t.Errorf("got=%v, want an error that begins with \"ring by orca: \" and wraps broken", err)
	}
	if n, most := runs.Load(), int64(2+runtime.GOMAXPROCS(0)); n > most {
		t.Errorf("got=%d runs with an error in the third, want at most %d", n, most)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p = plan{}
	repeat(&p, 1000, func(r run) (int, error) {
		if r.Seed == 5 {
			cancel()
		}
		return 0, r.Context.Err()
	})
	testkit.Equal(t, p.carryOut(ctx, quiet(), false), context.Canceled, "canceled")
}
