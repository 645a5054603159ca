package plot

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// scatter draws a dot for each row.
func (p *drawing) scatter() (*Sheet, error) { return p.pairs(Marked) }

// curve draws the median of a figure at each value of another, with its quartiles.
func (p *drawing) curve() (*Sheet, error) {
	return p.pairs(Joined | Marked | Barred)
}

func (p *drawing) pairs(look SeriesLook) (*Sheet, error) {
	groups, err := p.prepare("--x", "--y")
	if err != nil {
		return nil, err
	}
	panel := NewPanel(p.style, "", figureOf(p.X).axis(), figureOf(p.Y).axis())
	panel.Log(p.Log, p.Log)
	left, n := 0, 0
	for i, g := range groups {
		s, at := Series{Name: g.name, Color: i, Glyph: i, Dash: i / len(p.style.Lines)}, map[float64][]float64{}
		for _, r := range g.rows {
			x, y := r.number(p.X), r.number(p.Y)
			if panel.Has(x, y) {
				s.Points, at[x], n = append(s.Points, At(x, y)), append(at[x], y), n+1
			} else if !math.IsNaN(x) && !math.IsNaN(y) {
				left++
			}
		}
		if look != Marked {
			s.Points = nil
			for x, ys := range at {
				q := cli.Quartiles(ys)
				s.Points = append(s.Points, Point{X: x, Y: q[1], Low: q[0], High: q[2]})
			}
		}
		panel.AddSeries(look, s)
	}
	if left > 0 {
		p.note("%s not above 0, and so not on logarithmic axes", cli.Plural(left, p.noun()))
	}
	if n == 0 {
		return nil, fmt.Errorf("no %s of %s has both %s and %s that can be drawn", p.noun(), p.files[0].Name, p.X, p.Y)
	}
	return p.picture(1, panel), nil
}
