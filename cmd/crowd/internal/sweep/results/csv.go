package results

import (
	"encoding/csv"
	"io"
	"iter"
)

// WriteCSV writes rows as CSV, in their order. What is missing is empty.
func (t *Table) WriteCSV(to io.Writer, rows iter.Seq2[*Row, error]) error {
	columns := t.columns()
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.name
	}
	out := csv.NewWriter(to)
	_ = out.Write(cells) // Flush keeps the first error
	for row, err := range rows {
		if err != nil {
			return err
		}
		for i, c := range columns {
			cells[i] = cell(c.of(row))
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
