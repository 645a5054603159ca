package plot

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// grid is figures in rows from the bottom up, as a plotter.GridXYZ.
type grid [][]float64

func (g grid) Dims() (columns, rows int) { return len(g[0]), len(g) }
func (g grid) X(c int) float64           { return float64(c) }
func (g grid) Y(r int) float64           { return float64(r) }
func (g grid) Z(c, r int) float64        { return g[r][c] }

// shades is a palette.Palette.
type shades []color.Color

func (s shades) Colors() []color.Color { return s }

// AddHeat draws figures, in rows from the bottom up, as colors with the figures on them, and the colors
// in the legend. NaN is none.
func (p *Panel) AddHeat(cells [][]float64, across, up []string) {
	all := make(shades, 256)
	for i := range all {
		all[i] = picture.Shade("viridis", float64(i)/255)
	}
	heat := plotter.NewHeatMap(grid(cells), all)
	if heat.NaN = p.style.Grid; math.IsInf(heat.Min, 0) { // no figures
		heat.Min, heat.Max = 0, 0
	}
	if wide := max(1, math.Abs(heat.Max)); heat.Min == heat.Max { // one color
		heat.Min, heat.Max = heat.Min-wide, heat.Max+wide
	}
	p.Add(heat)
	for i, row := range cells {
		for k, x := range row {
			if math.IsNaN(x) {
				continue
			}
			style := p.style.Text(min(9.5, max(4, 120/vg.Length(len(row)))), color.White)
			style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
			if color.GrayModel.Convert(all[int((x-heat.Min)/(heat.Max-heat.Min)*255)]).(color.Gray).Y > 128 {
				style.Color = color.Black
			}
			p.Write(Points{At(float64(k), float64(i))}, []string{Short(x)}, vg.Point{}, style)
		}
	}
	p.Names(&p.X, across, 1)
	p.Names(&p.Y, up, 1)
	p.X.LineStyle.Width, p.Y.LineStyle.Width, p.X.Padding, p.Y.Padding = 0, 0, 0, 0
	for i, sample := range plotter.PaletteThumbnailers(shades{all[0], all[64], all[128], all[191], all[255]}) {
		p.Label(Short(heat.Min+(heat.Max-heat.Min)*float64(i)/4), sample)
	}
}

// heats draws the mean of each figure over two axes as colors.
func (p *studyDrawing) heats(s *Sheet, figures []string) error {
	at, err := p.axesOf("--heat", p.Heat)
	if err != nil {
		return err
	}
	var levels [2]*Levels
	for i, name := range p.Heat {
		most := int(min(max(math.Sqrt(float64(len(p.Points))/3), 2), mostBins)) // a few points in each cell
		if levels[i] = p.Levels(at[i], most); len(levels[i].Names) > 60 {
			return fmt.Errorf("--heat: %s has %d values, want at most 60", name, len(levels[i].Names))
		}
	}
	text := "Means over seeds and all other axes"
	if levels[0].Binned || levels[1].Binned {
		text += "; scattered values are in quantiles"
	}
	for _, name := range figures {
		f := figureOf(name)
		panel := NewPanel(p.style, f.axis(), figureOf(p.Heat[0]).axis(), figureOf(p.Heat[1]).axis())
		cells := p.Grid(at[0], at[1], levels[0], levels[1], name)
		for _, row := range cells {
			for k := range row {
				if row[k] *= f.scale; math.IsNaN(row[k]) && !strings.HasSuffix(text, "no runs") {
					text += "; gray cells have no runs"
				}
			}
		}
		panel.AddHeat(cells, shorten(levels[0].Names), shorten(levels[1].Names))
		s.Panels = append(s.Panels, panel)
		p.noteMissing(name)
	}
	s.Columns, s.Caption = min(len(figures), 3), append(s.Caption, text)
	return nil
}
