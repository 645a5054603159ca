package main

import (
	"context"
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
	"github.com/8f878440/crowd/cmd/crowd/internal/simulation"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
	"github.com/8f878440/crowd/world/scene"
)

// load returns the scene, with the changes that the command line asks for.
func (c *runCmd) load(ctx context.Context, e *console.Console) (*scene.Scene, error) {
	s, err := c.open(ctx, e)
	if err != nil {
		return nil, err
	}
	if c.Steps != nil {
		if *c.Steps < 1 || *c.Steps > simulation.MaxSteps {
			return nil, fmt.Errorf("--steps is %d, want 1 to %d", *c.Steps, simulation.MaxSteps)
		}
		s.Steps = *c.Steps
	}
	if err := c.Places.AddTo(s); err != nil {
		return nil, err
	}
	if err := render.CheckView(c.View); err != nil {
		return nil, err
	}
	if c.Every < 1 {
		return nil, fmt.Errorf("--every is %d, want 1 or more", c.Every)
	}
	if err := c.Profiles.Check(); err != nil {
		return nil, err
	}
	if c.Picture == "" && !c.JSON {
		c.Picture = render.PictureName(s)
	}
	if c.NoPicture {
		c.Picture = ""
	}
	return s, e.Given.Refuse(
		usage.IdleFlag{Name: "picture", Idle: c.NoPicture, Why: "and --no-picture contradict one another, want one of them"},
		usage.IdleFlag{Name: "view", Idle: c.Picture == "", Why: "is for the picture, and none is drawn"},
		usage.IdleFlag{Name: "every", Idle: c.Trajectories == "", Why: "is for --trajectories, which is missing"},
	)
}
