// Package cli has the parts that the commands of crowd share: output, progress, terminal styles and
// tables, usage errors, signals, completion, number formatting, memory limits, and profiles.
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

// Console holds the output streams and the command line of a command.
type Console struct {
	Out     io.Writer // results for people
	Machine io.Writer // results for programs
	Err     *os.File  // progress and logs
	Log     *slog.Logger
	Args    []string // command line without the program name
	Given   Given    // flags and arguments on the command line
}

// NewLogger returns a logger that writes text lines without times. If quiet, it writes errors only.
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

// Progress shows the progress of some work: a bar on a terminal, otherwise a line every few
// seconds. It shows nothing with --quiet, and no lines if the result is for programs.
type Progress struct {
	to    *os.File
	bar   *progressbar.ProgressBar
	plain bool
	total int
	first int    // number done before the start
	unit  string // singular, such as step
	next  string // item in progress, named by At
	start time.Time
	last  time.Time // time of the last line
}

// linesEvery is the minimum time between progress lines if there is no terminal.
const linesEvery = 5 * time.Second

// Progress starts to show the progress of work, named by title, toward total, counted in units named by unit, a
// singular such as step. If machine is true, the result of the work is for programs.
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

// GoOn reports that the first n were done before the start. They do not count toward the rate in progress lines.
func (p *Progress) GoOn(n int) {
	p.first = n
	p.Set(n)
}

// Set reports that n are done.
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

// At reports that n are done, and names the next item.
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

// Version returns the version of the module, or else the start of its Git revision, or else (devel).
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

// VersionLine returns the versions of the module and of Go, the platform, and the kernels in use.
func VersionLine() string {
	return fmt.Sprintf("crowd %s, %s %s/%s, kernels %v", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, kernel.Used())
}
