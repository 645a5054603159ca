package verify

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/world/scene"
)

// figureWidth is how wide the column of a model is: a gap, five letters and a mark.
const figureWidth = 7

// writeComparison prints the rows of all models for people, those of a suite below a head, then
// how many are as expected. All models have the same rows. Tests that are not there are left out.
func writeComparison(w io.Writer, models []scene.ModelInfo, rows [][]Row) error {
	t := &comparison{to: w, width: cli.Columns - figureWidth*len(models)}
	good, figures, absent, suite := make([]int, len(models)), 0, 0, ""
	head := func(name string) {
		t.text(cli.Strong, name)
		for _, m := range models {
			t.cell(cli.Strong, m.Short+" ")
		}
		t.end()
	}
	for k := range rows[0] {
		r := &rows[0][k]
		if r.absent {
			absent++
			continue
		}
		if r.Suite != suite {
			if suite != "" {
				t.end()
			}
			suite = r.Suite
			head(suite)
		}
		t.text(cli.Plain, r.text())
		if r.Suite != costSuite {
			figures++
		}
		for i := range models {
			r := &rows[i][k]
			t.cell(r.styleOf(), r.short()+r.mark())
			if r.Suite != costSuite && r.asExpected() {
				good[i]++
			}
		}
		t.end()
	}
	t.end()
	head("in all")
	t.text(cli.Strong, fmt.Sprintf("as expected, of %d", figures))
	for i := range models {
		t.cell(cli.Strong, fmt.Sprintf("%d ", good[i]))
	}
	t.end()
	t.end()
	if t.err != nil {
		return t.err
	}
	notes := cli.NewTable(w)
	for _, m := range models {
		notes.Row(m.Short, "%s", m.Model)
	}
	notes.Row("!", "not as expected")
	notes.Row("~", "not as expected, as it is with people")
	notes.Row("–", "nothing to measure")
	if absent > 0 {
		notes.Row("", "%d tests are not here: those of one model say why.", absent)
	}
	return notes.Flush()
}

// comparison writes lines of a text, which goes on in more lines where it is long, and cells at
// the right.
type comparison struct {
	to    io.Writer
	width int // of the text
	err   error
}

func (t *comparison) write(s cli.Style, text string) {
	if t.err == nil {
		t.err = s.Write(t.to, cli.Escape(text))
	}
}

// text begins a line.
func (t *comparison) text(s cli.Style, text string) {
	const indent = "  "
	line := ""
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line = word
		case utf8.RuneCountInString(line+" "+word) < t.width:
			line += " " + word
		default:
			t.write(s, line)
			t.end()
			line = indent + word
		}
	}
	t.write(s, line+strings.Repeat(" ", max(0, t.width-utf8.RuneCountInString(line))))
}

// cell adds a cell to the line.
func (t *comparison) cell(s cli.Style, text string) {
	t.write(cli.Plain, strings.Repeat(" ", max(0, figureWidth-utf8.RuneCountInString(text))))
	t.write(s, text)
}

func (t *comparison) end() {
	if t.err == nil {
		t.err = cli.Plain.Write(t.to, "\n")
	}
}
