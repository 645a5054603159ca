package scene

import (
	"fmt"
	"strings"
	"unicode"
)

// lineLength is where the lists of a written file are broken, in bytes.
const lineLength = 100

// writer makes the text of a scene file.
type writer struct{ strings.Builder }

// table writes the keys of a table line by line: first what stands on lines of
// its own, then the tables under headers. Header is the path of this table.
func (w *writer) table(header string, keys []key) {
	for _, k := range keys {
		if k.tables == nil && !k.isReset() {
			fmt.Fprintf(w, "%s = ", k.name)
			k.write(w)
			w.WriteString("\n")
		}
	}
	for _, k := range keys {
		if k.tables == nil || k.isReset() {
			continue
		}
		path, form := header+k.name, "\n[%s]\n"
		if k.many {
			form = "\n[[%s]]\n"
		}
		for _, keys := range k.tables() {
			fmt.Fprintf(w, form, path)
			w.table(path+".", keys)
		}
	}
}

// braces writes a table on one line.
func (w *writer) braces(keys []key) {
	sep := "{"
	for _, k := range keys {
		if !k.isReset() {
			fmt.Fprintf(w, "%s%s = ", sep, k.name)
			k.write(w)
			sep = ", "
		}
	}
	if sep == "{" {
		w.WriteString(sep)
	}
	w.WriteString("}")
}

// list writes a list on one line, or broken into several where it is long.
func (w *writer) list(n int, element func(w *writer, i int)) {
	all, total := make([]string, n), 0
	for i := range all {
		var one writer
		element(&one, i)
		all[i] = one.String()
		total += len(all[i]) + 2
	}
	if total <= lineLength {
		w.WriteString("[" + strings.Join(all, ", ") + "]")
		return
	}
	w.WriteString("[")
	column := lineLength
	for _, text := range all {
		if column += len(text) + 2; column > lineLength {
			w.WriteString("\n ")
			column = 2 + len(text)
		}
		w.WriteString(" " + text + ",")
	}
	w.WriteString("\n]")
}

// quote returns a text as a basic string of TOML.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b.WriteRune('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case !unicode.IsGraphic(c) && c <= 0xffff: // what a terminal would obey, among others
			fmt.Fprintf(&b, `\u%04X`, c)
		case !unicode.IsGraphic(c):
			fmt.Fprintf(&b, `\U%08X`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
