package plot

import (
	"fmt"
	"image/color"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
)

// heats draws the mean of each figure over two axes as colors.
func (p *studyDrawing) heats(s *sheet.Sheet) error {
	var at [2]int
	for i, name := range p.Heat {
		var err error
		if at[i], err = p.FindAxis("--heat", name); err != nil {
			return err
		}
	}
	if len(p.figures) == 0 {
		return fmt.Errorf("%s: none of the chief figures differs; choose with --figure from %s", p.Files[0], list(p.Figures))
	}
	most := int(min(max(math.Sqrt(float64(len(p.Points))/3), 2), mostBins)) // a few points in each cell
	across, up := p.Levels(at[0], most), p.Levels(at[1], most)
	const mostCells = 60
	for i, l := range []int{len(across.Names), len(up.Names)} {
		if l > mostCells {
			return fmt.Errorf("--heat: %s has %d values, want at most %d", p.Heat[i], l, mostCells)
		}
	}
	s.Columns = min(len(p.figures), 3)
	empty := 0
	for _, figure := range p.figures {
		m, x, y := measureOf(figure), measureOf(p.Heat[0]), measureOf(p.Heat[1])
		fig := sheet.NewPanel(p.style, m.axis(), x.axis(), y.axis())
		cells := p.Grid(at[0], at[1], across, up, figure)
		for i := range cells {
			for k := range cells[i] {
				if cells[i][k] = m.of(cells[i][k]); math.IsNaN(cells[i][k]) {
					empty++
				}
			}
		}
		fig.AddHeat(cells, p.shortNames(across.Names), p.shortNames(up.Names), func(share float64) color.Color { return picture.Shade("viridis", share) })
		if letters := 100 / s.Columns; widest(across.Names)*len(across.Names) > letters {
			fig.Slant()
		}
		s.Panels = append(s.Panels, fig)
		p.noteMissing(figure)
	}
	text := "Means over seeds and all other axes"
	if across.Binned || up.Binned {
		text += "; scattered values are in quantiles"
	}
	if empty > 0 {
		text += "; crossed cells have no runs"
	}
	s.Caption = append(s.Caption, text)
	return nil
}
