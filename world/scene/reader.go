package scene

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/8f878440/crowd/internal/suggest"
)

const maxFaults = 20

type reader struct {
	ctx     context.Context
	values  int  // number of list elements read
	cut     bool // ctx was canceled
	name    string
	data    []byte
	lenient bool     // unknown keys give warnings
	path    []string // of the value being read
	faults  []fault
	more    int // faults beyond maxFaults
	unknown []fault
	older   []fault // outdated keys
	unread  []fault // unsupported parts of other files

	file  string   // path; empty if the scene must not name other files
	files []string // that the scene names
	allow func(path string) error
}

func (r *reader) ended() bool {
	r.values++
	r.cut = r.cut || ended(r.ctx, r.values-1, cheapRows) != nil
	return r.cut
}

func (r *reader) enter(part string, read func()) {
	r.path = append(r.path, part)
	read()
	r.path = r.path[:len(r.path)-1]
}

func (r *reader) at() string {
	return strings.TrimPrefix(strings.ReplaceAll(strings.Join(r.path, "."), ".[", "["), ".")
}

func (r *reader) count() int { return len(r.faults) + r.more }

func (r *reader) fault(offset int, format string, args ...any) {
	if len(r.faults) == maxFaults {
		r.more++
		return
	}
	r.faults = append(r.faults, fault{offset, fmt.Sprintf(format, args...)})
}

func (r *reader) wrong(n *node, want string) {
	r.fault(n.offset, "%s is %s, want %s", r.at(), n.describe(), want)
}

// cut returns text for a message, truncated to 40 bytes and escaped.
func cut(text string) string {
	const most = 40
	quoted := strconv.Quote(text[:min(len(text), most)])
	text = either(len(text) > most, "…", "")
	return quoted[1:len(quoted)-1] + text
}

func (n *node) describe() string {
	switch n.kind {
	case isText:
		return `"` + cut(n.text) + `"`
	case isList:
		return fmt.Sprintf("a list of length %d", len(n.list))
	case isTable:
		return "a table"
	}
	return cut(n.text)
}

// table reads n into keys, and resets optional keys that n lacks.
func (r *reader) table(n *node, keys []key) {
	if n.kind != isTable {
		r.wrong(n, "a table with "+keyNames(keys))
		return
	}
	meant := map[string]bool{}
	for i := range n.table.entries {
		if e := &n.table.entries[i]; !slices.ContainsFunc(keys, func(k key) bool { return k.isNamed(e.name) }) {
			meant[r.unknownKey(e, keys)] = true
		}
	}
	for i := range keys {
		k := &keys[i]
		switch e := r.find(n.table, k); {
		case e != nil:
			r.enter(e.name, func() { k.read(r, &e.node) })
		case k.must && meant[k.name]: // misspelled
		case k.must:
			r.enter(k.name, func() { r.fault(n.offset, "%s is missing: %s", r.at(), k.text) })
		default:
			k.reset()
		}
	}
}

// unknownKey adds a fault about e or, if r is lenient, a warning. It returns the key that the fault
// suggests, or "".
func (r *reader) unknownKey(e *entry, keys []key) (meant string) {
	if r.lenient {
		if len(r.unknown) < maxFaults {
			r.enter(cut(e.name), func() { r.unknown = append(r.unknown, fault{e.offset, r.at() + " is unknown and skipped"}) })
		}
		return ""
	}
	if len(r.faults) == maxFaults {
		r.more++
		return ""
	}
	meant = suggest.Nearest(e.name, strings.Split(keyNames(keys), ", "))
	hint := "want " + keyNames(keys)
	if tables := holders(e.name, keys); tables != "" {
		hint, meant = "it belongs in "+tables, ""
	} else if meant != "" {
		hint = fmt.Sprintf("did you mean %q?", meant)
	}
	r.enter(cut(e.name), func() { r.fault(e.offset, "%s is not a key: %s", r.at(), hint) })
	return meant
}

func holders(name string, keys []key) string {
	var names []string
	for _, k := range keys {
		if k.keys != nil && slices.ContainsFunc(k.keys(), func(k key) bool { return k.name == name }) {
			names = append(names, k.name)
		}
	}
	return strings.Join(names, ", ")
}

func keyNames(keys []key) string {
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}

// line formats a fault as file:line:column: text. Columns count characters.
func (r *reader) line(f fault) string {
	before := r.data[:min(f.offset, len(r.data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("%s:%d:%d: %s", r.name, bytes.Count(before, []byte{'\n'})+1, utf8.RuneCount(before[start:])+1, f.text)
}

func (r *reader) err() error {
	slices.SortStableFunc(r.faults, func(a, b fault) int { return a.offset - b.offset })
	var all []error
	for _, f := range r.faults {
		all = append(all, errors.New(r.line(f)))
	}
	if r.more > 0 {
		all = append(all, fmt.Errorf("%s: and %d more", r.name, r.more))
	}
	return errors.Join(all...)
}

// locate returns the offset of the value at a path or, if the file lacks it, of its nearest ancestor.
func (t *table) locate(path string) int {
	n := &node{kind: isTable, table: t}
	for _, part := range strings.FieldsFunc(path, func(c rune) bool { return c == '.' || c == '[' || c == ']' }) {
		i, err := strconv.Atoi(part)
		switch {
		case err == nil && n.kind == isList && i < len(n.list):
			n = &n.list[i]
		case n.kind == isTable && n.table.find(part) != nil:
			e := n.table.find(part)
			n = &e.node
		default:
			return n.offset
		}
	}
	return n.offset
}
