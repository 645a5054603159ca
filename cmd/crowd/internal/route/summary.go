package route

import (
	"cmp"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// Bucket is a summary of the rows of a bucket. Ratios are lengths as parts of those over the
// grid; they are nil where no row has any.
type Bucket struct {
	Bucket       int      `json:"bucket"`
	Rows         int      `json:"rows"`
	Found        int      `json:"found"`
	MeanRatio    *float64 `json:"mean_ratio"`
	LongestRatio *float64 `json:"longest_ratio"`
	MeanSeconds  float64  `json:"mean_seconds"`

	last int // bucket, of those that are in one line of the table
}

// summarize returns a summary of each bucket.
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

// summaryOf returns the summary of some rows.
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

// mostLines is how many lines a table has at most; with more buckets several share one.
const mostLines = 25

// print writes a table of the buckets, and what is known of the maps and of rows that are not
// as they should be.
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
	t.Head("bucket\trows\tfound\tway/octile\tlongest\tmean time")
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
		t.Row("map", "%s, %d × %d cells, %s, laid out in %s", filepath.Base(g.File), g.Width, g.Height, cli.Plural(g.Corners, "corner"), seconds(g.Seconds))
	}
	t.RowIn(styleOf(r.none()), "without a way", "%s", listed(r.none()))
	t.RowIn(styleOf(r.longer()), "longer than octile", "%s", listed(r.longer()))
	if c := r.Comparison; c != nil {
		t.Row("gonum's A*", "%s a way, median of %s; ours %s: %.4g times as fast", seconds(c.AStarSeconds), cli.Plural(c.Rows, "row"), seconds(c.RouteSeconds), c.Ratio)
		if c.Differ > 0 {
			t.RowIn(cli.Warning, "", "the file gives another length over the grid for %s", cli.Plural(c.Differ, "row"))
		}
	}
	return t.Flush()
}

func (b *Bucket) print(t *cli.Table, s cli.Style, name string) {
	t.Line(s, "%s\t%s\t%s\t%s\t%s\t%s", name, cli.Thousands(b.Rows), cli.Thousands(b.Found),
		cli.OrDash("%.4f", b.MeanRatio), cli.OrDash("%.4f", b.LongestRatio), seconds(b.MeanSeconds))
}

// listed names rows by their lines.
func listed(rows []*Row) string {
	const most = 10
	if len(rows) == 0 {
		return "none"
	}
	var names []string
	for _, r := range rows[:min(most, len(rows))] {
		names = append(names, strconv.Itoa(r.Line))
	}
	text := cli.Plural(len(rows), "row") + ": line " + strings.Join(names, ", ")
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

// seconds writes a time for people.
func seconds(s float64) string { return cli.Duration(int64(math.Round(s * 1e9))) }
