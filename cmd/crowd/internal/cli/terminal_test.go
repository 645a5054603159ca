package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
)

// hostile has texts, most of which must not reach a terminal, and their escaped forms.
var hostile = []struct{ text, shown string }{
	{"plaza", "plaza"},
	{"Zürich 東京 ± ° · 🙂", "Zürich 東京 ± ° · 🙂"},
	{"a b\u00a0c\u3000d", "a b\u00a0c\u3000d"},
	{`C:\scenes\new`, `C:\scenes\new`},
	{"\x1b]0;owned\a", `\u001b]0;owned\u0007`},
	{"\x1b[2J\x1b[H", `\u001b[2J\u001b[H`},
	{"a\rb\bc\x7f\x00", `a\rb\u0008c\u007f\u0000`},
	{"\u009b31m\u0085", `\u009b31m\u0085`},
	{"abc\u202edef\u2066\u200f\u061c\u2028", `abc\u202edef\u2066\u200f\u061c\u2028`},
	{"\ufeffa\u200bb", `\ufeffa\u200bb`},
	{"\U000e0041", `\U000e0041`},
	{"\xff\xc3(\x9b\xe2\x82", `\xff\xc3(\x9b\xe2\x82`},
	{"\ufffd", "\ufffd"},
}

func TestEscape(t *testing.T) {
	for _, c := range hostile {
		if got := Escape(c.text); got != c.shown {
			t.Errorf("%q: got=%s, want=%s", c.text, got, c.shown)
		}
	}
	if got, want := Escape("one\ntwo\tthree"), `one\ntwo\tthree`; got != want {
		t.Errorf("got=%s, want=%s", got, want)
	}
}

// TestWriter verifies that the output does not depend on how the text is split into writes, and that
// Flush escapes an incomplete character.
func TestWriter(t *testing.T) {
	for _, c := range hostile {
		text, want := "x\t"+c.text+"\n", "x\t"+c.shown+"\n"
		for _, size := range []int{1, 2, 3, len(text)} {
			var out bytes.Buffer
			w := NewWriter(&out)
			for rest := []byte(text); len(rest) > 0; {
				n := min(size, len(rest))
				if got, err := w.Write(rest[:n]); got != n || err != nil {
					t.Fatalf("%q: got=%d, %v, want=%d", c.text, got, err, n)
				}
				rest = rest[n:]
			}
			if err := w.Flush(); err != nil || out.String() != want {
				t.Errorf("%q, %d at a time: got=%q, %v, want=%q", c.text, size, out.String(), err, want)
			}
		}
	}
	var out bytes.Buffer
	w := NewWriter(&out)
	w.Write([]byte("a\xe2\x82"))
	if w.Flush(); out.String() != `a\xe2\x82` {
		t.Errorf(`cut short: got=%s, want=a\xe2\x82`, out.String())
	}
}

// TestWriterKeepsJSON verifies that escaping does not change the value of JSON.
func TestWriterKeepsJSON(t *testing.T) {
	want := "\x1b\x7f\u0085\u202e\u2028 ü 🙂"
	var out bytes.Buffer
	w := NewWriter(&out)
	testkit.Must(t, json.NewEncoder(w).Encode(want))
	var got string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got != want {
		t.Errorf("got=%q, %v, want=%q", got, err, want)
	}
	if strings.ContainsAny(out.String(), "\x7f\u0085\u202e") {
		t.Errorf("got=%q, want no control or formatting characters", out.String())
	}
}

type word string

func TestFprintf(t *testing.T) {
	var out bytes.Buffer
	n, err := Fprintf(&out, "%s\t%v %s %d %v %.1f %v\n", "a\nb", errors.New("c\nd"), word("e\tf"), 7, time.Second, 1.5, nil)
	want := "a\\nb\tc\\nd e\\tf 7 1s 1.5 <nil>\n"
	if out.String() != want || n != len(want) || err != nil {
		t.Errorf("got=%q, %d, %v, want=%q", out.String(), n, err, want)
	}
}

func TestTable(t *testing.T) {
	var out bytes.Buffer
	table := NewTable(&out)
	table.Row("way", "from one place to another, which is the longest text here, chooses (0.125, -0.5) m/s of all")
	table.Row("", "  1 %%  indented, and so are the lines that follow where the text is too long for one line")
	table.Row("Zürich", "a\tb")
	table.Row("", "%s", "x\ny")
	testkit.Must(t, table.Flush())
	want := `way     from one place to another, which is the longest text here, chooses
        (0.125, -0.5) m/s of all
          1 %  indented, and so are the lines that follow where the text is too
          long for one line
Zürich  a  b
        x\ny
`
	if got := out.String(); got != want {
		t.Errorf("got=\n%s\nwant=\n%s", got, want)
	}
	out.Reset()
	table.Head("name\tn")
	table.Line(Bad, "%s\t%d", "one", 1)
	if err := table.Flush(); err != nil || out.String() != "name  n\none   1\n" {
		t.Errorf("got=%q, %v, want a header and a line, aligned", out.String(), err)
	}
}

// TestVerdict verifies that only the verdict has the style, and that styles do not affect alignment.
func TestVerdict(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	w.colors = true
	table := NewTable(w)
	table.Line(Plain, "what\tis")
	table.Verdict(Good, "yes", "%s", "a yes")
	table.Verdict(Bad, "no", "%s", "b")
	testkit.Must(t, table.Flush())
	want := "what   is\na yes  \x1b[32myes\x1b[0m\nb      \x1b[31mno\x1b[0m\n"
	if got := out.String(); got != want {
		t.Errorf("got=%q, want=%q", got, want)
	}
}
