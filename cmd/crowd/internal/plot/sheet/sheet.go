// Package sheet draws sheets of panels with axes, legends and text: lines, bars and
// histograms. It knows nothing of crowds.
package sheet

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Pixel is the unit of pictures, of 96 an inch.
const Pixel = vg.Inch / 96

// Sheet is a picture of panels in rows and columns.
type Sheet struct {
	Style         *Style
	Title         string
	Caption       []string // lines below the title, in small letters
	Panels        []*Panel
	Columns       int
	legend        *legend   // of all panels; nil: each has its own
	Width, Height vg.Length // 0: as much as is needed
	Row           vg.Length // height of a row, 0: as usual
}

// Write draws the sheet into a file: SVG if its name ends so, or else PNG.
func (s *Sheet) Write(to io.Writer, name string) error {
	if s.Width > 0 && s.Height == 0 && s.Row == 0 { // narrow pictures are higher
		s.Columns = max(1, min(s.Columns, int(s.Width/LeastPanel)))
	}
	width, height, head, below, foot := s.Layout()
	svg := strings.ToLower(filepath.Ext(name)) == ".svg"
	var canvas vg.CanvasWriterTo
	if svg {
		canvas = vgsvg.New(width, height)
	} else {
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(96), vgimg.UseBackgroundColor(s.Style.Paper))}
	}
	cells, rows := s.cells()
	if small := min(width/vg.Length(s.Columns), (height-head-foot)/vg.Length(rows)*4/3) / LeastPanel; small < 1 {
		small = max(small, 0.2)
		canvas.Scale(float64(small), float64(small))
		s.Width, s.Height = width/small, height/small
		width, height, head, below, foot = s.Layout()
	}
	all := draw.NewCanvas(canvas, width, height)
	all.FillPolygon(s.Style.Paper, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})
	s.drawHead(all)

	if foot > 0 {
		area := draw.Crop(all, margin, -margin, 0, 0)
		area.Max.Y = margin/2 + foot
		s.legend.draw(area)
		foot += margin
	}
	size := vg.Point{X: width / vg.Length(s.Columns), Y: (height - head - foot) / vg.Length(rows)}
	for i, p := range s.Panels {
		left, top := vg.Length(cells[i].column)*size.X, height-head-vg.Length(cells[i].row)*size.Y
		area := all
		area.Rectangle = vg.Rectangle{
			Min: vg.Point{X: left + margin, Y: top - size.Y + margin},
			Max: vg.Point{X: left + vg.Length(cells[i].span)*size.X - margin, Y: top - margin},
		}
		p.drawIn(area, below)
	}

	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return err
	}
	picture := text.Bytes()
	if svg { // who has not this font shall not get one with serifs
		picture = bytes.ReplaceAll(picture, []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;"))
	}
	_, err := to.Write(picture)
	return err
}

// drawHead writes the title and the caption.
func (s *Sheet) drawHead(all draw.Canvas) {
	y := all.Max.Y - margin/2
	if s.Title != "" {
		style := s.Style.text(headlineSize, s.Style.ink)
		style.Font.Weight = xfont.WeightBold
		y -= headHeight - 4
		all.FillText(style, vg.Point{X: margin, Y: y}, fit(style, s.Title, all.Size().X-2*margin))
		y -= 4
	}
	style := s.Style.text(smallSize, s.Style.Faint)
	for _, line := range s.Caption {
		y -= smallHeight - 3
		all.FillText(style, vg.Point{X: margin, Y: y}, line)
		y -= 3
	}
}

// ShareLegend makes one legend of those of the panels, which are alike. One line
// alone needs none.
func (s *Sheet) ShareLegend() {
	most := s.Panels[0]
	for _, p := range s.Panels {
		if len(p.legend.names) > len(most.legend.names) {
			most = p
		}
	}
	if len(most.legend.names) > 1 {
		l := most.legend
		s.legend = &l
	}
	for _, p := range s.Panels {
		p.DropLegend()
	}
}
