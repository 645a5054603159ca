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

type reader struct {
	formats.Options
	file string
	data []byte
	dec  *json.Decoder
	keys []string // keys that lead to the current token, such as scenario, topography, sources[2]
	log  textio.Log

	offset, line int // position up to which lines are counted, and the line there
}

type fields map[string]func() error

func (r *reader) token() (json.Token, error) {
	t, err := r.dec.Token()
	return t, r.located(err)
}

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

// Each function that one of the following methods returns reads one value. A null changes nothing.

func (r *reader) number(x *float64, l textio.Limit) func() error {
	return r.value(func(t json.Token) error {
		y, want := l.Parse(digits(t))
		if want != "" {
			return r.wrong(t, want)
		}
		*x = y
		return nil
	})
}

func (r *reader) value(take func(json.Token) error) func() error {
	return func() error {
		t, err := r.token()
		if err != nil || t == nil {
			return err
		}
		return take(t)
	}
}

// With the first limit, a millimeter still makes a difference; with the second, sums of times are finite.
const maxLength, maxTime = 1e9, 1e12 // m, s

func between(least float64, what string) textio.Limit {
	return textio.Limit{
		OK:   func(x float64) bool { return x >= least && x <= maxLength },
		Want: fmt.Sprintf("a %s in meters, from %v to %v", what, least, maxLength),
	}
}

var aPlace, aLength = between(-maxLength, "coordinate"), between(0, "length")

func (r *reader) place(x *float64) func() error  { return r.number(x, aPlace) }
func (r *reader) length(x *float64) func() error { return r.number(x, aLength) }

// time reads a time, and limits it: for a time that never comes, Vadere writes the largest number.
func (r *reader) time(x *float64, l textio.Limit) func() error {
	return r.value(func(t json.Token) error {
		y, err := strconv.ParseFloat(digits(t), 64)
		if err != nil || !l.OK(y) {
			return r.wrong(t, l.Want+" s")
		}
		*x = min(y, maxTime)
		return nil
	})
}

// digits returns the text of a number, which may be in quotes.
func digits(t json.Token) string {
	switch t := t.(type) {
	case json.Number:
		return t.String()
	case string:
		return t
	}
	return ""
}

func (r *reader) whole(least, most int64, set func(int64)) func() error {
	return r.value(func(t json.Token) error {
		n, err := strconv.ParseInt(digits(t), 10, 64)
		if err != nil || n < least || n > most {
			return r.wrong(t, fmt.Sprintf("a whole number from %d to %d", least, most))
		}
		set(n)
		return nil
	})
}

func (r *reader) integer(n *int, least int64) func() error {
	return r.whole(least, 1<<31-1, func(m int64) { *n = int(m) })
}

func (r *reader) id(n *int) func() error { return r.integer(n, -1<<31) }

func plain[T any](r *reader, x *T, want string) func() error {
	return r.value(func(t json.Token) error {
		y, ok := t.(T)
		if !ok {
			return r.wrong(t, want)
		}
		*x = y
		return nil
	})
}

func (r *reader) boolean(b *bool) func() error { return plain(r, b, "true or false") }
func (r *reader) text(s *string) func() error  { return plain(r, s, "a string") }

// object reads an object with the given fields. It ignores the keys that vocabulary lists for this kind of
// object. For all other keys, see oddAt.
func (r *reader) object(kind string, f fields) func() error {
	return r.value(func(t json.Token) error {
		if t != json.Delim('{') {
			return r.wrong(t, "an object, {…}")
		}
		if r.Context != nil && r.Context.Err() != nil {
			return fmt.Errorf("%s: %w", r.file, context.Cause(r.Context))
		}
		seen := map[string]bool{}
		for r.dec.More() {
			t, err := r.token()
			if err != nil {
				return err
			}
			key := t.(string)
			r.keys = append(r.keys, textio.Clip(key))
			if seen[key] {
				return r.fail("occurs twice, want it once")
			}
			if seen[key] = f[key] != nil; seen[key] {
				err = f[key]()
			} else {
				err = r.ignored(key, vocabulary[kind], f)
			}
			if err != nil {
				return err
			}
			r.keys = r.keys[:len(r.keys)-1]
		}
		_, err := r.token()
		return err
	})
}

