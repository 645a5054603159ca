package plot

import (
	"image/color"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
