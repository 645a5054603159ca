package run

import (
	"context"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// Build makes the world of a scene, until the context ends.
func Build(ctx context.Context, s *scene.Scene, o scene.Options) (*world.World, error) {
	o.Context = ctx
	w, err := s.Build(o)
	return w, cli.While(ctx, err, "building "+s.Name)
}
