// Package textio reads text and XML files of other programs, gzipped or not, within limits. XML is read
// element by element, according to a vocabulary. The package accepts what XML forbids but such files contain:
// any text in comments, and comments before the declaration.
package textio

import (
	"bufio"
	"bytes"
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

	"gonum.org/v1/gonum/spatial/r2"
)

// bufferSize is also how much of a file is read even if the context is done: small files are read whole.
const bufferSize = 64 << 10 // bytes

// WithContext returns a reader that reads from in and, after the first 64 KiB, returns ctx.Err() once ctx is
// done. A nil ctx is never done.
func WithContext(ctx context.Context, in io.Reader) io.Reader {
	if ctx == nil {
		return in
	}
	return &reader{ctx: ctx, in: in}
}

type reader struct {
	ctx  context.Context
	in   io.Reader
	read int64
}

func (r *reader) Read(p []byte) (int, error) {
	if r.read >= bufferSize {
		if err := r.ctx.Err(); err != nil {
			return 0, err
		}
	}
	n, err := r.in.Read(p)
	r.read += int64(n)
	return n, err
}

// OpenFile opens a regular file. It returns an error for any other file, because reading from a pipe could
// block forever.
func OpenFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: a folder, pipe or device, want a regular file", path)
	}
	return os.Open(path)
}

// Unpacked returns a buffered reader of a file, gzipped or not. For ctx, see WithContext.
func Unpacked(ctx context.Context, in io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(WithContext(ctx, in), bufferSize)
	if head, _ := b.Peek(2); string(head) != "\x1f\x8b" {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, unpackError(err)
	}
	return bufio.NewReaderSize(WithContext(ctx, z), bufferSize), nil
}

func unpackError(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("gzip data cut short")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return fmt.Errorf("gzip data damaged: %w", err)
	}
	return err
}

// SkipMark skips a UTF-8 byte order mark, if any.
func SkipMark(in *bufio.Reader) {
	if head, _ := in.Peek(3); string(head) == "\xef\xbb\xbf" {
		_, _ = in.Discard(len(head)) // Peek has buffered these bytes
	}
}

// Head returns at most n bytes from the beginning of a file, unpacked and without a byte order mark. It
// ignores errors, because reading the whole file reports them.
func Head(in io.Reader, n int) []byte {
	b, err := Unpacked(context.Background(), in)
	if err != nil {
		return nil
	}
	SkipMark(b)
	head, _ := io.ReadAll(io.LimitReader(b, int64(n)))
	return head
}

// ReadAll returns the content of a file, unpacked and without a byte order mark, or an error if the content
// is longer than the given number of bytes. For ctx, see WithContext.
func ReadAll(ctx context.Context, in io.Reader, most int64) ([]byte, error) {
	b, err := Unpacked(ctx, in)
	if err != nil {
		return nil, err
	}
	SkipMark(b)
	data, err := io.ReadAll(io.LimitReader(b, most+1))
	if err != nil {
		return nil, unpackError(err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("file too large: want at most %d bytes, unpacked", most)
	}
	return data, nil
}

// ReadValues is like ReadAll, but returns an error if commas, dots or line ends, each counted separately,
// occur more often than the given number of times. This limits the memory of a parser.
func ReadValues(ctx context.Context, in io.Reader, most int64, values int) ([]byte, error) {
	data, err := ReadAll(ctx, in, most)
	for _, mark := range []string{",", ".", "\n"} {
		if n := bytes.Count(data, []byte(mark)); n > values {
			return nil, fmt.Errorf("%q occurs %d times, want at most %d", mark, n, values)
		}
	}
	return data, err
}

// ReadFile is like ReadValues for a regular file. Its errors name the file.
func ReadFile(ctx context.Context, path string, most int64, values int) ([]byte, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := ReadValues(ctx, f, most, values)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// Limit restricts a number.
type Limit struct {
	OK   func(float64) bool
	Want string // what is allowed, for error messages
}

// AnyNumber, AboveZero and NotNegative return limits with the given Want.
func AnyNumber(want string) Limit   { return Limit{func(float64) bool { return true }, want} }
func AboveZero(want string) Limit   { return Limit{func(x float64) bool { return x > 0 }, want} }
func NotNegative(want string) Limit { return Limit{func(x float64) bool { return x >= 0 }, want} }

// Parse returns the number in s, or a text that says what is wanted instead. Numbers must be finite in single
// precision, as in other programs, so their squares and products do not overflow.
func (l Limit) Parse(s string) (x float64, want string) {
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	tooLarge := errors.Is(err, strconv.ErrRange) // x is infinite
	switch {
	case err != nil && !tooLarge || err == nil && math.IsInf(x, 0) || math.IsNaN(x) || !l.OK(x):
		return 0, l.Want
	case x > math.MaxFloat32:
		return 0, l.Want + ", at most 3.4e+38"
	case x < -math.MaxFloat32:
		return 0, l.Want + ", at least -3.4e+38"
	}
	return x, ""
}

// Outline returns a closed outline without points that equal the one before. The last point counts as the one
// before the first. Outline modifies points.
func Outline(points []r2.Vec) []r2.Vec {
	outline := slices.Compact(points)
	for n := len(outline); n > 1 && outline[n-1] == outline[0]; n-- {
		outline = outline[:n-1]
	}
	return outline
}

// Bounds returns the smallest box around points, of which there must be at least one.
func Bounds(points []r2.Vec) r2.Box {
	b := r2.Box{Min: points[0], Max: points[0]}
	for _, p := range points {
		b.Min = r2.Vec{X: min(b.Min.X, p.X), Y: min(b.Min.Y, p.Y)}
		b.Max = r2.Vec{X: max(b.Max.X, p.X), Y: max(b.Max.Y, p.Y)}
	}
	return b
}

// Meet reports whether two boxes have a point in common.
func Meet(a, b r2.Box) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X && a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y
}

// Alternatives returns "a, b or c" for the words in read and ignored, or "none" if there are none. A "?" in
// format stands for the word.
func Alternatives(format string, read, ignored []string) string {
	all := slices.Concat(read, ignored)
	for i, word := range all {
		all[i] = strings.ReplaceAll(format, "?", word)
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

// Clip returns text from a file for a message: s itself or, if s is longer than 60 bytes, only the first 60
// and "…".
func Clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// MaxWarnings limits the warnings that a Log keeps. A Log only counts further warnings.
const MaxWarnings = 100

// Log gathers the warnings of one reading, which may span several files.
type Log struct {
	kept   []string
	unsaid int
}

// Add keeps a warning, or only counts it if the Log is full.
func (l *Log) Add(warning func() string) {
	if len(l.kept) >= MaxWarnings {
		l.unsaid++
		return
	}
	l.kept = append(l.kept, warning())
}

// Warnings returns the warnings. If some were not kept, a last warning gives path and their number.
func (l *Log) Warnings(path string) []string {
	if l.unsaid == 0 {
		return l.kept
	}
	return append(l.kept, fmt.Sprintf("%s: and %d more", path, l.unsaid))
}
