package scene

import (
	"fmt"
	"math"
	"path/filepath"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/formats/wkt"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

func (s *crowd) obstacles(w *world.World) error {
	circles := s.Obstacles.Circles
	circles = circles[:len(circles):len(circles)]
	if p := s.Obstacles.Pillars; p != nil {
		circles = append(circles, p.circles(s.Scene)...)
	}
	circles, err := s.random(circles)
	if err != nil || s.cut {
		return err
	}
	for _, o := range circles {
		if s.ended(cheapRows) {
			return nil
		}
		if _, err := w.AddObstacle(o.At, c.Obstacle{Radius: o.Radius}); err != nil {
			return err
		}
	}
	for _, o := range s.Obstacles.Walls {
		if s.ended(cheapRows) {
			return nil
		}
		if _, err := w.AddObstacle(o.A, c.Obstacle{Span: vec.Sub(o.B, o.A), Radius: o.Radius}); err != nil {
			return err
		}
	}
	for _, d := range s.Obstacles.Doors {
		if _, err := w.AddDoor(d.A, d.B, d.Radius, d.Door); err != nil {
			return err
		}
	}
	for i, corners := range s.Obstacles.Polygons {
		if s.ended(cheapRows) {
			return nil
		}
		if _, err := w.AddPolygon(corners); err != nil {
			return fmt.Errorf("obstacles.polygons[%d]: %w", i, err)
		}
	}
	for _, b := range s.Obstacles.Boxes {
		if s.ended(cheapRows) {
			return nil
		}
		if _, err := w.AddPolygon(b.corners()); err != nil {
			return err
		}
	}
	return nil
}

func (p *Pillars) circles(s *Scene) []Circle {
	center := vec.Scale(0.5, vec.Add(s.Box.Min, s.Box.Max))
	var all []Circle
	for row := range p.Rows {
		for column := range p.Columns {
			k := uint64(len(all))
			jitter := func(axis uint64) float64 {
				return float64(p.Jitter * (float64(2*frame.HashFloat(s.Seed, k, axis, 4*usePillar)) - 1))
			}
			all = append(all, Circle{Radius: p.Radius, At: r2.Vec{
				X: center.X + float64(p.Pitch*(float64(column)-float64(float64(p.Columns-1)/2))) + jitter(0),
				Y: center.Y + float64(p.Pitch*(float64(row)-float64(float64(p.Rows-1)/2))) + jitter(1),
			}})
		}
	}
	return all
}

func (b *Box) corners() []r2.Vec {
	center, half := vec.Scale(0.5, vec.Add(b.Min, b.Max)), vec.Scale(0.5, vec.Sub(b.Max, b.Min))
	if b.Angle == 0 {
		return []r2.Vec{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}}
	}
	sin, cos := vec.SinCos(math.Mod(b.Angle, 360) * (math.Pi / 180))
	var all []r2.Vec
	for _, corner := range []r2.Vec{{X: -half.X, Y: -half.Y}, {X: half.X, Y: -half.Y}, half, {X: -half.X, Y: half.Y}} {
		all = append(all, vec.Add(center, vec.Rotate(corner, cos, sin)))
	}
	return all
}

// random returns the given circles and the random ones, or nil, nil if building is canceled.
func (s *crowd) random(circles []Circle) ([]Circle, error) {
	k := uint64(0)
	for i := range s.Obstacles.Random {
		o := &s.Obstacles.Random[i]
		placed := newClearings(circles, o)
		for n := range o.Count {
			if s.ended(dearRows) {
				return nil, nil
			}
			circle, ok := o.draw(s.Scene, placed, n, k)
			if !ok {
				return nil, fmt.Errorf("obstacles.random[%d]: found room for only %d of %d circles with a gap of %v m, want fewer circles or a larger box", i, n, o.Count, o.Gap)
			}
			circles, k = append(circles, circle), k+1
			placed.add(circle)
		}
	}
	return circles, nil
}

