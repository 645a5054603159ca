package plot

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/textio"
)

// Kind is the kind of content of a file.
type Kind string

const (
	RunKind    Kind = "the report of a run"
	BenchKind  Kind = "the results of a benchmark"
	MotionKind Kind = "trajectories"
	TableKind  Kind = "a table"
	SweepKind  Kind = "a sweep"
)

func (k Kind) rows() bool { return k != MotionKind && k != SweepKind }

var benchLine = regexp.MustCompile(`(?m)^(goos: |Unit |Benchmark)`)

// file holds trajectories or a table. Benchmark results are also stored as a table.
type file struct {
	Name, Label string // names: on the command line, and in pictures
	Kind        Kind
	Table       table
	Bench       *bench.File
	Motion      *motion
}

type lineError struct {
	line int
	error
}

func atFile(name string, err error) error {
	if at, ok := err.(lineError); ok {
		return fmt.Errorf("%s:%d: %w", name, at.line, at.error)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// readFile reads a file. The parameter to is the origin of distances in trajectories; nil means the start of
// each agent.
func readFile(name string, in io.Reader, to []float64) (*file, error) {
	f := &file{Name: name}
	err := f.read(in, to)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("is truncated")
	}
	if err != nil {
		return nil, atFile(name, err)
	}
	return f, nil
}

func (f *file) read(in io.Reader, to []float64) error {
	const peek, most = 1 << 16, 1 << 30 // bytes; trajectories may be larger, because they are summarized
	r, err := textio.Unpacked(context.Background(), in)
	if err != nil {
		return err
	}
	textio.SkipMark(r)
	head, err := r.Peek(peek)
	if err != nil && err != io.EOF {
		return err
	}
	head = bytes.Clone(head) // further reads overwrite head
	start := bytes.TrimSpace(head)
	switch {
	case len(start) == 0:
		return errors.New("is empty")
	case bytes.IndexByte(head, 0) >= 0:
		return errors.New("is not text; want JSON or CSV written by crowd, or Go benchmark lines")
	case bytes.HasPrefix(start, []byte(motionHeader)):
		f.Kind = MotionKind
		f.Motion, err = readMotion(r, to)
		return err
	}
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return err
	case len(text) > most:
		return fmt.Errorf("is larger than %s bytes, the limit for all files but trajectories", cli.Thousands(most))
	case start[0] == '{' || start[0] == '[':
		return f.readJSON(text)
	case benchLine.Match(head):
		return f.setBench(bench.ReadGo(bytes.NewReader(text), f.Name))
	}
	return f.readCSV(text)
}

// eachRow calls the function do for each row of a CSV file, including the first, and reuses the slice.
// Errors have a line number unless reading failed.
func eachRow(in io.Reader, do func(row []string) error) error {
	r := csv.NewReader(in)
	r.ReuseRecord, r.TrimLeadingSpace = true, true
	for {
		row, err := r.Read()
		if bad := (*csv.ParseError)(nil); errors.As(err, &bad) {
			return lineError{bad.Line, fmt.Errorf("is not CSV: %w", bad.Err)}
		} else if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := do(row); err != nil {
			line, _ := r.FieldPos(0)
			return lineError{line, err}
		}
	}
}

