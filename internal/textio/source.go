package textio

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

// MaxToken limits one tag or text, which the decoder holds in memory.
const MaxToken = 1 << 20 // bytes

var utf16BOM = [][]byte{{0xfe, 0xff}, {0xff, 0xfe}}

// source is a file, unpacked if it is gzipped, that ends in an error when it
// runs over a limit.
type source struct {
	ctx     context.Context // ends reading
	path    string
	file    *os.File
	in      *bufio.Reader
	limit   int64 // bytes of the file, unpacked
	read    int64
	token   int  // bytes since the last token ended
	begun   int  // bytes of "<!--" just read
	comment bool // inside a comment
}

// openSource opens a regular file.
func openSource(ctx context.Context, path string, limit int64) (*source, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	s := &source{ctx: ctx, path: path, file: f, limit: limit}
	if err := s.unpack(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Unpacked returns a buffered reader of what a file holds, gzipped or not, which asks the context each
// time it fills.
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

// Head returns the first bytes of what a file holds, at most n and without a byte order mark. What cannot be read has none:
// another reader says why.
func Head(in io.Reader, n int) []byte {
	b, err := Unpacked(context.Background(), in)
	if err != nil {
		return nil
	}
	SkipMark(b)
	head, _ := io.ReadAll(io.LimitReader(b, int64(n)))
	return head
}

// SkipMark skips a byte order mark of UTF-8.
func SkipMark(in *bufio.Reader) {
	if head, _ := in.Peek(3); string(head) == "\xef\xbb\xbf" {
		_, _ = in.Discard(len(head)) // they are there
	}
}

// ReadAll reads all of a file, gzipped or not, without a byte order mark: at most some bytes, unpacked.
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

// ReadValues is ReadAll for parsers that keep each value and each part of a key until they are through: it has a limit for
// these, too.
func ReadValues(ctx context.Context, in io.Reader, most int64, values int) ([]byte, error) {
	data, err := ReadAll(ctx, in, most)
	for _, mark := range []string{",", ".", "\n"} {
		if n := bytes.Count(data, []byte(mark)); n > values {
			return nil, fmt.Errorf("%d times %q is too much: want at most %d", n, mark, values)
		}
	}
	return data, err
}

// ReadFile is ReadValues for a regular file. Errors name it.
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

const bufferSize = 64 << 10

// unpack looks at the first bytes: gzip is unpacked, a byte order mark skipped.
func (s *source) unpack(f io.Reader) (err error) {
	if s.in, err = Unpacked(s.ctx, f); err != nil {
		return err
	}
	head, _ := s.in.Peek(3)
	for _, bom := range utf16BOM {
		if bytes.HasPrefix(head, bom) {
			return errors.New("encoding UTF-16: want UTF-8")
		}
	}
	SkipMark(s.in)
	return nil
}

// Read is there for the decoder's signature; the decoder reads byte by byte.
func (s *source) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := s.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}

// ReadByte returns the next byte outside comments. Of a comment it leaves the
// dashes that enclose it and the line ends, so that comments can be of any
// length and hold "--", which XML forbids, but real files have.
func (s *source) ReadByte() (byte, error) {
	for {
		b, err := s.in.ReadByte()
		switch {
		case err == io.EOF:
			return 0, err
		case err != nil:
			return 0, unpackError(err)
		case s.read >= s.limit:
			return 0, fmt.Errorf("file too large: want at most %d bytes, unpacked", s.limit)
		}
		s.read++
		if s.comment && b != '\n' && !s.commentEnds(b) {
			continue
		}
		if s.token >= MaxToken {
			return 0, fmt.Errorf("tag or text too long: want at most %d bytes", MaxToken)
		}
		s.token++
		if !s.comment {
			s.commentBegins(b)
		}
		return b, nil
	}
}

// commentBegins follows the bytes outside comments up to "<!--".
func (s *source) commentBegins(b byte) {
	const begin = "<!--"
	switch b {
	case begin[s.begun]:
		s.begun++
	case begin[0]:
		s.begun = 1
	default:
		s.begun = 0
	}
	if s.begun == len(begin) {
		s.comment, s.begun = true, 0
	}
}

// commentEnds reports whether b is the first byte of "-->".
func (s *source) commentEnds(b byte) bool {
	if b != '-' {
		return false
	}
	next, _ := s.in.Peek(2)
	s.comment = string(next) != "->"
	return !s.comment
}

// unpackError says what gzip's errors mean for the file.
func unpackError(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("gzip data cut short")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return fmt.Errorf("gzip data damaged: %w", err)
	}
	return err
}

