package textio

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	defaultMaxBytes = 4 << 30
	maxDepth        = 32      // nested elements
	maxAttrs        = 64      // of one element
	maxValue        = 4096    // bytes of an attribute
	maxText         = 1 << 16 // bytes of the text of an element
)

// Format says what a file may contain.
type Format struct {
	Vocabulary map[string]Words // by the name of the element
	Namespaced bool             // names may have the root element's prefix; attributes may be xmlns, xmlns:… or xsi:…
	Remarks    bool             // ignore text between elements
	Lenient    bool             // skip unknown or invalid parts, with a warning
	MaxBytes   int64            // of the file, unpacked; 0 or less means 4 GiB
	OtherRoots []string         // root elements of other formats, to name in errors
	Context    context.Context  // cancels reading; nil means never
}

// Words are the attributes and child elements of an element. Ignored ones cause no error or warning.
type Words struct {
	Attrs, IgnoredAttrs       []string
	Children, IgnoredChildren []string
}

// ErrSecond is what the function passed to Element returns for a second child element where only one is
// allowed.
var ErrSecond = errors.New("second")

// Tag is the opening tag of an element. Names include their namespace prefix, but element names do not
// include that of the root element.
type Tag struct {
	Name  string
	Attrs []Attr
	Line  int
}

type Attr struct{ Name, Value string }

func (t Tag) Attr(name string) (string, bool) {
	i := slices.IndexFunc(t.Attrs, func(a Attr) bool { return a.Name == name })
	if i < 0 {
		return "", false
	}
	return t.Attrs[i].Value, true
}

// Reader reads one XML file.
type Reader struct {
	Format
	Path     string
	from     string // where another file names this one, such as main.xml:5; may be empty
	log      *Log
	src      *source
	dec      *xml.Decoder
	line     int // where the last token begins
	depth    int
	prefix   string // of the root element, with its colon
	encoding string // declared, if it is not UTF-8
}

// Open opens a regular file, gzipped or not. Warnings go to log. If another file names this file, from is the
// result of Inside of that file's Reader. The caller must call Read, which closes the file.
func Open(path, from string, f Format, log *Log) (*Reader, error) {
	if f.MaxBytes <= 0 {
		f.MaxBytes = defaultMaxBytes
	}
	src, err := openSource(path, f)
	if err != nil {
		return nil, err
	}
	r := &Reader{Format: f, Path: path, from: from, log: log, src: src, dec: xml.NewDecoder(src)}
	r.dec.CharsetReader = func(label string, _ io.Reader) (io.Reader, error) {
		r.encoding = label
		return nil, errors.ErrUnsupported
	}
	return r, nil
}

// Read reads the whole file and closes it. The function element must read the root element to its end. The
// name of the root element must be in roots.
func (r *Reader) Read(element func(Tag) error, roots ...string) error {
	defer r.src.file.Close()
	root, err := r.root(roots...)
	if err != nil {
		return err
	}
	if err := element(root); err != nil {
		return err
	}
	switch t, err := r.outside("the end of the file"); err {
	case io.EOF:
		return nil
	case nil:
		return r.Fail(t.Line, "second root element <%s> after <%s>: want one", Clip(t.Name), root.Name)
	default:
		return err
	}
}

func (r *Reader) root(names ...string) (Tag, error) {
	want := Alternatives("<?>", names, r.OtherRoots)
	t, err := r.outside(want)
	if i := strings.IndexByte(t.Name, ':'); r.Namespaced && i > 0 {
		r.prefix, t.Name = t.Name[:i+1], t.Name[i+1:]
	}
	switch {
	case err == io.EOF:
		return t, r.Fail(r.line, "no root element: want %s", want)
	case err == nil && !slices.Contains(names, t.Name):
		return t, r.Fail(t.Line, "root element <%s>: want %s", Clip(t.Name), want)
	}
	return t, err
}

// outside returns the next opening tag outside the root element, or io.EOF.
func (r *Reader) outside(want string) (Tag, error) {
	tok, err := r.next()
	if err != nil {
		return Tag{}, err
	}
	switch tok := tok.(type) {
	case string:
		return Tag{}, r.Fail(r.line, "text %q outside the root element: want %s", Clip(tok), want)
	case xml.EndElement:
		return Tag{}, r.Fail(r.line, "</%s> closes nothing: want %s", Clip(r.name(tok.Name)), want)
	}
	return tok.(Tag), nil
}

// Element reads the element of t to its end, and checks it against the vocabulary. It calls child, if not
// nil, for each child element that the vocabulary lists in Children. child must read the element of its tag
// to the end, or return ErrSecond before it reads anything.
func (r *Reader) Element(t Tag, child func(Tag) error) error {
	return r.parts(t, child, func(text string) error {
		if r.Remarks {
			return nil
		}
		return r.Odd(r.line, "only elements", "text %q in <%s>", Clip(text), t.Name)
	})
}

