package plot

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// mostRuns is how many runs are drawn in colors of their own.
const mostRuns = 6

// runReport is the report of a run, and where it comes from.
type runReport struct {
	tableRow
	parts *data.Parts
	name  string
}

// runs returns the reports of all files.
func (p *drawing) runs() []runReport {
	var all []runReport
	names := p.runNames()
	for _, f := range p.files {
		for i := range f.Table.Rows {
			all = append(all, runReport{tableRow{f, i}, &f.Runs[i], names[len(all)]})
		}
	}
	return all
}

// runNames calls runs as their files; and several of one file by what differs.
func (p *drawing) runNames() []string {
	var names []string
	for _, f := range p.files {
		for i := range f.Table.Rows {
			name := f.Label
			if len(f.Table.Rows) > 1 {
				var parts []string
				columns := []string{"scene", "agents", "workers", "seed", "steps", "dt"}
				for _, column := range f.Table.Columns {
					if strings.HasPrefix(column, data.SetPrefix) {
						columns = append(columns, column)
					}
				}
				for _, column := range columns {
					text := f.Table.Text(i, column)
					if text == "" || !f.Table.Differs(column) {
						continue
					}
					n, _ := strconv.Atoi(text)
					switch column {
					case "scene":
					case "agents", "workers", "steps":
						text = numbers.Plural(n, strings.TrimSuffix(column, "s"))
					default:
						text = strings.TrimPrefix(column, data.SetPrefix) + " " + text
					}
					parts = append(parts, text)
				}
				if len(p.files) > 1 {
					parts = append([]string{f.Label}, parts...)
				}
				name = strings.Join(parts, ", ")
				if name == "" {
					name = fmt.Sprintf("run %d", i+1)
				}
			}
			names = append(names, name)
		}
	}
	return data.ShortNames(names)
}

// runCaption says what was run, and on what, as far as it is the same in all runs.
func runCaption(runs []runReport) []string {
	same := func(column string) string {
		text := runs[0].file.Table.Text(runs[0].row, column)
		for _, r := range runs {
			if r.file.Table.Text(r.row, column) != text {
				return ""
			}
		}
		return terminal.Shorten(text, 60)
	}
	var parts []string
	for _, c := range []struct{ column, before, after string }{
		{"scene", "scene ", ""}, {"agents", "", " agents"}, {"steps", "", " steps"}, {"workers", "", " workers"}, {"seed", "seed ", ""}, {"cpu", "", ""},
	} {
		text := same(c.column)
		if text == "" {
			continue
		}
		if c.column != "cpu" {
			text = numbers.Commas(text)
		}
		if text == "1" {
			c.after = strings.TrimSuffix(c.after, "s")
		}
		parts = append(parts, c.before+text+c.after)
	}
	return []string{strings.Join(parts, ", ")}
}

// runSheet begins a picture of runs.
func (p *drawing) runSheet(runs []runReport) *sheet.Sheet {
	title := numbers.Plural(len(runs), "run")
	if len(runs) == 1 {
		title = runs[0].name
	}
	return &sheet.Sheet{Style: p.style, Title: title, Caption: runCaption(runs), Columns: 1}
}

// runOverview draws the systems, and beside them the chief figures. Of many runs
// it draws the figures only.
func (p *drawing) runOverview() (*sheet.Sheet, error) {
	runs := p.runs()
	const most = 4
	if len(runs) > most {
		return p.runFigures()
	}
	s := p.runSheet(runs)
	s.Columns = 2
	s.Panels = []*sheet.Panel{p.systemsPanel(runs), p.figuresTable(runs)}
	s.Row = systemsHeight(runs)
	s.ShareLegend()
	return s, nil
}
