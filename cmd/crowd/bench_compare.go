package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"golang.org/x/perf/benchmath"
)

// fewSamples is the number of samples a side below which even samples that lie
// apart from all others can come about by chance (p < 0.05).
const fewSamples = 4

// change is how a figure differs between two runs.
type change struct {
	ratio   float64 // new median / old median
	p       float64 // of the Mann-Whitney U test; the chance of samples as far apart when nothing differs
	verdict string  // in words, with the change if it is one
}

// compareSamples tells whether what was measured differs, and by how much. It does
// not if that is likely to be chance, or is less than what samples of one run differ
// by.
func compareSamples(old, new *benchResult) change {
	sample := func(values []float64) *benchmath.Sample {
		return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds) // it sorts them
	}
	test := benchmath.AssumeNothing.Compare(sample(old.Samples), sample(new.Samples))
	c := change{ratio: new.NsPerAgentStep / old.NsPerAgentStep, p: test.P}
	switch {
	case len(old.Samples) < fewSamples || len(new.Samples) < fewSamples:
		c.verdict = "~ (too few samples)"
	case test.P >= test.Alpha || math.Abs(c.ratio-1) < max(old.Spread, new.Spread):
		c.verdict = "~ (inside the noise)"
	default:
		c.verdict = fmt.Sprintf("%+.1f %%", 100*(c.ratio-1))
	}
	return c
}

// writeComparison writes how the results of a run differ from those of an earlier
// one, which are in a file.
func writeComparison(w io.Writer, file string, old, new *benchFile) error {
	fmt.Fprintf(w, "\ncompared with %s (%s)\n", file, old.Version)
	for _, warning := range differences(old, new) {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "name\tby\tagents\tworkers\told ns/agent\t\tnew ns/agent\t\tchange\tp\tsamples")
	var onlyNew, onlyOld []string
	for i := range new.Results {
		r := &new.Results[i]
		o := old.find(r)
		if o == nil {
			onlyNew = append(onlyNew, r.label())
			continue
		}
		c := compareSamples(o, r)
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%.4g\t± %.1f %%\t%.4g\t± %.1f %%\t%s\t%.3f\t%d+%d\n", r.Name, r.By, thousands(r.Agents), r.Workers,
			o.NsPerAgentStep, 100*o.Spread, r.NsPerAgentStep, 100*r.Spread, c.verdict, c.p, len(o.Samples), len(r.Samples))
	}
	if len(onlyNew) == len(new.Results) {
		fmt.Fprintln(w, "nothing was measured in both")
	} else if err := t.Flush(); err != nil {
		return err
	}
	for i := range old.Results {
		if r := &old.Results[i]; new.find(r) == nil {
			onlyOld = append(onlyOld, r.label())
		}
	}
	for _, label := range onlyOld {
		fmt.Fprintf(w, "only in %s: %s\n", file, label)
	}
	for _, label := range onlyNew {
		fmt.Fprintf(w, "only in this run: %s\n", label)
	}
	return nil
}

// find returns the result of the same contender with the same case and size, nil
// if there is none.
func (f *benchFile) find(r *benchResult) *benchResult {
	for i := range f.Results {
		if o := &f.Results[i]; o.Name == r.Name && o.By == r.By && o.Agents == r.Agents && o.Workers == r.Workers {
			return o
		}
	}
	return nil
}

// differences returns what differs between two runs beside the code, and so may be
// why the figures do.
func differences(old, new *benchFile) []string {
	var all []string
	add := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if a, b := old.machine(), new.machine(); a != b {
		add("the machines differ: %s; now %s", a, b)
	}
	if old.GoVersion != new.GoVersion {
		add("the Go versions differ: %s; now %s", old.GoVersion, new.GoVersion)
	}
	if old.Warmup != new.Warmup {
		add("the steps to warm up differ: %d; now %d", old.Warmup, new.Warmup)
	}
	for i := range new.Results {
		r := &new.Results[i]
		o := old.find(r)
		if o == nil {
			continue
		}
		if o.Input != r.Input {
			add("%s, %s: the scene differs", r.Name, plural(r.Agents, "agent"))
		}
		if o.Steps != r.Steps {
			add("%s, %s: the steps of a sample differ: %s; now %s", r.Name, plural(r.Agents, "agent"), thousands(o.Steps), thousands(r.Steps))
		}
	}
	return all
}
