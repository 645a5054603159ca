package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

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
