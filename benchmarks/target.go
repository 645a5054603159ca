package benchmarks

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/8f878440/crowd/internal/kernel"
)

// Target is a performance target with its measurement.
type Target struct {
	What string

	Kind   Kind
	Bound  float64 // value to reach
	Beyond float64 // value better than the bound; 0 means none
	Floor  float64 // lower bound of Figure, for AtMost only; 0 means none
	Unit   string

	Figure    float64 // median of the rounds
	Low, High float64 // quartiles
}

// Kind says how a target's Bound limits its Figure.
type Kind int

// Kinds of bounds.
const (
	AtMost Kind = iota
	AtLeast
	Reported // no bound
)

// OK reports whether the target is reached. A Reported target always is.
func (t *Target) OK() bool { return t.within(1) }

// within reports whether the target is reached, or missed by at most the given factor.
func (t *Target) within(factor float64) bool {
	switch t.Kind {
	case AtMost:
		return t.Figure <= t.Bound*factor && t.Figure >= t.Floor/factor
	case AtLeast:
		return t.Figure >= t.Bound/factor
	}
	return true
}

const times = "×"

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

func (t *Target) number(x float64) string {
	if t.Unit == "" {
		return digits(x)
	}
	return digits(x) + " " + t.Unit
}

func digits(x float64) string {
	switch {
	case x == float64(int(x)) || x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

func (t *Target) verdict() string {
	beyond := t.Beyond != 0 && (t.Kind == AtLeast && t.Figure >= t.Beyond || t.Kind != AtLeast && t.Figure <= t.Beyond)
	switch {
	case beyond:
		return "beyond"
	case t.Kind == Reported:
		return "–"
	case t.OK():
		return "yes"
	}
	return "**missed**"
}

// WriteTargetsHead writes a description of the machine and the header of a Markdown table of targets. The
// name of the processor may be empty.
func WriteTargetsHead(w io.Writer, processor string) error {
	_, err := fmt.Fprintf(w, `%s, GOMAXPROCS %d, kernels %v, %s, %s/%s.
Figures are medians of rounds in which the entries take turns; quartiles are in parentheses.

| what | must reach | beyond | figure | reached? |
|---|---|---|---|---|
`, cmp.Or(processor, "unknown processor"), runtime.GOMAXPROCS(0), kernel.Used(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// WriteRow writes the target as a row of the table that WriteTargetsHead begins.
func (t *Target) WriteRow(w io.Writer) error {
	beyond := "–"
	if t.Beyond != 0 {
		beyond = t.number(t.Beyond)
	}
	figure := t.number(t.Figure)
	if t.Low != t.High {
		figure += fmt.Sprintf(" (%s–%s)", digits(t.Low), digits(t.High))
	}
	_, err := fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", t.What, t.bound(), beyond, figure, t.verdict())
	return err
}

// Sizes of crowds. Tests use smaller ones.
var small, large, huge = 10_000, 100_000, 1_000_000

// Targets measures all performance targets of the project, and calls the function each for every target as
// soon as it is measured. Targets takes three to five minutes and less than 2 GB of memory. If quick is set,
// it takes 40 seconds: it runs fewer rounds and does not measure the speed of a million agents.
// Targets returns the first error, from each or from a measurement, or context.Cause(ctx) if ctx is done.
func Targets(ctx context.Context, quick bool, each func(Target) error) error {
	t := &trial{quick: quick, each: each, lasts: 1, least: 20 * time.Millisecond}
	if quick {
		t.lasts, t.least = 0.2, 10*time.Millisecond
	}
	defer context.AfterFunc(ctx, func() { t.stop.Store(true) })()
	t.all()
	if t.err == errStopped {
		return context.Cause(ctx)
	}
	return t.err
}

// trial measures targets until an error occurs.
type trial struct {
	quick bool
	each  func(Target) error
	lasts float64       // factor for the durations of contests
	least time.Duration // minimum length of a turn
	stop  atomic.Bool
	err   error
}

// hold runs a contest of entries for at least t.lasts·seconds, and passes the contest to read. After an
// error, hold does nothing.
func (t *trial) hold(seconds float64, steps int, entries []entry, read func(c *contest)) {
	if t.err != nil {
		return
	}
	lasts := time.Duration(t.lasts * seconds * float64(time.Second))
	c := &contest{entries: entries, steps: steps, least: t.least, lasts: lasts, fewest: 3, stop: &t.stop}
	defer c.close()
	if t.err = c.hold(); t.err == nil {
		read(c)
	}
}

// with calls measure with a runner for the entry, unless an error or a stop occurred.
func (t *trial) with(e entry, measure func(r Runner)) {
	if t.err == nil && t.stop.Load() {
		t.err = errStopped
	}
	if t.err != nil {
		return
	}
	r, err := e.start()
	if err != nil {
		t.err = err
		return
	}
	defer r.Close()
	measure(r)
}

func (t *trial) add(target Target, rounds []float64) {
	target.Low, target.Figure, target.High = quartiles(rounds)
	if t.err == nil {
		t.err = t.each(target)
	}
}
