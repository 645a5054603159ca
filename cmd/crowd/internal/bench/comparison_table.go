package bench

import (
	"fmt"
	"io"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

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