// shortNames shortens names to 40 characters, without folders and endings unless these distinguish names.
// Equal names get numbers.
func shortNames(names []string, endings ...string) []string {
	short, same, seen := make([]string, len(names)), map[string]int{}, map[string]int{}
	for i, name := range names {
		short[i] = strings.TrimSuffix(name[strings.LastIndexAny(name, `/\`)+1:], ".gz")
		for _, end := range endings {
			short[i] = strings.TrimSuffix(short[i], end)
		}
		same[short[i]]++
	}
	for i, name := range short {
		if same[name] > 1 {
			name = names[i]
		}
		name = cli.Shorten(name, 40)
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
		short[i] = name
	}
	return short
}

// table has rows of named cells. An empty cell counts as missing.
type table struct {
	Columns []string
	Rows    [][]string // each may be shorter than Columns
	index   map[string]int
}

func (t *table) column(name string) int {
	i, known := t.index[name]
	if !known {
		if t.index == nil {
			t.index = map[string]int{}
		}
		i = len(t.Columns)
		t.Columns, t.index[name] = append(t.Columns, name), i
	}
	return i
}

func (t *table) put(column, text string) {
	i, row := t.column(column), &t.Rows[len(t.Rows)-1]
	*row = append(*row, make([]string, max(0, i+1-len(*row)))...)
	(*row)[i] = text
}

func (t *table) Text(row int, column string) string {
	if i, ok := t.index[column]; ok && i < len(t.Rows[row]) {
		return t.Rows[row][i]
	}
	return ""
}

// Number returns the number in a cell, and reports whether there is one that can be drawn.
func (t *table) Number(row int, column string) (float64, bool) {
	x := number(t.Text(row, column))
	return x, !math.IsNaN(x)
}

// number returns NaN unless a cell has a number that can be drawn.
func number(cell string) float64 {
	if x, err := strconv.ParseFloat(cell, 64); err == nil && cli.Drawable(x) {
		return x
	}
	return math.NaN()
}

// compareCells orders words before numbers, and numbers by their values.
func compareCells(a, b string) int {
	return cmp.Or(cmp.Compare(number(a), number(b)), strings.Compare(a, b))
}

func (t *table) Numeric(column string) bool {
	for row := range t.Rows {
		if _, ok := t.Number(row, column); ok {
			return true
		}
	}
	return false
}

// Metrics returns the columns with numbers, except those of array elements.
func (t *table) Metrics() []string {
	return slices.DeleteFunc(slices.Clone(t.Columns), func(name string) bool { return strings.Contains(name, "[") || !t.Numeric(name) })
}

func (f *file) readCSV(text []byte) error {
	err := eachRow(bytes.NewReader(text), func(row []string) error {
		if len(f.Table.Columns) > 0 {
			f.Table.Rows = append(f.Table.Rows, slices.Clone(row))
			return nil
		}
		for i, cell := range row {
			if cell = cmp.Or(strings.TrimSpace(cell), fmt.Sprintf("column %d", i+1)); f.Table.column(cell) < i {
				return fmt.Errorf("two columns are named %s", cell)
			}
		}
		return nil
	})
	if f.setKind(); err == nil && f.Kind != SweepKind && len(f.Table.Metrics()) == 0 {
		err = errors.New("has no column of numbers; want JSON or CSV written by crowd, or Go benchmark lines")
	}
	return err
}

func (f *file) setKind() {
	has := func(name string) bool { return slices.Contains(f.Table.Columns, name) }
	seed := slices.Index(f.Table.Columns, "seed")
	switch {
	case f.Bench != nil:
		f.Kind = BenchKind
	case seed > 1 && f.Table.Columns[0] == "index" && slices.Index(f.Table.Columns, "status") == seed+1:
		f.Kind = SweepKind
	case has("systems[0].name") && (has("allocs_per_step") || !has("file")): // rows of scores have no allocs_per_step
		f.Kind = RunKind
	default:
		f.Kind = TableKind
	}
}

func (f *file) readJSON(text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	for {
		var value any
		err, syntax := dec.Decode(&value), (*json.SyntaxError)(nil)
		at := dec.InputOffset()
		switch {
		case err == io.EOF && len(f.Table.Metrics()) == 0:
			return errors.New("has no numbers; want the output of run or bench with --json")
		case err == io.EOF:
			f.setKind()
			return nil
		case errors.As(err, &syntax):
			at, err = at+syntax.Offset, fmt.Errorf("is not JSON: %w", err)
		case err == nil:
			err = f.addJSON(value)
		}
		if err == io.ErrUnexpectedEOF {
			return err
		} else if err != nil {
			return lineError{1 + bytes.Count(text[:min(at, int64(len(text)))], []byte("\n")), err}
		}
	}
}

// addJSON adds an object, or the objects of an array, as rows.
func (f *file) addJSON(value any) error {
	objects, many := value.([]any)
	if !many {
		objects = []any{value}
	}
	for i, object := range objects {
		fields, ok := object.(map[string]any)
		isBench := fields["results"] != nil && fields["go_version"] != nil
		if !ok {
			return fmt.Errorf("value %d is %s, want an object", i+1, cli.Shorten(fmt.Sprint(object), 20))
		} else if f.Bench != nil || isBench && len(f.Table.Rows) > 0 {
			return errors.New("contains the results of a benchmark and other values, want only one of them")
		} else if !isBench {
			f.Table.addRow(fields)
			continue
		}
		text, err := json.Marshal(fields)
		if err == nil {
			err = f.setBench(bench.ReadJSON(text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addRow adds an object as a row, with columns for the parameters that --set changed.
func (t *table) addRow(object map[string]any) {
	t.Rows = append(t.Rows, nil)
	t.flatten(object, "")
	args := strings.Fields(strings.ReplaceAll(t.Text(len(t.Rows)-1, "command"), "--set=", "--set "))
	for i, arg := range args[:max(0, len(args)-1)] {
		for one := range strings.SplitSeq(args[i+1], ";") {
			if key, value, ok := strings.Cut(one, "="); arg == "--set" && ok {
				t.put(setPrefix+key, value)
			}
		}
	}
}

const setPrefix = "set." // of columns for parameters that --set changed

// flatten adds a value to the last row, with columns such as name.field and name[0].field. It omits null, and
// array elements that are neither objects nor arrays: these are samples, not metrics.
func (t *table) flatten(value any, name string) {
	switch value := value.(type) {
	case nil:
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			t.flatten(value[key], strings.TrimPrefix(name+"."+key, "."))
		}
	case []any:
		for i, element := range value {
			t.flatten(element, fmt.Sprintf("%s[%d]", name, i))
		}
	default:
		if !strings.HasSuffix(name, "]") {
			t.put(name, fmt.Sprint(value))
		}
	}
}

// setBench stores b, also as a table. If err is not nil, setBench only returns err.
func (f *file) setBench(b *bench.File, err error) error {
	if err != nil {
		return err
	}
	text, err := json.Marshal(b.Results)
	rows := file{}
	if err == nil {
		err = rows.readJSON(text)
	}
	f.Bench, f.Table = b, rows.Table
	f.setKind()
	return err
}

func (t *table) same(column string) bool {
	for row := range t.Rows {
		if t.Text(row, column) != t.Text(0, column) {
			return false
		}
	}
	return true
}
