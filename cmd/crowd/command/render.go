package command

import (
	"context"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
)

// renderCmd draws one crowd.
type renderCmd struct {
	sceneFlags
	render.Options
}

func (renderCmd) Help() string {
	return `Examples:

    crowd render plaza --out plaza.png           50,000 people after ten seconds
    crowd render arrival --trails 60 --out arrival.gif
    crowd render plaza --view 200,200,240,230 --seconds 8 --out people.mp4
    crowd render plaza --agents 1000000 --heat --at 5s --out density.png
    crowd render tank-path --trails 10s --out tank.svg
    crowd render SCENE.toml --field --out way.png   how far it is to walk
    crowd render SCENE.toml --beside RECORDING.csv --out both.gif

Ctrl-C ends the simulation, and the file is completed with what there is.`
}

func (c *renderCmd) Run(ctx context.Context, e *cli.Console) error {
	if err := c.Check(e.Given); err != nil {
		return cli.BadUsage(err)
	}
	s, err := c.open(ctx, e)
	if err != nil {
		return cli.BadUsage(err)
	}
	if c.People, err = c.Recording.Open(ctx, &c.Options.BesideOptions); err != nil {
		return cli.BadUsage(err)
	}
	return c.Draw(ctx, e, s, c.Workers, &c.MemoryFlag)
}
