package plot

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panel is a plot with its legend below it.
type Panel struct {
	*plot.Plot
	Plane  bool      // both axes have the same scale
	High   vg.Length // height; 0 means the default
	style  *Style
	lines  *plotter.Grid
	legend []plot.Legend // one for each name
}

// NewPanel returns an empty panel with a grid. The parameters x and y label the axes.
func NewPanel(style *Style, title, x, y string) *Panel {
	p := &Panel{Plot: plot.New(), style: style, lines: plotter.NewGrid()}
	p.BackgroundColor = nil
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text, p.Title.Padding = title, x, y, 7
	dress := func(t *text.Style, size vg.Length) {
		s := style.text(size, style.Ink)
		t.Font, t.Color, t.Handler = s.Font, s.Color, s.Handler
	}
	dress(&p.Title.TextStyle, 12)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		dress(&axis.Label.TextStyle, 10.5)
		dress(&axis.Tick.Label, 9.5)
		axis.Label.Padding, axis.Tick.Length, axis.Tick.Marker = 4, 5, ticks{axis}
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = style.Faint, style.Faint
	}
	p.lines.Horizontal.Color, p.lines.Vertical.Color, p.lines.Horizontal.Width, p.lines.Vertical.Width = style.Grid, style.Grid, 0.6, 0.6
	p.Add(p.lines)
	return p
}

// log makes the given axes logarithmic, notes that in their labels, and returns p.
func (p *Panel) log(x, y bool) *Panel {
	for i, axis := range []*plot.Axis{&p.X, &p.Y} {
		if []bool{x, y}[i] {
			axis.Scale, axis.Label.Text = plot.LogScale{}, axis.Label.Text+" (log)"
		}
	}
	return p
}

func isLog(axis *plot.Axis) bool { return axis.Scale == plot.LogScale{} }

// names labels an axis with names at 0, step, 2·step, …, and sets its range.
func (p *Panel) names(axis *plot.Axis, names []string, step float64) {
	ticks, letters := make(plot.ConstantTicks, len(names)), 0
	for i, name := range names {
		ticks[i] = plot.Tick{Value: step * float64(i), Label: cli.Shorten(name, 40)}
		letters = max(letters, len(ticks[i].Label)*len(names))
	}
	axis.Tick.Marker, axis.Tick.Length, axis.LineStyle.Width, axis.Padding = ticks, 0, 0, 0
	if axis == &p.X {
		if axis.Tick.Length = 3; letters > 40 {
			axis.Tick.Label.Rotation, axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = math.Pi/7, draw.XRight, draw.YTop-0.35 // below the ticks
		}
	}
	axis.Min, axis.Max = min(0, step*float64(len(names)-1))-0.5, max(0, step*float64(len(names)-1))+0.5
}

// Label adds a name with its samples to the legend, unless the name is empty.
func (p *Panel) Label(name string, samples ...plot.Thumbnailer) {
	if name != "" {
		l := plot.NewLegend()
		l.Top, l.Left, l.ThumbnailWidth, l.TextStyle = true, true, 24, p.style.text(9, p.style.Ink)
		l.Add(name, samples...)
		p.legend = append(p.legend, l)
	}
}

// Swatch returns a color sample for the legend.
func Swatch(c color.Color) plot.Thumbnailer {
	return plotter.PaletteThumbnailers(shades{c})[0]
}

type shades []color.Color

func (s shades) Colors() []color.Color { return s }

// Series is a set of points with the same color.
type Series struct {
	Name               string // in the legend; empty means no entry
	Color, Glyph, Dash int    // indexes, which wrap around; color -1 is faint
	Points             Points
}

// Point is a point with a range of Y, which is empty if Low equals High.
type Point struct{ X, Y, Low, High float64 }

// Points implements plotter.XYer and plotter.YErrorer.
type Points []Point

// At returns a point without a range.
func At(x, y float64) Point { return Point{x, y, y, y} }

