// Package command is the command crowd, which runs, measures and draws crowds. A program with
// behaviors of its own calls [Main] to have them in all that the command does.
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
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world/scene"
	"github.com/alecthomas/kong"
	"golang.org/x/term"
)

// Exit codes, beside those of [cli.ExitCode]; docs/reliability.md has the table.
const (
	exitOK       = 0
	exitFailure  = 1
	exitBadInput = 2
	exitPipe     = 141 // as of a program that SIGPIPE ends
)

// grammar is the command line.
type grammar struct {
	Run      runCmd         `cmd:"" group:"Crowds:" default:"withargs" help:"Run a crowd, and report what happened and what it cost (the default command). Of several, compare what happened."`
	Render   renderCmd      `cmd:"" group:"Crowds:" help:"Draw a crowd as a picture or an animation: png, svg, gif, apng, mp4."`
	View     viewCmd        `cmd:"" group:"Crowds:" help:"Show a crowd in the browser, and steer it."`
	Scene    sceneCmd       `cmd:"" group:"Crowds:" help:"List the built-in scenes, print a scene as a file, or check one."`
	Explain  explainCmd     `cmd:"" group:"Crowds:" help:"Say what one step does to one agent, and why: forces, truncation, the threat ahead."`
	Replay   replay.Command `cmd:"" group:"Runs:" help:"Run a recording again, and say whether it is the same, or where two differ."`
	Sweep    sweep.Command  `cmd:"" group:"Runs:" help:"Run scenes under many parameters and seeds, on one machine or many."`
	Plot     plot.Command   `cmd:"" group:"Runs:" help:"Draw curves and histograms of what run, bench and sweep wrote."`
	Bench    benchCmd       `cmd:"" group:"Measurements:" help:"Measure what steps cost, compare with an earlier time, and draw it."`
	Validate validateCmd    `cmd:"" group:"Measurements:" help:"Repeat experiments made with people, and say whether agents behave alike."`
	Site     siteCmd        `cmd:"" group:"Crowds:" help:"Write a site of files: the view with its engine in the browser, for any host."`
	Gallery  galleryCmd     `cmd:"" group:"Measurements:" hidden:"" help:"Draw the gallery of the documentation."`

	Completion cli.Completion      `cmd:"" group:"Measurements:" hidden:"" help:"Print the script that lets bash, zsh or fish complete command lines."`
	Complete   cli.CompletionWords `cmd:"" group:"Measurements:" hidden:"" help:"Print what the last word of a command line may become."`

	Version kong.VersionFlag `help:"Print the version and exit."`
	Quiet   bool             `short:"q" help:"No progress and no notes, only results and errors."`
}

// Main carries out the command line, and ends the process. Scene files may name the behaviors, as
// [scene.Register] has it. The workers of a sweep, and other processes that the command starts, are
// the same program with another command line, so Main should come first.
func Main(behaviors ...catalog.Entry) {
	if err := scene.Register(behaviors...); err != nil {
		panic("crowd: " + err.Error())
	}
	ctx, stop := cli.Context()
	defer stop()
	cli.CatchBrokenPipe()
	os.Exit(newCommands().run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// commands reads command lines, and carries them out.
type commands struct {
	grammar
	kong *kong.Kong
}

func newCommands() *commands {
	c := new(commands)
	c.kong = kong.Must(&c.grammar, // an error says that the command line itself is described wrongly
		kong.Name("crowd"),
		kong.Description("Steers large crowds: seek, flee, arrival, obstacle avoidance and more, for tens of thousands of agents at once."),
		kong.Vars{"port": fmt.Sprint(defaultPort), "version": cli.VersionLine(), "scene": cli.DefaultScene, "scenehelp": sceneHelp, "models": strings.Join(scene.ModelNames(), ", "), "model": string(scene.DefaultModel)},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 80}),
		kong.Help(cli.Help),
		kong.KindMapper(reflect.String, kong.MapperFunc(asTyped)),
		kong.KindMapper(reflect.Int, kong.MapperFunc(cli.WholeNumber)),
	)
	return c
}

// run carries out a command line and returns the exit code.
func (c *commands) run(ctx context.Context, args []string, out io.Writer, errs *os.File) int {
	safeOut, safeErrs := cli.NewWriter(out), cli.NewWriter(errs)
	err := c.carryOut(ctx, args, &cli.Console{Out: safeOut, Machine: out, Err: errs}, safeErrs)
	if failed := safeOut.Flush(); err == nil {
		err = failed
	}
	pipe := cli.BrokenPipe(err)
	if err != nil && !pipe {
		_ = cli.Bad.Write(safeErrs, "crowd:")
		_ = cli.Plain.Write(safeErrs, " "+cli.ErrorMessage(err)+"\n")
	}
	_ = safeErrs.Flush()
	signaled := cli.ExitCode(ctx)
	switch {
	case signaled != 0: // whatever was done
		return signaled
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

// carryOut carries out a command line in a console, whose other fields it sets.
func (c *commands) carryOut(ctx context.Context, args []string, e *cli.Console, errs io.Writer) error {
	c.grammar = grammar{}
	done := false // the parser has printed help or the version
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
	case errors.As(err, new(*fs.PathError)): // help could not be written
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

// asTyped reads a text of the command line to the byte. The parser's own way makes
// it valid UTF-8, which names of files need not be.
func asTyped(ctx *kong.DecodeContext, target reflect.Value) error {
	text, err := ctx.Scan.PopValue("text")
	if err == nil {
		target.SetString(text.String())
	}
	return err
}
