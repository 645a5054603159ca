package sweep

import (
	"context"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
	"github.com/8f878440/crowd/world/scene"
)

// moment is how long a sample runs.
const moment = time.Second

// Sample is what a scene costs for each of its agents.
type Sample struct {
	Setup float64 // s
	Step  float64 // s
}

// Try runs a scene for a moment.
func Try(ctx context.Context, s *spec.Spec, o *scene.Scene) (Sample, error) {
	runCtx, cancel := context.WithTimeout(ctx, s.Limits.Time)
	defer cancel()
	return cli.Guard(runCtx, grace, func() (Sample, error) {
		options := SceneOptions(s)
		if err := new(cli.MemoryFlag).Admit(o, options, 0); err != nil {
			return Sample{}, err
		}
		w, report, err := run.Prepare(runCtx, o, options, nil)
		if err != nil {
			return Sample{}, err
		}
		defer w.Close()
		runCtx, cancel := context.WithTimeout(runCtx, moment)
		defer cancel()
		if err := run.Run(runCtx, o, w, report, false, nil); err != nil {
			return Sample{}, err
		}
		agents := float64(max(report.Agents, 1))
		return Sample{
			Setup: report.SetupSeconds / agents,
			Step:  report.NsPerAgentStep/1e9 + report.BesideSeconds/float64(max(report.Steps, 1))/agents,
		}, nil
	})
}
