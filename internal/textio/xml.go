package textio

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	maxDepth = 32      // nested elements
	maxAttrs = 64      // of one element
	maxValue = 4096    // bytes of an attribute
	maxText  = 1 << 16 // bytes of the text of an element
)

// ErrSecond is how an element says that a child may stand in it only once.
var ErrSecond = errors.New("second")

// Tag is the opening tag of an element.
type Tag struct {
	Name  string
	Attrs []xml.Attr // Name.Local holds the full name, with its prefix
	Line  int
}

// Attr returns the attribute of that name, if the tag has it.
func (t Tag) Attr(name string) (xml.Attr, bool) {
	i := slices.IndexFunc(t.Attrs, func(a xml.Attr) bool { return a.Name.Local == name })
	if i < 0 {
		return xml.Attr{}, false
	}
	return t.Attrs[i], true
}

// Reader walks one XML file. It reads raw tokens and checks itself that the
// tags match.
type Reader struct {
	Format
	Path     string
	from     string // where another file names this one, such as main.xml:5; empty: nowhere
	log      *Log
	src      *source
	dec      *xml.Decoder
	line     int // where the last token begins
	depth    int
	prefix   string // of the root element, with its colon
	encoding string // declared, and not UTF-8
}

// Open opens the regular file at path, gzipped or not. Its warnings go to log.
// Errors and warnings name the file and, where it is not empty, from: what Inside
// returned where another file names this one.
func Open(path, from string, f Format, log *Log) (*Reader, error) {
	if f.MaxBytes <= 0 {
		f.MaxBytes = DefaultMaxBytes
	}
	if f.Context == nil {
		f.Context = context.Background()
	}
	src, err := openSource(f.Context, path, f.MaxBytes)
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

// Read reads the whole file, whose root element has one of the names, and
// closes it. The function reads the root element to its end.
func (r *Reader) Read(element func(Tag) error, roots ...string) error {
	defer r.src.Close()
	root, err := r.root(roots...)
	if err != nil {
		return err
	}
	if err := element(root); err != nil {
		return err
	}
	return r.end(root)
}

// root reads up to the root element, which must have one of the names.
func (r *Reader) root(names ...string) (Tag, error) {
	want := Alternatives("<?>", slices.Concat(names, r.OtherRoots), nil)
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

// end reads to the end of the file, which holds nothing after its root element.
func (r *Reader) end(root Tag) error {
	t, err := r.outside("the end of the file")
	switch err {
	case io.EOF:
		return nil
	case nil:
		return r.Fail(t.Line, "second root element <%s> after <%s>: want one", Clip(t.Name), root.Name)
	}
	return err
}

// outside reads the next tag outside the root element.
func (r *Reader) outside(want string) (Tag, error) {
	tok, err := r.next()
	switch tok := tok.(type) {
	case Tag:
		return tok, nil
	case string:
		err = r.Fail(r.line, "text %q outside the root element: want %s", Clip(tok), want)
	case xml.EndElement:
		err = r.Fail(r.line, "</%s> closes nothing: want %s", Clip(r.name(tok.Name)), want)
	}
	return Tag{}, err
}

// Element reads the element that t opens, to its end. It hands each attribute
// and each child of the vocabulary to a function; child reads the child to its
// end, or returns ErrSecond before it reads any.
func (r *Reader) Element(t Tag, attr func(xml.Attr) error, child func(Tag) error) error {
	return r.parts(t, attr, child, func(text string) error {
		if r.Remarks {
			return nil
		}
		return r.Odd(r.line, "only elements", "text %q in <%s>", Clip(text), t.Name)
	})
}

// parts reads the element that t opens, to its end, by the vocabulary.
func (r *Reader) parts(t Tag, attr func(xml.Attr) error, child func(Tag) error, text func(string) error) error {
	w := r.Vocabulary[t.Name]
	for i, a := range t.Attrs {
		name := a.Name.Local
		var err error
		switch {
		case slices.ContainsFunc(t.Attrs[:i], func(b xml.Attr) bool { return b.Name == a.Name }):
			err = r.Fail(t.Line, "second attribute %s in <%s>: want one", Clip(name), t.Name)
		case slices.Contains(w.Attrs, name):
			err = attr(a)
		case !slices.Contains(w.IgnoredAttrs, name) && !r.ofNamespaces(name):
			err = r.Odd(t.Line, Alternatives("?", w.Attrs, w.IgnoredAttrs),
				"unknown attribute %s=%q in <%s>", Clip(name), Clip(a.Value), t.Name)
		}
		if err != nil {
			return err
		}
	}
	return r.content(t, func(c Tag) error {
		switch {
		case slices.Contains(w.Children, c.Name):
			err := child(c)
			if err != ErrSecond {
				return err
			}
			if err := r.Odd(c.Line, "one", "second <%s> in <%s>", c.Name, t.Name); err != nil {
				return err
			}
		case !slices.Contains(w.IgnoredChildren, c.Name):
			err := r.Odd(c.Line, Alternatives("<?>", w.Children, w.IgnoredChildren),
				"unknown element <%s> in <%s>", Clip(c.Name), t.Name)
			if err != nil {
				return err
			}
		}
		return r.Skip(c)
	}, text)
}

// Text reads the element that t opens, to its end, and returns its text without
// the blanks around it. What stood on both sides of a comment is apart by one.
func (r *Reader) Text(t Tag) (string, error) {
	var text strings.Builder
	err := r.parts(t, nil, nil, func(part string) error {
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(part)
		if text.Len() > maxText {
			return r.Fail(t.Line, "text of more than %d bytes in <%s>: want fewer", maxText, t.Name)
		}
		return nil
	})
	return text.String(), err
}

// Skip reads to the end of an element of which nothing is wanted.
func (r *Reader) Skip(t Tag) error {
	return r.content(t, r.Skip, func(string) error { return nil })
}

// content hands over what stands between t and its closing tag.
func (r *Reader) content(t Tag, child func(Tag) error, text func(string) error) error {
	if r.depth++; r.depth > maxDepth {
		return r.Fail(t.Line, "<%s> nested too deep: want at most %d levels", Clip(t.Name), maxDepth)
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
				return r.Fail(r.line, "</%s> closes <%s> of line %d: want </%s>", Clip(name), Clip(t.Name), t.Line, Clip(t.Name))
			}
			r.depth--
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// next returns a tag, an xml.EndElement, or text that is not blank as a string.
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

// tag takes an opening tag as it is used here, within the limits.
func (r *Reader) tag(el xml.StartElement) (Tag, error) {
	t := Tag{Name: r.name(el.Name), Attrs: el.Attr, Line: r.line}
	if len(t.Attrs) > maxAttrs {
		return t, r.Fail(t.Line, "%d attributes in <%s>: want at most %d", len(t.Attrs), Clip(t.Name), maxAttrs)
	}
	for i, a := range t.Attrs {
		t.Attrs[i].Name = xml.Name{Local: fullName(a.Name)}
		if len(a.Value) > maxValue {
			return t, r.Fail(t.Line, "attribute %s of %d bytes in <%s>: want at most %d",
				Clip(a.Name.Local), len(a.Value), Clip(t.Name), maxValue)
		}
	}
	return t, nil
}

// name is an element's name without the prefix that the root element has.
func (r *Reader) name(n xml.Name) string {
	return strings.TrimPrefix(fullName(n), r.prefix)
}

// ofNamespaces reports whether an attribute declares or locates a namespace.
func (r *Reader) ofNamespaces(attr string) bool {
	return r.Namespaced && (attr == "xmlns" || strings.HasPrefix(attr, "xmlns:") || strings.HasPrefix(attr, "xsi:"))
}

func fullName(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// located gives the decoder's error its file and line.
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
