package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
)

// plotTable is rows of named cells. A cell without a text is missing.
type plotTable struct {
	columns []string
	index   map[string]int
	rows    [][]string // may be shorter than columns
}

// column returns the place of a column, which it adds if there is none.
func (t *plotTable) column(name string) int {
	i, ok := t.index[name]
	if !ok {
		if t.index == nil {
			t.index = map[string]int{}
		}
		i = len(t.columns)
		t.columns, t.index[name] = append(t.columns, name), i
	}
	return i
}

// text returns a cell, "" if it is missing.
func (t *plotTable) text(row int, column string) string {
	i, ok := t.index[column]
	if !ok || i >= len(t.rows[row]) {
		return ""
	}
	return t.rows[row][i]
}

// differs tells whether a column has not the same text in all rows.
func (t *plotTable) differs(column string) bool {
	for row := range t.rows {
		if t.text(row, column) != t.text(0, column) {
			return true
		}
	}
	return false
}

// number returns a cell's number, false if it is missing or not finite.
func (t *plotTable) number(row int, column string) (float64, bool) {
	x, err := strconv.ParseFloat(t.text(row, column), 64)
	return x, err == nil && drawable(x)
}

// numeric returns the columns that have numbers.
func (t *plotTable) numeric() []string {
	var names []string
	for _, name := range t.columns {
		if slices.ContainsFunc(t.rows, func(row []string) bool {
			i := t.index[name]
			if i >= len(row) {
				return false
			}
			x, err := strconv.ParseFloat(row[i], 64)
			return err == nil && drawable(x)
		}) {
			names = append(names, name)
		}
	}
	return names
}

// readCSV reads a table with a line of names.
func (f *plotFile) readCSV(text []byte) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	header, err := r.Read()
	if err != nil {
		return csvError(err)
	}
	t := &plotTable{}
	for i, name := range header {
		name = strings.TrimSpace(name)
		if name == "" {
			name = fmt.Sprintf("column %d", i+1)
		}
		if _, twice := t.index[name]; twice {
			return lineError{1, fmt.Errorf("two columns are called %s", name)}
		}
		t.column(name)
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return csvError(err)
		}
		if len(row) != len(header) {
			line, _ := r.FieldPos(0)
			return lineError{line, fmt.Errorf("%s, want %d as in the first line", numbers.Plural(len(row), "cell"), len(header))}
		}
		t.rows = append(t.rows, row)
	}
	f.table, f.kind = t, tableKind
	if slices.Contains(t.columns, "file") && slices.Contains(t.columns, "needs_planning") {
		f.kind = scoreKind
	}
	switch {
	case len(t.rows) == 0:
		return errors.New("has no rows but its first line; want CSV with a line of names, and lines of figures")
	case len(t.numeric()) == 0:
		return errors.New("has no column of numbers; want JSON or CSV of crowd, or Go benchmark lines")
	}
	return nil
}

func csvError(err error) error {
	var at *csv.ParseError
	if errors.As(err, &at) {
		return lineError{at.Line, fmt.Errorf("is no CSV: %w", at.Err)}
	}
	return err
}

// finiteAbove0 tells whether a number can be drawn as a time.
func finiteAbove0(x float64) bool { return x > 0 && !math.IsInf(x, 0) && drawable(x) }
