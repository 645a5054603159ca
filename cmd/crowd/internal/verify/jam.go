package verify

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"gonum.org/v1/gonum/spatial/r2"
	gonumplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/brewer"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

type jam struct {
	seeds      int
	bottleneck []experiment.Jam
	door       []experiment.Door
	blocks     []experiment.TwoWays // 250 against 250 people, 5 m wide
	narrow     []experiment.TwoWays // 100 against 100 people, 2 m wide
	sides      []experiment.TwoSides
	leads      []float64 // m
	walls      []float64 // shares at the wall of a corridor
	scenes     []safeScene
}

type safeScene struct {
	name string
	runs []experiment.Safety
}

// Seconds within which people must get past each other.
const (
	blocksWithin = 180
	sidesWithin  = 240
	narrowWithin = 300
)

func newJam(o *Options) (suite, error) {
	s := &jam{seeds: o.seeds(3)}
	for _, name := range []string{"bottleneck", "crossing", "evacuation"} {
		if s.scenes = append(s.scenes, safeScene{name: name}); o.Quick {
			break
		}
	}
	return s, nil
}

func (s *jam) plan(p *plan) {
	for i := range s.scenes {
		s.scenes[i].runs = repeat(p, 1, func(r run) (experiment.Safety, error) { return experiment.RunSafety(r, s.scenes[i].name) })
	}
	s.blocks = repeat(p, s.seeds, func(r run) (experiment.TwoWays, error) { return experiment.WalkTwoWays(r, 250, 5, 60, blocksWithin) })
	s.narrow = repeat(p, s.seeds, func(r run) (experiment.TwoWays, error) { return experiment.WalkTwoWays(r, 100, 2, 100, narrowWithin) })
	s.sides = repeat(p, s.seeds, func(r run) (experiment.TwoSides, error) { return experiment.WalkTwoSides(r, sidesWithin) })
	s.bottleneck = repeat(p, s.seeds, experiment.Bottleneck)
	s.door = repeat(p, s.seeds, func(r run) (experiment.Door, error) { return experiment.WalkDoor(r, 1) })
	s.leads = repeat(p, s.seeds, experiment.Overtake)
	s.walls = repeat(p, s.seeds, experiment.WallShare)
}

func (s *jam) rows() []Row {
	var doors, jams []experiment.Smoothness
	for i := range s.seeds {
		doors, jams = append(doors, s.door[i].Jam), append(jams, s.bottleneck[i].Jam)
	}
	rows := append(smooth("bottleneck", jams), smooth("door of 1.0 m", doors)...)
	seeds, fewest := of("mean", s.seeds), of("fewest", s.seeds)
	rows = append(rows,
		judge(fmt.Sprintf("2 × 250 in 5 m: passed within %d s", blocksWithin), exactly(500), leastOf(s.blocks, func(t *experiment.TwoWays) int { return t.Passed }), fewest),
		judge("2 × 250 in 5 m: lane order", atLeast(0.8), meanOf(s.blocks, func(t *experiment.TwoWays) float64 { return t.LaneOrder }), seeds),
		judge("2 × 250 in 5 m: lane order from contact", atLeast(0.8), meanOf(s.blocks, func(t *experiment.TwoWays) float64 { return t.ContactOrder }), seeds).because(mixed),
		judge("2 × 250 in 5 m: lane order, middle 10 m", atLeast(0.8), meanOf(s.blocks, func(t *experiment.TwoWays) float64 { return t.MiddleOrder }), seeds),
		judge(fmt.Sprintf("2 × 60, door of 0.8 m: passed within %d s", sidesWithin), exactly(120), leastOf(s.sides, func(t *experiment.TwoSides) int { return t.Passed }), fewest),
		judge("2 × 60, door of 0.8 m: mean burst", atLeast(1.5), meanOf(s.sides, func(t *experiment.TwoSides) float64 { return t.Burst }), seeds),
		judge(fmt.Sprintf("100 against 100 in 2 m: passed within %d s", narrowWithin), exactly(200), leastOf(s.narrow, func(t *experiment.TwoWays) int { return t.Passed }), fewest),
		judge("overtaking: lead after 60 m", above(0).in("m"), slices.Min(s.leads), of("minimum", s.seeds)),
		judge("bottleneck: notch behind the door", atMost(0.3).in("m"), meanOf(s.bottleneck, func(j *experiment.Jam) float64 { return j.Notch }), seeds),
		judge("bottleneck: share on the emptier side", atLeast(0.43), meanOf(s.bottleneck, func(j *experiment.Jam) float64 { return j.Side }), seeds),
		judge("evacuation: share within 0.35 m of the wall", atMost(0.05), mean(s.walls), seeds),
	)
	for i := range s.scenes {
		name, runs := s.scenes[i].name, s.scenes[i].runs
		rows = append(rows,
			judge(name+": collisions", exactly(0), mostOf(runs, func(r *experiment.Safety) int { return r.Collisions })),
			judge(name+": centers in walls", exactly(0), mostOf(runs, func(r *experiment.Safety) int { return r.InWalls })))
	}
	return rows
}

