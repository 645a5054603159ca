package bench

import (
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// Options say what is measured and how, as flags of the command line.
type Options struct {
	Names []string `arg:"" optional:"" name:"name" help:"Built-in scenes, scene files, or workloads such as W2 and W3/obstacles=1024 (default: ${scene})."`

	Agents    []string `placeholder:"N" help:"Numbers of agents, such as 1000,1e6 (default: 1e3,1e4,1e5; files, and scenes with fixed places, as they are)."`
	Workers   []int    `placeholder:"N" help:"Numbers of workers (default: 1, and one for each processor)."`
	Steps     *int     `placeholder:"N" help:"Steps of a sample (default: what takes 50 ms or more)."`
	Warmup    int      `placeholder:"N" default:"5" help:"Steps before those that are timed, each time the state was set back."`
	Repeats   *int     `placeholder:"N" help:"Samples of each (default: 10, with --quick 5)."`
	Baselines bool     `help:"Beside workloads, measure plain loops that give the same results."`
	Quick     bool     `help:"Be done soon: up to 10,000 agents, fewer and shorter samples."`

	JSON    JSONSwitch `name:"json" help:"Print the results as JSON, and nothing else."`
	Out     string     `short:"o" placeholder:"FILE.json" help:"Write the results as JSON, beside the table."`
	Go      string     `name:"go" placeholder:"FILE" help:"Write Go benchmark lines, for benchstat; - is standard output, in place of the table."`
	Compare string     `placeholder:"OLD.json" help:"Compare with the results that an earlier --out wrote."`
	Plot    string     `placeholder:"FILE.png" help:"Draw cost against agents and speed-up against workers, as .png or .svg."`
	Targets bool       `help:"Measure the targets of the project, print them as a Markdown table, and nothing else."`

	cli.MemoryFlag
}

// jsonFile makes of --json with a file what stands in its place now, and returns
// a note of it; empty if there is none.
func (o *Options) jsonFile() (note string, err error) {
	switch file := o.JSON.file; {
	case file == "":
		return "", nil
	case file == "-":
		o.JSON.on = true
		return "--json writes to standard output, and needs no -", nil
	case o.Out != "":
		return "", fmt.Errorf("--json %s and --out %s, want --out alone", file, o.Out)
	default:
		o.Out = file
		return "--json writes to standard output: --out " + file + " is what writes a file", nil
	}
}

// outFlag returns the flag that says where results are written.
func (o *Options) outFlag() string {
	if o.Out != "" && o.Out == o.JSON.file {
		return "--json"
	}
	return "--out"
}
