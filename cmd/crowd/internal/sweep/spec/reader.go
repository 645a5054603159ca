package spec

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/8f878440/crowd/internal/suggest"
	"github.com/pelletier/go-toml/v2"
)

// maxFaults limits how many faults of a file are listed.
const maxFaults = 20

// reader reads a file, and gathers what is wrong with it.
type reader struct {
	name   string
	data   []byte
	places *places
	faults []fault

	reported map[string]bool // axes of which a fault is known
}

// fault is what is wrong, and where.
type fault struct {
	offset int
	text   string
}

// decode returns what the file holds.
func (r *reader) decode() map[string]any {
	r.places = placesOf(r.data)
	if at := r.places.deep; at >= 0 {
		r.faults = append(r.faults, fault{at, fmt.Sprintf("nested too deep, want at most %d levels", maxLevels)})
		return nil
	}
	var all map[string]any
	err := toml.Unmarshal(r.data, &all)
	var bad *toml.DecodeError
	switch {
	case errors.As(err, &bad):
		line, column := bad.Position()
		r.faults = append(r.faults, fault{r.offset(line, column), strings.TrimPrefix(bad.Error(), "toml: ")})
	case err != nil:
		r.faults = append(r.faults, fault{0, err.Error()})
	}
	return all
}

// fault says what is wrong with the value at a path.
func (r *reader) fault(path, format string, args ...any) {
	f := fault{r.place(path), path + " " + fmt.Sprintf(format, args...)}
	if len(r.faults) < maxFaults && !slices.Contains(r.faults, f) {
		r.faults = append(r.faults, f)
	}
}

// place returns the offset of a path, or of the nearest thing above it that the file has.
func (r *reader) place(path string) int {
	for path != "" {
		if offset, ok := r.places.at[path]; ok {
			return offset
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return 0
}

// offset returns that of a line and a column, both from 1.
func (r *reader) offset(line, column int) int {
	at := 0
	for range line - 1 {
		at += bytes.IndexByte(r.data[at:], '\n') + 1
	}
	return min(at+column-1, len(r.data))
}

// err returns all faults in the order of the file, one a line; nil if there are none.
func (r *reader) err() error {
	slices.SortStableFunc(r.faults, func(a, b fault) int { return cmp.Compare(a.offset, b.offset) })
	var all []error
	for _, f := range r.faults {
		before := r.data[:min(f.offset, len(r.data))]
		start := bytes.LastIndexByte(before, '\n') + 1
		all = append(all, fmt.Errorf("%s:%d:%d: %s", r.name, bytes.Count(before, []byte{'\n'})+1, utf8.RuneCount(before[start:])+1, f.text))
	}
	return errors.Join(all...)
}

// key is one that a table may have.
type key struct {
	name string
	read func(path string, v any)
}

// table reads the keys of a table.
func (r *reader) table(path string, v any, keys []key) {
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	entries, ok := v.(map[string]any)
	if !ok {
		r.wrong(path, v, "a table with "+strings.Join(names, ", "))
		return
	}
	for name := range entries { // faults are sorted
		if !slices.Contains(names, name) {
			hint := cmp.Or(suggest.DidYouMean(name, names), "want "+strings.Join(names, ", "))
			r.fault(within(path, name), "is not a key: %s", hint)
		}
	}
	for _, k := range keys {
		if v, ok := entries[k.name]; ok {
			k.read(within(path, k.name), v)
		}
	}
}

// within returns the path of a key of a table.
func within(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// wrong says that a value is not what is wanted.
func (r *reader) wrong(path string, v any, want string) {
	is := fmt.Sprint(v)
	switch v := v.(type) {
	case string:
		is = fmt.Sprintf("%q", v)
	case []any:
		is = fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		is = "a table"
	}
	if len(is) > 60 {
		is = strings.ToValidUTF8(is[:60], "") + "…"
	}
	r.fault(path, "is %s, want %s", is, want)
}

// whole reads a whole number.
func whole[T int | int64 | uint64](r *reader, to *T, least, most int64) func(string, any) {
	return func(path string, v any) {
		n, ok := v.(int64)
		if !ok || n < least || n > most {
			want := fmt.Sprintf("a whole number, %d to %d", least, most)
			if most == math.MaxInt64 {
				want = fmt.Sprintf("a whole number, %d or more", least)
			}
			r.wrong(path, v, want)
			return
		}
		*to = T(n)
	}
}

// text reads a text, and hands it on with its path.
func (r *reader) text(want string, read func(text string) bool) func(string, any) {
	return func(path string, v any) {
		if text, ok := v.(string); !ok || !read(text) {
			r.wrong(path, v, want)
		}
	}
}

// flag reads true or false.
func (r *reader) flag(to *bool) func(string, any) {
	return func(path string, v any) {
		ok := false
		if *to, ok = v.(bool); !ok {
			r.wrong(path, v, "true or false")
		}
	}
}

// list reads the elements of a list, 1 to most.
func (r *reader) list(most int, want string, read func(path string, v any)) func(string, any) {
	return func(path string, v any) {
		all, ok := v.([]any)
		if !ok || len(all) == 0 || len(all) > most {
			r.wrong(path, v, want)
			return
		}
		for i, v := range all {
			read(fmt.Sprintf("%s[%d]", path, i), v)
		}
	}
}

// number returns a value as a finite number.
func number(v any) (x float64, ok bool) {
	switch v := v.(type) {
	case int64:
		x, ok = float64(v), true
	case float64:
		x, ok = v, true
	}
	return x, ok && !math.IsNaN(x) && !math.IsInf(x, 0)
}