const mixed = "too low: both blocks start evenly spread over the whole width, and lanes form while they pass"

func smooth(name string, jams []experiment.Smoothness) []Row {
	mean := of("mean", len(jams))
	return []Row{
		judge(name+", jam: wiggle", atMost(1.06), meanOf(jams, func(s *experiment.Smoothness) float64 { return s.Wiggle }), mean),
		judge(name+", jam: reversals", atMost(0.25).in("/s"), meanOf(jams, func(s *experiment.Smoothness) float64 { return s.Reversals }), mean),
		judge(name+", jam: acceleration", atMost(0.8).in("m/s²"), meanOf(jams, func(s *experiment.Smoothness) float64 { return s.Acceleration }), mean),
	}
}

func (s *jam) missing() string { return "" }

func (s *jam) picture(style *plot.Style) *plot.Sheet {
	return &plot.Sheet{
		Style: style, Title: "Jams", Columns: 2,
		Caption: []string{"Agents with the first seed."},
		Panels:  []*plot.Panel{s.bursts(style), s.order(style), s.lanes(style), s.ways(style)},
	}
}

var sideNames = [2]string{"eastward", "westward"}

func (s *jam) bursts(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, "2 × 60 people, a door of 0.8 m from both sides", "time, s", "people passed")
	var all []curve
	for side, times := range s.sides[0].Times {
		all = append(all, line(sideNames[side], side, plot.Joined|plot.Stepped, times, counts(len(times))))
	}
	addCurves(p, all...)
	return p
}

func (s *jam) order(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, "Lanes", "time, s", "lane order (Rex and Löwen)")
	var all []curve
	end := 0.
	for i, of := range []struct {
		name  string
		walks *experiment.TwoWays
	}{{"2 × 250 in 5 m", &s.blocks[0]}, {"100 against 100 in 2 m", &s.narrow[0]}} {
		var xs, ys []float64
		for _, at := range of.walks.Orders {
			xs, ys = append(xs, at.Time), append(ys, at.Order)
			end = max(end, at.Time)
		}
		all = append(all, line(of.name, i, plot.Joined, xs, ys))
	}
	least := line("expected, 0.8 or more", expected, plot.Joined, []float64{0, end}, []float64{0.8, 0.8})
	least.Dash = 1
	all = append(all, least)
	addCurves(p, all...)
	return p
}

func (s *jam) lanes(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, "2 × 250 people in a corridor of 5 m", "x, m", "")
	p.HideY()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -20, 20, 0, 1
	p.Add(strips{s.blocks[0].Views, style, p.X.Tick.Label})
	for side, name := range sideNames {
		p.Label(name, plot.Swatch(style.Line(side)))
	}
	return p
}

// strips draws views of a corridor one below another. In a low panel, y has a smaller scale than x.
type strips struct {
	views []experiment.View
	style *plot.Style
	text  text.Style
}

func (s strips) Plot(c draw.Canvas, p *gonumplot.Plot) {
	const half, body = 2.5, 0.2 // m
	x, _ := p.Transforms(&c)
	meter := x(1) - x(0)
	size := c.Size()
	each := size.Y / vg.Length(len(s.views))
	meter = min(meter, (each-16)/(2*half))
	for i, v := range s.views {
		middle := c.Max.Y - each*vg.Length(i) - 14 - half*meter
		at := func(place r2.Vec) vg.Point {
			return vg.Point{X: x(place.X), Y: middle + vg.Length(place.Y)*meter}
		}
		for _, wall := range []float64{-half, half} {
			c.StrokeLine2(draw.LineStyle{Color: s.style.Faint, Width: 1.5}, c.Min.X, at(r2.Vec{Y: wall}).Y, c.Max.X, at(r2.Vec{Y: wall}).Y)
		}
		for side := range v.At {
			for _, place := range v.At[side] {
				if math.Abs(place.X) < p.X.Max-body {
					c.DrawGlyphNoClip(draw.GlyphStyle{Color: s.style.Line(side), Radius: body * meter, Shape: draw.CircleGlyph{}}, at(place))
				}
			}
		}
		label := s.text
		label.XAlign, label.YAlign = draw.XLeft, draw.YBottom
		c.FillText(label, vg.Point{X: c.Min.X, Y: middle + half*meter + 2}, fmt.Sprintf("after %.0f s", v.Time))
	}
}

