package command

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
)

// ofMany are the flags that several scenes can have.
var ofMany = []string{
	"scene", "workers", "steps", "lenient", "model", "safety", "line", "area", "force", "json", "csv", "timeout", "quiet",
}

// many reports whether the command line asks for a row for each scene.
func (c *runCmd) many(e *cli.Console) bool {
	info, err := os.Stat(c.Scene)
	return len(c.Scenes) > 1 || err == nil && info.IsDir() || e.Given["csv"] || e.Given["timeout"]
}

// batch runs each scene for itself, and writes a row for each.
func (c *runCmd) batch(ctx context.Context, e *cli.Console) error {
	for _, name := range slices.Sorted(maps.Keys(e.Given)) {
		if !slices.Contains(ofMany, name) {
			return cli.BadUsage(fmt.Errorf("--%s is for one scene, and several are compared", name))
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
