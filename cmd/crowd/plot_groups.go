package main

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
)

// plotGroup is rows that are drawn in one color.
type plotGroup struct {
	name string
	rows []plotRow
}

// plotRow is a row of the table of a file.
type plotRow struct {
	file *plotFile
	row  int
}

func (r plotRow) number(column string) (float64, bool) { return r.file.table.number(r.row, column) }

// noun is what a row is.
func (p *plotting) noun() string {
	switch p.kind {
	case runKind:
		return "run"
	case scoreKind:
		return "scene"
	case benchKind:
		return "result"
	}
	return "row"
}

// groups returns the rows by file, or by the values of the column of --by.
func (p *plotting) groups() ([]plotGroup, error) {
	var all []plotGroup
	places := map[string]int{}
	found, numbers := false, true
	for _, f := range p.files {
		for i := range f.table.rows {
			name := f.label
			if p.By != "" {
				name = f.table.text(i, p.By)
				if p.By == "folder" && name == "" {
					name = path.Dir(f.table.text(i, "file"))
				}
				found = found || name != ""
			}
			k, seen := places[name]
			if !seen {
				_, err := strconv.ParseFloat(name, 64)
				numbers = numbers && err == nil
				k, places[name] = len(all), len(all)
				all = append(all, plotGroup{name: name})
			}
			all[k].rows = append(all[k].rows, plotRow{f, i})
		}
	}
	if p.By == "" {
		return all, nil
	}
	if !found {
		return nil, p.noColumn("--by", p.By, append(p.columns(false), "folder"))
	}
	if len(all) > mostLines {
		return nil, fmt.Errorf("--by %s makes %d groups, want at most %d", p.By, len(all), mostLines)
	}
	slices.SortStableFunc(all, func(a, b plotGroup) int {
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
			all[i].name = printable(all[i].name, 50)
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
		for i, name := range shortNames(names) {
			all[i].name = name
		}
	}
	return all, nil
}

// columns returns the columns of all files, or those that have numbers.
func (p *plotting) columns(numeric bool) []string {
	var all []string
	seen := map[string]bool{}
	for _, f := range p.files {
		names := f.table.columns
		if numeric {
			names = f.table.numeric()
		}
		for _, name := range names {
			if !seen[name] {
				seen[name], all = true, append(all, name)
			}
		}
	}
	return all
}

// checkColumn returns an error if a figure is in no file.
func (p *plotting) checkColumn(flag, name string) error {
	names := p.columns(true)
	switch {
	case name == "":
		return fmt.Errorf("%s is missing, want one of: %s", flag, list(names))
	case !slices.Contains(names, name):
		return p.noColumn(flag, name, names)
	}
	return nil
}

func (p *plotting) noColumn(flag, name string, names []string) error {
	in := p.files[0].name
	if len(p.files) > 1 {
		in = "these files"
	}
	if slices.Contains(p.columns(false), name) {
		return fmt.Errorf("%s: %s has no numbers in %s; there are: %s", flag, printable(name, 40), in, list(names))
	}
	return fmt.Errorf("%s: nothing called %s in %s; there are: %s", flag, printable(name, 40), in, list(names))
}

// list writes names in one line.
func list(names []string) string {
	const most = 100
	var all []string
	for _, name := range names[:min(len(names), most)] {
		all = append(all, printable(name, 40))
	}
	if len(names) > most {
		all = append(all, "…")
	}
	return strings.Join(all, ", ")
}

// values returns the figures of a group in the unit that they are written in.
func (g *plotGroup) values(column string) []float64 {
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
func (p *plotting) noteMissing(groups []plotGroup, column string) {
	rows, missing := 0, 0
	for i := range groups {
		rows += len(groups[i].rows)
		missing += len(groups[i].rows) - len(groups[i].values(column))
	}
	if missing > 0 {
		before := fmt.Sprintf("%s of %s have no ", numbers.Thousands(missing), numbers.Plural(rows, p.noun()))
		if i := slices.IndexFunc(p.notes, func(note string) bool { return strings.HasPrefix(note, before) }); i >= 0 {
			p.notes[i] += ", " + column
			return
		}
		p.note("%s%s", before, column)
	}
}
