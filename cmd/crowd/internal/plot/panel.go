package plot

import (
	"math"
	"strconv"

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
			if wide := vg.Length(0); i == 0 {
				for _, tick := range ticks {
					wide = max(wide, axis.Tick.Label.Width(tick.Label)+8)
				}
				if wide*vg.Length(len(ticks)) > room {
					axis.Tick.Label.Rotation, axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = math.Pi/7, draw.XRight, draw.YTop
				}
			}
		}
	}
	if size = p.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: size}}).Size(); p.Plane && size.X > 0 && size.Y > 0 {
		unit := max((p.X.Max-p.X.Min)/float64(size.X), (p.Y.Max-p.Y.Min)/float64(size.Y)) / 2 // of half a point
		for i, axis := range []*plot.Axis{&p.X, &p.Y} {
			middle, half := (axis.Min+axis.Max)/2, unit*float64([]vg.Length{size.X, size.Y}[i])
			axis.Min, axis.Max = middle-half, middle+half
		}
	}
}

// Ticks marks an axis at multiples of 1, 2 or 5 times a power of ten, as many as have room, with commas in
// the labels. plot.DefaultTicks has three labels at any length.
type Ticks struct {
	Log    bool      // the axis has logarithms to the base of ten
	Whole  bool      // only whole numbers are marked
	Across bool      // the axis is horizontal
	Room   vg.Length // length of the axis
}

// Ticks implements plot.Ticker.
func (t Ticks) Ticks(lo, hi float64) (all []plot.Tick) {
	each := vg.Length(30)
	if t.Across {
		each = 50
	}
	most := max(2, math.Floor(float64(t.Room/each)))
	if t.Log && hi-lo >= 0.6 {
		every := int(math.Ceil((hi - lo) / most))
		for power := math.Floor(lo); power <= hi; power++ {
			for _, k := range []float64{1, 2, 5} {
				tick := plot.Tick{Value: power + math.Log10(k)}
				if k == 1 && int(power)%every == 0 || hi-lo < 2 {
					tick.Label = label(k*math.Pow(10, power), math.Pow(10, power))
				}
				if lo <= tick.Value && tick.Value <= hi {
					all = append(all, tick)
				}
			}
		}
		return all
	}
	place := func(x float64) float64 { return x }
	if t.Log {
		lo, hi, place = math.Pow(10, lo), math.Pow(10, hi), math.Log10
	}
	step := NiceStep((hi - lo) / most)
	if t.Whole {
		step = max(step, 1)
	}
	first := math.Ceil(lo/step - 1e-9)
	for i := 0.; i < 100 && (first+i)*step <= hi+1e-9*step; i++ {
		all = append(all, plot.Tick{Value: place((first + i) * step), Label: label((first+i)*step, step)})
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
