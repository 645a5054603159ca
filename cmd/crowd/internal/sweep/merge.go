package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
)

// Merge is the command crowd sweep merge.
type Merge struct {
	Folders []string `arg:"" name:"folder" help:"Folders in which crowd sweep --shard ran. The results are written to the first folder."`
}

// Help returns an example.
func (Merge) Help() string { return "Example:\n\n    crowd sweep merge SWEEP" }

// Run writes the merged results to the first folder, and prints a summary.
func (c *Merge) Run(ctx context.Context, e *cli.Console) error {
	s, err := same(ctx, c.Folders)
	if err != nil {
		return cli.BadUsage(cli.While(ctx, err, "reading "+c.Folders[0]))
	}
	m, err := results.MergeFolders(c.Folders, s.AxisNames(), s.Digest(), s.Runs())
	if err != nil {
		return cli.BadUsage(err)
	}
	defer m.Close()
	if err := write(ctx, m.Table, m.Rows, c.Folders[0]); err != nil {
		return err
	}
	n := counts{Runs: m.Runs, Failed: m.Failed, Dead: m.Dead, Duplicates: m.Duplicates, Machines: m.Machines}
	return n.summary(e, s, c.Folders[0])
}

func same(ctx context.Context, folders []string) (*spec.Spec, error) {
	var first []byte
	for i, folder := range folders {
		manifest, err := results.ReadManifest(folder)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: want the folder of a sweep", err)
		case i > 0 && string(manifest) != string(first):
			return nil, fmt.Errorf("%s and %s belong to different sweeps", folders[0], folder)
		}
		first = manifest
	}
	return spec.FromManifest(ctx, first, filepath.Join(folders[0], results.FilesFolder))
}

// rowSource iterates over all rows in the order of their indexes. If reading fails or the context is done, it
// yields the error and stops.
type rowSource func(context.Context) iter.Seq2[*results.Row, error]

func write(ctx context.Context, table *results.Table, rows rowSource, folder string) error {
	var files output.Files
	csv := files.Add("results", filepath.Join(folder, "results.csv"))
	parquet := files.Add("results", filepath.Join(folder, "results.parquet"))
	if err := files.Open(); err != nil {
		return err
	}
	defer files.Discard()
	err := csv.Fill(func(w io.Writer) error { return table.WriteCSV(w, rows(ctx)) })
	if err == nil {
		err = parquet.Fill(func(w io.Writer) error { return table.WriteParquet(w, rows(ctx)) })
	}
	return cli.While(ctx, err, "writing results")
}

type counts struct {
	Runs, Failed, Dead, Duplicates int64
	Machines                       []string
	first                          string // first error of a run
}

func (n *counts) add(r *results.Row) {
	n.Runs++
	switch r.Status {
	case results.Failed:
		n.Failed++
	case results.Dead:
		n.Dead++
	}
	if n.first == "" && r.Error != "" {
		n.first = fmt.Sprintf("run %d: %s", r.Index, r.Error)
	}
	if i, found := slices.BinarySearch(n.Machines, r.Machine); !found {
		n.Machines = slices.Insert(n.Machines, i, r.Machine)
	}
}

func (n *counts) summary(e *cli.Console, s *spec.Spec, folder string) error {
	ok := n.Runs - n.Failed - n.Dead
	parts := []string{fmt.Sprintf("%s ok", cli.Thousands(int(ok)))}
	if n.Failed > 0 {
		parts = append(parts, cli.Thousands(int(n.Failed))+" failed")
	}
	if n.Dead > 0 {
		parts = append(parts, fmt.Sprintf("%s given up (limits.tries is %d)", cli.Thousands(int(n.Dead)), s.Limits.Tries))
	}
	if n.Duplicates > 0 {
		parts = append(parts, fmt.Sprintf("%s run twice, with the same results", cli.Thousands(int(n.Duplicates))))
	}
	_, err := cli.Fprintf(e.Out, "%s on %s: %s\nresults in %s and results.parquet\n",
		cli.Plural(int(n.Runs), "run"), cli.Plural(len(n.Machines), "machine"), strings.Join(parts, ", "), filepath.Join(folder, "results.csv"))
	if n.first != "" && err == nil {
		_, err = cli.Fprintf(e.Out, "first error: %s\n", n.first)
	}
	if n.Dead > 0 {
		err = errors.Join(err, fmt.Errorf("gave up on %d of %s: the error column says why", n.Dead, cli.Plural(int(n.Runs), "run")))
	}
	return err
}
