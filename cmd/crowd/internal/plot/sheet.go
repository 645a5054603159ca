package plot

import (
	"bytes"
	"cmp"
	"io"
	"path/filepath"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	_ "gonum.org/v1/plot/vg/vgimg" // writes PNG
	_ "gonum.org/v1/plot/vg/vgsvg"
)

// Pixel is the unit of pictures, of 96 an inch.
const Pixel = vg.Inch / 96

const (
	margin     = vg.Length(10)
	titleHigh  = vg.Length(22)
	lineHigh   = vg.Length(13) // of the caption
	leastPanel = 300 * Pixel   // narrower panels are drawn smaller
)

// Sheet is a picture of panels in rows and columns.
type Sheet struct {
	Style         *Style
	Title         string
	Caption       []string // lines below the title
	Panels        []*Panel
	Columns       int       // 0: 1
	Width, Height vg.Length // 0: as needed
	legend        Legend    // of all panels
}

// Write draws the sheet into a file: an SVG if its name ends in .svg, otherwise a PNG.
func (s *Sheet) Write(to io.Writer, name string) error {
	width, columns := cmp.Or(s.Width, 1200*Pixel), max(s.Columns, 1)
	if s.Height == 0 { // narrow pictures are higher
		columns = max(1, min(columns, int(width/leastPanel)))
	}
	rows := vg.Length((len(s.Panels) + columns - 1) / columns)
	wide := max(width, vg.Length(columns)*leastPanel) // before it is drawn smaller
	row, below := leastPanel/3, vg.Length(0)
	for _, p := range s.Panels {
		usual := 500 * Pixel
		if rows > 1 {
			usual = 330 * Pixel
		}
		row, below = max(row, cmp.Or(p.High, usual)), max(below, p.legend.height(s.Style, wide/vg.Length(columns)-3*margin))
	}
	caption := s.wrap(wide - 2*margin)
	fixed := 2*margin + vg.Length(len(caption))*lineHigh + s.legend.height(s.Style, wide-2*margin) + rows*(below+margin)
	if s.Title != "" {
		fixed += titleHigh
	}
	high := fixed + rows*row
	height := cmp.Or(s.Height, high*width/wide)
	if least := fixed + rows*min(row, leastPanel/2); height*wide < least*width {
		wide = least * width / height
	}

	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	canvas, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return err
	}
	canvas.Scale(float64(width/wide), float64(width/wide))
	all := draw.NewCanvas(canvas, wide, height*wide/width)
	all.SetColor(s.Style.Paper)
	all.Fill(all.Rectangle.Path())
	area := draw.Crop(all, margin, -margin, margin, -margin)
	s.drawHead(&area, caption)
	foot := s.legend.height(s.Style, area.Size().X)
	s.legend.draw(s.Style, draw.Crop(area, 0, 0, 0, foot-area.Size().Y))
	area.Min.Y += foot
	s.drawPanels(s.Panels, area, columns, below)

	var picture bytes.Buffer
	if _, err := canvas.WriteTo(&picture); err != nil {
		return err
	}
	text := picture.Bytes()
	if format == "svg" { // a viewer without this font would take one with serifs
		text = bytes.ReplaceAll(text, []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;"))
	}
	_, err = to.Write(text)
	return err
}

// drawPanels draws panels with aligned axes, and the legend of each below it. A panel alone in the last row
// has all of it.
func (s *Sheet) drawPanels(panels []*Panel, area draw.Canvas, columns int, below vg.Length) {
	if n := len(panels); columns > 1 && n > 1 && n%columns == 1 {
		high := area.Size().Y / vg.Length(n/columns+1)
		s.drawPanels(panels[n-1:], draw.Crop(area, 0, 0, 0, high-area.Size().Y), 1, below)
		panels, area = panels[:n-1], draw.Crop(area, 0, 0, high, 0)
	}
	tiles := draw.Tiles{Rows: (len(panels) + columns - 1) / columns, Cols: columns, PadX: 2 * margin, PadY: below + margin, PadBottom: below + margin}
	plots := make([][]*plot.Plot, tiles.Rows)
	for i := range plots {
		plots[i] = make([]*plot.Plot, columns)
	}
	for i, p := range panels {
		p.fit(tiles.At(area, i%columns, i/columns).Size())
		p.box = [4]float64{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max}
		plots[i/columns][i%columns] = p.Plot
	}
	canvases := plot.Align(plots, tiles, area)
	for range 2 { // other ticks move the axes
		for i, p := range panels {
			c := canvases[i/columns][i%columns]
			p.square(c)
			p.fit(p.DataCanvas(c).Size())
		}
		canvases = plot.Align(plots, tiles, area)
	}
	for i, p := range panels {
		c := canvases[i/columns][i%columns]
		p.Draw(c)
		p.legend.draw(s.Style, draw.Crop(c, 0, 0, -below-margin/2, -c.Size().Y-margin/2))
	}
}

// drawHead writes the title and the caption, and takes their room from the area.
func (s *Sheet) drawHead(area *draw.Canvas, caption []string) {
	if s.Title != "" {
		style := s.Style.Text(14, s.Style.Ink)
		style.Font.Weight = xfont.WeightBold
		area.FillText(style, vg.Point{X: area.Min.X, Y: area.Max.Y - 12}, fit(style, s.Title, area.Size().X))
		area.Max.Y -= titleHigh
	}
	for _, line := range caption {
		area.FillText(s.Style.Text(9, s.Style.Faint), vg.Point{X: area.Min.X, Y: area.Max.Y - 9}, line)
		area.Max.Y -= lineHigh
	}
}

// wrap breaks the caption into at most six lines.
func (s *Sheet) wrap(width vg.Length) (lines []string) {
	style := s.Style.Text(9, s.Style.Faint)
	for _, text := range s.Caption {
		line := ""
		for _, word := range strings.Fields(text) {
			if line != "" && style.Width(line+" "+word) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		lines = append(lines, line)
	}
	return lines[:min(len(lines), 6)]
}

// ShareLegend replaces the legends of the panels, which are alike, by one. A single name needs none.
func (s *Sheet) ShareLegend() {
	for _, p := range s.Panels {
		if len(p.legend.names) > max(1, len(s.legend.names)) {
			s.legend = p.legend
		}
		p.legend = Legend{}
	}
}
