package route

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
)

// Run finds the ways. The error counts the rows without one, and those with a way that is
// longer than over the grid.
func (o *Options) Run(ctx context.Context, e *cli.Console) error {
	if err := o.check(e); err != nil {
		return cli.BadUsage(err)
	}
	r := &run{Scenario: o.Scenario}
	if err := r.read(ctx, o); err != nil {
		if ctx.Err() != nil {
			return cli.While(ctx, err, "reading "+o.Scenario)
		}
		return cli.BadUsage(plain(err))
	}
	var files output.Files
	files.Reads(append(r.files(), o.Scenario)...)
	picture := files.Add("--out", o.Out)
	if err := files.Open(); err != nil {
		return cli.BadUsage(err)
	}
	defer files.Discard()
	if err := r.find(ctx, e, o.JSON); err != nil {
		return cli.While(ctx, err, "finding ways")
	}
	if o.Compare {
		if err := r.compare(ctx, e, o.JSON); err != nil {
			return cli.While(ctx, err, "comparing")
		}
	}
	drawn, err := o.draw(r, picture)
	if err != nil {
		return err
	}
	r.Buckets = summarize(r.Rows)
	if o.JSON {
		err = output.WriteJSON(e.Machine, r)
	} else {
		err = r.print(e.Out)
		if err == nil && o.Out != "" {
			_, err = cli.Fprintf(e.Out, "picture in %s: %s\n", o.Out, cli.Plural(drawn, "way"))
		}
	}
	if err != nil {
		return err
	}
	return r.verdict()
}

// plain returns an error of the file system as the other errors of files are: first its name.
func plain(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return fmt.Errorf("%s: %w", of.Path, of.Err)
	}
	return err
}

// verdict returns an error that counts what should not be, nil if there is nothing.
func (r *run) verdict() error {
	var parts []string
	if n := len(r.none()); n > 0 {
		parts = append(parts, cli.Plural(n, "row")+" without a way")
	}
	if n := len(r.longer()); n > 0 {
		parts = append(parts, cli.Plural(n, "way")+" longer than over the grid")
	}
	if len(parts) == 0 {
		return nil
	}
	return errors.New(strings.Join(parts, ", "))
}
