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

type sceneCmd struct {
	List  sceneListCmd  `cmd:"" default:"withargs" help:"List the built-in scenes (the default)."`
	Show  sceneShowCmd  `cmd:"" help:"Print a scene as a TOML file."`
	Check sceneCheckCmd `cmd:"" help:"Check scene files for known problems."`
}

func (sceneCmd) Help() string {
	return `Examples:

    crowd scene list
    crowd scene show plaza > my.toml
    crowd scene check my.toml
    crowd run my.toml`
}

type sceneListCmd struct {
	JSON bool `name:"json" help:"Print only the list, as JSON."`
}

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
	for _, s := range list {
		if cli.IsTerminal(e.Out) {
			t.Row(s.Name, "%s", s.Text)
		} else { // one line per scene, for grep
			t.Line(cli.Plain, "%s\t%s", s.Name, s.Text)
		}
	}
	return t.Flush()
}

type sceneShowCmd struct {
	Scene string `arg:"" help:"Name of a built-in scene, or any file that crowd run accepts."`
	readFlags
}

func (sceneShowCmd) Help() string {
	return `The printed file describes the same crowd as the original: reading it gives the same hash.

Examples:

    crowd scene show tank-path
    crowd scene show AGENTS.xml --obstacles ROOM.xml > room.toml`
}

func (c *sceneShowCmd) Run(ctx context.Context, e *cli.Console) error {
	s, err := c.read(ctx, c.Scene, 0, e)
	if err != nil {
		return cli.BadUsage(err)
	}
	return s.WriteTOML(e.Machine)
}

type sceneCheckCmd struct {
	Files     []string `arg:"" name:"file" help:"Scene files, or names of built-in scenes."`
	Obstacles string   `placeholder:"FILE" help:"Obstacles for a file that has only agents."`
	Lenient   bool     `help:"Warn about unknown elements of a file instead of failing."`
	JSON      bool     `name:"json" help:"Print only the findings, as JSON."`
}

type linted struct {
	File     string   `json:"file"`
	Findings []string `json:"findings"`
}

func (sceneCheckCmd) Help() string {
	return `Prints one line per finding. The exit code is 1 if there are findings, and 2 if a file cannot
be read. Checks that up to 1,000 agents can reach their goals, and treats doors that open
later as open.

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
		if slices.Contains(scene.Names(), file) { // Open lints files only
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
		return fmt.Errorf("%s", cli.Plural(found, "finding"))
	}
	return nil
}
