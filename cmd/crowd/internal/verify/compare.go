package verify

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"github.com/8f878440/crowd/world/scene"
)

// costSuite is the name of what steps cost, beside those of the suites.
const costSuite = "cost"

// costs measures what steps of models cost, one after another.
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

// compare prints the figures of all models beside one another, and what their steps cost.
// That something is not as expected is no error.
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

// costRows returns what steps of a model cost.
func costRows(m scene.Model, c experiment.Cost) (rows []Row) {
	any := expectation{"any", func(float64) bool { return true }}
	for _, r := range []Row{
		judge("a step of an agent, in ns", any, c.Step),
		judge("the length of a step, in ms", any, 1e3*c.Dt),
		judge("a second of an agent, in µs", any, c.Step/c.Dt/1e3),
	} {
		rows = append(rows, r.by(m, costSuite))
	}
	return rows
}

// short writes the figure with five letters at most.
func (r *Row) short() string {
	if r.Measured == nil {
		return "–"
	}
	x := *r.Measured + 0 // which makes 0 of -0
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

// mark says in one letter whether the figure is as expected.
func (r *Row) mark() string {
	switch {
	case r.Passed:
		return " "
	case r.missed:
		return "~"
	}
	return "!"
}

// text is the first column of a comparison: the figure, and what is expected of it.
func (r *Row) text() string {
	switch {
	case r.Suite == costSuite:
		return r.Name
	case r.law != "":
		return r.Name + " (" + r.law + ")"
	}
	return r.Name + " (" + r.Expected + ")"
}

// styleOf is how the figure looks: what has no expectation is plain.
func (r *Row) styleOf() cli.Style {
	if r.Suite == costSuite {
		return cli.Plain
	}
	return r.style()
}
