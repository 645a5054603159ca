package command

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world/scene"
)

// batchFlags are the flags allowed if the output has one row per scene.
var batchFlags = []string{
	"scene", "workers", "steps", "lenient", "model", "safety", "line", "area", "force", "json", "csv", "timeout", "quiet",
}

// many reports whether the command line asks for one row per scene.
func (c *runCmd) many(e *cli.Console) bool {
	info, err := os.Stat(c.Scene)
	folder := err == nil && info.IsDir() && !slices.Contains(scene.Names(), c.Scene)
	return len(c.Scenes) > 1 || folder || e.Given["csv"] || e.Given["timeout"]
}

// batch runs each scene on its own and writes one row per scene.
func (c *runCmd) batch(ctx context.Context, e *cli.Console) error {
	for _, name := range slices.Sorted(maps.Keys(e.Given)) {
		if !slices.Contains(batchFlags, name) {
			return cli.BadUsage(fmt.Errorf("--%s can't be combined with several scenes, a folder, --csv or --timeout", name))
		}
	}
	if len(c.Scenes) == 0 {
		c.Scenes = []string{c.Scene}
	}
	b := &run.Batch{
		Files: c.Scenes, Workers: c.Workers, Timeout: c.Timeout, Steps: c.Steps, Lenient: c.Lenient, Model: c.Model,
		Safety: c.Safety || !e.Given["safety"], Places: c.Places, MemoryFlag: c.MemoryFlag, JSON: c.JSON, CSV: c.CSV,
	}
	return b.Run(ctx, e)
}