// draw returns circle n of o, which is circle k of all random circles, and reports whether one of maxDraws
// attempts succeeded.
func (o *RandomCircles) draw(s *Scene, placed *clearings, n int, k uint64) (Circle, bool) {
	box := o.Box
	if box == (r2.Box{}) {
		box = s.Box
	}
	size := vec.Sub(box.Max, box.Min)
	circle := Circle{Radius: o.Radius.of(s.Seed, k, useCircleRadius, n)}
	for draw := range uint64(maxDraws) {
		circle.At = r2.Vec{
			X: box.Min.X + float64(size.X*frame.HashFloat(s.Seed, k, draw, 4*useCircle)),
			Y: box.Min.Y + float64(size.Y*frame.HashFloat(s.Seed, k, draw, 4*useCircle+1)),
		}
		if placed.clear(circle) {
			return circle, true
		}
	}
	return circle, false
}

// clearings holds circles in cells as wide as the longest required distance between centers, so only
// neighboring cells matter.
type clearings struct {
	gap, cell float64
	cells     map[r2.Vec][]Circle
}

func newClearings(circles []Circle, o *RandomCircles) *clearings {
	widest := o.Radius.Most()
	for _, circle := range circles {
		widest = max(widest, circle.Radius)
	}
	p := &clearings{gap: o.Gap, cell: 2*widest + o.Gap, cells: map[r2.Vec][]Circle{}}
	for _, circle := range circles {
		p.add(circle)
	}
	return p
}

func (p *clearings) cellOf(at r2.Vec) r2.Vec {
	return r2.Vec{X: math.Floor(at.X / p.cell), Y: math.Floor(at.Y / p.cell)}
}

func (p *clearings) add(circle Circle) {
	if p.cell > 0 {
		cell := p.cellOf(circle.At)
		p.cells[cell] = append(p.cells[cell], circle)
	}
}

func (p *clearings) clear(circle Circle) bool {
	if !(p.cell > 0) {
		return true // points without a gap are always clear
	}
	cell := p.cellOf(circle.At)
	for neighbor := range 9 {
		next := r2.Vec{X: float64(neighbor%3 - 1), Y: float64(neighbor/3 - 1)}
		for _, other := range p.cells[vec.Add(cell, next)] {
			if vec.Norm(vec.Sub(circle.At, other.At)) < circle.Radius+other.Radius+p.gap {
				return false
			}
		}
	}
	return true
}

func (o *Obstacles) addWalls(walls [][2]r2.Vec) {
	for _, w := range walls {
		o.Walls = append(o.Walls, Wall{A: w[0], B: w[1]})
	}
}

// wktKey returns the key wkt. It must be the last key of obstacles, because it adds to what other keys set.
// It is never written: walls and polygons replace it.
func wktKey(o *Obstacles) key {
	var source string
	k := bind("wkt", &source, text, "the area in which people can walk, in well-known text, or the name of a file with such text in the same folder: POLYGON, MULTIPOLYGON or a GEOMETRYCOLLECTION of these, in m; its edge becomes walls, and its holes become polygons")
	k.read = func(r *reader, n *node) { r.area(n, o) }
	k.isReset = func() bool { return true }
	return k
}

func (r *reader) area(n *node, o *Obstacles) {
	var a *wkt.Area
	var err error
	switch before := r.count(); {
	case wkt.Begins([]byte(text.read(r, n))):
		a, err = wkt.Parse(n.text)
	case r.count() > before:
		return
	case r.file == "":
		r.wrong(n, "WKT, because this scene was not read from a file")
		return
	default:
		path := filepath.Join(filepath.Dir(r.file), filepath.FromSlash(n.text))
		if err = r.allow(path); err == nil {
			a, err = wkt.Read(r.ctx, path)
		}
		if err == nil {
			r.files = append(r.files, path)
		}
	}
	if err != nil {
		r.cut = r.cut || r.ctx.Err() != nil
		r.fault(n.offset, "%s is %s: %v", r.at(), n.describe(), err)
		return
	}
	walls, polygons := a.Obstacles()
	o.addWalls(walls)
	o.Polygons = append(o.Polygons, polygons...)
	for _, note := range a.Notes {
		r.unread = append(r.unread, fault{n.offset, r.at() + ": " + note})
	}
}
