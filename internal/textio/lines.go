// Package textio reads text and XML files of other programs, within limits, and with errors
// that name the file and the line. Files may be gzipped. XML is read element by element by a
// vocabulary, and may hold what such files have though XML forbids it: any text in comments,
// and comments before the XML declaration.
package textio

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/spatial/r2"
)

// DefaultMaxBytes limits a file, unpacked, when its format does not say.
const DefaultMaxBytes = 4 << 30

// Format says what a file may hold, and how to read it.
type Format struct {
	Vocabulary map[string]Words // by element
	Namespaced bool             // elements may have the root's prefix, and any element attributes of namespaces
	Remarks    bool             // text between elements is a remark, and passed over
	Lenient    bool             // skip what is unknown with a warning, instead of an error
	MaxBytes   int64            // limit of the file, unpacked; 0 or less means DefaultMaxBytes
	OtherRoots []string         // root elements of other files, which an error names beside those that Read takes
	Context    context.Context  // ends reading, with its error; nil: nothing does
}

// Words are the attributes and child elements that an element may hold: those
// that are read, and those that are known and passed over without a word.
type Words struct {
	Attrs, IgnoredAttrs       []string
	Children, IgnoredChildren []string
}

// List splits words at blanks.
func List(s string) []string { return strings.Fields(s) }

// Alternatives is "a, b or c", with the words that are passed over at the end;
// in the format, "?" stands for the word.
func Alternatives(format string, read, ignored []string) string {
	var all []string
	for _, w := range slices.Concat(read, ignored) {
		all = append(all, strings.ReplaceAll(format, "?", w))
	}
	switch n := len(all); n {
	case 0:
		return "none"
	case 1:
		return all[0]
	default:
		return strings.Join(all[:n-1], ", ") + " or " + all[n-1]
	}
}

// What numbers may be.
func AnyNumber(float64) bool     { return true }
func AboveZero(x float64) bool   { return x > 0 }
func NotNegative(x float64) bool { return x >= 0 }

// Number returns the number that s holds, or else what is wanted in its place:
// one that ok allows, and that is finite in single precision, since that is how
// other programs compute; squares and products of such numbers can't overflow
// here.
func Number(s string, ok func(float64) bool, want string) (x float64, wanted string) {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	tooLarge := errors.Is(err, strconv.ErrRange) // and x is infinite
	switch {
	case err != nil && !tooLarge || err == nil && math.IsInf(x, 0) || math.IsNaN(x) || !ok(x):
		return 0, want
	case x > math.MaxFloat32:
		return 0, want + ", at most 3.4e+38"
	case x < -math.MaxFloat32:
		return 0, want + ", at least -3.4e+38"
	}
	return x, ""
}

// Outline merges points of a closed outline that coincide with the one before;
// the last point counts as before the first.
func Outline(points []r2.Vec) []r2.Vec {
	outline := slices.Compact(points)
	for n := len(outline); n > 1 && outline[n-1] == outline[0]; n-- {
		outline = outline[:n-1]
	}
	return outline
}

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
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return l.Failf("%w", unpackError(err))
	}
	return fmt.Errorf("%s: %w", l.Path, err)
}

// Failf is an error that begins with the file and the line.
func (l *Lines) Failf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", l.Path, l.Number, fmt.Errorf(format, args...))
}

// enough is how many bytes are read in any case: so small files are read whole.
const enough = 64 << 10

// WithContext returns a reader of in that ends with the context's error when that ends,
// but not before it has read some 64 kB.
func WithContext(ctx context.Context, in io.Reader) io.Reader { return &reader{ctx: ctx, in: in} }

type reader struct {
	ctx  context.Context
	in   io.Reader
	read int64
}

func (r *reader) Read(p []byte) (int, error) {
	if r.read >= enough {
		if err := r.ctx.Err(); err != nil {
			return 0, err
		}
	}
	n, err := r.in.Read(p)
	r.read += int64(n)
	return n, err
}

// OpenFile opens a regular file. A pipe or a device, which could block for ever, is an error.
func OpenFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: want a regular file", path)
	}
	return os.Open(path)
}
