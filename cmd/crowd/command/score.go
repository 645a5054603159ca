package command

import (
	"context"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
)

// scoreCmd runs many files, each for itself.
type scoreCmd struct{ run.ScoreOptions }

func (scoreCmd) Help() string {
	return `Files in folders are those with names that end with .xml, .toml or .wkt, or with .gz
after these; maps of movingai.com are taken only where they are named. Rows are sorted by
path. A file that cannot be read or run has a row that says why; the exit code is 1 if
one of them failed in its run, took longer than --timeout, or crashed.

Examples:

    crowd score plaza evacuation
    crowd score seek flee arrival --csv --workers 1
    crowd score SCENARIOS --model collision-free-speed
    crowd score SCENARIOS --json --timeout 1m`
}

func (c *scoreCmd) Run(ctx context.Context, e *cli.Console) error {
	return c.ScoreOptions.Run(ctx, e)
}
