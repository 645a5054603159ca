package command

import (
	"context"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
)

// benchCmd measures what steps cost.
type benchCmd struct{ bench.Options }

func (benchCmd) Help() string {
	return `Samples of all that is measured at a size are taken in turn, round by round, and the
state is set back before each. docs/bench.md says how to trust the figures.

Workloads: ` + bench.WorkloadNames() + `.

Examples:

    crowd bench                              plaza, with 1 worker and with all
    crowd bench plaza boids --agents 1e5 --workers 1,2,4
    crowd bench W2 W3/obstacles=1024 --baselines --plot cost.png
    crowd bench W2 --json > w2.json
    crowd bench W2 --out before.json
    crowd bench W2 --compare before.json
    crowd bench W2 --go - | benchstat -
    crowd bench --targets --quick`
}

func (c *benchCmd) Run(ctx context.Context, e *cli.Console) error {
	return c.Options.Run(ctx, e, plot.WriteBench)
}
