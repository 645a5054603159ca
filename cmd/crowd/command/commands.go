package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/explain"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/cmd/crowd/internal/route"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
)

// benchCmd measures what steps cost.
type benchCmd struct{ bench.Options }

func (benchCmd) Help() string {
	return `Samples of all that is measured at a size are taken in turn, round by round, and the
state is set back before each. docs/bench.md says how to trust the figures.

Workloads: ` + bench.WorkloadNames() + `.

Examples:

    crowd bench                              plaza, with 1 worker and with all
    crowd bench plaza boids --agents 1e5 --workers 1,2,4
    crowd bench W2 W3/obstacles=1024 --baselines --plot cost.png
    crowd bench W2 --json > w2.json
    crowd bench W2 --out before.json
    crowd bench W2 --compare before.json
    crowd bench W2 --go - | benchstat -
    crowd bench --targets --quick`
}

func (c *benchCmd) Run(ctx context.Context, e *cli.Console) error {
	return c.Options.Run(ctx, e, plot.WriteBench)
}

// explainCmd says what one step does to one agent, and why.
type explainCmd struct {
	sceneFlags

	Agent uint64 `default:"1" placeholder:"ID" help:"Which agent, from 1 (default: 1)."`
	Step  int    `default:"1" placeholder:"N" help:"Which step, from 1 (default: 1)."`
	JSON  bool   `name:"json" help:"Print JSON, and nothing else."`
}

func (explainCmd) Help() string {
	return `Runs the steps before that one, and then prints the force of each behavior, what is
left of it when the sum is truncated, the threat that the agent sees, and where all this
takes it. The numbers are exactly those of "crowd run" with the same flags.

Examples:

    crowd explain plaza --agent 17 --step 120
    crowd explain tank-path --step 300
    crowd explain plaza --agent 17 --step 120 --set look-ahead=10 --json`
}

func (c *explainCmd) Run(ctx context.Context, e *cli.Console) error {
	if c.Step < 1 || c.Step > run.MaxSteps {
		return cli.BadUsage(fmt.Errorf("--step is %d, want 1 to %d", c.Step, run.MaxSteps))
	}
	s, err := c.open(ctx, e)
	if err != nil {
		return cli.BadUsage(err)
	}
	if err := c.Admit(s, scene.Options{}, 0); err != nil {
		return cli.BadUsage(err)
	}
	w, err := run.Build(ctx, s, scene.Options{Workers: c.Workers})
	if err != nil {
		return cli.BadUsage(err)
	}
	defer w.Close()
	agent, ok := w.Entity(c.Agent)
	if !ok {
		return cli.BadUsage(fmt.Errorf("--agent is %d, but %s has the agents 1 to %d", c.Agent, s.Name, s.Agents()))
	}
	if err := c.advance(ctx, e, s, w, agent); err != nil {
		return err
	}
	x, err := w.Inspect().Explain(agent)
	if err != nil {
		return err
	}
	if c.JSON {
		return output.WriteJSON(e.Machine, x)
	}
	return explain.Write(e.Out, fmt.Sprintf("%s, seed %d, step %s", s.Name, s.Seed, cli.Thousands(c.Step)), x)
}

// advance does the steps before the one that is asked for.
func (c *explainCmd) advance(ctx context.Context, e *cli.Console, s *scene.Scene, w *world.World, agent ecs.Entity) error {
	defer context.AfterFunc(ctx, w.Interrupt)()
	bar := e.Progress(fmt.Sprintf("%s, %s agents", s.Name, cli.Thousands(s.Agents())), c.Step-1, "step", c.JSON)
	defer bar.Done()
	for step := 1; step < c.Step; step++ {
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted before step %d", step)
		}
		if err := w.Step(); errors.Is(err, world.ErrInterrupted) {
			return fmt.Errorf("interrupted before step %d", step)
		} else if err != nil {
			return err
		}
		if !w.ECS.Alive(agent) {
			return cli.BadUsage(fmt.Errorf("agent %d is gone: it arrived in step %d and left, so --step can be 1 to %d", c.Agent, step, step))
		}
		bar.Set(step)
	}
	return nil
}

// galleryCmd draws the gallery of the documentation.
type galleryCmd struct{ render.GalleryOptions }

func (galleryCmd) Help() string {
	return `The pictures of the documentation are made by

    crowd gallery --data RECORDINGS

Without recordings, the films of recorded people are left as they are.`
}

