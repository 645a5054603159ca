package plot

import (
	"encoding/json"
	"io"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// write prints the points that no other beats, the best in the first figure first.
func (f *front) write(to io.Writer) error {
	mx, my := measureOf(f.goals[0].Figure), measureOf(f.goals[1].Figure)
	if _, err := terminal.Fprintf(to, "no other point beats these: better is %s and %s\n", direction(f.goals[0]), direction(f.goals[1])); err != nil {
		return err
	}
	rows := [][]string{{mx.axis(), my.axis()}}
	for _, i := range f.axes {
		rows[0] = append(rows[0], f.Axes[i].Name)
	}
	for _, c := range f.all {
		if !c.Best {
			continue
		}
		row := []string{numbers.Figure(mx.of(c.X)), numbers.Figure(my.of(c.Y))}
		for _, i := range f.axes {
			row = append(row, f.valueText(i, c.At[i]))
		}
		rows = append(rows, row)
	}
	return writeColumns(to, rows)
}

// valueText writes a value of an axis.
func (f *front) valueText(axis, value int) string {
	switch a := f.Axes[axis]; {
	case value < 0:
		return "–"
	case a.Numbers != nil:
		return numbers.Figure(a.Numbers[value])
	default:
		return terminal.Shorten(a.Values[value], 40)
	}
}

// writeJSON prints the same for programs.
func (f *front) writeJSON(to io.Writer) error {
	type goal struct {
		Figure string `json:"figure"`
		Better string `json:"better"`
	}
	type point struct {
		Point   map[string]any     `json:"point"`
		Figures map[string]float64 `json:"figures"`
	}
	out := struct {
		Goals  [2]goal  `json:"goals"`
		Over   []string `json:"over"`
		Points int      `json:"points"`
		Left   int      `json:"left_out"`
		Front  []point  `json:"front"`
	}{Over: []string{}, Points: len(f.all), Left: f.left}
	for i, g := range f.goals {
		out.Goals[i] = goal{g.Figure, map[bool]string{true: "more", false: "less"}[g.More]}
	}
	for _, i := range f.over {
		out.Over = append(out.Over, f.Axes[i].Name)
	}
	for _, c := range f.all {
		if !c.Best {
			continue
		}
		one := point{map[string]any{}, map[string]float64{f.goals[0].Figure: c.X, f.goals[1].Figure: c.Y}}
		for i, a := range f.Axes {
			switch k := c.At[i]; {
			case k < 0:
			case a.Numbers != nil:
				one.Point[a.Name] = a.Numbers[k]
			default:
				one.Point[a.Name] = a.Values[k]
			}
		}
		out.Front = append(out.Front, one)
	}
	e := json.NewEncoder(to)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