func (p Points) Len() int                         { return len(p) }
func (p Points) XY(i int) (x, y float64)          { return p[i].X, p[i].Y }
func (p Points) YError(i int) (low, high float64) { return p[i].Y - p[i].Low, p[i].High - p[i].Y }

// SeriesLook is a set of flags that define how a series is drawn.
type SeriesLook uint8

const (
	Joined  SeriesLook = 1 << iota // a line through the points
	Marked                         // a glyph at each point
	Stepped                        // the line goes across first, then up or down
	Banded                         // one band for all ranges
	Barred                         // an error bar for each range
)

// tiny is the minimum on a logarithmic axis. Half of tiny is not yet subnormal.
const tiny = 1e-290

func (p *Panel) has(x, y float64) bool {
	return cli.Drawable(x) && cli.Drawable(y) && (!isLog(&p.X) || x >= tiny) && (!isLog(&p.Y) || y >= tiny)
}

// on returns the points that the axes can show, ordered by X. On a logarithmic Y axis, each Low is at least
// Y/1000.
func (p *Panel) on(all Points) (kept Points) {
	for _, at := range all {
		if p.has(at.X, at.Y) {
			if isLog(&p.Y) {
				at.Low = max(at.Low, at.Y/1e3)
			}
			kept = append(kept, at)
		}
	}
	slices.SortStableFunc(kept, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	return kept
}

// AddSeries draws all series with the given look, and adds their names to the legend. It omits series without
// points that the axes can show.
func (p *Panel) AddSeries(look SeriesLook, all ...Series) {
	for _, s := range all {
		points, c := p.on(s.Points), p.style.Line(s.Color)
		if len(points) == 0 {
			continue
		}
		var samples []plot.Thumbnailer
		ranges := slices.DeleteFunc(slices.Clone(points), func(at Point) bool { return at.Low >= at.High })
		if look&Banded != 0 && len(ranges) > 0 {
			var outline plotter.XYs
			for _, at := range points {
				outline = append(outline, plotter.XY{X: at.X, Y: at.High})
			}
			for _, at := range slices.Backward(points) {
				outline = append(outline, plotter.XY{X: at.X, Y: at.Low})
			}
			samples = append(samples, p.area(outline, Pale(c, 0.22)))
		}
		if bars, err := plotter.NewYErrorBars(ranges); look&Barred != 0 && err == nil && len(ranges) > 0 {
			bars.Color, bars.Width, bars.CapWidth = Pale(c, 0.65), 1.1, 3
			p.Add(bars)
			if look == Barred {
				samples = append(samples, Swatch(bars.Color))
			}
		}
		if line, err := plotter.NewLine(points); look&Joined != 0 && err == nil {
			line.Color, line.Width, line.Dashes = c, 1.6, dashes[s.Dash%len(dashes)]
			if look&Stepped != 0 {
				line.StepStyle = plotter.PostStep
			}
			p.Add(line)
			samples = append(samples, line)
		}
		if dots, err := plotter.NewScatter(points); look&Marked != 0 && err == nil {
			dots.Color, dots.Radius, dots.Shape = c, 3, glyphs[s.Glyph%len(glyphs)]
			p.Add(dots)
			samples = append(samples, dots)
		}
		p.Label(s.Name, samples...)
	}
}

func (p *Panel) area(outline plotter.XYs, c color.Color) *plotter.Polygon {
	area, err := plotter.NewPolygon(outline)
	if err != nil {
		return &plotter.Polygon{}
	}
	area.Color, area.LineStyle.Width = c, 0
	p.Add(area)
	return area
}

// widen leaves a margin around the points, so glyphs, bars and walls do not touch the frame.
func (p *Panel) widen() {
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		if isLog(axis) && axis.Min < axis.Max {
			pad := math.Pow(axis.Max, 0.04) / math.Pow(axis.Min, 0.04)
			axis.Min, axis.Max = max(axis.Min/pad, tiny), min(axis.Max*pad, 1/tiny)
		} else if axis.Min < axis.Max {
			pad := 0.04 * (axis.Max - axis.Min)
			axis.Min, axis.Max = axis.Min-pad, axis.Max+pad
		}
	}
}

