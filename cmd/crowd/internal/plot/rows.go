package plot

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// row is a row of the table of a file.
type row struct {
	*File
	i    int
	name string
}

// number returns a figure in the unit of pictures; NaN: there is none.
func (r row) number(column string) float64 {
	if x, ok := r.Table.Number(r.i, column); ok {
		return x * figureOf(column).scale
	}
	return math.NaN()
}

// group is rows of one color.
type group struct {
	name string
	rows []row
}

// values returns a figure of the rows that have it.
func (g *group) values(column string) (all []float64) {
	for _, r := range g.rows {
		if x := r.number(column); !math.IsNaN(x) {
			all = append(all, x)
		}
	}
	return all
}

// values returns a figure of all groups.
func values(groups []*group, column string) (all []float64) {
	for _, g := range groups {
		all = append(all, g.values(column)...)
	}
	return all
}

// noun is what a row is.
func (p *drawing) noun() string {
	return cmp.Or(map[Kind]string{RunKind: "run", ScoreKind: "scene", BenchKind: "result"}[p.kind], "row")
}

// rows returns the rows of all files. Names tell those of one file apart.
func (p *drawing) rows() (all []row) {
	for _, f := range p.files {
		var names []string
		for i := range f.Table.Rows {
			name := cmp.Or(f.Table.Text(i, "file"), f.Table.Text(i, "name"), f.Table.Text(i, "scene"), fmt.Sprintf("row %d", i+1))
			if f.Bench != nil {
				name = strings.ReplaceAll(f.Bench.Results[i].Label(), " by crowd", "")
			} else if p.kind == RunKind {
				name = p.runName(f, i)
			}
			names = append(names, name)
		}
		for i, name := range ShortNames(names, ".xml", ".toml", ".scenario") {
			all = append(all, row{f, i, name})
		}
	}
	return all
}

// groups returns the rows by file, or by the values of the column of --by.
func (p *drawing) groups() (all []*group, err error) {
	numeric := p.By != ""
	for _, r := range p.rows() {
		name := r.Label
		if p.By == "folder" && r.Table.Text(r.i, p.By) == "" {
			name = path.Dir(r.Table.Text(r.i, "file"))
		} else if p.By != "" {
			name = cli.Shorten(r.Table.Text(r.i, p.By), 50)
		}
		k := slices.IndexFunc(all, func(g *group) bool { return g.name == name })
		if k < 0 {
			_, err := strconv.ParseFloat(name, 64)
			k, all, numeric = len(all), append(all, &group{name: name}), numeric && err == nil
		}
		all[k].rows = append(all[k].rows, r)
	}
	switch {
	case p.By == "":
		return all, nil
	case len(all) == 1 && all[0].name == "":
		return nil, p.missing("--by", p.By, append(p.columns(false), "folder"))
	case len(all) > MostLines:
		return nil, fmt.Errorf("--by %s makes %d groups, want at most %d", p.By, len(all), MostLines)
	}
	slices.SortStableFunc(all, func(a, b *group) int {
		x, _ := strconv.ParseFloat(a.name, 64)
		y, _ := strconv.ParseFloat(b.name, 64)
		if numeric {
			return cmp.Compare(x, y)
		}
		return strings.Compare(a.name, b.name)
	})
	for _, g := range all {
		if g.name == "" {
			g.name = "without " + p.By
		} else if numeric || g.name == "true" || g.name == "false" {
			g.name = strings.ReplaceAll(p.By, "_", " ") + " " + g.name
		}
	}
	return all, nil
}

// columns returns the columns of all files, or those that have numbers.
func (p *drawing) columns(numeric bool) (all []string) {
	for _, f := range p.files {
		names := f.Table.Figures()
		if !numeric {
			names = f.Table.Columns
		}
		all = append(all, slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(all, name) })...)
	}
	return all
}

// check returns an error if a figure is in no file.
func (p *drawing) check(flag, name string) error {
	names := p.columns(true)
	if name == "" {
		return fmt.Errorf("%s is missing, want one of: %s", flag, list(names))
	} else if !slices.ContainsFunc(p.files, func(f *File) bool { return f.Table.Numeric(name) }) {
		return p.missing(flag, name, names)
	}
	return nil
}

// missing is the error for a column that is not among names.
func (p *drawing) missing(flag, name string, names []string) error {
	short, in := cli.Shorten(name, 40), p.files[0].Name
	if len(p.files) > 1 {
		in = "these files"
	}
	what := "nothing called " + short
	if slices.Contains(p.columns(false), name) {
		what = short + " has no numbers"
	}
	return fmt.Errorf("%s: %s in %s; there are: %s", flag, what, in, list(names))
}

// list writes up to 100 names.
func list(names []string) string {
	var all []string
	for _, name := range names[:min(len(names), 100)] {
		all = append(all, cli.Shorten(name, 40))
	}
	return strings.Join(all, ", ") + map[bool]string{true: ", …"}[len(names) > 100]
}

// picture makes a picture of rows, with one legend.
func (p *drawing) picture(columns int, panels ...*Panel) *Sheet {
	of := p.files[0].Label
	if len(p.files) > 1 {
		of = cli.Plural(len(p.files), "file")
	}
	s := &Sheet{Title: cli.Plural(len(p.rows()), p.noun()) + " of " + of, Columns: columns, Panels: panels}
	s.ShareLegend()
	return s
}

// prepare checks columns, counts the rows that lack one of them, and returns the groups.
func (p *drawing) prepare(flags ...string) ([]*group, error) {
	for _, flag := range flags {
		if err := p.check(flag, map[string]string{"--x": p.X, "--y": p.Y}[flag]); err != nil {
			return nil, err
		}
	}
	groups, err := p.groups()
	for _, flag := range flags {
		p.noteMissing(groups, map[string]string{"--x": p.X, "--y": p.Y}[flag])
	}
	return groups, err
}

// noteMissing counts the rows that lack a figure.
func (p *drawing) noteMissing(groups []*group, column string) {
	rows := len(p.rows())
	n := rows - len(values(groups, column))
	text, words := fmt.Sprintf("not measured in %s of %s: ", cli.Thousands(n), cli.Plural(rows, p.noun())), figureOf(column).words
	if i := slices.IndexFunc(p.notes, func(note string) bool { return strings.HasPrefix(note, text) }); n > 0 && i >= 0 {
		p.notes[i] = fmt.Sprintf("%s, %q", p.notes[i], words)
	} else if n > 0 {
		p.note("%s%q", text, words)
	}
}

// each draws a panel for the figure that is asked for, or for each of the main ones, or of the first ones.
func (p *drawing) each(draw func(groups []*group, column string) *Panel) (*Sheet, error) {
	all := p.columns(true)
	names := slices.DeleteFunc(slices.Clone(chief), func(name string) bool { return !slices.Contains(all, name) })
	if p.X != "" {
		if err := p.check("--x", p.X); err != nil {
			return nil, err
		}
		names = []string{p.X}
	} else if len(names) < 2 {
		names = all
	}
	groups, err := p.groups()
	if err != nil {
		return nil, err
	}
	var panels []*Panel
	for _, name := range names[:min(len(names), 6)] {
		panels = append(panels, draw(groups, name))
		p.noteMissing(groups, name)
	}
	return p.picture(min(len(panels), 3), panels...), nil
}
