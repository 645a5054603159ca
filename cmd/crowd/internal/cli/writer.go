package cli

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// Writer passes on what can be seen, line ends and tabs, and all else escaped. It
// catches what was not escaped where it was written; what it cannot tell is
// whose line ends they are. Writes may come at the same time. After an error it writes nothing more.
type Writer struct {
	mu     sync.Mutex
	to     io.Writer
	colors bool
	rest   []byte // of a character that the last write cut in two
	err    error  // of the first write that failed
}

// NewWriter returns a Writer to w, with colors where Style allows them.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w, colors: colored(w)} }

// Write writes text. The first bytes of a character are kept until the others
// come.
func (w *Writer) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	in := append(w.rest, text...)
	out := make([]byte, 0, len(in))
	i := 0
	for i < len(in) && utf8.FullRune(in[i:]) {
		r, size := utf8.DecodeRune(in[i:])
		if r == '\n' || r == '\t' {
			out = append(out, in[i])
		} else {
			out = appendEscaped(out, r, in[i:i+size])
		}
		i += size
	}
	w.rest = append([]byte(nil), in[i:]...)
	if w.write(out); w.err != nil {
		return 0, w.err
	}
	return len(text), nil
}

// Flush writes the bytes of a character whose others never came, and returns the first error of
// all writes.
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

// Escape returns a text as one line of what can be seen: controls, line ends and
// tabs among them, marks that turn the direction of text, and bytes that are no
// UTF-8 are written as \n, \u001b or \xff.
func Escape(text string) string {
	clean := func(r rune) bool { return r != utf8.RuneError && unicode.IsGraphic(r) }
	if strings.IndexFunc(text, func(r rune) bool { return !clean(r) }) < 0 {
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

// appendEscaped appends a character, which text holds, as it can be seen. What is
// escaped by its number is so as JSON does it.
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

// Fprintf is fmt.Fprintf, but for texts and errors among the arguments, which
// are escaped: the format alone begins lines and columns.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return fmt.Fprintf(w, format, escaped(args)...)
}

// escaped returns the arguments with texts and errors escaped.
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

// Shorten returns a text from a file as it can stand in a picture: in one line,
// and of at most a number of letters.
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

// Style is how text looks on a terminal in color: the numbers of an escape sequence.
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

// colored reports whether w is to have colors: it is a terminal that can show them, and the
// user has not set NO_COLOR (no-color.org).
func colored(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// Write writes text in the style if w is a Writer to a terminal in color, and plainly
// otherwise. The text may be of others: it is escaped as w does it.
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

// raw writes an escape sequence of ours.
func (w *Writer) raw(sequence string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := io.WriteString(w.to, sequence)
	return err
}
