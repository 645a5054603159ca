package report

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// longestStep is the top of the scale: longer steps count as that long.
const longestStep = 24 * time.Hour

// StepTimes is how long steps took, in as much memory for a hundred million steps
// as for one.
type StepTimes struct {
	counts *hdrhistogram.Histogram // of nanoseconds
	total  time.Duration
}

// NewStepTimes tells times to three significant digits.
func NewStepTimes() *StepTimes {
	return &StepTimes{counts: hdrhistogram.New(1, longestStep.Nanoseconds(), 3)}
}

// Add counts a step.
func (t *StepTimes) Add(took time.Duration) {
	t.total += took
	// It only refuses what is off the scale.
	_ = t.counts.RecordValue(min(max(took, 1), longestStep).Nanoseconds())
}

// Seconds returns how long all steps took.
func (t *StepTimes) Seconds() float64 { return t.total.Seconds() }

// steps returns how many there were.
func (t *StepTimes) steps() int { return int(t.counts.TotalCount()) }

// quantile returns the time in nanoseconds that a share of the steps do not reach,
// in percent: of n times in order, the one behind the first n·share/100.
func (t *StepTimes) quantile(share int) int64 {
	n := t.steps()
	return t.counts.ValueAtQuantile(100 * float64(n*share/100+1) / float64(n))
}
