package plot

import (
	"bytes"
	"cmp"
	"image/color"
	"io"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	_ "gonum.org/v1/plot/vg/vgimg"
	_ "gonum.org/v1/plot/vg/vgsvg"
)

// Legend is names with samples of how they are drawn.
type Legend struct {
	names   []string
	samples [][]plot.Thumbnailer
}

// columns returns the legend in as many columns as have room, and the width of each.
func (l *Legend) columns(style *Style, width vg.Length) (all []plot.Legend, wide vg.Length) {
	text := style.Text(9, style.Ink)
	for _, name := range l.names {
		wide = max(wide, text.Width(name)+50)
	}
	columns := max(1, int(width/max(wide, 1)))
	rows := (len(l.names) + columns - 1) / columns
	for i, name := range l.names {
		if i%rows == 0 {
			column := plot.NewLegend()
			column.Top, column.Left, column.Padding, column.ThumbnailWidth, column.TextStyle = true, true, 3, 24, text
			all = append(all, column)
		}
		all[len(all)-1].Add(name, l.samples[i]...)
	}
	return all, wide
}

func (l *Legend) height(style *Style, width vg.Length) (high vg.Length) {
	all, _ := l.columns(style, width)
	for _, column := range all {
		high = max(high, column.Rectangle(draw.Canvas{}).Size().Y+margin)
	}
	return high
}

func (l *Legend) draw(style *Style, area draw.Canvas) {
	all, wide := l.columns(style, area.Size().X)
	for i, column := range all {
		column.Draw(draw.Crop(area, wide*vg.Length(i), 0, 0, 0))
	}
}

// Swatch is a color in a legend.
type Swatch struct{ Color color.Color }

// Thumbnail draws the color as a box.
func (s Swatch) Thumbnail(c *draw.Canvas) {
	c.SetColor(s.Color)
	c.Fill(vg.Rectangle{Min: c.Min, Max: vg.Point{X: c.Max.X, Y: c.Max.Y - 1}}.Path())
}

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
		plots[i/columns][i%columns] = p.Plot
	}
	canvases := plot.Align(plots, tiles, area)
	for i, p := range panels {
		c := canvases[i/columns][i%columns]
		p.fit(c.Size())
		p.Draw(c)
		p.legend.draw(s.Style, draw.Crop(c, 0, 0, -below-margin/2, -c.Size().Y-margin/2))
	}
}

// drawHead writes the title and the caption, and takes their room from the area.
func (s *Sheet) drawHead(area *draw.Canvas, caption []string) {
	if s.Title != "" {
		style := s.Style.Text(14, s.Style.Ink)
		style.Font.Weight = xfont.WeightBold
		area.FillText(style, vg.Point{X: area.Min.X, Y: area.Max.Y - 12}, cli.Shorten(s.Title, int(area.Size().X/8)))
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

// Style is the colors of a picture.
type Style struct {
	Paper, Ink, Faint, Grid color.Color
	Lines                   []color.Color // they tell lines apart
}

// The lines have the colors of Okabe and Ito, which color-blind readers can tell apart: without
// yellow, which is pale on white, and on dark paper without blue.
var (
	LightStyle = Style{
		Paper: color.White, Ink: color.Gray{20}, Faint: color.Gray{95}, Grid: color.Gray{222},
		Lines: []color.Color{rgb(0, 114, 178), rgb(213, 94, 0), rgb(0, 158, 115), rgb(204, 121, 167), rgb(230, 159, 0), rgb(86, 180, 233), rgb(0, 0, 0)},
	}
	DarkStyle = Style{
		Paper: rgb(24, 26, 31), Ink: color.Gray{232}, Faint: color.Gray{160}, Grid: rgb(56, 59, 67),
		Lines: []color.Color{rgb(86, 180, 233), rgb(230, 159, 0), rgb(0, 158, 115), rgb(204, 121, 167), rgb(213, 94, 0), rgb(240, 228, 66), rgb(255, 255, 255)},
	}
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 2, 2, 2}}
	glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{},
		draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}}
)

// MostLines is the number of lines that color and dashes tell apart.
var MostLines = len(LightStyle.Lines) * len(dashes)

func rgb(r, g, b uint8) color.Color { return color.RGBA{r, g, b, 255} }

// Line returns the color of the i-th line, which repeat, and Faint of line -1.
func (s *Style) Line(i int) color.Color {
	if i < 0 {
		return s.Faint
	}
	return s.Lines[i%len(s.Lines)]
}

// Text returns a style of text that begins at its point and stands on it.
func (s *Style) Text(size vg.Length, c color.Color) text.Style {
	return text.Style{Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size), Color: c, Handler: text.Plain{Fonts: font.DefaultCache}}
}

// Pale returns a color that is partly transparent.
func Pale(c color.Color, opacity float64) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(255 * opacity)}
}