func (r *reader) ignored(key string, known []string, f fields) error {
	if !slices.Contains(known, key) && !slices.Contains(known, "*") {
		want := textio.Alternatives("?", slices.Sorted(maps.Keys(f)), known)
		if err := r.oddAt(r.here(), want, "unknown key %s", r.at()); err != nil {
			return err
		}
	}
	return r.skip()
}

func (r *reader) point(p *r2.Vec) func() error {
	return r.object("point", fields{"x": r.place(&p.X), "y": r.place(&p.Y)})
}

func (r *reader) list(element func() error) func() error {
	return r.value(func(t json.Token) error {
		if t != json.Delim('[') {
			return r.wrong(t, "a list, […]")
		}
		name := r.keys[len(r.keys)-1]
		for i := 0; r.dec.More(); i++ {
			r.keys[len(r.keys)-1] = name + "[" + strconv.Itoa(i) + "]"
			if err := element(); err != nil {
				return err
			}
		}
		r.keys[len(r.keys)-1] = name
		_, err := r.token()
		return err
	})
}

func each[T any](r *reader, all *[]T, read func(*T) func() error) func() error {
	return r.list(func() error {
		var x T
		err := read(&x)()
		*all = append(*all, x)
		return err
	})
}

// unused skips a part that is not read, and adds it to s.Unused unless it is null or an empty list.
func (r *reader) unused(s *Scenario, key string) func() error {
	return r.value(func(t json.Token) (err error) {
		u := Unused{Key: key, Line: r.here(), N: 1}
		switch t {
		case json.Delim('['):
			for u.N = 0; err == nil && r.dec.More(); u.N++ {
				err = r.skip()
			}
		case json.Delim('{'):
			for err == nil && r.dec.More() {
				err = r.skip()
			}
		default:
			s.Unused = append(s.Unused, u)
			return nil
		}
		if err == nil {
			_, err = r.token()
		}
		if u.N > 0 {
			s.Unused = append(s.Unused, u)
		}
		return err
	})
}

func (r *reader) at() string {
	if len(r.keys) == 0 {
		return "the file"
	}
	return strings.Join(r.keys, ".")
}

func (r *reader) rest() []byte { return bytes.TrimLeft(r.data[r.dec.InputOffset():], ",: \t\r\n") }

func (r *reader) begins(with string) bool { return bytes.HasPrefix(r.rest(), []byte(with)) }

func (r *reader) next() int { return r.lineOf(len(r.data) - len(r.rest())) }

// here returns the line of the last token.
func (r *reader) here() int { return r.lineOf(int(r.dec.InputOffset())) }

func (r *reader) lineOf(offset int) int {
	if offset < r.offset {
		r.offset, r.line = 0, 1
	}
	offset = min(offset, len(r.data))
	r.line += bytes.Count(r.data[r.offset:offset], []byte("\n"))
	r.offset = offset
	return r.line
}

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

func (r *reader) fail(format string, args ...any) error {
	return r.failAt(r.here(), "%s %s", r.at(), fmt.Sprintf(format, args...))
}

func (r *reader) failAt(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, line, fmt.Sprintf(format, args...))
}

// oddAt returns the error for something unknown or, if the reader is lenient, logs a warning and returns nil.
func (r *reader) oddAt(line int, want, format string, args ...any) error {
	found := fmt.Sprintf(format, args...)
	if !r.Lenient {
		return r.failAt(line, "%s, want %s", found, want)
	}
	r.warn(line, "skipped: %s", found)
	return nil
}

func (r *reader) warn(line int, format string, args ...any) {
	r.log.Add(func() string { return r.failAt(line, format, args...).Error() })
}
