package verify

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// writeTable prints the rows of a suite for people, below them its notes, each once, and
// what is missing.
func writeTable(w io.Writer, name string, rows []Row, missing string) error {
	var notes []string
	marked := make([]string, len(rows))
	for i, r := range rows {
		var marks []string
		for _, note := range r.notes {
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
			marks = append(marks, strconv.Itoa(slices.Index(notes, note)+1))
		}
		marked[i] = r.Name
		if len(marks) > 0 {
			marked[i] += " [" + strings.Join(marks, ",") + "]"
		}
	}
	t := cli.NewTable(w)
	t.Head("%s\texpected\tmeasured\tpassed", name)
	for i, r := range rows {
		t.Verdict(r.style(), r.verdict(), "%s\t%s\t%s", marked[i], r.Expected, r.figure())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i, note := range notes {
		t.Row("["+strconv.Itoa(i+1)+"]", "%s", note)
	}
	if missing != "" {
		t.Row("", "%s", missing)
	}
	t.Row("", "")
	return t.Flush()
}

func (r *Row) figure() string {
	if r.Measured == nil {
		return "–"
	}
	x := *r.Measured
	if x == float64(int(x)) {
		return strconv.Itoa(int(x))
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

func (r *Row) verdict() string {
	if r.Passed {
		return "yes"
	}
	if r.absent {
		return "not here"
	}
	return "no"
}

func (r *Row) style() cli.Style {
	switch {
	case r.Passed:
		return cli.Good
	case r.missed, r.absent:
		return cli.Warning
	}
	return cli.Bad
}
