package sweep

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
)

// Merge joins the results of shards.
type Merge struct {
	Folders []string `arg:"" name:"folder" help:"Folders in which crowd sweep --shard ran. The first gets the results."`
}

// Run joins them.
func (c *Merge) Run(ctx context.Context, e *cli.Console) error {
	s, err := same(ctx, c.Folders)
	if err != nil {
		return cli.BadUsage(cli.While(ctx, err, "reading "+c.Folders[0]))
	}
	return join(ctx, e, s, c.Folders, c.Folders[0])
}

// same returns the spec that all folders have.
func same(ctx context.Context, folders []string) (*spec.Spec, error) {
	var first []byte
	for i, folder := range folders {
		manifest, err := results.ReadManifest(folder)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: want the folder of a sweep", err)
		case i > 0 && string(manifest) != string(first):
			return nil, fmt.Errorf("%s and %s are of different sweeps", folders[0], folder)
		}
		first = manifest
	}
	return spec.FromManifest(ctx, first, filepath.Join(folders[0], results.FilesFolder))
}

// join writes the results of all shards in some folders into one of them.
func join(ctx context.Context, e *cli.Console, s *spec.Spec, from []string, to string) error {
	m, err := results.MergeFolders(from, s.AxisNames(), s.Digest(), s.Runs())
	if err != nil {
		return cli.BadUsage(err)
	}
	defer m.Close()
	if err := write(ctx, m.Table, m.Rows, to); err != nil {
		return err
	}
	n := counts{Runs: m.Runs, Failed: m.Failed, Dead: m.Dead, Duplicates: m.Duplicates, Machines: m.Machines}
	return n.summary(e, s, to)
}
