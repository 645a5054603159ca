package plot

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	_ "gonum.org/v1/plot/vg/vgimg"
	_ "gonum.org/v1/plot/vg/vgpdf"
	_ "gonum.org/v1/plot/vg/vgsvg"
)

const (
	pixel      = vg.Inch / 96
	margin     = vg.Length(10)
	titleHigh  = vg.Length(22)
	lineHigh   = vg.Length(13)
	leastPanel = 300 * pixel // narrower panels are scaled down
)

// Sheet is a picture of panels in rows and columns.
type Sheet struct {
	Style         *Style
	Title         string
	Caption       []string // below the title; only six lines are shown
	Panels        []*Panel
	Columns       int       // 0 means 1
	Width, Height vg.Length // 0 means 1200 pixels wide, and as high as needed
}

// CheckName returns an error unless Write supports the extension of name.
func CheckName(name string) error {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png", ".svg", ".pdf":
		return nil
	}
	return fmt.Errorf("--out is %s, want a name that ends in .png, .svg or .pdf", name)
}

// Write writes the sheet in the format given by the extension of name. If Height is 0 and panels would be too
// narrow, the sheet has fewer columns; if they are too small nevertheless, everything is scaled down.
func (s *Sheet) Write(to io.Writer, name string) error {
	width, columns := cmp.Or(s.Width, 1200*pixel), max(s.Columns, 1)
	if s.Height == 0 {
		columns = max(1, min(columns, int(width/leastPanel)))
	}
	wide, rows := max(width, vg.Length(columns)*leastPanel), vg.Length((len(s.Panels)+columns-1)/columns)
	row, below, usual := leastPanel/3, margin, 330*pixel
	if rows == 1 {
		usual = 500 * pixel
	}
	for _, p := range s.Panels {
		row = max(row, cmp.Or(p.High, usual))
		below = max(below, margin+p.drawLegend(draw.Canvas{}, wide/vg.Length(columns)-3*margin))
	}
	var caption []string
	for _, text := range s.Caption {
		caption = append(caption, cli.Wrap(text, int((wide-2*margin)/4.6))...)
	}
	caption = caption[:min(len(caption), 6)]
	rest := 2.5*margin + titleHigh + vg.Length(len(caption))*lineHigh + rows*below
	height := cmp.Or(s.Height, (rest+rows*row)*width/wide)
	if least := rest + rows*min(row, leastPanel/2); height*wide < least*width {
		wide = least * width / height
	}

	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	canvas, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return err
	} else if format == "pdf" {
		canvas = pdf{canvas}
	}
	canvas.Scale(float64(width/wide), float64(width/wide))
	all := draw.NewCanvas(canvas, wide, height*wide/width)
	all.SetColor(s.Style.Paper)
	all.Fill(all.Rectangle.Path())
	area := draw.Crop(all, margin, -margin, margin, -margin)
	s.head(&area, caption)
	s.panels(s.Panels, area, columns, below)

	var picture bytes.Buffer
	if _, err := canvas.WriteTo(&picture); err != nil {
		return err
	}
	text := picture.Bytes()
	if format == "svg" { // viewers without this font would choose a serif font
		text = bytes.ReplaceAll(text, []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;"))
	}
	_, err = to.Write(text)
	return err
}

// pdf adapts a canvas of package vgpdf, which expects colors not multiplied by their opacity.
type pdf struct{ vg.CanvasWriterTo }

func (c pdf) SetColor(of color.Color) {
	c.CanvasWriterTo.SetColor(straight(color.NRGBAModel.Convert(of).(color.NRGBA)))
}

type straight color.NRGBA

func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}

// panels draws panels with aligned axes, and their legends in the space below each row. A single panel in the
// last row fills that row.
func (s *Sheet) panels(panels []*Panel, area draw.Canvas, columns int, below vg.Length) {
	if n := len(panels); columns > 1 && n > 1 && n%columns == 1 {
		high := area.Size().Y / vg.Length(n/columns+1)
		s.panels(panels[n-1:], draw.Crop(area, 0, 0, 0, high-area.Size().Y), 1, below)
		panels, area = panels[:n-1], draw.Crop(area, 0, 0, high, 0)
	}
	tiles := draw.Tiles{Rows: (len(panels) + columns - 1) / columns, Cols: columns, PadX: 3 * margin, PadY: below, PadBottom: below}
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
		p.drawLegend(draw.Crop(c, 0, 0, -below-margin/2, -c.Size().Y-margin/2), c.Size().X)
	}
}

// drawLegend draws the legend in rows, or only measures it if the canvas is zero. It returns the height.
func (p *Panel) drawLegend(c draw.Canvas, width vg.Length) (high vg.Length) {
	x := vg.Length(0)
	for _, l := range p.legend {
		wide := l.Rectangle(c).Size().X + 2*margin
		if x > 0 && x+wide > width {
			x, high = 0, high+lineHigh
		}
		if c.Canvas != nil {
			l.Draw(draw.Crop(c, x, 0, 0, -high))
		}
		x += wide
	}
	if len(p.legend) > 0 {
		high += lineHigh + margin
	}
	return high
}

func (s *Sheet) head(area *draw.Canvas, caption []string) {
	area.FillText(s.Style.text(14, s.Style.Ink), vg.Point{X: area.Min.X, Y: area.Max.Y - 12}, cli.Shorten(s.Title, int(area.Size().X/8)))
	area.Max.Y -= titleHigh
	for _, line := range caption {
		area.FillText(s.Style.text(9, s.Style.Faint), vg.Point{X: area.Min.X, Y: area.Max.Y - 9}, line)
		area.Max.Y -= lineHigh
	}
	area.Max.Y -= margin / 2
}

// Style holds the colors of a picture.
type Style struct {
	Paper, Ink, Faint, Grid color.Color
	Lines                   []color.Color
}

// The lines have the colors of Okabe and Ito, which color-blind readers can distinguish. Yellow on light
// paper and blue on dark paper are left out: their contrast is too low.
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

var mostLines = len(LightStyle.Lines) * len(dashes) // combinations of colors and dashes

func rgb(r, g, b uint8) color.Color { return color.RGBA{r, g, b, 255} }

// Line returns the color of the i-th line, or Faint if i is negative. The colors repeat.
func (s *Style) Line(i int) color.Color {
	if i < 0 {
		return s.Faint
	}
	return s.Lines[i%len(s.Lines)]
}

func (s *Style) text(size vg.Length, c color.Color) text.Style {
	return text.Style{Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size), Color: c, Handler: text.Plain{Fonts: font.DefaultCache}}
}

// Pale returns c, which must be opaque, with the given opacity, from 0 to 1.
func Pale(c color.Color, opacity float64) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(255 * opacity)}
}
