package command

import (
	"context"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
	"github.com/8f878440/crowd/world/scene"
)

// scenesCmd lists the built-in scenes, and prints them as files.
type scenesCmd struct {
	List scenesListCmd `cmd:"" default:"withargs" help:"List the built-in scenes (the default)."`
	Show scenesShowCmd `cmd:"" help:"Print a scene as a TOML file."`
}

func (scenesCmd) Help() string {
	return `Examples:

    crowd scenes
    crowd scenes show plaza > my.toml
    crowd run my.toml`
}

type scenesListCmd struct {
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

func (scenesListCmd) Help() string {
	return "Example:\n\n    crowd scenes\n    crowd run tank-path"
}

func (c *scenesListCmd) Run(e *cli.Console) error {
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

type scenesShowCmd struct {
	Scene     string `arg:"" help:"Name of a built-in scene, or a file of any kind that can be run."`
	Obstacles string `placeholder:"FILE" help:"Obstacles to go with a file of agents."`
	Lenient   bool   `help:"Skip unknown elements of a file with a warning."`

	Recording render.Reading `embed:""`
	Model     scene.Model    `placeholder:"NAME" help:"How people walk to their goals: ${models} (default: as the scene says, and ${model} for files of other programs)."`
}

func (scenesShowCmd) Help() string {
	return `Reading the file gives the same crowd, with the same hash.

Examples:

    crowd scenes show tank-path
    crowd scenes show AGENTS.xml --obstacles ROOM.xml > room.toml`
}

func (c *scenesShowCmd) Run(ctx context.Context, e *cli.Console) error {
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
