package command

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
	"github.com/8f878440/crowd/cmd/crowd/internal/replay"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world"
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
	return "Examples:\n\n    crowd scene list\n    crowd run tank-path"
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
	return `The printed file describes the same crowd as the original, with the same hash.

Examples:

    crowd scene show tank-path
    crowd scene show AGENTS.xml --obstacles ROOM.xml > room.toml`
}

func (c *sceneShowCmd) Run(ctx context.Context, e *cli.Console) error {
	s, err := c.read(ctx, c.Scene, nil, e)
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
		if slices.Contains(scene.Names(), file) { // Open lints only files
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

const sceneHelp = "Name of a built-in scene (crowd scene lists them), or a file in any format of docs/formats.md."

type sceneArg struct {
	Scene string `arg:"" optional:"" default:"${scene}" help:"${scenehelp}"`
}

type sceneFlags struct {
	Agents  *int               `placeholder:"N" help:"Number of agents, in the same area (default: as in the scene)."`
	Workers int                `json:"-" placeholder:"N" help:"Goroutines that share a step (default: one per processor)."`
	Seed    *uint64            `placeholder:"N" help:"Seed of all random draws (default: as in the scene)."`
	Set     map[string]float64 `placeholder:"KEY=VALUE" help:"Set a parameter of the scene, such as look-ahead=5, or the time step in seconds, such as dt=0.02. May be repeated."`
	readFlags

	cli.MemoryFlag `json:"-"`
}

type readFlags struct {
	Obstacles string         `placeholder:"FILE" help:"Obstacles for a file that has only agents."`
	Lenient   bool           `help:"Warn about unknown elements of a file instead of failing."`
	Recording render.Reading `group:"Recordings:" placeholder:"KEY=VALUE" help:"Properties that a recording's file does not state: frame-rate, in frames per second; unit, m or cm; columns, such as id,frame,x,y, with time for seconds instead of frame, and - for a column to skip. With --beside: at=X,Y moves the recording's origin, turn=DEGREES rotates the recording about its origin, and from=SECONDS is the recorded time at the start of the simulation. May be repeated."`
	Model     scene.Model    `json:",omitempty" placeholder:"NAME" help:"Pedestrian model: ${models} (default: as in the scene, and ${model} for files of other programs)."`
}

// read opens a scene and logs its warnings. It returns an error if --recording has no effect. A nil seed
// means the seed in the file, or 1.
func (f *readFlags) read(ctx context.Context, name string, seed *uint64, e *cli.Console) (*scene.Scene, error) {
	open := scene.OpenOptions{Obstacles: f.Obstacles, Lenient: f.Lenient, Model: f.Model, Seed: seed, Context: ctx}
	f.Recording.To(&open)
	s, err := scene.Open(name, open)
	if err != nil {
		return nil, cli.While(ctx, err, "reading "+name)
	}
	for _, warning := range s.Warnings {
		e.Log.Warn(warning)
	}
	return s, e.Given.Refuse(f.Recording.Idle(s, e.Given["beside"])...)
}

func (f *sceneFlags) open(ctx context.Context, name string, e *cli.Console) (*scene.Scene, error) {
	if err := checkScene(name); err != nil {
		return nil, err
	}
	s, err := f.read(ctx, name, f.Seed, e)
	if err != nil {
		return nil, err
	}
	if err := e.Given.CheckWorkers(f.Workers); err != nil {
		return nil, err
	}
	if f.Seed != nil {
		s.Reseed(*f.Seed)
	}
	if f.Agents != nil {
		if *f.Agents < 1 || *f.Agents > world.MaxAgents {
			return nil, fmt.Errorf("--agents is %d, want 1 to %d", *f.Agents, world.MaxAgents)
		}
		s.Resize(*f.Agents)
	}
	if dt, given := f.Set["dt"]; given {
		if info, err := s.Model.Info(); err == nil && info.MaxDt > 0 && dt > info.MaxDt {
			return nil, fmt.Errorf("--set dt is %v s, want at most %.3g s for the model %s", dt, info.MaxDt, s.Model)
		}
		s.Dt = dt
	}
	for _, key := range slices.SortedFunc(maps.Keys(f.Set), wholeSceneFirst) {
		if key == "dt" {
			continue
		}
		if err := s.Set(key, f.Set[key]); err != nil {
			return nil, fmt.Errorf("--set %w", err)
		}
	}
	return s, nil
}

// wholeSceneFirst orders keys before those that are more specific, of a behavior or a group, which they would
// overwrite.
func wholeSceneFirst(a, b string) int {
	count := func(of string) int { return cmp.Compare(strings.Count(a, of), strings.Count(b, of)) }
	return cmp.Or(count("["), count("."), cmp.Compare(a, b))
}

func checkScene(name string) error {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() { // a pipe can be read only once
		return nil
	}
	if replay.IsReplay(name) {
		return fmt.Errorf("%s is a recording of a run: use crowd replay to run it again, or crowd view to watch it", name)
	}
	if run, err := run.OpenSaved(name); err == nil {
		run.Close()
		return fmt.Errorf("%s is a saved run: crowd run --resume continues it", name)
	}
	return nil
}
