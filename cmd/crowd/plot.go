package main

import (
	"context"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
)

// plotCmd draws curves and histograms.
type plotCmd struct{ plot.Options }

func (plotCmd) Help() string { return plot.Help() }

func (c *plotCmd) Run(ctx context.Context, e *console.Console) error {
	return c.Options.Run(ctx, e)
}
