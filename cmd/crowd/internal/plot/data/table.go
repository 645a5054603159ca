package data

import (
	"slices"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
)

// put sets a cell.
func (t *Table) put(row int, column, text string) {
	i := t.column(column)
	for len(t.Rows[row]) <= i {
		t.Rows[row] = append(t.Rows[row], "")
	}
	t.Rows[row][i] = text
}

// Table is rows of named cells. A cell without a text is missing.
type Table struct {
	Columns []string
	index   map[string]int
	Rows    [][]string // may be shorter than columns
}

// column returns the place of a column, which it adds if there is none.
func (t *Table) column(name string) int {
	i, ok := t.index[name]
	if !ok {
		if t.index == nil {
			t.index = map[string]int{}
		}
		i = len(t.Columns)
		t.Columns, t.index[name] = append(t.Columns, name), i
	}
	return i
}

// Text returns a cell, "" if it is missing.
func (t *Table) Text(row int, column string) string {
	i, ok := t.index[column]
	if !ok || i >= len(t.Rows[row]) {
		return ""
	}
	return t.Rows[row][i]
}

// Differs tells whether a column has not the same text in all rows.
func (t *Table) Differs(column string) bool {
	for row := range t.Rows {
		if t.Text(row, column) != t.Text(0, column) {
			return true
		}
	}
	return false
}

// Number returns a cell's number, false if it is missing or not finite.
func (t *Table) Number(row int, column string) (float64, bool) {
	x, err := strconv.ParseFloat(t.Text(row, column), 64)
	return x, err == nil && numbers.Drawable(x)
}

// Numeric returns the columns that have numbers.
func (t *Table) Numeric() []string {
	var names []string
	for _, name := range t.Columns {
		if slices.ContainsFunc(t.Rows, func(row []string) bool {
			i := t.index[name]
			if i >= len(row) {
				return false
			}
			x, err := strconv.ParseFloat(row[i], 64)
			return err == nil && numbers.Drawable(x)
		}) {
			names = append(names, name)
		}
	}
	return names
}
