// Package command implements the crowd command. A program with its own behaviors passes them to [Main].
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/explain"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
	"github.com/8f878440/crowd/cmd/crowd/internal/replay"
	"github.com/8f878440/crowd/cmd/crowd/internal/route"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/alecthomas/kong"
	"github.com/mlange-42/arche/ecs"
	"golang.org/x/term"
)

// Exit codes, except those of signals. docs/reliability.md lists them all.
const (
	exitOK       = 0
	exitFailure  = 1
	exitBadInput = 2
	exitPipe     = 141 // 128 + SIGPIPE, as in a shell
)

type grammar struct {
	Run      runCmd         `cmd:"" group:"Crowds:" default:"withargs" help:"Run a crowd and report what happened and what it cost (the default command). Given several scenes, compare them."`
	Render   renderCmd      `cmd:"" group:"Crowds:" help:"Draw a crowd as a picture or animation: PNG, SVG, GIF, APNG or MP4."`
	View     viewCmd        `cmd:"" group:"Crowds:" help:"Show a crowd in the browser and steer it."`
	Scene    sceneCmd       `cmd:"" group:"Crowds:" help:"List the built-in scenes, print a scene as a file, or check one."`
	Explain  explainCmd     `cmd:"" group:"Crowds:" help:"Explain what one step does to one agent: forces, truncation, the threat ahead."`
	Replay   replay.Command `cmd:"" group:"Runs:" help:"Run a recording again and check that each step gives the same result, or find where two recordings differ."`
	Sweep    sweep.Command  `cmd:"" group:"Runs:" help:"Run scenes with many parameters and seeds, on one machine or several."`
	Plot     plot.Command   `cmd:"" group:"Runs:" help:"Plot the output of run, bench and sweep as curves and histograms."`
	Bench    benchCmd       `cmd:"" group:"Measurements:" help:"Measure the cost of steps, compare it with earlier results, and plot it."`
	Validate verify.Options `cmd:"" group:"Measurements:" help:"Repeat experiments with people and check whether the agents behave like them."`
	Site     siteCmd        `cmd:"" group:"Crowds:" help:"Write a static website: the view, with the engine running in the browser."`
	Gallery  galleryCmd     `cmd:"" group:"Measurements:" hidden:"" help:"Draw the gallery of the documentation."`

	Completion cli.Completion      `cmd:"" group:"Measurements:" hidden:"" help:"Print the completion script for bash, zsh or fish."`
	Complete   cli.CompletionWords `cmd:"" group:"Measurements:" hidden:"" help:"Print the completions of the last word of a command line."`

	Version kong.VersionFlag `help:"Print the version and exit."`
	Quiet   bool             `short:"q" help:"Print results and errors only: no progress, no notes."`
}

// Main runs the command line and exits. It first registers behaviors for scene files, and panics if that
// fails; see [scene.Register]. Call Main before anything else: child processes, such as workers of a sweep,
// run the same program with other arguments.
func Main(behaviors ...catalog.Entry) {
	if err := scene.Register(behaviors...); err != nil {
		panic("crowd: " + err.Error())
	}
	ctx, stop := cli.Context()
	defer stop()
	cli.CatchBrokenPipe()
	os.Exit(newCommands().run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

type commands struct {
	grammar
	kong *kong.Kong
}

func newCommands() *commands {
	c := new(commands)
	c.kong = kong.Must(&c.grammar, // panics if the grammar is invalid
		kong.Name("crowd"),
		kong.Description("Steers large crowds: seek, flee, arrival, obstacle avoidance and more, for up to a million agents at once."),
		kong.Vars{"port": fmt.Sprint(defaultPort), "version": cli.VersionLine(), "scene": cli.DefaultScene, "scenehelp": sceneHelp, "models": strings.Join(scene.ModelNames(), ", "), "model": string(scene.DefaultModel)},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 80}),
		kong.Help(cli.Help),
		kong.KindMapper(reflect.String, kong.MapperFunc(decodeString)),
		kong.KindMapper(reflect.Int, kong.MapperFunc(cli.WholeNumber)),
		kong.KindMapper(reflect.Uint64, kong.MapperFunc(cli.WholeNumber)),
		kong.KindMapper(reflect.Float64, kong.MapperFunc(cli.RealNumber)),
	)
	return c
}

func (c *commands) run(ctx context.Context, args []string, out io.Writer, errs *os.File) int {
	safeOut, safeErrs := cli.NewWriter(out), cli.NewWriter(errs)
	err := c.execute(ctx, args, &cli.Console{Out: safeOut, Machine: out, Err: errs}, safeErrs)
	if flushErr := safeOut.Flush(); err == nil {
		err = flushErr
	}
	pipe := cli.BrokenPipe(err)
	if err != nil && !pipe {
		_ = cli.Bad.Write(safeErrs, "crowd:")
		_ = cli.Plain.Write(safeErrs, " "+cli.ErrorMessage(err)+"\n")
	}
	_ = safeErrs.Flush()
	switch code := cli.ExitCode(ctx); {
	case code != 0:
		return code
	case err == nil:
		return exitOK
	case pipe:
		return exitPipe
	case errors.As(err, new(cli.UsageError)) && !errors.As(err, new(cli.Interruption)):
		return exitBadInput
	default:
		return exitFailure
	}
}

