package vadere

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// reader reads one token after another, and knows the way of keys to where it is.
type reader struct {
	formats.Options
	file string
	data []byte
	dec  *json.Decoder
	keys []string // such as scenario, topography, sources[2]
	log  textio.Log

	offset, line int // where lines were counted last
}

// fields says how the values of an object's keys are read.
type fields map[string]func() error

// token returns the next token.
func (r *reader) token() (json.Token, error) {
	t, err := r.dec.Token()
	return t, r.located(err)
}

// located gives an error of the decoder its file and line.
func (r *reader) located(err error) error {
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return r.failAt(r.lineOf(len(r.data)), "%s ends before its closing bracket, want a whole file", r.at())
	case errors.As(err, &syntax):
		return r.failAt(r.next(), "JSON syntax in %s: %v", r.at(), err)
	}
	return fmt.Errorf("%s:%d: %w", r.file, r.here(), err)
}

// object reads an object of a kind: with these fields, and with what the vocabulary has of
// keys that are passed over. null is an object without keys.
func (r *reader) object(kind string, f fields) error {
	t, err := r.token()
	if err != nil || t == nil {
		return err
	}
	if t != json.Delim('{') {
		return r.wrong(t, "an object, {…}")
	}
	if r.Context != nil && r.Context.Err() != nil {
		return fmt.Errorf("%s: %w", r.file, context.Cause(r.Context))
	}
	ignored := vocabulary[kind]
	seen := map[string]bool{}
	for r.dec.More() {
		if t, err = r.token(); err != nil {
			return err
		}
		key := t.(string)
		r.keys = append(r.keys, textio.Clip(key))
		read, known := f[key]
		switch {
		case seen[key]:
			return r.fail("is there twice, want it once")
		case known:
			seen[key] = true
			err = read()
		case slices.Contains(ignored, key) || slices.Contains(ignored, "*"):
			err = r.skip()
		default:
			want := textio.Alternatives("?", slices.Sorted(maps.Keys(f)), ignored)
			if err = r.oddAt(r.here(), want, "unknown key %s", r.at()); err == nil {
				err = r.skip()
			}
		}
		if err != nil {
			return err
		}
		r.keys = r.keys[:len(r.keys)-1]
	}
	_, err = r.token()
	return err
}

// list reads a list, whose elements a function reads. null is an empty list.
func (r *reader) list(element func() error) error {
	t, err := r.token()
	if err != nil || t == nil {
		return err
	}
	if t != json.Delim('[') {
		return r.wrong(t, "a list, […]")
	}
	last := &r.keys[len(r.keys)-1]
	name := *last
	for i := 0; r.dec.More(); i++ {
		r.keys[len(r.keys)-1] = name + "[" + strconv.Itoa(i) + "]"
		if err := element(); err != nil {
			return err
		}
	}
	r.keys[len(r.keys)-1] = name
	_, err = r.token()
	return err
}