// parts is like Element, but calls text for each text that is not blank.
func (r *Reader) parts(t Tag, child func(Tag) error, text func(string) error) error {
	w := r.Vocabulary[t.Name]
	for i, a := range t.Attrs {
		if slices.ContainsFunc(t.Attrs[:i], func(b Attr) bool { return b.Name == a.Name }) {
			return r.Fail(t.Line, "second attribute %s in <%s>: want one", Clip(a.Name), t.Name)
		}
		if slices.Contains(w.Attrs, a.Name) || slices.Contains(w.IgnoredAttrs, a.Name) || r.declares(a.Name) {
			continue
		}
		err := r.Odd(t.Line, Alternatives("?", w.Attrs, w.IgnoredAttrs),
			"unknown attribute %s=%q in <%s>", Clip(a.Name), Clip(a.Value), t.Name)
		if err != nil {
			return err
		}
	}
	return r.content(t, func(c Tag) (err error) {
		known := slices.Contains(w.Children, c.Name)
		switch {
		case known && child != nil:
			if err = child(c); err != ErrSecond {
				return err
			}
			err = r.Odd(c.Line, "one", "second <%s> in <%s>", c.Name, t.Name)
		case !known && !slices.Contains(w.IgnoredChildren, c.Name):
			err = r.Odd(c.Line, Alternatives("<?>", w.Children, w.IgnoredChildren),
				"unknown element <%s> in <%s>", Clip(c.Name), t.Name)
		}
		if err != nil {
			return err
		}
		return r.Skip(c)
	}, text)
}

// Text returns the text of the element of t, at most 64 KiB, without leading or trailing blanks. A comment or
// child becomes a blank.
func (r *Reader) Text(t Tag) (string, error) {
	var text strings.Builder
	err := r.parts(t, nil, func(part string) error {
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(part)
		if text.Len() > maxText {
			return r.Fail(t.Line, "text in <%s> too long: want at most %d bytes", t.Name, maxText)
		}
		return nil
	})
	return text.String(), err
}

// Skip reads the element of t to its end.
func (r *Reader) Skip(t Tag) error {
	return r.content(t, r.Skip, func(string) error { return nil })
}

