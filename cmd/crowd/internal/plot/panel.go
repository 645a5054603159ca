package plot

import (
	"bytes"
	"cmp"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	_ "gonum.org/v1/plot/vg/vgimg"
	_ "gonum.org/v1/plot/vg/vgsvg"
)

// Panel is a plot with its legend below, where it hides no lines.
type Panel struct {
	*plot.Plot
	Plane      bool      // a meter is as long upwards as sideways
	High       vg.Length // height that it needs; 0: the usual one
	LogX, LogY bool      // values stand where their logarithms are; set by Log
	style      *Style
	legend     Legend
	box        [4]float64 // the ranges before square
}

// NewPanel returns a panel with a grid and without data.
func NewPanel(style *Style, title, x, y string) *Panel {
	p := &Panel{Plot: plot.New(), style: style}
	p.BackgroundColor = nil
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text, p.Title.Padding = title, x, y, 7
	dress := func(t *text.Style, size vg.Length) {
		s := style.Text(size, style.Ink)
		t.Font, t.Color, t.Handler = s.Font, s.Color, s.Handler
	}
	dress(&p.Title.TextStyle, 12)
	for i, axis := range []*plot.Axis{&p.X, &p.Y} {
		dress(&axis.Label.TextStyle, 10.5)
		dress(&axis.Tick.Label, 9.5)
		axis.Label.Padding, axis.Tick.Length, axis.Tick.Marker = 4, 5, Ticks{Across: i == 0}
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = style.Faint, style.Faint
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color, grid.Horizontal.Width, grid.Vertical.Width = style.Grid, style.Grid, 0.6, 0.6
	p.Add(grid)
	return p
}

// Log makes axes logarithmic. It comes before all data. The data are placed by their logarithms:
// with plot.LogScale, gonum leaves room for the label of an axis in the wrong place.
func (p *Panel) Log(x, y bool) {
	p.LogX, p.LogY = x, y
	if x {
		p.X.Tick.Marker, p.X.Label.Text = Ticks{Across: true, Log: true}, p.X.Label.Text+", log"
	}
	if y {
		p.Y.Tick.Marker, p.Y.Label.Text = Ticks{Log: true}, p.Y.Label.Text+", log"
	}
}

// Names writes names at 0, 1, 2 … of an axis, or downwards at 0, -1, -2 ….
func (p *Panel) Names(axis *plot.Axis, names []string, step float64) {
	ticks := make(plot.ConstantTicks, len(names))
	for i, name := range names {
		ticks[i] = plot.Tick{Value: step * float64(i), Label: name}
	}
	axis.Tick.Marker, axis.Tick.Length = ticks, 3
	axis.Min, axis.Max = min(0, step*float64(len(names)-1))-0.5, max(0, step*float64(len(names)-1))+0.5
}

// Label adds a name to the legend, with samples that are drawn over one another.
func (p *Panel) Label(name string, samples ...plot.Thumbnailer) {
	p.legend.names, p.legend.samples = append(p.legend.names, name), append(p.legend.samples, samples)
}

// fit chooses ticks that have room, and ranges for axes that have none.
func (p *Panel) fit(size vg.Point) {
	for i, axis := range []*plot.Axis{&p.X, &p.Y} {
		room := []vg.Length{size.X, size.Y}[i]
		if axis.Min > axis.Max || axis.Min == 0 && axis.Max == 0 {
			axis.Min, axis.Max = 0, 1
		}
		if pad := 1e-9 * max(math.Abs(axis.Min), math.Abs(axis.Max)); axis.Max-axis.Min <= pad {
			pad = max(1e-3*math.Abs(axis.Max), 0.5)
			axis.Min, axis.Max = axis.Min-pad, axis.Max+pad
		}
		switch ticks := axis.Tick.Marker.(type) {
		case Ticks:
			ticks.Room = room
			axis.Tick.Marker = ticks
		case plot.ConstantTicks:
			wide := vg.Length(0)
			for _, tick := range ticks {
				wide = max(wide, axis.Tick.Label.Width(tick.Label)+8)
			}
			if i == 0 && wide*vg.Length(len(ticks)) > room {
				axis.Tick.Label.Rotation, axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = math.Pi/7, draw.XRight, draw.YTop
			}
		}
	}
}

// square widens a range of a Plane about its middle, so that a unit is as long on both axes.
func (p *Panel) square(c draw.Canvas) {
	size := p.DataCanvas(c).Size()
	if !p.Plane || size.X <= 0 || size.Y <= 0 {
		return
	}
	unit := max((p.box[1]-p.box[0])/float64(size.X), (p.box[3]-p.box[2])/float64(size.Y)) / 2 // of half a point
	x, y := (p.box[0]+p.box[1])/2, (p.box[2]+p.box[3])/2
	p.X.Min, p.X.Max = x-unit*float64(size.X), x+unit*float64(size.X)
	p.Y.Min, p.Y.Max = y-unit*float64(size.Y), y+unit*float64(size.Y)
}

// fit shortens a text to a width.
func fit(style text.Style, s string, room vg.Length) string {
	for most := len([]rune(s)); most > 2 && style.Width(s) > room; most-- {
		s = cli.Shorten(s, most)
	}
	return s
}

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

// Ticks marks an axis at multiples of 1, 2 or 5 times a power of ten, as many as have room. Labels
// have commas. plot.DefaultTicks has three labels at any length, and does not end where its steps
// are below the precision of the values.
type Ticks struct {
	Log    bool      // the axis has logarithms to the base of ten
	Whole  bool      // only whole numbers are marked
	Across bool      // the axis is horizontal
	Room   vg.Length // length of the axis
}

// Ticks implements plot.Ticker.
func (t Ticks) Ticks(lo, hi float64) []plot.Tick {
	const letter, line = 5.2, 26
	for coarse := 1; ; coarse *= 2 {
		all := t.mark(lo, hi, coarse)
		labels, letters := 0, 0
		for _, tick := range all {
			if tick.Label != "" {
				labels, letters = labels+1, letters+len(tick.Label)+2
			}
		}
		if labels < 3 || t.Across && vg.Length(letters)*letter <= t.Room || !t.Across && vg.Length(labels)*line <= t.Room {
			return all
		}
	}
}

// mark marks a range. The coarser, the fewer labels.
func (t Ticks) mark(lo, hi float64, coarse int) (all []plot.Tick) {
	switch {
	case t.Log && hi-lo < 0.6:
		for _, tick := range (Ticks{}).mark(math.Pow(10, lo), math.Pow(10, hi), coarse) {
			all = append(all, plot.Tick{Value: math.Log10(tick.Value), Label: tick.Label})
		}
	case t.Log:
		for power := math.Floor(lo); power <= hi; power++ {
			for k := 1.; k < 10; k++ {
				tick := plot.Tick{Value: power + math.Log10(k)}
				if k == 1 && int(power)%max(1, coarse/2) == 0 || coarse == 1 && hi-lo < 2 && (k == 2 || k == 5) {
					tick.Label = label(k*math.Pow(10, power), math.Pow(10, power))
				}
				if lo <= tick.Value && tick.Value <= hi && (k == 1 || coarse == 1) {
					all = append(all, tick)
				}
			}
		}
	default:
		step := NiceStep((hi - lo) / 12 * float64(coarse))
		if t.Whole {
			step = max(step, 1)
		}
		first := math.Ceil(lo/step - 1e-9)
		for i := 0.; i < 100 && (first+i)*step <= hi+1e-9*step; i++ {
			all = append(all, plot.Tick{Value: (first + i) * step, Label: label((first+i)*step, step)})
		}
	}
	return all
}

// NiceStep returns the least of 1, 2 and 5 times a power of ten that is not less than x.
func NiceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range []float64{1, 2, 5} {
		if x <= k*power*(1+1e-9) {
			return k * power
		}
	}
	return 10 * power
}

// label writes a multiple of a step.
func label(x, step float64) string {
	if math.Abs(x) >= 1e10 || step < 1e-5 {
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	digits := max(0, int(math.Ceil(-math.Log10(step)+1e-9)))
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	return cli.Commas(strconv.FormatFloat(rounded+0, 'f', -1, 64))
}
