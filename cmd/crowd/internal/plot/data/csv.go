package data

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
)

// readCSV reads a table with a line of names.
func (f *File) readCSV(text []byte) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	header, err := r.Read()
	if err != nil {
		return csvError(err)
	}
	t := &Table{}
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
		t.Rows = append(t.Rows, row)
	}
	f.Table, f.Kind = t, TableKind
	if slices.Contains(t.Columns, "file") && slices.Contains(t.Columns, "cannot_arrive") {
		f.Kind = ScoreKind
	}
	switch {
	case len(t.Rows) == 0:
		return errors.New("has no rows but its first line; want CSV with a line of names, and lines of figures")
	case len(t.Numeric()) == 0:
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
