package terminal

import (
	"io"
	"text/tabwriter"
)

// Table writes rows of a name and a text, which may be of several cells, in columns.
type Table struct{ out *tabwriter.Writer }

// Row adds a row to a table.
type Row = func(name, format string, args ...any)

// NewTable returns a table without rows.
func NewTable(w io.Writer) *Table { return &Table{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)} }

// Row adds a row. The format may have tabs between cells.
func (t *Table) Row(name, format string, args ...any) {
	Fprintf(t.out, "%s\t"+format+"\n", append([]any{name}, args...)...)
}

// Flush writes the rows that were added.
func (t *Table) Flush() error { return t.out.Flush() }

// NameIf returns the name of a row if it is the first of its kind.
func NameIf(first bool, name string) string {
	if first {
		return name
	}
	return ""
}
