package steerbench

import (
	"math"

	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func (r *reader) obstacles(t textio.Tag) error {
	switch t.Name {
	case "obstacle":
		b, err := r.box(t)
		if err != nil {
			return err
		}
		return r.polygon(t, b.Vertices())
	case "circleObstacle":
		return r.circle(t)
	case "polygonObstacle":
		return r.vertices(t)
	case "obstacleRegion":
		return r.obstacleRegion(t)
	default:
		return r.oriented(t)
	}
}

func (r *reader) circle(t textio.Tag) error {
	var o Obstacle
	random := false
	_, err := r.fields(t, func(c textio.Tag) (err error) {
		if c.Name == "radius" {
			return r.number(&o.Radius, c, textio.NotNegative("a radius of at least 0"))
		}
		o.Center, random, err = r.point(c)
		return err
	}, "radius", "position")
	switch {
	case err != nil:
		return err
	case random:
		r.unplaced(t)
	case o.Radius == 0:
		r.empty(t)
	default:
		r.test.Obstacles = append(r.test.Obstacles, o)
	}
	return nil
}

func (r *reader) vertices(t textio.Tag) error {
	var outline []r2.Vec
	random := false
	err := r.Element(t, func(c textio.Tag) error {
		v, chance, err := r.point(c)
		outline = append(outline, v)
		random = random || chance
		return err
	})
	if err != nil {
		return err
	}
	if random {
		r.unplaced(t)
		return nil
	}
	return r.polygon(t, outline)
}

// oriented reads a box that is rotated about its center, or a wall. A wall with a doorway becomes the
// boxes on both sides of the doorway.
func (r *reader) oriented(t textio.Tag) error {
	var center, size r2.Vec
	var theta float64
	var door doorway
	var random [2]bool
	seen, err := r.fields(t, func(c textio.Tag) (err error) {
		switch c.Name {
		case "thetaY":
			err = r.number(&theta, c, textio.AnyNumber("an angle in degrees"))
		case "size":
			size, random[0], err = r.point(c)
		case "position":
			center, random[1], err = r.point(c)
		case "doorway":
			door, err = r.doorway(c)
		}
		return err
	}, "size", "position")
	if err != nil {
		return err
	}
	if random[0] || random[1] || door.random {
		r.unplaced(t)
		return nil
	}
	half := r2.Vec{X: math.Abs(size.X) / 2, Y: math.Abs(size.Y) / 2}
	whole := r2.Box{Min: r2.Vec{X: -half.X, Y: -half.Y}, Max: half}
	boxes := []r2.Box{whole}
	if seen["doorway"] {
		boxes = door.sides(whole)
	}
	sin, cos := sinCosDegrees(theta)
	for _, b := range boxes {
		outline := b.Vertices()
		for i, p := range outline {
			outline[i] = r2.Vec{
				X: center.X + (float64(p.X*cos) + float64(p.Y*sin)),
				Y: center.Y + (float64(p.Y*cos) - float64(p.X*sin)),
			}
		}
		if err := r.polygon(t, outline); err != nil {
			return err
		}
	}
	return nil
}

// doorway is a gap in a wall, along the wall's first axis.
type doorway struct {
	at     float64 // m, middle of the gap, relative to the center of the wall
	radius float64 // m, half the width
	random bool
}

func (r *reader) doorway(t textio.Tag) (doorway, error) {
	d := doorway{radius: DefaultDoorRadius}
	seen, err := r.fields(t, func(c textio.Tag) (err error) {
		switch c.Name {
		case "value":
			err = r.number(&d.at, c, finite)
		case "doorRadius":
			err = r.number(&d.radius, c, textio.NotNegative("a radius of at least 0"))
		case "random":
			d.random, err = r.boolean(c)
		}
		return err
	})
	if err == nil && seen["value"] == d.random {
		err = r.Fail(t.Line, "<doorway> without a place, or with two: want either <value> or <random>true</random>")
	}
	return d, err
}

func (d doorway) sides(wall r2.Box) (boxes []r2.Box) {
	left, right := wall, wall
	left.Max.X = min(d.at-d.radius, wall.Max.X)
	right.Min.X = max(d.at+d.radius, wall.Min.X)
	for _, b := range [...]r2.Box{left, right} {
		if b.Min.X < b.Max.X {
			boxes = append(boxes, b)
		}
	}
	return boxes
}

func (r *reader) obstacleRegion(t textio.Tag) error {
	var region ObstacleRegion
	_, err := r.fields(t, func(c textio.Tag) (err error) {
		switch c.Name {
		case "numObstacles":
			err = r.count(&region.Count, c)
		case "obstacleSize":
			err = r.number(&region.Size, c, textio.AboveZero("a size above 0"))
		case "regionBounds":
			region.Bounds, err = r.box(c)
		}
		return err
	}, "numObstacles", "obstacleSize", "regionBounds")
	if err != nil {
		return err
	}
	if r.random += region.Count; r.random > maxRandom {
		return r.Fail(t.Line, "too many obstacles in regions: want at most %d", maxRandom)
	}
	r.test.ObstacleRegions = append(r.test.ObstacleRegions, region)
	return nil
}

func (r *reader) polygon(t textio.Tag, points []r2.Vec) error {
	outline := textio.Outline(points)
	switch {
	case len(outline) >= 2:
		solid, err := r.Solid(t, outline)
		if solid {
			r.test.Obstacles = append(r.test.Obstacles, Obstacle{Outline: outline})
		}
		return err
	case t.Name == "polygonObstacle":
		return r.Odd(t.Line, "at least 2 different vertices", "<polygonObstacle> with too few vertices")
	default:
		r.empty(t)
	}
	return nil
}

func (r *reader) empty(t textio.Tag) { r.Warn(t.Line, "<%s> without extent: left out", t.Name) }

// unplaced warns about a random obstacle outside an obstacleRegion. SteerSuite never places such an obstacle.
func (r *reader) unplaced(t textio.Tag) {
	r.Warn(t.Line, "random <%s>: left out, as in SteerSuite", t.Name)
}

// sinCosDegrees returns the sine and the cosine of an angle in degrees. They are exact for multiples of a
// right angle, so boxes rotated by such angles stay aligned with the axes.
func sinCosDegrees(a float64) (sin, cos float64) {
	quarters := math.Floor(a/90 + 0.5)
	sin, cos = vec.SinCos(float64(a-float64(quarters*90)) * (math.Pi / 180))
	switch math.Mod(math.Mod(quarters, 4)+4, 4) {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}
