package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
)

// galleryCmd draws the gallery of the documentation.
type galleryCmd struct{ render.GalleryOptions }

func (galleryCmd) Help() string {
	return `The pictures of the documentation are made by

    crowd gallery --data RECORDINGS

Without recordings, the films of recorded people are left as they are.`
}

func (c *galleryCmd) Run(ctx context.Context, e *cli.Console) error {
	return c.Draw(ctx, e, func(args []string) error {
		if code := newCommands().run(ctx, args, e.Out, e.Err); code != exitOK {
			return fmt.Errorf("crowd %s: ended with code %d", strings.Join(args, " "), code)
		}
		return nil
	})
}