// skip reads to the end of a value of which nothing is wanted.
func (r *reader) skip() error {
	for depth := 0; ; {
		t, err := r.token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// number reads a number that ok allows. null leaves x as it is.
func (r *reader) number(x *float64, ok func(float64) bool, want string) error {
	t, err := r.token()
	if err != nil || t == nil {
		return err
	}
	y, wanted := textio.Number(digits(t), ok, want)
	if wanted != "" {
		return r.wrong(t, wanted)
	}
	*x = y
	return nil
}

// Lengths and places are bounded, so that a millimeter is still a difference, and times, so that
// their sums are finite.
const maxLength, maxTime = 1e9, 1e12

// place reads a coordinate.
func (r *reader) place(x *float64) error {
	return r.number(x, func(x float64) bool { return x >= -maxLength && x <= maxLength }, fmt.Sprintf("a place in meters, from %v to %v", -maxLength, maxLength))
}

// length reads a length.
func (r *reader) length(x *float64) error {
	return r.number(x, func(x float64) bool { return x >= 0 && x <= maxLength }, fmt.Sprintf("a length in meters, from 0 to %v", maxLength))
}

// time reads a time. The greatest number that Vadere knows stands for one that never comes.
func (r *reader) time(x *float64, ok func(float64) bool, want string) error {
	t, err := r.token()
	if err != nil || t == nil {
		return err
	}
	y, err := strconv.ParseFloat(digits(t), 64)
	if err != nil || !ok(y) {
		return r.wrong(t, want+" s")
	}
	*x = min(y, maxTime)
	return nil
}

// digits returns what a number is written with, which may stand in quotes; nothing if it is none.
func digits(t json.Token) string {
	switch t := t.(type) {
	case json.Number:
		return t.String()
	case string:
		return t
	}
	return ""
}

// whole reads a whole number from least to most, and reports whether there is one. null leaves
// n as it is.
func (r *reader) whole(n *int64, least, most int64) (bool, error) {
	t, err := r.token()
	if err != nil || t == nil {
		return false, err
	}
	m, err := strconv.ParseInt(digits(t), 10, 64)
	if err != nil || m < least || m > most {
		return false, r.wrong(t, fmt.Sprintf("a whole number from %d to %d", least, most))
	}
	*n = m
	return true, nil
}

// integer reads a whole number from least to what 32 bits hold.
func (r *reader) integer(n *int, least int) error {
	m := int64(*n)
	_, err := r.whole(&m, int64(least), 1<<31-1)
	*n = int(m)
	return err
}

// id reads the id of something.
func (r *reader) id(n *int) error { return r.integer(n, -1<<31) }

// plain reads a value of a type of JSON. null leaves x as it is.
func plain[T any](r *reader, x *T, want string) error {
	t, err := r.token()
	if err != nil || t == nil {
		return err
	}
	y, ok := t.(T)
	if !ok {
		return r.wrong(t, want)
	}
	*x = y
	return nil
}

func (r *reader) boolean(b *bool) error { return plain(r, b, "true or false") }
func (r *reader) text(s *string) error  { return plain(r, s, "a text") }

// point reads {"x" : …, "y" : …}.
func (r *reader) point(p *r2.Vec) error {
	return r.object("point", fields{
		"x": func() error { return r.place(&p.X) },
		"y": func() error { return r.place(&p.Y) },
	})
}

// unused counts what a part has that is not read.
func (r *reader) unused(s *Scenario, key string) error {
	t, err := r.token()
	if err != nil || t == nil {
		return err
	}
	u := Unused{Key: key, Line: r.here(), N: 1}
	if t == json.Delim('[') {
		for u.N = 0; r.dec.More(); u.N++ {
			if err := r.skip(); err != nil {
				return err
			}
		}
		_, err = r.token()
	} else if t == json.Delim('{') {
		for err == nil && r.dec.More() {
			err = r.skip()
		}
		if err == nil {
			_, err = r.token()
		}
	}
	if u.N > 0 {
		s.Unused = append(s.Unused, u)
	}
	return err
}

// at is the way to where the reader is.
func (r *reader) at() string {
	if len(r.keys) == 0 {
		return "the file"
	}
	return strings.Join(r.keys, ".")
}

// rest is what follows the last token, from the next one on.
func (r *reader) rest() []byte { return bytes.TrimLeft(r.data[r.dec.InputOffset():], ",: \t\r\n") }

// begins reports whether the next token begins so.
func (r *reader) begins(with string) bool { return bytes.HasPrefix(r.rest(), []byte(with)) }

// next is the line of the next token.
func (r *reader) next() int { return r.lineOf(len(r.data) - len(r.rest())) }

// here is the line of the last token.
func (r *reader) here() int { return r.lineOf(int(r.dec.InputOffset())) }

// lineOf returns the line of an offset.
func (r *reader) lineOf(offset int) int {
	if offset < r.offset {
		r.offset, r.line = 0, 1
	}
	offset = min(offset, len(r.data))
	r.line += bytes.Count(r.data[r.offset:offset], []byte("\n"))
	r.offset = offset
	return r.line
}

// wrong is the error of a value that is not what is wanted.
func (r *reader) wrong(t json.Token, want string) error {
	found := fmt.Sprint(t)
	switch t := t.(type) {
	case string:
		found = strconv.Quote(textio.Clip(t))
	case json.Number:
		found = textio.Clip(t.String())
	case json.Delim:
		found = map[json.Delim]string{'{': "an object", '[': "a list"}[t]
	}
	return r.fail("is %s, want %s", found, want)
}

// fail is an error that begins with the file, the line, and the way of keys.
func (r *reader) fail(format string, args ...any) error {
	return r.failAt(r.here(), "%s %s", r.at(), fmt.Sprintf(format, args...))
}

func (r *reader) failAt(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, line, fmt.Sprintf(format, args...))
}

// oddAt is for what is not known: an error, or in a lenient reading a warning.
func (r *reader) oddAt(line int, want, format string, args ...any) error {
	found := fmt.Sprintf(format, args...)
	if !r.Lenient {
		return r.failAt(line, "%s, want %s", found, want)
	}
	r.log.Add(func() string { return r.failAt(line, "skipped: %s", found).Error() })
	return nil
}
