package plot

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/suggest"
)

var metrics = func() map[string]report.Metric {
	all := map[string]report.Metric{
		"seconds":             {Name: "time of a run", Unit: "s", Better: -1},
		"us_per_agent_second": {Name: "cost", Unit: "µs per agent per simulated second", Better: -1},
		"agents_per_second":   {Name: "agents moved", Unit: "1/s"},
		"spread":              {Name: "spread of the samples", Unit: "%"},
		"speed_up":            {Name: "speed-up"},
	}
	for _, f := range slices.Concat(report.OfLine, report.OfArea, report.OfReport) {
		if f.Name != "" {
			all[f.Column[strings.LastIndexByte(f.Column, '.')+1:]] = f
		}
	}
	return all
}()

// chief lists the main metrics, most important first.
var chief = []string{
	"arrived_share", "flow", "mean_arrival_time", "collisions", "obstacle_collisions", "ns_per_agent_step", "lines[0].flow", "agent_time_in_collision",
	"path_ratio", "time_ratio", "speed_up", "real_time_factor", "step_p50_ns", "step_p99_ns", "bytes_per_agent", "allocs_per_step", "under_threat",
	"p95_arrival_time", "centers_inside", "energy", "nearest_p50", "wiggle", "reversals", "acceleration", "order", "skipped_row_steps",
}

// metricOf describes a column, such as lines[0].flow. For an unknown column, only Name is set.
func metricOf(column string) report.Metric {
	f, known := metrics[column]
	if i := strings.LastIndexByte(column, '.'); i >= 0 && !known {
		if f, known = metrics[column[i+1:]]; known {
			f.Name += " (" + column[:i] + ")"
		}
	}
	if !known {
		f.Name = cli.Shorten(strings.ReplaceAll(strings.TrimPrefix(column, setPrefix), "_", " "), 50)
	}
	return f
}

type row struct {
	*file
	i    int
	name string
}

// number returns a metric in the unit of its axis, or NaN if the row lacks it.
func (r row) number(column string) float64 {
	if x, ok := r.Table.Number(r.i, column); ok {
		return x * metricOf(column).Scale()
	}
	return math.NaN()
}

type group struct {
	name string
	rows []row
}

func values(groups []*group, column string) (all []float64) {
	for _, g := range groups {
		for _, r := range g.rows {
			if x := r.number(column); !math.IsNaN(x) {
				all = append(all, x)
			}
		}
	}
	return all
}

func (p *drawing) noun() string {
	return cmp.Or(map[Kind]string{BenchKind: "result", TableKind: "row"}[p.kind], "run")
}

// rows returns the rows of all files. The rows of a file have different names.
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
		for i, name := range shortNames(names, ".xml", ".toml", ".scenario") {
			all = append(all, row{f, i, name})
		}
	}
	return all
}

// groups groups the rows by the column of --by, in ascending order, or else by file. The group of a single
// file has no name. Without a column named folder, --by folder means the folder of the scene.
func (p *drawing) groups() (all []*group, err error) {
	for _, r := range p.rows() {
		name := cli.NameIf(len(p.files) > 1, r.Label)
		if p.By != "" {
			name = cli.Shorten(r.Table.Text(r.i, p.By), 50)
		}
		if scene := r.Table.Text(r.i, "file"); p.By == "folder" && name == "" && scene != "" {
			name = path.Dir(scene)
		}
		k := slices.IndexFunc(all, func(g *group) bool { return g.name == name })
		if k < 0 {
			k, all = len(all), append(all, &group{name: name})
		}
		all[k].rows = append(all[k].rows, r)
	}
	switch {
	case p.By == "":
		return all, nil
	case len(all) == 1 && all[0].name == "":
		return nil, p.missing("--by", p.By, append(p.columns(false), "folder"))
	case len(all) > mostLines:
		return nil, fmt.Errorf("--by %s gives %d groups, want at most %d", p.By, len(all), mostLines)
	}
	slices.SortFunc(all, func(a, b *group) int { return compareCells(a.name, b.name) })
	for _, g := range all {
		if g.name == "" {
			g.name = "without " + p.By
		} else if g.name == "true" || g.name == "false" || !math.IsNaN(number(g.name)) {
			g.name = strings.ReplaceAll(p.By, "_", " ") + " " + g.name
		}
	}
	return all, nil
}

func (p *drawing) columns(numeric bool) (all []string) {
	for _, f := range p.files {
		names := f.Table.Columns
		if numeric {
			names = f.Table.Metrics()
		}
		all = append(all, slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(all, name) })...)
	}
	return all
}

func (p *drawing) check(flag, name string) error {
	if slices.ContainsFunc(p.files, func(f *file) bool { return f.Table.Numeric(name) }) {
		return nil
	}
	return p.missing(flag, name, p.columns(true))
}

func (p *drawing) missing(flag, name string, names []string) error {
	what := "no column " + cli.Shorten(name, 40)
	if slices.Contains(p.columns(false), name) {
		what = name + " has no numbers"
	}
	if name == "" {
		return fmt.Errorf("%s is missing, %s", flag, suggest.OneOf(name, names))
	}
	return fmt.Errorf("%s: %s in %s, %s", flag, what, p.files[0].Name, suggest.OneOf(name, names))
}

// prepare checks the columns, returns the groups, and notes how many rows lack a metric.
func (p *drawing) prepare(columns ...string) ([]*group, error) {
	for i, name := range columns {
		if err := p.check([]string{"--x", "--y"}[i], name); err != nil {
			return nil, err
		}
	}
	groups, err := p.groups()
	for _, column := range columns {
		rows := len(p.rows())
		p.noteMissing(column, rows-len(values(groups, column)), rows)
	}
	return groups, err
}

func (p *drawing) noteMissing(column string, n, of int) {
	if n > 0 {
		p.note("not measured in %s of %s: %q", cli.Thousands(n), cli.Plural(of, p.noun()), metricOf(column).Name)
	}
}

// each draws a panel for the metric of --x. Without --x, it draws panels for up to six main metrics or, if
// the files have fewer than two of those, for the first six metrics.
func (p *drawing) each(draw func(groups []*group, column string) *Panel) (panels []*Panel, err error) {
	names := []string{p.X}
	if all := p.columns(true); p.X == "" {
		names = slices.DeleteFunc(slices.Clone(chief), func(name string) bool { return !slices.Contains(all, name) })
		if len(names) < 2 {
			names = all
		}
	}
	for _, name := range names[:min(len(names), 6)] {
		groups, err := p.prepare(name)
		if err != nil {
			return nil, err
		}
		panels = append(panels, draw(groups, name))
	}
	return panels, nil
}
