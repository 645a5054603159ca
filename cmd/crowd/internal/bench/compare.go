package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"golang.org/x/perf/benchmath"
)

const fewSamples = 4 // with fewer in both runs, no change is significant (p < 0.05)

type change struct {
	ratio   float64 // new median / old median
	p       float64 // larger p-value of two Mann-Whitney U tests, of times and of calibrated times; -1 without a test
	verdict string  // change in percent, or ~ and why no change was found
}

func (c *change) style() cli.Style {
	switch {
	case strings.HasPrefix(c.verdict, "~"):
		return cli.Plain
	case c.ratio < 1:
		return cli.Good
	}
	return cli.Bad
}

func (c *change) pText() string {
	if c.p < 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", c.p)
}

// compareSamples finds a change only if differ finds one in the times, and one in the same direction in the
// times divided by those of the calibration. The division corrects for variations in the machine's speed.
func compareSamples(old, new *Result) change {
	c := change{ratio: new.NsPerAgentStep / old.NsPerAgentStep}
	a, b := old.byCalibration(), new.byCalibration()
	if min(len(old.Samples), len(new.Samples), len(a), len(b)) < fewSamples {
		c.verdict, c.p = "~ (too few samples)", -1
		return c
	}
	times, p := differ(old.Samples, new.Samples)
	multiples, q := differ(a, b)
	c.p = max(p, q)
	if times == 0 || multiples == 0 || (times < 0) != (multiples < 0) {
		c.verdict = "~ (within the noise)"
		return c
	}
	c.verdict = fmt.Sprintf("%+.1f%%", 100*(c.ratio-1))
	return c
}

// leastChange is the minimum relative change that is reported. The same code can take that much more or less
// time at a different address.
const leastChange = 0.02

// differ returns the relative change of the median, and the p-value. The change is 0 if it is not
// significant, or if it is smaller than leastChange or than the interquartile range of old or new, divided by
// its median.
func differ(old, new []float64) (change, p float64) {
	sample := func(values []float64) *benchmath.Sample {
		return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds) // NewSample sorts its argument
	}
	test := benchmath.AssumeNothing.Compare(sample(old), sample(new))
	change = cli.Quantile(new, 0.5)/cli.Quantile(old, 0.5) - 1
	if test.P >= test.Alpha || math.Abs(change) < max(leastChange, 2*cli.Spread(old), 2*cli.Spread(new)) {
		change = 0
	}
	return change, test.P
}

func writeComparison(w io.Writer, file string, old, new *File) error {
	cli.Fprintf(w, "\ncompared with %s (%s)\n", file, old.Version)
	for _, warning := range differences(old, new) {
		cli.Fprintf(w, "warning: %s\n", warning)
	}
	t := cli.NewTable(w)
	t.Head("name\tby\tagents\tworkers\told ns/agent\t\tnew ns/agent\t\tchange\tp\tsamples")
	var only []string // results that only one run contains
	for i := range new.Results {
		r := &new.Results[i]
		o := old.find(r)
		if o == nil {
			only = append(only, "only in this run: "+r.Label())
			continue
		}
		c := compareSamples(o, r)
		t.Line(c.style(), "%s\t%s\t%s\t%d\t%.4g\t%s\t%.4g\t%s\t%s\t%s\t%d+%d", r.Name, r.By, cli.Thousands(r.Agents), r.Workers,
			o.NsPerAgentStep, o.spreadText(), r.NsPerAgentStep, r.spreadText(), c.verdict, c.pText(), len(o.Samples), len(r.Samples))
	}
	if len(only) == len(new.Results) {
		cli.Fprintf(w, "the runs have no results in common\n")
	} else if err := t.Flush(); err != nil {
		return err
	}
	for i := range old.Results {
		if r := &old.Results[i]; new.find(r) == nil {
			only = append(only, "only in "+file+": "+r.Label())
		}
	}
	for _, line := range only {
		cli.Fprintf(w, "%s\n", line)
	}
	return nil
}

// find returns the result in f for what r measures, or nil.
func (f *File) find(r *Result) *Result {
	for i := range f.Results {
		if o := &f.Results[i]; o.Name == r.Name && o.By == r.By && o.Agents == r.Agents && o.Workers == r.Workers {
			return o
		}
	}
	return nil
}

// differences returns descriptions of the differences, other than in the code, that may explain changes.
func differences(old, new *File) []string {
	var all []string
	add := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if a, b := old.Machine(), new.Machine(); a != b {
		add("the machines differ: %s; now %s", a, b)
	}
	if old.Kernels != new.Kernels && old.Kernels != "" {
		add("the vector kernels differ: %s; now %s", old.Kernels, new.Kernels)
	}
	if old.GoVersion != new.GoVersion {
		add("the Go versions differ: %s; now %s", old.GoVersion, new.GoVersion)
	}
	if old.Warmup != new.Warmup {
		add("the warmup steps differ: %d; now %d", old.Warmup, new.Warmup)
	}
	for i := range new.Results {
		r := &new.Results[i]
		o := old.find(r)
		if o == nil {
			continue
		}
		if o.Input != r.Input {
			add("%s, %s: the scene differs", r.Name, cli.Plural(r.Agents, "agent"))
		}
		if o.Steps != r.Steps {
			add("%s, %s: the steps per sample differ: %s; now %s", r.Name, cli.Plural(r.Agents, "agent"), cli.Thousands(o.Steps), cli.Thousands(r.Steps))
		}
	}
	return all
}
