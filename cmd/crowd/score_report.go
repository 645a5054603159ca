package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"path"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// scoreRow is what became of a file. docs/quality.md describes the fields.
type scoreRow struct {
	File           string   `json:"file"`
	NeedsPlanning  bool     `json:"needs_planning"`
	Error          string   `json:"error,omitempty"`
	Warnings       []string `json:"warnings,omitempty"`
	*report.Report          // nil if the file did not run

	// These stand in front of the report's, which are of the whole process and so
	// of all files that run at the same time, and are left out.
	AllocsPerStep []struct{} `json:"allocs_per_step,omitempty"`
	BytesPerAgent []struct{} `json:"bytes_per_agent,omitempty"`

	failed bool // for no fault of the file
}

// writeScoreCSV writes the fields that are one value.
func writeScoreCSV(w io.Writer, rows []scoreRow) error {
	var header []string
	var fields []reflect.StructField
	for _, field := range reflect.VisibleFields(reflect.TypeFor[scoreRow]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && isScalar(field.Type) {
			header, fields = append(header, name), append(fields, field)
		}
	}
	out := csv.NewWriter(w)
	_ = out.Write(header) // Flush keeps the first error
	for i := range rows {
		cells := make([]string, len(fields))
		for k, field := range fields {
			value, err := reflect.ValueOf(rows[i]).FieldByIndexErr(field.Index)
			if err == nil && value.Kind() == reflect.Pointer {
				value = value.Elem()
			}
			if err == nil && value.IsValid() {
				cells[k] = fmt.Sprint(value)
			}
		}
		_ = out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// isScalar tells whether a value, or what it points to, is one cell of a table.
func isScalar(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() <= reflect.Float64 && t.Kind() != reflect.Invalid || t.Kind() == reflect.String
}

// totals is the sum over files. Means weigh as many as they are of.
type totals struct {
	files, errors            int
	agents, steps            int
	arrived, goals, arrivals int
	obstacles, inside        int
	collisions               *int // nil if no file counts them
	arrivalTime, ns, work    float64
}

func (t *totals) add(r *scoreRow) {
	t.files++
	if r.Error != "" {
		t.errors++
	}
	if r.Report == nil {
		return
	}
	t.agents += r.Agents
	t.steps += r.Steps
	t.arrived += r.ArrivedAgents
	t.goals += r.ArrivedAgents + r.TimedOut
	t.obstacles += r.ObstacleCollisions
	t.inside += r.CentersInside
	if r.Collisions != nil {
		sum := *r.Collisions
		if t.collisions != nil {
			sum += *t.collisions
		}
		t.collisions = &sum
	}
	if r.MeanArrivalTime != nil {
		t.arrivals += r.Arrived
		t.arrivalTime += float64(r.Arrived) * *r.MeanArrivalTime
	}
	work := float64(r.Agents) * float64(r.Steps)
	t.work += work
	t.ns += work * r.NsPerAgentStep
}

// cells are the columns of the table, between name and note.
func (t *totals) cells() string {
	collisions := "–"
	if t.collisions != nil {
		collisions = numbers.Thousands(*t.collisions)
	}
	return strings.Join([]string{
		numbers.Thousands(t.agents), numbers.Thousands(t.steps), ratio("%.1f", 100*float64(t.arrived), float64(t.goals)),
		numbers.Thousands(t.obstacles), collisions, ratio("%.1f", t.arrivalTime, float64(t.arrivals)),
		numbers.Thousands(t.inside), ratio("%.1f", t.ns, t.work),
	}, "\t")
}

// ratio writes a/b, or a dash if b is 0.
func ratio(format string, a, b float64) string {
	if b == 0 {
		return "–"
	}
	return fmt.Sprintf(format, a/b)
}

// writeScoreTable writes the rows for people, then the totals of each folder, of
// all files, and apart of those that need planning.
func writeScoreTable(w io.Writer, rows []scoreRow) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	terminal.Fprintf(t, "file\tagents\tsteps\tarrived %%\tobstacle collisions\tagent collisions\tmean time s\tcenters inside\tns/agent-step\tnote\n")
	var all, apart totals
	groups := map[string]*totals{}
	var names []string
	for i := range rows {
		r := &rows[i]
		var one totals
		one.add(r)
		cells := one.cells()
		if r.Report == nil {
			cells = strings.Repeat("\t", 7)
		}
		terminal.Fprintf(t, "%s\t"+cells+"\t%s\n", r.File, r.note())
		if r.NeedsPlanning {
			apart.add(r)
			continue
		}
		all.add(r)
		folder := path.Dir(r.File)
		if groups[folder] == nil {
			groups[folder] = &totals{}
			names = append(names, folder)
		}
		groups[folder].add(r)
	}
	terminal.Fprintf(t, strings.Repeat("\t", 9)+"\n")
	slices.Sort(names)
	total := func(name string, sum *totals) {
		note := fmt.Sprintf("%d files", sum.files)
		if sum.errors > 0 {
			note += fmt.Sprintf(", %d with errors", sum.errors)
		}
		terminal.Fprintf(t, "%s\t"+sum.cells()+"\t%s\n", name, note)
	}
	for _, name := range names {
		total("total of "+name, groups[name])
	}
	total("total", &all)
	if apart.files > 0 {
		total("apart: need planning", &apart)
	}
	return t.Flush()
}

// note is the last column of a row.
func (r *scoreRow) note() string {
	var notes []string
	if r.Error != "" {
		text, own := strings.CutPrefix(r.Error, r.File+":") // the row begins with the file
		text = strings.TrimSpace(text)
		if own && text != "" && '0' <= text[0] && text[0] <= '9' {
			text = "line " + text
		}
		notes = append(notes, strings.ReplaceAll(text, "\n", " "))
	}
	if r.Report != nil && r.Interrupted && r.Error == "" {
		notes = append(notes, "interrupted")
	}
	if r.NeedsPlanning {
		notes = append(notes, "needs planning")
	}
	return strings.Join(notes, "; ")
}
