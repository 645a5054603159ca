package data

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
)

// mostBytes bounds the text of a file, but for trajectories, which are not held.
const mostBytes = 100 << 20

// Read finds out from the content what a file holds, and reads it. Files
// may be compressed with gzip. Errors begin with the name, and the line where
// there is one.
func Read(ctx context.Context, name string, in io.Reader, o Options) (*File, error) {
	f := &File{Name: name}
	if err := f.read(ctx, in, o); err != nil {
		var at lineError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("%s:%d: %w", name, at.line, at.error)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

func (f *File) read(ctx context.Context, in io.Reader, o Options) error {
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
	case bytes.HasPrefix(start, []byte("-- JuPedSim")), bytes.HasPrefix(start, []byte("SQLite format 3\x00")):
		return errors.New("is a database; trajectories can be drawn from what --trajectories writes to .csv or .csv.gz")
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
		f.Kind = MotionKind
		f.Motion, err = readMotion(ctx, r, columns, o)
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
