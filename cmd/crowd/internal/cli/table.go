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

// Columns is the assumed width of a terminal, in characters.
const Columns = 80

// Table aligns cells in columns. It has either rows, each with a name and a text that is wrapped to
// fit Columns, or lines of cells below a header.
type Table struct {
	to    io.Writer
	lines []line
}

// line is a line of a table. Its name is bold, and its last cell may have its own style.
type line struct {
	name, cells string
	named       bool
	style       Style
	last        string // cell with lastStyle; empty means none
	lastStyle   Style
}

// Row is the type of Table.Row.
type Row = func(name, format string, args ...any)

// NewTable returns an empty table that Flush writes to w.
func NewTable(w io.Writer) *Table { return &Table{to: w} }

// Row adds a row with a name and a text, formatted as by Fprintf: strings and errors in args are escaped, so only
// the format can separate cells. A text with tabs between cells is not wrapped.
func (t *Table) Row(name, format string, args ...any) { t.RowIn(Plain, name, format, args...) }

// RowIn is like Row, but writes the text in style s.
func (t *Table) RowIn(s Style, name, format string, args ...any) {
	t.lines = append(t.lines, line{name: Escape(name), cells: fmt.Sprintf(format, escaped(args)...), named: true, style: s})
}

// Head adds the line that names the columns, formatted as in Line.
func (t *Table) Head(format string, args ...any) { t.Line(Strong, format, args...) }

// Line adds a line of cells in style s, formatted as in Row. The format has tabs between the cells.
func (t *Table) Line(s Style, format string, args ...any) {
	t.lines = append(t.lines, line{cells: fmt.Sprintf(format, escaped(args)...), style: s})
}

// Verdict adds a line of plain cells, formatted as in Line, and a last cell, verdict, in style s.
func (t *Table) Verdict(s Style, verdict, format string, args ...any) {
	verdict = Escape(verdict)
	t.lines = append(t.lines, line{cells: fmt.Sprintf(format, escaped(args)...) + "\t" + verdict, last: verdict, lastStyle: s})
}

// Flush writes the lines added since the last Flush.
func (t *Table) Flush() error {
	lines := t.wrapped()
	t.lines = nil
	var text bytes.Buffer
	cells := tabwriter.NewWriter(&text, 0, 0, gap, ' ', 0)
	for _, l := range lines {
		if l.named {
			l.name += "\t"
		}
		_, _ = io.WriteString(cells, l.name+l.cells+"\n") // writes to a buffer do not fail
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
		for _, part := range []struct {
			Style
			text string
		}{{Strong, name}, {l.style, strings.TrimSuffix(rest, l.last)}, {l.lastStyle, l.last}, {Plain, "\n"}} {
			if err := part.Write(t.to, part.text); err != nil {
				return err
			}
		}
	}
	return nil
}

const gap = 2

// wrapped returns the lines of the table, with rows of a single text wrapped to fit Columns.
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

// wrap breaks text between words into lines of at most the given number of characters. A longer word
// has a line of its own. A vector such as (1, 2) that fits on a line is not broken. Spaces at the beginning of
// the text indent all lines.
func wrap(text string, most int) (lines []string) {
	words := strings.TrimLeft(text, " ")
	indent := text[:len(text)-len(words)]
	for _, word := range strings.Split(words, " ") {
		last := len(lines) - 1
		switch {
		case last >= 0 && utf8.RuneCountInString(lines[last]+" "+word) <= most:
			lines[last] += " " + word
		case last >= 0 && openPair.MatchString(lines[last]): // keep a vector on one line
			cut := strings.LastIndex(lines[last], "(")
			lines = append(lines, indent+lines[last][cut:]+" "+word)
			lines[last] = strings.TrimRight(lines[last][:cut], " ")
		default:
			lines = append(lines, indent+word)
		}
	}
	return lines
}

// openPair matches a line that has text before a vector and ends between its coordinates.
var openPair = regexp.MustCompile(`. \(\S+,$`)

// NameIf returns name if first is true, and "" otherwise.
func NameIf(first bool, name string) string {
	if first {
		return name
	}
	return ""
}
