package textio

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Limits bounds what is read, so no file, however well compressed, takes much memory.
type Limits struct {
	Bytes int64 // of a file, unpacked
	Line  int   // bytes of a line
}

// Lines reads a file line by line.
type Lines struct {
	Path   string
	Number int    // of the current line, from 1
	Text   string // current line, without white space at the end

	limits Limits
	file   io.Closer
	in     *bufio.Scanner
	left   *io.LimitedReader // bytes that may still be read
}

// OpenLines is like ReadLines for the regular file at path. The caller must close the result.
func OpenLines(ctx context.Context, path string, limits Limits) (*Lines, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	l, err := ReadLines(ctx, path, f, limits)
	if err != nil {
		f.Close()
		return nil, err
	}
	l.file = f
	return l, nil
}

// ReadLines returns a reader of the lines of a file, gzipped or not. Errors name the file by path. For ctx,
// see WithContext.
func ReadLines(ctx context.Context, path string, from io.Reader, limits Limits) (*Lines, error) {
	buffered, err := Unpacked(ctx, from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	SkipMark(buffered)
	left := &io.LimitedReader{R: buffered, N: limits.Bytes + 1}
	l := &Lines{Path: path, limits: limits, in: bufio.NewScanner(left), left: left}
	l.in.Buffer(nil, limits.Line)
	return l, nil
}

// Close closes a file that OpenLines opened.
func (l *Lines) Close() {
	if l.file != nil {
		l.file.Close()
	}
}

// Next reads the next line into Text, and reports whether there is one. If not, Ended returns the error, if
// any.
func (l *Lines) Next() bool {
	l.Number++
	if !l.in.Scan() || l.in.Err() != nil { // after a read error, Scan returns the rest of a line
		return false
	}
	l.Text = strings.TrimRightFunc(l.in.Text(), unicode.IsSpace)
	return true
}

// Ended returns the error that made Next stop, or nil at the end of the file.
func (l *Lines) Ended() error {
	err := l.in.Err()
	switch {
	case err == nil && l.left.N == 0:
		return l.Failf("file too large: want at most %d bytes, unpacked", l.limits.Bytes)
	case err == nil:
		return nil
	case errors.Is(err, bufio.ErrTooLong):
		return l.Failf("line too long: want at most %d bytes", l.limits.Line)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return l.Failf("%w", unpackError(err))
	}
	return fmt.Errorf("%s: %w", l.Path, err)
}

func (l *Lines) Failf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", l.Path, l.Number, fmt.Errorf(format, args...))
}
