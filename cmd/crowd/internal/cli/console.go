// Package cli holds what the commands of crowd share: where they write, progress, styles and
// tables for terminals, usage errors, signals, completion, numbers for people to read, limits
// of memory, and profiles.
package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Console is what a command writes to, and its command line.
type Console struct {
	Out     io.Writer // results for people
	Machine io.Writer // results for programs
	Err     *os.File  // progress; logs go there too
	Log     *slog.Logger
	Args    []string // the command line, without the name of the command
	Given   Given    // flags on the command line
}

// NewLogger returns a logger of plain lines for people.
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

// Progress shows how far the work is: a bar on a terminal, otherwise a line every
// few seconds, and nothing in quiet work or beside results for machines.
type Progress struct {
	to    *os.File
	bar   *progressbar.ProgressBar
	plain bool
	total int
	first int    // how many were done before it began
	unit  string // what is counted, such as step
	next  string // what is at work
	start time.Time
	last  time.Time
}

// linesEvery is how often a run without a terminal says how far it is.
const linesEvery = 5 * time.Second

// Progress begins to show how much of a total is done.
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

// GoOn says that the first n were done before, and took none of the time.
func (p *Progress) GoOn(n int) {
	p.first = n
	p.Set(n)
}

// Set says that the first n of what is counted are done.
func (p *Progress) Set(n int) {
	if p.bar != nil {
		_ = p.bar.Set(n)
	}
	if p.plain && time.Since(p.last) > linesEvery {
		p.last = time.Now()
		rate := float64(n-p.first) / time.Since(p.start).Seconds()
		left := "time unknown"
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

// At says that the first n are done, and what comes next.
func (p *Progress) At(next string, n int) {
	p.next = Escape(next)
	if p.bar != nil {
		p.bar.Describe(p.next)
	}
	p.Set(n)
}

// Clear takes the bar off the line, so that something else can stand there.
func (p *Progress) Clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// Done ends the bar.
func (p *Progress) Done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// Version returns the version of the module alone, the same on every machine.
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

// VersionLine returns the version of the module and of Go, and how wide the vectors of kernels are.
func VersionLine() string {
	return fmt.Sprintf("crowd %s, %s %s/%s, kernels %v", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, kernel.Used())
}
