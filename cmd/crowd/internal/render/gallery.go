package render

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
)

// GalleryOptions say where the gallery is drawn, as flags of the command line.
type GalleryOptions struct {
	Folder string `arg:"" optional:"" default:"docs" help:"Folder of the page gallery.md, with the pictures in gallery beside it."`
	Data   string `placeholder:"FOLDER" help:"Recordings of the Forschungszentrum Jülich, to draw the films of recorded people too."`
	Quick  bool   `help:"Small and short pictures, to see that all can be drawn."`
}

// pageTop is what the page begins with.
const pageTop = "# Gallery\n\n*Reference: every built-in scene, with the command that drew it, and people beside recorded ones.*\n\nAll pictures and this page are made by `go run ./cmd/crowd gallery`. [rules.md](rules.md#sources) names the source of every rule.\n"

// Draw draws the page and its pictures, by command lines that execute carries out.
func (o *GalleryOptions) Draw(ctx context.Context, e *cli.Console, execute func(args []string) error) error {
	folder := filepath.Join(o.Folder, "gallery")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return cli.BadUsage(err)
	}
	var files output.Files
	file := files.Add("the page", filepath.Join(o.Folder, "gallery.md"))
	if err := files.Open(); err != nil {
		return cli.BadUsage(err)
	}
	defer files.Discard()
	if o.Data == "" {
		e.Log.Info("the films of recorded people are left as they are, since there is no --data")
	} else if err := o.filmPeople(ctx); err != nil {
		return cli.While(ctx, err, "filming people")
	}
	var page strings.Builder
	page.WriteString(pageTop + films())
	for i := range exhibits {
		x := exhibits[i]
		if o.Quick {
			x.width, x.seconds = 120, min(x.seconds, 1)
			x.flags = strings.Replace(x.flags, "--agents 1000000", "--agents 10000", 1)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := x.draw(o.Folder, !e.Log.Enabled(ctx, slog.LevelInfo), execute); err != nil {
			return err
		}
		page.WriteString(x.entry())
	}
	page.WriteString(answers())
	return file.Fill(func(to io.Writer) error {
		_, err := io.WriteString(to, page.String())
		return err
	})
}
