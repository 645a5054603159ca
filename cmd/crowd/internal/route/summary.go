package route

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/internal/formats/movingai"
	"gonum.org/v1/gonum/spatial/r2"
)

// Bucket summarizes the rows of a bucket. A ratio is the length of a path divided by that of the grid path;
// nil means that no row has one.
type Bucket struct {
	Bucket       int      `json:"bucket"`
	Rows         int      `json:"rows"`
	Found        int      `json:"found"`
	MeanRatio    *float64 `json:"mean_ratio"`
	LongestRatio *float64 `json:"longest_ratio"`
	MeanSeconds  float64  `json:"mean_seconds"`

	last int // highest bucket number of the rows
}

func summarize(rows []*Row) (all []Bucket) {
	by := map[int][]*Row{}
	for _, r := range rows {
		by[r.Bucket] = append(by[r.Bucket], r)
	}
	for _, rows := range by {
		all = append(all, summaryOf(rows))
	}
	slices.SortFunc(all, func(a, b Bucket) int { return cmp.Compare(a.Bucket, b.Bucket) })
	return all
}

// summaryOf needs at least one row.
func summaryOf(rows []*Row) Bucket {
	b := Bucket{Bucket: rows[0].Bucket, Rows: len(rows), last: rows[0].Bucket}
	sum, longest, n := 0., 0., 0
	for _, r := range rows {
		b.Bucket, b.last = min(b.Bucket, r.Bucket), max(b.last, r.Bucket)
		b.MeanSeconds += r.Seconds / float64(len(rows))
		if r.Length != nil {
			b.Found++
		}
		if ratio, ok := r.ratio(); ok {
			sum, longest, n = sum+ratio, max(longest, ratio), n+1
		}
	}
	if n > 0 {
		mean := sum / float64(n)
		b.MeanRatio, b.LongestRatio = &mean, &longest
	}
	return b
}

const mostLines = 25 // of the table; if there are more buckets, several share a line

func (r *run) print(w io.Writer) error {
	first, last := r.Buckets[0].Bucket, r.Buckets[len(r.Buckets)-1].Bucket
	each := 1
	if len(r.Buckets) > mostLines {
		each = (last-first)/mostLines + 1
	}
	lines := map[int][]*Row{}
	for _, row := range r.Rows {
		lines[(row.Bucket-first)/each] = append(lines[(row.Bucket-first)/each], row)
	}
	t := cli.NewTable(w)
	t.Head("bucket\trows\tfound\tmean ratio\tmax ratio\tmean time")
	for _, k := range slices.Sorted(maps.Keys(lines)) {
		b := summaryOf(lines[k])
		name := strconv.Itoa(b.Bucket)
		if b.last > b.Bucket {
			name += "–" + strconv.Itoa(b.last)
		}
		b.print(t, cli.Plain, name)
	}
	all := summaryOf(r.Rows)
	all.print(t, cli.Strong, "all")
	t.Row("", "")
	if err := t.Flush(); err != nil {
		return err
	}
	for _, g := range r.Maps {
		t.Row("map", "%s, %d × %d cells, %s, graph built in %s", filepath.Base(g.File), g.Width, g.Height, cli.Plural(g.Corners, "corner"), seconds(g.Seconds))
	}
	lost, longer := r.those((*Row).lost), r.those((*Row).longer)
	t.RowIn(styleOf(lost), "without a path", "%s", listed(lost))
	t.RowIn(styleOf(longer), "longer than grid path", "%s", listed(longer))
	if c := r.Comparison; c != nil {
		t.Row("gonum's A*", "%s per path, median of %s; crowd %s, %.4g times as fast", seconds(c.AStarSeconds), cli.Plural(c.Rows, "row"), seconds(c.RouteSeconds), c.Ratio)
		if c.Differ > 0 {
			t.RowIn(cli.Warning, "", "the grid paths of gonum and the file differ in length for %s", cli.Plural(c.Differ, "row"))
		}
	}
	return t.Flush()
}

func (b *Bucket) print(t *cli.Table, s cli.Style, name string) {
	t.Line(s, "%s\t%s\t%s\t%s\t%s\t%s", name, cli.Thousands(b.Rows), cli.Thousands(b.Found),
		cli.OrDash("%.4f", b.MeanRatio), cli.OrDash("%.4f", b.LongestRatio), seconds(b.MeanSeconds))
}