func (p *Panel) fromZero() *Panel {
	if !isLog(&p.Y) {
		p.Y.Min = min(p.Y.Min, 0)
	}
	return p
}

func (p *Panel) write(at Point, words string, offset vg.Point, style text.Style) {
	for _, on := range p.on(Points{at}) {
		p.Add(&plotter.Labels{XYs: plotter.XYs{{X: on.X, Y: on.Y}}, Labels: []string{words}, TextStyle: []text.Style{style}, Offset: offset})
	}
}

// fit widens empty ranges of the axes. If Plane is set, it gives both axes the same scale in a panel of the
// given size.
func (p *Panel) fit(size vg.Point) {
	axes := []*plot.Axis{&p.X, &p.Y}
	for _, axis := range axes {
		widest := max(math.Abs(axis.Min), math.Abs(axis.Max))
		switch {
		case axis.Min > axis.Max:
			axis.Min, axis.Max = 1, 2
		case widest == 0:
			axis.Max = 1
		case isLog(axis) && axis.Max <= axis.Min*1.001:
			axis.Min, axis.Max = axis.Min/2, axis.Max*2
		case axis.Max-axis.Min <= 1e-9*widest:
			pad := max(1e-3*widest, 0.5)
			axis.Min, axis.Max = axis.Min-pad, axis.Max+pad
		}
	}
	if size = p.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: size}}).Size(); p.Plane && size.X > 0 && size.Y > 0 {
		unit := max((p.X.Max-p.X.Min)/float64(size.X), (p.Y.Max-p.Y.Min)/float64(size.Y)) / 2 // half a point
		for i, axis := range axes {
			middle, half := (axis.Min+axis.Max)/2, unit*float64([]vg.Length{size.X, size.Y}[i])
			axis.Min, axis.Max = middle-half, middle+half
		}
	}
}

// ticks marks an axis at multiples of 1, 2 or 5 times a power of ten. On a logarithmic axis that spans more
// than a factor of ten, it marks powers of ten and, if there is room, their multiples. Gonum's default ticks
// have only three labels, and write 3e+04 for 30000.
type ticks struct{ *plot.Axis }

// Ticks implements plot.Ticker.
func (t ticks) Ticks(lo, hi float64) (all []plot.Tick) {
	if isLog(t.Axis) && hi > 10*lo {
		every := math.Ceil((math.Log10(hi) - math.Log10(lo)) / 9) // powers of ten per tick
		for power := math.Floor(math.Log10(lo)/every) * every; power <= math.Log10(hi); power += every {
			for k := 1.; k < 10; k++ {
				tick := plot.Tick{Value: k * math.Pow(10, power)}
				if k == 1 || hi < 100*lo && (k == 2 || k == 5) {
					tick.Label = label(tick.Value)
				}
				if tick.Label != "" || every == 1 {
					all = append(all, tick)
				}
			}
		}
		return all
	}
	step := picture.RoundBelow((hi - lo) / 3)
	first := math.Ceil(lo/step - 1e-9)
	for i := 0.; i < 9 && (first+i)*step <= hi+1e-9*step; i++ {
		all = append(all, plot.Tick{Value: (first + i) * step, Label: label((first + i) * step)})
	}
	return all
}

// label formats a tick in single precision, or with six significant digits if it is huge or tiny, to hide
// rounding errors.
func label(x float64) string {
	if a := math.Abs(x); a >= 1e10 || a < 1e-5 && a > 0 {
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	return cli.Commas(strconv.FormatFloat(x+0, 'f', -1, 32))
}
