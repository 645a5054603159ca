package plot

import (
	"image/color"
	"math"

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
func (p *Panel) AddHeat(cells [][]float64, across, up []string, shade func(share float64) color.RGBA) {
	all := make(shades, 256)
	for i := range all {
		all[i] = shade(float64(i) / 255)
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
