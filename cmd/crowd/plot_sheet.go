package main

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

// pixel is the unit of pictures, of 96 an inch.
const pixel = vg.Inch / 96

// Sizes of a picture unless told otherwise; more rows and long legends make it
// higher.
const (
	plotWidth    = 1200 * pixel
	plotHeight   = 500 * pixel // of one row
	rowHeight    = 350 * pixel // of one of several
	plotMargin   = vg.Length(10)
	headHeight   = vg.Length(22)
	smallHeight  = vg.Length(14)
	lowestHeight = 80 * pixel  // of a panel, however long its legend is
	leastPanel   = 300 * pixel // in a smaller one, all is drawn smaller
)

// plotSheet is a picture of panels in rows and columns.
type plotSheet struct {
	style         *plotStyle
	title         string
	caption       []string // lines below the title, in small letters
	panels        []*panel
	columns       int
	legend        *legend   // of all panels; nil: each has its own
	width, height vg.Length // 0: as much as is needed
	row           vg.Length // height of a row, 0: as usual
}

// layout returns the width and height of the picture, the height of what is above
// the panels, and those of the legends below a row and below all.
func (s *plotSheet) layout() (width, height, head, below, foot vg.Length) {
	width = s.width
	if width == 0 {
		width = plotWidth
	}
	if s.title != "" {
		head += headHeight
	}
	s.caption = s.wrap(s.caption, width-2*plotMargin)
	head += vg.Length(len(s.caption)) * smallHeight
	for _, p := range s.panels {
		below = max(below, p.legend.height(width/vg.Length(s.columns)-2*plotMargin))
	}
	if s.legend != nil {
		foot = s.legend.height(width - 2*plotMargin)
	}
	rows := vg.Length((len(s.panels) + s.columns - 1) / s.columns)
	row := s.row
	switch {
	case row > 0:
	case rows == 1:
		row = plotHeight - min(head, headHeight+2*smallHeight) - foot // long captions make it higher
	default:
		row = rowHeight
	}
	height = s.height
	if height == 0 {
		height = head + foot + rows*(row+max(0, below-plotHeight/4))
		if foot > 0 {
			height += plotMargin
		}
	}
	below = min(below, max(0, (height-head-foot)/rows-lowestHeight))
	return width, height, head, below, foot
}

// wrap breaks lines of the caption that are too long.
func (s *plotSheet) wrap(caption []string, width vg.Length) []string {
	style := s.style.text(smallSize, s.style.faint)
	const most = 6
	var lines []string
	for _, text := range caption {
		line := ""
		for _, word := range strings.Fields(text) {
			if line != "" && style.Width(line+" "+word) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		lines = append(lines, line)
	}
	return lines[:min(len(lines), most)]
}

// write draws the sheet into a file: SVG if its name ends so, or else PNG.
func (s *plotSheet) write(to io.Writer, name string) error {
	if s.width > 0 && s.height == 0 && s.row == 0 { // narrow pictures are higher
		s.columns = max(1, min(s.columns, int(s.width/leastPanel)))
	}
	width, height, head, below, foot := s.layout()
	svg := strings.ToLower(filepath.Ext(name)) == ".svg"
	var canvas vg.CanvasWriterTo
	if svg {
		canvas = vgsvg.New(width, height)
	} else {
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(96), vgimg.UseBackgroundColor(s.style.paper))}
	}
	rows := (len(s.panels) + s.columns - 1) / s.columns
	if small := min(width/vg.Length(s.columns), (height-head-foot)/vg.Length(rows)*4/3) / leastPanel; small < 1 {
		small = max(small, 0.2)
		canvas.Scale(float64(small), float64(small))
		s.width, s.height = width/small, height/small
		width, height, head, below, foot = s.layout()
	}
	all := draw.NewCanvas(canvas, width, height)
	all.FillPolygon(s.style.paper, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})
	s.drawHead(all)

	if foot > 0 {
		area := draw.Crop(all, plotMargin, -plotMargin, 0, 0)
		area.Max.Y = plotMargin/2 + foot
		s.legend.draw(area)
		foot += plotMargin
	}
	size := vg.Point{X: width / vg.Length(s.columns), Y: (height - head - foot) / vg.Length(rows)}
	for i, p := range s.panels {
		left, top := vg.Length(i%s.columns)*size.X, height-head-vg.Length(i/s.columns)*size.Y
		area := all
		area.Rectangle = vg.Rectangle{
			Min: vg.Point{X: left + plotMargin, Y: top - size.Y + plotMargin},
			Max: vg.Point{X: left + size.X - plotMargin, Y: top - plotMargin},
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
func (s *plotSheet) drawHead(all draw.Canvas) {
	y := all.Max.Y - plotMargin/2
	if s.title != "" {
		style := s.style.text(headlineSize, s.style.ink)
		style.Font.Weight = xfont.WeightBold
		y -= headHeight - 4
		all.FillText(style, vg.Point{X: plotMargin, Y: y}, fitText(style, s.title, all.Size().X-2*plotMargin))
		y -= 4
	}
	style := s.style.text(smallSize, s.style.faint)
	for _, line := range s.caption {
		y -= smallHeight - 3
		all.FillText(style, vg.Point{X: plotMargin, Y: y}, line)
		y -= 3
	}
}

// shareLegend makes one legend of those of the panels, which are alike. One line
// alone needs none.
func (s *plotSheet) shareLegend() {
	most := s.panels[0]
	for _, p := range s.panels {
		if len(p.legend.names) > len(most.legend.names) {
			most = p
		}
	}
	if len(most.legend.names) > 1 {
		l := most.legend
		s.legend = &l
	}
	for _, p := range s.panels {
		p.legend = legend{style: s.style}
	}
}
