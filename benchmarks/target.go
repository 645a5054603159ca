package benchmarks

import "fmt"

// Target is a figure that must be reached.
type Target struct {
	Name string // the same in every run, such as "W2/agents=100000/plain"
	What string // in words

	Kind   Kind
	Bound  float64 // what must be reached
	Beyond float64 // what would be better still; 0: nothing is named
	Floor  float64 // of a share that must not be below it, either
	Unit   string

	Figure    float64 // the median of the rounds
	Low, High float64 // its quartiles
}

// Kind says what a target's Bound is.
type Kind int

const (
	AtMost   Kind = iota
	AtLeast       // the figure must be Bound or more
	Reported      // there is no bound
)

// OK reports whether the target is reached.
func (t *Target) OK() bool { return t.within(1) }

// within reports whether the target is reached, or missed by no more than a factor.
func (t *Target) within(factor float64) bool {
	switch t.Kind {
	case AtMost:
		return t.Figure <= t.Bound*factor && t.Figure >= t.Floor/factor
	case AtLeast:
		return t.Figure >= t.Bound/factor
	}
	return true
}

// Ratio reports whether the figure compares two costs of the same run.
func (t *Target) Ratio() bool { return t.Unit == times }

const times = "×"

// reach returns a target with its figure: the median of the rounds.
func (t Target) reach(rounds []float64) Target {
	t.Low, t.Figure, t.High = quartiles(rounds)
	return t
}

// bound returns the bound in words.
func (t *Target) bound() string {
	switch {
	case t.Kind == Reported:
		return "–"
	case t.Kind == AtLeast:
		return "≥ " + t.number(t.Bound)
	case t.Bound == 0:
		return "0"
	case t.Floor > 0:
		return digits(t.Floor) + " to " + t.number(t.Bound)
	}
	return "≤ " + t.number(t.Bound)
}

// number writes a figure with its unit.
func (t *Target) number(x float64) string {
	if t.Unit == "" {
		return digits(x)
	}
	return digits(x) + " " + t.Unit
}

// digits writes a number with three digits or more.
func digits(x float64) string {
	switch {
	case x == float64(int(x)) || x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