// content reads everything up to the closing tag of t. It calls text for each text that is not blank.
func (r *Reader) content(t Tag, child func(Tag) error, text func(string) error) error {
	if r.depth++; r.depth > maxDepth {
		return r.Fail(t.Line, "<%s> nested too deeply: want at most %d levels", Clip(t.Name), maxDepth)
	}
	for {
		tok, err := r.next()
		if err == io.EOF {
			return r.Fail(r.line, "file ends inside <%s>: want </%s>", Clip(t.Name), Clip(t.Name))
		}
		if err != nil {
			return err
		}
		switch tok := tok.(type) {
		case Tag:
			err = child(tok)
		case string:
			err = text(tok)
		case xml.EndElement:
			if name := r.name(tok.Name); name != t.Name {
				return r.Fail(r.line, "</%s> closes <%s> on line %d: want </%s>", Clip(name), Clip(t.Name), t.Line, Clip(t.Name))
			}
			r.depth--
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// next returns the next Tag, xml.EndElement or string, and sets r.line. A string is text without blanks
// around it.
func (r *Reader) next() (any, error) {
	for {
		r.src.token = 0
		r.line, _ = r.dec.InputPos()
		tok, err := r.dec.RawToken()
		if err != nil {
			return nil, r.located(err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			return r.tag(tok)
		case xml.EndElement:
			return tok, nil
		case xml.CharData:
			text := bytes.TrimLeft(tok, " \t\r\n")
			if len(text) > 0 {
				r.line += bytes.Count(tok[:len(tok)-len(text)], []byte("\n"))
				return string(bytes.TrimSpace(text)), nil
			}
		case xml.Directive:
			return nil, r.Fail(r.line, "<!%s>: want no DOCTYPE or other declaration", Clip(string(tok)))
		}
	}
}

func (r *Reader) tag(el xml.StartElement) (Tag, error) {
	t := Tag{Name: r.name(el.Name), Line: r.line}
	if n := len(el.Attr); n > maxAttrs {
		return t, r.Fail(t.Line, "%d attributes in <%s>: want at most %d", n, Clip(t.Name), maxAttrs)
	}
	for _, a := range el.Attr {
		name := fullName(a.Name)
		if n := len(a.Value); n > maxValue {
			return t, r.Fail(t.Line, "attribute %s of %d bytes in <%s>: want at most %d", Clip(name), n, Clip(t.Name), maxValue)
		}
		t.Attrs = append(t.Attrs, Attr{name, a.Value})
	}
	return t, nil
}

func (r *Reader) name(n xml.Name) string { return strings.TrimPrefix(fullName(n), r.prefix) }

func fullName(n xml.Name) string { return strings.TrimPrefix(n.Space+":"+n.Local, ":") }

func (r *Reader) declares(attr string) bool {
	return r.Namespaced && (attr == "xmlns" || strings.HasPrefix(attr, "xmlns:") || strings.HasPrefix(attr, "xsi:"))
}

// located adds the place to an error from the decoder other than io.EOF.
func (r *Reader) located(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case err == io.EOF:
		return err
	case r.encoding != "":
		return r.Fail(r.line, "encoding %q: want UTF-8", Clip(r.encoding))
	case errors.As(err, &syntax):
		return r.Fail(syntax.Line, "XML syntax: %s", Clip(syntax.Msg))
	}
	line, _ := r.dec.InputPos()
	return fmt.Errorf("%s: %w", r.Place(line), err)
}

// Place returns a place such as "agents.xml:3 (from main.xml:5)".
func (r *Reader) Place(line int) string {
	place := fmt.Sprintf("%s:%d", r.Path, line)
	if r.from != "" {
		place += " (from " + r.from + ")"
	}
	return place
}

// Inside returns the place of a line that names another file, for Open.
func (r *Reader) Inside(line int) string {
	place := fmt.Sprintf("%s:%d", r.Path, line)
	if r.from != "" {
		place += ", from " + r.from
	}
	return place
}

// Beside returns the path of a file that is named relative to this one.
func (r *Reader) Beside(file string) string {
	return filepath.Join(filepath.Dir(r.Path), filepath.FromSlash(file))
}

func (r *Reader) Fail(line int, format string, args ...any) error {
	return fmt.Errorf("%s: %s", r.Place(line), fmt.Sprintf(format, args...))
}

// Odd returns the error for a part that is not allowed or, if the reader is lenient, logs a warning and
// returns nil.
func (r *Reader) Odd(line int, want, format string, args ...any) error {
	found := fmt.Sprintf(format, args...)
	if !r.Lenient {
		return r.Fail(line, "%s: want %s", found, want)
	}
	r.Warn(line, "skipped: %s", found)
	return nil
}

func (r *Reader) Warn(line int, format string, args ...any) {
	r.log.Add(func() string { return r.Fail(line, format, args...).Error() })
}

// Solid reports whether an outline can be the outline of an obstacle: see space.RingFault. If not, it returns
// an error or, if the reader is lenient, logs a warning.
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

func (r *Reader) Require(t Tag, names ...string) error {
	for _, name := range names {
		if _, ok := t.Attr(name); !ok {
			return r.Fail(t.Line, "<%s> without %s: want %s", t.Name, name, strings.Join(names, " and "))
		}
	}
	return nil
}

func (r *Reader) BadAttr(t Tag, name, want string) error {
	value, _ := t.Attr(name)
	return r.Fail(t.Line, "<%s> %s=%q: want %s", t.Name, name, Clip(value), want)
}

// String sets dst to an attribute that t must have.
func (r *Reader) String(dst *string, t Tag, name string) error {
	*dst, _ = t.Attr(name)
	return r.Require(t, name)
}

// Number sets dst to an attribute, which must be a number that l allows. Without the attribute, or after an
// error, dst stays unchanged.
func (r *Reader) Number(dst *float64, t Tag, name string, l Limit) error {
	value, ok := t.Attr(name)
	if !ok {
		return nil
	}
	x, want := l.Parse(value)
	if want != "" {
		return r.BadAttr(t, name, want)
	}
	*dst = x
	return nil
}

// Point sets dst to the two attributes with the given names. The tag t must have them, and they must be
// finite numbers.
func (r *Reader) Point(dst *r2.Vec, t Tag, x, y string) error {
	finite := AnyNumber("a finite number")
	return cmp.Or(r.Require(t, x, y), r.Number(&dst.X, t, x, finite), r.Number(&dst.Y, t, y, finite))
}

// Flag sets dst to an attribute, as parsed by strconv.ParseBool. Without the attribute, or after an error,
// dst stays unchanged.
func (r *Reader) Flag(dst *bool, t Tag, name, want string) error {
	value, ok := t.Attr(name)
	if !ok {
		return nil
	}
	on, err := strconv.ParseBool(strings.TrimSpace(value))
	if err != nil {
		return r.BadAttr(t, name, want)
	}
	*dst = on
	return nil
}
