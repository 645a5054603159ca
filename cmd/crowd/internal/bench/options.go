package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// Options say what is measured and how, as flags of the command line.
type Options struct {
	Names []string `arg:"" optional:"" name:"name" help:"Built-in scenes, scene files, or workloads such as W2 and W3/obstacles=1024 (default: plaza)."`

	Agents    []string `placeholder:"N" help:"Numbers of agents, such as 1000,1e6 (default: 1e3,1e4,1e5; files, and scenes with fixed places, as they are)."`
	Workers   []int    `placeholder:"N" help:"Numbers of workers (default: 1, and one for each processor)."`
	Steps     *int     `placeholder:"N" help:"Steps of a sample (default: what takes 50 ms or more)."`
	Repeats   *int     `placeholder:"N" help:"Samples of each (default: 10, with --quick 5)."`
	Baselines bool     `help:"Beside workloads, measure plain loops that give the same results."`
	Quick     bool     `help:"Quick run: up to 10,000 agents, fewer and shorter samples."`

	JSON    bool   `name:"json" help:"Print the results as JSON, and nothing else."`
	Out     string `short:"o" placeholder:"FILE.json" help:"Write the results as JSON, beside the table."`
	Go      string `name:"go" placeholder:"FILE" help:"Write Go benchmark lines, for benchstat; - is standard output, in place of the table."`
	Compare string `placeholder:"OLD.json" help:"Compare with the results that an earlier --out wrote."`

	cli.MemoryFlag
}

// writeTable writes the results for people to read.
func (f *File) writeTable(w io.Writer) error {
	t := cli.NewTable(w)
	// Where crowd alone was measured, no column says by what, and 80 columns are enough.
	several := slices.ContainsFunc(f.Results, func(r Result) bool { return r.By != f.Results[0].By })
	head, by := "", "%.0s"
	if several {
		head, by = "\tby", "\t%s"
	}
	t.Head("name" + head + "\tagents\tworkers\tns/agent\t\tsteps/s\tagents/s\tspeed-up\tallocs\tB/agent")
	for i := range f.Results {
		r := &f.Results[i]
		t.Line(cli.Plain, "%s"+by+"\t%s\t%d\t%.4g\t%s\t%s\t%s\t%s\t%.4g\t%.0f", r.Name, r.By, cli.Thousands(r.Agents), r.Workers,
			r.NsPerAgentStep, r.spreadText(), rate(r.StepsPerSecond), rate(r.AgentsPerSecond), cli.OrDash("%.2f", r.SpeedUp), r.AllocsPerStep, r.BytesPerAgent)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fewest, most := f.Results[0].Steps, 0
	for i := range f.Results {
		fewest, most = min(fewest, f.Results[i].Steps), max(most, f.Results[i].Steps)
	}
	steps := cli.Thousands(fewest)
	if fewest != most {
		steps += " to " + cli.Thousands(most)
	}
	machine, program, _ := strings.Cut(f.Setting(), "; ")
	cli.Fprintf(w, "\n%s\n%s\nmedians of %s, ± half the interquartile range; steps of a sample: %s\n",
		machine, program, cli.Plural(f.Repeats, "sample"), steps)
	for _, note := range f.Notes {
		cli.Fprintf(w, "%s\n", note)
	}
	if f.Interrupted {
		cli.Fprintf(w, "interrupted: this is what was measured until then, some of it with fewer samples\n")
	}
	return nil
}

// spreadText returns how far the samples lie apart, nothing for a few.
func (r *Result) spreadText() string {
	if len(r.Samples) < fewSamples {
		return "–"
	}
	return fmt.Sprintf("± %.1f %%", 100*r.Spread)
}

// rate writes a number of things a second, with three digits or more.
func rate(x float64) string {
	switch {
	case x >= 1e9:
		return fmt.Sprintf("%.3g G", x/1e9)
	case x >= 1e6:
		return fmt.Sprintf("%.3g M", x/1e6)
	case x >= 100:
		return cli.Thousands(int(x + 0.5))
	}
	return fmt.Sprintf("%.3g", x)
}
