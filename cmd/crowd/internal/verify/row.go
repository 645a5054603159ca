package verify

import (
	"fmt"
	"math"
	"strings"

	"github.com/8f878440/crowd/world/scene"
)

// Row is a figure of an experiment, as expected of people and as measured of agents.
type Row struct {
	Model    scene.Model `json:"model"`
	Suite    string      `json:"suite"`
	Name     string      `json:"name"`
	Expected string      `json:"expected"`
	Measured *float64    `json:"measured"` // nil: it could not be measured
	Passed   bool        `json:"passed"`
	Note     string      `json:"note"`

	notes  []string // the parts of Note
	reason string   // why people miss it who walk by the default model
	law    string   // what is expected of people whatever else was measured of them; empty: Expected
	missed bool     // real people do not pass either, and agents need not
	absent bool     // what it is about is not there
}

// asExpected reports whether the row is passed, is missed by people too, or is about what is
// not there.
func (r *Row) asExpected() bool { return r.Passed || r.missed || r.absent }

// expectation is what is expected of a figure. NaN is never as expected.
type expectation struct {
	text  string
	holds func(x float64) bool
}

func between(lo, hi float64) expectation {
	return expectation{fmt.Sprintf("%.3g–%.3g", lo, hi), func(x float64) bool { return lo <= x && x <= hi }}
}

// about expects what differs by a tolerance at most.
func about(want, tolerance float64) expectation {
	e := between(want-tolerance, want+tolerance)
	e.text = fmt.Sprintf("%.2f ± %.2g", want, tolerance)
	return e
}

func atMost(most float64) expectation {
	return expectation{fmt.Sprintf("≤ %.3g", most), func(x float64) bool { return x <= most }}
}

func atLeast(least float64) expectation {
	return expectation{fmt.Sprintf("≥ %.3g", least), func(x float64) bool { return x >= least }}
}

func above(least float64) expectation {
	return expectation{fmt.Sprintf("> %.3g", least), func(x float64) bool { return x > least }}
}

func exactly(n int) expectation {
	return expectation{fmt.Sprint(n), func(x float64) bool { return x == float64(n) }}
}

// in returns the expectation with the unit of the figure.
func (e expectation) in(unit string) expectation {
	e.text += " " + unit
	return e
}

// judge returns the row of a figure.
func judge(name string, e expectation, measured float64, notes ...string) Row {
	r := Row{Name: name, Expected: e.text, Passed: e.holds(measured), notes: notes, Note: strings.Join(notes, "; ")}
	if !math.IsNaN(measured) && !math.IsInf(measured, 0) {
		r.Measured = &measured
	}
	return r
}

// absent returns the row of a test that cannot be done, and why.
func absent(name, why string) Row {
	r := Row{Name: name, Expected: "–", absent: true}
	return r.noted("not here: " + why)
}

// missedByPeople marks a row that real people do not pass either.
func (r Row) missedByPeople(why string) Row {
	r.missed = true
	return r.noted(why)
}

// because says why the row is missed, if it is, by people who walk by the default model.
func (r Row) because(why string) Row {
	if !r.Passed {
		r.reason = why
	}
	return r
}

// by returns the row of people who walk by a model.
func (r Row) by(m scene.Model, suite string) Row {
	r.Model, r.Suite = m, suite
	if m == scene.DefaultModel && r.reason != "" {
		return r.noted(r.reason)
	}
	return r
}

func (r Row) noted(why string) Row {
	r.notes = append(r.notes, why)
	r.Note = strings.Join(r.notes, "; ")
	return r
}

// meanOf returns the mean of a figure over results.
func meanOf[T any](results []T, figure func(*T) float64) float64 {
	sum := 0.
	for i := range results {
		sum += figure(&results[i])
	}
	return sum / float64(len(results))
}

// leastOf returns the least of a count over results.
func leastOf[T any](results []T, count func(*T) int) float64 {
	least := math.MaxInt
	for i := range results {
		least = min(least, count(&results[i]))
	}
	return float64(least)
}

// mostOf returns the most of a count over results.
func mostOf[T any](results []T, count func(*T) int) float64 {
	return -leastOf(results, func(t *T) int { return -count(t) })
}

// of says over how many seeds a figure is the mean, the fewest, the most.
func of(what string, seeds int) string {
	if seeds == 1 {
		return "one seed"
	}
	return fmt.Sprintf("%s of %d seeds", what, seeds)
}
