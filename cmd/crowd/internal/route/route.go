// Package route plans the paths that scenarios of movingai.com ask for, and compares them with
// the published optimal lengths.
package route

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/formats/movingai"
	"github.com/8f878440/crowd/internal/route"
	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

// Options say which ways are looked for and what is shown of them, as flags of the command
// line.
type Options struct {
	Scenario string `arg:"" name:"file" help:"A MovingAI scenario: .scen or .scen.gz."`
	Map      string `arg:"" optional:"" name:"map" help:"The map, where it is not beside the scenario under the name that the rows give."`

	Compare bool     `help:"Look for some of the ways with gonum's A* over the grid too, and compare the times."`
	JSON    bool     `name:"json" help:"Print an object with rows and buckets as JSON, and nothing else."`
	Out     string   `short:"o" placeholder:"FILE.png" help:"Draw the map with some of the ways, as the name ends: .png or .svg."`
	Size    cli.Size `placeholder:"WIDTH[xHEIGHT]" help:"Size of the picture in pixels (default: 1200)."`
	Dark    bool     `help:"Use the dark theme."`
}

// How many ways are drawn, and the limits of the size.
const (
	drawnWays             = 40
	leastWidth, mostWidth = 200, 8192 // pixels
)

func (o *Options) check(e *cli.Console) error {
	if end := strings.ToLower(filepath.Ext(o.Out)); o.Out != "" && end != ".png" && end != ".svg" {
		return fmt.Errorf("--out is %s, want a name that ends with .png or .svg", o.Out)
	}
	if err := o.Size.Check(leastWidth, mostWidth); err != nil {
		return err
	}
	none := o.Out == ""
	return e.Given.Refuse(
		cli.IdleFlag{Name: "size", Idle: none, Why: "is for the picture, and none is drawn"},
		cli.IdleFlag{Name: "dark", Idle: none, Why: "is for the picture, and none is drawn"},
	)
}

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

// Row is a row of a scenario, and the way that was found for it. Lengths are in cells.
type Row struct {
	Line         int      `json:"line"`
	Bucket       int      `json:"bucket"`
	Map          string   `json:"map"`
	Start        [2]int   `json:"start"`
	Goal         [2]int   `json:"goal"`
	Length       *float64 `json:"length"` // nil: there is no way
	OctileLength float64  `json:"octile_length"`
	Seconds      float64  `json:"seconds"`

	path []r2.Vec // after the start
	in   *ground
}

// ratio returns how long the way is as a part of that over the grid, false if one of them has
// no length.
func (r *Row) ratio() (float64, bool) {
	if r.Length == nil || r.OctileLength == 0 {
		return 0, false
	}
	return *r.Length / r.OctileLength, true
}

// longer reports whether the way is longer than over the grid, by more than the digits that
// files have and what ways keep away from corners.
func (r *Row) longer() bool {
	const relative, absolute = 1e-5, 1e-5
	return r.Length != nil && *r.Length > r.OctileLength*(1+relative)+absolute
}

// ground is a map, and what ways over it are looked for in.
type ground struct {
	File    string  `json:"file"`
	Width   int     `json:"width"`
	Height  int     `json:"height"`
	Corners int     `json:"corners"`
	Seconds float64 `json:"seconds"` // to lay out the corners

	of    *movingai.Map
	index space.Index
	graph route.Graph
}

// run is a scenario whose ways are looked for. It is written as JSON.
type run struct {
	Scenario   string      `json:"scenario"`
	Maps       []*ground   `json:"maps"`
	Rows       []*Row      `json:"rows"`
	Buckets    []Bucket    `json:"buckets"`
	Comparison *comparison `json:"comparison,omitempty"`

	search route.Search
}

// read reads a scenario and its maps, and checks all rows.
func (r *run) read(ctx context.Context, o *Options) error {
	s, err := movingai.ReadScenario(ctx, o.Scenario)
	if err != nil {
		return err
	}
	maps, grounds := movingai.Maps{File: o.Map}, map[*movingai.Map]*ground{}
	for i := range s.Rows {
		row := &s.Rows[i]
		m, err := maps.Of(ctx, s, row)
		if err != nil {
			return err
		}
		if err := s.Check(row, m); err != nil {
			return err
		}
		if grounds[m] == nil {
			grounds[m] = &ground{File: m.Path, Width: m.Width, Height: m.Height, of: m}
			r.Maps = append(r.Maps, grounds[m])
		}
		r.Rows = append(r.Rows, &Row{
			Line: row.Line, Bucket: row.Bucket, Map: row.Map, Start: row.Start, Goal: row.Goal, OctileLength: row.Octile, in: grounds[m],
		})
	}
	return nil
}

// files returns the maps that were read.
func (r *run) files() (all []string) {
	for _, g := range r.Maps {
		all = append(all, g.File)
	}
	return all
}

// lookAround is how far a look into the index of obstacles is made to see, in cells: about as
// far as corners see one another.
const lookAround = 8

// build lays out the corners of a map.
func (g *ground) build() {
	begun := time.Now()
	g.index.Build(g.of.Shapes(), lookAround, 0)
	g.graph.Build(&g.index, 0)
	g.Corners, g.Seconds = g.graph.Len(), time.Since(begun).Seconds()
}

// find finds the ways of all rows, one after another, until the context ends.
func (r *run) find(ctx context.Context, e *cli.Console, machine bool) error {
	bar := e.Progress("route", len(r.Rows), "row", machine)
	defer bar.Done()
	for _, g := range r.Maps {
		g.build()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for i, row := range r.Rows {
		begun := time.Now()
		path, length, ok, err := r.way(ctx, row)
		if err != nil {
			return err
		}
		row.Seconds = time.Since(begun).Seconds()
		if ok {
			row.Length, row.path = &length, slices.Clone(path)
		}
		bar.Set(i + 1)
	}
	return nil
}

// slice is how much a search looks at before it asks whether it was interrupted.
const slice = 1 << 20

// way finds the way of a row.
func (r *run) way(ctx context.Context, row *Row) (path []r2.Vec, length float64, ok bool, err error) {
	r.search.Begin(&row.in.graph, movingai.Center(row.Start), movingai.Center(row.Goal))
	for !r.search.Go(slice) {
		if err := ctx.Err(); err != nil {
			return nil, 0, false, err
		}
	}
	path, length, ok = r.search.Path(nil)
	return path, length, ok, ctx.Err()
}

// none returns the rows without a way.
func (r *run) none() (rows []*Row) {
	for _, row := range r.Rows {
		if row.Length == nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// longer returns the rows with a way that is longer than over the grid.
func (r *run) longer() (rows []*Row) {
	for _, row := range r.Rows {
		if row.longer() {
			rows = append(rows, row)
		}
	}
	return rows
}
