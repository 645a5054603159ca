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

// fewSamples is the number of samples a side below which even samples that lie
// apart from all others can come about by chance (p < 0.05).
const fewSamples = 4

// change is how a figure differs between two runs.
type change struct {
	ratio   float64 // new median / old median
	p       float64 // the larger one, of the Mann-Whitney U test; the chance of samples as far apart when nothing differs
	verdict string  // in words, with the change if it is one
}

// style is how a change looks: green if it is faster, red if it is slower.
func (c *change) style() cli.Style {
	switch {
	case strings.HasPrefix(c.verdict, "~"):
		return cli.Plain
	case c.ratio < 1:
		return cli.Good
	}
	return cli.Bad
}

// compareSamples reports whether what was measured differs, and by how much. It does
// not if that is likely to be chance, or is less than what samples of one run differ
// by; and not unless all that holds both for the times and for the times as multiples
// of the calibration's, because a machine is faster in one minute than in the next.
func compareSamples(old, new *Result) change {
	c := change{ratio: new.NsPerAgentStep / old.NsPerAgentStep}
	a, b := old.byCalibration(), new.byCalibration()
	if min(len(old.Samples), len(new.Samples), len(a), len(b)) < fewSamples {
		c.verdict = "~ (too few samples)"
		return c
	}
	times, p := differ(old.Samples, new.Samples)
	multiples, q := differ(a, b)
	c.p = max(p, q)
	if times == 0 || multiples == 0 || (times < 0) != (multiples < 0) {
		c.verdict = "~ (inside the noise)"
		return c
	}
	c.verdict = fmt.Sprintf("%+.1f %%", 100*(c.ratio-1))
	return c
}

// leastChange is the smallest change that is called one: code that differs in
// nothing but where the linker puts it differs by about as much.
const leastChange = 0.02

// differ returns by what part the median of new differs from that of old, 0 if that
// may be noise, and the chance of it.
func differ(old, new []float64) (change, p float64) {
	sample := func(values []float64) *benchmath.Sample {
		return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds) // it sorts them
	}
	test := benchmath.AssumeNothing.Compare(sample(old), sample(new))
	change = cli.Quantile(new, 0.5)/cli.Quantile(old, 0.5) - 1
	if test.P >= test.Alpha || math.Abs(change) < max(leastChange, 2*cli.Spread(old), 2*cli.Spread(new)) {
		change = 0
	}
	return change, test.P
}

// writeComparison writes how the results of a run differ from those of an earlier
// one, which are in a file.
func writeComparison(w io.Writer, file string, old, new *File) error {
	cli.Fprintf(w, "\ncompared with %s (%s)\n", file, old.Version)
	for _, warning := range differences(old, new) {
		cli.Fprintf(w, "warning: %s\n", warning)
	}
	t := cli.NewTable(w)
	t.Head("name\tby\tagents\tworkers\told ns/agent\t\tnew ns/agent\t\tchange\tp\tsamples")
	var onlyNew, onlyOld []string
	for i := range new.Results {
		r := &new.Results[i]
		o := old.find(r)
		if o == nil {
			onlyNew = append(onlyNew, r.Label())
			continue
		}
		c := compareSamples(o, r)
		t.Line(c.style(), "%s\t%s\t%s\t%d\t%.4g\t%s\t%.4g\t%s\t%s\t%.3f\t%d+%d", r.Name, r.By, cli.Thousands(r.Agents), r.Workers,
			o.NsPerAgentStep, o.spreadText(), r.NsPerAgentStep, r.spreadText(), c.verdict, c.p, len(o.Samples), len(r.Samples))
	}
	if len(onlyNew) == len(new.Results) {
		cli.Fprintf(w, "nothing was measured in both\n")
	} else if err := t.Flush(); err != nil {
		return err
	}
	for i := range old.Results {
		if r := &old.Results[i]; new.find(r) == nil {
			onlyOld = append(onlyOld, r.Label())
		}
	}
	for _, label := range onlyOld {
		cli.Fprintf(w, "only in %s: %s\n", file, label)
	}
	for _, label := range onlyNew {
		cli.Fprintf(w, "only in this run: %s\n", label)
	}
	return nil
}

// find returns the result of the same contender with the same case and size, nil
// if there is none.
func (f *File) find(r *Result) *Result {
	for i := range f.Results {
		if o := &f.Results[i]; o.Name == r.Name && o.By == r.By && o.Agents == r.Agents && o.Workers == r.Workers {
			return o
		}
	}
	return nil
}

// differences returns what differs between two runs beside the code, and so may be
// why the figures do.
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
		add("the steps to warm up differ: %d; now %d", old.Warmup, new.Warmup)
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
			add("%s, %s: the steps of a sample differ: %s; now %s", r.Name, cli.Plural(r.Agents, "agent"), cli.Thousands(o.Steps), cli.Thousands(r.Steps))
		}
	}
	return all
}
