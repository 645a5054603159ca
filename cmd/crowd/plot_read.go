package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
)

// plotFile is what was read from a file: a table of its figures or, of
// trajectories, how the agents moved.
type plotFile struct {
	name   string // as it was given
	label  string // in pictures
	kind   plotKind
	table  *plotTable
	runs   []runParts // of reports of runs, one a row of the table
	bench  *bench.File
	motion *motion
}

// plotKind is what a file holds.
type plotKind string

const (
	runKind    plotKind = "the report of a run"
	scoreKind  plotKind = "the rows of a score"
	benchKind  plotKind = "the results of a bench"
	motionKind plotKind = "trajectories"
	tableKind  plotKind = "a table"
)

// mostBytes bounds the text of a file, but for trajectories, which are not held.
const mostBytes = 100 << 20

// readPlotFile finds out from the content what a file holds, and reads it. Files
// may be compressed with gzip. Errors begin with the name, and the line where
// there is one.
func readPlotFile(ctx context.Context, name string, in io.Reader, o motionOptions) (*plotFile, error) {
	f := &plotFile{name: name}
	if err := f.read(ctx, in, o); err != nil {
		var at lineError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("%s:%d: %w", name, at.line, at.error)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// lineError is an error at a line, from 1.
type lineError struct {
	line int
	error
}

func (f *plotFile) read(ctx context.Context, in io.Reader, o motionOptions) error {
	const peek = 1 << 16
	r := bufio.NewReaderSize(in, peek)
	if magic, _ := r.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(r)
		if err != nil {
			return fmt.Errorf("is compressed with gzip, and broken: %w", err)
		}
		r = bufio.NewReaderSize(truncation{z}, peek)
	}
	if mark, _ := r.Peek(3); string(mark) == "\xef\xbb\xbf" {
		_, _ = r.Discard(len(mark))
	}
	head, err := r.Peek(peek)
	if err != nil && err != io.EOF {
		return err
	}
	switch start := bytes.TrimSpace(head); {
	case len(start) == 0 && len(head) < peek:
		return errors.New("is empty")
	case bytes.HasPrefix(start, []byte("PAR1")):
		return errors.New("is a Parquet file; trajectories can be drawn from what --trajectories writes to .csv or .csv.gz")
	case bytes.HasPrefix(start, []byte("# framerate:")):
		return errors.New("is a file for PedPy; trajectories can be drawn from what --trajectories writes to .csv or .csv.gz")
	case bytes.IndexByte(head, 0) >= 0:
		return errors.New("is no text; want JSON or CSV of crowd, or Go benchmark lines")
	case start[0] == '{' || start[0] == '[':
		text, err := readAll(r)
		if err != nil {
			return err
		}
		return f.readJSON(text)
	case isGoBench(start):
		return f.readGoBench(io.LimitReader(r, mostBytes))
	}
	header, _, _ := strings.Cut(strings.TrimLeft(string(head), "\r\n"), "\n")
	if columns := motionColumns(strings.Split(strings.TrimSpace(header), ",")); columns != nil {
		f.kind = motionKind
		f.motion, err = readMotion(ctx, r, columns, o)
		return err
	}
	text, err := readAll(r)
	if err != nil {
		return err
	}
	return f.readCSV(text)
}

func readAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err == nil && len(text) > mostBytes {
		err = fmt.Errorf("is larger than %s bytes, which only trajectories may be", numbers.Thousands(mostBytes))
	}
	return text, err
}

// truncation says in words that compressed data end too early.
type truncation struct{ io.Reader }

func (t truncation) Read(b []byte) (int, error) {
	n, err := t.Reader.Read(b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("is cut off: the compressed data end too early")
	}
	return n, err
}

// isGoBench tells whether a text begins with Go benchmark lines, or what may stand
// before them.
func isGoBench(head []byte) bool {
	for line := range bytes.Lines(head) {
		if bytes.HasPrefix(line, []byte("Benchmark")) && len(bytes.Fields(line)) > 3 || bytes.HasPrefix(line, []byte("goos: ")) {
			return true
		}
	}
	return false
}

// labelFiles gives files short labels that differ: their names without what all
// begin with and end with.
func labelFiles(files []*plotFile) {
	var names []string
	for _, f := range files {
		names = append(names, strings.ReplaceAll(f.name, `\`, "/"))
	}
	for i, label := range shortNames(names, ".json", ".jsonl", ".csv", ".txt") {
		files[i].label = label
	}
}

// shortNames returns names without folders and endings, or with as much of them as
// makes them differ: first the ending, and then folders. Equal ones are numbered.
func shortNames(names []string, endings ...string) []string {
	short, depth := make([]string, len(names)), make([]int, len(names))
	for range 8 {
		times := map[string]int{}
		for i, name := range names {
			if depth[i] != 1 {
				name = strings.TrimSuffix(name, ".gz")
				for _, end := range endings {
					name = strings.TrimSuffix(name, end)
				}
			}
			parts := strings.Split(name, "/")
			short[i] = strings.Join(parts[max(0, len(parts)-1-max(0, depth[i]-1)):], "/")
			times[short[i]]++
		}
		for i := range names {
			if times[short[i]] > 1 {
				depth[i]++
			}
		}
	}
	seen := map[string]int{}
	for i, name := range short {
		name = printable(name, 40)
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
		short[i] = name
	}
	return short
}
