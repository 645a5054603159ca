package sweep

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
)

// looked is how many points the estimate looks at, spread evenly over all.
const looked = 500

// dryRun says how many runs there are and what they are likely to take.
func dryRun(ctx context.Context, e *cli.Console, s *spec.Spec, threads int) error {
	lines := []string{fmt.Sprintf("%s: %s, each with %s", cli.Plural(int(s.Runs()), "run"), cli.Plural(int(s.Points()), "point"), cli.Plural(s.SeedCount(), "seed"))}
	var names []string
	for i := range s.Scenes {
		names = append(names, s.Scenes[i].Name)
	}
	lines = append(lines, "  scene: "+strings.Join(names, ", "))
	for i := range s.Axes {
		lines = append(lines, fmt.Sprintf("  %s: %v", s.Axes[i].Name, &s.Axes[i]))
	}
	if s.Design.Kind != spec.Grid {
		lines = append(lines, fmt.Sprintf("  design: %s, %s a scene", s.Design.Kind, cli.Plural(int(s.Design.Points), "point")))
	}
	cost, err := estimate(ctx, s)
	switch {
	case ctx.Err() != nil:
		return cli.BadUsage(errors.New("interrupted while estimating"))
	case err != nil:
		lines = append(lines, fmt.Sprintf("no estimate: %v", err))
	default:
		took := time.Duration(cost.seconds / float64(threads) * float64(time.Second))
		lines = append(lines, fmt.Sprintf("about %v with %s, and %s of memory for the crowds", rounded(took), cli.Plural(threads, "thread"), cli.Bytes(int64(cost.memory)*int64(threads))))
		if most := s.Limits.Memory; most > 0 && cost.memory > most {
			lines = append(lines, fmt.Sprintf("the largest run needs %s of memory, more than limits.memory allows, and would fail", cli.Bytes(int64(cost.memory))))
		}
	}
	for _, line := range lines {
		if _, err := cli.Fprintf(e.Out, "%s\n", line); err != nil {
			return err
		}
	}
	return nil
}

// rounded returns a time with no more digits than an estimate has.
func rounded(t time.Duration) time.Duration {
	switch {
	case t > time.Hour:
		return t.Round(10 * time.Minute)
	case t > time.Minute:
		return t.Round(10 * time.Second)
	case t > time.Second:
		return t.Round(time.Second)
	}
	return t.Round(10 * time.Millisecond)
}

// costs are those of all runs with one thread.
type costs struct {
	seconds float64
	memory  uint64 // bytes of the largest run
}

// estimate looks at some points, and runs one of each scene and model for a moment: the rest takes
// as much for each agent and step.
func estimate(ctx context.Context, s *spec.Spec) (all costs, err error) {
	type kind struct {
		scene int
		model string
	}
	each := map[kind]Sample{}
	n := min(s.Runs(), looked)
	for i := range n {
		if ctx.Err() != nil {
			return all, ctx.Err()
		}
		p, err := s.Point(int64(float64(i) / float64(n) * float64(s.Runs())))
		if err != nil {
			return all, err
		}
		o, err := s.Open(ctx, p)
		if err != nil {
			continue // it will be a row that says so
		}
		which := kind{p.Scene, string(o.Model)}
		sample, known := each[which]
		if !known {
			if sample, err = Try(ctx, s, o); err != nil {
				return all, err
			}
			each[which] = sample
		}
		agents := float64(o.Agents())
		all.seconds += agents * (sample.Setup + sample.Step*float64(o.Steps))
		all.memory = max(all.memory, o.Memory(SceneOptions(s)))
	}
	all.seconds *= float64(s.Runs()) / float64(n)
	return all, nil
}
