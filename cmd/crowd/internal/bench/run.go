// Package bench measures what steps cost, and compares it with an earlier time.
package bench

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// Run measures, and writes the results as the options say. Draw draws them.
func (o *Options) Run(ctx context.Context, e *cli.Console, draw func(to io.Writer, name string, f *File) error) error {
	note, err := o.jsonFile()
	if err != nil {
		return cli.BadUsage(err)
	}
	if o.Targets {
		return o.targets(ctx, e)
	}
	b, err := o.plan(ctx, e)
	if err != nil {
		return cli.BadUsage(err)
	}
	defer b.files.Discard()
	if note != "" {
		e.Log.Warn(note)
	}
	b.measure(ctx, e)
	if len(b.Results) == 0 {
		if b.Interrupted {
			return errors.New("interrupted before anything was measured")
		}
		return cli.BadUsage(errors.New(strings.Join(b.Notes, "; ")))
	}
	write, to := b.writeTable, e.Out
	switch {
	case o.JSON.on:
		write, to = b.writeJSON, e.Machine
	case o.Go == "-":
		write, to = b.writeGo, e.Machine
	}
	plot := func(to io.Writer) error { return draw(to, o.Plot, &b.File) }
	// What one can't take is no reason to lose the others.
	err = cmp.Or(write(to), b.files.json.Fill(b.writeJSON), b.files.goLines.Fill(b.writeGo), b.files.plot.Fill(plot))
	if b.old != nil {
		err = cmp.Or(err, writeComparison(e.Out, o.Compare, b.old, &b.File))
	}
	return err
}
