package cli

import (
	"io"
	"sync"
	"unicode/utf8"
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

// NewWriter returns a Writer to w, with colors where they are to be: see Style.
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
