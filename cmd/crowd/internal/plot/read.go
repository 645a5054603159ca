package plot

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// Kind is what a file holds.
type Kind string

// Kinds of files.
const (
	RunKind    Kind = "the report of a run"
	ScoreKind  Kind = "the rows of a score"
	BenchKind  Kind = "the results of a bench"
	MotionKind Kind = "trajectories"
	TableKind  Kind = "a table"
)

// File is the content of a file: rows of figures, or trajectories.
type File struct {
	Name, Label string // as it was given, and in pictures
	Kind        Kind
	Table       Table
	Bench       *bench.File
	Motion      *Motion
}

// LineError is an error in a line of a file.
type LineError struct {
	Line int
	Err  error
}

func (e LineError) Error() string { return fmt.Sprintf("%d: %v", e.Line, e.Err) }

// AtFile puts the name of a file, and the line if it is known, before an error.
func AtFile(name string, err error) error {
	if at, ok := err.(LineError); ok {
		return fmt.Errorf("%s:%d: %w", name, at.Line, at.Err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// ReadFile reads a file, which may be compressed with gzip.
func ReadFile(name string, in io.Reader, o ReadOptions) (*File, error) {
	f := &File{Name: name}
	if err := f.read(in, o); err != nil {
		return nil, AtFile(name, err)
	}
	return f, nil
}

func (f *File) read(in io.Reader, o ReadOptions) error {
	const peek, most = 1 << 16, 1 << 30 // trajectories may be longer: they are not held
	r := bufio.NewReaderSize(in, peek)
	if magic, _ := r.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(r)
		if err != nil {
			return fmt.Errorf("is compressed with gzip, and broken: %w", err)
		}
		r = bufio.NewReaderSize(z, peek)
	}
	if mark, _ := r.Peek(3); string(mark) == "\xef\xbb\xbf" {
		_, _ = r.Discard(len(mark))
	}
	head, err := r.Peek(peek)
	if err != nil && err != io.EOF {
		return cut(err)
	}
	head = bytes.Clone(head) // reading on overwrites it
	start := bytes.TrimSpace(head)
	for _, other := range [][2]string{{"PAR1", "Parquet file"}, {"-- JuPedSim", "database"}, {"SQLite format 3\x00", "database"}, {"# framerate:", "file for PedPy"}} {
		if bytes.HasPrefix(start, []byte(other[0])) {
			return fmt.Errorf("is a %s; trajectories can be drawn from what --trajectories writes to .csv or .csv.gz", other[1])
		}
	}
	header, _, _ := strings.Cut(string(start), "\n")
	columns := motionColumns(strings.Split(strings.TrimSpace(header), ","))
	switch {
	case len(start) == 0:
		return errors.New("is empty")
	case bytes.IndexByte(head, 0) >= 0:
		return errors.New("is no text; want JSON or CSV of crowd, or Go benchmark lines")
	case columns != nil:
		f.Kind = MotionKind
		f.Motion, err = readMotion(r, columns, o)
		return cut(err)
	}
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && len(text) > most {
		err = fmt.Errorf("is larger than %s bytes, which only trajectories may be", cli.Thousands(most))
	}
	switch {
	case err != nil:
		return cut(err)
	case start[0] == '{' || start[0] == '[':
		return f.readJSON(text)
	case bytes.HasPrefix(start, []byte("goos: ")) || bytes.HasPrefix(start, []byte("Unit ")) || bytes.Contains(head, []byte("\nBenchmark")) || bytes.HasPrefix(start, []byte("Benchmark")):
		return f.setBench(bench.ReadGo(bytes.NewReader(text), f.Name))
	}
	return f.readCSV(text)
}

// cut says in words that compressed data end too early.
func cut(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("is cut off: the compressed data end too early")
	}
	return err
}

// EachRow calls do for the rows of CSV, the names first. The row is used again.
func EachRow(in io.Reader, do func(row []string) error) error {
	r := csv.NewReader(in)
	r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = -1, true, true
	for cells := 0; ; {
		row, err := r.Read()
		if bad := (*csv.ParseError)(nil); errors.As(err, &bad) {
			return LineError{bad.Line, fmt.Errorf("is no CSV: %w", bad.Err)}
		} else if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if cells == 0 {
			cells = len(row)
		}
		if len(row) != cells {
			err = fmt.Errorf("%s, want %d as in the first line", cli.Plural(len(row), "cell"), cells)
		} else {
			err = do(row)
		}
		if err != nil {
			line, _ := r.FieldPos(0)
			return LineError{line, err}
		}
	}
}

// ShortNames returns names without folders and endings where these still differ. Equal ones are
// numbered.
func ShortNames(names []string, endings ...string) []string {
	short, times, seen := make([]string, len(names)), map[string]int{}, map[string]int{}
	for i, name := range names {
		short[i] = strings.TrimSuffix(name[strings.LastIndexAny(name, `/\`)+1:], ".gz")
		for _, end := range endings {
			short[i] = strings.TrimSuffix(short[i], end)
		}
		if !slices.Contains(names[:i], name) {
			times[short[i]]++
		}
	}
	for i, name := range short {
		if times[name] > 1 {
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
