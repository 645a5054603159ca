package plot

import (
	"image/color"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// grid is a plotter.GridXYZ of numbers, in rows from the bottom up.
type grid [][]float64

func (g grid) Dims() (columns, rows int) { return len(g[0]), len(g) }
func (g grid) X(c int) float64           { return float64(c) }
func (g grid) Y(r int) float64           { return float64(r) }
func (g grid) Z(c, r int) float64        { return g[r][c] }

// heat draws a heat map with numbers on it; NaN means no number. The parameters across and up name the
// columns and the rows.
func (p *Panel) heat(cells grid, across, up []string) {
	all := make(shades, 256)
	for i := range all {
		all[i] = picture.Shade("viridis", float64(i)/255)
	}
	heat := plotter.NewHeatMap(cells, all)
	if heat.NaN = p.style.Grid; math.IsInf(heat.Min, 0) { // all are NaN
		heat.Min, heat.Max = 0, 0
	}
	if wide := max(1, math.Abs(heat.Max)); heat.Min == heat.Max {
		heat.Min, heat.Max = heat.Min-wide, heat.Max+wide
	}
	p.Add(heat)
	for i, row := range cells {
		for k, x := range row {
			if math.IsNaN(x) {
				continue
			}
			style := p.style.text(min(9.5, max(4, 120/vg.Length(len(row)))), color.White)
			style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
			if color.GrayModel.Convert(all[int((x-heat.Min)/(heat.Max-heat.Min)*255)]).(color.Gray).Y > 128 {
				style.Color = color.Black
			}
			p.write(At(float64(k), float64(i)), cli.Number(x), vg.Point{}, style)
		}
	}
	p.names(&p.X, across, 1)
	p.names(&p.Y, up, 1)
}
