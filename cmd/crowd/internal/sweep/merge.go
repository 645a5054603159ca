package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/interrupt"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/shard"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
)

// Merge joins the results of shards.
type Merge struct {
	Folders []string `arg:"" name:"folder" help:"Folders in which crowd sweep --shard ran. The first gets the results."`
}

// Run joins them.
func (c *Merge) Run(ctx context.Context, e *console.Console) error {
	s, err := same(ctx, c.Folders)
	if err != nil {
		return usage.Bad(interrupt.While(ctx, err, "reading "+c.Folders[0]))
	}
	return join(ctx, e, s, c.Folders, c.Folders[0])
}

// same returns the spec that all folders have.
func same(ctx context.Context, folders []string) (*spec.Spec, error) {
	var first []byte
	for i, folder := range folders {
		manifest, err := shard.Manifest(folder)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: want the folder of a sweep", err)
		case i > 0 && string(manifest) != string(first):
			return nil, fmt.Errorf("%s and %s are of different sweeps", folders[0], folder)
		}
		first = manifest
	}
	return spec.FromManifest(ctx, first, filepath.Join(folders[0], shard.FilesFolder))
}

// join writes the results of all shards in some folders into one of them.
func join(ctx context.Context, e *console.Console, s *spec.Spec, from []string, to string) error {
	m, err := shard.Merge(from, s.AxisNames(), s.Digest(), s.Runs())
	if err != nil {
		return usage.Bad(err)
	}
	defer m.Close()
	var files output.Files
	csv := files.Add("results", filepath.Join(to, "results.csv"))
	parquet := files.Add("results", filepath.Join(to, "results.parquet"))
	if err := files.Open(); err != nil {
		return err
	}
	defer files.Discard()
	err = csv.Fill(func(w io.Writer) error { return m.Table.WriteCSV(w, m.Rows(ctx)) })
	if err == nil {
		err = parquet.Fill(func(w io.Writer) error { return m.Table.WriteParquet(w, m.Rows(ctx)) })
	}
	if err != nil {
		return interrupt.While(ctx, err, "writing results")
	}
	return summary(e, m, s, to)
}

// summary says what became of the runs.
func summary(e *console.Console, m *shard.Merged, s *spec.Spec, folder string) error {
	ok := m.Runs - m.Failed - m.Dead
	parts := []string{fmt.Sprintf("%s ok", numbers.Thousands(int(ok)))}
	if m.Failed > 0 {
		parts = append(parts, numbers.Thousands(int(m.Failed))+" failed")
	}
	if m.Dead > 0 {
		parts = append(parts, fmt.Sprintf("%s given up after %s", numbers.Thousands(int(m.Dead)), tries(s.Limits.Tries)))
	}
	if m.Duplicates > 0 {
		parts = append(parts, fmt.Sprintf("%s done twice, with the same results", numbers.Thousands(int(m.Duplicates))))
	}
	_, err := terminal.Fprintf(e.Out, "%s on %s: %s\nresults in %s and .parquet\n",
		numbers.Plural(int(m.Runs), "run"), numbers.Plural(len(m.Machines), "machine"), strings.Join(parts, ", "), filepath.Join(folder, "results.csv"))
	if m.Dead > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d runs were given up: the column error says why", m.Dead, m.Runs))
	}
	return err
}

func tries(n int) string {
	if n == 1 {
		return "1 try"
	}
	return fmt.Sprintf("%d tries", n)
}
