package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/8f878440/crowd/world/scene"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a run is: a bar on a terminal, otherwise a line every
// few seconds, and nothing in a quiet or JSON run.
type progress struct {
	env   *env
	bar   *progressbar.ProgressBar
	plain bool
	steps int
	start time.Time
	last  time.Time
}

// linesEvery is how often a run without a terminal says how far it is.
const linesEvery = 5 * time.Second

func newProgress(e *env, s *scene.Scene, json bool) *progress {
	p := &progress{env: e, steps: s.Steps, start: time.Now(), last: time.Now()}
	switch {
	case !e.log.Enabled(context.Background(), slog.LevelInfo):
	case term.IsTerminal(int(e.err.Fd())):
		p.bar = progressbar.NewOptions(s.Steps,
			progressbar.OptionSetWriter(e.err),
			progressbar.OptionSetDescription(fmt.Sprintf("%s, %s agents", s.Name, thousands(s.Agents()))),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("steps"),
			progressbar.OptionSetPredictTime(true), progressbar.OptionFullWidth(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
		)
	default:
		p.plain = !json
	}
	return p
}

// set says that the first n steps are done.
func (p *progress) set(n int) {
	if p.bar != nil {
		_ = p.bar.Set(n)
	}
	if p.plain && time.Since(p.last) > linesEvery {
		p.last = time.Now()
		rate := float64(n) / time.Since(p.start).Seconds()
		left := time.Duration(float64(p.steps-n) / rate * float64(time.Second))
		fmt.Fprintf(p.env.err, "step %d of %d, %.4g steps/s, %v left\n", n, p.steps, rate, left.Round(time.Second))
	}
}

func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
