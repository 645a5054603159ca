package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// Columns is the assumed width of a terminal, in characters.
const Columns = 80

// Table aligns cells in columns. It holds rows of a name and a wrapped text, or lines of cells below a
// header.
type Table struct {
	to    io.Writer
	lines []line
}

// line is a line of a table. If named is true, the name is bold.
type line struct {
	name, cells string
	named       bool
	style       Style
	last        string // last cell, in lastStyle
	lastStyle   Style
}

// Row is the type of Table.Row.
type Row = func(name, format string, args ...any)

// NewTable returns a table that Flush writes to w.
func NewTable(w io.Writer) *Table { return &Table{to: w} }

// Row adds a name and a text, formatted like Fprintf. Only tabs in the format separate cells. A text with
// tabs is not wrapped.
func (t *Table) Row(name, format string, args ...any) { t.RowIn(Plain, name, format, args...) }

// RowIn is like Row, with the text in style s.
func (t *Table) RowIn(s Style, name, format string, args ...any) {
	t.lines = append(t.lines, line{name: Escape(name), cells: fmt.Sprintf(format, escaped(args)...), named: true, style: s})
}

// Head adds a line of column names, formatted like Line.
func (t *Table) Head(format string, args ...any) { t.Line(Strong, format, args...) }

// Line adds a line of cells in style s, formatted like Row.
func (t *Table) Line(s Style, format string, args ...any) {
	t.lines = append(t.lines, line{cells: fmt.Sprintf(format, escaped(args)...), style: s})
}

// Verdict adds a plain line, formatted like Line, whose last cell is verdict in style s.
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
		_, _ = io.WriteString(cells, l.name+l.cells+"\n")
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
		for _, text := range Wrap(l.cells, most) {
			lines = append(lines, line{name: l.name, cells: text, named: true, style: l.style})
			l.name = ""
		}
	}
	return lines
}

// Wrap breaks text into lines of at most the given number of characters. A longer word has its own line. A
// vector such as (1, 2) stays on one line. Leading spaces indent all lines.
func Wrap(text string, most int) (lines []string) {
	words := strings.TrimLeft(text, " ")
	indent := text[:len(text)-len(words)]
	for _, word := range strings.Split(words, " ") {
		last := len(lines) - 1
		switch {
		case last >= 0 && utf8.RuneCountInString(lines[last]+" "+word) <= most:
			lines[last] += " " + word
		case last >= 0 && openPair.MatchString(lines[last]):
			cut := strings.LastIndex(lines[last], "(")
			lines = append(lines, indent+lines[last][cut:]+" "+word)
			lines[last] = strings.TrimRight(lines[last][:cut], " ")
		default:
			lines = append(lines, indent+word)
		}
	}
	return lines
}

// openPair matches a line that ends within a vector.
var openPair = regexp.MustCompile(`. \(\S+,$`)

// NameIf returns name if first is true, else "".
func NameIf(first bool, name string) string {
	if first {
		return name
	}
	return ""
}

// Writer passes on visible characters, newlines and tabs, and escapes the rest. Callers must escape newlines
// in foreign text. A Writer is safe for concurrent use. After an error, Write writes nothing more.
type Writer struct {
	mu     sync.Mutex
	to     io.Writer
	colors bool
	rest   []byte // incomplete character
	err    error  // first write error
}

// NewWriter returns a Writer, with colors if w is a terminal that supports them and NO_COLOR is unset or
// empty.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w, colors: colored(w)} }

// Write writes text. An incomplete character at its end waits for the rest.
func (w *Writer) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	in := append(w.rest, text...)
	out := make([]byte, 0, len(in))
	for len(in) > 0 && utf8.FullRune(in) {
		r, size := utf8.DecodeRune(in)
		if r == '\n' || r == '\t' {
			out = append(out, in[0])
		} else {
			out = appendEscaped(out, r, in[:size])
		}
		in = in[size:]
	}
	w.rest = bytes.Clone(in)
	if w.write(out); w.err != nil {
		return 0, w.err
	}
	return len(text), nil
}

// Flush writes an incomplete character, escaped, and returns the first error from any write.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []byte
	for _, b := range w.rest {
		out = appendEscaped(out, utf8.RuneError, []byte{b})
	}
	w.rest = nil
	w.write(out)
	return w.err
}

func (w *Writer) write(text []byte) {
	if w.err == nil && len(text) > 0 {
		_, w.err = w.to.Write(text)
	}
}

// Escape returns text as one line of visible characters. Other characters and invalid UTF-8 become escapes
// such as \n, \u001b and \xff.
func Escape(text string) string {
	unclean := func(r rune) bool { return r == utf8.RuneError || !unicode.IsGraphic(r) }
	if !strings.ContainsFunc(text, unclean) {
		return text
	}
	var b []byte
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		b = appendEscaped(b, r, text[i:i+size])
		i += size
	}
	return string(b)
}

// appendEscaped appends the character r, encoded as text, and escapes it unless it is visible. Up to U+FFFF,
// escapes are those of JSON.
func appendEscaped[T string | []byte](b []byte, r rune, text T) []byte {
	switch {
	case r == utf8.RuneError && len(text) == 1:
		return fmt.Appendf(b, `\x%02x`, text[0])
	case unicode.IsGraphic(r):
		return append(b, text...)
	case r == '\n':
		return append(b, `\n`...)
	case r == '\r':
		return append(b, `\r`...)
	case r == '\t':
		return append(b, `\t`...)
	case r > 0xffff:
		return fmt.Appendf(b, `\U%08x`, r)
	}
	return fmt.Appendf(b, `\u%04x`, r)
}

// Fprintf is fmt.Fprintf with args escaped: only the format can start lines and columns.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return fmt.Fprintf(w, format, escaped(args)...)
}

func escaped(args []any) []any {
	all := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case error:
			all[i] = Escape(arg.Error())
		default:
			all[i] = arg
			if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
				all[i] = Escape(v.String())
			}
		}
	}
	return all
}

// Shorten returns s as one line of at most the given number of characters.
func Shorten(s string, most int) string {
	letters := []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?")))
	if len(letters) > most {
		letters = append(letters[:most-1], '…')
	}
	return strings.TrimSpace(string(letters))
}

// Style is a text style: the parameters of an SGR escape sequence.
type Style string

const (
	Plain   Style = ""
	Strong  Style = "1"
	Good    Style = "32"
	Warning Style = "33"
	Bad     Style = "31"
)

// IsTerminal reports whether w writes to a terminal.
func IsTerminal(w io.Writer) bool {
	if to, ok := w.(*Writer); ok {
		return IsTerminal(to.to)
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colored reports whether w shows colors and NO_COLOR (no-color.org) allows them.
func colored(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// Write writes text, in the style if w is a Writer with colors. A Writer escapes the text.
func (s Style) Write(w io.Writer, text string) error {
	to, ok := w.(*Writer)
	if s == Plain || text == "" || !ok || !to.colors {
		_, err := io.WriteString(w, text)
		return err
	}
	if err := to.raw("\x1b[" + string(s) + "m"); err != nil {
		return err
	}
	if _, err := io.WriteString(to, text); err != nil {
		return err
	}
	return to.raw("\x1b[0m")
}

func (w *Writer) raw(sequence string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.write([]byte(sequence))
	return w.err
}