func (c *galleryCmd) Run(ctx context.Context, e *cli.Console) error {
	return c.Draw(ctx, e, func(args []string) error {
		if code := newCommands().run(ctx, args, e.Out, e.Err); code != exitOK {
			return fmt.Errorf("crowd %s: ended with code %d", strings.Join(args, " "), code)
		}
		return nil
	})
}

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

// renderCmd draws one crowd.
type renderCmd struct {
	sceneFlags
	render.Options
}

func (renderCmd) Help() string {
	return `Examples:

    crowd render plaza --out plaza.png           50,000 people after ten seconds
    crowd render arrival --trails 60 --out arrival.gif
    crowd render plaza --view 200,200,240,230 --seconds 8 --out people.mp4
    crowd render plaza --agents 1000000 --heat --at 5s --out density.png
    crowd render tank-path --trails 10s --out tank.svg
    crowd render SCENE.toml --field --out way.png   how far it is to walk
    crowd render SCENE.toml --beside RECORDING.csv --out both.gif

Ctrl-C ends the simulation, and the file is completed with what there is.`
}

func (c *renderCmd) Run(ctx context.Context, e *cli.Console) error {
	if err := c.Check(e.Given); err != nil {
		return cli.BadUsage(err)
	}
	s, err := c.open(ctx, e)
	if err != nil {
		return cli.BadUsage(err)
	}
	if c.People, err = c.Recording.Open(ctx, &c.Options.BesideOptions); err != nil {
		return cli.BadUsage(err)
	}
	return c.Draw(ctx, e, s, c.Workers, &c.MemoryFlag)
}

// routeCmd finds the ways of a scenario.
type routeCmd struct{ route.Options }

func (routeCmd) Help() string {
	return `Ways are those of a point that may walk in any direction, round the corners of what is
blocked; it passes no gap between blocked cells that touch at a corner. The file gives
the lengths of the shortest ways over the grid, by steps to the eight cells around.

The exit code is 1 if a row has no way, or one that is longer than over the grid.
docs/formats.md says more of the files and of the figures.

Examples:

    crowd route Berlin_1_256-random-1.scen --map MAPS/Berlin_1_256.map
    crowd route FILE.scen --out map.png --ways 60
    crowd route FILE.scen --compare
    crowd route FILE.scen --json`
}

func (c *routeCmd) Run(ctx context.Context, e *cli.Console) error {
	return c.Options.Run(ctx, e)
}

// scoreCmd runs many files, each for itself.
type scoreCmd struct{ run.ScoreOptions }

func (scoreCmd) Help() string {
	return `Files in folders are those with names that end with .xml, .toml or .wkt, or with .gz
after these; maps of movingai.com are taken only where they are named. Rows are sorted by
path. A file that cannot be read or run has a row that says why; the exit code is 1 if
one of them failed in its run, took longer than --timeout, or crashed.

Examples:

    crowd score plaza evacuation
    crowd score seek flee arrival --csv --workers 1
    crowd score SCENARIOS --model collision-free-speed
    crowd score SCENARIOS --json --timeout 1m`
}

func (c *scoreCmd) Run(ctx context.Context, e *cli.Console) error {
	return c.ScoreOptions.Run(ctx, e)
}

// verifyCmd repeats experiments with people.
type verifyCmd struct{ verify.Options }

func (verifyCmd) Help() string {
	return `Suites:

    juelich    people through gates of 0.5, 0.7 and 1.0 m, as recorded, and through doors
    diagram    speed at a density: in a corridor, in a closed loop, in single file
    throng     how smoothly people walk in jams, in counterflow, and when overtaking
    rimea      the tests of the RiMEA guideline
    nist       those of NIST Technical Note 1822

A figure that real people miss as well is printed in yellow, and counts as expected.
The exit code is 1 if any other is not as expected. docs/verification.md says how each is
defined, and where it comes from.

With --model all people walk by each of the models in turn, and one table has the
figures of all. It compares, and so the exit code is 0 whatever they are.

Examples:

    crowd verify --short
    crowd verify diagram --short --out diagram.png
    crowd verify juelich --data RECORDINGS --seeds 20
    crowd verify diagram --model social-force-2000
    crowd verify all --model all --short
    crowd verify throng --short --json`
}

func (c *verifyCmd) Run(ctx context.Context, e *cli.Console) error {
	return c.Options.Run(ctx, e)
}

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
