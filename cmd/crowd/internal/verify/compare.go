package verify

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"github.com/8f878440/crowd/world/scene"
)

const costSuite = "cost"

func costs(ctx context.Context, models []scene.ModelInfo) (all []experiment.Cost, err error) {
	for _, m := range models {
		cost, err := experiment.MeasureCost(ctx, m.Model)
		if err != nil {
			return nil, cli.While(ctx, err, "measuring the cost of "+string(m.Model))
		}
		all = append(all, cost)
	}
	return all, nil
}

// compare prints the metrics of all models side by side, with the costs of their steps. With --json, it
// prints all rows as JSON. Unexpected metrics are not an error.
func (o *Options) compare(e *cli.Console, models []scene.ModelInfo, parts [][]part, costs []experiment.Cost) error {
	rows := make([][]Row, len(models))
	for i, m := range models {
		for k := range parts[i] {
			rows[i] = append(rows[i], parts[i][k].rowsOf(m.Model)...)
		}
		rows[i] = append(rows[i], costRows(m.Model, costs[i])...)
	}
	if o.JSON {
		return output.WriteJSON(e.Machine, slices.Concat(rows...))
	}
	return writeComparison(e.Out, models, rows)
}

func costRows(m scene.Model, c experiment.Cost) (rows []Row) {
	any := expectation{"any", func(float64) bool { return true }}
	for _, r := range []Row{
		judge("cost of a step per agent, ns", any, c.Step),
		judge("length of a step, ms", any, 1e3*c.Dt),
		judge("cost of a second per agent, µs", any, c.Step/c.Dt/1e3),
	} {
		rows = append(rows, r.by(m, costSuite))
	}
	return rows
}

// short formats the measured value, in at most five characters if it is from -9,999 to 9e99, or returns "–"
// if there is none.
func (r *Row) short() string {
	if r.Measured == nil {
		return "–"
	}
	x := *r.Measured + 0 // turns -0 into 0
	switch a := math.Abs(x); {
	case a >= 99_999.5 || a >= 9999.5 && x < 0:
		return strconv.FormatFloat(x, 'g', 1, 64)
	case x == math.Trunc(x) || a >= 99.95:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case a >= 9.995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

func (r *Row) mark() string {
	switch {
	case r.Passed:
		return " "
	case r.missed:
		return "~"
	}
	return "!"
}

func (r *Row) text() string {
	switch {
	case r.Suite == costSuite:
		return r.Name
	case r.law != "":
		return r.Name + " (" + r.law + ")"
	}
	return r.Name + " (" + r.Expected + ")"
}

// metricWidth leaves room for a gap, five characters and a mark.
const metricWidth = 7

// writeComparison prints the rows of all models by suite, and how many metrics of each model are as expected.
// All models must have the same rows. Absent tests are omitted.
func writeComparison(w io.Writer, models []scene.ModelInfo, rows [][]Row) error {
	t := &comparison{to: w, width: cli.Columns - metricWidth*len(models)}
	good, metrics, absent, suite := make([]int, len(models)), 0, 0, ""
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
			metrics++
		}
		for i := range models {
			r := &rows[i][k]
			style := r.style()
			if r.Suite == costSuite {
				style = cli.Plain
			} else if r.asExpected() {
				good[i]++
			}
			t.cell(style, r.short()+r.mark())
		}
		t.end()
	}
	t.end()
	head("total")
	t.text(cli.Strong, fmt.Sprintf("as expected, of %d", metrics))
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
	notes.Row("~", "not as expected, but missed by real people too")
	notes.Row("–", "nothing to measure")
	if absent > 0 {
		notes.Row("", "tests that are not supported: %d; the table of a single model says why", absent)
	}
	return notes.Flush()
}

type comparison struct {
	to    io.Writer
	width int // of the text column
	err   error
}

func (t *comparison) write(s cli.Style, text string) {
	if t.err == nil {
		t.err = s.Write(t.to, cli.Escape(text))
	}
}

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

func (t *comparison) cell(s cli.Style, text string) {
	t.write(cli.Plain, strings.Repeat(" ", max(0, metricWidth-utf8.RuneCountInString(text))))
	t.write(s, text)
}

func (t *comparison) end() {
	if t.err == nil {
		t.err = cli.Plain.Write(t.to, "\n")
	}
}
