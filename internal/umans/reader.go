package umans

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	maxDepth    = 32   // nested elements
	maxAttrs    = 64   // of one element
	maxValue    = 4096 // bytes of an attribute
	maxWarnings = 100  // that are kept; the rest is counted
)

// errSecond is how an element says that a child may stand in it only once.
var errSecond = errors.New("second")

// tag is the opening tag of an element.
type tag struct {
	name  string
	attrs []xml.Attr // Name.Local holds the full name, with its prefix
	line  int
}

func (t tag) attr(name string) (xml.Attr, bool) {
	i := slices.IndexFunc(t.attrs, func(a xml.Attr) bool { return a.Name.Local == name })
	if i < 0 {
		return xml.Attr{}, false
	}
	return t.attrs[i], true
}

// reader walks one XML file. It reads raw tokens, since these files have no
// namespaces, and checks itself that the tags match.
type reader struct {
	*loader
	src      *source
	dec      *xml.Decoder
	line     int // where the last token begins
	depth    int
	encoding string // declared, and not UTF-8
}

func newReader(l *loader, src *source) *reader {
	r := &reader{loader: l, src: src, dec: xml.NewDecoder(src)}
	r.dec.CharsetReader = func(label string, _ io.Reader) (io.Reader, error) {
		r.encoding = label
		return nil, errors.ErrUnsupported
	}
	return r
}

// root reads up to the root element, which must have one of the names.
func (r *reader) root(names ...string) (tag, error) {
	want := alternatives("<?>", names, nil)
	t, err := r.outside(want)
	switch {
	case err == io.EOF:
		return t, r.fail(r.line, "no root element: want %s", want)
	case err == nil && !slices.Contains(names, t.name):
		return t, r.fail(t.line, "root element <%s>: want %s", clip(t.name), want)
	}
	return t, err
}

// end reads to the end of the file, which holds nothing after its root element.
func (r *reader) end(root tag) error {
	t, err := r.outside("the end of the file")
	switch err {
	case io.EOF:
		return nil
	case nil:
		return r.fail(t.line, "second root element <%s> after <%s>: want one", clip(t.name), root.name)
	}
	return err
}

// outside reads the next tag outside the root element.
func (r *reader) outside(want string) (tag, error) {
	tok, err := r.next()
	switch tok := tok.(type) {
	case tag:
		return tok, nil
	case string:
		err = r.fail(r.line, "text %q outside the root element: want %s", clip(tok), want)
	case xml.EndElement:
		err = r.fail(r.line, "</%s> closes nothing: want %s", clip(fullName(tok.Name)), want)
	}
	return tag{}, err
}

// element reads the element that t opens, to its end. It hands each attribute
// and each child of the vocabulary to a function; child reads the child to its
// end, or returns errSecond before it reads any.
func (r *reader) element(t tag, attr func(xml.Attr) error, child func(tag) error) error {
	w := vocabulary[t.name]
	for i, a := range t.attrs {
		name := a.Name.Local
		var err error
		switch {
		case slices.ContainsFunc(t.attrs[:i], func(b xml.Attr) bool { return b.Name == a.Name }):
			err = r.fail(t.line, "second attribute %s in <%s>: want one", clip(name), t.name)
		case slices.Contains(w.attrs, name):
			err = attr(a)
		case !slices.Contains(w.ignoredAttrs, name):
			err = r.odd(t.line, alternatives("?", w.attrs, w.ignoredAttrs),
				"unknown attribute %s=%q in <%s>", clip(name), clip(a.Value), t.name)
		}
		if err != nil {
			return err
		}
	}
	return r.content(t, func(c tag) error {
		switch {
		case slices.Contains(w.children, c.name):
			err := child(c)
			if err != errSecond {
				return err
			}
			if err := r.odd(c.line, "one", "second <%s> in <%s>", c.name, t.name); err != nil {
				return err
			}
		case !slices.Contains(w.ignoredChildren, c.name):
			err := r.odd(c.line, alternatives("<?>", w.children, w.ignoredChildren),
				"unknown element <%s> in <%s>", clip(c.name), t.name)
			if err != nil {
				return err
			}
		}
		return r.skip(c)
	}, func(text string) error {
		return r.odd(r.line, "only elements", "text %q in <%s>", clip(text), t.name)
	})
}

// skip reads to the end of an element of which nothing is wanted.
func (r *reader) skip(t tag) error {
	return r.content(t, r.skip, func(string) error { return nil })
}

// content hands over what stands between t and its closing tag.
func (r *reader) content(t tag, child func(tag) error, text func(string) error) error {
	if r.depth++; r.depth > maxDepth {
		return r.fail(t.line, "<%s> nested too deep: want at most %d levels", clip(t.name), maxDepth)
	}
	for {
		tok, err := r.next()
		if err == io.EOF {
			return r.fail(r.line, "file ends inside <%s>: want </%s>", clip(t.name), clip(t.name))
		}
		if err != nil {
			return err
		}
		switch tok := tok.(type) {
		case tag:
			err = child(tok)
		case string:
			err = text(tok)
		case xml.EndElement:
			if name := fullName(tok.Name); name != t.name {
				return r.fail(r.line, "</%s> closes <%s> of line %d: want </%s>", clip(name), clip(t.name), t.line, clip(t.name))
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
func (r *reader) next() (any, error) {
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
			return nil, r.fail(r.line, "<!%s>: want no DOCTYPE or other declaration", clip(string(tok)))
		}
	}
}

// tag takes an opening tag as it is used here, within the limits.
func (r *reader) tag(el xml.StartElement) (tag, error) {
	t := tag{name: fullName(el.Name), attrs: el.Attr, line: r.line}
	if len(t.attrs) > maxAttrs {
		return t, r.fail(t.line, "%d attributes in <%s>: want at most %d", len(t.attrs), clip(t.name), maxAttrs)
	}
	for i, a := range t.attrs {
		t.attrs[i].Name = xml.Name{Local: fullName(a.Name)}
		if len(a.Value) > maxValue {
			return t, r.fail(t.line, "attribute %s of %d bytes in <%s>: want at most %d",
				clip(a.Name.Local), len(a.Value), clip(t.name), maxValue)
		}
	}
	return t, nil
}

func fullName(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// located gives the decoder's error its file and line.
func (r *reader) located(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case err == io.EOF:
		return err
	case r.encoding != "":
		return r.fail(r.line, "encoding %q: want UTF-8", clip(r.encoding))
	case errors.As(err, &syntax):
		return r.fail(syntax.Line, "XML syntax: %s", clip(syntax.Msg))
	}
	line, _ := r.dec.InputPos()
	return fmt.Errorf("%s:%d: %w", r.src.path, line, err)
}

func (r *reader) fail(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.src.path, line, fmt.Sprintf(format, args...))
}

// odd is for what the format does not know: an error, or in a lenient reading a
// warning.
func (r *reader) odd(line int, want, format string, args ...any) error {
	found := fmt.Sprintf(format, args...)
	if !r.Lenient {
		return r.fail(line, "%s: want %s", found, want)
	}
	r.warn(line, "skipped: %s", found)
	return nil
}

func (r *reader) warn(line int, format string, args ...any) {
	if len(r.sim.Warnings) >= maxWarnings {
		r.unsaid++
		return
	}
	r.sim.Warnings = append(r.sim.Warnings, r.fail(line, format, args...).Error())
}

// clip shortens what a message quotes from a file.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
