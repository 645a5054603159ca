package steerbench

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// others says what a place must keep clear of.
type others bool

const (
	withAgents    others = true
	withoutAgents others = false
)

// room is what stands already. Agents lie in square cells as wide as the largest
// of them, so that one touches none beyond the cells about its own.
type room struct {
	obstacles []solid
	cells     map[cell][]circle
	width     float64
	checks    int // of one thing against another, so far

	// What near last returned, and for which box.
	nearby    []solid
	nearbyBox r2.Box
	nearbySet bool
}

type (
	cell   struct{ x, y float64 }
	circle struct {
		center r2.Vec
		radius float64
	}
	solid struct {
		Obstacle
		box r2.Box
	}
)

// newRoom is a room for all the agents of a test case, with its obstacles.
func newRoom(t *TestCase) *room {
	m := &room{cells: map[cell][]circle{}}
	for _, a := range t.Agents {
		m.width = max(m.width, 2*a.Radius)
	}
	for _, a := range t.Emitters {
		m.width = max(m.width, 2*a.Radius)
	}
	for _, region := range t.Regions {
		m.width = max(m.width, 2*region.Agent.Radius)
	}
	for _, region := range t.ObstacleRegions {
		m.width = max(m.width, 2*region.Size)
	}
	for _, o := range t.Obstacles {
		m.addObstacle(o)
	}
	return m
}

func (m *room) addObstacle(o Obstacle) {
	s := solid{Obstacle: o, box: o.box()}
	m.obstacles = append(m.obstacles, s)
	if m.nearbySet && meet(s.box, m.nearbyBox) {
		m.nearby = append(m.nearby, s)
	}
}

func (m *room) addCircle(center r2.Vec, radius float64) {
	c := m.cellOf(center)
	m.cells[c] = append(m.cells[c], circle{center, radius})
}

func (m *room) cellOf(v r2.Vec) cell {
	return cell{math.Floor(v.X / m.width), math.Floor(v.Y / m.width)}
}

// near returns the obstacles that come within r of the box.
func (m *room) near(box r2.Box, r float64) []solid {
	box = r2.Box{Min: r2.Vec{X: box.Min.X - r, Y: box.Min.Y - r}, Max: r2.Vec{X: box.Max.X + r, Y: box.Max.Y + r}}
	if m.nearbySet && box == m.nearbyBox {
		return m.nearby
	}
	m.nearby, m.nearbyBox, m.nearbySet = nil, box, true
	for _, s := range m.obstacles {
		if meet(s.box, box) {
			m.nearby = append(m.nearby, s)
		}
	}
	m.checks += len(m.obstacles)
	return m.nearby
}

// free reports whether a circle overlaps none of the obstacles, and no agent where
// that counts.
func (m *room) free(center r2.Vec, r float64, obstacles []solid, among others) bool {
	m.checks += 1 + len(obstacles)
	box := r2.Box{Min: r2.Vec{X: center.X - r, Y: center.Y - r}, Max: r2.Vec{X: center.X + r, Y: center.Y + r}}
	for _, s := range obstacles {
		if !meet(s.box, box) {
			continue
		}
		m.checks += len(s.Outline)
		if s.overlaps(center, r) {
			return false
		}
	}
	if among == withoutAgents {
		return true
	}
	at := m.cellOf(center)
	for x := -1.0; x <= 1; x++ {
		for y := -1.0; y <= 1; y++ {
			circles := m.cells[cell{at.x + x, at.y + y}]
			m.checks += len(circles)
			for _, c := range circles {
				if overlap(center, c.center, r+c.radius) {
					return false
				}
			}
		}
	}
	return true
}

// box is the extent of an obstacle.
func (o Obstacle) box() r2.Box {
	if len(o.Outline) == 0 {
		r := r2.Vec{X: o.Radius, Y: o.Radius}
		return r2.Box{Min: r2.Sub(o.Center, r), Max: r2.Add(o.Center, r)}
	}
	b := r2.Box{Min: o.Outline[0], Max: o.Outline[0]}
	for _, p := range o.Outline {
		b.Min = r2.Vec{X: min(b.Min.X, p.X), Y: min(b.Min.Y, p.Y)}
		b.Max = r2.Vec{X: max(b.Max.X, p.X), Y: max(b.Max.Y, p.Y)}
	}
	return b
}

// overlaps reports whether a circle overlaps the obstacle: its center lies inside,
// or an edge comes closer than its radius.
func (o Obstacle) overlaps(center r2.Vec, r float64) bool {
	if len(o.Outline) == 0 {
		return overlap(center, o.Center, r+o.Radius)
	}
	inside := false
	a := o.Outline[len(o.Outline)-1]
	for _, b := range o.Outline {
		if overlap(center, closest(a, b, center), r) {
			return true
		}
		if (a.Y > center.Y) != (b.Y > center.Y) &&
			center.X < a.X+float64((center.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X)) {
			inside = !inside
		}
		a = b
	}
	return inside
}

// closest is the point of the segment from a to b that is closest to p.
func closest(a, b, p r2.Vec) r2.Vec {
	d, w := r2.Sub(b, a), r2.Sub(p, a)
	n2 := float64(d.X*d.X) + float64(d.Y*d.Y)
	if n2 == 0 {
		return a
	}
	s := min(max((float64(w.X*d.X)+float64(w.Y*d.Y))/n2, 0), 1)
	return r2.Vec{X: a.X + float64(s*d.X), Y: a.Y + float64(s*d.Y)}
}

// overlap reports whether two points are closer than r.
func overlap(a, b r2.Vec, r float64) bool {
	x, y := a.X-b.X, a.Y-b.Y
	return float64(x*x)+float64(y*y) < float64(r*r)
}

// meet reports whether two boxes have a point in common.
func meet(a, b r2.Box) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X && a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y
}
