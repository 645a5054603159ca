package plot

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/study"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// front is the points of a sweep in the plane of two figures.
type front struct {
	*studyDrawing
	goals [2]study.Goal
	over  []int // axes that points are means over
	axes  []int // axes that tell points apart
	all   []study.Candidate
	left  int // points that lack a figure
}

// front draws all points in the plane of two figures, and marks, joins and names those that no
// other beats.
func (p *studyDrawing) front(s *sheet.Sheet) (*front, error) {
	f := &front{studyDrawing: p}
	if len(p.Pareto) == 0 && (f.cost() == "" || f.quality() == "") {
		return nil, nil // which is for those to choose who want it
	}
	if err := f.choose(); err != nil {
		return nil, err
	}
	var err error
	if f.all, f.left, err = p.Candidates(f.goals[0], f.goals[1], f.over); err != nil {
		return nil, err
	}
	if len(f.all) == 0 {
		return nil, fmt.Errorf("no point has both %s and %s", f.goals[0].Figure, f.goals[1].Figure)
	}
	for _, i := range p.Varies() {
		if !slices.Contains(f.over, i) {
			f.axes = append(f.axes, i)
		}
	}
	if f.left > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d of %s not beside the others: without %s or %s in one of the cases", f.left, numbers.Plural(f.left+len(f.all), "point"), f.goals[0].Figure, f.goals[1].Figure))
	}
	s.Caption = append(s.Caption, f.caption())
	fig := f.panel()
	fig.Wide = true
	s.Panels = append(s.Panels, fig)
	return f, nil
}

// choose finds out which figures are drawn, and which axes are the same for all points.
func (f *front) choose() error {
	names := f.Pareto
	if len(names) == 0 {
		names = []string{f.cost(), f.quality()}
	}
	for i, name := range names {
		goal, err := study.ParseGoal(name)
		if err != nil {
			return fmt.Errorf("--pareto: %w", err)
		}
		if err := f.CheckFigure("--pareto", goal.Figure); err != nil {
			return err
		}
		f.goals[i] = goal
	}
	switch {
	case len(f.Over) == 0:
		f.over = f.Tasks()
	case len(f.Over) == 1 && f.Over[0] == "none":
	default:
		for _, name := range f.Over {
			i, err := f.FindAxis("--over", name)
			if err != nil {
				return err
			}
			f.over = append(f.over, i)
		}
	}
	if len(f.over) > 0 && len(f.over) == len(f.Varies()) {
		if len(f.Over) > 0 {
			return errors.New("--over has all axes that vary: there would be one point")
		}
		f.over = nil // the crowds are all that is compared
	}
	return nil
}

// costsOfSweep are what points are compared by, the fairest first: steps may differ in length.
var costsOfSweep = []string{"us_per_agent_second", "ns_per_agent_step"}

// cost returns the first of costsOfSweep that the runs have; none if they have neither.
func (f *front) cost() string {
	for _, name := range costsOfSweep {
		if f.Has(name) {
			return name
		}
	}
	return ""
}

// quality returns what is drawn against cost: collisions, or the first figure that all runs have and
// of which one knows which way it is better; none if there is none.
func (f *front) quality() string {
	names := f.Figure
	if len(names) == 0 {
		names = append([]string{"collisions", "arrived_share"}, chiefOfSweep...) // times of arrival are of those who arrived
	}
	for _, name := range names {
		if _, known := study.Better(name); known && !slices.Contains(costsOfSweep, name) && f.Differs(name) && f.Missing(name) == 0 {
			return name
		}
	}
	return ""
}

// caption says what the points are.
func (f *front) caption() string {
	best := 0
	for i := range f.all {
		if f.all[i].Best {
			best++
		}
	}
	text := fmt.Sprintf("%s, means over seeds", numbers.Plural(len(f.all), "point"))
	for k, i := range f.over {
		if k == len(f.over)-1 {
			text += " and " + f.Axes[i].Name
		} else {
			text += ", " + f.Axes[i].Name
		}
	}
	return text + fmt.Sprintf("; no other point beats the %d with a name: better is %s and %s", best, direction(f.goals[0]), direction(f.goals[1]))
}

