package cli

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/world/scene"
	"github.com/alecthomas/kong"
)

// DefaultScene is the scene of a command line that names none.
const DefaultScene = "evacuation"

// UsageError is an error that the user can fix. Its exit code is 2, unless it wraps an Interruption.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }

func (e UsageError) Unwrap() error { return e.Err }

// BadUsage returns err as a UsageError.
func BadUsage(err error) error { return UsageError{err} }

// ErrorMessage returns the message of err, one line per joined error, and a hint if a scene is unknown. Other
// line breaks are escaped.
func ErrorMessage(err error) string {
	text := strings.Join(messages(err), "\n")
	if errors.As(err, new(scene.UnknownError)) {
		text += " (crowd scene lists the scenes)"
	}
	return text
}

func messages(err error) []string {
	switch err := err.(type) {
	case UsageError:
		return messages(err.Err)
	case interface{ Unwrap() []error }:
		var all, whole []string
		for _, one := range err.Unwrap() {
			all, whole = append(all, messages(one)...), append(whole, one.Error())
		}
		if strings.Join(whole, "\n") == err.(error).Error() { // from errors.Join, not from several %w
			return all
		}
	}
	return []string{Escape(err.Error())}
}

// Misspelled returns an error if a command or subcommand is misspelled or has been renamed. The parser would
// take the word for a scene.
func Misspelled(app *kong.Application, args []string) error {
	if len(args) > 0 && (args[0] == "-q" || args[0] == "--quiet") {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return nil
	}
	name, commands := args[0], commandsOf(app.Node)
	if now := renamed[name]; now != "" {
		return fmt.Errorf("unknown command %q, want crowd %s", name, now)
	}
	if command, ok := commands[name]; ok {
		return misspelledSubcommand(command, args[1:])
	}
	if _, err := os.Stat(name); err == nil || slices.Contains(scene.Names(), name) || strings.ContainsAny(name, `./\`) {
		return nil // a scene or a file
	}
	known := slices.Concat(slices.Sorted(maps.Keys(commands)), scene.Names())
	if hint := suggest.DidYouMean(name, known); hint != "" {
		return fmt.Errorf("unknown command, scene or file %q, %s (crowd --help lists commands, crowd scene lists scenes)", name, hint)
	}
	return nil
}

func misspelledSubcommand(command *kong.Node, args []string) error {
	parts := commandsOf(command)
	if len(parts) == 0 || len(args) == 0 || strings.HasPrefix(args[0], "-") || parts[args[0]] != nil {
		return nil
	}
	if d := command.DefaultCmd; d != nil && len(d.Positional) > 0 { // takes the word unless it resembles a subcommand
		_, err := os.Stat(args[0])
		if err == nil || strings.ContainsAny(args[0], `./\`) || suggest.Nearest(args[0], slices.Sorted(maps.Keys(parts))) == "" {
			return nil
		}
	}
	maps.DeleteFunc(parts, func(_ string, part *kong.Node) bool { return part.Hidden })
	return fmt.Errorf("unknown command crowd %s %s, %s", command.Name, args[0], suggest.OneOf(args[0], slices.Sorted(maps.Keys(parts))))
}

func commandsOf(node *kong.Node) map[string]*kong.Node {
	all := map[string]*kong.Node{}
	for _, command := range node.Children {
		all[command.Name] = command
	}
	return all
}

// CheckNames returns an error for an empty string flag or argument, as from an unset shell variable.
func CheckNames(line []*kong.Path) error {
	for _, p := range line {
		if f := p.Flag; f != nil && empty(f.Target) {
			return BadUsage(fmt.Errorf("--%s is empty, want %s", f.Name, f.FormatPlaceHolder()))
		}
		if a := p.Positional; a != nil && empty(a.Target) {
			return BadUsage(fmt.Errorf("%s is empty, want a name", a.Name))
		}
	}
	return nil
}

func empty(v reflect.Value) bool { return v.Kind() == reflect.String && v.String() == "" }

// Given is the set of flags and arguments on the command line.
type Given map[string]bool

// IdleFlag is a flag that has no effect if Idle is true. The error from Given.Refuse is "--name" followed by
// Why.
type IdleFlag struct {
	Name string
	Idle bool
	Why  string
}

// Refuse returns an error for the first idle flag on the command line.
func (g Given) Refuse(flags ...IdleFlag) error {
	for _, f := range flags {
		if f.Idle && g[f.Name] {
			return fmt.Errorf("--%s %s", f.Name, f.Why)
		}
	}
	return nil
}

// CheckWorkers returns an error if --workers is given and below 1.
func (g Given) CheckWorkers(n int) error {
	if g["workers"] && n < 1 {
		return fmt.Errorf("--workers is %d, want 1 or more", n)
	}
	return nil
}

// WholeNumber decodes an integer, which may have an exponent, such as 1e6.
func WholeNumber(ctx *kong.DecodeContext, target reflect.Value) error {
	text, err := popNumber(ctx)
	if err != nil {
		return err
	}
	digits := text
	if x, err := strconv.ParseFloat(text, 64); err == nil && x == math.Trunc(x) && math.Abs(x) <= 1<<53 {
		digits = strconv.FormatInt(int64(x), 10)
	}
	if target.CanUint() {
		n, err := strconv.ParseUint(digits, 0, target.Type().Bits())
		if err != nil {
			return fmt.Errorf("%q: want a whole number, 0 or more", text)
		}
		target.SetUint(n)
		return nil
	}
	n, err := strconv.ParseInt(digits, 0, target.Type().Bits())
	if err != nil {
		return fmt.Errorf("%q: want a whole number such as 120", text)
	}
	target.SetInt(n)
	return nil
}

// RealNumber decodes a number.
func RealNumber(ctx *kong.DecodeContext, target reflect.Value) error {
	text, err := popNumber(ctx)
	if err != nil {
		return err
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("%q: want a number such as 2.5", text)
	}
	target.SetFloat(x)
	return nil
}

// popNumber returns the next value. It accepts a negative number as a word of its own, so the command can
// report the allowed range.
func popNumber(ctx *kong.DecodeContext) (string, error) {
	if next := ctx.Scan.Peek(); next.InferredType() == kong.ShortFlagToken {
		if _, err := strconv.ParseFloat(next.String(), 64); err == nil {
			return ctx.Scan.Pop().String(), nil
		}
	}
	token, err := ctx.Scan.PopValue("number")
	return token.String(), err
}

var renamed = map[string]string{
	"scenes": "scene list", "lint": "scene check", "verify": "validate", "bisect": "replay diff", "route": "bench maps", "work": "sweep join", "score": "run",
}

var renamedFlags = map[string]string{
	"cpuprofile": "--profile cpu=FILE", "memprofile": "--profile heap=FILE", "trace": "--profile trace=FILE",
	"pprof": "--profile http=HOST:PORT", "pprof-anywhere": "--profile http-anywhere=HOST:PORT",
	"perf": "--verbose", "no-picture": "--picture none", "view": "--crop", "threads": "--workers", "folder": "--out",
	"tls-cert": "--cert", "tls-key": "--cert", "tls-ca": "--cert", "short": "--quick",
	"frame-rate": "--recording frame-rate=N", "unit": "--recording unit=m", "columns": "--recording columns=NAMES",
	"beside-at": "--recording at=X,Y", "beside-turn": "--recording turn=DEGREES", "beside-from": "--recording from=SECONDS",
	"width": "--size WIDTH", "height": "--size WIDTHxHEIGHT", "seeds": "--repeats", "figure": "--x", "explain": "--agent", "dt": "--set dt=SECONDS", "step": "--at", "port": "--listen 127.0.0.1:PORT",
	"no-targets": "--hide targets", "no-paths": "--hide paths", "bare": "--hide legend", "heat-radius": "--heat=RADIUS", "heat-max": "--heat=,MAX",
}

var unknownFlag = regexp.MustCompile(`^unknown flag --([a-z-]+)`)

var noValue = regexp.MustCompile(`^(--[a-z-]+): expected .* value but got .* \((<EOL>|long flag)\)`)

// Reworded returns err, or a plainer error if err is about a flag without a value, or about a former flag whose
// replacement is a flag of the command.
func Reworded(err error) error {
	if m := noValue.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s needs a value", m[1])
	}
	m, parse := unknownFlag.FindStringSubmatch(err.Error()), (*kong.ParseError)(nil)
	if m == nil || renamedFlags[m[1]] == "" || !errors.As(err, &parse) {
		return err
	}
	now := renamedFlags[m[1]]
	name := strings.FieldsFunc(now, func(r rune) bool { return r == ' ' || r == '=' })[0]
	if !slices.ContainsFunc(parse.Context.Flags(), func(f *kong.Flag) bool { return "--"+f.Name == name }) {
		return err
	}
	return errors.New(m[0] + ", want " + now)
}
