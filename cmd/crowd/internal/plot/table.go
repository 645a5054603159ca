package plot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// Table is rows of named cells. A cell without a text is missing.
type Table struct {
	Columns []string
	Rows    [][]string // may be shorter than Columns
	index   map[string]int
}

// put sets a cell of the last row.
func (t *Table) put(column, text string) {
	i, known := t.index[column]
	if !known {
		if t.index == nil {
			t.index = map[string]int{}
		}
		i = len(t.Columns)
		t.Columns, t.index[column] = append(t.Columns, column), i
	}
	row := &t.Rows[len(t.Rows)-1]
	*row = append(*row, make([]string, max(0, i+1-len(*row)))...)
	(*row)[i] = text
}

// Text returns a cell, "" if it is missing.
func (t *Table) Text(row int, column string) string {
	if i, ok := t.index[column]; ok && i < len(t.Rows[row]) {
		return t.Rows[row][i]
	}
	return ""
}

// Number returns the number in a cell, and whether there is one that can be drawn.
func (t *Table) Number(row int, column string) (float64, bool) {
	x, err := strconv.ParseFloat(t.Text(row, column), 64)
	return x, err == nil && cli.Drawable(x)
}

// Numeric reports whether a column has numbers.
func (t *Table) Numeric(column string) bool {
	for row := range t.Rows {
		if _, ok := t.Number(row, column); ok {
			return true
		}
	}
	return false
}

// Figures returns the columns that have numbers, without those of arrays.
func (t *Table) Figures() []string {
	return slices.DeleteFunc(slices.Clone(t.Columns), func(name string) bool { return strings.Contains(name, "[") || !t.Numeric(name) })
}

// readCSV reads a table with a line of names.
func (f *File) readCSV(text []byte) error {
	var names []string
	err := EachRow(bytes.NewReader(text), func(row []string) error {
		if names != nil {
			f.Table.Rows = append(f.Table.Rows, nil)
		}
		for i, cell := range row {
			if cell = strings.Clone(cell); len(names) == len(row) {
				f.Table.put(names[i], cell)
				continue
			}
			if cell = strings.TrimSpace(cell); cell == "" {
				cell = fmt.Sprintf("column %d", i+1)
			}
			if slices.Contains(names, cell) {
				return fmt.Errorf("two columns are called %s", cell)
			}
			names = append(names, cell)
		}
		return nil
	})
	if f.Kind = TableKind; slices.Contains(names, "file") && slices.Contains(names, "cannot_arrive") {
		f.Kind = ScoreKind
	}
	switch {
	case err != nil:
		return err
	case len(f.Table.Rows) == 0:
		return errors.New("has no rows but its first line; want CSV with a line of names, and lines of figures")
	case len(f.Table.Figures()) == 0:
		return errors.New("has no column of numbers; want JSON or CSV of crowd, or Go benchmark lines")
	}
	return nil
}

// readJSON reads objects, one after another or in arrays.
func (f *File) readJSON(text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	for {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		at, syntax := dec.InputOffset()-int64(len(raw)), (*json.SyntaxError)(nil)
		switch {
		case err == io.EOF && f.Bench == nil && len(f.Table.Figures()) == 0:
			return errors.New("has no numbers; want what run, score or bench print with --json")
		case err == io.EOF:
			return nil
		case err == io.ErrUnexpectedEOF:
			at, err = int64(len(bytes.TrimSpace(text))), errors.New("is cut off: the JSON ends too early")
		case errors.As(err, &syntax):
			at, err = at+syntax.Offset, fmt.Errorf("is no JSON: %w", err)
		case err == nil:
			err = f.addJSON(raw)
		}
		if err != nil {
			return LineError{1 + bytes.Count(text[:min(max(at, 0), int64(len(text)))], []byte("\n")), err}
		}
	}
}

// addJSON adds an object, or an array of these.
func (f *File) addJSON(raw json.RawMessage) error {
	objects := []json.RawMessage{raw}
	if raw[0] == '[' {
		if err := json.Unmarshal(raw, &objects); err != nil {
			return err
		}
	}
	for i, object := range objects {
		var fields map[string]json.RawMessage
		if json.Unmarshal(object, &fields) != nil || fields == nil {
			return fmt.Errorf("value %d is %s, want an object", i+1, cli.Shorten(string(object), 20))
		}
		kind := TableKind
		switch {
		case fields["results"] != nil && fields["go_version"] != nil:
			kind = BenchKind
		case fields["file"] != nil && fields["cannot_arrive"] != nil:
			kind = ScoreKind
		case fields["scene"] != nil && fields["ns_per_agent_step"] != nil && fields["systems"] != nil:
			kind = RunKind
		}
		switch {
		case f.Kind == "":
			f.Kind = kind
		case f.Kind == BenchKind || kind == BenchKind:
			return fmt.Errorf("value %d is %s after %s: want the results of one bench in a file", i+1, kind, f.Kind)
		case f.Kind != kind:
			f.Kind = TableKind
		}
		if kind == BenchKind {
			return f.setBench(bench.ReadJSON(object))
		}
		if err := f.Table.addRow(object); err != nil {
			return err
		}
	}
	return nil
}

// addRow adds the single values of an object as a row, and what its command line changed with --set.
func (t *Table) addRow(object []byte) error {
	t.Rows = append(t.Rows, nil)
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.UseNumber()
	if err := t.flatten(dec, ""); err != nil {
		return err
	}
	args := strings.Fields(strings.ReplaceAll(t.Text(len(t.Rows)-1, "command"), "--set=", "--set "))
	for i, arg := range args[:max(0, len(args)-1)] {
		for one := range strings.SplitSeq(args[i+1], ";") {
			if key, value, ok := strings.Cut(one, "="); arg == "--set" && ok {
				t.put(SetPrefix+key, value)
			}
		}
	}
	return nil
}

// SetPrefix begins the names of columns with the parameters that --set changed.
const SetPrefix = "set."

// flatten puts the next value into the last row: the fields of an object as name.field, those of an array
// as name[0], name[1] ….
func (t *Table) flatten(dec *json.Decoder, name string) error {
	token, err := dec.Token()
	switch token {
	case nil: // null, or an error
	case json.Delim('{'), json.Delim('['):
		for i := 0; dec.More(); i++ {
			inner := fmt.Sprintf("%s[%d]", name, i)
			if token == json.Delim('{') {
				key, err := dec.Token()
				if err != nil {
					return err
				}
				inner = strings.TrimPrefix(fmt.Sprintf("%s.%s", name, key), ".")
			}
			if err := t.flatten(dec, inner); err != nil {
				return err
			}
		}
		_, err = dec.Token()
	default:
		if !strings.HasSuffix(name, "]") { // samples are no figures
			t.put(name, fmt.Sprint(token))
		}
	}
	return err
}

// setBench takes the results of a bench, and makes rows of them.
func (f *File) setBench(b *bench.File, err error) error {
	if err != nil {
		return err
	}
	text, err := json.Marshal(b.Results)
	rows := File{}
	if err == nil {
		err = rows.addJSON(text)
	}
	f.Kind, f.Bench, f.Table = BenchKind, b, rows.Table
	return err
}

// Same reports whether a column has the same text in all rows.
func (t *Table) Same(column string) bool {
	for row := range t.Rows {
		if t.Text(row, column) != t.Text(0, column) {
			return false
		}
	}
	return true
}
