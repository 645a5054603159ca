// Package command implements the crowd command, which runs, measures and draws crowds. A program
// with its own behaviors passes them to [Main].
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/cmd/crowd/internal/replay"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world/scene"
	"github.com/alecthomas/kong"
	"golang.org/x/term"
)

// Exit codes. [cli.ExitCode] returns the codes for signals; docs/reliability.md lists all codes.
const (
	exitOK       = 0
	exitFailure  = 1
	exitBadInput = 2
	exitPipe     = 141 // 128 + SIGPIPE, as in a shell
)

type grammar struct {
	Run      runCmd         `cmd:"" group:"Crowds:" default:"withargs" help:"Run a crowd and report what happened and what it cost (the default command). Given several scenes, compare them."`
	Render   renderCmd      `cmd:"" group:"Crowds:" help:"Draw a crowd as a picture or animation: png, svg, gif, apng, mp4."`
	View     viewCmd        `cmd:"" group:"Crowds:" help:"Show a crowd in the browser and steer it."`
	Scene    sceneCmd       `cmd:"" group:"Crowds:" help:"List the built-in scenes, print a scene as a file, or check one."`
	Explain  explainCmd     `cmd:"" group:"Crowds:" help:"Explain what one step does to one agent: forces, truncation, the threat ahead."`
	Replay   replay.Command `cmd:"" group:"Runs:" help:"Run a recording again and check that each step gives the same result, or find where two recordings differ."`
	Sweep    sweep.Command  `cmd:"" group:"Runs:" help:"Run scenes with many parameters and seeds, on one machine or several."`
	Plot     plot.Command   `cmd:"" group:"Runs:" help:"Plot the output of run, bench and sweep as curves and histograms."`
	Bench    benchCmd       `cmd:"" group:"Measurements:" help:"Measure the cost of steps, compare it with earlier results, and plot it."`
	Validate verify.Options `cmd:"" group:"Measurements:" help:"Repeat experiments with people and check whether agents behave alike."`
	Site     siteCmd        `cmd:"" group:"Crowds:" help:"Write a static website: the view, with the engine running in the browser."`
	Gallery  galleryCmd     `cmd:"" group:"Measurements:" hidden:"" help:"Draw the gallery of the documentation."`

	Completion cli.Completion      `cmd:"" group:"Measurements:" hidden:"" help:"Print the completion script for bash, zsh or fish."`
	Complete   cli.CompletionWords `cmd:"" group:"Measurements:" hidden:"" help:"Print the completions of the last word of a command line."`

	Version kong.VersionFlag `help:"Print the version and exit."`
	Quiet   bool             `short:"q" help:"Print results and errors only: no progress, no notes."`
}

// Main runs the command line and exits. It first registers the behaviors, so that scene files can name
// them, and panics if that fails; see [scene.Register]. Call Main before anything else: the workers of
// a sweep and other child processes run the same program with other arguments.
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
		kong.Description("Steers large crowds: seek, flee, arrival, obstacle avoidance and more, for tens of thousands of agents at once."),
		kong.Vars{"port": fmt.Sprint(defaultPort), "version": cli.VersionLine(), "scene": cli.DefaultScene, "scenehelp": sceneHelp, "models": strings.Join(scene.ModelNames(), ", "), "model": string(scene.DefaultModel)},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 80}),
		kong.Help(cli.Help),
		kong.KindMapper(reflect.String, kong.MapperFunc(decodeString)),
		kong.KindMapper(reflect.Int, kong.MapperFunc(cli.WholeNumber)),
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
	case code != 0: // a signal ended the context; the result does not matter
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

// execute parses and runs a command line. It sets the remaining fields of the console.
func (c *commands) execute(ctx context.Context, args []string, e *cli.Console, errs io.Writer) error {
	c.grammar = grammar{}
	done := false // whether the parser printed help or the version
	c.kong.Stdout, c.kong.Stderr, c.kong.Exit = e.Out, errs, func(int) { done = true }
	if err := kernel.Check(); err != nil {
		return cli.BadUsage(err)
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
		return cli.BadUsage(errors.New(cli.ErrorMessage(cli.Renamed(err)) + " (crowd --help lists commands and flags)"))
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

// decodeString decodes a string argument byte for byte. The parser's own decoder forces valid
// UTF-8, but file names may be invalid UTF-8.
func decodeString(ctx *kong.DecodeContext, target reflect.Value) error {
	text, err := ctx.Scan.PopValue("text")
	if err == nil {
		target.SetString(text.String())
	}
	return err
}
