package spec

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Difference says what is the first that differs from the sweep of an older manifest: a key of the spec with both
// values, or a file of the scenes.
func (s *Spec) Difference(older []byte) string {
	was, err := readManifest(older)
	if err != nil {
		return err.Error()
	}
	if text := differentKey(s.Text, []byte(was.Spec)); text != "" {
		return text
	}
	if was.Spec != string(s.Text) {
		return "the spec differs in what has no value, such as a comment or the order of keys"
	}
	for i := range max(len(s.Files), len(was.Files)) {
		switch {
		case i >= len(s.Files) || i < len(was.Files) && was.Files[i].Name < s.Files[i].Name:
			return fmt.Sprintf("the scene file %s was one of its files, and is none now", was.Files[i].Name)
		case i >= len(was.Files) || s.Files[i].Name < was.Files[i].Name:
			return fmt.Sprintf("the scene file %s was none of its files", s.Files[i].Name)
		case s.Files[i] != was.Files[i]:
			return fmt.Sprintf("the scene file %s has the SHA-256 %.8s…, and had %.8s…", s.Files[i].Name, s.Files[i].SHA256, was.Files[i].SHA256)
		}
	}
	return "its scenes were read from other files"
}

// differentKey says which is the first key, or element of a list, with another value than in an older
// text; empty if there is none.
func differentKey(text, older []byte) string {
	now, was := (&reader{data: text}).values(), (&reader{data: older}).values()
	for _, v := range now.inOrder() {
		if other, ok := was[v.path]; !ok || other.text != v.text {
			return fmt.Sprintf("%s is %s, and was %s", v.path, v.text, cmp.Or(other.text, "missing"))
		}
	}
	for _, v := range was.inOrder() {
		if _, ok := now[v.path]; !ok {
			return fmt.Sprintf("%s is missing, and was %s", v.path, v.text)
		}
	}
	return ""
}

// value is one that is no list and no table.
type value struct {
	path, text string
	offset     int
}

type values map[string]value // by path

// values returns all that the file holds.
func (r *reader) values() values {
	all := values{}
	r.addValues(all, "", r.decode())
	return all
}

func (r *reader) addValues(all values, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, v := range v {
			r.addValues(all, within(path, name), v)
		}
	case []any:
		for i, v := range v {
			r.addValues(all, fmt.Sprintf("%s[%d]", path, i), v)
		}
	default:
		text := fmt.Sprint(v)
		if _, ok := v.(string); ok {
			text = fmt.Sprintf("%q", v)
		}
		all[path] = value{path, text, r.place(path)}
	}
}

// inOrder returns them in the order of the file.
func (all values) inOrder() []value {
	return slices.SortedFunc(maps.Values(all), func(a, b value) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), strings.Compare(a.path, b.path))
	})
}
