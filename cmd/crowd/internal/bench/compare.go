package bench

import (
	"fmt"
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
// of the yardstick's, because a machine is faster in one minute than in the next.
func compareSamples(old, new *Result) change {
	c := change{ratio: new.NsPerAgentStep / old.NsPerAgentStep}
	a, b := old.byYardstick(), new.byYardstick()
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
