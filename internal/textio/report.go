package textio

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

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