func (c *commands) execute(ctx context.Context, args []string, e *cli.Console, errs io.Writer) error {
	c.grammar = grammar{}
	done := false // help or the version was printed
	c.kong.Stdout, c.kong.Stderr, c.kong.Exit = e.Out, errs, func(int) { done = true }
	if err := kernel.Check(); err != nil {
		return cli.BadUsage(err)
	}
	if len(args) > 0 && args[0] == "help" { // crowd help run is crowd run --help, as with other commands
		args = append(slices.Clone(args[1:]), "--help")
	}
	if err := cli.Misspelled(c.kong.Model, args); err != nil {
		return cli.BadUsage(err)
	}
	parsed, err := c.kong.Parse(args)
	switch {
	case done:
		return nil
	case errors.As(err, new(*fs.PathError)): // writing the help failed
		return err
	case err != nil:
		return cli.BadUsage(errors.New(cli.ErrorMessage(cli.Reworded(err)) + " (crowd --help lists commands and flags)"))
	}
	e.Log, e.Args, e.Given = cli.NewLogger(errs, c.grammar.Quiet), args, cli.Given{}
	if f, ok := e.Machine.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		e.Machine = e.Out
	}
	for _, p := range parsed.Path {
		switch {
		case p.Flag != nil:
			e.Given[p.Flag.Name] = true
		case p.Positional != nil:
			e.Given[p.Positional.Name] = true
		}
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	if err := cli.CheckNames(parsed.Path); err != nil {
		return err
	}
	return parsed.Run(e)
}

// decodeString decodes a string byte for byte. The parser's own decoder replaces invalid UTF-8, which file
// names may contain.
func decodeString(ctx *kong.DecodeContext, target reflect.Value) error {
	text, err := ctx.Scan.PopValue("text")
	if err == nil {
		target.SetString(text.String())
	}
	return err
}

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
	JSON  bool     `name:"json" help:"Print only the explanation, as JSON."`
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
	if c.Agent < 1 || c.Agent > uint64(s.Agents()) {
		return cli.BadUsage(fmt.Errorf("--agent is %d, want 1 to %d, the number of agents in %s", c.Agent, s.Agents(), s.Name))
	}
	agent, err := c.advance(ctx, e, s, w, at)
	if err != nil {
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

// advance runs the steps before the given one, and returns the agent. It returns an error if the run stops
// early, or if the agent leaves or has not entered.
func (c *explainCmd) advance(ctx context.Context, e *cli.Console, s *scene.Scene, w *world.World, at int) (agent ecs.Entity, err error) {
	defer context.AfterFunc(ctx, w.Interrupt)()
	bar := e.Progress(fmt.Sprintf("%s, %s", s.Name, cli.Plural(s.Agents(), "agent")), at-1, "step", c.JSON)
	defer bar.Done()
	agent, entered := w.Entity(c.Agent)
	for step := 1; step < at; step++ {
		if ctx.Err() != nil {
			return agent, fmt.Errorf("interrupted before step %d", step)
		}
		if err := w.Step(); errors.Is(err, world.ErrInterrupted) {
			return agent, fmt.Errorf("interrupted before step %d", step)
		} else if err != nil {
			return agent, err
		}
		if !entered && c.Agent < w.NextID() {
			agent, entered = w.Entity(c.Agent)
		}
		if entered && !w.ECS.Alive(agent) {
			return agent, cli.BadUsage(fmt.Errorf("agent %d arrived in step %d and left, want an --at from 1 to %d", c.Agent, step, step))
		}
		bar.Set(step)
	}
	if !entered {
		return agent, cli.BadUsage(fmt.Errorf("agent %d did not enter before step %d, want a later --at", c.Agent, at))
	}
	return agent, nil
}

type galleryCmd struct{ render.GalleryOptions }

func (galleryCmd) Help() string {
	return `Draws the pictures of the documentation:

    crowd gallery --data RECORDINGS

Without --data, keeps the existing films of recorded people.`
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

The exit code is 1 if a row has no path, or a path longer than its grid path.
docs/formats.md describes the files and the metrics.

Examples:

    crowd bench maps Berlin_1_256-random-1.scen MAPS/Berlin_1_256.map
    crowd bench maps FILE.scen --out map.png
    crowd bench maps FILE.scen --compare
    crowd bench maps FILE.scen --json`
}
