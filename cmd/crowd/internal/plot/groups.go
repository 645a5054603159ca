package plot

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// group is rows that are drawn in one color.
type group struct {
	name string
	rows []tableRow
}

// noun is what a row is.
func (p *drawing) noun() string {
	switch p.kind {
	case data.RunKind:
		return "run"
	case data.ScoreKind:
		return "scene"
	case data.BenchKind:
		return "result"
	}
	return "row"
}

// groups returns the rows by file, or by the values of the column of --by.
func (p *drawing) groups() ([]group, error) {
	var all []group
	places := map[string]int{}
	found, numbers := false, true
	for _, f := range p.files {
		for i := range f.Table.Rows {
			name := f.Label
			if p.By != "" {
				name = f.Table.Text(i, p.By)
				if p.By == "folder" && name == "" {
					name = path.Dir(f.Table.Text(i, "file"))
				}
				found = found || name != ""
			}
			k, seen := places[name]
			if !seen {
				_, err := strconv.ParseFloat(name, 64)
				numbers = numbers && err == nil
				k, places[name] = len(all), len(all)
				all = append(all, group{name: name})
			}
			all[k].rows = append(all[k].rows, tableRow{f, i})
		}
	}
	if p.By == "" {
		return all, nil
	}
	if !found {
		return nil, p.noColumn("--by", p.By, append(p.columns(false), "folder"))
	}
	if len(all) > sheet.MostLines {
		return nil, fmt.Errorf("--by %s makes %d groups, want at most %d", p.By, len(all), sheet.MostLines)
	}
	slices.SortStableFunc(all, func(a, b group) int {
		if numbers {
			x, _ := strconv.ParseFloat(a.name, 64)
			y, _ := strconv.ParseFloat(b.name, 64)
			return int(min(max(x-y, -1), 1) * 2)
		}
		return strings.Compare(a.name, b.name)
	})
	for i := range all {
		switch all[i].name {
		case "":
			all[i].name = "without " + p.By
		case "true", "false":
			all[i].name = strings.ReplaceAll(p.By, "_", " ") + ": " + all[i].name
		default:
			all[i].name = terminal.Shorten(all[i].name, 50)
			if numbers {
				all[i].name = p.By + " " + all[i].name
			}
		}
	}
	if p.By == "folder" {
		names := make([]string, len(all))
		for i := range all {
			names[i] = all[i].name
		}
		for i, name := range data.ShortNames(names) {
			all[i].name = name
		}
	}
	return all, nil
}

// values returns the figures of a group in the unit that they are written in.
func (g *group) values(column string) []float64 {
	m := measureOf(column)
	var values []float64
	for _, r := range g.rows {
		if x, ok := r.number(column); ok {
			values = append(values, m.of(x))
		}
	}
	return values
}

// noteMissing counts the rows that lack a figure.
func (p *drawing) noteMissing(groups []group, column string) {
	rows, missing := 0, 0
	for i := range groups {
		rows += len(groups[i].rows)
		missing += len(groups[i].rows) - len(groups[i].values(column))
	}
	if missing > 0 {
		words := `"` + measureOf(column).words + `"`
		before := fmt.Sprintf("not measured in %s of %s: ", numbers.Thousands(missing), numbers.Plural(rows, p.noun()))
		if i := slices.IndexFunc(p.notes, func(note string) bool { return strings.HasPrefix(note, before) }); i >= 0 {
			p.notes[i] += ", " + words
			return
		}
		p.note("%s%s", before, words)
	}
}
