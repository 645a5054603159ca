package run

import (
	"context"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// Prepare builds the world of a scene and begins its report. Args are the command line
// that asks for it.
func Prepare(ctx context.Context, s *scene.Scene, o scene.Options, args []string) (*world.World, *report.Report, error) {
	return prepare(s, o, args, func() (*world.World, error) { return Build(ctx, s, o) })
}

// PrepareSaved is Prepare for the world that was saved in a stream.
func PrepareSaved(ctx context.Context, s *scene.Scene, o scene.Options, args []string, in io.Reader) (*world.World, *report.Report, error) {
	return prepare(s, o, args, func() (*world.World, error) {
		o.Context = ctx
		w, err := s.Resume(o, in)
		return w, cli.While(ctx, err, "building "+s.Name)
	})
}

func prepare(s *scene.Scene, o scene.Options, args []string, build func() (*world.World, error)) (*world.World, *report.Report, error) {
	start := time.Now()
	w, err := build()
	if err != nil {
		return nil, nil, err
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	r := report.Begin(s, w, strings.Join(append([]string{"crowd"}, args...), " "))
	r.Workers, r.SetupSeconds = workers, time.Since(start).Seconds()
	return w, r, nil
}