func (s *source) Close() error { return s.file.Close() }

// MaxWarnings limits the warnings that a Log keeps; the rest is counted.
const MaxWarnings = 100

// Log gathers the warnings of one reading, which may be of several files. The
// zero value is empty.
type Log struct {
	kept   []string
	unsaid int
}

// Add keeps a warning, or counts it where there are many.
func (l *Log) Add(warning func() string) {
	if len(l.kept) >= MaxWarnings {
		l.unsaid++
		return
	}
	l.kept = append(l.kept, warning())
}

// Warnings are those that were kept, and in the name of path how many more
// there were.
func (l *Log) Warnings(path string) []string {
	if l.unsaid == 0 {
		return l.kept
	}
	return append(l.kept, fmt.Sprintf("%s: and %d more warnings", path, l.unsaid))
}

// Place is the file and the line, and where other files name this one:
// "agents.xml:3 (from main.xml:5)".
func (r *Reader) Place(line int) string {
	place := fmt.Sprintf("%s:%d", r.Path, line)
	if r.from != "" {
		place += " (from " + r.from + ")"
	}
	return place
}

// Beside is a path relative to the folder of this file.
func (r *Reader) Beside(file string) string {
	return filepath.Join(filepath.Dir(r.Path), filepath.FromSlash(file))
}

// Inside is the place of a line for Open of a file that is named there.
func (r *Reader) Inside(line int) string {
	place := fmt.Sprintf("%s:%d", r.Path, line)
	if r.from != "" {
		place += ", from " + r.from
	}
	return place
}

// Fail is an error that begins with the file and the line.
func (r *Reader) Fail(line int, format string, args ...any) error {
	return fmt.Errorf("%s: %s", r.Place(line), fmt.Sprintf(format, args...))
}

// Odd is for what the format does not know: an error, or in a lenient reading a
// warning.
func (r *Reader) Odd(line int, want, format string, args ...any) error {
	found := fmt.Sprintf(format, args...)
	if !r.Lenient {
		return r.Fail(line, "%s: want %s", found, want)
	}
	r.Warn(line, "skipped: %s", found)
	return nil
}

// Solid reports whether an outline can be that of an obstacle. One that crosses itself is an error,
// or in a lenient reading a warning.
func (r *Reader) Solid(t Tag, outline []r2.Vec) (bool, error) {
	fault := space.RingFault(outline)
	if fault == "" {
		return true, nil
	}
	if !r.Lenient {
		return false, r.Fail(t.Line, "<%s> %s", t.Name, fault)
	}
	r.Warn(t.Line, "skipped: <%s> %s", t.Name, fault)
	return false, nil
}

// Warn keeps a warning that begins with the file and the line.
func (r *Reader) Warn(line int, format string, args ...any) {
	r.log.Add(func() string { return r.Fail(line, format, args...).Error() })
}

// Require says which of the attributes t lacks.
func (r *Reader) Require(t Tag, names ...string) error {
	for _, name := range names {
		if _, ok := t.Attr(name); !ok {
			return r.Fail(t.Line, "<%s> without %s: want %s", t.Name, name, strings.Join(names, " and "))
		}
	}
	return nil
}

// BadAttr is the error of an attribute that does not hold what is wanted.
func (r *Reader) BadAttr(t Tag, a xml.Attr, want string) error {
	return r.Fail(t.Line, "<%s> %s=%q: want %s", t.Name, a.Name.Local, Clip(a.Value), want)
}

// Clip shortens what a message quotes from a file.
func Clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
