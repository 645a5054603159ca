package command

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/world/scene"
)

// sceneCmd lists the built-in scenes, prints scenes as files, and checks them.
type sceneCmd struct {
	List  sceneListCmd  `cmd:"" default:"withargs" help:"List the built-in scenes (the default)."`
	Show  sceneShowCmd  `cmd:"" help:"Print a scene as a TOML file."`
	Check sceneCheckCmd `cmd:"" help:"Look in scene files for what is known to go wrong."`
}

func (sceneCmd) Help() string {
	return `Examples:

    crowd scene list
    crowd scene show plaza > my.toml
    crowd scene check my.toml
    crowd run my.toml`
}

type sceneListCmd struct {
	JSON bool `name:"json" help:"Print the list as JSON, and nothing else."`
}

// listedScene is what the list says of a scene.
type listedScene struct {
	Name   string   `json:"name"`
	Text   string   `json:"text"`
	Agents int      `json:"agents"`
	Steps  int      `json:"steps"`
	Dt     float64  `json:"dt"`
	Notes  []string `json:"notes"`
	Try    string   `json:"try"`
}

func (sceneListCmd) Help() string {
	return "Example:\n\n    crowd scene list\n    crowd run tank-path"
}

func (c *sceneListCmd) Run(e *cli.Console) error {
	var list []listedScene
	for _, name := range scene.Names() {
		s, err := scene.Named(name)
		if err != nil {
			return err
		}
		list = append(list, listedScene{s.Name, s.Text, s.Agents(), s.Steps, s.Dt, append([]string{}, s.Notes...), s.Try})
	}
	if c.JSON {
		return output.WriteJSON(e.Machine, list)
	}
	t := cli.NewTable(e.Out)
	add := t.Row
	if !cli.IsTerminal(e.Out) {
		add = func(name, format string, args ...any) {
			t.Line(cli.Plain, "%s\t"+format, append([]any{name}, args...)...)
		} // a line each
	}
	for _, s := range list {
		add(s.Name, "%s", s.Text)
	}
	return t.Flush()
}

type sceneShowCmd struct {
	Scene     string `arg:"" help:"Name of a built-in scene, or a file of any kind that can be run."`
	Obstacles string `placeholder:"FILE" help:"Obstacles to go with a file of agents."`
	Lenient   bool   `help:"Skip unknown elements of a file with a warning."`

	Recording render.Reading `group:"Recordings:" placeholder:"KEY=VALUE" help:"What the file of a recording does not say: frame-rate, in frames a second; unit of lengths, m or cm; columns, such as id,frame,x,y, with time in s in place of frame, and - for others. Beside a scene: at=X,Y moves its origin there, turn=DEGREES turns it about its origin, and from=SECONDS is its time when the simulation begins. May be repeated."`
	Model     scene.Model    `placeholder:"NAME" help:"How people walk to their goals: ${models} (default: as the scene says, and ${model} for files of other programs)."`
}

func (sceneShowCmd) Help() string {
	return `Reading the file gives the same crowd, with the same hash.

Examples:

    crowd scene show tank-path
    crowd scene show AGENTS.xml --obstacles ROOM.xml > room.toml`
}

func (c *sceneShowCmd) Run(ctx context.Context, e *cli.Console) error {
	open := scene.OpenOptions{Obstacles: c.Obstacles, Lenient: c.Lenient, Model: c.Model, Context: ctx}
	c.Recording.To(&open)
	s, err := scene.Open(c.Scene, open)
	if err != nil {
		return cli.BadUsage(cli.While(ctx, err, "reading "+c.Scene))
	}
	for _, warning := range s.Warnings {
		e.Log.Warn(warning)
	}
	if err := e.Given.Refuse(c.Recording.Idle(s, false)...); err != nil {
		return cli.BadUsage(err)
	}
	return s.WriteTOML(e.Machine)
}

// sceneCheckCmd looks for what is allowed, but known to go wrong.
type sceneCheckCmd struct {
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

func (sceneCheckCmd) Help() string {
	return `Prints one line for each finding, and ends with exit code 1 if there are any, with 2
if a file cannot be read. A way is looked for to the goals of 1,000 agents at
most, with the doors open that open later.

Examples:

    crowd scene check arrival plaza
    crowd scene check SCENES/*.toml`
}

func (c *sceneCheckCmd) Run(ctx context.Context, e *cli.Console) error {
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
