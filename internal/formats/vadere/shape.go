package vadere

import (
	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

// Shape is that of a part of the floor.
type Shape struct {
	Kind    ShapeKind
	Box     r2.Box   // m, a Rectangle, or around the others
	Corners []r2.Vec // m, of a Polygon, three or more
	Center  r2.Vec   // m, of a Circle
	Radius  float64  // m, of a Circle
}

// ShapeKind says what a shape is.
type ShapeKind int

const (
	Rectangle ShapeKind = iota + 1
	Polygon
	Circle
)

// shapeKinds are by their names in files.
var shapeKinds = map[string]ShapeKind{"RECTANGLE": Rectangle, "POLYGON": Polygon, "CIRCLE": Circle}

// shape reads one of any kind, of this one if it does not say.
func (r *reader) shape(s *Shape, kind string) error {
	line := r.next()
	var at, size r2.Vec
	err := r.object("shape", fields{
		"type":   func() error { return r.text(&kind) },
		"x":      func() error { return r.place(&at.X) },
		"y":      func() error { return r.place(&at.Y) },
		"width":  func() error { return r.length(&size.X) },
		"height": func() error { return r.length(&size.Y) },
		"center": func() error { return r.point(&s.Center) },
		"radius": func() error { return r.length(&s.Radius) },
		"points": func() error {
			return r.list(func() error {
				var p r2.Vec
				err := r.point(&p)
				s.Corners = append(s.Corners, p)
				return err
			})
		},
	})
	if err != nil {
		return err
	}
	want := ""
	switch s.Kind = shapeKinds[kind]; s.Kind {
	case Rectangle:
		if s.Box = (r2.Box{Min: at, Max: r2.Add(at, size)}); !(s.Box.Min.X < s.Box.Max.X && s.Box.Min.Y < s.Box.Max.Y) {
			want = "width and height above 0"
		}
	case Polygon:
		if s.Corners = outline(s.Corners); len(s.Corners) < 3 {
			want = "points: three or more that differ"
			break
		}
		if fault := space.RingFault(s.Corners); fault != "" {
			return r.failAt(line, "%s is a POLYGON that %s", r.at(), fault)
		}
		s.Box = r2.Box{Min: s.Corners[0], Max: s.Corners[0]}
		for _, p := range s.Corners {
			s.Box.Min = r2.Vec{X: min(s.Box.Min.X, p.X), Y: min(s.Box.Min.Y, p.Y)}
			s.Box.Max = r2.Vec{X: max(s.Box.Max.X, p.X), Y: max(s.Box.Max.Y, p.Y)}
		}
	case Circle:
		if s.Center == (r2.Vec{}) {
			s.Center = at
		}
		r := r2.Vec{X: s.Radius, Y: s.Radius}
		if s.Box = (r2.Box{Min: r2.Sub(s.Center, r), Max: r2.Add(s.Center, r)}); s.Radius == 0 {
			want = "a center and a radius above 0"
		}
	default:
		return r.failAt(line, "%s.type is %q, want RECTANGLE, POLYGON or CIRCLE", r.at(), kind)
	}
	if want != "" {
		return r.failAt(line, "%s is a %s, want %s", r.at(), kind, want)
	}
	return nil
}
