package run

import (
	"fmt"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"

	"github.com/8f878440/crowd/world/scene"
)

// ScoreOptions say which files are run and how, as flags of the command line.
type ScoreOptions struct {
	Files []string `arg:"" name:"file" help:"Files, folders of files, or names of built-in scenes."`

	Workers   int           `placeholder:"N" help:"Files that run at a time, each with one worker (default: one for each processor)."`
	Timeout   time.Duration `default:"10m" help:"Longest that reading, building and running a file may take, in real time; 0 for any time."`
	MaxAgents int           `placeholder:"N" default:"${maxagents}" help:"Do not run files with more agents."`
	Steps     *int          `placeholder:"N" help:"Number of steps (default: that of each file)."`
	Lenient   bool          `help:"Skip unknown elements of files with a warning."`
	Model     scene.Model   `placeholder:"NAME" help:"How people walk to their goals: ${models} (default: as the scene says, and ${model} for files of other programs)."`
	Safety    bool          `default:"true" negatable:"" help:"Count collisions of agents with one another as well."`

	report.Places
	cli.MemoryFlag

	JSON bool `name:"json" xor:"format" help:"Print an array of run reports as JSON, and nothing else."`
	CSV  bool `name:"csv" xor:"format" help:"Print a line a file as CSV, and nothing else."`
}

func (o *ScoreOptions) check(e *cli.Console) error {
	switch {
	case e.Given["workers"] && o.Workers < 1:
		return fmt.Errorf("--workers is %d, want 1 or more", o.Workers)
	case o.Timeout < 0:
		return fmt.Errorf("--timeout is %v, want 0 or more", o.Timeout)
	case o.MaxAgents < 1:
		return fmt.Errorf("--max-agents is %d, want 1 or more", o.MaxAgents)
	case o.Steps != nil && (*o.Steps < 1 || *o.Steps > MaxSteps):
		return fmt.Errorf("--steps is %d, want 1 to %d", *o.Steps, MaxSteps)
	}
	return nil
}
