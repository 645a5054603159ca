package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// Options are the arguments and flags of crowd bench.
type Options struct {
	Names []string `arg:"" optional:"" name:"name" help:"Built-in scenes, scene files, or workloads such as W2 and W3/obstacles=1024 (default: plaza)."`

	Agents    []string `placeholder:"N" help:"Numbers of agents, such as 1000,1e6 (default: 1e3,1e4,1e5; for files, and for scenes whose agents have fixed places, the number in the scene)."`
	Workers   []int    `placeholder:"N" help:"Numbers of workers (default: 1 and the number of processors)."`
	Steps     *int     `placeholder:"N" help:"Steps per sample (default: those of --compare, or as many as take 50 ms, or 10 ms with --quick)."`
	Repeats   *int     `placeholder:"N" help:"Number of samples (default: 10, or 5 with --quick)."`
	Baselines bool     `help:"For workloads, also measure plain loops that give the same results."`
	Quick     bool     `help:"Run quickly: up to 10,000 agents, with fewer and shorter samples."`

	JSON    bool   `name:"json" help:"Print only the results, as JSON."`
	Out     string `short:"o" placeholder:"FILE.json" help:"Also write the results as JSON."`
	Go      string `name:"go" placeholder:"FILE" help:"Write Go benchmark lines for benchstat; - prints them instead of the table."`
	Compare string `placeholder:"OLD.json" help:"Compare with earlier results written by --out."`

	cli.MemoryFlag
}

// Help lists the workloads and shows examples.
func (Options) Help() string {
	return `Takes samples in rounds, one of each measurement per round, so that drift affects all of
them alike. Each sample starts from the same state. docs/bench.md explains how far to
trust the results.

Workloads: ` + WorkloadNames() + `.

Examples:

    crowd bench                              plaza, with 1 worker and with all
    crowd bench plaza W4 --agents 1e5 --workers 1,2,4
    crowd bench W2 W3/obstacles=1024 --baselines
    crowd bench W2 --json > w2.json
    crowd plot w2.json --out cost.png        cost against agents, and speed-up
    crowd bench W2 --out before.json
    crowd bench W2 --compare before.json
    crowd bench W2 --go - | benchstat -
    crowd bench targets --quick
    crowd bench maps FILE.scen`
}

func (f *File) writeTable(w io.Writer) error {
	t := cli.NewTable(w)
	// With crowd as the only contender, the table has no column "by", so it fits in 80 columns.
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
	cli.Fprintf(w, "\n%s\n%s\nmedians of %s, ± half the interquartile range; steps per sample: %s\n",
		machine, program, cli.Plural(f.Repeats, "sample"), steps)
	for _, note := range f.Notes {
		cli.Fprintf(w, "%s\n", note)
	}
	if f.Interrupted {
		cli.Fprintf(w, "interrupted: partial results, some of them with fewer samples\n")
	}
	return nil
}

// spreadText formats the spread as a percentage, or returns "–" if there are too few samples.
func (r *Result) spreadText() string {
	if len(r.Samples) < fewSamples {
		return "–"
	}
	return fmt.Sprintf("± %.1f%%", 100*r.Spread)
}

// rate formats x as a whole number if it is from 100 to 1e6, and otherwise with three significant digits and,
// from 1e6 on, M or G.
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
