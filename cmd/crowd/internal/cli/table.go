package cli

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// Columns is how many letters a line of a terminal has at least.
const Columns = 80

// Table writes lines of several cells in columns: rows of a name and a text, or lines
// below a head. The text of a row is wrapped at 80 columns.
type Table struct {
	to    io.Writer
	lines []line
}

// line is a line of a table: its name is strong, the cells are in a style, and the last one
// may be in another.
type line struct {
	name, cells string
	named       bool
	style       Style
	last        string // cell; empty: as the others
	lastStyle   Style
}

// Row adds a row to a table.
type Row = func(name, format string, args ...any)

// NewTable returns a table without rows.
func NewTable(w io.Writer) *Table { return &Table{to: w} }

// Row adds a row of a name and a text. The format may have tabs between cells; it is not
// wrapped then.
func (t *Table) Row(name, format string, args ...any) { t.RowIn(Plain, name, format, args...) }

// RowIn adds a row whose text is in a style.
func (t *Table) RowIn(s Style, name, format string, args ...any) {
	t.lines = append(t.lines, line{name: Escape(name), cells: fmt.Sprintf(format, escaped(args)...), named: true, style: s})
}

// Head adds the line that names the columns.
func (t *Table) Head(format string, args ...any) { t.Line(Strong, format, args...) }

// Line adds a line of cells in a style. The format has tabs between them.
func (t *Table) Line(s Style, format string, args ...any) {
	t.lines = append(t.lines, line{cells: fmt.Sprintf(format, escaped(args)...), style: s})
}

// Verdict adds a line of cells, and a last one in a style. The format has tabs between them.
func (t *Table) Verdict(s Style, verdict, format string, args ...any) {
	verdict = Escape(verdict)
	t.lines = append(t.lines, line{cells: fmt.Sprintf(format, escaped(args)...) + "\t" + verdict, last: verdict, lastStyle: s})
}

// Flush writes what was added.
func (t *Table) Flush() error {
	lines := t.wrapped()
	t.lines = nil
	var text bytes.Buffer
	cells := tabwriter.NewWriter(&text, 0, 0, gap, ' ', 0)
	for _, l := range lines {
		if l.named {
			l.name += "\t"
		}
		_, _ = io.WriteString(cells, l.name+l.cells+"\n") // a buffer takes all
	}
	if err := cells.Flush(); err != nil {
		return err
	}
	for _, l := range lines {
		laid, err := text.ReadString('\n')
		if err != nil {
			return err
		}
		name, rest := laid[:len(l.name)], strings.TrimRight(laid[len(l.name):], " \n")
		if err := Strong.Write(t.to, name); err != nil {
			return err
		}
		rest = strings.TrimSuffix(rest, l.last)
		if err := l.style.Write(t.to, rest); err != nil {
			return err
		}
		if err := l.lastStyle.Write(t.to, l.last); err != nil {
			return err
		}
		if err := Plain.Write(t.to, "\n"); err != nil {
			return err
		}
	}
	return nil
}

// gap is how many blanks are between columns.
const gap = 2

// wrapped returns the lines with those cut that are longer than a line of a terminal.
func (t *Table) wrapped() (lines []line) {
	most := Columns - gap
	for _, l := range t.lines {
		most = min(most, Columns-gap-utf8.RuneCountInString(l.name))
	}
	for _, l := range t.lines {
		if !l.named || strings.Contains(l.cells, "\t") || utf8.RuneCountInString(l.cells) <= most {
			lines = append(lines, l)
			continue
		}
		for _, text := range wrap(l.cells, most) {
			lines = append(lines, line{name: l.name, cells: text, named: true, style: l.style})
			l.name = ""
		}
	}
	return lines
}

// wrap returns a text in lines of at most a number of letters, as far as words allow.
// Blanks at its beginning, which align it with others, stay and indent all lines.
func wrap(text string, most int) (lines []string) {
	words := strings.TrimLeft(text, " ")
	indent := text[:len(text)-len(words)]
	for _, word := range strings.Split(words, " ") {
		last := len(lines) - 1
		switch {
		case last >= 0 && utf8.RuneCountInString(lines[last]+" "+word) <= most:
			lines[last] += " " + word
		case last >= 0 && openPair.MatchString(lines[last]): // a vector stays in one line
			cut := strings.LastIndex(lines[last], "(")
			lines = append(lines, indent+lines[last][cut:]+" "+word)
			lines[last] = strings.TrimRight(lines[last][:cut], " ")
		default:
			lines = append(lines, indent+word)
		}
	}
	return lines
}

// openPair ends a line within the coordinates of a vector.
var openPair = regexp.MustCompile(`. \(\S+,$`)

// NameIf returns the name of a row if it is the first of its kind.
func NameIf(first bool, name string) string {
	if first {
		return name
	}
	return ""
}