func direction(g study.Goal) string {
	if m := measureOf(g.Figure); g.More {
		return "more " + m.words
	} else {
		return "less " + m.words
	}
}

// panel draws the points.
func (f *front) panel() *sheet.Panel {
	mx, my := measureOf(f.goals[0].Figure), measureOf(f.goals[1].Figure)
	fig := sheet.NewPanel(f.style, "", mx.axis(), my.axis())
	x, y := sheet.Scale{Ticks: 14}, sheet.Scale{}
	for _, c := range f.all {
		x.Add(mx.of(c.X))
		y.Add(my.of(c.Y))
	}
	for _, scale := range []*sheet.Scale{&x, &y} {
		scale.Log = scale.Lo > 0 && scale.Hi > 8*scale.Lo
	}
	place := func(c study.Candidate) plotter.XY { return plotter.XY{X: x.At(mx.of(c.X)), Y: y.At(my.of(c.Y))} }
	x.Apply(&fig.X)
	y.Apply(&fig.Y)
	fig.AddGrid()
	edge := f.edge(place)
	if line, err := plotter.NewLine(edge); err == nil {
		line.Color, line.Width = f.style.Faint, 1
		fig.Add(line)
	}
	colored := f.colored()
	var dots plotter.XYs
	var names []sheet.Callout
	for _, c := range f.all {
		at := place(c)
		fig.Add(&frontDot{at: at, best: c.Best, color: f.style.Line(max(f.colorOf(c, colored), 0)), paper: f.style.Paper})
		dots = append(dots, at)
		if c.Best {
			names = append(names, sheet.Callout{X: at.X, Y: at.Y, Name: f.shortName(c, colored)})
		}
	}
	fig.AddCallouts(names, dots, edge)
	if colored >= 0 {
		for i, name := range f.Axes[colored].Values {
			fig.Label(name, sheet.Dot{Color: f.style.Line(i)})
		}
	}
	return fig
}

// edge returns the corners of the line that joins the points that no other beats: the edge of what
// they beat.
func (f *front) edge(place func(study.Candidate) plotter.XY) (corners plotter.XYs) {
	for _, c := range f.all {
		if !c.Best {
			continue
		}
		at := place(c)
		if n := len(corners); n > 0 {
			corners = append(corners, plotter.XY{X: at.X, Y: corners[n-1].Y})
		}
		corners = append(corners, at)
	}
	return corners
}

// colored returns the axis whose values have a color each, the model if it can; -1: none.
func (f *front) colored() int {
	first := -1
	for _, i := range f.axes {
		a := f.Axes[i]
		if few := a.Numbers == nil && len(a.Values) <= len(f.style.Lines); few && (first < 0 || a.Name == "model") {
			first = i
		}
	}
	return first
}

func (f *front) colorOf(c study.Candidate, axis int) int {
	if axis < 0 {
		return 0
	}
	return c.At[axis]
}

// shortName names a point by what its color does not tell.
func (f *front) shortName(c study.Candidate, colored int) string {
	axes := slices.DeleteFunc(slices.Clone(f.axes), func(i int) bool { return i == colored })
	if name := f.nameOf(c.At, axes); name != "" {
		return name
	}
	return f.nameOf(c.At, f.axes)
}

// frontDot is a point: large if no other beats it.
type frontDot struct {
	at    plotter.XY
	best  bool
	color color.Color
	paper color.Color
}

// Plot draws the dot.
func (d *frontDot) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	if math.IsNaN(d.at.X) || math.IsNaN(d.at.Y) {
		return
	}
	at := vg.Point{X: x(d.at.X), Y: y(d.at.Y)}
	if d.best {
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: d.paper, Radius: 5.5, Shape: draw.CircleGlyph{}}, at)
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: d.color, Radius: 4.5, Shape: draw.CircleGlyph{}}, at)
		return
	}
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: sheet.Pale(d.color, 0.4), Radius: 2.5, Shape: draw.CircleGlyph{}}, at)
}