func listed(rows []*Row) string {
	const most = 10
	if len(rows) == 0 {
		return "none"
	}
	var names []string
	for _, r := range rows[:min(most, len(rows))] {
		names = append(names, strconv.Itoa(r.Line))
	}
	text := cli.Plural(len(rows), "row") + ": line"
	if len(rows) > 1 {
		text += "s"
	}
	text += " " + strings.Join(names, ", ")
	if len(rows) > most {
		text += " …"
	}
	return text
}

func styleOf(rows []*Row) cli.Style {
	if len(rows) > 0 {
		return cli.Bad
	}
	return cli.Good
}

func seconds(s float64) string { return cli.Duration(int64(math.Round(s * 1e9))) }

type comparison struct {
	Rows         int     `json:"rows"`
	RouteSeconds float64 `json:"route_seconds"` // median
	AStarSeconds float64 `json:"astar_seconds"` // median
	Ratio        float64 `json:"ratio"`         // AStarSeconds ÷ RouteSeconds
	Differ       int     `json:"differ"`        // rows whose A* length differs from that in the file
}

const compared = 40 // maximum number of rows

// compare finds some of the paths again, with this project's search and with gonum's A* on the grid. The
// former already knows all links that it needs, as in a crowd that has walked for some time.
func (r *run) compare(ctx context.Context, e *cli.Console, machine bool) error {
	n := min(compared, len(r.Rows))
	bar := e.Progress("gonum's A*", n, "row", machine)
	defer bar.Done()
	c := &comparison{Rows: n}
	var own, over []float64
	for i := range n {
		begun := time.Now()
		if _, _, _, err := r.path(ctx, r.Rows[i*len(r.Rows)/n]); err != nil {
			return err
		}
		own = append(own, time.Since(begun).Seconds())
	}
	for i := range n {
		row := r.Rows[i*len(r.Rows)/n]
		begun := time.Now()
		length := movingai.NewGrid(row.in.of).Length(row.Start, row.Goal)
		over = append(over, time.Since(begun).Seconds())
		if !(math.Abs(length-row.OctileLength) <= 1e-4*max(length, 1)) {
			c.Differ++
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		bar.Set(i + 1)
	}
	c.RouteSeconds, c.AStarSeconds = cli.Quantile(own, 0.5), cli.Quantile(over, 0.5)
	c.Ratio = c.AStarSeconds / max(c.RouteSeconds, 1e-9)
	r.Comparison = c
	return nil
}

func (o *Options) draw(r *run, to *output.File) (int, error) {
	if to == nil {
		return 0, nil
	}
	c := pictureOf(r, drawnPaths)
	options := picture.Options{Width: cmp.Or(o.Size.Width, 1200), Height: o.Size.Height, Dark: o.Dark, Color: picture.Group}
	write := picture.WritePNG
	if strings.EqualFold(filepath.Ext(o.Out), ".svg") {
		write = picture.WriteSVG
	}
	return len(c.Trips), to.Fill(func(w io.Writer) error { return write(w, c, options) })
}

// pictureOf returns a picture of at most the given number of paths, spread evenly over those found on the map
// of the first row.
func pictureOf(r *run, most int) *picture.Crowd {
	g := r.Maps[0]
	// Rows of a map count downward, but y points up in pictures.
	flip := func(p r2.Vec) r2.Vec { return r2.Vec{X: p.X, Y: float64(g.Height) - p.Y} }
	c := &picture.Crowd{
		Title: strings.TrimSuffix(filepath.Base(g.File), filepath.Ext(g.File)),
		View:  r2.NewBox(0, 0, float64(g.Width), float64(g.Height)),
		Cells: true,
	}
	for _, s := range g.of.Shapes() {
		ring := make([]r2.Vec, len(s.Ring))
		for i, p := range s.Ring {
			ring[i] = flip(p)
		}
		c.Obstacles = append(c.Obstacles, picture.Obstacle{Ring: ring})
	}
	var found []*Row
	for _, row := range r.Rows {
		if row.in == g && row.Length != nil && row.Start != row.Goal {
			found = append(found, row)
		}
	}
	n := min(most, len(found))
	for i := range n {
		row := found[i*len(found)/n]
		trip := picture.Trip{Points: []r2.Vec{flip(movingai.Center(row.Start))}, Group: i}
		for _, p := range row.path {
			trip.Points = append(trip.Points, flip(p))
		}
		c.Trips = append(c.Trips, trip)
	}
	c.Caption = fmt.Sprintf("%d of %s, %d × %d cells", n, cli.Plural(len(found), "path"), g.Width, g.Height)
	return c
}
