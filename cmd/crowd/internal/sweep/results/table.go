package results

import (
	"fmt"
	"slices"
	"strconv"
)

// Table has the columns of results. They depend on the rows: on how many lines and areas their
// scenes have, and on which axes are texts. So Add is to see all rows before the first is written.
type Table struct {
	axes         []string // names, the scene first
	texts        []bool   // whether an axis has texts
	lines, areas int
}

// NewTable returns a table for rows with these axes.
func NewTable(axes []string) *Table { return &Table{axes: axes, texts: make([]bool, len(axes))} }

// Add makes room for a row.
func (t *Table) Add(r *Row) error {
	if len(r.Axes) != len(t.axes) {
		return fmt.Errorf("row %d has %d axes, want %d", r.Index, len(r.Axes), len(t.axes))
	}
	for i, v := range r.Axes {
		if _, ok := v.(string); ok {
			t.texts[i] = true
		}
	}
	for has(r, "lines", t.lines) {
		t.lines++
	}
	for has(r, "areas", t.areas) {
		t.areas++
	}
	return nil
}

// has reports whether a row has figures of a line or an area. Each has a number that is always there.
func has(r *Row, of string, i int) bool {
	always := map[string]string{"lines": "passed", "areas": "time"}
	_, ok := r.Figures[fmt.Sprintf("%s[%d].%s", of, i, always[of])]
	return ok
}

// column is one of a table.
type column struct {
	name string
	kind kind
	of   func(r *Row) any // nil: missing
}

type kind int

const (
	aText kind = iota
	aNumber
	anInt
	anUint
)

// columns returns all columns.
func (t *Table) columns() []column {
	all := []column{{"index", anInt, func(r *Row) any { return r.Index }}}
	for i, name := range t.axes {
		if t.texts[i] {
			all = append(all, column{name, aText, func(r *Row) any { return fmt.Sprint(r.Axes[i]) }})
		} else {
			all = append(all, column{name, aNumber, func(r *Row) any { return r.Axes[i] }})
		}
	}
	all = append(all,
		column{"seed", anUint, func(r *Row) any { return r.Seed }},
		column{"status", aText, func(r *Row) any { return string(r.Status) }},
		column{"error", aText, func(r *Row) any { return missing(r.Error) }},
	)
	axes := len(all)
	figure := func(name string) {
		if !slices.ContainsFunc(all[:axes], func(c column) bool { return c.name == name }) { // an axis may be the same
			all = append(all, column{name, aNumber, func(r *Row) any { return numberIn(r.Figures, name) }})
		}
	}
	for _, f := range reportFields {
		if !slices.Contains(costs, f.name) {
			figure(f.name)
		}
	}
	for i := range t.lines {
		for _, f := range lineFields {
			figure(fmt.Sprintf("lines[%d].%s", i, f.name))
		}
	}
	for i := range t.areas {
		for _, f := range areaFields {
			figure(fmt.Sprintf("areas[%d].%s", i, f.name))
		}
	}
	all = append(all,
		column{"trace_hash", aText, func(r *Row) any { return missing(r.TraceHash) }},
		column{"hash", aText, func(r *Row) any { return missing(r.Hash) }},
	)
	for _, name := range append(slices.Clone(costs), "us_per_agent_second", "seconds") {
		all = append(all, column{name, aNumber, func(r *Row) any { return numberIn(r.Cost, name) }})
	}
	return append(all,
		column{"machine", aText, func(r *Row) any { return r.Machine }},
		column{"version", aText, func(r *Row) any { return r.Version }},
	)
}

func missing(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func numberIn(from map[string]float64, name string) any {
	if x, ok := from[name]; ok {
		return x
	}
	return nil
}

// cell returns a value as CSV has it.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}
