package command

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/world/scene"
)

// lintCmd looks for what is allowed, but known to go wrong.
type lintCmd struct {
	Files     []string `arg:"" name:"file" help:"Scene files, or names of built-in scenes."`
	Obstacles string   `placeholder:"FILE" help:"Obstacles to go with a file of agents."`
	Lenient   bool     `help:"Skip unknown elements of a file with a warning."`
	JSON      bool     `name:"json" help:"Print the findings as JSON, and nothing else."`
}

// linted is what was found in a file.
type linted struct {
	File     string   `json:"file"`
	Findings []string `json:"findings"`
}

func (lintCmd) Help() string {
	return `Prints one line for each finding, and ends with exit code 1 if there are any, with 2
if a file cannot be read. A way is looked for to the goals of 1,000 agents at
most, with the doors open that open later.

Examples:

    crowd lint arrival plaza
    crowd lint SCENES/*.toml`
}

func (c *lintCmd) Run(ctx context.Context, e *cli.Console) error {
	found, all := 0, []linted{}
	for _, file := range c.Files {
		s, err := scene.Open(file, scene.OpenOptions{Obstacles: c.Obstacles, Lenient: c.Lenient, Context: ctx})
		if err != nil {
			return cli.BadUsage(cli.While(ctx, err, "reading "+file))
		}
		lines := s.Warnings
		if slices.Contains(scene.Names(), file) { // nothing was read, and so nothing looked at
			for _, line := range s.Lint() {
				lines = append(lines, file+": "+line)
			}
		}
		stuck, note, err := report.LintReach(ctx, s)
		if err != nil {
			return cli.BadUsage(err)
		}
		if note != "" {
			e.Log.Warn(file + ": " + note)
		}
		for _, line := range stuck {
			lines = append(lines, file+": "+line)
		}
		if !c.JSON {
			for _, line := range lines {
				cli.Fprintf(e.Out, "%s\n", line)
			}
		}
		all = append(all, linted{filepath.ToSlash(file), append([]string{}, lines...)})
		found += len(lines)
	}
	if c.JSON {
		if err := output.WriteJSON(e.Machine, all); err != nil {
			return err
		}
	}
	if found > 0 {
		return fmt.Errorf("%d found", found)
	}
	return nil
}
