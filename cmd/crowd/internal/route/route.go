// Package route finds the paths of movingai.com scenarios, and compares them with the published optimal
// lengths.
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

// Options are the arguments and flags of crowd bench maps.
type Options struct {
	Scenario string `arg:"" name:"file" help:"MovingAI scenario (.scen or .scen.gz)."`
	Map      string `arg:"" optional:"" name:"map" help:"Map (default: the one that the rows name, in the folder of the scenario)."`

	Compare bool     `help:"Also find some of the paths with gonum's A* on the grid, and compare the times."`
	JSON    bool     `name:"json" help:"Print only JSON: an object with rows and buckets."`
	Out     string   `short:"o" placeholder:"FILE.png" help:"Draw the map with some of the paths, as .png or .svg."`
	Size    cli.Size `placeholder:"WIDTH[xHEIGHT]" help:"Size of the picture in pixels (default: 1200)."`
	Dark    bool     `help:"Use the dark theme."`
}

const (
	drawnPaths            = 40
	leastWidth, mostWidth = 200, 8192 // pixels
)

func (o *Options) check(e *cli.Console) error {
	if end := strings.ToLower(filepath.Ext(o.Out)); o.Out != "" && end != ".png" && end != ".svg" {
		return fmt.Errorf("--out is %s, want a name that ends in .png or .svg", o.Out)
	}
	if err := o.Size.Check(leastWidth, mostWidth); err != nil {
		return err
	}
	idle := cli.IdleFlag{Name: "size", Idle: o.Out == "", Why: "needs --out, which is missing"}
	dark := idle
	dark.Name = "dark"
	return e.Given.Refuse(idle, dark)
}

// Run finds the paths, prints a summary or JSON, and draws a picture if Out is set. It returns an error if a
// row has no path, or a path longer than the grid path.
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
	files.Reads(o.Scenario)
	for _, g := range r.Maps {
		files.Reads(g.File)
	}
	picture := files.Add("--out", o.Out)
	if err := files.Open(); err != nil {
		return cli.BadUsage(err)
	}
	defer files.Discard()
	if err := r.find(ctx, e, o.JSON); err != nil {
		return cli.While(ctx, err, "finding paths")
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
			_, err = cli.Fprintf(e.Out, "picture in %s: %s\n", o.Out, cli.Plural(drawn, "path"))
		}
	}
	if err != nil {
		return err
	}
	return r.verdict()
}

// plain moves the file name to the front of a file system error, as in other file errors.
func plain(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return fmt.Errorf("%s: %w", of.Path, of.Err)
	}
	return err
}

func (r *run) verdict() error {
	var parts []string
	if n := len(r.those((*Row).lost)); n > 0 {
		parts = append(parts, cli.Plural(n, "row")+" without a path")
	}
	if n := len(r.those((*Row).longer)); n > 0 {
		parts = append(parts, cli.Plural(n, "path")+" longer than the grid path")
	}
	if len(parts) == 0 {
		return nil
	}
	return errors.New(strings.Join(parts, ", "))
}

// Row is a row of a scenario, with its path. Lengths are in cells.
type Row struct {
	Line         int      `json:"line"`
	Bucket       int      `json:"bucket"`
	Map          string   `json:"map"`
	Start        [2]int   `json:"start"`
	Goal         [2]int   `json:"goal"`
	Length       *float64 `json:"length"` // nil means no path
	OctileLength float64  `json:"octile_length"`
	Seconds      float64  `json:"seconds"`

	path []r2.Vec // points after the start
	in   *ground
}

// ratio returns the length of the path divided by that of the grid path. It returns false without a path, or
// if the grid path has length 0.
func (r *Row) ratio() (float64, bool) {
	if r.Length == nil || r.OctileLength == 0 {
		return 0, false
	}
	return *r.Length / r.OctileLength, true
}

func (r *Row) lost() bool { return r.Length == nil }

// longer reports whether the path is longer than the grid path, with tolerance for the limited precision of
// the files and the small distance that paths keep from corners.
func (r *Row) longer() bool {
	const relative, absolute = 1e-5, 1e-5
	return r.Length != nil && *r.Length > r.OctileLength*(1+relative)+absolute
}

type ground struct {
	File    string  `json:"file"`
	Width   int     `json:"width"`
	Height  int     `json:"height"`
	Corners int     `json:"corners"`
	Seconds float64 `json:"seconds"` // to build the index and the graph

	of    *movingai.Map
	index space.Index
	graph route.Graph
}

type run struct {
	Scenario   string      `json:"scenario"`
	Maps       []*ground   `json:"maps"`
	Rows       []*Row      `json:"rows"`
	Buckets    []Bucket    `json:"buckets"`
	Comparison *comparison `json:"comparison,omitempty"`

	search route.Search
}

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

// lookAround is the query distance of the obstacle index, in cells: about the distance at which corners see
// each other.
const lookAround = 8

func (g *ground) build() {
	begun := time.Now()
	g.index.Build(g.of.Shapes(), lookAround, 0)
	g.graph.Build(&g.index, 0)
	g.Corners, g.Seconds = g.graph.Len(), time.Since(begun).Seconds()
}

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
		path, length, ok, err := r.path(ctx, row)
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

const slice = 1 << 20 // work of a search between two checks for an interruption

// path returns the points of a row's path after the start, and the length of the path. It returns false if
// there is no path.
func (r *run) path(ctx context.Context, row *Row) (path []r2.Vec, length float64, ok bool, err error) {
	r.search.Begin(&row.in.graph, movingai.Center(row.Start), movingai.Center(row.Goal))
	for !r.search.Go(slice) {
		if err := ctx.Err(); err != nil {
			return nil, 0, false, err
		}
	}
	path, length, ok = r.search.Path(nil)
	return path, length, ok, ctx.Err()
}

func (r *run) those(has func(*Row) bool) (rows []*Row) {
	for _, row := range r.Rows {
		if has(row) {
			rows = append(rows, row)
		}
	}
	return rows
}
