// Package movingai reads the maps and scenarios of movingai.com, the benchmarks for finding
// ways over grids: octile maps (.map), and lists of ways with the lengths of the shortest ones
// over the grid (.scen). Files may be gzipped.
//
// Source: N. Sturtevant, "Benchmarks for grid-based pathfinding", IEEE Transactions on
// Computational Intelligence and AI in Games, 2012; the format is described at
// movingai.com/benchmarks/formats.html.
package movingai

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/8f878440/crowd/internal/contextio"
)

// Limits of what is read, so that a few bytes can't ask for much memory.
const (
	maxBytes = 1 << 28 // of a file, unpacked
	maxCells = 1 << 24 // of a map, also of one that is scaled
	maxSide  = 1 << 16 // cells
	maxLine  = maxSide + 64
)

// lines are the lines of a file, one after another.
type lines struct {
	path   string
	file   *os.File
	in     *bufio.Scanner
	number int
	text   string // of the line, without its end and blanks before it
}

// open opens a regular file: a pipe or a device could block for ever.
func open(ctx context.Context, path string) (*lines, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: want a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	buffered := bufio.NewReader(contextio.Reader(ctx, f))
	if head, _ := buffered.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(buffered)
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("%s: gzip data damaged: %w", path, err)
		}
		buffered = bufio.NewReader(contextio.Reader(ctx, z))
	}
	if head, _ := buffered.Peek(3); bytes.Equal(head, []byte{0xef, 0xbb, 0xbf}) { // a byte order mark
		_, _ = buffered.Discard(len(head)) // they are there
	}
	l := &lines{path: path, file: f, in: bufio.NewScanner(io.LimitReader(buffered, maxBytes+1))}
	l.in.Buffer(nil, maxLine)
	return l, nil
}

func (l *lines) close() { l.file.Close() }

// next goes to the next line, and tells whether there is one. Lines may end as on Windows.
func (l *lines) next() bool {
	l.number++
	if !l.in.Scan() || l.in.Err() != nil { // an error comes with what is left of a line
		return false
	}
	l.text = strings.TrimRightFunc(l.in.Text(), unicode.IsSpace)
	return true
}

// ended returns the error that ended the lines, nil at the end of the file.
func (l *lines) ended() error {
	err := l.in.Err()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, bufio.ErrTooLong):
		return l.failf("the line is too long, want at most %d bytes", maxLine)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return l.failf("gzip data cut short")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return l.failf("gzip data damaged")
	}
	return fmt.Errorf("%s: %w", l.path, err)
}

// failf is an error that begins with the file and the line.
func (l *lines) failf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", l.path, l.number, fmt.Sprintf(format, args...))
}

// clip shortens what a message quotes from a file.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
