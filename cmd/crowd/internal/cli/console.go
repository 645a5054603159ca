// Package cli contains code that the commands of crowd share.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Console holds the output streams and the command line.
type Console struct {
	Out     io.Writer // results for people
	Machine io.Writer // results for programs
	Err     *os.File  // progress and logs
	Log     *slog.Logger
	Args    []string
	Given   Given
}

// NewLogger returns a logger that omits times. If quiet is true, it logs only errors.
func NewLogger(w io.Writer, quiet bool) *slog.Logger {
	level := slog.LevelInfo
	if quiet {
		level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

// Progress shows progress as a bar on a terminal, and otherwise as a line every few seconds; with --quiet, it
// shows nothing.
type Progress struct {
	to    *os.File
	bar   *progressbar.ProgressBar
	plain bool
	total int
	first int // done before the start
	bytes int // written
	unit  string
	next  string // item in progress
	start time.Time
	last  time.Time
}

const linesEvery = 5 * time.Second

// Progress returns a Progress for work with the given title and number of units. The unit is a singular noun,
// such as step. If machine is true, no lines are printed.
func (c *Console) Progress(title string, total int, unit string, machine bool) *Progress {
	p := &Progress{to: c.Err, total: total, unit: unit, start: time.Now(), last: time.Now()}
	switch {
	case !c.Log.Enabled(context.Background(), slog.LevelInfo):
	case term.IsTerminal(int(c.Err.Fd())):
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(c.Err),
			progressbar.OptionSetDescription(Escape(title)),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(unit+"s"),
			progressbar.OptionSetPredictTime(true), progressbar.OptionFullWidth(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
		)
	default:
		p.plain = !machine
	}
	return p
}

// GoOn reports that n units were done before the start. They do not count toward the rate. A bar omits them,
// because its rate counts all units on the bar.
func (p *Progress) GoOn(n int) {
	p.first = n
	if p.bar != nil && n > 0 {
		p.bar.ChangeMax(max(p.total-n, 0))
	}
	p.Set(n)
}

// Set reports that n units are done.
func (p *Progress) Set(n int) {
	if p.bar != nil {
		_ = p.bar.Set(n - p.first)
	}
	if p.plain && time.Since(p.last) > linesEvery {
		p.last = time.Now()
		rate := float64(n-p.first) / time.Since(p.start).Seconds()
		left := "unknown time"
		if n > p.first {
			left = time.Duration(float64(p.total-n) / rate * float64(time.Second)).Round(time.Second).String()
		}
		how := fmt.Sprintf("%.4g %ss/s", rate, p.unit)
		if p.next != "" {
			how = p.next
		}
		Fprintf(p.to, "%s %d of %d, %s, %v left\n", p.unit, n, p.total, how, left)
	}
}

// Write reports that len(b) more bytes are done, so io.TeeReader shows the progress of reading.
func (p *Progress) Write(b []byte) (int, error) {
	p.bytes += len(b)
	p.Set(p.bytes)
	return len(b), nil
}

// At reports that n units are done, and names the next item.
func (p *Progress) At(next string, n int) {
	p.next = Escape(next)
	if p.bar != nil {
		p.bar.Describe(p.next)
	}
	p.Set(n)
}

// Done finishes the bar.
func (p *Progress) Done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// Version returns the module version, or else the Git revision, or else (devel).
func Version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			v = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && v == "(devel)" {
				v = s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return v
}

// VersionLine returns the versions of crowd and Go, the platform, and the kernels in use.
func VersionLine() string {
	return fmt.Sprintf("crowd %s, %s %s/%s, kernels %v", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, kernel.Used())
}

// Package syscall does not define these signals for js.
const (
	sigHup  = syscall.Signal(1)
	sigPipe = syscall.Signal(13)
)

// CatchBrokenPipe makes writes to a closed standard output fail without ending the process, so the command
// can complete or remove other files.
func CatchBrokenPipe() { signal.Notify(make(chan os.Signal, 1), sigPipe) }

type signaled struct{ os.Signal }

func (s signaled) Error() string { return s.String() }

func (s signaled) code() int {
	if number, ok := s.Signal.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return 1
}

// Context returns a context that is canceled by stop or by the first Ctrl-C, SIGTERM or SIGHUP. At the next
// signal, the process removes incomplete files and exits. Signals ignored at the start, as under nohup, stay
// ignored.
func Context() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, sigHup} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		cancel(signaled{<-signals})
		next := signaled{<-signals}
		output.Abandon()
		os.Exit(next.code())
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// ExitCode returns 128 plus the number of the signal that canceled ctx, or 0 if none did.
func ExitCode(ctx context.Context) int {
	if s := (signaled{}); errors.As(context.Cause(ctx), &s) {
		return s.code()
	}
	return 0
}

// Interruption is the error from work that stopped early because its context was done.
type Interruption struct {
	While string // such as "reading plaza.toml"
	cause error
}

func (e Interruption) Error() string { return "interrupted while " + e.While }

func (e Interruption) Unwrap() error { return e.cause }

// While returns err, wrapped in an Interruption if ctx is done and caused it.
func While(ctx context.Context, err error, while string) error {
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return Interruption{while, err}
	}
	return err
}

// BrokenPipe reports whether err means that the reader of standard output closed the pipe. Such an error
// needs no message.
func BrokenPipe(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && path.Path == os.Stdout.Name() && errors.Is(err, syscall.EPIPE)
}
