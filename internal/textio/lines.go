package textio

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Limits of what is read, so that a few bytes can't ask for much memory.
type Limits struct {
	Bytes int64 // of a file, unpacked
	Line  int   // bytes
}

// Lines are the lines of a file, one after another.
type Lines struct {
	Path   string
	Number int    // of the line, from 1
	Text   string // of the line, without its end and blanks before it

	limits Limits
	file   io.Closer
	in     *bufio.Scanner
	left   *io.LimitedReader // how much more may be read
}

// OpenLines opens a regular file.
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

// ReadLines returns the lines of what is read, under the name of a file.
func ReadLines(ctx context.Context, path string, from io.Reader, limits Limits) (*Lines, error) {
	buffered := bufio.NewReader(WithContext(ctx, from))
	if head, _ := buffered.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, fmt.Errorf("%s: gzip data damaged: %w", path, err)
		}
		buffered = bufio.NewReader(WithContext(ctx, z))
	}
	if head, _ := buffered.Peek(3); bytes.Equal(head, []byte{0xef, 0xbb, 0xbf}) { // a byte order mark
		_, _ = buffered.Discard(len(head)) // they are there
	}
	left := &io.LimitedReader{R: buffered, N: limits.Bytes + 1}
	l := &Lines{Path: path, limits: limits, in: bufio.NewScanner(left), left: left}
	l.in.Buffer(nil, limits.Line)
	return l, nil
}

// Close closes a file that was opened.
func (l *Lines) Close() {
	if l.file != nil {
		l.file.Close()
	}
}

// Next goes to the next line, and reports whether there is one. Lines may end as on Windows.
func (l *Lines) Next() bool {
	l.Number++
	if !l.in.Scan() || l.in.Err() != nil { // an error comes with what is left of a line
		return false
	}
	l.Text = strings.TrimRightFunc(l.in.Text(), unicode.IsSpace)
	return true
}

// Ended returns the error that ended the lines, nil at the end of the file.
func (l *Lines) Ended() error {
	err := l.in.Err()
	switch {
	case err == nil && l.left.N == 0:
		return l.Failf("the file is too large, want at most %d bytes", l.limits.Bytes)
	case err == nil:
		return nil
	case errors.Is(err, bufio.ErrTooLong):
		return l.Failf("the line is too long, want at most %d bytes", l.limits.Line)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return l.Failf("gzip data cut short")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return l.Failf("gzip data damaged")
	}
	return fmt.Errorf("%s: %w", l.Path, err)
}

// Failf is an error that begins with the file and the line.
func (l *Lines) Failf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", l.Path, l.Number, fmt.Sprintf(format, args...))
}

// ClipLine shortens what a message quotes from a file.
func ClipLine(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
