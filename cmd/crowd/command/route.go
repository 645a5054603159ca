package command

import (
	"context"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/route"
)

// routeCmd finds the ways of a scenario.
type routeCmd struct{ route.Options }

func (routeCmd) Help() string {
	return `Ways are those of a point that may walk in any direction, round the corners of what is
blocked; it passes no gap between blocked cells that touch at a corner. The file gives
the lengths of the shortest ways over the grid, by steps to the eight cells around.

The exit code is 1 if a row has no way, or one that is longer than over the grid.
docs/route.md says more of the files and of the figures.

Examples:

    crowd route Berlin_1_256-random-1.scen --map MAPS/Berlin_1_256.map
    crowd route FILE.scen --out map.png --ways 60
    crowd route FILE.scen --compare
    crowd route FILE.scen --json`
}

func (c *routeCmd) Run(ctx context.Context, e *cli.Console) error {
	return c.Options.Run(ctx, e)
}
