package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/explain"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
	"github.com/8f878440/crowd/cmd/crowd/internal/route"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
)

type benchCmd struct {
	Run     bench.Options `cmd:"" default:"withargs" hidden:"" help:"Measure the cost of steps."`
	Targets bench.Targets `cmd:"" help:"Measure the project's performance targets and print a Markdown table."`
	Maps    benchMapsCmd  `cmd:"" help:"Find the paths of a MovingAI scenario and compare them with the shortest grid paths."`
}

type explainCmd struct {
	sceneArg
	sceneFlags `group:"Scene:"`

	Agent uint64   `default:"1" placeholder:"ID" help:"ID of the agent, 1 or more (default: 1)."`
	At    run.Span `default:"1" placeholder:"SPAN" help:"Step to explain, 1 or more, or its time, such as 2.5s (default: 1)."`
	JSON  bool     `name:"json" help:"Print JSON, and nothing else."`
}

func (explainCmd) Help() string {
	return `Runs the steps before the given one. Prints the force of each behavior, how much of the
force remains after truncation, the threat that the agent sees, and the resulting motion.
The numbers are exactly those of "crowd run" with the same flags.

Examples:

    crowd explain plaza --agent 17 --at 120
    crowd explain tank-path --at 300
    crowd explain plaza --agent 17 --at 120 --set look-ahead=10 --json`
}

func (c *explainCmd) Run(ctx context.Context, e *cli.Console) error {
	s, err := c.open(ctx, c.Scene, e)
	if err != nil {
		return cli.BadUsage(err)
	}
	if err := c.Admit(s, scene.Options{}, 0); err != nil {
		return cli.BadUsage(err)
	}
	at := c.At.Steps(s.Dt)
	if at < 1 {
		return cli.BadUsage(fmt.Errorf("--at is %s, want a step of 1 or more, or its time", c.At))
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
	if err := c.advance(ctx, e, s, w, agent, at); err != nil {
		return err
	}
	x, err := w.Inspect().Explain(agent)
	if err != nil {
		return err
	}
	if c.JSON {
		return output.WriteJSON(e.Machine, x)
	}
	return explain.Write(e.Out, fmt.Sprintf("%s, seed %d, step %s", s.Name, s.Seed, cli.Thousands(at)), x)
}

// advance runs the steps before step at. It returns an error if ctx ends, a step fails or the agent leaves.
func (c *explainCmd) advance(ctx context.Context, e *cli.Console, s *scene.Scene, w *world.World, agent ecs.Entity, at int) error {
	defer context.AfterFunc(ctx, w.Interrupt)()
	bar := e.Progress(fmt.Sprintf("%s, %s agents", s.Name, cli.Thousands(s.Agents())), at-1, "step", c.JSON)
	defer bar.Done()
	for step := 1; step < at; step++ {
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted before step %d", step)
		}
		if err := w.Step(); errors.Is(err, world.ErrInterrupted) {
			return fmt.Errorf("interrupted before step %d", step)
		} else if err != nil {
			return err
		}
		if !w.ECS.Alive(agent) {
			return cli.BadUsage(fmt.Errorf("agent %d is gone: it arrived in step %d and left, so --at can be 1 to %d", c.Agent, step, step))
		}
		bar.Set(step)
	}
	return nil
}

type galleryCmd struct{ render.GalleryOptions }

func (galleryCmd) Help() string {
	return `Draws the pictures of the documentation:

    crowd gallery --data RECORDINGS

Without --data, it keeps the existing films of recorded people.`
}

func (c *galleryCmd) Run(ctx context.Context, e *cli.Console) error {
	return c.Draw(ctx, e, func(args []string) error {
		if code := newCommands().run(ctx, args, e.Out, e.Err); code != exitOK {
			return fmt.Errorf("crowd %s: exit code %d", strings.Join(args, " "), code)
		}
		return nil
	})
}

type renderCmd struct {
	sceneArg
	sceneFlags `group:"Scene:"`
	render.Options
}

func (renderCmd) Help() string {
	return `Examples:

    crowd render plaza --out plaza.png           50,000 people after ten seconds
    crowd render arrival --trails 60 --out arrival.gif
    crowd render plaza --crop 200,200,240,230 --seconds 8 --out people.mp4
    crowd render plaza --agents 1000000 --heat --at 5s --out density.png
    crowd render tank-path --trails 10s --out tank.svg
    crowd render SCENE.toml --field --out way.png   walking distance to the goal
    crowd render SCENE.toml --beside RECORDING.csv --out both.gif

Ctrl-C stops the simulation and completes the file with the frames drawn so far.`
}

func (c *renderCmd) Run(ctx context.Context, e *cli.Console) error {
	if err := c.Check(e.Given); err != nil {
		return cli.BadUsage(err)
	}
	s, err := c.open(ctx, c.Scene, e)
	if err != nil {
		return cli.BadUsage(err)
	}
	if c.People, err = c.Recording.Open(ctx, &c.Options.BesideOptions); err != nil {
		return cli.BadUsage(err)
	}
	return c.Draw(ctx, e, s, c.Workers, &c.MemoryFlag)
}

type benchMapsCmd struct{ route.Options }

func (benchMapsCmd) Help() string {
	return `Paths are those of a point that may move in any direction around blocked cells, but not
between two blocked cells that touch at a corner. The scenario file gives the lengths of
the shortest grid paths, with moves to the eight adjacent cells.

The exit code is 1 if a row has no path, or one longer than its grid path.
docs/formats.md describes the files and the metrics.

Examples:

    crowd bench maps Berlin_1_256-random-1.scen MAPS/Berlin_1_256.map
    crowd bench maps FILE.scen --out map.png
    crowd bench maps FILE.scen --compare
    crowd bench maps FILE.scen --json`
}