func (s *jam) ways(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, "Paths in front of a door of 1.0 m, over 5 s", "x, m", "y, m")
	p.Plane = true
	p.Add(walked{s.door[0].Ways, style})
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -5, 1, -2, 2
	return p
}

type walked struct {
	ways  [][]r2.Vec
	style *plot.Style
}

func (w walked) Plot(c draw.Canvas, p *gonumplot.Plot) {
	const half, thick = 0.5, 0.2 // m
	end := p.Y.Max - p.Y.Min
	for _, wall := range []r2.Box{r2.NewBox(0, half, thick, end), r2.NewBox(0, -end, thick, -half)} {
		c.FillPolygon(w.style.Faint, c.ClipPolygonXY(onCanvas(c, p, cornersOf(wall))))
	}
	for i, way := range w.ways {
		look := draw.LineStyle{Color: w.style.Line(i % 6), Width: 1.1}
		c.StrokeLines(look, c.ClipLinesXY(onCanvas(c, p, way))...)
	}
}

func onCanvas(c draw.Canvas, p *gonumplot.Plot, points []r2.Vec) (all []vg.Point) {
	x, y := p.Transforms(&c)
	for _, at := range points {
		all = append(all, vg.Point{X: x(at.X), Y: y(at.Y)})
	}
	return all
}

// cells draws Voronoi cells colored by density, and the area that is not walkable.
type cells struct {
	all      []experiment.Cell
	walkable []r2.Box
	style    *plot.Style
	colors   []color.Color // colors[i] is for i to i+1 people/m²; the last has no upper limit
}

func newCells(style *plot.Style, all []experiment.Cell, walkable []r2.Box) *cells {
	const classes = 7
	p, err := brewer.GetPalette(brewer.TypeSequential, "YlOrRd", classes)
	if err != nil {
		panic(err) // cannot happen: the palette exists
	}
	return &cells{all, walkable, style, p.Colors()}
}

func (s *cells) label(p *plot.Panel) {
	last := len(s.colors) - 1
	for i, c := range s.colors {
		name := fmt.Sprintf("%d–%d", i, i+1)
		switch i {
		case 0:
			name = "below 1"
		case last:
			name = fmt.Sprintf("above %d", i)
		}
		p.Label(name, plot.Swatch(c))
	}
}

func (s *cells) Plot(c draw.Canvas, p *gonumplot.Plot) {
	outline := func(corners []r2.Vec) []vg.Point { return c.ClipPolygonXY(onCanvas(c, p, corners)) }
	rectangle := func(b r2.Box) []vg.Point { return outline(cornersOf(b)) }
	c.FillPolygon(plot.Pale(s.style.Faint, 0.45), rectangle(r2.Box{Min: r2.Vec{X: p.X.Min, Y: p.Y.Min}, Max: r2.Vec{X: p.X.Max, Y: p.Y.Max}}))
	for _, b := range s.walkable {
		c.FillPolygon(s.style.Paper, rectangle(b))
	}
	for i := range s.all {
		cell := &s.all[i]
		class := min(int(min(cell.Density(), 1e3)), len(s.colors)-1)
		for _, part := range cell.Parts {
			points := outline(part)
			if len(points) < 3 {
				continue
			}
			c.FillPolygon(s.colors[class], points)
			c.StrokeLines(draw.LineStyle{Color: plot.Pale(color.Black, 0.35), Width: 0.5}, append(points, points[0]))
		}
	}
	for i := range s.all {
		at := onCanvas(c, p, []r2.Vec{s.all[i].At})[0]
		c.DrawGlyph(draw.GlyphStyle{Color: color.Black, Radius: 1.2, Shape: draw.CircleGlyph{}}, at)
	}
}

func cornersOf(b r2.Box) []r2.Vec {
	return []r2.Vec{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}}
}
